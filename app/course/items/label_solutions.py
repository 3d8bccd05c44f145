"""Agreement of judges and clicks by position, as the tutor writes them: table, conventions, calculation."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from app import engine
from app.course.items.printed_figures import SUMMED_FIRST_NOTE, equals_text, rounding_note, short_text
from app.engine.labelling.agreement import chance_agreement, first_and_second_margins, observed_agreement
from app.engine.misconceptions.working import quotient

NAME_BY_QUANTITY = {"kappa": "κ", "ips": "IPS"}
MOST_STEP_DECIMALS = 6
"""The most decimals of the figures in between: shares of 20, 25, 40 and 50 documents have no more."""
LABELS_BY_COUNT: Mapping[int, Sequence[str]] = {2: ("有用", "没用"), 3: ("很有用", "有点用", "没用")}
"""What the labels are called, by how many there are; from four on they are grades."""
CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]] = {
    "kappa": ("Cohen的κ", "不加权，差一级和差两级一样算不一致"),
    "ips": ("点击＝看到×喜欢", "被看到的机会已经给定"),
}


class WorkedTable(NamedTuple):
    """A calculation without its result: its lines, and what the last comes to with the figures in it."""

    step_lines: Sequence[str]
    figure_on_paper: float


def quantity_name(table_question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> quantity_name(engine.Agreement([[6, 2], [1, 11]]))
    'κ'
    """
    return NAME_BY_QUANTITY[table_question.quantity]


def labels_of(label_count: int) -> Sequence[str]:
    """What so many labels are called, the best one first.

    >>> labels_of(2), labels_of(4)
    (('有用', '没用'), ('3分', '2分', '1分', '0分'))
    """
    if label_count in LABELS_BY_COUNT:
        return LABELS_BY_COUNT[label_count]
    return tuple(f"{grade}分" for grade in range(label_count - 1, -1, -1))


def table_markdown(table_question: engine.TableQuestion) -> str:
    """The table that a question is about, in Markdown.

    >>> print(table_markdown(engine.Agreement([[6, 2], [1, 11]])))
    | | 乙：有用 | 乙：没用 |
    |---|---|---|
    | 甲：有用 | 6 | 2 |
    | 甲：没用 | 1 | 11 |
    """
    return "\n".join(TABLE_LINES_BY_QUANTITY[table_question.quantity](table_question))


def solution_lines(table_question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result.

    >>> print(*solution_lines(engine.Agreement([[6, 2], [1, 11]]), 3), sep="\\n")
    一共20条。看到的一致：(6+11)÷20=0.85。
    碰巧都说“有用”：8/20×7/20=0.14。
    碰巧都说“没用”：12/20×13/20=0.39。
    碰巧的一致，加起来：0.14+0.39=0.53。
    扣掉碰巧：κ=(0.85−0.53)÷(1−0.53)≈**0.681**
    """
    worked_table = WORKED_TABLE_BY_QUANTITY[table_question.quantity](table_question)
    *step_lines, quotient_text = worked_table.step_lines
    result_text = equals_text(table_question.figure(), decimals, is_bold=True)
    note_words = rounding_note(worked_table.figure_on_paper, table_question.figure(), decimals)
    return [*step_lines, f"{quotient_text}{result_text}{note_words}"]


def _figure_text(figure: float) -> str:
    """A figure in between, without zeros at its end."""
    return short_text(figure, MOST_STEP_DECIMALS)


def _figure_on_paper(figure: float) -> float:
    """A figure in between as it is printed, to be reckoned with."""
    return float(_figure_text(figure))


def _equals_text(figure: float) -> str:
    """A figure in between behind its sign: `=` where it is the whole truth, else `≈`."""
    equality_sign = equals_text(figure, MOST_STEP_DECIMALS)[0]
    return f"{equality_sign}{_figure_text(figure)}"


def _agreement_table_lines(agreement: engine.Agreement) -> list[str]:
    count_table = agreement.table
    labels = labels_of(len(count_table))
    head_cells_text = " | ".join(f"乙：{label}" for label in labels)
    table_lines = [f"| | {head_cells_text} |", "|---" * (len(labels) + 1) + "|"]
    for label, count_row in zip(labels, count_table, strict=True):
        row_cells_text = " | ".join(map(str, count_row))
        table_lines.append(f"| 甲：{label} | {row_cells_text} |")
    return table_lines


def _clicks_table_lines(clicks: engine.Clicks) -> list[str]:
    table_lines = ["| 摆的地方 | 被看到的机会 | 摆出 | 被点 |", "|---|---|---|---|"]
    for position_index, position in enumerate(clicks.positions):
        position_name = POSITION_NAMES[position_index]
        table_lines.append(
            f"| {position_name} | {position.propensity:g} | {position.shown_times}次 | {position.clicks}次 |"
        )
    return table_lines


POSITION_NAMES = ("靠前", "靠后", "更靠后", "再靠后", "末尾", "翻页以后")
"""Positions from the head of a page down; at most so many stand in one question."""


def _worked_kappa(agreement: engine.Agreement) -> WorkedTable:
    count_table = agreement.table
    judged_count = sum(map(sum, count_table))
    agreed_counts = [counts_of_label[label_index] for label_index, counts_of_label in enumerate(count_table)]
    observed_share, chance_share = observed_agreement(count_table), chance_agreement(count_table)
    agreement_text = f"({'+'.join(map(str, agreed_counts))})÷{judged_count}{_equals_text(observed_share)}"
    step_lines = [f"一共{judged_count}条。看到的一致：{agreement_text}。"]
    first_shares, second_shares = first_and_second_margins(count_table)
    chance_shares = []
    for label_index, label in enumerate(labels_of(len(count_table))):
        chance_share_of_label = first_shares[label_index] * second_shares[label_index]
        row_total = round(first_shares[label_index] * judged_count)
        column_total = round(second_shares[label_index] * judged_count)
        product_text = (
            f"{row_total}/{judged_count}×{column_total}/{judged_count}{_equals_text(chance_share_of_label)}"
        )
        step_lines.append(f"碰巧都说“{label}”：{product_text}。")
        chance_shares.append(chance_share_of_label)
    chance_sum_on_paper = sum(map(_figure_on_paper, chance_shares))
    note_words = rounding_note(chance_sum_on_paper, chance_share, MOST_STEP_DECIMALS, SUMMED_FIRST_NOTE)
    chance_sum_text = f"{'+'.join(map(_figure_text, chance_shares))}{_equals_text(chance_share)}"
    step_lines.append(f"碰巧的一致，加起来：{chance_sum_text}{note_words}。")
    correction_text = (
        f"({_figure_text(observed_share)}−{_figure_text(chance_share)})÷(1−{_figure_text(chance_share)})"
    )
    chance_on_paper = _figure_on_paper(chance_share)
    kappa_on_paper = quotient(_figure_on_paper(observed_share) - chance_on_paper, 1 - chance_on_paper)
    return WorkedTable([*step_lines, f"扣掉碰巧：κ={correction_text}"], kappa_on_paper)


def _worked_ips(clicks: engine.Clicks) -> WorkedTable:
    step_lines, amounts = [], []
    showing_count = 0
    for position_index, position in enumerate(clicks.positions):
        weighted_click_count = position.clicks / position.propensity
        quotient_text = f"{position.clicks}÷{position.propensity:g}{_equals_text(weighted_click_count)}"
        step_lines.append(
            f"{POSITION_NAMES[position_index]}：每次点击顶{1 / position.propensity:g}次，{quotient_text}。"
        )
        amounts.append(weighted_click_count)
        showing_count += position.shown_times
    quotient_text = f"({'+'.join(map(_figure_text, amounts))})÷{showing_count}"
    step_lines.append(f"加起来，除以一共摆出的{showing_count}次：IPS={quotient_text}")
    return WorkedTable(step_lines, sum(map(_figure_on_paper, amounts)) / showing_count)


TABLE_LINES_BY_QUANTITY: Mapping[str, Callable[[Any], list[str]]] = {
    "kappa": _agreement_table_lines,
    "ips": _clicks_table_lines,
}
WORKED_TABLE_BY_QUANTITY: Mapping[str, Callable[[Any], WorkedTable]] = {
    "kappa": _worked_kappa,
    "ips": _worked_ips,
}
