"""The files of a course as they are written: what each may hold."""

from collections.abc import Mapping
from typing import Annotated, Literal

from pydantic import Field
from pydantic.json_schema import SkipJsonSchema

from app.course.exercises.exercises import Exercise
from app.course.exercises.scenes import Scene
from app.course.items.examples import Example
from app.course.items.kinds import AnyItem
from app.course.learning.coding import CodeExercise
from app.course.learning.figures_in_text import Value
from app.course.learning.steps import AnyStep
from app.course.reference.bands import BandTable
from app.course.text.model_base import ContentPart, Id, Literals, Text, Title


class Section(ContentPart):
    """A few minutes of a lesson; at most six steps."""

    id: Id
    title: Title
    minutes: int = Field(ge=1, le=10)
    steps: list[AnyStep] = Field(min_length=1, max_length=6)


class Quiz(Section):
    """The 小测 that closes a stage: a section made of its questions."""

    minutes: int = Field(ge=1)
    steps: list[AnyStep] = Field(min_length=1)


class Lesson(ContentPart):
    """`lesson.yaml`: a paced dialogue in sections; `quiz` names the items of the 小测 after them."""

    goals: list[Text] = Field(min_length=1, max_length=6)
    values: dict[Id, Value] = Field(default_factory=dict)
    sections: list[Section] = Field(min_length=1, max_length=12)
    quiz: Annotated[list[Id], Field(min_length=6, max_length=10)] | None = None


class StageEntry(ContentPart):
    """A stage in `course.yaml`; without a folder it is announced."""

    id: Id
    title: Title
    summary: Text
    folder: str | None = Field(default=None, pattern=r"^[0-9a-z][0-9a-z-]*$")


class PlacementEntry(ContentPart):
    """A question of the 起点测试, and the stage to begin with when it is not answered rightly."""

    item: Id
    stage: Id


class Outline(ContentPart):
    """`course.yaml`."""

    title: Title
    placement: list[PlacementEntry] = Field(default=[], max_length=10)
    stages: list[StageEntry] = Field(min_length=1, max_length=12)


class GlossaryTerm(ContentPart):
    """An entry of the glossary."""

    id: Id
    zh: Title
    en: Title
    formula: str | None = None
    text: Text


class Skill(ContentPart):
    """A knowledge point, and what it needs first."""

    name: Title
    needs: list[Id] = Field(default_factory=list)


class Card(ContentPart):
    """A flashcard: one fact. `asks` for the fact itself, for the step that fails, or for what changes if."""

    skill: Id
    front: Text
    back: Text
    asks: Literal["fact", "step", "change"]
    literal: Literals = Field(default_factory=dict)
    id: SkipJsonSchema[str] = "unnamed"


class WrappedFile(ContentPart):
    """A file that holds the mapping or list of its one field, without the name of the field around it."""

    @classmethod
    def field_name(cls) -> str:
        return next(iter(cls.model_fields))


class CardsFile(WrappedFile):
    """`cards.yaml`: cards by id."""

    cards: dict[Id, Card]


class ItemsFile(WrappedFile):
    """`items.yaml`: items by id."""

    items: dict[Id, AnyItem]


class ExamplesFile(WrappedFile):
    """`examples.yaml`: examples by id."""

    examples: dict[Id, Example]


class BandsFile(WrappedFile):
    """`bands.yaml`."""

    bands: list[BandTable]


class CodeFile(WrappedFile):
    """`code.yaml`, where a stage has one: exercises in Python by id."""

    exercises: dict[Id, CodeExercise]


class GlossaryFile(WrappedFile):
    """`glossary.yaml`."""

    terms: list[GlossaryTerm]


class SkillsFile(WrappedFile):
    """`skills.yaml`."""

    skills: dict[Id, Skill]


class ScenesFile(WrappedFile):
    """`scenes.yaml`: scenes by id."""

    scenes: dict[Id, Scene]


class ExercisesFile(WrappedFile):
    """`exercises.yaml`: exercises by id."""

    exercises: dict[Id, Exercise]


FILES_OF_PIECES: Mapping[str, type[WrappedFile]] = {
    "items": ItemsFile,
    "code": CodeFile,
    "examples": ExamplesFile,
    "cards": CardsFile,
    "bands": BandsFile,
    "glossary": GlossaryFile,
    "skills": SkillsFile,
    "scenes": ScenesFile,
    "exercises": ExercisesFile,
}
"""The files that hold pieces of one kind; a file is called like its kind: `items.yaml`."""
