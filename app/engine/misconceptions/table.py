"""The table of all misconceptions, in the order of the steps they break, and what they predict.

Between the wrong terms and the wrong ideals stand the wrong sums.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from app.engine.misconceptions.ideal_models import CUT_MODELS, IDEAL_MODELS, RATIO_MODELS
from app.engine.misconceptions.term_models import DISCOUNT_MODELS, GAIN_MODELS
from app.engine.misconceptions.working import (
    Amounts,
    Misconception,
    Ranking,
    candidates,
)
from app.engine.questions import Question, answer

SUMMED = ("cg", "dcg", "idcg")


def mean(terms: Amounts) -> float:
    """Return the sum divided by the number of terms.

    >>> mean([3, 0, 1.5])
    1.5
    """
    return sum(terms) / len(terms)


def relevant_only(grades: Ranking) -> Ranking:
    """Return the documents that gain something; they close the gaps and move up.

    >>> relevant_only([3, 0, None, 1])
    [3, 1]
    """
    return [grade for grade in grades if grade]


def without_first(terms: Amounts) -> float:
    """Return the sum from rank 2 on."""
    return sum(terms[1:])


def without_last(terms: Amounts) -> float:
    """Return the sum up to the last rank but one."""
    return sum(terms[:-1])


def _sums_several(question: Question) -> bool:
    longest = max(len(question.grades), len(candidates(question)))
    return longest > 1 and question.k != 1


SUM_MODELS = (
    Misconception(
        "mean_not_sum",
        "求和做成了求平均",
        "求和",
        thoughts=("分数应该是平均每一名得多少。", "列表越长分越高不公平，要除以项数。"),
        said="你加完以后又除以了项数",
        hint="这里只把各项加起来，不取平均，跟理想比高低是归一那一步的事。",
        quantities=SUMMED,
        instead={"total": mean},
        fits=_sums_several,
    ),
    Misconception(
        "zeros_dropped",
        "跳过了甜度为零的文档",
        "求和",
        thoughts=("不相关的文档不得分，可以当它不在。", "没有标注的文档直接删掉。"),
        said="你跳过了甜度（等级）为零的文档，后面的名次都往前挪了",
        hint="甜度为零的文档自己不加分，名次却照占，后面的文档不能往前挪。",
        quantities=("dcg", "ndcg"),
        instead={"keep": relevant_only},
        in_pairs=True,
    ),
    Misconception(
        "first_term_dropped",
        "漏了第一项",
        "求和",
        thoughts=("第一名没有折损，不用算。", "代码里的下标从一开始，第零个就没有加。"),
        said="你漏加了第一名的那一项",
        hint="求和从第一名开始，第一名不打折，它的增益要全部算进去。",
        quantities=(*SUMMED, "ndcg"),
        instead={"total": without_first},
        fits=_sums_several,
        in_pairs=True,
    ),
    Misconception(
        "last_term_dropped",
        "少加了最后一项",
        "求和",
        thoughts=("到第k名为止，就是不含第k名。", "最后一名折得厉害，不算也行。"),
        said="你少加了最后一项",
        hint="求和要一直加到最后一名，有截断就加到第k名，那一名自己也算在内。",
        quantities=(*SUMMED, "ndcg"),
        instead={"total": without_last},
        fits=_sums_several,
    ),
    Misconception(
        "running_total_for_one",
        "把累计值当成了这一项",
        "求和",
        thoughts=("第几名的数，就是加到第几名的数。",),
        said="你给出的是加到这一名为止的累计值",
        hint="这道题只问这一名自己的，前面几名的不要加进来。",
        quantities=("gain", "term"),
        instead={"pick": sum},
    ),
)


ALL_MODELS = (*GAIN_MODELS, *DISCOUNT_MODELS, *SUM_MODELS, *IDEAL_MODELS, *CUT_MODELS, *RATIO_MODELS)
MISCONCEPTIONS: Mapping[str, Misconception] = MappingProxyType({model.id: model for model in ALL_MODELS})
SAME = 1e-9  # closer than this, two figures are the same up to the arithmetic of floats


def predictions(question: Question) -> dict[str, float]:
    """Return, model by model, the wrong number it leads to.

    每个误区在这道题上会算出什么；算出来仍然是对的，就不列。

    Only models that apply to the question and whose figure differs from the answer; unrounded; in the
    order of the table. Units are those of the quantity.

    >>> wrong = predictions(Question("ndcg", [3, 2, 0, 1], k=4, pool=[3, 3, 2, 1, 0, 0]))
    >>> round(wrong["ideal_from_retrieved"], 4), round(wrong["ratio_inverted"], 4), "natural_log" in wrong
    (0.9854, 1.3476, False)
    """
    truth = answer(question)
    wrong: dict[str, float] = {}
    for model in ALL_MODELS:
        if model.applies(question):
            value = model.compute(question)
            if differs(value, truth):
                wrong[model.id] = value
    return wrong


def differs(value: float, truth: float) -> bool:
    """Return whether a model's figure is a number, and not that of the truth.

    >>> differs(1.5, 1.0), differs(1.0, 1.0), differs(math.nan, 1.0)
    (True, False, False)
    """
    return math.isfinite(value) and not math.isclose(value, truth, rel_tol=SAME, abs_tol=SAME)
