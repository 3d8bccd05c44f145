"""What is known of the mistakes at an item, on cards and in games: what the notebook is made of."""

from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from app.course.practice.skill_states import AnswerMoment

LearnerDay = Callable[[datetime | str], date]
"""The learner's day of a moment."""
MOST_WRONG_RESPONSES = 50
"""So many of the newest wrong answers to an item are looked at."""
MOST_CLEAN_RESPONSES = 20
"""So many of the newest answers to an item that were right at once."""


class WrongResponse(NamedTuple):
    """A wrong answer, on a day of its learner."""

    moment: AnswerMoment
    item_id: str
    day: date
    misconception_code: str | None = None

    @property
    def response_id(self) -> int:
        return self.moment.response_id


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
    """A misconception at one item: the fields of the `AnswerMoment` of the last answer with it, and how often
    it was seen. Of thousands only the last of each misconception is put into words."""

    answered_at: str
    response_id: int
    mistake_count: int

    @property
    def moment(self) -> AnswerMoment:
        return AnswerMoment(self.answered_at, self.response_id)


class ItemMistakes(NamedTuple):
    """What is known of the answers to one item.

    `clean_moments`: the fields of the `AnswerMoment` of those that were right at once and without hints;
    `read_wrong_responses`: the wrong ones; of both the newest, the newest first. `wrong_count`: how many were
    wrong. `mistake_totals_by_misconception_code`: the figures of a `Mistake` by the code of its
    misconception, with `""` for those that none explains.
    """

    item_id: str
    clean_moments: Sequence[Sequence[Any]]
    wrong_count: int
    read_wrong_responses: ReadWrongResponses
    mistake_totals_by_misconception_code: Mapping[str, Sequence[Any]]

    @property
    def newest_mistake_moment(self) -> AnswerMoment:
        """Of the newest wrong answer, of which there is one."""
        mistakes = [Mistake(*totals) for totals in self.mistake_totals_by_misconception_code.values()]
        return max(mistakes).moment
