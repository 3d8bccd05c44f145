"""Skills as they are practised: which questions count for each, and what it builds on."""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from app.course.content.model import Skill
from app.course.exercises.exercises import Exercise
from app.course.items.kinds import Generated, Item


@dataclass(frozen=True)
class PractisedSkill:
    """A skill (知识点). `needs`: what comes right before; `below`: everything it builds on.

    `exercises` make its questions without end; a skill without them has `items` of the lessons. One with both
    is mastered by either.
    """

    id: str
    name: str
    needs: tuple[str, ...]
    below: frozenset[str]
    exercises: tuple[str, ...] = ()
    items: tuple[str, ...] = ()


@dataclass(frozen=True)
class Counted:
    """What an answer to an item counts for; a fixed item has no level."""

    skill: str
    level: int | None = None


def practised_skills(
    skills: Mapping[str, Skill],
    exercises: Mapping[str, Exercise],
    items: Mapping[str, Item],
    lesson_items: Sequence[str],
) -> Mapping[str, PractisedSkill]:
    """Every skill, in the order of the course; `lesson_items` are the items of the lessons that count."""
    exercises_of = defaultdict[str, list[str]](list)
    for name, exercise in exercises.items():
        exercises_of[exercise.skill].append(name)
    fixed_items = defaultdict[str, list[str]](list)
    for item_id in dict.fromkeys(lesson_items):
        item = items[item_id]
        counts = item.skill not in exercises_of or skills[item.skill].items_count
        if counts and not isinstance(item, Generated):
            fixed_items[item.skill].append(item_id)
    practised = {}
    for name, skill in skills.items():
        practised[name] = PractisedSkill(
            id=name,
            name=skill.name,
            needs=tuple(skill.needs),
            below=frozenset(_below(skills, name)),
            exercises=tuple(exercises_of.get(name, ())),
            items=tuple(fixed_items[name]),
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
    indirect: set[str] = set()
    for need in point.needs:
        indirect |= points[need].below
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
