"""下一篇标谁: two systems, a few documents that nobody has judged, and each judgement costs a coin.

How far X leads in DCG is only known within bounds while documents are unjudged: any of them may be worth
nothing or the most. A judgement narrows the bounds by what the document weighs in X less what it weighs in
Y; the round ends when the bounds leave no doubt who is better.
"""

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Self

from app import engine
from app.course.games.moves import PlayState
from app.course.games.ranked_lists import Grades, RankedIndexes, Side
from app.engine.generate.random_stream import RandomStream
from app.engine.rounding import FLOAT_NOISE

HIGHEST_GRADE = 3
"""The highest grade that an unjudged document may turn out to have."""
MOST_STARS = 3
"""What a round is worth to whoever pays no more than the rule does; one less for each coin beyond."""
LEAST_LEAD = 0.05
MOST_DRAWS = 20_000


@dataclass(frozen=True)
class JudgingRound:
    """One round. `ranking_of_x`, `ranking_of_y`: as indexes in `grades`; `judged_indexes`: of the documents
    whose grades are known from the start."""

    kind: str
    grades: Grades
    ranking_of_x: RankedIndexes
    ranking_of_y: RankedIndexes
    judged_indexes: frozenset[int]

    @property
    def document_indexes(self) -> range:
        return range(len(self.grades))

    @property
    def unjudged_indexes(self) -> list[int]:
        """The documents that nobody knows at the start."""
        return self.indexes_outside(self.judged_indexes)

    def indexes_outside(self, judged_indexes: Collection[int]) -> list[int]:
        """The documents that are left where these are judged."""
        return [
            document_index for document_index in self.document_indexes if document_index not in judged_indexes
        ]

    def discount_weight(self, side: Side, document_index: int) -> float:
        """What a document's grade counts for in a list; nothing where it was not returned."""
        ranking = self.ranking_of_x if side == "x" else self.ranking_of_y
        if document_index not in ranking:
            return 0.0
        return engine.discount_weight(ranking.index(document_index) + 1)

    def leverage(self, document_index: int) -> float:
        """How far a grade more of a document moves X's lead; below 0 it helps Y."""
        return self.discount_weight("x", document_index) - self.discount_weight("y", document_index)

    def least_and_greatest_lead(self, judged_indexes: Collection[int]) -> tuple[float, float]:
        """The least and the most that X may lead by in DCG, where only these are judged."""
        least_lead = greatest_lead = 0.0
        for document_index in self.document_indexes:
            leverage = self.leverage(document_index)
            if document_index in judged_indexes:
                least_lead += leverage * self.grades[document_index]
                greatest_lead += leverage * self.grades[document_index]
            else:
                least_lead += min(0.0, leverage * HIGHEST_GRADE)
                greatest_lead += max(0.0, leverage * HIGHEST_GRADE)
        return least_lead, greatest_lead

    def is_decided(self, judged_indexes: Collection[int]) -> bool:
        """Whether no grade of what is left could turn the winner."""
        least_lead, greatest_lead = self.least_and_greatest_lead(judged_indexes)
        return least_lead > FLOAT_NOISE or greatest_lead < -FLOAT_NOISE

    @property
    def winner(self) -> Side:
        least_lead, _ = self.least_and_greatest_lead(self.document_indexes)
        return "x" if least_lead > 0 else "y"

    def best_indexes(self, judged_indexes: Collection[int]) -> frozenset[int]:
        """The unjudged documents of the greatest leverage: mostly one."""
        remaining_indexes = self.indexes_outside(judged_indexes)
        least_leverage = (
            max(abs(self.leverage(document_index)) for document_index in remaining_indexes) - FLOAT_NOISE
        )
        return frozenset(
            document_index
            for document_index in remaining_indexes
            if abs(self.leverage(document_index)) > least_leverage
        )

    @cached_property
    def fewest_coin_count(self) -> int:
        """How many coins it takes by the rule: always the greatest leverage."""
        return self._coin_count(lambda judged_indexes: min(self.best_indexes(judged_indexes)))

    def possible_coin_counts(self, judged_indexes: frozenset[int]) -> set[int]:
        """How many coins the rule may still take, whichever of equally good choices is made each time."""
        if self.is_decided(judged_indexes):
            return {0}
        coin_counts = set()
        for document_index in self.best_indexes(judged_indexes):
            coin_counts |= {
                1 + coin_count for coin_count in self.possible_coin_counts(judged_indexes | {document_index})
            }
        return coin_counts

    @cached_property
    def coin_count_from_least_leverage(self) -> int:
        """How many it takes where the least leverage comes first."""
        return self._coin_count(self.index_of_least_leverage)

    def index_of_least_leverage(self, judged_indexes: Collection[int]) -> int:
        """The unjudged document of the least leverage."""
        return min(
            self.indexes_outside(judged_indexes),
            key=lambda document_index: abs(self.leverage(document_index)),
        )

    def _coin_count(self, choose_index: Callable[[Collection[int]], int]) -> int:
        judged_indexes = set(self.judged_indexes)
        while not self.is_decided(judged_indexes):
            judged_indexes.add(choose_index(judged_indexes))
        return len(judged_indexes) - len(self.judged_indexes)


@lru_cache(512)
def draw_rounds(seed: int) -> tuple[JudgingRound, ...]:
    """The four rounds of a seed.

    >>> [judging_round.kind for judging_round in draw_rounds(7)]
    ['same-seat', 'head-and-tail', 'one-sided', 'tight']
    """
    return tuple(
        _draw_round(round_kind, RandomStream(f"judging/{seed}/{round_kind}"))
        for round_kind in DOCUMENT_COUNTS_BY_KIND
    )


def _draw_round(round_kind: str, random_stream: RandomStream) -> JudgingRound:
    document_count, list_length, unjudged_count = DOCUMENT_COUNTS_BY_KIND[round_kind]
    for _ in range(MOST_DRAWS):
        document_indexes = tuple(range(document_count))
        grades = tuple(random_stream.between(0, HIGHEST_GRADE) for _ in document_indexes)
        ranking_of_x = random_stream.shuffled(document_indexes)[:list_length]
        ranking_of_y = random_stream.shuffled(document_indexes)[:list_length]
        judged_indexes = frozenset(random_stream.shuffled(document_indexes)[unjudged_count:])
        candidate_round = JudgingRound(round_kind, grades, ranking_of_x, ranking_of_y, judged_indexes)
        if not any(broken_promises(candidate_round)):
            return candidate_round
    raise RuntimeError(f"no {round_kind} in {MOST_DRAWS} draws")


DOCUMENT_COUNTS_BY_KIND: Mapping[str, tuple[int, int, int]] = {
    "same-seat": (4, 4, 3),
    "head-and-tail": (5, 5, 4),
    "one-sided": (6, 4, 4),
    "tight": (6, 5, 5),
}
"""The rounds in their order: how many documents, how many each system returns, how many are unjudged."""


def broken_promises(judging_round: JudgingRound) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken_promises(draw_rounds(7)[0]))
    []
    """
    least_lead, _ = judging_round.least_and_greatest_lead(judging_round.document_indexes)
    if judging_round.is_decided(judging_round.judged_indexes) or abs(least_lead) < LEAST_LEAD:
        yield "there is nothing to pay for"
        return
    if (
        not 1
        <= judging_round.fewest_coin_count
        < min(judging_round.coin_count_from_least_leverage, len(judging_round.unjudged_indexes))
    ):
        yield "it does not matter what one pays for"
    if len(judging_round.possible_coin_counts(judging_round.judged_indexes)) > 1:
        yield "equally good choices cost differently"
    if set(judging_round.ranking_of_x) | set(judging_round.ranking_of_y) != set(
        judging_round.document_indexes
    ):
        yield "a document that nobody returned"
    yield from _broken_promises_of_kind(judging_round)


def _broken_promises_of_kind(judging_round: JudgingRound) -> Iterator[str]:
    leverages = [
        abs(judging_round.leverage(document_index)) for document_index in judging_round.unjudged_indexes
    ]
    if judging_round.kind == "same-seat" and min(leverages) > 0:
        yield "nothing stands at the same rank in both lists"
    if judging_round.kind == "head-and-tail" and not _goes_from_head_to_tail(judging_round):
        yield "nothing that is to be judged is at the head of one list and at the tail of the other"
    if judging_round.kind == "one-sided" and not _is_one_sided(judging_round):
        yield "the greatest leverage is in both lists"
    if judging_round.kind == "tight" and judging_round.fewest_coin_count < 2:
        yield "one coin decides it"


def _goes_from_head_to_tail(judging_round: JudgingRound) -> bool:
    """Whether an unjudged document comes first in one list and last in the other."""
    ranking_of_x, ranking_of_y = judging_round.ranking_of_x, judging_round.ranking_of_y
    return any(
        (document_index in (ranking_of_x[0], ranking_of_y[0]))
        and (document_index in (ranking_of_x[-1], ranking_of_y[-1]))
        for document_index in judging_round.unjudged_indexes
    )


def _is_one_sided(judging_round: JudgingRound) -> bool:
    """Whether what is best to pay for first was returned by one of the two alone."""
    best_indexes = judging_round.best_indexes(judging_round.judged_indexes)
    return all(
        (document_index in judging_round.ranking_of_x) != (document_index in judging_round.ranking_of_y)
        for document_index in best_indexes
    )


@dataclass(frozen=True)
class JudgingState(PlayState):
    """Where a play stands. `paid_indexes`: of the documents judged in this round, in their order;
    `star_counts`: of the rounds that were decided."""

    paid_indexes: tuple[int, ...] = ()
    star_counts: tuple[int, ...] = ()

    @property
    def round(self) -> JudgingRound:
        return draw_rounds(self.seed)[self.round_index]

    @property
    def judged_indexes(self) -> frozenset[int]:
        return self.round.judged_indexes | set(self.paid_indexes)

    @property
    def is_decided(self) -> bool:
        return self.round.is_decided(self.judged_indexes)

    @property
    def is_over(self) -> bool:
        return self.is_decided and self.round_index == len(DOCUMENT_COUNTS_BY_KIND) - 1

    @property
    def score(self) -> int:
        return sum(self.star_counts)

    @property
    def highest_score(self) -> int:
        return MOST_STARS * len(DOCUMENT_COUNTS_BY_KIND)

    @property
    def is_guess_right(self) -> bool:
        """Whether no other document would have weighed more than the one that was judged last."""
        earlier_judged_indexes = self.round.judged_indexes | set(self.paid_indexes[:-1])
        return self.paid_indexes[-1] in self.round.best_indexes(earlier_judged_indexes)

    def after_move(self, move_name: str, raw_move: str) -> Self | None:
        """The state after one move; None for a move that is not to be made now.

        >>> JudgingState(7).after_move("on", "") is None
        True
        """
        if move_name == "on" and self.is_decided and not self.is_over:
            return replace(self, round_index=self.round_index + 1, paid_indexes=())
        document_index_by_text = {
            str(document_index): document_index
            for document_index in self.round.indexes_outside(self.judged_indexes)
        }
        if move_name != "guess" or self.is_decided or raw_move not in document_index_by_text:
            return None
        state_after = replace(self, paid_indexes=(*self.paid_indexes, document_index_by_text[raw_move]))
        if not state_after.is_decided:
            return state_after
        excess_coin_count = max(0, len(state_after.paid_indexes) - state_after.round.fewest_coin_count)
        star_count_of_round = max(0, MOST_STARS - excess_coin_count)
        return replace(state_after, star_counts=(*state_after.star_counts, star_count_of_round))
