"""The tutor's calculation of a measure beside NDCG, line by line, in Markdown."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from app import engine
from app.course.items.printed_figures import (
    STEP_DECIMALS,
    addition_text,
    equals_text,
    rounded_text,
    rounding_note,
    sum_note,
)
from app.engine.misconceptions.shares import (
    RIGHT_SHARE_WORKING_BY_QUANTITY,
    DocumentWorths,
    chances_of_arrival,
    counts_of_pairs_won,
    satisfaction_over_rank,
    unequal_pair_count,
    usual_patience_at_hits,
)
from app.engine.questions import HIGHEST_GRADE_OF_SCALE, RBP_PATIENCE
from app.engine.rounding import figure_as_noted

NAME_BY_SHARE = {
    "precision": "精确率",
    "recall": "召回率",
    "average_precision": "AP",
    "reciprocal_rank": "RR",
    "auc": "AUC",
    "err": "ERR",
    "rbp": "RBP",
}
QUANTITIES_WITH_CUTOFF = frozenset({"precision", "recall"})
"""What is never named without its cutoff."""
RELEVANCE_SENTENCE = "甜度≥1算相关。"


class AskedShare(NamedTuple):
    """A share that is asked to some places: what its documents are worth, and the ranks of those that are
    worth something."""

    question: engine.Question
    worths: DocumentWorths
    hit_ranks: Sequence[int]
    decimals: int


def quantity_name(question: engine.Question) -> str:
    """How a measure is written: with its cutoff where it cuts something off.

    >>> quantity_name(engine.Question("precision", [1, 0]))
    '精确率@2'
    >>> quantity_name(engine.Question("average_precision", [1, 0], k=2))
    'AP'
    """
    plain_name = NAME_BY_SHARE[question.quantity]
    list_length = len(question.grades)
    cutoff = question.k or list_length
    if cutoff < list_length or question.quantity in QUANTITIES_WITH_CUTOFF:
        return f"{plain_name}@{cutoff}"
    return plain_name


def solution_lines(question: engine.Question, decimals: int) -> list[str]:
    """The calculation of a measure; the last line holds the result.

    >>> print(*solution_lines(engine.Question("average_precision", [1, 0, 2]), 3), sep="\\n")
    甜度≥1算相关。前3位里有2篇：第1、3位。
    每遇到一篇，记下走到这一位的精确率：1/1、2/3。
    这一列里相关的一共2篇。AP=(1/1+2/3)÷2≈**0.833**
    """
    document_worths = RIGHT_SHARE_WORKING_BY_QUANTITY[question.quantity].document_worths(question)
    hit_ranks = [rank for rank, worth in enumerate(document_worths.counted_worths, start=1) if worth]
    result_text = equals_text(engine.answer(question), decimals, is_bold=True)
    label_text = quantity_name(question)
    if not hit_ranks:
        return [f"前{document_worths.cutoff}位里没有一篇甜的，{label_text}{result_text}"]
    asked_share = AskedShare(question, document_worths, hit_ranks, decimals)
    *step_lines, quotient_format = STEP_LINES_BY_QUANTITY[question.quantity](asked_share)
    return [*step_lines, quotient_format.format(label=label_text, result=result_text)]


def _precision_step_lines(asked_share: AskedShare) -> list[str]:
    cutoff = asked_share.worths.cutoff
    return [
        _hits_sentence(asked_share),
        f"只看前{cutoff}位，所以除以{cutoff}。{{label}}={len(asked_share.hit_ranks)}÷{cutoff}{{result}}",
    ]


def _recall_step_lines(asked_share: AskedShare) -> list[str]:
    relevant_count, relevant_sentence = _relevant_count_and_sentence(asked_share)
    return [
        _hits_sentence(asked_share),
        f"{relevant_sentence}{{label}}={len(asked_share.hit_ranks)}÷{relevant_count}{{result}}",
    ]


def _average_precision_step_lines(asked_share: AskedShare) -> list[str]:
    precision_texts = [f"{hit_count}/{rank}" for hit_count, rank in enumerate(asked_share.hit_ranks, start=1)]
    relevant_count, relevant_sentence = _relevant_count_and_sentence(asked_share)
    listed_precisions_text, added_precisions_text = "、".join(precision_texts), "+".join(precision_texts)
    return [
        _hits_sentence(asked_share),
        f"每遇到一篇，记下走到这一位的精确率：{listed_precisions_text}。",
        f"{relevant_sentence}{{label}}=({added_precisions_text})÷{relevant_count}{{result}}",
    ]


def _reciprocal_rank_step_lines(asked_share: AskedShare) -> list[str]:
    first_relevant_rank = asked_share.hit_ranks[0]
    return [
        f"{RELEVANCE_SENTENCE}从上往下找，头一篇在第{first_relevant_rank}位，后面的不看。",
        f"{{label}}=1÷{first_relevant_rank}{{result}}",
    ]


def _auc_step_lines(asked_share: AskedShare) -> list[str]:
    step_lines = []
    worths, hit_ranks = asked_share.worths, asked_share.hit_ranks
    won_pair_counts = counts_of_pairs_won(worths)
    for rank, won_pair_count in enumerate(won_pair_counts, start=1):
        if rank not in hit_ranks:
            step_lines.append(
                f"第{rank}位不相关，前面有{won_pair_count:.0f}篇相关的：站对{won_pair_count:.0f}对。"
            )
    hit_count = len(hit_ranks)
    miss_count = len(worths.listed_worths) - hit_count
    pair_count = unequal_pair_count(worths)
    pair_sentence = (
        f"{hit_count}篇相关、{miss_count}篇不相关，一共{hit_count}×{miss_count}={pair_count:.0f}对。"
    )
    return [
        RELEVANCE_SENTENCE,
        *step_lines,
        f"{pair_sentence}{{label}}={sum(won_pair_counts):.0f}÷{pair_count:.0f}{{result}}",
    ]


def _err_step_lines(asked_share: AskedShare) -> list[str]:
    step_lines = []
    worths, hit_ranks = asked_share.worths, asked_share.hit_ranks
    arrival_chances = chances_of_arrival(worths)
    satisfaction_amounts = satisfaction_over_rank(worths)
    amounts = [satisfaction_amounts[rank - 1] for rank in hit_ranks]
    for rank, amount in zip(hit_ranks, amounts, strict=True):
        chance_text = (
            f"{worths.counted_worths[rank - 1] * 2**HIGHEST_GRADE_OF_SCALE:g}/{2**HIGHEST_GRADE_OF_SCALE}"
        )
        product_text = f"{rounded_text(arrival_chances[rank - 1], STEP_DECIMALS)}×{chance_text}÷{rank}"
        explanation_words = f"满意的机会{chance_text}，走到这里的读者乘机会，再除以名次，"
        figure_on_paper = figure_as_noted(arrival_chances[rank - 1]) * worths.counted_worths[rank - 1] / rank
        rounding_words = rounding_note(figure_on_paper, amount, STEP_DECIMALS)
        amount_text = equals_text(amount, STEP_DECIMALS)
        step_lines.append(f"第{rank}位：{explanation_words}{product_text}{amount_text}{rounding_words}。")
    sum_note_words = sum_note(amounts, asked_share.decimals)
    return [*step_lines, f"加起来：{{label}}={addition_text(amounts)}{{result}}{sum_note_words}"]


def _rbp_step_lines(asked_share: AskedShare) -> list[str]:
    step_lines = []
    patience_amounts = usual_patience_at_hits(asked_share.worths)
    amounts = [patience_amounts[rank - 1] for rank in asked_share.hit_ranks]
    for rank, amount in zip(asked_share.hit_ranks, amounts, strict=True):
        readers_text = equals_text(amount, STEP_DECIMALS)
        step_lines.append(f"走到第{rank}位的读者：{RBP_PATIENCE}自乘{rank - 1}次{readers_text}。")
    scaled_sum_text = f"({addition_text(amounts)})×(1−{RBP_PATIENCE})"
    figure_on_paper = sum(map(figure_as_noted, amounts)) * (1 - RBP_PATIENCE)
    rbp = sum(amounts) * (1 - RBP_PATIENCE)
    rounding_words = rounding_note(figure_on_paper, rbp, asked_share.decimals)
    total_line = f"加起来，再乘“1减耐心”：{{label}}={scaled_sum_text}{{result}}{rounding_words}"
    return [_hits_sentence(asked_share), *step_lines, total_line]


def _hits_sentence(asked_share: AskedShare) -> str:
    ranks_text = "、".join(map(str, asked_share.hit_ranks))
    hits_words = f"前{asked_share.worths.cutoff}位里有{len(asked_share.hit_ranks)}篇"
    return f"{RELEVANCE_SENTENCE}{hits_words}：第{ranks_text}位。"


def _relevant_count_and_sentence(asked_share: AskedShare) -> tuple[int, str]:
    """How many relevant documents there are, and the sentence that says so."""
    relevant_count = int(sum(asked_share.worths.judged_worths))
    source_words = "这一列里"
    if asked_share.question.pool is not None:
        source_words = "评判池里"
    return relevant_count, f"{source_words}相关的一共{relevant_count}篇。"


STEP_LINES_BY_QUANTITY: Mapping[str, Callable[[AskedShare], list[str]]] = {
    "precision": _precision_step_lines,
    "recall": _recall_step_lines,
    "average_precision": _average_precision_step_lines,
    "reciprocal_rank": _reciprocal_rank_step_lines,
    "auc": _auc_step_lines,
    "err": _err_step_lines,
    "rbp": _rbp_step_lines,
}
