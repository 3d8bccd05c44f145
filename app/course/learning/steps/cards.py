"""Flashcards in a lesson: a question to answer in one breath, and its back to look at."""

from typing import Literal

from pydantic import Field

from app.course.learning.steps.base import Step
from app.course.text.model_base import Id


class CardsStep(Step):
    """Which cards, in order. Turning one over is the learner's action."""

    kind: Literal["cards"]
    cards: list[Id] = Field(min_length=1, max_length=6)

    @property
    def acts(self) -> bool:
        return True
