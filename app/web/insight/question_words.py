"""Questions as a teacher's tables speak of them: a short title, the whole text, answers in words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course
from app.course.assignments.question_sets import item_of
from app.course.authoring.snapshots import thaw
from app.course.content.misconception_names import named
from app.course.exercises.exercises import LEVEL_NAMES
from app.course.items.kinds import Generated, Item, Single, Steps, TrueFalse
from app.course.items.kinds.steps import label
from app.records.insight.misconceptions import ExampleAnswer
from app.web.items.answered import in_words
from app.web.items.kinds import ItemMoment, Parts, parts_of
from app.web.site.responses import markup

Courses = Mapping[str, Course]
"""Prefix → course: that of the site, and what teachers wrote."""
FILLED = re.compile(r"(\S+)=(-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)(?= |$)")
"""A cell of a table, as the value of an answer tells it: `term-1=3.7`."""
LONGEST = 24
"""So many characters of a stem make a title."""


@dataclass(frozen=True)
class Title:
    """A question by name. Without a `stem` its item is no longer there. `number`: in its assignment.

    `two`: there are only two answers to choose from.
    """

    ref: str
    number: int | None
    text: str
    skill: str
    stem: Markup | None
    minutes: int
    two: bool = False


def home_of(courses: Courses, ref: str) -> Course | None:
    """The course that an item lives in; None for one that is not there (any more)."""
    return courses.get(ref.partition(":")[0])


def beside(courses: Courses, ref: str) -> Course:
    """The course beside which a frozen item is read: its own, else that of the site."""
    return home_of(courses, ref) or next(iter(courses.values()))


def titled(courses: Courses, ref: str) -> Title:
    """A question by the name that answers have for it."""
    course, number = home_of(courses, ref), number_of(ref)
    item = course.items.get(course.bare(item_of(ref))) if course else None
    if course is None or item is None:
        return Title(ref, number, "一道旧题", "", None, 1)
    if isinstance(item, Generated):
        exercise = course.exercises[item.exercise]
        text = f"{exercise.title} · {LEVEL_NAMES[item.level]}"
        skill, minutes = course.skills[exercise.skill].name, exercise.minutes
        return Title(ref, number, text, skill, markup(course.html(exercise.summary)), minutes)
    stem = markup(course.html(item.stem))
    two = isinstance(item, TrueFalse) or (isinstance(item, Single) and len(item.options) == 2)
    return Title(ref, number, short(stem), skill_name(course, item), stem, item.minutes, two)


def skill_name(course: Course, item: Item) -> str:
    return course.skills[item.skill].name if item.skill in course.skills else ""


def number_of(ref: str) -> int | None:
    """
    >>> number_of("content:dcg-at-3#12"), number_of("content:dcg-at-3")
    (12, None)
    """
    _, _, number = ref.partition("#")
    return int(number) if number.isdecimal() else None


def short(stem: Markup) -> str:
    """The beginning of a text.

    >>> short(Markup("<p>池塘里有20条鱼。</p>"))
    '池塘里有20条鱼。'
    """
    text = " ".join(stem.striptags().split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


@dataclass(frozen=True)
class ShownAnswer:
    """An answer with the question as it was."""

    stem: Markup
    parts: Parts | None
    said: Markup


def shown(courses: Courses, example: ExampleAnswer | None) -> ShownAnswer | None:
    """An answer in words, from the body that was frozen with it; None when that can no longer be read."""
    if example is None:
        return None
    then = thaw(beside(courses, example.item), example.body, example.seed)
    if then is None:
        return None
    [item] = then.items.values()
    said = Markup("、").join(in_words(then, item, example.raw))
    return ShownAnswer(markup(then.html(item.stem)), plain_parts(then, item), said)


def plain_parts(course: Course, item: Item) -> Parts:
    """What an item shows of itself while nobody has answered it."""
    return parts_of(ItemMoment(course, item, (), "open", None))


def said_of(courses: Courses, item_ref: str, said: str | None) -> str:
    """A wrong answer in words: the mistake that made it, the option that was chosen, the number."""
    if said is None:
        return "直接看了答案"
    if not said.startswith("="):
        return named(said).name
    course = home_of(courses, item_ref)
    item = course.items.get(course.bare(item_of(item_ref))) if course else None
    if isinstance(item, Steps) or (isinstance(item, Generated) and "=" in said[1:]):
        return slip_of(item, said[1:])
    if course is None or item is None or isinstance(item, Generated):
        return said[1:]
    words = in_words(course, item, said[1:].split(" "))
    return "、".join(one.striptags() for one in words)


def slip_of(item: Item, said: str) -> str:
    """Where a table first went wrong: what follows was judged on one's own numbers.

    Each has numbers of their own in a table that is drawn, and an old answer may not fit the item any more.
    """
    if isinstance(item, Steps):
        own = {name: float(value) for name, value in FILLED.findall(said)}
        judged = item.table.judge(own, item.decimals)
        if slips := [one for one in judged if one.verdict == "wrong"]:
            return f"{label(slips[0].cell)}写成{slips[0].shown:g}"
    return "表里有格算岔了"
