"""Wrong terms: what a document is worth, and how much of that it keeps at its rank."""

import math
from collections.abc import Sequence
from dataclasses import replace
from functools import cache, partial

from app.engine.checks import Grade
from app.engine.gains import GAINS, discount_weights
from app.engine.misconceptions.working import Misconception, candidates
from app.engine.questions import Question

WITH_GAIN = ("gain", "term", "dcg", "idcg", "ndcg")
FACTOR_SHOWS = WITH_GAIN[:-1]  # in NDCG a factor common to all gains cancels
BEYOND_FLOATS = 1024  # 2**1024 is no float


def power(grade: float) -> float:
    """Return ``2**grade``: 0 sugar is worth 1.

    >>> power(3), power(0)
    (8.0, 1.0)
    """
    powered: float = 2.0**grade
    return powered


def power_of_one_less(grade: float) -> float:
    """Return ``2**(grade - 1)``: the -1 has slipped into the exponent.

    >>> power_of_one_less(3)
    4.0
    """
    return power(grade - 1)


def twice(grade: float) -> float:
    """Return ``2 * grade``: a power read as a product.

    >>> twice(3)
    6
    """
    return 2 * grade


def ranks_for_grades(question: Question) -> list[Grade]:
    """Return the ranks where the grades should be read."""
    return list(range(1, (question.rank or 0) + 1))


def _asks_exponential(question: Question) -> bool:
    return question.gain == "exponential"


def _asks_linear(question: Question) -> bool:
    return (question.gain == "linear" or question.quantity == "cg") and _gains_differ(question)


def _gains_differ(question: Question) -> bool:
    grades = [grade for grade in (*question.grades, *candidates(question)) if grade is not None]
    return any(grade > 1 for grade in grades) and max(grades) < BEYOND_FLOATS


MIXED = Misconception(
    "mixed_gains",
    "分子分母用了两种增益",
    "增益",
    thoughts=("DCG照论文用指数，IDCG把甜度加起来就行。", "只有DCG才分线性和指数。"),
    said="你的DCG和IDCG用的不是同一种增益",
    hint="分子和分母要用同一种增益，也就是题目约定的那一种，才比得出占几成。",
    quantities=("ndcg",),
    instead={"gain": GAINS["exponential"], "ideal_gain": GAINS["linear"]},
    fits=_gains_differ,
)

GAIN_MODELS = (
    Misconception(
        "exponential_for_linear",
        "线性的题用了指数增益",
        "增益",
        thoughts=("我看到的公式都是2的甜度次方减一。", "甜度高的应该格外重要，所以要放大。"),
        said="你用的是指数增益",
        hint="这道题约定的是线性增益，甜度（等级）是几，增益就是几。",
        quantities=(*WITH_GAIN, "cg"),
        instead={"gain": GAINS["exponential"]},
        fits=_asks_linear,
        in_pairs=True,
    ),
    Misconception(
        "linear_for_exponential",
        "指数的题用了线性增益",
        "增益",
        thoughts=("甜度是几，增益就是几。", "2的甜度次方减一，和甜度本身应该差不多。"),
        said="你直接把甜度（等级）当成了增益",
        hint="这道题约定的是指数增益，先求2的甜度次方，再减一。",
        quantities=WITH_GAIN,
        instead={"gain": GAINS["linear"]},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        "power_without_minus_one",
        "指数增益忘了减一",
        "增益",
        thoughts=("指数增益就是2的甜度次方。", "最后的减一对结果影响不大。"),
        said="你的增益只算到2的甜度次方",
        hint="指数增益还要再减一，这样甜度（等级）为零的文档才一分不得。",
        quantities=WITH_GAIN,
        instead={"gain": power},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        "minus_one_in_exponent",
        "减一放进了指数里",
        "增益",
        thoughts=("公式写成一行，减一看起来就在指数上。",),
        said="你把减一放进了指数里",
        hint="要先求2的甜度次方，求完再减一，减一不在指数上。",
        quantities=FACTOR_SHOWS,
        instead={"gain": power_of_one_less},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        "twice_the_grade",
        "乘方算成了乘二",
        "增益",
        thoughts=("2的甜度次方，就是2乘甜度。",),
        said="你把乘方算成了2乘甜度",
        hint="2的甜度次方，是那么多个2连乘起来；乘完再减1，才是增益。",
        quantities=FACTOR_SHOWS,
        instead={"gain": twice},
        fits=_asks_exponential,
        in_pairs=True,
    ),
    Misconception(
        "rank_for_grade",
        "名次当成了甜度",
        "增益",
        thoughts=("公式里的下标就是要代进去的数。", "第几名，增益就从几算起。"),
        said="你代进增益里的是名次",
        hint="增益看的是这篇文档的甜度（等级），名次只在算折损时用。",
        quantities=("gain", "term"),
        instead={"read": ranks_for_grades},
    ),
    replace(
        MIXED, mirror=replace(MIXED, instead={"gain": GAINS["linear"], "ideal_gain": GAINS["exponential"]})
    ),
)


DISCOUNTED = ("discount", "term", "dcg", "idcg", "ndcg")
BASE_SHOWS = DISCOUNTED[:-1]  # NDCG hides the base of the logarithm: it cancels


def _discounts_several(question: Question) -> bool:
    """Whether a rank after the first counts; where the first gains nothing, ``natural_log`` says it all."""
    if question.k == 1 or max(len(question.grades), len(candidates(question))) == 1:
        return False
    return question.quantity != "dcg" or bool(question.grades[0])


@cache
def late_weights(count: int) -> Sequence[float]:
    """Return ``1 / log2(rank + 2)`` rank by rank.

    >>> [round(weight, 3) for weight in late_weights(2)]
    [0.631, 0.5]
    """
    return tuple(1 / math.log2(rank + 2) for rank in range(1, count + 1))


@cache
def growing_weights(count: int) -> Sequence[float]:
    """Return ``log2(rank + 1)``: the divisor taken for a factor, so that the end of the list wins.

    >>> [round(weight, 3) for weight in growing_weights(3)]
    [1.0, 1.585, 2.0]
    """
    return tuple(math.log2(rank + 1) for rank in range(1, count + 1))


@cache
def natural_after_first(count: int) -> Sequence[float]:
    """Return ``1 / ln(rank + 1)``, but 1 for the first rank: 第1位不打折 is kept, the base is not.

    >>> [round(weight, 3) for weight in natural_after_first(3)]
    [1.0, 0.91, 0.721]
    """
    weights = discount_weights(count, base=math.e)
    return (1.0, *weights[1:count])


DISCOUNT_MODELS = (
    Misconception(
        "natural_log",
        "用了自然对数",
        "折损",
        thoughts=("log就是计算器和代码里的那个log。", "对数都差不多，用ln就行。"),
        said="你用的是自然对数ln",
        hint="公式里是以2为底的对数，手边只有ln，就用ln（名次加一）÷ln2来代替它。",
        quantities=BASE_SHOWS,
        instead={"weights": partial(discount_weights, base=math.e)},
        in_pairs=True,
    ),
    Misconception(
        "natural_log_after_first",
        "第一名不打折，后面用了自然对数",
        "折损",
        thoughts=("第一名不打折，别的名次除以ln。", "log写出来就是ln，第一名反正不用除。"),
        said="你给第一名留了整份，后面的名次却用了自然对数ln",
        hint="第一名不打折是对的，后面除以的是以2为底的对数，手边只有ln，就用ln（名次加一）÷ln2来代替它。",
        quantities=("dcg", "idcg", "ndcg"),  # one rank alone is as with natural_log
        instead={"weights": natural_after_first},
        fits=_discounts_several,
    ),
    Misconception(
        "log10",
        "用了常用对数",
        "折损",
        thoughts=("计算器上的log键就是这个对数。", "没写底数的对数就是常用对数。"),
        said="你用的是常用对数lg",
        hint="公式里是以2为底的对数，手边只有lg，就用lg（名次加一）÷lg2来代替它。",
        quantities=BASE_SHOWS,
        instead={"weights": partial(discount_weights, base=10)},
        in_pairs=True,
    ),
    Misconception(
        "log2_of_rank",
        "名次没有加一就取对数",
        "折损",
        thoughts=(
            "第几名就除以几的对数。",
            "前两名都不打折，从第三名才开始折。",
            "第一名的对数是零，那就不打折。",
        ),
        said="你取对数时名次没有加一",
        hint="名次要先加一再取对数，这样第一名除以的才不会是零，第二名也已经打折。",
        quantities=DISCOUNTED,
        instead={"weights": partial(discount_weights, discount="jk2002")},
        in_pairs=True,
    ),
    Misconception(
        "log2_rank_plus_two",
        "名次多加了一",
        "折损",
        thoughts=("代码里写的是加二。", "名次从零数起，所以要加二。"),
        said="你给名次多加了一",
        hint="名次从第一名数起，取对数前只加一，第一名因此不打折。",
        quantities=DISCOUNTED,
        instead={"weights": late_weights},
        in_pairs=True,
    ),
    Misconception(
        "reciprocal_rank_discount",
        "直接除以了名次",
        "折损",
        thoughts=("第几名就除以几。", "越靠后越不值钱，除以名次最直接。"),
        said="你直接除以了名次",
        hint="除数应当是对数，名次先加一，再取以2为底的对数，它比名次长得慢得多。",
        quantities=DISCOUNTED,
        instead={"weights": partial(discount_weights, discount="reciprocal")},
        in_pairs=True,
    ),
    Misconception(
        "no_discount",
        "没有打折",
        "折损",
        thoughts=("把增益加起来就行。", "DCG就是CG。"),
        said="你没有按名次打折",
        hint="每一名都要打折，名次先加一，取以2为底的对数，再拿它去除，越靠后剩得越少。",
        quantities=DISCOUNTED,
        instead={"weights": partial(discount_weights, discount="none")},
        in_pairs=True,
    ),
    Misconception(
        "multiplied_by_log",
        "该除以对数，却乘了对数",
        "折损",
        thoughts=("公式里有个对数，乘上去就是折损。", "对数本身就是折损。"),
        said="你用的是对数本身，没有拿它去除",
        hint="折损是除以对数，越靠后得到的应当越少，而不是越多。",
        quantities=DISCOUNTED,
        instead={"weights": growing_weights},
        in_pairs=True,
    ),
    Misconception(
        "discount_not_asked",
        "不该打折却打了折",
        "折损",
        thoughts=("只要有名次，就要打折。", "CG和DCG是一回事。"),
        said="你按名次打了折",
        hint="这里问的数还没有打折这一步，排第几名都不影响它。",
        quantities=("gain", "cg"),
        instead={"weights": discount_weights},
    ),
)
