"""The skills that can be practised: what is asked, how large, and which mistakes must show."""

from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType

from app.engine.checks import checked_choice
from app.engine.generate.coin_skills import COIN_SKILLS
from app.engine.generate.label_skills import LABEL_SKILLS
from app.engine.generate.lists import (
    DEEPER_RANKS,
    FAR_RANKS,
    FEW_LEADING_ZEROS,
    HALF_ZEROS,
    LONGER_LISTS,
    LONGEST_LISTS,
    RANKS_AT_THE_END,
    RANKS_DOWN_THE_LIST,
    RANKS_ONE_FURTHER,
    SIZES,
    GeneratedSkill,
)
from app.engine.generate.pair_skills import PAIR_SKILLS
from app.engine.generate.tables import TableSkill

LEVELS = tuple(SIZES)
EXPONENTIAL_GAINS = ("linear_for_exponential", "power_without_minus_one")
SLIPS_OF_ONE_RANK = ("discount_not_asked", "running_total_for_one")
WRONG_RANKS_IN_LOG = ("log2_of_rank", "log2_rank_plus_two")
WRONG_LOGS = ("natural_log", *WRONG_RANKS_IN_LOG)
ALL_WRONG_LOGS = ("natural_log", "log10", *WRONG_RANKS_IN_LOG)
WRONG_WITHOUT_LOG = ("reciprocal_rank_discount", "no_discount", "multiplied_by_log")
SHORT_SUMS = ("mean_not_sum", "last_term_dropped")
WRONG_ORDERS = ("ideal_ascending", "ideal_not_sorted")
WRONG_RATIOS = ("ratio_inverted", "dcg_for_ndcg")
"""Mistakes that are made together, in the order of the table of misconceptions."""

GAIN = GeneratedSkill(
    "gain",
    ("exponential_for_linear", "rank_for_grade", *SLIPS_OF_ONE_RANK),
    ranks=RANKS_ONE_FURTHER,
)
GAIN_EXPONENTIAL = GeneratedSkill(
    "gain",
    (*EXPONENTIAL_GAINS, *SLIPS_OF_ONE_RANK),
    gain="exponential",
    ranks=RANKS_ONE_FURTHER,
)
DISCOUNT = GeneratedSkill("discount", (*ALL_WRONG_LOGS, "multiplied_by_log"))
DISCOUNT_FAR = GeneratedSkill("discount", (*ALL_WRONG_LOGS, *WRONG_WITHOUT_LOG), ranks=FAR_RANKS)
GAIN_OF_ANY_GRADE = replace(GAIN, ranks=DEEPER_RANKS, asks_any_grade=True)
GAIN_EXPONENTIAL_OF_ANY_GRADE = replace(GAIN_EXPONENTIAL, ranks=DEEPER_RANKS, asks_any_grade=True)
DISCOUNT_DOWN_THE_LIST = replace(DISCOUNT, ranks=RANKS_DOWN_THE_LIST)
DISCOUNT_AT_THE_END = replace(DISCOUNT_FAR, ranks=RANKS_AT_THE_END)
TERM = GeneratedSkill(
    "term",
    ("exponential_for_linear", *WRONG_LOGS, "multiplied_by_log", "running_total_for_one"),
)
TERM_EXPONENTIAL = GeneratedSkill(
    "term",
    (*EXPONENTIAL_GAINS, *WRONG_LOGS, "multiplied_by_log"),
    gain="exponential",
)
CG = GeneratedSkill("cg", ("exponential_for_linear", "discount_not_asked", *SHORT_SUMS))
CG_AT_K = GeneratedSkill("cg", ("discount_not_asked", *SHORT_SUMS, "k_ignored"), is_cut=True)
DCG = GeneratedSkill(
    "dcg",
    ("exponential_for_linear", *ALL_WRONG_LOGS, *WRONG_WITHOUT_LOG),
    mostly_shown=("natural_log_after_first",),
)
DCG_EXPONENTIAL = GeneratedSkill(
    "dcg",
    (
        *EXPONENTIAL_GAINS,
        "minus_one_in_exponent",
        "twice_the_grade",
        "natural_log",
        "log2_of_rank",
        "no_discount",
    ),
    gain="exponential",
)
DCG_SUM = GeneratedSkill(
    "dcg",
    (
        "mean_not_sum",
        "zeros_dropped",
        "first_term_dropped",
        "last_term_dropped",
        "ideal_for_dcg",
        "no_discount",
    ),
)
DCG_AT_K = GeneratedSkill(
    "dcg",
    ("natural_log", "no_discount", *SHORT_SUMS, "ideal_for_dcg", "k_ignored"),
    is_cut=True,
)
IDEAL_ORDER = GeneratedSkill("idcg", ("no_discount", "mean_not_sum", *WRONG_ORDERS))
IDEAL_ORDER_WITH_A_RIGHT_ONE = replace(IDEAL_ORDER, least_top_grade=3)
IDCG = GeneratedSkill("idcg", ("exponential_for_linear", *WRONG_LOGS, "no_discount", *WRONG_ORDERS))
IDCG_EXPONENTIAL = GeneratedSkill(
    "idcg",
    (*EXPONENTIAL_GAINS, "natural_log", "log2_of_rank", *WRONG_ORDERS),
    gain="exponential",
)
IDCG_CUT = GeneratedSkill(
    "idcg",
    ("natural_log", *WRONG_ORDERS, "ideal_from_first_k", "ideal_not_cut"),
    is_cut=True,
)
IDCG_POOL = GeneratedSkill(
    "idcg",
    ("natural_log", *WRONG_ORDERS, "ideal_from_retrieved", "ideal_not_cut"),
    has_pool=True,
)
NDCG = GeneratedSkill(
    "ndcg",
    ("exponential_for_linear", "log2_of_rank", "reciprocal_rank_discount", "ideal_ascending", *WRONG_RATIOS),
    hidden=("ideal_not_sorted",),  # 1, as without a discount
    mostly_shown=("dcg_over_cg", "share_of_full_marks"),
)
NDCG_EXPONENTIAL = GeneratedSkill(
    "ndcg",
    (*EXPONENTIAL_GAINS, "mixed_gains", *WRONG_RATIOS),
    gain="exponential",
    hidden=("ideal_not_sorted",),  # 1, as without a discount
)
NDCG_AT_K = GeneratedSkill(
    "ndcg",
    ("ideal_not_sorted", "ideal_from_first_k", "ideal_not_cut", "k_ignored", *WRONG_RATIOS),
    is_cut=True,
)
NDCG_POOL = GeneratedSkill(
    "ndcg",
    ("ideal_not_sorted", "ideal_from_retrieved", "ideal_not_cut", "no_discount", *WRONG_RATIOS),
    has_pool=True,
)

PRECISION = GeneratedSkill(
    "precision",
    ("k_ignored", "grades_for_hits", "recall_for_precision", "relevant_to_irrelevant", "count_not_share"),
    is_cut=True,
    documents=LONGEST_LISTS,
    extra_zeros=HALF_ZEROS,
    mostly_shown=("only_sweetest_relevant",),
)
RECALL = GeneratedSkill(
    "recall",
    ("grades_for_hits", "precision_for_recall", "divided_by_found", "found_to_missed", "count_not_share"),
    is_cut=True,
    has_pool=True,
    documents=LONGER_LISTS,
    extra_zeros=HALF_ZEROS,
)
AVERAGE_PRECISION = GeneratedSkill(
    "average_precision",
    (
        "irrelevant_ranks_noted",
        "mean_of_all_precisions",
        "reciprocals_of_ranks",
        "precision_for_average",
        "divided_by_all_ranks",
        "divided_by_found",
        "count_not_share",
    ),
    has_pool=True,
    documents=LONGER_LISTS,
    extra_zeros=HALF_ZEROS,
    mostly_shown=("only_sweetest_relevant",),
)
RECIPROCAL_RANK = GeneratedSkill(
    "reciprocal_rank",
    (
        "last_relevant_rank",
        "rank_plus_one",
        "rank_not_turned",
        "discount_for_reciprocal",
        "mean_of_reciprocals",
        "reciprocal_of_mean_rank",
    ),
    documents=LONGEST_LISTS,
    extra_zeros=HALF_ZEROS,
    leading_zeros=FEW_LEADING_ZEROS,
    mostly_shown=("rank_from_zero",),
)
AUC = GeneratedSkill(
    "auc",
    (
        "graded_pairs",
        "pairs_upside_down",
        "neighbours_alone",
        "count_not_share",
        "divided_by_every_pair",
    ),
    documents=LONGER_LISTS,
    extra_zeros=HALF_ZEROS,
    mostly_shown=("only_sweetest_relevant",),
)
ERR = GeneratedSkill(
    "err",
    (
        "linear_chance",
        "chance_without_minus_one",
        "readers_never_leave",
        "rank_forgotten",
        "log_for_rank",
    ),
    mostly_shown=("scale_of_list",),
)
RBP = GeneratedSkill(
    "rbp",
    (
        "grades_for_hits",
        "patience_from_first",
        "patience_once",
        "patience_not_scaled",
        "patience_of_list",
    ),
    documents=LONGER_LISTS,
    extra_zeros=HALF_ZEROS,
    mostly_shown=("patience_swapped", "only_sweetest_relevant"),
)

SKILLS: Mapping[str, GeneratedSkill] = MappingProxyType(
    {
        "gain": GAIN,
        "gain-exponential": GAIN_EXPONENTIAL,
        "discount": DISCOUNT,
        "discount-far": DISCOUNT_FAR,
        "term": TERM,
        "term-exponential": TERM_EXPONENTIAL,
        "cg": CG,
        "cg-at-k": CG_AT_K,
        "dcg": DCG,
        "dcg-exponential": DCG_EXPONENTIAL,
        "dcg-sum": DCG_SUM,
        "dcg-at-k": DCG_AT_K,
        "ideal-order": IDEAL_ORDER,
        "idcg": IDCG,
        "idcg-exponential": IDCG_EXPONENTIAL,
        "idcg-cut": IDCG_CUT,
        "idcg-pool": IDCG_POOL,
        "ndcg": NDCG,
        "ndcg-exponential": NDCG_EXPONENTIAL,
        "ndcg-at-k": NDCG_AT_K,
        "ndcg-pool": NDCG_POOL,
        "precision": PRECISION,
        "recall": RECALL,
        "average-precision": AVERAGE_PRECISION,
        "reciprocal-rank": RECIPROCAL_RANK,
        "auc": AUC,
        "err": ERR,
        "rbp": RBP,
        "gain@2": GAIN_OF_ANY_GRADE,
        "gain-exponential@2": GAIN_EXPONENTIAL_OF_ANY_GRADE,
        "discount@2": DISCOUNT_DOWN_THE_LIST,
        "discount-far@2": DISCOUNT_AT_THE_END,
        "ideal-order@2": IDEAL_ORDER_WITH_A_RIGHT_ONE,
    }
)
"""Of a skill that is drawn anew the later version stands under a name of its own, ``name@2``: a seed that was
given out keeps its numbers."""


TABLE_SKILLS: Mapping[str, TableSkill] = MappingProxyType({**PAIR_SKILLS, **COIN_SKILLS, **LABEL_SKILLS})
"""The skills whose questions are about a table."""


def skills() -> tuple[str, ...]:
    """Return the names of the skills that can be practised, in the order of the course.

    >>> skills()[:4]
    ('gain', 'gain-exponential', 'discount', 'discount-far')
    """
    return (*SKILLS, *TABLE_SKILLS)


def shown(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill show: all of ``told_apart``, and further ones
    that share their number with another one in some variants.

    Raises ValueError for an unknown skill.

    >>> [name for name in shown("ndcg") if name not in told_apart("ndcg")]
    ['dcg_over_cg', 'share_of_full_marks']
    """
    generated_skill = _skill_named(skill)
    return generated_skill.told_apart + generated_skill.mostly_shown


def told_apart(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill tell apart, each by its own number; where a
    grade of 0 or 1 may be asked for, those of them that do not lead to the truth.

    Raises ValueError for an unknown skill.

    >>> told_apart("cg-at-k")
    ('discount_not_asked', 'mean_not_sum', 'last_term_dropped', 'k_ignored')
    """
    return _skill_named(skill).told_apart


def _skill_named(skill: str) -> GeneratedSkill | TableSkill:
    checked_choice(skill, "skill", skills())
    return SKILLS.get(skill) or TABLE_SKILLS[skill]
