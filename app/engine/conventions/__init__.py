"""Conventions: what people's libraries really compute when they print "NDCG".

model      the questions every implementation answers, mostly without saying so
libraries  the answers of those that people use, as observed
scoring    labels and scores in, the NDCG of that library out
"""

from app.engine.conventions.libraries import CONVENTIONS
from app.engine.conventions.model import ZERO_IDEALS, Convention
from app.engine.conventions.scoring import mean_over_queries, scored_ndcg

__all__ = ["CONVENTIONS", "ZERO_IDEALS", "Convention", "mean_over_queries", "scored_ndcg"]
