"""Deadlines as students and teachers read them: late work, time limits, extensions, collecting."""

from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.course import Course
from app.web.operation import upkeep
from app.web.site import clock
from app.web.site.site import Site
from tests.web.assignments.drafting import FUTURE, NUMERIC, PAST
from tests.web.cast import Reader, browser, right_answer, wrong_answer
from tests.web.pages import filled, refused_fields
from tests.web.school import code_of, join_new, new_class
from tests.web.taught import Term


def test_the_deadline_passes_while_somebody_works(term: Term, course: Course) -> None:
    raw = right_answer(course.items[NUMERIC])
    draft_path = term.draft(NUMERIC, NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    term.answer(path, 1, raw)
    term.student.open(f"{path}/questions/2")
    form = term.student.page.form(f"{path}/questions/2/responses")
    hand_in = term.student.open(f"{path}/hand-in").form(f"{path}/hand-ins")
    let_due_time_pass(term, draft_path)
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
    let_due_time_pass(term, draft_path)
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
    noon_in_shanghai = (clock.now() + timedelta(days=1)).replace(hour=4)
    monkeypatch.setattr(clock, "time_source", lambda: noon_in_shanghai)
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, minutes="半小时")
    assert "写整数分钟" in page.by_id("settings-error").text
    assert refused_fields(page.main) == ["minutes"]
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
    monkeypatch.setattr(clock, "time_source", lambda: later)
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


def test_work_that_cannot_be_marked_is_named_to_the_teacher_who_collects(term: Term, course: Course) -> None:
    """小序's is collected all the same; 小糖's is, once it can be."""
    draft_path = term.draft(NUMERIC)
    task = term.publish(draft_path)
    classmate = browser(term.client)
    join_new(classmate, code_of(term.teacher, term.classroom), "小序")
    for reader in (term.student, classmate):
        reader.submit(reader.open(task).form(f"{task}/passes"))
        form = reader.open(f"{task}/questions/1").form(f"{task}/questions/1/responses")
        reader.submit(form, answer=list(right_answer(course.items[NUMERIC])))
    [(attempt_id, raw), _] = term.ledger.rows("SELECT attempt_id, raw FROM saved_answer ORDER BY attempt_id")
    term.ledger.rows("UPDATE saved_answer SET raw = ? WHERE attempt_id = ? RETURNING raw", "[", attempt_id)
    page = term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    progress = page.by_id("progress")
    assert "交了1/2" in progress.text
    alert = progress.one("p", role="alert").text
    assert "小糖的没有收上来：批改时程序出了错，写的都还在。" in alert
    assert "小序" not in alert
    log = term.teacher.open(f"/classrooms/{term.classroom}/audit").main.one("ol", class_="audit").text
    assert "1份没交的按存下的收了，1份没收上来" in log
    assert "小糖：批改时程序出了错" in log
    term.ledger.rows("UPDATE saved_answer SET raw = ? WHERE attempt_id = ? RETURNING raw", raw, attempt_id)
    page = term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    assert "交了2/2" in page.by_id("progress").text
    assert not page.by_id("progress").all("p", role="alert")


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
    assert "1.2分（2分，迟交，得分按60%算），满分2分" in page.main.text
    assert not term.student.open(path).main.all("p", class_="late-words"), "nothing more can be done"


@pytest.mark.parametrize("minutes", ["", "30"])
def test_the_page_of_a_question_says_when_work_begins_to_be_late(
    term: Term, monkeypatch: pytest.MonkeyPatch, minutes: str
) -> None:
    """Also where its own time lasts longer; where that is up before, the due time is of no matter."""
    begins_at = clock.now()
    monkeypatch.setattr(clock, "time_source", lambda: begins_at)
    due_at = (begins_at + timedelta(minutes=10)).astimezone(ZoneInfo("Asia/Shanghai"))
    draft_path = term.draft(NUMERIC)
    rules: dict[str, Any] = {"late": "yes", "late_until": FUTURE, "late_percent": "50", "minutes": minutes}
    term.set_up(draft_path, due=f"{due_at:%Y-%m-%dT%H:%M}", **rules)
    path = term.publish(draft_path)
    term.begin(path)
    page = term.student.open(f"{path}/questions/1")
    assert f"{due_at:%H:%M}截止；迟交收到09-01 23:59，得分按50%算" in page.main.text
    assert not page.main.all("p", class_="late-cost")
    monkeypatch.setattr(clock, "time_source", lambda: begins_at + timedelta(minutes=12))
    page = term.student.open(f"{path}/questions/1")
    assert f"{due_at:%H:%M}截止，09-01 23:59前还收迟交的" in page.main.text
    sentence = "已经过了截止时间；再做一题，整份都算迟交，得分按50%算。"
    assert page.main.one("p", class_="late-cost").text == sentence
    assert sentence in term.student.open(path).main.text
    monkeypatch.setattr(clock, "time_source", lambda: begins_at + timedelta(minutes=31))
    page = term.student.open(f"{path}/questions/1")
    assert len(page.main.all("p", class_="late-cost")) == (not minutes)
    assert (sentence in term.student.open(path).main.text) == (not minutes)
    term.set_up(draft_path, due=FUTURE, late="no")
    page = term.student.open(f"{path}/questions/1")
    assert ("截止" in page.main.text) == (not minutes)


@pytest.mark.parametrize("percent", ["50", "100"])
def test_the_page_to_hand_in_calls_late_what_was_written_after_the_due_time(
    term: Term, course: Course, monkeypatch: pytest.MonkeyPatch, percent: str
) -> None:
    """And so do, once it is handed in, the pages of the student and of the teacher, also where it is free."""
    begins_at = clock.now()
    monkeypatch.setattr(clock, "time_source", lambda: begins_at)
    due_at = (begins_at + timedelta(minutes=10)).astimezone(ZoneInfo("Asia/Shanghai"))
    draft_path = term.draft(NUMERIC, NUMERIC)
    rules: dict[str, Any] = {"late": "yes", "late_until": FUTURE, "late_percent": percent, "passes": "2"}
    term.set_up(draft_path, due=f"{due_at:%Y-%m-%dT%H:%M}", **rules)
    path = term.publish(draft_path)
    raw = right_answer(course.items[NUMERIC])
    for writes_late in (False, True):
        monkeypatch.setattr(clock, "time_source", lambda: begins_at)
        term.begin(path)
        term.answer(path, 1, raw)
        monkeypatch.setattr(clock, "time_source", lambda: begins_at + timedelta(minutes=12))
        if writes_late:
            term.answer(path, 2, raw)
        page = term.student.open(f"{path}/hand-in")
        assert ("照这样交不算迟交" in page.main.text) != writes_late
        assert ("这一份算迟交" in page.main.text) == writes_late
        assert page.main.all("button")[-1].text == ("迟交这一份" if writes_late else "交卷")
        assert ("算迟交" in term.hand_in(path).main.text) == writes_late
        cost_words = "迟交，不扣分" if percent == "100" else "迟交，得分按50%算"
        assert (cost_words in term.student.page.main.text) == writes_late
        page = term.teacher.open(draft_path)
        assert ("迟交" in page.by_id("progress").one("tbody").text) == writes_late
        page = term.teacher.open(page.by_id("progress").one("tbody").all("a")[0]["href"])
        assert (cost_words in page.main.text) == writes_late


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
            assert lead(reader, page).count("迟交的") <= 1
        for reader, page in ((term.student, "/assignments"), (term.teacher, term.all)):
            assert "09-01 23:59截止" in reader.open(page).main.text
            assert "10-01 08:00截止" not in reader.page.main.text
    assert rule in lead(term.student, path)
    term.set_up(draft_path, due=PAST, late="yes", late_until=FUTURE, late_percent="100")
    assert "不扣分" in term.student.open(path).main.text
    assert "100%" not in term.student.page.main.text


def test_a_due_time_near_is_told_by_the_name_of_its_day(term: Term) -> None:
    due = clock.now().astimezone(ZoneInfo("Asia/Shanghai")) + timedelta(days=1)
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due=f"{due:%Y-%m-%dT%H:%M}")
    path = term.publish(draft_path)
    words = f"明天{due:%H:%M}截止"
    assert words in lead(term.student, path)
    assert words in term.student.open("/assignments").main.text
    term.begin(path)
    assert words in term.student.open(f"{path}/questions/1").main.text


def test_what_was_handed_in_last_stands_first(term: Term) -> None:
    paths = [term.publish(term.draft(NUMERIC)) for _ in range(2)]
    for path in reversed(paths):
        term.begin(path)
        term.hand_in(path)
    links = term.student.open("/assignments").main.all("a", class_="task-title")
    assert [link["href"] for link in links] == paths


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


def test_late_work_needs_a_time_until_when(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    page = term.set_up(draft_path, status=422, due=FUTURE, late="yes", late_until="", late_percent="70")
    assert "迟交收到什么时候？写上时间。" in page.by_id("settings-error").text
    assert refused_fields(page.main) == ["late_until"]
    assert page.by_id("s-late-percent")["value"] == "70"
    assert "selected" in page.by_id("s-late").all("option")[1].attributes
    assert term.ledger.rows("SELECT late_factor FROM assignment") == [(1.0,)]


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


def test_the_log_leads_to_work_only_where_there_is_a_page_of_it(term: Term) -> None:
    """What was taken back has no work: its lines lead to the draft. Nor has one who moved away before."""
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    term.set_up(draft_path, due="2098-01-01T08:00")
    [(student_id,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    term.teacher.submit(form, "改时间", due=FUTURE, student=str(student_id))
    log = f"/classrooms/{term.classroom}/audit"
    link = term.teacher.open(log).main.one("ol", class_="audit").one("a")
    assert (link.text, link["href"]) == ("看作答", f"{draft_path}/students/{student_id}")
    term.teacher.open(str(link["href"]))
    target_class = new_class(term.teacher, "高一4班")
    term.teacher.post(
        f"/classrooms/{term.classroom}/students/{student_id}/moves", [("to", str(target_class))]
    )
    entry = term.teacher.open(log).main.one("ol", class_="audit")
    assert ("延期" in entry.text, entry.all("a")) == (True, []), "nothing was left behind"
    form = term.teacher.open(draft_path).form(f"{draft_path}/publications", "发错了")
    term.teacher.submit(form, "发错了")
    link = term.teacher.open(log).main.one("ol", class_="audit").one("a")
    assert (link.text, link["href"]) == ("看草稿", draft_path)
    term.teacher.open(draft_path)


def test_more_time_is_of_no_use_to_whoever_has_no_attempt_left(term: Term, course: Course) -> None:
    out_of_attempts = "遍数用完了，延了期也不能再做"
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, passes="1")
    path = term.publish(draft_path)
    term.begin(path)
    let_due_time_pass(term, draft_path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due=FUTURE, student=str(place))
    assert out_of_attempts not in page.by_id("progress").text, "one is open"
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    term.student.submit(term.student.open(f"{path}/hand-in").form(f"{path}/hand-ins"))
    page = term.teacher.open(draft_path)
    assert out_of_attempts not in page.by_id("progress").text, "it was of use"
    form = page.form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due="2098-09-02T23:59", student=str(place))
    assert out_of_attempts in page.by_id("progress").text
    term.set_up(draft_path, passes="2")
    assert out_of_attempts not in term.teacher.open(draft_path).by_id("progress").text


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
        term.teacher.open(draft_path).form(f"{draft_path}/extensions", "所有人都没有截止时间")
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


def test_collecting_says_how_many_left_in_the_midst_of_it(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    student_path = f"/classrooms/{term.classroom}/students/{place}"
    term.teacher.submit(term.teacher.open(student_path).form(f"{student_path}/removals"))
    page = term.teacher.open(draft_path)
    assert "收卷：1位在做" in page.by_id("progress").text
    assert "做到一半离开了这个班的1位，存下的也收" in page.by_id("progress").text
    page = term.teacher.submit(page.form(f"{draft_path}/collections"))
    assert term.ledger.rows("SELECT collected FROM submission") == [(1,)]
    assert not page.main.all("form", action=f"{draft_path}/collections"), "nothing is left to take in"


def let_due_time_pass(term: Term, draft_path: str) -> None:
    """It passes while somebody is at work: no form sets it to the past then."""
    term.set_up(draft_path, due=FUTURE)
    term.ledger.move_back("assignment", "due_at", timedelta(days=80 * 365))


@pytest.mark.parametrize("ends_by", ["due time", "closing"])
def test_what_waits_to_be_collected_is_told_to_the_teacher(term: Term, ends_by: str) -> None:
    """Its student was told 存下的等老师收, and its teacher that somebody was at work."""
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    class_url = f"/classrooms/{term.classroom}"
    assert "收卷：1位在做" in term.teacher.open(draft_path).by_id("progress").text
    assert "交了0/1，1人在做" in term.teacher.open(f"{class_url}/assignments").main.text
    assert "等你收卷" not in term.teacher.open(f"{class_url}/today").main.text
    if ends_by == "closing":
        term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/closings"))
    else:
        let_due_time_pass(term, draft_path)
    page = term.teacher.open(draft_path)
    summaries = [summary.text for summary in page.by_id("progress").all("summary")]
    assert "1份没交，等你收卷" in summaries
    assert "做到0/1题，没交" in page.by_id("progress").text
    assert "交了0/1 1份没交，等你收卷" in term.teacher.open(f"{class_url}/assignments").main.text
    line = term.teacher.open(f"{class_url}/today").by_id("collecting-1")
    assert line["href"] == f"{draft_path}#progress"
    assert "等你收卷：《第一周》1份" in term.teacher.page.main.text.replace(" ", "")
    term.teacher.submit(term.teacher.open(class_url).form(f"{class_url}/archivings"))
    list_text = term.teacher.open(f"{class_url}/assignments").main.text
    assert "交了0/1 1份没交" in list_text
    assert "收卷" not in list_text, "in an archived class nothing is collected"
    term.teacher.submit(term.teacher.open(class_url).form(f"{class_url}/restorings"))
    page = term.teacher.submit(term.teacher.open(draft_path).form(f"{draft_path}/collections"))
    assert "收好了。没开始的，没有可收的。" in page.by_id("progress").text
    for address in (f"{class_url}/assignments", f"{class_url}/today"):
        assert "等你收卷" not in term.teacher.open(address).main.text


def test_ending_it_by_its_due_time_is_said_and_refused_while_somebody_is_at_work(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    page = term.set_up(draft_path, status=422, due=PAST)
    assert "有同学正在做" in page.by_id("settings").text
    assert refused_fields(page.main) == ["due"]
    term.hand_in(path)
    assert "不再收" not in term.set_up(draft_path, due=FUTURE).by_id("settings").text
    assert "现在结束了，不再收" in term.set_up(draft_path, due=PAST).by_id("settings").text


def test_a_change_of_times_says_whose_it_was(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due="2098-01-01T08:00")
    term.publish(draft_path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due="2098-01-03T20:00", student=str(place))
    assert "小糖延到01-03 20:00，记在改动记录里" in page.by_id("progress").text.replace(
        " 改动记录 ", "改动记录"
    )
    page = term.teacher.submit(page.form(f"{draft_path}/extensions", "改时间"), "撤回", student=str(place))
    assert "小糖的延期撤回了" in page.by_id("progress").text
    page = term.teacher.submit(
        page.form(f"{draft_path}/extensions", "改时间"), "改时间", due="2098-01-05T08:00", whom="all"
    )
    assert "全班的时间改好了：" in page.by_id("progress").text


def test_a_group_that_was_not_given_it_is_named_and_not_the_class(term: Term) -> None:
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due="2098-01-01T08:00")
    term.publish(draft_path)
    place_by_name = dict(term.ledger.rows("SELECT name, id FROM enrolment"))
    class_path = f"/classrooms/{term.classroom}"
    page = term.teacher.open(f"{class_path}/groups")
    page = term.teacher.submit(page.form(f"{class_path}/groups"), name="第一组")
    term.teacher.submit(page.form(f"{class_path}/groups/members"), names="小序")
    [(group_id,)] = term.ledger.rows("SELECT id FROM student_group")
    audience_form = term.teacher.open(draft_path).form(f"{draft_path}/assignees")
    term.teacher.submit(audience_form, everyone="no", student=str(place_by_name["小糖"]))
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "改时间", due="2098-01-03T20:00", group=str(group_id))
    words = page.by_id("progress").one("p", class_="done").text
    assert words.startswith("小序延到01-03 20:00")
    form = page.form(f"{draft_path}/extensions", "改时间")
    page = term.teacher.submit(form, "撤回", group=str(group_id))
    assert "小序的延期撤回了" in page.by_id("progress").one("p", class_="done").text


def test_who_is_ticked_may_be_excused_and_stays_in_sight(term: Term) -> None:
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    [(place,)] = term.ledger.rows("SELECT id FROM enrolment")
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "勾上的免做")
    page = term.teacher.submit(form, "勾上的免做", status=422, note="病假")
    assert "一位同学也没选" in page.by_id("extension-error").text
    page = term.teacher.submit(form, "勾上的免做", status=422, student=str(place))
    assert "写一句理由" in page.by_id("extension-error").text
    page = term.teacher.submit(form, "勾上的免做", note="病假", student=str(place))
    assert "免做记下了" in page.by_id("progress").text
    assert "免做的1位： 小糖" in page.by_id("progress").text
    assert page.main.all("a", href=f"{draft_path}/students/{place}")
    assert term.ledger.rows("SELECT excused, reason FROM mark_override") == [(1, "病假")]


def test_a_ticked_group_is_excused_and_no_other(term: Term) -> None:
    join_new(browser(term.client), code_of(term.teacher, term.classroom), "小序")
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    groups_path = f"/classrooms/{term.classroom}/groups"
    for name, members in (("第一组", "小序"), ("第二组", "")):
        page = term.teacher.submit(term.teacher.open(groups_path).form(groups_path), name=name)
        if members:
            term.teacher.submit(page.form(f"{groups_path}/members"), names=members)
    first_id, second_id = (
        str(row[0]) for row in term.ledger.rows("SELECT id FROM student_group ORDER BY id")
    )
    form = term.teacher.open(draft_path).form(f"{draft_path}/extensions", "勾上的免做")
    page = term.teacher.submit(form, "勾上的免做", status=422, note="比赛", group=second_id)
    assert "一位同学也没选" in page.by_id("extension-error").text
    page = term.teacher.submit(form, "勾上的免做", note="比赛", group=first_id)
    assert "免做的1位： 小序" in page.by_id("progress").text
    assert term.ledger.count("mark_override") == 1


def test_how_far_somebody_is_stands_beside_their_name(term: Term, course: Course) -> None:
    draft_path = term.draft(NUMERIC, NUMERIC)
    path = term.publish(draft_path)
    term.begin(path)
    assert "做到0/2题" in term.teacher.open(draft_path).by_id("progress").text
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    assert "做到1/2题" in term.teacher.open(draft_path).by_id("progress").text


MONDAY_MORNING = datetime(2026, 12, 7, 2, 0, tzinfo=UTC)  # 10:00 in Shanghai


def test_a_message_for_the_group_says_on_which_day(term: Term, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read on another day than it was copied on."""
    monkeypatch.setattr(clock, "time_source", lambda: MONDAY_MORNING)
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, due="2026-12-07T22:00")
    task = term.publish(draft_path)
    page = term.teacher.open(draft_path)
    assert "12月7日周一22:00截止，在这里做：" in page.by_id("missing-names").text
    assert "今天" not in page.by_id("missing-names").text
    assert "今天22:00截止" in term.student.open(task).main.text
    term.set_up(draft_path, late="yes", late_until="2026-12-13T09:05", late_percent="50")
    monkeypatch.setattr(clock, "time_source", lambda: MONDAY_MORNING + timedelta(days=1))
    message = term.teacher.open(draft_path).by_id("missing-names").text
    assert "12月7日周一22:00截止，12月13日周日09:05前还收迟交的" in message


@pytest.mark.parametrize(
    ("begun_at", "words"), [("23:29", "做到23:59为止"), ("23:30", "做到12-08 00:00为止")]
)
def test_time_that_is_up_on_another_day_is_told_with_it(
    term: Term, monkeypatch: pytest.MonkeyPatch, begun_at: str, words: str
) -> None:
    begun = datetime.fromisoformat(f"2026-12-07T{begun_at}+08:00").astimezone(UTC)
    monkeypatch.setattr(clock, "time_source", lambda: begun)
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, minutes="30")
    task = term.publish(draft_path)
    term.begin(task)
    assert words in term.student.open(f"{task}/questions/1").main.one("p", class_="time-left").text
