"""The skills that can be practised: what is asked, how large, and which mistakes must show."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from app.engine.checks import checked_choice


@dataclass(frozen=True, slots=True)
class Size:
    """How large the questions of a level are.

    documents: shortest and longest list. top: the highest grade. ranks: first and last rank asked about.
    unseen: fewest and most judged documents that the system did not return, where there is a pool.
    """

    documents: tuple[int, int]
    top: int
    ranks: tuple[int, int]
    unseen: tuple[int, int]


SIZES: Mapping[int, Size] = MappingProxyType(
    {
        1: Size(documents=(3, 4), top=3, ranks=(2, 3), unseen=(1, 2)),
        2: Size(documents=(4, 5), top=3, ranks=(2, 4), unseen=(2, 2)),
        3: Size(documents=(5, 6), top=4, ranks=(2, 6), unseen=(2, 2)),
    }
)
LEVELS = tuple(SIZES)
FAR = MappingProxyType({1: (4, 5), 2: (4, 6), 3: (5, 6)})
A_RANK_FURTHER = MappingProxyType({1: (2, 4), 2: (2, 5), 3: (2, 6)})  # grade 2 at rank 3 hides too much


@dataclass(frozen=True, slots=True)
class GeneratedSkill:
    """What is practised: a quantity under its conventions, and the mistakes that must show.

    cut: ``k`` is below the length of the list. pool: there are judged documents that were not returned,
    and ``k`` is the length of the list. ranks: by level, where they differ from those of the level.
    hidden: mistakes that lie apart from the truth too, but share their number with another one in every
    variant, so that they are never named. mostly_shown: mistakes that were described after seeds had been
    given out: drawing leaves them alone, so that a seed keeps its numbers, and they show in most variants.
    """

    quantity: str
    told_apart: tuple[str, ...]
    gain: str = "linear"
    cut: bool = False
    pool: bool = False
    ranks: Mapping[int, tuple[int, int]] | None = None
    hidden: tuple[str, ...] = ()
    mostly_shown: tuple[str, ...] = ()


SKILLS: Mapping[str, GeneratedSkill] = MappingProxyType(
    {
        "gain": GeneratedSkill(
            "gain",
            ("exponential_for_linear", "rank_for_grade", "discount_not_asked", "running_total_for_one"),
            ranks=A_RANK_FURTHER,
        ),
        "gain-exponential": GeneratedSkill(
            "gain",
            (
                "linear_for_exponential",
                "power_without_minus_one",
                "discount_not_asked",
                "running_total_for_one",
            ),
            gain="exponential",
            ranks=A_RANK_FURTHER,
        ),
        "discount": GeneratedSkill(
            "discount",
            ("natural_log", "log10", "log2_of_rank", "log2_rank_plus_two", "multiplied_by_log"),
        ),
        "discount-far": GeneratedSkill(
            "discount",
            (
                "natural_log",
                "log10",
                "log2_of_rank",
                "log2_rank_plus_two",
                "reciprocal_rank_discount",
                "no_discount",
                "multiplied_by_log",
            ),
            ranks=FAR,
        ),
        "term": GeneratedSkill(
            "term",
            (
                "exponential_for_linear",
                "natural_log",
                "log2_of_rank",
                "log2_rank_plus_two",
                "multiplied_by_log",
                "running_total_for_one",
            ),
        ),
        "term-exponential": GeneratedSkill(
            "term",
            (
                "linear_for_exponential",
                "power_without_minus_one",
                "natural_log",
                "log2_of_rank",
                "log2_rank_plus_two",
                "multiplied_by_log",
            ),
            gain="exponential",
        ),
        "cg": GeneratedSkill(
            "cg",
            ("exponential_for_linear", "discount_not_asked", "mean_not_sum", "last_term_dropped"),
        ),
        "cg-at-k": GeneratedSkill(
            "cg",
            ("discount_not_asked", "mean_not_sum", "last_term_dropped", "k_ignored"),
            cut=True,
        ),
        "dcg": GeneratedSkill(
            "dcg",
            (
                "exponential_for_linear",
                "natural_log",
                "log10",
                "log2_of_rank",
                "log2_rank_plus_two",
                "reciprocal_rank_discount",
                "no_discount",
                "multiplied_by_log",
            ),
            mostly_shown=("natural_log_after_first",),
        ),
        "dcg-exponential": GeneratedSkill(
            "dcg",
            (
                "linear_for_exponential",
                "power_without_minus_one",
                "minus_one_in_exponent",
                "twice_the_grade",
                "natural_log",
                "log2_of_rank",
                "no_discount",
            ),
            gain="exponential",
        ),
        "dcg-sum": GeneratedSkill(
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
        "dcg-at-k": GeneratedSkill(
            "dcg",
            ("natural_log", "no_discount", "mean_not_sum", "last_term_dropped", "ideal_for_dcg", "k_ignored"),
            cut=True,
        ),
        "ideal-order": GeneratedSkill(
            "idcg",
            ("no_discount", "mean_not_sum", "ideal_ascending", "ideal_not_sorted"),
        ),
        "idcg": GeneratedSkill(
            "idcg",
            (
                "exponential_for_linear",
                "natural_log",
                "log2_of_rank",
                "log2_rank_plus_two",
                "no_discount",
                "ideal_ascending",
                "ideal_not_sorted",
            ),
        ),
        "idcg-exponential": GeneratedSkill(
            "idcg",
            (
                "linear_for_exponential",
                "power_without_minus_one",
                "natural_log",
                "log2_of_rank",
                "ideal_ascending",
                "ideal_not_sorted",
            ),
            gain="exponential",
        ),
        "idcg-cut": GeneratedSkill(
            "idcg",
            ("natural_log", "ideal_ascending", "ideal_not_sorted", "ideal_from_first_k", "ideal_not_cut"),
            cut=True,
        ),
        "idcg-pool": GeneratedSkill(
            "idcg",
            ("natural_log", "ideal_ascending", "ideal_not_sorted", "ideal_from_retrieved", "ideal_not_cut"),
            pool=True,
        ),
        "ndcg": GeneratedSkill(
            "ndcg",
            (
                "exponential_for_linear",
                "log2_of_rank",
                "reciprocal_rank_discount",
                "ideal_ascending",
                "ratio_inverted",
                "dcg_for_ndcg",
            ),
            hidden=("ideal_not_sorted",),  # 1, as without a discount
            mostly_shown=("dcg_over_cg", "share_of_full_marks"),
        ),
        "ndcg-exponential": GeneratedSkill(
            "ndcg",
            (
                "linear_for_exponential",
                "power_without_minus_one",
                "mixed_gains",
                "ratio_inverted",
                "dcg_for_ndcg",
            ),
            gain="exponential",
            hidden=("ideal_not_sorted",),  # 1, as without a discount
        ),
        "ndcg-at-k": GeneratedSkill(
            "ndcg",
            (
                "ideal_not_sorted",
                "ideal_from_first_k",
                "ideal_not_cut",
                "k_ignored",
                "ratio_inverted",
                "dcg_for_ndcg",
            ),
            cut=True,
        ),
        "ndcg-pool": GeneratedSkill(
            "ndcg",
            (
                "ideal_not_sorted",
                "ideal_from_retrieved",
                "ideal_not_cut",
                "no_discount",
                "ratio_inverted",
                "dcg_for_ndcg",
            ),
            pool=True,
        ),
    }
)


def skills() -> tuple[str, ...]:
    """Return the names of the skills that can be practised, in the order of the course.

    >>> skills()[:4]
    ('gain', 'gain-exponential', 'discount', 'discount-far')
    """
    return tuple(SKILLS)


def shown(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill show: all of ``told_apart``, and further ones
    that share their number with another one in some variants.

    Raises ValueError for an unknown skill.

    >>> [name for name in shown("ndcg") if name not in told_apart("ndcg")]
    ['dcg_over_cg', 'share_of_full_marks']
    """
    generated = SKILLS[checked_choice(skill, "skill", SKILLS)]
    return generated.told_apart + generated.mostly_shown


def told_apart(skill: str) -> tuple[str, ...]:
    """Return the misconceptions that the variants of the skill tell apart, each by its own number.

    Raises ValueError for an unknown skill.

    >>> told_apart("cg-at-k")
    ('discount_not_asked', 'mean_not_sum', 'last_term_dropped', 'k_ignored')
    """
    return SKILLS[checked_choice(skill, "skill", SKILLS)].told_apart
