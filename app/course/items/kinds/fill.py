"""填空题: blanks to fill with a word or a number that is known beforehand; nothing is computed."""

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple, Self

from pydantic import Field, StringConstraints, model_validator

from app.course.items import numbers
from app.course.items.kinds.base import Item
from app.course.items.kinds.form_fields import Body, NumberField, RowsField, WordsField, item_form
from app.course.items.marks import Mark, Unreadable, right, wrong
from app.course.text import typed
from app.course.text.model_base import ContentPart
from app.engine.cumulative import FLOAT_NOISE

LONGEST = 80
"""Characters of what is accepted; nobody types more into a blank."""
PLAIN_NUMBER = re.compile(r"[-+]?(?:\d{1,12}(?:\.\d{1,9})?|\.\d{1,9})")
MARKS_AROUND = "。．.，,；;：:、!！?？\"“”'‘’ "
"""Signs around a word that do not make it another one."""

Accepted = Annotated[str, StringConstraints(min_length=1, max_length=LONGEST, strip_whitespace=True)]


class AcceptedNumber(NamedTuple):
    """A number that counts as right, and how far from it one may be."""

    value: float
    tolerance: float


class Blank(ContentPart):
    """A blank. `accept`: every way to fill it that is right; `tolerance`: how far a number may be off, where
    it is not half of its last written place."""

    accept: list[Accepted] = Field(min_length=1, max_length=12)
    tolerance: float | None = Field(default=None, ge=0, le=1e9)

    @model_validator(mode="after")
    def _tolerance_is_of_a_number(self) -> Self:
        if self.tolerance is not None and not self.numbers:
            raise ValueError("tolerance（误差）只能跟数写在一起，这一空里没有数")
        return self

    @cached_property
    def numbers(self) -> tuple[AcceptedNumber, ...]:
        """Those of the accepted texts that are numbers."""
        texts = filter(PLAIN_NUMBER.fullmatch, self.accept)
        return tuple(AcceptedNumber(float(text), self._room_of(text)) for text in texts)

    def _room_of(self, text: str) -> float:
        """How far an answer may be off: half of the last place, and of a whole number not at all."""
        if self.tolerance is not None:
            return self.tolerance
        decimals = len(text.partition(".")[2])
        if not decimals:
            return 0.0
        return 0.5 * 0.1**decimals

    @property
    def is_numeric(self) -> bool:
        """Whether nothing but numbers counts: then a word cannot be read."""
        return len(self.numbers) == len(self.accept)

    def takes(self, text: str) -> bool:
        """Whether this fills the blank rightly; raises `Unreadable` for a word where a number belongs.

        >>> Blank(accept=["0.63"]).takes("０．６３４"), Blank(accept=["BM25"]).takes("bm 25。")
        (True, True)
        """
        if comparable_text(text) in map(comparable_text, self.accept):
            return True
        if not self.numbers:
            return False
        try:
            value = numbers.read(text).value
        except Unreadable:
            if self.is_numeric:
                raise
            return False
        return any(abs(value - number.value) <= number.tolerance + FLOAT_NOISE for number in self.numbers)

    @property
    def words(self) -> str:
        """What is right, in words: `0.63（误差不超过0.01）`."""
        accepted_words = "，或者".join(map(plain, self.accept))
        if self.tolerance:
            return f"{accepted_words}（误差不超过{self.tolerance:g}）"
        return accepted_words


def comparable_text(text: str) -> str:
    """A filled-in text without what makes no difference: width, case, spaces, signs around it.

    >>> comparable_text(" Ｔｆ－Idf。"), comparable_text("倒排 索引")
    ('tf-idf', '倒排索引')
    """
    narrow = typed.folded_text(text, LONGEST).casefold()
    return re.sub(r"\s+", "", narrow.strip(MARKS_AROUND)) or narrow


def plain(text: str) -> str:
    r"""A text as Markdown that shows it as it is.

    >>> plain("a*b")
    'a\\*b'
    """
    return re.sub(r"([\\`*_\[\]{}$<>#|~])", r"\\\1", text)


def blank_fields(entry: Any) -> Body:
    """A blank with its fields by name; in short it is the one text, or the several, that are right."""
    if isinstance(entry, dict):
        return entry
    if isinstance(entry, list):
        return {"accept": entry}
    if isinstance(entry, str):
        return {"accept": [entry]}
    return {}


def short_blank(fields: Body) -> Any:
    """A blank in short, where it says nothing of how far a number may be off.

    >>> short_blank({"accept": ["2", "二"]}), short_blank({"accept": ["1"]})
    (['2', '二'], '1')
    """
    if fields.keys() != {"accept"}:
        return fields
    accepted_texts = fields["accept"]
    if isinstance(accepted_texts, list) and len(accepted_texts) == 1:
        return accepted_texts[0]
    return accepted_texts


class Fill(Item):
    """Every blank has texts or numbers that are right; the score is the share of blanks filled rightly."""

    WORD = "填空"
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
            opened=blank_fields,
            closed=short_blank,
        )
    )
    kind: Literal["fill"]
    blanks: list[Blank] = Field(min_length=1, max_length=8)

    def _judge(self, raw: Sequence[str]) -> Mark:
        texts = [typed_text.strip() for typed_text in raw]
        if len(texts) != len(self.blanks):
            raise Unreadable("空的数目对不上，也许题目刚刚换过。刷新一下再填。")
        missed_numbers = []
        for number, (blank, typed_text) in enumerate(zip(self.blanks, texts, strict=True), 1):
            if not self._is_taken(blank, typed_text, number):
                missed_numbers.append(number)
        joined_texts = "；".join(texts)
        if not missed_numbers:
            return right(joined_texts, self._praise)
        score = 1 - len(missed_numbers) / len(texts)
        return wrong(joined_texts, self._correction(missed_numbers), score=score)

    @property
    def _praise(self) -> str:
        if len(self.blanks) == 1:
            return "对，就是它。"
        return "每一空都对。"

    def _is_taken(self, blank: Blank, text: str, number: int) -> bool:
        """Whether a blank is filled rightly; raises `Unreadable` with the number of the blank."""
        place_words = ""
        if len(self.blanks) > 1:
            place_words = f"第{number}空："
        if not text:
            raise Unreadable(f"{place_words}这里还空着，填上再交。")
        if len(text) > LONGEST:
            raise Unreadable(f"{place_words}太长了，最多{LONGEST}个字。")
        try:
            return blank.takes(text)
        except Unreadable as error:
            raise Unreadable(f"{place_words}{error}") from None

    def _correction(self, missed_numbers: Sequence[int]) -> str:
        if len(self.blanks) == 1:
            return "不是这个。回到题目里，看看它问的是哪一样。"
        if len(missed_numbers) == len(self.blanks):
            return "每一空都还不对，再读一遍题。"
        blanks_text = "、".join(f"第{number}空" for number in missed_numbers)
        return f"{blanks_text}不对，别的都对。"

    def solution(self) -> list[str]:
        if len(self.blanks) == 1:
            return [f"答案是：{self.blanks[0].words}"]
        return [f"第{number}空：{blank.words}" for number, blank in enumerate(self.blanks, 1)]
