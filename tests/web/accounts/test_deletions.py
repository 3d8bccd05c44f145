"""Deleting an account that still has something to do."""

from tests.web.cast import Reader
from tests.web.pages import refused_fields
from tests.web.school import PASSWORD, code_of, join_new


def test_a_teacher_with_a_class_is_told_so_and_not_that_the_password_is_wrong(
    teacher: Reader, classroom: int
) -> None:
    form = teacher.open("/me/data").form("/me/deletions")
    page = teacher.submit(form, password=PASSWORD, sure="yes", status=422)
    assert "你还教着高一3班" in page.by_id("delete-error").text, classroom
    assert refused_fields(page.main) == []
    page = teacher.submit(form, password="不对不对不对", sure="yes", status=422)
    assert refused_fields(page.main) == ["password"]


def test_only_a_teacher_is_told_what_stays_of_what_teachers_write(
    teacher: Reader, guest: Reader, classroom: int
) -> None:
    join_new(guest, code_of(teacher, classroom), "小糖")
    assert "归那位同事" in teacher.open("/me/data").main.text
    assert "归那位同事" not in guest.open("/me/data").main.text
