"""Wrong ideals, wrong cuts, and wrong ratios: what a DCG is held against."""

from functools import partial

from app.engine.gains import discount_weights
from app.engine.misconceptions.working import (
    Misconception,
    Ranking,
    candidates,
    cuts_the_list,
    quotient,
    sorted_candidates,
)
from app.engine.questions import Question
from app.engine.tracing import ideal_ranking

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


def as_returned(question: Question) -> Ranking:
    """Return the list of the system: nothing is sorted, nothing comes from a pool."""
    return question.grades


def sweetest_everywhere(question: Question) -> Ranking:
    """Return the highest grade once for each rank that counts, as if every document were that good.

    >>> sweetest_everywhere(Question("ndcg", [1, 3, 0], k=2))
    [3, 3]
    """
    grades = [grade or 0 for grade in candidates(question)]
    return [max(grades)] * len(question.grades[: question.k])


def nothing(dcg: float, idcg: float) -> float:  # noqa: ARG001
    """Return 0: what is upside down is worth nothing."""
    return 0.0


def _is_upside_down(question: Question) -> bool:
    return _has_an_order(question) and list(candidates(question)) == ascending(question)


UNDISCOUNTED = partial(discount_weights, discount="none")


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
    Misconception(
        "dcg_over_cg",
        "除以了CG",
        "归一",
        thoughts=("NDCG就是打折以后还剩几成。", "DCG除以没打折的总和。"),
        said="你拿DCG除以了自己的CG",
        hint="那样得到的是折后还剩几成，归一要除以IDCG，也就是理想顺序打过折的总和。",
        quantities=("ndcg",),
        instead={"ideal": as_returned, "ideal_weights": UNDISCOUNTED},
    ),
    Misconception(
        "share_of_full_marks",
        "除以了满分乘名次数",
        "归一",
        thoughts=("每一名都是最高甜度，才算满分。", "得到的甜度除以最多能有的甜度。"),
        said="你把甜度加起来，除以了每一名都是最高甜度的总和",
        hint="理想只能用手里有的文档，按从甜到淡排好，而且分子和分母都要按名次打折。",
        quantities=("ndcg",),
        instead={"weights": UNDISCOUNTED, "ideal": sweetest_everywhere},
    ),
    Misconception(
        "upside_down_is_zero",
        "排反了就当作零分",
        "归一",
        thoughts=("正好排反，就是最差，最差就是零分。", "NDCG从零到一，排反了占零。"),
        said="你给正好排反的顺序打了零分",
        hint="排反只是把甜的都往后挪，折损再狠也剩一些，照样一项一项加起来，再除以IDCG。",
        quantities=("ndcg",),
        instead={"ratio": nothing},
        fits=_is_upside_down,
    ),
)
