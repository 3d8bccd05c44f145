"""Conventions: what people's libraries really compute when they print "NDCG".

Every implementation answers the same questions, mostly without saying so. The presets are the answers of
those that people use, as observed on the same small lists (tied scores, near ties, negative and fractional
grades, a pool larger than the list, nothing relevant); versions stand in ``version``, November 2026. Read
from the source only: how RankLib sorts ties (a stable merge sort). What was not observed is refused rather
than guessed: gdeval with a negative grade. scikit-learn's reversed ties are what it did on short lists; its
sort promises no order.

Two presets are no libraries: ``course`` is how this course computes unless it says otherwise, and
``jk2002`` the definition in the first paper, which many tools cite and none of these computes.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType

from app.engine.checks import Array, Grade, Grades, checked_choice, checked_k, checked_number, listed, refusal
from app.engine.cumulative import discounted_sum
from app.engine.gains import DISCOUNTS, GAINS, discount_weights, gains_of
from app.engine.ties import TIES, checked_scores, ranked_gains

ZERO_IDEALS: Mapping[str, float | None] = MappingProxyType({"zero": 0.0, "one": 1.0, "skip": None})
POOLS = ("list", "judged")
NEGATIVES = ("refused", "zero", "kept")
FRACTIONS = ("kept", "truncated", "refused")


@dataclass(frozen=True, slots=True)
class Convention:
    """One way to turn labels and scores into an NDCG, complete enough to compute it.

    一家的约定：同一份数据，别人算出的数和你不一样，差别就在这几格里。

    name: as in ``CONVENTIONS``. library: whose call it is, for readers.
    version: that of the library whose behaviour was observed.
    gain, discount: as in ``ndcg`` (discounts with base 2).
    pool: the ideal is made of the returned ``list`` or of all ``judged`` documents.
    ties: a policy of ``app.engine.ties``.
    zero_ideal: a query without a relevant document counts as ``zero`` or ``one``, or is left out (``skip``).
    negative: negative grades are ``refused``, count as ``zero``, or are ``kept`` as negative gains.
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
    ties: str = "input"
    zero_ideal: str = "zero"
    negative: str = "refused"
    fractional: str = "kept"
    largest_grade: int | None = None
    shortest: int = 1
    single: bool = False
    decimals: int | None = None

    def __post_init__(self) -> None:
        checked_choice(self.gain, "gain", GAINS)
        checked_choice(self.discount, "discount", DISCOUNTS)
        checked_choice(self.pool, "pool", POOLS)
        checked_choice(self.ties, "ties", TIES)
        checked_choice(self.zero_ideal, "zero_ideal", ZERO_IDEALS)
        checked_choice(self.negative, "negative", NEGATIVES)
        checked_choice(self.fractional, "fractional", FRACTIONS)


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
        convention.name: convention
        for convention in (
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


def scored_ndcg(
    labels: Grades,
    scores: Sequence[float] | Array,
    convention: str | Convention = "course",
    k: int | None = None,
    pool: Grades | None = None,
    docs: Sequence[str] | None = None,
) -> float | None:
    """Return what a library computes as NDCG@k for one query; None where it leaves the query out.

    同一份标注和打分，换一家来算NDCG：得到的正是那一家会打印的数。

    labels, scores, docs: one entry a document, in the order in which they are handed over. Unlike
    ``ndcg``, the labels need not stand in ranked order: the scores rank them. None = unjudged: gain 0.
    convention: a name in ``CONVENTIONS``, or a ``Convention``. k: None = the whole list.
    pool: grades of all judged documents, also those that were not returned. None = the labels. A
    library whose ideal is made of the returned list never sees it.
    docs: names, for the libraries that break ties by them. None = in alphabetical order as given.
    Raises ValueError for bad input, and for what the library itself refuses (a negative grade, say).
    Source: see ``app.engine.conventions``; observed, not only read.

    >>> tied = [3, 0, 2, 0], [1, 1, 1, 1]
    >>> for name in ("scikit-learn", "trec_eval", "ranx", "catboost"):
    ...     print(name, round(scored_ndcg(*tied, name), 3))
    scikit-learn 0.751
    trec_eval 0.599
    ranx 0.939
    catboost 0.538
    """
    rules = _rules(convention)
    gains = gains_of(_admitted(labels, "labels", rules), rules.gain, "labels")
    if len(gains) < rules.shortest:
        raise refusal("labels", labels, f"at least {rules.shortest} documents, as {rules.name} does")
    judged = gains if pool is None else gains_of(_admitted(pool, "pool", rules), rules.gain, "pool")
    ranked = ranked_gains(gains, _read_scores(scores, len(gains), rules), rules.ties, docs)
    return _ratio(ranked, gains if rules.pool == "list" else judged, checked_k(k), rules)


def mean_over_queries(values: Sequence[float | None]) -> float:
    """Return the mean over the queries that count; None marks one that was left out.

    多个查询取平均：被跳过的查询，分子分母里都没有它。

    Raises ValueError when no query is left.

    >>> mean_over_queries([1.0, 0.0]), mean_over_queries([1.0, None])
    (0.5, 1.0)
    """
    counted = [value for value in values if value is not None]
    if not counted:
        raise refusal("values", values, "at least one query that is not left out")
    return sum(counted) / len(counted)


def _rules(convention: str | Convention) -> Convention:
    if isinstance(convention, Convention):
        return convention
    return CONVENTIONS[checked_choice(convention, "convention", CONVENTIONS)]


def _admitted(grades: Grades, name: str, rules: Convention) -> list[Grade]:
    """The grades as the library reads them, or its refusal."""
    read = [_read(grade, f"{name}[{place}]", rules) for place, grade in enumerate(listed(grades, name))]
    if not read:
        raise refusal(name, grades, "at least one grade")
    return read


def _read(grade: Grade, name: str, rules: Convention) -> Grade:
    if grade is None:
        return None
    number = checked_number(grade, name, "a finite number, or None for an unjudged document")
    if rules.fractional == "truncated":
        number = int(number)
    if rules.negative == "zero":
        number = max(number, 0)
    if complaint := _complaint(number, rules):
        raise refusal(name, grade, f"{complaint}: that is the rule of {rules.name}")
    return number


def _complaint(number: float, rules: Convention) -> str | None:
    if number < 0 and rules.negative == "refused":
        return "a grade >= 0"
    if number % 1 and rules.fractional == "refused":
        return "a whole number"
    if rules.largest_grade is not None and number > rules.largest_grade:
        return f"at most {rules.largest_grade}"
    return None


def _read_scores(scores: Sequence[float] | Array, count: int, rules: Convention) -> Sequence[float]:
    read = checked_scores(scores, count)
    return array("f", read).tolist() if rules.single else read


def _ratio(ranked: Sequence[float], ideal: Sequence[float], k: int | None, rules: Convention) -> float | None:
    weights = discount_weights(max(len(ranked), len(ideal)), rules.discount)
    best = discounted_sum(sorted(ideal, reverse=True)[:k], weights, "labels or pool")
    if best == 0:
        return ZERO_IDEALS[rules.zero_ideal]
    ratio = discounted_sum(ranked[:k], weights, "labels") / best
    return ratio if rules.decimals is None else round(ratio, rules.decimals)
