"""First tries at items, counted as they come: what a class page says of a year it need not read again.

A row by learner and item, apart for each class that assigned it: what was done for one teacher is not shown
to another. Kept in the transaction of the answer, and at any time what `refold` makes of the answers.
"""

from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ScalarSelect,
    Select,
    String,
    and_,
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

from app.course.content.refs import item_of
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.learning.mastery import is_right_alone
from app.records.learning.tables import Attempt, FirstTryCount, Response
from app.records.learning.values import TRIED, FirstTries, ItemLog

ATTEMPT = table(Attempt).c
RESPONSE = table(Response).c
COUNTS = table(FirstTryCount)
COUNT = COUNTS.c
# Rooms above this one, by their names alone: an attempt at an assignment belongs to a class.
SUBMISSIONS = named_table("submission", column("attempt_id"), column("assignment_id"))
SUBMISSION = SUBMISSIONS.c
ASSIGNMENTS = named_table("assignment", column("id"), column("classroom_id"))
ASSIGNMENT = ASSIGNMENTS.c
OF_SUBMISSION = ASSIGNMENT.id == SUBMISSION.assignment_id


def class_of(attempt_id: Any) -> ScalarSelect[Any]:
    """The class in which an attempt was assigned; null for what somebody does by themselves."""
    is_submission = SUBMISSION.attempt_id == attempt_id
    classes = select(ASSIGNMENT.classroom_id).where(is_submission, OF_SUBMISSION)
    return classes.scalar_subquery()


CLASS_OF_ATTEMPT = class_of(bindparam("attempt"))
COUNT_OF_LEARNER = COUNT.learner_id == bindparam("learner")
IN_SAME_CLASS = COUNT.classroom_id.is_not_distinct_from(CLASS_OF_ATTEMPT)
IS_ITEM = COUNT.item == bindparam("bare_item")
IS_COUNTED = and_(COUNT_OF_LEARNER, IN_SAME_CLASS, IS_ITEM)
ANSWERED_AT: Any = bindparam("answered_at", type_=COUNT.last_at.type)
RIGHT: Any = bindparam("right", type_=COUNT.clean.type)
IF_NEWER = (COUNT.last_at < ANSWERED_AT, ANSWERED_AT)
NEWER_TIME: Any = case(IF_NEWER, else_=COUNT.last_at)
COUNTED_ONCE_MORE = {"tried": COUNT.tried + 1, "clean": COUNT.clean + RIGHT, "last_at": NEWER_TIME}
COUNT_OF_ITEM = Prepared(select(COUNT.id).where(IS_COUNTED))
IS_COUNT = COUNT.id == bindparam("count")
COUNT_ONE_MORE = Prepared(update(COUNTS).where(IS_COUNT).values(COUNTED_ONCE_MORE))
COUNT_COLUMNS = ("learner_id", "classroom_id", "item", "tried", "clean", "last_at")
NEW_LEARNER: Any = bindparam("learner", type_=COUNT.learner_id.type)
NEW_ITEM: Any = bindparam("bare_item", type_=COUNT.item.type)
ONCE: Any = literal_column("1")
FIRST_COUNT: Select[Any] = select(NEW_LEARNER, CLASS_OF_ATTEMPT, NEW_ITEM, ONCE, RIGHT, ANSWERED_AT)
NEW_COUNT = insert(COUNTS).from_select(COUNT_COLUMNS, FIRST_COUNT)
COUNT_FIRST = Prepared(NEW_COUNT)


class FirstTry:
    """A first try that is about to be written, and the count to which it will be added."""

    def __init__(self, session: VerbSession, log: ItemLog, item_ref: str) -> None:
        self._session = session
        self._key = {"learner": log.learner_id, "attempt": log.attempt_id, "bare_item": item_of(item_ref)}
        self._counts = session.later(COUNT_OF_ITEM, **self._key)

    def count(self, right_at_once: bool, now: datetime) -> None:
        """Count it, now that it is written."""
        figures = {"right": int(right_at_once), "answered_at": now}
        counts = self._counts()
        if counts:
            [(count_id,)] = counts
            self._session.run(COUNT_ONE_MORE, count=count_id, **figures)
        else:
            self._session.run(COUNT_FIRST, **self._key, **figures)


FORGET = Prepared(delete(COUNTS).where(COUNT_OF_LEARNER))
# An item without the number of a question: `item_of`, in what every database runs.
UP_TO_SIGN: Any = func.rtrim(RESPONSE.item, "0123456789")
WITHOUT_NUMBER: Any = func.rtrim(UP_TO_SIGN, "#")
IF_QUESTION = (RESPONSE.item.contains("#"), WITHOUT_NUMBER)
BARE_ITEM = case(IF_QUESTION, else_=RESPONSE.item)
RIGHT_AT_ONCE = is_right_alone(RESPONSE) & (RESPONSE.hints == 0)
WITH_ANSWERS = table(Attempt).join(table(Response), RESPONSE.attempt_id == ATTEMPT.id)
WITH_SUBMISSION = WITH_ANSWERS.outerjoin(SUBMISSIONS, SUBMISSION.attempt_id == ATTEMPT.id)
WITH_CLASS = WITH_SUBMISSION.outerjoin(ASSIGNMENTS, OF_SUBMISSION)
HAS_CLASS = or_(ATTEMPT.source != "assignment", ASSIGNMENT.classroom_id.is_not(None))
BY_LEARNER = ATTEMPT.learner_id == bindparam("learner")
FIRST_TRIES = and_(BY_LEARNER, RESPONSE.try_number == 1, HAS_CLASS)
ONE_IF_RIGHT: Any = case((RIGHT_AT_ONCE, 1), else_=0)
RIGHT_COUNT: Any = func.sum(ONE_IF_RIGHT)
LAST_AT: Any = func.max(RESPONSE.created_at)
BY_ITEM = (ATTEMPT.learner_id, ASSIGNMENT.classroom_id, BARE_ITEM)
NEW_COUNTS = (func.count(), RIGHT_COUNT, LAST_AT)
FOLD: Select[Any] = select(*BY_ITEM, *NEW_COUNTS).select_from(WITH_CLASS)
FOLDED_TRIES = FOLD.where(FIRST_TRIES)
FOLD_BY_ITEM = FOLDED_TRIES.group_by(*BY_ITEM)
FOLDED_COUNTS = insert(COUNTS).from_select(COUNT_COLUMNS, FOLD_BY_ITEM)
FOLD_ANSWERS = Prepared(FOLDED_COUNTS)


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
ANSWERED_LAST: Any = func.max(COUNT.last_at)
ITEMS: Any = func.aggregate_strings(COUNT.item, COMMA)
FIGURE = cast(COUNT.tried, BigInteger) * TRIED + COUNT.clean
FIGURES: Any = func.aggregate_strings(cast(FIGURE, String), COMMA)
OF_LEARNER = select(COUNT.learner_id, ANSWERED_LAST.label("answered_at"), ITEMS.label("items"))
WITH_FIGURES = OF_LEARNER.add_columns(FIGURES.label("figures"))
TRIES: Select[Any] = WITH_FIGURES.group_by(COUNT.learner_id)
"""The counts of some learners, each in one row: thousands of rows would take far longer."""
