"""Two exact tests of paired differences: if two systems are equally good, each query tosses a coin.

A difference is what a query's NDCG gains from the old system to the new one. Under the hypothesis that both
are equally good, its sign is a coin: the two scores might as well have been exchanged.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType

from app.engine.checks import checked_number, entries_of, refusal

THOUSANDTHS_OF_ONE = 1000
FEWEST_QUERIES, MOST_QUERIES = 2, 50
"""Queries in a test: one coin says nothing, and more than fifty nobody tosses by hand."""
MOST_QUERIES_OF_SHUFFLED_MEANS = 10


def thousandths(differences: Sequence[float]) -> list[int]:
    """Return differences as whole thousandths, so that sums are exact.

    每个查询的差，换成整数个千分之一：比大小时一点不差。

    differences: 2 to 50 numbers from -1 to 1 with at most three decimals.
    Raises ValueError for anything else.

    >>> thousandths([-0.078, -0.14, 0.5])
    [-78, -140, 500]
    >>> thousandths([0.1234, 0.5])
    Traceback (most recent call last):
        ...
    ValueError: differences[0] = 0.1234: expected a number from -1 to 1 with at most three decimals
    """
    listed_differences = entries_of(differences, "differences")
    if not FEWEST_QUERIES <= len(listed_differences) <= MOST_QUERIES:
        raise refusal(
            "differences", differences, f"{FEWEST_QUERIES} to {MOST_QUERIES} differences, one for each query"
        )
    return [
        _in_thousandths(difference, f"differences[{difference_index}]")
        for difference_index, difference in enumerate(listed_differences)
    ]


def _in_thousandths(difference: object, argument_name: str) -> int:
    requirement = "a number from -1 to 1 with at most three decimals"
    checked_difference = checked_number(difference, argument_name, requirement)
    if abs(checked_difference) > 1:
        raise refusal(argument_name, difference, requirement)
    whole_thousandths = round(checked_difference * THOUSANDTHS_OF_ONE)
    if not math.isclose(whole_thousandths, checked_difference * THOUSANDTHS_OF_ONE, rel_tol=0, abs_tol=1e-6):
        raise refusal(argument_name, difference, requirement)
    return whole_thousandths


def sign_test(differences: Sequence[float]) -> float:
    """Return the two-sided p of the sign test: only who won each query counts; ties are left out.

    符号检验：只看每个查询谁赢。要是两边一样好，碰巧偏成这样（或更偏）的机会有多大；两头都数。

    Range 0..1; 1 where nobody won. Exact. Raises ValueError as ``thousandths`` does.

    >>> sign_test([0.1, 0.2, 0.1, 0.3, -0.1])   # four of five
    0.375
    """
    return two_sided_p(signs_of_differences(thousandths(differences)))


def randomisation_test(differences: Sequence[float]) -> float:
    """Return the two-sided p of the randomisation test: how often a shuffle lies as far from 0 as we do.

    随机化检验：每个查询的两个分数随便对调，平均差不看正负，至少有这么大的占几成。

    All 2**n shuffles are counted, ours among them. Range 0..1; 1 where the mean is 0. Raises ValueError as
    ``thousandths`` does. After E. S. Pitman (1937); for retrieval see Smucker, Allan and Carterette,
    CIKM 2007.

    >>> randomisation_test([-0.078, -0.14, 0.5])
    1.0
    >>> randomisation_test([0.1, 0.2, 0.3, -0.05])
    0.25
    """
    return two_sided_p(thousandths(differences))


def two_sided_p(signed_weights: Sequence[int]) -> float:
    """Return the share of the sign patterns whose sum lies at least as far from 0 as that of the weights.

    >>> two_sided_p([1, 1, 1, 1, -1])
    0.375
    """
    nonzero_weights = [signed_weight for signed_weight in signed_weights if signed_weight]
    count_by_sum = subset_counts_by_sum(map(abs, nonzero_weights))
    far_shuffle_count = subset_count_up_to(count_by_sum, lesser_side_sum(nonzero_weights))
    return min(1.0, 2 * far_shuffle_count / int(2 ** len(nonzero_weights)))


def signs_of_differences(differences: Sequence[int]) -> list[int]:
    """Return 1 for a query that was won, -1 for one that was lost, 0 for a tie.

    >>> signs_of_differences([120, -5, 0])
    [1, -1, 0]
    """
    return [(difference > 0) - (difference < 0) for difference in differences]


def lesser_side_sum(signed_weights: Sequence[int]) -> int:
    """Return what the side that is behind has on it: the sum of the gains or that of the losses.

    >>> lesser_side_sum([5, 3, -2, -1])
    3
    """
    positive_sum = sum(signed_weight for signed_weight in signed_weights if signed_weight > 0)
    negative_sum = -sum(signed_weight for signed_weight in signed_weights if signed_weight < 0)
    return min(positive_sum, negative_sum)


def subset_counts_by_sum(weights: Iterable[int]) -> Mapping[int, int]:
    """Return sum → how many of the subsets of the sizes add up to it, the empty one among them.

    A shuffle turns some queries round; those end up on the side that is behind. So a shuffle is a subset.

    >>> sorted(subset_counts_by_sum([1, 1, 2]).items())
    [(0, 1), (1, 2), (2, 2), (3, 2), (4, 1)]
    """
    return _subset_counts_by_sum(tuple(sorted(weights)))


@lru_cache(8)  # most of the models of a question toss the same coins
def _subset_counts_by_sum(weights: tuple[int, ...]) -> Mapping[int, int]:
    count_by_sum = {0: 1}
    for weight in weights:
        next_count_by_sum = count_by_sum.copy()
        for subset_sum, subset_count in count_by_sum.items():
            larger_sum = subset_sum + weight
            next_count_by_sum[larger_sum] = next_count_by_sum.get(larger_sum, 0) + subset_count
        count_by_sum = next_count_by_sum
    return MappingProxyType(count_by_sum)


def subset_count_up_to(count_by_sum: Mapping[int, int], largest_sum: int) -> int:
    """Return how many subsets add up to no more than `largest_sum`.

    >>> subset_count_up_to(subset_counts_by_sum([1, 1, 2]), 1)
    3
    """
    return sum(subset_count for subset_sum, subset_count in count_by_sum.items() if subset_sum <= largest_sum)


def shuffled_means(differences: Sequence[float]) -> list[float]:
    """Return the mean difference under each of the 2**n shuffles, lowest first.

    每一种对调法的平均差，从小到大。

    For at most 10 queries. Raises ValueError for more, and as ``thousandths`` does.

    >>> [round(mean, 3) for mean in shuffled_means([-0.078, -0.14, 0.5])]
    [-0.239, -0.187, -0.146, -0.094, 0.094, 0.146, 0.187, 0.239]
    """
    differences_in_thousandths = thousandths(differences)
    if len(differences_in_thousandths) > MOST_QUERIES_OF_SHUFFLED_MEANS:
        raise refusal(
            "differences",
            differences,
            f"at most {MOST_QUERIES_OF_SHUFFLED_MEANS}, where every shuffle is listed",
        )
    difference_size_sum = sum(map(abs, differences_in_thousandths))
    mean_differences: list[float] = []
    for subset_sum, subset_count in subset_counts_by_sum(map(abs, differences_in_thousandths)).items():
        mean_difference = (
            (difference_size_sum - 2 * subset_sum) / len(differences_in_thousandths) / THOUSANDTHS_OF_ONE
        )
        mean_differences += [mean_difference] * subset_count
    return sorted(mean_differences)
