"""Mastery: from what was answered to a state of each knowledge point, by one rule.

A point is 会了 when of its last six questions at least five were right at once and without hints, and such
answers lie on two days; until the second day it reads 今天会了. The questions of a point with exercises are
their variants at `LEVEL` and above; those of any other point are its items in the lessons, each by its latest
answer (of fewer than five, all must be right).
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import Literal, NamedTuple

from app.course.content.course import Course
from app.course.content.skills import LEVEL, WINDOW, PractisedSkill
from app.course.exercises.exercises import LEVEL_NAMES

State = Literal["new", "learning", "today", "again", "mastered"]
STATE_NAMES: Mapping[State, str] = {
    "new": "没练过",
    "learning": "在练",
    "today": "今天会了",
    "again": "隔天再来",
    "mastered": "会了",
}
LEAST_TO_BEAR = 2
"""So many right answers at least, before others build on a point."""


class CountedAnswer(NamedTuple):
    """The first answer to an item in one attempt, given without a hint. `number` says what came first."""

    number: int
    item: str
    day: date
    clean: bool


@dataclass(frozen=True)
class SkillState:
    """Where a learner stands with a point: `clean` of the last `of` questions were right at once.

    `level`: the one to practise next. `tried`: what was answered at any level, at most `WINDOW` of each
    item. `held_on`: the only day on which it was right at once. `latest`: every item by its latest answer.
    `bears`: others may build on it. `missing`: the names of what it needs and what does not bear yet.
    """

    point: PractisedSkill
    state: State = "new"
    clean: int = 0
    of: int = 0
    level: int = 1
    tried: int = 0
    held_on: date | None = None
    latest: Mapping[str, CountedAnswer] = field(default_factory=dict)
    bears: bool = False
    missing: tuple[str, ...] = ()

    @property
    def held(self) -> bool:
        return self.state in ("today", "again", "mastered")

    @property
    def share(self) -> float:
        """How much of what is wanted is there, from 0 to 1."""
        return min(1.0, self.clean / self.point.enough)

    @property
    def to_go(self) -> int:
        """How many right answers are still missing."""
        return max(0, self.point.enough - self.clean)

    @property
    def reason(self) -> str:
        """Why it is in this state, in one sentence."""
        counted = f"最近{self.of}道里，一次就对了{self.clean}道"
        match self.state:
            case "new":
                return f"先要会{_listed(self.missing)}。" if self.missing else "还没练过。"
            case "learning" if not self.of:
                more = "以上" if self.tried >= WINDOW else ""
                return f"“易”练过{min(self.tried, WINDOW)}道{more}；“中”里最近6道一次就对5道，就算今天会了。"
            case "learning" if len(self.point.items) in range(1, WINDOW):
                return (
                    f"一共{len(self.point.items)}道题，{counted}；对了{self.point.enough}道，就算今天会了。"
                )
            case "learning":
                return f"{counted}；{WINDOW}道里对{self.point.enough}道，就算今天会了。"
            case "today":
                return f"{counted}；隔天再对一道，就算会了。"
            case "again":
                day = f"{self.held_on.month}月{self.held_on.day}日" if self.held_on else "那天"
                return f"{day}会了；今天再来一道，一次做对就算会了。"
            case "mastered":
                return f"{counted}，而且不止一天。"


def skill_states(
    course: Course, dones: Iterable[CountedAnswer], firsts: Mapping[str, date], today: date
) -> Mapping[str, SkillState]:
    """The state of every point, in the order of the course.

    `dones`: at least the last `WINDOW` of each item. `firsts`: the first day on which an item was right at
    once and without hints, for every one that ever was.
    """
    answers: dict[str, list[CountedAnswer]] = {name: [] for name in course.points}
    days: dict[str, set[date]] = {name: set() for name in course.points}
    counted = course.counted
    for done in sorted(dones):
        if done.item in counted:
            answers[counted[done.item].point].append(done)
    for item, day in firsts.items():
        if item in counted and counted[item].level >= LEVEL:
            days[counted[item].point].add(day)
    found = {
        name: _standing(course, point, answers[name], days[name], today)
        for name, point in course.points.items()
    }
    bearing = frozenset(_bearing(found))
    return {name: _among(course, standing, bearing) for name, standing in found.items()}


def _standing(
    course: Course, point: PractisedSkill, dones: Sequence[CountedAnswer], days: set[date], today: date
) -> SkillState:
    """One point by itself."""
    if not dones:
        return SkillState(point)
    latest = _latest(dones)
    counting = _counting(course, dones) if point.exercises else sorted(latest.values())[-WINDOW:]
    clean = sum(done.clean for done in counting)
    days = days | {done.day for done in counting if done.clean}
    return SkillState(
        point,
        state=_state(clean >= point.enough, days, today),
        clean=clean,
        of=len(counting),
        level=level([(course.counted[done.item].level, done.clean) for done in dones]),
        tried=len(dones),
        held_on=max(days) if len(days) == 1 else None,
        latest=latest,
        bears=_half_right(dones if point.exercises else sorted(latest.values())),
    )


def _latest(dones: Sequence[CountedAnswer]) -> dict[str, CountedAnswer]:
    """Each item by its latest answer; of a day its first one, for after that the solution is known."""
    found: dict[str, CountedAnswer] = {}
    for done in dones:
        if done.item not in found or found[done.item].day != done.day:
            found[done.item] = done
    return found


def _counting(course: Course, dones: Sequence[CountedAnswer]) -> Sequence[CountedAnswer]:
    """The last variants at the level that counts, or above."""
    return [done for done in dones if course.counted[done.item].level >= LEVEL][-WINDOW:]


def _state(held: bool, days: set[date], today: date) -> State:
    if not held:
        return "learning"
    if len(days) > 1:
        return "mastered"
    return "today" if today in days else "again"


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
    return min(at + 1, len(LEVEL_NAMES)) if clean else max(at - 1, 1)


def _half_right(dones: Sequence[CountedAnswer]) -> bool:
    """Whether a point is firm enough to build on: of its last questions, at any level, half were right."""
    recent = dones[-WINDOW:]
    clean = sum(done.clean for done in recent)
    return clean >= LEAST_TO_BEAR and 2 * clean >= len(recent)


def _bearing(found: Mapping[str, SkillState]) -> Iterator[str]:
    """What others may build on; what is held bears, and so does everything below it."""
    for name, standing in found.items():
        if standing.held:
            yield from (name, *standing.point.below)
        elif standing.bears:
            yield name


def _among(course: Course, standing: SkillState, bearing: frozenset[str]) -> SkillState:
    """The standing with what the others say about it."""
    missing = tuple(course.points[need].name for need in standing.point.needs if need not in bearing)
    return replace(standing, bears=standing.point.id in bearing, missing=missing)


def _listed(names: Sequence[str]) -> str:
    """“增益”和“折损”.

    >>> _listed(["增益", "折损"])
    '“增益”和“折损”'
    """
    return "和".join(f"“{name}”" for name in names)
