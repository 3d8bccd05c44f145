"""Wrong ratios: what becomes of DCG and IDCG."""

from dataclasses import replace
from typing import Any

from app.engine.misconceptions.ideal_models import candidate_grades_ascending, has_different_grades
from app.engine.misconceptions.misconception import (
    DCG_GENERATORS,
    IDCG_GENERATORS,
    NDCG_GENERATORS,
    Misconception,
    NeighbourGiven,
    wrong_steps_with,
)
from app.engine.misconceptions.working import (
    UNDISCOUNTED_WEIGHTS,
    Ranking,
    candidate_grades,
    quotient,
    sorted_candidate_grades,
)
from app.engine.questions import Question, answer


def inverted_ratio(dcg: float, idcg: float) -> float:
    """Return ``idcg / dcg``; nan when the DCG is 0.

    >>> inverted_ratio(2, 3)
    1.5
    """
    return quotient(idcg, dcg)


def dcg_alone(dcg: float, idcg: float) -> float:  # noqa: ARG001
    """Return the DCG as it is, without dividing."""
    return dcg


def grades_as_returned(question: Question) -> Ranking:
    """Return the list of the system: nothing is sorted, nothing comes from a pool."""
    return question.grades


def top_grade_everywhere(question: Question) -> Ranking:
    """Return the highest grade once for each rank that counts, as if every document were that good.

    >>> top_grade_everywhere(Question("ndcg", [1, 3, 0], k=2))
    [3, 3]
    """
    grades = [grade or 0 for grade in candidate_grades(question)]
    return [max(grades)] * len(question.grades[: question.k])


def zero_ratio(dcg: float, idcg: float) -> float:  # noqa: ARG001
    """Return 0: what is upside down is worth nothing."""
    return 0.0


def lost_amount(dcg: float, idcg: float) -> float:
    """Return how far the DCG stays below its ideal.

    >>> lost_amount(2, 3)
    1
    """
    return idcg - dcg


class WrongRatio(Misconception):
    """DCG and IDCG are wrongly held against each other."""

    step = "归一"
    quantities = ("ndcg",)


class RatioInverted(WrongRatio):
    """IDCG / DCG."""

    id = "ratio_inverted"
    name = "分子分母放反了"
    thoughts = ("理想的放在上面。", "大的除以小的。")
    mistake_clause = "你把分子和分母放反了"
    hint = "NDCG是DCG除以IDCG，看实际得到的占理想的几成。"
    wrong_steps = wrong_steps_with(ratio=inverted_ratio)


class DcgForNdcg(WrongRatio):
    """The DCG, undivided."""

    id = "dcg_for_ndcg"
    name = "停在了DCG"
    thoughts = ("DCG就是NDCG。", "算出DCG就算完了。")
    mistake_clause = "你给出的是DCG，还没有归一"
    hint = "还差最后一步，再除以IDCG，看占理想的几成。"
    wrong_steps = wrong_steps_with(ratio=dcg_alone)


class IdcgForNdcg(NeighbourGiven):
    """The IDCG, by which nothing was divided."""

    id = "idcg_for_ndcg"
    name = "停在了IDCG"
    step = "归一"
    thoughts = ("理想的分算出来，就是归一了。", "IDCG就是NDCG。")
    mistake_clause = "你给出的是IDCG，理想顺序的总和"
    hint = "它是分母，还差最后一步，拿系统顺序的DCG除以它，看占理想的几成。"
    quantities = ("ndcg",)
    given_quantity = "idcg"
    mostly_showing_generators = NDCG_GENERATORS


class CgGiven(NeighbourGiven):
    """The grades of the list, added up."""

    id = "cg_given"
    name = "停在了CG"
    step = "归一"
    thoughts = ("把甜度加起来，就是分数。",)
    mistake_clause = "你给出的是CG，甜度直接加起来的数"
    hint = (
        "甜度还没有打折，照系统的顺序打折再加才是DCG，排好序再这样加才是IDCG，问NDCG还要拿前一个除以后一个。"
    )
    quantities = ("idcg", "ndcg")
    given_quantity = "cg"
    mostly_showing_generators = NDCG_GENERATORS

    def fits(self, question: Question) -> bool:
        """Where the ideal has the same documents, its grades were not discounted: that is another mistake."""
        ideal_question = replace(question, quantity="cg", grades=sorted_candidate_grades(question))
        return question.quantity == "ndcg" or answer(ideal_question) != self.compute(question)


class NdcgGiven(NeighbourGiven):
    """The ratio, where a sum is asked."""

    id = "ndcg_given"
    name = "多走到了NDCG"
    step = "归一"
    thoughts = ("分数最后都要归一。",)
    mistake_clause = "你给出的是NDCG，已经归一了"
    hint = "这里问的是总和，各项加起来就停，先别做除法。"
    quantities = ("cg", "dcg", "idcg")
    given_quantity = "ndcg"
    mostly_showing_generators = (*DCG_GENERATORS, *IDCG_GENERATORS)


class DifferenceForRatio(WrongRatio):
    """IDCG - DCG."""

    id = "difference_for_ratio"
    name = "相减代替了相除"
    thoughts = ("离理想差多少，相减就知道。",)
    mistake_clause = "你拿IDCG减去了DCG"
    hint = "差几分会跟着列表的长短变，问占理想的几成，要用DCG除以IDCG。"
    mostly_showing_generators = NDCG_GENERATORS
    wrong_steps = wrong_steps_with(ratio=lost_amount)


class StepAfterAnswer(NeighbourGiven):
    """The right figure, and a step more after it."""

    def neighbour_of(self, question: Any) -> Question:
        unchanged_question: Question = question
        return unchanged_question

    def after_last_step(self, question: Question, figure: float) -> float:
        """Return what the further step makes of the right figure."""
        raise NotImplementedError

    def compute(self, question: Any, *partner_models: Misconception) -> float:
        return self.after_last_step(question, super().compute(question, *partner_models))

    def compute_on_paper(self, question: Any, *partner_models: Misconception) -> tuple[float, ...]:
        figures = super().compute_on_paper(question, *partner_models)
        return tuple(self.after_last_step(question, figure) for figure in figures)


class ShareLost(StepAfterAnswer):
    """1 less the share."""

    id = "share_lost"
    name = "给成了还差几成"
    step = "归一"
    thoughts = ("离满分还差几成，就是分数。",)
    mistake_clause = "你给出的是还差几成"
    hint = "问的是拿到了几成，最后不用再减；精确率和召回率，数的都是相关的。"
    quantities = ("ndcg", "precision", "recall")
    mostly_showing_generators = NDCG_GENERATORS

    def after_last_step(self, question: Question, figure: float) -> float:  # noqa: ARG002
        return 1 - figure


class RatioAveraged(StepAfterAnswer):
    """NDCG over the number of ranks that count."""

    id = "ratio_averaged"
    name = "归一以后又除以了项数"
    step = "归一"
    thoughts = ("分数应该是平均每一位得几成。",)
    mistake_clause = "你除完IDCG，又除以了项数"
    hint = "DCG除以IDCG就到头了，列表的长短在这一除里已经约掉。"
    quantities = ("ndcg",)
    mostly_showing_generators = NDCG_GENERATORS

    def fits(self, question: Question) -> bool:
        return question.k != 1 and len(question.grades) > 1

    def after_last_step(self, question: Question, figure: float) -> float:
        return figure / len(question.grades[: question.k])


class DcgOverCg(WrongRatio):
    """DCG / CG: what the discount has left."""

    id = "dcg_over_cg"
    name = "除以了CG"
    thoughts = ("NDCG就是打折以后还剩几成。", "DCG除以没打折的总和。")
    mistake_clause = "你拿DCG除以了自己的CG"
    hint = "那样得到的是折后还剩几成，归一要除以IDCG，也就是理想顺序打过折的总和。"
    mostly_showing_generators = NDCG_GENERATORS
    wrong_steps = wrong_steps_with(ideal=grades_as_returned, ideal_weights=UNDISCOUNTED_WEIGHTS)


class DiscountedShareOfFullMarks(WrongRatio):
    """DCG / the DCG of the highest grade at every rank."""

    id = "share_of_full_marks"
    wrong_steps = wrong_steps_with(ideal=top_grade_everywhere)


class ShareOfFullMarks(WrongRatio):
    """CG / the highest grade at every rank."""

    id = "share_of_full_marks"
    name = "除以了满分乘名次数"
    thoughts = ("每一位都是最高甜度，才算满分。", "得到的甜度除以最多能有的甜度。")
    mistake_clause = "你的分母是每一位都放最高甜度的总和"
    hint = "理想只能用手里有的文档，按从甜到淡排好，而且分子和分母都要按名次打折。"
    mostly_showing_generators = ("ndcg", "ndcg-exponential", "ndcg-pool")
    wrong_steps = wrong_steps_with(weights=UNDISCOUNTED_WEIGHTS, ideal=top_grade_everywhere)
    mirror_model = DiscountedShareOfFullMarks()


class UpsideDownIsZero(WrongRatio):
    """0 for the ideal ranking turned round."""

    id = "upside_down_is_zero"
    name = "排反了就当作0分"
    thoughts = ("正好排反，就是最差，最差就是0分。", "NDCG从0到1，排反了占0。")
    mistake_clause = "你给正好排反的顺序打了0分"
    hint = "排反只是把甜的都往后挪，折损再狠也剩一些，照样一项一项加起来，再除以IDCG。"
    wrong_steps = wrong_steps_with(ratio=zero_ratio)

    def fits(self, question: Question) -> bool:
        is_ascending = list(candidate_grades(question)) == candidate_grades_ascending(question)
        return has_different_grades(question) and is_ascending


RATIO_MODELS = (
    RatioInverted(),
    DcgForNdcg(),
    IdcgForNdcg(),
    CgGiven(),
    NdcgGiven(),
    DifferenceForRatio(),
    ShareLost(),
    RatioAveraged(),
    DcgOverCg(),
    ShareOfFullMarks(),
    UpsideDownIsZero(),
)
