"""Tests by coins, right and wrong: which coins, which shuffles count, how many tails, and what p says."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Self, TypeAlias

from app.engine.misconceptions.working import FigureWorking, Rounding
from app.engine.significance.coin_tests import CoinTest
from app.engine.significance.shuffling import (
    lesser_side_sum,
    signs_of_differences,
    subset_count_up_to,
    subset_counts_by_sum,
)

SignedWeights: TypeAlias = Sequence[int]
"""What each query puts on the scale, with its sign."""
SignedWeightsOf: TypeAlias = Callable[[CoinTest], SignedWeights]
FarCountOf: TypeAlias = Callable[[Mapping[int, int], int], int]
ReadingOf: TypeAlias = Callable[[float, SignedWeights], float]


def weights_as_wins(coin_test: CoinTest) -> SignedWeights:
    """Return 1 for a query that was won, -1 for one that was lost; ties are left out."""
    return [win_sign for win_sign in signs_of_differences(coin_test.differences_in_thousandths) if win_sign]


def weights_as_sizes(coin_test: CoinTest) -> SignedWeights:
    """Return the differences as they are; ties are left out."""
    return [difference for difference in coin_test.differences_in_thousandths if difference]


def shuffle_count_of_all(coin_count: int) -> int:
    """Return how many ways so many coins can fall.

    >>> shuffle_count_of_all(5)
    32
    """
    return int(2**coin_count)


def unchanged_share(share: float, signed_weights: SignedWeights) -> float:  # noqa: ARG001
    """Return the share itself: that is p."""
    return share


@dataclass(frozen=True, slots=True, eq=False)
class CoinWorking(FigureWorking):
    """One way of working out the p of a test by coins; each step can be replaced.

    掷硬币算p的一种算法：掷哪些硬币，哪些掷法算数，一共几种，数几头，最后报什么；换掉一步，就是一个误区。

    signed_weights: what each query puts on the scale. far_count: of the subsets that shuffles turn round, how
    many count. shuffle_count: how many there are. tail_count: one or both. reading: what is answered for the
    share.

    >>> from app.engine.significance import SignTest
    >>> RIGHT_COIN_WORKING_BY_QUANTITY["sign_test"].value(SignTest([0.1, 0.2, 0.1, 0.3, -0.1]))
    0.375
    """

    signed_weights: SignedWeightsOf
    far_count: FarCountOf = subset_count_up_to
    shuffle_count: Callable[[int], int] = shuffle_count_of_all
    tail_count: int = 2
    reading: ReadingOf = unchanged_share

    def value(self, question: Any) -> float:
        signed_weights = self.signed_weights(question)
        share = self.tail_count * self.far_shuffle_count(question) / self.shuffle_count(len(signed_weights))
        return self.reading(min(1.0, share), signed_weights)

    def rounded(self, rounding: Rounding) -> Self:  # noqa: ARG002
        """Return this way of working as it is: coins are counted, and there is nothing to round."""
        return self

    def far_shuffle_count(self, question: Any) -> int:
        """Return how many shuffles of one tail count."""
        signed_weights = self.signed_weights(question)
        count_by_sum = subset_counts_by_sum(map(abs, signed_weights))
        return self.far_count(count_by_sum, lesser_side_sum(signed_weights))


RIGHT_COIN_WORKING_BY_QUANTITY: Mapping[str, CoinWorking] = MappingProxyType(
    {"sign_test": CoinWorking(weights_as_wins), "randomisation_test": CoinWorking(weights_as_sizes)}
)
