"""Skills as they are practised: which questions count for each, and what it builds on."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.course.content.model import Skill
from app.course.exercises.exercises import Exercise
from app.course.items.kinds import Generated, Item

WINDOW, ENOUGH = 6, 5
"""How many questions are looked at, and how many of them must be right at once."""
LEVEL = 2
"""The lowest level whose variants count for mastery: 中."""


@dataclass(frozen=True)
class PractisedSkill:
    """A skill (知识点). `needs`: what comes right before; `below`: everything it builds on.

    `exercises` make its questions without end; a skill without them has `items` of the lessons.
    """

    id: str
    name: str
    needs: tuple[str, ...]
    below: frozenset[str]
    exercises: tuple[str, ...] = ()
    items: tuple[str, ...] = ()

    @property
    def enough(self) -> int:
        """How many of its last questions must be right at once."""
        return ENOUGH if self.exercises else min(ENOUGH, max(1, len(self.items)))


@dataclass(frozen=True)
class Counted:
    """What an answer to an item counts for; a fixed item has the level that counts."""

    point: str
    level: int = LEVEL


def practised_skills(
    skills: Mapping[str, Skill],
    exercises: Mapping[str, Exercise],
    items: Mapping[str, Item],
    lesson_items: Sequence[str],
) -> Mapping[str, PractisedSkill]:
    """Every skill, in the order of the course; `lesson_items` are the items of the lessons that count."""
    practised: dict[str, PractisedSkill] = {}
    for name, skill in skills.items():
        endless = [key for key, exercise in exercises.items() if exercise.skill == name]
        fixed: dict[str, None] = {}
        if not endless:
            own_items = [items[item_id] for item_id in lesson_items if items[item_id].skill == name]
            fixed = dict.fromkeys(item.id for item in own_items if not isinstance(item, Generated))
        below = frozenset(_below(skills, name))
        practised[name] = PractisedSkill(
            name, skill.name, tuple(skill.needs), below, tuple(endless), tuple(fixed)
        )
    return practised


def _below(skills: Mapping[str, Skill], name: str) -> Iterator[str]:
    """Everything that a skill needs, also by way of others.

    >>> skills = {"a": Skill(name="A"), "b": Skill(name="B", needs=["a"]), "c": Skill(name="C", needs=["b"])}
    >>> sorted(_below(skills, "c"))
    ['a', 'b']
    """
    for need in skills[name].needs:
        yield need
        yield from _below(skills, need)


def nearest(points: Mapping[str, PractisedSkill], point: PractisedSkill) -> tuple[str, ...]:
    """What a skill needs and does not get by way of another need."""
    indirect = frozenset[str]().union(*(points[need].below for need in point.needs))
    return tuple(need for need in point.needs if need not in indirect)


def counted_items(
    points: Mapping[str, PractisedSkill], exercises: Mapping[str, Exercise], items: Mapping[str, Item]
) -> Mapping[str, Counted]:
    """Item → what an answer to it counts for: the variants of all exercises, and the items of the others."""
    counted: dict[str, Counted] = {}
    for name, item in items.items():
        if isinstance(item, Generated):
            counted[name] = Counted(exercises[item.exercise].skill, item.level)
    for point in points.values():
        for name in point.items:
            counted[name] = Counted(point.id)
    return counted
