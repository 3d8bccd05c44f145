"""Wrong ranks: which ranks bring something in, and how much."""

import math
from collections.abc import Sequence

from app.engine.misconceptions.misconception import (
    Misconception,
    NeighbourGiven,
    Quantities,
    wrong_steps_with,
)
from app.engine.misconceptions.shares import (
    DocumentWorths,
    counted_hits,
    counted_rank_count,
    precisions,
    reciprocals,
)
from app.engine.misconceptions.working import Amounts
from app.engine.terms import discount_weight

AVERAGE_PRECISION_ONLY: Quantities = ("average_precision",)
RECIPROCAL_RANK_ONLY: Quantities = ("reciprocal_rank",)


def ranks_of_hits(worths: DocumentWorths) -> list[int]:
    """Return the ranks of the relevant documents that count.

    >>> ranks_of_hits(DocumentWorths([0, 1, 1], [0, 1, 1], [0, 1, 1], 3))
    [2, 3]
    """
    return [rank for rank, worth in enumerate(worths.counted_worths, start=1) if worth]


def last_reciprocal(worths: DocumentWorths) -> Amounts:
    """Return ``1 / rank`` of the last relevant document, at its rank."""
    amounts = reciprocals(worths)
    last_hit_rank = max(ranks_of_hits(worths), default=0)
    return [amount if rank == last_hit_rank else 0.0 for rank, amount in enumerate(amounts, start=1)]


def first_hit_ranks(worths: DocumentWorths) -> Sequence[int]:
    """Return the rank of the first relevant document, or nothing without one."""
    return ranks_of_hits(worths)[:1]


def reciprocal_from_zero(worths: DocumentWorths) -> Amounts:
    """Return ``1 / (rank - 1)`` of the first relevant document; nan at rank 1."""
    return [1 / (rank - 1) if rank > 1 else math.nan for rank in first_hit_ranks(worths)]


def reciprocal_of_next(worths: DocumentWorths) -> Amounts:
    """Return ``1 / (rank + 1)`` of the first relevant document."""
    return [1 / (rank + 1) for rank in first_hit_ranks(worths)]


def discount_of_first_hit(worths: DocumentWorths) -> Amounts:
    """Return ``1 / log2(rank + 1)`` of the first relevant document."""
    return [discount_weight(rank) for rank in first_hit_ranks(worths)]


def reciprocal_of_mean(worths: DocumentWorths) -> Amounts:
    """Return 1 over the mean rank of the relevant documents.

    >>> reciprocal_of_mean(DocumentWorths([1, 0, 1], [1, 0, 1], [1, 0, 1], 3))
    [0.5]
    """
    hit_ranks = ranks_of_hits(worths)
    return [len(hit_ranks) / sum(hit_ranks)] if hit_ranks else []


def counted_hit_count(worths: DocumentWorths) -> float:
    """Return how many relevant documents count."""
    return sum(worths.counted_worths)


class WrongRank(Misconception):
    """A rank brings in something else than it should."""

    step = "名次"


class IrrelevantRanksNoted(WrongRank):
    """The precision at every rank is added up, over the relevant documents."""

    id = "irrelevant_ranks_noted"
    name = "不相关的名次也记了一笔"
    thoughts = ("每一位都有精确率，全都加起来。", "代码里忘了乘上相不相关。")
    mistake_clause = "你把不相关的名次上的精确率也加了进去"
    hint = "只在遇到相关文档的那一位记一笔，别的名次跳过不记，名次却照数。"
    quantities = AVERAGE_PRECISION_ONLY
    wrong_steps = wrong_steps_with(amounts=precisions)


class MeanOfAllPrecisions(WrongRank):
    """The precision at every rank is averaged over the ranks."""

    id = "mean_of_all_precisions"
    name = "把每一位的精确率平均了"
    thoughts = ("平均精确率，就是所有精确率的平均。",)
    mistake_clause = "你把每一位的精确率都加起来，再除以名次的个数"
    hint = "只在相关文档的那几位记精确率，加起来除以相关文档一共有几篇。"
    quantities = AVERAGE_PRECISION_ONLY
    wrong_steps = wrong_steps_with(amounts=precisions, whole=counted_rank_count)


class ReciprocalsOfRanks(WrongRank):
    """Every relevant document brings in ``1 / rank``."""

    id = "reciprocals_of_ranks"
    name = "每篇相关的都只记名次的倒数"
    thoughts = ("相关的排第几位，就记几分之一。", "精确率的分子总是一。")
    mistake_clause = "你给每篇相关文档记的都是名次分之一"
    hint = "要记的是走到这一位时的精确率，分子是到这里已经遇到几篇相关的，不总是一。"
    quantities = AVERAGE_PRECISION_ONLY
    wrong_steps = wrong_steps_with(amounts=reciprocals)


class PrecisionForAverage(WrongRank):
    """The precision of the whole list."""

    id = "precision_for_average"
    name = "停在了精确率"
    thoughts = ("平均精确率就是整列的精确率。",)
    mistake_clause = "你算的是整列的精确率，没有管相关的排在哪儿"
    hint = "要在每篇相关文档那一位各看一次精确率，再取平均，这样先后才有分别。"
    quantities = AVERAGE_PRECISION_ONLY
    wrong_steps = wrong_steps_with(amounts=counted_hits, whole=counted_rank_count)


class LastRelevantRank(WrongRank):
    """``1 / rank`` of the last relevant document."""

    id = "last_relevant_rank"
    name = "看成了最后一篇相关的"
    thoughts = ("要把相关的都看完才算。",)
    mistake_clause = "你取的是最后一篇相关文档的名次"
    hint = "只看第一篇相关文档，从上往下遇到它就停。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=last_reciprocal)


class RankFromZero(WrongRank):
    """``1 / (rank - 1)``."""

    id = "rank_from_zero"
    name = "名次从0数起"
    thoughts = ("代码里的下标就是名次。",)
    mistake_clause = "你的名次是从0数起的"
    hint = "名次从1数起，列表最前面的那一篇是第1位。"
    quantities = RECIPROCAL_RANK_ONLY
    mostly_showing_generators = ("reciprocal-rank",)
    wrong_steps = wrong_steps_with(amounts=reciprocal_from_zero)


class RankPlusOne(WrongRank):
    """``1 / (rank + 1)``."""

    id = "rank_plus_one"
    name = "名次多加了1再取倒数"
    thoughts = ("DCG里名次要加1，这里也加1。",)
    mistake_clause = "你给名次加了1才取倒数"
    hint = "这里没有对数，名次是几就是几分之一，不用加1。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=reciprocal_of_next)


class RankNotTurned(WrongRank):
    """The rank itself."""

    id = "rank_not_turned"
    name = "停在了名次"
    thoughts = ("第一篇相关的排第几，答案就是几。",)
    mistake_clause = "你给出的是名次，还没有取倒数"
    hint = "还差一步，用一除以这个名次，越靠前才越大。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=first_hit_ranks)


class DiscountForReciprocal(WrongRank):
    """``1 / log2(rank + 1)``."""

    id = "discount_for_reciprocal"
    name = "用了DCG的折损"
    thoughts = ("越靠后越不值钱，那就是折损。",)
    mistake_clause = "你用的是DCG的折损，取了对数"
    hint = "倒数排名不取对数，直接拿一除以名次，掉得比折损快。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=discount_of_first_hit)


class MeanOfReciprocals(WrongRank):
    """The mean of ``1 / rank`` over all relevant documents that count."""

    id = "mean_of_reciprocals"
    name = "每篇相关的都取倒数再平均"
    thoughts = ("MRR的M是平均，所以要把各篇平均一下。",)
    mistake_clause = "你把每篇相关文档的名次都取了倒数，再平均"
    hint = "一次查询只看第一篇相关的，要平均的是许多次查询，不是一列里的许多篇。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=reciprocals, whole=counted_hit_count)


class ReciprocalOfMeanRank(WrongRank):
    """1 over the mean rank of the relevant documents."""

    id = "reciprocal_of_mean_rank"
    name = "先平均名次再取倒数"
    thoughts = ("先求相关的平均排第几，再取倒数。",)
    mistake_clause = "你先把相关文档的名次平均了，再取倒数"
    hint = "一次查询只看第一篇相关的，好几次查询也要先各取倒数，再平均。"
    quantities = RECIPROCAL_RANK_ONLY
    wrong_steps = wrong_steps_with(amounts=reciprocal_of_mean)


class AveragePrecisionGiven(NeighbourGiven):
    """The average precision, where another share is asked."""

    id = "average_precision_given"
    name = "算成了平均精确率"
    step = "名次"
    thoughts = ("遇到一篇相关的就看一次精确率，再平均。",)
    mistake_clause = "你给出的是平均精确率AP"
    hint = "先看清问的是哪一把尺子，精确率和召回率只数前k位有几篇相关，倒数排名只看第一篇相关的在哪一位。"
    quantities = ("precision", "recall", "reciprocal_rank")
    given_quantity = "average_precision"
    mostly_showing_generators = ("reciprocal-rank",)


class ReciprocalRankGiven(NeighbourGiven):
    """The reciprocal rank, where another share is asked."""

    id = "reciprocal_rank_given"
    name = "算成了倒数排名"
    step = "名次"
    thoughts = ("第一篇相关的排第几，就是几分之一。",)
    mistake_clause = "你给出的是倒数排名，只看了第一篇相关的"
    hint = (
        "后面相关的也要算，精确率和召回率数一共有几篇，"
        "平均精确率在每一篇相关的那一位各看一次精确率，ERR让没满意的读者接着往下看。"
    )
    quantities = ("precision", "recall", "average_precision", "err")
    given_quantity = "reciprocal_rank"
    mostly_showing_generators = ("err",)


class RecallForAverage(NeighbourGiven):
    """The recall of the list, where the average precision is asked."""

    id = "recall_for_average"
    name = "停在了召回率"
    step = "名次"
    thoughts = ("找回了几成，就是平均精确率。",)
    mistake_clause = "你给出的是召回率，没有管相关的排在哪儿"
    hint = "要在每篇相关文档那一位各看一次精确率，加起来再除以相关文档的总数，这样先后才有分别。"
    quantities = ("average_precision",)
    given_quantity = "recall"
    mostly_showing_generators = ("average-precision",)


class PrecisionForReciprocal(NeighbourGiven):
    """The precision of the list, where the reciprocal rank is asked."""

    id = "precision_for_reciprocal"
    name = "算成了精确率"
    step = "名次"
    thoughts = ("相关的占几成，就是分数。",)
    mistake_clause = "你给出的是精确率，数了一共有几篇相关的"
    hint = "倒数排名只看第一篇相关的排第几位，拿一除以它，后面的都不看。"
    quantities = ("reciprocal_rank",)
    given_quantity = "precision"
    mostly_showing_generators = ("reciprocal-rank",)


RANK_MODELS = (
    IrrelevantRanksNoted(),
    MeanOfAllPrecisions(),
    ReciprocalsOfRanks(),
    PrecisionForAverage(),
    LastRelevantRank(),
    RankFromZero(),
    RankPlusOne(),
    RankNotTurned(),
    DiscountForReciprocal(),
    MeanOfReciprocals(),
    ReciprocalOfMeanRank(),
    AveragePrecisionGiven(),
    ReciprocalRankGiven(),
    RecallForAverage(),
    PrecisionForReciprocal(),
)
