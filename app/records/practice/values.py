"""What the verbs on practice take and give: frozen values. A row is a NamedTuple."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from app.course.practice.mastery import SkillState
from app.course.practice.notebook import Notebook
from app.course.practice.recommending import Advice
from app.course.practice.sugar import Score


class GuessedQuestion(NamedTuple):
    """A question that was guessed at, and the attempt in which it was."""

    item: str
    seed: int
    attempt_id: int


@dataclass(frozen=True, slots=True)
class PracticeData:
    """Where a learner stands with every knowledge point, what comes next, what practice has earned.

    `guessed`: what was merely guessed at a moment ago.
    """

    today: date
    standings: Mapping[str, SkillState]
    advice: Advice | None
    learner_id: int | None = None
    score: Score = field(default_factory=Score)
    guessed: GuessedQuestion | None = None


class WrongAnswer(NamedTuple):
    """A wrong answer as it was given, to the variant of a seed."""

    item: str
    attempt_id: int
    seed: int
    raw: tuple[str, ...]
    tries: int


@dataclass(frozen=True, slots=True)
class NotebookData:
    """错题本: its entries, and by number those answers that are shown; None where its question is gone."""

    learner_id: int | None = None
    notebook: Notebook = field(default_factory=lambda: Notebook((), (), {}))
    answers: Mapping[int, WrongAnswer | None] = field(default_factory=dict)
