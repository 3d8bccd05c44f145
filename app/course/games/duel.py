"""谁的推荐更懂我: eight rounds from a seed. Two systems rank the same judged documents; who is better?

What a round promises is a function, `broken_promises`: tests hold it against thousands of seeds. In the
second edition the side whose first different candy is sweeter loses somewhere in half of the rounds; seeds of
the first edition keep the lists that they had.
"""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from app import engine
from app.course.games.days import FIRST_SEED_BEYOND_DATES, day_of_seed
from app.course.games.ranked_lists import Grades, RankedIndexes, Side
from app.course.text.model_base import GainName
from app.engine.generate.random_stream import RandomStream
from app.engine.rounding import FLOAT_NOISE

Winner = Literal["x", "y", "tie"]
LEAST_MARGIN = 0.01
"""Two scores that are not the same differ by this at least: one can see it in what is printed."""
MOST_FINALE_MARGIN = 0.12
"""As near as the two stand in the finale."""
MOST_DOCUMENTS_OF_GRADE = 4
FEWEST_DIFFERENT_GRADES = 3
MOST_DRAWS = 5_000
FIRST_SEED_OF_SECOND_EDITION = 20_000
"""Seeds below it were handed out before the second edition."""
LAST_DAY_OF_FIRST_EDITION = date(2026, 11, 25)
UPSETS_PER_PLAY = 4
"""So many of the eight rounds the sweeter head loses, in the second edition."""


class DuelRule(NamedTuple):
    """Under which convention a round is judged: how far one looks, and what a grade is worth."""

    k: int
    gain: GainName = "linear"


class DuelRound(NamedTuple):
    """One round. `ranking_of_x`, `ranking_of_y`: as indexes in `pool`, the grades of all judged documents.

    `twist`: another convention, under which the same lists are judged once more; `does_winner_turn`: whether
    somebody else wins then.

    >>> first = draw_rounds(7)[0]
    >>> [first.grades(side) for side in ("x", "y")], first.winner(first.rule)
    ([(0, 1, 2, 3), (3, 2, 1, 0)], 'y')
    """

    kind: str
    pool: Grades
    ranking_of_x: RankedIndexes
    ranking_of_y: RankedIndexes
    rule: DuelRule
    twist: DuelRule | None = None
    does_winner_turn: bool = False
    measure: Literal["DCG", "NDCG"] = "NDCG"

    @property
    def rules(self) -> tuple[DuelRule, ...]:
        if self.twist is None:
            return (self.rule,)
        return (self.rule, self.twist)

    def ranking(self, side: Side) -> RankedIndexes:
        if side == "x":
            return self.ranking_of_x
        return self.ranking_of_y

    def grades(self, side: Side) -> Grades:
        return tuple(self.pool[document_index] for document_index in self.ranking(side))

    def trace(self, side: Side, duel_rule: DuelRule) -> engine.Trace:
        return engine.trace(self.grades(side), duel_rule.k, duel_rule.gain, pool=self.pool)

    def score(self, side: Side, duel_rule: DuelRule) -> float:
        """What is compared: DCG or NDCG at k."""
        return _measured_score(self.measure, self.grades(side), duel_rule, self.pool)

    def margin(self, duel_rule: DuelRule) -> float:
        """How far X is ahead; below 0: Y is."""
        return self.score("x", duel_rule) - self.score("y", duel_rule)

    @property
    def side_with_sweeter_head(self) -> Side | None:
        """The side whose first different candy is the sweeter one; None: the two lists are alike."""
        for grade, rival_grade in zip(self.grades("x"), self.grades("y"), strict=True):
            if grade > rival_grade:
                return "x"
            if grade < rival_grade:
                return "y"
        return None

    @property
    def does_head_lose(self) -> bool:
        """Whether the sweeter head fails to win under one of the rules."""
        return any(self.winner(duel_rule) != self.side_with_sweeter_head for duel_rule in self.rules)

    def winner(self, duel_rule: DuelRule) -> Winner:
        margin = self.margin(duel_rule)
        if abs(margin) < FLOAT_NOISE:
            return "tie"
        if margin > 0:
            return "x"
        return "y"


@lru_cache(4096)
def _measured_score(measure: str, grades: Grades, duel_rule: DuelRule, pool: Grades) -> float:
    """Asked several times for each draw, so it stays in a cache."""
    if measure == "DCG":
        return engine.dcg(grades, duel_rule.k, duel_rule.gain, pool=pool)
    return engine.ndcg(grades, duel_rule.k, duel_rule.gain, pool=pool)


@lru_cache(512)
def draw_rounds(seed: int) -> tuple[DuelRound, ...]:
    """The eight rounds of a seed, growing harder. In one of them at least, the gain decides who wins.

    >>> [duel_round.kind for duel_round in draw_rounds(7)]
    ['opening', 'neighbours', 'two-swaps', 'ties', 'cut', 'gain', 'both', 'finale']
    """
    round_by_kind: dict[str, DuelRound] = {}
    upset_kinds = _upset_kinds_of(seed)
    for round_number, round_kind in enumerate(DRAW_BY_KIND, 1):
        stream = RandomStream(f"duel/{seed}/{round_number}")
        does_winner_turn = stream.tosses_heads()
        if round_kind == "finale" and not round_by_kind["gain"].does_winner_turn:
            does_winner_turn = True
        does_head_lose = None
        if upset_kinds and round_kind in KINDS_WITH_UPSETS:
            does_head_lose = round_kind in upset_kinds
            does_winner_turn = _does_winner_turn_in_second_edition(round_kind, does_winner_turn, upset_kinds)
        round_by_kind[round_kind] = _draw_round(round_kind, stream, does_winner_turn, does_head_lose)
    return tuple(round_by_kind.values())


def is_second_edition(seed: int) -> bool:
    """Whether a duel is drawn with upsets: seeds and days that nobody had before it.

    >>> is_second_edition(7), is_second_edition(20_007)
    (False, True)
    >>> is_second_edition(20261125), is_second_edition(20261126)
    (False, True)
    """
    day = day_of_seed(seed)
    if day is not None:
        return day > LAST_DAY_OF_FIRST_EDITION
    return FIRST_SEED_OF_SECOND_EDITION <= seed < FIRST_SEED_BEYOND_DATES


def _upset_kinds_of(seed: int) -> tuple[str, ...]:
    """The rounds in which the sweeter head loses; none are set in the first edition.

    >>> len(_upset_kinds_of(20_007)), _upset_kinds_of(7)
    (4, ())
    """
    if not is_second_edition(seed):
        return ()
    return RandomStream(f"duel/{seed}/upsets").shuffled(KINDS_WITH_UPSETS)[:UPSETS_PER_PLAY]


def _does_winner_turn_in_second_edition(
    round_kind: str, does_winner_turn: bool, upset_kinds: tuple[str, ...]
) -> bool:
    """Whether the winner turns: never where the head wins throughout; one gain at least decides."""
    if round_kind not in upset_kinds:
        return False
    if round_kind == "ties":
        return True
    return does_winner_turn or (round_kind == "gain" and "finale" not in upset_kinds)


def _draw_round(
    round_kind: str, stream: RandomStream, does_winner_turn: bool, does_head_lose: bool | None
) -> DuelRound:
    draw_candidate = DRAW_BY_KIND[round_kind]
    for _ in range(MOST_DRAWS):
        duel_round = draw_candidate(stream, does_winner_turn)
        if duel_round:
            duel_round = duel_round._replace(kind=round_kind)
            has_wanted_head = does_head_lose is None or duel_round.does_head_lose == does_head_lose
            if has_wanted_head and not any(broken_promises(duel_round)):
                return duel_round
    raise RuntimeError(f"no {round_kind} in {MOST_DRAWS} draws")


def broken_promises(duel_round: DuelRound) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken_promises(draw_rounds(7)[5]))
    []
    """
    for broken_promise in chain(_broken_list_promises(duel_round), _broken_winner_promises(duel_round)):
        yield f"{duel_round.kind}: {broken_promise}"


def _broken_list_promises(duel_round: DuelRound) -> Iterator[str]:
    pool = duel_round.pool
    if len(set(pool)) < FEWEST_DIFFERENT_GRADES:
        yield "too few different grades"
    if any(pool.count(grade) > MOST_DOCUMENTS_OF_GRADE for grade in pool):
        yield "more documents of one grade than there are titles"
    for ranking in (duel_round.ranking_of_x, duel_round.ranking_of_y):
        if len(set(ranking)) < len(ranking) or not set(ranking) <= set(range(len(pool))):
            yield "a list is not made of judged documents"
        if len(ranking) < max(duel_rule.k for duel_rule in duel_round.rules):
            yield "a list ends before k"


def _broken_winner_promises(duel_round: DuelRound) -> Iterator[str]:
    winner_by_rule = {duel_rule: duel_round.winner(duel_rule) for duel_rule in duel_round.rules}
    winners = set(winner_by_rule.values())
    if "tie" in winners and duel_round.kind != "ties":
        yield "nobody wins"
    if duel_round.does_winner_turn != (len(winners) > 1):
        yield f"it says does_winner_turn={duel_round.does_winner_turn}, and that is not so"
    for duel_rule, winner in winner_by_rule.items():
        if winner != "tie" and abs(duel_round.margin(duel_rule)) < LEAST_MARGIN:
            yield f"the winner at {duel_rule} cannot be told"


def _opening_round(_stream: RandomStream, _does_winner_turn: bool) -> DuelRound:
    """The question that was once asked and left open: 0 1 2 3 against 3 2 1 0."""
    return DuelRound("", (0, 1, 2, 3), (0, 1, 2, 3), (3, 2, 1, 0), DuelRule(4), measure="DCG")


def _neighbours_round(stream: RandomStream, _does_winner_turn: bool) -> DuelRound | None:
    """The same list, but for two neighbours."""
    pool = _drawn_grades(stream, 4)
    upper_index = stream.between(0, 2)
    if pool[upper_index] == pool[upper_index + 1]:
        return None
    ranking = (0, 1, 2, 3)
    return _round_on_drawn_sides(stream, pool, ranking, _with_neighbours_swapped(ranking, upper_index))


def _two_swaps_round(stream: RandomStream, _does_winner_turn: bool) -> DuelRound | None:
    """One list: one side swaps its first two, the other a pair further down, which differs by more."""
    pool = _drawn_grades(stream, 5)
    upper_index = stream.between(1, 3)
    top_grade_gap = abs(pool[0] - pool[1])
    if not 0 < top_grade_gap < abs(pool[upper_index] - pool[upper_index + 1]):
        return None
    ranking = (0, 1, 2, 3, 4)
    return _round_on_drawn_sides(
        stream, pool, _with_neighbours_swapped(ranking, 0), _with_neighbours_swapped(ranking, upper_index)
    )


def _ties_round(stream: RandomStream, does_winner_turn: bool) -> DuelRound | None:
    """A real tie, or as many sweets in both. The 3rd rank keeps a half: 2 there is worth 1 at the top."""
    first_grade, third_grade, rival_first_grade, rival_third_grade, middle_grade = _drawn_grades(stream, 5)
    top_weight = 1
    if does_winner_turn:  # under its one rule no winner can turn: here the flag asks for the real tie
        top_weight = 2
    is_tied = top_weight * first_grade + third_grade == top_weight * rival_first_grade + rival_third_grade
    if first_grade == rival_first_grade or not is_tied:
        return None
    pool = (first_grade, middle_grade, third_grade, rival_first_grade, rival_third_grade)
    return _round_on_drawn_sides(stream, pool, (0, 1, 2), (3, 1, 4))


def _cut_round(stream: RandomStream, does_winner_turn: bool) -> DuelRound | None:
    """Two orders of the same documents, judged near the top and then to the end."""
    return _reordering_round(stream, 5, DuelRule(2), DuelRule(5), does_winner_turn)


def _gain_round(stream: RandomStream, does_winner_turn: bool) -> DuelRound | None:
    """A big sweet and little else, or several middling ones: it depends on what a grade is worth."""
    return _half_against_half_round(stream, 3, does_winner_turn, 2 * MOST_FINALE_MARGIN)


def _gain_and_cut_round(stream: RandomStream, does_winner_turn: bool) -> DuelRound | None:
    return _reordering_round(
        stream, 6, DuelRule(3, "exponential"), DuelRule(6, "exponential"), does_winner_turn
    )


def _finale_round(stream: RandomStream, does_winner_turn: bool) -> DuelRound | None:
    """Four against four, and close."""
    return _half_against_half_round(stream, 4, does_winner_turn, MOST_FINALE_MARGIN)


CandidateDrawer = Callable[[RandomStream, bool], DuelRound | None]
"""Draws a round, or nothing where the chance was bad; the flag says whether the winner shall turn."""
DRAW_BY_KIND: Mapping[str, CandidateDrawer] = {
    "opening": _opening_round,
    "neighbours": _neighbours_round,
    "two-swaps": _two_swaps_round,
    "ties": _ties_round,
    "cut": _cut_round,
    "gain": _gain_round,
    "both": _gain_and_cut_round,
    "finale": _finale_round,
}
"""The rounds in their order."""
KINDS_WITH_UPSETS = ("ties", "cut", "gain", "both", "finale")
"""The rounds in which the sweeter head can lose: where two swaps are compared, or one, it never does."""


def _drawn_grades(stream: RandomStream, grade_count: int) -> Grades:
    return tuple(stream.between(0, 3) for _ in range(grade_count))


def _round_on_drawn_sides(
    stream: RandomStream, pool: Grades, ranked_indexes: RankedIndexes, rival_indexes: RankedIndexes
) -> DuelRound:
    """Two lists, judged to their end; chance decides which is X."""
    if stream.tosses_heads():
        return DuelRound("", pool, ranked_indexes, rival_indexes, DuelRule(len(ranked_indexes)))
    return DuelRound("", pool, rival_indexes, ranked_indexes, DuelRule(len(ranked_indexes)))


def _with_neighbours_swapped(ranked_indexes: RankedIndexes, upper_index: int) -> RankedIndexes:
    """The same ranking with the document at this index and the next one exchanged."""
    return (
        *ranked_indexes[:upper_index],
        ranked_indexes[upper_index + 1],
        ranked_indexes[upper_index],
        *ranked_indexes[upper_index + 2 :],
    )


def _reordering_round(
    stream: RandomStream, document_count: int, duel_rule: DuelRule, twist: DuelRule, does_winner_turn: bool
) -> DuelRound:
    pool = _drawn_grades(stream, document_count)
    indexes = tuple(range(document_count))
    return DuelRound(
        "", pool, stream.shuffled(indexes), stream.shuffled(indexes), duel_rule, twist, does_winner_turn
    )


def _half_against_half_round(
    stream: RandomStream, k: int, does_winner_turn: bool, most_margin: float
) -> DuelRound | None:
    """The first `k` documents against the next; None where one side is ahead by `most_margin` or more."""
    pool = _drawn_grades(stream, 2 * k)
    indexes = tuple(range(2 * k))
    twist_rule = DuelRule(k, "exponential")
    duel_round = DuelRound("", pool, indexes[:k], indexes[k:], DuelRule(k), twist_rule, does_winner_turn)
    if abs(duel_round.margin(duel_round.rule)) >= most_margin:
        return None
    return duel_round
