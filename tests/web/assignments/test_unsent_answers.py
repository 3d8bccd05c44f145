"""Where each answer is marked at once: what was typed and not sent is there again, and is no answer."""

from datetime import timedelta
from typing import Any

import pytest

from app.course import Course
from app.web.site import clock
from tests.web.assignments.drafting import NUMERIC
from tests.web.cast import Page, right_answer, wrong_answer
from tests.web.pages import filled
from tests.web.taught import Term

MINUTE_LATE = 60


@pytest.fixture
def path(term: Term) -> str:
    """A begun assignment of three questions, each marked at once."""
    draft_path = term.draft(NUMERIC, NUMERIC, NUMERIC)
    term.set_up(draft_path, answers="at_once", tries="2")
    assignment_path = term.publish(draft_path)
    term.begin(assignment_path)
    return assignment_path


def keep(term: Term, path: str, text: str, **fields: Any) -> Page:
    """Type into the first question; the script stores it."""
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    typed_fields = filled(form, answer=text, **fields)
    return Page(term.student.post(f"{path}/questions/1/drafts", typed_fields, htmx=True))


def typed_text(term: Term, path: str) -> str | None:
    text = term.student.open(f"{path}/questions/1").by_id("question-1-answer")["value"]
    assert text is None or isinstance(text, str)
    return text


def test_what_is_typed_is_there_again_and_costs_no_try(term: Term, path: str, course: Course) -> None:
    item = course.items[NUMERIC]
    page = keep(term, path, "十来颗")
    assert "留好了，回答了才算" in page.text
    assert typed_text(term, path) == "十来颗"
    assert not term.student.page.main.all("p", class_="error"), "half a word is no mistake"
    assert "写了没回答" in term.student.page.by_id("rail").text
    assert "第1题（写了，没按“回答”）" in term.student.open(f"{path}/hand-in").main.text
    assert term.ledger.count("response") == 0
    page = term.answer(path, 1, wrong_answer(item))
    assert page.by_id("question-1-answer")["value"] == wrong_answer(item)[0]
    keep(term, path, "31")
    assert typed_text(term, path) == "31", "also before the second try"
    page = term.answer(path, 1, right_answer(item))
    assert "改对了" in page.by_id("question-1").text


def test_a_draft_that_comes_after_its_answer_is_dropped(term: Term, path: str, course: Course) -> None:
    old_form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    wrong_text = wrong_answer(course.items[NUMERIC])[0]
    term.answer(path, 1, [wrong_text])
    late_fields = filled(old_form, answer="31")
    assert term.student.post(f"{path}/questions/1/drafts", late_fields, htmx=True).status_code == 200
    assert typed_text(term, path) == wrong_text


def test_a_draft_that_is_not_stored_does_not_count_as_saved(term: Term, path: str) -> None:
    old_form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    term.hand_in(path)
    response = term.student.post(f"{path}/questions/1/drafts", filled(old_form, answer="31"), htmx=True)
    assert response.status_code == 422
    assert "这一遍已经交了" in Page(response).text


def test_it_is_never_marked_and_no_teacher_sees_it(term: Term, path: str, course: Course) -> None:
    right_sum = f"0+{right_answer(course.items[NUMERIC])[0]}"
    keep(term, path, right_sum)
    assignment_path = f"{term.all}/{path.rpartition('/')[2]}"
    assert "做到0/3题" in term.teacher.open(f"/classrooms/{term.classroom}/gradebook").main.text
    [(enrolment_id,)] = term.ledger.rows("SELECT id FROM enrolment WHERE name = '小糖'")
    cell = term.teacher.open(f"{assignment_path}/students/{enrolment_id}").main.text
    assert cell.count("没有答") == 3
    assert right_sum not in cell + term.teacher.open(assignment_path).main.text
    page = term.hand_in(path)
    assert "0分，满分6分" in page.main.text
    assert "没答" in page.by_id("q1").text
    assert term.ledger.count("response") == 0


def test_without_a_script_the_ways_to_other_questions_take_it_along(term: Term, path: str) -> None:
    places = {"上一题": 1, "下一题": 3, "第 1 ": 1, "第 3 ": 3}
    for text, (label, number) in enumerate(places.items()):
        form = term.student.open(f"{path}/questions/2").form(f"{path}/questions/2/responses")
        assert term.student.submit(form, label, answer=str(text)).path == f"{path}/questions/{number}"
        page = term.student.open(f"{path}/questions/2")
        assert page.by_id("question-2-answer")["value"] == str(text)
    assert term.student.submit(page.form(f"{path}/questions/2/responses"), "去交卷").path == f"{path}/hand-in"
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    term.student.submit(form, "下一题")
    assert "第1题，没答" in term.student.page.by_id("rail").text.replace(" ", "")
    assert term.ledger.count("response") == 0


def test_an_answered_question_has_plain_links(term: Term, path: str, course: Course) -> None:
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    page = term.student.open(f"{path}/questions/1")
    assert not page.main.all("button", name="go")


def test_the_time_of_earlier_visits_counts(
    term: Term, path: str, course: Course, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who wrote yesterday and sends today has not guessed within a second."""
    begun_at = clock.now()
    monkeypatch.setattr(clock, "time_source", lambda: begun_at + timedelta(minutes=3))
    keep(term, path, "31", shown=str(int(begun_at.timestamp()) + 2 * MINUTE_LATE))
    term.answer(path, 1, right_answer(course.items[NUMERIC]))
    [(seconds,)] = term.ledger.rows("SELECT seconds FROM response")
    assert seconds >= MINUTE_LATE


def test_hours_of_earlier_visits_are_no_haste(term: Term, path: str) -> None:
    keep(term, path, "31")
    with term.ledger.other_program() as connection:
        connection.execute("UPDATE saved_answer SET seconds = 12000")
    form = term.student.open(f"{path}/questions/1").form(f"{path}/questions/1/responses")
    assert dict(filled(form))["spent"] == "9999", "as much as the field holds"
