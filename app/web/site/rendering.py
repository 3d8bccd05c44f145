"""What becomes HTML: templates as the project uses them, and the texts of the course for them."""

from collections.abc import Hashable, Iterable, MutableMapping
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.runtime import Macro
from markupsafe import Markup

from app.course import Course
from app.course.content.recently_used import RecentHtml
from app.course.exercises.exercises import NAME_BY_LEVEL
from app.course.items.printed_figures import rounded_text
from app.course.practice import skill_words
from app.course.practice.strength import STRENGTH_WORDS
from app.records.assignments.deadlines import student_times
from app.records.grading.marks import percent_text, shown_points_text
from app.web.site import clock, slots
from app.web.site.assets import Assets
from app.web.site.clock import (
    FORMAT_BY_FILTER,
    clock_text,
    dated_moment_text,
    moment_text,
    near_moment_text,
)


class SharedGlobals(Environment):
    """Templates whose globals are one dictionary: none of ours has any of its own.

    Jinja gives each a chain of two, which Python reads name by name at every import and include.
    CPU of a fragment, before → after (µs): an item with its list 587 → 479, a card to review 101 → 65.
    """

    def make_globals(self, d: MutableMapping[str, Any] | None) -> MutableMapping[str, Any]:
        """The globals of a template, of all of them as long as it is given none."""
        if d:
            return super().make_globals(d)
        return self.globals


def template_environment(folder: Path, assets: Assets, is_reloading: bool, zone: ZoneInfo) -> Environment:
    """Jinja as the project uses it: an unknown name is an error, text is escaped."""
    environment = SharedGlobals(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=is_reloading,
        cache_size=-1,  # all of them: one that counts which were used last does so at every include
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.globals |= {
        "static": assets.url,
        "steps_slot": slots.STEPS,
        "level_names": NAME_BY_LEVEL,
        "strength_words": STRENGTH_WORDS,
    }
    environment.filters |= {
        "points": shown_points_text,
        "percent": percent_text,
        "as_teacher": titled_teacher_name,
        "round_words": round_words,
        "rounded": rounded_text,
        "person": person_html,
        "people": people_html,
        "student_times": student_times,
        "state_reason": skill_words.state_reason,
        "next_step_words": skill_words.next_step_words,
        "practice_step_words": skill_words.practice_step_words,
    }
    for filter_name, time_format in FORMAT_BY_FILTER.items():
        environment.filters[filter_name] = partial(moment_text, time_format, zone)
    environment.filters["lately"] = partial(moment_html, FORMAT_BY_FILTER["lately"], zone)
    environment.filters["near"] = partial(near_moment_html, zone)
    environment.filters["clock"] = lambda moment: clock_text(zone, moment, clock.now())
    environment.globals["remembered"] = partial(remember_macro, RecentHtml[Any]())
    if is_reloading:
        environment.globals["remembered"] = fill_macro
    return environment


def moment_html(time_format: str, zone: ZoneInfo, moment: datetime) -> Markup:
    """A moment as an element that no narrow line breaks at its hyphen: for texts, not for attributes.

    >>> zone = ZoneInfo("Asia/Shanghai")
    >>> moment_html("%m-%d %H:%M", zone, datetime(2026, 9, 2, 1, tzinfo=zone))
    Markup('<time datetime="2026-09-02T01:00+08:00">09-02 01:00</time>')
    """
    return time_element(zone, moment, moment_text(time_format, zone, moment))


def near_moment_html(zone: ZoneInfo, moment: datetime, is_dated: bool = False) -> Markup:
    """The same, with days beside the present one by their name; `is_dated`: with its date in any case."""
    if is_dated:
        return time_element(zone, moment, dated_moment_text(zone, moment))
    return time_element(zone, moment, near_moment_text(zone, moment, clock.now()))


def time_element(zone: ZoneInfo, moment: datetime, moment_words: str) -> Markup:
    iso_time = moment.astimezone(zone).isoformat(timespec="minutes")
    return Markup('<time datetime="{}">{}</time>').format(iso_time, moment_words)


def person_html(person_name: str) -> Markup:
    """A name in a sentence. One that is written from right to left leaves what stands beside it in its place:
    figures, signs and other names.

    >>> person_html("סוכר & קנדי")
    Markup('<bdi>סוכר &amp; קנדי</bdi>')
    """
    return Markup("<bdi>{}</bdi>").format(person_name)


def people_html(people_names: Iterable[str]) -> Markup:
    """Names, as a list in a sentence.

    >>> people_html(["小糖", "小序"])
    Markup('<bdi>小糖</bdi>、<bdi>小序</bdi>')
    """
    return Markup("、").join(map(person_html, people_names))


def fill_macro(macro: Macro, *macro_arguments: Hashable) -> str:
    """A macro with these values, filled anew."""
    macro_html: str = macro(*macro_arguments)
    return macro_html


def remember_macro(html_by_macro_call: RecentHtml[Any], macro: Macro, *macro_arguments: Hashable) -> Markup:
    """A macro that depends on nothing but its values, and whose name no other has: filled once for each.

    A list of all sections took a third of the page 进度 (`python -m bench.year`).
    """
    cache_key = (macro.name, *macro_arguments)
    macro_html = html_by_macro_call.recall(cache_key)
    if macro_html is None:
        macro_html = html_by_macro_call.keep(cache_key, fill_macro(macro, *macro_arguments))
    return Markup(macro_html)  # noqa: S704  # a macro escapes its values


def titled_teacher_name(teacher_name: str) -> str:
    """How a teacher is called, also one whose name says it already.

    >>> titled_teacher_name("王"), titled_teacher_name("王老师")
    ('王老师', '王老师')
    """
    return f"{teacher_name.removesuffix('老师')}老师"


def round_words(round_number: int) -> str:
    """Which time a lesson, an example or practice was gone through; below 1 stands what a guest did beside
    the account that took it over.

    >>> round_words(2), round_words(0)
    ('第2遍', '注册前在别处做的')
    """
    if round_number < 1:
        return "注册前在别处做的"
    return f"第{round_number}遍"


def markup(html: str) -> Markup:
    """HTML that our own floors made."""
    return Markup(html)  # noqa: S704  # rendered and cleaned by the course, or by an autoescaping template


def line_html(course: Course, markdown_text: str) -> Markup:
    """A text of one line, as HTML."""
    return markup(course.line_html(markdown_text))


def line_htmls(course: Course, line_texts: Iterable[str]) -> list[Markup]:
    """Texts of one line each, as HTML."""
    return [line_html(course, line_text) for line_text in line_texts]


def text_html(course: Course, markdown_text: str) -> Markup:
    """A text with paragraphs, as HTML."""
    return markup(course.html(markdown_text))


def text_htmls(course: Course, markdown_texts: Iterable[str]) -> list[Markup]:
    """Texts with paragraphs, as HTML."""
    return [text_html(course, markdown_text) for markdown_text in markdown_texts]
