"""Cards that learners write: Markdown and formulas, as in the lessons, but without the course's figures."""

from html import escape

from app.course.text import markdown
from app.course.text.formulas import BadFormula

LONGEST_SIDE = 2000
"""Characters of one side."""


def html(text: str) -> str:
    """A side as HTML; as plain text where it cannot be read.

    >>> html("**对**，<b>错</b>")
    '<p><strong>对</strong>，&lt;b&gt;错&lt;/b&gt;</p>\\n'
    """
    try:
        return markdown.render(text)
    except (BadFormula, markdown.UnknownTerm):
        return f"<p>{escape(text)}</p>"


def fault(front: str, back: str) -> str:
    """What is wrong with the sides of a card, in a sentence; nothing when it can be kept.

    >>> fault("第几名正好打对折？", "第3名")
    ''
    >>> fault("", "第3名")
    '正面还空着：写一个一口气能答完的问题。'
    """
    if not front.strip():
        return "正面还空着：写一个一口气能答完的问题。"
    if not back.strip():
        return "背面还空着：写下答案，越短越好记。"
    if max(len(front), len(back)) > LONGEST_SIDE:
        return f"太长了：一面最多{LONGEST_SIDE}字。一张卡只记一件事。"
    try:
        markdown.render(front)
        markdown.render(back)
    except (BadFormula, markdown.UnknownTerm) as error:
        return str(error)
    return ""
