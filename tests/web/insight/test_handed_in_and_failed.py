"""交了, 没交 and 没过 mean one thing on 班级, 今天, 作业 and in 成绩册."""

from datetime import timedelta

import pytest

from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from app.web.site import clock
from tests.web.cast import Reader
from tests.web.graded import NOW, TEACHER, Term
from tests.web.grading.open_books import names, teacher, term
from tests.web.insight.seat_groups import group

__all__ = ["teacher", "term"]


@pytest.fixture
def paper_work(term: Term, monkeypatch: pytest.MonkeyPatch) -> int:
    """小糖 and 小序 did it on paper, 小序 badly; 小方 handed in, and 小圆 nothing yet."""
    monkeypatch.setattr(clock, "time_source", lambda: NOW + timedelta(hours=1))
    assignment_id = term.assign("第一周")
    for name, mark_text in (("小糖", "9"), ("小序", "1")):
        cell_key = CellKey(*term.key(assignment_id), term.places[name])
        term.write(mark_overrides.override_mark, TEACHER, cell_key, mark_text, "纸上做的", term.now)
    term.do("小方", assignment_id, "rrr")
    return assignment_id


def class_line(teacher: Reader) -> str:
    return teacher.open("/classrooms").main.one("span", class_="class-now").text


def test_marks_from_paper_fail_on_every_page(teacher: Reader, term: Term, paper_work: int) -> None:
    class_url = f"/classrooms/{term.classroom}"
    page = teacher.open(f"{class_url}/today?assignment={paper_work}")
    assert page.main.one("span", class_="stack-words").text == "没开始1 交了3，没过1"
    bar_classes = [bar["class"] for bar in page.main.one("span", class_="stack").all("svg")]
    assert bar_classes == ["part s-new", "part s-done", "part s-failed"], "in the order of the words"
    assert group(page, "failed") == "交了没过 1 小序 1/10"
    assert group(page, "done") == "其余交了 2 小糖 小方"
    assert class_line(teacher).startswith("交了没过1 没交1 ")
    page = teacher.open(f"{class_url}/assignments/{paper_work}")
    assert page.by_id("progress-title").text == "谁做了 交了3/4，没过1"
    page = teacher.open(f"{class_url}/gradebook?only=failed&work={paper_work}")
    assert names(page) == ["小序"]


def test_who_has_a_mark_from_paper_has_handed_in_also_where_an_attempt_was_begun(
    teacher: Reader, term: Term, paper_work: int
) -> None:
    term.do("小糖", paper_work, "r--", hand_in=False)
    page = teacher.open(f"/classrooms/{term.classroom}/today?assignment={paper_work}")
    assert "小糖" in group(page, "done")


def test_a_class_says_how_many_lack_what_is_due_next(teacher: Reader, term: Term, paper_work: int) -> None:
    later_work = term.assign("第二周", due_at=NOW + timedelta(days=20))
    assert "没交1 09-08" in class_line(teacher), "of 第一周, whose time stands beside it"
    term.do("小圆", paper_work, "rrr")
    assert "没交4 09-21" in class_line(teacher), "what nobody lacks is past"
    for name in term.places:
        term.do(name, later_work, "rrr")
    assert "没交" not in class_line(teacher)
    assert "09-08" in class_line(teacher)
    term.assign("随便做", due_at=None)
    assert class_line(teacher) == "交了没过1 没交4", "without a time that belongs to another"
