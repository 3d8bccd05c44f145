"""Flashcards in a lesson: a question to answer in one breath, and its back to look at."""

from typing import Literal

from pydantic import Field

from app.course.part import Id
from app.course.steps.base import Step


class Cards(Step):
    """Which cards, in order. Turning one over is the learner's action."""

    kind: Literal["cards"]
    cards: list[Id] = Field(min_length=1, max_length=6)

    @property
    def acts(self) -> bool:
        return True
