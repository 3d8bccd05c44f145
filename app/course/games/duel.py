"""谁的推荐更懂我: eight rounds from a seed. Two systems rank the same judged documents; who is better?

What a round promises is a function, `broken_promises`: tests hold it against thousands of seeds. In the
second edition the side whose first different candy is sweeter loses somewhere in half of the rounds; seeds of
the first edition keep the lists that they had.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from itertools import chain
from typing import Literal

from app import engine
from app.course.games.days import FIRST_SEED_BEYOND_DATES, day_of_seed
from app.course.games.ranked_lists import Grades, Places, Side
from app.course.text.model_base import GainName
from app.engine.cumulative import FLOAT_NOISE
from app.engine.generate.random_stream import RandomStream

Winner = Literal["x", "y", "tie"]
LEAST_MARGIN = 0.01
"""Two scores that are not the same differ by this at least: one can see it in what is printed."""
MOST_FINALE_MARGIN = 0.12
"""As near as the two stand in the finale."""
MOST_OF_A_GRADE = 4
FEWEST_DIFFERENT_GRADES = 3
MOST_DRAWS = 5_000
FIRST_SEED_OF_SECOND_EDITION = 20_000
"""Seeds below it were handed out before the second edition."""
LAST_DAY_OF_FIRST_EDITION = date(2026, 11, 25)
UPSETS_PER_PLAY = 4
"""So many of the eight rounds the sweeter head loses, in the second edition."""


@dataclass(frozen=True)
class Rule:
    """Under which convention a round is judged: how far one looks, and what a grade is worth."""

    k: int
    gain: GainName = "linear"


@dataclass(frozen=True)
class Round:
    """One round. `x` and `y` are places in `pool`, the grades of all judged documents.

    `twist`: another convention, under which the same lists are judged once more; `turns` says whether
    somebody else wins then.

    >>> first = rounds(7)[0]
    >>> [first.grades(side) for side in ("x", "y")], first.winner(first.rule)
    ([(0, 1, 2, 3), (3, 2, 1, 0)], 'y')
    """

    kind: str
    pool: Grades
    x: Places
    y: Places
    rule: Rule
    twist: Rule | None = None
    turns: bool = False
    measure: Literal["DCG", "NDCG"] = "NDCG"

    @property
    def rules(self) -> tuple[Rule, ...]:
        if self.twist is None:
            return (self.rule,)
        return (self.rule, self.twist)

    def places(self, side: Side) -> Places:
        if side == "x":
            return self.x
        return self.y

    def grades(self, side: Side) -> Grades:
        return tuple(self.pool[index] for index in self.places(side))

    def trace(self, side: Side, rule: Rule) -> engine.Trace:
        return engine.trace(self.grades(side), rule.k, rule.gain, pool=self.pool)

    def score(self, side: Side, rule: Rule) -> float:
        """What is compared: DCG or NDCG at k."""
        return _measured_score(self.measure, self.grades(side), rule, self.pool)

    def margin(self, rule: Rule) -> float:
        """How far X is ahead; below 0: Y is."""
        return self.score("x", rule) - self.score("y", rule)

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
        return any(self.winner(rule) != self.side_with_sweeter_head for rule in self.rules)

    def winner(self, rule: Rule) -> Winner:
        margin = self.margin(rule)
        if abs(margin) < FLOAT_NOISE:
            return "tie"
        if margin > 0:
            return "x"
        return "y"


@lru_cache(4096)
def _measured_score(measure: str, grades: Grades, rule: Rule, pool: Grades) -> float:
    """Asked several times for each draw, so it stays in a cache."""
    if measure == "DCG":
        return engine.dcg(grades, rule.k, rule.gain, pool=pool)
    return engine.ndcg(grades, rule.k, rule.gain, pool=pool)


@lru_cache(512)
def rounds(seed: int) -> tuple[Round, ...]:
    """The eight rounds of a seed, growing harder. In one of them at least, the gain decides who wins.

    >>> [duel_round.kind for duel_round in rounds(7)]
    ['opening', 'neighbours', 'two-swaps', 'ties', 'cut', 'gain', 'both', 'finale']
    """
    round_by_kind: dict[str, Round] = {}
    upset_kinds = _upset_kinds_of(seed)
    for number, kind in enumerate(DRAW_BY_KIND, 1):
        stream = RandomStream(f"duel/{seed}/{number}")
        turns = stream.tosses_heads()
        if kind == "finale" and not round_by_kind["gain"].turns:
            turns = True
        does_head_lose = None
        if upset_kinds and kind in KINDS_WITH_UPSETS:
            does_head_lose = kind in upset_kinds
            turns = _turns_in_second_edition(kind, turns, upset_kinds)
        round_by_kind[kind] = _draw_round(kind, stream, turns, does_head_lose)
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


def _turns_in_second_edition(kind: str, turns: bool, upset_kinds: tuple[str, ...]) -> bool:
    """Whether the winner turns: never where the head wins throughout; one gain at least decides."""
    if kind not in upset_kinds:
        return False
    if kind == "ties":
        return True
    return turns or (kind == "gain" and "finale" not in upset_kinds)


def _draw_round(kind: str, stream: RandomStream, turns: bool, does_head_lose: bool | None) -> Round:
    draw_candidate = DRAW_BY_KIND[kind]
    for _ in range(MOST_DRAWS):
        candidate = draw_candidate(stream, turns)
        if candidate:
            candidate = replace(candidate, kind=kind)
            is_wanted = does_head_lose is None or candidate.does_head_lose == does_head_lose
            if is_wanted and not any(broken_promises(candidate)):
                return candidate
    raise RuntimeError(f"no {kind} in {MOST_DRAWS} draws")


def broken_promises(duel_round: Round) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken_promises(rounds(7)[5]))
    []
    """
    for broken_promise in chain(_broken_list_promises(duel_round), _broken_winner_promises(duel_round)):
        yield f"{duel_round.kind}: {broken_promise}"


def _broken_list_promises(duel_round: Round) -> Iterator[str]:
    pool = duel_round.pool
    if len(set(pool)) < FEWEST_DIFFERENT_GRADES:
        yield "too few different grades"
    if any(pool.count(grade) > MOST_OF_A_GRADE for grade in pool):
        yield "more documents of one grade than there are titles"
    for places in (duel_round.x, duel_round.y):
        if len(set(places)) < len(places) or not set(places) <= set(range(len(pool))):
            yield "a list is not made of judged documents"
        if len(places) < max(rule.k for rule in duel_round.rules):
            yield "a list ends before k"


def _broken_winner_promises(duel_round: Round) -> Iterator[str]:
    winners = {rule: duel_round.winner(rule) for rule in duel_round.rules}
    outcomes = set(winners.values())
    if "tie" in outcomes and duel_round.kind != "ties":
        yield "nobody wins"
    if duel_round.turns != (len(outcomes) > 1):
        yield f"it says turns={duel_round.turns}, and that is not so"
    for rule, winner in winners.items():
        if winner != "tie" and abs(duel_round.margin(rule)) < LEAST_MARGIN:
            yield f"the winner at {rule} cannot be told"


def _opening_round(_stream: RandomStream, _turns: bool) -> Round:
    """The question that was once asked and left open: 0 1 2 3 against 3 2 1 0."""
    return Round("", (0, 1, 2, 3), (0, 1, 2, 3), (3, 2, 1, 0), Rule(4), measure="DCG")


def _neighbours_round(stream: RandomStream, _turns: bool) -> Round | None:
    """The same list, but for two neighbours."""
    pool = _drawn_grades(stream, 4)
    upper_index = stream.between(0, 2)
    if pool[upper_index] == pool[upper_index + 1]:
        return None
    places = (0, 1, 2, 3)
    return _round_on_drawn_sides(stream, pool, places, _with_neighbours_swapped(places, upper_index))


def _two_swaps_round(stream: RandomStream, _turns: bool) -> Round | None:
    """One list: one side swaps its first two, the other a pair further down, which differs by more."""
    pool = _drawn_grades(stream, 5)
    upper_index = stream.between(1, 3)
    top_gap = abs(pool[0] - pool[1])
    if not 0 < top_gap < abs(pool[upper_index] - pool[upper_index + 1]):
        return None
    places = (0, 1, 2, 3, 4)
    return _round_on_drawn_sides(
        stream, pool, _with_neighbours_swapped(places, 0), _with_neighbours_swapped(places, upper_index)
    )


def _ties_round(stream: RandomStream, turns: bool) -> Round | None:
    """A real tie, or as many sweets in both. The 3rd rank keeps a half: 2 there is worth 1 at the top."""
    first_grade, third_grade, rival_first_grade, rival_third_grade, middle_grade = _drawn_grades(stream, 5)
    first_weight = 1
    if turns:  # under its one rule no winner can turn: here the flag asks for the real tie
        first_weight = 2
    is_tied = first_weight * first_grade + third_grade == first_weight * rival_first_grade + rival_third_grade
    if first_grade == rival_first_grade or not is_tied:
        return None
    pool = (first_grade, middle_grade, third_grade, rival_first_grade, rival_third_grade)
    return _round_on_drawn_sides(stream, pool, (0, 1, 2), (3, 1, 4))


def _cut_round(stream: RandomStream, turns: bool) -> Round | None:
    """Two orders of the same documents, judged near the top and then to the end."""
    return _reordering_round(stream, 5, Rule(2), Rule(5), turns)


def _gain_round(stream: RandomStream, turns: bool) -> Round | None:
    """A big sweet and little else, or several middling ones: it depends on what a grade is worth."""
    return _half_against_half_round(stream, 3, turns, 2 * MOST_FINALE_MARGIN)


def _gain_and_cut_round(stream: RandomStream, turns: bool) -> Round | None:
    return _reordering_round(stream, 6, Rule(3, "exponential"), Rule(6, "exponential"), turns)


def _finale_round(stream: RandomStream, turns: bool) -> Round | None:
    """Four against four, and close."""
    return _half_against_half_round(stream, 4, turns, MOST_FINALE_MARGIN)


DrawRound = Callable[[RandomStream, bool], Round | None]
"""Makes a round, or nothing where the chance was bad; the flag says whether the winner shall turn."""
DRAW_BY_KIND: Mapping[str, DrawRound] = {
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


def _round_on_drawn_sides(stream: RandomStream, pool: Grades, places: Places, rival_places: Places) -> Round:
    """Two lists, judged to their end; chance decides which is X."""
    if stream.tosses_heads():
        return Round("", pool, places, rival_places, Rule(len(places)))
    return Round("", pool, rival_places, places, Rule(len(places)))


def _with_neighbours_swapped(places: Places, index: int) -> Places:
    """The same places with the one at this index and the next one exchanged."""
    return (*places[:index], places[index + 1], places[index], *places[index + 2 :])


def _reordering_round(
    stream: RandomStream, document_count: int, rule: Rule, twist: Rule, turns: bool
) -> Round:
    places = tuple(range(document_count))
    return Round(
        "",
        _drawn_grades(stream, document_count),
        stream.shuffled(places),
        stream.shuffled(places),
        rule,
        twist,
        turns,
    )


def _half_against_half_round(stream: RandomStream, k: int, turns: bool, most_margin: float) -> Round | None:
    """The first `k` documents against the next; None where one side is ahead by `most_margin` or more."""
    places = tuple(range(2 * k))
    exponential_rule = Rule(k, "exponential")
    candidate = Round(
        "", _drawn_grades(stream, 2 * k), places[:k], places[k:], Rule(k), exponential_rule, turns
    )
    if abs(candidate.margin(candidate.rule)) >= most_margin:
        return None
    return candidate
