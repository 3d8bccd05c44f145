"""A play of 分力气 after its moves: what was spread, what it earned, and how its fields are read."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Self

from app.course.games.moves import RAW_SEPARATOR, PlayState
from app.course.games.pushing import (
    DOCUMENT_COUNT_AND_MISTAKE_BY_KIND,
    MOST_STARS,
    UNIT_TOTAL,
    PushingRound,
    Spread,
    draw_rounds,
)
from app.course.items.marks import Unreadable
from app.course.text.typed import folded_text, whole_number

UNITS_BY_BUTTON: Mapping[str, int] = {"more": 5, "less": -5}
"""What the buttons of a pair do to its units."""
LONGEST_UNITS_TEXT = 12


@dataclass(frozen=True)
class PushingState(PlayState):
    """Where a play stands. `spread`: of this round, once it is handed in; `star_counts`: of the rounds so
    far.
    """

    spread: Spread | None = None
    star_counts: tuple[int, ...] = ()

    @property
    def round(self) -> PushingRound:
        return draw_rounds(self.seed)[self.round_index]

    @property
    def is_over(self) -> bool:
        return self.spread is not None and self.round_index == len(DOCUMENT_COUNT_AND_MISTAKE_BY_KIND) - 1

    @property
    def score(self) -> int:
        return sum(self.star_counts)

    @property
    def highest_score(self) -> int:
        return MOST_STARS * len(DOCUMENT_COUNT_AND_MISTAKE_BY_KIND)

    @property
    def is_guess_right(self) -> bool:
        return self.star_counts[-1] == MOST_STARS

    def after_move(self, move_name: str, raw_move: str) -> Self | None:
        """The state after one move; None for a move that is not to be made now. Raises `Unreadable`.

        >>> PushingState(7).after_move("on", "") is None
        True
        """
        if move_name == "on" and self.spread is not None and not self.is_over:
            return replace(self, round_index=self.round_index + 1, spread=None)
        if move_name != "guess" or self.spread is not None:
            return None
        spread = read_spread(raw_move, len(self.round.pushes))
        star_counts = (*self.star_counts, self.round.star_count(spread))
        return replace(self, spread=spread, star_counts=star_counts)


def read_spread(raw_move: str, pair_count: int) -> Spread:
    """What was typed for each pair, as units; an empty field is 0. Raises `Unreadable`.

    >>> read_spread("70;30;", 3)
    (70, 30, 0)
    >>> read_spread("70;20;", 3)
    Traceback (most recent call last):
        ...
    app.course.items.marks.Unreadable: 一共要正好100份，现在是90份，还差10份。
    """
    spread = tuple(map(_units_of, units_texts_of(raw_move, pair_count), range(1, pair_count + 1)))
    unit_sum = sum(spread)
    if unit_sum != UNIT_TOTAL:
        excess_words = (
            f"多了{unit_sum - UNIT_TOTAL}份" if unit_sum > UNIT_TOTAL else f"还差{UNIT_TOTAL - unit_sum}份"
        )
        raise Unreadable(f"一共要正好{UNIT_TOTAL}份，现在是{unit_sum}份，{excess_words}。")
    return spread


def _units_of(units_text: str, pair_number: int) -> int:
    """The units of a pair, from its field. Raises `Unreadable`."""
    unit_count = whole_number(units_text) if units_text else 0
    if unit_count is None or unit_count > UNIT_TOTAL:
        raise Unreadable(f"第{pair_number}对写的“{units_text}”读不出来：要一个0到{UNIT_TOTAL}的整数。")
    return unit_count


def units_texts_of(raw_move: str, pair_count: int) -> tuple[str, ...]:
    """What stands in the fields of the pairs: so many of them, whatever was sent.

    >>> units_texts_of("70; ３０", 3)
    ('70', '30', '')
    """
    units_texts = [
        folded_text(units_text, LONGEST_UNITS_TEXT) for units_text in raw_move.split(RAW_SEPARATOR)
    ]
    return tuple((*units_texts, *[""] * pair_count)[:pair_count])


def raw_after_button(raw_move: str, button: str, pair_count: int) -> str:
    """The fields after one press of a button: `more-2` gives the second pair more, `less-2` less.

    What cannot be read counts as 0; no field leaves 0 to 100.

    >>> raw_after_button("70;30;", "more-3", 3), raw_after_button("70;3;", "less-2", 3)
    ('70;30;5', '70;0;')
    >>> raw_after_button("70;30;", "wave", 3)
    '70;30;'
    """
    units_texts = list(units_texts_of(raw_move, pair_count))
    button_direction, _, pair_number_text = button.partition("-")
    if button_direction in UNITS_BY_BUTTON and pair_number_text in {
        str(offered_number) for offered_number in range(1, pair_count + 1)
    }:
        unit_count = whole_number(units_texts[int(pair_number_text) - 1]) or 0
        units_texts[int(pair_number_text) - 1] = str(
            min(UNIT_TOTAL, max(0, unit_count + UNITS_BY_BUTTON[button_direction]))
        )
    return RAW_SEPARATOR.join(units_texts)


def whole_units(spread: Sequence[float]) -> Spread:
    """A spread in whole units that make up the hundred: the largest parts that were cut off come first.

    >>> whole_units((33.4, 33.3, 33.3))
    (34, 33, 33)
    """
    unit_counts = [int(exact_units) for exact_units in spread]
    indexes_in_order_of_loss = sorted(
        range(len(unit_counts)), key=lambda pair_index: unit_counts[pair_index] - spread[pair_index]
    )
    for pair_index in indexes_in_order_of_loss[: UNIT_TOTAL - sum(unit_counts)]:
        unit_counts[pair_index] += 1
    return tuple(unit_counts)
