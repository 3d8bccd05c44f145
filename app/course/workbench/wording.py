"""Conventions in Chinese: one line for each, a word for each axis, and where more is told about it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from app.engine.conventions import Convention

AXIS_NAMES: Mapping[str, str] = {
    "gain": "增益",
    "discount": "折损",
    "fractional": "半颗糖",
    "pool": "满分取自",
    "cut": "理想截到",
    "ties": "并列",
    "single": "分数精度",
    "zero_ideal": "一颗糖都没有",
    "decimals": "印几位",
}
ANSWERS: Mapping[tuple[str, Any], str] = {
    ("gain", "linear"): "线性（几分就是几）",
    ("gain", "exponential"): "指数（2的甜度次方减1）",
    ("discount", "log2"): "1/log₂(名次+1)",
    ("discount", "jk2002"): "1/log₂(名次)，前两名不打折",
    ("discount", "reciprocal"): "1/名次",
    ("discount", "none"): "不打折",
    ("pool", "list"): "返回的这一列",
    ("pool", "judged"): "整个评判池",
    ("cut", "k"): "第k名",
    ("cut", "whole"): "不截，整本册子都算",
    ("cut", "returned"): "返回了几篇就几篇",
    ("ties", "average"): "取平均",
    ("ties", "input"): "先来的在前",
    ("ties", "reversed"): "后来的在前",
    ("ties", "best"): "往好里排",
    ("ties", "worst"): "往坏里排",
    ("ties", "docno-descending"): "编号大的在前",
    ("ties", "docno-ascending"): "编号小的在前",
    ("zero_ideal", "zero"): "记0",
    ("zero_ideal", "one"): "记1",
    ("zero_ideal", "skip"): "跳过",
    ("fractional", "kept"): "照算",
    ("fractional", "truncated"): "砍掉零头",
    ("fractional", "refused"): "不收",
    ("single", False): "双精度",
    ("single", True): "单精度，太近的成了并列",
    ("decimals", None): "不舍入",
}
"""(axis, answer) → its words."""


@dataclass(frozen=True)
class AxisHelp:
    """Where an axis is taught: a section of the course, a case of the errata hall, a point to practise."""

    section: tuple[str, str]
    case: str
    skill: str


HELP: Mapping[str, AxisHelp] = {
    "gain": AxisHelp(("practice", "exponential-wrapper"), "two-ndcgs", "library-conventions"),
    "discount": AxisHelp(("definitions", "gain-and-discount"), "cited-not-used", "discount"),
    "fractional": AxisHelp(("definitions", "gain-and-discount"), "half-candies", "library-conventions"),
    "pool": AxisHelp(("code", "torn-off"), "return-less", "pool"),
    "cut": AxisHelp(("practice", "scissors"), "ndcg-or-cut", "cut-off"),
    "ties": AxisHelp(("code", "tied-scores"), "four-answers", "ties"),
    "single": AxisHelp(("code", "tied-scores"), "renamed", "ties"),
    "zero_ideal": AxisHelp(("code", "nothing-sweet"), "empty-query", "empty-query"),
    "decimals": AxisHelp(("definitions", "conventions"), "rounded-sum", "convention"),
}


def answer_words(axis: str, answer: object) -> str:
    """An answer in words.

    >>> answer_words("ties", "average"), answer_words("decimals", 2)
    ('取平均', '印到2位')
    """
    if axis == "decimals" and answer is not None:
        return f"印到{answer}位"
    return ANSWERS[axis, answer]


def convention_line(convention: Convention, k: int | None) -> str:
    """A convention in one line.

    >>> from app.engine.conventions import CONVENTIONS
    >>> convention_line(CONVENTIONS["catboost"], 5)
    '线性增益·折损1/log₂(名次+1)·截断k=5·满分取自返回的这一列·并列往坏里排·没有糖记1'
    """
    gain = {"linear": "线性增益", "exponential": "指数增益（2的甜度次方减1）"}[convention.gain]
    depth = "不截断"
    if k is not None:
        depth = f"截断k={k}"
    if convention.cut != "k":
        depth += f"（理想截到{answer_words('cut', convention.cut)}）"
    clauses = [
        gain,
        f"折损{answer_words('discount', convention.discount)}",
        depth,
        f"满分取自{answer_words('pool', convention.pool)}",
        f"并列{answer_words('ties', convention.ties)}",
        f"没有糖{answer_words('zero_ideal', convention.zero_ideal)}",
    ]
    if convention.fractional == "truncated":
        clauses.append("半颗糖砍掉零头")
    if convention.decimals is not None:
        clauses.append(answer_words("decimals", convention.decimals))
    return "·".join(clauses)


def version_words(convention: Convention) -> str:
    """Which version was observed, in words.

    >>> from app.engine.conventions import CONVENTIONS
    >>> version_words(CONVENTIONS["ranx"]), version_words(CONVENTIONS["quepid"])
    ('0.3.21版，2026年11月跑过', '读的是源码，2025')
    """
    version = convention.version
    if not version:
        return ""
    if version == "built from source":
        return "从源码编译，2026年11月跑过"
    if "read in the source" in version:
        dated = version.replace("read in the source", "").strip(" ,")
        return f"读的是源码，{dated.replace('July 2026', '2026年7月')}"
    return f"{version}版，2026年11月跑过"
