"""What a plan for the answers to a part would do, written: marks over responses, points, what still waits."""

import json
from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import QuestionSet
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.tables import Submission
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert, prepared_update
from app.records.grading import marks, regraded_marks
from app.records.grading.regraded_marks import SecondMark
from app.records.grading.regrades.regrade_answers import CountedResponse, PartAnswers, SavedResponse
from app.records.grading.regrades.regrade_plans import RegradePlan
from app.records.grading.tables import ReMark
from app.records.learning import item_logs, responding
from app.records.learning.rows import ATTEMPT
from app.records.learning.values import Answer


def write_plan(
    session: VerbSession,
    part_answers: PartAnswers,
    plan: RegradePlan,
    now: datetime,
    ticks: str | None = None,
) -> None:
    """Do what a plan says. `ticks`: the lines of the rubric by which a teacher marked, as JSON."""
    changed_attempt_ids = plan.attempt_ids
    question_set_by_attempt = {
        attempt.attempt_id: part_answers.question_set(attempt)
        for attempt in part_answers.attempts
        if attempt.attempt_id in changed_attempt_ids
    }
    for response in plan.responses_marked_anew:
        add_second_mark(session, question_set_by_attempt[response.attempt_id], response, now, ticks)
    for saved_answer in plan.answers_marked_at_last:
        mark_saved_answer(session, question_set_by_attempt[saved_answer.attempt_id], saved_answer, now)
    for attempt_id, points_by_part in plan.points_by_part_by_attempt.items():
        store_points(session, attempt_id, points_by_part)
    handed_in_attempt_ids = {attempt.attempt_id for attempt in part_answers.attempts if attempt.handed_in_at}
    # Also where no points change: words earn nothing until the teacher has read them.
    for attempt_id in changed_attempt_ids & handed_in_attempt_ids:
        store_unmarked_answers(
            session, question_set_by_attempt[attempt_id], attempt_id, part_answers.assignment.id
        )


ADD_RE_MARK = prepared_insert(ReMark)


def add_second_mark(
    session: VerbSession,
    question_set: QuestionSet,
    response: CountedResponse,
    now: datetime,
    ticks: str | None,
) -> None:
    """Lay a second mark over a response, beside the item of today."""
    version_hash = responding.freeze_item(session, question_set, response.item_ref, 0, now)
    second_mark = SecondMark(
        response.id, response.verdict, response.score, response.misconception_code, version_hash, now, ticks
    )
    session.run(ADD_RE_MARK, **second_mark._asdict())


LEARNER_OF_ATTEMPT = PreparedStatement(select(ATTEMPT.learner_id).where(ATTEMPT.id == bindparam("attempt")))


def mark_saved_answer(
    session: VerbSession, question_set: QuestionSet, saved_answer: SavedResponse, now: datetime
) -> None:
    """Mark what was only saved: it becomes the first try of its question."""
    attempt_id = saved_answer.attempt_id
    [(learner_id,)] = session.all(LEARNER_OF_ATTEMPT, attempt=attempt_id)
    item_log = item_logs.log_in_attempt(session, learner_id, attempt_id, saved_answer.item)
    answer = Answer(saved_answer.item, 1, saved_answer.typed_texts, saved_answer.seconds)
    responding.record_answer(session, item_log, answer, question_set, now)


IS_ATTEMPT = SUBMISSION.attempt_id == bindparam("attempt")
SET_POINTS = prepared_update(Submission, IS_ATTEMPT, ["points", "parts"])
SET_WAITING = prepared_update(Submission, IS_ATTEMPT, ["waiting_count", "open_points"])


def store_points(session: VerbSession, attempt_id: int, points_by_part: Mapping[int, float]) -> None:
    """The points of an attempt, by part."""
    points_json = json.dumps(points_by_part)
    session.run(SET_POINTS, attempt=attempt_id, points=marks.sum_of_points(points_by_part), parts=points_json)


def store_unmarked_answers(
    session: VerbSession, question_set: QuestionSet, attempt_id: int, assignment_id: int
) -> None:
    """How many answers in words of an attempt are still to be marked."""
    unmarked_answers = regraded_marks.unmarked_answers_in(session, question_set, attempt_id, assignment_id)
    session.run(SET_WAITING, attempt=attempt_id, **unmarked_answers._asdict())
