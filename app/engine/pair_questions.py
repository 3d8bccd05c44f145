"""Two documents of one list as questions: what their swap is worth, and how hard they push each other."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from app.engine.checks import checked_choice, checked_grades, checked_whole_number, refusal
from app.engine.pairwise.lambdarank import delta_ndcg, surprise_of_gap
from app.engine.questions import TableQuestion
from app.engine.terms import GAINS
from app.engine.ties import checked_scores

SWAP_QUANTITIES = ("delta_ndcg", "lambda")
"""The quantities in which two documents change places."""


@dataclass(frozen=True, slots=True)
class RankSwap(TableQuestion):
    """How much NDCG changes, without its sign, when the documents at two ranks change places.

    一道对调题：把第first位和第second位对调，NDCG变多少，不管涨跌。

    grades: of the list in ranked order, none of them unjudged; kept as a tuple, so that questions compare and
    hash. first, second: ranks from 1 on, the upper one first, of unequal grades. gain: a name in ``GAINS``.
    The ideal is drawn from the list, and nothing is cut.
    Raises ValueError on construction, naming the argument, the value and what is allowed.

    >>> round(RankSwap([1, 3, 2, 0], 1, 2).figure(), 3)
    0.155
    >>> RankSwap([1, 3, 2, 0], 2, 1)
    Traceback (most recent call last):
        ...
    ValueError: second = 1: expected a whole number from 3 to 4
    """

    quantity: ClassVar[str] = "delta_ndcg"
    pool: ClassVar[None] = None

    grades: Sequence[float]
    first: int
    second: int
    gain: str = "linear"

    def __post_init__(self) -> None:
        grades = checked_grades(self.grades)
        judged_grades = [grade for grade in grades if grade is not None]
        if len(judged_grades) < len(grades):
            raise refusal("grades", self.grades, "a finite number >= 0 at every rank")
        object.__setattr__(self, "grades", tuple(judged_grades))
        checked_choice(self.gain, "gain", GAINS)
        list_length = len(judged_grades)
        first = checked_whole_number(self.first, "first", 1, list_length - 1)
        second = checked_whole_number(self.second, "second", first + 1, list_length)
        object.__setattr__(self, "first", first)
        object.__setattr__(self, "second", second)
        if judged_grades[first - 1] == judged_grades[second - 1]:
            raise refusal("second", second, f"a rank of another grade than that of rank {first}")

    @property
    def better_rank(self) -> int:
        """The rank of the document of the higher grade."""
        if self.grades[self.first - 1] > self.grades[self.second - 1]:
            return self.first
        return self.second

    @property
    def worse_rank(self) -> int:
        """The rank of the other one."""
        return self.first + self.second - self.better_rank

    def figure(self) -> float:
        return delta_ndcg(self.grades, self.first, self.second, gain=self.gain)


@dataclass(frozen=True, slots=True)
class PairForce(RankSwap):
    """The lambda of two documents: how surprised the model is by their order, times what their swap is worth.

    一道λ题：这一对的吃惊，乘对调值几分；σ取1。

    scores: what the model says of each document, high to low, as they are ranked; sigma is 1.

    >>> round(PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0]).figure(), 3)
    0.113
    """

    quantity: ClassVar[str] = "lambda"

    scores: Sequence[float] = ()

    def __post_init__(self) -> None:
        RankSwap.__post_init__(self)
        scores = tuple(checked_scores(self.scores, len(self.grades)))
        if list(scores) != sorted(scores, reverse=True):
            raise refusal("scores", self.scores, "numbers from high to low, as the list is ranked")
        object.__setattr__(self, "scores", scores)

    @property
    def gap(self) -> float:
        """The score of the better document minus that of the other one; below 0 the order is wrong."""
        return self.scores[self.better_rank - 1] - self.scores[self.worse_rank - 1]

    @property
    def rho(self) -> float:
        """How surprised the model is by the order of the two, 0 to 1."""
        return surprise_of_gap(self.gap)

    @property
    def rank_swap(self) -> RankSwap:
        """What the swap alone is worth, as a question."""
        return RankSwap(self.grades, self.first, self.second, self.gain)

    def figure(self) -> float:
        return self.rho * RankSwap.figure(self)
