"""A look back, often with a question from before."""

from typing import Literal

from pydantic import Field

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id, Text


class Recap(Step):
    """Points to keep, a table where things stand side by side, and an item of an earlier place."""

    kind: Literal["recap"]
    points: list[Text] = Field(min_length=1, max_length=6)
    table: Text | None = None
    item: Id | None = None

    @property
    def acts(self) -> bool:
        return self.item is not None
