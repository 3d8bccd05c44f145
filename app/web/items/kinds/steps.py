"""A table to fill, cell by cell."""

from collections.abc import Mapping
from dataclasses import replace

from app.course import Unreadable
from app.course.items.follow_through import BY_RANK, WHOLE, JudgedCell, TableCell
from app.course.items.kinds import Steps
from app.course.items.kinds.steps import CARRIED, LEFT, read
from app.course.items.marks import is_shared
from app.web.items.kinds.base import CellView, ItemMoment, Parts, TableView
from app.web.items.kinds.numeric import convention, discount_table, ranking


def steps(moment: ItemMoment) -> Parts:
    """The table as it stands: judged by the last answer, or as it was typed."""
    item = moment.item
    assert isinstance(item, Steps)
    together = moment.at == "corrected" and is_shared(moment.answers[-1].score)
    return Parts(
        contract=f"{item.contract}。",
        discount_table=discount_table(item.question.quantity),
        ranking=ranking(item.ranking, item.question) if item.ranking else None,
        table=table(item, moment),
        show_label="你算一下",
        end="一起算完了" if together else "",
    )


def table(item: Steps, moment: ItemMoment) -> TableView:
    """The cells, put in their places."""
    views = {view.name: view for view in cells(item, moment)}
    found = item.ranking.documents if item.ranking else []
    trace = item.table.trace
    titles = [one.title for one in found] + [""] * len(trace.terms)
    return TableView(
        ranks=[
            {
                "rank": term.rank,
                "title": titles[term.rank - 1],
                "grade": None if term.grade is None else f"{term.grade:g}",
                "cells": [views[f"{column}-{term.rank}"] for column in ("gain", "discount", "term")],
            }
            for term in trace.terms
        ],
        ideal=[
            {"rank": rank, "cells": [views[f"ideal-{rank}"], views[f"ideal-term-{rank}"]]}
            for rank in range(1, len(trace.ideal_terms) + 1)
            if "idcg" in views
        ],
        sums={name: view for name, view in views.items() if view.column not in BY_RANK},
        blanks=sum(view.state in ("blank", "wrong") for view in views.values()),
        convention=convention(item.question),
    )


def cells(item: Steps, moment: ItemMoment) -> list[CellView]:
    """Every cell; what was right or left to the tutor is closed."""
    blanks = [cell.name for cell in item.blanks]
    if moment.typed is not None or moment.at == "shown" or not moment.answers:
        views = _unjudged(item, dict(zip(blanks, moment.typed or (), strict=False)), moment.at == "shown")
        return _with_stuck(item, views) if moment.typed else views
    raw = moment.last
    try:
        judged = item.judge(raw)
    except Unreadable:  # the item has changed since it was answered
        return _unjudged(item, {}, not moment.open)
    typed = dict(zip(blanks, raw, strict=True))
    return [_judged(one, typed.get(one.cell.name, ""), item.decimals) for one in judged]


def _unjudged(item: Steps, typed: Mapping[str, str], shown: bool) -> list[CellView]:
    truth, blanks = item.table.truth(), {cell.name for cell in item.blanks}
    views = []
    for cell in item.table.cells:
        number = _number(truth[cell.name], cell.column, item.decimals)
        blank = cell.name in blanks and not shown
        text = typed.get(cell.name, "").strip(LEFT + CARRIED) if blank else number
        views.append(CellView(cell.name, cell.column, cell.rank, text, "blank" if blank else "given"))
    return views


def _with_stuck(item: Steps, views: list[CellView]) -> list[CellView]:
    """The first cell that cannot be read is named, so that the focus goes there."""
    named = {cell.name: cell for cell in item.blanks}
    for place, view in enumerate(views):
        if view.state == "blank" and _is_unreadable(named[view.name], view.text):
            return [*views[:place], replace(view, stuck=True), *views[place + 1 :]]
    return views


def _is_unreadable(cell: TableCell, text: str) -> bool:
    try:
        read(cell, text)
    except Unreadable:
        return True
    return False


def _judged(one: JudgedCell, typed: str, decimals: int) -> CellView:
    name, column, rank = one.cell.name, one.cell.column, one.cell.rank
    number = _number(one.shown, column, decimals)
    if one.verdict in ("given", "left"):
        return CellView(name, column, rank, number, one.verdict, LEFT if one.verdict == "left" else None)
    if typed == CARRIED:
        return CellView(name, column, rank, number, "right", CARRIED)
    if one.through:
        return CellView(name, column, rank, typed, "through", CARRIED)
    return CellView(name, column, rank, typed, one.verdict, typed)


def _number(value: float, column: str, decimals: int) -> str:
    return f"{value:g}" if column in WHOLE else f"{value:.{decimals}f}"
