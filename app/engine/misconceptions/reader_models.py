"""Wrong ranks where readers walk down the list or documents stand in pairs: ERR, RBP and AUC."""

import math
from itertools import pairwise
from operator import lt, mul

from app.engine.misconceptions.misconception import Quantities, wrong_steps_with
from app.engine.misconceptions.rank_models import WrongRank
from app.engine.misconceptions.relevance_models import ERR_ONLY
from app.engine.misconceptions.shares import (
    DocumentWorths,
    chances_of_arrival,
    pair_counts_with_earlier,
    patience_at_hits,
    reciprocals,
)
from app.engine.misconceptions.working import Amounts
from app.engine.questions import RBP_PATIENCE

RBP_ONLY: Quantities = ("rbp",)
AUC_ONLY: Quantities = ("auc",)


def satisfaction_chances(worths: DocumentWorths) -> Amounts:
    """Return the share of the readers that each rank satisfies, whatever the rank."""
    return list(map(mul, chances_of_arrival(worths), worths.counted_worths))


def satisfaction_over_log(worths: DocumentWorths) -> Amounts:
    """Return the share of the readers that each rank satisfies, over ``log2(rank + 1)``."""
    satisfied_shares = satisfaction_chances(worths)
    return [
        satisfied_share / math.log2(rank + 1)
        for rank, satisfied_share in enumerate(satisfied_shares, start=1)
    ]


def patience_from_first(worths: DocumentWorths) -> Amounts:
    """Return ``RBP_PATIENCE ** rank`` for every relevant document."""
    return [RBP_PATIENCE * amount for amount in patience_at_hits(worths, RBP_PATIENCE)]


def impatience_at_hits(worths: DocumentWorths) -> Amounts:
    """Return ``(1 - RBP_PATIENCE) ** (rank - 1)`` for every relevant document."""
    return patience_at_hits(worths, 1 - RBP_PATIENCE)


def patience_once(worths: DocumentWorths) -> Amounts:
    """Return 1 for a relevant document at rank 1, and ``RBP_PATIENCE`` for any other.

    >>> patience_once(DocumentWorths([1, 0, 1], [1, 0, 1], [1, 0, 1], 3))
    [1, 0.0, 0.8]
    """
    counted_worths = worths.counted_worths
    return [*counted_worths[:1], *(RBP_PATIENCE * worth for worth in counted_worths[1:])]


def divisor_of_patience(worths: DocumentWorths) -> float:  # noqa: ARG001
    """Return ``1 / RBP_PATIENCE``."""
    return 1 / RBP_PATIENCE


def counts_of_pairs_lost(worths: DocumentWorths) -> Amounts:
    """Return for each document how many of a smaller worth stand before it."""
    return pair_counts_with_earlier(worths, lt)


def counts_of_neighbours_won(worths: DocumentWorths) -> Amounts:
    """Return a 1 for every pair of neighbours that stands rightly."""
    return [float(upper_worth > lower_worth) for upper_worth, lower_worth in pairwise(worths.listed_worths)]


def differing_neighbour_count(worths: DocumentWorths) -> float:
    """Return how many pairs of neighbours differ.

    >>> differing_neighbour_count(DocumentWorths([1, 1, 0, 1], [1, 1, 0, 1], [1, 1, 0, 1], 4))
    2
    """
    return sum(upper_worth != lower_worth for upper_worth, lower_worth in pairwise(worths.listed_worths))


class ReadersNeverLeave(WrongRank):
    """Every reader arrives at every rank."""

    id = "readers_never_leave"
    name = "满意的读者没有走"
    thoughts = ("每一位满意的机会除以名次，加起来。",)
    mistake_clause = "你让前面已经满意的读者接着往下看了"
    hint = "满意了就走，轮到这一位的，只有前面每一位都没让他满意的那些人。"
    quantities = ERR_ONLY
    wrong_steps = wrong_steps_with(amounts=reciprocals)


class RankForgotten(WrongRank):
    """The chance that anything satisfies."""

    id = "rank_forgotten"
    name = "没有除以名次"
    thoughts = ("把每一位满意走掉的人加起来。",)
    mistake_clause = "你算的是总共有几成读者满意，没有管在第几位"
    hint = "在第几位满意，就只得几分之一，每一位都要除以名次再加。"
    quantities = ERR_ONLY
    wrong_steps = wrong_steps_with(amounts=satisfaction_chances)


class LogForRank(WrongRank):
    """The discount of DCG in place of ``1 / rank``."""

    id = "log_for_rank"
    name = "除以了DCG的对数"
    thoughts = ("打折都是除以对数。",)
    mistake_clause = "你除以的是DCG的对数"
    hint = "ERR里的R是倒数排名，除以名次自己，不取对数。"
    quantities = ERR_ONLY
    wrong_steps = wrong_steps_with(amounts=satisfaction_over_log)


class PatienceFromFirst(WrongRank):
    """The first document already costs patience."""

    id = "patience_from_first"
    name = "第1位就乘了耐心"
    thoughts = ("第几位就乘几次耐心。",)
    mistake_clause = "你从第1位就乘了耐心"
    hint = "第1位人人都看，从第2位起才要耐心，乘的次数比名次少1。"
    quantities = RBP_ONLY
    wrong_steps = wrong_steps_with(amounts=patience_from_first)


class PatienceSwapped(WrongRank):
    """``1 - RBP_PATIENCE`` for the patience."""

    id = "patience_swapped"
    name = "把走掉的当成了留下的"
    thoughts = ("耐心是看一条就走的机会。",)
    mistake_clause = "你把耐心和一减耐心弄反了"
    hint = "耐心是接着看下一条的机会，连乘的是它，最后才乘一减耐心。"
    quantities = RBP_ONLY
    mostly_showing_generators = ("rbp",)
    wrong_steps = wrong_steps_with(amounts=impatience_at_hits, whole=divisor_of_patience)


class PatienceOnce(WrongRank):
    """The patience is not raised to a power."""

    id = "patience_once"
    name = "耐心只乘了一次"
    thoughts = ("第1位之后，一律乘一次耐心。",)
    mistake_clause = "你给第1位后面的都只乘了一次耐心"
    hint = "每往下一位，就再乘一次耐心，越往后走到的人越少。"
    quantities = RBP_ONLY
    wrong_steps = wrong_steps_with(amounts=patience_once)


class PairsUpsideDown(WrongRank):
    """The pairs that stand wrongly."""

    id = "pairs_upside_down"
    name = "数成了站错的对子"
    thoughts = ("名次的数越大越好。",)
    mistake_clause = "你数的是不相关的站在前面的对子"
    hint = "站对的，是相关的在前、不相关的在后，要数的是它们占几成。"
    quantities = AUC_ONLY
    wrong_steps = wrong_steps_with(amounts=counts_of_pairs_lost)


class NeighboursAlone(WrongRank):
    """Only neighbours are compared."""

    id = "neighbours_alone"
    name = "只比了相邻的"
    thoughts = ("一个挨一个地比就够了。",)
    mistake_clause = "你只比了挨着的两篇"
    hint = "隔得再远也要比，每一篇相关的都要和每一篇不相关的比一次。"
    quantities = AUC_ONLY
    wrong_steps = wrong_steps_with(amounts=counts_of_neighbours_won, whole=differing_neighbour_count)


READER_MODELS = (
    ReadersNeverLeave(),
    RankForgotten(),
    LogForRank(),
    PatienceFromFirst(),
    PatienceSwapped(),
    PatienceOnce(),
    PairsUpsideDown(),
    NeighboursAlone(),
)
