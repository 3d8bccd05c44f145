"""Questions in a table: one row each, under a head that says what each column is."""

import re
from collections.abc import Mapping, Sequence

from app.course.questions import question_text
from app.course.questions.draft_questions import (
    LETTERS,
    NAME_BY_DRAFT_KIND,
    DraftQuestion,
    UnfitQuestion,
)
from app.course.questions.question_answers import CUT_SIGN
from app.course.questions.question_signs import field_and_value_of

NumberedRow = tuple[int, Sequence[str]]
"""The number of a row in its file, and its cells."""
MOST_TITLE_ROWS = 6
HEADINGS_BY_COLUMN = {
    "题干": ("题干", "题目", "题目内容", "试题", "试题内容", "问题", "内容", "question", "stem"),
    "题型": ("题型", "类型", "题目类型", "试题类型", "type"),
    "答案": ("答案", "正确答案", "标准答案", "参考答案", "正确选项", "answer"),
    "解析": ("解析", "答案解析", "试题解析", "说明", "解释", "explanation"),
    "提示": ("提示", "hint"),
    "误差": ("误差", "允许误差", "tolerance"),
    "要点": ("要点", "得分点", "评分标准"),
    "选项": ("选项", "备选项", "全部选项", "options"),
    "反馈": ("反馈",),
}
"""What the columns are called, the surest name first."""
_OPTION_HEADING_PATTERN = re.compile(r"(?:选项|答案选项|option)?\s*([A-Ha-h1-8])(?:选项|项)?")
WRITTEN_COLUMNS = ("题型", "题干", *LETTERS[:6], "答案", "解析", "提示", "要点", "反馈")
"""The columns of a table that is written; in 反馈 a line for each answer, as in a text."""
NO_HEAD_WORDS = "第一行要写表头：至少有“题干”和“答案”两栏，选项每个一栏，写A、B、C、D"
SEPARATORS = "\t,;"
LONG_CELL_LENGTH = 4000
"""Characters that are read of a cell."""


def text_of_rows(numbered_rows: Sequence[NumberedRow]) -> str:
    """A table as the text that `question_text` reads. Raises `UnfitQuestion` for a table without a head.

    >>> print(text_of_rows([(1, ["题干", "A", "B", "答案"]), (2, ["第3位？", "五折", "七折", "A"])]), end="")
    1. 第3位？
    A. 五折
    B. 七折
    答案：A
    """
    for head_index, (_, head_cells) in enumerate(numbered_rows[:MOST_TITLE_ROWS]):
        column_index_by_title = column_index_by_title_of(head_cells)
        if "题干" in column_index_by_title and "答案" in column_index_by_title:
            question_texts = [
                row_text(cells, column_index_by_title)
                for _, cells in numbered_rows[head_index + 1 :]
                if any(cells)
            ]
            numbered_texts = [
                f"{question_number}. {text}\n" for question_number, text in enumerate(question_texts, 1)
            ]
            return "\n".join(numbered_texts)
    raise UnfitQuestion(NO_HEAD_WORDS)


def separator_of(head_line: str) -> str | None:
    r"""What stands between the cells of a table that begins with this line; None where it is no head.

    >>> separator_of("题干;答案"), separator_of('"题干"\t"答案"'), separator_of("题干是什么，答案是什么")
    (';', '\t', None)
    """
    separator = max(SEPARATORS, key=head_line.count)
    column_index_by_title = column_index_by_title_of(head_line.split(separator))
    if "题干" in column_index_by_title and "答案" in column_index_by_title:
        return separator
    return None


def column_index_by_title_of(cells: Sequence[str]) -> Mapping[str, int]:
    """Which column is what, by the head of a table.

    >>> column_index_by_title_of(["序号", "题目", "选项A", "选项B", "正确答案"])
    {'题干': 1, '答案': 4, 'A': 2, 'B': 3}
    """
    headings = [re.sub(r"[（(【\[].{0,20}[)）】\]]|[*：:\s\"\ufeff]", "", cell).lower() for cell in cells]
    column_index_by_title: dict[str, int] = {}
    for column_title, known_headings in HEADINGS_BY_COLUMN.items():
        for heading in known_headings:
            if heading in headings and column_title not in column_index_by_title:
                column_index_by_title[column_title] = headings.index(heading)
    for column_index, heading in enumerate(headings):
        option_match = _OPTION_HEADING_PATTERN.fullmatch(heading)
        if option_match:
            option_letter = option_match[1].upper()
            if option_letter.isdigit():
                option_letter = LETTERS[int(option_letter) - 1]
            column_index_by_title.setdefault(option_letter, column_index)
    return column_index_by_title


def row_text(cells: Sequence[str], column_index_by_title: Mapping[str, int]) -> str:
    """One row as the text of a question."""
    text_by_column_title = {}
    for column_title, column_index in column_index_by_title.items():
        if column_index < len(cells):
            text_by_column_title[column_title] = cells[column_index].strip()
    return text_of_columns(text_by_column_title)


def text_of_columns(text_by_column_title: Mapping[str, str]) -> str:
    """A question as text, from what stands in each column or field of a form.

    >>> print(text_of_columns({"题型": "判断题", "题干": "越甜越靠前。", "答案": "对"}))
    【判断】越甜越靠前。
    答案：对
    """
    kind_text = text_by_column_title.get("题型", "")
    stem = text_by_column_title.get("题干", "")
    if kind_text:
        stem = f"【{kind_text.removesuffix('题')}】{stem}"
    question_lines = [stem]
    question_lines += [
        f"{letter}. {text_by_column_title[letter]}" for letter in LETTERS if text_by_column_title.get(letter)
    ]
    if text_by_column_title.get("选项"):
        question_lines += option_lines_of_cell(text_by_column_title["选项"])
    for column_title in ("答案", "误差", "要点", "解析", "提示"):
        if text_by_column_title.get(column_title):
            question_lines.append(f"{column_title}：{text_by_column_title[column_title]}")
    feedback_text = text_by_column_title.get("反馈", "")
    if field_and_value_of(feedback_text):
        question_lines.append(feedback_text)
    if any(len(cell_text) >= LONG_CELL_LENGTH for cell_text in text_by_column_title.values()):
        question_lines.append(CUT_SIGN)
    return "\n".join(question_lines)


def option_lines_of_cell(cell_text: str) -> list[str]:
    """The options that stand in one cell, with letters where they have none."""
    option_texts = [
        option_text.strip() for option_text in re.split(r"[\n|｜]|;;|；；", cell_text) if option_text.strip()
    ]
    if any(re.match(r"[A-H]\s*[.．、:：)）]", option_text) for option_text in option_texts):
        return option_texts
    return [f"{letter}. {option_text}" for letter, option_text in zip(LETTERS, option_texts, strict=False)]


def rows_of(draft_questions: Sequence[DraftQuestion]) -> list[list[str]]:
    """The questions as rows under `WRITTEN_COLUMNS`, the head first."""
    table_rows = [list(WRITTEN_COLUMNS)]
    for draft_question in draft_questions:
        text_by_column_title = {
            "题型": NAME_BY_DRAFT_KIND[draft_question.kind],
            "题干": draft_question.stem,
            "答案": draft_question.answer_words,
        }
        for letter, draft_option in zip(LETTERS, draft_question.options, strict=False):
            text_by_column_title[letter] = draft_option.text
        text_by_column_title["解析"] = draft_question.explanation
        text_by_column_title["提示"] = "\n".join(draft_question.hints)
        if draft_question.kind == "short":
            text_by_column_title["要点"] = "；".join(draft_question.checkpoints)
        text_by_column_title["反馈"] = "\n".join(question_text.feedback_lines(draft_question))
        table_rows.append([text_by_column_title.get(column_title, "") for column_title in WRITTEN_COLUMNS])
    return table_rows


def can_hold(draft_question: DraftQuestion) -> bool:
    """Whether a table can hold a question as it is: read again, it is the same."""
    numbered_rows = list(enumerate(rows_of([draft_question]), 1))
    question_list = question_text.read(text_of_rows(numbered_rows))
    return question_list.questions == (draft_question,)
