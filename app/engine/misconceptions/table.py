"""The table of all misconceptions, in the order of the steps they break, and what they predict.

Below the wrong terms: wrong sums, ideals, cuts and ratios.
"""

import math
from collections.abc import Mapping
from types import MappingProxyType

from app.engine.misconceptions.term_models import DISCOUNT_MODELS, GAIN_MODELS
from app.engine.misconceptions.working import (
    Amounts,
    Misconception,
    Ranking,
    candidates,
    cuts_the_list,
    quotient,
    sorted_candidates,
)
from app.engine.questions import Question, answer
from app.engine.tracing import ideal_ranking

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


WITH_IDEAL = ("idcg", "ndcg")


def ascending(question: Question) -> Ranking:
    """Return the candidates with the plainest first.

    >>> ascending(Question("idcg", [1, 3, 0]))
    [0, 1, 3]
    """
    return ideal_ranking(candidates(question))[::-1]


def retrieved(question: Question) -> Ranking:
    """Return the ideal ranking of what the system returned, whatever else the pool holds.

    >>> retrieved(Question("idcg", [1, 2], pool=[3, 2, 1]))
    [2, 1]
    """
    return ideal_ranking(question.grades)


def first_k(question: Question) -> Ranking:
    """Return the ideal ranking of the first k only: cut first, then sorted.

    >>> first_k(Question("idcg", [1, 2, 3], k=2))
    [2, 1]
    """
    return ideal_ranking(question.grades[: question.k])


def _has_an_order(question: Question) -> bool:
    return len(set(candidates(question))) > 1


def _is_not_sorted(question: Question) -> bool:
    return list(candidates(question)) != list(sorted_candidates(question))


def _has_a_pool(question: Question) -> bool:
    return question.pool is not None


def _list_is_not_sorted(question: Question) -> bool:
    return list(question.grades) != ideal_ranking(question.grades)


IDEAL_MODELS = (
    Misconception(
        "ideal_ascending",
        "理想排序排反了",
        "理想",
        thoughts=("排序就是从小到大。", "代码里的sort默认从小到大。"),
        said="你的理想排序是从淡到甜排的",
        hint="理想排序要越甜越靠前，甜度（等级）从高到低。",
        quantities=WITH_IDEAL,
        instead={"ideal": ascending},
        fits=_has_an_order,
        in_pairs=True,
    ),
    Misconception(
        "ideal_not_sorted",
        "理想排序没有重排",
        "理想",
        thoughts=("IDCG就是DCG再算一遍。", "系统给的顺序就是理想的顺序。"),
        said="你算理想的时候没有重新排序，用的还是原来的顺序",
        hint="要先把文档按甜度（等级）从高到低重新排好，再算IDCG。",
        quantities=WITH_IDEAL,
        instead={"ideal": candidates},
        fits=_is_not_sorted,
        in_pairs=True,
    ),
    Misconception(
        "ideal_from_retrieved",
        "理想只看了返回的文档",
        "理想",
        thoughts=("系统没有返回的文档，不该算进来。", "理想就是把返回的列表排好。"),
        said="你的理想排序只用了系统返回的文档",
        hint="这里的理想要从评判池的全部文档里挑，没有被返回的好文档也算。",
        quantities=WITH_IDEAL,
        instead={"ideal": retrieved},
        fits=_has_a_pool,
        in_pairs=True,
    ),
    Misconception(
        "ideal_from_first_k",
        "先截断再排序",
        "理想",
        thoughts=("只看前k名，所以只把前k名重排。",),
        said="你只把系统的前k名拿来重排",
        hint="要先把全部文档排好，再取前k名，原来排在后面的好文档也可能进来。",
        quantities=WITH_IDEAL,
        instead={"ideal": first_k},
        fits=cuts_the_list,
        in_pairs=True,
    ),
    Misconception(
        "ideal_for_dcg",
        "DCG算成了理想的",
        "理想",
        thoughts=("先把文档排好，再算分。", "DCG要按从甜到淡的顺序加。"),
        said="你先把文档排好序再算，得到的是理想顺序的分数",
        hint="DCG照系统给出的顺序算，不能重排，重排是算IDCG时的事。",
        quantities=("dcg",),
        instead={"order": ideal_ranking},
        fits=_list_is_not_sorted,
    ),
)


def no_cut(question: Question) -> None:  # noqa: ARG001
    """Return None: everything counts."""
    return


def _cuts_the_ideal(question: Question) -> bool:
    return question.k is not None and question.k < len(candidates(question))


CUT_MODELS = (
    Misconception(
        "ideal_not_cut",
        "理想排序没有截断",
        "截断",
        thoughts=("理想就该把好文档全算上。", "截断只管系统的列表。"),
        said="你的理想排序没有截断",
        hint="理想排序排好以后，也只取前k名。",
        quantities=("idcg", "ndcg"),
        instead={"ideal_depth": no_cut},
        fits=_cuts_the_ideal,
        in_pairs=True,
    ),
    Misconception(
        "k_ignored",
        "没有截断到前k名",
        "截断",
        thoughts=("列表里有几篇就算几篇。", "@后面的数只是个名字。"),
        said="你把整个列表都算进去了",
        hint="题目只看前k名，后面的文档不参加计算。",
        quantities=("cg", "dcg", "ndcg"),  # in IDCG it is the same as ideal_not_cut
        instead={"depth": no_cut, "ideal_depth": no_cut},
        fits=cuts_the_list,
        in_pairs=True,
    ),
)


def inverted(dcg: float, idcg: float) -> float:
    """Return ``idcg / dcg``; nan when the DCG is 0.

    >>> inverted(2, 3)
    1.5
    """
    return quotient(idcg, dcg)


def dcg_alone(dcg: float, idcg: float) -> float:  # noqa: ARG001
    """Return the DCG as it is, without dividing."""
    return dcg


RATIO_MODELS = (
    Misconception(
        "ratio_inverted",
        "分子分母放反了",
        "归一",
        thoughts=("理想的放在上面。", "大的除以小的。"),
        said="你把分子和分母放反了",
        hint="NDCG是DCG除以IDCG，看实际得到的占理想的几成。",
        quantities=("ndcg",),
        instead={"ratio": inverted},
    ),
    Misconception(
        "dcg_for_ndcg",
        "停在了DCG",
        "归一",
        thoughts=("DCG就是NDCG。", "算出DCG就算完了。"),
        said="你给出的是DCG，还没有归一",
        hint="还差最后一步，再除以IDCG，看占理想的几成。",
        quantities=("ndcg",),
        instead={"ratio": dcg_alone},
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
