"""Deleting an account that still has something to do."""

from pathlib import Path

from app.records.db.sqlite import backup
from tests.web.cast import Reader
from tests.web.pages import refused_fields
from tests.web.school import PASSWORD, code_of, join_new, sign_up


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


def test_whoever_is_in_no_class_is_told_that_nothing_stays(guest: Reader) -> None:
    sign_up(guest, "阿真")
    form = guest.open("/me/data").form("/me/deletions")
    page = guest.submit(form, password=PASSWORD, sure="yes")
    assert page.path == "/me?done=deletion"
    assert "都删掉了：账号、回答、卡片、进度。" in page.main.text
    assert "班级" not in page.main.one("p", class_="done").text


def test_whoever_leaves_results_in_a_class_is_told_so(teacher: Reader, guest: Reader, classroom: int) -> None:
    sign_up(guest, "阿真")
    guest.open(f"/join/{code_of(teacher, classroom)}")
    guest.submit(guest.page.main.all("form")[0], name="阿真")
    form = guest.open("/me/data").form("/me/deletions")
    page = guest.submit(form, password=PASSWORD, sure="yes")
    assert page.path == "/me?done=deletion&stays=class"
    assert "班级里只留下没有名字的对错" in page.main.one("p", class_="done").text


def test_backups_are_told_of_as_they_are_kept(guest: Reader) -> None:
    sign_up(guest, "阿真")
    assert f"备份里还有，一般{backup.BACKUPS_KEPT_DAYS}天以后换掉" in guest.open("/me/data").main.text
    for unit in ("tangxu-backup.service", "tangxu-dump.service"):
        assert f"-mtime +{backup.BACKUPS_KEPT_DAYS} -delete" in (Path("deploy") / unit).read_text("utf-8")
