"""A worked example, opened term by term."""

from typing import Literal

from app.course.opening import Style
from app.course.part import Id
from app.course.steps.base import Step


class ExampleStep(Step):
    """`guess` is how the learner guesses before opening; `until: dcg` stops before the ideal order."""

    kind: Literal["example"]
    example: Id
    guess: Style = "compare"
    until: Literal["dcg", "ratio"] = "ratio"

    @property
    def acts(self) -> bool:
        return True

    def refers_to(self) -> dict[str, str]:
        return {"example": self.example}
