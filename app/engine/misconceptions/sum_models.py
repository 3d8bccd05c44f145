"""Wrong sums: what is made of the terms; and a list whose last term is taken for the first."""

from dataclasses import replace

from app.engine.misconceptions.misconception import (
    DCG_GENERATORS,
    NDCG_GENERATORS,
    Misconception,
    NeighbourGiven,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.working import Amounts, Ranking, candidate_grades
from app.engine.questions import Question
from app.engine.terms import sum_in_order

SUM_QUANTITIES: Quantities = ("cg", "dcg", "idcg")


def mean_of_terms(terms: Amounts) -> float:
    """Return the sum divided by the number of terms.

    >>> mean_of_terms([3, 0, 1.5])
    1.5
    """
    return sum_in_order(terms) / len(terms)


def relevant_grades(grades: Ranking) -> Ranking:
    """Return the documents that gain something; they close the gaps and move up.

    >>> relevant_grades([3, 0, None, 1])
    [3, 1]
    """
    return [grade for grade in grades if grade]


def sum_without_first(terms: Amounts) -> float:
    """Return the sum from rank 2 on."""
    return sum_in_order(terms[1:])


def sum_without_last(terms: Amounts) -> float:
    """Return the sum up to the last rank but one."""
    return sum_in_order(terms[:-1])


class ListFromBelow(NeighbourGiven):
    """The last document counts as the first."""

    id = "list_from_below"
    name = "从末位数起"
    step = "折损"
    thoughts = ("最下面的是第1位。", "名次从最后一位往前数。")
    mistake_clause = "你从最后一位往前数，把末位当成了第1位"
    hint = "名次从最前面数起，头一位不打折，越往后折得越多。"
    quantities = ("dcg", "ndcg")
    mostly_showing_generators = (*DCG_GENERATORS, *NDCG_GENERATORS)

    def neighbour_of(self, question: Question) -> Question:
        return replace(question, grades=question.grades[::-1])


class WrongSum(Misconception):
    """The terms are right, and wrongly put together."""

    step = "求和"


class WrongTotal(WrongSum):
    """A wrong sum of several terms."""

    quantities: Quantities = (*SUM_QUANTITIES, "ndcg")

    def fits(self, question: Question) -> bool:
        greater_length = max(len(question.grades), len(candidate_grades(question)))
        return greater_length > 1 and question.k != 1


class MeanNotSum(WrongTotal):
    """The sum, divided by the number of its terms."""

    id = "mean_not_sum"
    name = "求和做成了求平均"
    thoughts = ("分数应该是平均每一位得多少。", "列表越长分越高不公平，要除以项数。")
    mistake_clause = "你加完以后又除以了项数"
    hint = "把各项加起来就到头了，不用除；一列长一列短怎么比，归一那一步会管。"
    quantities = SUM_QUANTITIES
    wrong_steps = wrong_steps_with(total=mean_of_terms)


class ZerosDropped(WrongSum):
    """Only what gains something is ranked; it closes the gaps."""

    id = "zeros_dropped"
    name = "跳过了甜度是0的文档"
    thoughts = ("不相关的文档不得分，可以当它不在。", "未标注的文档直接删掉。")
    mistake_clause = "你跳过了甜度是0的文档，后面的名次都往前挪了"
    hint = "甜度是0的文档自己不加分，名次却照占，后面的文档不能往前挪。"
    quantities = ("dcg", "ndcg")
    can_join_another = True
    wrong_steps = wrong_steps_with(thin_out=relevant_grades)


class FirstTermDropped(WrongTotal):
    """The sum from rank 2 on."""

    id = "first_term_dropped"
    name = "漏了第1项"
    thoughts = ("第1位没有折损，不用算。", "代码里的下标从1开始，第0个就没有加。")
    mistake_clause = "你漏加了第1位的那一项"
    hint = "求和从第1位开始，第1位不打折，它的增益要全部算进去。"
    can_join_another = True
    wrong_steps = wrong_steps_with(total=sum_without_first)


class LastTermDropped(WrongTotal):
    """The sum up to the last rank but one."""

    id = "last_term_dropped"
    name = "少加了最后一项"
    thoughts = ("到第k位为止，就是不含第k位。", "最后一位折得厉害，不算也行。")
    mistake_clause = "你少加了最后一项"
    hint = "求和要一直加到最后一位，有截断就加到第k位，那一位自己也算在内。"
    wrong_steps = wrong_steps_with(total=sum_without_last)


class RunningTotalForOne(WrongSum):
    """The sum up to a rank where its own term is asked."""

    id = "running_total_for_one"
    name = "把累计值当成了这一项"
    thoughts = ("第几位的数，就是加到第几位的数。",)
    mistake_clause = "你给出的是加到这一位为止的累计值"
    hint = "这道题只问这一位自己的，前面几位的不要加进来。"
    quantities = ("gain", "term")
    wrong_steps = wrong_steps_with(take_asked_term=sum_in_order)


def all_grades(question: Question) -> Ranking:
    """Return the grades of the whole list."""
    return question.grades


class WholeSumForOne(WrongSum):
    """The sum of the whole list where one rank is asked."""

    id = "whole_sum_for_one"
    name = "给成了整列的总和"
    thoughts = ("把每一位的都加起来，才是答案。",)
    mistake_clause = "你给出的是整列加起来的总和"
    hint = "这道题只问这一位自己的，别的名次都不要加进来。"
    quantities = ("gain", "term")
    mostly_showing_generators = ("term", "term-exponential")
    wrong_steps = wrong_steps_with(read_grades=all_grades, take_asked_term=sum_in_order)

    def fits(self, question: Question) -> bool:
        """Where nothing comes after the rank, it is the running total."""
        return any(question.grades[question.rank or 0 :])


SUM_MODELS = (
    ListFromBelow(),
    MeanNotSum(),
    ZerosDropped(),
    FirstTermDropped(),
    LastTermDropped(),
    RunningTotalForOne(),
    WholeSumForOne(),
)
