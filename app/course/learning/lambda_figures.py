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


def check(quantity: str, figure: Pushed) -> None:
    """Raise ValueError, in Chinese, for a figure that does not exist."""
    grades, scores = figure.grades, figure.scores
    rank, other = figure.rank, figure.other
    if None in grades:
        raise ValueError(f"{quantity}要每一篇都有甜度")
    if scores is None and quantity != "delta_ndcg":
        raise ValueError(f"{quantity}要写scores（每一篇的得分）")
    if scores is not None and len(scores) != len(grades):
        raise ValueError(f"scores要写{len(grades)}个，一篇一个")
    if quantity in PAIRS and (rank is None or other is None):
        raise ValueError(f"{quantity}要写rank（第几篇）和other（另一篇）")
    if rank is None or (quantity not in PAIRS and other is not None):
        raise ValueError(f"{quantity}要写rank（第几篇）")
    if max(rank, other or 1) > len(grades):
        raise ValueError(f"rank和other要在1到{len(grades)}之间")
    if other and grades[rank - 1] == grades[other - 1]:
        raise ValueError(f"第{rank}篇和第{other}篇一样甜，没有谁该在谁前面")


def _pair(figure: Pushed) -> lambdarank.DocumentPair:
    places = {(figure.rank or 1) - 1, (figure.other or 1) - 1}
    scores = _scores(figure)
    for pair in lambdarank.pairs(figure.grades, scores, figure.sigma, figure.k, figure.gain, "exact"):
        if {pair.better, pair.worse} == places:
            return pair
    raise ValueError(f"no pair of {figure.rank} and {figure.other}")  # `check` refused it before


def _push(figure: Pushed) -> float:
    """Up is above 0: the gradient with its sign turned round."""
    scores = _scores(figure)
    gradients = lambdarank.gradients(figure.grades, scores, figure.sigma, figure.k, figure.gain, "exact")
    return -gradients.grad[(figure.rank or 1) - 1]


def _stepped(figure: Pushed) -> float:
    """The score after one step."""
    return _scores(figure)[(figure.rank or 1) - 1] + figure.rate * _push(figure)


def _scores(figure: Pushed) -> Sequence[float]:
    return figure.scores or [float(-place) for place in range(len(figure.grades))]


PAIRS = ("rho", "delta_ndcg", "lambda")
QUANTITIES: Mapping[str, Callable[[Pushed], float]] = {
    "rho": lambda figure: _pair(figure).rho,
    "delta_ndcg": lambda figure: _pair(figure).delta_ndcg,
    "lambda": lambda figure: _pair(figure).force,
    "force": lambda figure: abs(_push(figure)),
    "stepped": _stepped,
}
"""The first three are about a pair, the others about one document: how strongly it is pushed in all (up or
down, the words say), and its score after one step."""
