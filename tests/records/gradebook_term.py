"""A term of assignments, written straight into the tables: what a gradebook has to read.

Everything is a verb, so that a desk, a running site and a bench can all build the same.
"""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import insert, select, update

from app.records.assignments.tables import Assignee, Assignment, AssignmentPart, SavedAnswer, Submission
from app.records.assignments.values import PartRow
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import columns_of
from app.records.grading import marks
from app.records.learning.tables import Attempt, Response

ItemParts = Sequence[tuple[str, str, float]]
"""Kind, ref and points: `("item", "content:dcg-at-3", 2.0)`; practice as `content:dcg-at-k*3` for three."""


def add(session: VerbSession, /, model: Any, **values: Any) -> int:
    rows = session.execute(insert(table(model)).returning(table(model).primary_key.columns[0]), values)
    value: int = rows.scalar_one()
    return value


def set_up(
    session: VerbSession, /, classroom: int, title: str, parts: ItemParts, now: datetime, **fields: Any
) -> int:
    """A published assignment; `fields` are columns."""
    values = {"note": "", "seed": 7, "everyone": True, "late_factor": 1.0, "passes": 1, "tries": 1}
    values |= {"hints": True, "answers": "handed_in", "counts": "best"}
    values |= {"created_at": now, "published_at": now}
    assignment = add(session, Assignment, classroom_id=classroom, title=title, **values | fields)
    for position, (kind, ref, points) in enumerate(parts, 1):
        name, _, count = ref.partition("*")
        add(
            session, AssignmentPart, assignment_id=assignment, position=position, kind=kind, ref=name,
            level=1, count=int(count or 1), same=False, points=points,
        )  # fmt: skip
    return assignment


def name_for(session: VerbSession, assignment: int, enrolment: int) -> None:
    add(session, Assignee, assignment_id=assignment, enrolment_id=enrolment)


def parts_of(session: VerbSession, assignment: int) -> list[PartRow]:
    part = table(AssignmentPart).c
    columns = columns_of(AssignmentPart, PartRow)
    parts = select(*columns).where(part.assignment_id == assignment).order_by(part.position)
    return [PartRow(*tuple(row)) for row in session.execute(parts)]


def begin(session: VerbSession, assignment: int, enrolment: int, now: datetime, number: int = 1) -> int:
    """A pass that is open; the number of its attempt."""
    learner = session.execute(
        select(table(Enrolment).c.learner_id).where(table(Enrolment).c.id == enrolment)
    ).scalar_one()
    attempt = add(
        session, Attempt, learner_id=learner, source="assignment", ref=f"assignment-{assignment}",
        round=number, seed=7, created_at=now, shown_from=None,
    )  # fmt: skip
    add(
        session, Submission, attempt_id=attempt, assignment_id=assignment, enrolment_id=enrolment,
        number=number, started_at=now, is_collected=False, late_factor=1.0, points_json="{}",
    )  # fmt: skip
    return attempt


def save(session: VerbSession, attempt: int, item: str, raw: Sequence[str], now: datetime) -> None:
    add(session, SavedAnswer, attempt_id=attempt, question_ref=item, raw=json.dumps(raw), saved_at=now)


def hand_in(session: VerbSession, /, attempt: int, now: datetime, factor: float = 1.0, **fields: Any) -> None:
    """Add the answers up, as they were marked."""
    submission_columns, response_columns = table(Submission).c, table(Response).c
    assignment = session.execute(
        select(submission_columns.assignment_id).where(submission_columns.attempt_id == attempt)
    ).scalar_one()
    parts = parts_of(session, assignment)
    scored = session.execute(
        select(response_columns.item_ref, response_columns.score).where(
            response_columns.attempt_id == attempt
        )
    ).all()
    points = marks.corrected_points_by_part_id_of(
        parts, {}, [part.id for part in parts], marks.best_share_by_question_ref_of(map(tuple, scored))
    )
    values = {
        "points": sum(points.values()),
        "points_json": json.dumps(points),
        "handed_in_at": now,
        "last_work_at": now,
    }
    session.execute(
        update(table(Submission))
        .where(submission_columns.attempt_id == attempt)
        .values(late_factor=factor, **values | fields)
    )


def worth(
    session: VerbSession, /, assignment: int, enrolment: int, points: float, now: datetime, **rest: Any
) -> int:
    """A pass that was handed in with these points, whatever was answered."""
    number = rest.pop("number", 1)
    attempt = begin(session, assignment, enrolment, now, number)
    hand_in(session, attempt, now, **{"points": points} | rest)
    return attempt
