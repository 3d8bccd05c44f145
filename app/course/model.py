"""The files of a course as they are written: what each may hold."""

from pydantic import Field

from app.course.examples import Example
from app.course.exercises import Exercise
from app.course.items import AnyItem
from app.course.part import Id, Part, Text, Title
from app.course.references import Value
from app.course.scenes import Scene
from app.course.steps import AnyStep


class Section(Part):
    """A few minutes of a lesson; at most six steps."""

    id: Id
    title: Title
    minutes: int = Field(ge=1, le=10)
    steps: list[AnyStep] = Field(min_length=1, max_length=6)


class Lesson(Part):
    """`lesson.yaml`: a paced dialogue in sections."""

    goals: list[Text] = Field(min_length=1, max_length=6)
    values: dict[Id, Value] = Field(default_factory=dict)
    sections: list[Section] = Field(min_length=1, max_length=10)


class StageEntry(Part):
    """A stage in `course.yaml`; without a folder it is announced."""

    id: Id
    title: Title
    summary: Text
    folder: str | None = Field(default=None, pattern=r"^[0-9a-z][0-9a-z-]*$")


class Outline(Part):
    """`course.yaml`."""

    title: Title
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


class ItemsFile(Part):
    """`items.yaml`: items by id."""

    items: dict[Id, AnyItem]


class ExamplesFile(Part):
    """`examples.yaml`: examples by id."""

    examples: dict[Id, Example]


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
