r"""Formulas: LaTeX in, MathML Core out, without inline styles so that a strict CSP holds.

>>> formula(r"\DCG@k").startswith("<math")
True
"""

import re
from functools import lru_cache
from html import escape

from math_core import LatexToMathML

from app.course.text import formula_messages

MACROS = {
    "rel": r"\mathit{rel}",
    "CG": r"\mathrm{CG}",
    "DCG": r"\mathrm{DCG}",
    "IDCG": r"\mathrm{IDCG}",
    "NDCG": r"\mathrm{NDCG}",
}
_CLASSES = {
    "text-align: right;justify-items: end;padding-right: 0;": "m-right",
    "text-align: left;justify-items: start;padding-left: 0;": "m-left",
    "text-align: left;justify-items: start;padding-right: 0;": "m-case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "m-case-next",
}
_SPOKEN = (
    (r"\sum", "Σ"), (r"\log", "log"), (r"\times", "×"), (r"\cdot", "·"), (r"\approx", "≈"), (r"\le", "≤"),
    (r"\ge", "≥"), (r"\dots", "…"), (r"\ldots", "…"), (r"\cdots", "…"), (r"\quad", " "), (r"\,", " "),
)  # fmt: skip
_converter = LatexToMathML(macros=MACROS)

LONGEST, DEEPEST = 2000, 30
"""Characters of a formula, and braces within braces: the converter falls over what is nested without end."""


class BadFormula(ValueError):
    """A formula that cannot be shown."""


@lru_cache(4096)
def formula(latex: str, block: bool = False) -> str:
    """MathML of a formula; raises `BadFormula` with what is wrong."""
    if len(latex) > LONGEST or _depth(latex) > DEEPEST:
        raise BadFormula(f"公式 ${latex[:20]}…$ 太长，或者套得太深了，拆成几个")
    if re.search(r"(?<!\\)%", latex):
        raise BadFormula(f"公式 ${latex}$ 里的 % 会让后面的全部消失，写成 \\% 或放到公式外面")
    if re.search(r"\\\\\s*\[", latex):
        raise BadFormula(r"公式里的 \\[4pt] 会原样显示出来，去掉方括号")
    try:
        mathml = _converter.convert_with_local_state(latex, displaystyle=block)
    except Exception as error:
        raise BadFormula(f"公式 ${latex}$ 读不懂：{formula_messages.said(str(error))}") from error
    mathml = re.sub(r' style="([^"]*)"', lambda style: f' class="{_class(style[1], latex)}"', mathml)
    return mathml.replace("<math", f'<math aria-label="{escape(spoken(latex))}"', 1)


def written(latex: str) -> str:
    r"""An inline formula; one in two dimensions brings a line of text for browsers without MathML.

    >>> written("k").endswith("</math>")
    True
    >>> written(r"\frac{a}{b}").endswith('<span class="eq-text">(a)/(b)</span>')
    True
    """
    mathml = formula(latex)
    if not re.search("<(mfrac|munderover|msqrt|mtable)", mathml):
        return mathml
    return f'{mathml}<span class="eq-text">{escape(spoken(latex))}</span>'


def _depth(latex: str) -> int:
    r"""How many braces are open at once.

    >>> _depth(r"\frac{1}{\log_2{(i+1)}}")
    2
    """
    depth = deepest = 0
    for sign in re.findall("[{}]", latex):
        if sign == "{":
            depth += 1
        else:
            depth -= 1
        deepest = max(deepest, depth)
    return deepest


def _class(style: str, latex: str) -> str:
    if style not in _CLASSES:
        raise BadFormula(f"公式 ${latex}$ 需要一种还没有样式类的排版：{style}")
    return _CLASSES[style]


def spoken(latex: str) -> str:
    r"""The formula as a line of text, for readers and browsers without MathML.

    >>> spoken(r"\NDCG@k=\frac{\DCG@k}{\IDCG@k}")
    'NDCG@k=(DCG@k)/(IDCG@k)'
    """
    text = latex
    for _ in range(4):
        text = re.sub(r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"(\1)/(\2)", text)
        text = re.sub(r"\\(?:text|mathrm|mathit|operatorname)\{([^{}]*)\}", r"\1", text)
    for sign, word in _SPOKEN:
        text = re.sub(re.escape(sign) + r"(?![a-z])", word, text)
    text = re.sub(r"\\([A-Za-z]+)", r"\1", text)
    text = re.sub(r"_\{([^{}]*)\}", r"_\1", text)
    text = re.sub(r"\^\{([^{}]*)\}", r"^\1", text)
    return re.sub(r"\s+", " ", text.replace("{", "").replace("}", "")).strip()
