"""What a learner's answers to every item come to, kept in the transaction that writes an answer.

The rows are equal to the log, folded; `sum_answers_anew` makes them again from it. `past_answers` reads them.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, and_, bindparam, case, delete, or_, select

from app.course.practice.item_mistakes import MOST_CLEAN_RESPONSES, MOST_WRONG_RESPONSES
from app.records.accounts import learners
from app.records.db.days import DayOf
from app.records.db.metadata import table
from app.records.db.portable import StoredMoment
from app.records.db.session import VerbSession, insert_rows
from app.records.db.statements import PreparedStatement, Row, prepared_insert, prepared_update
from app.records.db.stored_times import stored_time, time_of
from app.records.learning.answer_history import first_answers_to_keep, insert_by_moment
from app.records.learning.rows import (
    ATTEMPT,
    IS_ATTEMPT,
    IS_CLEAN,
    IS_FIRST_UNAIDED,
    IS_PRACTICE,
    IS_RIGHT,
    IS_WRONG,
    RESPONSE,
)
from app.records.learning.tables import Attempt, ItemSum
from app.records.learning.values import FAR_FUTURE, ItemLog

ITEM_SUM_TABLE = table(ItemSum)
ITEM_SUM = ITEM_SUM_TABLE.c
COUNTS_AS_CLEAN, COUNTS_AS_LATER, COUNTS_AS_MISSED = 2, 1, 0
"""What an answer counts as: right at once and without help; right otherwise; not right at once, without help.
"""
COUNTS_AS_NOTHING = -1
"""What an answer counts as that is neither right nor a first one without help."""
IS_ASSIGNED = ATTEMPT.source == "assignment"
COUNTS_AS = case(
    (IS_CLEAN, COUNTS_AS_CLEAN),
    (IS_RIGHT, COUNTS_AS_LATER),
    (IS_FIRST_UNAIDED, COUNTS_AS_MISSED),
    else_=COUNTS_AS_NOTHING,
)


ANSWERED_AT = StoredMoment(RESPONSE.created_at)
SHOWN_FROM = StoredMoment(ATTEMPT.shown_from)
"""Times as they are stored: of many that are read, few matter."""
COUNTED_COLUMNS = (
    RESPONSE.id,
    COUNTS_AS.label("counts_as"),
    IS_WRONG.label("is_wrong"),
    RESPONSE.misconception_code,
    ANSWERED_AT.label("answered_at"),
)
"""The columns of `AnswerToAdd`."""
COUNTED_ANSWERS: Select[Any] = select(
    RESPONSE.item_ref,
    *COUNTED_COLUMNS,
    IS_PRACTICE.label("in_practice"),
    SHOWN_FROM.label("shown_from"),
).order_by(RESPONSE.id)
"""Items, answers, whether in practice, and from when its learner may know; in the order of numbers."""
IS_TO_BE_SUMMED = and_(
    ATTEMPT.learner_id == bindparam("learner"),
    RESPONSE.attempt_id == ATTEMPT.id,
    or_(ATTEMPT.shown_from.is_(None), ATTEMPT.shown_from < FAR_FUTURE),
)
"""The condition that an answer is one of `learner`, who will know some time how it went."""


class AnswerToAdd(NamedTuple):
    """An answer, and what it counts as."""

    response_id: int
    counts_as: int
    is_wrong: bool
    misconception_code: str | None
    answered_at: str


@dataclass(slots=True)
class ItemTotals:
    """The answers to one item; the fields are those of `ItemSum`, their lists read from JSON."""

    first_answers: list[list[Any]] = field(default_factory=list)
    first_clean_at: str | None = None
    clean_count: int = 0
    right_later_count: int = 0
    clean_moments: list[list[Any]] = field(default_factory=list)
    sealed_until: str | None = None
    wrong_count: int = 0
    mistake_totals_by_misconception_code: dict[str, list[Any]] = field(default_factory=dict)
    wrong_answers: list[list[Any]] = field(default_factory=list)

    def add_answer(
        self, answer_to_add: AnswerToAdd, is_practice: bool, shown_from_text: str | None, day_of_moment: DayOf
    ) -> None:
        """One more answer, in whatever order they come. `shown_from_text`: when its learner may know how it
        went, for one whose attempt has such a time; `day_of_moment`: the calendar of the learner."""
        answer_moment = [answer_to_add.answered_at, answer_to_add.response_id]
        is_clean = answer_to_add.counts_as == COUNTS_AS_CLEAN
        if answer_to_add.counts_as == COUNTS_AS_LATER:
            self.right_later_count += is_practice
        elif answer_to_add.counts_as != COUNTS_AS_NOTHING:
            insert_by_moment([*answer_moment, int(is_clean)], self.first_answers)
            self.first_answers = first_answers_to_keep(self.first_answers, day_of_moment)
        if is_clean:
            earlier_clean_at = self.first_clean_at or answer_to_add.answered_at
            self.first_clean_at = min(earlier_clean_at, answer_to_add.answered_at)
            self.clean_count += is_practice
            insert_by_moment(answer_moment, self.clean_moments)
            del self.clean_moments[MOST_CLEAN_RESPONSES:]
        if answer_to_add.is_wrong:
            self.add_wrong_answer(answer_moment, answer_to_add.misconception_code or "")
        if shown_from_text:
            self.sealed_until = max(shown_from_text, self.sealed_until or "")

    def add_wrong_answer(self, answer_moment: list[Any], misconception_code: str) -> None:
        """A wrong answer. Code `""`: its misconception was not recognized."""
        mistake_count, last_moment = 1, answer_moment
        if misconception_code in self.mistake_totals_by_misconception_code:
            *known_moment, known_count = self.mistake_totals_by_misconception_code[misconception_code]
            mistake_count += known_count
            last_moment = max(known_moment, answer_moment)
        self.mistake_totals_by_misconception_code[misconception_code] = [*last_moment, mistake_count]
        self.wrong_count += 1
        insert_by_moment([*answer_moment, misconception_code], self.wrong_answers)
        del self.wrong_answers[MOST_WRONG_RESPONSES:]

    def fields_to_store(self) -> dict[str, Any]:
        """The fields of a row, lists as JSON and times as times."""
        stored_fields = {field_name: getattr(self, field_name) for field_name in ItemTotals.__slots__}
        for field_name in ("first_clean_at", "sealed_until"):
            if stored_fields[field_name]:
                stored_fields[field_name] = time_of(stored_fields[field_name])
        for field_name in ("first_answers", "clean_moments", "mistake_totals_by_misconception_code"):
            stored_fields[field_name] = pack_json(stored_fields[field_name])
        stored_fields["wrong_answers"] = pack_wrong_answers(self.wrong_answers)
        return stored_fields


COMPACT_JSON = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def pack_json(lists_or_mapping: list[Any] | dict[str, Any]) -> str:
    """JSON without spaces; most lists are empty."""
    if not lists_or_mapping:
        return "{}" if isinstance(lists_or_mapping, dict) else "[]"
    return COMPACT_JSON.encode(lists_or_mapping)


def pack_wrong_answers(wrong_answer_triples: Iterable[list[Any]]) -> str:
    """Wrong answers as a row keeps them: each on a line of its own, so that the newest can be read alone."""
    return "\n".join(map(COMPACT_JSON.encode, wrong_answer_triples))


def unpack_wrong_answers(packed_answers: str, most_answers: int = MOST_WRONG_RESPONSES) -> list[list[Any]]:
    """The newest wrong answers of a row; the others are not even read.

    >>> unpack_wrong_answers('["2026-09-02",9,""]\\n["2026-09-01",8,"natural_log"]', 1)
    [['2026-09-02', 9, '']]
    """
    joined_triples = ",".join(packed_answers.split("\n", most_answers)[:most_answers])
    wrong_answer_triples: list[list[Any]] = json.loads(f"[{joined_triples}]")
    return wrong_answer_triples


def join_wrong_answers(packed_answer: str, packed_earlier_answers: str) -> str:
    """Packed wrong answers with one more, as many as a row keeps. Where it is newer than they are, as mostly,
    they are not read.

    >>> join_wrong_answers('["2026-09-02",9,""]', ""), join_wrong_answers("", '["2026-09-01",8,""]')
    ('["2026-09-02",9,""]', '["2026-09-01",8,""]')
    >>> join_wrong_answers('["2026-09-01",9,""]', '["2026-09-02",8,""]').split()
    ['["2026-09-02",8,""]', '["2026-09-01",9,""]']
    """
    if not packed_answer or not packed_earlier_answers:
        return packed_answer or packed_earlier_answers
    answer_lines = [packed_answer, *packed_earlier_answers.split("\n")]
    if json.loads(answer_lines[0]) < json.loads(answer_lines[1]):
        answer_lines.sort(key=json.loads, reverse=True)
    return "\n".join(answer_lines[:MOST_WRONG_RESPONSES])


def fold_answers(answer_rows: Iterable[Row], day_of_moment: DayOf) -> dict[str, ItemTotals]:
    """`COUNTED_ANSWERS` in the order of numbers, by item."""
    totals_by_item_ref: dict[str, ItemTotals] = {}
    for item_ref, *answer_columns, is_practice, shown_from_text in answer_rows:
        if item_ref not in totals_by_item_ref:
            totals_by_item_ref[item_ref] = ItemTotals()
        answer_to_add = AnswerToAdd(*answer_columns)
        totals_by_item_ref[item_ref].add_answer(answer_to_add, is_practice, shown_from_text, day_of_moment)
    return totals_by_item_ref


class StoredSum(NamedTuple):
    """A row of the table without its key: lists are JSON, times as they are stored."""

    first_answers_json: str
    first_clean_at: str | None
    clean_count: int
    right_later_count: int
    clean_moments_json: str
    sealed_until: str | None
    wrong_count: int
    mistake_totals_json: str
    packed_wrong_answers: str

    @property
    def item_totals(self) -> ItemTotals:
        """The row, read."""
        return ItemTotals(
            json.loads(self.first_answers_json),
            self.first_clean_at,
            self.clean_count,
            self.right_later_count,
            json.loads(self.clean_moments_json),
            self.sealed_until,
            self.wrong_count,
            json.loads(self.mistake_totals_json),
            unpack_wrong_answers(self.packed_wrong_answers),
        )


FIRST_CLEAN_AT = StoredMoment(ITEM_SUM.first_clean_at)
SEALED_UNTIL = StoredMoment(ITEM_SUM.sealed_until)
STORED_SUMS: Select[Any] = select(
    ITEM_SUM.first_answers,
    FIRST_CLEAN_AT,
    ITEM_SUM.clean_count,
    ITEM_SUM.right_later_count,
    ITEM_SUM.clean_moments,
    SEALED_UNTIL,
    ITEM_SUM.wrong_count,
    ITEM_SUM.mistake_totals_by_misconception_code,
    ITEM_SUM.wrong_answers,
)
"""The columns of `StoredSum`."""


# One more answer.

IS_SUM_OF_LEARNER = ITEM_SUM.learner_id == bindparam("learner")
IS_SUM_OF_ITEM = and_(IS_SUM_OF_LEARNER, ITEM_SUM.item_ref == bindparam("item"))
SUM_OF_ITEM = PreparedStatement(STORED_SUMS.where(IS_SUM_OF_ITEM))
ADD_SUM = prepared_insert(ItemSum)
SET_SUM = prepared_update(ItemSum, IS_SUM_OF_ITEM, ItemTotals.__slots__)


class ItemSumUpdate:
    """The sum of an item to which an answer will be added: asked for before that is written."""

    def __init__(self, session: VerbSession, item_log: ItemLog, item_ref: str) -> None:
        self._session = session
        self._log = item_log
        self._item_ref = item_ref
        self._pending_sum_rows = session.send(SUM_OF_ITEM, learner=item_log.learner_id, item=item_ref)

    def add_answer(self, answer_to_add: AnswerToAdd, day_of_moment: DayOf) -> None:
        """Add it to the sum, now that it is written. `day_of_moment`: the calendar of the learner."""
        is_practice = self._log.source == "practice"
        shown_from_text = None
        if self._log.shown_from:
            shown_from_text = stored_time(self._log.shown_from)
        sum_rows = self._pending_sum_rows.fetch()
        learner_id = self._log.learner_id
        if not sum_rows:
            item_totals = ItemTotals()
            item_totals.add_answer(answer_to_add, is_practice, shown_from_text, day_of_moment)
            sum_columns = item_totals.fields_to_store()
            self._session.run(ADD_SUM, learner_id=learner_id, item_ref=self._item_ref, **sum_columns)
            return
        [sum_row] = sum_rows
        stored_sum = StoredSum(*sum_row)
        # The wrong answers are many, and mostly only get one more before them: they are not read.
        item_totals = stored_sum._replace(packed_wrong_answers="").item_totals
        item_totals.add_answer(answer_to_add, is_practice, shown_from_text, day_of_moment)
        sum_columns = item_totals.fields_to_store()
        sum_columns["wrong_answers"] = join_wrong_answers(
            sum_columns["wrong_answers"], stored_sum.packed_wrong_answers
        )
        self._session.run(SET_SUM, learner=learner_id, item=self._item_ref, **sum_columns)


# Made again from the log.

ANSWERS_TO_SUM = PreparedStatement(COUNTED_ANSWERS.where(IS_TO_BE_SUMMED))
REMOVE_SUMS = PreparedStatement(delete(ITEM_SUM_TABLE).where(IS_SUM_OF_LEARNER))
ITEM_REFS_OF_ATTEMPT = select(RESPONSE.item_ref).where(RESPONSE.attempt_id == bindparam("attempt"))
IS_QUESTION_OF_ATTEMPT = RESPONSE.item_ref.in_(ITEM_REFS_OF_ATTEMPT.correlate(None).scalar_subquery())
ANSWERS_TO_QUESTIONS = PreparedStatement(
    COUNTED_ANSWERS.where(IS_TO_BE_SUMMED, IS_ASSIGNED, IS_QUESTION_OF_ATTEMPT)
)
REMOVE_SUMS_OF_QUESTIONS = PreparedStatement(
    delete(ITEM_SUM_TABLE).where(IS_SUM_OF_LEARNER, ITEM_SUM.item_ref.in_(ITEM_REFS_OF_ATTEMPT))
)


def sum_answers_anew(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    day_of_moment = learners.day_of_moment_of(session, learner_id)
    answer_rows = session.stream(ANSWERS_TO_SUM, learner=learner_id)
    totals_by_item_ref = fold_answers(answer_rows, day_of_moment)
    session.run(REMOVE_SUMS, learner=learner_id)
    add_sums(session, learner_id, totals_by_item_ref)


def sum_questions_anew(session: VerbSession, learner_id: int, attempt_id: int) -> None:
    """The sums of the questions that were answered in an attempt at an assignment.

    Their items bear the number of a question, and are answered in assignments only.
    """
    day_of_moment = learners.day_of_moment_of(session, learner_id)
    answer_rows = session.stream(ANSWERS_TO_QUESTIONS, learner=learner_id, attempt=attempt_id)
    totals_by_item_ref = fold_answers(answer_rows, day_of_moment)
    session.run(REMOVE_SUMS_OF_QUESTIONS, learner=learner_id, attempt=attempt_id)
    add_sums(session, learner_id, totals_by_item_ref)


def add_sums(session: VerbSession, learner_id: int, totals_by_item_ref: Mapping[str, ItemTotals]) -> None:
    """Write the sums of items that have none: all in one statement, however many questions an attempt has."""
    new_sum_rows: list[Mapping[str, Any]] = []
    for item_ref, item_totals in totals_by_item_ref.items():
        new_sum_rows.append({"learner_id": learner_id, "item_ref": item_ref, **item_totals.fields_to_store()})
    insert_rows(session, ItemSum, new_sum_rows)


LEARNER_AND_SHOWN_FROM = PreparedStatement(select(ATTEMPT.learner_id, ATTEMPT.shown_from).where(IS_ATTEMPT))
SET_SHOWN_FROM = prepared_update(Attempt, IS_ATTEMPT, ["shown_from"])


def set_shown_from(session: VerbSession, attempt_id: int, shown_from: datetime | None) -> None:
    """From when the learner of an attempt at an assignment may know how it went."""
    [(learner_id, old_shown_from)] = session.all(LEARNER_AND_SHOWN_FROM, attempt=attempt_id)
    if old_shown_from == shown_from:
        return
    session.run(SET_SHOWN_FROM, attempt=attempt_id, shown_from=shown_from)
    sum_questions_anew(session, learner_id, attempt_id)
