"""What is computed, beside the documents it is about: a number, or a table to fill cell by cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from app.course import Unreadable
from app.course.items import numbers, rounding
from app.course.items.follow_through import COLUMNS_BY_RANK, WHOLE_NUMBER_COLUMNS, JudgedCell, TableCell
from app.course.items.kinds import Numeric, Steps
from app.course.items.kinds.steps import CARRIED_MARK, LEFT_MARK, read_cell
from app.course.items.marks import is_partial_score
from app.web.items.kinds.base import CellView, DiscountRow, ItemMoment, Parts, Rows, TableView

CHANGED = "这道题换过了，上次的回答读不出来。"


@dataclass(frozen=True)
class NumberParts(Parts):
    """What was typed; how to round, and at the end what counted as right; a sum as an example."""

    typed: str = ""
    contract: str = ""
    expression: str = numbers.EXAMPLE_SUM


def numeric(moment: ItemMoment[Numeric]) -> NumberParts:
    item = moment.item
    contract = ""
    if moment.is_open:
        contract = f"{item.contract}。"
    elif room := item.accepted_interval_text:
        contract = f"{room}之间都算对。"
    typed = ""
    if moment.texts_in_form:
        typed = moment.texts_in_form[0]
    expression = numbers.EXAMPLE_WHOLE_SUM
    if item.decimals:
        expression = numbers.EXAMPLE_SUM
    return NumberParts(
        item.ranking,
        item.question.convention,
        discount_table(item.question.quantity),
        echo_words=echo(moment),
        show_label="你算一下",
        typed=typed,
        contract=contract,
        expression=expression,
    )


def echo(moment: ItemMoment[Numeric]) -> str:
    """How the last answer was understood, where it was written as more than plain digits."""
    if moment.typed is not None or not moment.answers or not moment.answers[-1].raw:
        return ""
    try:
        number = numbers.read(moment.answers[-1].raw[0])
    except Unreadable:  # the item was of another kind when it was answered
        return CHANGED
    return "" if number.is_plain else f"已识别为{number.echo_text}"


@lru_cache(32)
def discount_table(quantity: str) -> tuple[DiscountRow, ...]:
    """The 折损表 that lies beside a question, empty where it is of no use; only its logs, where a weight is
    what is asked.

    There are three of them, and their HTML is remembered. CPU of rendering an item, before → after (µs):
    479 → 347.
    """
    if quantity not in rounding.DISCOUNTED_QUANTITIES:
        return ()
    rows = []
    for rank, log, weight in rounding.discount_table():
        weight_text = ""
        if quantity != "discount":
            weight_text = f"{weight:.3f}"
        rows.append(DiscountRow(rank, f"{log:.3f}", weight_text))
    return tuple(rows)


@dataclass(frozen=True)
class TableParts(Parts):
    """A table; `contract`: how to round."""

    contract: str = ""


def steps(moment: ItemMoment[Steps]) -> TableParts:
    """The table as it stands: judged by the last answer, or as it was typed."""
    item = moment.item
    end = ""
    if moment.state == "corrected" and is_partial_score(moment.answers[-1].score):
        end = "一起算完了"
    discounts = discount_table(item.question.quantity)
    filled_table = table(item, cells(moment))
    return TableParts(
        item.ranking,
        item.question.convention,
        discounts,
        filled_table,
        show_label="你算一下",
        end_words=end,
        contract=f"{item.contract}。",
    )


def table(item: Steps, views: Mapping[str, CellView]) -> TableView:
    """The cells, put in their places."""
    sums = {cell_name: view for cell_name, view in views.items() if view.cell.column not in COLUMNS_BY_RANK}
    blanks = [view for view in views.values() if view.state in ("blank", "wrong")]
    listed_rank_rows = listed_rows(item, views)
    return TableView(listed_rank_rows, ideal_rows(item, views), sums, len(blanks))


def listed_rows(item: Steps, views: Mapping[str, CellView]) -> Rows:
    """The ranks of the list; those below the documents have no title."""
    rows = []
    documents = item.ranking.documents if item.ranking else []
    for term in item.table.trace.terms:
        rank = term.rank
        title = ""
        if rank <= len(documents):
            title = documents[rank - 1].title
        row = [views[f"{column}-{rank}"] for column in ("gain", "discount", "term")]
        rows.append({"rank": rank, "title": title, "grade": term.grade, "cells": row})
    return rows


def ideal_rows(item: Steps, views: Mapping[str, CellView]) -> Rows:
    """The ranks of the ideal order, where it is asked."""
    rows: list[Mapping[str, object]] = []
    if "idcg" in views:
        for term in item.table.trace.ideal_terms:
            gain = views[f"ideal-{term.rank}"]
            cell_view = views[f"ideal-term-{term.rank}"]
            rows.append({"rank": term.rank, "cells": [gain, cell_view]})
    return rows


def cells(moment: ItemMoment[Steps]) -> dict[str, CellView]:
    """Every cell by its name; what was right or left to the tutor is closed."""
    item = moment.item
    if moment.state == "shown":
        return _typed_cells(item, None)
    if moment.typed is not None or not moment.answers:
        return _typed_cells(item, moment.typed or ())
    raw = moment.texts_in_form
    try:
        entries = item.judge(raw)
    except Unreadable:  # the item has changed since it was answered
        return _typed_cells(item, () if moment.is_open else None)
    typed_by_cell = dict(zip(item.blanks, raw, strict=True))
    views = {}
    for entry in entries:
        text = typed_by_cell.get(entry.cell, "")
        views[entry.cell.name] = _judged_cell(entry, text, item.decimals)
    return views


def _typed_cells(item: Steps, typed: Sequence[str] | None) -> dict[str, CellView]:
    """The blanks as they were typed, or every number where `typed` is None.

    The first blank that cannot be read is named, so that the focus goes there.
    """
    blanks = () if typed is None else item.blanks
    typed = typed or ()
    texts = dict.fromkeys(blanks, "")
    for cell, text in zip(blanks, typed, strict=False):
        texts[cell] = text.strip(LEFT_MARK + CARRIED_MARK)
    right_values = item.table.true_value_by_cell()
    stuck_cell = next((cell for cell, text in texts.items() if typed and _is_unreadable(cell, text)), None)
    views = {}
    for cell in item.table.cells:
        right_number = _number(right_values[cell.name], cell, item.decimals)
        view = CellView(cell, right_number, "given")
        if cell in texts:
            view = CellView(cell, texts[cell], "blank", is_stuck=cell == stuck_cell)
        views[cell.name] = view
    return views


def _is_unreadable(cell: TableCell, text: str) -> bool:
    try:
        read_cell(cell, text)
    except Unreadable:
        return True
    return False


def _judged_cell(entry: JudgedCell, typed: str, decimal_count: int) -> CellView:
    shown_number = _number(entry.shown_number, entry.cell, decimal_count)
    if entry.verdict == "given":
        return CellView(entry.cell, shown_number, "given")
    if entry.verdict == "left":
        return CellView(entry.cell, shown_number, "left", LEFT_MARK)
    if typed == CARRIED_MARK:
        return CellView(entry.cell, shown_number, "right", CARRIED_MARK)
    if entry.follows_own_number:
        return CellView(entry.cell, typed, "through", CARRIED_MARK)
    return CellView(entry.cell, typed, entry.verdict, typed)


def _number(value: float, cell: TableCell, decimal_count: int) -> str:
    return f"{value:g}" if cell.column in WHOLE_NUMBER_COLUMNS else f"{value:.{decimal_count}f}"
