"""知识点地图 of a class: each point with what it needs first, and how much of the class stands on it."""

from collections.abc import Sequence
from dataclasses import dataclass

from app.course import Course
from app.records.classes.values import ClassData
from app.web.practice.strength_views import NOTHING, WORDS, skills_of, strengths

HOLDS = 3
"""From this band on a point bears what is built on it: 多半会."""


@dataclass(frozen=True)
class PointRow:
    """A point of the class. `bands`: how many students are in each, from 没做过 to 会了."""

    id: str
    name: str
    needs: Sequence[str]
    bands: Sequence[tuple[int, str, int]]
    total: int

    @property
    def met(self) -> int:
        return self.total - self.bands[0][2]

    @property
    def holding(self) -> int:
        return sum(count for band, _, count in self.bands if band >= HOLDS)

    @property
    def share(self) -> float:
        return self.holding / self.total if self.total else 0.0


@dataclass(frozen=True)
class StageRows:
    """The points that a stage teaches."""

    title: str
    points: Sequence[PointRow]


def stages(course: Course, look: ClassData) -> list[StageRows]:
    """All points by the stage that teaches them."""
    skills = skills_of(course)
    every = [strengths(skills, look.firsts.get(one.learner_id, {})) for one in look.students]
    rows = {}
    for skill in course.skills:
        found = [each.get(skill, NOTHING).band for each in every]
        counts = [(band, word, found.count(band)) for band, word in enumerate(WORDS)]
        needs = [course.skills[need].name for need in course.skills[skill].needs]
        rows[skill] = PointRow(skill, course.skills[skill].name, needs, counts, len(every))
    return [
        StageRows(stage.title, points)
        for stage in course.stages
        if (
            points := [
                rows[one] for one in course.skills if one in course.homes and course.homes[one][0] is stage
            ]
        )
    ]


def next_point(found: Sequence[StageRows]) -> PointRow | None:
    """What to teach tomorrow: the first point that the class has met and most do not hold."""
    points = [point for stage in found for point in stage.points]
    return next((one for one in points if 2 * one.met > one.total and 2 * one.holding < one.met), None)
