"""The settings of an assignment, to whom it is published, and copies of it."""

from typing import Any

import pytest

from tests.web.assignments.drafting import FUTURE, NUMERIC, PAST
from tests.web.cast import Page, browser
from tests.web.pages import filled, refused_fields
from tests.web.school import code_of, join_new, new_class
from tests.web.taught import Term


def test_settings_that_do_not_hold_together_keep_what_was_typed(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, opens=FUTURE, due=PAST, note="好好做")
    assert "截止时间要在开始时间之后" in page.by_id("settings-error").text
    assert refused_fields(page.main) == ["due"]
    assert page.by_id("s-due")["value"] == PAST
    assert page.by_id("s-note").text == "好好做"
    assert term.ledger.rows("SELECT due_at FROM assignment") == [(None,)]


def test_an_older_page_takes_no_due_time_back_that_it_did_not_touch(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    term.set_up(draft_path, due=FUTURE)
    term.teacher.submit(form, "存下时间和规矩", note="请写过程")
    page = term.teacher.open(draft_path)
    assert (page.by_id("s-due")["value"], page.by_id("s-note").text) == (FUTURE, "请写过程")


def test_from_its_questions_a_draft_leads_to_where_it_is_published(term: Term) -> None:
    """On a phone that place is five screens further down."""
    draft_path = term.draft()
    assert not term.teacher.open(draft_path).by_id("parts").all("a", href="#settings")
    draft_path = term.draft(NUMERIC, title="第二周")
    page = term.teacher.open(draft_path)
    assert page.by_id("parts").one("a", href="#settings").text == "定时间"
    assert page.by_id("parts").one("a", href="#publish").text == "发布"
    assert page.by_id("settings").all("button", formaction=f"{draft_path}/publications")
    term.publish(draft_path)
    assert not term.teacher.open(draft_path).by_id("parts").all("a", href="#settings")


def test_a_class_nobody_is_in_yet_is_no_empty_table(term: Term) -> None:
    term.classroom = new_class(term.teacher, "高一5班")
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    published = term.teacher.page.main
    assert "0位同学" not in published.one("p", class_="done").text
    assert "班里还没有人。进来的同学马上看得到" in published.one("section", id="progress").text
    assert not published.all("table", class_="doing")
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    published = term.teacher.open(draft_path).main
    assert "班里还没有人" not in published.text
    assert "小序" in published.one("table", class_="doing").text


def test_publishing_keeps_the_settings_that_stand_beside_it(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    wrong: dict[str, Any] = {"opens": FUTURE, "due": PAST, "note": "好好做", "pre": "yes"}
    page = term.teacher.submit(form, "发布给", status=422, **wrong)
    assert "截止时间要在开始时间之后" in page.by_id("settings-error").text
    assert page.by_id("s-note").text == "好好做"
    assert "checked" in page.by_id("settings").one("input", name="pre").attributes
    assert term.ledger.rows("SELECT published_at, note FROM assignment") == [(None, "")]
    form = page.form(f"{draft_path}/settings")
    page = term.teacher.submit(form, "发布给", opens="", due=FUTURE, answers="due")
    assert "发布了" in page.main.text
    sentence = term.student.open(f"/assignments/{draft_path.rpartition('/')[2]}").main.text
    for row in ("好好做", "09-01 23:59截止", "截止以后，看结果"):
        assert row in sentence
    assert [row for (row,) in term.ledger.rows("SELECT action FROM audit")] == ["publish"]


def test_an_empty_draft_is_not_published_and_can_be_thrown_away(term: Term) -> None:
    draft_path = term.draft()
    page = term.teacher.open(draft_path)
    page = term.teacher.submit(page.form(f"{draft_path}/settings"), "发布给", status=422, note="好好做")
    assert "还什么都没有" in page.main.text
    assert page.by_id("s-note").text == "好好做"
    term.teacher.submit(page.form(f"{draft_path}/removals"))
    assert term.teacher.page.path == term.all
    assert term.ledger.count("assignment") == 0


def test_copies_and_a_post_test(term: Term) -> None:
    draft_path = term.draft(NUMERIC, title="前测：第一站")
    page = term.teacher.open(draft_path)
    term.teacher.submit(page.form(f"{draft_path}/copies", "做一份后测"))
    assert "后测" in term.teacher.page.main.one("h1").text
    assert "前测：第一站" in term.teacher.page.main.text
    other_class = new_class(term.teacher, "高一4班")
    page = term.teacher.open(draft_path)
    assert "配对的后测" in page.main.text
    term.teacher.submit(page.form(f"{draft_path}/copies", "复制成草稿"), to=str(other_class))
    assert term.teacher.page.path.startswith(f"/classrooms/{other_class}/assignments/")
    assert "满分2分" in term.teacher.page.by_id("parts").text
    rows = term.ledger.rows("SELECT form, pair, seed FROM assignment ORDER BY id")
    assert [row[:2] for row in rows] == [("pre", 1), ("post", 1), ("pre", 3)]
    assert len({row[2] for row in rows}) == 3


def test_what_becomes_a_pre_test_is_told_and_stays_one_with_its_post_test(term: Term) -> None:
    """Before the button, in the log, and where the tick is taken away."""
    draft_path = term.draft(NUMERIC)
    assert "成了前测，不算进总评" in term.teacher.open(draft_path).main.text
    term.teacher.submit(term.teacher.page.form(f"{draft_path}/settings"), "发布给")
    page = term.teacher.open(draft_path)
    assert "成了前测，总评里怎么算照旧" in page.main.text
    term.teacher.submit(page.form(f"{draft_path}/copies", "做一份后测"))
    log_text = term.teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    assert "种类：都不是 → 前测" in log_text
    page = term.teacher.open(draft_path)
    assert "成了前测" not in page.main.text
    page = term.teacher.submit(page.form(f"{draft_path}/settings"), status=422, pre=[])
    assert "还得是前测" in page.main.text


def test_pressed_twice_it_is_made_once(term: Term) -> None:
    term.teacher.open(term.all)
    form = term.teacher.page.form(term.all)
    paths = [term.teacher.submit(form, title="第一周").path for _ in range(2)]
    assert paths == [paths[0]] * 2
    draft_path = term.draft(NUMERIC, title="前测：第一站")
    for label, notice in (("做一份后测", "这是这份前测的后测"), ("复制成草稿", "复制好了")):
        form = term.teacher.open(draft_path).form(f"{draft_path}/copies", label)
        for _ in range(2):
            assert notice in term.teacher.submit(form).main.one("p", class_="done").text
    assert term.ledger.count("assignment") == 4


def test_a_teacher_whose_classes_are_all_archived_is_told_where_to_copy(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    room = f"/classrooms/{term.classroom}"
    form = term.teacher.open(draft_path).form(f"{draft_path}/copies", "复制成草稿")
    page = term.teacher.submit(form, to="", status=422)
    assert "复制到哪个班" in page.main.text
    term.teacher.open(room)
    term.teacher.submit(term.teacher.page.form(f"{room}/archivings"))
    page = term.teacher.open(draft_path)
    assert not page.main.all("form", action=f"{draft_path}/copies")
    assert "没有地方可以复制" in page.main.text
    assert "已经归档" in term.teacher.submit(form, status=422).text


@pytest.mark.parametrize("saved", [True, False], ids=["saved before", "only ticked"])
def test_for_single_students(term: Term, saved: bool) -> None:
    """Whoever is ticked when it is published, whether or not that was saved; with the times beside it."""
    other_browser = browser(term.client)
    join_new(other_browser, code_of(term.teacher, term.classroom), "小序")
    draft_path = term.draft(NUMERIC)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小序'")
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    ticked: dict[str, Any] = {"everyone": "no", "student": str(place)}
    if saved:
        page = term.teacher.submit(form, "存下时间和规矩", note="好好做", **ticked)
        assert (page.by_id("s-note").text, ticks(page)) == ("好好做", ["小序"]), "one form, one button"
        form, ticked = page.form(f"{draft_path}/settings"), {}
    page = term.teacher.submit(form, "发布给", due=FUTURE, note="好好做", **ticked)
    assert "发布了。1位同学" in page.main.text
    assert ticks(page) == ["小序"]
    path = f"/assignments/{draft_path.rpartition('/')[2]}"
    other_browser.open(path)
    term.student.open(path, status=404)
    form = page.form(f"{draft_path}/assignees")
    assert "一位同学也没选" in term.teacher.submit(form, everyone="no", student=[], status=422).main.text
    term.teacher.submit(form, everyone="yes")
    term.student.open(path)


def test_an_older_page_gives_to_nobody_whom_another_page_left_out(term: Term) -> None:
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    draft_path = term.draft(NUMERIC)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小序'")
    older_form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    term.teacher.submit(older_form, "存下时间和规矩", everyone="no", student=str(place))
    refused_page = term.teacher.submit(older_form, "发布给", status=422, due=PAST)
    refused_form = refused_page.form(f"{draft_path}/settings")
    page = term.teacher.submit(refused_form, "发布给", due=FUTURE)
    assert ticks(page) == ["小序"]
    assert "发布了。1位同学" in page.main.text


def ticks(page: Page) -> list[str]:
    """Who is ticked under 布置给谁."""
    rows = page.by_id("assignees").all("li")
    return [row.text for row in rows if "checked" in row.one("input").attributes]


def test_nobody_ticked_publishes_nothing_and_keeps_what_was_typed(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    page = term.teacher.submit(form, "发布给", status=422, everyone="no", note="好好做")
    assert "一位同学也没选" in page.by_id("settings-error").text
    assert refused_fields(page.main) == []
    assert page.by_id("s-note").text == "好好做"
    assert ("everyone", "no") in filled(page.form(f"{draft_path}/settings"))
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = page.form(f"{draft_path}/settings")
    page = term.teacher.submit(form, "发布给", status=422, student=str(place), due=PAST)
    assert "截止时间已经过去了" in page.by_id("settings-error").text
    assert (page.by_id("s-due")["value"], page.by_id("s-note").text) == (PAST, "好好做")
    assert ticks(page) == ["小糖"]
    assert term.ledger.rows("SELECT published_at, note, everyone FROM assignment") == [(None, "", 1)]


def test_what_was_published_by_mistake_is_taken_back_until_somebody_begins(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    other_tab = term.teacher.open(draft_path).form(f"{draft_path}/publications", "发错了")
    page = term.teacher.submit(other_tab, "发错了")
    assert "收回来了，又是草稿" in page.main.one("p", class_="done").text
    assert page.main.all("button", formaction=f"{draft_path}/publications"), "to be published again"
    assert "第一周" not in term.student.open("/assignments").main.text
    term.student.open(path, status=404)
    assert "收回了《第一周》，又是草稿" in term.teacher.open(f"/classrooms/{term.classroom}/audit").main.text
    term.publish(draft_path)
    term.begin(path)
    assert "发错了" not in term.teacher.open(draft_path).main.text
    page = term.teacher.submit(other_tab, "发错了", status=422)
    assert "已经有人开始做了" in page.by_id("progress").one("p", class_="error").text
