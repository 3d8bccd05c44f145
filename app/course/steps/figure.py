"""A figure of an example, drawn by the server."""

from typing import Literal

from app.course.part import Id, Text
from app.course.steps.base import Step


class Figure(Step):
    """Which drawing, of which example."""

    kind: Literal["figure"]
    figure: Literal["contributions", "discount_curve", "candy_row", "range"]
    example: Id | None = None
    caption: Text | None = None

    def refers_to(self) -> dict[str, str]:
        return {"example": self.example} if self.example else {}
