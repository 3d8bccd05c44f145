"""重新评分 of one part of an assignment, after its item was corrected: previewed first, then written.

Three ways, and one back: `again` marks the stored answers against the item of today, `up` does so where
nobody loses by it, `full` gives everybody all points, `back` takes that back. Responses stay as they were;
what changes lies over them, and in the points.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, select

from app.course.assignments.question_sets import MarkingCourseByPrefix, QuestionSet
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.tables import Submission
from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentKey,
    AssignmentRow,
    PartRow,
    TaughtAssignment,
)
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert, prepared_update
from app.records.grading import marks, regraded_marks
from app.records.grading.mark_overrides import checked_reason
from app.records.grading.regraded_marks import IS_BY_HAND, MARKING_WAYS, RE_MARK, GrantRow, SecondMark
from app.records.grading.regrades.regrade_answers import (
    PartAnswers,
    SavedPartAnswer,
    load_part_answers,
    with_frozen_bodies,
)
from app.records.grading.regrades.regrade_plans import RegradePlan, regrade_plan_of
from app.records.grading.regrades.unmarked_answers import unmarked_sum_by_attempt_id_of
from app.records.grading.tables import PartGrant, ReMark
from app.records.grading.values import CountedResponse, RegradeOrder, RegradeWay
from app.records.learning import item_logs, responding
from app.records.learning.rows import ATTEMPT, IS_ATTEMPT
from app.records.learning.values import Answer


class RegradePage(NamedTuple):
    """The page of an assignment's parts, with the plan for one of them."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    grant_by_part_id: Mapping[int, GrantRow]
    plan: RegradePlan | None = None


def load_regrade_page(session: VerbSession, caller: Caller, assignment_key: AssignmentKey) -> RegradePage:
    """The parts of an assignment of one's class, and what counts in full for everybody."""
    taught_assignment = lookup.taught_assignment(session, caller, assignment_key)
    return regrade_page_of(session, taught_assignment)


def regrade_page_of(session: VerbSession, taught_assignment: TaughtAssignment) -> RegradePage:
    assignment = taught_assignment.assignment
    if assignment.published_at is None:
        raise NotFound("这份作业还没有发布，没有可以重新评分的。")
    parts = lookup.parts_of(session, assignment.id)
    grant_by_part_id = regraded_marks.standing_grant_by_part_id(session, assignment.id)
    return RegradePage(*taught_assignment, parts, grant_by_part_id)


def preview_regrade(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    regrade_order: RegradeOrder,
    course_by_prefix: MarkingCourseByPrefix,
) -> RegradePage:
    """Who would change, and how; nothing is written."""
    regrade_page = load_regrade_page(session, caller, assignment_key)
    part_answers = load_part_answers(
        session, regrade_page.assignment, regrade_page.parts, regrade_order.part_id, course_by_prefix
    )
    part_answers = with_frozen_bodies(session, part_answers)
    regrade_plan = regrade_plan_of(
        part_answers, regrade_order.regrade_way, regrade_order.part_id in regrade_page.grant_by_part_id
    )
    return regrade_page._replace(plan=regrade_plan)


ADD_GRANT = prepared_insert(PartGrant)


def regrade_part(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    regrade_order: RegradeOrder,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> None:
    """Do what the preview showed. Refused when something else would happen by now: then look once more."""
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    regrade_page = regrade_page_of(session, taught_assignment)
    part_answers = load_part_answers(
        session, regrade_page.assignment, regrade_page.parts, regrade_order.part_id, course_by_prefix
    )
    part_answers = with_frozen_bodies(session, part_answers)
    reason = checked_reason(regrade_order.reason)
    standing_grant = regrade_page.grant_by_part_id.get(regrade_order.part_id)
    if is_grant_in_force(standing_grant, regrade_order.regrade_way, reason):
        return  # a second click
    if regrade_order.regrade_way == "full" and not lookup.is_begun(session, assignment_key.assignment_id):
        raise Refused("还没有人开始做：题目错了，现在就可以换一道，不用给满分。")
    regrade_plan = regrade_plan_of(
        part_answers, regrade_order.regrade_way, is_granted=standing_grant is not None
    )
    log_detail = regrade_log_detail(part_answers, regrade_plan, regrade_order.regrade_way, reason)
    if not regrade_plan.changed_attempt_ids and is_last_regrade(
        session, assignment_key.assignment_id, log_detail
    ):
        return  # a second click
    if regrade_plan.digest != regrade_order.digest:
        raise Refused(other_plan_sentence(standing_grant, regrade_order.regrade_way))
    if regrade_order.regrade_way not in MARKING_WAYS:
        grant_row = GrantRow(regrade_order.part_id, reason, now, granted=regrade_order.regrade_way == "full")
        session.run(ADD_GRANT, **grant_row._asdict())
    write_plan(session, part_answers, regrade_plan, now)
    audit.add_line(session, taught_assignment, "regrade", log_detail, now)


def is_grant_in_force(standing_grant: GrantRow | None, regrade_way: RegradeWay, reason: str) -> bool:
    """Whether a part counts in full for everybody for this very reason, or is to count so no more and does
    not."""
    if regrade_way == "full":
        return standing_grant is not None and standing_grant.reason == reason
    return regrade_way == "back" and standing_grant is None


def other_plan_sentence(standing_grant: GrantRow | None, regrade_way: RegradeWay) -> str:
    """Why a preview holds no more."""
    if standing_grant is not None and regrade_way == "full":
        return f"这道题刚才已经全员给了满分，理由是“{standing_grant.reason}”。要换成你写的理由，再点一次。"
    return "刚才又有人交了，或者题目又改了，名单和你看到的不一样。再核对一遍。"


def regrade_log_detail(
    part_answers: PartAnswers, regrade_plan: RegradePlan, regrade_way: RegradeWay, reason: str
) -> dict[str, Any]:
    """What the log keeps of it."""
    question_numbers = [assigned_question.number for assigned_question in part_answers.questions]
    student_ids_with_points = [
        [mark_change.student.id, *mark_change.points_before_and_after]
        for mark_change in regrade_plan.mark_changes
    ]
    log_detail = {
        "way": regrade_way,
        "questions": question_numbers,
        "reason": reason,
        "students": student_ids_with_points,
    }
    if regrade_plan.unmarkable_students:
        log_detail["left"] = [gradebook_student.id for gradebook_student in regrade_plan.unmarkable_students]
    return log_detail


def is_last_regrade(session: VerbSession, assignment_id: int, log_detail: Mapping[str, Any]) -> bool:
    """Whether the log of an assignment says of the last 重新评分 that it was in the same way, of the same
    questions and for the same reason."""
    regrade_rows = session.all(regraded_marks.REGRADES_IN_LOG, assignment=assignment_id)
    if not regrade_rows:
        return False
    (last_log_detail,) = regrade_rows[-1]
    return all(
        last_log_detail.get(detail_name) == log_detail[detail_name]
        for detail_name in ("way", "questions", "reason")
    )


# A plan, written.


def write_plan(
    session: VerbSession,
    part_answers: PartAnswers,
    regrade_plan: RegradePlan,
    now: datetime,
    ticks_json: str | None = None,
) -> None:
    """Do what a plan says. `ticks_json`: the lines of the rubric by which a teacher marked, as JSON."""
    changed_attempt_ids = regrade_plan.changed_attempt_ids
    question_set_by_attempt_id = {
        attempt.attempt_id: part_answers.question_set(attempt)
        for attempt in part_answers.attempts
        if attempt.attempt_id in changed_attempt_ids
    }
    for counted_response in regrade_plan.responses_marked_anew:
        version_hash = add_second_mark(
            session,
            question_set_by_attempt_id[counted_response.attempt_id],
            counted_response,
            now,
            ticks_json,
        )
        if ticks_json is None and part_answers.author_of_mark(counted_response.id) == "hand":
            question_mark = part_answers.second_mark_by_response_id[counted_response.id]
            lay_question_mark(session, question_mark._replace(item_version_hash=version_hash))
    for saved_answer in regrade_plan.answers_marked_at_last:
        mark_saved_answer(session, question_set_by_attempt_id[saved_answer.attempt_id], saved_answer)
    for attempt_id, points_by_part_id in regrade_plan.points_by_part_id_by_attempt_id.items():
        store_points(session, attempt_id, points_by_part_id)
    # Also where no points change: words earn nothing until the teacher has read them, or nothing at all.
    recounted_attempts = []
    for attempt in part_answers.attempts:
        may_change = attempt.attempt_id in changed_attempt_ids
        if attempt.waiting_count and ticks_json is None and not may_change:
            may_change = part_answers.is_asked_in(attempt)
        if attempt.handed_in_at and may_change:
            recounted_attempts.append(attempt)
    store_unmarked_sums(session, part_answers, recounted_attempts)


ADD_RE_MARK = prepared_insert(ReMark)


def add_second_mark(
    session: VerbSession,
    question_set: QuestionSet,
    counted_response: CountedResponse,
    now: datetime,
    ticks_json: str | None,
) -> str:
    """Lay a second mark over a response, beside the item of today; its hash."""
    version_hash = responding.freeze_item(session, question_set, counted_response.item_ref, 0, now)
    second_mark = SecondMark(
        counted_response.id,
        counted_response.verdict,
        counted_response.score,
        counted_response.misconception_code,
        version_hash,
        now,
        ticks_json,
    )
    session.run(ADD_RE_MARK, **second_mark._asdict())
    return version_hash


REMOVE_QUESTION_MARK = PreparedStatement(
    delete(table(ReMark)).where(RE_MARK.response_id == bindparam("response"), IS_BY_HAND)
)


def lay_question_mark(session: VerbSession, question_mark: SecondMark) -> None:
    """Points that a teacher gave a response by hand, over every other mark of it: the last one counts."""
    session.run(REMOVE_QUESTION_MARK, response=question_mark.response_id)
    session.run(ADD_RE_MARK, **question_mark._asdict())


LEARNER_OF_ATTEMPT = PreparedStatement(select(ATTEMPT.learner_id).where(IS_ATTEMPT))


def mark_saved_answer(session: VerbSession, question_set: QuestionSet, saved_answer: SavedPartAnswer) -> None:
    """Mark what was only saved: it becomes the first try of its question, of the moment of the saving."""
    attempt_id = saved_answer.attempt_id
    [(learner_id,)] = session.all(LEARNER_OF_ATTEMPT, attempt=attempt_id)
    item_log = item_logs.log_in_attempt(session, learner_id, attempt_id, saved_answer.question_ref)
    first_answer = Answer(saved_answer.question_ref, 1, saved_answer.texts_to_mark, saved_answer.seconds)
    responding.record_answer(session, item_log, first_answer, question_set, saved_answer.saved_at)


IS_SUBMISSION = SUBMISSION.attempt_id == bindparam("attempt")
SET_POINTS = prepared_update(Submission, IS_SUBMISSION, ["points", "points_json"])
SET_WAITING = prepared_update(Submission, IS_SUBMISSION, ["waiting_count", "open_points"])


def store_points(session: VerbSession, attempt_id: int, points_by_part_id: Mapping[int, float]) -> None:
    """The points of an attempt, by part."""
    points_json = json.dumps(points_by_part_id)
    session.run(
        SET_POINTS, attempt=attempt_id, points=marks.sum_of_points(points_by_part_id), points_json=points_json
    )


def store_unmarked_sums(
    session: VerbSession, part_answers: PartAnswers, recounted_attempts: Sequence[AssignmentAttempt]
) -> None:
    """How many answers in words of these attempts are still to be marked, where that is another number."""
    assignment_id = part_answers.assignment.id
    question_set_by_attempt_id = {
        attempt.attempt_id: part_answers.question_set(attempt) for attempt in recounted_attempts
    }
    unmarked_sum_by_attempt_id = unmarked_sum_by_attempt_id_of(
        session,
        assignment_id,
        question_set_by_attempt_id,
        regraded_marks.standing_grant_by_part_id(session, assignment_id),
    )
    for attempt in recounted_attempts:
        unmarked_sum = unmarked_sum_by_attempt_id[attempt.attempt_id]
        if unmarked_sum != (attempt.waiting_count, attempt.open_points):
            session.run(SET_WAITING, attempt=attempt.attempt_id, **unmarked_sum._asdict())
