"""What is computed, beside the documents it is about: a number, or a table to fill cell by cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.course import Unreadable
from app.course.items import numbers, rounding
from app.course.items.follow_through import COLUMNS_BY_RANK, WHOLE_NUMBER_COLUMNS, JudgedCell, TableCell
from app.course.items.kinds import Numeric, Steps
from app.course.items.kinds.steps import CARRIED_CELL_SIGN, LEFT_CELL_SIGN, number_in_cell
from app.course.items.marks import is_partial_score
from app.course.items.printed_figures import rounded_text
from app.web.items.kinds.base import CellView, DiscountRow, ItemWithAnswers, KindView, TableRow, TableView

OPEN_STATES = ("blank", "wrong")
"""Of the states of a cell those in which something may be typed."""
CHANGED_ITEM_SENTENCE = "这道题换过了，上次的回答读不出来。"


@dataclass(frozen=True)
class NumericKindView(KindView):
    """What was typed; how to round, and at the end what counted as right; a sum as an example."""

    typed_text: str = ""
    rounding_sentence: str = ""
    example_sum_text: str = numbers.EXAMPLE_SUM


def numeric_kind_view(item_with_answers: ItemWithAnswers[Numeric]) -> NumericKindView:
    item = item_with_answers.item
    rounding_sentence = ""
    if item_with_answers.is_open:
        rounding_sentence = f"{item.rounding_words}。"
    elif item_with_answers.state not in ("right", "corrected") and item.accepted_interval_words:
        rounding_sentence = f"{item.accepted_interval_words}之间都算对。"
    typed_text = ""
    if item_with_answers.texts_in_form:
        typed_text = item_with_answers.texts_in_form[0]
    example_sum_text = numbers.EXAMPLE_WHOLE_SUM
    if item.decimals:
        example_sum_text = numbers.EXAMPLE_SUM
    return NumericKindView(
        item.ranking,
        item.question.convention_words,
        discount_rows_of(item.question.quantity),
        echo_words=echo_words_of(item_with_answers),
        show_label="算给我看",
        typed_text=typed_text,
        rounding_sentence=rounding_sentence,
        example_sum_text=example_sum_text,
    )


def echo_words_of(item_with_answers: ItemWithAnswers[Numeric]) -> str:
    """How the last answer was understood, where it was written as more than plain digits."""
    if (
        item_with_answers.typed_raw_answer is not None
        or not item_with_answers.answers
        or not item_with_answers.answers[-1].raw
    ):
        return ""
    try:
        typed_number = numbers.read(item_with_answers.answers[-1].raw[0])
    except Unreadable:  # the item was of another kind when it was answered
        return CHANGED_ITEM_SENTENCE
    return "" if typed_number.is_plain else f"已识别为{typed_number.echo_text}"


@lru_cache(32)
def discount_rows_of(quantity: str) -> tuple[DiscountRow, ...]:
    """The 折损表 that lies beside a question, empty where it is of no use; only its logs, where a weight is
    what is asked.

    There are three of them, and their HTML is remembered. CPU of rendering an item, before → after (µs):
    479 → 347.
    """
    if quantity not in rounding.DISCOUNTED_QUANTITIES:
        return ()
    discount_rows = []
    for rank, logarithm, weight in rounding.discount_table():
        weight_text = ""
        if quantity != "discount":
            weight_text = f"{weight:.3f}"
        discount_rows.append(DiscountRow(rank, f"{logarithm:.3f}", weight_text))
    return tuple(discount_rows)


@dataclass(frozen=True)
class StepsKindView(KindView):
    """A table; `rounding_sentence`: how to round."""

    rounding_sentence: str = ""


def steps_kind_view(item_with_answers: ItemWithAnswers[Steps]) -> StepsKindView:
    """The table as it stands: judged by the last answer, or as it was typed."""
    item = item_with_answers.item
    end_words = ""
    if item_with_answers.state == "corrected" and is_partial_score(item_with_answers.answers[-1].score):
        end_words = "一起算完了"
    discount_rows = discount_rows_of(item.question.quantity)
    filled_table = table_view(item, view_by_cell_name_of(item_with_answers))
    return StepsKindView(
        item.ranking,
        item.question.convention_words,
        discount_rows,
        filled_table,
        show_label="算给我看",
        end_words=end_words,
        rounding_sentence=f"{item.rounding_words}。",
    )


def table_view(item: Steps, view_by_cell_name: Mapping[str, CellView]) -> TableView:
    """The cells, put in their places."""
    sum_cell_by_name = {
        cell_name: cell_view
        for cell_name, cell_view in view_by_cell_name.items()
        if cell_view.cell.column not in COLUMNS_BY_RANK
    }
    open_cells = [cell_view for cell_view in view_by_cell_name.values() if cell_view.state in OPEN_STATES]
    listed_rank_rows = listed_rows(item, view_by_cell_name)
    return TableView(listed_rank_rows, ideal_rows(item, view_by_cell_name), sum_cell_by_name, len(open_cells))


def listed_rows(item: Steps, view_by_cell_name: Mapping[str, CellView]) -> list[TableRow]:
    """The ranks of the list; those below the documents have no title."""
    table_rows = []
    documents = item.ranking.documents if item.ranking else []
    for term in item.table.trace.terms:
        rank = term.rank
        document_title = ""
        if rank <= len(documents):
            document_title = documents[rank - 1].title
        cells_of_rank = [view_by_cell_name[f"{column}-{rank}"] for column in ("gain", "discount", "term")]
        table_rows.append(TableRow(rank, cells_of_rank, document_title, term.grade))
    return table_rows


def ideal_rows(item: Steps, view_by_cell_name: Mapping[str, CellView]) -> list[TableRow]:
    """The ranks of the ideal order, where it is asked."""
    table_rows = []
    if "idcg" in view_by_cell_name:
        for term in item.table.trace.ideal_terms:
            gain_cell = view_by_cell_name[f"ideal-{term.rank}"]
            term_cell = view_by_cell_name[f"ideal-term-{term.rank}"]
            table_rows.append(TableRow(term.rank, [gain_cell, term_cell]))
    return table_rows


def view_by_cell_name_of(item_with_answers: ItemWithAnswers[Steps]) -> dict[str, CellView]:
    """Every cell by its name; what was right or left to the tutor is closed, also while others are typed."""
    item, typed_raw_answer = item_with_answers.item, item_with_answers.typed_raw_answer
    if item_with_answers.state == "shown":
        return _typed_view_by_cell_name(item, None)
    typed_view_by_cell_name = _typed_view_by_cell_name(item, typed_raw_answer or ())
    if not item_with_answers.answers:
        return typed_view_by_cell_name
    sent_answers = [seen_answer for seen_answer in item_with_answers.answers if seen_answer.raw]
    last_answer = (sent_answers or item_with_answers.answers)[-1]
    try:
        judged_cells = item.judged_cells(last_answer.raw)
    except Unreadable:  # the item has changed since it was answered
        return typed_view_by_cell_name if item_with_answers.is_open else _typed_view_by_cell_name(item, None)
    if not last_answer.is_worth(item.score_of(judged_cells)):
        return _typed_view_by_cell_name(item, typed_raw_answer or last_answer.raw)
    judged_view_by_cell_name = _judged_view_by_cell_name(item, last_answer.raw, judged_cells)
    if typed_raw_answer is None:
        return judged_view_by_cell_name
    open_view_by_cell_name = {
        cell_name: typed_view_by_cell_name[cell_name]
        for cell_name, cell_view in judged_view_by_cell_name.items()
        if cell_view.state in OPEN_STATES
    }
    return judged_view_by_cell_name | open_view_by_cell_name


def _judged_view_by_cell_name(
    item: Steps, raw_answer: Sequence[str], judged_cells: Sequence[JudgedCell]
) -> dict[str, CellView]:
    """The cells as the last answer was judged."""
    typed_text_by_cell = dict(zip(item.blanks, raw_answer, strict=True))
    view_by_cell_name = {}
    for judged_cell in judged_cells:
        typed_text = typed_text_by_cell.get(judged_cell.cell, "")
        view_by_cell_name[judged_cell.cell.name] = _view_of_judged_cell(
            judged_cell, typed_text, item.decimals
        )
    return view_by_cell_name


def _typed_view_by_cell_name(item: Steps, typed_raw_answer: Sequence[str] | None) -> dict[str, CellView]:
    """The blanks as they were typed, or every number where `typed_raw_answer` is None.

    The first blank that cannot be read is named, so that the focus goes there.
    """
    blanks = () if typed_raw_answer is None else item.blanks
    typed_raw_answer = typed_raw_answer or ()
    typed_text_by_cell = dict.fromkeys(blanks, "")
    for table_cell, typed_text in zip(blanks, typed_raw_answer, strict=False):
        typed_text_by_cell[table_cell] = typed_text.strip(LEFT_CELL_SIGN + CARRIED_CELL_SIGN)
    right_number_by_cell_name = item.table.true_value_by_cell_name()
    stuck_cell = next(
        (
            table_cell
            for table_cell, typed_text in typed_text_by_cell.items()
            if typed_raw_answer and _is_unreadable(table_cell, typed_text)
        ),
        None,
    )
    view_by_cell_name = {}
    for table_cell in item.table.cells:
        right_text = _number_text(right_number_by_cell_name[table_cell.name], table_cell, item.decimals)
        cell_view = CellView(table_cell, right_text, "given")
        if table_cell in typed_text_by_cell:
            cell_view = CellView(
                table_cell, typed_text_by_cell[table_cell], "blank", is_stuck=table_cell == stuck_cell
            )
        view_by_cell_name[table_cell.name] = cell_view
    return view_by_cell_name


def _is_unreadable(table_cell: TableCell, typed_text: str) -> bool:
    try:
        number_in_cell(table_cell, typed_text)
    except Unreadable:
        return True
    return False


def _view_of_judged_cell(judged_cell: JudgedCell, typed_text: str, decimal_count: int) -> CellView:
    shown_text = _number_text(judged_cell.shown_number, judged_cell.cell, decimal_count)
    if judged_cell.verdict == "given":
        return CellView(judged_cell.cell, shown_text, "given")
    if judged_cell.verdict == "left":
        return CellView(judged_cell.cell, shown_text, "left", LEFT_CELL_SIGN)
    if typed_text == CARRIED_CELL_SIGN:
        return CellView(judged_cell.cell, shown_text, "right", CARRIED_CELL_SIGN)
    if judged_cell.follows_own_number:
        return CellView(judged_cell.cell, typed_text, "through", CARRIED_CELL_SIGN)
    return CellView(judged_cell.cell, typed_text, judged_cell.verdict, typed_text)


def _number_text(right_number: float, table_cell: TableCell, decimal_count: int) -> str:
    return (
        f"{right_number:g}"
        if table_cell.column in WHOLE_NUMBER_COLUMNS
        else rounded_text(right_number, decimal_count)
    )
