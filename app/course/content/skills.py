"""Knowledge points as they are practised: which questions count for each, and what it builds on."""

from collections.abc import Iterable, Iterator, Mapping
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
    """A knowledge point. `needs`: what comes right before; `below`: everything it builds on.

    `exercises` make its questions without end; a point without them has `items` of the lessons.
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
    asked: Iterable[str],
) -> Mapping[str, PractisedSkill]:
    """Every point, in the order of the course. `asked`: the items of the lessons that count, in order."""
    fixed = [items[one] for one in asked if not isinstance(items[one], Generated)]
    found: dict[str, PractisedSkill] = {}
    for name, skill in skills.items():
        endless = tuple(one for one, exercise in exercises.items() if exercise.skill == name)
        own = () if endless else tuple(dict.fromkeys(item.id for item in fixed if item.skill == name))
        below = frozenset(_below(skills, name))
        found[name] = PractisedSkill(name, skill.name, tuple(skill.needs), below, endless, own)
    return found


def _below(skills: Mapping[str, Skill], name: str) -> Iterator[str]:
    """Everything that a point needs, also by way of others.

    >>> skills = {"a": Skill(name="A"), "b": Skill(name="B", needs=["a"]), "c": Skill(name="C", needs=["b"])}
    >>> sorted(_below(skills, "c"))
    ['a', 'b']
    """
    for need in skills[name].needs:
        yield need
        yield from _below(skills, need)


def nearest(points: Mapping[str, PractisedSkill], point: PractisedSkill) -> tuple[str, ...]:
    """What a point needs and does not get by way of another need."""
    return tuple(one for one in point.needs if not any(one in points[other].below for other in point.needs))


def counted_items(
    points: Mapping[str, PractisedSkill], exercises: Mapping[str, Exercise], items: Mapping[str, Item]
) -> Mapping[str, Counted]:
    """Item → what an answer to it counts for: the variants of all exercises, and the items of the others."""
    variants = {
        name: Counted(exercises[item.exercise].skill, item.level)
        for name, item in items.items()
        if isinstance(item, Generated)
    }
    return variants | {item: Counted(point.id) for point in points.values() for item in point.items}
