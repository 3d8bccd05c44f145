"""LambdaRank: how to climb NDCG although NDCG has no slope.

    pairs     every two documents of unequal grade: how wrong their order is, and how much it matters
    forces    the pairs added up: a gradient and a Hessian for each document
    descent   one small step after the other, and what NDCG does meanwhile

Source: Burges, "From RankNet to LambdaRank to LambdaMART", MSR-TR-2010-82, 2010.
"""

from app.engine.lambdarank.descent import DescentState, descent, stepped
from app.engine.lambdarank.forces import Gradients, gradients, ranknet_gradients, ranknet_loss
from app.engine.lambdarank.pairs import CONVENTIONS, WEIGHTS, DocumentPair, delta_ndcg, pairs, ranks

__all__ = [
    "CONVENTIONS",
    "WEIGHTS",
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
]
