r"""Formulas: LaTeX in, MathML Core out, without inline styles so that a strict CSP holds.

>>> formula_mathml(r"\DCG@k").startswith("<math")
True
"""

import re
from functools import lru_cache
from html import escape

from math_core import LatexToMathML

from app.course.text.speech import formula_line, spoken_formula

MACROS = {
    "rel": r"\mathit{rel}",
    "CG": r"\mathrm{CG}",
    "DCG": r"\mathrm{DCG}",
    "IDCG": r"\mathrm{IDCG}",
    "NDCG": r"\mathrm{NDCG}",
}
_CLASS_BY_STYLE = {
    "text-align: right;justify-items: end;padding-right: 0;": "m-right",
    "text-align: left;justify-items: start;padding-left: 0;": "m-left",
    "text-align: left;justify-items: start;padding-right: 0;": "m-case",
    "text-align: left;justify-items: start;padding-right: 0;padding-left:1em;": "m-case-next",
}
_converter = LatexToMathML(macros=MACROS)

LONGEST_FORMULA, DEEPEST_BRACES = 2000, 30
"""Characters of a formula, and braces within braces: the converter falls over what is nested without end."""
MOST_UNCLOSED_BRACKETS = 6
"""Brackets that are never closed: for each the converter reads what follows twice, 2 ** 30 times for 30."""
_CLOSING_BY_OPENING_BRACKET = {
    "(": ")", "[": "]", r"\{": r"\}", r"\langle": r"\rangle", r"\lang": r"\rang", r"\lceil": r"\rceil",
    r"\lfloor": r"\rfloor", r"\lvert": r"\rvert", r"\lVert": r"\rVert", r"\lbrace": r"\rbrace",
    r"\lbrack": r"\rbrack", r"\lparen": r"\rparen", r"\lgroup": r"\rgroup", r"\lmoustache": r"\rmoustache",
    r"\llbracket": r"\rrbracket", r"\llparenthesis": r"\rrparenthesis", r"\lAngle": r"\rAngle",
    r"\lBrace": r"\rBrace", r"\ulcorner": r"\urcorner", r"\llcorner": r"\lrcorner",
    **dict.fromkeys("⌈⌊⌜⌞⎰❲⟅⟦⟨⟪⟬⟮⦃⦅⦇⦉⦋⦍⦏⦑⦓⦕⦗⧘⧚⧼", ""),
}  # fmt: skip
"""What opens a bracket for the converter, and what closes it; those of Unicode are not looked at closely."""
_END_BY_GROUP_BEGIN = {"{": "}", r"\left": r"\right", r"\begin": r"\end"}
"""What no bracket reaches out of."""
_SIGN_PATTERN = re.compile(
    r"(?P<side>\\(?:left|right)(?![A-Za-z]))\s{0,9}(?:\\[A-Za-z]+|\\?.)|\\[A-Za-z]+|\\?[^A-Za-z\s]", re.DOTALL
)


CONVERTER_PATTERNS_WITH_WORDS = (
    ('closing token "}"', "有一个{没有关上，看看花括号是不是配对"),
    (r'closing token "\\end', r"有一个\\begin没有\\end"),
    ('Expected closing token "(.+?)"', r"少了一个\1，看看括号是不是配对"),
    ('Unmatched closing token: "(.+?)"', r"多了一个\1，看看括号是不是配对"),
    ("Expected argument", r"少了一部分，比如分数要写成\\frac{1}{2}"),
    ('Unknown command "(.+?)"', r"没有\1这个命令，看看有没有拼错"),
    ('Unknown environment "(.*?)"', r"没有\\begin{\1}这种排版"),
    (r'Expected "(\\end.+?)", but found', r"这里的\\begin要用\1收尾"),
    ("Duplicate|directly followed", "上标或下标连着写了两个，用花括号分开"),
    ('Found "&"', r"&只能写在\\begin{cases}这样的排版里"),
    (r'"\\(left|right)", but not found', r"\\\1后面要跟一个括号"),
)
"""A pattern in the converter's sentence, and ours; the first that fits."""
UNKNOWN_PROBLEM_WORDS = "看看有没有拼错的命令、没有配对的括号"


class BadFormula(ValueError):
    """A formula that cannot be shown."""


@lru_cache(4096)
def formula_mathml(latex: str, is_block: bool = False) -> str:
    """MathML of a formula; raises `BadFormula` with what is wrong."""
    if len(latex) > LONGEST_FORMULA or _brace_depth(latex) > DEEPEST_BRACES:
        raise BadFormula(f"公式 ${latex[:20]}…$ 太长，或者套得太深了，拆成几个")
    if _unclosed_count(latex) > MOST_UNCLOSED_BRACKETS:
        raise BadFormula(f"公式 ${latex[:20]}…$ 里有许多括号没有关上，看看是不是配对")
    if re.search(r"(?<!\\)%", latex):
        raise BadFormula(f"公式 ${latex}$ 里的 % 会让后面的全部消失，写成 \\% 或放到公式外面")
    if re.search(r"\\\\\s*\[", latex):
        raise BadFormula(r"公式里的 \\[4pt] 会原样显示出来，去掉方括号")
    try:
        mathml = _converter.convert_with_local_state(latex, displaystyle=is_block)
    except Exception as error:
        raise BadFormula(f"公式 ${latex}$ 读不懂：{_formula_problem_words(str(error))}") from error
    mathml = re.sub(r' style="([^"]*)"', lambda style: f' class="{_class_of_style(style[1], latex)}"', mathml)
    return mathml.replace("<math", f'<math aria-label="{escape(spoken_formula(latex))}"', 1)


def inline_formula_html(latex: str) -> str:
    r"""An inline formula; one in two dimensions brings a line of text for browsers without MathML.

    >>> inline_formula_html("k").endswith("</math>")
    True
    >>> inline_formula_html(r"\frac{a}{b}").endswith('<span class="eq-text">a/b</span>')
    True
    """
    mathml = formula_mathml(latex)
    if not re.search("<(mfrac|munderover|msqrt|mtable)", mathml):
        return mathml
    return f'{mathml}<span class="eq-text">{escape(formula_line(latex))}</span>'


def _brace_depth(latex: str) -> int:
    r"""How many braces are open at once.

    >>> _brace_depth(r"\frac{1}{\log_2{(i+1)}}")
    2
    """
    depth = deepest_depth = 0
    for brace in re.findall("[{}]", latex):
        if brace == "{":
            depth += 1
        else:
            depth -= 1
        deepest_depth = max(deepest_depth, depth)
    return deepest_depth


def _unclosed_count(latex: str) -> int:
    r"""How many brackets are not closed within the group or cell where they were opened.

    >>> _unclosed_count("[0,1)"), _unclosed_count(r"f(g(x)\left[1\right))")
    (1, 0)
    >>> _unclosed_count(r"{(}) \langle (1 \rangle")
    3
    """
    unclosed_count = 0
    unclosed_signs: list[str] = []
    for sign_match in _SIGN_PATTERN.finditer(latex):
        sign = sign_match["side"] or sign_match[0]
        if sign in _CLOSING_BY_OPENING_BRACKET or sign in _END_BY_GROUP_BEGIN:
            unclosed_signs.append(sign)
        elif unclosed_signs and sign == _CLOSING_BY_OPENING_BRACKET.get(unclosed_signs[-1]):
            unclosed_signs.pop()
        elif sign in ("&", r"\\", *_END_BY_GROUP_BEGIN.values()):
            while unclosed_signs and unclosed_signs[-1] not in _END_BY_GROUP_BEGIN:
                unclosed_signs.pop()
                unclosed_count += 1
            if unclosed_signs and sign == _END_BY_GROUP_BEGIN[unclosed_signs[-1]]:
                unclosed_signs.pop()
    return unclosed_count + sum(sign in _CLOSING_BY_OPENING_BRACKET for sign in unclosed_signs)


def _class_of_style(style: str, latex: str) -> str:
    if style not in _CLASS_BY_STYLE:
        raise BadFormula(f"公式 ${latex}$ 需要一种还没有样式类的排版：{style}")
    return _CLASS_BY_STYLE[style]


def _formula_problem_words(problem: str) -> str:
    r"""The sentence for a problem, of which the converter draws a coloured picture for terminals.

    >>> print(_formula_problem_words('\n\x1b[31mError:\x1b[0m Unknown command "\\fra".\n ╭─[ input:1:1 ]'))
    没有\fra这个命令，看看有没有拼错
    >>> _formula_problem_words("something else")
    '看看有没有拼错的命令、没有配对的括号'
    """
    problem_line = problem.strip().partition("\n")[0]
    for problem_pattern, problem_words in CONVERTER_PATTERNS_WITH_WORDS:
        problem_match = re.search(problem_pattern, problem_line)
        if problem_match:
            return problem_match.expand(problem_words)
    return UNKNOWN_PROBLEM_WORDS
