"""Drafts of practice for exactly those who need it: who make a mistake, or do not stand on a skill yet."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments import audience, drafts, parts
from app.records.assignments.rows import ASSIGNEE, ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS
from app.records.assignments.values import AssignmentRow, NewPart
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

VARIANT_COUNT = 3
"""How many variants of each exercise are drafted."""


def exercise_part(exercise_ref: str, level: int) -> NewPart:
    """Some variants of an exercise, to everybody their own."""
    return NewPart("practice", exercise_ref, level, VARIANT_COUNT)


def create_draft_for_students(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    title: str,
    new_parts: Sequence[NewPart],
    enrolment_ids: Collection[int],
    now: datetime,
) -> int:
    """A draft of practice for those of these students who are in the class.

    Refused where nobody of them is there, or nothing can be practised.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    present_enrolment_ids = {
        student.id for student in classrooms.load_present_students(session, classroom.id)
    }
    assignee_ids = present_enrolment_ids.intersection(enrolment_ids)
    if not assignee_ids or not new_parts:
        raise Refused("这份练习出不了：没有还站不稳的同学，或者这个知识点没有能练的题。")
    return find_or_add_draft(session, classroom.id, title, new_parts, assignee_ids, now)


def find_or_add_draft(
    session: VerbSession,
    classroom_id: int,
    title: str,
    new_parts: Sequence[NewPart],
    enrolment_ids: Collection[int],
    now: datetime,
) -> int:
    """A draft of practice for exactly these students; one that waits for exactly them is opened again.

    Everybody gets variants of their own, and learns at once how it went.
    """
    draft_id = waiting_draft_id(session, classroom_id, title, enrolment_ids)
    if draft_id is not None:
        return draft_id
    draft_assignment = AssignmentRow(title=title, everyone=False, passes=0, tries=3, answers="at_once")
    draft_id = drafts.add_draft(session, classroom_id, draft_assignment, now)
    parts.put_parts(session, draft_id, new_parts)
    audience.add_assignees(session, draft_id, enrolment_ids)
    return draft_id


DRAFTS_WITH_TITLE = PreparedStatement(
    select(ASSIGNMENT.id, ASSIGNEE.enrolment_id)
    .where(
        ASSIGNMENT.published_at.is_(None),
        IS_ASSIGNMENT_OF_CLASS,
        ASSIGNMENT.title == bindparam("title"),
        ASSIGNEE.assignment_id == ASSIGNMENT.id,
    )
    .order_by(ASSIGNMENT.id)
)


def waiting_draft_id(
    session: VerbSession, classroom_id: int, title: str, enrolment_ids: Collection[int]
) -> int | None:
    """The draft with this title that is for exactly these students."""
    assignee_ids_by_draft_id = defaultdict[int, set[int]](set)
    assignee_rows = session.all(DRAFTS_WITH_TITLE, classroom=classroom_id, title=title)
    for draft_id, enrolment_id in assignee_rows:
        assignee_ids_by_draft_id[draft_id].add(enrolment_id)
    for draft_id, draft_assignee_ids in assignee_ids_by_draft_id.items():
        if draft_assignee_ids == set(enrolment_ids):
            return draft_id
    return None
