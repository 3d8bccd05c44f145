"""Mastery: from what was answered to a state of each skill, by one rule, with its numbers and its words.

A skill is 会了 when of its last six questions at least five were right at once and without hints; it is
还记得 when such answers lie on two days. The questions of a skill with exercises are their variants at
`LEVEL` and above; those of any other skill are its items in the lessons, each by its latest answer (of fewer
than five, all must be right). What else was answered or read of a skill makes it 学过. A mistake is cleared
from 错题本 by `CLEARS` such answers. What a teacher sees of a class is a band, from first tries alone.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import MappingProxyType
from typing import Literal, NamedTuple

from app.course.content.course import Course
from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import LEVEL_NAMES

WINDOW, ENOUGH = 6, 5
"""How many questions are looked at, and how many of them must be right at once."""
LEVEL = 2
"""The lowest level whose variants count for mastery: 中."""
MasteryState = Literal["new", "met", "learning", "mastered", "remembered"]
STATE_NAMES: Mapping[MasteryState, str] = {
    "new": "没学过",
    "met": "学过",
    "learning": "在练",
    "mastered": "会了",
    "remembered": "还记得",
}
COUNTING_LEVELS = "和".join(f"“{name}”" for level, name in LEVEL_NAMES.items() if level >= LEVEL)
LEAST_TO_BEAR = 2
"""So many right answers at least, before other skills build on this one."""
CLEARS = 3
"""So many right at once, without hints, after the last mistake of a kind."""
RULES = (
    f"最近{WINDOW}道里，{ENOUGH}道一次就对、没看提示，就是“会了”；隔一天再做对一道，就是“还记得”。看了提示的不算，也不扣。",
    (
        f"课文学完了，或者答过它的题，就是“学过”。练起来，有出题器的知识点，{COUNTING_LEVELS}的题才算数；"
        f"没有的，或者出题器后来才有的，看课文里它自己的那几道，不到{WINDOW}道就要全对。"
    ),
)
"""The rule of mastery as pages tell it."""
CLEARING_RULE = f"同一类再有{'零一二三四五六七八九'[CLEARS]}道一次就对，就清掉。"


STRENGTH_WORDS = ("没做过", "刚起步", "一半一半", "多半会", "很稳")
"""What a teacher reads of a student or a class at a skill; the number in it is the band."""
BANDS = ((0.85, 4), (0.65, 3), (0.4, 2), (0.0, 1))
"""From which share of first tries on that were right; always shown with how many there were."""
HOLDS = 3
"""From this band on a skill bears what is built on it: 多半会."""
STRENGTH_RULE = (
    f"一次就对的题数/做过的题数，看了提示的不算对：{BANDS[0][0]:.0%}起{STRENGTH_WORDS[4]}，"
    f"{BANDS[1][0]:.0%}起{STRENGTH_WORDS[3]}，{BANDS[2][0]:.0%}起{STRENGTH_WORDS[2]}。"
    f"同学自己看到的“{STATE_NAMES['mastered']}”另看最近{WINDOW}道和隔天。"
)
"""The rule of what teachers read, as their pages tell it."""
NOTHING_MET: Mapping[str, int] = MappingProxyType({})


class CountedAnswer(NamedTuple):
    """The first answer to an item in one attempt, given without a hint. `number` says what came first."""

    number: int
    item: str
    day: date
    clean: bool


@dataclass(frozen=True)
class SkillState:
    """Where a learner stands with a skill: `clean` of the last `of` questions were right at once.

    `met`: how many questions of it were answered, None where practice counts. `level`: the one to practise
    next. `failing`: two in a row went wrong at its lowest level. `tried`: what was answered at any level, at
    most `WINDOW` of each item. `held_on`: the only day on which it was right at once, and `due`: today is
    another one. `latest`: every item by its latest answer. `bears`: others may build on it. `missing`: the
    names of what it needs and what does not bear yet.
    """

    skill: PractisedSkill
    state: MasteryState = "new"
    clean: int = 0
    of: int = 0
    level: int = 1
    failing: bool = False
    tried: int = 0
    held_on: date | None = None
    due: bool = False
    met: int | None = None
    latest: Mapping[str, CountedAnswer] = field(default_factory=dict)
    bears: bool = False
    missing: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        return self.state in ("mastered", "remembered")

    @property
    def word(self) -> str:
        return STATE_NAMES[self.state]

    @property
    def enough(self) -> int:
        """How many of its last questions must be right at once."""
        if self.skill.exercises:
            return ENOUGH
        return min(ENOUGH, max(1, len(self.skill.items)))

    @property
    def share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return min(1.0, self.clean / self.enough)

    @property
    def reason(self) -> str:
        """Why it is in this state, in one sentence."""
        counted = f"最近{self.of}道里，一次就对了{self.clean}道"
        match self.state:
            case "new":
                return f"先要会{_listed(self.missing)}。" if self.missing else "还没学到这里。"
            case "met":
                return self._read_so_far()
            case "learning":
                return self._way_to_go(counted)
            case "mastered":
                return self._held_once(counted)
            case "remembered":
                return f"{counted}，而且不止一天。"

    @property
    def next_step(self) -> str:
        """What to do with it now, as a link says it; what is new is read first."""
        if self.state == "new":
            return "先学课文"
        return self.practice_step

    @property
    def practice_step(self) -> str:
        """What its next question is, as a link says it."""
        match self.state:
            case "new" | "met":
                return "练第一道"
            case "learning":
                return "接着练"
            case "mastered":
                return "今天再来一道" if self.due else "再练一道"
            case "remembered":
                return "来道难的" if self.skill.exercises else "再练一道"

    def _held_once(self, counted: str) -> str:
        """What is still missing until it is remembered."""
        if not self.due or self.held_on is None:
            return f"{counted}；隔天再对一道，就是还记得。"
        day = f"{self.held_on.month}月{self.held_on.day}日"
        return f"{day}会了；今天再来一道，一次做对就是还记得。"

    def _read_so_far(self) -> str:
        """What was met of it in lessons, and what practice asks for."""
        lead = "课文学过了"
        if self.met:
            lead = f"答过它的{self.met}题"
        if not self.skill.exercises:
            return f"{lead}；它自己的题，没看提示一次做对{self.enough}道，就算会了。"
        return f"{lead}；“{LEVEL_NAMES[LEVEL]}”里最近{WINDOW}道一次就对{ENOUGH}道，就算会了。"

    def _way_to_go(self, counted: str) -> str:
        """What is still missing until it is held."""
        if not self.of:
            lower, counting = LEVEL_NAMES[LEVEL - 1], LEVEL_NAMES[LEVEL]
            more = "以上" if self.tried >= WINDOW else ""
            goal = f"“{counting}”里最近{WINDOW}道一次就对{ENOUGH}道，就算会了。"
            return f"“{lower}”练过{min(self.tried, WINDOW)}道{more}；{goal}"
        if not self.skill.exercises and 0 < len(self.skill.items) < WINDOW:
            return f"一共{len(self.skill.items)}道题，{counted}；对了{self.enough}道，就算会了。"
        return f"{counted}；{WINDOW}道里对{self.enough}道，就算会了。"


def skill_states(
    course: Course,
    answers: Iterable[CountedAnswer],
    firsts: Mapping[str, date],
    today: date,
    met_counts: Mapping[str, int] = NOTHING_MET,
) -> Mapping[str, SkillState]:
    """The state of every skill, in the order of the course.

    `answers`: at least the last `WINDOW` of each item. `firsts`: the first day on which an item was right at
    once and without hints, for every one that ever was. `met_counts`: how many questions were answered of the
    skills of which any was, or whose section was read.
    """
    answers_of = defaultdict[str, list[CountedAnswer]](list)
    firsts_of = defaultdict[str, dict[str, date]](dict)
    for answer in answers:
        if answer.item in course.counted:
            answers_of[course.counted[answer.item].skill].append(answer)
    for item, day in firsts.items():
        if item in course.counted:
            firsts_of[course.counted[item].skill][item] = day
    states = {}
    for name, skill in course.practised.items():
        state = skill_state(course, skill, answers_of[name], firsts_of[name], today)
        if state.state == "new" and name in met_counts:
            state = replace(state, state="met", met=met_counts[name])
        states[name] = state
    bearing = frozenset(_bearing(states))
    for name, state in states.items():
        missing = [course.practised[need].name for need in state.skill.needs if need not in bearing]
        states[name] = replace(state, bears=name in bearing, missing=tuple(missing))
    return states


def _level_of(course: Course, item: str) -> int:
    """A fixed item has the level that counts."""
    return course.counted[item].level or LEVEL


def skill_state(
    course: Course,
    skill: PractisedSkill,
    answers: Sequence[CountedAnswer],
    firsts: Mapping[str, date],
    today: date,
) -> SkillState:
    """One skill, whatever stands with the others: without what it misses. Answers and firsts are its own.

    One that has both exercises and items that count is held by either.
    """
    if skill.exercises and skill.items:
        variants = [answer for answer in answers if answer.item not in skill.items]
        state = skill_state(course, replace(skill, items=()), variants, firsts, today)
        if not state.held:
            of_items = [answer for answer in answers if answer.item in skill.items]
            state_of_items = skill_state(course, replace(skill, exercises=()), of_items, firsts, today)
            if state_of_items.held:
                state = state_of_items
        return replace(state, skill=skill)
    if not answers:
        return SkillState(skill)
    answers = sorted(answers)
    latest = _latest(answers)
    lowest = 1
    recent = answers
    if not skill.exercises:
        lowest = LEVEL
        recent = sorted(latest.values())
    counting = [answer for answer in recent if _level_of(course, answer.item) >= LEVEL][-WINDOW:]
    clean = [answer for answer in counting if answer.clean]
    days = {day for item, day in firsts.items() if _level_of(course, item) >= LEVEL}
    days |= {answer.day for answer in clean}
    held_on = None
    if len(days) == 1:
        [held_on] = days
    state = SkillState(skill, clean=len(clean), of=len(counting), tried=len(answers), held_on=held_on)
    held = len(clean) >= state.enough
    results = [(_level_of(course, answer.item), answer.clean) for answer in answers]
    return replace(
        state,
        state=_state(held, days),
        due=held and held_on is not None and held_on != today,
        level=level(results),
        failing=results[-2:] == [(lowest, False)] * 2,
        latest=latest,
        bears=_half_right(recent),
    )


def _latest(answers: Sequence[CountedAnswer]) -> dict[str, CountedAnswer]:
    """Each item by its latest answer; of a day its first one, for after that the solution is known."""
    latest: dict[str, CountedAnswer] = {}
    for answer in answers:
        if answer.item not in latest or latest[answer.item].day != answer.day:
            latest[answer.item] = answer
    return latest


def _state(held: bool, days: set[date]) -> MasteryState:
    if not held:
        return "learning"
    if len(days) > 1:
        return "remembered"
    return "mastered"


def strength_band(right: int, of: int) -> int:
    """How firmly somebody stands, from 0 (nothing tried yet) to 4: `right` of the `of` first tries.

    >>> [strength_band(right, 20) for right in (0, 8, 13, 17)], strength_band(0, 0)
    ([1, 2, 3, 4], 0)
    """
    if not of:
        return 0
    share = right / of
    return next(band for least, band in BANDS if share >= least)


def level(answers: Sequence[tuple[int, bool]]) -> int:
    """The level to practise next: two in a row at one level lead up, or down again.

    `answers`: level of each, and whether it was right at once.

    >>> level([]), level([(1, True)]), level([(1, True), (1, True)])
    (1, 1, 2)
    >>> level([(1, True), (2, True)]), level([(2, False), (2, False)])
    (2, 1)
    """
    if not answers:
        return 1
    at, clean = answers[-1]
    if len(answers) == 1 or answers[-2] != (at, clean):
        return at
    if clean:
        return min(at + 1, len(LEVEL_NAMES))
    return max(at - 1, 1)


def _half_right(answers: Sequence[CountedAnswer]) -> bool:
    """Whether a skill is firm enough to build on: of its last questions, at any level, half were right."""
    recent = answers[-WINDOW:]
    clean = sum(answer.clean for answer in recent)
    return clean >= LEAST_TO_BEAR and 2 * clean >= len(recent)


def _bearing(states: Mapping[str, SkillState]) -> Iterator[str]:
    """What others may build on; what is held bears, and so does everything below it."""
    for name, state in states.items():
        if state.held:
            yield from (name, *state.skill.below)
        elif state.bears:
            yield name


def _listed(names: Sequence[str]) -> str:
    """“增益”和“折损”.

    >>> _listed(["增益", "折损"])
    '“增益”和“折损”'
    """
    return "和".join(f"“{name}”" for name in names)
