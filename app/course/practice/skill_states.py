"""Where a learner stands with a skill: the values that the rule of mastery takes and gives."""

from collections.abc import Mapping
from datetime import date
from typing import Literal, NamedTuple

from app.course.content.skills import PractisedSkill

MasteryState = Literal["new", "met", "learning", "mastered", "remembered"]
NAME_BY_MASTERY: Mapping[MasteryState, str] = {
    "new": "没学过",
    "met": "学过",
    "learning": "在练",
    "mastered": "会了",
    "remembered": "还记得",
}


class AnswerMoment(NamedTuple):
    """When an answer was given, by which answers stand in order; of one moment the larger number came later.

    A number alone says when an answer was marked: those of a paper that is collected late are large.
    `answered_at`: as the records have it, in UTC, a later moment after an earlier one in the order of texts.

    >>> AnswerMoment("2026-09-01 08:00", 9) < AnswerMoment("2026-09-01 08:00", 10)
    True
    >>> BEFORE_ALL_ANSWERS < AnswerMoment("2026-09-01 08:00", 1) < AnswerMoment("2026-09-02 08:00", 1)
    True
    """

    answered_at: str
    response_id: int


BEFORE_ALL_ANSWERS = AnswerMoment("", 0)


class CountedAnswer(NamedTuple):
    """The first answer to an item in one attempt, given without a hint, on a day of its learner."""

    moment: AnswerMoment
    item_id: str
    day: date
    is_right_at_once: bool


class AnswerWindow(NamedTuple):
    """The last questions of a skill that count: `right_count` of these `size` were right at once, of which
    `needed_count` must be."""

    right_count: int
    size: int
    needed_count: int

    @property
    def is_enough(self) -> bool:
        return self.right_count >= self.needed_count

    @property
    def reached_share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return min(1.0, self.right_count / self.needed_count)


class SkillPractice(NamedTuple):
    """What the answers to the questions of one skill come to, whatever stands with the others.

    `mastery`: never "met", which is a matter of lessons. `next_level`: the one to practise. `is_failing`: two
    in a row went wrong at its lowest level. `tried_count`: how many were answered at any level, of each item
    those alone that were kept. `due_since`: where it is mastered, and was right at once on one day
    alone, which is not today: that day. `untouched_days`: since its last answer, None before the first one.
    `latest_answer_by_item_id`: of a day the first one. `is_firm`: others may build on it.
    `is_rusty`: it was not touched for long.
    """

    mastery: MasteryState
    window: AnswerWindow
    next_level: int
    is_failing: bool
    tried_count: int
    due_since: date | None
    untouched_days: int | None
    latest_answer_by_item_id: Mapping[str, CountedAnswer]
    is_firm: bool
    is_rusty: bool

    @property
    def is_mastered(self) -> bool:
        return self.mastery in ("mastered", "remembered")

    @property
    def last_answer_moment(self) -> AnswerMoment:
        """Of the last answer to any of its questions; before all others where there is none."""
        moments = [counted_answer.moment for counted_answer in self.latest_answer_by_item_id.values()]
        return max(moments, default=BEFORE_ALL_ANSWERS)


class SkillState(NamedTuple):
    """Where a learner stands with a skill.

    `met_count`: how many questions of it were answered, None where practice counts. `missing_skills`: what a
    skill that is not practised yet needs, and what is not firm yet.
    """

    skill: PractisedSkill
    practice: SkillPractice
    met_count: int | None = None
    missing_skills: tuple[PractisedSkill, ...] = ()

    @property
    def mastery(self) -> MasteryState:
        if self.met_count is not None:
            return "met"
        return self.practice.mastery

    @property
    def is_mastered(self) -> bool:
        return self.practice.is_mastered

    @property
    def is_due(self) -> bool:
        """Whether a right answer today makes it 还记得."""
        return self.practice.due_since is not None

    @property
    def mastery_name(self) -> str:
        return NAME_BY_MASTERY[self.mastery]

    @property
    def reached_share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return self.practice.window.reached_share
