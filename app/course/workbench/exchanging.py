"""Changing places: the list after a move or a swap, the swaps that are worth most, and two tasks."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from app.course.workbench.documents import ListedDocument
from app.course.workbench.evaluating import ListScores
from app.course.workbench.state import WorkbenchState
from app.engine.conventions import Convention
from app.engine.gains import gains_of
from app.engine.swapping import swaps

MOST_SWAPS = 10
MOST_COUNTED = 6
"""Of a list with more documents nobody counts the fewest swaps: there are too many orders."""
GOAL = 0.95
NEAR = 1e-9


@dataclass(frozen=True)
class ValuedSwap:
    """Two ranks whose documents change places, and what that does; `after` is the list then."""

    first: int
    second: int
    first_gain: float
    second_gain: float
    delta_dcg: float
    delta_ndcg: float
    after: WorkbenchState


def in_order(scores: ListScores, convention: Convention) -> WorkbenchState:
    """The list in its order. Scores stay with their ranks; with ties none stays, for the order is set now."""
    state = scores.state
    documents = [state.documents[place] for place in scores.places(convention)]
    if scores.has_ties:
        documents = [document._replace(score=None) for document in documents]
    return replace(state, documents=tuple(documents))


def swapped(ordered: WorkbenchState, first: int, second: int) -> WorkbenchState:
    """The list after the documents of two ranks, from 1, have changed places."""
    order = list(range(len(ordered.documents)))
    order[first - 1], order[second - 1] = order[second - 1], order[first - 1]
    return _with_order(ordered, order)


def moved(ordered: WorkbenchState, rank: int, to: int) -> WorkbenchState:
    """The list after the document of a rank has moved to another one; the others close up."""
    order = list(range(len(ordered.documents)))
    place = order.pop(rank - 1)
    order.insert(min(max(to, 1), len(ordered.documents)) - 1, place)
    return _with_order(ordered, order)


def best_swaps(scores: ListScores, convention: Convention) -> list[ValuedSwap]:
    """The swaps that change the figure most, up or down; those that change nothing are no swaps."""
    ordered = in_order(scores, convention)
    ideal = scores.idcg(convention)
    if ideal == 0:
        return []
    grades = ordered.listed.grades
    if convention.fractional == "truncated":
        grades = [None if grade is None else int(grade) for grade in grades]
    gains = gains_of(grades, convention.gain)
    valued = []
    for swap in swaps(grades, ordered.k, convention.gain, convention.discount, MOST_SWAPS):
        if abs(swap.delta_dcg) < NEAR:
            continue
        valued.append(
            ValuedSwap(
                swap.first,
                swap.second,
                gains[swap.first - 1],
                gains[swap.second - 1],
                swap.delta_dcg,
                swap.delta_dcg / ideal,
                swapped(ordered, swap.first, swap.second),
            )
        )
    return valued


def fewest_swaps(documents: Sequence[ListedDocument]) -> Mapping[tuple[float, ...], int]:
    """Every order of these grades, and how many swaps lead there at least; for lists of few documents.

    >>> fewest_swaps([ListedDocument(0), ListedDocument(1), ListedDocument(2)])[1, 2, 0]
    2
    """
    start = tuple(document.grade or 0 for document in documents)
    counts = {start: 0}
    waiting = deque([start])
    while waiting:
        row = waiting.popleft()
        for first, second in combinations(range(len(row)), 2):
            after = list(row)
            after[first], after[second] = after[second], after[first]
            if tuple(after) not in counts:
                counts[tuple(after)] = counts[row] + 1
                waiting.append(tuple(after))
    return counts


def _with_order(ordered: WorkbenchState, order: Sequence[int]) -> WorkbenchState:
    seats = ordered.documents
    documents = []
    for seat, place in zip(seats, order, strict=True):
        documents.append(seats[place]._replace(score=seat.score))
    return replace(ordered, documents=tuple(documents))
