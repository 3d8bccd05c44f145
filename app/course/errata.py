"""勘误馆: slips that were really printed or shipped. The learner finds each one before it is told."""

from typing import Literal

from pydantic import Field

from app.course.items import AnyItem
from app.course.part import Id, Literals, Part, Text, Title
from app.course.references import Value

FILE = "errata.yaml"

Hall = Literal["print", "convention", "software"]
"""Where a slip was met: in what people read, between two conventions, in software that people use."""


class Case(Part):
    """One slip: what was published and by whom, the question that leads to it, the truth line by line."""

    title: Title
    hall: Hall
    source: Title
    story: Text
    published: dict[str, str] = Field(default_factory=dict)
    item: AnyItem
    truth: list[Text] = Field(min_length=1, max_length=8)
    keep: Text
    literal: Literals = Field(default_factory=dict)


class ErrataFile(Part):
    """`errata.yaml`: cases by id, and the figures of their texts."""

    values: dict[Id, Value] = Field(default_factory=dict)
    cases: dict[Id, Case]


def item_id(case_id: str) -> str:
    """The id of a case's item in the course.

    >>> item_id("films")
    'errata-films'
    """
    return f"errata-{case_id}"
