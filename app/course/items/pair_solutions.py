"""A swap and a lambda, as the tutor writes them: the list, conventions, and the calculation line by line."""

from collections.abc import Mapping, Sequence

from app import engine
from app.course.items.coin_solutions import SIGNED_NUMBER_SEPARATOR
from app.course.items.printed_figures import (
    STEP_DECIMALS,
    equals_text,
    exact_text,
    rounded_text,
    rounding_note,
    signed_text,
)
from app.course.text.model_base import NAME_BY_GAIN
from app.engine.pairwise.lambdarank import surprise_of_gap
from app.engine.rounding import figure_as_noted

NAME_BY_QUANTITY = {"delta_ndcg": "|ΔNDCG|", "lambda": "λ"}
CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]] = {
    "delta_ndcg": ("不截断", "理想从这一列里挑", "涨跌不管，只记大小"),
    "lambda": ("不截断", "理想从这一列里挑", "σ取1"),
}
PRINTED_GAPS = (-3, -2, -1, 0, 1, 2, 3)
"""The differences of two scores whose surprise stands beside a question."""


def quantity_name(table_question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> quantity_name(engine.RankSwap([1, 3], 1, 2))
    '|ΔNDCG|'
    """
    return NAME_BY_QUANTITY[table_question.quantity]


def table_markdown(table_question: engine.TableQuestion) -> str:
    """The list as a stem shows it, a document a row; of a lambda with the scores; the surprises below it.

    >>> print(table_markdown(engine.RankSwap([1, 3], 1, 2)))
    | 名次 | 甜度 |
    |---|---|
    | 第1位 | 1 |
    | 第2位 | 3 |
    """
    assert isinstance(table_question, engine.RankSwap)
    table_lines = ["| 名次 | 甜度 |", "|---|---|"]
    if isinstance(table_question, engine.PairForce):
        table_lines = ["| 名次 | 甜度 | 模型分 |", "|---|---|---|"]
    for rank, grade in enumerate(table_question.grades, 1):
        row_cells = [f"第{rank}位", exact_text(grade)]
        if isinstance(table_question, engine.PairForce):
            row_cells.append(signed_text(table_question.scores[rank - 1]))
        table_lines.append(f"| {' | '.join(row_cells)} |")
    if isinstance(table_question, engine.PairForce):
        table_lines += ["", f"分差→吃惊ρ：{_surprises_text(table_question)}"]
    return "\n".join(table_lines)


def _surprises_text(pair_force: engine.PairForce) -> str:
    """The surprise of each difference, the asked one among them, with marks behind which a line may break."""
    score_gaps = sorted({*PRINTED_GAPS, pair_force.gap})
    return SIGNED_NUMBER_SEPARATOR.join(
        f"{signed_text(score_gap)}→{rounded_text(surprise_of_gap(score_gap), STEP_DECIMALS)}"
        for score_gap in score_gaps
    )


def clauses_of(rank_swap: engine.RankSwap) -> list[str]:
    """What a question takes for granted: its gain, then what all of its kind do."""
    return [NAME_BY_GAIN[rank_swap.gain], *CLAUSES_BY_QUANTITY[rank_swap.quantity]]


def solution_lines(table_question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result.

    >>> print(*solution_lines(engine.PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0]), 3), sep="\\n")
    两位的增益是3和1，差3−1=2。
    第1位和第2位的折损差：1−0.631≈0.369。
    理想DCG≈4.762，换座没有动它。
    |ΔNDCG|=2×0.369÷4.762≈0.155。
    该在前的是第2位。分差＝它的模型分减另一位的：2−3=−1，查表ρ≈0.731。
    λ=0.731×0.155≈**0.113**
    """
    assert isinstance(table_question, engine.RankSwap)
    if isinstance(table_question, engine.PairForce):
        return _force_lines(table_question, decimals)
    return _swap_lines(table_question, decimals)


def _swap_lines(rank_swap: engine.RankSwap, decimals: int, is_result: bool = True) -> list[str]:
    """By how much NDCG changes: the gap of the gains times that of the discounts, by the ideal DCG."""
    gain_of_grade = engine.GAINS[rank_swap.gain]
    better_gain = gain_of_grade(rank_swap.grades[rank_swap.better_rank - 1])
    worse_gain = gain_of_grade(rank_swap.grades[rank_swap.worse_rank - 1])
    gain_gap = better_gain - worse_gain
    gain_difference_text = f"{exact_text(better_gain)}−{exact_text(worse_gain)}={exact_text(gain_gap)}"
    upper_discount = engine.discount_weight(rank_swap.first)
    lower_discount = engine.discount_weight(rank_swap.second)
    discount_gap = upper_discount - lower_discount
    discount_difference_text = f"{_discount_text(upper_discount)}−{_discount_text(lower_discount)}"
    discount_difference_text += equals_text(discount_gap, STEP_DECIMALS)
    gap_on_paper = figure_as_noted(upper_discount) - figure_as_noted(lower_discount)
    discount_difference_text += rounding_note(gap_on_paper, discount_gap, STEP_DECIMALS)
    discount_gap_text = rounded_text(discount_gap, STEP_DECIMALS)
    ideal_dcg = engine.idcg(rank_swap.grades, None, rank_swap.gain)
    ideal_dcg_text = rounded_text(ideal_dcg, STEP_DECIMALS)
    ndcg_change = rank_swap.figure()
    change_text = equals_text(ndcg_change, decimals, is_bold=is_result)
    change_on_paper = gain_gap * figure_as_noted(discount_gap) / figure_as_noted(ideal_dcg)
    note_words = rounding_note(change_on_paper, ndcg_change, decimals)
    quotient_text = f"{exact_text(gain_gap)}×{discount_gap_text}÷{ideal_dcg_text}"
    return [
        f"两位的增益是{exact_text(better_gain)}和{exact_text(worse_gain)}，差{gain_difference_text}。",
        f"第{rank_swap.first}位和第{rank_swap.second}位的折损差：{discount_difference_text}。",
        f"理想DCG{equals_text(ideal_dcg, STEP_DECIMALS)}，换座没有动它。",
        f"|ΔNDCG|={quotient_text}{change_text}{note_words}",
    ]


def _force_lines(pair_force: engine.PairForce, decimals: int) -> list[str]:
    """The swap of the two, then how much the difference of their scores surprises, then both multiplied."""
    rank_swap = pair_force.rank_swap
    *swap_lines, ndcg_change_line = _swap_lines(rank_swap, STEP_DECIMALS, is_result=False)
    ndcg_change = rank_swap.figure()
    better_score_text = signed_text(pair_force.scores[pair_force.better_rank - 1])
    worse_score_text = signed_text(pair_force.scores[pair_force.worse_rank - 1])
    score_gap_text = f"{better_score_text}−{worse_score_text}={signed_text(pair_force.gap)}"
    surprise_words = f"查表ρ{equals_text(pair_force.rho, STEP_DECIMALS)}"
    better_sentence = f"该在前的是第{pair_force.better_rank}位。"
    rho_text = rounded_text(pair_force.rho, STEP_DECIMALS)
    ndcg_change_text = rounded_text(ndcg_change, STEP_DECIMALS)
    lambda_text = equals_text(pair_force.figure(), decimals, is_bold=True)
    lambda_on_paper = figure_as_noted(pair_force.rho) * figure_as_noted(ndcg_change)
    note_words = rounding_note(lambda_on_paper, pair_force.figure(), decimals)
    return [
        *swap_lines,
        f"{ndcg_change_line}。",
        f"{better_sentence}分差＝它的模型分减另一位的：{score_gap_text}，{surprise_words}。",
        f"λ={rho_text}×{ndcg_change_text}{lambda_text}{note_words}",
    ]


def _discount_text(discount: float) -> str:
    """A weight as the table beside it prints it; those that are exact, exactly."""
    return exact_text(discount) if discount in (1, 0.5) else rounded_text(discount, STEP_DECIMALS)
