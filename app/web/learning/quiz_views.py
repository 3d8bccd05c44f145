"""How a 小测 went: what was right at once, and where to look again for the rest."""

from collections import Counter
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


def result(course: Course, section: Section, lesson: LessonPageData) -> QuizResult:
    """The questions of a section, counted."""
    counts: Counter[str] = Counter()
    missed = []
    for step in section.steps:
        item = step.refers_to().get("item")
        if item:
            kind = outcome_of(course, item, lesson).kind
            counts[kind] += 1
            if kind in ("wrong", "corrected"):
                missed.append(item)
    again = tuple(sections_to_repeat(course, missed))
    return QuizResult(counts.total(), counts["right"], counts["new"], again)


def outcome_of(course: Course, item_id: str, lesson: LessonPageData) -> Outcome:
    """What became of an item in this lesson, its twin included; wrong and still open is wrong."""
    item = course.items[item_id]
    responses = lesson.of(course.ref(item_id))
    first = state(item, responses)
    if responses and first == "open":
        return Outcome("wrong")
    if item.twin is None:
        return outcome(first, None)
    return outcome(first, state(course.items[item.twin], lesson.of(course.ref(item.twin))))


def sections_to_repeat(course: Course, items: list[str]) -> Iterator[TeachingSection]:
    """Where the knowledge points of these items are taught, each once."""
    for skill in dict.fromkeys(course.items[item].skill for item in items):
        if skill in course.homes:
            stage, section = course.homes[skill]
            url = section_url(stage, section)
            yield TeachingSection(course.skills[skill].name, stage.title, section.title, url)
