"""Drafts that come from what a class showed: practice against one mistake, and a pair of matched tests."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select, update

from app.records import class_mistakes, classrooms
from app.records.errors import Refused
from app.records.session import Prepared, VerbSession, adding
from app.records.tables import Assignee, Assignment, AssignmentPart, table
from app.records.values import Who

DOUBLE_CLICK = timedelta(minutes=2)
EACH = 3
"""How many variants of each exercise."""

assignment, assignee = table(Assignment).c, table(Assignee).c
DRAFT = Prepared(
    select(assignment.id)
    .where(
        assignment.classroom_id == bindparam("classroom"),
        assignment.title == bindparam("title"),
        assignment.published_at.is_(None),
        assignment.created_at > bindparam("since"),
    )
    .order_by(assignment.id)
)
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
ADD, ADD_PART, ADD_ASSIGNEE = adding(Assignment), adding(AssignmentPart), adding(Assignee)
SET_PAIR = Prepared(update(table(Assignment)).where(assignment.id == bindparam("assignment")), keys=("pair",))
PLAIN = {
    "note": "",
    "everyone": True,
    "opens_at": None,
    "due_at": None,
    "late_until": None,
    "late_factor": 1.0,
    "passes": 1,
    "tries": 1,
    "hints": False,
    "answers": "handed_in",
    "counts": "best",
    "form": None,
    "pair": None,
    "published_at": None,
    "closed_at": None,
}


def against(
    session: VerbSession,
    who: Who,
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
    found = class_mistakes.look(session, who, row.id, assignment_id, since)
    made = next((one for one in found.mistakes if one.code == code), None)
    if made is None or not exercises:
        raise Refused("这份练习出不了：这里没有人犯过这个误区，或者没有题能单独认出它。")
    if known := waiting(session, row.id, title, made.times):
        return known
    own = {"everyone": False, "passes": 0, "tries": 3, "hints": True, "answers": "at_once"}
    made_id = add(session, row.id, title, seed, now, **own)
    add_parts(session, made_id, [(ref, level, EACH) for ref, level in exercises], same=False)
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
    who: Who,
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
    known = session.first(DRAFT, classroom=row.id, title=f"前测：{title}", since=now - DOUBLE_CLICK)
    if known is not None:
        draft: int = known[0]
        return draft
    first = add(session, row.id, f"前测：{title}", seeds[0], now, form="pre", answers="never")
    session.run(SET_PAIR, assignment=first, pair=first)
    second = add(session, row.id, f"后测：{title}", seeds[1], now, form="post", pair=first)
    for made_id in (first, second):
        add_parts(session, made_id, exercises, same=True)
    return first


def add(session: VerbSession, classroom_id: int, title: str, seed: int, now: datetime, **own: object) -> int:
    """A draft that is as drafts are, but for what is `own`."""
    values = PLAIN | own
    [(made_id,)] = session.all(
        ADD, classroom_id=classroom_id, title=title, seed=seed, created_at=now, **values
    )
    found: int = made_id
    return found


def add_parts(
    session: VerbSession, assignment_id: int, exercises: Sequence[tuple[str, int, int]], same: bool
) -> None:
    for position, (ref, level, count) in enumerate(exercises, 1):
        session.run(
            ADD_PART,
            assignment_id=assignment_id,
            position=position,
            kind="practice",
            ref=ref,
            level=level,
            count=count,
            same=same,
            points=1.0,
        )
