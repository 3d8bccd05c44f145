"""A roster on its way through the preview: what is asked there stays asked until its teacher answers."""

from tests.web.cast import Ledger, Page, Reader
from tests.web.pages import filled
from tests.web.school import code_of, join_new, new_class, secrets_on


def paste(teacher: Reader, classroom: int, text: str, **fields: str) -> Page:
    path = f"/classrooms/{classroom}/roster-previews"
    return Page(teacher.client.post(path, data={"text": text, **fields}, files={"file": ("", b"")}))


def mend(teacher: Reader, classroom: int, page: Page, old_text: str, new_text: str) -> Page:
    """The lines at fault once more, with something put right."""
    fields = dict(filled(page.form(f"/classrooms/{classroom}/roster-previews")))
    fields["text"] = fields["text"].replace(old_text, new_text)
    return paste(teacher, classroom, **fields)


def account_choices(page: Page) -> list[list[str]]:
    return [[option["value"] for option in choice.all("option")] for choice in page.main.all("select")]


def test_who_a_name_of_another_class_is_stays_asked_while_a_line_is_mended(
    teacher: Reader, classroom: int, guest: Reader
) -> None:
    join_new(guest, code_of(teacher, classroom), "小糖")
    club = new_class(teacher, "社团")
    page = paste(teacher, club, "姓名,学号\n小糖,\n,9102\n")
    assert account_choices(page) == [["小糖", "小糖2"]]
    page = mend(teacher, club, page, ",9102", "小序,9102")
    assert "2位同学，没有问题" in page.main.text
    assert account_choices(page) == [["小糖", "小糖2"]]
    box = dict(filled(page.form(f"/classrooms/{club}/roster-previews")))["text"]
    assert box == "姓名,学号,座号,登录名,密码\n小糖,,,,\n小序,9102,,,\n"


def test_whether_another_number_is_another_pupil_stays_asked_while_a_line_is_mended(
    teacher: Reader, classroom: int, ledger: Ledger
) -> None:
    roster = f"/classrooms/{classroom}/roster"
    teacher.submit(paste(teacher, classroom, "姓名,学号\n赵一一,5001\n").form(roster))
    page = paste(teacher, classroom, "姓名,学号\n赵一一,5002\n,9102\n")
    page = mend(teacher, classroom, page, ",9102", "钱二二,9102")
    assert account_choices(page) == [["赵一一", "赵一一2"]]
    fields = [field for field in filled(page.form(roster)) if field[0] != "login-2"]
    slips = Page(teacher.post(roster, [*fields, ("login-2", "赵一一2")]))
    assert secrets_on(slips)[::2] == ["赵一一2", "钱二二"]
    assert ledger.count("enrolment") == 3


def test_a_name_that_the_list_gives_to_sign_in_with_is_no_question(teacher: Reader, classroom: int) -> None:
    page = paste(teacher, classroom, "姓名,学号,登录名\n小糖,1,tang\n,9102,\n")
    page = mend(teacher, classroom, page, ",9102", "小序,9102")
    slips = teacher.submit(page.form(f"/classrooms/{classroom}/roster"))
    assert secrets_on(slips)[::2] == ["tang", "小序"]


def test_a_list_that_is_refused_when_it_is_confirmed_comes_back_as_it_was_read(
    teacher: Reader, classroom: int
) -> None:
    roster = f"/classrooms/{classroom}/roster"
    form = paste(teacher, classroom, "姓名,学号\n小糖,1\n").form(roster)
    teacher.submit(form)
    page = teacher.submit(form, status=422)
    assert "都已经在班里" in page.by_id("roster-error").text
    box = dict(filled(page.form(f"{roster}-previews")))["text"]
    assert box == "姓名,学号,座号,登录名,密码\n小糖,1,,,\n"


def test_the_longest_list_that_is_previewed_can_be_confirmed(teacher: Reader, classroom: int) -> None:
    names = [f"{'长' * 25}{number:03}" for number in range(200)]
    page = paste(teacher, classroom, "姓名,学号\n" + "\n".join(f"{name},{name[-3:]}" for name in names))
    assert "200位同学，没有问题" in page.main.text
    response = teacher.post(
        f"/classrooms/{classroom}/roster", filled(page.form(f"/classrooms/{classroom}/roster"))
    )
    assert response.status_code == 200


def test_what_a_list_has_and_is_not_read_is_told_beside_the_preview(teacher: Reader, classroom: int) -> None:
    page = paste(teacher, classroom, "甲一\t甲二\t甲三\n乙一\t乙二\t乙三\n")
    note = page.main.one("p", class_="preview-note").text
    assert note == "没有表头，第2、3列没有用上，比如“甲二”。里面还有同学的话，把名字竖着排，一行一位。"
    page = paste(teacher, classroom, "姓名\n甲一\n")
    assert not page.main.all("p", class_="preview-note")
