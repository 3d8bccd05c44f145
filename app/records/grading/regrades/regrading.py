"""重新评分 of one part of an assignment, after its item was corrected: previewed first, then done.

Three ways, and one back: `again` marks the stored answers against the item of today, `up` does so where
nobody loses by it, `full` gives everybody all points, `back` takes that back. Responses stay as they were;
what changes lies over them, and in the points.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.values import AssignmentKey, AssignmentRow, PartRow, TaughtAssignment
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert
from app.records.grading import regraded_marks
from app.records.grading.mark_overrides import checked_reason
from app.records.grading.regraded_marks import MARKING_WAYS, GrantRow
from app.records.grading.regrades.regrade_answers import PartAnswers, load_answers
from app.records.grading.regrades.regrade_plans import RegradePlan, plan_of
from app.records.grading.regrades.regrade_writing import write_plan
from app.records.grading.tables import PartGrant
from app.records.grading.values import RegradeOrder, RegradeWay


class RegradePage(NamedTuple):
    """The page of an assignment's parts, with the plan for one of them."""

    classroom: ClassRow
    assignment: AssignmentRow
    parts: tuple[PartRow, ...]
    grant_by_part_id: Mapping[int, GrantRow]
    plan: RegradePlan | None = None


def load_regrade(session: VerbSession, caller: Caller, assignment_key: AssignmentKey) -> RegradePage:
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
    regrade_page = load_regrade(session, caller, assignment_key)
    part_answers = load_answers(
        session, regrade_page.assignment, regrade_page.parts, regrade_order.part_id, course_by_prefix
    )
    plan = plan_of(
        part_answers, regrade_order.regrade_way, regrade_order.part_id in regrade_page.grant_by_part_id
    )
    return regrade_page._replace(plan=plan)


ADD_GRANT = prepared_insert(PartGrant)


def regrade(
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
    part_answers = load_answers(
        session, regrade_page.assignment, regrade_page.parts, regrade_order.part_id, course_by_prefix
    )
    reason = checked_reason(regrade_order.reason)
    is_granted = regrade_order.part_id in regrade_page.grant_by_part_id
    if regrade_order.regrade_way not in MARKING_WAYS and is_granted == (regrade_order.regrade_way == "full"):
        return  # a second click
    plan = plan_of(part_answers, regrade_order.regrade_way, is_granted)
    if plan.digest != regrade_order.digest:
        raise Refused("刚才又有人交了，或者题目又改了，名单和你看到的不一样。再核对一遍。")
    if regrade_order.regrade_way not in MARKING_WAYS:
        grant = GrantRow(regrade_order.part_id, reason, now, granted=regrade_order.regrade_way == "full")
        session.run(ADD_GRANT, **grant._asdict())
    write_plan(session, part_answers, plan, now)
    log_detail = log_detail_of(part_answers, plan, regrade_order.regrade_way, reason)
    audit.add_line(session, taught_assignment, "regrade", log_detail, now)


def log_detail_of(
    part_answers: PartAnswers, plan: RegradePlan, regrade_way: RegradeWay, reason: str
) -> dict[str, Any]:
    """What the log keeps of it."""
    question_numbers = [question.number for question in part_answers.questions]
    points_by_student = [
        [mark_change.student.id, *mark_change.points_before_and_after] for mark_change in plan.mark_changes
    ]
    log_detail = {
        "way": regrade_way,
        "questions": question_numbers,
        "reason": reason,
        "students": points_by_student,
    }
    if plan.left_students:
        log_detail["left"] = [student.id for student in plan.left_students]
    return log_detail
