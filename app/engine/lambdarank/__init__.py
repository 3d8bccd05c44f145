"""LambdaRank: how to climb NDCG although NDCG has no slope.

pairing     every two documents of unequal grade: how wrong their order is, and how much it matters
forces      the pairs added up: a gradient and a Hessian for each document
descending  a list that follows them, step by step
"""

from app.engine.lambdarank.descending import DescentState, descent, stepped
from app.engine.lambdarank.forces import (
    Gradients,
    gradients,
    ranknet_gradients,
    ranknet_loss,
    summed,
)
from app.engine.lambdarank.pairing import DocumentPair, delta_ndcg, pairs, ranks

__all__ = [
    "DescentState",
    "DocumentPair",
    "Gradients",
    "delta_ndcg",
    "descent",
    "gradients",
    "pairs",
    "ranknet_gradients",
    "ranknet_loss",
    "ranks",
    "stepped",
    "summed",
]
