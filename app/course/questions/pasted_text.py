"""What somebody pasted into one box: questions the Chinese way, GIFT, and cells of a table, side by side.

Each is read by its own reader, with the lines of the others left empty, so that every line keeps its number.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from app.course.questions import gift, question_signs, question_tables, question_text
from app.course.questions.draft_questions import (
    MOST_QUESTIONS,
    DraftQuestion,
    QuestionList,
    UnreadQuestion,
)
from app.course.text import csv_tables, sandbox

GIFT_REMARKS = ("//", "$CATEGORY")
BROKEN_CELL_WORDS = "表格从这里起读不下去：有一个引号没有关上"


class Paragraph(NamedTuple):
    """Lines without an empty one between; `line_number`: of the first."""

    line_number: int
    lines: Sequence[str]

    @property
    def text(self) -> str:
        return "\n".join(self.lines)


def read(pasted_text: str) -> QuestionList:
    """The questions of a text in their order, whichever way each is written.

    >>> text = "1. 越甜越靠前。（√）\\n\\n第3位打几折？{=五折 ~七折}\\n\\n题干\\t答案\\n甲对吗？\\t对\\n"
    >>> reading = read(text)
    >>> [(question.line_number, question.kind) for question in reading.questions]
    [(1, 'true_false'), (3, 'single'), (6, 'true_false')]
    """
    pasted_text = pasted_text.removeprefix("\ufeff")
    paragraphs = list(paragraphs_of(pasted_text))
    table_paragraphs = list(filter(is_table_paragraph, paragraphs))
    gift_paragraphs = gift_paragraphs_of(paragraphs)
    plain_text = text_without_paragraphs(pasted_text, [*table_paragraphs, *gift_paragraphs])
    question_lists = [
        question_text.read(plain_text),
        gift.read(text_of_only_paragraphs(pasted_text, gift_paragraphs)),
    ]
    question_lists += map(read_table, table_paragraphs)
    return merged_lists(question_lists)


def with_gift_as_plain_text(pasted_text: str) -> str:
    r"""A text that is nothing but GIFT with its questions written the Chinese way, each where it stands; what
    could not be read, or is no such text, stays as it came. Any other text as it is: questions that somebody
    numbered would come between those that are numbered here.

    >>> print(with_gift_as_plain_text("// 第二题\n乙。{F}\n\n配对{=甲 -> 1 =丙 -> 2}"), end="")
    1. 【判断】乙。
    答案：错
    <BLANKLINE>
    配对{=甲 -> 1 =丙 -> 2}
    """
    paragraphs = list(paragraphs_of(pasted_text))
    gift_line_numbers = {paragraph.line_number for paragraph in gift_paragraphs_of(paragraphs)}
    if not gift_line_numbers or len(gift_line_numbers) < len(paragraphs):
        return pasted_text
    question_texts: list[str] = []
    question_number = 1
    for _, source_text in gift.numbered_question_sources(pasted_text):
        gift_reading = gift.read(source_text)
        if gift_reading.questions and question_text.can_hold(gift_reading.questions[0]):
            question_texts.append(question_text.text_of_question(gift_reading.questions[0], question_number))
            question_number += 1
        else:
            question_texts.append(f"{source_text}\n")
    return "\n".join(question_texts)


def gift_paragraphs_of(paragraphs: Sequence[Paragraph]) -> list[Paragraph]:
    """Those in GIFT, and where there are any, those that begin with a remark of it."""
    gift_paragraphs = list(filter(is_gift_paragraph, paragraphs))
    if gift_paragraphs:
        gift_paragraphs += [
            paragraph for paragraph in paragraphs if paragraph.lines[0].startswith(GIFT_REMARKS)
        ]
    return gift_paragraphs


def paragraphs_of(pasted_text: str) -> Iterator[Paragraph]:
    paragraph_lines: list[str] = []
    first_line_number = 1
    for line_number, line in enumerate([*pasted_text.split("\n"), ""], 1):
        if line.strip():
            if not paragraph_lines:
                first_line_number = line_number
            paragraph_lines.append(line)
        elif paragraph_lines:
            yield Paragraph(first_line_number, paragraph_lines)
            paragraph_lines = []


def is_gift_paragraph(paragraph: Paragraph) -> bool:
    """Whether a paragraph is a question in GIFT; `{}` alone may as well be a piece of a program."""
    if any(question_signs.field_and_value_of(question_signs.tidy_line(line)) for line in paragraph.lines):
        return False
    paragraph_text = paragraph.text
    if not paragraph_text.startswith("::"):
        paragraph_text = paragraph_text.replace("{}", "")
    return gift.is_gift(paragraph_text)


def is_table_paragraph(paragraph: Paragraph) -> bool:
    """Whether a paragraph begins with the head of a table."""
    return question_tables.separator_of(paragraph.lines[0]) is not None


def read_table(paragraph: Paragraph) -> QuestionList:
    """The questions of a table, a row each, with the lines that its rows have in the whole text."""
    separator = question_tables.separator_of(paragraph.lines[0])
    assert separator is not None, "the paragraph is a table"
    try:
        csv_reading = csv_tables.read(paragraph.text, separator)
    except sandbox.ProgramStopped:
        return QuestionList(
            unread_questions=(UnreadQuestion(paragraph.line_number, BROKEN_CELL_WORDS, paragraph.text),)
        )
    if csv_reading.broken_line_number:
        broken_line_number = paragraph.line_number + csv_reading.broken_line_number - 1
        return QuestionList(
            unread_questions=(UnreadQuestion(broken_line_number, BROKEN_CELL_WORDS, paragraph.text),)
        )
    [(_, head_cells), *numbered_rows] = csv_reading.rows
    column_index_by_title = question_tables.column_index_by_title_of(head_cells)
    question_lists = []
    for row_line_number, cells in numbered_rows:
        row_text = question_tables.row_text(cells, column_index_by_title)
        line_padding = "\n" * (paragraph.line_number + row_line_number - 2)
        question_lists.append(question_text.read(f"{line_padding}1. {row_text}"))
    return merged_lists(question_lists)


def text_without_paragraphs(pasted_text: str, paragraphs: Sequence[Paragraph]) -> str:
    """A text with the lines of these paragraphs left empty."""
    remaining_lines = pasted_text.split("\n")
    for paragraph in paragraphs:
        for line_index in range(len(paragraph.lines)):
            remaining_lines[paragraph.line_number - 1 + line_index] = ""
    return "\n".join(remaining_lines)


def text_of_only_paragraphs(pasted_text: str, paragraphs: Sequence[Paragraph]) -> str:
    """A text in which only the lines of these paragraphs are not empty."""
    remaining_lines = [""] * (pasted_text.count("\n") + 1)
    for paragraph in paragraphs:
        for line_index, line in enumerate(paragraph.lines):
            remaining_lines[paragraph.line_number - 1 + line_index] = line
    return "\n".join(remaining_lines)


def merged_lists(question_lists: Sequence[QuestionList]) -> QuestionList:
    """What several readers read of one text, by line; no more questions than may be taken at once."""
    draft_questions: list[DraftQuestion] = []
    unread_questions: list[UnreadQuestion] = []
    for question_list in question_lists:
        draft_questions += question_list.questions
        unread_questions += question_list.unread_questions
    draft_questions.sort(key=lambda draft_question: draft_question.line_number)
    for draft_question in draft_questions[MOST_QUESTIONS:]:
        unread_questions.append(
            UnreadQuestion(
                draft_question.line_number, question_text.TOO_MANY_QUESTIONS_WORDS, draft_question.source_text
            )
        )
    unread_questions.sort(key=lambda unread_question: unread_question.line_number)
    title = next(filter(None, (question_list.title for question_list in question_lists)), "")
    return QuestionList(tuple(draft_questions[:MOST_QUESTIONS]), tuple(unread_questions), title)
