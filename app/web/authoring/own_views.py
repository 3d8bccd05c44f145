"""Beside the text of a teacher: what is wrong line by line, how students will see it, what may be named."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Faults
from app.course.authoring.own_content import pickable
from app.course.content.recently_used import RecentlyUsed
from app.course.items.kinds import Item, Multiple, Single, Spot
from app.course.text import untrusted
from app.records.learning.values import LessonPageData
from app.settings import root
from app.web.items.item_views import breakable, item_state, render_item
from app.web.learning.section_position import SectionPosition
from app.web.learning.section_views import whole_step
from app.web.site import slots
from app.web.site.responses import markup
from app.web.site.site import Site

MOST_SHOWN = 30
TEMPLATES = {
    "single": "单选题",
    "multiple": "多选题",
    "true_false": "判断题",
    "numeric": "数值题",
    "steps": "分步题",
    "order": "排序题",
    "spot": "找错题",
    "short": "简答题",
    "section": "一节小课",
    "cards": "一组卡片",
}
"""The templates, by the name of their file."""


class FaultView(NamedTuple):
    """A fault, with the words that stand in its line."""

    line: int
    path: str
    message: str
    excerpt: str


@dataclass(frozen=True)
class SectionView:
    id: str
    title: str
    minutes: int
    html: Markup


@dataclass(frozen=True)
class AnswerKey:
    """An item as its teacher checks it: the solution, and the feedback to each choice, true for those that
    are to be found."""

    id: str
    solution: Sequence[Markup]
    feedback: Sequence[tuple[Markup, Markup, bool]]


@dataclass(frozen=True)
class CheckedText:
    """A text with its faults, or as students see it. `more`: how many faults are not listed; `unplaced`: the
    items that no section asks; `counts`: what it holds, in a few words."""

    faults: Sequence[FaultView] = ()
    more: int = 0
    sections: Sequence[SectionView] = ()
    unplaced: Sequence[Markup] = ()
    answers: Sequence[AnswerKey] = ()
    counts: str = ""


def checked(site: Site, text: str, own_id: int, parsed: Course | Faults) -> CheckedText:
    """What stands beside the text."""
    if isinstance(parsed, Faults):
        faults = fault_views(text, parsed)
        return CheckedText(faults[:MOST_SHOWN], more=max(0, len(faults) - MOST_SHOWN))
    own = replace(
        site.beside(parsed, f"/own/{own_id}"), _fragments=RecentlyUsed()
    )  # seen once: not worth keeping
    return CheckedText(
        sections=[*section_views(own)],
        unplaced=[*unplaced_items(own)],
        answers=[answer_key(parsed, item) for item in pickable(parsed)],
        counts=counts(parsed, text),
    )


def fault_views(text: str, faults: Faults) -> list[FaultView]:
    """The faults in the order of their lines."""
    lines = text.split("\n")
    views = []
    for fault in faults.faults:
        excerpt = lines[fault.line - 1].strip()[:60] if 0 < fault.line <= len(lines) else ""
        views.append(FaultView(fault.line, fault.path, fault.message, excerpt))
    return sorted(views)


def too_large(text: str, parsed: Course | Faults) -> str:
    """Why a text may not even be kept; empty where it may."""
    if isinstance(parsed, Course) or len(text.encode("utf-8", "replace")) <= untrusted.LARGEST:
        return ""
    return fault_views(text, parsed)[0].message + "。"


def title_of(text: str, parsed: Course | Faults) -> str:
    if isinstance(parsed, Course):
        return parsed.title
    return title_in(text)


def title_in(text: str) -> str:
    """The title of a text that cannot be read to its end.

    >>> title_in("title: '甜'\\nitems: [")
    '甜'
    """
    for line in text.split("\n"):
        if line.startswith("title:"):
            return line.removeprefix("title:").strip().strip("'\"")
    return ""


def section_views(own: Site) -> Iterator[SectionView]:
    """The small lessons with every step open, as they are before anything was answered."""
    [stage] = own.course.stages
    for section in stage.sections:
        position = SectionPosition(own, stage, section, LessonPageData(), len(section.steps))
        html = Markup("").join(whole_step(position, step) for step in section.steps)
        yield SectionView(section.id, section.title, section.minutes, still(own, html))


def unplaced_items(own: Site) -> Iterator[Markup]:
    """The items that no section asks: they are for assignments."""
    [stage] = own.course.stages
    placed = set()
    for section in stage.sections:
        placed |= {own.course.bare(ref) for ref in own.course.items_of(section.id)}
    for item in pickable(own.course):
        if item.id not in placed:
            yield still(own, render_item(own, item_state(own.course, item.id, (), {}, seed=1)))


def still(own: Site, html: str) -> Markup:
    """For a look only: nothing in it takes the focus, and no form of it goes anywhere."""
    quiet = html.replace(" data-focus", " data-seen")
    nothing = {slots.GUEST: slots.NOTHING, slots.SHOWN: slots.NOTHING}
    return slots.fill(quiet, {slots.BASE: own.own, slots.NEXT: own.own, **nothing})


def answer_key(course: Course, item: Item) -> AnswerKey:
    variant = course.variant(item.id, 1)
    choices: Sequence[tuple[str, str, bool]] = ()
    match variant:
        case Single() | Multiple():
            choices = [(option.text, option.feedback, option.right) for option in variant.options]
        case Spot():
            choices = [(line.text, line.feedback, line.wrong) for line in variant.lines]
    return AnswerKey(
        id=item.id,
        solution=[breakable(course.line(line)) for line in variant.solution()],
        feedback=[
            (markup(course.line(text)), markup(course.line(feedback)), right)
            for text, feedback, right in choices
        ],
    )


def counts(course: Course, text: str) -> str:
    """What it holds, in a few words; a lesson only where its author wrote one."""
    [stage] = course.stages
    sections = stage.sections if re.search(r"^sections\s*:", text, re.MULTILINE) else ()
    numbers = {"道题": len(pickable(course)), "张卡片": len(course.cards), "节小课": len(sections)}
    return "、".join(f"{number}{word}" for word, number in numbers.items() if number)


@dataclass(frozen=True)
class CourseNames:
    """What a text may name of the course: id and name."""

    skills: Mapping[str, str]
    examples: Mapping[str, str]
    terms: Mapping[str, str]


def course_names(course: Course) -> CourseNames:
    return CourseNames(
        {skill_id: skill.name for skill_id, skill in course.skills.items()},
        {example_id: example.title for example_id, example in course.examples.items()},
        course.terms,
    )


@cache
def template_text(name: str) -> str:
    """The text of a template; of one that is not there, the first."""
    name = name if name in TEMPLATES else next(iter(TEMPLATES))
    return (root() / "templates" / "authoring" / "yaml" / f"{name}.yaml").read_text("utf-8")
