"""Conventions: what people's libraries really compute when they print "NDCG".

Every implementation answers the same questions, mostly without saying so. The presets are the answers of
those that people use, as observed on the same small lists (tied scores, near ties, negative and fractional
grades, a pool larger than the list, nothing relevant); versions stand in ``version``, November 2026. Read
from the source only, and marked so in ``version``: Quepid, OpenSearch, Elasticsearch, and how RankLib sorts
ties (by a stable merge sort). TensorFlow Ranking shuffles ties at random: ``average`` is what that gives on
average. Anserini prints gdeval's figures. What was not observed is refused rather than guessed: a negative
grade in those whose source alone was read. scikit-learn's reversed ties are what it did on short lists;
its sort promises no order.

Two presets are no libraries: ``course`` is how this course computes unless it says otherwise, and
``jk2002`` the definition in the first paper, which many tools cite and none of these computes.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from app.engine.checks import checked_choice
from app.engine.terms import DISCOUNTS, GAINS
from app.engine.ties import TIES

ZERO_IDEALS: Mapping[str, float | None] = MappingProxyType({"zero": 0.0, "one": 1.0, "skip": None})
POOLS = ("list", "judged")
CUTS = ("k", "whole", "returned")
NEGATIVE_RULES = ("refused", "zero", "kept", "dropped")
FRACTION_RULES = ("kept", "truncated", "refused")
BUILT_FROM_SOURCE = "built from source"
"""The version of what has no number."""


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to turn labels and scores into an NDCG, complete enough to compute it.

    一家的约定：同一份数据，别人算出的数和你不一样，差别就在这几格里。

    name: as in ``CONVENTIONS``. library: whose call it is, for readers.
    version: that of the library whose behaviour was observed. source_date: of which date the source is that
        was read, not run: what the library does with rare input is not known. None of both: of no library.
    gain, discount: as in ``ndcg`` (discounts with base 2).
    pool: the ideal is made of the returned ``list`` or of all ``judged`` documents.
    cut: the ideal, sorted whole, is cut at ``k``, not at all (``whole``), or at the number of documents that
        were ``returned``, at most k.
    ties: a policy of ``app.engine.ties``.
    zero_ideal: a query without a relevant document counts as ``zero`` or ``one``, or is left out (``skip``).
    negative: negative grades are ``refused``, count as ``zero``, are ``kept`` as negative gains, or their
        documents are ``dropped``, and those below them move up.
    fractional: grades like 2.5 are ``kept``, ``truncated`` to 2, or ``refused``.
    largest_grade: None = no limit. shortest: how many documents a list must have.
    single: scores are read in single precision, so that very close ones become ties.
    decimals: the result is printed with so many (None: in full).
    Raises ValueError on construction for a choice that does not exist; change a single answer with
    ``dataclasses.replace``.

    >>> Convention("mine", ties="worst").zero_ideal
    'zero'
    >>> Convention("mine", ties="mean")
    Traceback (most recent call last):
        ...
    ValueError: ties = 'mean': expected one of average, input, reversed, best, worst,
        docno-descending, docno-ascending
    """

    name: str
    library: str = ""
    version: str = ""
    gain: str = "linear"
    discount: str = "log2"
    pool: str = "list"
    cut: str = "k"
    ties: str = "input"
    zero_ideal: str = "zero"
    negative: str = "refused"
    fractional: str = "kept"
    largest_grade: int | None = None
    shortest: int = 1
    single: bool = False
    decimals: int | None = None
    source_date: str = ""

    @property
    def is_library(self) -> bool:
        """Whether a library computes so; the others are rules of ours and of a paper."""
        return bool(self.version or self.source_date)

    def __post_init__(self) -> None:
        checked_choice(self.gain, "gain", GAINS)
        checked_choice(self.discount, "discount", DISCOUNTS)
        checked_choice(self.pool, "pool", POOLS)
        checked_choice(self.cut, "cut", CUTS)
        checked_choice(self.ties, "ties", TIES)
        checked_choice(self.zero_ideal, "zero_ideal", ZERO_IDEALS)
        checked_choice(self.negative, "negative", NEGATIVE_RULES)
        checked_choice(self.fractional, "fractional", FRACTION_RULES)


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
    negative="zero",
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
    version=BUILT_FROM_SOURCE,
    gain="exponential",
    fractional="truncated",
)
IR_MEASURES = replace(
    PYTREC_EVAL,
    name="ir-measures",
    library="ir_measures nDCG（经pytrec_eval）",
    version="0.4.3",
)
QUEPID = Convention(
    "quepid",
    library="Quepid ndcg@10.js",
    source_date="2025",
    gain="exponential",
    pool="judged",
    cut="whole",
)
OPENSEARCH = Convention(
    "opensearch",
    library="OpenSearch Search Relevance Workbench NDCG@k",
    source_date="2026",
    gain="exponential",
    pool="judged",
    decimals=2,
)
ELASTICSEARCH = Convention(
    "elasticsearch",
    library="Elasticsearch rank_eval dcg（normalize）",
    source_date="2026年7月",
    gain="exponential",
    pool="judged",
    cut="returned",
    fractional="refused",
)
TF_RANKING = Convention(
    "tf-ranking",
    library="TensorFlow Ranking NDCGMetric（同分随机打乱，这里取平均）",
    version="0.5.5",
    gain="exponential",
    ties="average",
    negative="dropped",
    single=True,
)

PRESETS = (
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
    IR_MEASURES,
    QUEPID,
    OPENSEARCH,
    ELASTICSEARCH,
    TF_RANKING,
    JK2002,
)
CONVENTIONS: Mapping[str, Convention] = MappingProxyType({preset.name: preset for preset in PRESETS})


def convention_named(convention: str | Convention) -> Convention:
    """The convention of a name, or the convention itself; ValueError for an unknown name.

    >>> convention_named("course").pool
    'judged'
    """
    if isinstance(convention, Convention):
        return convention
    return CONVENTIONS[checked_choice(convention, "convention", CONVENTIONS)]
