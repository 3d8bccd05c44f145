"""What a learner's answers come to, as far as they may know it: the sums of their items, read.

An item with results that are still to come has a sum that says more than its learner knows; what is out of
it is folded from the log.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import bindparam, select

from app.course.content.recently_used import RecentlyUsed
from app.records.accounts import learners
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.db.stored_times import stored_time
from app.records.db.trails import rows_digest
from app.records.learning.answer_history import AnswerHistory, read_json_texts
from app.records.learning.item_sums import (
    COUNTED_ANSWERS,
    FIRST_CLEAN_AT,
    IS_ASSIGNED,
    IS_SUM_OF_LEARNER,
    ITEM_SUM,
    SEALED_UNTIL,
    ItemTotals,
    fold_answers,
    pack_json,
    pack_wrong_answers,
)
from app.records.learning.rows import ARE_RESULTS_OUT, ATTEMPT, RESPONSE

T = TypeVar("T")


class MistakeTotals(NamedTuple):
    """What a notebook of mistakes needs of an item, in fields of `ItemTotals`. `packed_wrong_answers`: as the
    table keeps them, for few are shown."""

    clean_moments: Sequence[Sequence[Any]]
    wrong_count: int
    mistake_totals_by_misconception_code: Mapping[str, Sequence[Any]]
    packed_wrong_answers: str


MASTERY_SUMS = PreparedStatement(
    select(
        ITEM_SUM.item_ref,
        SEALED_UNTIL,
        ITEM_SUM.first_answers,
        FIRST_CLEAN_AT,
        ITEM_SUM.clean_count,
        ITEM_SUM.right_later_count,
    ).where(IS_SUM_OF_LEARNER)
)
MISTAKE_SUMS = PreparedStatement(
    select(
        ITEM_SUM.item_ref,
        SEALED_UNTIL,
        ITEM_SUM.clean_moments,
        ITEM_SUM.wrong_count,
        ITEM_SUM.mistake_totals_by_misconception_code,
        ITEM_SUM.wrong_answers,
    ).where(IS_SUM_OF_LEARNER)
)


def load_mastery_sums(session: VerbSession, learner_id: int) -> list[Row]:
    """What the rule of mastery needs of the sums of a learner's items: the columns of `MASTERY_SUMS`."""
    return session.all(MASTERY_SUMS, learner=learner_id)


sealed_until_in = itemgetter(1)
"""`sealed_until` in a row of either statement."""


def is_any_sealed(sum_rows: Sequence[Row], now: datetime) -> bool:
    """Whether some of these sums say more than their learner may know."""
    last_sealed_until = max(filter(None, map(sealed_until_in, sum_rows)), default="")
    return last_sealed_until > stored_time(now)


def sums_known_at(sum_rows: Sequence[Row], now: datetime) -> Sequence[Row]:
    """Those of these sums that say no more than their learner may know."""
    known_until = stored_time(now)
    return [sum_row for sum_row in sum_rows if (sealed_until_in(sum_row) or "") <= known_until]


def history_of(
    session: VerbSession, learner_id: int, sum_rows: Sequence[Row], now: datetime
) -> AnswerHistory:
    """What a learner has answered, from the sums of their items, as far as they may know how it went."""
    answer_history = AnswerHistory()
    known_sums = sums_known_at(sum_rows, now)
    for item_ref, _, first_answers_json, first_clean_at, clean_count, right_later_count in known_sums:
        answer_history.add_answers(
            item_ref, first_answers_json, first_clean_at, clean_count, right_later_count
        )
    if len(known_sums) < len(sum_rows):
        for item_ref, item_totals in known_totals_by_sealed_item(session, learner_id, now).items():
            first_answers_json = pack_json(item_totals.first_answers)
            answer_history.add_answers(
                item_ref,
                first_answers_json,
                item_totals.first_clean_at,
                item_totals.clean_count,
                item_totals.right_later_count,
            )
    return answer_history


ROWS_OF_DIGEST = 200
"""So many rows are packed at once: of half a megabyte the packing alone took as long as the digest."""


def digests_of(sum_rows: list[Row]) -> Iterator[bytes]:
    """Of these rows, some at a time. CPU of those of a learner with 20,000 answers (µs): 1,571 → 690."""
    for first_index in range(0, len(sum_rows), ROWS_OF_DIGEST):
        yield rows_digest([sum_rows[first_index : first_index + ROWS_OF_DIGEST]])


class RememberedBySums(RecentlyUsed[tuple[Hashable, ...], T]):
    """What the sums of a learner come to, found again by these rows themselves: an answer, a merge or a
    regrade is seen at once. While results are to come, what is known of them changes with time alone, and
    nothing is remembered.
    """

    def recall_or_make(
        self, cache_key: tuple[Hashable, ...], sum_rows: list[Row], now: datetime, make_value: Callable[[], T]
    ) -> T:
        """What `make_value` makes of these sums. `cache_key`: what else it follows from."""
        if is_any_sealed(sum_rows, now):
            return make_value()
        sums_key = (*cache_key, *digests_of(sum_rows))
        remembered_result = self.recall(sums_key)
        if remembered_result is None:
            remembered_result = self.keep(sums_key, make_value())
        return remembered_result


def load_mistake_sums(session: VerbSession, learner_id: int) -> list[Row]:
    """What a notebook of mistakes needs of the sums of a learner's items: the columns of `MISTAKE_SUMS`."""
    return session.all(MISTAKE_SUMS, learner=learner_id)


def mistake_totals_by_item_ref(
    session: VerbSession, learner_id: int, sum_rows: Sequence[Row], now: datetime
) -> dict[str, MistakeTotals]:
    """By item what a notebook of mistakes needs, as far as the learner may know it."""
    totals_by_item_ref: dict[str, MistakeTotals] = {}
    known_sums = sums_known_at(sum_rows, now)
    clean_moment_lists = read_json_texts([clean_moments_json for _, _, clean_moments_json, *_ in known_sums])
    mistake_totals_mappings = read_json_texts(
        [mistake_totals_json for *_, mistake_totals_json, _ in known_sums]
    )
    for sum_row, clean_moments, mistake_totals_by_misconception_code in zip(
        known_sums, clean_moment_lists, mistake_totals_mappings, strict=True
    ):
        item_ref, _, _, wrong_count, _, packed_wrong_answers = sum_row
        totals_by_item_ref[item_ref] = MistakeTotals(
            clean_moments, wrong_count, mistake_totals_by_misconception_code, packed_wrong_answers
        )
    if len(known_sums) < len(sum_rows):
        for item_ref, item_totals in known_totals_by_sealed_item(session, learner_id, now).items():
            totals_by_item_ref[item_ref] = MistakeTotals(
                item_totals.clean_moments,
                item_totals.wrong_count,
                item_totals.mistake_totals_by_misconception_code,
                pack_wrong_answers(item_totals.wrong_answers),
            )
    return totals_by_item_ref


KNOWN_ANSWERS_TO_SEALED = PreparedStatement(
    COUNTED_ANSWERS.where(
        RESPONSE.attempt_id == ATTEMPT.id,
        ATTEMPT.learner_id == bindparam("learner"),
        ARE_RESULTS_OUT,
        IS_ASSIGNED,
        IS_SUM_OF_LEARNER,
        ITEM_SUM.sealed_until > bindparam("now"),
        RESPONSE.item_ref == ITEM_SUM.item_ref,
    )
)


def known_totals_by_sealed_item(
    session: VerbSession, learner_id: int, now: datetime
) -> dict[str, ItemTotals]:
    """The items with results that are still to come, from those that are out."""
    day_of_moment = learners.day_of_moment_of(session, learner_id)
    answer_rows = session.stream(KNOWN_ANSWERS_TO_SEALED, learner=learner_id, now=now)
    return fold_answers(answer_rows, day_of_moment)
