"""A game in its place: a card that leads to it."""

from typing import Literal

from app.course.learning.steps.base import Step


class GameStep(Step):
    """Which game. It is played on a page of its own, with a seed in its address."""

    kind: Literal["game"]
    game: Literal["duel", "monster", "judging", "interleaving", "pushing"]

    @property
    def acts(self) -> bool:
        return True
