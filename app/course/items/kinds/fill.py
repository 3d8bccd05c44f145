"""填空题: blanks to fill with a word or a number that is known beforehand; nothing is computed."""

import re
from collections.abc import Sequence
from functools import cached_property
from math import floor, log10
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator

from app.course.items import numbers
from app.course.items.kinds.base import UNFILLED_SIGN, AnswerProof, TypedItem, is_made_option_id
from app.course.items.kinds.form_fields import ItemBody, NumberField, RowsField, WordsField, item_form
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.course.text import typed
from app.course.text.model_base import ContentPart
from app.engine.rounding import FLOAT_NOISE

LONGEST_ANSWER = 80
"""Characters of what is accepted; nobody types more into a blank."""
PLAIN_NUMBER_PATTERN = re.compile(r"[-+]?(?:\d{1,12}(?:\.\d{1,9})?|\.\d{1,9})")
RATIO_PATTERN = re.compile(r"\d{1,12}(?:\.\d{1,9})?[%％]|\d{1,9}/[1-9]\d{0,8}")
"""A percentage or a fraction: whoever writes what it comes to has filled the blank as well."""
PERCENT_SIGNS, PERCENTAGE_POINT = "%％", 0.01
LEAST_PERCENTAGE_POINTS = 0.1
"""A tolerance below it was written as a share, as all were once: 0.01 beside a percentage is one point."""
MOST_DECIMAL_PLACES = 9
"""A ratio with no more decimal places can be written as it is."""
PUNCTUATION_AROUND = "。．.，,；;：:、!！?？\"“”'‘’ "
"""Signs around a word that do not make it another one."""
NUMBER_AFTER_POINT = re.compile(r"\s*[.。]\d+%?")
SPACES_OUTSIDE_NUMBERS = re.compile(r"(?<!\d)\s+|\s+(?!\d)")

AcceptedText = Annotated[
    str, StringConstraints(min_length=1, max_length=LONGEST_ANSWER, strip_whitespace=True)
]


class AcceptedNumber(NamedTuple):
    """A number that counts as right, and how far from it one may be."""

    value: float
    tolerance: float


class Blank(ContentPart):
    """A blank. `accept`: every way to fill it that is right; `tolerance`: how far a number may be off, where
    it is not half of its last written place; of a percentage and the share that it is, in percentage points
    or as a share."""

    accept: list[AcceptedText] = Field(min_length=1, max_length=12)
    tolerance: float | None = Field(default=None, ge=0, le=1e9)

    @model_validator(mode="after")
    def _tolerance_is_of_a_number(self) -> Self:
        if self.tolerance is not None and not self.accepted_numbers:
            raise ValueError("tolerance（误差）只能跟数写在一起，这一空里没有数")
        return self

    @cached_property
    def accepted_numbers(self) -> tuple[AcceptedNumber, ...]:
        """Those of the accepted texts that are numbers."""
        accepted_numbers = []
        for accepted_text in self.accept:
            if PLAIN_NUMBER_PATTERN.fullmatch(accepted_text):
                accepted_numbers.append(self._accepted_number(accepted_text, float(accepted_text)))
            elif RATIO_PATTERN.fullmatch(accepted_text):
                ratio = numbers.read(accepted_text).value
                accepted_numbers.append(self._accepted_number(accepted_text, ratio))
                if self.tolerance is None:
                    accepted_numbers += [
                        AcceptedNumber(rounded_value, 0.0) for rounded_value in rounded_values(ratio)
                    ]
        return tuple(accepted_numbers)

    def _accepted_number(self, accepted_text: str, value: float) -> AcceptedNumber:
        """A number with how far an answer may be off: half of the last place, and of a whole number not at
        all, where no tolerance is written."""
        if self.tolerance is not None and self._is_share(value):
            return AcceptedNumber(value, self._percentage_points * PERCENTAGE_POINT)
        if self.tolerance is not None:
            return AcceptedNumber(value, self.tolerance)
        figure_text = accepted_text.rstrip(PERCENT_SIGNS)
        decimals = len(figure_text.partition(".")[2])
        if not decimals:
            return AcceptedNumber(value, 0.0)
        half_unit = 0.5 * 0.1**decimals
        if figure_text != accepted_text:
            half_unit *= PERCENTAGE_POINT
        return AcceptedNumber(value, half_unit)

    @cached_property
    def _accepted_percentage_shares(self) -> tuple[float, ...]:
        """Those of the accepted texts that are percentages, as shares."""
        return tuple(
            numbers.read(accepted_text).value
            for accepted_text in self.accept
            if accepted_text[-1] in PERCENT_SIGNS and RATIO_PATTERN.fullmatch(accepted_text)
        )

    def _is_share(self, value: float) -> bool:
        """Whether a number is one of the percentages as a share, also rounded to one digit: 0.63 or 0.6
        beside 63%, where 63 and 5 are none."""
        return any(
            abs(value - percentage_share) <= percentage_share / 2
            for percentage_share in self._accepted_percentage_shares
        )

    @property
    def _percentage_points(self) -> float:
        """The tolerance beside a percentage."""
        assert self.tolerance is not None
        if self.tolerance < LEAST_PERCENTAGE_POINTS:
            return self.tolerance / PERCENTAGE_POINT
        return self.tolerance

    @property
    def is_numeric(self) -> bool:
        """Whether nothing but plain numbers counts: then keys for figures do.

        >>> Blank(accept=["0.5"]).is_numeric, Blank(accept=["1/3"]).is_numeric
        (True, False)
        """
        return all(PLAIN_NUMBER_PATTERN.fullmatch(accepted_text) for accepted_text in self.accept)

    @property
    def has_only_numbers_and_ratios(self) -> bool:
        """Whether no word counts: then one cannot be read."""
        return all(
            PLAIN_NUMBER_PATTERN.fullmatch(accepted_text) or RATIO_PATTERN.fullmatch(accepted_text)
            for accepted_text in self.accept
        )

    def accepts(self, typed_text: str) -> bool:
        """Whether this fills the blank rightly; raises `Unreadable` for a word where none counts.

        >>> Blank(accept=["0.63"]).accepts("０．６３４"), Blank(accept=["BM25"]).accepts("bm 25。")
        (True, True)
        >>> Blank(accept=["50%"]).accepts("0.5"), Blank(accept=["1/2"]).accepts("50%")
        (True, True)
        >>> [Blank(accept=["2/3"]).accepts(text) for text in ("0.67", "66.7%", "0.66", "0.7")]
        [True, True, False, False]
        """
        if comparable_text(typed_text) in map(comparable_text, self.accept):
            return True
        if not self.accepted_numbers:
            return False
        try:
            typed_value = numbers.read(typed_text).value
        except Unreadable:
            if self.has_only_numbers_and_ratios:
                raise
            return False
        return any(
            abs(typed_value - accepted_number.value) <= accepted_number.tolerance + FLOAT_NOISE
            for accepted_number in self.accepted_numbers
        )

    @property
    def accepted_words(self) -> str:
        """What is right, in words: `0.63（误差不超过0.01）`, `63%（误差不超过1个百分点）`."""
        answers_words = "，或者".join(map(markdown_of_answer_text, self.accept))
        if not self.tolerance:
            return answers_words
        tolerance_words = f"{self.tolerance:g}"
        has_only_percentages = len(self._accepted_percentage_shares) == len(self.accept)
        has_only_shares = all(
            self._is_share(accepted_number.value) for accepted_number in self.accepted_numbers
        )
        if has_only_percentages or (has_only_shares and self.tolerance >= LEAST_PERCENTAGE_POINTS):
            tolerance_words = f"{self._percentage_points:g}个百分点"
        return f"{answers_words}（误差不超过{tolerance_words}）"


def rounded_values(ratio: float) -> list[float]:
    """What may be written for a ratio without an end: it rounded to two places or more, and two digits.

    >>> rounded_values(1 / 3)[:3], rounded_values(1 / 300)[0], rounded_values(1 / 8)
    ([0.33, 0.333, 0.3333], 0.0033, [])
    """
    if round(ratio, MOST_DECIMAL_PLACES) == ratio:
        return []
    two_digit_place_count = 1 - floor(log10(ratio))
    place_counts = range(max(2, two_digit_place_count), MOST_DECIMAL_PLACES + 1)
    return [round(ratio, place_count) for place_count in place_counts]


def comparable_text(filled_in_text: str) -> str:
    """A filled-in text without what makes no difference: width, case, spaces, signs around it. The point of a
    number makes one, and so does a space between two.

    >>> comparable_text(" Ｔｆ－Idf。"), comparable_text("倒排 索引")
    ('tf-idf', '倒排索引')
    >>> comparable_text(".5"), comparable_text("1 2"), comparable_text("5.")
    ('.5', '1 2', '5')
    """
    folded_text = typed.folded_text(filled_in_text, LONGEST_ANSWER).casefold()
    bare_text = folded_text.strip(PUNCTUATION_AROUND)
    if NUMBER_AFTER_POINT.fullmatch(folded_text.rstrip(PUNCTUATION_AROUND)):
        bare_text = f".{bare_text}"
    return SPACES_OUTSIDE_NUMBERS.sub("", bare_text) or folded_text


def markdown_of_answer_text(answer_text: str) -> str:
    r"""A text as Markdown that shows it as it is.

    >>> markdown_of_answer_text("a*b")
    'a\\*b'
    """
    return re.sub(r"([\\`*_\[\]{}$<>#|~])", r"\\\1", answer_text)


def blank_fields(written_blank: Any) -> ItemBody:
    """A blank with its fields by name; in short it is the one text, or the several, that are right."""
    if isinstance(written_blank, dict):
        return written_blank
    if isinstance(written_blank, list):
        return {"accept": written_blank}
    if isinstance(written_blank, str):
        return {"accept": [written_blank]}
    return {}


def blank_entry(entry_fields: ItemBody) -> Any:
    """A blank in short, where it says nothing of how far a number may be off.

    >>> blank_entry({"accept": ["2", "二"]}), blank_entry({"accept": ["1"]})
    (['2', '二'], '1')
    """
    if entry_fields.keys() != {"accept"}:
        return entry_fields
    accepted_texts = entry_fields["accept"]
    if isinstance(accepted_texts, list) and len(accepted_texts) == 1:
        return accepted_texts[0]
    return accepted_texts


class FillInBlanks(TypedItem):
    """Every blank has texts or numbers that are right; the score is the share of blanks filled rightly."""

    KIND_WORD = "填空"
    IS_IN_OTHER_PROGRAMS = True
    WAY_ON_PAPER = "blanks"
    FORM = item_form(
        RowsField(
            "blanks",
            "每一空",
            "题干里写____空出来；几种写法都算对，就用“ / ”隔开",
            columns=(
                WordsField("accept", "算对的写法", separator=" / "),
                NumberField("tolerance", "数可以差多少"),
            ),
            most_rows=8,
            fields_of_entry=blank_fields,
            entry_of_fields=blank_entry,
        )
    )
    kind: Literal["fill"]
    blanks: list[Blank] = Field(min_length=1, max_length=8)

    def _judge(self, raw_answer: Sequence[str]) -> Mark:
        typed_texts = [typed_text.strip() for typed_text in raw_answer]
        if len(typed_texts) != len(self.blanks):
            raise Unreadable("空的数目对不上，也许题目刚刚换过。刷新一下再填。")
        missed_blank_numbers = []
        for blank_number, (blank, typed_text) in enumerate(zip(self.blanks, typed_texts, strict=True), 1):
            if not self._is_accepted(blank, typed_text, blank_number):
                missed_blank_numbers.append(blank_number)
        answers_text = "；".join(typed_texts)
        if not missed_blank_numbers:
            return right_mark(answers_text, self._praise_sentence)
        score = 1 - len(missed_blank_numbers) / len(typed_texts)
        return wrong_mark(answers_text, self._correction_sentence(missed_blank_numbers), score=score)

    @property
    def _praise_sentence(self) -> str:
        if len(self.blanks) == 1:
            return "对，就是它。"
        return "每一空都对。"

    def _is_accepted(self, blank: Blank, typed_text: str, blank_number: int) -> bool:
        """Whether a blank is filled rightly; raises `Unreadable` with the number of the blank."""
        place_words = ""
        if len(self.blanks) > 1:
            place_words = f"第{blank_number}空："
        if not typed_text:
            raise Unreadable(f"{place_words}这里还空着，填上再交。")
        if typed_text == UNFILLED_SIGN:
            return False
        if is_made_option_id(typed_text):
            raise Unreadable(f"{place_words}这道题原来是选的，后来改成了填的：请填上。")
        if len(typed_text) > LONGEST_ANSWER:
            raise Unreadable(f"{place_words}太长了，最多{LONGEST_ANSWER}个字。")
        try:
            return blank.accepts(typed_text)
        except Unreadable as error:
            raise Unreadable(f"{place_words}{error}") from None

    def _correction_sentence(self, missed_blank_numbers: Sequence[int]) -> str:
        if len(self.blanks) == 1:
            return "不是这个。回到题目里，看看它问的是哪一样。"
        if len(missed_blank_numbers) == len(self.blanks):
            return "每一空都还不对，再读一遍题。"
        missed_blank_words = "、".join(f"第{blank_number}空" for blank_number in missed_blank_numbers)
        return f"{missed_blank_words}不对，别的都对。"

    @property
    def key_text(self) -> str:
        return "；".join(blank.accepted_words for blank in self.blanks)

    def solution(self) -> list[str]:
        if len(self.blanks) == 1:
            return [f"答案是：{self.blanks[0].accepted_words}"]
        return [
            f"第{blank_number}空：{blank.accepted_words}" for blank_number, blank in enumerate(self.blanks, 1)
        ]

    def proofs(self) -> Sequence[AnswerProof]:
        """The first way to fill each blank; the same with something in the first that nobody accepts."""
        right_texts = [blank.accept[0] for blank in self.blanks]
        refused_text = "别的"
        if self.blanks[0].has_only_numbers_and_ratios:
            refused_text = "987654321.5"
        return [AnswerProof(right_texts, True), AnswerProof([refused_text, *right_texts[1:]], False)]
