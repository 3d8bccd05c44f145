"""Conventions in Chinese: one line for each, a word for each axis, and where more is told about it."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from app.engine.conventions import BUILT_FROM_SOURCE, Convention
from app.engine.signatures import ATTRIBUTE_AND_WORDS_BY_FIELD, GRAMMAR_VERSION

NAME_BY_AXIS: Mapping[str, str] = MappingProxyType(
    {
        "gain": "增益",
        "discount": "折损",
        "pool": "理想从哪里挑",
        "cut": "理想切到哪里",
        "ties": "同分谁在前",
        "zero_ideal": "一颗甜的都没有",
    }
)
WORD_BY_ANSWER_BY_AXIS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "gain": {"linear": "线性", "exponential": "指数（2^甜度−1）"},
        "discount": {
            "log2": "1/log₂(名次+1)",
            "jk2002": "1/log₂名次，第2位也不打折",
            "reciprocal": "1/名次",
            "none": "不打折",
        },
        "pool": {"list": "只从返回的这一列", "judged": "从评判过的全部"},
        "cut": {"k": "切到k", "whole": "不切", "returned": "返回几篇切到几篇"},
        "ties": {
            "average": "各种排法取平均",
            "input": "照给的先后",
            "reversed": "照给的先后倒过来",
            "best": "甜的在前",
            "worst": "淡的在前",
            "docno-descending": "文档名大的在前",
            "docno-ascending": "文档名小的在前",
        },
        "zero_ideal": {"zero": "记0", "one": "记1", "skip": "跳过"},
    }
)
"""The axes of the product of conventions, and their answers."""
NAME_BY_ANY_AXIS: Mapping[str, str] = {
    **NAME_BY_AXIS,
    "fractional": "半颗糖",
    "negative": "负的甜度",
    "single": "分数的精度",
    "decimals": "印几位",
}
WORDS_BY_ANSWER_BY_ANY_AXIS: Mapping[str, Mapping[Any, str]] = {
    **WORD_BY_ANSWER_BY_AXIS,
    "fractional": {"kept": "照算", "truncated": "砍掉零头", "refused": "不收"},
    "negative": {"refused": "算未标注", "zero": "当0", "kept": "照算，倒扣", "dropped": "整篇拿掉"},
    "single": {False: "双精度", True: "单精度，挨得太近就成了同分"},
    "decimals": {None: "不舍入"},
}
"""Axis → answer → its words."""


class AxisHelp(NamedTuple):
    """Where an axis is taught: a section of a stage, a case of the errata hall, a point to practise."""

    section_key: tuple[str, str]
    case_id: str
    skill_id: str


HELP_BY_AXIS: Mapping[str, AxisHelp] = {
    "gain": AxisHelp(("practice", "exponential-wrapper"), "two-ndcgs", "library-conventions"),
    "discount": AxisHelp(("definitions", "gain-and-discount"), "cited-not-used", "discount"),
    "fractional": AxisHelp(("definitions", "gain-and-discount"), "half-candies", "library-conventions"),
    "negative": AxisHelp(("definitions", "gain-and-discount"), "negative-sweetness", "library-conventions"),
    "pool": AxisHelp(("code", "torn-off"), "return-less", "library-conventions"),
    "cut": AxisHelp(("practice", "scissors"), "ndcg-or-cut", "cut-off"),
    "ties": AxisHelp(("code", "tied-scores"), "four-answers", "library-conventions"),
    "single": AxisHelp(("code", "tied-scores"), "renamed", "ties"),
    "zero_ideal": AxisHelp(("code", "nothing-sweet"), "empty-query", "empty-query"),
    "decimals": AxisHelp(("definitions", "conventions"), "rounded-sum", "convention"),
}


WORDS_BY_NEGATIVE_RULE = {
    "refused": "负的甜度不收",
    "zero": "负的甜度当0",
    "kept": "负的甜度照算",
    "dropped": "负的甜度整篇拿掉",
}
CLAUSE_BY_GAIN = {"linear": "线性增益", "exponential": "指数增益（2的甜度次方减1）"}


SHORT_NAME_BY_CONVENTION: Mapping[str, str] = {
    "scikit-learn": "scikit-learn",
    "scikit-learn-ignore-ties": "scikit-learn（ignore_ties）",
    "torchmetrics": "torchmetrics",
    "trec_eval": "trec_eval",
    "pytrec_eval": "pytrec_eval",
    "gdeval": "gdeval",
    "ranx": "ranx",
    "ranx-burges": "ranx（burges）",
    "lightgbm": "LightGBM",
    "xgboost": "XGBoost",
    "xgboost-linear": "XGBoost（线性）",
    "catboost": "CatBoost",
    "catboost-exp": "CatBoost（Exp）",
    "ranklib": "RankLib",
    "ir-measures": "ir_measures",
    "quepid": "Quepid",
    "opensearch": "OpenSearch",
    "elasticsearch": "Elasticsearch",
    "tf-ranking": "TF-Ranking",
}
"""Names of libraries where there is little room; those that are not here are short."""


def short_name(convention: Convention) -> str:
    """Whose convention it is, in a word or two.

    >>> from app.engine.conventions import CONVENTIONS
    >>> short_name(CONVENTIONS["catboost-exp"]), short_name(CONVENTIONS["course"])
    ('CatBoost（Exp）', '糖序')
    """
    return SHORT_NAME_BY_CONVENTION.get(convention.name, convention.library)


def change_text(figure_change: float | None) -> str:
    """By how much a figure changes, with its sign; a change that three decimals do not show is no zero. Of
    None nothing: there is no figure before or after it.

    >>> change_text(-0.0119), change_text(0.00002), change_text(None)
    ('−0.012', '+0.000020', '')
    """
    if figure_change is None:
        return ""
    signed_change_text = f"{figure_change:+.3f}"
    if abs(figure_change) < 0.0005:
        signed_change_text = f"{figure_change:+.1g}"
    if "e" in signed_change_text:
        signed_change_text = f"{figure_change:+.6f}"
    return signed_change_text.replace("-", "−")


def answers_in_words(axis: str, axis_answers: Sequence[str]) -> str:
    """The answers on an axis, in the order of the table.

    >>> answers_in_words("gain", ["exponential", "linear"])
    '线性，或者指数（2^甜度−1）'
    """
    words_of_answers = [
        words_of_answer
        for axis_answer, words_of_answer in WORD_BY_ANSWER_BY_AXIS[axis].items()
        if axis_answer in axis_answers
    ]
    return "，或者".join(words_of_answers)


def answer_words(axis: str, axis_answer: object) -> str:
    """An answer in words.

    >>> answer_words("ties", "average"), answer_words("decimals", 2)
    ('各种排法取平均', '印到2位')
    """
    if axis == "decimals" and axis_answer is not None:
        return f"印到{axis_answer}位"
    return WORDS_BY_ANSWER_BY_ANY_AXIS[axis][axis_answer]


def convention_line(convention: Convention, k: int | None) -> str:
    """A convention in one line.

    >>> from app.engine.conventions import CONVENTIONS
    >>> convention_line(CONVENTIONS["catboost"], 5)
    '线性增益·折损1/log₂(名次+1)·截断k=5·理想只从返回的这一列里挑·同分淡的在前·没有糖记1'
    """
    cutoff_words = "不截断"
    if k is not None:
        cutoff_words = f"截断k={k}"
    if convention.cut != "k":
        cutoff_words += f"（理想{answer_words('cut', convention.cut)}）"
    clauses = [
        CLAUSE_BY_GAIN[convention.gain],
        f"折损{answer_words('discount', convention.discount)}",
        cutoff_words,
        f"理想{answer_words('pool', convention.pool)}里挑",
        f"同分{answer_words('ties', convention.ties)}",
        f"没有糖{answer_words('zero_ideal', convention.zero_ideal)}",
    ]
    if convention.fractional == "truncated":
        clauses.append("半颗糖砍掉零头")
    if convention.decimals is not None:
        clauses.append(answer_words("decimals", convention.decimals))
    return "·".join(clauses)


def grammar() -> Mapping[str, Mapping[str, str]]:
    """The words of a signature, field by field, with what they mean.

    >>> grammar()["gain"]["g"], grammar()["dec"]
    ('线性', {'2': '印到2位'})
    """
    meaning_by_word_by_field: dict[str, dict[str, str]] = {}
    for field_name, (axis, signature_word_by_answer) in ATTRIBUTE_AND_WORDS_BY_FIELD.items():
        meaning_by_answer: Mapping[Any, str] = WORDS_BY_NEGATIVE_RULE
        if axis != "negative":
            meaning_by_answer = WORDS_BY_ANSWER_BY_ANY_AXIS[axis]
        meaning_by_word_by_field[field_name] = {
            signature_word: meaning_by_answer[axis_answer]
            for axis_answer, signature_word in signature_word_by_answer.items()
        }
    meaning_by_word_by_field["max"] = {"31": "甜度最多31"}
    meaning_by_word_by_field["min"] = {"2": "至少要2篇"}
    meaning_by_word_by_field["dec"] = {"2": "印到2位"}
    meaning_by_word_by_field["v"] = {GRAMMAR_VERSION: "写法的版本"}
    return meaning_by_word_by_field


def version_words(convention: Convention) -> str:
    """Which version was observed, in words.

    >>> from app.engine.conventions import CONVENTIONS
    >>> version_words(CONVENTIONS["ranx"]), version_words(CONVENTIONS["quepid"])
    ('0.3.21版，2026年11月跑过', '读的是源码，2025')
    """
    if not convention.is_library:
        return ""
    if convention.source_date:
        return f"读的是源码，{convention.source_date}"
    if convention.version == BUILT_FROM_SOURCE:
        return "从源码编译，2026年11月跑过"
    return f"{convention.version}版，2026年11月跑过"
