"""A worked example, opened term by term."""

from typing import Literal

from app.course.learning.reveal_sequence import Style
from app.course.learning.steps.base import Step
from app.course.text.model_base import Id


class ExampleStep(Step):
    """`guess` is how the learner guesses before opening; `until: dcg` stops before the ideal order."""

    kind: Literal["example"]
    example: Id
    guess: Style = "compare"
    until: Literal["dcg", "ratio"] = "ratio"

    @property
    def acts(self) -> bool:
        return True
