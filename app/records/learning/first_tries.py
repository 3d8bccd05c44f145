"""First tries at items, counted as they come: what a class page says of a year it need not read again.

A row by learner and item, apart for each class that assigned it: what was done for one teacher is not shown
to another. Kept in the transaction of the answer, and at any time what `refold` makes of the answers.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ScalarSelect,
    Select,
    String,
    bindparam,
    case,
    cast,
    column,
    delete,
    func,
    insert,
    literal_column,
    select,
    update,
)
from sqlalchemy import table as named_table

from app.course.content.refs import item_of
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.learning.mastery import alone
from app.records.learning.tables import Attempt, FirstTryCount, Response
from app.records.learning.values import FirstTries, ItemLog

ATTEMPT, RESPONSE, COUNT = table(Attempt).c, table(Response).c, table(FirstTryCount).c
# Rooms above this one, by their names alone: an attempt at an assignment belongs to a class.
SUBMISSION = named_table("submission", column("attempt_id"), column("assignment_id"))
ASSIGNMENT = named_table("assignment", column("id"), column("classroom_id"))


def class_of(attempt_id: Any) -> ScalarSelect[Any]:
    """The class in which an attempt was assigned; null for what somebody does by themselves."""
    return (
        select(ASSIGNMENT.c.classroom_id)
        .where(SUBMISSION.c.attempt_id == attempt_id, ASSIGNMENT.c.id == SUBMISSION.c.assignment_id)
        .scalar_subquery()
    )


IS_COUNTED = (
    (COUNT.learner_id == bindparam("learner"))
    & COUNT.classroom_id.is_not_distinct_from(class_of(bindparam("attempt")))
    & (COUNT.item == bindparam("bare_item"))
)
ANSWERED_AT: Any = bindparam("answered_at", type_=COUNT.last_at.type)
RIGHT: Any = bindparam("right", type_=COUNT.clean.type)
COUNT_ONE_MORE = Prepared(
    update(table(FirstTryCount))
    .where(IS_COUNTED)
    .values(
        tried=COUNT.tried + 1,
        clean=COUNT.clean + RIGHT,
        last_at=case((COUNT.last_at < ANSWERED_AT, ANSWERED_AT), else_=COUNT.last_at),
    )
    .returning(COUNT.id)
)
COUNTED = ("learner_id", "classroom_id", "item", "tried", "clean", "last_at")
COUNT_FIRST = Prepared(
    insert(table(FirstTryCount)).from_select(
        COUNTED,
        select(
            bindparam("learner", type_=COUNT.learner_id.type),
            class_of(bindparam("attempt")),
            bindparam("bare_item", type_=COUNT.item.type),
            literal_column("1"),
            RIGHT,
            ANSWERED_AT,
        ),
    )
)


def count(session: VerbSession, log: ItemLog, item: str, right_at_once: bool, now: datetime) -> None:
    """Count a first try that was just written."""
    values = {
        "learner": log.learner_id,
        "attempt": log.attempt_id,
        "bare_item": item_of(item),
        "right": int(right_at_once),
        "answered_at": now,
    }
    if not session.all(COUNT_ONE_MORE, **values):
        session.run(COUNT_FIRST, **values)


FORGET = Prepared(delete(table(FirstTryCount)).where(COUNT.learner_id == bindparam("learner")))
# An item without the number of a question: `item_of`, in what every database runs.
BARE_ITEM = case(
    (RESPONSE.item.contains("#"), func.rtrim(func.rtrim(RESPONSE.item, "0123456789"), "#")),
    else_=RESPONSE.item,
)
RIGHT_AT_ONCE = alone(RESPONSE) & (RESPONSE.hints == 0)
WITH_CLASS = (
    table(Attempt)
    .join(table(Response), RESPONSE.attempt_id == ATTEMPT.id)
    .outerjoin(SUBMISSION, SUBMISSION.c.attempt_id == ATTEMPT.id)
    .outerjoin(ASSIGNMENT, ASSIGNMENT.c.id == SUBMISSION.c.assignment_id)
)
FOLD: Select[Any] = (
    select(
        ATTEMPT.learner_id,
        ASSIGNMENT.c.classroom_id,
        BARE_ITEM,
        func.count(),
        func.sum(case((RIGHT_AT_ONCE, 1), else_=0)),
        func.max(RESPONSE.created_at),
    )
    .select_from(WITH_CLASS)
    .where(
        ATTEMPT.learner_id == bindparam("learner"),
        RESPONSE.try_number == 1,
        (ATTEMPT.source != "assignment") | ASSIGNMENT.c.classroom_id.is_not(None),
    )
    .group_by(ATTEMPT.learner_id, ASSIGNMENT.c.classroom_id, BARE_ITEM)
)
FOLD_ANSWERS = Prepared(insert(table(FirstTryCount)).from_select(COUNTED, FOLD))


def refold(session: VerbSession, learner_id: int) -> None:
    """Count the answers of a learner anew: after their log has changed otherwise than by one more answer."""
    session.run(FORGET, learner=learner_id)
    session.run(FOLD_ANSWERS, learner=learner_id)


class LearnerTries(NamedTuple):
    """The first tries of a learner, joined with commas item by item, and when the last one was."""

    learner_id: int
    answered_at: datetime
    items: str
    figures: str

    @property
    def counts(self) -> FirstTries:
        return FirstTries(self.items, self.figures)


COMMA: Any = literal_column("','")
FIGURES = cast(COUNT.tried, String) + literal_column("'/'", String) + cast(COUNT.clean, String)
TRIES: Select[Any] = select(
    COUNT.learner_id,
    func.max(COUNT.last_at).label("answered_at"),
    func.aggregate_strings(COUNT.item, COMMA).label("items"),
    func.aggregate_strings(FIGURES, COMMA).label("figures"),
).group_by(COUNT.learner_id)
"""The counts of some learners, each in one row: thousands of rows would take far longer."""
