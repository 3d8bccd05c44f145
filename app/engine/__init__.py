"""The engine: lists of grades in, numbers and traces out. Pure mathematics, one idea a file.

    checks       what may come in            gains       what a grade is worth
    discounts    what a rank keeps           cumulative  CG, DCG, IDCG, NDCG
    tracing      the same, step by step      ranges      worst, mean and best order
    binary       P, R, AP, RR, AUC           cascade     ERR, RBP
    questions    what a numeric item asks

It knows no files, no database, no web, no clock and no global randomness.
"""

from app.engine.binary import auc, average_precision, precision, recall, reciprocal_rank
from app.engine.cascade import err, rbp
from app.engine.cumulative import cg, dcg, idcg, ndcg
from app.engine.discounts import DISCOUNTS, discount_weight
from app.engine.gains import GAINS
from app.engine.questions import QUANTITIES, Question, answer
from app.engine.ranges import NdcgRange, ndcg_range
from app.engine.tracing import Term, Trace, trace

__all__ = [
    "DISCOUNTS",
    "GAINS",
    "QUANTITIES",
    "NdcgRange",
    "Question",
    "Term",
    "Trace",
    "answer",
    "auc",
    "average_precision",
    "cg",
    "dcg",
    "discount_weight",
    "err",
    "idcg",
    "ndcg",
    "ndcg_range",
    "precision",
    "rbp",
    "recall",
    "reciprocal_rank",
    "trace",
]
