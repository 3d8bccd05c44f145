r"""Formulas of Word (Office Math) as LaTeX of the kind that own content has.

Only the standard library is imported: `word_reader` runs in a process of its own. What is not known raises
`UnknownFormula`, so that no formula is changed silently.
"""

import re
import runpy
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from xml.etree.ElementTree import Element

_elements = runpy.run_path(str(Path(__file__).with_name("word_elements.py")))
local: Callable[[Element], str] = _elements["local"]
child: Callable[..., Element | None] = _elements["child"]
value: Callable[..., str] = _elements["value"]

FUNCTIONS = frozenset(
    (
        "log",
        "ln",
        "lg",
        "exp",
        "sin",
        "cos",
        "tan",
        "max",
        "min",
        "lim",
        "sup",
        "inf",
        "det",
        "gcd",
        "arg",
        "Pr",
    )
)
LATEX_OF_OPERATOR = {
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∬": r"\iint", "∮": r"\oint", "⋃": r"\bigcup",
    "⋂": r"\bigcap",
}  # fmt: skip
LATEX_OF_ACCENT = {
    "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\bar", "\u20d7": r"\vec",
    "\u0307": r"\dot", "\u0308": r"\ddot", "\u030c": r"\check",
}  # fmt: skip
LATEX_OF_SIGN = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_",
    "^": r"\hat{}", "~": r"\sim ", "\u2061": "", "\u200b": "", "\u00a0": " ",
}  # fmt: skip
"""Signs that mean something else in LaTeX."""
LATEX_OF_FENCE = {"{": r"\{", "}": r"\}", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "": "."}
_CHINESE = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+")
SILENT_ELEMENTS = frozenset(
    (
        "rPr", "ctrlPr", "fPr", "sSubPr", "sSupPr", "sSubSupPr", "sPrePr", "radPr", "naryPr", "dPr", "funcPr",
        "limLowPr", "limUppPr", "accPr", "barPr", "mPr", "eqArrPr", "groupChrPr", "borderBoxPr", "boxPr",
        "oMathParaPr", "argPr", "bookmarkStart", "bookmarkEnd", "proofErr",
    )
)  # fmt: skip
"""Elements that hold no sign of a formula."""


class UnknownFormula(ValueError):
    """A formula with a part that has no LaTeX here."""


def latex_of(element: Element) -> str:
    r"""The LaTeX of a formula or a part of one.

    >>> from xml.etree.ElementTree import fromstring
    >>> latex_of(fromstring("<oMath><f><num><r><t>1</t></r></num><den><r><t>k</t></r></den></f></oMath>"))
    '\\frac{1}{k}'
    """
    element_name = local(element)
    if element_name in SILENT_ELEMENTS:
        return ""
    if element_name in WRITERS:
        return WRITERS[element_name](element)
    if element_name in WRAPPERS:
        return joined(element)
    raise UnknownFormula(element_name)


def joined(parts: Iterable[Element]) -> str:
    """Parts one after the other; a command and a letter behind it stay apart."""
    joined_latex = ""
    for formula_part in parts:
        latex = latex_of(formula_part)
        if re.search(r"\\[A-Za-z]+$", joined_latex) and latex[:1].isalpha():
            joined_latex += " "
        joined_latex += latex
    return joined_latex


def part_of(element: Element, name: str) -> str:
    """The LaTeX of a part by its name; nothing where it is not there."""
    part = child(element, name)
    if part is None:
        return ""
    return joined(part)


def property_of(element: Element, name: str, default: str) -> str:
    """A property of an element, such as the sign of a bracket."""
    properties = child(element, f"{local(element)}Pr")
    if properties is None:
        return default
    property_element = child(properties, name)
    if property_element is None:
        return default
    return value(property_element)


def text_run(element: Element) -> str:
    """A run of signs: names of functions as commands, Chinese words as text."""
    run_text = "".join(part.text or "" for part in element if local(part) == "t")
    if run_text.strip() in FUNCTIONS:
        return f"\\{run_text.strip()} "
    pieces = []
    end_of_last = 0
    for match in _CHINESE.finditer(run_text):
        pieces += [latex_of_signs(run_text[end_of_last : match.start()]), rf"\text{{{match[0]}}}"]
        end_of_last = match.end()
    pieces.append(latex_of_signs(run_text[end_of_last:]))
    return "".join(pieces)


def latex_of_signs(text: str) -> str:
    signs = "".join(LATEX_OF_SIGN.get(sign, sign) for sign in text)
    return re.sub(r"(?<![\\A-Za-z])(log|ln|max|min|exp)(?![A-Za-z])", r"\\\1 ", signs)


def fraction(element: Element) -> str:
    numerator, denominator = part_of(element, "num"), part_of(element, "den")
    kind = property_of(element, "type", "bar")
    if kind == "lin":
        return f"{numerator}/{denominator}"
    if kind == "noBar":
        return rf"\binom{{{numerator}}}{{{denominator}}}"
    return rf"\frac{{{numerator}}}{{{denominator}}}"


def scripts(element: Element) -> str:
    """A base with what stands below and above it, in front of it for `sPre`."""
    subscript, superscript = part_of(element, "sub"), part_of(element, "sup")
    script_latex = ""
    if child(element, "sub") is not None:
        script_latex += f"_{{{subscript}}}"
    if child(element, "sup") is not None:
        script_latex += f"^{{{superscript}}}"
    base = part_of(element, "e")
    if local(element) == "sPre":
        return f"{{}}{script_latex}{base}"
    if len(base) > 1 and not re.fullmatch(r"\\[A-Za-z]+ ?", base):
        base = f"{{{base}}}"
    return base.rstrip() + script_latex


def root(element: Element) -> str:
    degree = part_of(element, "deg")
    if degree and property_of(element, "degHide", "0") not in ("1", "on", ""):
        return rf"\sqrt[{degree}]{{{part_of(element, 'e')}}}"
    return rf"\sqrt{{{part_of(element, 'e')}}}"


def big_operator(element: Element) -> str:
    sign = property_of(element, "chr", "∫")
    if sign not in LATEX_OF_OPERATOR:
        raise UnknownFormula(sign)
    operator_latex = LATEX_OF_OPERATOR[sign]
    for mark, limit_name in (("_", "sub"), ("^", "sup")):
        limit = part_of(element, limit_name)
        if limit:
            operator_latex += f"{mark}{{{limit}}}"
    return f"{operator_latex} {part_of(element, 'e')}"


def brackets(element: Element) -> str:
    opening, closing = property_of(element, "begChr", "("), property_of(element, "endChr", ")")
    separator = property_of(element, "sepChr", "|")
    bracketed_latex = separator.join(joined(part) for part in element if local(part) == "e")
    left, right = LATEX_OF_FENCE.get(opening, opening), LATEX_OF_FENCE.get(closing, closing)
    return rf"\left{left} {bracketed_latex}\right{right}"


def function(element: Element) -> str:
    return f"{part_of(element, 'fName').rstrip()} {part_of(element, 'e')}"


def limit(element: Element) -> str:
    mark = "_" if local(element) == "limLow" else "^"
    return f"{part_of(element, 'e').rstrip()}{mark}{{{part_of(element, 'lim')}}}"


def accent(element: Element) -> str:
    sign = property_of(element, "chr", "\u0302")
    if sign not in LATEX_OF_ACCENT:
        raise UnknownFormula(sign)
    return f"{LATEX_OF_ACCENT[sign]}{{{part_of(element, 'e')}}}"


def bar(element: Element) -> str:
    command = r"\overline"
    if property_of(element, "pos", "bot") == "bot":
        command = r"\underline"
    return f"{command}{{{part_of(element, 'e')}}}"


def matrix(element: Element) -> str:
    return environment(
        "matrix", [matrix_row(row_element) for row_element in element if local(row_element) == "mr"]
    )


def matrix_row(row_element: Element) -> str:
    return " & ".join(joined(cell) for cell in row_element if local(cell) == "e")


def equations(element: Element) -> str:
    """Lines below each other; Word's `&` where they are aligned is left out."""
    lines = [joined(equation).replace(r"\&", "") for equation in element if local(equation) == "e"]
    return environment("matrix", lines)


def environment(name: str, rows: Sequence[str]) -> str:
    return rf"\begin{{{name}}}" + r" \\ ".join(rows) + rf"\end{{{name}}}"


WRITERS: dict[str, Callable[[Element], str]] = {
    "r": text_run, "f": fraction, "sSub": scripts, "sSup": scripts, "sSubSup": scripts, "sPre": scripts,
    "rad": root, "nary": big_operator, "d": brackets, "func": function, "limLow": limit, "limUpp": limit,
    "acc": accent, "bar": bar, "m": matrix, "eqArr": equations,
}  # fmt: skip
"""What writes each element of a formula."""
WRAPPERS = frozenset(
    (
        "oMath", "oMathPara", "box", "borderBox", "ins", "e", "num", "den", "sub", "sup", "deg", "lim",
        "fName", "smartTag", "sdt", "sdtContent",
    )
)  # fmt: skip
"""Elements that only hold others."""
