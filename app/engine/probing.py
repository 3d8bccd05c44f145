"""Probes: three short lists that tell all conventions apart, for whoever can run a library but not read it.

Found once by search and frozen here: no two conventions of the full product give the same three figures, to
three decimals. The first list is longer than k, so that it matters whether the ideal is cut; the second is
shorter than k, so that it matters where; nothing in the third is relevant. Nearly all scores are tied.
Where a figure has left few conventions, a still shorter list may tell those apart.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from app.engine.checks import refusal
from app.engine.conventions import CONVENTIONS, Convention
from app.engine.reconciling import axes_of, read_figure, rounds_to, values
from app.engine.scoring import scored_ndcg


@dataclass(frozen=True, slots=True)
class Probe:
    """One query to run a library on: grades and scores in the order handed over, names, judged pool, cut-off.

    一列体检用的糖：照着喂给你的库，把它吐出来的数抄回来。

    >>> probes()[2].grades
    (0, 0, 0)
    """

    grades: tuple[int, ...]
    scores: tuple[int, ...]
    docs: tuple[str, ...]
    pool: tuple[int, ...]
    k: int


PROBES = (
    Probe((1, 1, 0, 4, 2, 3), (2, 2, 1, 1, 1, 1), tuple("jifhgc"), (1, 1, 0, 4, 2, 3, 3), 4),
    Probe((3, 0, 1, 4, 1, 3), (2, 2, 2, 2, 2, 1), tuple("ghebid"), (3, 0, 1, 4, 1, 3, 2, 1, 3, 2), 7),
    Probe((0, 0, 0), (3, 2, 1), tuple("abc"), (0, 0, 0), 3),
)
SHORTER = (
    Probe((2, 4, 1), (1, 1, 1), tuple("gac"), (2, 4, 1, 3, 2), 2),
    Probe((4, 1, 2), (1, 1, 1), tuple("bac"), (4, 1, 2, 1, 3), 4),
    Probe((4, 2, 1, 4), (2, 1, 1, 1), tuple("cigh"), (4, 2, 1, 4, 4, 1), 3),
    Probe((1, 2, 1, 3), (2, 1, 1, 1), tuple("dhac"), (1, 2, 1, 3, 2, 3), 5),
    Probe((2, 4, 0, 2, 3), (2, 1, 1, 1, 1), tuple("ecahb"), (2, 4, 0, 2, 3, 3), 3),
    Probe((1, 4, 1, 2, 4), (2, 1, 1, 1, 1), tuple("cbfia"), (1, 4, 1, 2, 4, 3, 2), 6),
    Probe((3, 1, 2, 4, 0, 4), (2, 1, 1, 1, 1, 1), tuple("gjfchi"), (3, 1, 2, 4, 0, 4, 4), 4),
)
"""Of each length the lists that part the product into most figures, with k inside and with k outside."""


def telling_list(conventions: Sequence[Convention], decimals: int = 4) -> Probe | None:
    """Return the shortest list on which these conventions print the most different figures.

    还剩几种约定分不开，就再跑这一列；没有哪一列分得开它们，就是None。

    decimals: with which the figures will be printed. Libraries that answer alike on the axes of the product
    are one convention here.

    >>> probe = telling_list([CONVENTIONS["trec_eval"], CONVENTIONS["ranx"]])
    >>> probe.grades, probe.docs
    ((2, 4, 1), ('g', 'a', 'c'))
    >>> telling_list([CONVENTIONS["trec_eval"], CONVENTIONS["pytrec_eval"]]) is None
    True
    """
    answers = set(map(axes_of, conventions))
    most, telling = 1, None
    for probe in (*SHORTER, *PROBES):
        table = _figures(probe)
        figures = {round(table[answer], decimals) for answer in answers}
        if len(figures) > most:
            most, telling = len(figures), probe
    return telling


def probes() -> tuple[Probe, ...]:
    """Return the three lists of the check-up.

    三列体检：跑一遍，抄三个数，就知道这个库的增益、折损、理想、并列和零分规则。

    >>> [len(probe.grades) for probe in probes()]
    [6, 6, 3]
    """
    return PROBES


def identify(figures: Sequence[str | float], decimals: int = 3) -> tuple[Convention, ...]:
    """Return the conventions whose figures on the three probes round to these.

    从三个数认出约定；对不上任何一种，就是空的。

    figures: one for each probe, as printed. decimals: how many of them count. Libraries that differ only in
    what these lists do not hold (fractions, negative grades, near ties) come together; where no library
    computes so, the one convention of the full product does. Raises ValueError for another number of figures,
    and for one that is no number.

    >>> [convention.name for convention in identify(["0.544", "0.528", "0"])]
    ['trec_eval', 'pytrec_eval', 'ir-measures']
    >>> identify([0.1, 0.2, 0.3])
    ()
    """
    if isinstance(figures, str) or len(figures) != len(PROBES):
        raise refusal("figures", figures, f"{len(PROBES)} numbers, one for each probe")
    read = [read_figure(figure, decimals)[0] for figure in figures]
    matching = []
    for convention, printed in _table():
        pairs = zip(printed, read, strict=True)
        if all(rounds_to(value, figure, decimals) for value, figure in pairs):
            matching.append(convention)
    return tuple(matching)


@cache
def _figures(probe: Probe) -> Mapping[tuple[str, ...], float]:
    """What each convention of the product gives on a probe, by its answers."""
    figures = {}
    for convention, value in values(probe.grades, probe.scores, probe.docs, probe.k, probe.pool):
        figures[axes_of(convention)] = value
    return figures


@cache
def _table() -> tuple[tuple[Convention, tuple[float, ...]], ...]:
    """Every library, and every other convention of the product, with its figures on the probes."""
    rows = [(preset, tuple(_printed(preset, probe) for probe in PROBES)) for preset in CONVENTIONS.values()]
    preset_axes = {axes_of(preset) for preset in CONVENTIONS.values()}
    columns = [dict(values(probe.grades, probe.scores, probe.docs, probe.k, probe.pool)) for probe in PROBES]
    for convention in columns[0]:
        if axes_of(convention) not in preset_axes:
            figures = tuple([column[convention] for column in columns])
            rows.append((convention, figures))
    return tuple(rows)


def _printed(preset: Convention, probe: Probe) -> float:
    figure = scored_ndcg(probe.grades, probe.scores, preset, probe.k, probe.pool, probe.docs)
    return 0.0 if figure is None else figure
