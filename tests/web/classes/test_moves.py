"""A student goes into another class of the same teacher."""

import pytest
from starlette.testclient import TestClient

from app.course import Course
from tests.web.cast import browser
from tests.web.pages import filled, refused_fields
from tests.web.school import assigned, code_of, join_new, new_class, school


def test_a_move_that_is_refused_keeps_its_form_and_names_the_class(
    client: TestClient, course: Course
) -> None:
    """On a phone the form stands screens below the head of the page."""
    full_school = school(client, course)
    teacher = full_school.teacher
    new_class(teacher, "高一5班")
    to = new_class(teacher, "高一7班")
    join_new(browser(client), code_of(teacher, to), "糖糖")
    teacher.open(full_school.of_student)
    teacher.submit(teacher.page.form(f"{full_school.of_student}/names"), name="糖糖")
    move_form = teacher.open(full_school.of_student).form(f"{full_school.of_student}/moves")
    page = teacher.submit(move_form, to=str(to), marks="carry", status=422)
    move_form = page.form(f"{full_school.of_student}/moves")
    assert "高一7班里已经有一位“糖糖”了" in move_form.one("p", class_="error").text
    assert ("to", str(to)) in filled(move_form)
    assert ("marks", "carry") in filled(move_form)
    assert refused_fields(page.main) == ["to"]


@pytest.mark.parametrize(("marks", "words"), [("leave", "换过来了"), ("carry", "")])
def test_a_second_tap_finds_the_student_moved(
    client: TestClient, course: Course, marks: str, words: str
) -> None:
    """It sees the second answer alone, which says no other number of marks than came along."""
    full_school = school(client, course)
    other_class = new_class(full_school.teacher, "高一5班")
    for _ in range(2):
        response = full_school.teacher.post(
            f"{full_school.of_student}/moves", [("to", str(other_class)), ("marks", marks)]
        )
        assert response.url.path == f"/classrooms/{other_class}"
    assert words in response.text
    assert "没有成绩可带" not in response.text


def test_work_in_the_class_before_says_which_class_and_leads_there(
    client: TestClient, course: Course
) -> None:
    """It was called 作业, whatever it was."""
    full_school = school(client, course)
    teacher = full_school.teacher
    student = full_school.student
    task_url = assigned(full_school)
    question_url = f"{task_url}/questions/1"
    student.submit(student.open(question_url).form(f"{question_url}/responses"), answer=["1"])
    student.submit(student.open(f"{task_url}/hand-in").form(f"{task_url}/hand-ins"))
    links = teacher.open(full_school.of_student).main.one("ol", class_="works").all("a")
    work_url = links[0]["href"]
    assert (links[0].text, work_url.startswith(full_school.here)) == ("第一周", True)
    target_class = new_class(teacher, "高一5班")
    move_form = teacher.open(full_school.of_student).form(f"{full_school.of_student}/moves")
    teacher.submit(move_form, to=str(target_class), marks="leave")
    student_url = f"/classrooms/{target_class}/students/{full_school.place_of_student}"
    link = teacher.open(student_url).main.one("ol", class_="works").all("a")[0]
    assert (link.text, link["href"]) == ("第一周（高一3班）", work_url)
    assert "小糖" in teacher.open(link["href"]).main.text
