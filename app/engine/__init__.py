"""The engine: lists of grades in, numbers and traces out. Pure mathematics, one idea a file.

    checks          what may come in
    terms           what a grade gains, what its rank keeps of it, and their sum, one after the other
    rounding        figures as they stand on paper: rounded, cut off, or noted to be reckoned with
    cumulative      CG, DCG, IDCG, NDCG; the worst, mean and best order
    tracing         the same, step by step
    binary          accuracy, P, R, F1, AP, RR, AUC; ERR and RBP, with a reader in them
    ties            what to do with documents of one score
    conventions     how people's libraries compute NDCG, as named presets
    scoring         what a library prints for labels and scores
    signatures      a convention in one line that can be read back
    reconciling     from a printed figure to the conventions that print it
    probing         three short lists that tell all conventions apart
    batch           the same measures of many lists at once, by numpy
    pairwise        what swapping two documents is worth, and LambdaRank, which needs it
    significance    whether a difference is real, or what chance makes of it: coins, intervals, planning
    labelling       agreement of judges, clicks by position, lists with unjudged documents
    questions       what a numeric item asks
    pair_questions  what is asked of two documents: their swap, and its lambda
    misconceptions  wrong models that compute what a learner who believes them would get
    diagnosis       from a wrong number to the mistake that made it
    generate        questions in which the typical mistakes all look different

It knows no files, no database, no web, no clock and no global randomness.
"""

from app.engine import significance
from app.engine.binary import (
    accuracy,
    auc,
    average_precision,
    err,
    f1,
    precision,
    rbp,
    recall,
    reciprocal_rank,
)
from app.engine.conventions import CONVENTIONS, CUTS, ZERO_IDEALS, Convention
from app.engine.cumulative import NdcgRange, cg, dcg, idcg, ndcg, ndcg_range
from app.engine.diagnosis import Diagnosis, diagnose, diagnose_ideal
from app.engine.generate import (
    FIXED_MISCONCEPTION_IDS,
    LEVELS,
    ConventionQuestion,
    generate,
    generator_names,
    misconception_ids_told_apart,
    shown_misconception_ids,
    which_convention,
)
from app.engine.labelling import Agreement, Clicks, Position
from app.engine.misconceptions import (
    MISCONCEPTIONS,
    STEPS,
    DifferingRow,
    Misconception,
    differing_row,
    predictions,
)
from app.engine.pair_questions import PairForce, RankSwap
from app.engine.pairwise import lambdarank
from app.engine.pairwise.swapping import Swap, swaps
from app.engine.probing import Probe, identify, probes, telling_list
from app.engine.questions import MEASURE_BY_QUANTITY, AnyQuestion, Question, TableQuestion, answer, workload
from app.engine.reconciling import Match, reconcile
from app.engine.scoring import mean_over_queries, scored_ndcg
from app.engine.signatures import parse_signature, signature
from app.engine.significance import CoinTest, RandomisationTest, SignTest
from app.engine.terms import DISCOUNTS, GAINS, discount_weight
from app.engine.ties import TIES, ranked_gains
from app.engine.tracing import Term, Trace, trace

__all__ = [
    "CONVENTIONS",
    "CUTS",
    "DISCOUNTS",
    "FIXED_MISCONCEPTION_IDS",
    "GAINS",
    "LEVELS",
    "MEASURE_BY_QUANTITY",
    "MISCONCEPTIONS",
    "STEPS",
    "TIES",
    "ZERO_IDEALS",
    "Agreement",
    "AnyQuestion",
    "Clicks",
    "CoinTest",
    "Convention",
    "ConventionQuestion",
    "Diagnosis",
    "DifferingRow",
    "Match",
    "Misconception",
    "NdcgRange",
    "PairForce",
    "Position",
    "Probe",
    "Question",
    "RandomisationTest",
    "RankSwap",
    "SignTest",
    "Swap",
    "TableQuestion",
    "Term",
    "Trace",
    "accuracy",
    "answer",
    "auc",
    "average_precision",
    "cg",
    "dcg",
    "diagnose",
    "diagnose_ideal",
    "differing_row",
    "discount_weight",
    "err",
    "f1",
    "generate",
    "generator_names",
    "idcg",
    "identify",
    "lambdarank",
    "mean_over_queries",
    "misconception_ids_told_apart",
    "ndcg",
    "ndcg_range",
    "parse_signature",
    "precision",
    "predictions",
    "probes",
    "ranked_gains",
    "rbp",
    "recall",
    "reciprocal_rank",
    "reconcile",
    "scored_ndcg",
    "shown_misconception_ids",
    "signature",
    "significance",
    "swaps",
    "telling_list",
    "trace",
    "which_convention",
    "workload",
]
