"""Tests by coins, as the tutor writes them: differences, conventions, and the calculation line by line."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from math import comb

from app import engine
from app.course.items.printed_figures import equals_text, power_of_two_text, signed_text
from app.engine.misconceptions.tables.coin_working import RIGHT_COIN_WORKING_BY_QUANTITY
from app.engine.significance.shuffling import THOUSANDTHS_OF_ONE, lesser_side_sum

FIGURE_NAME = "p"
"""How the figure is written."""
CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]] = {
    "sign_test": ("要是新旧一样好，每个查询谁赢像掷硬币", "只看输赢，平手不算", "两头都数"),
    "randomisation_test": (
        "要是新旧一样好，每个查询的两个分数可以对调",
        "比平均差，不看正负",
        "看到的这一种也算",
    ),
}
MOST_LISTED_SUBSETS = 12
"""So many subsets are written out."""
SIGNED_NUMBER_SEPARATOR = "；"
"""Between signed numbers: read aloud it is a pause, as a space is not; and a phone can break the line behind
it, as it may not behind 、."""
THOUSANDTHS_PER_HUNDREDTH = 10
"""A hundredth, in thousandths."""


def quantity_name(_: engine.TableQuestion) -> str:
    """How the asked figure is written, whatever the test."""
    return FIGURE_NAME


def table_markdown(table_question: engine.TableQuestion) -> str:
    """The differences as a stem shows them.

    >>> table_markdown(engine.SignTest([0.12, -0.05, 0]))
    '+0.12；−0.05；0'
    """
    assert isinstance(table_question, engine.CoinTest)
    decimals = 2
    if any(
        difference % THOUSANDTHS_PER_HUNDREDTH for difference in table_question.differences_in_thousandths
    ):
        decimals = 3
    return SIGNED_NUMBER_SEPARATOR.join(
        _signed_number_text(difference, decimals) for difference in table_question.differences
    )


def solution_lines(table_question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation of a p; the last line holds the result.

    >>> print(*solution_lines(engine.SignTest([0.1, 0.2, 0.1, 0.3, -0.1, 0]), 3), sep="\\n")
    平手的1个不算。剩下5个，赢4个，输1个。
    5枚硬币，一共2⁵=32种掷法。
    至少偏成这样，就是输的最多1枚：1+5=6种。
    反过来偏得一样远的，也有6种。p=2×6÷32=**0.375**
    >>> print(*solution_lines(engine.RandomisationTest([0.1, 0.2, 0.3, -0.05]), 3), sep="\\n")
    4个查询，一共2⁴=16种对调法。
    涨的加起来0.6，跌的加起来0.05。少的那一边是0.05。
    对调就是把几个差翻到少的那一边。至少偏成这样，那一边合计不能超过0.05：一个也没有；0.05。一共2种。
    反过来偏得一样远的，也有2种。p=2×2÷16=**0.250**
    """
    assert isinstance(table_question, engine.CoinTest)
    coin_working = RIGHT_COIN_WORKING_BY_QUANTITY[table_question.quantity]
    signed_weights = coin_working.signed_weights(table_question)
    far_shuffle_count = coin_working.far_shuffle_count(table_question)
    lines_of = _lines_of_sign_test if table_question.quantity == "sign_test" else _lines_of_randomisation_test
    shuffle_count = 2 ** len(signed_weights)
    result_text = equals_text(table_question.figure(), decimals, is_bold=True)
    doubling_line = (
        f"反过来偏得一样远的，也有{far_shuffle_count}种。{FIGURE_NAME}=2×{far_shuffle_count}÷{shuffle_count}"
    )
    if 2 * far_shuffle_count > shuffle_count:
        both_ends_words = f"两头各{far_shuffle_count}种，中间的数了两遍，比{shuffle_count}种还多"
        doubling_line = f"{both_ends_words}：怎么掷都至少偏成这样。{FIGURE_NAME}"
    return [
        *lines_of(table_question, signed_weights, far_shuffle_count),
        f"{doubling_line}{result_text}",
    ]


def _lines_of_sign_test(
    coin_test: engine.CoinTest, signed_weights: Sequence[int], far_shuffle_count: int
) -> list[str]:
    coin_count = len(signed_weights)
    tie_count = len(coin_test.differences) - coin_count
    win_count = sum(signed_weight > 0 for signed_weight in signed_weights)
    opening_words = f"{coin_count}个查询，"
    if tie_count:
        opening_words = f"平手的{tie_count}个不算。剩下{coin_count}个，"
    loss_count = coin_count - win_count
    fewer_word, fewer_count = "输", loss_count
    if win_count < loss_count:
        fewer_word, fewer_count = "赢", win_count
    way_counts_text = "+".join(str(comb(coin_count, head_count)) for head_count in range(fewer_count + 1))
    count_sentence = f"{way_counts_text}={far_shuffle_count}种。" if fewer_count else "1种。"
    return [
        f"{opening_words}赢{win_count}个，输{loss_count}个。",
        f"{coin_count}枚硬币，一共{_power_text(coin_count)}种掷法。",
        f"至少偏成这样，就是{fewer_word}的最多{fewer_count}枚：{count_sentence}",
    ]


def _lines_of_randomisation_test(
    _: engine.CoinTest, signed_weights: Sequence[int], far_shuffle_count: int
) -> list[str]:
    coin_count = len(signed_weights)
    gained_thousandths = sum(signed_weight for signed_weight in signed_weights if signed_weight > 0)
    lost_thousandths = sum(-signed_weight for signed_weight in signed_weights if signed_weight < 0)
    lesser_thousandths = lesser_side_sum(signed_weights)
    subset_words = ""
    if far_shuffle_count <= MOST_LISTED_SUBSETS:
        subset_words = f"：{'；'.join(_subset_texts(signed_weights, lesser_thousandths))}"
    intro_words = "对调就是把几个差翻到少的那一边。至少偏成这样，那一边合计不能超过"
    return [
        f"{coin_count}个查询，一共{_power_text(coin_count)}种对调法。",
        f"涨的加起来{_size_text(gained_thousandths)}，跌的加起来{_size_text(lost_thousandths)}。少的那一边是{_size_text(lesser_thousandths)}。",
        f"{intro_words}{_size_text(lesser_thousandths)}{subset_words}。一共{far_shuffle_count}种。",
    ]


def _subset_texts(signed_weights: Sequence[int], largest_sum_in_thousandths: int) -> Iterator[str]:
    """The differences that may lie on the side that is behind, fewest first."""
    sorted_sizes = sorted(map(abs, signed_weights))
    yield "一个也没有"
    for subset_length in range(1, len(sorted_sizes) + 1):
        for subset in combinations(sorted_sizes, subset_length):
            if sum(subset) <= largest_sum_in_thousandths:
                yield "+".join(map(_size_text, subset))


def _power_text(coin_count: int) -> str:
    """How many ways so many coins can fall.

    >>> _power_text(10)
    '2¹⁰=1024'
    """
    return f"{power_of_two_text(coin_count)}={2**coin_count}"


def _size_text(size_in_thousandths: int) -> str:
    return f"{size_in_thousandths / THOUSANDTHS_OF_ONE:g}"


def _signed_number_text(difference: float, decimals: int) -> str:
    if not difference:
        return "0"
    return signed_text(difference, f"+.{decimals}f")
