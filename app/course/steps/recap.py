"""A look back, with a question from before."""

from typing import ClassVar, Literal

from pydantic import Field

from app.course.part import Id, Text
from app.course.steps.base import Step


class Recap(Step):
    """Points to keep, and one item of an earlier place."""

    kind: Literal["recap"]
    points: list[Text] = Field(min_length=1, max_length=6)
    item: Id | None = None

    acts: ClassVar[bool] = True

    def refers_to(self) -> dict[str, str]:
        return {"items": self.item} if self.item else {}
