"""What each kind of item shows of itself. A new kind: one function, one line in `KINDS`."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from markupsafe import Markup

from app.course import Course, Unreadable, contracts
from app.course.asking import State
from app.course.examples import describe
from app.course.follow_through import BY_RANK, WHOLE, Cell, Judged
from app.course.items import Item, Multiple, Numeric, Order, Short, Single, Spot, Steps, TrueFalse
from app.course.items.numeric import Asked
from app.course.items.steps import CARRIED, LEFT, read
from app.course.rankings import Ranking
from app.web.pages import markup


@dataclass(frozen=True)
class Seen:
    """One answer, as far as the page depends on it."""

    verdict: str
    raw: tuple[str, ...]


@dataclass(frozen=True)
class OptionView:
    """An option; `right` is None while it is not told."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    feedback: Markup | None = None
    right: bool | None = None


@dataclass(frozen=True)
class CandyView:
    """A document of an ordering; its grade is told once the item is closed."""

    id: str
    label: str
    html: Markup
    grade: str | None


@dataclass(frozen=True)
class RankingView:
    """The documents a question is about; `unseen` were judged but not returned."""

    query: str
    engine: str | None
    rows: Sequence[Mapping[str, str | None]]
    unseen: Sequence[Mapping[str, str | None]]
    convention: str


@dataclass(frozen=True)
class CellView:
    """A cell of a table: an input where it is blank, else a number, and how it was judged.

    `state`: blank | given | right | through | wrong | left. `sent`: what a closed cell still sends.
    `stuck`: the first one that could not be read.
    """

    name: str
    column: str
    rank: int
    text: str
    state: str
    sent: str | None = None
    stuck: bool = False


@dataclass(frozen=True)
class TableView:
    """The cells of a table: for each rank of the list, its sum, for each ideal rank, its sum, the ratio."""

    ranks: Sequence[Mapping[str, object]]
    ideal: Sequence[Mapping[str, object]]
    sums: Mapping[str, CellView]
    blanks: int
    convention: str


@dataclass(frozen=True)
class LineView:
    """A line of a calculation; `wrong` is None while it is not told, `correction` is for the wrong one."""

    id: str
    html: Markup
    chosen: bool = False
    tried: bool = False
    wrong: bool | None = None
    correction: Markup | None = None


@dataclass(frozen=True)
class Parts:
    """The part of a view that differs from kind to kind."""

    options: Sequence[OptionView] = ()
    documents: Sequence[CandyView] = ()
    lines: Sequence[LineView] = ()
    source: str = ""
    published: Mapping[str, str] = field(default_factory=dict)
    checkpoints: Sequence[Markup] = ()
    model: Markup | None = None
    typed: str = ""
    heard: str = ""
    contract: str = ""
    discount_table: Sequence[Mapping[str, object]] | None = None
    ranking: RankingView | None = None
    table: TableView | None = None
    query: str | None = None
    show_label: str = "看答案"
    answer_label: str = "回答"
    end: str = ""


@dataclass(frozen=True)
class Moment:
    """An item at a moment: the answers so far, and what stands in the form without having been read."""

    course: Course
    item: Item
    answers: Sequence[Seen]
    at: State
    typed: tuple[str, ...] | None

    @property
    def open(self) -> bool:
        return self.at == "open"

    @property
    def last(self) -> tuple[str, ...]:
        """What the form shows: what was typed, else the last answer."""
        if self.typed is not None:
            return self.typed
        return next((answer.raw for answer in reversed(self.answers) if answer.raw), ())


def parts_of(moment: Moment) -> Parts:
    """The parts of an item by its kind."""
    return KINDS[type(moment.item)](moment)


def single(moment: Moment) -> Parts:
    """What was tried is struck out; once closed, the right option and the chosen one are named."""
    item = moment.item
    assert isinstance(item, Single)
    tried = {raw for answer in moment.answers if answer.verdict == "wrong" for raw in answer.raw}
    views = []
    for option in item.options:
        chosen, again = option.id in moment.last, moment.open and option.id in tried
        told = option.right if not moment.open and (option.right or chosen) else None
        text = markup(moment.course.line(option.text))
        views.append(OptionView(option.id, text, chosen and not again, again, right=told))
    return Parts(options=views)


def multiple(moment: Moment) -> Parts:
    """Feedback for what was chosen; for everything once closed."""
    item = moment.item
    assert isinstance(item, Multiple)
    judged = set(moment.answers[-1].raw) if moment.answers else set[str]()
    views = []
    for option in item.options:
        view = OptionView(option.id, markup(moment.course.line(option.text)), option.id in moment.last)
        if not moment.open or option.id in judged:
            view = replace(view, feedback=markup(moment.course.line(option.feedback)), right=option.right)
        views.append(view)
    return Parts(options=views)


def true_false(moment: Moment) -> Parts:
    """Two options: the statement holds, or it does not."""
    item = moment.item
    assert isinstance(item, TrueFalse)
    pair = (("true", "这句话对", item.answer), ("false", "这句话不对", not item.answer))
    views = [
        OptionView(value, markup(text), value in moment.last, right=None if moment.open else right)
        for value, text, right in pair
    ]
    return Parts(options=views)


def numeric(moment: Moment) -> Parts:
    """What was typed and how it was understood; the 折损表; at the end what counted as right."""
    item = moment.item
    assert isinstance(item, Numeric)
    answered = bool(moment.answers and moment.answers[-1].raw and moment.typed is None)
    number = item.heard(moment.answers[-1].raw[0]) if answered else None
    low, high = item.accepted
    return Parts(
        typed=moment.last[0] if moment.last else "",
        heard=f"已识别为{number.heard}" if number and not number.plain else "",
        contract=f"{item.contract}。" if moment.open else f"{low}到{high}之间都算对。",
        discount_table=discount_table() if item.question.quantity not in ("gain", "cg") else None,
        ranking=ranking(item.ranking, item.question) if item.ranking else None,
        show_label="你算一下",
    )


def ranking(found: Ranking, asked: Asked) -> RankingView:
    """The documents with their grades, and the 约定 under which they count."""
    return RankingView(
        query=found.query,
        engine=found.engine,
        rows=[_row(one.title, one.grade) for one in found.documents],
        unseen=[_row(one.title, one.grade) for one in found.unseen],
        convention=convention(asked),
    )


def convention(asked: Asked) -> str:
    return describe(asked.gain, asked.k, asked.pool is not None)


def _row(title: str, grade: float | None) -> Mapping[str, str | None]:
    return {"title": title, "grade": None if grade is None else f"{grade:g}"}


def discount_table() -> list[Mapping[str, object]]:
    """The 折损表 that lies beside a question."""
    rows = contracts.table()
    return [{"rank": rank, "log": f"{log:.3f}", "weight": f"{weight:.3f}"} for rank, log, weight in rows]


def steps(moment: Moment) -> Parts:
    """The table as it stands: judged by the last answer, or as it was typed."""
    item = moment.item
    assert isinstance(item, Steps)
    return Parts(
        contract=f"{item.contract}。",
        discount_table=discount_table(),
        ranking=ranking(item.ranking, item.question) if item.ranking else None,
        table=table(item, moment),
        show_label="你算一下",
    )


def table(item: Steps, moment: Moment) -> TableView:
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


def cells(item: Steps, moment: Moment) -> list[CellView]:
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


def _is_unreadable(cell: Cell, text: str) -> bool:
    try:
        read(cell, text)
    except Unreadable:
        return True
    return False


def _judged(one: Judged, typed: str, decimals: int) -> CellView:
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


def order(moment: Moment) -> Parts:
    """The candies as they were put last; the sweetest order when it was shown."""
    item = moment.item
    assert isinstance(item, Order)
    by_id = {document.id: document for document in item.documents}
    placed = [by_id[one] for one in dict.fromkeys(moment.last) if one in by_id]
    if moment.at == "shown":
        placed = sorted(item.documents, key=lambda document: -document.grade)
    elif len(placed) != len(by_id):
        placed = list(item.documents)
    views = [
        CandyView(one.id, one.text, Markup.escape(one.text), None if moment.open else f"{one.grade:g}")
        for one in placed
    ]
    return Parts(documents=views, query=item.query)


def spot(moment: Moment) -> Parts:
    """The calculation; what was tried is greyed. Once closed: the wrong line, what it should be, whose."""
    item = moment.item
    assert isinstance(item, Spot)
    tried = {raw for answer in moment.answers if answer.verdict == "wrong" for raw in answer.raw}
    views = []
    for line in item.lines:
        chosen, again = line.id in moment.last, moment.open and line.id in tried
        view = LineView(line.id, markup(moment.course.line(line.text)), chosen and not again, again)
        if not moment.open and line.wrong:
            view = replace(view, wrong=True, correction=markup(moment.course.html(item.correction)))
        elif not moment.open and chosen:
            view = replace(view, wrong=False)
        views.append(view)
    if moment.open:
        return Parts(lines=views, answer_label="就是这一行")
    return Parts(lines=views, source=item.source or "", published=item.published)


def short(moment: Moment) -> Parts:
    """What was written; once it is sent, what to hold it against."""
    item = moment.item
    assert isinstance(item, Short)
    typed = "\n".join(moment.last)
    if moment.open or not typed:
        return Parts(typed=typed, show_label="看参考回答", answer_label="写好了", end="看过参考回答")
    checkpoints = [markup(moment.course.line(one)) for one in item.checkpoints]
    model = markup(moment.course.html(item.model))
    return Parts(typed=typed, checkpoints=checkpoints, model=model, end="写下来了")


KINDS: Mapping[type[Item], Callable[[Moment], Parts]] = {
    Single: single,
    Multiple: multiple,
    TrueFalse: true_false,
    Numeric: numeric,
    Steps: steps,
    Order: order,
    Spot: spot,
    Short: short,
}
