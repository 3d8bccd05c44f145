"""What a learner's answers to every item come to, kept in the transaction that writes an answer.

The rows are equal to the log, folded; `refold` makes them again from it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    String,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    type_coerce,
    update,
)

from app.course.practice.mastery import WINDOW
from app.course.practice.notebook import MOST_CLEANS, MOST_WRONGS
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession, adding, stored, time_of
from app.records.learning.mastery import (
    CLEAN,
    FIRST_UNAIDED,
    LATER,
    MISSED,
    RIGHT,
    Past,
    attempt,
    clean,
    mine,
    practised,
    response,
)
from app.records.learning.tables import Attempt, ItemSum
from app.records.learning.values import FAR

SUMS = table(ItemSum)
SUM = SUMS.c
UNCOUNTED = -1
"""What an answer counts as that is neither right nor a first one without help."""
ASSIGNED = attempt.source == "assignment"
COUNTED = (
    response.id,
    case((clean, CLEAN), (RIGHT, LATER), (FIRST_UNAIDED, MISSED), else_=UNCOUNTED).label("counts_as"),
    (response.verdict == "wrong").label("is_wrong"),
    response.misconception,
    type_coerce(response.created_at, String).label("answered_at"),
)
"""The columns of `SummedAnswer`; times as the driver gives them, for few matter."""
ANSWERS = (
    response.item,
    *COUNTED,
    practised.label("in_practice"),
    type_coerce(attempt.shown_from, String).label("shown_from"),
)
"""An item, and the arguments of `ItemTotals.add`."""
TO_BE_SHOWN = or_(attempt.shown_from.is_(None), attempt.shown_from < FAR)
SUMMED = and_(attempt.learner_id == bindparam("learner"), response.attempt_id == attempt.id, TO_BE_SHOWN)


class SummedAnswer(NamedTuple):
    """An answer, and what it counts as."""

    number: int
    counts_as: int
    is_wrong: bool
    misconception: str | None
    answered_at: str


@dataclass(slots=True)
class ItemTotals:
    """The answers to one item; the fields are those of `ItemSum`, their lists read from JSON."""

    recent: list[list[Any]] = field(default_factory=list)
    first_clean_at: str | None = None
    clean: int = 0
    later: int = 0
    cleans: list[int] = field(default_factory=list)
    sealed_until: str | None = None
    wrong: int = 0
    mistakes: dict[str, list[Any]] = field(default_factory=dict)
    wrongs: list[list[Any]] = field(default_factory=list)

    def add(
        self,
        number: int,
        counts_as: int,
        is_wrong: bool,
        misconception: str | None,
        answered_at: str,
        in_practice: bool,
        shown_from: str | None,
    ) -> None:
        """The next answer, in the order of numbers."""
        if counts_as == LATER:
            self.later += in_practice
        elif counts_as != UNCOUNTED:
            self.recent.insert(0, [number, int(counts_as == CLEAN), answered_at])
            del self.recent[WINDOW:]
        if counts_as == CLEAN:
            self.first_clean_at = self.first_clean_at or answered_at
            self.clean += in_practice
            self.cleans.insert(0, number)
            del self.cleans[MOST_CLEANS:]
        if is_wrong:
            self.add_wrong(number, misconception or "", answered_at)
        if shown_from:
            self.sealed_until = max(shown_from, self.sealed_until or "")

    def add_wrong(self, number: int, misconception: str, answered_at: str) -> None:
        """A wrong answer. Misconception `""`: it was not recognized."""
        times = 1
        if misconception in self.mistakes:
            times += self.mistakes[misconception][0]
        self.mistakes[misconception] = [times, number, answered_at]
        self.wrong += 1
        self.wrongs.insert(0, [number, answered_at, misconception])
        del self.wrongs[MOST_WRONGS:]

    def columns(self) -> dict[str, Any]:
        """As the table keeps it."""
        return {
            "recent": packed(self.recent),
            "first_clean_at": self.first_clean_at and time_of(self.first_clean_at),
            "clean": self.clean,
            "later": self.later,
            "cleans": packed(self.cleans),
            "sealed_until": self.sealed_until and time_of(self.sealed_until),
            "wrong": self.wrong,
            "mistakes": packed(self.mistakes),
            "wrongs": "\n".join(map(COMPACT.encode, self.wrongs)),
        }


COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def packed(value: list[Any] | dict[str, Any]) -> str:
    """JSON without spaces; most lists are empty."""
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return COMPACT.encode(value)


def wrongs_of(text: str, most: int = MOST_WRONGS) -> list[list[Any]]:
    """The newest wrong answers of a row; the others are not even read.

    >>> wrongs_of('[9,"2026-09-02",""]\\n[8,"2026-09-01","natural_log"]', 1)
    [[9, '2026-09-02', '']]
    """
    if not text:
        return []
    lines = text.split("\n", most)[:most]
    wrongs: list[list[Any]] = json.loads(f"[{','.join(lines)}]")
    return wrongs


def folded(answers: Iterable[Row]) -> dict[str, ItemTotals]:
    """`ANSWERS` in the order of numbers, by item."""
    totals: dict[str, ItemTotals] = {}
    for item, *answer in answers:
        if item not in totals:
            totals[item] = ItemTotals()
        totals[item].add(*answer)
    return totals


COLUMNS: tuple[ColumnElement[Any], ...] = (
    SUM.recent,
    type_coerce(SUM.first_clean_at, String).label("first_clean_at"),
    SUM.clean,
    SUM.later,
    SUM.cleans,
    type_coerce(SUM.sealed_until, String).label("sealed_until"),
    SUM.wrong,
    SUM.mistakes,
    SUM.wrongs,
)
"""A row as `unpacked` takes it."""


def unpacked(row: Row) -> ItemTotals:
    """A row of the table."""
    recent, first_clean_at, right, later, cleans, sealed_until, wrong, mistakes, wrongs = row
    return ItemTotals(
        recent=json.loads(recent),
        first_clean_at=first_clean_at,
        clean=right,
        later=later,
        cleans=json.loads(cleans),
        sealed_until=sealed_until,
        wrong=wrong,
        mistakes=json.loads(mistakes),
        wrongs=wrongs_of(wrongs),
    )


# Written.

OF_ITEM = and_(SUM.learner_id == bindparam("learner"), SUM.item == bindparam("name"))
ADD = adding(ItemSum)
SET = Prepared(update(SUMS).where(OF_ITEM), keys=tuple(ItemTotals.__slots__))


# Made again from the log.

LOG = Prepared(select(*ANSWERS).where(SUMMED).order_by(response.id))
REMOVE_ALL = Prepared(delete(SUMS).where(SUM.learner_id == bindparam("learner")))
ITEMS_OF_ATTEMPT = select(response.item).where(response.attempt_id == bindparam("attempt"))
LOG_OF_QUESTIONS = Prepared(
    select(*ANSWERS)
    .where(SUMMED, ASSIGNED, response.item.in_(ITEMS_OF_ATTEMPT.correlate(None).scalar_subquery()))
    .order_by(response.id)
)
REMOVE_QUESTIONS = Prepared(
    delete(SUMS).where(SUM.learner_id == bindparam("learner"), SUM.item.in_(ITEMS_OF_ATTEMPT))
)


def refold(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    totals = folded(session.each(LOG, learner=learner_id))
    session.run(REMOVE_ALL, learner=learner_id)
    write(session, learner_id, totals)


def refold_questions(session: VerbSession, learner_id: int, attempt_id: int) -> None:
    """The sums of the questions that were answered in an attempt at an assignment.

    Their items bear the number of a question, and are answered in assignments only.
    """
    totals = folded(session.each(LOG_OF_QUESTIONS, learner=learner_id, attempt=attempt_id))
    session.run(REMOVE_QUESTIONS, learner=learner_id, attempt=attempt_id)
    write(session, learner_id, totals)


def write(session: VerbSession, learner_id: int, totals: Mapping[str, ItemTotals]) -> None:
    rows: list[Mapping[str, Any]] = [
        {"learner_id": learner_id, "item": item, **totals[item].columns()} for item in totals
    ]
    if rows:
        session.execute(insert(SUMS), rows)


ATTEMPT_SHOWN = Prepared(
    select(attempt.learner_id, attempt.shown_from).where(attempt.id == bindparam("attempt"))
)
SET_SHOWN = Prepared(update(table(Attempt)).where(attempt.id == bindparam("attempt")), keys=("shown_from",))


def show_from(session: VerbSession, attempt_id: int, shown_from: datetime | None) -> None:
    """From when the learner of an attempt at an assignment may know how it went."""
    [(learner_id, before)] = session.all(ATTEMPT_SHOWN, attempt=attempt_id)
    if before == shown_from:
        return
    session.run(SET_SHOWN, attempt=attempt_id, shown_from=shown_from)
    refold_questions(session, learner_id, attempt_id)


# Read.

OF_LEARNER = SUM.learner_id == bindparam("learner")
SEALED_UNTIL = type_coerce(SUM.sealed_until, String)
FOR_MASTERY = Prepared(
    select(
        SUM.item,
        SEALED_UNTIL,
        SUM.recent,
        type_coerce(SUM.first_clean_at, String),
        SUM.clean,
        SUM.later,
    ).where(OF_LEARNER)
)
FOR_NOTEBOOK = Prepared(
    select(SUM.item, SEALED_UNTIL, SUM.cleans, SUM.wrong, SUM.mistakes, SUM.wrongs).where(OF_LEARNER)
)
SEALED_LOG = Prepared(
    select(*ANSWERS)
    .where(mine, ASSIGNED, OF_LEARNER, SUM.sealed_until > bindparam("now"), response.item == SUM.item)
    .order_by(response.id)
)


def past(session: VerbSession, learner_id: int, now: datetime) -> Past:
    """The past of one learner, as far as they may know it."""
    answered = Past()
    sealed = False
    known_until = stored(now)
    rows = list(session.each(FOR_MASTERY, learner=learner_id))
    lists = json.loads(f"[{','.join([row[2] for row in rows])}]")  # all at once: a third of the time
    for (item, sealed_until, _, since, right, later), recent in zip(rows, lists, strict=True):
        if sealed_until and sealed_until > known_until:
            sealed = True
            continue
        answered.add(item, recent, since, right, later)
    if sealed:
        for item, totals in known_of_sealed(session, learner_id, now).items():
            answered.add(item, totals.recent, totals.first_clean_at, totals.clean, totals.later)
    return answered


def mistakes(session: VerbSession, learner_id: int, now: datetime, most: int) -> dict[str, ItemTotals]:
    """By item what a notebook of mistakes needs, as far as the learner may know it; the rest is empty.

    `most`: so many wrong answers of an item at most.
    """
    totals: dict[str, ItemTotals] = {}
    sealed = False
    known_until = stored(now)
    for item, sealed_until, cleans, wrong, kinds, wrongs in session.each(FOR_NOTEBOOK, learner=learner_id):
        if sealed_until and sealed_until > known_until:
            sealed = True
            continue
        totals[item] = ItemTotals(cleans=json.loads(cleans), wrong=wrong)
        if wrong:
            totals[item].mistakes = json.loads(kinds)
            totals[item].wrongs = wrongs_of(wrongs, most)
    if sealed:
        totals |= known_of_sealed(session, learner_id, now)
    return totals


def known_of_sealed(session: VerbSession, learner_id: int, now: datetime) -> dict[str, ItemTotals]:
    """The items with results that are still to come, from those that are out."""
    return folded(session.each(SEALED_LOG, learner=learner_id, now=now))
