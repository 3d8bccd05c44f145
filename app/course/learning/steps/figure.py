"""A figure of an example, or of differences, drawn by the server."""

from typing import Literal, Self

from pydantic import Field, model_validator

from app.course.learning.figures import draw_differences
from app.course.learning.figures.shuffles import MOST_QUERIES
from app.course.learning.steps.base import Step
from app.course.text.model_base import Id, Text


class Figure(Step):
    """Which drawing, of which example."""

    kind: Literal["figure"]
    figure: Literal[
        "contributions", "discount_curve", "candy_row", "range", "stairs", "s_curve", "click_models"
    ]
    example: Id | None = None
    caption: Text | None = None


class DifferencesFigure(Step):
    """Which drawing, of which differences: new minus old, query by query."""

    kind: Literal["figure"]
    figure: Literal["differences", "shuffles"]
    differences: list[float] = Field(min_length=2, max_length=20)
    caption: Text | None = None

    @model_validator(mode="after")
    def _can_be_drawn(self) -> Self:
        if self.figure == "shuffles" and len(self.differences) > MOST_QUERIES:
            raise ValueError(f"图shuffles最多画{MOST_QUERIES}个查询：再多，点就数不清了")
        draw_differences(self.figure, self.differences)  # raises ValueError for what is no difference
        return self
