"""算给我看: the tutor's calculation, line by line, in Markdown."""

from collections.abc import Mapping, Sequence
from typing import Protocol

from app import engine
from app.course.items import coin_solutions, label_solutions, pair_solutions, share_solutions
from app.course.items.printed_figures import (
    STEP_DECIMALS,
    addition_text,
    bold_text,
    equals_text,
    exact_text,
    power_of_two_text,
    rounded_text,
    rounding_note,
    sum_note,
)
from app.engine.misconceptions.working import quotient
from app.engine.questions import SHARE_QUANTITIES
from app.engine.rounding import figure_as_noted

FEWEST_FIGURES_OF_LOGARITHM = 4


class TableSolutions(Protocol):
    """What the module of a family of tables says of its questions."""

    CLAUSES_BY_QUANTITY: Mapping[str, Sequence[str]]

    def quantity_name(self, table_question: engine.TableQuestion, /) -> str: ...

    def table_markdown(self, table_question: engine.TableQuestion) -> str: ...

    def solution_lines(self, table_question: engine.TableQuestion, decimals: int) -> list[str]: ...


def table_solutions_of(quantity: str) -> TableSolutions:
    """The module that speaks of a figure of a table.

    >>> table_solutions_of("ips").CLAUSES_BY_QUANTITY["ips"]
    ('点击＝看到×喜欢', '被看到的机会已经给定')
    """
    if quantity in coin_solutions.CLAUSES_BY_QUANTITY:
        return coin_solutions
    if quantity in pair_solutions.CLAUSES_BY_QUANTITY:
        return pair_solutions
    return label_solutions


def quantity_name(question: engine.AnyQuestion) -> str:
    """How the asked quantity is written.

    >>> quantity_name(engine.Question("ndcg", [3, 2, 1], k=3))
    'NDCG@3'
    >>> quantity_name(engine.Question("term", [3, 2], rank=2)), quantity_name(engine.SignTest([0.1, 0.2]))
    ('第2项', 'p')
    """
    if isinstance(question, engine.TableQuestion):
        return table_solutions_of(question.quantity).quantity_name(question)
    name_pattern_by_quantity = {"gain": "第{}位的增益", "discount": "第{}位的折损", "term": "第{}项"}
    if question.quantity in name_pattern_by_quantity:
        return name_pattern_by_quantity[question.quantity].format(question.rank)
    if question.quantity in SHARE_QUANTITIES:
        return share_solutions.quantity_name(question)
    return question.quantity.upper() + _cutoff_text(question)


def _cutoff_text(question: engine.Question) -> str:
    """How far it is added; nothing where the ideal goes on behind the list.

    >>> _cutoff_text(engine.Question("ndcg", [1], pool=[1, 1]))
    ''
    """
    is_ideal_longer = question.pool is not None and len(question.pool) != len(question.grades)
    if question.k is None and is_ideal_longer:
        return ""
    return f"@{question.k or len(question.grades)}"


def solution_lines(question: engine.AnyQuestion, decimals: int = STEP_DECIMALS) -> list[str]:
    """The calculation of any question, one line a step; the last line holds the result.

    >>> print(*solution_lines(engine.Question("term", [3, 2, 1], rank=2)), sep="\\n")
    第2位的甜度是2，线性增益就是2。
    第2位的折损是1/log₂(2+1)=1/1.585≈0.631。
    这一项：2×0.631≈**1.262**
    """
    if isinstance(question, engine.TableQuestion):
        return table_solutions_of(question.quantity).solution_lines(question, decimals)
    if question.quantity in SHARE_QUANTITIES:
        return share_solutions.solution_lines(question, decimals)
    trace = engine.trace(question.grades, question.k, question.gain, pool=question.pool)
    match question.quantity:
        case "gain" | "discount" | "term":
            return _lines_of_rank(question, decimals)
        case "cg":
            grades_text = "+".join(exact_text(term.grade or 0) for term in trace.terms)
            total_text = equals_text(trace.cg, decimals, is_bold=True)
            return [f"前{len(trace.terms)}位的甜度加起来：{grades_text}{total_text}"]
        case "dcg":
            return _lines_of_sum(trace.terms, question, quantity_name(question), decimals)
        case "idcg":
            sum_lines = _lines_of_sum(trace.ideal_terms, question, quantity_name(question), decimals)
            return [ideal_order_line(trace, question), *sum_lines]
    return _lines_of_ratio(trace, question, decimals)


def ideal_order_line(trace: engine.Trace, question: engine.Question) -> str:
    """The sentence that states the ideal order."""
    grades_text = "、".join(exact_text(term.grade or 0) for term in trace.ideal_terms)
    source_words = "评判池里的所有甜度" if question.pool is not None else "所有甜度"
    return f"把{source_words}从高到低排好，再取前{len(trace.ideal_terms)}位：{grades_text}。"


def gain_text(term: engine.Term, gain: str) -> str:
    """How a grade becomes a gain.

    >>> gain_text(engine.trace([3], gain="exponential").terms[0], "exponential")
    '2³−1=7'
    """
    if gain == "linear":
        return exact_text(term.gain)
    return f"{power_of_two_text(term.grade or 0)}−1={exact_text(term.gain)}"


def term_line(term: engine.Term, gain: str = "linear") -> str:
    """One term: gain over log.

    >>> term_line(engine.trace([2, 3]).terms[1])
    '第2位：增益3，3÷log₂(3)=3÷1.585≈1.893'
    """
    quotient_text = (
        f"{exact_text(term.gain)}÷log₂({term.rank + 1})={exact_text(term.gain)}÷{1 / term.discount:.4g}"
    )
    rounding_words = rounding_note(term.gain / figure_as_noted(1 / term.discount), term.value, STEP_DECIMALS)
    term_text = f"{equals_text(term.value, STEP_DECIMALS)}{rounding_words}"
    return f"第{term.rank}位：增益{gain_text(term, gain)}，{quotient_text}{term_text}"


def _lines_of_rank(question: engine.Question, decimals: int) -> list[str]:
    rank = question.rank or 1
    term = engine.trace(question.grades, None, question.gain).terms[rank - 1]
    if question.quantity == "gain":
        return [_gain_line(term, question.gain, is_bold=True)]
    if question.quantity == "discount":
        return [_discount_line(term, decimals, is_bold=True)]
    product_text = equals_text(term.value, decimals, is_bold=True)
    rounding_words = rounding_note(term.gain * figure_as_noted(term.discount), term.value, decimals)
    return [
        _gain_line(term, question.gain),
        _discount_line(term, STEP_DECIMALS),
        f"这一项：{exact_text(term.gain)}×{term.discount:.3f}{product_text}{rounding_words}",
    ]


def _gain_line(term: engine.Term, gain: str, is_bold: bool = False) -> str:
    grade_text = exact_text(term.grade or 0)
    gain_rule_words = "线性增益就是" if gain == "linear" else f"指数增益是2的{grade_text}次方减1，等于"
    return (
        f"第{term.rank}位的甜度是{grade_text}，{gain_rule_words}{bold_text(exact_text(term.gain), is_bold)}。"
    )


def _discount_line(term: engine.Term, decimals: int, is_bold: bool = False) -> str:
    result_text = equals_text(term.discount, decimals, is_bold)
    quotient_text = f"1/{_logarithm_text(term.discount, decimals)}"
    return f"第{term.rank}位的折损是1/log₂({term.rank}+1)={quotient_text}{result_text}。"


def _logarithm_text(discount: float, decimals: int) -> str:
    """The log of a rank with as few figures as give the discount that is printed.

    >>> _logarithm_text(engine.discount_weight(6), 3), _logarithm_text(engine.discount_weight(6), 4)
    ('2.807', '2.8074')
    """
    logarithm_text = ""
    for significant_figure_count in range(
        FEWEST_FIGURES_OF_LOGARITHM, FEWEST_FIGURES_OF_LOGARITHM + decimals + 1
    ):
        logarithm_text = f"{1 / discount:.{significant_figure_count}g}"
        if not rounding_note(1 / float(logarithm_text), discount, decimals):
            break
    return logarithm_text


def _lines_of_sum(
    terms: Sequence[engine.Term], question: engine.Question, sum_name: str, decimals: int
) -> list[str]:
    amounts = [term.value for term in terms]
    total_text = equals_text(terms[-1].running_total, decimals, is_bold=True)
    sum_lines = [term_line(term, question.gain) for term in terms]
    return [
        *sum_lines,
        f"加起来：{sum_name}={addition_text(amounts)}{total_text}{sum_note(amounts, decimals)}",
    ]


def _lines_of_ratio(trace: engine.Trace, question: engine.Question, decimals: int) -> list[str]:
    cutoff_text = _cutoff_text(question)
    result_text = equals_text(trace.ndcg, decimals, is_bold=True)
    ratio_line = f"相除：NDCG{cutoff_text}={division_text(trace, decimals)}{result_text}"
    if trace.zero_ideal:
        ratio_line = "理想排序也是0分，没有糖可比：按约定，NDCG记作**0**。"
    return [
        *_lines_of_sum(trace.terms, question, f"DCG{cutoff_text}", STEP_DECIMALS),
        ideal_order_line(trace, question),
        *_lines_of_sum(trace.ideal_terms, question, f"IDCG{cutoff_text}", STEP_DECIMALS),
        ratio_line,
    ]


def division_text(trace: engine.Trace, decimals: int = STEP_DECIMALS) -> str:
    """DCG ÷ IDCG as `dividend_and_divisor_texts` has them.

    >>> division_text(engine.trace([2, 3, 0])), division_text(engine.trace([1, 3, 2, 0]))
    ('3.893÷4.262', '3.8928÷4.7619')
    >>> division_text(engine.trace([1, 3, 2, 0]), 6)
    '3.89279÷4.76186'
    """
    return "÷".join(dividend_and_divisor_texts(trace.dcg, trace.idcg, trace.ndcg, decimals))


def dividend_and_divisor_texts(
    dcg: float, idcg: float, ndcg: float, decimals: int = STEP_DECIMALS
) -> tuple[str, str]:
    """DCG and IDCG with as few decimals as give the NDCG that is printed: whoever divides them gets it.

    >>> dividend_and_divisor_texts(0.0, 0.0, 0.0)
    ('0.000', '0.000')
    """
    dcg_text = idcg_text = ""
    for printed_decimals in range(STEP_DECIMALS, STEP_DECIMALS + decimals + 1):
        dcg_text = rounded_text(dcg, printed_decimals)
        idcg_text = rounded_text(idcg, printed_decimals)
        ndcg_on_paper = quotient(float(dcg_text), float(idcg_text))
        if idcg == 0 or not rounding_note(ndcg_on_paper, ndcg, decimals):
            break
    return dcg_text, idcg_text
