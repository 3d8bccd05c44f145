"""分力气: a hundred units of push to spread over the pairs of a list, as LambdaRank would.

How hard a pair is pushed is how surprised the model is by its order, times what its swap is worth. Whoever
forgets one of the two, or what it is made of, spreads in a way of their own: those ways are the mistakes that
the game can name.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from math import ceil
from typing import NamedTuple

from app.course.games.ranked_lists import Grades
from app.engine.generate.random_stream import RandomStream
from app.engine.pairwise.lambdarank import DocumentPair, pairs

ExactSpread = tuple[float, ...]
"""Units of the hundred for each pair, in their order, with what lies behind the point."""
Spread = tuple[int, ...]
"""Whole units of the hundred for each pair, as a player spreads them."""

UNIT_TOTAL = 100
HIGHEST_GRADE = 4
FEWEST_DIFFERENT_GRADES = 3
MOST_NEIGHBOUR_SCORE_GAP = 2
"""How far apart in score two neighbours stand at most."""
MOST_STARS = 3
MOST_MISPLACED_UNITS_OF_STARS = (35, 20, 10)
"""So many misplaced units cost the third, the second, the first star at most."""
FEWEST_UNITS_OF_MISTAKE = 14
"""So many units the mistake that a round is about misplaces at least."""
FEWEST_UNITS_BETWEEN_SPREADS = 4
"""So many units lie between two mistakes at least, and between any and the truth."""
MOST_UNITS_FROM_MISTAKE = 12
"""A spread that lies further from every mistake shows none."""
EVEN_SPREAD_ID = "even"
MOST_UNITS_FROM_EVEN = 7
"""A spread that lies further from an even one is none."""
MOST_UNITS_OF_PAIR, FEWEST_UNITS_OF_PAIR = 75.0, 1.0
"""No pair gets nearly all, and none gets nothing."""
MOST_DRAWS = 20_000


def _weight_of_grade_gap(push: "Push") -> float:
    return push.grade_gap


def _weight_without_discount(push: "Push") -> float:
    return push.pair.rho * push.grade_gap


def _weight_without_surprise(push: "Push") -> float:
    return push.pair.delta_ndcg


def _weight_with_right_as_hard(push: "Push") -> float:
    """As if every pair stood in the wrong order."""
    return max(push.pair.rho, 1 - push.pair.rho) * push.pair.delta_ndcg


def _weight_of_surprise_alone(push: "Push") -> float:
    return push.pair.rho


WEIGHT_BY_MISTAKE: Mapping[str, Callable[["Push"], float]] = {
    "grades-alone": _weight_of_grade_gap,
    "no-discount": _weight_without_discount,
    "no-surprise": _weight_without_surprise,
    "right-as-hard": _weight_with_right_as_hard,
    "surprise-alone": _weight_of_surprise_alone,
}
"""What somebody weighs a pair by who forgets something."""
NAMED_SPREAD_IDS = (*WEIGHT_BY_MISTAKE, EVEN_SPREAD_ID)
"""What can be said of a spread; rounds are drawn so that the mistakes among them lie apart."""


class Push(NamedTuple):
    """One pair of a list: its figures, and how far apart in grade the two are."""

    pair: DocumentPair
    grade_gap: int

    @property
    def is_right(self) -> bool:
        """Whether the sweeter one stands in front."""
        return self.pair.gap > 0


@dataclass(frozen=True)
class PushingRound:
    """One round. `grades` and `scores` in ranked order: the scores fall from place to place."""

    kind: str
    grades: Grades
    scores: tuple[int, ...]

    @cached_property
    def pushes(self) -> tuple[Push, ...]:
        """The pairs of unequal grades: linear gain, nothing cut, sigma 1."""
        document_pairs = pairs(self.grades, self.scores, gain="linear")
        return tuple(
            Push(
                document_pair,
                self.grades[document_pair.better_index] - self.grades[document_pair.worse_index],
            )
            for document_pair in document_pairs
        )

    @cached_property
    def true_spread(self) -> ExactSpread:
        """How LambdaRank spreads them.

        >>> [round(units) for units in PushingRound("", (0, 1, 2), (2, 1, 0)).true_spread]
        [22, 71, 8]
        """
        return _weighted_spread([push.pair.force for push in self.pushes])

    def spread_with_mistake(self, mistake_name: str) -> ExactSpread:
        """How somebody spreads them who makes a mistake."""
        weight_of_push = WEIGHT_BY_MISTAKE[mistake_name]
        return _weighted_spread([weight_of_push(push) for push in self.pushes])

    def exact_misplaced_units(self, spread: Sequence[float]) -> float:
        """How many of the hundred units lie at another pair than LambdaRank's."""
        return misplaced_units_between(spread, self.true_spread)

    def misplaced_unit_count(self, spread: Sequence[float]) -> int:
        """The misplaced units as a whole number: never so few that they would have earned a star more."""
        exact_unit_count = self.exact_misplaced_units(spread)
        whole_unit_count = round(exact_unit_count)
        if whole_unit_count in MOST_MISPLACED_UNITS_OF_STARS:
            return ceil(exact_unit_count)
        return whole_unit_count

    def mistake_name_in(self, spread: Sequence[float]) -> str | None:
        """The mistake, or even spread, that this comes nearest to; None where the truth, or nothing, is near.

        >>> pushing_round = PushingRound("", (0, 1, 2), (2, 1, 0))
        >>> pushing_round.mistake_name_in((35, 35, 30)), pushing_round.mistake_name_in((0, 0, 100))
        ('even', None)
        """
        distance_by_mistake = {
            mistake_name: misplaced_units_between(spread, self.spread_with_mistake(mistake_name))
            for mistake_name in WEIGHT_BY_MISTAKE
        }
        units_from_even_spread = misplaced_units_between(spread, _even_spread(len(spread)))
        if units_from_even_spread <= MOST_UNITS_FROM_EVEN:
            distance_by_mistake[EVEN_SPREAD_ID] = units_from_even_spread
        nearest_mistake_name = min(
            distance_by_mistake, key=lambda mistake_name: distance_by_mistake[mistake_name]
        )
        if distance_by_mistake[nearest_mistake_name] > MOST_UNITS_FROM_MISTAKE or distance_by_mistake[
            nearest_mistake_name
        ] >= self.exact_misplaced_units(spread):
            return None
        return nearest_mistake_name

    def star_count(self, spread: Sequence[float]) -> int:
        """What a spread is worth: three stars for at most ten misplaced units."""
        exact_unit_count = self.exact_misplaced_units(spread)
        return sum(exact_unit_count <= most_units for most_units in MOST_MISPLACED_UNITS_OF_STARS)


def misplaced_units_between(spread: Sequence[float], other_spread: Sequence[float]) -> float:
    """How many units must move to make one spread into the other.

    >>> misplaced_units_between((50, 50), (20, 80))
    30.0
    """
    return (
        sum(
            abs(unit_count - other_unit_count)
            for unit_count, other_unit_count in zip(spread, other_spread, strict=True)
        )
        / 2
    )


def _weighted_spread(weights: Sequence[float]) -> ExactSpread:
    total_weight = sum(weights)
    return tuple(UNIT_TOTAL * weight / total_weight for weight in weights)


@lru_cache(512)
def draw_rounds(seed: int) -> tuple[PushingRound, ...]:
    """The four rounds of a seed.

    >>> [pushing_round.kind for pushing_round in draw_rounds(7)]
    ['seats', 'surprised', 'settled', 'everything']
    """
    return tuple(
        _draw_round(round_kind, RandomStream(f"pushing/{seed}/{round_kind}"))
        for round_kind in DOCUMENT_COUNT_AND_MISTAKE_BY_KIND
    )


def _draw_round(round_kind: str, random_stream: RandomStream) -> PushingRound:
    document_count, _ = DOCUMENT_COUNT_AND_MISTAKE_BY_KIND[round_kind]
    for _ in range(MOST_DRAWS):
        grades = tuple(random_stream.between(0, HIGHEST_GRADE) for _ in range(document_count))
        scores = [0]
        while len(scores) < document_count:
            scores.insert(0, scores[0] + random_stream.between(1, MOST_NEIGHBOUR_SCORE_GAP))
        candidate_round = PushingRound(round_kind, grades, tuple(scores))
        if not any(broken_promises(candidate_round)):
            return candidate_round
    raise RuntimeError(f"no {round_kind} in {MOST_DRAWS} draws")


DOCUMENT_COUNT_AND_MISTAKE_BY_KIND: Mapping[str, tuple[int, str]] = {
    "seats": (3, "no-discount"),
    "surprised": (3, "no-surprise"),
    "settled": (4, "right-as-hard"),
    "everything": (4, "grades-alone"),
}
"""The rounds in their order: how many documents, and the mistake that each is about."""


def broken_promises(pushing_round: PushingRound) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken_promises(draw_rounds(7)[0]))
    []
    """
    _, mistake_name = DOCUMENT_COUNT_AND_MISTAKE_BY_KIND[pushing_round.kind]
    if len(set(pushing_round.grades)) < FEWEST_DIFFERENT_GRADES:
        yield "too few grades"
        return
    if all(push.is_right for push in pushing_round.pushes):
        yield "nothing stands in the wrong order"
    true_spread = pushing_round.true_spread
    if max(true_spread) > MOST_UNITS_OF_PAIR or min(true_spread) < FEWEST_UNITS_OF_PAIR:
        yield "a pair gets nearly all, or nothing"
    if (
        misplaced_units_between(pushing_round.spread_with_mistake(mistake_name), true_spread)
        < FEWEST_UNITS_OF_MISTAKE
    ):
        yield "the mistake that it is about does not show"
    spreads = [true_spread, *map(pushing_round.spread_with_mistake, WEIGHT_BY_MISTAKE)]
    if any(
        misplaced_units_between(spread, other_spread) < FEWEST_UNITS_BETWEEN_SPREADS
        for spread, other_spread in combinations(spreads, 2)
    ):
        yield "two ways of spreading look alike"
    if pushing_round.star_count(_even_spread(len(true_spread))) == MOST_STARS:
        yield "who spreads evenly gets all stars"
    if pushing_round.kind == "settled" and not _push_of_dearest_swap(pushing_round).is_right:
        yield "what is worth most to swap stands in the wrong order"


def _push_of_dearest_swap(pushing_round: PushingRound) -> Push:
    """The pair whose swap is worth most."""
    return max(pushing_round.pushes, key=lambda push: push.pair.delta_ndcg)


def _even_spread(pair_count: int) -> ExactSpread:
    return _weighted_spread([1.0] * pair_count)
