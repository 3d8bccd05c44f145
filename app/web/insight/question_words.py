"""Questions as a teacher's tables speak of them: a short title, the whole text, answers in words."""

import re
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course
from app.course.authoring.snapshots import course_with_frozen_item
from app.course.content.recorded_misconceptions import named_misconception
from app.course.content.refs import item_ref_of, prefix_of, question_number_of
from app.course.exercises.exercises import NAME_BY_LEVEL
from app.course.insight.item_analysis import UNREAD_ANSWER
from app.course.items.kinds import Generated, Item, SingleChoice, Steps, TrueFalse
from app.course.items.kinds.steps import cell_label
from app.records.insight.item_stats import ANSWER_SEPARATOR, MISSED_LINES_PREFIX
from app.records.insight.misconceptions import ExampleAnswer
from app.web.items.answered import answer_htmls
from app.web.items.kinds import ItemWithAnswers, KindView, kind_view_of
from app.web.site.rendering import text_html
from app.web.site.site import CourseByPrefix

FILLED_CELL_PATTERN = re.compile(r"(?<!\S)(\S+)=(-?[0-9]+(?:\.[0-9]+)?(?:e[-+]?[0-9]+)?)(?= |$)")
"""A cell of a table in the value of an answer: `term-1=3.7`."""
LONGEST_TITLE_TEXT = 24
"""So many characters of a stem make a title."""


class QuestionTitle(NamedTuple):
    """A question by name. Without a `stem_html` its item is no longer there. `number`: in its assignment.

    `asks_two_answers`: there are only two answers to choose from.
    """

    number: int | None
    text: str = "一道旧题"
    stem_html: Markup | None = None
    minutes: int = 1
    asks_two_answers: bool = False


def course_of(course_by_prefix: CourseByPrefix, item_ref: str) -> Course | None:
    """The course that an item lives in; None for one that is not there (any more)."""
    return course_by_prefix.get(prefix_of(item_ref))


def course_and_current_item(course_by_prefix: CourseByPrefix, item_ref: str) -> tuple[Course, Item] | None:
    """An item as it is now, with its course; None where it is no longer there."""
    course = course_of(course_by_prefix, item_ref)
    if course is None:
        return None
    item = course.items.get(course.bare_id(item_ref_of(item_ref)))
    if item is None:
        return None
    return course, item


def course_and_thawed_item(
    course_by_prefix: CourseByPrefix, item_ref: str, item_body_json: str, seed: int
) -> tuple[Course, Item] | None:
    """An item as it was frozen, read by its own course or else by that of the site; None if unreadable."""
    course = course_of(course_by_prefix, item_ref) or next(iter(course_by_prefix.values()))
    frozen_course = course_with_frozen_item(course, item_body_json, seed)
    if frozen_course is None:
        return None
    [item] = frozen_course.items.values()
    return frozen_course, item


def question_title(course_by_prefix: CourseByPrefix, item_ref: str) -> QuestionTitle:
    """A question by the ref that answers have for it."""
    question_number = question_number_of(item_ref)
    course_and_item = course_and_current_item(course_by_prefix, item_ref)
    if course_and_item is None:
        return QuestionTitle(question_number)
    course, item = course_and_item
    if isinstance(item, Generated):
        exercise = course.exercises[item.exercise]
        return QuestionTitle(
            question_number,
            text=f"{exercise.title} · {NAME_BY_LEVEL[item.level]}",
            stem_html=text_html(course, exercise.summary),
            minutes=exercise.minutes,
        )
    stem_html = text_html(course, item.stem)
    asks_two_answers = isinstance(item, TrueFalse) or (
        isinstance(item, SingleChoice) and len(item.options) == 2
    )
    return QuestionTitle(
        question_number, shortened_text(stem_html), stem_html, item.minutes, asks_two_answers
    )


def shortened_text(stem_html: Markup) -> str:
    """The beginning of a text.

    >>> shortened_text(Markup("<p>池塘里有20条鱼。</p>"))
    '池塘里有20条鱼。'
    """
    one_line_text = " ".join(stem_html.striptags().split())
    if len(one_line_text) <= LONGEST_TITLE_TEXT:
        return one_line_text
    return f"{one_line_text[:LONGEST_TITLE_TEXT]}…"


class ShownAnswer(NamedTuple):
    """An answer in words, with the question as it was."""

    stem_html: Markup
    kind_view: KindView | None
    answer_html: Markup


def shown_answer(course_by_prefix: CourseByPrefix, example_answer: ExampleAnswer) -> ShownAnswer | None:
    """From the body that was frozen with the answer; None when that can no longer be read."""
    course_and_item = course_and_thawed_item(
        course_by_prefix, example_answer.item_ref, example_answer.body, example_answer.seed
    )
    if course_and_item is None:
        return None
    course, item = course_and_item
    answer_html = Markup("、").join(answer_htmls(course, item, example_answer.answer_texts))
    return ShownAnswer(text_html(course, item.stem), plain_kind_view(course, item), answer_html)


def plain_kind_view(course: Course, item: Item) -> KindView:
    """What an item shows of itself while nobody has answered it."""
    return kind_view_of(ItemWithAnswers(course, item, (), "open", None))


UNREAD_WORDS = "写的看不懂"
WORDS_BY_WRONG_ANSWER_KEY = {None: "直接看了答案", UNREAD_ANSWER: UNREAD_WORDS}


def wrong_answer_words(course_by_prefix: CourseByPrefix, item_ref: str, wrong_answer_key: str | None) -> str:
    """A wrong answer in words: the misconception behind it, the option that was chosen, the number."""
    if wrong_answer_key is None or wrong_answer_key in WORDS_BY_WRONG_ANSWER_KEY:
        return WORDS_BY_WRONG_ANSWER_KEY[wrong_answer_key]
    if wrong_answer_key.startswith(MISSED_LINES_PREFIX):
        missed_lines = wrong_answer_key.removeprefix(MISSED_LINES_PREFIX).split(ANSWER_SEPARATOR)
        return "没写到" + "、".join(f"“{missed_line}”" for missed_line in missed_lines)
    if not wrong_answer_key.startswith("="):
        return named_misconception(wrong_answer_key).name
    answer_value = wrong_answer_key[1:]
    course_and_item = course_and_current_item(course_by_prefix, item_ref)
    if course_and_item is None:
        return answer_value
    course, item = course_and_item
    if isinstance(item, Steps):
        return first_wrong_cell_words(item, answer_value)
    if isinstance(item, Generated) and "=" in answer_value:
        return SOME_CELL_WRONG_WORDS
    if isinstance(item, Generated):
        return answer_value
    return "、".join(
        answer_html.striptags() for answer_html in answer_htmls(course, item, answer_value.split(" "))
    )


SOME_CELL_WRONG_WORDS = "表里有格算岔了"
"""Each student has numbers of their own in a table that is drawn."""


def first_wrong_cell_words(item: Steps, answer_value: str) -> str:
    """Where a table first went wrong: what follows was judged on the student's own numbers.

    An old answer may not fit the item any more.
    """
    number_by_cell_name = {
        cell_name: float(number_text) for cell_name, number_text in FILLED_CELL_PATTERN.findall(answer_value)
    }
    for judged_cell in item.table.judge(number_by_cell_name, item.decimals):
        if judged_cell.verdict == "wrong":
            return f"{cell_label(judged_cell.cell)}写成{judged_cell.shown_number:g}"
    return SOME_CELL_WRONG_WORDS
