"""An exercise in Python, to be written and run on the page."""

from typing import Literal

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id


class CodeStep(Step):
    """`exercise` is an id in a `code.yaml`."""

    kind: Literal["code"]
    exercise: Id

    @property
    def acts(self) -> bool:
        return True
