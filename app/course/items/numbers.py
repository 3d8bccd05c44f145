"""Numbers as learners write them: full-width, with 。 as the point, fractions, percent, small sums."""

import ast
import math
import operator
import re
from collections.abc import Callable
from typing import NamedTuple

from app.course.items.marks import Unreadable
from app.course.items.printed_figures import short_text
from app.course.text import typed

EXAMPLE_SUM, EXAMPLE_WHOLE_SUM = "3+2/1.585", "3+2"
"""A sum as an example, also where a whole number is asked for."""
HOW_TO_WRITE_SENTENCE = f"请写一个数，比如0.742，或一个算式，比如{EXAMPLE_SUM}。"
LONGEST_NUMBER = 80
_POINT_SIGNS = dict.fromkeys("。．", ".")
_MINUS_SIGNS = dict.fromkeys("−－ー–—", "-")
_OPERATOR_SIGNS = {"×": "*", "✕": "*", "∗": "*", "÷": "/", "⁄": "/", "∕": "/"}
_PLAIN_SIGNS = str.maketrans(_POINT_SIGNS | _MINUS_SIGNS | _OPERATOR_SIGNS)
_DIGITS_OF_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")
_MIXED_NUMBER_PATTERN = re.compile(r"((?:(?<!\d)\d++)?)([¼-¾⅐-⅞])")  # 2½, ⅓
_SPACED_MIXED_NUMBER_PATTERN = re.compile(r"(?<![\d./])(\d++) (\d++/\d++)(?![\d./])")  # 2 1/2
_GROUPED_DIGITS_PATTERN = re.compile(r"(?<![\d.A-Za-z])[1-9]\d{0,2}(?: \d{3})++(?![\d/])")  # 10 000
_FULL_STOP_PATTERN = re.compile(r"(?<=[\d)%])\.$")
"""At the end of a number 。 ends the sentence."""
_LOGARITHM_PATTERN = re.compile(r"(log2(?= )|ln|lg) ?(\d++(?:\.\d*+)?)")
_READABLE_PATTERN = re.compile(r"(?:\d++(?:\.\d*+)?|\.\d++|log2?|l[bng]|[-+*/()])++")
"""What is made of these; nothing else is ever evaluated."""
_PLAIN_NUMBER_PATTERN = re.compile(r"-?[0-9]+(?:\.([0-9]+))?")
_PERCENTAGE_PATTERN = re.compile(r"(?<!\d)(\d++(?:\.\d*+)?|\.\d++)%")
_FRACTION_OF_PERCENT_PATTERN = re.compile(
    r"(?<![\d.])(?<!\*\*)(\d++(?:\.\d*+)?|\.\d++)/(\d++(?:\.\d*+)?|\.\d++)%"
)
"""A number by a percentage, which may be a percentage with a fraction as well: 1/2%."""
_SHOWN_NUMBER_PATTERN = re.compile(r"[-+]?\d*+(?:\.(?P<decimals>\d*+))?(?P<percent_sign>%?)")
"""A number in digits, its spelling normalised; whether it has any comes out when it is evaluated."""
DECIMALS_OF_PERCENT_SIGN = 2
DECIMALS_OF_SUM = 15
"""A sum or a fraction: nothing was rounded when it was written."""
_FUNCTION_BY_OPERATOR: dict[type[ast.operator], Callable[[float, float], float]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_LOGARITHM_BY_NAME = {
    "log2": math.log2,
    "log": math.log2,  # in this course it has base 2
    "lb": math.log2,
    "ln": math.log,  # for log2(3) whoever has no other writes ln3/ln2; alone it is a mistake with a name
    "lg": math.log10,
}


class Number(NamedTuple):
    """A number as understood; `is_plain` is False when it was written as more than plain digits.

    `decimals`: places that were shown; `DECIMALS_OF_SUM` for what is no number in digits.
    """

    value: float
    is_plain: bool
    decimals: int

    @property
    def echo_text(self) -> str:
        """What to echo: 已识别为 ….

        >>> read("3＋2÷1.585").echo_text
        '4.2618'
        """
        if abs(self.value) >= 1e9:
            return f"{self.value:.4g}"
        return short_text(self.value, 4)


def read(typed_text: str) -> Number:
    """Read what a learner typed; raises `Unreadable` with a sentence that says how to write it.

    >>> read("０。７４２").value
    0.742
    >>> read("74.2%").value, read("4.26 分").value
    (0.742, 4.26)
    >>> [read(text).decimals for text in ("0.70", "０。７", "+.7", "70%", "7/10")]
    [2, 1, 1, 2, 15]
    >>> round(read("3+2/log2(3)").value, 3)
    4.262
    >>> read("abc")
    Traceback (most recent call last):
    ...
    app.course.items.marks.Unreadable: 认不出“abc”。请写一个数，比如0.742，或一个算式，比如3+2/1.585。
    """
    too_long_sentence = f"这个算式太长了（最多{LONGEST_NUMBER}个字）。{HOW_TO_WRITE_SENTENCE}"
    if len(typed_text) > 4 * LONGEST_NUMBER:  # before anything looks at it letter by letter
        raise Unreadable(too_long_sentence)
    stripped_text = typed_text.strip()
    # Mostly it is plain, and there is nothing to work out.
    if len(stripped_text) <= LONGEST_NUMBER and (
        plain_match := _PLAIN_NUMBER_PATTERN.fullmatch(stripped_text)
    ):
        return Number(float(stripped_text), is_plain=True, decimals=len(plain_match[1] or ""))
    # What is asked is a score, and so it may be written.
    normal_text = re.sub(r"(?<=[\d)%])分$", "", normalise(typed_text))
    if not normal_text:
        raise Unreadable(f"这一格还空着。{HOW_TO_WRITE_SENTENCE}")
    if len(normal_text) > LONGEST_NUMBER:
        raise Unreadable(too_long_sentence)
    excerpt = stripped_text[:20]
    if "," in normal_text or "、" in normal_text:
        raise Unreadable(f"“{excerpt}”里有逗号：小数点请写成“.”，一格只写一个数。")
    if " " in normal_text:  # with digits on both sides
        raise Unreadable(f"“{excerpt}”里有两个数，中间隔着空格：一格只写一个数。")
    fraction_match = _FRACTION_OF_PERCENT_PATTERN.search(normal_text)
    if fraction_match:
        dividend_text, divisor_text = fraction_match.groups()
        raise Unreadable(
            f"“{excerpt}”可以读成百分之{dividend_text}/{divisor_text}，也可以读成{dividend_text}÷{divisor_text}%："
            f"写成({dividend_text}/{divisor_text})/100，或者{dividend_text}/({divisor_text}%)。"
        )
    return Number(_evaluate(normal_text, excerpt), is_plain=False, decimals=_shown_decimals(normal_text))


def _shown_decimals(normal_text: str) -> int:
    """How many places a number shows: 63% is 0.63, and shows two."""
    number_match = _SHOWN_NUMBER_PATTERN.fullmatch(normal_text)
    if number_match is None:
        return DECIMALS_OF_SUM
    decimals = len(number_match["decimals"] or "")
    if number_match["percent_sign"]:
        decimals += DECIMALS_OF_PERCENT_SIGN
    return decimals


def normalise(typed_text: str) -> str:
    """One spelling for digits, points and signs; a leading = or ≈ is dropped, a full stop, and all spaces but
    those between two digits.

    >>> normalise("＝２½ × 5％"), normalise("2³－1"), normalise("2 1/2 + 1"), normalise("5  0")
    ('(2+1/2)*5%', '2**3-1', '(2+1/2)+1', '5 0')
    >>> normalise("10 000.5"), normalise("3÷log₂3"), normalise("3 1 2")
    ('10000.5', '3/log2(3)', '3 1 2')
    """
    normal_text = re.sub(
        r"([⁰¹²³⁴⁵⁶⁷⁸⁹]+)",
        lambda power_match: "^" + power_match[1].translate(_DIGITS_OF_SUPERSCRIPTS),
        typed_text,
    )
    normal_text = normal_text.replace("₂", "2 ")  # log₂3, as the tutor writes it: 23 would be another number
    normal_text = _MIXED_NUMBER_PATTERN.sub(_in_brackets, normal_text)
    normal_text = typed.folded_text(normal_text.translate(_PLAIN_SIGNS), 10 * LONGEST_NUMBER).translate(
        _PLAIN_SIGNS
    )
    normal_text = re.sub(r"\s+", " ", normal_text)
    normal_text = re.sub(r"(?<!\d) | (?!\d)", "", normal_text).lstrip("=≈").lower()
    normal_text = _FULL_STOP_PATTERN.sub("", normal_text)
    normal_text = _LOGARITHM_PATTERN.sub(r"\1(\2)", normal_text)
    normal_text = _GROUPED_DIGITS_PATTERN.sub(
        lambda digits_match: digits_match[0].replace(" ", ""), normal_text
    )
    normal_text = _SPACED_MIXED_NUMBER_PATTERN.sub(r"(\1+\2)", normal_text)
    return normal_text.replace("^", "**").replace("x", "*")


def _in_brackets(mixed_number_match: re.Match[str]) -> str:
    """A mixed number as a sum; without a whole part there is nothing to add."""
    whole_text, fraction_text = mixed_number_match.groups()
    if not whole_text:
        return f"({fraction_text})"
    return f"({whole_text}+{fraction_text})"


def _evaluate(expression_text: str, excerpt: str) -> float:
    text_without_percentages = _PERCENTAGE_PATTERN.sub(r"(\1/100)", expression_text)
    try:
        number = _value_of_node(_parsed_expression(text_without_percentages))
    except ZeroDivisionError:
        raise Unreadable("这个算式里除以了0，检查一下分母。") from None
    except (SyntaxError, ValueError, OverflowError, RecursionError, MemoryError):
        raise Unreadable(f"认不出“{excerpt}”。{HOW_TO_WRITE_SENTENCE}") from None
    if not math.isfinite(number):
        raise Unreadable("这个算式的结果太大了，检查一下。")
    return number


def _parsed_expression(expression_text: str) -> ast.expr:
    """The sum as a tree. Python refuses 007, so its zeros go; those of 10.05 and 1.005 stay."""
    if not _READABLE_PATTERN.fullmatch(expression_text):
        raise ValueError(expression_text)
    text_without_zeros = re.sub(r"(?<![\d.])0+(?=\d)", "", expression_text)
    return ast.parse(text_without_zeros, mode="eval").body


def _value_of_node(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            return -_value_of_node(inner)
        case ast.UnaryOp(op=ast.UAdd(), operand=inner):
            return _value_of_node(inner)
        case ast.BinOp(op=ast.Pow(), left=left, right=right):
            return _power(_value_of_node(left), _value_of_node(right))
        case ast.BinOp(left=left, op=sign, right=right) if type(sign) in _FUNCTION_BY_OPERATOR:
            return _FUNCTION_BY_OPERATOR[type(sign)](_value_of_node(left), _value_of_node(right))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]) if name in _LOGARITHM_BY_NAME:
            return _LOGARITHM_BY_NAME[name](_value_of_node(argument))
    raise ValueError(ast.dump(node))


def _power(base: float, exponent: float) -> float:
    """Small powers only: gains are 2 to the grade."""
    if abs(exponent) > 40 or abs(base) > 100:
        raise ValueError("too large")
    if base == 0 and exponent < 0:
        raise ZeroDivisionError
    return math.pow(base, exponent)
