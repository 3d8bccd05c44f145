"""Swaps and lambdas that can be practised: which list, which two of it, and which mistakes must show."""

from collections.abc import Mapping
from types import MappingProxyType

from app.engine.generate.fixed_misconceptions import FIXED_MISCONCEPTION_IDS
from app.engine.generate.random_stream import RandomStream
from app.engine.generate.skill_kinds import SIZE_BY_LEVEL, TableSkill
from app.engine.pair_questions import PairForce, RankSwap

LEAST_NDCG_CHANGE = 0.06
LEAST_LAMBDA = 0.05  # below it a third decimal tells little
LARGEST_SCORE_GAP = 3  # as far as the table of surprises goes
LARGEST_SCORE_STEP_BY_LEVEL = MappingProxyType({1: 1, 2: 2, 3: 2})


def draw_swap(level: int, random_stream: RandomStream) -> RankSwap | None:
    """Return a list of 3 to 6 documents and two of its ranks; level 1: neighbours or next but one."""
    grades = _draw_grades(level, random_stream)
    first_rank = random_stream.between(1, len(grades) - 1)
    second_rank = random_stream.between(first_rank + 1, len(grades))
    if not _may_be_asked(grades, first_rank, second_rank):
        return None
    rank_swap = RankSwap(grades, first_rank, second_rank)
    if rank_swap.figure() < LEAST_NDCG_CHANGE:
        return None
    return rank_swap


def draw_force(level: int, random_stream: RandomStream) -> PairForce | None:
    """Return a question about a pair of documents with scores: 1 apart at level 1, up to 2 apart above."""
    grades = _draw_grades(level, random_stream)
    first_rank = random_stream.between(1, len(grades) - 1)
    second_rank = random_stream.between(first_rank + 1, len(grades))
    scores = [0]
    for _ in grades[1:]:
        scores.append(scores[-1] + random_stream.between(1, LARGEST_SCORE_STEP_BY_LEVEL[level]))
    scores.reverse()
    score_gap = scores[first_rank - 1] - scores[second_rank - 1]
    if score_gap > LARGEST_SCORE_GAP or not _may_be_asked(grades, first_rank, second_rank):
        return None
    pair_force = PairForce(grades, first_rank, second_rank, scores=scores)
    if pair_force.figure() < LEAST_LAMBDA:
        return None
    return pair_force


def _draw_grades(level: int, random_stream: RandomStream) -> list[int]:
    level_size = SIZE_BY_LEVEL[level]
    list_length = random_stream.between(*level_size.document_bounds)
    return [random_stream.between(0, level_size.top_grade) for _ in range(list_length)]


def _may_be_asked(grades: list[int], first_rank: int, second_rank: int) -> bool:
    """Whether the two are of unequal grades, and the list is not sorted."""
    return grades[first_rank - 1] != grades[second_rank - 1] and grades != sorted(grades, reverse=True)


DELTA_NDCG_SKILL = TableSkill(
    "delta_ndcg",
    draw_swap,
    (
        "exponential_for_linear",
        "upper_weight_alone",
        "swap_not_divided",
        "swap_over_dcg",
    ),
)
LAMBDA_SKILL = TableSkill(
    "lambda",
    draw_force,
    (
        "upper_weight_alone",
        "swap_not_divided",
        "swap_over_dcg",
        "gap_reversed",
        "penalty_for_surprise",
        "surprise_forgotten",
        "swap_forgotten",
        "both_added",
    ),
)
PAIR_SKILL_BY_NAME: Mapping[str, TableSkill] = MappingProxyType(
    {
        "delta-ndcg": DELTA_NDCG_SKILL,
        "lambda": LAMBDA_SKILL,
        "lambda@2": LAMBDA_SKILL._replace(never_right_misconception_ids=FIXED_MISCONCEPTION_IDS),
    }
)
