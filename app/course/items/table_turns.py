"""换你 at a table: one thing in it changed. Each change is a question, and the words that say all of it."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from app.course.items.asked_tables import AnyTable, AskedAgreement, AskedClicks, AskedCoins
from app.course.items.label_solutions import POSITION_NAMES
from app.course.items.numbers import signed_text

MOVED_DOCUMENT_COUNT = 2
HEAD_LINE_COUNT = 2
"""The lines of a table above its rows: the names of the columns, and the rule."""
TableChange = tuple[AnyTable, str]


def table_changes(question: AnyTable, stem: str) -> Iterator[TableChange]:
    """The changes that leave a question with an answer, the plainest first; none for a swap or a λ."""
    for changed_fields, change_words in _changed_fields_and_words(question):
        try:
            changed_question = type(question).model_validate(question.model_dump() | changed_fields)
        except ValidationError:
            continue
        yield changed_question, f"{change_words}，别的都不动{_whole_question_words(changed_question, stem)}"


def _whole_question_words(question: AnyTable, stem: str) -> str:
    """What the table is now: nobody has to look for the old one, which may be off the screen."""
    if isinstance(question, AskedCoins) and question.quantity == "sign_test":
        win_count = sum(difference > 0 for difference in question.differences)
        loss_count = sum(difference < 0 for difference in question.differences)
        tie_count = len(question.differences) - win_count - loss_count
        tie_words = f"{tie_count}平" if tie_count else ""
        return f"，成了{win_count}赢{loss_count}输{tie_words}。"
    if isinstance(question, AskedCoins):
        return f"，成了{question.markdown_table}。"
    return f"：\n\n{_with_names_of(stem, question.markdown_table)}\n\n"


def _with_names_of(stem: str, table: str) -> str:
    """A table whose rows and columns are called as in the stem, where that shows one."""
    stem_lines = [line for line in stem.splitlines() if line.startswith("|")]
    new_table_lines = table.splitlines()
    if len(stem_lines) != len(new_table_lines):
        return table
    head_lines = stem_lines[:HEAD_LINE_COUNT]
    body_lines = []
    for stem_line, new_line in zip(
        stem_lines[HEAD_LINE_COUNT:], new_table_lines[HEAD_LINE_COUNT:], strict=True
    ):
        new_cells = new_line.split("|")
        new_cells[1] = stem_line.split("|")[1]
        body_lines.append("|".join(new_cells))
    return "\n".join([*head_lines, *body_lines])


def _changed_fields_and_words(question: AnyTable) -> Iterator[tuple[dict[str, Any], str]]:
    match question:
        case AskedCoins():
            yield from _turned_differences(question)
        case AskedAgreement():
            yield from _moved_counts(question)
        case AskedClicks():
            yield from _other_clicks(question)


def _turned_differences(question: AskedCoins) -> Iterator[tuple[dict[str, Any], str]]:
    """The same differences, one of them with the other sign: a query that was won is lost, or won."""
    for index, difference in enumerate(question.differences):
        if not difference:
            continue
        former_text, turned_text = signed_text(difference, "+g"), signed_text(-difference, "+g")
        change_words = f"有一个差从{former_text}变成{turned_text}"
        if question.quantity == "sign_test":
            change_words = "有一个查询从赢变成输" if difference > 0 else "有一个查询从输变成赢"
        differences = list(question.differences)
        differences[index] = -difference
        yield {"differences": differences}, change_words


def _moved_counts(question: AskedAgreement) -> Iterator[tuple[dict[str, Any], str]]:
    """Of two documents on which the judges agreed they think differently."""
    for row_index, row_of_counts in enumerate(question.counts):
        for column_index, document_count in enumerate(row_of_counts):
            agreed_count = row_of_counts[row_index]
            if row_index != column_index and agreed_count >= MOVED_DOCUMENT_COUNT:
                changed_counts = [list(counts_of_row) for counts_of_row in question.counts]
                changed_counts[row_index][row_index] = agreed_count - MOVED_DOCUMENT_COUNT
                changed_counts[row_index][column_index] = document_count + MOVED_DOCUMENT_COUNT
                agreeing_words = (
                    f"第{row_index + 1}列的{agreed_count}换成{agreed_count - MOVED_DOCUMENT_COUNT}"
                )
                differing_words = (
                    f"第{column_index + 1}列的{document_count}换成{document_count + MOVED_DOCUMENT_COUNT}"
                )
                yield (
                    {"counts": changed_counts},
                    f"表里第{row_index + 1}行，{agreeing_words}，{differing_words}",
                )


def _other_clicks(question: AskedClicks) -> Iterator[tuple[dict[str, Any], str]]:
    """Half as many clicks at one position; the last comes first, for there each click counts most."""
    for index in reversed(range(len(question.positions))):
        position_fields = [position.model_dump() for position in question.positions]
        click_count = position_fields[index]["clicks"]
        position_fields[index]["clicks"] = click_count // 2
        yield (
            {"positions": position_fields},
            f"{POSITION_NAMES[index]}的点击从{click_count}次变成{click_count // 2}次",
        )
