"""Wrong divisors: what the sum of a share is divided by."""

import math

from app.engine.misconceptions.misconception import Misconception, wrong_steps_with
from app.engine.misconceptions.relevance_models import PRECISION_AND_RECALL
from app.engine.misconceptions.shares import (
    DocumentWorths,
    counted_rank_count,
    patience_at_hits,
    relevant_count,
)
from app.engine.misconceptions.working import divisor_always_one
from app.engine.questions import RBP_PATIENCE, Question
from app.engine.terms import sum_in_order


def list_length(worths: DocumentWorths) -> float:
    """Return how many documents the whole list has."""
    return len(worths.listed_worths)


def pool_size(worths: DocumentWorths) -> float:
    """Return how many documents the whole pool has."""
    return len(worths.judged_worths)


def listed_hit_count(worths: DocumentWorths) -> float:
    """Return how many relevant documents the whole list has."""
    return sum(worths.listed_worths)


def irrelevant_count(worths: DocumentWorths) -> float:
    """Return how many of the documents that count are not relevant."""
    return worths.cutoff - sum(worths.counted_worths)


def missed_hit_count(worths: DocumentWorths) -> float:
    """Return how many relevant documents are not among those that count."""
    return sum(worths.judged_worths) - sum(worths.counted_worths)


def pair_count_of_list(worths: DocumentWorths) -> float:
    """Return how many pairs the documents of the list make, whatever they are worth.

    >>> pair_count_of_list(DocumentWorths([1, 0, 0], [1, 0, 0], [1, 0, 0], 3))
    3
    """
    return math.comb(len(worths.listed_worths), 2)


def most_readers_of_list(worths: DocumentWorths) -> float:
    """Return what the list would bring in if all that counts were relevant."""
    all_relevant_worths = worths._replace(counted_worths=[1.0] * len(worths.counted_worths))
    return sum_in_order(patience_at_hits(all_relevant_worths, RBP_PATIENCE))


class WrongDivisor(Misconception):
    """The sum is divided by something else."""

    step = "分母"


class RecallForPrecision(WrongDivisor):
    """Precision, divided by the relevant documents."""

    id = "recall_for_precision"
    name = "算成了召回率"
    thoughts = ("找到的占该找的几成，就是精确率。",)
    mistake_clause = "你除以的是相关文档的总数，那是召回率"
    hint = "精确率问端上来的里面有几成相关，要除以端上来几篇，也就是k。"
    quantities = ("precision",)
    wrong_steps = wrong_steps_with(whole=relevant_count)


class PrecisionForRecall(WrongDivisor):
    """Recall, divided by the documents that were shown."""

    id = "precision_for_recall"
    name = "算成了精确率"
    thoughts = ("端上来的里面有几成相关，就是召回率。",)
    mistake_clause = "你除以的是端上来的篇数，那是精确率"
    hint = "召回率问该找的找回了几成，要除以相关文档一共有几篇。"
    quantities = ("recall",)
    wrong_steps = wrong_steps_with(whole=counted_rank_count)


class DividedByAllRanks(WrongDivisor):
    """Divided by the length of the list."""

    id = "divided_by_all_ranks"
    name = "除以了整列的篇数"
    thoughts = ("列表有几篇，就除以几。", "平均就是除以名次的个数。")
    mistake_clause = "你除以的是整列的篇数"
    hint = "先认清分母，精确率除以前k位的k，召回率和平均精确率除以相关文档的总数。"
    quantities = (*PRECISION_AND_RECALL, "average_precision")
    wrong_steps = wrong_steps_with(whole=list_length)


class DividedByFound(WrongDivisor):
    """Divided by the relevant documents of the list, whatever else the pool holds."""

    id = "divided_by_found"
    name = "只除以找到的相关文档"
    thoughts = ("没端上来的，不归它管。", "遇到几篇相关的，就除以几。")
    mistake_clause = "你只除以了列表里的相关文档"
    hint = "池里没端上来的相关文档也要算进分母，漏掉的按0分计。"
    quantities = ("recall", "average_precision")
    wrong_steps = wrong_steps_with(whole=listed_hit_count)

    def fits(self, question: Question) -> bool:
        return question.pool is not None


class DividedByPool(WrongDivisor):
    """Divided by all documents of the pool, relevant or not."""

    id = "divided_by_pool"
    name = "除以了评判池的篇数"
    thoughts = ("评判池有几篇，就除以几。",)
    mistake_clause = "你除以的是评判池里的全部文档"
    hint = "分母只数池里相关的那几篇，甜度是0的不算。"
    quantities = ("recall", "average_precision")
    mostly_showing_generators = ("recall", "average-precision")
    wrong_steps = wrong_steps_with(whole=pool_size)

    def fits(self, question: Question) -> bool:
        return question.pool is not None and len(question.pool) > len(question.grades)


class RelevantToIrrelevant(WrongDivisor):
    """Relevant documents to the irrelevant ones beside them."""

    id = "relevant_to_irrelevant"
    name = "拿相关的比了不相关的"
    thoughts = ("对的比错的，就是几成。",)
    mistake_clause = "你除以的是不相关的篇数"
    hint = "几成是部分比全部，分母是前k位一共几篇，相关的自己也在里面。"
    quantities = ("precision",)
    wrong_steps = wrong_steps_with(whole=irrelevant_count)


class FoundToMissed(WrongDivisor):
    """Relevant documents that were retrieved to those that were not."""

    id = "found_to_missed"
    name = "拿找到的比了漏掉的"
    thoughts = ("找到的比漏掉的，就是找回几成。",)
    mistake_clause = "你除以的是漏掉的篇数"
    hint = "分母是相关文档一共几篇，找到的和漏掉的都在里面。"
    quantities = ("recall",)
    wrong_steps = wrong_steps_with(whole=missed_hit_count)


class CountNotShare(WrongDivisor):
    """The sum, undivided."""

    id = "count_not_share"
    name = "停在了加起来的数"
    thoughts = ("数出有几篇就算完了。",)
    mistake_clause = "你给出的是加起来的数，还没有除"
    hint = "还差最后一步，精确率要除以k，召回率和平均精确率除以相关文档的总数，AUC除以总对数。"
    quantities = (*PRECISION_AND_RECALL, "average_precision", "auc")
    wrong_steps = wrong_steps_with(whole=divisor_always_one)


class DividedByEveryPair(WrongDivisor):
    """Right pairs over all pairs of the list."""

    id = "divided_by_every_pair"
    name = "随便两篇都配成了对"
    thoughts = ("一共几篇，两两配对，都是分母。",)
    mistake_clause = "你的分母是随便哪两篇配成的对"
    hint = "分母只数一篇相关、一篇不相关配成的对，也就是两边的篇数相乘。"
    quantities = ("auc",)
    wrong_steps = wrong_steps_with(whole=pair_count_of_list)


class PatienceNotScaled(WrongDivisor):
    """The weights are added up, and not multiplied by ``1 - patience``."""

    id = "patience_not_scaled"
    name = "忘了乘一减耐心"
    thoughts = ("把走到的读者加起来就行。",)
    mistake_clause = "你把各位的权重加起来就停了"
    hint = "还要乘上一减耐心，不然又长又甜的列会超过一。"
    quantities = ("rbp",)
    wrong_steps = wrong_steps_with(whole=divisor_always_one)


class PatienceOfList(WrongDivisor):
    """The weights of the relevant ranks over those of all ranks of the list."""

    id = "patience_of_list"
    name = "除以了这一列的满分"
    thoughts = ("全都相关才是满分，要除以它。",)
    mistake_clause = "你除以了这一列全都相关时的总和"
    hint = "RBP不跟这一列的满分比，加起来以后只乘一减耐心，后面没端上来的也占着权重。"
    quantities = ("rbp",)
    wrong_steps = wrong_steps_with(whole=most_readers_of_list)


DIVISOR_MODELS = (
    RecallForPrecision(),
    PrecisionForRecall(),
    DividedByAllRanks(),
    DividedByFound(),
    DividedByPool(),
    RelevantToIrrelevant(),
    FoundToMissed(),
    CountNotShare(),
    DividedByEveryPair(),
    PatienceNotScaled(),
    PatienceOfList(),
)
