"""Wrong swaps and wrong lambdas: what is moved, what it is divided by, and what the surprise does to it."""

import math

from app.engine.misconceptions.misconception import (
    Misconception,
    NeighbourGiven,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.tables.pair_working import Gains, WeightOfRank, listed_dcg
from app.engine.misconceptions.working import divisor_always_one
from app.engine.pair_questions import SWAP_QUANTITIES, RankSwap
from app.engine.pairwise.lambdarank import surprise_of_gap
from app.engine.questions import Question


def gain_of_better_alone(gains: Gains) -> float:
    """Return the gain of the better document."""
    better_gain, _ = gains
    return better_gain


def upper_weight(rank_swap: RankSwap, weight_of_rank: WeightOfRank) -> float:
    """Return what the upper rank keeps of a gain."""
    return weight_of_rank(rank_swap.first)


def rank_distance(rank_swap: RankSwap, weight_of_rank: WeightOfRank) -> float:  # noqa: ARG001
    """Return how many ranks lie from one to the other."""
    return rank_swap.second - rank_swap.first


def confidence_in_gap(gap: float) -> float:
    """Return how sure the model is of the right order.

    >>> round(confidence_in_gap(-1), 3)
    0.269
    """
    return surprise_of_gap(-gap)


def penalty_of_gap(gap: float) -> float:
    """Return what RankNet charges, ``ln(1 + e**-gap)``, whose slope is the surprise.

    >>> round(penalty_of_gap(-1), 3), penalty_of_gap(-1000)
    (1.313, 1000.0)
    """
    overshoot = max(-gap, 0.0)  # taken out of the bracket: e to the 1000 is no float
    return overshoot + math.log1p(math.exp(-abs(gap)))


def curvature_of_gap(gap: float) -> float:
    """Return how fast the surprise falls."""
    return surprise_of_gap(gap) * surprise_of_gap(-gap)


def ndcg_change_alone(rho: float, ndcg_change: float) -> float:  # noqa: ARG001
    """Return the worth of the swap."""
    return ndcg_change


def surprise_alone(rho: float, ndcg_change: float) -> float:  # noqa: ARG001
    """Return rho."""
    return rho


def sum_of_both(rho: float, ndcg_change: float) -> float:
    """Return the sum of the two."""
    return rho + ndcg_change


class WrongMove(Misconception):
    """What the swap moves is worked out wrongly."""

    step = "换座"
    quantities: Quantities = SWAP_QUANTITIES


class BetterGainAlone(WrongMove):
    """The gain of the better document, as if the other one were worth nothing."""

    id = "better_gain_alone"
    name = "只算了甜的那颗"
    thoughts = ("甜的那颗挪了位，就看它多得了多少。",)
    mistake_clause = "你只算了甜的那一颗挪位"
    hint = "一颗上去，另一颗就下来，要用两颗的增益之差去乘。"
    quantities = ("delta_ndcg",)
    mostly_showing_generators = ("delta-ndcg",)
    wrong_steps = wrong_steps_with(gain_gap=gain_of_better_alone)

    def fits(self, rank_swap: RankSwap) -> bool:
        return rank_swap.grades[rank_swap.worse_rank - 1] > 0


class UpperWeightAlone(WrongMove):
    """The weight of the upper rank, as if the lower one were worth nothing."""

    id = "upper_weight_alone"
    name = "只乘了前面那一位的折损"
    thoughts = ("换到前面，就按前面那一位打折。",)
    mistake_clause = "你只乘了前面那一位的折损"
    hint = "换之前它在后面也得过分，要乘的是两个名次的折损之差。"
    wrong_steps = wrong_steps_with(weight_gap=upper_weight)


class RanksForWeights(WrongMove):
    """The distance in ranks for the difference of their weights."""

    id = "ranks_for_weights"
    name = "拿隔了几位当折损差"
    thoughts = ("隔得越远，换一次越值，隔几位就乘几。",)
    mistake_clause = "你乘的是两位隔了几位"
    hint = "越靠后折损掉得越慢，隔几位不等于差多少，两位各查一次折损，再相减。"
    quantities = ("delta_ndcg",)
    mostly_showing_generators = ("delta-ndcg",)
    wrong_steps = wrong_steps_with(weight_gap=rank_distance)

    def fits(self, rank_swap: RankSwap) -> bool:
        return rank_swap.second - rank_swap.first > 1  # of neighbours nobody counts the ranks


def swapped_grades(rank_swap: RankSwap) -> list[float]:
    """Return the list after the swap.

    >>> swapped_grades(RankSwap([1, 3, 2, 0], 1, 2))
    [3, 1, 2, 0]
    """
    grades = list(rank_swap.grades)
    upper_index, lower_index = rank_swap.first - 1, rank_swap.second - 1
    grades[upper_index], grades[lower_index] = grades[lower_index], grades[upper_index]
    return grades


class NdcgBeforeSwap(NeighbourGiven):
    """The NDCG of the list as it stands."""

    id = "ndcg_of_swap"
    quantities = ("delta_ndcg",)

    def neighbour_of(self, rank_swap: RankSwap) -> Question:
        return Question("ndcg", rank_swap.grades, gain=rank_swap.gain)


class NdcgAfterSwap(NeighbourGiven):
    """The NDCG after the swap."""

    id = "ndcg_of_swap"
    name = "给成了NDCG，没有相减"
    step = "换座"
    thoughts = ("换完再算一次NDCG，就是换一换值几分。",)
    mistake_clause = "你给出的是一列的NDCG，还没有相减"
    hint = "问的是变了多少，对调前有一个NDCG，对调后又有一个，要的是它们的差。"
    quantities = ("delta_ndcg",)
    mostly_showing_generators = ("delta-ndcg",)
    mirror_model = NdcgBeforeSwap()

    def neighbour_of(self, rank_swap: RankSwap) -> Question:
        return Question("ndcg", swapped_grades(rank_swap), gain=rank_swap.gain)


class WrongWhole(Misconception):
    """What the swap moves is divided by something else."""

    step = "归到满分"
    quantities = SWAP_QUANTITIES


class SwapNotDivided(WrongWhole):
    """The change of DCG."""

    id = "swap_not_divided"
    name = "没有除以理想"
    thoughts = ("对调变多少，算出DCG变多少就行。",)
    mistake_clause = "你算的是DCG变多少"
    hint = "问的是NDCG变多少，还要除以理想DCG。"
    wrong_steps = wrong_steps_with(whole=divisor_always_one)


class SwapOverDcg(WrongWhole):
    """The change of DCG over the DCG of the list."""

    id = "swap_over_dcg"
    name = "除以了自己的DCG"
    thoughts = ("变化率嘛，除以原来的数。",)
    mistake_clause = "你除以的是这一列自己的DCG"
    hint = "NDCG的分母一直是理想DCG，换座以后也没变，要除以它。"
    wrong_steps = wrong_steps_with(whole=listed_dcg)


class WrongSurprise(Misconception):
    """The surprise is read wrongly."""

    step = "吃惊"
    quantities = ("lambda",)


class GapReversed(WrongSurprise):
    """The worse document's score minus the better one's."""

    id = "gap_reversed"
    name = "分差减反了"
    thoughts = ("用前面的模型分减后面的模型分。", "把握有几成，就推几成的力。")
    mistake_clause = "你的分差减反了"
    hint = "分差是该在前的减该在后的，谁更甜谁该在前，不看现在谁站前面。"
    wrong_steps = wrong_steps_with(surprise=confidence_in_gap)


class PenaltyForSurprise(WrongSurprise):
    """RankNet's loss instead of its slope."""

    id = "penalty_for_surprise"
    name = "拿罚分当吃惊"
    thoughts = ("排错了就罚，罚多少就推多少。",)
    mistake_clause = "你乘的是罚分"
    hint = "推的力气是罚分的坡，不是罚分自己，拿分差去查吃惊，用它来乘。"
    wrong_steps = wrong_steps_with(surprise=penalty_of_gap)


class CurvatureForSurprise(WrongSurprise):
    """How fast the surprise falls, which is what a leaf divides by."""

    id = "curvature_for_surprise"
    name = "多乘了一个“一减吃惊”"
    thoughts = ("S曲线的坡是吃惊乘一减吃惊。",)
    mistake_clause = "你还多乘了一个一减吃惊"
    hint = "那是力掉得多快，叶子说话时才拿它做分母；力本身只乘吃惊。"
    mostly_showing_generators = ("lambda",)
    wrong_steps = wrong_steps_with(surprise=curvature_of_gap)


class WrongForce(Misconception):
    """What becomes of the surprise and the swap is not their product."""

    step = "合成"
    quantities = ("lambda",)


class SurpriseForgotten(WrongForce):
    """The worth of the swap alone."""

    id = "surprise_forgotten"
    name = "忘了乘吃惊"
    thoughts = ("对调值几分，就推几分。",)
    mistake_clause = "你报的是对调值几分，没有乘吃惊"
    hint = "值钱的一对要是早就排稳了，用不着使劲推，还要乘上吃惊。"
    wrong_steps = wrong_steps_with(combination=ndcg_change_alone)


class SwapForgotten(WrongForce):
    """The surprise alone: RankNet."""

    id = "swap_forgotten"
    name = "忘了乘对调值几分"
    thoughts = ("有多吃惊，就推多重。",)
    mistake_clause = "你报的是吃惊，没有乘对调值几分"
    hint = "光看吃惊的是RankNet，LambdaRank还要问换一换值多少，把两样乘起来。"
    wrong_steps = wrong_steps_with(combination=surprise_alone)


class BothAdded(WrongForce):
    """The two added up."""

    id = "both_added"
    name = "该乘的加了起来"
    thoughts = ("两样都重要，加在一起。",)
    mistake_clause = "你把吃惊和对调值几分加了起来"
    hint = "两样里有一样接近0，就不该使劲，所以是相乘。"
    wrong_steps = wrong_steps_with(combination=sum_of_both)


PAIR_MODELS = (
    BetterGainAlone(),
    UpperWeightAlone(),
    RanksForWeights(),
    NdcgAfterSwap(),
    SwapNotDivided(),
    SwapOverDcg(),
    GapReversed(),
    PenaltyForSurprise(),
    CurvatureForSurprise(),
    SurpriseForgotten(),
    SwapForgotten(),
    BothAdded(),
)
