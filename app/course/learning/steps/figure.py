"""A figure of an example, drawn by the server."""

from typing import Literal

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id, Text


class Figure(Step):
    """Which drawing, of which example."""

    kind: Literal["figure"]
    figure: Literal["contributions", "discount_curve", "candy_row", "range", "stairs", "s_curve"]
    example: Id | None = None
    caption: Text | None = None
