"""勘误馆: slips that were really printed or shipped. The learner finds each one before it is told."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field, StringConstraints

from app.course.items.kinds import AnyItem
from app.course.learning.figures_in_text import ListValue
from app.course.text.model_base import ContentPart, Id, Literals, Text, Title

ERRATA_FILE = "errata.yaml"

Hall = Literal["print", "convention", "software"]
"""Where a slip was met: in what people read, between two conventions, in software that people use."""

WebAddress = Annotated[str, StringConstraints(pattern=r"^https://[!-~]+$", max_length=160)]


class Case(ContentPart):
    """One slip: what was published and by whom, the question that leads to it, the truth line by line.

    links: where it can be read in public. followed: what became of it. told_in: the section of a lesson that
    tells it already; such a case is listed last. goes_on_from: the case whose story it takes up in the
    middle; it is not recommended before that one is solved.
    """

    title: Title
    hall: Hall
    source: Title
    links: list[WebAddress] = Field(default=[], max_length=8)
    story: Text
    published: dict[str, str] = Field(default_factory=dict)
    item: AnyItem
    truth: list[Text] = Field(min_length=1, max_length=8)
    followed: Text | None = None
    keep: Text
    told_in: Id | None = None
    goes_on_from: Id | None = None
    literal: Literals = Field(default_factory=dict)


class ErrataFile(ContentPart):
    """`errata.yaml`: cases by id, and the figures of their texts."""

    values: dict[Id, ListValue] = Field(default_factory=dict)
    cases: dict[Id, Case]


CASE_ITEM_PREFIX = "errata-"


def case_item_id(case_id: str) -> str:
    """The id of a case's item in the course.

    >>> case_item_id("films")
    'errata-films'
    """
    return CASE_ITEM_PREFIX + case_id


def story_fault_words(cases: Mapping[str, Case], case_id: str) -> str:
    """Why nobody can have read the story that a case goes on from, as a sentence; empty where they can."""
    earlier_case_id = cases[case_id].goes_on_from
    if earlier_case_id is not None and earlier_case_id not in cases:
        return f"没有叫“{earlier_case_id}”的案子"
    passed_case_ids = set()
    while earlier_case_id and earlier_case_id in cases and earlier_case_id not in passed_case_ids:
        if earlier_case_id == case_id:
            return f"从“{cases[case_id].goes_on_from}”接下来又接回它自己，谁也读不到它"
        passed_case_ids.add(earlier_case_id)
        earlier_case_id = cases[earlier_case_id].goes_on_from
    return ""
