"""指标段位: what sources say that an NDCG means, and a list that a visitor types, to be measured."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Self, cast

from pydantic import Field, model_validator

from app import engine
from app.course.items import numbers
from app.course.items.examples import convention_line
from app.course.items.marks import Unreadable
from app.course.text import typed
from app.course.text.model_base import ContentPart, GainName, Text, Title

MOST_GRADES, HIGHEST_GRADE, LARGEST_K = 50, 30, 1000
_SEPARATOR_PATTERN = re.compile(r"[\s,，、;；|/]+")
_UNJUDGED_WORDS = {"?", "-", "未标注", "none"}
_EXAMPLE_SENTENCE = "从第1位写起，用空格隔开，比如4 1 3 4 0。"

OptionalShare = float | None


class Band(ContentPart):
    """A stretch of NDCG and what it is said to mean; without `low` it begins at nothing."""

    low: OptionalShare = Field(default=None, ge=0, le=1)
    high: float = Field(ge=0, le=1)
    stars: int | None = Field(default=None, ge=1, le=5)
    said: Text

    @model_validator(mode="after")
    def _goes_up(self) -> Self:
        if self.low is not None and self.low > self.high:
            raise ValueError("low不能大于high")
        return self

    @property
    def label(self) -> str:
        """The stretch as it is printed.

        >>> Band(high=0.6, said="乱成一团").label
        '0.6以下'
        """
        if self.low is None:
            return f"{self.high}以下"
        if self.low == self.high:
            return f"{self.low}"
        return f"{self.low}–{self.high}"


class BandTable(ContentPart):
    """The bands of one source."""

    source: Title
    measure: Title
    rows: list[Band] = Field(min_length=1)
    remark: Text

    def stars(self, ndcg: float) -> int | None:
        """The stars that this table gives a value: those of the first row that it reaches."""
        return next((band.stars for band in self.rows if ndcg >= (band.low or 0.0)), None)


class UnusableList(Unreadable):
    """A list that cannot be used; `field` is the field of the form with the fault."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class OwnList:
    """Grades by rank, with cut and gain; `unlisted_grades`: of judged documents that were not returned."""

    grades: Sequence[float | None]
    k: int | None = None
    gain: GainName = "linear"
    unlisted_grades: Sequence[float | None] = ()

    @property
    def pool(self) -> list[float] | None:
        """The grades of all judged documents; None where none but those of the list were judged."""
        if not self.unlisted_grades:
            return None
        judged_grades = [grade for grade in (*self.grades, *self.unlisted_grades) if grade is not None]
        return judged_grades or None

    @cached_property
    def ndcg(self) -> float:
        return engine.ndcg(self.grades, self.k, self.gain, pool=self.pool)

    @cached_property
    def ndcg_range(self) -> engine.NdcgRange:
        """The worst, the average and the best order of the same documents."""
        return engine.ndcg_range(self.grades, self.k, self.gain, pool=self.pool)

    @property
    def has_no_sweet_grade(self) -> bool:
        """Whether nothing is sweet, so that there is nothing to divide by."""
        return not any(self.grades) and not any(self.unlisted_grades)

    @property
    def convention_words(self) -> str:
        return convention_line(self.gain, self.k, self.pool is not None)


def read_own_list(grades: str, k: str = "", gain: str = "linear", more: str = "") -> OwnList:
    """A list as it was typed into the form. UnusableList, with a sentence that says how to write it.

    >>> read_own_list("４，1、3 ?", k="３").grades
    [4.0, 1.0, 3.0, None]
    """
    listed_grades = _read_grades("grades", grades)
    if not listed_grades:
        raise UnusableList("grades", f"还没写甜度。{_EXAMPLE_SENTENCE}")
    gain_name = cast("GainName", gain) if gain in engine.GAINS else "linear"
    return OwnList(listed_grades, _read_cutoff(k), gain_name, _read_grades("more", more))


def _read_grades(field_name: str, grades_text: str) -> list[float | None]:
    folded_text = typed.folded_text(grades_text, 20 * MOST_GRADES).strip(" \t\r\n,、;|/[]()")
    grade_texts = [figure_text for figure_text in _SEPARATOR_PATTERN.split(folded_text) if figure_text]
    if len(grade_texts) > MOST_GRADES:
        raise UnusableList(field_name, f"最多写{MOST_GRADES}个甜度，这里有{len(grade_texts)}个。")
    return [_read_grade(field_name, figure_text) for figure_text in grade_texts]


def _read_grade(field_name: str, figure_text: str) -> float | None:
    if figure_text.lower() in _UNJUDGED_WORDS:
        return None
    try:
        grade = numbers.read(figure_text).value
    except Unreadable:
        raise UnusableList(
            field_name, f"认不出“{figure_text[:20]}”。甜度写0以上的数，未标注的写“?”；{_EXAMPLE_SENTENCE}"
        ) from None
    if not 0 <= grade <= HIGHEST_GRADE:
        raise UnusableList(
            field_name, f"“{figure_text[:20]}”不像甜度：写0到{HIGHEST_GRADE}之间的数，数与数之间空开。"
        )
    return grade


def _read_cutoff(cutoff_text: str) -> int | None:
    folded_text = typed.folded_text(cutoff_text, 400)
    if not folded_text:
        return None
    if not re.fullmatch(r"[0-9]{1,4}", folded_text) or not 1 <= int(folded_text) <= LARGEST_K:
        raise UnusableList("k", f"“{folded_text[:20]}”不能当k：写1到{LARGEST_K}的整数，或者空着，表示全看。")
    return int(folded_text)
