"""Tests by coins, as the tutor writes them: differences, conventions, and the calculation line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

from app import engine
from app.course.items.printing import equals
from app.engine.misconceptions.tables.coin_working import RIGHT_COINS
from app.engine.significance.shuffling import THOUSAND, lesser_side

NAME = "p"
"""How the figure is written."""
CLAUSES: Mapping[str, Sequence[str]] = {
    "sign_test": ("要是新旧一样好，每个查询谁赢像掷硬币", "只看输赢，平手不算", "两头都数"),
    "randomisation_test": (
        "要是新旧一样好，每个查询的两个分数可以对调",
        "比平均差，不看正负",
        "看到的这一种也算",
    ),
}
MOST_LISTED = 12
"""So many subsets are written out."""
GAP = "\u3000"
"""Between signed numbers, so that a phone can break the line there: after 、 it may not."""
FINEST_OF_TWO = 10
"""A hundredth, in thousandths."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def name(_: engine.CoinTest) -> str:
    """How the asked figure is written, whatever the test."""
    return NAME


def table(question: engine.CoinTest) -> str:
    """The differences as a stem shows them.

    >>> table(engine.SignTest([0.12, -0.05, 0]))
    '+0.12　−0.05　0'
    """
    decimals = 2
    if any(unit % FINEST_OF_TWO for unit in question.units):
        decimals = 3
    return GAP.join(_signed_number(difference, decimals) for difference in question.differences)


def lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation of a p; the last line holds the result.

    >>> print(*lines(engine.SignTest([0.1, 0.2, 0.1, 0.3, -0.1, 0]), 3), sep="\\n")
    平手的1个不算。剩下5个，赢4个，输1个。
    5枚硬币，一共2⁵=32种掷法。
    至少偏成这样，就是输的最多1枚：1+5=6种。
    反过来偏得一样远的，也有6种。p=2×6÷32=**0.375**
    >>> print(*lines(engine.RandomisationTest([0.1, 0.2, 0.3, -0.05]), 3), sep="\\n")
    4个查询，一共2⁴=16种对调法。
    涨的加起来0.6，跌的加起来0.05。少的那一边是0.05。
    对调就是把几个差翻到少的那一边。至少偏成这样，那一边合计不能超过0.05：一个也没有；0.05。一共2种。
    反过来偏得一样远的，也有2种。p=2×2÷16=**0.250**
    """
    assert isinstance(question, engine.CoinTest)
    working = RIGHT_COINS[question.quantity]
    coins = working.coins(question)
    far_count = working.far_shuffles(question)
    steps = _by_win if question.quantity == "sign_test" else _by_size
    way_count = 2 ** len(coins)
    result_words = equals(question.figure(), decimals, strong=True)
    doubling_line = f"反过来偏得一样远的，也有{far_count}种。{NAME}=2×{far_count}÷{way_count}"
    if 2 * far_count > way_count:
        doubling_line = (
            f"两头各{far_count}种，中间的数了两遍，比{way_count}种还多：怎么掷都至少偏成这样。{NAME}"
        )
    return [*steps(question, coins, far_count), f"{doubling_line}{result_words}"]


def _by_win(question: engine.CoinTest, coins: Sequence[int], far_count: int) -> list[str]:
    coin_count = len(coins)
    ties = len(question.differences) - coin_count
    wins = sum(coin > 0 for coin in coins)
    opening = f"{coin_count}个查询，"
    if ties:
        opening = f"平手的{ties}个不算。剩下{coin_count}个，"
    losses = coin_count - wins
    rarer, fewer = "输", losses
    if wins < losses:
        rarer, fewer = "赢", wins
    ways = "+".join(str(comb(coin_count, heads)) for heads in range(fewer + 1))
    count_words = f"{ways}={far_count}种。" if fewer else "1种。"
    return [
        f"{opening}赢{wins}个，输{losses}个。",
        f"{coin_count}枚硬币，一共{_power(coin_count)}种掷法。",
        f"至少偏成这样，就是{rarer}的最多{fewer}枚：{count_words}",
    ]


def _by_size(_: engine.CoinTest, coins: Sequence[int], far_count: int) -> list[str]:
    coin_count = len(coins)
    gains = sum(coin for coin in coins if coin > 0)
    losses = sum(-coin for coin in coins if coin < 0)
    reach = lesser_side(coins)
    listing = ""
    if far_count <= MOST_LISTED:
        listing = f"：{'；'.join(_subsets(coins, reach))}"
    intro = "对调就是把几个差翻到少的那一边。至少偏成这样，那一边合计不能超过"
    return [
        f"{coin_count}个查询，一共{_power(coin_count)}种对调法。",
        f"涨的加起来{_size(gains)}，跌的加起来{_size(losses)}。少的那一边是{_size(reach)}。",
        f"{intro}{_size(reach)}{listing}。一共{far_count}种。",
    ]


def _subsets(coins: Sequence[int], reach: int) -> Iterator[str]:
    """The differences that may lie on the side that is behind, fewest first."""
    sizes = sorted(map(abs, coins))
    yield "一个也没有"
    for coin_count in range(1, len(sizes) + 1):
        for subset in combinations(sizes, coin_count):
            if sum(subset) <= reach:
                yield "+".join(map(_size, subset))


def _power(count: int) -> str:
    """How many ways so many coins can fall.

    >>> _power(10)
    '2¹⁰=1024'
    """
    return f"2{str(count).translate(_SUPERSCRIPTS)}={2**count}"


def _size(units: int) -> str:
    return f"{units / THOUSAND:g}"


def _signed_number(difference: float, decimals: int) -> str:
    if not difference:
        return "0"
    return f"{difference:+.{decimals}f}".replace("-", "−")
