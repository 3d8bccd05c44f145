"""Wrong discounts: how much of its gain a document keeps at its rank."""

import math
from collections.abc import Sequence
from functools import cache, partial

from app.engine.discounts import discount_weights
from app.engine.misconceptions.model import Misconception

DISCOUNTED = ("discount", "term", "dcg", "idcg", "ndcg")
BASE_SHOWS = DISCOUNTED[:-1]  # NDCG hides the base of the logarithm: it cancels


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


DISCOUNT_MODELS = (
    Misconception(
        id="natural_log",
        name="用了自然对数",
        step="折损",
        thoughts=("log就是计算器和代码里的那个log。", "对数都差不多，用ln就行。"),
        said="你用的是自然对数ln",
        hint="公式里是以2为底的对数，手边只有ln，就用ln（名次加一）÷ln2来代替它。",
        quantities=BASE_SHOWS,
        instead={"weights": partial(discount_weights, base=math.e)},
        in_pairs=True,
    ),
    Misconception(
        id="log10",
        name="用了常用对数",
        step="折损",
        thoughts=("计算器上的log键就是这个对数。", "没写底数的对数就是常用对数。"),
        said="你用的是常用对数lg",
        hint="公式里是以2为底的对数，手边只有lg，就用lg（名次加一）÷lg2来代替它。",
        quantities=BASE_SHOWS,
        instead={"weights": partial(discount_weights, base=10)},
        in_pairs=True,
    ),
    Misconception(
        id="log2_of_rank",
        name="名次没有加一就取对数",
        step="折损",
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
        id="log2_rank_plus_two",
        name="名次多加了一",
        step="折损",
        thoughts=("代码里写的是加二。", "名次从零数起，所以要加二。"),
        said="你给名次多加了一",
        hint="名次从第一名数起，取对数前只加一，第一名因此不打折。",
        quantities=DISCOUNTED,
        instead={"weights": late_weights},
        in_pairs=True,
    ),
    Misconception(
        id="reciprocal_rank_discount",
        name="直接除以了名次",
        step="折损",
        thoughts=("第几名就除以几。", "越靠后越不值钱，除以名次最直接。"),
        said="你直接除以了名次",
        hint="除数应当是对数，名次先加一，再取以2为底的对数，它比名次长得慢得多。",
        quantities=DISCOUNTED,
        instead={"weights": partial(discount_weights, discount="reciprocal")},
        in_pairs=True,
    ),
    Misconception(
        id="no_discount",
        name="没有打折",
        step="折损",
        thoughts=("把增益加起来就行。", "DCG就是CG。"),
        said="你没有按名次打折",
        hint="每一名都要打折，名次先加一，取以2为底的对数，再拿它去除，越靠后剩得越少。",
        quantities=DISCOUNTED,
        instead={"weights": partial(discount_weights, discount="none")},
        in_pairs=True,
    ),
    Misconception(
        id="multiplied_by_log",
        name="该除以对数，却乘了对数",
        step="折损",
        thoughts=("公式里有个对数，乘上去就是折损。", "对数本身就是折损。"),
        said="你用的是对数本身，没有拿它去除",
        hint="折损是除以对数，越靠后得到的应当越少，而不是越多。",
        quantities=DISCOUNTED,
        instead={"weights": growing_weights},
        in_pairs=True,
    ),
    Misconception(
        id="discount_not_asked",
        name="不该打折却打了折",
        step="折损",
        thoughts=("只要有名次，就要打折。", "CG和DCG是一回事。"),
        said="你按名次打了折",
        hint="这里问的数还没有打折这一步，排第几名都不影响它。",
        quantities=("gain", "cg"),
        instead={"weights": discount_weights},
    ),
)
