"""What the tutor says to an answer: feedback, another help, why it cannot be read, the calculation."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from app.course import Course, Unreadable
from app.course.items.kinds import Item, Order
from app.course.items.marks import Mark, Mood
from app.course.items.repeated import another_help_text, same_mistake_count_of
from app.web.items.kinds import ItemWithAnswers, SeenAnswer
from app.web.site.rendering import markup, text_htmls

TAG_OR_OPERATOR_PATTERN = re.compile(r"<[^<>]*>|(?<=[0-9)）])([=≈+÷×])")
"""A tag, or a sign of a calculation after a number."""


@dataclass(frozen=True)
class TutorWords:
    """Words of the tutor, with its face."""

    mood: Mood
    html: Markup


def feedback_words(course: Course, item: Item, answers: Sequence[SeenAnswer]) -> list[TutorWords]:
    """What the tutor says to the last answer."""
    return tutor_words(course, last_mark(item, answers))


def tutor_words(course: Course, mark: Mark | None, is_probe: bool = False) -> list[TutorWords]:
    """What the tutor says to the last answer; `mark`: its mark."""
    if mark is None:
        return []
    mood: Mood = "pleased" if mark.verdict == "right" else "puzzled"
    if is_probe:
        mood = "thinking"
    htmls = text_htmls(course, mark.feedback)
    return [TutorWords(mood, html) for html in htmls]


def last_mark(item: Item, answers: Sequence[SeenAnswer]) -> Mark | None:
    """The last answer, marked again; None where there is none, or the item has changed since."""
    if not answers or not answers[-1].raw:
        return None
    try:
        return item.mark(answers[-1].raw, len(answers))
    except Unreadable:
        return None


def further_words(
    item_with_answers: ItemWithAnswers[Item], mark: Mark | None, same_mistake_count: int
) -> list[TutorWords]:
    """How its scene grades, after a wrong order; another help for a mistake that came back."""
    if mark is None:
        return []
    further_texts = []
    if mark.verdict == "wrong":
        further_texts += ladder_texts(item_with_answers)
    if same_mistake_count:
        further_texts.append(another_help_text(item_with_answers.item, mark, same_mistake_count))
    return [TutorWords("thinking", html) for html in text_htmls(item_with_answers.course, further_texts)]


def ladder_texts(item_with_answers: ItemWithAnswers[Item]) -> list[str]:
    """What each grade asks for in the scene that dresses an order; nothing for any other item."""
    item, ladder_by_query = item_with_answers.item, item_with_answers.course.ladder_by_scene_query
    if not isinstance(item, Order) or not item.query or item.query not in ladder_by_query:
        return []
    top_rung = ladder_by_query[item.query].partition("；")[0]
    if top_rung in item.stem:
        return []
    return [f"甜度是这样打的：{ladder_by_query[item.query]}；不沾边的0分。"]


def count_repeated_mistakes(item_with_answers: ItemWithAnswers[Item], mark: Mark | None) -> int:
    """How often the last mistake had been made right before; `mark`: of the last answer."""
    if mark is None or not item_with_answers.is_open:
        return 0
    raw_answers = [answer.raw for answer in item_with_answers.answers if answer.raw]
    return same_mistake_count_of(item_with_answers.item, raw_answers, mark)


def unreadable_reason(item: Item, raw_answer: tuple[str, ...], answers: Sequence[SeenAnswer] = ()) -> str:
    """Why what was typed after these answers cannot be read; nothing when it can."""
    last_raw: tuple[str, ...] = ()
    if answers:
        last_raw = answers[-1].raw
    try:
        item.mark(raw_answer, len(answers) + 1, last_raw)
    except Unreadable as error:
        return str(error)
    return ""


def worked_lines(course: Course, item: Item) -> list[Markup]:
    """The calculation, line by line."""
    return [breakable_html(course.line(line)) for line in item.solution()]


def breakable_html(html: str) -> Markup:
    """A calculation that may be broken before its signs, so that no phone breaks it within a number.

    >>> breakable_html("<b>3÷1.585≈1.893</b>")
    Markup('<b>3<wbr>÷1.585<wbr>≈1.893</b>')
    """
    return markup(TAG_OR_OPERATOR_PATTERN.sub(lambda sign: f"<wbr>{sign[1]}" if sign[1] else sign[0], html))
