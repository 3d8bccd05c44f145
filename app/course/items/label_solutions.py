"""Agreement of judges and clicks by position, as the tutor writes them: table, conventions, calculation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from app import engine
from app.course.items.printing import equals
from app.engine.labelling.agreement import chance_agreement, margins, observed_agreement

NAMES = {"kappa": "κ", "ips": "IPS"}
DECIMALS = 6
"""The most decimals of the figures in between: shares of 20, 25, 40 and 50 documents have no more."""
LABELS: Mapping[int, Sequence[str]] = {2: ("有用", "没用"), 3: ("很有用", "有点用", "没用")}
"""What the labels are called, by how many there are; from four on they are grades."""
CLAUSES: Mapping[str, Sequence[str]] = {
    "kappa": ("Cohen的κ", "不加权，差一级和差两级一样算不一致"),
    "ips": ("点击＝看到×喜欢", "被看到的机会已经给定"),
}


def name(question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> name(engine.Agreement([[6, 2], [1, 11]]))
    'κ'
    """
    return NAMES[question.quantity]


def labels_of(count: int) -> Sequence[str]:
    """What so many labels are called, the best one first.

    >>> labels_of(2), labels_of(4)
    (('有用', '没用'), ('3分', '2分', '1分', '0分'))
    """
    if count in LABELS:
        return LABELS[count]
    return tuple(f"{grade}分" for grade in range(count - 1, -1, -1))


def table(question: engine.TableQuestion) -> str:
    """The table that a question is about, in Markdown.

    >>> print(table(engine.Agreement([[6, 2], [1, 11]])))
    | | 乙：有用 | 乙：没用 |
    |---|---|---|
    | 甲：有用 | 6 | 2 |
    | 甲：没用 | 1 | 11 |
    """
    return "\n".join(TABLES[question.quantity](question))


def lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result.

    >>> print(*lines(engine.Agreement([[6, 2], [1, 11]]), 3), sep="\\n")
    一共20条。看到的一致：(6+11)÷20=0.85。
    碰巧都说“有用”：8/20×7/20=0.14。
    碰巧都说“没用”：12/20×13/20=0.39。
    碰巧的一致，加起来：0.14+0.39=0.53。
    扣掉碰巧：κ=(0.85−0.53)÷(1−0.53)≈**0.681**
    """
    *steps, quotient = WORKINGS[question.quantity](question)
    return [*steps, f"{quotient}{equals(question.figure(), decimals, strong=True)}"]


def _figure(value: float) -> str:
    """A figure in between, without zeros at its end.

    >>> _figure(0.85), _figure(60.0)
    ('0.85', '60')
    """
    return f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")


def _equals(value: float) -> str:
    """A figure in between behind its sign: `=` where it is the whole truth, else `≈`."""
    sign = equals(value, DECIMALS)[0]
    return f"{sign}{_figure(value)}"


def _agreement_table(question: engine.Agreement) -> list[str]:
    counts = question.table
    labels = labels_of(len(counts))
    head = " | ".join(f"乙：{label}" for label in labels)
    table_lines = [f"| | {head} |", "|---" * (len(labels) + 1) + "|"]
    for label, row in zip(labels, counts, strict=True):
        cell_line = " | ".join(map(str, row))
        table_lines.append(f"| 甲：{label} | {cell_line} |")
    return table_lines


def _clicks_table(question: engine.Clicks) -> list[str]:
    table_lines = ["| 摆的地方 | 被看到的机会 | 摆出 | 被点 |", "|---|---|---|---|"]
    for number, position in enumerate(question.positions):
        place_name = PLACES[number]
        table_lines.append(
            f"| {place_name} | {position.propensity:g} | {position.shown_times}次 | {position.clicks}次 |"
        )
    return table_lines


PLACES = ("靠前", "靠后", "更靠后", "再靠后", "末尾", "翻页以后")
"""Positions from the head of a page down; at most so many stand in one question."""


def _kappa(question: engine.Agreement) -> list[str]:
    counts = question.table
    judged_count = sum(map(sum, counts))
    agreements = [row[label_index] for label_index, row in enumerate(counts)]
    observed_share, chance_share = observed_agreement(counts), chance_agreement(counts)
    agreement_words = f"({'+'.join(map(str, agreements))})÷{judged_count}{_equals(observed_share)}"
    steps = [f"一共{judged_count}条。看到的一致：{agreement_words}。"]
    first, second = margins(counts)
    shares = []
    for label_index, label in enumerate(labels_of(len(counts))):
        share = first[label_index] * second[label_index]
        row_total = round(first[label_index] * judged_count)
        column_total = round(second[label_index] * judged_count)
        product = f"{row_total}/{judged_count}×{column_total}/{judged_count}{_equals(share)}"
        steps.append(f"碰巧都说“{label}”：{product}。")
        shares.append(_figure(share))
    steps.append(f"碰巧的一致，加起来：{'+'.join(shares)}{_equals(chance_share)}。")
    correction = f"({_figure(observed_share)}−{_figure(chance_share)})÷(1−{_figure(chance_share)})"
    return [*steps, f"扣掉碰巧：κ={correction}"]


def _ips(question: engine.Clicks) -> list[str]:
    steps, amounts = [], []
    shown_total = 0
    for number, position in enumerate(question.positions):
        weighted_clicks = position.clicks / position.propensity
        quotient = f"{position.clicks}÷{position.propensity:g}{_equals(weighted_clicks)}"
        steps.append(f"{PLACES[number]}：每次点击顶{1 / position.propensity:g}次，{quotient}。")
        amounts.append(_figure(weighted_clicks))
        shown_total += position.shown_times
    return [*steps, f"加起来，除以一共摆出的{shown_total}次：IPS=({'+'.join(amounts)})÷{shown_total}"]


TABLES: Mapping[str, Callable[[Any], list[str]]] = {
    "kappa": _agreement_table,
    "ips": _clicks_table,
}
WORKINGS: Mapping[str, Callable[[Any], list[str]]] = {"kappa": _kappa, "ips": _ips}
