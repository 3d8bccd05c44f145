"""Wrong ideals: which documents stand in the best possible order, and in what order."""

from app.engine.misconceptions.model import Misconception
from app.engine.misconceptions.working import Ranking, candidates, cuts_the_list, sorted_candidates
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
        id="ideal_ascending",
        name="理想排序排反了",
        step="理想",
        thoughts=("排序就是从小到大。", "代码里的sort默认从小到大。"),
        said="你的理想排序是从淡到甜排的",
        hint="理想排序要越甜越靠前，甜度（等级）从高到低。",
        quantities=WITH_IDEAL,
        instead={"ideal": ascending},
        fits=_has_an_order,
        in_pairs=True,
    ),
    Misconception(
        id="ideal_not_sorted",
        name="理想排序没有重排",
        step="理想",
        thoughts=("IDCG就是DCG再算一遍。", "系统给的顺序就是理想的顺序。"),
        said="你算理想的时候没有重新排序，用的还是原来的顺序",
        hint="要先把文档按甜度（等级）从高到低重新排好，再算IDCG。",
        quantities=WITH_IDEAL,
        instead={"ideal": candidates},
        fits=_is_not_sorted,
        in_pairs=True,
    ),
    Misconception(
        id="ideal_from_retrieved",
        name="理想只看了返回的文档",
        step="理想",
        thoughts=("系统没有返回的文档，不该算进来。", "理想就是把返回的列表排好。"),
        said="你的理想排序只用了系统返回的文档",
        hint="这里的理想要从评判池的全部文档里挑，没有被返回的好文档也算。",
        quantities=WITH_IDEAL,
        instead={"ideal": retrieved},
        fits=_has_a_pool,
        in_pairs=True,
    ),
    Misconception(
        id="ideal_from_first_k",
        name="先截断再排序",
        step="理想",
        thoughts=("只看前k名，所以只把前k名重排。",),
        said="你只把系统的前k名拿来重排",
        hint="要先把全部文档排好，再取前k名，原来排在后面的好文档也可能进来。",
        quantities=WITH_IDEAL,
        instead={"ideal": first_k},
        fits=cuts_the_list,
        in_pairs=True,
    ),
    Misconception(
        id="ideal_for_dcg",
        name="DCG算成了理想的",
        step="理想",
        thoughts=("先把文档排好，再算分。", "DCG要按从甜到淡的顺序加。"),
        said="你先把文档排好序再算，得到的是理想顺序的分数",
        hint="DCG照系统给出的顺序算，不能重排，重排是算IDCG时的事。",
        quantities=("dcg",),
        instead={"order": ideal_ranking},
        fits=_list_is_not_sorted,
    ),
)
