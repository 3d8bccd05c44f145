"""The base of everything that content is made of, and the kinds of text in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StringConstraints


class ContentPart(BaseModel):
    """A piece of content: frozen; a misspelt field is a fault, and so is "3" where a number belongs.

    What checks its fields is built when the first one is read: a kept course is only unpickled.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, defer_build=True)


class MarkdownMarker:
    """Marks a field as Markdown with formulas and figures, so that every text is found and checked."""


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True), MarkdownMarker()]
Id = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9]*(-[a-z0-9]+)*$")]
Title = Annotated[str, StringConstraints(min_length=1, max_length=60)]
Grade = Annotated[float, Field(ge=0, le=30)]
Pool = Annotated[list[Grade], Field(min_length=1)]
"""Grades of all judged documents, those of the list among them."""
GainName = Literal["linear", "exponential"]
NAME_BY_GAIN: Mapping[str, str] = {"linear": "线性增益", "exponential": "指数增益"}
Literals = dict[str, str]
"""Figures that do not come from the engine, each with the reason."""


def check_citation(published: Mapping[str, str], citation: str | None) -> None:
    """Figures that somebody published say where. Raises ValueError."""
    if published and not citation:
        raise ValueError("有published（发表的数字）就要有source（出处）")


def check_pool(pool: Sequence[float] | None, grades: Sequence[float | None]) -> None:
    """A judged pool holds what the list holds; else an NDCG above 1 could come out. Raises ValueError.

    >>> check_pool([3, 1], [3, 3, None])
    Traceback (most recent call last):
    ...
    ValueError: pool（评判池）里少了甜度3：它要包含这一列里打过甜度的每一篇
    """
    if pool is None:
        return
    missing_grades = Counter(grade for grade in grades if grade is not None) - Counter(pool)
    if missing_grades:
        grades_text = "、".join(f"{grade:g}" for grade in missing_grades.elements())
        raise ValueError(f"pool（评判池）里少了甜度{grades_text}：它要包含这一列里打过甜度的每一篇")
