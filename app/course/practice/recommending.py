"""智能推荐: what to practise next, and why, from where somebody stands with every knowledge point."""

import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from app.course.content.course import Course
from app.course.content.skills import PractisedSkill
from app.course.exercises.exercises import LEVEL_NAMES, practice_id
from app.course.items.kinds import Generated
from app.course.practice.mastery import CountedAnswer, SkillState

FIRST_SEED, SEEDS = 1000, 900_000
"""The seeds that are recommended: short enough to be read out to the neighbour."""
HARDEST = len(LEVEL_NAMES)
Used = Callable[[str], Collection[int]]
"""Which seeds of an item were answered already."""


@dataclass(frozen=True)
class Advice:
    """What comes next: a variant (`exercise`, `level`), an `item` of the lessons, or a `section` to read."""

    point: str
    why: str
    exercise: str | None = None
    level: int = 0
    item: str | None = None
    seed: int = 0
    section: tuple[str, str] | None = None


@dataclass(frozen=True)
class Situation:
    """What is known of a learner. `taught`: points whose section was opened or that were answered.

    `last`: the last first answer in practice, where right with hints is clean too. `salt` makes the seeds of
    one learner differ from those of another.
    """

    course: Course
    standings: Mapping[str, SkillState]
    today: date
    taught: Collection[str] = frozenset()
    last: CountedAnswer | None = None
    used: Used = lambda _item: ()
    salt: int = 0

    @property
    def at_hand(self) -> str | None:
        """The point of the last answer in practice."""
        counted = self.course.counted.get(self.last.item) if self.last else None
        return counted.point if counted else None


def recommend(situation: Situation) -> Advice | None:
    """What comes next; None only where a course has nothing to practise and nothing to learn.

    Never a variant that was answered before, never a point whose needs do not bear yet.
    """
    return next((advice for advice in _in_order(situation) if advice), None)


def practise(situation: Situation, point: str) -> Advice | None:
    """The next question of a point that the learner chose; None where its items are used up for today."""
    return _question(situation, point, situation.standings[point].reason)


def _in_order(situation: Situation) -> Iterator[Advice | None]:
    """What may be recommended, the best first."""
    found = situation.standings
    names = {state: [one for one in found if found[one].state == state] for state in ("again", "learning")}
    yield _stay(situation)
    for point in names["again"]:
        yield _on_firm_ground(situation, point, f"{_name(situation, point)}{found[point].reason}")
    for point in sorted(names["learning"], key=lambda one: found[one].share):
        yield _on_firm_ground(situation, point, f"{_name(situation, point)}还差一点：{found[point].reason}")
    for point in (one for one in found if found[one].state == "new"):
        yield _begin(situation, point)
    for point in sorted((one for one in found if found[one].held), key=lambda one: _age_of(found[one])):
        yield _keep(situation, point)
    for point in (one for one in found if one not in situation.taught):
        yield _lesson(situation, point)


def _stay(situation: Situation) -> Advice | None:
    """With the point at hand, until it is held; a step back where two in a row failed at its lowest level."""
    point = situation.at_hand
    if point is None or situation.last is None or situation.last.day != situation.today:
        return None
    standing = situation.standings[point]
    name = standing.point.name
    if not situation.last.clean and standing.level == 1 and (below := _weakest_need(situation, point)):
        return _on_firm_ground(
            situation, below, f"“{name}”先放一放，退一步：它要用到{_name(situation, below)}。"
        )
    if not situation.last.clean:
        return _on_firm_ground(situation, point, f"上一道“{name}”走岔了：换一道同类，再来。", again=True)
    if not standing.held:
        return _on_firm_ground(situation, point, f"“{name}”正顺手：{standing.reason}")
    return None


def _weakest_need(situation: Situation, point: str) -> str | None:
    """What a point needs and what is not held, the weakest; nothing before two failures in a row."""
    dones = situation.standings[point]
    if dones.clean or dones.tried < 2:
        return None
    needs = [one for one in dones.point.needs if not situation.standings[one].held]
    return min(needs, key=lambda one: situation.standings[one].share, default=None)


def _on_firm_ground(
    situation: Situation, point: str, why: str, again: bool = False, above: str | None = None
) -> Advice | None:
    """A question of the point, or of what it needs first. `above`: the point that needs this one."""
    for need in situation.standings[point].point.needs:
        if not situation.standings[need].bears:
            first = f"{_name(situation, point)}要用到{_name(situation, need)}，先把它练稳。"
            return _on_firm_ground(situation, need, first, above=point)
    if point not in situation.taught:
        return _lesson(situation, point, above)
    return _question(situation, point, why, again)


def _begin(situation: Situation, point: str) -> Advice | None:
    """A point that was never practised; one that was not taught is read first."""
    return _on_firm_ground(situation, point, f"{_name(situation, point)}学过了，还没练过。")


def _keep(situation: Situation, point: str) -> Advice | None:
    standing = situation.standings[point]
    hard = f"都会了。{_name(situation, point)}最久没碰，来道难的，别让它生锈。"
    if not standing.point.exercises:
        return _item(situation, standing, hard)
    return _variant(situation, standing.point, HARDEST, hard)


def _lesson(situation: Situation, point: str, above: str | None = None) -> Advice | None:
    """The section that teaches a point."""
    if point not in situation.course.homes:
        return None
    stage, section = situation.course.homes[point]
    name = _name(situation, point)
    lead = f"{_name(situation, above)}要用到{name}" if above else f"下一个知识点是{name}"
    return Advice(point, f"{lead}：先学《{section.title}》，再来练。", section=(stage.id, section.id))


def _question(situation: Situation, point: str, why: str, again: bool = False) -> Advice | None:
    standing = situation.standings[point]
    if not standing.point.exercises:
        return _item(situation, standing, why)
    return _variant(situation, standing.point, standing.level, why, again)


def _variant(
    situation: Situation, point: PractisedSkill, level: int, why: str, again: bool = False
) -> Advice:
    """A new variant: after a mistake of the same exercise, else of the one that was not asked for longest."""
    exercise = _same_exercise(situation, point) if again else None
    exercise = exercise or min(point.exercises, key=lambda one: _order(situation, point, one, level))
    item = practice_id(exercise, level)
    return Advice(point.id, why, exercise, level, seed=_fresh(situation, item))


def _same_exercise(situation: Situation, point: PractisedSkill) -> str | None:
    source = situation.course.items.get(situation.last.item) if situation.last else None
    return source.exercise if isinstance(source, Generated) and source.exercise in point.exercises else None


def _order(situation: Situation, point: PractisedSkill, exercise: str, level: int) -> tuple[int, bool]:
    """By age; of those never asked, tables come first at the lowest level, for they show the way."""
    latest = situation.standings[point.id].latest
    asked = [latest[item] for one in range(1, HARDEST + 1) if (item := practice_id(exercise, one)) in latest]
    is_table = situation.course.exercises[exercise].kind == "steps"
    return max((done.number for done in asked), default=0), is_table != (level == 1)


def _item(situation: Situation, standing: SkillState, why: str) -> Advice | None:
    """An item that was not answered today: those never answered first, then those that failed."""
    latest = standing.latest
    free = [one for one in standing.point.items if one not in latest or latest[one].day != situation.today]
    if not free:
        return None
    item = min(free, key=lambda one: _age(latest.get(one)))
    return Advice(standing.point.id, why, item=item, seed=_fresh(situation, item))


def _age(latest: CountedAnswer | None) -> tuple[bool, bool, int]:
    return (True, latest.clean, latest.number) if latest else (False, False, 0)


def _fresh(situation: Situation, item: str) -> int:
    """A seed of which this learner has not answered the variant; the same one until they do."""
    used = set(situation.used(item))
    number = len(used)
    while (seed := _seed(f"{situation.salt}:{item}:{number}")) in used:
        number += 1
    return seed


def _seed(key: str) -> int:
    return FIRST_SEED + int.from_bytes(hashlib.sha256(key.encode()).digest()[:8]) % SEEDS


def _age_of(standing: SkillState) -> int:
    return max(done.number for done in standing.latest.values())


def _name(situation: Situation, point: str) -> str:
    return f"“{situation.course.points[point].name}”"
