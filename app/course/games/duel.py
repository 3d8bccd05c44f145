"""谁的推荐更懂我: eight rounds from a seed. Two systems rank the same judged documents; who is better?

What a round promises is a function, `broken`: tests hold it against thousands of seeds.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from app import engine
from app.course.games.chance import Chance
from app.course.text.model_base import GainName

Winner = Literal["x", "y", "tie"]
Side = Literal["x", "y"]
CLEAR = 0.01
"""Two scores that are not the same differ by this at least: one can see it in what is printed."""
CLOSE = 0.12
"""As near as the two stand in the finale."""
SAME = 1e-9
TITLES_OF_A_GRADE = 4
LEAST_GRADES = 3
MOST_DRAWS = 5_000


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
    pool: tuple[int, ...]
    x: tuple[int, ...]
    y: tuple[int, ...]
    rule: Rule
    twist: Rule | None = None
    turns: bool = False
    measure: Literal["DCG", "NDCG"] = "NDCG"

    @property
    def rules(self) -> tuple[Rule, ...]:
        return (self.rule, self.twist) if self.twist else (self.rule,)

    def places(self, side: Side) -> tuple[int, ...]:
        return self.x if side == "x" else self.y

    def grades(self, side: Side) -> tuple[int, ...]:
        return tuple(self.pool[place] for place in self.places(side))

    def trace(self, side: Side, rule: Rule) -> engine.Trace:
        return engine.trace(self.grades(side), rule.k, rule.gain, pool=self.pool)

    def score(self, side: Side, rule: Rule) -> float:
        """What is compared: DCG or NDCG at k."""
        return _score(self.measure, self.grades(side), rule, self.pool)

    def margin(self, rule: Rule) -> float:
        """How far X is ahead; below 0: Y is."""
        return self.score("x", rule) - self.score("y", rule)

    def winner(self, rule: Rule) -> Winner:
        margin = self.margin(rule)
        return "tie" if abs(margin) < SAME else "x" if margin > 0 else "y"


@lru_cache(4096)
def _score(measure: str, grades: tuple[int, ...], rule: Rule, pool: tuple[int, ...]) -> float:
    """Looked at several times for each draw, so it is kept a while."""
    found = engine.dcg if measure == "DCG" else engine.ndcg
    return found(grades, rule.k, rule.gain, pool=pool)


@lru_cache(512)
def rounds(seed: int) -> tuple[Round, ...]:
    """The eight rounds of a seed, growing harder. In one of them at least, the gain decides who wins.

    >>> [one.kind for one in rounds(7)]
    ['opening', 'neighbours', 'two-swaps', 'ties', 'cut', 'gain', 'both', 'finale']
    """
    found: list[Round] = []
    for number, (kind, draw) in enumerate(KINDS.items(), 1):
        chance = Chance(f"duel/{seed}/{number}")
        turned = any(one.turns for one in found if one.kind == "gain")
        turns = chance.coin() or (kind == "finale" and not turned)
        found.append(_drawn(kind, draw, chance, turns))
    return tuple(found)


def broken(one: Round) -> Iterator[str]:
    """A sentence for every promise that a round breaks.

    >>> list(broken(rounds(7)[5]))
    []
    """
    yield from _broken_lists(one)
    yield from _broken_winners(one)


def _broken_lists(one: Round) -> Iterator[str]:
    if len(set(one.pool)) < LEAST_GRADES:
        yield f"{one.kind}: too few different grades"
    if any(one.pool.count(grade) > TITLES_OF_A_GRADE for grade in one.pool):
        yield f"{one.kind}: more documents of one grade than there are titles"
    for places in (one.x, one.y):
        if len(set(places)) < len(places) or not all(0 <= place < len(one.pool) for place in places):
            yield f"{one.kind}: a list is not made of judged documents"
        if len(places) < max(rule.k for rule in one.rules):
            yield f"{one.kind}: a list ends before k"


def _broken_winners(one: Round) -> Iterator[str]:
    winners = [one.winner(rule) for rule in one.rules]
    if "tie" in winners and one.kind != "ties":
        yield f"{one.kind}: nobody wins"
    if one.turns != (len(set(winners)) > 1):
        yield f"{one.kind}: it says turns={one.turns}, and that is not so"
    for rule, winner in zip(one.rules, winners, strict=True):
        if winner != "tie" and abs(one.margin(rule)) < CLEAR:
            yield f"{one.kind}: the winner at {rule} cannot be told"


def _drawn(kind: str, draw: "Draw", chance: Chance, turns: bool) -> Round:
    for _ in range(MOST_DRAWS):
        one = draw(chance, turns)
        if one is not None and not any(broken(one := replace(one, kind=kind))):
            return one
    raise RuntimeError(f"no {kind} in {MOST_DRAWS} draws")


def _opening(chance: Chance, turns: bool) -> Round:  # noqa: ARG001  (one shape)
    """The question that was once asked and left open: 0 1 2 3 against 3 2 1 0."""
    return Round("", (0, 1, 2, 3), (0, 1, 2, 3), (3, 2, 1, 0), Rule(4), measure="DCG")


def _neighbours(chance: Chance, turns: bool) -> Round | None:  # noqa: ARG001
    """The same list, but for two neighbours."""
    pool, at = _grades(chance, 4), chance.between(0, 2)
    if pool[at] == pool[at + 1]:
        return None
    return Round("", pool, *_sides(chance, (0, 1, 2, 3), _swapped((0, 1, 2, 3), at)), Rule(4))


def _two_swaps(chance: Chance, turns: bool) -> Round | None:  # noqa: ARG001
    """One list: here the first two were swapped, there a pair further down, which differs by more."""
    pool, at = _grades(chance, 5), chance.between(1, 3)
    above, below = abs(pool[0] - pool[1]), abs(pool[at] - pool[at + 1])
    if not 0 < above < below:
        return None
    places = (0, 1, 2, 3, 4)
    return Round("", pool, *_sides(chance, _swapped(places, 0), _swapped(places, at)), Rule(5))


def _ties(chance: Chance, turns: bool) -> Round | None:
    """A real tie, or as many sweets in both. The 3rd rank keeps a half: 2 there is worth 1 at the top."""
    first, third, other_first, other_third, middle = _grades(chance, 5)
    if turns:
        wanted = 2 * first + third == 2 * other_first + other_third
    else:
        wanted = first + third == other_first + other_third
    if first == other_first or not wanted:
        return None
    pool = (first, middle, third, other_first, other_third)
    return Round("", pool, *_sides(chance, (0, 1, 2), (3, 1, 4)), Rule(3))


def _cut(chance: Chance, turns: bool) -> Round | None:
    """Two orders of the same documents, judged near the top and then to the end."""
    return _reordered(chance, 5, Rule(2), Rule(5), turns)


def _gain(chance: Chance, turns: bool) -> Round | None:
    """A big sweet and little else, or several middling ones: it depends on what a grade is worth."""
    one = Round("", _grades(chance, 6), (0, 1, 2), (3, 4, 5), Rule(3), Rule(3, "exponential"), turns)
    return one if abs(one.margin(one.rule)) < 2 * CLOSE else None


def _both(chance: Chance, turns: bool) -> Round | None:
    return _reordered(chance, 6, Rule(3, "exponential"), Rule(6, "exponential"), turns)


def _finale(chance: Chance, turns: bool) -> Round | None:
    """Four against four, and close."""
    one = Round("", _grades(chance, 8), (0, 1, 2, 3), (4, 5, 6, 7), Rule(4), Rule(4, "exponential"), turns)
    return one if abs(one.margin(one.rule)) < CLOSE else None


Draw = Callable[[Chance, bool], Round | None]
"""Makes a round, or nothing where the chance was bad; told whether the winner shall turn."""
KINDS: Mapping[str, Draw] = {
    "opening": _opening,
    "neighbours": _neighbours,
    "two-swaps": _two_swaps,
    "ties": _ties,
    "cut": _cut,
    "gain": _gain,
    "both": _both,
    "finale": _finale,
}
"""The rounds in their order."""


def _grades(chance: Chance, count: int) -> tuple[int, ...]:
    return tuple(chance.between(0, 3) for _ in range(count))


def _sides(
    chance: Chance, one: tuple[int, ...], other: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    return (one, other) if chance.coin() else (other, one)


def _swapped(places: tuple[int, ...], at: int) -> tuple[int, ...]:
    return (*places[:at], places[at + 1], places[at], *places[at + 2 :])


def _reordered(chance: Chance, count: int, rule: Rule, twist: Rule, turns: bool) -> Round:
    places = tuple(range(count))
    return Round("", _grades(chance, count), chance.mixed(places), chance.mixed(places), rule, twist, turns)
