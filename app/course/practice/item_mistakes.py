"""What is known of the mistakes at an item, on cards and in games: what the notebook is made of."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

LearnerDay = Callable[[datetime | str], date]
"""The learner's day of a moment."""
MOST_WRONG_RESPONSES = 50
"""So many of the newest wrong answers to an item are looked at."""
MOST_CLEAN_RESPONSES = 20
"""So many of the newest answers to an item that were right at once."""


class WrongResponse(NamedTuple):
    """A wrong answer; a larger `response_id` came later."""

    response_id: int
    item_id: str
    day: date
    misconception_code: str | None = None


class MistakeElsewhere(NamedTuple):
    """A mistake made elsewhere than at a question, when last, and how often. `source`: "cards" or "games";
    `made_at`: as a `Mistake` has it."""

    source: str
    made_at: str
    misconception_code: str | None
    mistake_count: int = 1


ReadWrongResponses = Callable[[], Sequence[WrongResponse]]
"""Wrong answers that are read when they are asked for."""


class Mistake(NamedTuple):
    """A misconception at one item: how often, and the id and the moment of the last answer with it.

    The moment is as the records have it, in UTC, a later one after an earlier one in the order of texts: of
    thousands only the last of each misconception is put into words.
    """

    mistake_count: int
    response_id: int
    answered_at: str


class ItemMistakes(NamedTuple):
    """What is known of the answers to one item.

    `clean_response_ids`: of those that were right at once and without hints; `read_wrong_responses`: the
    wrong ones; of both the newest, the newest first. `wrong_count`: how many were wrong.
    `mistake_totals_by_misconception_code`: the figures of a `Mistake` by the code of its misconception, with
    `""` for those that none explains.
    """

    item_id: str
    clean_response_ids: Sequence[int]
    wrong_count: int
    read_wrong_responses: ReadWrongResponses
    mistake_totals_by_misconception_code: Mapping[str, Sequence[Any]]

    @property
    def newest_response_id(self) -> int:
        """The id of the newest wrong answer, of which there is one."""
        newest_response_id: int = max(
            response_id for _, response_id, _ in self.mistake_totals_by_misconception_code.values()
        )
        return newest_response_id
