"""The skills that can be practised: what is asked, how large, and which mistakes must show."""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from app.engine.checks import checked_choice
from app.engine.generate.coin_skills import COIN_SKILL_BY_NAME
from app.engine.generate.fixed_misconceptions import FIXED_MISCONCEPTION_IDS
from app.engine.generate.label_skills import LABEL_SKILL_BY_NAME
from app.engine.generate.pair_skills import PAIR_SKILL_BY_NAME
from app.engine.generate.skill_kinds import SIZE_BY_LEVEL, ListSkill, TableSkill
from app.engine.misconceptions.table import ALL_MISCONCEPTIONS

LEVELS = tuple(SIZE_BY_LEVEL)
FAR_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (4, 5), 2: (4, 6), 3: (5, 6)})
LONGER_LIST_BOUNDS_BY_LEVEL = MappingProxyType({1: (5, 5), 2: (5, 6), 3: (6, 6)})
"""Shares of few documents are too alike, and behind the rank that is asked for stands mostly another one."""
LONGEST_LIST_BOUNDS_BY_LEVEL = MappingProxyType({1: (5, 6), 2: (6, 7), 3: (7, 8)})
EQUALLY_LONG_LIST_BOUNDS_BY_LEVEL = MappingProxyType({1: (7, 8), 2: (7, 8), 3: (7, 8)})
"""In a shorter list the first relevant document stands mostly at rank 2: further down mistakes look alike."""
EXTRA_ZEROS_FOR_HALF = 2  # with grades up to 3 these make 0 as likely as all others: a binary list needs both
FEW_LEADING_ZEROS_BOUNDS = (1, 3)
DEEPER_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 6), 3: (3, 8)})
DOWN_THE_LIST_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 7), 3: (5, 10)})
END_OF_LIST_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (4, 7), 2: (4, 9), 3: (6, 10)})
DOWN_THE_LIST_BUT_THIRD_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 5), 2: (2, 7), 3: (5, 10)})
"""Where the third rank is left out: it keeps a half, and loses a half."""
FROM_SECOND_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 5), 2: (2, 6), 3: (2, 7)})
ONE_FURTHER_RANK_BOUNDS_BY_LEVEL = MappingProxyType({1: (2, 4), 2: (2, 5), 3: (2, 6)})
"""Grade 2 at rank 3 hides too much."""

EXPONENTIAL_GAIN_MISCONCEPTION_IDS = ("linear_for_exponential", "power_without_minus_one")
ONE_RANK_SLIP_IDS = ("discount_not_asked", "running_total_for_one")
WRONG_RANK_IN_LOG_IDS = ("log2_of_rank", "log2_rank_plus_two")
WRONG_LOG_IDS = ("natural_log", *WRONG_RANK_IN_LOG_IDS)
ALL_WRONG_LOG_IDS = ("natural_log", "log10", *WRONG_RANK_IN_LOG_IDS)
WRONG_WITHOUT_LOG_IDS = ("reciprocal_rank_discount", "no_discount", "multiplied_by_log")
SHORT_SUM_IDS = ("mean_not_sum", "last_term_dropped")
WRONG_ORDER_IDS = ("ideal_ascending", "ideal_not_sorted")
WRONG_RATIO_IDS = ("ratio_inverted", "dcg_for_ndcg")
NO_WEIGHT_IDS = ("weight_lost", "term_for_weight")
STOPPED_AT_WEIGHT_IDS = ("log_forgotten", "gain_forgotten")
"""Mistakes that are made together, in the order of the table of misconceptions."""

GAIN_SKILL = ListSkill(
    "gain",
    ("exponential_for_linear", "rank_for_grade", *ONE_RANK_SLIP_IDS),
    rank_bounds_by_level=ONE_FURTHER_RANK_BOUNDS_BY_LEVEL,
)
GAIN_EXPONENTIAL_SKILL = ListSkill(
    "gain",
    (*EXPONENTIAL_GAIN_MISCONCEPTION_IDS, *ONE_RANK_SLIP_IDS),
    gain="exponential",
    rank_bounds_by_level=ONE_FURTHER_RANK_BOUNDS_BY_LEVEL,
)
DISCOUNT_SKILL = ListSkill("discount", (*ALL_WRONG_LOG_IDS, "multiplied_by_log"))
DISCOUNT_FAR_SKILL = ListSkill(
    "discount", (*ALL_WRONG_LOG_IDS, *WRONG_WITHOUT_LOG_IDS), rank_bounds_by_level=FAR_RANK_BOUNDS_BY_LEVEL
)
TERM_SKILL = ListSkill(
    "term", ("exponential_for_linear", *WRONG_LOG_IDS, "multiplied_by_log", "running_total_for_one")
)
TERM_EXPONENTIAL_SKILL = ListSkill(
    "term", (*EXPONENTIAL_GAIN_MISCONCEPTION_IDS, *WRONG_LOG_IDS, "multiplied_by_log"), gain="exponential"
)
RECIPROCAL_RANK_SKILL = ListSkill(
    "reciprocal_rank",
    (
        "last_relevant_rank",
        "rank_plus_one",
        "rank_not_turned",
        "discount_for_reciprocal",
        "mean_of_reciprocals",
        "reciprocal_of_mean_rank",
    ),
    document_bounds_by_level=LONGEST_LIST_BOUNDS_BY_LEVEL,
    extra_zero_count=EXTRA_ZEROS_FOR_HALF,
    leading_zero_bounds=FEW_LEADING_ZEROS_BOUNDS,
)
IDEAL_ORDER_SKILL = ListSkill("idcg", ("no_discount", "mean_not_sum", *WRONG_ORDER_IDS))

NDCG_SKILL_BY_NAME: Mapping[str, ListSkill] = MappingProxyType(
    {
        "ndcg": ListSkill(
            "ndcg",
            (
                "exponential_for_linear",
                "log2_of_rank",
                "reciprocal_rank_discount",
                "ideal_ascending",
                *WRONG_RATIO_IDS,
            ),
            hidden_misconception_ids=("ideal_not_sorted",),  # 1, as without a discount
        ),
        "ndcg-exponential": ListSkill(
            "ndcg",
            (*EXPONENTIAL_GAIN_MISCONCEPTION_IDS, "mixed_gains", *WRONG_RATIO_IDS),
            gain="exponential",
            hidden_misconception_ids=("ideal_not_sorted",),  # 1, as without a discount
        ),
        "ndcg-at-k": ListSkill(
            "ndcg",
            ("ideal_not_sorted", "ideal_from_first_k", "ideal_not_cut", "k_ignored", *WRONG_RATIO_IDS),
            is_cut=True,
        ),
        "ndcg-pool": ListSkill(
            "ndcg",
            ("ideal_not_sorted", "ideal_from_retrieved", "ideal_not_cut", "no_discount", *WRONG_RATIO_IDS),
            has_pool=True,
        ),
    }
)

LIST_SKILL_BY_NAME: Mapping[str, ListSkill] = MappingProxyType(
    {
        "gain": GAIN_SKILL,
        "gain-exponential": GAIN_EXPONENTIAL_SKILL,
        "discount": DISCOUNT_SKILL,
        "discount-far": DISCOUNT_FAR_SKILL,
        "term": TERM_SKILL,
        "term-exponential": TERM_EXPONENTIAL_SKILL,
        "cg": ListSkill("cg", ("exponential_for_linear", "discount_not_asked", *SHORT_SUM_IDS)),
        "cg-at-k": ListSkill("cg", ("discount_not_asked", *SHORT_SUM_IDS, "k_ignored"), is_cut=True),
        "dcg": ListSkill(
            "dcg",
            ("exponential_for_linear", *ALL_WRONG_LOG_IDS, *WRONG_WITHOUT_LOG_IDS),
        ),
        "dcg-exponential": ListSkill(
            "dcg",
            (
                *EXPONENTIAL_GAIN_MISCONCEPTION_IDS,
                "minus_one_in_exponent",
                "twice_the_grade",
                "natural_log",
                "log2_of_rank",
                "no_discount",
            ),
            gain="exponential",
        ),
        "dcg-sum": ListSkill(
            "dcg",
            (
                "mean_not_sum",
                "zeros_dropped",
                "first_term_dropped",
                "last_term_dropped",
                "ideal_for_dcg",
                "no_discount",
            ),
        ),
        "dcg-at-k": ListSkill(
            "dcg",
            ("natural_log", "no_discount", *SHORT_SUM_IDS, "ideal_for_dcg", "k_ignored"),
            is_cut=True,
        ),
        "ideal-order": IDEAL_ORDER_SKILL,
        "idcg": ListSkill(
            "idcg", ("exponential_for_linear", *WRONG_LOG_IDS, "no_discount", *WRONG_ORDER_IDS)
        ),
        "idcg-exponential": ListSkill(
            "idcg",
            (*EXPONENTIAL_GAIN_MISCONCEPTION_IDS, "natural_log", "log2_of_rank", *WRONG_ORDER_IDS),
            gain="exponential",
        ),
        "idcg-cut": ListSkill(
            "idcg",
            ("natural_log", *WRONG_ORDER_IDS, "ideal_from_first_k", "ideal_not_cut"),
            is_cut=True,
        ),
        "idcg-pool": ListSkill(
            "idcg",
            ("natural_log", *WRONG_ORDER_IDS, "ideal_from_retrieved", "ideal_not_cut"),
            has_pool=True,
        ),
        **NDCG_SKILL_BY_NAME,
        "precision": ListSkill(
            "precision",
            (
                "k_ignored",
                "grades_for_hits",
                "recall_for_precision",
                "relevant_to_irrelevant",
                "count_not_share",
            ),
            is_cut=True,
            document_bounds_by_level=LONGEST_LIST_BOUNDS_BY_LEVEL,
            extra_zero_count=EXTRA_ZEROS_FOR_HALF,
        ),
        "recall": ListSkill(
            "recall",
            (
                "grades_for_hits",
                "precision_for_recall",
                "divided_by_found",
                "found_to_missed",
                "count_not_share",
            ),
            is_cut=True,
            has_pool=True,
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            extra_zero_count=EXTRA_ZEROS_FOR_HALF,
        ),
        "average-precision": ListSkill(
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
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            extra_zero_count=EXTRA_ZEROS_FOR_HALF,
        ),
        "reciprocal-rank": RECIPROCAL_RANK_SKILL,
        "auc": ListSkill(
            "auc",
            (
                "graded_pairs",
                "pairs_upside_down",
                "neighbours_alone",
                "count_not_share",
                "divided_by_every_pair",
            ),
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            extra_zero_count=EXTRA_ZEROS_FOR_HALF,
        ),
        "err": ListSkill(
            "err",
            (
                "linear_chance",
                "chance_without_minus_one",
                "readers_never_leave",
                "rank_forgotten",
                "log_for_rank",
            ),
        ),
        "rbp": ListSkill(
            "rbp",
            (
                "grades_for_hits",
                "patience_from_first",
                "patience_once",
                "patience_not_scaled",
                "patience_of_list",
            ),
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            extra_zero_count=EXTRA_ZEROS_FOR_HALF,
        ),
        "gain@2": GAIN_SKILL._replace(rank_bounds_by_level=DEEPER_RANK_BOUNDS_BY_LEVEL, asks_any_grade=True),
        "gain-exponential@2": GAIN_EXPONENTIAL_SKILL._replace(
            rank_bounds_by_level=DEEPER_RANK_BOUNDS_BY_LEVEL, asks_any_grade=True
        ),
        "discount@2": DISCOUNT_SKILL._replace(rank_bounds_by_level=DOWN_THE_LIST_RANK_BOUNDS_BY_LEVEL),
        "discount-far@2": DISCOUNT_FAR_SKILL._replace(rank_bounds_by_level=END_OF_LIST_RANK_BOUNDS_BY_LEVEL),
        "ideal-order@2": IDEAL_ORDER_SKILL._replace(least_top_grade=3),
        **{
            f"{name}@2": skill._replace(never_right_misconception_ids=FIXED_MISCONCEPTION_IDS)
            for name, skill in NDCG_SKILL_BY_NAME.items()
        },
        "discount@3": DISCOUNT_SKILL._replace(
            rank_bounds_by_level=DOWN_THE_LIST_BUT_THIRD_RANK_BOUNDS_BY_LEVEL,
            always_wrong_misconception_ids=NO_WEIGHT_IDS,
        ),
        "discount-far@3": DISCOUNT_FAR_SKILL._replace(
            rank_bounds_by_level=END_OF_LIST_RANK_BOUNDS_BY_LEVEL,
            always_wrong_misconception_ids=NO_WEIGHT_IDS,
        ),
        "term@2": TERM_SKILL._replace(
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            always_wrong_misconception_ids=("rank_for_grade",),
        ),
        "term-exponential@2": TERM_EXPONENTIAL_SKILL._replace(
            rank_bounds_by_level=ONE_FURTHER_RANK_BOUNDS_BY_LEVEL,
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            always_wrong_misconception_ids=("rank_for_grade", "running_total_for_one"),
        ),
        "ndcg-at-k@3": NDCG_SKILL_BY_NAME["ndcg-at-k"]._replace(
            never_right_misconception_ids=FIXED_MISCONCEPTION_IDS,
            always_wrong_misconception_ids=("share_of_full_marks",),
        ),
        "term@3": TERM_SKILL._replace(
            told_apart_misconception_ids=(*TERM_SKILL.told_apart_misconception_ids, *STOPPED_AT_WEIGHT_IDS),
            rank_bounds_by_level=FROM_SECOND_RANK_BOUNDS_BY_LEVEL,
            document_bounds_by_level=LONGEST_LIST_BOUNDS_BY_LEVEL,
            always_wrong_misconception_ids=("rank_for_grade",),
        ),
        "ndcg-at-k@4": NDCG_SKILL_BY_NAME["ndcg-at-k"]._replace(
            document_bounds_by_level=LONGER_LIST_BOUNDS_BY_LEVEL,
            never_right_misconception_ids=FIXED_MISCONCEPTION_IDS,
            always_wrong_misconception_ids=("share_of_full_marks",),
        ),
        "reciprocal-rank@2": RECIPROCAL_RANK_SKILL._replace(
            document_bounds_by_level=EQUALLY_LONG_LIST_BOUNDS_BY_LEVEL
        ),
    }
)
"""Of a skill that is drawn anew a later version stands under a name of its own, ``name@2``: a seed that was
given out keeps its numbers."""
SKILL_BY_NAME: Mapping[str, ListSkill | TableSkill] = MappingProxyType(
    {**LIST_SKILL_BY_NAME, **PAIR_SKILL_BY_NAME, **COIN_SKILL_BY_NAME, **LABEL_SKILL_BY_NAME}
)


def generator_names() -> tuple[str, ...]:
    """Return the names of the skills that can be practised, in the order of the course.

    >>> generator_names()[:4]
    ('gain', 'gain-exponential', 'discount', 'discount-far')
    """
    return tuple(SKILL_BY_NAME)


@cache
def shown_misconception_ids(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill show: all of ``misconception_ids_told_apart``,
    and those that name the skill, in any of its versions, in ``mostly_showing_generators``.

    Raises ValueError for an unknown skill.

    >>> [name for name in shown_misconception_ids("err") if name not in misconception_ids_told_apart("err")]
    ['scale_of_list', 'reciprocal_rank_given']
    """
    skill_name, _, _ = skill.partition("@")
    mostly_shown_ids = [
        model.id for model in ALL_MISCONCEPTIONS if skill_name in model.mostly_showing_generators
    ]
    return tuple(dict.fromkeys((*_skill_named(skill).told_apart_misconception_ids, *mostly_shown_ids)))


def misconception_ids_told_apart(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill tell apart, each by its own number; where a
    grade of 0 or 1 may be asked for, those of them that do not lead to the truth.

    Raises ValueError for an unknown skill.

    >>> misconception_ids_told_apart("cg-at-k")
    ('discount_not_asked', 'mean_not_sum', 'last_term_dropped', 'k_ignored')
    """
    return _skill_named(skill).told_apart_misconception_ids


def _skill_named(skill: str) -> ListSkill | TableSkill:
    return SKILL_BY_NAME[checked_choice(skill, "skill", SKILL_BY_NAME)]
