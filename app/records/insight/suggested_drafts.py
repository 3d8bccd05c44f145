"""Drafts that come from what a class showed: practice against one mistake, and a pair of matched tests."""

from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.assignments import ADD_ASSIGNEE, SET_PAIR
from app.records.assignments.tables import Assignee, Assignment
from app.records.assignments.values import NewPart
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.insight import misconceptions

EACH = 3
"""How many variants of each exercise."""

assignment, assignee = table(Assignment).c, table(Assignee).c
DRAFTS = Prepared(
    select(assignment.id, assignee.enrolment_id)
    .where(
        assignment.classroom_id == bindparam("classroom"),
        assignment.title == bindparam("title"),
        assignment.published_at.is_(None),
        assignee.assignment_id == assignment.id,
    )
    .order_by(assignment.id)
)


def against(
    session: VerbSession,
    who: Caller,
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
    row = classrooms.changed(session, who, classroom_id)
    found = misconceptions.load_misconceptions(session, who, row.id, assignment_id, since)
    made = next((one for one in found.mistakes if one.code == code), None)
    if made is None or not exercises:
        raise Refused("这份练习出不了：这里没有人犯过这个误区，或者没有题能单独认出它。")
    if known := waiting(session, row.id, title, made.times):
        return known
    like = assignments.blank(title)._replace(everyone=False, passes=0, tries=3, hints=True, answers="at_once")
    made_id = assignments.add(session, row.id, like, now, seed)
    assignments.put(session, made_id, [NewPart("practice", ref, level, EACH) for ref, level in exercises])
    for student_id in made.times:
        session.run(ADD_ASSIGNEE, assignment_id=made_id, enrolment_id=student_id)
    return made_id


def waiting(session: VerbSession, classroom_id: int, title: str, students: Collection[int]) -> int | None:
    """The draft with this title that is for exactly these students."""
    only: dict[int, set[int]] = {}
    for draft, student_id in session.all(DRAFTS, classroom=classroom_id, title=title):
        only.setdefault(draft, set()).add(student_id)
    return next((draft for draft, found in only.items() if found == set(students)), None)


def pair(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    title: str,
    exercises: Sequence[tuple[str, int, int]],
    seeds: tuple[int, int],
    now: datetime,
) -> int:
    """Drafts of a 前测 and a 后测: the same exercises with other numbers, one form for the whole class.

    `exercises`: ref, level and how many variants of each.
    """
    row = classrooms.changed(session, who, classroom_id)
    if not exercises:
        raise Refused("先挑一段有练习的课：前测和后测的题由出题器出。")
    if known := assignments.just_made(session, row.id, f"前测：{title}", now):
        return known[0].id
    pre = assignments.blank(f"前测：{title}")._replace(hints=False, form="pre", answers="never")
    first = assignments.add(session, row.id, pre, now, seeds[0])
    session.run(SET_PAIR, assignment=first, form="pre", pair=first)
    post = assignments.blank(f"后测：{title}")._replace(hints=False, form="post", pair=first)
    second = assignments.add(session, row.id, post, now, seeds[1])
    asked = [NewPart("practice", ref, level, count, same=True) for ref, level, count in exercises]
    for made_id in (first, second):
        assignments.put(session, made_id, asked)
    return first
