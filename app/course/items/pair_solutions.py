"""A swap and a lambda, as the tutor writes them: the list, conventions, and the calculation line by line."""

from collections.abc import Mapping, Sequence

from app import engine
from app.course.items.coin_solutions import WIDE_SPACE
from app.course.items.printing import (
    equals_text,
    exact_text,
    figure_as_printed,
    rounded_text,
    rounding_note,
    signed_text,
)
from app.engine.misconceptions.tables.pair_working import surprise_of_gap

NAME_BY_QUANTITY = {"delta_ndcg": "|ΔNDCG|", "lambda": "λ"}
CLAUSE_BY_GAIN: Mapping[str, str] = {"linear": "线性增益", "exponential": "指数增益"}
CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]] = {
    "delta_ndcg": ("不截断", "理想从这一列里挑", "涨跌不管，只记大小"),
    "lambda": ("不截断", "理想从这一列里挑", "σ取1"),
}
PRINTED_GAPS = (-3, -2, -1, 0, 1, 2, 3)
"""The differences of two scores whose surprise stands beside a question."""
WORKING_DECIMALS = 3


def quantity_name(question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> quantity_name(engine.RankSwap([1, 3], 1, 2))
    '|ΔNDCG|'
    """
    return NAME_BY_QUANTITY[question.quantity]


def markdown_table(question: engine.TableQuestion) -> str:
    """The list as a stem shows it, a document a row; of a lambda with the scores; the surprises below it.

    >>> print(markdown_table(engine.RankSwap([1, 3], 1, 2)))
    | 名次 | 甜度 |
    |---|---|
    | 第1位 | 1 |
    | 第2位 | 3 |
    """
    assert isinstance(question, engine.RankSwap)
    table_lines = ["| 名次 | 甜度 |", "|---|---|"]
    if isinstance(question, engine.PairForce):
        table_lines = ["| 名次 | 甜度 | 模型分 |", "|---|---|---|"]
    for rank, grade in enumerate(question.grades, 1):
        cells = [f"第{rank}位", exact_text(grade)]
        if isinstance(question, engine.PairForce):
            cells.append(signed_text(question.scores[rank - 1]))
        table_lines.append(f"| {' | '.join(cells)} |")
    if isinstance(question, engine.PairForce):
        table_lines += ["", f"分差→吃惊ρ：{_surprise_table(question)}"]
    return "\n".join(table_lines)


def _surprise_table(question: engine.PairForce) -> str:
    """The surprise of each difference, the asked one among them, with gaps where a line may break."""
    score_gaps = sorted({*PRINTED_GAPS, question.gap})
    return WIDE_SPACE.join(
        f"{signed_text(score_gap)}→{rounded_text(surprise_of_gap(score_gap), WORKING_DECIMALS)}"
        for score_gap in score_gaps
    )


def clauses_of(question: engine.RankSwap) -> list[str]:
    """What a question takes for granted: its gain, then what all of its kind do."""
    return [CLAUSE_BY_GAIN[question.gain], *CLAUSES_BY_QUANTITY[question.quantity]]


def solution_lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result.

    >>> print(*solution_lines(engine.PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0]), 3), sep="\\n")
    两位的增益是3和1，差3−1=2。
    第1位和第2位的折损差：1−0.631≈0.369。
    理想DCG≈4.762，换座没有动它。
    |ΔNDCG|=2×0.369÷4.762≈0.155。
    该在前的是第2位。分差＝它的模型分减另一位的：2−3=−1，查表ρ≈0.731。
    λ=0.731×0.155≈**0.113**
    """
    assert isinstance(question, engine.RankSwap)
    upper_discount, lower_discount = (
        engine.discount_weight(question.first),
        engine.discount_weight(question.second),
    )
    ideal_dcg = engine.idcg(question.grades, None, question.gain)
    better_gain, worse_gain = _better_and_worse_gain(question)
    gain_difference_text = (
        f"{exact_text(better_gain)}−{exact_text(worse_gain)}={exact_text(better_gain - worse_gain)}"
    )
    discount_gap_sign = equals_text(upper_discount - lower_discount, WORKING_DECIMALS)
    discounts_line = f"{_discount_text(upper_discount)}−{_discount_text(lower_discount)}{discount_gap_sign}"
    step_lines = [
        f"两位的增益是{exact_text(better_gain)}和{exact_text(worse_gain)}，差{gain_difference_text}。",
        f"第{question.first}位和第{question.second}位的折损差：{discounts_line}。",
        f"理想DCG{equals_text(ideal_dcg, WORKING_DECIMALS)}，换座没有动它。",
    ]
    discount_gap_text = rounded_text(upper_discount - lower_discount, WORKING_DECIMALS)
    ideal_dcg_text = rounded_text(ideal_dcg, WORKING_DECIMALS)
    change_text = f"{exact_text(better_gain - worse_gain)}×{discount_gap_text}÷{ideal_dcg_text}"
    change_on_paper = (
        (better_gain - worse_gain)
        * figure_as_printed(upper_discount - lower_discount)
        / figure_as_printed(ideal_dcg)
    )
    figure_text = equals_text(question.figure(), decimals, is_bold=True)
    if not isinstance(question, engine.PairForce):
        note_words = rounding_note(change_on_paper, question.figure(), decimals)
        return [
            *step_lines,
            f"{quantity_name(question)}={change_text}{figure_text}{note_words}",
        ]
    ndcg_change = engine.RankSwap(question.grades, question.first, question.second, question.gain).figure()
    rho = surprise_of_gap(question.gap)
    better_score_text = signed_text(question.scores[question.better_rank - 1])
    worse_score_text = signed_text(question.scores[question.worse_rank - 1])
    gap_text = f"{better_score_text}−{worse_score_text}"
    rho_text = equals_text(rho, WORKING_DECIMALS)
    surprise_line = f"分差＝它的模型分减另一位的：{gap_text}={signed_text(question.gap)}，查表ρ{rho_text}"
    product_text = f"{rounded_text(rho, WORKING_DECIMALS)}×{rounded_text(ndcg_change, WORKING_DECIMALS)}"
    ndcg_change_text = equals_text(ndcg_change, WORKING_DECIMALS)
    change_note_words = rounding_note(change_on_paper, ndcg_change, WORKING_DECIMALS)
    note_words = rounding_note(
        figure_as_printed(rho) * figure_as_printed(ndcg_change), question.figure(), decimals
    )
    return [
        *step_lines,
        f"{NAME_BY_QUANTITY['delta_ndcg']}={change_text}{ndcg_change_text}{change_note_words}。",
        f"该在前的是第{question.better_rank}位。{surprise_line}。",
        f"λ={product_text}{figure_text}{note_words}",
    ]


def _better_and_worse_gain(question: engine.RankSwap) -> tuple[float, float]:
    gain = engine.GAINS[question.gain]
    return gain(question.grades[question.better_rank - 1]), gain(question.grades[question.worse_rank - 1])


def _discount_text(discount: float) -> str:
    """A weight as the table beside it prints it; those that are exact, exactly."""
    return exact_text(discount) if discount in (1, 0.5) else rounded_text(discount, WORKING_DECIMALS)
