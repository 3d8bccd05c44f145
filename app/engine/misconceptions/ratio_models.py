"""Wrong ratios: what becomes of DCG and IDCG."""

from dataclasses import replace

from app.engine.misconceptions.ideal_models import candidates_ascending, has_different_grades
from app.engine.misconceptions.misconception import Misconception, NeighbourGiven, wrong_steps_with
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


class WrongRatio(Misconception):
    """DCG and IDCG are wrongly held against each other."""

    step = "归一"
    quantities = ("ndcg",)


class RatioInverted(WrongRatio):
    """IDCG / DCG."""

    id = "ratio_inverted"
    name = "分子分母放反了"
    thoughts = ("理想的放在上面。", "大的除以小的。")
    finding = "你把分子和分母放反了"
    hint = "NDCG是DCG除以IDCG，看实际得到的占理想的几成。"
    wrong_steps = wrong_steps_with(ratio=inverted_ratio)


class DcgForNdcg(WrongRatio):
    """The DCG, undivided."""

    id = "dcg_for_ndcg"
    name = "停在了DCG"
    thoughts = ("DCG就是NDCG。", "算出DCG就算完了。")
    finding = "你给出的是DCG，还没有归一"
    hint = "还差最后一步，再除以IDCG，看占理想的几成。"
    wrong_steps = wrong_steps_with(ratio=dcg_alone)


class IdcgForNdcg(NeighbourGiven):
    """The IDCG, by which nothing was divided."""

    id = "idcg_for_ndcg"
    name = "停在了IDCG"
    step = "归一"
    thoughts = ("理想的分算出来，就是归一了。", "IDCG就是NDCG。")
    finding = "你给出的是IDCG，理想顺序的总和"
    hint = "它是分母，还差最后一步，拿系统顺序的DCG除以它，看占理想的几成。"
    quantities = ("ndcg",)
    given_quantity = "idcg"
    mostly_shown_in = ("ndcg", "ndcg-exponential", "ndcg-at-k", "ndcg-pool")


class CgGiven(NeighbourGiven):
    """The grades of the list, added up."""

    id = "cg_given"
    name = "停在了CG"
    step = "归一"
    thoughts = ("把甜度加起来，就是分数。",)
    finding = "你给出的是CG，甜度直接加起来的数"
    hint = (
        "甜度还没有打折，照系统的顺序打折再加才是DCG，排好序再这样加才是IDCG，问NDCG还要拿前一个除以后一个。"
    )
    quantities = ("idcg", "ndcg")
    given_quantity = "cg"
    mostly_shown_in = ("ndcg", "ndcg-exponential", "ndcg-at-k", "ndcg-pool")

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
    finding = "你给出的是NDCG，已经归一了"
    hint = "这里问的是总和，各项加起来就停，先别做除法。"
    quantities = ("cg", "dcg", "idcg")
    given_quantity = "ndcg"
    mostly_shown_in = (
        "dcg",
        "dcg-exponential",
        "dcg-sum",
        "dcg-at-k",
        "idcg",
        "idcg-exponential",
        "idcg-cut",
    )


class DcgOverCg(WrongRatio):
    """DCG / CG: what the discount has left."""

    id = "dcg_over_cg"
    name = "除以了CG"
    thoughts = ("NDCG就是打折以后还剩几成。", "DCG除以没打折的总和。")
    finding = "你拿DCG除以了自己的CG"
    hint = "那样得到的是折后还剩几成，归一要除以IDCG，也就是理想顺序打过折的总和。"
    mostly_shown_in = ("ndcg",)
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
    finding = "你的分母是每一位都放最高甜度的总和"
    hint = "理想只能用手里有的文档，按从甜到淡排好，而且分子和分母都要按名次打折。"
    mostly_shown_in = ("ndcg",)
    wrong_steps = wrong_steps_with(weights=UNDISCOUNTED_WEIGHTS, ideal=top_grade_everywhere)
    mirror_model = DiscountedShareOfFullMarks()


class UpsideDownIsZero(WrongRatio):
    """0 for the ideal ranking turned round."""

    id = "upside_down_is_zero"
    name = "排反了就当作0分"
    thoughts = ("正好排反，就是最差，最差就是0分。", "NDCG从0到1，排反了占0。")
    finding = "你给正好排反的顺序打了0分"
    hint = "排反只是把甜的都往后挪，折损再狠也剩一些，照样一项一项加起来，再除以IDCG。"
    wrong_steps = wrong_steps_with(ratio=zero_ratio)

    def fits(self, question: Question) -> bool:
        return has_different_grades(question) and list(candidate_grades(question)) == candidates_ascending(
            question
        )


RATIO_MODELS = (
    RatioInverted(),
    DcgForNdcg(),
    IdcgForNdcg(),
    CgGiven(),
    NdcgGiven(),
    DcgOverCg(),
    ShareOfFullMarks(),
    UpsideDownIsZero(),
)
