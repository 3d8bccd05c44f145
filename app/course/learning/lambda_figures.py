"""Pushes in texts: what RankNet and LambdaRank do to a list, as named figures of a lesson."""

from collections.abc import Callable, Mapping, Sequence
from typing import Protocol

from app.course.text.model_base import GainName
from app.engine import lambdarank


class Pushed(Protocol):
    """A list and the two documents, or the one, that a figure is about; `rank` and `other` from 1."""

    @property
    def grades(self) -> Sequence[float | None]: ...
    @property
    def scores(self) -> Sequence[float] | None: ...
    @property
    def rank(self) -> int | None: ...
    @property
    def other(self) -> int | None: ...
    @property
    def k(self) -> int | None: ...
    @property
    def gain(self) -> GainName: ...
    @property
    def sigma(self) -> float: ...
    @property
    def rate(self) -> float: ...


def check(
    quantity: str,
    grades: Sequence[float | None],
    scores: Sequence[float] | None,
    rank: int | None,
    other: int | None,
) -> None:
    """Raise ValueError, in Chinese, for a figure that does not exist.

    >>> check("rho", [2, 2], [1, 0], 1, 2)
    Traceback (most recent call last):
    ...
    ValueError: 第1篇和第2篇一样甜，没有谁该在谁前面
    """
    if None in grades:
        raise ValueError(f"{quantity}要每一篇都有甜度")
    if quantity != "delta_ndcg" and scores is None:
        raise ValueError(f"{quantity}要写scores（每一篇的得分）")
    if scores is not None and len(scores) != len(grades):
        raise ValueError(f"scores要写{len(grades)}个，一篇一个")
    if rank is None or (quantity in PAIRS) != (other is not None):
        raise ValueError(f"{quantity}要写rank（第几篇）{'和other（另一篇）' if quantity in PAIRS else ''}")
    if max(rank, other or 1) > len(grades):
        raise ValueError(f"rank和other要在1到{len(grades)}之间")
    if other and grades[rank - 1] == grades[other - 1]:
        raise ValueError(f"第{rank}篇和第{other}篇一样甜，没有谁该在谁前面")


def _pair(of: Pushed) -> lambdarank.DocumentPair:
    wanted = {(of.rank or 1) - 1, (of.other or 1) - 1}
    every = lambdarank.pairs(of.grades, _scores(of), of.sigma, of.k, of.gain, "exact")
    return next(pair for pair in every if {pair.better, pair.worse} == wanted)


def _push(of: Pushed) -> float:
    """Up is above 0: the gradient with its sign turned round."""
    grad = lambdarank.gradients(of.grades, _scores(of), of.sigma, of.k, of.gain, "exact").grad
    return -grad[(of.rank or 1) - 1]


def _scores(of: Pushed) -> Sequence[float]:
    return of.scores or [float(-place) for place in range(len(of.grades))]


PAIRS = ("rho", "delta_ndcg", "lambda")
QUANTITIES: Mapping[str, Callable[[Pushed], float]] = {
    "rho": lambda of: _pair(of).rho,
    "delta_ndcg": lambda of: _pair(of).delta_ndcg,
    "lambda": lambda of: _pair(of).force,
    "force": lambda of: abs(_push(of)),
    "stepped": lambda of: _scores(of)[(of.rank or 1) - 1] + of.rate * _push(of),
}
"""The first three are about a pair, the others about one document: how strongly it is pushed in all (up or
down, the words say), and its score after one step."""
