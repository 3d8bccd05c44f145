"""Beside the text of a teacher: what is wrong line by line, how students will see it, what may be named."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Faults
from app.course.authoring.own_content import pickable
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
NAMES = {
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
    there: str


@dataclass(frozen=True)
class SectionView:
    id: str
    title: str
    minutes: int
    html: Markup


@dataclass(frozen=True)
class Answers:
    """An item as its teacher checks it: the solution, and what is said to each choice."""

    id: str
    solution: Sequence[Markup]
    said: Sequence[tuple[Markup, Markup, bool]]


@dataclass(frozen=True)
class Checked:
    """A text, looked at. `refused`: it may not even be kept. Sound when there are no faults."""

    title: str
    faults: Sequence[FaultView] = ()
    more: int = 0
    refused: str = ""
    sections: Sequence[SectionView] = ()
    others: Sequence[Markup] = ()
    answers: Sequence[Answers] = ()
    counts: str = ""


def checked(site: Site, text: str, own_id: int, found: Course | Faults) -> Checked:
    """What stands beside the text."""
    if isinstance(found, Faults):
        lines = text.split("\n")
        views = [FaultView(one.line, one.path, one.message, there(lines, one.line)) for one in found.faults]
        views.sort()
        refused = views[0].message + "。" if len(text.encode("utf-8", "replace")) > untrusted.LARGEST else ""
        more = max(0, len(views) - MOST_SHOWN)
        return Checked(title_in(text), views[:MOST_SHOWN], more, refused)
    own = replace(site.beside(found, f"/own/{own_id}"), _fragments={})  # seen once: not worth keeping
    return Checked(
        found.title,
        sections=list(sections(own)),
        others=list(others(own)),
        answers=[answers(found, item) for item in pickable(found)],
        counts=counts(found, text),
    )


def there(lines: Sequence[str], number: int) -> str:
    return lines[number - 1].strip()[:60] if 0 < number <= len(lines) else ""


def title_in(text: str) -> str:
    """The title of a text that cannot be read to its end.

    >>> title_in("title: '甜'\\nitems: [")
    '甜'
    """
    first = next((line for line in text.split("\n") if line.startswith("title:")), "")
    return first.removeprefix("title:").strip().strip("'\"")


def sections(own: Site) -> Iterator[SectionView]:
    """The small lessons with every step open, as they are before anything was answered."""
    [stage] = own.course.stages
    for section in stage.sections:
        at = SectionPosition(own, stage, section, LessonPageData(), len(section.steps))
        html = Markup("").join(whole_step(at, step) for step in section.steps)
        yield SectionView(section.id, section.title, section.minutes, still(own, html))


def others(own: Site) -> Iterator[Markup]:
    """The items that no section asks: they are for assignments."""
    [stage] = own.course.stages
    asked = {own.course.bare(ref) for section in stage.sections for ref in own.course.items_of(section.id)}
    for item in pickable(own.course):
        if item.id not in asked:
            yield still(own, render_item(own, item_state(own.course, item.id, (), {}, seed=1)))


def still(own: Site, html: str) -> Markup:
    """For a look only: nothing in it takes the focus, and no form of it goes anywhere."""
    quiet = html.replace(" data-focus", " data-seen")
    nothing = {slots.GUEST: slots.NOTHING, slots.SHOWN: slots.NOTHING}
    return slots.fill(quiet, {slots.BASE: own.own, slots.NEXT: own.own, **nothing})


def answers(course: Course, item: Item) -> Answers:
    seen = course.variant(item.id, 1)
    match seen:
        case Single() | Multiple():
            said = [(course.line(one.text), course.line(one.feedback), one.right) for one in seen.options]
        case Spot():
            said = [(course.line(one.text), course.line(one.feedback), one.wrong) for one in seen.lines]
        case _:
            said = []
    told = [(markup(text), markup(feedback), right) for text, feedback, right in said]
    return Answers(item.id, [breakable(course.line(line)) for line in seen.solution()], told)


def counts(course: Course, text: str) -> str:
    """What it holds, in a few words; a lesson only where its author wrote one."""
    [stage] = course.stages
    sections = stage.sections if re.search(r"^sections\s*:", text, re.MULTILINE) else ()
    numbers = {"道题": len(pickable(course)), "张卡片": len(course.cards), "节小课": len(sections)}
    return "、".join(f"{number}{word}" for word, number in numbers.items() if number)


@dataclass(frozen=True)
class Known:
    """What a text may name of the course."""

    skills: Mapping[str, str]
    examples: Mapping[str, str]
    terms: Mapping[str, str]


def known_names(course: Course) -> Known:
    return Known(
        {name: one.name for name, one in course.skills.items()},
        {name: one.title for name, one in course.examples.items()},
        course.terms,
    )


def folder() -> Path:
    return root() / "templates" / "authoring" / "yaml"


def templates() -> Mapping[str, str]:
    """Name of the file → what it is."""
    return NAMES


@cache
def template_text(name: str) -> str:
    """The text of a template; of one that is not there, the first."""
    known = name if name in NAMES else next(iter(NAMES))
    return (folder() / f"{known}.yaml").read_text("utf-8")
