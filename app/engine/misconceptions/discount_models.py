"""Wrong discounts: how much of its gain a document is taken to keep at its rank."""

import math
from collections.abc import Sequence
from functools import lru_cache, partial

from app.engine.checks import Grade
from app.engine.misconceptions.misconception import (
    DCG_GENERATORS,
    IDCG_GENERATORS,
    NDCG_GENERATORS,
    Misconception,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.working import (
    UNDISCOUNTED_WEIGHTS,
    candidate_grades,
    sorted_candidate_grades,
)
from app.engine.questions import Question
from app.engine.terms import discount_weights

DISCOUNTED_QUANTITIES: Quantities = ("discount", "term", "dcg", "idcg", "ndcg")
QUANTITIES_SHOWING_BASE = DISCOUNTED_QUANTITIES[:-1]  # NDCG hides the base of the logarithm: it cancels


@lru_cache(maxsize=32)
def weights_of_rank_plus_two(rank_count: int) -> Sequence[float]:
    """Return ``1 / log2(rank + 2)`` rank by rank.

    >>> [round(weight, 3) for weight in weights_of_rank_plus_two(2)]
    [0.631, 0.5]
    """
    return tuple(1 / math.log2(rank + 2) for rank in range(1, rank_count + 1))


@lru_cache(maxsize=32)
def weights_of_one_after_log(rank_count: int) -> Sequence[float]:
    """Return ``1 / (log2(rank) + 1)``: the 1 stands behind the bracket.

    >>> [round(weight, 3) for weight in weights_of_one_after_log(3)]
    [1.0, 0.5, 0.387]
    """
    return tuple(1 / (math.log2(rank) + 1) for rank in range(1, rank_count + 1))


@lru_cache(maxsize=32)
def weights_without_log(rank_count: int) -> Sequence[float]:
    """Return ``1 / (rank + 1)``.

    >>> [round(weight, 3) for weight in weights_without_log(3)]
    [0.5, 0.333, 0.25]
    """
    return tuple(1 / (rank + 1) for rank in range(1, rank_count + 1))


@lru_cache(maxsize=32)
def weights_of_plain_log(rank_count: int) -> Sequence[float]:
    """Return ``log2(rank + 1)``: the divisor taken for a factor, so that the end of the list wins.

    >>> [round(weight, 3) for weight in weights_of_plain_log(3)]
    [1.0, 1.585, 2.0]
    """
    return tuple(math.log2(rank + 1) for rank in range(1, rank_count + 1))


@lru_cache(maxsize=32)
def natural_weights_after_first(rank_count: int) -> Sequence[float]:
    """Return ``1 / ln(rank + 1)``, but 1 for the first rank: 第1位不打折 is kept, the base is not.

    >>> [round(weight, 3) for weight in natural_weights_after_first(3)]
    [1.0, 0.91, 0.721]
    """
    return (1.0, *discount_weights(rank_count, base=math.e)[1:])


def _worth(grade: Grade) -> float:
    return grade or 0.0


@lru_cache(maxsize=32)
def lost_shares(rank_count: int) -> Sequence[float]:
    """Return what the discount takes away, rank by rank.

    >>> [round(share, 3) for share in lost_shares(3)]
    [0.0, 0.369, 0.5]
    """
    return tuple(1 - weight for weight in discount_weights(rank_count))


class WrongDiscount(Misconception):
    """A wrong discount; it shows wherever there is one."""

    step = "折损"
    quantities = DISCOUNTED_QUANTITIES
    can_join_another = True


class NaturalLog(WrongDiscount):
    """``1 / ln(rank + 1)``."""

    id = "natural_log"
    name = "用了自然对数"
    thoughts = ("log就是计算器和代码里的那个log。", "对数都差不多，用ln就行。")
    mistake_clause = "你用的是自然对数ln"
    hint = "公式里是以2为底的对数，手边只有ln，就用ln（名次加1）÷ln2来代替它。"
    quantities = QUANTITIES_SHOWING_BASE
    wrong_steps = wrong_steps_with(weights=partial(discount_weights, base=math.e))


class NaturalLogAfterFirst(WrongDiscount):
    """``1 / ln(rank + 1)`` from rank 2 on, and 1 at rank 1."""

    id = "natural_log_after_first"
    name = "第1位不打折，后面用了自然对数"
    thoughts = ("第1位不打折，别的名次除以ln。", "log写出来就是ln，第1位反正不用除。")
    mistake_clause = "你没给第1位打折，后面的名次却用了自然对数ln"
    hint = "第1位不打折是对的，后面除以的是以2为底的对数，手边只有ln，就用ln（名次加1）÷ln2来代替它。"
    quantities = ("dcg", "idcg", "ndcg")
    can_join_another = False
    mostly_showing_generators = (*DCG_GENERATORS, *IDCG_GENERATORS, *NDCG_GENERATORS)
    wrong_steps = wrong_steps_with(weights=natural_weights_after_first)

    def fits(self, question: Question) -> bool:
        if question.k == 1 or max(len(question.grades), len(candidate_grades(question))) == 1:
            return False
        return question.quantity != "dcg" or bool(question.grades[0])


class Log10(WrongDiscount):
    """``1 / lg(rank + 1)``."""

    id = "log10"
    name = "用了常用对数"
    thoughts = ("计算器上的log键就是这个对数。", "没写底数的对数就是常用对数。")
    mistake_clause = "你用的是常用对数lg"
    hint = "公式里是以2为底的对数，手边只有lg，就用lg（名次加1）÷lg2来代替它。"
    quantities = QUANTITIES_SHOWING_BASE
    wrong_steps = wrong_steps_with(weights=partial(discount_weights, base=10))


class Log2OfRank(WrongDiscount):
    """``1 / log2(rank)``, and 1 at rank 1."""

    id = "log2_of_rank"
    name = "名次没有加1就取对数"
    thoughts = (
        "第几位就除以几的对数。",
        "前两位都不打折，从第3位才开始折。",
        "第1位的对数是0，那就不打折。",
    )
    mistake_clause = "你取对数时名次没有加1"
    hint = "名次要先加1再取对数，这样第1位除以的才不会是0，第2位也已经打折。"
    wrong_steps = wrong_steps_with(weights=partial(discount_weights, discount="jk2002"))


class Log2RankPlusTwo(WrongDiscount):
    """``1 / log2(rank + 2)``."""

    id = "log2_rank_plus_two"
    name = "名次多加了1"
    thoughts = ("代码里写的是加2。", "名次从0数起，所以要加2。")
    mistake_clause = "你给名次多加了1"
    hint = "名次从第1位数起，取对数前只加1，第1位因此不打折。"
    wrong_steps = wrong_steps_with(weights=weights_of_rank_plus_two)


class ReciprocalRankDiscount(WrongDiscount):
    """``1 / rank``."""

    id = "reciprocal_rank_discount"
    name = "直接除以了名次"
    thoughts = ("第几位就除以几。", "越靠后越不值钱，除以名次最直接。")
    mistake_clause = "你直接除以了名次"
    hint = "除数应当是对数，名次先加1，再取以2为底的对数，它比名次长得慢得多。"
    wrong_steps = wrong_steps_with(weights=partial(discount_weights, discount="reciprocal"))


class OneAddedAfterLog(WrongDiscount):
    """``1 / (log2(rank) + 1)``."""

    id = "one_added_after_log"
    name = "先取对数再加了1"
    thoughts = ("对数算出来，再加1。", "加1写在后面，就后加。")
    mistake_clause = "你先取了对数才加1"
    hint = "名次先加1，再给加好的数取以2为底的对数，这个加1在括号里面。"
    can_join_another = False
    mostly_showing_generators = (
        *("discount", "discount-far", "term", "term-exponential", "dcg", "dcg-exponential", "dcg-sum"),
        *("idcg", "idcg-exponential", "idcg-pool", "ndcg", "ndcg-exponential", "ndcg-pool"),
    )
    wrong_steps = wrong_steps_with(weights=weights_of_one_after_log)

    def fits(self, question: Question) -> bool:
        """At rank 2 alone it is the rank by which was divided: that is another mistake."""
        return question.rank != 2


class LogForgotten(WrongDiscount):
    """``1 / (rank + 1)``."""

    id = "log_forgotten"
    name = "名次加了1，忘了取对数"
    thoughts = ("名次加1，再除就行。",)
    mistake_clause = "你除以的是名次加1，没有取对数"
    hint = "名次加1以后，还要取以2为底的对数，除以的是这个对数，第1位因此不打折。"
    can_join_another = False
    mostly_showing_generators = (
        *("discount", "discount-far", "term", "term-exponential"),
        *DCG_GENERATORS,
        *IDCG_GENERATORS,
        *NDCG_GENERATORS,
    )
    wrong_steps = wrong_steps_with(weights=weights_without_log)


class NoDiscount(WrongDiscount):
    """Every rank keeps everything."""

    id = "no_discount"
    name = "没有打折"
    thoughts = ("排第几位都是原价。", "把增益加起来就行。", "DCG就是CG。")
    mistake_clause = "你没有按名次打折"
    hint = "每一位都要打折，名次先加1，取以2为底的对数，再除以它，越靠后剩得越少。"
    wrong_steps = wrong_steps_with(weights=partial(discount_weights, discount="none"))


class MultipliedByLog(WrongDiscount):
    """``log2(rank + 1)`` as a factor: the end of the list wins."""

    id = "multiplied_by_log"
    name = "该除以对数，却乘了对数"
    thoughts = ("公式里有个对数，乘上去就是折损。", "对数本身就是折损。")
    mistake_clause = "你用的是对数本身，没有除以它"
    hint = "折损是除以对数，越靠后得到的应当越少，而不是越多。"
    wrong_steps = wrong_steps_with(weights=weights_of_plain_log)


class DiscountNotAsked(WrongDiscount):
    """A discount where the grades alone are asked."""

    id = "discount_not_asked"
    name = "不该打折却打了折"
    thoughts = ("只要有名次，就要打折。", "CG和DCG是一回事。")
    mistake_clause = "你按名次打了折"
    hint = "这里还没到打折那一步，排第几位都一样，把对数去掉再算。"
    quantities = ("gain", "cg")
    can_join_another = False
    wrong_steps = wrong_steps_with(weights=discount_weights)


class WeightLost(WrongDiscount):
    """What the discount takes away."""

    id = "weight_lost"
    name = "给成了折掉的那一份"
    thoughts = ("折损就是损失了几成。",)
    mistake_clause = "你给出的是折掉的那一份"
    hint = "这里的折损说的是打完折还剩几成，不是少了几成，前面的位剩得多，后面的剩得少。"
    quantities = ("discount",)
    can_join_another = False
    mostly_showing_generators = ("discount", "discount-far")
    wrong_steps = wrong_steps_with(weights=lost_shares)


class NaturalLogInIdeal(WrongDiscount):
    """DCG with log2, IDCG with the natural logarithm."""

    id = "mixed_logs"
    quantities = ("ndcg",)
    can_join_another = False
    wrong_steps = wrong_steps_with(ideal_weights=partial(discount_weights, base=math.e))


class MixedLogs(WrongDiscount):
    """DCG with the natural logarithm, IDCG with log2."""

    id = "mixed_logs"
    name = "分子分母用了两种对数"
    thoughts = ("DCG用计算器算，IDCG查表。", "除过以后对数的底就没有关系了。")
    mistake_clause = "你的DCG和IDCG用的不是同一种对数"
    hint = "分子和分母要用同一种对数，底才约得掉，按公式都以2为底。"
    quantities = ("ndcg",)
    can_join_another = False
    mostly_showing_generators = NDCG_GENERATORS
    wrong_steps = wrong_steps_with(
        weights=partial(discount_weights, base=math.e), ideal_weights=discount_weights
    )
    mirror_model = NaturalLogInIdeal()


class IdealUndiscounted(WrongDiscount):
    """DCG over the undiscounted ideal; over the same documents it is DCG over CG."""

    id = "one_side_discounted"
    quantities = ("ndcg",)
    can_join_another = False
    wrong_steps = wrong_steps_with(ideal_weights=UNDISCOUNTED_WEIGHTS)

    def fits(self, question: Question) -> bool:
        ideal_grades = sorted_candidate_grades(question)[: question.k]
        return sorted(map(_worth, ideal_grades)) != sorted(map(_worth, question.grades[: question.k]))


class OneSideDiscounted(WrongDiscount):
    """The undiscounted list over IDCG."""

    id = "one_side_discounted"
    name = "分子分母只有一边打了折"
    thoughts = ("折损算过一遍，另一边就不用了。", "只有理想的顺序才打折。")
    mistake_clause = "你的分子和分母只有一边按名次打了折"
    hint = "系统的顺序和理想的顺序都要打折，用的是同一张折损表，打完再相除。"
    quantities = ("ndcg",)
    can_join_another = False
    mostly_showing_generators = NDCG_GENERATORS
    wrong_steps = wrong_steps_with(weights=UNDISCOUNTED_WEIGHTS, ideal_weights=discount_weights)
    mirror_model = IdealUndiscounted()


DISCOUNT_MODELS = (
    NaturalLog(),
    NaturalLogAfterFirst(),
    Log10(),
    Log2OfRank(),
    Log2RankPlusTwo(),
    ReciprocalRankDiscount(),
    OneAddedAfterLog(),
    LogForgotten(),
    NoDiscount(),
    MultipliedByLog(),
    DiscountNotAsked(),
    WeightLost(),
    MixedLogs(),
    OneSideDiscounted(),
)
