"""The answers of the implementations that people use, as observed.

Every preset was run on the same small lists (tied scores, near ties, negative and fractional grades, a
pool larger than the list, nothing relevant); versions stand in ``version``, November 2026. Read from the
source only: how RankLib sorts ties (a stable merge sort). What was not observed is refused rather than
guessed: gdeval with a negative grade. scikit-learn's reversed ties are what it did on short lists; its
sort promises no order.

Two presets are no libraries: ``course`` is how this course computes unless it says otherwise, and
``jk2002`` the definition in the first paper, which many tools cite and none of these computes.
"""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from app.engine.conventions.model import Convention

COURSE = Convention(
    "course",
    library="糖序",
    pool="judged",
)
JK2002 = Convention(
    "jk2002",
    library="Järvelin & Kekäläinen 2002",
    discount="jk2002",
    pool="judged",
)
SCIKIT_LEARN = Convention(
    "scikit-learn",
    library="scikit-learn ndcg_score",
    version="1.9.1",
    ties="average",
    shortest=2,
)
SCIKIT_LEARN_NO_TIES = replace(
    SCIKIT_LEARN,
    name="scikit-learn-ignore-ties",
    library="scikit-learn ndcg_score(ignore_ties=True)",
    ties="reversed",
)
TORCHMETRICS = Convention(
    "torchmetrics",
    library="torchmetrics retrieval_normalized_dcg",
    version="1.9.0",
    ties="average",
    negative="kept",
    single=True,
)
TREC_EVAL = Convention(
    "trec_eval",
    library="trec_eval ndcg / ndcg_cut",
    version="10.0-rc3",
    pool="judged",
    ties="docno-descending",
    negative="zero",
    fractional="refused",
)
PYTREC_EVAL = replace(
    TREC_EVAL,
    name="pytrec_eval",
    library="pytrec_eval ndcg / ndcg_cut",
    version="pytrec_eval-terrier 0.5.11",
    single=True,
)
GDEVAL = Convention(
    "gdeval",
    library="gdeval.pl（ir_measures的nDCG(dcg='exp-log2')）",
    version="1.2a",
    gain="exponential",
    pool="judged",
    ties="docno-descending",
    fractional="refused",
    largest_grade=4,
    decimals=5,
)
RANX = Convention(
    "ranx",
    library="ranx ndcg",
    version="0.3.21",
    pool="judged",
    negative="zero",
    fractional="truncated",
)
RANX_BURGES = replace(
    RANX,
    name="ranx-burges",
    library="ranx ndcg_burges",
    gain="exponential",
)
LIGHTGBM = Convention(
    "lightgbm",
    library="LightGBM ndcg",
    version="4.7.0",
    gain="exponential",
    zero_ideal="one",
    fractional="refused",
    largest_grade=30,
)
XGBOOST = Convention(
    "xgboost",
    library="XGBoost ndcg",
    version="3.2.0",
    gain="exponential",
    zero_ideal="one",  # ``ndcg@k-`` counts as zero
    fractional="refused",
    largest_grade=31,
    single=True,
)
XGBOOST_LINEAR = replace(
    XGBOOST,
    name="xgboost-linear",
    library="XGBoost ndcg（ndcg_exp_gain=False）",
    gain="linear",
    negative="kept",
    fractional="kept",
    largest_grade=None,
)
CATBOOST = Convention(
    "catboost",
    library="CatBoost NDCG",
    version="1.2.10",
    ties="worst",
    zero_ideal="one",
    negative="kept",
)
CATBOOST_EXP = replace(
    CATBOOST,
    name="catboost-exp",
    library="CatBoost NDCG:type=Exp",
    gain="exponential",
)
RANKLIB = Convention(
    "ranklib",
    library="RankLib NDCG",
    version="built from source",
    gain="exponential",
    fractional="truncated",
)

CONVENTIONS: Mapping[str, Convention] = MappingProxyType(
    {
        each.name: each
        for each in (
            COURSE,
            SCIKIT_LEARN,
            SCIKIT_LEARN_NO_TIES,
            TORCHMETRICS,
            TREC_EVAL,
            PYTREC_EVAL,
            GDEVAL,
            RANX,
            RANX_BURGES,
            LIGHTGBM,
            XGBOOST,
            XGBOOST_LINEAR,
            CATBOOST,
            CATBOOST_EXP,
            RANKLIB,
            JK2002,
        )
    }
)
