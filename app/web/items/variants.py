"""Variants by address: an exercise at a level, with a seed."""

from typing import NamedTuple

from app.course.exercises.exercises import LAST_SEED, practice_item_id


class Variant(NamedTuple):
    """An exercise at a level with a seed."""

    exercise_id: str
    level: int
    seed: int

    @property
    def item_id(self) -> str:
        return practice_item_id(self.exercise_id, self.level)

    @property
    def name(self) -> str:
        """How the forms and the records name it."""
        return f"{self.exercise_id}-{self.level}-{self.seed}"

    @property
    def url(self) -> str:
        return f"{exercise_url(self.exercise_id, self.level)}&seed={self.seed}"

    def variant_ahead(self, seed_count: int) -> "Variant":
        """The one so many places further; after the last seed comes the first."""
        return self._replace(seed=(self.seed + seed_count - 1) % LAST_SEED + 1)


def exercise_url(exercise_id: str, level: int) -> str:
    """The address that leads to a variant which this learner has not answered."""
    return f"/practice/{exercise_id}?level={level}"


def next_question_url(skill_id: str) -> str:
    """The address that leads to what a knowledge point needs next."""
    return f"/practice/next?point={skill_id}"
