"""What a learner's answers come to, as far as they may know it: the sums of their items, read.

An item with results that are still to come has a sum that says more than its learner knows; what is out of
it is folded from the log.
"""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from datetime import datetime
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import bindparam, select

from app.course.content.recently_used import RecentlyUsed
from app.records.db.session import Prepared, Row, VerbSession, stored
from app.records.db.trails import digest
from app.records.learning.item_sums import (
    COUNTED_ANSWERS,
    FIRST_CLEAN_AT,
    IS_ASSIGNED,
    IS_SUM_OF_LEARNER,
    SEALED_UNTIL,
    SUM,
    ItemTotals,
    fold_answers,
    pack_json,
    text_of_wrongs,
)
from app.records.learning.mastery import IS_KNOWN, Past, read_json_texts
from app.records.learning.rows import RESPONSE

V = TypeVar("V")
NO_MISTAKES: Mapping[str, Sequence[Any]] = MappingProxyType({})


class MistakeTotals(NamedTuple):
    """What a notebook of mistakes needs of an item; the fields are those of `ItemTotals`. `wrongs`: as the
    table keeps it, for few of them are shown."""

    cleans: Sequence[int]
    wrong: int = 0
    mistakes: Mapping[str, Sequence[Any]] = NO_MISTAKES
    wrongs: str = ""


MASTERY_SUMS = Prepared(
    select(SUM.item, SEALED_UNTIL, SUM.recent, FIRST_CLEAN_AT, SUM.clean, SUM.later).where(IS_SUM_OF_LEARNER)
)
MISTAKE_SUMS = Prepared(
    select(SUM.item, SEALED_UNTIL, SUM.cleans, SUM.wrong, SUM.mistakes, SUM.wrongs).where(IS_SUM_OF_LEARNER)
)


def load_mastery_sums(session: VerbSession, learner_id: int) -> list[Row]:
    """What the rule of mastery needs of the sums of a learner's items: the columns of `MASTERY_SUMS`."""
    return session.all(MASTERY_SUMS, learner=learner_id)


SEALED_COLUMN = itemgetter(1)
"""`sealed_until` in the rows of both statements."""


def are_sealed(sums: Sequence[Row], now: datetime) -> bool:
    """Whether some of these sums say more than their learner may know."""
    last_seal = max(filter(None, map(SEALED_COLUMN, sums)), default="")
    return last_seal > stored(now)


def load_past(session: VerbSession, learner_id: int, now: datetime) -> Past:
    """The past of one learner, as far as they may know it."""
    sums = load_mastery_sums(session, learner_id)
    return past_of(session, learner_id, sums, now)


def past_of(session: VerbSession, learner_id: int, sums: Sequence[Row], now: datetime) -> Past:
    """The past that the sums of a learner come to, as far as they may know it."""
    past_answers = Past()
    known_until = stored(now)
    is_sealed = False
    for item_ref, sealed_until, recent_text, since, clean_count, later_count in sums:
        if sealed_until and sealed_until > known_until:
            is_sealed = True
            continue
        past_answers.add(item_ref, recent_text, since, clean_count, later_count)
    if is_sealed:
        sealed_totals = known_of_sealed(session, learner_id, now)
        for item_ref, totals in sealed_totals.items():
            recent_text = pack_json(totals.recent)
            past_answers.add(item_ref, recent_text, totals.first_clean_at, totals.clean, totals.later)
    return past_answers


ROWS_OF_DIGEST = 200
"""So many rows are packed at once: of half a megabyte the packing alone took as long as the digest."""


def digests_of(sums: list[Row]) -> Iterator[bytes]:
    """Of these rows, some at a time. CPU of those of a learner with 20,000 answers (µs): 1,571 → 690."""
    for start in range(0, len(sums), ROWS_OF_DIGEST):
        yield digest([sums[start : start + ROWS_OF_DIGEST]])


class KnownBySums(RecentlyUsed[tuple[Hashable, ...], V]):
    """What the sums of a learner come to, found again by these rows themselves: an answer, a merge or a
    regrade is seen at once. While results are to come, what is known of them changes with time alone, and
    nothing is remembered.
    """

    def find(self, key: tuple[Hashable, ...], sums: list[Row], now: datetime, make: Callable[[], V]) -> V:
        """What `make` makes of these sums. `key`: what else it follows from."""
        if are_sealed(sums, now):
            return make()
        whole_key = (*key, *digests_of(sums))
        value = self.recall(whole_key)
        if value is None:
            value = self.keep(whole_key, make())
        return value


def load_mistake_sums(session: VerbSession, learner_id: int) -> list[Row]:
    """What a notebook of mistakes needs of the sums of a learner's items: the columns of `MISTAKE_SUMS`."""
    return session.all(MISTAKE_SUMS, learner=learner_id)


def mistakes_of(
    session: VerbSession, learner_id: int, sums: Sequence[Row], now: datetime
) -> dict[str, MistakeTotals]:
    """By item what a notebook of mistakes needs, as far as the learner may know it."""
    totals: dict[str, MistakeTotals] = {}
    known_until = stored(now)
    is_sealed = False
    cleans_by_sum = read_json_texts([cleans for _, _, cleans, *_ in sums])
    mistakes_by_sum = read_json_texts([mistakes for *_, mistakes, _ in sums])
    for item_sum, cleans, mistakes in zip(sums, cleans_by_sum, mistakes_by_sum, strict=True):
        item_ref, sealed_until, _, wrong_count, _, wrongs = item_sum
        if sealed_until and sealed_until > known_until:
            is_sealed = True
            continue
        totals[item_ref] = MistakeTotals(cleans, wrong_count, mistakes, wrongs)
    if is_sealed:
        for item_ref, sealed in known_of_sealed(session, learner_id, now).items():
            wrongs = text_of_wrongs(sealed.wrongs)
            totals[item_ref] = MistakeTotals(sealed.cleans, sealed.wrong, sealed.mistakes, wrongs)
    return totals


SEALED_LOG = Prepared(
    COUNTED_ANSWERS.where(
        IS_KNOWN,
        IS_ASSIGNED,
        IS_SUM_OF_LEARNER,
        SUM.sealed_until > bindparam("now"),
        RESPONSE.item == SUM.item,
    )
)


def known_of_sealed(session: VerbSession, learner_id: int, now: datetime) -> dict[str, ItemTotals]:
    """The items with results that are still to come, from those that are out."""
    log = session.each(SEALED_LOG, learner=learner_id, now=now)
    return fold_answers(log)
