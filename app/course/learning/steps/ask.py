"""An item in its place."""

from typing import Literal

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id


class Ask(Step):
    """A question; a probe asks before teaching and is never scored."""

    kind: Literal["ask"]
    item: Id
    probe: bool = False

    @property
    def acts(self) -> bool:
        return True
