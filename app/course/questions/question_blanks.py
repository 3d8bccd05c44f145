"""What fills the blanks of a question: answers that stand side by side, and how far a number may be off."""

import re
import unicodedata
from collections.abc import Sequence

from app.course.items import numbers
from app.course.items.kinds.fill import (
    LEAST_PERCENTAGE_POINTS,
    PERCENT_SIGNS,
    PERCENTAGE_POINT,
    PLAIN_NUMBER_PATTERN,
    RATIO_PATTERN,
)
from app.course.items.marks import Unreadable
from app.course.items.printed_figures import short_text
from app.course.questions import question_signs as signs
from app.course.questions.draft_questions import MOST_BLANKS, DraftBlank, UnfitQuestion
from app.course.questions.question_blocks import QuestionBlock, SourceLine

_ALLOWED = r"[\d.]{1,12}(?:\s?[%％]|\s?个?百分点)?"
"""How far a number may be off, as it is written."""
_PLUS_MINUS = r"(?:±|\+/-|\+-)"
_TOLERANCE_PATTERN = re.compile(
    rf"(?P<number>.{{1,60}}?)\s{{0,3}}{_PLUS_MINUS}\s{{0,3}}(?P<room>{_ALLOWED})|"
    rf"(?P<figure>.{{1,60}}?)\s{{0,3}}[(（]\s{{0,3}}{_PLUS_MINUS}\s{{0,3}}(?P<bracketed>{_ALLOWED})\s{{0,3}}[)）]|"
    r"(?P<value>.{1,60}?)\s{0,3}[(（]\s{0,3}(?:允许)?误差(?:不超过|在|范围)?\s{0,3}[:：±≤<]?\s{0,3}"
    rf"(?P<allowed>{_ALLOWED})(?:以内)?\s{{0,3}}[)）]"
)
_ALLOWED_PATTERN = re.compile(r"(?P<figure>[\d.]+)\s?(?P<unit>[%％]|个?百分点)?")
_BRACKETED_TOLERANCE_PATTERN = re.compile(
    r"(?P<number>.{1,60}?)\s{0,3}[(（](?=\s{0,3}误差[^()（）]|[^()（）]{0,40}\d)[^()（）]{0,20}误差[^()（）]{0,20}[)）]"
)
"""A tolerance that is written in another way, where a number stands before it: 误差很小, 绝对误差0.1, where
5（相对误差） has none."""
TOLERANCE_EXAMPLE_WORDS = "写成“0.5±0.01”这样"
_RANGE_PATTERN = re.compile(
    r"(?P<low>-?[\d.]{1,12})\s{0,3}(?P<sign>[~～至到—])\s{0,3}(?P<high>-?[\d.]{1,12})"
)
_ALTERNATIVES_PATTERN = re.compile(r"\s{1,3}(?:/|或者?)\s{1,3}")
"""Between answers that are each right; without spaces it may stand within one, as in TCP/IP and 与或非."""
_BRACKETED_ALTERNATIVE_PATTERN = re.compile(
    r"([^()（）]{3,60}?)\s?[(（]\s?(?:或者?|/)\s?([^()（）]{3,60}?)\s?[)）]"
)
"""Of whole words: in 大于（或等于） and 与（或非） the brackets belong to one answer."""
_BLANK_NUMBER_PATTERN = re.compile(r"(?:[(（]?([1-9])(?:[)）]|[、.．](?!\d))|([①-⑨]))\s{0,3}(?=\S)")
_NUMBER_SIGNS_PATTERN = re.compile(r"(?:[①-⑳]|[(（]\d{1,2}[)）]|[、,，\s]){1,40}")
"""An answer that names statements by their numbers."""
_FIGURE = r"[-+]?\d{1,12}(?:\.\d{1,9})?(?:%|/\d{1,12})?"
_OTHER_FIGURES_PATTERN = re.compile(rf"{_FIGURE}(?:或者?{_FIGURE}){{1,4}}")
"""Figures with 或 between them, which stands within no figure."""
DECIMALS_COMPARED = 12
"""As far as figures written in several ways are compared: a division leaves its last digits to chance."""
WIDEST_RANGE, FIRST_YEAR = 10, 1000
"""How far apart whole numbers may be for 至, 到 or — between them to mean a range, and from which number on
they never do: two years are a period, and one answer as it is written."""


def blanks_of(
    stem: str, answer_text: str, tolerance_line: SourceLine, line_number: int
) -> tuple[DraftBlank, ...]:
    """What fills each blank of a stem; one that shows no blank has one behind it."""
    blank_count = stem.count(signs.BLANK)
    blank_texts = [answer_text]
    if blank_count != 1:
        blank_texts = split_answer(answer_text, blank_count)
    if blank_count and len(blank_texts) != blank_count:
        raise UnfitQuestion(
            f"题干里有{blank_count}个空，答案写了{len(blank_texts)}个：用“；”隔开", line_number
        )
    if len(blank_texts) > MOST_BLANKS:
        raise UnfitQuestion(f"最多{MOST_BLANKS}个空，这里有{len(blank_texts)}个", line_number)
    tolerance_line_number, tolerance_text = tolerance_line
    draft_blanks = tuple(blank_of(blank_text, tolerance_line, line_number) for blank_text in blank_texts)
    if tolerance_text.strip("0.") and not any(draft_blank.tolerance_text for draft_blank in draft_blanks):
        raise UnfitQuestion("误差只能跟数写在一起，这一题的空里没有数", tolerance_line_number)
    return draft_blanks


def split_answer(answer_text: str, blank_count: int) -> list[str]:
    """An answer as those of its blanks: separated by ；, or by whatever makes their number right.

    >>> split_answer("甲；乙", 2), split_answer("甲、乙", 2), split_answer("甲，乙", 0)
    (['甲', '乙'], ['甲', '乙'], ['甲，乙'])
    """
    for separator_pattern in ("[;；\n]", "[,，]", "、", r"\s"):
        blank_texts = [
            blank_text.strip()
            for blank_text in re.split(separator_pattern, answer_text)
            if blank_text.strip()
        ]
        if len(blank_texts) == blank_count or (separator_pattern.startswith("[;") and len(blank_texts) > 1):
            return without_blank_numbers(blank_texts)
    return [answer_text]


def without_blank_numbers(blank_texts: list[str]) -> list[str]:
    """The answers of blanks without the numbers before them, where they count from 1.

    >>> without_blank_numbers(["(1)甲", "(2)乙"]), without_blank_numbers(["①甲", "②乙"])
    (['甲', '乙'], ['甲', '乙'])
    >>> without_blank_numbers(["1、甲", "2、乙"]), without_blank_numbers(["1、3", "2、4"])
    (['甲', '乙'], ['1、3', '2、4'])
    >>> without_blank_numbers(["①③", "②④"])
    ['①③', '②④']
    """
    unnumbered_texts = []
    for blank_number, blank_text in enumerate(blank_texts, 1):
        number_match = _BLANK_NUMBER_PATTERN.match(blank_text)
        if number_match is None or unicodedata.digit(number_match[1] or number_match[2]) != blank_number:
            return blank_texts
        unnumbered_texts.append(blank_text[number_match.end() :])
    if any(map(_NUMBER_SIGNS_PATTERN.fullmatch, unnumbered_texts)):
        return blank_texts
    return unnumbered_texts


def blank_of(blank_text: str, tolerance_line: SourceLine, line_number: int) -> DraftBlank:
    """What fills a blank, and how far one may be off by itself, or by the line below."""
    answer_text, tolerance_text = answer_and_tolerance(blank_text)
    accepted_texts = accepted_texts_of(answer_text)
    if not accepted_texts:
        raise UnfitQuestion("有一个空没有答案", line_number)
    if any(map(is_figure, accepted_texts)):
        if not tolerance_text:
            line_number, tolerance_text = tolerance_line
        if tolerance_text:
            tolerance_text = checked_tolerance(tolerance_text, accepted_texts, line_number)
        return DraftBlank(accepted_texts, tolerance_text)
    bracket_match = _BRACKETED_TOLERANCE_PATTERN.fullmatch(answer_text)
    if bracket_match and is_figure(bracket_match["number"]):
        raise UnfitQuestion(f"没看懂“{answer_text[:20]}”里的误差：{TOLERANCE_EXAMPLE_WORDS}", line_number)
    if answer_text == blank_text.strip():
        return DraftBlank(accepted_texts)
    if "误差" in blank_text:
        raise UnfitQuestion(f"误差只能跟数写在一起，“{answer_text[:20]}”不是数", line_number)
    return DraftBlank(accepted_texts_of(blank_text))


def accepted_texts_of(answer_text: str) -> tuple[str, ...]:
    """What fills a blank, without the quotation marks around it."""
    bare_texts = (
        alternative_text.strip().strip('“”"') for alternative_text in accepted_alternatives(answer_text)
    )
    return tuple(filter(None, bare_texts))


def is_figure(accepted_text: str) -> bool:
    """Whether what fills a blank is a number, also as a percentage or a fraction."""
    if PLAIN_NUMBER_PATTERN.fullmatch(accepted_text):
        return True
    return RATIO_PATTERN.fullmatch(accepted_text) is not None


def accepted_alternatives(answer_text: str) -> list[str]:
    """The answers that are each right.

    >>> accepted_alternatives("甲 / 乙"), accepted_alternatives("0.5或1/2"), accepted_alternatives("与或非")
    (['甲', '乙'], ['0.5', '1/2'], ['与或非'])
    >>> accepted_alternatives("3或4"), accepted_alternatives("大于（或等于）")
    (['3或4'], ['大于（或等于）'])
    >>> accepted_alternatives("0.3%或3/1000"), accepted_alternatives("1/0或2/0")
    (['0.3%', '3/1000'], ['1/0或2/0'])
    >>> accepted_alternatives("倒排索引（或反向索引）")
    ['倒排索引', '反向索引']
    """
    bracket_match = _BRACKETED_ALTERNATIVE_PATTERN.fullmatch(answer_text)
    if bracket_match:
        return list(bracket_match.groups())
    if _OTHER_FIGURES_PATTERN.fullmatch(answer_text):
        figure_texts = re.split("或者?", answer_text)
        if len(set(map(_value_of, figure_texts))) == 1:  # one number, written in several ways
            return figure_texts
    return _ALTERNATIVES_PATTERN.split(answer_text)


def _value_of(figure_text: str) -> float | str:
    """What a figure comes to, as an answer that is typed; itself where it comes to nothing."""
    try:
        return round(numbers.read(figure_text).value, DECIMALS_COMPARED)
    except Unreadable:
        return figure_text


def tolerance_line_of(question_block: QuestionBlock) -> SourceLine:
    """How far one may be off, as the line of its own says, with its number; nothing where there is none."""
    for line_number, tolerance_text in question_block.lines_by_field.get("tolerance", ()):
        tolerance_match = re.search(rf"(?=\.?\d){_ALLOWED}", tolerance_text)
        if tolerance_match:
            return line_number, tolerance_match[0]
        if tolerance_text.strip():
            raise UnfitQuestion(
                f"误差“{tolerance_text[:20]}”不是一个数：{TOLERANCE_EXAMPLE_WORDS}", line_number
            )
    return question_block.line_number, ""


def checked_tolerance(written_tolerance_text: str, accepted_texts: Sequence[str], line_number: int) -> str:
    """How far one may be off beside these answers, as a number; raises UnfitQuestion for what is none.

    >>> checked_tolerance("0.01.", ["0.5"], 1), checked_tolerance("1个百分点", ["63%"], 1)
    ('0.01', '1')
    """
    tolerance_match = _ALLOWED_PATTERN.fullmatch(written_tolerance_text)
    figure_text = ""
    if tolerance_match:
        figure_text = tolerance_match["figure"].rstrip(".")
    if tolerance_match is None or not PLAIN_NUMBER_PATTERN.fullmatch(figure_text):
        raise UnfitQuestion(
            f"误差“{written_tolerance_text}”不是一个数：{TOLERANCE_EXAMPLE_WORDS}", line_number
        )
    if not tolerance_match["unit"]:
        return figure_text
    if not any(accepted_text[-1] in PERCENT_SIGNS for accepted_text in accepted_texts):
        raise UnfitQuestion(
            f"误差“{written_tolerance_text}”旁边没有百分数：{TOLERANCE_EXAMPLE_WORDS}", line_number
        )
    percentage_points = float(figure_text)
    if percentage_points < LEAST_PERCENTAGE_POINTS:  # without its unit it would be read as a share
        return short_text(percentage_points * PERCENTAGE_POINT, 9)
    return figure_text


def answer_and_tolerance(blank_text: str) -> tuple[str, str]:
    """An answer without how far one may be off, and that; nothing where it does not say it.

    >>> [answer_and_tolerance(answer) for answer in ("0.6（±0.1）", "5（误差不超过0.5）", "1~3")]
    [('0.6', '0.1'), ('5', '0.5'), ('2', '1')]
    >>> answer_and_tolerance("f(x±0.1)")
    ('f(x±0.1)', '')
    """
    number_match = _TOLERANCE_PATTERN.fullmatch(blank_text.strip())
    if number_match:
        number_text = number_match["number"] or number_match["figure"] or number_match["value"]
        tolerance_text = number_match["room"] or number_match["bracketed"] or number_match["allowed"]
        return number_text.strip(), tolerance_text
    range_match = _RANGE_PATTERN.fullmatch(blank_text.strip())
    if range_match and is_range(range_match["low"], range_match["sign"], range_match["high"]):
        lowest_number, highest_number = float(range_match["low"]), float(range_match["high"])
        return short_text((lowest_number + highest_number) / 2, 9), short_text(
            abs(highest_number - lowest_number) / 2, 9
        )
    return blank_text.strip(), ""


def is_range(lowest_text: str, sign: str, highest_text: str) -> bool:
    """Whether two numbers with a sign between them are the ends within which an answer is right.

    >>> is_range("1", "~", "300"), is_range("0.5", "—", "0.7"), is_range("1990", "—", "2020")
    (True, True, False)
    """
    if not PLAIN_NUMBER_PATTERN.fullmatch(lowest_text) or not PLAIN_NUMBER_PATTERN.fullmatch(highest_text):
        return False
    if sign in "~～" or "." in lowest_text + highest_text:
        return True
    is_narrow = abs(float(highest_text) - float(lowest_text)) <= WIDEST_RANGE
    return is_narrow and max(float(lowest_text), float(highest_text)) < FIRST_YEAR


def is_number(answer_text: str) -> bool:
    """Whether an answer is a number, with how far one may be off or without.

    >>> is_number("0.63±0.01"), is_number("63%（误差不超过1）"), is_number("约三倍")
    (True, True, False)
    """
    number_text, _ = answer_and_tolerance(answer_text)
    return is_figure(number_text)
