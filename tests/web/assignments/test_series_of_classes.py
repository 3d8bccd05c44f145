"""One assignment of several classes, as its teacher sees it: what is ticked to be published."""

from typing import Any

from tests.web.assignments.drafting import FUTURE, NUMERIC
from tests.web.cast import Page
from tests.web.school import new_class
from tests.web.taught import Term

OTHER_FUTURE = "2099-10-01T23:59"


def draft_in_two_classes(term: Term) -> str:
    """The path of the draft in the class of 小糖; the other class has one too."""
    other_class = new_class(term.teacher, "高一4班")
    page = term.teacher.open("/classrooms")
    ticked: dict[str, Any] = {"class": [str(term.classroom), str(other_class)]}
    address = term.teacher.submit(page.form("/series"), title="第一周", **ticked).path
    fields = [("kind", "item"), ("ref", f"content:{NUMERIC}"), ("points", "2")]
    term.teacher.post(f"{address}/parts", fields)
    return address


def is_other_class_ticked(page: Page) -> bool:
    [box] = page.main.all("input", name="class")
    return "checked" in box.attributes


def published(term: Term) -> list[bool]:
    """Class by class."""
    rows = term.ledger.rows("SELECT published_at FROM assignment ORDER BY classroom_id")
    return [published_at is not None for (published_at,) in rows]


def test_a_draft_is_ticked_until_the_first_class_is_published(term: Term) -> None:
    """Then another due time publishes nothing; who ticks a class gives it to that one."""
    address = draft_in_two_classes(term)
    page = term.teacher.open(address)
    assert is_other_class_ticked(page)
    ticked: dict[str, Any] = {"class": []}
    term.teacher.submit(page.form(f"{address}/settings"), "发布给", **ticked)
    page = term.teacher.open(address)
    assert not is_other_class_ticked(page)
    term.teacher.submit(page.form(f"{address}/series"), due_all=FUTURE)
    assert published(term) == [True, False]
    [(due_at,)] = term.ledger.rows("SELECT due_at FROM assignment WHERE published_at IS NOT NULL")
    assert due_at is not None
    page = term.teacher.open(address)
    [box] = page.main.all("input", name="class")
    ticked = {"class": [box["value"]]}
    term.teacher.submit(page.form(f"{address}/series"), **ticked)
    assert published(term) == [True, True]


def test_both_are_published_by_the_ticks_that_stand_there(term: Term) -> None:
    address = draft_in_two_classes(term)
    term.publish(address)
    assert published(term) == [True, True]


def test_an_older_page_of_all_classes_takes_no_due_time_back_that_it_did_not_touch(term: Term) -> None:
    address = draft_in_two_classes(term)
    term.publish(address)
    form = term.teacher.open(address).form(f"{address}/series")
    term.set_up(address, due=FUTURE, scope="one")
    [other_id] = [field["value"] for field in form.all("input", name="member")][1:]
    typed: dict[str, Any] = {f"due-{other_id}": OTHER_FUTURE}
    term.teacher.submit(form, **typed)
    page = term.teacher.open(address)
    assert page.by_id("s-due")["value"] == FUTURE
    assert page.by_id("series").one("input", name=f"due-{other_id}")["value"] == OTHER_FUTURE


def test_an_older_page_of_all_classes_takes_no_title_back_in_any_of_them(term: Term) -> None:
    address = draft_in_two_classes(term)
    older_form = term.teacher.open(address).form(f"{address}/settings")
    term.set_up(address, title="截断k")
    term.teacher.submit(older_form, "存下时间和规矩", note="写过程")
    assert term.ledger.rows("SELECT title, note FROM assignment") == [("截断k", "写过程")] * 2


def test_late_work_costs_the_same_in_a_class_that_goes_on_taking_it(term: Term) -> None:
    address = draft_in_two_classes(term)
    term.set_up(address, due=FUTURE, late="yes", late_until=OTHER_FUTURE, late_percent="50")
    term.publish(address)
    term.set_up(address, late="no", scope="all")
    late_rules = term.ledger.rows("SELECT late_until IS NULL, late_factor FROM assignment ORDER BY id")
    assert late_rules == [(1, 1.0), (0, 0.5)]


def test_the_page_names_the_class_that_a_post_test_keeps_a_pre_test(term: Term) -> None:
    address = draft_in_two_classes(term)
    term.set_up(address, pre="yes", scope="all")
    assert "已经有后测" not in term.teacher.page.main.text
    other_ids = f"SELECT classroom_id, id FROM assignment WHERE classroom_id != {term.classroom}"
    [(class_id, assignment_id)] = term.ledger.rows(other_ids)
    other_address = f"/classrooms/{class_id}/assignments/{assignment_id}"
    page = term.teacher.open(other_address)
    term.teacher.submit(page.form(f"{other_address}/copies", "做一份后测"))
    page = term.set_up(address, pre=[], scope="all")
    assert "高一4班已经有后测，那里还是前测，别的都改了。" in page.by_id("settings").text
    forms = term.ledger.rows("SELECT form FROM assignment ORDER BY id")
    assert forms == [(None,), ("pre",), ("post",)]


def test_the_numbers_are_said_to_be_of_each_class_whether_or_not_its_students_share_them(term: Term) -> None:
    address = draft_in_two_classes(term)
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("level", "1"), ("count", "1"), ("same", "yes")]
    term.teacher.post(f"{address}/parts", fields)
    page = term.teacher.open(address)
    assert "全班同样的数" in page.main.text
    assert "成绩、后测，还有出题器出的数" in page.main.text
    assert "各不相同" not in page.main.text
    assert "没选“全班同样的数”的，每位同学的数不一样" in term.teacher.open(f"{address}/preview").main.text


def test_the_page_names_the_classes_that_other_questions_do_not_reach(term: Term) -> None:
    address = draft_in_two_classes(term)
    term.publish(address)
    series_list = term.teacher.open(address).by_id("series").one("ul", class_="series-list")
    [link] = series_list.all("a")
    assert "不跟着变" not in term.teacher.open(link["href"]).by_id("parts").text
    page = term.teacher.open(f"{address}/paper-marks")
    page = term.teacher.submit(page.form(f"{address}/paper-marks/lists"), text="小糖 1.5")
    term.teacher.submit(page.form(f"{address}/paper-marks"))
    assert "不跟着变" not in term.teacher.open(address).by_id("parts").text
    parts_text = term.teacher.open(link["href"]).by_id("parts").text
    assert "高一3班已经有人开始做，或者给过分：这里改题目，那里不跟着变。" in parts_text
