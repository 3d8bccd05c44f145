"""Descent: a list that follows its forces, one small step after the other, and what NDCG does meanwhile.

Source: Burges, "From RankNet to LambdaRank to LambdaMART", MSR-TR-2010-82, 2010.
"""

from collections.abc import Sequence
from typing import NamedTuple

from app.engine.checks import Grades, Scores, checked_grades, checked_positive, checked_whole_number
from app.engine.cumulative import ndcg
from app.engine.pairwise.lambdarank import DocumentPair, pairs, ranks, summed_forces
from app.engine.ties import checked_scores, indexes_in_rank_order


class DescentState(NamedTuple):
    """Where a list stands after some steps: scores, ranks, NDCG, and the forces that act next.

    走了几步之后的样子：模型分、名次、NDCG，以及下一步要用的力。

    >>> DescentState((1.0, 0.0), (1, 2), 1.0, (), (0.0, 0.0)).ndcg
    1.0
    """

    scores: tuple[float, ...]
    ranks: tuple[int, ...]
    ndcg: float
    pairs: tuple[DocumentPair, ...]
    grad: tuple[float, ...]


def descent(
    labels: Grades,
    scores: Scores,
    steps: int,
    rate: float = 1.0,
    sigma: float = 1.0,
    k: int | None = None,
    gain: str = "exponential",
    convention: str = "library",
    weight: str = "ndcg",
) -> tuple[DescentState, ...]:
    """Return the states of a list from the start to ``steps`` gradient steps later.

    从起点出发，每一步：算出每一对的力，加起来，模型分挪一点点；一直走到第steps步。

    steps: whole number >= 0. rate: > 0, how far a step goes. weight: ``ndcg`` (LambdaRank) or ``none``
    (RankNet). The rest is that of ``gradients``. Shape: steps -> steps + 1 states, the start first.
    Raises ValueError naming the argument, the value and what is allowed.

    >>> states = descent([0, 3], [0.2, 0], steps=1)
    >>> [round(state.ndcg, 3) for state in states], states[1].ranks
    ([0.631, 1.0], (2, 1))
    """
    step_count = checked_whole_number(steps, "steps", 0)
    grades = checked_grades(labels, "labels")
    current_scores: Sequence[float] = checked_scores(scores, len(grades))
    states: list[DescentState] = []
    for _ in range(step_count + 1):
        document_pairs = pairs(grades, current_scores, sigma, k, gain, convention, weight)
        grad = summed_forces(document_pairs, len(grades)).grad
        ranked_grades = [grades[document_index] for document_index in indexes_in_rank_order(current_scores)]
        current_ndcg = ndcg(ranked_grades, k, gain)
        states.append(
            DescentState(tuple(current_scores), ranks(current_scores), current_ndcg, document_pairs, grad)
        )
        current_scores = scores_after_step(current_scores, grad, rate)
    return tuple(states)


def scores_after_step(scores: Sequence[float], grad: Sequence[float], rate: float = 1.0) -> tuple[float, ...]:
    """Return the scores after one gradient step: ``score - rate * grad``.

    走一步：模型分减去学习率乘以梯度。

    >>> scores_after_step([1, 2], [-0.5, 0.5], rate=2)
    (2.0, 1.0)
    """
    step_size = checked_positive(rate, "rate")
    return tuple(score - step_size * gradient for score, gradient in zip(scores, grad, strict=True))
