"""换你 at a table: one thing in it changed. Each change is a question, and the words that say all of it."""

from collections.abc import Iterator
from typing import Any

from pydantic import ValidationError

from app.course.items.asked_tables import AnyTable, AskedAgreement, AskedClicks, AskedCoins
from app.course.items.label_solutions import PLACES

MOVED_DOCUMENTS = 2
HEAD_LINES = 2
"""The lines of a table above its rows: the names of the columns, and the rule."""
TableChange = tuple[AnyTable, str]


def table_changes(question: AnyTable, stem: str) -> Iterator[TableChange]:
    """The changes that leave a question with an answer, the plainest first; none for a swap or a λ."""
    for fields, words in _changes(question):
        try:
            changed_question = type(question).model_validate(question.model_dump() | fields)
        except ValidationError:
            continue
        yield changed_question, f"{words}，别的都不动{_whole(changed_question, stem)}"


def _whole(question: AnyTable, stem: str) -> str:
    """What the table is now: nobody has to look for the old one, which may be off the screen."""
    if isinstance(question, AskedCoins) and question.quantity == "sign_test":
        wins = sum(difference > 0 for difference in question.differences)
        losses = sum(difference < 0 for difference in question.differences)
        ties = len(question.differences) - wins - losses
        tie_words = f"{ties}平" if ties else ""
        return f"，成了{wins}赢{losses}输{tie_words}。"
    if isinstance(question, AskedCoins):
        return f"，成了{question.table}。"
    return f"：\n\n{_with_names_of(stem, question.table)}\n\n"


def _with_names_of(stem: str, table: str) -> str:
    """A table whose rows and columns are called as in the stem, where that shows one."""
    own_rows = [line for line in stem.splitlines() if line.startswith("|")]
    rows = table.splitlines()
    if len(own_rows) != len(rows):
        return table
    head = own_rows[:HEAD_LINES]
    body = []
    for own_row, row in zip(own_rows[HEAD_LINES:], rows[HEAD_LINES:], strict=True):
        cells = row.split("|")
        cells[1] = own_row.split("|")[1]
        body.append("|".join(cells))
    return "\n".join([*head, *body])


def _changes(question: AnyTable) -> Iterator[tuple[dict[str, Any], str]]:
    match question:
        case AskedCoins():
            yield from _turned_differences(question)
        case AskedAgreement():
            yield from _moved_counts(question)
        case AskedClicks():
            yield from _other_clicks(question)


def _turned_differences(question: AskedCoins) -> Iterator[tuple[dict[str, Any], str]]:
    """A query that was won is lost, and the other way round."""
    for position, difference in enumerate(question.differences):
        if not difference:
            continue
        former_difference, turned_difference = _signed(difference), _signed(-difference)
        words = f"有一个差从{former_difference}变成{turned_difference}"
        if question.quantity == "sign_test":
            words = "有一个查询从赢变成输" if difference > 0 else "有一个查询从输变成赢"
        differences = list(question.differences)
        differences[position] = -difference
        yield {"differences": differences}, words


def _moved_counts(question: AskedAgreement) -> Iterator[tuple[dict[str, Any], str]]:
    """Of two documents on which the judges agreed they think differently."""
    for row, counts in enumerate(question.counts):
        for column, count in enumerate(counts):
            agreed_count = counts[row]
            if row != column and agreed_count >= MOVED_DOCUMENTS:
                table = [list(cells) for cells in question.counts]
                table[row][row] = agreed_count - MOVED_DOCUMENTS
                table[row][column] = count + MOVED_DOCUMENTS
                agreeing_change = f"第{row + 1}列的{agreed_count}换成{agreed_count - MOVED_DOCUMENTS}"
                differing_change = f"第{column + 1}列的{count}换成{count + MOVED_DOCUMENTS}"
                yield {"counts": table}, f"表里第{row + 1}行，{agreeing_change}，{differing_change}"


def _other_clicks(question: AskedClicks) -> Iterator[tuple[dict[str, Any], str]]:
    """Half as many clicks at the last position, where each counts most."""
    for index in reversed(range(len(question.positions))):
        positions = [position.model_dump() for position in question.positions]
        clicks = positions[index]["clicks"]
        positions[index]["clicks"] = clicks // 2
        yield {"positions": positions}, f"{PLACES[index]}的点击从{clicks}次变成{clicks // 2}次"


def _signed(difference: float) -> str:
    return f"{difference:+g}".replace("-", "−")
