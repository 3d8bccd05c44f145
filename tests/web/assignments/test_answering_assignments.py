"""Answering the questions of an assignment: what is saved, marked at once, carried over, left out."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest

from app.course import Course
from app.course.assignments.question_sets import question_seed
from app.course.items.kinds import Order
from app.records.db.session import VerbSession
from app.records.grading import collecting
from app.web.operation import upkeep
from app.web.site import clock
from app.web.site.site import Site
from tests.web.assignments.drafting import NUMERIC
from tests.web.cast import Page, browser, right_answer, wrong_answer
from tests.web.pages import filled
from tests.web.school import code_of, join_new
from tests.web.taught import Term


def test_what_was_saved_may_be_changed_and_says_no_verdict(term: Term, course: Course) -> None:
    item = course.items[NUMERIC]
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    term.answer(path, 1, wrong_answer(item))
    page = term.student.open(f"{path}/questions/1")
    assert page.by_id("question-1-answer")["value"] == wrong_answer(item)[0]
    for verdict_words in ("一次就对", "再核对", "大了些", "小了些"):
        assert verdict_words not in page.main.text
    assert not page.main.all("div", class_="bubble")
    assert not page.main.all("button", formaction=f"{path}/questions/1/solutions")
    term.answer(path, 1, right_answer(item))
    assert "2分，满分2分" in term.hand_in(path).main.text


def test_a_draft_is_saved_while_it_is_written(term: Term) -> None:
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    fields = filled(form, answer="十来颗")
    saved_page = Page(term.student.post(f"{path}/questions/1/drafts", fields, htmx=True))
    assert (saved_page.status, "存下了，可是还认不出" in saved_page.text) == (200, True)
    assert saved_page.by_id("rail")["data-hx-swap-oob"] == "true"
    page = term.student.open(f"{path}/questions/1")
    assert page.by_id("question-1-answer")["value"] == "十来颗"
    assert "认不出" in page.by_id("question-1-error").text, "saved, and said that it cannot be read"
    assert "写的看不懂" in term.student.open(f"{path}/hand-in").main.text
    assert "你写的是“十来颗”" in term.hand_in(path).main.text


def test_time_adds_up_over_visits_to_a_question(
    term: Term, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A minute while it is written, saved twice; and half a minute more when they come back to it."""
    path = term.publish(term.draft(NUMERIC))
    begun_at = clock.now() - timedelta(minutes=3)
    with monkeypatch.context() as earlier:
        earlier.setattr(clock, "time_source", lambda: begun_at)
        term.begin(path)
    answer = list(right_answer(course.items[NUMERIC]))
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    shown_at = str(int(form.one("input", name="shown")["value"]) - 60)
    term.student.post(f"{path}/questions/1/drafts", filled(form, answer=answer, shown=shown_at), htmx=True)
    term.student.submit(form, answer=answer, shown=shown_at)
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    shown_at = str(int(form.one("input", name="shown")["value"]) - 30)
    term.student.submit(form, answer=answer, shown=shown_at)
    term.hand_in(path)
    [(seconds,)] = term.ledger.rows("SELECT seconds FROM response")
    assert 90 <= seconds < 120


def test_what_cannot_be_read_is_said_on_the_next_question(term: Term, course: Course) -> None:
    path = term.publish(term.draft(NUMERIC, NUMERIC, NUMERIC))
    term.begin(path)
    page = term.answer(path, 1, ["我不会"])
    assert page.path == f"{path}/questions/2?unread=1"
    paragraph = page.main.one("p", class_="unread")
    assert "第1题写的认不出" in paragraph.text
    assert paragraph.one("a")["href"] == f"{path}/questions/1"
    page = term.student.open(f"{path}/questions/1")
    assert "存好了" not in page.by_id("question-1").text
    assert "还认不出" in page.by_id("question-1").one("p", class_="draft").text
    form = page.form(f"{path}/questions/1/responses")
    fields = term.student.post(f"{path}/questions/1/responses", filled(form, answer="我不会"), htmx=True)
    assert fields.headers["HX-Redirect"] == f"{path}/questions/2?unread=1"
    for raw in ([""], right_answer(course.items[NUMERIC])):
        assert term.answer(path, 1, raw).path == f"{path}/questions/2"
    for number in ("1", "3", "99", "x"):
        page = term.student.open(f"{path}/questions/2?unread={number}")
        assert not page.main.all("p", class_="unread"), "said only of what is unreadable now"
    assert term.answer(path, 3, ["我不会"]).path == f"{path}/hand-in"
    assert "第3题（写的看不懂）" in term.student.page.main.text


def test_what_cannot_be_read_is_not_called_unanswered_once_it_is_handed_in(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    term.set_up(draft_path, answers="handed_in")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, ["我不会"])
    term.hand_in(path)
    page = term.student.open(f"{path}/passes/1")
    assert "有2题没答好" in page.main.text
    assert "写的看不懂 · 2分里得0分" in page.by_id("q1").text
    assert "你写的是“我不会”" in page.by_id("q1").text
    assert "没答 · 2分里得0分" in page.by_id("q2").text


def test_who_goes_to_another_question_without_a_script_takes_the_words_along(term: Term) -> None:
    """By a button of the form, which saves nothing where nobody wrote."""
    path = term.publish(term.draft(NUMERIC, NUMERIC, NUMERIC))
    term.begin(path)
    places = {"上一题": 1, "下一题": 3, "第 1 ": 1, "第 3 ": 3}
    for typed, (label, number) in enumerate(places.items()):
        page = term.student.open(f"{path}/questions/2")
        form = page.form(f"{path}/questions/2/responses")
        assert form.all("button")[0].text == "存下，下一题", "the first one is what Enter presses"
        page = term.student.submit(form, label, answer=str(typed))
        assert page.path == f"{path}/questions/{number}"
        assert term.ledger.rows("SELECT raw FROM saved_answer") == [(f'["{typed}"]',)]
        form = page.form(f"{page.path}/responses")
        assert term.student.submit(form, "去交卷").path == f"{path}/hand-in"
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    assert term.student.submit(form, "第 3 ", answer="我不会").path == f"{path}/questions/3?unread=1"


def test_htmx_is_sent_on_to_the_next_question(term: Term, course: Course) -> None:
    path = term.publish(term.draft(NUMERIC, NUMERIC))
    term.begin(path)
    form = term.student.page.form(f"{path}/questions/1/responses")
    fields = filled(form, answer=right_answer(course.items[NUMERIC])[0])
    response = term.student.post(f"{path}/questions/1/responses", fields, htmx=True)
    assert response.headers["HX-Redirect"] == f"{path}/questions/2"


def test_at_once_with_tries_and_hints(term: Term, course: Course) -> None:
    item = course.items[NUMERIC]
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers="at_once", tries="2")
    path = term.publish(draft_path)
    term.begin(path)
    page = term.answer(path, 1, wrong_answer(item))
    assert page.path == f"{path}/questions/1"
    assert "再答一次" in page.by_id("question-1").text
    assert "算给我看" not in page.main.text
    page = term.student.submit(page.form(f"{path}/questions/1/responses"), "提示")
    assert len(page.by_id("question-1").all("ol", class_="hints")) == 1
    page = term.answer(path, 1, wrong_answer(item))
    assert not page.by_id("question-1").all("form", class_="answer"), "no tries left"
    assert page.by_id("question-1").all("ol", class_="worked")
    assert "不对" in page.by_id("rail").text
    assert "0分，满分2分" in term.hand_in(path).main.text


def test_what_cannot_be_read_costs_no_try(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers="at_once")
    path = term.publish(draft_path)
    term.begin(path)
    page = term.answer(path, 1, ["十来颗"], status=422)
    assert "认不出" in page.by_id("question-1-error").text
    assert term.ledger.count("response") == 0


def test_a_stale_tab_is_told_so_and_loses_nothing(term: Term, course: Course) -> None:
    raw = right_answer(course.items[NUMERIC])
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    form = term.student.page.form(f"{path}/questions/1/responses")
    term.answer(path, 1, raw)
    hand_in = term.student.page.form(f"{path}/hand-ins")
    term.hand_in(path)
    page = term.student.submit(form, answer=["7"], status=422)
    assert "已经交了" in page.text
    assert term.student.submit(hand_in).path == f"{path}/passes/1", "a double click"
    assert [row for (row,) in term.ledger.rows("SELECT raw FROM response")] == [json.dumps(list(raw))]


def test_a_form_that_nobody_wrote_in_takes_nothing_back_that_another_device_saved(
    term: Term, course: Course
) -> None:
    first_raw, second_raw = wrong_answer(course.items[NUMERIC]), right_answer(course.items[NUMERIC])
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    question_path = f"{path}/questions/1"
    answer_address = f"{question_path}/responses"
    empty_form = term.student.open(question_path).form(answer_address)
    term.answer(path, 1, first_raw)
    term.student.submit(empty_form)
    old_page = term.student.open(question_path)
    assert old_page.by_id("question-1-answer")["value"] == first_raw[0]
    term.answer(path, 1, second_raw)
    term.student.submit(old_page.form(answer_address))
    page = term.student.open(question_path)
    assert page.by_id("question-1-answer")["value"] == second_raw[0]
    term.student.submit(page.form(answer_address), answer="")
    assert not term.student.open(question_path).by_id("question-1-answer")["value"], "cleared by hand"
    term.student.submit(old_page.form(answer_address), answer="7")
    assert term.student.open(question_path).by_id("question-1-answer")["value"] == "7", "written on purpose"


def test_an_order_that_nobody_touched_takes_nothing_back_that_another_device_saved(
    term: Term, course: Course
) -> None:
    """An order stands in its form from the beginning, before anything is saved."""
    name = next(name for name, element in course.items.items() if isinstance(element, Order))
    path = term.publish(term.draft(name))
    term.begin(path)
    answer_address = f"{path}/questions/1/responses"
    untouched_form = term.student.page.form(answer_address)
    first_order = [element["value"] for element in untouched_form.all("input", name="answer")]
    term.answer(path, 1, first_order[::-1])
    for _ in range(2):
        term.student.submit(untouched_form)
        saved_form = term.student.open(f"{path}/questions/1").form(answer_address)
        saved_order = [element["value"] for element in saved_form.all("input", name="answer")]
        assert saved_order == first_order[::-1]
    term.student.submit(untouched_form, answer=first_order[1:] + first_order[:1])
    [(saved_raw,)] = term.ledger.rows("SELECT raw FROM saved_answer")
    assert json.loads(saved_raw) == first_order[1:] + first_order[:1], "put there by hand"


def test_an_order_may_be_left_as_it_stands(term: Term, course: Course) -> None:
    name = next(name for name, element in course.items.items() if isinstance(element, Order))
    path = term.publish(term.draft(name))
    term.begin(path)
    form = term.student.page.form(f"{path}/questions/1/responses")
    term.student.submit(form)
    [(saved_raw,)] = term.ledger.rows("SELECT raw FROM saved_answer")
    assert json.loads(saved_raw) == [element["value"] for element in form.all("input", name="answer")]


def test_an_attempt_that_cannot_be_marked_is_told_once_an_hour_and_holds_up_no_other(
    term: Term, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    tasks = []
    for title in ("第一周", "第二周"):
        draft_path = term.draft(NUMERIC, title=title)
        term.set_up(draft_path, minutes="30")
        tasks.append(term.publish(draft_path))
        term.begin(tasks[-1])
    site: Site = term.client.app.state.site  # type: ignore[attr-defined]
    hand_in = collecting.hand_in_at_time_up

    def broken(session: VerbSession, attempt_id: int, *rest: Any) -> bool:
        if attempt_id == 1:
            raise ValueError("no such generator")
        return hand_in(session, attempt_id, *rest)

    monkeypatch.setattr(collecting, "hand_in_at_time_up", broken)
    assert term.client.portal
    unmarkable: dict[int, datetime] = {}
    handed_in = []
    for minutes in (31, 32, 90, 92):
        later = clock.now() + timedelta(minutes=minutes)
        handed_in.append(term.client.portal.call(upkeep.hand_in_what_is_over, site, later, unmarkable))
    assert handed_in == [1, 0, 0, 0]
    failures = [record for record in caplog.records if "could not be handed in" in record.message]
    assert len(failures) == 2, "at first, and an hour later"


def shown_ranking(page: Page) -> str:
    """The candies that the first question is about."""
    return page.by_id("question-1").one("figure", class_="ranking-shown").text


def test_each_student_has_own_numbers_and_each_pass_others(term: Term) -> None:
    draft_path = term.draft()
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("count", "2"), ("points", "1"), ("level", "1")]
    term.teacher.post(f"{draft_path}/parts", fields)
    term.set_up(draft_path, passes="2")
    path = term.publish(draft_path)
    term.begin(path)
    for number in (1, 2):
        term.answer(path, number, right_answer(term.question(path, number)))
    assert "交完还可以再做一遍" in term.student.open(f"{path}/hand-in").main.text
    assert "2分，满分2分" in term.hand_in(path).main.text
    classmate = browser(term.client)
    join_new(classmate, code_of(term.teacher, term.classroom), "小序")
    begin_form = classmate.open(path).form(f"{path}/passes")
    rankings = [shown_ranking(term.student.page), shown_ranking(classmate.submit(begin_form))]
    term.begin(path)
    rankings.append(shown_ranking(term.student.page))
    assert len(set(rankings)) == 3
    last = term.student.open(f"{path}/hand-in").main.text
    assert "交了就不能再改" in last
    assert "再做一遍" not in last
    assert "最好的一遍" in term.student.open(path).main.text


def test_no_page_says_which_numbers_a_question_has(term: Term) -> None:
    draft_path = term.draft()
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("level", "1"), ("count", "2")]
    assert term.teacher.post(f"{draft_path}/parts", fields).status_code == 200
    path = term.publish(draft_path)
    term.begin(path)
    [(seed, number)] = term.ledger.rows("SELECT a.seed, e.id FROM assignment a, enrolment e")
    pages = [term.student.open(f"{path}/questions/1").text, term.student.open(path).text]
    assert 'name="seed"' not in pages[0]
    item = term.question(path, 1)
    pages.append(term.answer(path, 1, right_answer(item)).text)
    response = term.student.client.get("/me/data.json")
    pages += [response.text, term.hand_in(path).text]
    assert "seed" not in response.json()["attempt"][0]
    [(seeds,)] = term.ledger.rows("SELECT seeds FROM submission")
    numbers_of_seed = {
        str(seed),
        str(question_seed(seed, number, 1, 1)),
        *map(str, json.loads(seeds).values()),
    }
    for text in pages:
        assert not any(word in text for word in numbers_of_seed)


STEPS = "market-table"


def test_of_a_saved_table_no_cell_was_right_before(term: Term, course: Course) -> None:
    right = right_answer(course.items[STEPS])
    path = term.publish(term.draft(STEPS, STEPS))
    term.begin(path)
    term.answer(path, 1, ["~"] * len(right))
    term.answer(path, 2, [*right[:-1], "~"])
    page = term.hand_in(path)
    assert "2分里得0分" in page.by_id("question-1").text
    assert "2分里得1分" in page.by_id("question-2").text
    assert "DCG是我替你填的" in page.by_id("question-2").text


def test_what_is_still_empty_in_a_saved_table_is_said_before_the_hand_in(term: Term, course: Course) -> None:
    right = right_answer(course.items[STEPS])
    path = term.publish(term.draft(STEPS, STEPS))
    term.begin(path)
    term.answer(path, 1, right)
    term.answer(path, 2, ["", *right[1:]])
    page = term.student.open(f"{path}/hand-in")
    links = page.by_id("rail").all("a")
    assert [link.text for link in links] == ["第 1 题，存好了", "第 2 题，有空着的"]
    assert "第2题 有空着的地方，空着的没有分" in page.main.text
    assert "都答了" not in page.main.text


def test_at_once_a_cell_is_carried_over_only_where_it_was_right(term: Term, course: Course) -> None:
    right = right_answer(course.items[STEPS])
    draft_path = term.draft(STEPS)
    term.set_up(draft_path, answers="at_once", tries="3")
    path = term.publish(draft_path)
    term.begin(path)
    all_carried = ["~"] * len(right)
    assert "还空着" in term.answer(path, 1, all_carried, 422).by_id("question-1").text
    term.answer(path, 1, ["9"] * len(right))
    assert "还空着" in term.answer(path, 1, all_carried, 422).by_id("question-1").text
    term.answer(path, 1, right)
    assert term.ledger.rows("SELECT verdict, score FROM response") == [("wrong", 0), ("right", 1)]


def test_a_table_that_was_mended_is_shown(term: Term, course: Course) -> None:
    right = right_answer(course.items[STEPS])
    draft_path = term.draft(STEPS)
    term.set_up(draft_path, answers="at_once", tries="3")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, ["9", *right[1:]])
    assert "改对了" in term.answer(path, 1, right).by_id("question-1").text
    assert "2分里得2分" in term.hand_in(path).by_id("question-1").text


def test_candies_are_ordered_without_a_script(term: Term, course: Course) -> None:
    name = next(name for name, element in course.items.items() if isinstance(element, Order))
    path = term.publish(term.draft(name))
    term.begin(path)
    page = term.student.page
    before = [element["value"] for element in page.answering(name).all("input", name="answer")]
    form, move = page.form(f"{path}/questions/1/responses"), f"down:{before[0]}"
    fields = [*filled(form), ("move", move)]
    page = Page(term.student.post(f"{path}/questions/1/orderings", fields))
    after = [element["value"] for element in page.answering(name).all("input", name="answer")]
    assert after[:2] == before[1::-1]
    assert term.ledger.count("saved_answer") == 0
