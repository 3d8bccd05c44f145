"""Cards that learners write: Markdown and formulas, as in the lessons, but without the course's figures."""

from html import escape
from typing import NamedTuple

from app.course.text import markdown
from app.course.text.formulas import BadFormula

LONGEST_SIDE = 2000
"""Characters of one side."""


def html(side_text: str) -> str:
    """A side as HTML; as plain text where it cannot be read.

    >>> html("**对**，<b>错</b>")
    '<p><strong>对</strong>，&lt;b&gt;错&lt;/b&gt;</p>\\n'
    """
    try:
        return markdown.render(side_text)
    except (BadFormula, markdown.UnknownTerm):
        return f"<p>{escape(side_text)}</p>"


class CardFault(NamedTuple):
    """What is wrong with a card, in a sentence, and on which `side`: `front` or `back`."""

    sentence: str
    side: str


NO_FAULT = CardFault("", "")


def fault_of_sides(front: str, back: str) -> CardFault:
    """What is wrong with the sides of a card; `NO_FAULT` when it can be kept.

    >>> fault_of_sides("第几位正好打对折？", "第3位") is NO_FAULT
    True
    >>> fault_of_sides("", "第3位")
    CardFault(sentence='正面还空着：写一个一口气能答完的问题。', side='front')
    """
    if not front.strip():
        return CardFault("正面还空着：写一个一口气能答完的问题。", "front")
    if not back.strip():
        return CardFault("背面还空着：写下答案，越短越好记。", "back")
    for side, side_text in (("front", front), ("back", back)):
        if fault_sentence := unreadable_sentence(side_text):
            return CardFault(fault_sentence, side)
    return NO_FAULT


def unreadable_sentence(side_text: str) -> str:
    """Why a side that is not blank cannot be kept; empty where it can be."""
    if len(side_text) > LONGEST_SIDE:
        return f"太长了：一面最多{LONGEST_SIDE}字。一张卡只记一件事。"
    try:
        markdown.render(side_text)
    except (BadFormula, markdown.UnknownTerm) as error:
        return str(error)
    return ""
