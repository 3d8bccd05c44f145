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
from app.engine.reconciling import (
    AxisAnswers,
    ScoredList,
    all_conventions,
    axis_answers_of,
    conventions_with_ndcgs,
    figure_and_decimals,
    rounds_to,
)


@dataclass(frozen=True)
class Probe(ScoredList):
    """One list to run a library on: whole grades and scores, everything given.

    一列体检用的糖：照着喂给你的库，把它吐出来的数抄回来。

    >>> probes()[2].grades
    (0, 0, 0)
    """

    grades: tuple[int, ...]
    scores: tuple[int, ...]
    docs: tuple[str, ...]
    k: int
    pool: tuple[int, ...]


PROBE_LONGER_THAN_K = Probe(
    grades=(1, 1, 0, 4, 2, 3),
    scores=(2, 2, 1, 1, 1, 1),
    docs=tuple("jifhgc"),
    k=4,
    pool=(1, 1, 0, 4, 2, 3, 3),
)
PROBE_SHORTER_THAN_K = Probe(
    grades=(3, 0, 1, 4, 1, 3),
    scores=(2, 2, 2, 2, 2, 1),
    docs=tuple("ghebid"),
    k=7,
    pool=(3, 0, 1, 4, 1, 3, 2, 1, 3, 2),
)
PROBE_WITHOUT_RELEVANT = Probe(grades=(0, 0, 0), scores=(3, 2, 1), docs=tuple("abc"), k=3, pool=(0, 0, 0))
PROBES = (PROBE_LONGER_THAN_K, PROBE_SHORTER_THAN_K, PROBE_WITHOUT_RELEVANT)
SHORTER_PROBES = (
    Probe(grades=(2, 4, 1), scores=(1, 1, 1), docs=tuple("gac"), k=2, pool=(2, 4, 1, 3, 2)),
    Probe(grades=(4, 1, 2), scores=(1, 1, 1), docs=tuple("bac"), k=4, pool=(4, 1, 2, 1, 3)),
    Probe(grades=(4, 2, 1, 4), scores=(2, 1, 1, 1), docs=tuple("cigh"), k=3, pool=(4, 2, 1, 4, 4, 1)),
    Probe(grades=(1, 2, 1, 3), scores=(2, 1, 1, 1), docs=tuple("dhac"), k=5, pool=(1, 2, 1, 3, 2, 3)),
    Probe(grades=(2, 4, 0, 2, 3), scores=(2, 1, 1, 1, 1), docs=tuple("ecahb"), k=3, pool=(2, 4, 0, 2, 3, 3)),
    Probe(
        grades=(1, 4, 1, 2, 4), scores=(2, 1, 1, 1, 1), docs=tuple("cbfia"), k=6, pool=(1, 4, 1, 2, 4, 3, 2)
    ),
    Probe(
        grades=(3, 1, 2, 4, 0, 4),
        scores=(2, 1, 1, 1, 1, 1),
        docs=tuple("gjfchi"),
        k=4,
        pool=(3, 1, 2, 4, 0, 4, 4),
    ),
)
"""Of each length the lists that part the product into most figures, with k inside and with k outside."""


def telling_list(remaining_conventions: Sequence[Convention], decimals: int = 4) -> Probe | None:
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
    different_axis_answers = set(map(axis_answers_of, remaining_conventions))
    largest_figure_count, best_probe = 1, None
    for probe in (*SHORTER_PROBES, *PROBES):
        figure_by_axis_answers = _figure_by_axis_answers(probe)
        different_figures = {
            round(figure_by_axis_answers[axis_answers], decimals) for axis_answers in different_axis_answers
        }
        if len(different_figures) > largest_figure_count:
            largest_figure_count, best_probe = len(different_figures), probe
    return best_probe


def probes() -> tuple[Probe, ...]:
    """Return the three lists of the check-up.

    三列体检：跑一遍，抄三个数，就知道这个库的增益、折损、理想、并列和零分规则。

    >>> [len(probe.grades) for probe in probes()]
    [6, 6, 3]
    """
    return PROBES


def identify(values: Sequence[str | float], decimals: int = 3) -> tuple[Convention, ...]:
    """Return the conventions whose figures on the three probes round to these.

    从三个数认出约定；对不上任何一种，就是空的。

    values: one for each probe, as printed. decimals: how many of them count. Libraries that differ only in
    what these lists do not hold (fractions, negative grades, near ties) come together; where no library
    computes so, the one convention of the full product does. Raises ValueError for another number of figures,
    and for one that is no number.

    >>> [convention.name for convention in identify(["0.544", "0.528", "0"])]
    ['trec_eval', 'pytrec_eval', 'ir-measures']
    >>> identify([0.1, 0.2, 0.3])
    ()
    """
    if isinstance(values, str) or len(values) != len(PROBES):
        raise refusal("values", values, f"{len(PROBES)} numbers, one for each probe")
    printed_figures = [figure_and_decimals(printed_value, decimals)[0] for printed_value in values]
    matching_conventions = []
    for convention, expected_figures in _conventions_with_figures():
        figure_pairs = zip(expected_figures, printed_figures, strict=True)
        if all(
            rounds_to(expected_figure, printed_figure, decimals)
            for expected_figure, printed_figure in figure_pairs
        ):
            matching_conventions.append(convention)
    return tuple(matching_conventions)


@cache
def _figure_by_axis_answers(probe: Probe) -> Mapping[AxisAnswers, float]:
    """What each convention of the product gives on a probe, by its answers."""
    figure_by_axis_answers = {}
    for convention, ndcg in conventions_with_ndcgs(probe):
        figure_by_axis_answers[axis_answers_of(convention)] = ndcg
    return figure_by_axis_answers


@cache
def _conventions_with_figures() -> Sequence[tuple[Convention, Sequence[float]]]:
    """Every library, and every other convention of the product, with its figures on the probes."""
    conventions_with_figures: list[tuple[Convention, Sequence[float]]] = []
    for preset_convention in CONVENTIONS.values():
        printed_figures = [probe.printed_by(preset_convention) or 0.0 for probe in PROBES]
        conventions_with_figures.append((preset_convention, printed_figures))
    preset_axis_answers = {axis_answers_of(preset_convention) for preset_convention in CONVENTIONS.values()}
    figure_by_convention_of_each_probe = [dict(conventions_with_ndcgs(probe)) for probe in PROBES]
    for convention in all_conventions():
        if axis_answers_of(convention) not in preset_axis_answers:
            figures_of_convention = [
                figure_by_convention[convention]
                for figure_by_convention in figure_by_convention_of_each_probe
            ]
            conventions_with_figures.append((convention, figures_of_convention))
    return conventions_with_figures
