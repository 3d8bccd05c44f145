"""Own content out again: its items as drafts, and as a file that another program, or this one, reads."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import NamedTuple

from app.course.authoring.own_content import pickable_items
from app.course.content.course import Course
from app.course.items.kinds import (
    FillInBlanks,
    Item,
    MultipleChoice,
    ShortAnswer,
    SingleChoice,
    TrueFalse,
)
from app.course.items.kinds.base import CHOICE_FEEDBACK, CORRECTION_BY_TRUTH, JUDGEMENT_PRAISE
from app.course.items.kinds.fill import Blank
from app.course.items.kinds.options import Option
from app.course.questions import gift, question_tables, question_text
from app.course.questions.draft_questions import (
    DraftBlank,
    DraftOption,
    DraftQuestion,
    QuestionList,
    with_points,
)
from app.course.questions.plain_markdown import as_plain, is_plain
from app.course.questions.question_signs import LEFT_OUT_REMARK
from app.course.text.markdown import TERM_PATTERN

USUAL_WORDS = frozenset((*CHOICE_FEEDBACK, JUDGEMENT_PRAISE, *CORRECTION_BY_TRUTH.values()))
"""What is said where its author wrote nothing; it is not written out."""
_BOLD_PATTERN = re.compile(r"(?<!\\)\*\*([^*\n]{1,400}?)(?<!\\)\*\*")
CAN_HOLD_BY_FORMAT = {"txt": question_text.can_hold, "gift": gift.can_hold, "xlsx": question_tables.can_hold}
"""The formats, and whether one can hold a question as it is."""


class ExportedQuestions(NamedTuple):
    """The questions that a format holds; `left_out_item_ids`: of the items that it cannot hold as they
    are."""

    questions: QuestionList
    left_out_item_ids: Sequence[str]

    @property
    def left_out_words(self) -> str:
        """What is said of the items that are not in the file; nothing where all are."""
        if not self.left_out_item_ids:
            return ""
        ids_text = "、".join(self.left_out_item_ids)
        return f"还有{len(self.left_out_item_ids)}道放不进这种文件，只在原文里：{ids_text}"


class NotPlain(ValueError):
    """A text with a table, a list, code or emphasis, which no plain text holds."""


def export_items(course: Course, format_name: str) -> ExportedQuestions:
    """The items of own content for a file of a format, in their order."""
    can_format_hold = CAN_HOLD_BY_FORMAT[format_name]
    draft_questions = []
    left_out_item_ids = []
    for item in pickable_items(course):
        draft_question = plain_draft(item, course)
        has_picture = "](picture:" in item.model_dump_json()
        if draft_question and can_format_hold(draft_question) and not (has_picture and format_name == "gift"):
            draft_questions.append(draft_question)
        else:
            left_out_item_ids.append(item.id)
    return ExportedQuestions(QuestionList(tuple(draft_questions), title=course.title), left_out_item_ids)


def plain_draft(item: Item, course: Course) -> DraftQuestion | None:
    """An item as plain text; None for one that only own content holds."""
    if not item.IS_IN_OTHER_PROGRAMS:
        return None
    try:
        return draft_of_item(item, course)
    except NotPlain:
        return None


def draft_of_item(item: Item, course: Course) -> DraftQuestion:
    """An item as plain text, of a kind that other programs have. Raises `NotPlain`."""
    return replace(
        _draft_of_kind(item, course),
        explanation=plain_text(item.explanation or "", course),
        hints=tuple(plain_text(hint, course) for hint in item.hints),
    )


def _draft_of_kind(item: Item, course: Course) -> DraftQuestion:
    """The stem of an item, and what its kind has."""
    stem = plain_text(item.stem, course)
    match item:
        case SingleChoice() | MultipleChoice():
            draft_options = tuple(_draft_option(option, course) for option in item.options)
            return DraftQuestion(item.kind, stem, draft_options)
        case TrueFalse():
            praise = _own_feedback(item.feedback.right, course)
            correction = _own_feedback(item.feedback.wrong, course)
            return DraftQuestion(
                "true_false", stem, is_true=item.answer, praise=praise, correction=correction
            )
        case FillInBlanks():
            draft_blanks = tuple(map(_draft_blank, item.blanks))
            return DraftQuestion("fill", stem, blanks=draft_blanks)
        case ShortAnswer():
            model_answer = plain_text(item.model, course)
            return DraftQuestion(
                "short", stem, checkpoints=tuple(_checkpoints_of(item, course)), model_answer=model_answer
            )
    raise NotImplementedError(f"how other programs write {item.kind}")


def _draft_option(option: Option, course: Course) -> DraftOption:
    return DraftOption(plain_text(option.text, course), option.right, _own_feedback(option.feedback, course))


def _draft_blank(blank: Blank) -> DraftBlank:
    if blank.tolerance is None:
        return DraftBlank(tuple(blank.accept))
    decimal_tolerance = Decimal(f"{blank.tolerance:.15g}")
    return DraftBlank(tuple(blank.accept), f"{decimal_tolerance:f}")  # without an exponent, as it is read


def _checkpoints_of(short_item: ShortAnswer, course: Course) -> Iterator[str]:
    """What an answer is held against: checkpoints, or the lines of a rubric with their points."""
    for checkpoint in short_item.checkpoints:
        yield plain_text(checkpoint, course)
    for rubric_line in short_item.rubric:
        yield with_points(plain_text(rubric_line.text, course), rubric_line.points)


def _own_feedback(feedback: str, course: Course) -> str:
    """What its author wrote."""
    plain_feedback = plain_text(feedback, course)
    return "" if plain_feedback in USUAL_WORDS else plain_feedback


def plain_text(markdown: str, course: Course) -> str:
    """The words of a text: links into the glossary and bold print leave only theirs. Raises `NotPlain`."""
    unlinked_text = TERM_PATTERN.sub(
        lambda link_match: link_match[2] or course.glossary_name_by_id.get(link_match[1], link_match[1]),
        markdown,
    )
    unlinked_text = _BOLD_PATTERN.sub(r"\1", unlinked_text)
    if not is_plain(unlinked_text):
        raise NotPlain(unlinked_text)
    return as_plain(unlinked_text)


def file_text(exported_questions: ExportedQuestions, format_name: str) -> str:
    """The text of a file; a table is written by whoever knows workbooks."""
    if format_name == "gift":
        left_out_comment = exported_questions.left_out_words and f"\n// {exported_questions.left_out_words}\n"
        return gift.text_of_questions(exported_questions.questions) + left_out_comment
    left_out_remark = (
        exported_questions.left_out_words and f"\n{LEFT_OUT_REMARK}{exported_questions.left_out_words}\n"
    )
    return question_text.text_of_questions(exported_questions.questions) + left_out_remark
