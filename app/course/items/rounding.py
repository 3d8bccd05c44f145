"""The rounding contract: which numbers count as right beside the 折损表, and what made the others."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import lru_cache

from app import engine
from app.course.items import solutions
from app.engine.misconceptions.misconception import right_working_of
from app.engine.misconceptions.tables.pair_working import PairWorking
from app.engine.misconceptions.wrong_figure import SHARE_QUANTITIES_WITH_FRACTIONS
from app.engine.questions import QUANTITIES_AT_MOST_ONE
from app.engine.rounding import FLOAT_NOISE, HAND_WORKING_DECIMALS, figure_as_noted

TABLE_RANKS = 10
TABLE_DECIMALS = HAND_WORKING_DECIMALS
DISCOUNTED_QUANTITIES = frozenset({"discount", "term", "dcg", "idcg", "ndcg", "delta_ndcg", "lambda"})
"""The quantities for which the 折损表 is of use."""
WHOLE_QUANTITIES = frozenset({"gain", "cg"})
"""Whole numbers, where the grades are whole: there is nothing to round."""

TermOf = Callable[[float, float], float]


def discount_table() -> list[tuple[int, float, float]]:
    """The 折损表: rank, log2(rank + 1), weight.

    >>> [(rank, round(log, 3), round(discount, 3)) for rank, log, discount in discount_table()[:2]]
    [(1, 1.0, 1.0), (2, 1.585, 0.631)]
    """
    table_rows = []
    for rank in range(1, TABLE_RANKS + 1):
        discount = engine.discount_weight(rank)
        table_rows.append((rank, 1 / discount, discount))
    return table_rows


def table_name(quantity: str) -> str:
    """What the table beside a question is called: where a weight is asked, it has the logs alone."""
    return "对数表" if quantity == "discount" else "折损表"


@lru_cache(1024)  # asked by the verb, by the diagnosis and by the page
def accepted_range(question: engine.AnyQuestion, decimals: int) -> tuple[float, float]:
    """Lowest and highest number that counts as right.

    The exact value, and what one honestly gets from printed figures of three decimals: multiplying by the
    weights of the table, dividing by its logs, adding terms as the tutor prints them, dividing a printed DCG
    by a printed IDCG, subtracting two printed DCGs or NDCGs, multiplying a printed ρ by a printed ΔNDCG.
    Each within half a unit of the last decimal asked for; a gain or a CG that is whole is exact.

    >>> low, high = accepted_range(engine.Question("dcg", [2, 3, 0], k=3), 3)
    >>> low <= 3.893 <= high, low <= 3.892 <= high
    (True, False)
    """
    right_answer = engine.answer(question)
    accepted_readings = [right_answer, *_table_readings(question)]
    half_unit = 0.5 * 10**-decimals
    if question.quantity in WHOLE_QUANTITIES and right_answer.is_integer():
        half_unit = 0.0
    return min(accepted_readings) - half_unit - FLOAT_NOISE, max(accepted_readings) + half_unit + FLOAT_NOISE


@lru_cache(1024)  # the verb that records a number and the page that answers it ask the same
def diagnose(
    question: engine.AnyQuestion, typed_value: float, decimals: int, typed_decimals: int | None = None
) -> engine.Diagnosis | None:
    """What explains a number that the contract does not accept; None when nothing does.

    typed_decimals: places in which it was typed, if it was.

    >>> diagnose(engine.Question("dcg", [3, 2, 0, 1]), 6.77, 3).code
    'natural_log'
    """
    asked_decimals = TABLE_DECIMALS if question.quantity in WHOLE_QUANTITIES else decimals
    accepted_bounds = accepted_range(question, decimals)
    return engine.diagnose(question, typed_value, asked_decimals, accepted_bounds, typed_decimals)


def is_whole_in_table(figure: float) -> bool:
    """Whether a figure has no decimals where it is printed as a table prints it.

    >>> is_whole_in_table(2.9999), is_whole_in_table(2.999)
    (True, False)
    """
    return round(figure, TABLE_DECIMALS).is_integer()


def explanation_markdown(diagnosis: engine.Diagnosis) -> str:
    """The diagnosis to the learner, in Markdown: the step first, then what happened there.

    >>> explanation_markdown(diagnose(engine.Question("dcg", [3, 2, 0, 1]), 6.77, 3))[:12]
    '**卡在“折损”这一步。'
    """
    return f"**卡在{_formula_steps_in_words(diagnosis)}。**{diagnosis.explanation}"


def size_sentence(question: engine.AnyQuestion, typed_value: float, highest_accepted_value: float) -> str:
    """What is said to a wrong number that no mistake explains: whether it is too large or too small.

    >>> size_sentence(engine.Question("ndcg", [0, 3], k=2), 7.698, 0.631)
    '大了些：NDCG@2不会超过1。先看清要算的是什么，再一步一步核对。'
    >>> size_sentence(engine.Question("dcg", [0, 3], k=2), -4.123, 1.893)
    '小了些：DCG@2不会是负数。先看清要算的是什么，再一步一步核对。'
    """
    quantity_name = solutions.quantity_name(question)
    if typed_value > 1 and question.quantity in QUANTITIES_AT_MOST_ONE:
        return f"大了些：{quantity_name}不会超过1。先看清要算的是什么，再一步一步核对。"
    if typed_value < 0 and isinstance(question, engine.Question):
        return f"小了些：{quantity_name}不会是负数。先看清要算的是什么，再一步一步核对。"
    size_word = "大" if typed_value > highest_accepted_value else "小"
    return f"{size_word}了些。先看清要算的是{quantity_name}，再一步一步核对。"


def _formula_steps_in_words(diagnosis: engine.Diagnosis) -> str:
    """One step, one of several that are possible, or two that were both missed."""
    quoted_steps = [f"“{formula_step}”" for formula_step in diagnosis.step.split("、")]
    if diagnosis.are_alternatives:
        return f"{'或者'.join(quoted_steps)}这一步"
    if len(quoted_steps) > 1:
        return f"{'和'.join(quoted_steps)}这两步"
    return f"{quoted_steps[0]}这一步"


def _table_readings(question: engine.AnyQuestion) -> Iterator[float]:
    if isinstance(question, engine.TableQuestion):
        yield from _readings_of_table(question)
    elif question.quantity in SHARE_QUANTITIES_WITH_FRACTIONS:
        yield _right_value_rounded_on_the_way(question)
    elif question.quantity in DISCOUNTED_QUANTITIES and question.rank is not None:
        yield from _readings_of_rank(question, question.rank)
    elif question.quantity in DISCOUNTED_QUANTITIES:
        trace = engine.trace(question.grades, question.k, question.gain, pool=question.pool)
        for term_of in (_exact_term, _term_with_noted_discount, _term_with_noted_log, _printed_term):
            yield from _readings_of_list(question.quantity, trace, term_of)


def _right_value_rounded_on_the_way(question: engine.AnyQuestion) -> float:
    return right_working_of(question).rounded(figure_as_noted).value(question)


def _readings_of_table(table_question: engine.TableQuestion) -> Iterator[float]:
    yield _right_value_rounded_on_the_way(table_question)
    right_working = right_working_of(table_question)
    if isinstance(right_working, PairWorking):
        yield replace(right_working, lookup_rounding=figure_as_noted).value(table_question)
        yield replace(right_working, working_rounding=figure_as_noted).value(table_question)
    if isinstance(table_question, engine.PairForce):  # the last line of the tutor, typed as it stands
        yield figure_as_noted(table_question.rho) * figure_as_noted(table_question.rank_swap.figure())
    elif isinstance(table_question, engine.RankSwap):
        yield from _readings_of_swap(table_question)


def _readings_of_swap(rank_swap: engine.RankSwap) -> Iterator[float]:
    """What the swap is worth to whoever prints DCG or NDCG before it and after it, and subtracts."""
    upper_index, lower_index = rank_swap.first - 1, rank_swap.second - 1
    swapped_grades = list(rank_swap.grades)
    swapped_grades[upper_index] = rank_swap.grades[lower_index]
    swapped_grades[lower_index] = rank_swap.grades[upper_index]
    former_trace = engine.trace(rank_swap.grades, None, rank_swap.gain)
    new_trace = engine.trace(swapped_grades, None, rank_swap.gain)
    dcg_change = figure_as_noted(former_trace.dcg) - figure_as_noted(new_trace.dcg)
    yield abs(dcg_change) / figure_as_noted(former_trace.idcg)
    yield abs(figure_as_noted(former_trace.ndcg) - figure_as_noted(new_trace.ndcg))


def _readings_of_rank(question: engine.Question, rank: int) -> Iterator[float]:
    term = engine.trace(question.grades, None, question.gain).terms[rank - 1]
    if question.quantity == "discount":  # beside it stand the logs alone
        yield _term_with_noted_log(1.0, term.discount)
    else:
        yield _term_with_noted_discount(term.gain, term.discount)
        yield _term_with_noted_log(term.gain, term.discount)


def _readings_of_list(quantity: str, trace: engine.Trace, term_of: TermOf) -> Iterator[float]:
    dcg_reading = sum(term_of(term.gain, term.discount) for term in trace.terms)
    idcg_reading = sum(term_of(term.gain, term.discount) for term in trace.ideal_terms)
    if quantity == "dcg":
        yield dcg_reading
    elif quantity == "idcg":
        yield idcg_reading
    elif figure_as_noted(idcg_reading):
        yield dcg_reading / idcg_reading
        yield figure_as_noted(dcg_reading) / figure_as_noted(idcg_reading)


def _exact_term(gain: float, discount: float) -> float:
    return gain * discount


def _term_with_noted_discount(gain: float, discount: float) -> float:
    return gain * figure_as_noted(discount)


def _term_with_noted_log(gain: float, discount: float) -> float:
    return gain / figure_as_noted(1 / discount)


def _printed_term(gain: float, discount: float) -> float:
    return figure_as_noted(gain * discount)
