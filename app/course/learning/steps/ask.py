"""An item in its place."""

from typing import Literal

from pydantic import Field

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id


class Ask(Step):
    """A question; a probe asks before teaching and is never scored. `rows`: examples drawn above it."""

    kind: Literal["ask"]
    item: Id
    probe: bool = False
    rows: list[Id] = Field(default=[], max_length=2)

    @property
    def acts(self) -> bool:
        return True
