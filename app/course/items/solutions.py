"""你算一下: the tutor's calculation, line by line, in Markdown."""

from collections.abc import Sequence

from app import engine
from app.course.items import share_solutions, table_solutions
from app.course.items.printing import (
    STEP_DECIMALS,
    addition,
    as_printed,
    bold,
    equals,
    exact,
    rounding_note,
    sum_note,
)
from app.engine.questions import SHARES

MOST_DECIMALS = 6
"""The most that a division is printed with."""
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def name(question: engine.AnyQuestion) -> str:
    """How the asked quantity is written.

    >>> name(engine.Question("ndcg", [3, 2, 1], k=3)), name(engine.Question("term", [3, 2], rank=2))
    ('NDCG@3', '第2项')
    """
    if isinstance(question, engine.TableQuestion):
        return table_solutions.name(question)
    of_rank = {"gain": "第{}位的增益", "discount": "第{}位的折损", "term": "第{}项"}
    if question.quantity in of_rank:
        return of_rank[question.quantity].format(question.rank)
    if question.quantity in SHARES:
        return share_solutions.name(question)
    return f"{question.quantity.upper()}@{question.k or len(question.grades)}"


def lines(question: engine.AnyQuestion, decimals: int = STEP_DECIMALS) -> list[str]:
    """The calculation of any question, one line a step; the last line holds the result.

    >>> print(*lines(engine.Question("term", [3, 2, 1], rank=2)), sep="\\n")
    第2位的甜度是2，线性增益就是2。
    第2位的折损是1/log₂(2+1)=1/1.585≈0.631。
    这一项：2×0.631≈**1.262**
    """
    if isinstance(question, engine.TableQuestion):
        return table_solutions.lines(question, decimals)
    if question.quantity in SHARES:
        return share_solutions.lines(question, decimals)
    trace = engine.trace(question.grades, question.k, question.gain, pool=question.pool)
    match question.quantity:
        case "gain" | "discount" | "term":
            return _of_rank(question, decimals)
        case "cg":
            grades = "+".join(exact(term.grade or 0) for term in trace.terms)
            total = equals(trace.cg, decimals, strong=True)
            return [f"前{len(trace.terms)}位的甜度加起来：{grades}{total}"]
        case "dcg":
            return _sum_of(trace.terms, question, name(question), decimals)
        case "idcg":
            sum_lines = _sum_of(trace.ideal_terms, question, name(question), decimals)
            return [ideal_order(trace, question), *sum_lines]
    return _ratio(trace, question, decimals)


def ideal_order(trace: engine.Trace, question: engine.Question) -> str:
    """The sentence that states the ideal order."""
    grades = "、".join(exact(term.grade or 0) for term in trace.ideal_terms)
    source_words = "评判池里的所有甜度" if question.pool is not None else "所有甜度"
    return f"把{source_words}从高到低排好，再取前{len(trace.ideal_terms)}位：{grades}。"


def gain_of(term: engine.Term, gain: str) -> str:
    """How a grade becomes a gain.

    >>> gain_of(engine.trace([3], gain="exponential").terms[0], "exponential")
    '2³−1=7'
    """
    if gain == "linear":
        return exact(term.gain)
    return f"{power_of_two(term.grade or 0)}−1={exact(term.gain)}"


def power_of_two(grade: float) -> str:
    """Two to the grade: superscripts where there are any."""
    if grade == int(grade):
        return "2" + str(int(grade)).translate(_SUPERSCRIPTS)
    return f"2^{grade:g}"


def term_line(term: engine.Term, gain: str = "linear") -> str:
    """One term: gain over log.

    >>> term_line(engine.trace([2, 3]).terms[1])
    '第2位：增益3，3÷log₂(3)=3÷1.585≈1.893'
    """
    division = f"{exact(term.gain)}÷log₂({term.rank + 1})={exact(term.gain)}÷{1 / term.discount:.4g}"
    note = rounding_note(term.gain / as_printed(1 / term.discount), term.value, STEP_DECIMALS)
    return f"第{term.rank}位：增益{gain_of(term, gain)}，{division}{equals(term.value, STEP_DECIMALS)}{note}"


def _of_rank(question: engine.Question, decimals: int) -> list[str]:
    rank = question.rank or 1
    term = engine.trace(question.grades, None, question.gain).terms[rank - 1]
    if question.quantity == "gain":
        return [_gain_line(term, question.gain, strong=True)]
    if question.quantity == "discount":
        return [_discount_line(term, decimals, strong=True)]
    product = equals(term.value, decimals, strong=True)
    note = rounding_note(term.gain * as_printed(term.discount), term.value, decimals)
    return [
        _gain_line(term, question.gain),
        _discount_line(term, STEP_DECIMALS),
        f"这一项：{exact(term.gain)}×{term.discount:.3f}{product}{note}",
    ]


def _gain_line(term: engine.Term, gain: str, strong: bool = False) -> str:
    grade = exact(term.grade or 0)
    how = "线性增益就是" if gain == "linear" else f"指数增益是2的{grade}次方减1，等于"
    return f"第{term.rank}位的甜度是{grade}，{how}{bold(exact(term.gain), strong)}。"


def _discount_line(term: engine.Term, decimals: int, strong: bool = False) -> str:
    result_words = equals(term.discount, decimals, strong)
    return f"第{term.rank}位的折损是1/log₂({term.rank}+1)=1/{1 / term.discount:.4g}{result_words}。"


def _sum_of(terms: Sequence[engine.Term], question: engine.Question, label: str, decimals: int) -> list[str]:
    amounts = [term.value for term in terms]
    total = equals(terms[-1].running_total, decimals, strong=True)
    lines = [term_line(term, question.gain) for term in terms]
    return [*lines, f"加起来：{label}={addition(amounts)}{total}{sum_note(amounts, decimals)}"]


def _ratio(trace: engine.Trace, question: engine.Question, decimals: int) -> list[str]:
    k = name(question).partition("@")[2]
    ratio_words = f"相除：NDCG@{k}={division(trace)}{equals(trace.ndcg, decimals, strong=True)}"
    if trace.zero_ideal:
        ratio_words = "理想排序也是0分，没有糖可比：按约定，NDCG记作**0**。"
    return [
        *_sum_of(trace.terms, question, f"DCG@{k}", STEP_DECIMALS),
        ideal_order(trace, question),
        *_sum_of(trace.ideal_terms, question, f"IDCG@{k}", STEP_DECIMALS),
        ratio_words,
    ]


def division(trace: engine.Trace) -> str:
    """DCG ÷ IDCG with as few decimals as give the NDCG that is printed: whoever divides them gets it.

    >>> division(engine.trace([2, 3, 0])), division(engine.trace([1, 3, 2, 0]))
    ('3.893÷4.262', '3.8928÷4.7619')
    """
    quotient_text = ""
    for decimals in range(STEP_DECIMALS, MOST_DECIMALS + 1):
        dcg, idcg = f"{trace.dcg:.{decimals}f}", f"{trace.idcg:.{decimals}f}"
        quotient_text = f"{dcg}÷{idcg}"
        if not trace.zero_ideal and _is_same(float(dcg) / float(idcg), trace.ndcg):
            break
    return quotient_text


def _is_same(quotient: float, ndcg: float) -> bool:
    return f"{quotient:.{STEP_DECIMALS}f}" == f"{ndcg:.{STEP_DECIMALS}f}"
