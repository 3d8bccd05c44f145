"""The files of a course as they are written: what each may hold."""

from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from app.course.bands import BandTable
from app.course.coding import CodeExercise
from app.course.examples import Example
from app.course.exercises import Exercise
from app.course.items import AnyItem
from app.course.part import Id, Literals, Part, Text, Title
from app.course.references import Value
from app.course.scenes import Scene
from app.course.steps import AnyStep


class Section(Part):
    """A few minutes of a lesson; at most six steps."""

    id: Id
    title: Title
    minutes: int = Field(ge=1, le=10)
    steps: list[AnyStep] = Field(min_length=1, max_length=6)


class Quiz(Section):
    """The 小测 that closes a stage: a section made of its questions."""

    minutes: int = Field(ge=1)
    steps: list[AnyStep] = Field(min_length=1)


class Lesson(Part):
    """`lesson.yaml`: a paced dialogue in sections; `quiz` names the items of the 小测 after them."""

    goals: list[Text] = Field(min_length=1, max_length=6)
    values: dict[Id, Value] = Field(default_factory=dict)
    sections: list[Section] = Field(min_length=1, max_length=12)
    quiz: Annotated[list[Id], Field(min_length=6, max_length=10)] | None = None


class StageEntry(Part):
    """A stage in `course.yaml`; without a folder it is announced."""

    id: Id
    title: Title
    summary: Text
    folder: str | None = Field(default=None, pattern=r"^[0-9a-z][0-9a-z-]*$")


class PlacementEntry(Part):
    """A question of the 起点测试, and the stage to begin with when it is not answered rightly."""

    item: Id
    stage: Id


class Outline(Part):
    """`course.yaml`."""

    title: Title
    placement: list[PlacementEntry] = Field(default=[], max_length=10)
    stages: list[StageEntry] = Field(min_length=1, max_length=12)


class Term(Part):
    """An entry of the glossary."""

    id: Id
    zh: Title
    en: Title
    formula: str | None = None
    text: Text


class Skill(Part):
    """A knowledge point, and what it needs first."""

    name: Title
    needs: list[Id] = Field(default_factory=list)


class Card(Part):
    """A flashcard: one fact. `asks` for the fact itself, for the step that fails, or for what changes if."""

    skill: Id
    front: Text
    back: Text
    asks: Literal["fact", "step", "change"]
    literal: Literals = Field(default_factory=dict)
    id: SkipJsonSchema[str] = "unnamed"


class CardsFile(Part):
    """`cards.yaml`: cards by id."""

    cards: dict[Id, Card]


class ItemsFile(Part):
    """`items.yaml`: items by id."""

    items: dict[Id, AnyItem]


class ExamplesFile(Part):
    """`examples.yaml`: examples by id."""

    examples: dict[Id, Example]


class BandsFile(Part):
    """`bands.yaml`."""

    bands: list[BandTable]


class CodeFile(Part):
    """`code.yaml`, where a stage has one: exercises in Python by id."""

    exercises: dict[Id, CodeExercise]


class GlossaryFile(Part):
    """`glossary.yaml`."""

    terms: list[Term]


class SkillsFile(Part):
    """`skills.yaml`."""

    skills: dict[Id, Skill]


class ScenesFile(Part):
    """`scenes.yaml`: scenes by id."""

    scenes: dict[Id, Scene]


class ExercisesFile(Part):
    """`exercises.yaml`: exercises by id."""

    exercises: dict[Id, Exercise]
