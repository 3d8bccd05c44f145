"""What a learner's answers to every item come to, kept in the transaction that writes an answer.

The rows are equal to the log, folded; `refold` makes them again from it.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
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

from app.course.practice.mastery import WINDOW
from app.course.practice.notebook import MOST_CLEANS, MOST_WRONGS
from app.records.db.metadata import table
from app.records.db.portable import StoredMoment
from app.records.db.session import Prepared, Row, VerbSession, adding, stored, time_of
from app.records.learning.mastery import (
    ATTEMPT,
    CLEAN,
    FIRST_UNAIDED,
    IS_CLEAN,
    IS_KNOWN,
    IS_PRACTICE,
    LATER,
    MISSED,
    RESPONSE,
    RIGHT,
    Past,
)
from app.records.learning.tables import Attempt, ItemSum
from app.records.learning.values import FAR

SUMS = table(ItemSum)
SUM = SUMS.c
UNCOUNTED = -1
"""What an answer counts as that is neither right nor a first one without help."""
ASSIGNED = ATTEMPT.source == "assignment"
COUNTS_AS = case((IS_CLEAN, CLEAN), (RIGHT, LATER), (FIRST_UNAIDED, MISSED), else_=UNCOUNTED)
IS_WRONG = RESPONSE.verdict == "wrong"


def stored_time(moment: Any, label: str) -> ColumnElement[Any]:
    """A time as it is stored: of many that are read, few matter."""
    return StoredMoment(moment).label(label)


COUNTED = (
    RESPONSE.id,
    COUNTS_AS.label("counts_as"),
    IS_WRONG.label("is_wrong"),
    RESPONSE.misconception,
    stored_time(RESPONSE.created_at, "answered_at"),
)
"""The columns of `SummedAnswer`."""
IN_PRACTICE = IS_PRACTICE.label("in_practice")
SHOWN_FROM = stored_time(ATTEMPT.shown_from, "shown_from")
COUNTED_ANSWERS: Select[Any] = select(RESPONSE.item, *COUNTED, IN_PRACTICE, SHOWN_FROM).order_by(RESPONSE.id)
"""Items, answers, whether in practice, and from when its learner may know; in the order of numbers."""
TO_BE_SHOWN = or_(ATTEMPT.shown_from.is_(None), ATTEMPT.shown_from < FAR)
OF_ATTEMPT = and_(ATTEMPT.learner_id == bindparam("learner"), RESPONSE.attempt_id == ATTEMPT.id)
SUMMED = and_(OF_ATTEMPT, TO_BE_SHOWN)


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
        elif answer.counts_as != UNCOUNTED:
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
        columns["wrongs"] = "\n".join(map(COMPACT.encode, self.wrongs))
        return columns


COMPACT = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_json(value: list[Any] | dict[str, Any]) -> str:
    """JSON without spaces; most lists are empty."""
    if not value:
        return "{}" if isinstance(value, dict) else "[]"
    return COMPACT.encode(value)


def wrongs_of(text: str, most: int = MOST_WRONGS) -> list[list[Any]]:
    """The newest wrong answers of a row; the others are not even read.

    >>> wrongs_of('[9,"2026-09-02",""]\\n[8,"2026-09-01","natural_log"]', 1)
    [[9, '2026-09-02', '']]
    """
    wrongs: list[list[Any]] = json.loads(json_of_wrongs(text, most))
    return wrongs


def json_of_wrongs(text: str, most: int) -> str:
    """The newest wrong answers of a row as one text of JSON, to be read with those of other rows."""
    joined_lines = ",".join(text.split("\n", most)[:most])
    return f"[{joined_lines}]"


def read_json_texts(texts: Sequence[str]) -> list[Any]:
    """What each of these texts of JSON says, in a third of the time that one by one would take.

    >>> read_json_texts(["[1,2]", "{}"])
    [[1, 2], {}]
    """
    joined_texts = ",".join(texts)
    values: list[Any] = json.loads(f"[{joined_texts}]")
    return values


def fold_answers(answers: Iterable[Row]) -> dict[str, ItemTotals]:
    """`COUNTED_ANSWERS` in the order of numbers, by item."""
    totals: dict[str, ItemTotals] = {}
    for item_ref, *columns, in_practice, shown_from in answers:
        if item_ref not in totals:
            totals[item_ref] = ItemTotals()
        totals[item_ref].add(SummedAnswer(*columns), in_practice, shown_from)
    return totals


FIRST_CLEAN_AT = stored_time(SUM.first_clean_at, "first_clean_at")
SEALED_UNTIL = stored_time(SUM.sealed_until, "sealed_until")
BEFORE_WRONGS = (SUM.recent, FIRST_CLEAN_AT, SUM.clean, SUM.later, SUM.cleans, SEALED_UNTIL)
COLUMNS: tuple[ColumnElement[Any], ...] = (*BEFORE_WRONGS, SUM.wrong, SUM.mistakes, SUM.wrongs)
"""A row as `totals_of_row` takes it."""


def totals_of_row(row: Row) -> ItemTotals:
    """A row of the table."""
    (
        recent_text,
        first_clean_at,
        clean_count,
        later_count,
        cleans_text,
        sealed_until,
        wrong_count,
        mistakes_text,
        wrongs_text,
    ) = row
    totals = ItemTotals(json.loads(recent_text), first_clean_at, clean_count, later_count)
    totals.cleans = json.loads(cleans_text)
    totals.sealed_until = sealed_until
    totals.wrong = wrong_count
    totals.mistakes = json.loads(mistakes_text)
    totals.wrongs = wrongs_of(wrongs_text)
    return totals


# Written.

SUM_OF_LEARNER = SUM.learner_id == bindparam("learner")
OF_ITEM = and_(SUM_OF_LEARNER, SUM.item == bindparam("name"))
ADD = adding(ItemSum)
SET = Prepared(update(SUMS).where(OF_ITEM), keys=tuple(ItemTotals.__slots__))


# Made again from the log.

LOG = Prepared(COUNTED_ANSWERS.where(SUMMED))
REMOVE_ALL = Prepared(delete(SUMS).where(SUM_OF_LEARNER))
ITEMS_OF_ATTEMPT = select(RESPONSE.item).where(RESPONSE.attempt_id == bindparam("attempt"))
IS_QUESTION = RESPONSE.item.in_(ITEMS_OF_ATTEMPT.correlate(None).scalar_subquery())
LOG_OF_QUESTIONS = Prepared(COUNTED_ANSWERS.where(SUMMED, ASSIGNED, IS_QUESTION))
REMOVE_QUESTIONS = Prepared(delete(SUMS).where(SUM_OF_LEARNER, SUM.item.in_(ITEMS_OF_ATTEMPT)))


def refold(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    log = session.each(LOG, learner=learner_id)
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


# Read.

NO_MISTAKES: Mapping[str, Sequence[Any]] = MappingProxyType({})
MASTERY_COLUMNS = (SUM.item, SEALED_UNTIL, SUM.recent, FIRST_CLEAN_AT, SUM.clean, SUM.later)
FOR_MASTERY = Prepared(select(*MASTERY_COLUMNS).where(SUM_OF_LEARNER))
NOTEBOOK_COLUMNS = (SUM.item, SEALED_UNTIL, SUM.cleans, SUM.wrong, SUM.mistakes, SUM.wrongs)
FOR_NOTEBOOK = Prepared(select(*NOTEBOOK_COLUMNS).where(SUM_OF_LEARNER))
IS_SEALED = and_(SUM.sealed_until > bindparam("now"), RESPONSE.item == SUM.item)
SEALED_LOG = Prepared(COUNTED_ANSWERS.where(IS_KNOWN, ASSIGNED, SUM_OF_LEARNER, IS_SEALED))


def load_past(session: VerbSession, learner_id: int, now: datetime) -> Past:
    """The past of one learner, as far as they may know it."""
    past_answers = Past()
    is_sealed = False
    known_until = stored(now)
    rows = list(session.each(FOR_MASTERY, learner=learner_id))
    recent_by_row = read_json_texts([row[2] for row in rows])
    for row, recent_answers in zip(rows, recent_by_row, strict=True):
        item_ref, sealed_until, _, first_clean_at, clean_count, later_count = row
        if sealed_until and sealed_until > known_until:
            is_sealed = True
            continue
        past_answers.add(item_ref, recent_answers, first_clean_at, clean_count, later_count)
    if is_sealed:
        sealed_totals = known_of_sealed(session, learner_id, now)
        for item_ref, totals in sealed_totals.items():
            past_answers.add(item_ref, totals.recent, totals.first_clean_at, totals.clean, totals.later)
    return past_answers


class MistakeTotals(NamedTuple):
    """What a notebook of mistakes needs of an item; the fields are those of `ItemTotals`."""

    cleans: Sequence[int]
    wrong: int = 0
    mistakes: Mapping[str, Sequence[Any]] = NO_MISTAKES
    wrongs: Sequence[Sequence[Any]] = ()


def load_mistakes(
    session: VerbSession, learner_id: int, now: datetime, most: int
) -> dict[str, MistakeTotals]:
    """By item what a notebook of mistakes needs, as far as the learner may know it.

    `most`: so many wrong answers of an item at most.
    """
    totals: dict[str, MistakeTotals] = {}
    is_sealed = False
    known_until = stored(now)
    rows = list(session.each(FOR_NOTEBOOK, learner=learner_id))
    cleans_by_row = read_json_texts([row[2] for row in rows])
    mistakes_by_row = read_json_texts([row[4] for row in rows])
    wrongs_by_row = read_json_texts([json_of_wrongs(row[5], most) for row in rows])
    for row, *lists in zip(rows, cleans_by_row, mistakes_by_row, wrongs_by_row, strict=True):
        item_ref, sealed_until, _, wrong_count, _, _ = row
        if sealed_until and sealed_until > known_until:
            is_sealed = True
            continue
        cleans, mistakes, wrongs = lists
        totals[item_ref] = MistakeTotals(cleans, wrong_count, mistakes, wrongs)
    if is_sealed:
        for item_ref, sealed in known_of_sealed(session, learner_id, now).items():
            totals[item_ref] = MistakeTotals(sealed.cleans, sealed.wrong, sealed.mistakes, sealed.wrongs)
    return totals


def known_of_sealed(session: VerbSession, learner_id: int, now: datetime) -> dict[str, ItemTotals]:
    """The items with results that are still to come, from those that are out."""
    log = session.each(SEALED_LOG, learner=learner_id, now=now)
    return fold_answers(log)
