"""An assignment from draft to result, as browsers without a script meet it."""

import json
import re
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import quote
from zoneinfo import ZoneInfo

import pytest
from starlette.testclient import TestClient

from app.course import Course
from app.course.assignments.question_sets import question_seed
from app.course.content.model import Section
from app.course.items.kinds import MultipleChoice, Order
from app.records.db.session import VerbSession
from app.records.grading import collecting
from app.web.site import clock, upkeep
from app.web.site.site import Site
from tests.web.cast import Ledger, Page, Reader, browser, right_answer, wrong_answer
from tests.web.pages import filled
from tests.web.school import PASSWORD, code_of, join_new, new_class, new_teacher
from tests.web.taught import Term

NUMERIC = "cg-chengdu"
FUTURE, PAST = "2099-09-01T23:59", "2020-09-01T23:59"


@pytest.mark.both_databases
def test_from_draft_to_result(term: Term, course: Course) -> None:
    item = course.items[NUMERIC]
    draft_path = term.draft(NUMERIC, NUMERIC)
    assert "满分4分" in term.teacher.open(draft_path).by_id("parts").text
    path = term.publish(draft_path)
    assert "第一周" in term.student.open("/assignments").main.text
    assert "作业：第一周" in term.student.open("/").main.one("p", class_="due-line").text
    term.begin(path)
    assert term.student.page.path == f"{path}/questions/1"
    term.answer(path, 1, right_answer(item))
    assert term.student.page.path == f"{path}/questions/2"
    rail = term.student.page.by_id("rail")
    assert [element.text for element in rail.all("a")] == ["第 1 题，存好了", "第 2 题，没答"]
    assert term.student.open(path).main.one("a", class_="primary")["href"] == f"{path}/questions/2"
    term.answer(path, 2, wrong_answer(item))
    assert term.student.page.path == f"{path}/hand-in"
    assert "都答了" in term.student.page.main.text
    page = term.hand_in(path)
    assert page.path == f"{path}/passes/1"
    assert "2分，满分4分" in page.main.one("p", class_="score").text
    assert "2分里得2分" in page.by_id("question-1").text
    assert "2分里得0分" in page.by_id("question-2").text
    assert page.by_id("question-2").all("ol", class_="worked")
    progress = term.teacher.open(draft_path).by_id("progress")
    assert "2/4" in progress.text
    assert "2分" not in term.teacher.open(progress.one("table").one("a")["href"]).main.one("h1").text
    assert [element.text for element in term.teacher.page.main.all("b", class_="verdict")] == [
        "✓ 对",
        "✗ 不对",
    ]
    heat = term.teacher.open(f"/classrooms/{term.classroom}").main.one("table", class_="heat-table")
    assert "1/2" in heat.text, "also questions of assignments"
    assert not term.student.open("/").main.all("p", class_="due-line")


@pytest.mark.parametrize("is_gone", [True, False], ids=["no cookie", "signed out elsewhere"])
def test_whose_sign_in_has_ended_is_told_so_and_comes_back_by_signing_in(term: Term, is_gone: bool) -> None:
    path = term.publish(term.draft("cg-chengdu"))
    term.begin(path)
    if is_gone:
        term.student.client.cookies.clear()
    else:
        term.student.twin().post("/sign-outs", [("next", "/")])
    trouble = term.student.open(f"{path}/questions/1", status=404).main
    assert "没有登录" in trouble.text
    assert (
        trouble.all("a", class_="primary")[0]["href"] == f"/sign-in?next={quote(f'{path}/questions/1', '')}"
    )
    assert "没有登录" not in term.teacher.open(path, status=404).main.text, "it is another one's"


def test_who_has_not_handed_in_is_a_text_to_paste(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    task = term.publish(draft_path)
    text = term.teacher.open(draft_path).by_id("missing-names").text
    assert text.startswith("《第一周》还有1位没交：小糖。")
    assert f"09-01 23:59截止，在这里做：http://testserver{task}" in text
    term.begin(task)
    term.hand_in(task)
    assert not term.teacher.open(draft_path).main.all("pre", id="missing-names")


def test_of_a_whole_class_those_who_have_not_handed_in_are_listed_alone(
    term: Term, client: TestClient
) -> None:
    roster = "\n".join(f"同学{number},{number:03}" for number in range(12))
    page = term.teacher.post(
        f"/classrooms/{term.classroom}/roster-previews", [("text", f"姓名,学号\n{roster}")]
    )
    term.teacher.submit(Page(page).form(f"/classrooms/{term.classroom}/roster"))
    assignment_url = term.draft(NUMERIC)
    path = term.publish(assignment_url)
    term.begin(path)
    term.answer(path, 1, ["1"])
    term.hand_in(path)

    def listed(query: str) -> int:
        page = term.teacher.open(f"{assignment_url}{query}")
        assert "全部 13 没交的 12 交了的 1" in page.main.text
        return len(page.main.one("table", class_="doing").one("tbody").all("tr"))

    assert [listed(query) for query in ("", "?only=missing", "?only=done", "?only=x")] == [13, 12, 1, 13]


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
        earlier.setattr(clock, "source", lambda: begun_at)
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
    assert "你算一下" not in page.main.text
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


def test_the_deadline_passes_while_somebody_works(term: Term, course: Course) -> None:
    raw = right_answer(course.items[NUMERIC])
    draft_path = term.draft(NUMERIC, NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, raw)
    term.student.open(f"{path}/questions/2")
    form = term.student.page.form(f"{path}/questions/2/responses")
    hand_in = term.student.open(f"{path}/hand-in").form(f"{path}/hand-ins")
    term.set_up(draft_path, due=PAST)
    page = term.student.submit(form, answer=["7"], status=422)
    assert "已经截止" in page.by_id("question-2-error").text
    assert page.by_id("question-2-answer")["value"] == "7", "what was typed is still there"
    page = term.student.submit(hand_in, status=422)
    assert "没能交上" in page.main.text
    assert "老师收卷" in page.main.text
    term.teacher.open(draft_path)
    term.teacher.submit(term.teacher.page.form(f"{draft_path}/collections"))
    assert "收的" in term.teacher.page.by_id("progress").text
    page = term.student.open(f"{path}/passes/1")
    assert "老师收了卷" in page.main.text
    assert "2分，满分4分" in page.main.text


@pytest.mark.parametrize("answers", ["handed_in", "at_once"])
def test_after_the_deadline_what_was_saved_can_be_read(term: Term, course: Course, answers: str) -> None:
    raw = wrong_answer(course.items[NUMERIC])
    draft_path = term.draft(NUMERIC, NUMERIC)
    term.set_up(draft_path, answers=answers, hints="yes", tries="2")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, raw)
    term.set_up(draft_path, due=PAST)
    assert term.student.open(path).main.all("a", href=f"{path}/questions/1")
    for number in (1, 2):
        page = term.student.open(f"{path}/questions/{number}")
        assert "已经截止，不再收了" in page.main.text
        assert not [
            element.text
            for element in page.by_id(f"question-{number}").all("button")
            if element.text[:2] != "告诉"
        ]
        assert not page.main.all("p", class_="draft")
        assert not page.main.all("a", href=f"{path}/hand-in")
    page = term.student.open(f"{path}/questions/1")
    assert raw[0] in (page.by_id("question-1-answer")["value"], *page.by_id("question-1").text.split())
    page = term.student.open(f"{path}/hand-in")
    assert "已经截止，不再收了" in page.main.text
    assert not page.main.all("form")


def test_a_time_limit_is_said_before_and_while_one_works_and_when_it_is_up(
    term: Term, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, minutes="半小时")
    assert "写整数分钟" in page.by_id("settings-error").text
    term.set_up(draft_path, minutes="30")
    task = term.publish(draft_path)
    assert "限时30分钟：点了“开始做”就开始算" in term.student.open(task).main.text
    term.begin(task)
    line = term.student.open(f"{task}/questions/1").main.one("p", class_="time-left")
    assert "为止，按服务器的钟" in line.text
    assert 1790 <= int(line["data-left"]) <= 1800
    page = term.student.open(task)
    assert "为止，按服务器的钟" in page.main.one("p", class_="time-left").text
    assert "接着做" in page.main.text
    due_soon = (clock.now() + timedelta(minutes=10)).astimezone(ZoneInfo("Asia/Shanghai"))
    term.set_up(draft_path, due=due_soon.strftime("%Y-%m-%dT%H:%M"))
    line = term.student.open(f"{task}/questions/1").main.one("p", class_="time-left")
    assert f"做到{due_soon:%H:%M}为止" in line.text, "what comes first ends it"
    assert 590 <= int(line["data-left"]) <= 660, "its last minute lasts"
    term.set_up(draft_path, due="")
    later = clock.now() + timedelta(minutes=31)
    monkeypatch.setattr(clock, "source", lambda: later)
    page = term.student.open(f"{task}/questions/1")
    assert "30分钟到了，不能再改" in page.main.text
    assert not page.main.all("p", class_="draft")
    page = term.student.open(task)
    assert "30分钟到了，不能再改" in page.main.text
    assert "接着做" not in page.main.text, "there is nothing to go on with"
    assert "30分钟到了" in term.student.open(f"{task}/hand-in").main.text
    form = term.student.page.form(f"{task}/hand-ins")
    site: Site = term.client.app.state.site  # type: ignore[attr-defined]
    assert term.client.portal
    assert term.client.portal.call(upkeep.hand_in_what_is_over, site, later, {}) == 1
    assert term.client.portal.call(upkeep.hand_in_what_is_over, site, later, {}) == 0
    assert "交过的 第1遍" in term.student.open(task).main.text
    assert "交上去了" in term.student.submit(form).main.text, "a click that comes too late changes nothing"


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


def test_late_is_said_before_it_is_done(term: Term, course: Course) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=PAST, late="yes", late_until=FUTURE, late_percent="６０％")
    path = term.publish(draft_path)
    assert "得分按60%算" in term.student.open(path).main.text
    term.begin(path)
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    assert "得分按60%算" in term.student.page.main.text
    page = term.hand_in(path)
    assert "算迟交" in page.main.text
    assert "1.2分（2分，迟交按60%算），满分2分" in page.main.text


def test_one_due_time_stands_everywhere_and_the_rule_for_late_work_beside_it(term: Term) -> None:
    """While it runs, while late work is taken, and once that is over."""
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE, late="yes", late_until="2099-10-01T08:00", late_percent="80")
    path = term.publish(draft_path)
    rule = "迟交收到10-01 08:00，得分按80%算"
    assert f"09-01 23:59截止；{rule}" in lead(term.student, path)
    term.begin(path)
    for due, until in ((PAST, FUTURE), (PAST, "2020-10-01T08:00")):
        term.set_up(draft_path, due=due, late="yes", late_until=until, late_percent="80")
        for reader, page in ((term.student, path), (term.teacher, draft_path)):
            assert "09-01 23:59截止" in lead(reader, page)
        for reader, page in ((term.student, "/assignments"), (term.teacher, term.all)):
            assert "09-01 23:59截止" in reader.open(page).main.text
            assert "10-01 08:00截止" not in reader.page.main.text
    assert rule in lead(term.student, path)
    term.set_up(draft_path, due=PAST, late="yes", late_until=FUTURE, late_percent="100")
    assert "不扣分" in term.student.open(path).main.text
    assert "100%" not in term.student.page.main.text


def lead(reader: Reader, path: str) -> str:
    return reader.open(path).main.one("p", class_="lead").text


def test_what_was_ended_before_its_time_says_when(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    path = term.publish(draft_path)
    term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    for reader, page in ((term.student, path), (term.teacher, draft_path)):
        assert "结束" in lead(reader, page)
        assert "截止" not in lead(reader, page)


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
    html = term.student.page.by_id("question-1").one("div", class_="stem").html
    first = term.student.page.by_id("question-1").html
    term.begin(path)
    assert term.student.page.by_id("question-1").html != first
    assert html
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


SECRETS = ("verdict", "score", "misconception", "points")


@pytest.mark.parametrize("answers", ["due", "never"])
def test_sealed_results_are_told_nowhere(term: Term, course: Course, answers: str) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers=answers, due=FUTURE)
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, wrong_answer(course.items[NUMERIC]))
    page = term.hand_in(path)
    assert not page.main.all("div", class_="item")
    assert "以后，这里能看结果" in page.main.text if answers == "due" else "老师来讲" in page.main.text
    [(attempt,)] = term.ledger.rows("SELECT id FROM attempt WHERE source = 'assignment'")
    assert "还没有公布" in term.student.open(f"/attempts/{attempt}", status=404).text
    export = term.student.client.get("/me/data.json").json()
    assert export["response"][0]["raw"]
    for row in (*export["response"], *export["submission"]):
        assert not set(row) & set(SECRETS)
    for where in ("/", "/progress", "/assignments", path, "/cards", "/practice"):
        text = term.student.open(where).text
        assert not re.search("(?<![0-9])0分(?!钟)", text), where
        assert "不对" not in text, where
    assert not term.student.open("/mistakes").main.all("a", href=f"/attempts/{attempt}#item-{NUMERIC}")
    term.teacher.open(draft_path)
    term.teacher.submit(term.teacher.page.form(f"{draft_path}/collections"))
    page = term.student.open(f"{path}/passes/1")
    assert bool(page.main.all("div", class_="item")) == (answers == "due")
    links = term.student.open("/mistakes").main.all("a", href=f"/attempts/{attempt}#item-{NUMERIC}")
    assert bool(links) == (answers == "due")
    if answers == "due":
        assert term.student.open(f"/attempts/{attempt}").path == f"{path}/passes/1"
        assert term.student.client.get("/me/data.json").json()["response"][0]["verdict"] == "wrong"


def test_results_show_the_question_as_it_was(term: Term, course: Course, client: TestClient) -> None:
    """Also after its text has changed."""
    path = term.publish(term.draft(NUMERIC))
    term.begin(path)
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    before = term.hand_in(path).by_id("question-1-stem").text
    changed = course.items[NUMERIC].model_copy(update={"stem": "换了一个问法。"})
    other_course = course.with_items({**course.items, NUMERIC: changed})
    site = client.app.state.site  # type: ignore[attr-defined]
    site.course_source.course = other_course
    try:
        assert term.student.open(f"{path}/passes/1").by_id("question-1-stem").text == before
    finally:
        site.course_source.course = course


def test_practice_again_is_offered_after_the_deadline(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    assert not term.student.open(path).has("again")
    term.set_up(draft_path, due=PAST)
    page = term.student.open(path)
    link = page.main.one("ul", class_="elsewhere").one("a")
    assert link["href"] == f"/items/{NUMERIC}"
    term.student.open(link["href"])
    assert "老师在你的页上看得到" in page.main.one("section", aria_labelledby="again").text
    assert "出题器" not in page.main.one("section", aria_labelledby="again").text
    term.set_up(draft_path, answers="never")
    assert not term.student.open(path).has("again"), "what is kept secret is not given away by practice"


def test_other_numbers_are_offered_for_practice_also_where_results_are_secret(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.teacher.submit(term.teacher.open(draft_path).by_id("add-practice").one("form"), ref="content:dcg")
    path = term.publish(draft_path)
    term.set_up(draft_path, answers="never", due=PAST)
    page = term.student.open(path)
    assert "出题器的题每次都换新的数" in page.main.one("section", aria_labelledby="again").text
    assert [element["href"] for element in page.main.one("section", aria_labelledby="again").all("a")] == [
        "/practice/dcg?level=1"
    ]


def words(term: Term) -> list[str]:
    return [
        element.text for element in term.student.open("/assignments").main.all("span", class_="task-word")
    ]


def test_the_list_of_what_is_handed_in_says_the_mark(term: Term, course: Course) -> None:
    for answers in ("handed_in", "due", "never"):
        draft_path = term.draft(NUMERIC, NUMERIC, title=answers)
        term.set_up(draft_path, answers=answers, due=FUTURE)
        path = term.publish(draft_path)
        term.begin(path)
        term.answer(path, 1, right_answer(course.items[NUMERIC]))
        term.hand_in(path)
    assert words(term) == ["结果老师来讲", "结果还没公布", "2/4分"]
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    for number in (1, 3):
        cell = f"{term.all}/{number}/students/{place}"
        term.teacher.open(cell)
        term.teacher.submit(term.teacher.page.form(f"{cell}/overrides"), points="3.5", reason="口头补答")
    assert words(term) == ["结果老师来讲", "结果还没公布", "3.5/4分"]
    assert "改成了3.5分，满分4分。理由：口头补答" in term.student.open("/assignments/1").main.text
    cell = f"{term.all}/1/students/{place}"
    for fields in ([("text", "写得清楚。")], [("pass", "1"), ("question", "1"), ("text", "单位呢？")]):
        term.teacher.post(f"{cell}/comments", fields)
    assert "老师的评语 写得清楚。" in term.student.open("/assignments/1").main.text
    result = term.student.open("/assignments/1/passes/1")
    assert "老师的评语 写得清楚。" in result.main.text
    assert "老师的评语： 单位呢？" in result.by_id("q1").text
    assert "单位呢" not in result.by_id("q2").text
    term.teacher.submit(term.teacher.open(cell).form(f"{cell}/excuses"), reason="病假")
    assert words(term) == ["结果老师来讲", "结果还没公布", "免做"]
    assert "不算进总评。理由：病假" in term.student.open("/assignments/1").main.text
    page = term.student.open("/assignments/3").main.text
    assert "3.5" not in page
    assert "口头补答" not in page
    assert "结果老师来讲" in page
    assert "还没公布" not in page, "it will not be"


def test_before_handing_in_what_is_undone_elsewhere_is_said(term: Term, course: Course) -> None:
    assignment_url, stage = term.draft(NUMERIC), course.stages[0]
    first, second = stage.sections[:2]
    for section in (first, second):
        refs = [("kind", "section"), ("ref", f"content:{stage.id}/{section.id}"), ("points", "5")]
        term.teacher.post(f"{assignment_url}/parts", refs)
    term.teacher.post(
        f"{assignment_url}/parts", [("kind", "game"), ("ref", "duel"), ("count", "1"), ("points", "0.5")]
    )
    path = term.publish(assignment_url)
    learn(term, course, first)
    term.begin(path)
    rows = term.student.open(f"{path}/hand-in").main.one("ul", class_="elsewhere").all("li")
    assert rows[0].text == f"课文：{second.title} 还没学完（里面的题也都要答），现在交就没有这5分"
    assert "还没打，现在交就没有这0.5分" in rows[1].text
    assert len(rows) == 2
    assert rows[0].one("a")["href"].endswith(f"/{second.id}")
    assert "题目以外有2项没做完" in term.hand_in(path).main.text


def draft_of_a_section(term: Term, course: Course) -> tuple[str, Section]:
    """A draft with the first section of the course, for 5 points."""
    assignment_url, stage = term.draft(), course.stages[0]
    refs = [("kind", "section"), ("ref", f"content:{stage.id}/{stage.sections[0].id}"), ("points", "5")]
    term.teacher.post(f"{assignment_url}/parts", refs)
    return assignment_url, stage.sections[0]


def learn(term: Term, course: Course, section: Section) -> None:
    """The student answers what a section of the first stage asks, and goes through it."""
    stage = course.stages[0].id
    for ref in course.refs_asked_in(stage, section.id):
        item = course.items[course.bare(ref)]
        answers = [("answer", text) for text in wrong_answer(item)]
        fields = [("item", item.id), ("try", "1"), ("seed", "1"), *answers]
        assert term.student.post(f"/lessons/{stage}/responses", fields).status_code == 200
    for step in range(2, len(section.steps) + 2):
        term.student.post(f"/lessons/{stage}/{section.id}/places", [("step", str(step))])


def test_what_was_done_after_handing_in_is_not_said_to_count(term: Term, course: Course) -> None:
    """The page of the assignment and that of the pass agree; another pass would still count it."""
    assignment_url, section = draft_of_a_section(term, course)
    term.set_up(assignment_url, passes="2")
    path = term.publish(assignment_url)
    term.begin(path)
    assert "题目以外有1项没做完" in term.hand_in(path).main.text
    learn(term, course, section)
    assert done_elsewhere(term, path) == "完成了"
    term.set_up(assignment_url, passes="1")
    assert done_elsewhere(term, path) == "交卷后才完成"
    assert "5分，交卷以后做的不算" in term.student.page.main.one("ul", class_="elsewhere").text


def done_elsewhere(term: Term, path: str) -> str:
    rows = term.student.open(path).main.one("ul", class_="elsewhere")
    return rows.one("b", class_="task-word").text


def test_what_was_not_done_in_time_is_said_so(term: Term, course: Course) -> None:
    assignment_url, section = draft_of_a_section(term, course)
    path = term.publish(assignment_url)
    assert done_elsewhere(term, path) == "还没做"
    term.set_up(assignment_url, due=PAST)
    learn(term, course, section)
    assert done_elsewhere(term, path) == "截止前没做"


def test_a_section_counts_once_it_is_learnt(term: Term, course: Course) -> None:
    assignment_url, section = term.draft(), course.stages[0].sections[0]
    stage = course.stages[0]
    refs = [("kind", "section"), ("ref", f"content:{stage.id}"), ("points", "1")]
    term.teacher.post(f"{assignment_url}/parts", refs)
    assert len(term.teacher.open(assignment_url).main.all("li", class_="part")) == len(stage.sections)
    path = term.publish(assignment_url)
    learn(term, course, section)
    term.begin(path)
    assert term.student.page.path == path
    assert "完成了" in term.student.page.main.text
    page = term.hand_in(path)
    assert f"1分，满分{len(stage.sections)}分" in page.main.text


def test_picking_moving_swapping_removing(term: Term, course: Course) -> None:
    draft_path = term.draft()
    skill = course.items[NUMERIC].skill
    page = term.teacher.open(f"{draft_path}/items?skill={skill}")
    refs = [element["value"] for element in page.main.all("input", name="ref")][:3]
    term.teacher.submit(page.form(f"{draft_path}/parts", "加进"), ref=refs, points="0.5")
    page = term.teacher.page
    assert [element["id"] for element in page.main.all("li", class_="part")] == ["part-1", "part-2", "part-3"]
    press(term, page, f"{draft_path}/parts/1/moves", "↓")
    page = term.teacher.page
    assert [element["id"] for element in page.main.all("li", class_="part")] == ["part-2", "part-1", "part-3"]
    fragment = press(term, page, f"{draft_path}/parts/2/swaps", htmx=True)
    assert fragment.root.children[0].get("id") == "parts"  # type: ignore[union-attr]
    [(other_row,)] = term.ledger.rows("SELECT ref FROM assignment_part WHERE id = 2")
    assert other_row not in refs
    assert course.items[course.bare(other_row)].skill == skill
    press(term, page, f"{draft_path}/parts/3/removals")
    assert "2题，满分1分" in term.teacher.page.by_id("parts-title").text


def in_rows(**typed: str) -> dict[str, Any]:
    """Fields of rows, named as in the form: `points_2` is `points-2`."""
    return {name.replace("_", "-"): text for name, text in typed.items()}


def press(
    term: Term, page: Page, action: str, label: str = "", status: int = 200, htmx: bool = False, **typed: str
) -> Page:
    """Press the button of the list of parts that goes there; what is typed in any row goes along."""
    form = page.by_id("parts").one("form")
    [button] = [
        element for element in form.all("button", formaction=action) if element.text.startswith(label)
    ]
    fields = filled(form, button, **in_rows(**typed))
    answer_page = Page(term.teacher.post(action, fields, htmx))
    assert answer_page.status == status, answer_page.text[:300]
    if not htmx:
        term.teacher.page = answer_page
    return answer_page


def test_a_quarter_of_a_point_is_the_same_to_student_and_teacher(term: Term, course: Course) -> None:
    item = next(
        option
        for option in course.items.values()
        if isinstance(option, MultipleChoice) and len(option.options) == 4
    )
    all_but_the_first = [
        option.id for place, option in enumerate(item.options) if (place == 0) == option.right
    ]
    draft_path = term.draft(item.id)
    term.teacher.submit(
        term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好"), **in_rows(points_1="1")
    )
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, all_but_the_first)
    page = term.hand_in(path)
    assert "0.3分，满分1分" in page.main.one("p", class_="score").text
    assert "1分里得0.3分" in page.by_id("question-1").text
    progress = term.teacher.open(draft_path).by_id("progress")
    assert "0.3/1" in progress.text
    work = term.teacher.open(progress.one("table").one("a")["href"])
    assert "0.3" in work.main.text


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


def points_of_parts(term: Term) -> list[float]:
    return [row for (row,) in term.ledger.rows("SELECT points FROM assignment_part ORDER BY position")]


def test_nothing_typed_in_another_row_is_lost(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC, NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="３", points_2="4"))
    assert points_of_parts(term) == [3, 4, 2]
    press(term, term.teacher.page, f"{draft_path}/parts/1/moves", "↓", points_2="5", points_3="0.5")
    assert points_of_parts(term) == [5, 3, 0.5]
    press(term, term.teacher.page, f"{draft_path}/parts/3/removals", points_1="1。5")
    assert points_of_parts(term) == [5, 1.5]
    press(term, term.teacher.page, f"{draft_path}/parts/2/swaps", points_1="6")
    assert points_of_parts(term) == [5, 6]


def test_a_change_of_parts_that_is_refused_comes_back_as_the_list(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    page = term.teacher.open(draft_path)
    form = page.form(f"{draft_path}/parts/settings", "改好")
    wrong: dict[str, Any] = {"points-1": "一分", "points-2": "7"}
    whole = term.teacher.submit(form, status=422, **wrong)
    part = term.teacher.submit(form, status=422, htmx=True, **wrong)
    for answer_page in (whole, part):
        assert "分值写一个数" in answer_page.by_id("parts-error").text
        assert [answer_page.by_id(name)["value"] for name in wrong] == list(wrong.values())
    assert [element.get("id") for element in part.root.children if not isinstance(element, str)] == ["parts"]
    page = press(term, page, f"{draft_path}/parts/1/moves", "↓", 422, htmx=True, points_2="0.25")
    assert "最多一位小数" in page.by_id("parts-error").text
    assert points_of_parts(term) == [2, 2]


@pytest.mark.parametrize(
    ("kind", "field", "typed", "message"),
    [
        ("practice", "count", "两题", "写一个整数"),
        ("practice", "count", "", "写一个整数"),
        ("cards", "count", "三十", "写一个整数"),
        ("game", "count", "两局", "写一个整数"),
        ("game", "points", "0.25", "最多一位小数"),
        ("section", "points", "五分", "分值写一个数"),
    ],
)
def test_what_is_no_number_is_said_and_kept(
    term: Term, kind: str, field: str, typed: str, message: str
) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id(f"add-{kind}")
    ref = panel.one("select", name="ref").all("option")[-1]["value"]
    fields: dict[str, Any] = {"ref": ref, field: typed}
    page = term.teacher.submit(panel.one("form"), status=422, **fields)
    panel = page.by_id(f"add-{kind}")
    assert "open" in panel.attributes
    assert message in panel.one("p", class_="error").text
    assert panel.one("input", name=field)["value"] == typed
    assert [
        element["value"]
        for element in panel.one("select", name="ref").all("option")
        if "selected" in element.attributes
    ] == [ref]
    assert term.ledger.count("assignment_part") == 0


def test_full_width_digits_are_digits(term: Term) -> None:
    draft_path = term.draft()
    form = term.teacher.open(draft_path).by_id("add-practice").one("form")
    term.teacher.submit(form, count="５", points="０．５")
    assert term.ledger.rows("SELECT count, points FROM assignment_part") == [(5, 0.5)]


def test_a_game_can_be_asked_for_from_a_level_on(term: Term) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id("add-game")
    term.teacher.submit(panel.one("form"), ref="monster/2", count="3")
    assert "第2关以上，打完3局" in term.teacher.page.by_id("parts").text
    assert term.ledger.rows("SELECT ref, level, count FROM assignment_part") == [("monster", 2, 3)]
    for wrong in ("monster/9", "monster/" + "9" * 5000, "duel/2", "chess"):
        term.teacher.submit(panel.one("form"), ref=wrong, status=422)


def test_what_counts_for_nothing_is_not_picked_for_points(term: Term, course: Course) -> None:
    assignment_url, probe = term.draft(), "two-systems-probe"
    assert probe in course.probe_ids
    page = term.teacher.open(f"{assignment_url}/items?skill={course.items[probe].skill}")
    assert f"content:{probe}" not in [element["value"] for element in page.main.all("input", name="ref")]
    response = term.teacher.post(f"{assignment_url}/parts", [("kind", "item"), ("ref", f"content:{probe}")])
    assert response.status_code == 422


def test_what_was_ticked_stays_ticked(term: Term, course: Course) -> None:
    draft_path = term.draft()
    page = term.teacher.open(f"{draft_path}/items?skill={course.items[NUMERIC].skill}")
    form = page.form(f"{draft_path}/parts", "加进")
    page = term.teacher.submit(form, ref=f"content:{NUMERIC}", points="一分", status=422)
    assert "分值写一个数" in page.by_id("pick-error").text
    ticked = [
        element["value"] for element in page.main.all("input", name="ref") if "checked" in element.attributes
    ]
    assert ticked == [f"content:{NUMERIC}"]
    assert page.main.one("input", name="points")["value"] == "一分"


def test_a_second_click_puts_nothing_in(term: Term, course: Course) -> None:
    draft_path = term.draft()
    panel = term.teacher.open(draft_path).by_id("add-practice")
    pick = term.teacher.open(f"{draft_path}/items?skill={course.items[NUMERIC].skill}").form(
        f"{draft_path}/parts", "加进"
    )
    wishes: tuple[dict[str, Any], ...] = ({}, {"ref": f"content:{NUMERIC}"})
    for form, wish in zip((panel.one("form"), pick), wishes, strict=True):
        term.teacher.submit(form, **wish)
        assert not term.teacher.page.by_id("parts").all("p", class_="done")
        parts = term.ledger.count("assignment_part")
        page = term.teacher.submit(form, **wish)
        assert "没有再加一遍" in page.by_id("parts").one("p", class_="done").text
        assert term.ledger.count("assignment_part") == parts
    term.teacher.submit(panel.one("form"), count="5")
    assert not term.teacher.page.by_id("parts").all("p", class_="done"), "another wish is another part"
    term.teacher.submit(term.teacher.page.by_id("add-practice").one("form"))
    older = [field for field in filled(panel.one("form")) if field[0] != "seen"]
    assert term.teacher.post(f"{draft_path}/parts", older).status_code == 200
    rows = term.ledger.rows("SELECT kind, count FROM assignment_part ORDER BY position")
    assert rows == [("practice", 3), ("item", 1), ("practice", 5), ("practice", 3), ("practice", 3)]


def test_a_list_that_changed_in_its_place_tells_the_forms_beside_it(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    page = term.teacher.open(draft_path)
    assert {field["value"] for field in page.main.all("input", name="seen")} == {"2"}
    fragment = press(term, page, f"{draft_path}/parts/2/removals", htmx=True)
    seen_fields = [field for field in page.main.all("input", name="seen") if field.get("id")]
    fields = fragment.by_id("parts").all("input", name="seen", data_hx_swap_oob="true")
    assert {field["id"] for field in fields} == {field["id"] for field in seen_fields}
    assert {field["value"] for field in fields} == {"1"}


def test_the_link_of_a_card_goal_leads_to_reviewing(term: Term) -> None:
    draft_path = term.draft()
    term.teacher.submit(term.teacher.open(draft_path).by_id("add-cards").one("form"))
    path = term.publish(draft_path)
    assert term.student.open(path).main.one("ul", class_="elsewhere").one("a")["href"] == "/cards/review"


def test_the_log_holds_changes_of_what_there_is_to_do(term: Term) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    log = f"/classrooms/{term.classroom}/audit"
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="3"))
    assert "题目和分值" not in term.teacher.open(log).main.text, "a draft is nobody else's business"
    term.publish(draft_path)
    form = term.teacher.open(draft_path).form(f"{draft_path}/parts/settings", "改好")
    term.teacher.submit(form, **in_rows(points_1="4"))
    press(term, term.teacher.page, f"{draft_path}/parts/1/moves", "↓")
    press(term, term.teacher.page, f"{draft_path}/parts/1/swaps", "换")
    press(term, term.teacher.page, f"{draft_path}/parts/2/removals", "移走")
    term.teacher.submit(term.teacher.page.by_id("add-practice").one("form"))
    term.set_up(draft_path, pre="yes")
    term.set_up(draft_path, due=FUTURE, note="请带计算器")
    main_text = term.teacher.open(log).main
    assert [element.text for element in main_text.all("p", class_="audit-text")] == [
        "把《第一周》的截止时间从不限时改到09-01 23:59",
        "改了《第一周》的设置",
        *["改了《第一周》的题目和分值"] * 5,
        "发布了《第一周》",
    ]
    assert [element.text for element in main_text.all("ul", class_="audit-more")] == [
        "说明：空着 → 请带计算器",
        "种类：都不是 → 前测",
        "第2项：加上的",
        "原来的第1项：移走了",
        "第2项换了一道同类题",
        "换了顺序",
        "第1项的分值：3 → 4",
    ]
    assert {element.text.rpartition(" · ")[2] for element in main_text.all("p", class_="section-note")} == {
        "王"
    }


def test_once_somebody_has_begun_its_content_stays(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.teacher.open(draft_path)
    path = term.publish(draft_path)
    term.begin(path)
    page = press(term, page, f"{draft_path}/parts/1/removals", status=422)
    assert "已经有人开始做了" in page.by_id("parts").text
    assert not page.main.all("form", action=f"{draft_path}/parts/settings")


def test_settings_that_do_not_hold_together_keep_what_was_typed(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, opens=FUTURE, due=PAST, note="好好做")
    assert "截止时间要在开始时间之后" in page.by_id("settings-error").text
    assert page.by_id("s-due")["value"] == PAST
    assert page.by_id("s-note").text == "好好做"
    assert term.ledger.rows("SELECT due_at FROM assignment") == [(None,)]


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


def test_late_work_needs_a_time_until_when(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, due=FUTURE, late="yes", late_until="", late_percent="70")
    assert "迟交收到什么时候？写上时间。" in page.by_id("settings-error").text
    assert page.by_id("s-late-percent")["value"] == "70"
    assert "selected" in page.by_id("s-late").all("option")[1].attributes
    assert term.ledger.rows("SELECT late_factor FROM assignment") == [(1.0,)]


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


def test_an_extension_with_a_note(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    term.set_up(draft_path, due=PAST)
    page = term.teacher.open(draft_path)
    form = page.form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due=FUTURE, note="病了", status=422)
    assert "一位同学也没选" in page.by_id("extension-error").text
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    page = term.teacher.submit(form, "改时间", due=FUTURE, note="病了", student=str(place))
    assert "延到09-01 23:59" in page.by_id("progress").text
    assert "延了期" in term.student.open(path).main.text
    term.begin(path)
    assert "extension" in [row for (row,) in term.ledger.rows("SELECT action FROM audit")]
    term.teacher.submit(form, "改时间", due="2098-01-01T08:00", whom="all")
    assert term.ledger.rows("SELECT due_at FROM assignment") == [("2098-01-01 00:00:00.000000",)]


def test_careless_times_change_nothing(term: Term) -> None:
    """No time, a time that is past, and 撤回 with 所有人 still chosen."""
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    path = term.publish(draft_path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    rows_before = term.ledger.rows("SELECT due_at FROM assignment")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    for wish, word in (("", "写上新的截止时间"), (PAST, "已经过去了")):
        for whom in ("all", "some"):
            page = term.teacher.submit(
                form, "改时间", status=422, due=wish, whom=whom, student=str(place), note="停电"
            )
            assert word in page.by_id("extension-error").text
            assert (page.by_id("x-note")["value"], page.by_id("x-due")["value"]) == ("停电", wish)
            again = filled(page.form(f"{draft_path}/extensions", "改时间"))
            assert {("student", str(place)), ("whom", whom)} <= set(again), "what was ticked is still ticked"
    page = term.teacher.submit(form, "撤回", whom="all", status=422)
    assert "一位同学也没选" in page.by_id("extension-error").text
    assert term.ledger.rows("SELECT due_at FROM assignment") == rows_before
    assert term.ledger.count("extension") == 0
    term.begin(path)


def test_no_due_time_is_a_choice_of_its_own(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=FUTURE)
    term.publish(draft_path)
    page = term.teacher.submit(
        term.teacher.open(draft_path).form(f"{draft_path}/extensions", "所有人都不限时")
    )
    assert "没有截止时间" in page.main.one("p", class_="lead").text
    assert term.ledger.rows("SELECT due_at FROM assignment") == [(None,)]


def test_collecting_says_whose_papers_before_it_is_done(term: Term) -> None:
    other_browser, third = browser(term.client), browser(term.client)
    code = code_of(term.teacher, term.classroom)
    join_new(other_browser, code, "小序")
    join_new(third, code, "小方")
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    for student in (term.student, other_browser):
        student.open(path)
        student.submit(student.page.form(f"{path}/passes"))
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due=FUTURE, student=str(place))
    message = page.by_id("progress").text
    assert "会把这1位没交的收上来，照存下的批改：小序。" in message
    assert "延期还没到的不收，还能接着做：小糖（到09-01 23:59）。" in message
    assert "1位没有开始，没有可收的。" in message
    button = page.form(f"{draft_path}/collections")
    assert any(element.tag == "details" for element in button.around)
    page = term.teacher.submit(button)
    assert "小糖的延期还没到，没有收" in page.by_id("progress").text
    assert not page.main.all("form", action=f"{draft_path}/collections"), "nothing is left to take in"
    assert term.student.open(path).main.all("a", class_="primary"), "she goes on"
    rows = term.ledger.rows("SELECT collected FROM submission ORDER BY enrolment_id")
    assert rows == [(0,), (1,)]


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


def ticks(page: Page) -> list[str]:
    """Who is ticked under 布置给谁."""
    rows = page.by_id("assignees").all("li")
    return [row.text for row in rows if "checked" in row.one("input").attributes]


def test_nobody_ticked_publishes_nothing_and_keeps_what_was_typed(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    page = term.teacher.submit(form, "发布给", status=422, everyone="no", note="好好做")
    assert "一位同学也没选" in page.by_id("settings-error").text
    assert page.by_id("s-note").text == "好好做"
    assert ("everyone", "no") in filled(page.form(f"{draft_path}/settings"))
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = page.form(f"{draft_path}/settings")
    page = term.teacher.submit(form, "发布给", status=422, student=str(place), due=PAST)
    assert "截止时间已经过去了" in page.by_id("settings-error").text
    assert (page.by_id("s-due")["value"], page.by_id("s-note").text) == (PAST, "好好做")
    assert ticks(page) == ["小糖"]
    assert term.ledger.rows("SELECT published_at, note, everyone FROM assignment") == [(None, "", 1)]


def test_ending_it_by_its_due_time_is_said(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    assert "不再收" not in term.set_up(draft_path, due=FUTURE).by_id("settings").text
    assert "现在结束了，不再收" in term.set_up(draft_path, due=PAST).by_id("settings").text


def test_the_preview_is_what_students_see_and_takes_nothing(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.teacher.open(f"{draft_path}/preview")
    assert page.main.one("fieldset", class_="plain").attributes.get("disabled") == ""
    assert page.by_id("question-1")
    term.teacher.open(f"{draft_path}/preview?question=9", status=404)


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


OWN = """\
title: 食堂排队
skill: order-matters
items:
  first:
    kind: true_false
    stem: 食堂里，排前面的先吃到。
    answer: true
    hints: [想想队伍。]
"""


def test_items_of_one_s_own_are_assigned_like_others(term: Term, client: TestClient) -> None:
    term.teacher.open("/own/new")
    page = term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    assert page.path == "/own/1?kept=1", page.text
    draft_path = term.draft()
    page = term.teacher.open(f"{draft_path}/items?skill=order-matters")
    assert "own-1:first" in [element["value"] for element in page.main.all("input", name="ref")]
    term.teacher.submit(page.form(f"{draft_path}/parts"), ref="own-1:first")
    path = term.publish(draft_path)
    term.begin(path)
    assert "排前面的先吃到" in term.student.page.main.text
    term.answer(path, 1, ["true"])
    assert "1分，满分1分" in term.hand_in(path).main.text
    assert term.ledger.rows("SELECT item FROM response") == [("own-1:first#1",)]
    colleague = new_teacher(client, "李")
    room = new_class(colleague, "别的班")
    colleague.open(f"/classrooms/{room}/assignments")
    colleague.submit(colleague.page.form(f"/classrooms/{room}/assignments"), title="借来的")
    stolen = [("kind", "item"), ("ref", "own-1:first")]
    response = colleague.post(f"{colleague.page.path}/parts", stolen)
    assert response.status_code == 422, "what a colleague wrote is theirs"


def test_after_mending_an_item_in_use_its_regrade_is_offered(term: Term) -> None:
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    draft_path = term.draft("cg-chengdu")
    assert (
        term.teacher.post(f"{draft_path}/parts", [("kind", "item"), ("ref", "own-1:first")]).status_code
        == 200
    )
    path = term.publish(draft_path)
    assert "在哪里用着 高一3班：第一周 还没人交" in term.teacher.open("/own/1").main.text
    term.begin(path)
    term.answer(path, 2, ["false"])
    term.hand_in(path)
    page = term.teacher.open("/own/1")
    mended = OWN.replace("answer: true", "answer: false")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended)
    assert page.path == "/own/1?kept=1&changed=first"
    link = page.main.one("div", class_="own-answered").one("a", class_="button")
    page = term.teacher.open(link["href"])
    assert "小糖 第1遍 0 → 1 ↑" in page.main.text
    page = term.teacher.submit(page.form(f"{draft_path}/regrades"), reason="答案录反了")
    assert "《第一周》第2题重新评分，只升不降，1份的分数变了" in page.main.text
    page = term.teacher.open("/own/1")
    page = term.teacher.submit(page.form("/own/1", "存"), text=mended.replace("食堂排队", "排队"))
    assert "存好了" in page.main.text
    assert not page.main.all("div", class_="own-answered"), "no question has changed"


def test_a_result_stands_after_its_content_was_deleted(term: Term) -> None:
    """As it was where it was answered; a question that was not says that it cannot be shown."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    draft_path = term.draft()
    for _ in range(2):
        fields = [("kind", "item"), ("ref", "own-1:first"), ("points", "1")]
        assert term.teacher.post(f"{draft_path}/parts", fields).status_code == 200
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, ["true"])
    term.hand_in(path)
    term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    term.teacher.submit(term.teacher.open("/own/1").form("/own/1/deletions"))
    page = term.student.open(f"{path}/passes/1")
    assert "排前面的先吃到" in page.by_id("q1").text
    assert "1分里得1分" in page.by_id("q1").text
    assert "题面显示不出来" in page.by_id("q2").text
    assert "没答 · 1分里得0分" in page.by_id("q2").text
    assert "跳过它" not in page.main.text


def test_whoever_left_the_class_still_reads_what_they_handed_in(term: Term, course: Course) -> None:
    path, other_path = (term.publish(term.draft(NUMERIC, title=title)) for title in ("第一周", "第二周"))
    for url in (path, other_path):
        term.begin(url)
        term.answer(url, 1, right_answer(course.items[NUMERIC]))
    form = term.student.page.form(f"{other_path}/hand-ins")
    term.hand_in(path)
    term.student.open(f"{other_path}/questions/1")
    answer = term.student.page.form(f"{other_path}/questions/1/responses")
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    term.teacher.post(f"/classrooms/{term.classroom}/students/{place}/removals", [])
    page = term.student.open("/assignments")
    assert [element.text for element in page.main.all("a", class_="task-title")] == ["第二周", "第一周"]
    assert "只能看" in page.by_id("past").text
    page = term.student.open(path)
    assert "已经不布置给你了" in page.main.text
    assert not page.main.all("button")
    assert "2分，满分2分" in page.main.text
    assert "2分里得2分" in term.student.open(f"{path}/passes/1").by_id("question-1").text
    assert not term.student.page.main.all("a", href=path)[1:], "no other pass is offered"
    assert term.student.open(f"{other_path}/questions/1").path == other_path
    page = term.student.submit(answer, answer=["7"], status=422)
    assert "已经不布置给你了" in page.by_id("question-1-error").text
    assert page.by_id("question-1-answer")["value"] == "7", "what was typed is still there"
    assert "已经不布置给你了" in term.student.submit(form, status=422).main.one("p", class_="error").text


def assigned_own(term: Term, **wishes: Any) -> str:
    """The path of an assignment of what 王 wrote, begun by 小糖."""
    term.teacher.open("/own/new")
    term.teacher.submit(term.teacher.page.form("/own", "存"), text=OWN)
    draft_path = term.draft()
    part = [("kind", "item"), ("ref", "own-1:first")]
    assert term.teacher.post(f"{draft_path}/parts", part).status_code == 200
    if wishes:
        term.set_up(draft_path, **wishes)
    path = term.publish(draft_path)
    term.begin(path)
    return path


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (OWN.replace("answer: true", "answer: 5"), "作业“第一周”（高一3班）正在用它，可是这里还有错"),
        (OWN.replace("  first:", "  second:"), "作业“第一周”（高一3班）还在用“first”，这里没有了"),
    ],
)
def test_what_an_open_assignment_asks_is_not_taken_from_under_it(
    term: Term, text: str, sentence: str
) -> None:
    assigned_own(term)
    page = term.teacher.open("/own/1")
    page = term.teacher.submit(page.form("/own/1", "存"), text=text, status=422)
    assert sentence in page.by_id("own-error").text
    assert text in page.html.replace("&#34;", '"')
    assert term.ledger.rows("SELECT text FROM own_course") == [(OWN,)]
    term.teacher.submit(page.form("/own/1", "另存"), "另存", text=text)
    assert term.ledger.rows("SELECT text FROM own_course ORDER BY id") == [(OWN,), (text,)]
    harmless = OWN.replace("食堂排队", "食堂")
    term.teacher.open("/own/1")
    term.teacher.submit(term.teacher.page.form("/own/1", "存"), text=harmless)
    path = f"/classrooms/{term.classroom}/assignments/1"
    term.teacher.submit(term.teacher.open(path).form(f"{path}/collections"))
    term.teacher.open("/own/1")
    term.teacher.submit(term.teacher.page.form("/own/1", "存"), text=text)


@pytest.mark.parametrize("answers", ["at_once", "handed_in"])
def test_a_report_names_the_question_of_the_assignment(term: Term, answers: str) -> None:
    path = assigned_own(term, answers=answers)
    form = term.student.open(f"{path}/questions/1").form("/reports")
    page = term.student.submit(form, text="第二句不通")
    assert page.path == f"{path}/questions/1"
    term.student.submit(form, text="还有个错字", htmx=True)
    reports = term.ledger.rows("SELECT item, page FROM problem_report")
    assert reports == [("own-1:first#1", f"{path}/questions/1")] * 2
    term.answer(path, 1, ["true"])
    result = term.hand_in(path)
    page = term.student.submit(result.form("/reports"), text="讲解也不通")
    assert page.path.partition("#")[0] == f"{path}/passes/1"
    assert term.ledger.count("problem_report") == 3
    fields = [("item", "own-1:first#1"), ("assignment", "1"), ("text", "x"), ("next", "/")]
    stranger = browser(term.client)
    assert stranger.post("/reports", fields).status_code == 404
    other_fields = [("item", "content:cg-chengdu#1"), *fields[1:]]
    assert term.student.post("/reports", other_fields).status_code == 404
    assert term.ledger.count("problem_report") == 3
    class_url = f"/classrooms/{term.classroom}"
    page = term.teacher.open(f"{class_url}/items?assignment=1")
    assert "1个人说这题有问题" in page.main.text
    [place] = term.ledger.rows("SELECT id FROM enrolment")
    term.teacher.open(page.main.all("a", href=f"{class_url}/assignments/1/students/{place[0]}")[0]["href"])


def test_a_report_is_seen_before_anybody_has_answered(term: Term) -> None:
    path = assigned_own(term)
    term.student.submit(term.student.page.form("/reports"), text="题目没写完")
    class_url = f"/classrooms/{term.classroom}"
    link = term.teacher.open(f"{class_url}/today").by_id("reports")
    assert link.text == "1份“这题有问题”"
    for page in (term.teacher.open(link["href"]), term.teacher.open(f"{class_url}/items?assignment=1")):
        [row] = page.main.all("article")
        assert "题目没写完" in row.text
        assert "先读同学的报告" in row.text
        assert "还没有人答过这道" in row.text
    assert path


def change_own(ledger: Ledger, text: str) -> None:
    """As another version of the program, or a backup, may leave it."""
    with ledger.other_program() as connection:
        connection.execute("UPDATE own_course SET text = ?", (text,))


def test_what_was_saved_is_marked_once_its_question_is_back(term: Term) -> None:
    path = assigned_own(term, answers="handed_in")
    term.answer(path, 1, ["true"])
    change_own(term.ledger, OWN.replace("answer: true", "answer: 5"))
    text_after = term.student.open(f"{path}/questions/1").main.text
    assert "老师正在改这道题，过一会儿再来" in text_after
    assert "跳过" not in text_after
    result = term.hand_in(path)
    assert "0分，满分1分" in result.main.text
    assert "没答" not in result.main.text
    change_own(term.ledger, OWN)
    text = term.student.open(f"{path}/passes/1").main.text
    assert "看不懂" not in text
    assert "没答" not in text
    assert "交的时候老师正在改这道题，还没有批" in text
    regrades = f"/classrooms/{term.classroom}/assignments/1/regrades"
    page = term.teacher.open(f"{regrades}?part=1&way=again")
    assert "1位同学的分数会变" in page.main.text
    term.teacher.submit(page.form(regrades), reason="题目修好了")
    assert "1分，满分1分" in term.student.open(f"{path}/passes/1").main.text
    assert term.ledger.rows("SELECT item, verdict FROM response") == [("own-1:first#1", "right")]
    assert "没有人的分数会变" in term.teacher.open(f"{regrades}?part=1&way=again").main.text


def test_whoever_is_in_a_class_has_a_way_there_on_every_page(term: Term, client: TestClient) -> None:
    def way(reader: Reader) -> list[str]:
        """What stands there before 我的, where a reader has 进度."""
        links = reader.open("/course").root.one("nav", class_="site-nav").all("a")
        return [link["href"] for link in links[5:-1]]

    assert way(term.student) == ["/assignments"]
    assert way(browser(client)) == []
    assert way(term.teacher) == ["/classrooms"]
    again = browser(client)
    again.open("/sign-in")
    again.submit(again.page.form("/accounts/sign-ins"), login="王", password=PASSWORD)
    assert way(again) == ["/classrooms"]
    term.student.submit(term.student.page.form("/sign-outs"))
    assert way(term.student) == [], "another one at the same computer"


def test_a_mistake_in_an_assignment_stands_in_the_notebook_with_its_own_numbers(term: Term) -> None:
    draft_path = term.draft()
    fields = [("kind", "practice"), ("ref", "content:dcg"), ("count", "1"), ("points", "1"), ("level", "1")]
    term.teacher.post(f"{draft_path}/parts", fields)
    term.set_up(draft_path, answers="at_once")
    path = term.publish(draft_path)
    term.begin(path)
    answer = wrong_answer(term.question(path, 1))
    term.answer(path, 1, answer)
    page = term.student.open("/mistakes")
    assert answer[0] in page.main.text
    [link] = [element["href"] for element in page.main.all("a") if element["href"].startswith("/attempts/")]
    assert term.student.open(link).path == path, "it is not handed in yet"
    term.hand_in(path)
    assert term.student.open(link).path == f"{path}/passes/1"


def test_a_mistake_outlives_the_assignment_it_was_made_in(term: Term, course: Course) -> None:
    """The account of a teacher takes the classes along, with every question that was asked there."""
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, answers="at_once")
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, wrong_answer(course.items[NUMERIC]))
    links = term.student.open("/mistakes").main.all("a")
    [link] = [anchor["href"] for anchor in links if anchor["href"].startswith("/attempts/")]
    term.teacher.open(f"/classrooms/{term.classroom}")
    term.teacher.submit(term.teacher.page.form(f"/classrooms/{term.classroom}/archivings"))
    term.teacher.submit(term.teacher.open("/me/data").form("/me/deletions"), password=PASSWORD, sure="yes")
    assert term.ledger.count("submission") == 0
    for address in ("/mistakes", f"/mistakes?kind=point-{course.items[NUMERIC].skill}"):
        entry = term.student.open(address).main.one("li", class_="mistake")
        assert "已经删掉了" in entry.text
        assert "更早的" not in entry.text
        assert entry.one("a", class_="button").text.startswith("再来一道同类")
    term.student.open(link, status=404)
    for elsewhere in ("/", "/progress", "/practice", "/me/data.json"):
        assert term.student.client.get(elsewhere).status_code == 200, elsewhere
