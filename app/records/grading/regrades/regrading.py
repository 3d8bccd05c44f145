"""重新评分 of one part of an assignment, after its item was corrected: previewed first, then done.

Three ways, and one back: `again` marks the stored answers against the item of today, `up` does so where
nobody loses by it, `full` gives everybody all points, `back` takes that back. Responses stay as they were;
what changes lies over them, and in the points.
"""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select, update

from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.tables import Submission
from app.records.assignments.values import AssignmentKey, AssignmentRow, PartRow, TaughtAssignment
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.grading import marks, regraded_marks, student_assignments
from app.records.grading.mark_overrides import checked_reason
from app.records.grading.regraded_marks import MARKING_WAYS, GrantRow, RegradedResponse
from app.records.grading.regrades.regrade_answers import PartAnswers, load_answers
from app.records.grading.regrades.regrade_plans import RegradePlan, plan_of
from app.records.grading.student_assignments import Courses
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import RegradeOrder, Way
from app.records.learning import attempts, recording
from app.records.learning.rows import ATTEMPT
from app.records.learning.values import Answer


class RegradePage(NamedTuple):
    """The page of an assignment's parts, with the plan for one of them."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    grants: Mapping[int, GrantRow]
    plan: RegradePlan | None = None


# The verbs.


def load_regrade(session: VerbSession, caller: Caller, assignment_key: AssignmentKey) -> RegradePage:
    """The parts of an assignment of one's class, and what counts in full for everybody."""
    taught_assignment = lookup.taught_assignment(session, caller, assignment_key)
    return page_of(session, taught_assignment)


def page_of(session: VerbSession, taught_assignment: TaughtAssignment) -> RegradePage:
    assignment = taught_assignment.assignment
    if assignment.published_at is None:
        raise NotFound("这份作业还没有发布，没有可以重新评分的。")
    parts = lookup.parts_of(session, assignment.id)
    grants = regraded_marks.grants_of(session, assignment.id)
    return RegradePage(*taught_assignment, parts, grants)


def preview(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    order: RegradeOrder,
    courses: Courses,
) -> RegradePage:
    """Who would change, and how; nothing is written."""
    page = load_regrade(session, caller, assignment_key)
    part_answers = load_answers(session, page.assignment, page.parts, order.part_id, courses)
    plan = plan_of(part_answers, order.way, order.part_id in page.grants)
    return page._replace(plan=plan)


ADD_GRANT = adding(PartGrant)


def regrade(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    order: RegradeOrder,
    courses: Courses,
    now: datetime,
) -> None:
    """Do what the preview showed. Refused when something else would happen by now: then look once more."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    page = page_of(session, taught_assignment)
    part_answers = load_answers(session, page.assignment, page.parts, order.part_id, courses)
    reason = checked_reason(order.reason)
    is_granted = order.part_id in page.grants
    if order.way not in MARKING_WAYS and is_granted == (order.way == "full"):
        return  # a second click
    plan = plan_of(part_answers, order.way, is_granted)
    if plan.digest != order.digest:
        raise Refused("刚才又有人交了，或者题目又改了，名单和你看到的不一样。再核对一遍。")
    if order.way not in MARKING_WAYS:
        grant = GrantRow(order.part_id, reason, now, granted=order.way == "full")
        session.run(ADD_GRANT, **grant._asdict())
    write(session, part_answers, plan, now)
    detail = log_of(part_answers, plan, order.way, reason)
    audit.note(session, taught_assignment, "regrade", detail, now)


def log_of(part_answers: PartAnswers, plan: RegradePlan, way: Way, reason: str) -> dict[str, Any]:
    """What the log keeps of it."""
    question_numbers = [question.number for question in part_answers.questions]
    points_by_student = [[change.student.id, *change.points] for change in plan.changes]
    return {"way": way, "questions": question_numbers, "reason": reason, "students": points_by_student}


# What is written.

IS_ATTEMPT = SUBMISSION.attempt_id == bindparam("attempt")
SET_POINTS = Prepared(update(table(Submission)).where(IS_ATTEMPT), keys=("points", "parts"))
SET_WAITING = Prepared(update(table(Submission)).where(IS_ATTEMPT), keys=("waiting", "open_points"))
ADD_RE_MARK = adding(ReMark)
LEARNER_OF_ATTEMPT = Prepared(select(ATTEMPT.learner_id).where(ATTEMPT.id == bindparam("attempt")))


def write(
    session: VerbSession,
    part_answers: PartAnswers,
    plan: RegradePlan,
    now: datetime,
    ticks: str | None = None,
) -> None:
    """Lay second marks over the responses, mark what was only saved, store the points. `ticks`: the lines of
    the rubric by which a teacher marked, as JSON."""
    question_sets = {
        attempt.attempt_id: part_answers.question_set(attempt) for attempt in part_answers.attempts
    }
    for response in plan.marked_anew:
        question_set = question_sets[response.attempt_id]
        version = recording.freeze(session, question_set, response.item, 0, now)
        second_mark = RegradedResponse(
            response.id, response.verdict, response.score, response.misconception, version, now, ticks
        )
        session.run(ADD_RE_MARK, **second_mark._asdict())
    for saved_answer in plan.marked_at_last:
        [(learner_id,)] = session.all(LEARNER_OF_ATTEMPT, attempt=saved_answer.attempt_id)
        log = student_assignments.question_log(
            session, saved_answer.attempt_id, saved_answer.item, learner_id
        )
        answer = Answer(saved_answer.item, 1, saved_answer.typed, saved_answer.seconds)
        question_set = question_sets[saved_answer.attempt_id]
        attempts.take(session, log, answer, question_set, now)
    for attempt_id, points in plan.points.items():
        parts = json.dumps(points)
        session.run(SET_POINTS, attempt=attempt_id, points=marks.sum_of(points), parts=parts)
    handed_in_ids = {attempt.attempt_id for attempt in part_answers.attempts if attempt.handed_in_at}
    # Also where no points change: words earn nothing until the teacher has read them.
    for attempt_id in plan.attempt_ids & handed_in_ids:
        unmarked_words = regraded_marks.unmarked_words(
            session, question_sets[attempt_id], attempt_id, part_answers.assignment.id
        )
        session.run(SET_WAITING, attempt=attempt_id, **unmarked_words._asdict())
