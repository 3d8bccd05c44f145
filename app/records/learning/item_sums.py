"""What a learner's answers to every item come to, kept in the transaction that writes an answer.

The rows are equal to the log, folded; `refold` makes them again from it. `past_answers` reads them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Select,
    and_,
    bindparam,
    case,
    delete,
    insert,
    or_,
    select,
    update,
)

from app.course.practice.item_mistakes import MOST_CLEANS, MOST_WRONGS
from app.course.practice.mastery import WINDOW
from app.records.db.metadata import table
from app.records.db.portable import StoredMoment
from app.records.db.session import Prepared, Row, VerbSession, adding, time_of
from app.records.learning.mastery import CLEAN, FIRST_UNAIDED, IS_CLEAN, IS_PRACTICE, LATER, MISSED, RIGHT
from app.records.learning.rows import ATTEMPT, RESPONSE
from app.records.learning.tables import Attempt, ItemSum
from app.records.learning.values import FAR_FUTURE

SUMS = table(ItemSum)
SUM = SUMS.c
COUNTS_AS_NOTHING = -1
"""What an answer counts as that is neither right nor a first one without help."""
IS_ASSIGNED = ATTEMPT.source == "assignment"
COUNTS_AS = case((IS_CLEAN, CLEAN), (RIGHT, LATER), (FIRST_UNAIDED, MISSED), else_=COUNTS_AS_NOTHING)
IS_WRONG = RESPONSE.verdict == "wrong"


def stored_time(moment: Any, label: str) -> ColumnElement[Any]:
    """A time as it is stored: of many that are read, few matter."""
    return StoredMoment(moment).label(label)


COUNTED_COLUMNS = (
    RESPONSE.id,
    COUNTS_AS.label("counts_as"),
    IS_WRONG.label("is_wrong"),
    RESPONSE.misconception,
    stored_time(RESPONSE.created_at, "answered_at"),
)
"""The columns of `SummedAnswer`."""
COUNTED_ANSWERS: Select[Any] = select(
    RESPONSE.item,
    *COUNTED_COLUMNS,
    IS_PRACTICE.label("in_practice"),
    stored_time(ATTEMPT.shown_from, "shown_from"),
).order_by(RESPONSE.id)
"""Items, answers, whether in practice, and from when its learner may know; in the order of numbers."""
IS_TO_BE_SUMMED = and_(
    ATTEMPT.learner_id == bindparam("learner"),
    RESPONSE.attempt_id == ATTEMPT.id,
    or_(ATTEMPT.shown_from.is_(None), ATTEMPT.shown_from < FAR_FUTURE),
)
"""The condition that an answer is one of `learner`, who will know some time how it went."""


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

    def add(self, answer: SummedAnswer, in_practice: bool, shown_from: str | None) -> None:
        """The next answer, in the order of numbers. `shown_from`: when its learner may know how it went, for
        one whose attempt has such a time."""
        if answer.counts_as == LATER:
            self.later += in_practice
        elif answer.counts_as != COUNTS_AS_NOTHING:
            first_answer = [answer.number, int(answer.counts_as == CLEAN), answer.answered_at]
            self.recent.insert(0, first_answer)
            del self.recent[WINDOW:]
        if answer.counts_as == CLEAN:
            self.first_clean_at = self.first_clean_at or answer.answered_at
            self.clean += in_practice
            self.cleans.insert(0, answer.number)
            del self.cleans[MOST_CLEANS:]
        if answer.is_wrong:
            self.add_wrong(answer.number, answer.misconception or "", answer.answered_at)
        if shown_from:
            self.sealed_until = max(shown_from, self.sealed_until or "")

    def add_wrong(self, number: int, misconception: str, answered_at: str) -> None:
        """A wrong answer. Misconception `""`: it was not recognized."""
        count = 1
        if misconception in self.mistakes:
            count += self.mistakes[misconception][0]
        self.mistakes[misconception] = [count, number, answered_at]
        self.wrong += 1
        wrong_answer = [number, answered_at, misconception]
        self.wrongs.insert(0, wrong_answer)
        del self.wrongs[MOST_WRONGS:]

    def columns(self) -> dict[str, Any]:
        """As the table keeps it."""
        columns = {column: getattr(self, column) for column in ItemTotals.__slots__}
        for column in ("first_clean_at", "sealed_until"):
            if columns[column]:
                columns[column] = time_of(columns[column])
        for column in ("recent", "cleans", "mistakes"):
            columns[column] = pack_json(columns[column])
        columns["wrongs"] = text_of_wrongs(self.wrongs)
        return columns


COMPACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_json(value: list[Any] | dict[str, Any]) -> str:
    """JSON without spaces; most lists are empty."""
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return COMPACT_JSON.encode(value)


def text_of_wrongs(wrongs: Iterable[list[Any]]) -> str:
    """Wrong answers as a row keeps them: each on a line of its own, so that the newest can be read alone."""
    return "\n".join(map(COMPACT_JSON.encode, wrongs))


def wrongs_of(text: str, most_wrongs: int = MOST_WRONGS) -> list[list[Any]]:
    """The newest wrong answers of a row; the others are not even read.

    >>> wrongs_of('[9,"2026-09-02",""]\\n[8,"2026-09-01","natural_log"]', 1)
    [[9, '2026-09-02', '']]
    """
    joined_lines = ",".join(text.split("\n", most_wrongs)[:most_wrongs])
    wrongs: list[list[Any]] = json.loads(f"[{joined_lines}]")
    return wrongs


def fold_answers(answers: Iterable[Row]) -> dict[str, ItemTotals]:
    """`COUNTED_ANSWERS` in the order of numbers, by item."""
    totals: dict[str, ItemTotals] = {}
    for item_ref, *columns, in_practice, shown_from in answers:
        if item_ref not in totals:
            totals[item_ref] = ItemTotals()
        totals[item_ref].add(SummedAnswer(*columns), in_practice, shown_from)
    return totals


class StoredSum(NamedTuple):
    """A row of the table without its key: lists are JSON, times as they are stored."""

    recent: str
    first_clean_at: str | None
    clean: int
    later: int
    cleans: str
    sealed_until: str | None
    wrong: int
    mistakes: str
    wrongs: str

    @property
    def totals(self) -> ItemTotals:
        """The row, read."""
        totals = ItemTotals(json.loads(self.recent), self.first_clean_at, self.clean, self.later)
        totals.cleans = json.loads(self.cleans)
        totals.sealed_until = self.sealed_until
        totals.wrong = self.wrong
        totals.mistakes = json.loads(self.mistakes)
        totals.wrongs = wrongs_of(self.wrongs)
        return totals


FIRST_CLEAN_AT = stored_time(SUM.first_clean_at, "first_clean_at")
SEALED_UNTIL = stored_time(SUM.sealed_until, "sealed_until")
STORED_SUMS: Select[Any] = select(
    SUM.recent,
    FIRST_CLEAN_AT,
    SUM.clean,
    SUM.later,
    SUM.cleans,
    SEALED_UNTIL,
    SUM.wrong,
    SUM.mistakes,
    SUM.wrongs,
)
"""The columns of `StoredSum`."""


# Written.

IS_SUM_OF_LEARNER = SUM.learner_id == bindparam("learner")
IS_SUM_OF_ITEM = and_(IS_SUM_OF_LEARNER, SUM.item == bindparam("name"))
ADD_SUM = adding(ItemSum)
SET_SUM = Prepared(update(SUMS).where(IS_SUM_OF_ITEM), keys=tuple(ItemTotals.__slots__))


# Made again from the log.

ANSWERS_TO_SUM = Prepared(COUNTED_ANSWERS.where(IS_TO_BE_SUMMED))
REMOVE_ALL = Prepared(delete(SUMS).where(IS_SUM_OF_LEARNER))
ITEMS_OF_ATTEMPT = select(RESPONSE.item).where(RESPONSE.attempt_id == bindparam("attempt"))
LOG_OF_QUESTIONS = Prepared(
    COUNTED_ANSWERS.where(
        IS_TO_BE_SUMMED, IS_ASSIGNED, RESPONSE.item.in_(ITEMS_OF_ATTEMPT.correlate(None).scalar_subquery())
    )
)
REMOVE_QUESTIONS = Prepared(delete(SUMS).where(IS_SUM_OF_LEARNER, SUM.item.in_(ITEMS_OF_ATTEMPT)))


def refold(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    log = session.each(ANSWERS_TO_SUM, learner=learner_id)
    totals = fold_answers(log)
    session.run(REMOVE_ALL, learner=learner_id)
    write(session, learner_id, totals)


def refold_questions(session: VerbSession, learner_id: int, attempt_id: int) -> None:
    """The sums of the questions that were answered in an attempt at an assignment.

    Their items bear the number of a question, and are answered in assignments only.
    """
    log = session.each(LOG_OF_QUESTIONS, learner=learner_id, attempt=attempt_id)
    totals = fold_answers(log)
    session.run(REMOVE_QUESTIONS, learner=learner_id, attempt=attempt_id)
    write(session, learner_id, totals)


def write(session: VerbSession, learner_id: int, totals: Mapping[str, ItemTotals]) -> None:
    rows: list[Mapping[str, Any]] = []
    for item_ref, totals_of_item in totals.items():
        columns = totals_of_item.columns()
        rows.append({"learner_id": learner_id, "item": item_ref, **columns})
    if rows:
        session.execute(insert(SUMS), rows)


IS_ATTEMPT = ATTEMPT.id == bindparam("attempt")
ATTEMPT_SHOWN = Prepared(select(ATTEMPT.learner_id, ATTEMPT.shown_from).where(IS_ATTEMPT))
SET_SHOWN = Prepared(update(table(Attempt)).where(IS_ATTEMPT), keys=("shown_from",))


def show_from(session: VerbSession, attempt_id: int, shown_from: datetime | None) -> None:
    """From when the learner of an attempt at an assignment may know how it went."""
    [(learner_id, old_shown_from)] = session.all(ATTEMPT_SHOWN, attempt=attempt_id)
    if old_shown_from == shown_from:
        return
    session.run(SET_SHOWN, attempt=attempt_id, shown_from=shown_from)
    refold_questions(session, learner_id, attempt_id)
