"""Wrong ideals and wrong cuts: what a DCG is held against, and how far either goes."""

from app.engine.cumulative import ideal_ranking
from app.engine.misconceptions.misconception import (
    Misconception,
    NeighbourGiven,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.working import (
    Ranking,
    candidate_grades,
    is_cut_shorter,
    sorted_candidate_grades,
)
from app.engine.questions import Question

QUANTITIES_WITH_IDEAL: Quantities = ("idcg", "ndcg")


def candidate_grades_ascending(question: Question) -> Ranking:
    """Return the candidates with the plainest first.

    >>> candidate_grades_ascending(Question("idcg", [1, 3, 0]))
    [0, 1, 3]
    """
    return ideal_ranking(candidate_grades(question))[::-1]


def ideal_of_retrieved(question: Question) -> Ranking:
    """Return the ideal ranking of what the system returned, whatever else the pool holds.

    >>> ideal_of_retrieved(Question("idcg", [1, 2], pool=[3, 2, 1]))
    [2, 1]
    """
    return ideal_ranking(question.grades)


def ideal_of_unlisted(question: Question) -> Ranking:
    """Return the ideal ranking of what the system did not return.

    >>> ideal_of_unlisted(Question("idcg", [1, 2], pool=[1, 2, 3, 1]))
    [3, 1]
    """
    unlisted_grades = list(candidate_grades(question))
    for grade in question.grades:
        if grade in unlisted_grades:
            unlisted_grades.remove(grade)
    return ideal_ranking(unlisted_grades)


def ideal_of_pool_and_list(question: Question) -> Ranking:
    """Return the ideal ranking of the pool with the list beside it, though the pool holds the list.

    >>> ideal_of_pool_and_list(Question("idcg", [1, 2], pool=[1, 2, 3]))
    [3, 2, 2, 1, 1]
    """
    return ideal_ranking([*candidate_grades(question), *question.grades])


def ideal_of_first_k(question: Question) -> Ranking:
    """Return the ideal ranking of the first k only: cut first, then sorted.

    >>> ideal_of_first_k(Question("idcg", [1, 2, 3], k=2))
    [2, 1]
    """
    return ideal_ranking(question.grades[: question.k])


def has_different_grades(question: Question) -> bool:
    """Return whether the candidates are of more than one grade."""
    return len(set(candidate_grades(question))) > 1


class WrongIdeal(Misconception):
    """A wrong ideal ranking."""

    step = "理想"
    quantities = QUANTITIES_WITH_IDEAL
    can_join_another = True


class IdealAscending(WrongIdeal):
    """The plainest first."""

    id = "ideal_ascending"
    name = "理想排序排反了"
    thoughts = ("排序就是从小到大。", "代码里的sort默认从小到大。")
    mistake_clause = "你的理想排序是从淡到甜排的"
    hint = "理想排序要越甜越靠前，甜度从高到低。"
    wrong_steps = wrong_steps_with(ideal=candidate_grades_ascending)

    def fits(self, question: Question) -> bool:
        return has_different_grades(question)


class IdealNotSorted(WrongIdeal):
    """The candidates as they stand."""

    id = "ideal_not_sorted"
    name = "理想排序没有重排"
    thoughts = ("IDCG就是DCG再算一遍。", "系统给的顺序就是理想的顺序。")
    mistake_clause = "你算理想的时候没有重新排序，用的还是原来的顺序"
    hint = "要先把文档按甜度从高到低重新排好，再算IDCG。"
    wrong_steps = wrong_steps_with(ideal=candidate_grades)

    def fits(self, question: Question) -> bool:
        return list(candidate_grades(question)) != list(sorted_candidate_grades(question))


class IdealFromRetrieved(WrongIdeal):
    """The best order of what was returned, whatever else the pool holds."""

    id = "ideal_from_retrieved"
    name = "理想只看了返回的文档"
    thoughts = ("系统没有返回的文档，不该算进来。", "理想就是把返回的列表排好。")
    mistake_clause = "你的理想排序只用了系统返回的文档"
    hint = "这里的理想要从评判池的全部文档里挑，没有被返回的好文档也算。"
    wrong_steps = wrong_steps_with(ideal=ideal_of_retrieved)

    def fits(self, question: Question) -> bool:
        return question.pool is not None


class IdealFromUnseen(WrongIdeal):
    """The best order of what was not returned."""

    id = "ideal_from_unseen"
    name = "理想只看了没返回的文档"
    thoughts = ("评判池就是系统漏掉的那几篇。",)
    mistake_clause = "你的理想排序只用了系统没有返回的文档"
    hint = "评判池里有打过甜度的全部文档，返回的和没返回的混在一起，从高到低排。"
    can_join_another = False
    mostly_showing_generators = ("idcg-pool", "ndcg-pool")
    wrong_steps = wrong_steps_with(ideal=ideal_of_unlisted)

    def fits(self, question: Question) -> bool:
        return question.pool is not None and any(ideal_of_unlisted(question))


class ListInIdealTwice(WrongIdeal):
    """The best order of the pool, and of the list once more."""

    id = "list_in_ideal_twice"
    name = "返回的文档算了两遍"
    thoughts = ("评判池是另外的文档，要和返回的合在一起排。",)
    mistake_clause = "你把返回的文档又添进了评判池，它们在理想里算了两遍"
    hint = "评判池里已经有系统返回的那几篇，理想只从评判池里挑，一篇只算一次。"
    can_join_another = False
    mostly_showing_generators = ("idcg-pool", "ndcg-pool")
    wrong_steps = wrong_steps_with(ideal=ideal_of_pool_and_list)

    def fits(self, question: Question) -> bool:
        return question.pool is not None


class IdealFromFirstK(WrongIdeal):
    """Cut first, then sorted."""

    id = "ideal_from_first_k"
    name = "先截断再排序"
    thoughts = ("只看前k位，所以只把前k位重排。",)
    mistake_clause = "你只把系统的前k位拿来重排"
    hint = "要先把全部文档排好，再取前k位，原来排在后面的好文档也可能进来。"
    wrong_steps = wrong_steps_with(ideal=ideal_of_first_k)

    def fits(self, question: Question) -> bool:
        return is_cut_shorter(question)


class IdealOfPoolForDcg(NeighbourGiven):
    """The ideal of the pool where the DCG of the list is asked."""

    id = "ideal_for_dcg"
    quantities = ("dcg",)
    given_quantity = "idcg"

    def fits(self, question: Question) -> bool:
        return question.pool is not None


class IdealForDcg(WrongIdeal):
    """The list is sorted before its DCG is summed."""

    id = "ideal_for_dcg"
    name = "DCG算成了理想的"
    thoughts = ("先把文档排好，再算分。", "DCG要按从甜到淡的顺序加。")
    mistake_clause = "你先把文档排好序再算，得到的是理想顺序的分数"
    hint = "DCG照系统给出的顺序算，不能重排，重排是算IDCG时的事。"
    quantities = ("dcg",)
    can_join_another = False
    wrong_steps = wrong_steps_with(reorder=ideal_ranking)
    mirror_model = IdealOfPoolForDcg()

    def fits(self, question: Question) -> bool:
        return list(question.grades) != ideal_ranking(question.grades)


class IdealForCg(NeighbourGiven):
    """The ideal DCG where the grades are added up."""

    id = "ideal_for_cg"
    name = "CG算成了IDCG"
    step = "理想"
    thoughts = ("求总分之前先排好序，再打折。",)
    mistake_clause = "你给出的是IDCG，排过序也打过折了"
    hint = "CG照系统给出的顺序，把甜度直接加起来，不重排，也不打折。"
    quantities = ("cg",)
    given_quantity = "idcg"
    mostly_showing_generators = ("cg", "cg-at-k")


IDEAL_MODELS = (
    IdealAscending(),
    IdealNotSorted(),
    IdealFromRetrieved(),
    IdealFromUnseen(),
    ListInIdealTwice(),
    IdealFromFirstK(),
    IdealForDcg(),
    IdealForCg(),
)


def no_cutoff(question: Question) -> None:  # noqa: ARG001
    """Return None: everything counts."""
    return


def next_cutoff(question: Question) -> int | None:
    """Return the rank after the cutoff.

    >>> next_cutoff(Question("dcg", [3, 2, 1], k=2))
    3
    """
    return question.k and question.k + 1


class WrongCut(Misconception):
    """Something is not cut that should be."""

    step = "截断"
    can_join_another = True


class IdealNotCut(WrongCut):
    """All of the ideal ranking counts."""

    id = "ideal_not_cut"
    name = "理想排序没有截断"
    thoughts = ("理想就该把好文档全算上。", "截断只管系统的列表。")
    mistake_clause = "你的理想排序没有截断"
    hint = "理想排序排好以后，也只取前k位。"
    quantities = QUANTITIES_WITH_IDEAL
    wrong_steps = wrong_steps_with(ideal_cutoff=no_cutoff)

    def fits(self, question: Question) -> bool:
        return question.k is not None and question.k < len(candidate_grades(question))


class KIgnored(WrongCut):
    """All of the list counts, and all of the ideal ranking."""

    id = "k_ignored"
    name = "没有截断到前k位"
    thoughts = ("列表里有几篇就算几篇。", "@后面的数只是个名字。")
    mistake_clause = "你把整个列表都算进去了"
    hint = "数到第k位就停，后面的不再加；要算理想，就把全部排好，再取前k位。"
    quantities = ("cg", "dcg", "ndcg", "precision", "recall")
    wrong_steps = wrong_steps_with(cutoff=no_cutoff, ideal_cutoff=no_cutoff)
    wrong_steps_in_shares = wrong_steps_with(cutoff=no_cutoff)

    def fits(self, question: Question) -> bool:
        return is_cut_shorter(question)


class ListNotCut(WrongCut):
    """All of the list counts, over an ideal ranking that is cut."""

    id = "list_not_cut"
    name = "只有理想截断了"
    thoughts = ("理想只有k位，列表有几篇算几篇。",)
    mistake_clause = "你的分母截断了，分子却把整个列表都算进去了"
    hint = "DCG也数到第k位就停，分子和分母都只取k位，才比得出占几成。"
    quantities = ("ndcg",)
    can_join_another = False
    mostly_showing_generators = ("ndcg-at-k",)
    wrong_steps = wrong_steps_with(cutoff=no_cutoff)

    def fits(self, question: Question) -> bool:
        return is_cut_shorter(question)


class CutOneLater(WrongCut):
    """The rank after the last one that counts is counted too."""

    id = "cut_one_later"
    name = "多数了一位"
    thoughts = ("从第0位数到第k位。", "看到第k位，再多看一位也不妨。")
    mistake_clause = "你数到了第k位后面的那一位"
    hint = "线画在第k位下面，第k位自己算，它后面的就不算了；要算理想，也停在第k位。"
    quantities = ("cg", "dcg", "idcg", "ndcg", "precision", "recall")
    can_join_another = False
    mostly_showing_generators = ("ndcg-at-k",)
    wrong_steps = wrong_steps_with(cutoff=next_cutoff, ideal_cutoff=next_cutoff)
    wrong_steps_in_shares = wrong_steps_with(cutoff=next_cutoff)

    def fits(self, question: Question) -> bool:
        """Where nothing comes after that rank, nothing was cut: that is another mistake."""
        if question.k is None:
            return False
        ranking = sorted_candidate_grades(question) if question.quantity == "idcg" else question.grades
        grades_behind_cut = ranking[question.k + 1 :]
        if question.quantity == "precision":  # it divides by the ranks, sweet or not
            return bool(grades_behind_cut)
        return any(grades_behind_cut)


CUT_MODELS = (
    IdealNotCut(),
    KIgnored(),
    ListNotCut(),
    CutOneLater(),
)
