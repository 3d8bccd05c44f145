"""A play of 分力气 after its moves: what was spread, what it earned, and how its fields are read."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from app.course.games.moves import SEPARATOR, JudgedMove, MadeMove, judged_move, state_after
from app.course.games.pushing import ALL_UNITS, KINDS, MOST_STARS, PushingRound, Spread, rounds
from app.course.items.marks import Unreadable
from app.course.text.typed import folded_text, whole_number

UNITS_OF_BUTTON: Mapping[str, int] = {"more": 5, "less": -5}
"""What the buttons of a pair do to its units."""
LONGEST_FIELD = 12


@dataclass(frozen=True)
class PushingState:
    """Where a play stands. `spread`: of this round, once it is handed in; `stars`: of the rounds so far."""

    seed: int
    round_index: int = 0
    spread: Spread | None = None
    stars: tuple[int, ...] = ()

    @property
    def round(self) -> PushingRound:
        return rounds(self.seed)[self.round_index]

    @property
    def is_over(self) -> bool:
        return self.spread is not None and self.round_index == len(KINDS) - 1

    @property
    def score(self) -> int:
        return sum(self.stars)


MOST_STARS_OF_PLAY = MOST_STARS * len(KINDS)


def state_after_moves(seed: int, moves: Sequence[MadeMove]) -> PushingState:
    """The play after these moves."""
    return state_after(PushingState(seed), moves, _state_after_move)


def _state_after_move(state: PushingState, move: str, raw: str) -> PushingState | None:
    """The state after one move; None for a move that is not to be made now. Raises `Unreadable`."""
    if move == "on" and state.spread is not None and not state.is_over:
        return PushingState(state.seed, state.round_index + 1, stars=state.stars)
    if move != "guess" or state.spread is not None:
        return None
    spread = read_spread(raw, len(state.round.pushes))
    return replace(state, spread=spread, stars=(*state.stars, state.round.stars(spread)))


def read_spread(raw: str, pair_count: int) -> Spread:
    """What was typed for each pair, as units; an empty field is 0. Raises `Unreadable`.

    >>> read_spread("70;30;", 3)
    (70, 30, 0)
    >>> read_spread("70;20;", 3)
    Traceback (most recent call last):
        ...
    app.course.items.marks.Unreadable: 一共要正好100份，现在是90份，还差10份。
    """
    spread = tuple(map(_units_of, fields_of(raw, pair_count), range(1, pair_count + 1)))
    unit_sum = sum(spread)
    if unit_sum != ALL_UNITS:
        excess_words = (
            f"多了{unit_sum - ALL_UNITS}份" if unit_sum > ALL_UNITS else f"还差{ALL_UNITS - unit_sum}份"
        )
        raise Unreadable(f"一共要正好{ALL_UNITS}份，现在是{unit_sum}份，{excess_words}。")
    return spread


def _units_of(field: str, number: int) -> int:
    """The units of a pair, from its field. Raises `Unreadable`."""
    units = whole_number(field) if field else 0
    if units is None or units > ALL_UNITS:
        raise Unreadable(f"第{number}对写的“{field}”读不出来：要一个0到{ALL_UNITS}的整数。")
    return units


def fields_of(raw: str, pair_count: int) -> tuple[str, ...]:
    """What stands in the fields of the pairs: so many of them, whatever was sent.

    >>> fields_of("70; ３０", 3)
    ('70', '30', '')
    """
    fields = [folded_text(field, LONGEST_FIELD) for field in raw.split(SEPARATOR)]
    return tuple((*fields, *[""] * pair_count)[:pair_count])


def step_fields(raw: str, button: str, pair_count: int) -> str:
    """The fields after one press of a button: `more-2` gives the second pair more, `less-2` less.

    What cannot be read counts as 0; no field leaves 0 to 100.

    >>> step_fields("70;30;", "more-3", 3), step_fields("70;3;", "less-2", 3)
    ('70;30;5', '70;0;')
    >>> step_fields("70;30;", "wave", 3)
    '70;30;'
    """
    fields = list(fields_of(raw, pair_count))
    direction, _, number = button.partition("-")
    if direction in UNITS_OF_BUTTON and number in {str(place) for place in range(1, pair_count + 1)}:
        units = whole_number(fields[int(number) - 1]) or 0
        fields[int(number) - 1] = str(min(ALL_UNITS, max(0, units + UNITS_OF_BUTTON[direction])))
    return SEPARATOR.join(fields)


@dataclass(frozen=True)
class Pushing:
    """The judge of a play, as the records ask it."""

    seed: int

    def judge(self, moves: Sequence[MadeMove], move: str, raw: str) -> JudgedMove | None:
        """What a further move comes to; None if it is not to be made now. Raises `Unreadable`.

        >>> Pushing(7).judge([], "on", "") is None
        True
        """
        old_state = state_after_moves(self.seed, moves)
        new_state = _state_after_move(old_state, move, raw)
        if new_state is None:
            return None
        verdict = move
        if new_state.spread is not None:
            verdict = "right" if new_state.stars[-1] == MOST_STARS else "wrong"
        return judged_move(f"{old_state.round_index + 1}", verdict, new_state, MOST_STARS_OF_PLAY)


def moves_through(seed: int, is_right: bool = True) -> Iterator[tuple[str, str]]:
    """A way through, as moves: as LambdaRank spreads, or with the mistake that each round is about.

    >>> [move for move, _ in moves_through(7)][-1]
    'guess'
    """
    for round_index, pushing_round in enumerate(rounds(seed)):
        if round_index:
            yield "on", ""
        spread = pushing_round.truth
        if not is_right:
            spread = pushing_round.spread_with_mistake(KINDS[pushing_round.kind][1])
        yield "guess", SEPARATOR.join(map(str, whole_units(spread)))


def whole_units(spread: Sequence[float]) -> Spread:
    """A spread in whole units that make up the hundred: the largest parts that were cut off come first.

    >>> whole_units((33.4, 33.3, 33.3))
    (34, 33, 33)
    """
    units = [int(exact_units) for exact_units in spread]
    indexes_by_loss = sorted(range(len(units)), key=lambda index: units[index] - spread[index])
    for index in indexes_by_loss[: ALL_UNITS - sum(units)]:
        units[index] += 1
    return tuple(units)
