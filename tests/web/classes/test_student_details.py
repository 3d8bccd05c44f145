"""Name, 学号 and 座号 of a student, set in two tabs; what the fold around them promises."""

from starlette.testclient import TestClient

from app.course import Course
from tests.web.school import new_class, school


def test_an_older_tab_takes_no_detail_back_that_it_did_not_touch(client: TestClient, course: Course) -> None:
    full_school = school(client, course)
    teacher, path = full_school.teacher, f"{full_school.of_student}/names"
    form_of_other_tab = teacher.open(full_school.of_student).form(path)
    teacher.submit(form_of_other_tab, number="20260101", seat="7")
    page = teacher.submit(form_of_other_tab, seat="", name="小糖" * 20, status=422)
    teacher.submit(page.form(path), name="糖糖")
    page = teacher.open(full_school.of_student)
    assert [page.by_id(name)["value"] for name in ("name", "number", "seat")] == ["糖糖", "20260101", "7"]
    teacher.submit(page.form(path), seat="")
    assert teacher.open(full_school.of_student).by_id("seat")["value"] == "", "what is emptied is empty"


def test_the_fold_names_a_move_where_there_is_a_class_to_move_to(client: TestClient, course: Course) -> None:
    full_school = school(client, course)
    teacher = full_school.teacher

    def fold_title() -> str:
        page = teacher.open(full_school.of_student)
        return page.main.one("section", **{"aria-labelledby": "manage"}).one("summary").text

    assert fold_title() == "改名、改学号、做题时间、换密码、移出"
    new_class(teacher, "高一4班")
    assert fold_title() == "改名、改学号、做题时间、换密码、换班、移出"
