"""How a 小测 went: what was right at once, and where to look again for the rest."""

from collections.abc import Iterator
from dataclasses import dataclass

from app.course import Course
from app.course.content.model import Section
from app.course.items.state import Outcome, outcome, state
from app.records.learning.values import LessonPageData
from app.web.learning.stage_views import section_url


@dataclass(frozen=True)
class TeachingSection:
    """A knowledge point, and the section that teaches it."""

    name: str
    stage: str
    section: str
    url: str


@dataclass(frozen=True)
class QuizResult:
    """The first try counts; what nobody answered is neither right nor wrong."""

    total: int
    right: int
    unanswered: int
    again: tuple[TeachingSection, ...]


def result(course: Course, section: Section, look: LessonPageData) -> QuizResult:
    """The questions of a section, counted."""
    items = [item for step in section.steps if (item := step.refers_to().get("item"))]
    kinds = {item: outcome_of(course, item, look).kind for item in items}
    missed = [item for item, kind in kinds.items() if kind in ("wrong", "corrected")]
    found = list(kinds.values())
    return QuizResult(len(items), found.count("right"), found.count("new"), tuple(places(course, missed)))


def outcome_of(course: Course, item: str, look: LessonPageData) -> Outcome:
    """What became of an item in this lesson, its twin included; wrong and still open is wrong."""
    twin, answered = course.items[item].twin, look.of(course.ref(item))
    first = state(course.items[item], answered)
    if answered and first == "open":
        return Outcome("wrong")
    return outcome(first, state(course.items[twin], look.of(course.ref(twin))) if twin else None)


def places(course: Course, items: list[str]) -> Iterator[TeachingSection]:
    """Where the knowledge points of these items are taught, each once."""
    for skill in dict.fromkeys(course.items[item].skill for item in items):
        if skill in course.homes:
            stage, section = course.homes[skill]
            yield TeachingSection(
                course.skills[skill].name, stage.title, section.title, section_url(stage, section)
            )
