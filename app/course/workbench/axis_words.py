"""The questions that every convention answers, and their answers, in words."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

AXIS_NAMES: Mapping[str, str] = MappingProxyType(
    {
        "gain": "增益",
        "discount": "折损",
        "pool": "理想从哪里挑",
        "cut": "理想切到哪里",
        "ties": "同分谁在前",
        "zero_ideal": "一颗甜的都没有",
    }
)
ANSWER_WORDS: Mapping[str, Mapping[str, str]] = MappingProxyType(
    {
        "gain": {"linear": "线性", "exponential": "指数（2^甜度−1）"},
        "discount": {
            "log2": "1/log₂(名次+1)",
            "jk2002": "1/log₂名次，第2名也不打折",
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


def answers_in_words(axis: str, answers: Sequence[str]) -> str:
    """The answers on an axis, in the order of the table.

    >>> answers_in_words("gain", ["exponential", "linear"])
    '线性，或者指数（2^甜度−1）'
    """
    words = [word for answer, word in ANSWER_WORDS[axis].items() if answer in answers]
    return "，或者".join(words)
