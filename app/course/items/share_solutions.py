"""The tutor's calculation of a measure beside NDCG, line by line, in Markdown."""

from collections.abc import Callable, Mapping, Sequence

from app import engine
from app.course.items.printing import (
    STEP_DECIMALS,
    addition,
    as_printed,
    equals,
    rounded,
    rounding_note,
    sum_note,
)
from app.engine.misconceptions.shares import (
    RIGHT_SHARES,
    Judgements,
    arriving_readers,
    pairs_won,
    patient_readers,
    satisfied_readers,
    unequal_pair_count,
)
from app.engine.questions import MAX_GRADE, PATIENCE

NAMES = {
    "precision": "精确率",
    "recall": "召回率",
    "average_precision": "AP",
    "reciprocal_rank": "RR",
    "auc": "AUC",
    "err": "ERR",
    "rbp": "RBP",
}
WITH_CUTOFF = frozenset({"precision", "recall"})
"""What is never named without its cutoff."""
RELEVANT = "甜度≥1算相关。"


def name(question: engine.Question) -> str:
    """How a measure is written: with its cutoff where it cuts something off.

    >>> name(engine.Question("precision", [1, 0])), name(engine.Question("average_precision", [1, 0], k=2))
    ('精确率@2', 'AP')
    """
    plain_name = NAMES[question.quantity]
    length = len(question.grades)
    cutoff = question.k or length
    if cutoff < length or question.quantity in WITH_CUTOFF:
        return f"{plain_name}@{cutoff}"
    return plain_name


def lines(question: engine.Question, decimals: int) -> list[str]:
    """The calculation of a measure; the last line holds the result.

    >>> print(*lines(engine.Question("average_precision", [1, 0, 2]), 3), sep="\\n")
    甜度≥1算相关。前3位里有2篇：第1、3位。
    每遇到一篇，记下走到这一位的精确率：1/1、2/3。
    这一列里相关的一共2篇。AP=(1/1+2/3)÷2≈**0.833**
    """
    judgements = RIGHT_SHARES[question.quantity].judgements(question)
    ranks = [rank for rank, hit in enumerate(judgements.counted_worths, start=1) if hit]
    result_words = equals(engine.answer(question), decimals, strong=True)
    label = name(question)
    if not ranks:
        return [f"前{judgements.cutoff}位里没有一篇甜的，{label}{result_words}"]
    *steps, quotient = WORKINGS[question.quantity](question, judgements, ranks)
    return [*steps, quotient.format(label=label, result=result_words)]


def _precision(_: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    hit_count = len(ranks)
    return [
        _hits(judgements, ranks),
        f"只看前{judgements.cutoff}位，所以除以{judgements.cutoff}。{{label}}={hit_count}÷{judgements.cutoff}{{result}}",
    ]


def _recall(question: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    relevant_count, relevant_words = _relevant(question, judgements)
    return [_hits(judgements, ranks), f"{relevant_words}{{label}}={len(ranks)}÷{relevant_count}{{result}}"]


def _average(question: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    precisions = [f"{hits}/{rank}" for hits, rank in enumerate(ranks, start=1)]
    relevant_count, relevant_words = _relevant(question, judgements)
    listing, additions = "、".join(precisions), "+".join(precisions)
    return [
        _hits(judgements, ranks),
        f"每遇到一篇，记下走到这一位的精确率：{listing}。",
        f"{relevant_words}{{label}}=({additions})÷{relevant_count}{{result}}",
    ]


def _reciprocal(_: engine.Question, __: Judgements, ranks: Sequence[int]) -> list[str]:
    first_rank = ranks[0]
    return [
        f"{RELEVANT}从上往下找，头一篇在第{first_rank}位，后面的不看。",
        f"{{label}}=1÷{first_rank}{{result}}",
    ]


def _auc(_: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    steps = []
    won_by_rank = pairs_won(judgements)
    for rank, won_pairs in enumerate(won_by_rank, start=1):
        if rank not in ranks:
            steps.append(f"第{rank}位不相关，前面有{won_pairs:.0f}篇相关的：站对{won_pairs:.0f}对。")
    hit_count = len(ranks)
    miss_count = len(judgements.listed_worths) - hit_count
    pair_count = unequal_pair_count(judgements)
    pair_words = f"{hit_count}篇相关、{miss_count}篇不相关，一共{hit_count}×{miss_count}={pair_count:.0f}对。"
    return [
        RELEVANT,
        *steps,
        f"{pair_words}{{label}}={sum(won_by_rank):.0f}÷{pair_count:.0f}{{result}}",
    ]


def _err(_: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    steps = []
    arriving_shares = arriving_readers(judgements)
    satisfied_shares = satisfied_readers(judgements)
    amounts = [satisfied_shares[rank - 1] for rank in ranks]
    for rank, amount in zip(ranks, amounts, strict=True):
        chance = f"{judgements.counted_worths[rank - 1] * 2**MAX_GRADE:g}/{2**MAX_GRADE}"
        share = f"{rounded(arriving_shares[rank - 1], STEP_DECIMALS)}×{chance}÷{rank}"
        reading = f"满意的机会{chance}，走到这里的读者乘机会，再除以名次，"
        figure_on_paper = as_printed(arriving_shares[rank - 1]) * judgements.counted_worths[rank - 1] / rank
        rounding = rounding_note(figure_on_paper, amount, STEP_DECIMALS)
        steps.append(f"第{rank}位：{reading}{share}{equals(amount, STEP_DECIMALS)}{rounding}。")
    note = sum_note(amounts, STEP_DECIMALS)
    return [*steps, f"加起来：{{label}}={addition(amounts)}{{result}}{note}"]


def _rbp(_: engine.Question, judgements: Judgements, ranks: Sequence[int]) -> list[str]:
    steps = []
    patient_shares = patient_readers(judgements)
    amounts = [patient_shares[rank - 1] for rank in ranks]
    for rank, amount in zip(ranks, amounts, strict=True):
        readers = equals(amount, STEP_DECIMALS)
        steps.append(f"走到第{rank}位的读者：{PATIENCE}自乘{rank - 1}次{readers}。")
    scaled_sum = f"({addition(amounts)})×(1−{PATIENCE})"
    figure_on_paper = sum(map(as_printed, amounts)) * (1 - PATIENCE)
    note = rounding_note(figure_on_paper, sum(amounts) * (1 - PATIENCE), STEP_DECIMALS)
    total = f"加起来，再乘“1减耐心”：{{label}}={scaled_sum}{{result}}{note}"
    return [_hits(judgements, ranks), *steps, total]


def _hits(judgements: Judgements, ranks: Sequence[int]) -> str:
    ranks_text = "、".join(map(str, ranks))
    return f"{RELEVANT}前{judgements.cutoff}位里有{len(ranks)}篇：第{ranks_text}位。"


def _relevant(question: engine.Question, judgements: Judgements) -> tuple[int, str]:
    """How many relevant documents there are, and the sentence that says so."""
    relevant_count = int(sum(judgements.judged_worths))
    source = "这一列里"
    if question.pool is not None:
        source = "评判池里"
    return relevant_count, f"{source}相关的一共{relevant_count}篇。"


WORKINGS: Mapping[str, Callable[[engine.Question, Judgements, Sequence[int]], list[str]]] = {
    "precision": _precision,
    "recall": _recall,
    "average_precision": _average,
    "reciprocal_rank": _reciprocal,
    "auc": _auc,
    "err": _err,
    "rbp": _rbp,
}
