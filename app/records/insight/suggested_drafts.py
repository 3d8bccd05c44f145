"""Drafts that come from what a class showed: practice against one mistake, and a pair of matched tests."""

from collections import defaultdict
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments import drafts
from app.records.assignments import parts as parts_verbs
from app.records.assignments.drafts import SET_PAIR
from app.records.assignments.lifecycle import ADD_ASSIGNEE
from app.records.assignments.tables import Assignee, Assignment
from app.records.assignments.values import AssignmentRow, NewPart
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.insight import misconceptions

VARIANTS = 3
"""How many variants of each exercise."""


def against(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    code: str,
    title: str,
    exercises: Sequence[tuple[str, int]],
    assignment_id: int | None,
    since: datetime,
    seed: int,
    now: datetime,
) -> int:
    """A draft of practice for exactly those who made a mistake and are in the class.

    One that waits for exactly them is opened again. `exercises`: ref and level of each; everybody gets
    variants of their own, and learns at once how it went.
    """
    classroom = classrooms.changed(session, caller, classroom_id)
    data = misconceptions.load_misconceptions(session, caller, classroom.id, assignment_id, since)
    students: Collection[int] = ()
    for mistake in data.mistakes:
        if mistake.code == code:
            students = mistake.times.keys()
    if not students or not exercises:
        raise Refused("这份练习出不了：这里没有人犯过这个误区，或者没有题能单独认出它。")
    draft_id = waiting_draft(session, classroom.id, title, students)
    if draft_id is not None:
        return draft_id
    rules = drafts.blank(title)
    rules = rules._replace(everyone=False, passes=0, tries=3, hints=True, answers="at_once")
    parts = [NewPart("practice", ref, level, VARIANTS) for ref, level in exercises]
    draft_id = add_draft(session, classroom.id, rules, parts, now, seed)
    for enrolment_id in students:
        session.run(ADD_ASSIGNEE, assignment_id=draft_id, enrolment_id=enrolment_id)
    return draft_id


ASSIGNMENT = table(Assignment).c
ASSIGNEE = table(Assignee).c
DRAFTS_WITH_TITLE = Prepared(
    select(ASSIGNMENT.id, ASSIGNEE.enrolment_id)
    .where(
        ASSIGNMENT.classroom_id == bindparam("classroom"),
        ASSIGNMENT.title == bindparam("title"),
        ASSIGNMENT.published_at.is_(None),
        ASSIGNEE.assignment_id == ASSIGNMENT.id,
    )
    .order_by(ASSIGNMENT.id)
)


def waiting_draft(
    session: VerbSession, classroom_id: int, title: str, students: Collection[int]
) -> int | None:
    """The draft with this title that is for exactly these students, by enrolment."""
    assignees: dict[int, set[int]] = defaultdict(set)
    for draft_id, enrolment_id in session.all(DRAFTS_WITH_TITLE, classroom=classroom_id, title=title):
        assignees[draft_id].add(enrolment_id)
    for draft_id, enrolment_ids in assignees.items():
        if enrolment_ids == set(students):
            return draft_id
    return None


def pair(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    title: str,
    exercises: Sequence[tuple[str, int, int]],
    seeds: tuple[int, int],
    now: datetime,
) -> int:
    """Drafts of a 前测 and a 后测: the same exercises with other numbers, one form for the whole class.

    `exercises`: ref, level and how many variants of each. Returns the 前测.
    """
    classroom = classrooms.changed(session, caller, classroom_id)
    if not exercises:
        raise Refused("先挑一段有练习的课：前测和后测的题由出题器出。")
    earlier = drafts.just_made(session, classroom.id, f"前测：{title}", now)
    if earlier:
        return earlier[0].id
    parts = [NewPart("practice", ref, level, count, same=True) for ref, level, count in exercises]
    pre = drafts.blank(f"前测：{title}")._replace(hints=False, form="pre", answers="never")
    pre_id = add_draft(session, classroom.id, pre, parts, now, seeds[0])
    session.run(SET_PAIR, assignment=pre_id, form="pre", pair=pre_id)
    post = drafts.blank(f"后测：{title}")._replace(hints=False, form="post", pair=pre_id)
    add_draft(session, classroom.id, post, parts, now, seeds[1])
    return pre_id


def add_draft(
    session: VerbSession,
    classroom_id: int,
    rules: AssignmentRow,
    parts: Sequence[NewPart],
    now: datetime,
    seed: int,
) -> int:
    draft_id = drafts.add(session, classroom_id, rules, now, seed)
    parts_verbs.put(session, draft_id, parts)
    return draft_id
