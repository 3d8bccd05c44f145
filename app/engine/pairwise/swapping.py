"""Swaps: which two documents to exchange, and what it would be worth."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.engine.checks import Grades, checked_grades, checked_k, checked_rank
from app.engine.cumulative import idcg, share
from app.engine.terms import discount_weights, gains_of

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Swap:
    """Two ranks, and what DCG and NDCG gain (or lose, below 0) when their documents change places.

    换座：这两位换一换，DCG和NDCG各变多少。

    >>> Swap(first=1, second=2, delta_dcg=0.37, delta_ndcg=0.1).second
    2
    """

    first: int
    second: int
    delta_dcg: float
    delta_ndcg: float


def swaps(
    grades: Grades, k: int | None = None, gain: str = "linear", discount: str = "log2", most: int = 10
) -> list[Swap]:
    """Return the exchanges that change NDCG most: largest first, whether up or down.

    换座：哪两颗换一换最值？ΔDCG＝(前面的增益－后面的增益)×(后面的折损－前面的折损)。

    The ideal is that of the list. Shape: n grades -> at most ``most`` of the n(n-1)/2 swaps; equal ones in
    the order of their ranks. Beyond k nothing counts: a rank there has the weight 0.
    Raises ValueError for bad grades, k, gain, discount or most.

    >>> best = swaps([0, 3, 2], most=1)[0]
    >>> best.first, best.second, round(best.delta_dcg, 3)
    (1, 2, 1.107)
    """
    import numpy as np  # at first use: the site starts without it

    most_swap_count = checked_rank(most, "most")
    listed_grades = checked_grades(grades)
    gains = np.asarray(gains_of(listed_grades, gain), dtype=float)
    cutoff = checked_k(k)
    list_length = len(gains)
    weights = np.asarray(discount_weights(list_length, discount))
    if cutoff is not None:
        weights = np.where(np.arange(list_length) < cutoff, weights, 0.0)
    ideal_dcg = idcg(grades, k, gain, discount)
    upper_indexes, lower_indexes = np.triu_indices(list_length, 1)
    dcg_deltas = (gains[upper_indexes] - gains[lower_indexes]) * (
        weights[lower_indexes] - weights[upper_indexes]
    )
    best_swaps = []
    for swap_index in _indexes_of_largest(np.abs(dcg_deltas), most_swap_count):
        dcg_delta = float(dcg_deltas[swap_index])
        upper_rank = int(upper_indexes[swap_index]) + 1
        lower_rank = int(lower_indexes[swap_index]) + 1
        best_swaps.append(Swap(upper_rank, lower_rank, dcg_delta, share(dcg_delta, ideal_dcg)))
    return best_swaps


def _indexes_of_largest(
    change_sizes: "np.ndarray[Any, np.dtype[np.float64]]", wanted_count: int
) -> list[int]:
    """Where the `wanted_count` largest stand, the largest first; equal ones in their order.

    Only as many are sorted as may be among them: a list of 1,000 documents has half a million swaps.
    """
    import numpy as np

    candidate_indexes = np.arange(len(change_sizes))
    smaller_change_count = len(change_sizes) - wanted_count
    if smaller_change_count > 0:
        least_change_size = np.partition(change_sizes, smaller_change_count)[smaller_change_count]
        candidate_indexes = np.flatnonzero(change_sizes >= least_change_size)
    largest_indexes: list[int] = candidate_indexes[
        np.argsort(-change_sizes[candidate_indexes], kind="stable")
    ][:wanted_count].tolist()
    return largest_indexes
