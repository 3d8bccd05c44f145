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
local_name: Callable[[Element], str] = _elements["local_name"]
child_on_path: Callable[..., Element | None] = _elements["child_on_path"]
attribute_of: Callable[..., str] = _elements["attribute_of"]

FUNCTION_NAMES = frozenset(
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
LATEX_BY_OPERATOR = {
    "∑": r"\sum", "∏": r"\prod", "∫": r"\int", "∬": r"\iint", "∮": r"\oint", "⋃": r"\bigcup",
    "⋂": r"\bigcap",
}  # fmt: skip
LATEX_BY_ACCENT = {
    "\u0302": r"\hat", "\u0303": r"\tilde", "\u0304": r"\bar", "\u0305": r"\bar", "\u20d7": r"\vec",
    "\u0307": r"\dot", "\u0308": r"\ddot", "\u030c": r"\check",
}  # fmt: skip
LATEX_BY_SIGN = {
    "\\": r"\backslash ", "{": r"\{", "}": r"\}", "$": r"\$", "%": r"\%", "&": r"\&", "#": r"\#", "_": r"\_",
    "^": r"\hat{}", "~": r"\sim ", "\u2061": "", "\u200b": "", "\u00a0": " ",
}  # fmt: skip
"""Signs that mean something else in LaTeX."""
LATEX_BY_FENCE = {"{": r"\{", "}": r"\}", "⟨": r"\langle", "⟩": r"\rangle", "‖": r"\|", "": "."}
_CHINESE_SIGNS_PATTERN = re.compile(r"[\u3000-\u303f\u3400-\u9fff\uff00-\uffef]+")
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
    element_name = local_name(element)
    if element_name in SILENT_ELEMENTS:
        return ""
    if element_name in WRITER_BY_ELEMENT:
        return WRITER_BY_ELEMENT[element_name](element)
    if element_name in WRAPPING_ELEMENTS:
        return latex_in_turn(element)
    raise UnknownFormula(element_name)


def latex_in_turn(part_elements: Iterable[Element]) -> str:
    """Parts one after the other; a command and a letter behind it stay apart."""
    joined_latex = ""
    for part_element in part_elements:
        latex_of_part = latex_of(part_element)
        if re.search(r"\\[A-Za-z]+$", joined_latex) and latex_of_part[:1].isalpha():
            joined_latex += " "
        joined_latex += latex_of_part
    return joined_latex


def part_latex(element: Element, part_name: str) -> str:
    """The LaTeX of a part by its name; nothing where it is not there."""
    part_element = child_on_path(element, part_name)
    if part_element is None:
        return ""
    return latex_in_turn(part_element)


def property_of(element: Element, property_name: str, default: str) -> str:
    """A property of an element, such as the sign of a bracket."""
    properties_element = child_on_path(element, f"{local_name(element)}Pr")
    if properties_element is None:
        return default
    property_element = child_on_path(properties_element, property_name)
    if property_element is None:
        return default
    return attribute_of(property_element)


def run_latex(element: Element) -> str:
    """A run of signs: names of functions as commands, Chinese words as text."""
    run_text = "".join(child.text or "" for child in element if local_name(child) == "t")
    if run_text.strip() in FUNCTION_NAMES:
        return f"\\{run_text.strip()} "
    latex_pieces = []
    last_match_end_index = 0
    for chinese_match in _CHINESE_SIGNS_PATTERN.finditer(run_text):
        latex_pieces += [
            latex_of_signs(run_text[last_match_end_index : chinese_match.start()]),
            rf"\text{{{chinese_match[0]}}}",
        ]
        last_match_end_index = chinese_match.end()
    latex_pieces.append(latex_of_signs(run_text[last_match_end_index:]))
    return "".join(latex_pieces)


def latex_of_signs(formula_text: str) -> str:
    latex = "".join(LATEX_BY_SIGN.get(sign, sign) for sign in formula_text)
    return re.sub(r"(?<![\\A-Za-z])(log|ln|max|min|exp)(?![A-Za-z])", r"\\\1 ", latex)


def fraction_latex(element: Element) -> str:
    numerator_latex, denominator_latex = part_latex(element, "num"), part_latex(element, "den")
    fraction_kind = property_of(element, "type", "bar")
    if fraction_kind == "lin":
        return f"{numerator_latex}/{denominator_latex}"
    if fraction_kind == "noBar":
        return rf"\binom{{{numerator_latex}}}{{{denominator_latex}}}"
    return rf"\frac{{{numerator_latex}}}{{{denominator_latex}}}"


def latex_with_scripts(element: Element) -> str:
    """A base with what stands below and above it, in front of it for `sPre`."""
    subscript_latex, superscript_latex = part_latex(element, "sub"), part_latex(element, "sup")
    scripts_latex = ""
    if child_on_path(element, "sub") is not None:
        scripts_latex += f"_{{{subscript_latex}}}"
    if child_on_path(element, "sup") is not None:
        scripts_latex += f"^{{{superscript_latex}}}"
    base_latex = part_latex(element, "e")
    if local_name(element) == "sPre":
        return f"{{}}{scripts_latex}{base_latex}"
    if len(base_latex) > 1 and not re.fullmatch(r"\\[A-Za-z]+ ?", base_latex):
        base_latex = f"{{{base_latex}}}"
    return base_latex.rstrip() + scripts_latex


def root_latex(element: Element) -> str:
    degree_latex = part_latex(element, "deg")
    if degree_latex and property_of(element, "degHide", "0") not in ("1", "on", ""):
        return rf"\sqrt[{degree_latex}]{{{part_latex(element, 'e')}}}"
    return rf"\sqrt{{{part_latex(element, 'e')}}}"


def big_operator_latex(element: Element) -> str:
    operator_sign = property_of(element, "chr", "∫")
    if operator_sign not in LATEX_BY_OPERATOR:
        raise UnknownFormula(operator_sign)
    operator_latex = LATEX_BY_OPERATOR[operator_sign]
    for script_sign, limit_name in (("_", "sub"), ("^", "sup")):
        limit_latex = part_latex(element, limit_name)
        if limit_latex:
            operator_latex += f"{script_sign}{{{limit_latex}}}"
    return f"{operator_latex} {part_latex(element, 'e')}"


def brackets_latex(element: Element) -> str:
    opening_sign = property_of(element, "begChr", "(")
    closing_sign = property_of(element, "endChr", ")")
    separator = property_of(element, "sepChr", "|")
    bracketed_latex = separator.join(latex_in_turn(child) for child in element if local_name(child) == "e")
    left_latex = LATEX_BY_FENCE.get(opening_sign, opening_sign)
    right_latex = LATEX_BY_FENCE.get(closing_sign, closing_sign)
    return rf"\left{left_latex} {bracketed_latex}\right{right_latex}"


def function_latex(element: Element) -> str:
    return f"{part_latex(element, 'fName').rstrip()} {part_latex(element, 'e')}"


def limit_latex(element: Element) -> str:
    script_sign = "_" if local_name(element) == "limLow" else "^"
    return f"{part_latex(element, 'e').rstrip()}{script_sign}{{{part_latex(element, 'lim')}}}"


def accent_latex(element: Element) -> str:
    accent_sign = property_of(element, "chr", "\u0302")
    if accent_sign not in LATEX_BY_ACCENT:
        raise UnknownFormula(accent_sign)
    return f"{LATEX_BY_ACCENT[accent_sign]}{{{part_latex(element, 'e')}}}"


def bar_latex(element: Element) -> str:
    bar_command = r"\overline"
    if property_of(element, "pos", "bot") == "bot":
        bar_command = r"\underline"
    return f"{bar_command}{{{part_latex(element, 'e')}}}"


def matrix_latex(element: Element) -> str:
    return rows_latex(
        [matrix_row_latex(row_element) for row_element in element if local_name(row_element) == "mr"]
    )


def matrix_row_latex(row_element: Element) -> str:
    return " & ".join(
        latex_in_turn(cell_element) for cell_element in row_element if local_name(cell_element) == "e"
    )


def equations_latex(element: Element) -> str:
    """Lines below each other; Word's `&` where they are aligned is left out."""
    latex_rows = [
        latex_in_turn(equation_element).replace(r"\&", "")
        for equation_element in element
        if local_name(equation_element) == "e"
    ]
    return rows_latex(latex_rows)


def rows_latex(latex_rows: Sequence[str]) -> str:
    return r"\begin{matrix}" + r" \\ ".join(latex_rows) + r"\end{matrix}"


WRITER_BY_ELEMENT: dict[str, Callable[[Element], str]] = {
    "r": run_latex, "f": fraction_latex, "sSub": latex_with_scripts, "sSup": latex_with_scripts,
    "sSubSup": latex_with_scripts, "sPre": latex_with_scripts,
    "rad": root_latex, "nary": big_operator_latex, "d": brackets_latex, "func": function_latex,
    "limLow": limit_latex, "limUpp": limit_latex,
    "acc": accent_latex, "bar": bar_latex, "m": matrix_latex, "eqArr": equations_latex,
}  # fmt: skip
"""What writes each element of a formula."""
WRAPPING_ELEMENTS = frozenset(
    (
        "oMath", "oMathPara", "box", "borderBox", "ins", "e", "num", "den", "sub", "sup", "deg", "lim",
        "fName", "smartTag", "sdt", "sdtContent",
    )
)  # fmt: skip
"""Elements that only hold others."""
