"""The tutor says something: one idea, in a tone."""

from typing import Literal, Self

from pydantic import model_validator

from app.course.learning.steps.base import Step
from app.course.text.model_base import Text


class Say(Step):
    """Words of the tutor; `another_way` is 换个说法.

    `cited`: the papers and manuals that the words rest on, each with author, year, venue, and what was read.
    """

    kind: Literal["say"]
    tone: Literal["plain", "analogy", "joke", "verse", "idea"] = "plain"
    text: Text
    another_way: Text | None = None
    source: str | None = None
    cited: str | None = None

    @model_validator(mode="after")
    def _an_idea_names_its_source(self) -> Self:
        if (self.tone == "idea") != (self.source is not None):
            raise ValueError("tone: idea要写source（出处），别的tone不写")
        return self
