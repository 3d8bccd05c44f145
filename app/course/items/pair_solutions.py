"""A swap and a lambda, as the tutor writes them: the list, conventions, and the calculation line by line."""

from collections.abc import Mapping, Sequence

from app import engine
from app.course.items.coin_solutions import GAP
from app.course.items.printing import as_printed, equals, exact, rounded, rounding_note
from app.engine.misconceptions.tables.pair_working import surprise

NAMES = {"delta_ndcg": "|ΔNDCG|", "lambda": "λ"}
GAIN_CLAUSES: Mapping[str, str] = {"linear": "线性增益", "exponential": "指数增益"}
CLAUSES: Mapping[str, Sequence[str]] = {
    "delta_ndcg": ("不截断", "理想从这一列里挑", "涨跌不管，只记大小"),
    "lambda": ("不截断", "理想从这一列里挑", "σ取1"),
}
GAPS = (-3, -2, -1, 0, 1, 2, 3)
"""The differences of two scores whose surprise stands beside a question."""
DECIMALS = 3


def name(question: engine.TableQuestion) -> str:
    """How the asked figure is written.

    >>> name(engine.RankSwap([1, 3], 1, 2))
    '|ΔNDCG|'
    """
    return NAMES[question.quantity]


def table(question: engine.TableQuestion) -> str:
    """The list as a stem shows it, a document a row; of a lambda with the scores; the surprises below it.

    >>> print(table(engine.RankSwap([1, 3], 1, 2)))
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
        cells = [f"第{rank}位", exact(grade)]
        if isinstance(question, engine.PairForce):
            cells.append(_signed_text(question.scores[rank - 1]))
        table_lines.append(f"| {' | '.join(cells)} |")
    if isinstance(question, engine.PairForce):
        table_lines += ["", f"分差→吃惊ρ：{_surprises(question)}"]
    return "\n".join(table_lines)


def _surprises(question: engine.PairForce) -> str:
    """The surprise of each difference, the asked one among them, with gaps where a line may break."""
    gaps = sorted({*GAPS, question.gap})
    return GAP.join(f"{_signed_text(gap)}→{rounded(surprise(gap), DECIMALS)}" for gap in gaps)


def clauses(question: engine.RankSwap) -> list[str]:
    """What a question takes for granted: its gain, then what all of its kind do."""
    return [GAIN_CLAUSES[question.gain], *CLAUSES[question.quantity]]


def lines(question: engine.TableQuestion, decimals: int) -> list[str]:
    """The calculation, one line a step; the last line holds the result.

    >>> print(*lines(engine.PairForce([1, 3, 2, 0], 1, 2, scores=[3, 2, 1, 0]), 3), sep="\\n")
    两位的增益是3和1，差3−1=2。
    第1位和第2位的折损差：1−0.631≈0.369。
    理想DCG≈4.762，换座没有动它。
    |ΔNDCG|=2×0.369÷4.762≈0.155。
    该在前的是第2位。分差＝它的模型分减另一位的：2−3=−1，查表ρ≈0.731。
    λ=0.731×0.155≈**0.113**
    """
    assert isinstance(question, engine.RankSwap)
    upper_weight, lower_weight = (
        engine.discount_weight(question.first),
        engine.discount_weight(question.second),
    )
    ideal_dcg = engine.idcg(question.grades, None, question.gain)
    better, worse = _gains(question)
    difference = f"{exact(better)}−{exact(worse)}={exact(better - worse)}"
    weights = (
        f"{_weight(upper_weight)}−{_weight(lower_weight)}{equals(upper_weight - lower_weight, DECIMALS)}"
    )
    steps = [
        f"两位的增益是{exact(better)}和{exact(worse)}，差{difference}。",
        f"第{question.first}位和第{question.second}位的折损差：{weights}。",
        f"理想DCG{equals(ideal_dcg, DECIMALS)}，换座没有动它。",
    ]
    weight_gap = rounded(upper_weight - lower_weight, DECIMALS)
    change = f"{exact(better - worse)}×{weight_gap}÷{rounded(ideal_dcg, DECIMALS)}"
    worked_change = (better - worse) * as_printed(upper_weight - lower_weight) / as_printed(ideal_dcg)
    if not isinstance(question, engine.PairForce):
        note = rounding_note(worked_change, question.figure(), decimals)
        return [*steps, f"{name(question)}={change}{equals(question.figure(), decimals, strong=True)}{note}"]
    ndcg_change = engine.RankSwap(question.grades, question.first, question.second, question.gain).figure()
    rho = surprise(question.gap)
    better_score = _signed_text(question.scores[question.better_rank - 1])
    worse_score = _signed_text(question.scores[question.worse_rank - 1])
    gap = f"{better_score}−{worse_score}"
    looked_up = (
        f"分差＝它的模型分减另一位的：{gap}={_signed_text(question.gap)}，查表ρ{equals(rho, DECIMALS)}"
    )
    product = f"{rounded(rho, DECIMALS)}×{rounded(ndcg_change, DECIMALS)}"
    change_note = rounding_note(worked_change, ndcg_change, DECIMALS)
    note = rounding_note(as_printed(rho) * as_printed(ndcg_change), question.figure(), decimals)
    return [
        *steps,
        f"{NAMES['delta_ndcg']}={change}{equals(ndcg_change, DECIMALS)}{change_note}。",
        f"该在前的是第{question.better_rank}位。{looked_up}。",
        f"λ={product}{equals(question.figure(), decimals, strong=True)}{note}",
    ]


def _gains(question: engine.RankSwap) -> tuple[float, float]:
    gain = engine.GAINS[question.gain]
    return gain(question.grades[question.better_rank - 1]), gain(question.grades[question.worse_rank - 1])


def _weight(weight: float) -> str:
    """A weight as the table beside it prints it; those that are exact, exactly."""
    return exact(weight) if weight in (1, 0.5) else rounded(weight, DECIMALS)


def _signed_text(score: float) -> str:
    return f"{score:g}".replace("-", "−")
