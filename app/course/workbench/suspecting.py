"""Why nothing prints a figure: the same list, cut elsewhere, or with judged documents that were left out."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from app.course.workbench.reconciling import Evidence
from app.engine.conventions import CONVENTIONS
from app.engine.reconciling import figure_and_decimals, is_printed_as
from app.engine.scoring import ReadQuery, read_query

LONGEST_LIST, MOST_DIFFERENT_GRADES = 25, 4
"""Documents, and different grades; for longer lists nobody would guess so."""
USUAL_CUTOFFS = (None, 10, 5, 3, 1, 20, 2, 4, 6, 7, 8, 9, 15, 50, 100)
MISSING_DOCUMENT_COUNTS = (*range(1, 11), 12, 15, 20, 30, 40, 50, 70, 100)
"""How many documents of a grade may have been left out."""


class Suspicion(NamedTuple):
    """A small change of the list, after which libraries print the figure.

    k: the cut then. unlisted_grades: grades that are added to the pool.
    """

    presets: tuple[str, ...]
    k: int | None
    unlisted_grades: tuple[float, ...]


def suspicions(evidence: Evidence) -> list[Suspicion]:
    """At most one other cut, and one larger pool: the smallest that explains the figure.

    >>> from app.course.workbench.cells import PrintedFigure
    >>> evidence = Evidence([3], PrintedFigure("0.22"), k=10)
    >>> [(len(suspicion.unlisted_grades), suspicion.presets[0]) for suspicion in suspicions(evidence)]
    [(9, 'course')]
    """
    if len(evidence.grades) > LONGEST_LIST:
        return []
    first_suspicions = (
        _first_suspicion(evidence, _changes_of_cut(evidence)),
        _first_suspicion(evidence, _changes_of_pool(evidence)),
    )
    return list(filter(None, first_suspicions))


ListChange = tuple[int | None, tuple[float, ...]]
"""A cut, and grades beyond the list."""


def _changes_of_cut(evidence: Evidence) -> Iterator[ListChange]:
    greater_length = max(len(evidence.grades), len(evidence.pool or ()))
    for cutoff in USUAL_CUTOFFS:
        if cutoff != evidence.k and (cutoff is None or cutoff <= greater_length):
            yield cutoff, ()


def _changes_of_pool(evidence: Evidence) -> Iterator[ListChange]:
    judged_grades = (*evidence.judged_grades, *(evidence.judged_pool or ()))
    different_grades = sorted(set(filter(None, judged_grades)), reverse=True)
    for missing_count in MISSING_DOCUMENT_COUNTS:
        for grade in different_grades[:MOST_DIFFERENT_GRADES]:
            yield evidence.k, (grade,) * missing_count


def _first_suspicion(evidence: Evidence, list_changes: Iterable[ListChange]) -> Suspicion | None:
    """The first change after which a library prints the figure."""
    figure, decimals = figure_and_decimals(evidence.printed_figure.share_text)
    queries_with_presets = _queries_with_presets(evidence)
    for cutoff, unlisted_grades in list_changes:
        presets: list[str] = []
        for query, query_presets in queries_with_presets:
            if unlisted_grades and (query.convention.pool == "list" or query_presets == ["jk2002"]):
                continue  # the one never sees them, and nobody computes by the other
            ndcg = query.with_judged_grades(unlisted_grades).ndcg(cutoff)
            if ndcg is not None and is_printed_as(ndcg, figure, decimals, query.convention):
                presets += query_presets
        if presets:
            presets_in_order = sorted(presets, key=list(CONVENTIONS).index)
            return Suspicion(tuple(presets_in_order), cutoff, unlisted_grades)
    return None


def _queries_with_presets(evidence: Evidence) -> Sequence[tuple[ReadQuery, list[str]]]:
    """The list as libraries read it, and the names of those that read and count it alike."""
    scores = evidence.scores
    if scores is None:
        scores = list(range(len(evidence.grades), 0, -1))
    query_and_presets_by_reading: dict[tuple[object, ...], tuple[ReadQuery, list[str]]] = {}
    for preset, convention in CONVENTIONS.items():
        grades, pool = evidence.grades, evidence.pool
        if not convention.is_library:  # of no library: below 0 a document is unjudged
            grades, pool = evidence.judged_grades, evidence.judged_pool
        try:
            query = read_query(grades, scores, convention, pool, evidence.docs)
        except ValueError:  # the library refuses such a list
            continue
        counting_axis_answers = (
            convention.gain,
            convention.discount,
            convention.pool,
            convention.cut,
            convention.zero_ideal,
            convention.decimals,
            convention.single,
        )
        reading_key = (*counting_axis_answers, tuple(query.gains_in_rank_order), tuple(query.judged_gains))
        query_and_presets_by_reading.setdefault(reading_key, (query, []))[1].append(preset)
    return list(query_and_presets_by_reading.values())
