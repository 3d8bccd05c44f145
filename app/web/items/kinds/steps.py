"""A table to fill, cell by cell."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from app.course import Unreadable
from app.course.items.follow_through import BY_RANK, WHOLE, JudgedCell, TableCell
from app.course.items.kinds import Steps
from app.course.items.kinds.steps import CARRIED, LEFT, read
from app.course.items.marks import is_shared
from app.web.items.kinds.base import CellView, ItemMoment, Parts, TableView
from app.web.items.kinds.numeric import convention, discount_table, ranking


@dataclass(frozen=True)
class TableParts(Parts):
    """A table; `contract`: how to round."""

    contract: str = ""


def steps(moment: ItemMoment[Steps]) -> TableParts:
    """The table as it stands: judged by the last answer, or as it was typed."""
    item = moment.item
    together = moment.state == "corrected" and is_shared(moment.answers[-1].score)
    return TableParts(
        ranking=ranking(item),
        discount_table=discount_table(item.question.quantity),
        table=table(item, cells(moment)),
        show_label="你算一下",
        end="一起算完了" if together else "",
        contract=f"{item.contract}。",
    )


def table(item: Steps, views: Mapping[str, CellView]) -> TableView:
    """The cells, put in their places. Ranks below the documents have no title."""
    trace = item.table.trace
    titles = [document.title for document in item.ranking.documents] if item.ranking else []
    titles += [""] * len(trace.terms)
    ranks: list[Mapping[str, object]] = []
    for term, title in zip(trace.terms, titles, strict=False):
        grade = None if term.grade is None else f"{term.grade:g}"
        row = [views[f"{column}-{term.rank}"] for column in ("gain", "discount", "term")]
        ranks.append({"rank": term.rank, "title": title, "grade": grade, "cells": row})
    ideal: list[Mapping[str, object]] = []
    if "idcg" in views:
        for term in trace.ideal_terms:
            row = [views[f"ideal-{term.rank}"], views[f"ideal-term-{term.rank}"]]
            ideal.append({"rank": term.rank, "cells": row})
    return TableView(
        ranks=ranks,
        ideal=ideal,
        sums={name: view for name, view in views.items() if view.column not in BY_RANK},
        blanks=sum(view.state in ("blank", "wrong") for view in views.values()),
        convention=convention(item.question),
    )


def cells(moment: ItemMoment[Steps]) -> dict[str, CellView]:
    """Every cell by its name; what was right or left to the tutor is closed."""
    item = moment.item
    if moment.state == "shown":
        return _unjudged(item, None)
    if moment.typed is not None or not moment.answers:
        return _unjudged(item, moment.typed or ())
    raw = moment.last
    try:
        entries = item.judge(raw)
    except Unreadable:  # the item has changed since it was answered
        return _unjudged(item, () if moment.open else None)
    typed = dict(zip(item.blanks, raw, strict=True))
    return {entry.cell.name: _judged(entry, typed.get(entry.cell, ""), item.decimals) for entry in entries}


def _unjudged(item: Steps, typed: Sequence[str] | None) -> dict[str, CellView]:
    """The blanks as they were typed, or every number where `typed` is None.

    The first blank that cannot be read is named, so that the focus goes there.
    """
    blanks = () if typed is None else item.blanks
    typed = typed or ()
    texts = dict.fromkeys(blanks, "")
    for cell, text in zip(blanks, typed, strict=False):
        texts[cell] = text.strip(LEFT + CARRIED)
    truth = item.table.truth()
    stuck = next((cell for cell, text in texts.items() if typed and _is_unreadable(cell, text)), None)
    views = {}
    for cell in item.table.cells:
        if cell in texts:
            view = CellView(cell.name, cell.column, cell.rank, texts[cell], "blank", stuck=cell == stuck)
        else:
            number = _number(truth[cell.name], cell.column, item.decimals)
            view = CellView(cell.name, cell.column, cell.rank, number, "given")
        views[cell.name] = view
    return views


def _is_unreadable(cell: TableCell, text: str) -> bool:
    try:
        read(cell, text)
    except Unreadable:
        return True
    return False


def _judged(entry: JudgedCell, typed: str, decimals: int) -> CellView:
    name, column, rank = entry.cell.name, entry.cell.column, entry.cell.rank
    number = _number(entry.shown, column, decimals)
    if entry.verdict == "given":
        return CellView(name, column, rank, number, "given")
    if entry.verdict == "left":
        return CellView(name, column, rank, number, "left", LEFT)
    if typed == CARRIED:
        return CellView(name, column, rank, number, "right", CARRIED)
    if entry.through:
        return CellView(name, column, rank, typed, "through", CARRIED)
    return CellView(name, column, rank, typed, entry.verdict, typed)


def _number(value: float, column: str, decimals: int) -> str:
    return f"{value:g}" if column in WHOLE else f"{value:.{decimals}f}"
