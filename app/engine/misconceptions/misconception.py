"""Misconceptions: workings with one step replaced; two that break different steps compose."""

from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from types import MappingProxyType
from typing import Any, TypeAlias

from app.engine.misconceptions.shares import RIGHT_SHARE_WORKING_BY_QUANTITY, ShareWorking
from app.engine.misconceptions.tables import RIGHT_TABLE_WORKING_BY_QUANTITY
from app.engine.misconceptions.working import FigureWorking, Rounding, Working, right_working
from app.engine.questions import RANK_QUANTITIES, AnyQuestion, Question, TableQuestion
from app.engine.rounding import figure_as_noted, weight_of_noted_divisor

STEPS_OF_NDCG = ("增益", "折损", "求和", "理想", "截断", "归一")  # in the order in which it is worked out
STEPS_OF_SHARES = ("相关", "名次", "分母")  # what is relevant, what a rank brings in, what is divided by
STEPS_OF_PAIRS = ("换座", "归到满分", "吃惊", "合成")  # what moves, over what, how surprising, and both
STEPS_OF_COINS = ("硬币", "够远", "总数", "两头", "读法")  # what is tossed, what counts, and what p says
STEPS_OF_AGREEMENT = ("一致", "碰巧", "扣除")  # what was seen, what chance does, what is left
STEPS_OF_CLICKS = ("加权", "平均")  # what a click weighs, what the sum is divided by
STEPS_OF_TABLES = (*STEPS_OF_PAIRS, *STEPS_OF_COINS, *STEPS_OF_AGREEMENT, *STEPS_OF_CLICKS)
STEPS = (*STEPS_OF_NDCG, *STEPS_OF_SHARES, *STEPS_OF_TABLES)

Quantities: TypeAlias = tuple[str, ...]
DCG_GENERATORS = ("dcg", "dcg-exponential", "dcg-sum", "dcg-at-k")
IDCG_GENERATORS = ("idcg", "idcg-exponential", "idcg-cut", "idcg-pool")
NDCG_GENERATORS = ("ndcg", "ndcg-exponential", "ndcg-at-k", "ndcg-pool")


class Misconception:
    """One wrong model of how a figure is worked out; each is a subclass.

    一个误区：怎么想的、错在哪一步、会算出什么、怎样点拨。

    id: its name in code and records. name: 中文, as something that was done. step: one of ``STEPS``.
    thoughts: sentences of a learner that lead here; several thoughts that give the same number
    everywhere are one misconception. mistake_clause: what the learner did, said to the learner, without a
    full stop. hint: corrects it and never gives the number; it contains no figure but the 2 of the formula.
    quantities: what must be asked for it to show. wrong_steps: what stands in for fields of the
    ``FigureWorking`` of these; wrong_steps_in_shares: where a model of NDCG replaces others in a share.
    mostly_showing_generators: names of generators, whatever their version, that were made without this
    model in mind, and in whose questions it mostly has a number of its own: a seed that was given out keeps
    its question, and practice against the mistake finds them here.
    can_join_another: a belief that plausibly stands beside another one; slips of counting do not.
    mirror_model: the same belief the other way round, with a number of its own.
    yields_to_broken_steps: it is named only where no broken step leads to the same number.

    >>> from app.engine.misconceptions import MISCONCEPTIONS
    >>> model = MISCONCEPTIONS["natural_log"]
    >>> model.step, model.applies(Question("dcg", [3, 2, 0, 1])), model.applies(Question("ndcg", [3, 2]))
    ('折损', True, False)
    >>> round(model.compute(Question("dcg", [3, 2, 0, 1])), 4)
    6.7699
    """

    id: str
    name: str
    step: str
    thoughts: tuple[str, ...]
    mistake_clause: str
    hint: str
    quantities: Quantities
    wrong_steps: Mapping[str, Any]
    wrong_steps_in_shares: Mapping[str, Any] | None = None
    mostly_showing_generators: tuple[str, ...] = ()
    can_join_another: bool = False
    mirror_model: "Misconception | None" = None
    yields_to_broken_steps: bool = False

    def fits(self, question: Any) -> bool:  # noqa: ARG002
        """Return whether the question has what else the model needs; here always: the quantity decides."""
        return True

    def applies(self, question: AnyQuestion) -> bool:
        """Return whether the model changes something meaningful in this question.

        The value may still be that of the truth (e.g. a logarithm at rank 1): compare before use.
        """
        return question.quantity in self.quantities and self.fits(question)

    def compute(self, question: AnyQuestion, *partner_models: "Misconception") -> float:
        """Return what a learner with this model would get, unrounded; nan where it divides by 0.

        Only for questions where it ``applies``. partner_models: further models held at the same time; each
        must break a step of its own.
        """
        return self.working(question, *partner_models).value(question)

    def working(self, question: AnyQuestion, *partner_models: "Misconception") -> FigureWorking:
        """Return the way of working of a learner with this model, and with the others."""
        return _broken_working(right_working_of(question), self, *partner_models)

    def compute_on_paper(self, question: AnyQuestion, *partner_models: "Misconception") -> tuple[float, ...]:
        """Return what this model leads to, weights or their divisors rounded to ``HAND_WORKING_DECIMALS``.

        Nobody writes down more of them, and a printed table shows no more. Of a share, what each rank brings
        in is rounded; of a table, every figure on the way.
        """
        figure_working = self.working(question, *partner_models)
        paper_workings = [_working_on_paper(figure_working, figure_as_noted)]
        if isinstance(figure_working, Working):
            paper_workings.append(_working_on_paper(figure_working, weight_of_noted_divisor))
        return tuple(paper_working.value(question) for paper_working in paper_workings)


class NeighbourGiven(Misconception):
    """Another quantity of the same list where one of `quantities` is asked: every step to it is right.

    given_quantity: what was worked out. It yields to broken steps, but for two: ``GainForgotten`` stops at
    the weight and ``TermForWeight`` goes on to the term, a step as near as any that is broken.
    """

    given_quantity: str
    yields_to_broken_steps = True
    wrong_steps = MappingProxyType({})

    def neighbour_of(self, question: Any) -> Question:
        """Return the question that was answered."""
        rank = question.rank if self.given_quantity in RANK_QUANTITIES else None
        neighbour: Question = replace(question, quantity=self.given_quantity, rank=rank)
        return neighbour

    def compute(self, question: Any, *partner_models: Misconception) -> float:
        """Return the figure of the neighbour."""
        return super().compute(self.neighbour_of(question), *partner_models)

    def compute_on_paper(self, question: Any, *partner_models: Misconception) -> tuple[float, ...]:
        """Return the figure of the neighbour, worked with rounded weights."""
        return super().compute_on_paper(self.neighbour_of(question), *partner_models)


def right_working_of(question: AnyQuestion) -> FigureWorking:
    """Return the way that arrives at the answer of any question (a divisor of 0 aside).

    >>> question = Question("recall", [1, 0], pool=[1, 0, 1, 1, 2])
    >>> right_working_of(question).value(question)
    0.25
    """
    if isinstance(question, TableQuestion):
        return RIGHT_TABLE_WORKING_BY_QUANTITY[question.quantity]
    return RIGHT_SHARE_WORKING_BY_QUANTITY.get(question.quantity) or right_working(question)


def wrong_steps_with(**steps: Any) -> Mapping[str, Any]:
    """Return the steps of a ``Working`` that a misconception has instead of the right ones.

    >>> wrong_steps_with(total=max)["total"]([3, 1])
    3
    """
    return MappingProxyType(steps)


@cache  # a working for each quantity, gain and mistake: made once, a few thousand with the pairs
def _broken_working(figure_working: FigureWorking, *misconceptions: Misconception) -> FigureWorking:
    wrong_step_by_name: dict[str, Any] = {}
    for misconception in misconceptions:
        if isinstance(figure_working, ShareWorking) and misconception.wrong_steps_in_shares:
            wrong_step_by_name |= misconception.wrong_steps_in_shares
        else:
            wrong_step_by_name |= misconception.wrong_steps
    return replace(figure_working, **wrong_step_by_name)


@cache  # every question that is drawn or diagnosed asks for these, two of each broken working
def _working_on_paper(figure_working: FigureWorking, rounding: Rounding) -> FigureWorking:
    return figure_working.rounded(rounding)
