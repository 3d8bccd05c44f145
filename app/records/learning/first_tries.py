"""First tries at items, counted as they come: what a class page says of a year it need not read again.

A row by learner and item, apart for each class that assigned it: what was done for one teacher is not shown
to another. Kept in the transaction of the answer, and at any time what `count_tries_anew` makes of them.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
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
    or_,
    select,
    update,
)
from sqlalchemy import table as named_table

from app.course.content.refs import item_ref_of
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.learning.rows import ATTEMPT, RESPONSE, is_right_alone
from app.records.learning.tables import Attempt, FirstTryCount, Response
from app.records.learning.values import TRIED_UNIT, FirstTries, ItemLog

FIRST_TRY_COUNT_TABLE = table(FirstTryCount)
FIRST_TRY_COUNT = FIRST_TRY_COUNT_TABLE.c
COUNT_COLUMNS = ("learner_id", "classroom_id", "item_ref", "try_count", "clean_count", "last_at")
# Rooms above this one, by their names alone: an attempt at an assignment belongs to a class.
SUBMISSION_TABLE = named_table("submission", column("attempt_id"), column("assignment_id"))
SUBMISSION = SUBMISSION_TABLE.c
ASSIGNMENT_TABLE = named_table("assignment", column("id"), column("classroom_id"))
ASSIGNMENT = ASSIGNMENT_TABLE.c
IS_ASSIGNMENT_OF_SUBMISSION = ASSIGNMENT.id == SUBMISSION.assignment_id

CLASS_OF_ATTEMPT = (
    select(ASSIGNMENT.classroom_id)
    .where(SUBMISSION.attempt_id == bindparam("attempt"), IS_ASSIGNMENT_OF_SUBMISSION)
    .scalar_subquery()
)
"""The class in which `attempt` was assigned; null for what somebody does by themselves."""
IS_COUNT_OF_LEARNER = FIRST_TRY_COUNT.learner_id == bindparam("learner")
ANSWERED_AT: Any = bindparam("answered_at", type_=FIRST_TRY_COUNT.last_at.type)
IS_RIGHT: Any = bindparam("right", type_=FIRST_TRY_COUNT.clean_count.type)

COUNT_OF_ITEM = PreparedStatement(
    select(FIRST_TRY_COUNT.id).where(
        IS_COUNT_OF_LEARNER,
        FIRST_TRY_COUNT.classroom_id.is_not_distinct_from(CLASS_OF_ATTEMPT),
        FIRST_TRY_COUNT.item_ref == bindparam("bare_item"),
    )
)
ADD_TO_COUNT = PreparedStatement(
    update(FIRST_TRY_COUNT_TABLE)
    .where(FIRST_TRY_COUNT.id == bindparam("count"))
    .values(
        try_count=FIRST_TRY_COUNT.try_count + 1,
        clean_count=FIRST_TRY_COUNT.clean_count + IS_RIGHT,
        last_at=case((FIRST_TRY_COUNT.last_at < ANSWERED_AT, ANSWERED_AT), else_=FIRST_TRY_COUNT.last_at),
    )
)
ADD_COUNT = PreparedStatement(
    insert(FIRST_TRY_COUNT_TABLE).from_select(
        COUNT_COLUMNS,
        select(
            bindparam("learner", type_=FIRST_TRY_COUNT.learner_id.type),
            CLASS_OF_ATTEMPT,
            bindparam("bare_item", type_=FIRST_TRY_COUNT.item_ref.type),
            literal_column("1"),
            IS_RIGHT,
            ANSWERED_AT,
        ),
    )
)


class FirstTryCounter:
    """A first try that is about to be written, and the count to which it will be added."""

    def __init__(self, session: VerbSession, item_log: ItemLog, item_ref: str) -> None:
        self._session = session
        self._count_key = {
            "learner": item_log.learner_id,
            "attempt": item_log.attempt_id,
            "bare_item": item_ref_of(item_ref),
        }
        self._pending_count_rows = session.send(COUNT_OF_ITEM, **self._count_key)

    def add_to_count(self, is_right_at_once: bool, now: datetime) -> None:
        """Count it, now that it is written."""
        count_parameters = {"right": int(is_right_at_once), "answered_at": now}
        count_rows = self._pending_count_rows.fetch()
        if count_rows:
            [(count_id,)] = count_rows
            self._session.run(ADD_TO_COUNT, count=count_id, **count_parameters)
        else:
            self._session.run(ADD_COUNT, **self._count_key, **count_parameters)


REMOVE_COUNTS = PreparedStatement(delete(FIRST_TRY_COUNT_TABLE).where(IS_COUNT_OF_LEARNER))
IS_RIGHT_AT_ONCE = is_right_alone(RESPONSE) & (RESPONSE.hint_count == 0)
# An item without the number of a question: `item_ref_of`, in what every database runs.
WITHOUT_NUMBER: Any = func.rtrim(func.rtrim(RESPONSE.item_ref, "0123456789"), "#")
BARE_ITEM = case((RESPONSE.item_ref.contains("#"), WITHOUT_NUMBER), else_=RESPONSE.item_ref)
ANSWERS_WITH_CLASS = (
    table(Attempt)
    .join(table(Response), RESPONSE.attempt_id == ATTEMPT.id)
    .outerjoin(SUBMISSION_TABLE, SUBMISSION.attempt_id == ATTEMPT.id)
    .outerjoin(ASSIGNMENT_TABLE, IS_ASSIGNMENT_OF_SUBMISSION)
)
FIRST_TRIES: Select[Any] = (
    select(
        ATTEMPT.learner_id,
        ASSIGNMENT.classroom_id,
        BARE_ITEM,
        func.count(),
        func.sum(case((IS_RIGHT_AT_ONCE, 1), else_=0)),
        func.max(RESPONSE.created_at),
    )
    .select_from(ANSWERS_WITH_CLASS)
    .where(
        ATTEMPT.learner_id == bindparam("learner"),
        RESPONSE.try_number == 1,
        or_(ATTEMPT.source != "assignment", ASSIGNMENT.classroom_id.is_not(None)),
    )
    .group_by(ATTEMPT.learner_id, ASSIGNMENT.classroom_id, BARE_ITEM)
)
COUNT_ANSWERS_ANEW = PreparedStatement(insert(FIRST_TRY_COUNT_TABLE).from_select(COUNT_COLUMNS, FIRST_TRIES))


def count_tries_anew(session: VerbSession, learner_id: int) -> None:
    """Count the answers of a learner anew: after their log has changed otherwise than by one more answer."""
    session.run(REMOVE_COUNTS, learner=learner_id)
    session.run(COUNT_ANSWERS_ANEW, learner=learner_id)


class LearnerTries(NamedTuple):
    """The first tries of a learner, joined with commas item by item."""

    learner_id: int
    joined_items: str
    joined_figures: str

    @property
    def first_tries(self) -> FirstTries:
        return FirstTries(self.joined_items, self.joined_figures)


COMMA: Any = literal_column("','")
PACKED_COUNTS = cast(FIRST_TRY_COUNT.try_count, BigInteger) * TRIED_UNIT + FIRST_TRY_COUNT.clean_count
LEARNER_TRIES: Select[Any] = select(
    FIRST_TRY_COUNT.learner_id,
    func.aggregate_strings(FIRST_TRY_COUNT.item_ref, COMMA).label("joined_items"),
    func.aggregate_strings(cast(PACKED_COUNTS, String), COMMA).label("joined_figures"),
).group_by(FIRST_TRY_COUNT.learner_id)
"""The counts of some learners, each in one row: thousands of rows would take far longer."""
