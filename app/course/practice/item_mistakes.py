"""What is known of the mistakes at an item, on cards and in games: what the notebook is made of."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

LearnerDay = Callable[[datetime | str], date]
"""The learner's day of a moment."""
MOST_WRONGS = 50
"""So many of the newest wrong answers to an item are looked at."""
MOST_CLEANS = 20
"""So many of the newest answers to an item that were right at once."""


class WrongResponse(NamedTuple):
    """A wrong answer. `number` says what came first."""

    number: int
    item: str
    day: date
    misconception: str | None = None


class MistakeElsewhere(NamedTuple):
    """A mistake made elsewhere than at a question, on cards or in games, when last, and how often."""

    place: str
    day: date
    misconception: str | None
    times: int = 1


ReadWrongs = Callable[[], Sequence[WrongResponse]]
"""Wrong answers that are read when they are asked for."""


def no_wrongs() -> Sequence[WrongResponse]:
    """Nothing was wrong."""
    return ()


class Mistake(NamedTuple):
    """A misconception at one item: how often, and the number and the moment of the last answer with it.

    The moment is as the records have it: of thousands only the last of each misconception is put into words.
    """

    times: int
    number: int
    answered_at: datetime | str


class ItemMistakes(NamedTuple):
    """What is known of the answers to one item.

    `cleans`: numbers of those that were right at once and without hints; `read_wrongs`: wrong ones; of both
    the newest, the newest first. `times`: how many were wrong. `mistakes`: by misconception, with `""` for
    those that none explains, the figures of a `Mistake`.
    """

    item: str
    cleans: Sequence[int] = ()
    times: int = 0
    read_wrongs: ReadWrongs = no_wrongs
    mistakes: Mapping[str, Sequence[Any]] = {}

    @property
    def newest_number(self) -> int:
        """The number of the newest wrong answer, of which there is one."""
        newest_number: int = max(number for _, number, _ in self.mistakes.values())
        return newest_number
