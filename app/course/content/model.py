"""The files of a course as they are written: what each may hold, also as JSON Schema for editors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Annotated, Any, Literal, NamedTuple

from pydantic import ConfigDict, Field, TypeAdapter
from pydantic.json_schema import SkipJsonSchema

from app.course.content.refs import StepPlace
from app.course.exercises.exercises import Exercise
from app.course.exercises.scenes import Scene
from app.course.games import Games
from app.course.items.examples import Example
from app.course.items.kinds import AnyItem, Item
from app.course.items.your_turn import turn_item_id
from app.course.learning.coding import CodeExercise
from app.course.learning.figures_in_text import AnyValue
from app.course.learning.steps import AnyStep, Ask, ExampleStep, Recap
from app.course.reference.bands import BandTable
from app.course.reference.errata import ErrataFile
from app.course.text.model_base import ContentPart, Id, Literals, Text, Title

ItemById = Mapping[str, Item]


def item_ids_of_step(step: AnyStep, item_by_id: ItemById) -> Iterator[str]:
    """The item of a step with its twin, or 换你."""
    asked_item_id = step.asked_item_id
    if isinstance(step, ExampleStep):
        asked_item_id = turn_item_id(step.example)
    if asked_item_id:
        yield asked_item_id
        twin_id = item_by_id[asked_item_id].twin
        if twin_id:
            yield twin_id


class Section(ContentPart):
    """A few minutes of a lesson; at most six steps.

    `divided_from`: the section whose last steps these were: who had finished it then has finished this one.
    """

    id: Id
    title: Title
    minutes: int = Field(ge=1, le=10)
    divided_from: Id | None = None
    steps: list[AnyStep] = Field(min_length=1, max_length=6)

    @property
    def item_ids(self) -> list[str]:
        """The items that its steps ask, probes too, in their order."""
        return self.item_ids_until(None)

    def item_ids_until(self, furthest_step: StepPlace | None) -> list[str]:
        """The items that its steps ask, as far as this one; all of them for None."""
        last_step_number = len(self.steps)
        if furthest_step is not None:
            last_step_number = self.step_number_at(*furthest_step)
        return [step.asked_item_id for step in self.steps[:last_step_number] if step.asked_item_id]

    def item_ids_with_twins(self, item_by_id: ItemById) -> Iterator[str]:
        """The items of its steps with their twins and 换你."""
        for step in self.steps:
            yield from item_ids_of_step(step, item_by_id)

    def teaching_item_ids(self, item_by_id: ItemById) -> Iterator[str]:
        """The items that its steps ask, without probes."""
        for step in self.steps:
            is_probe = isinstance(step, Ask) and step.probe
            asked_item_id = step.asked_item_id
            if asked_item_id and asked_item_id in item_by_id and not is_probe:
                yield asked_item_id

    def step_number_of(self, step_id: str | None) -> int | None:
        """The number of a step, from 1, also by an id that it has taken over; None for an unknown id."""
        for step_number, step in enumerate(self.steps, 1):
            if step_id == step.id or step_id in step.was:
                return step_number
        return None

    def step_number_at(self, step_id: str | None, former_number: int) -> int:
        """Where somebody is who was at the step with this id: for an unknown one, at `former_number`."""
        step_number = self.step_number_of(step_id)
        if step_number is None:
            return min(max(1, former_number), len(self.steps))
        return step_number

    def step_id_of(self, step_number: int) -> str | None:
        """The id of a step by its number, from 1; None beyond the last."""
        if 1 <= step_number <= len(self.steps):
            return self.steps[step_number - 1].id
        return None


class Quiz(Section):
    """The 小测 that closes a stage: a section made of its questions."""

    minutes: int = Field(ge=1)
    steps: list[AnyStep] = Field(min_length=1)


class Lesson(ContentPart):
    """`lesson.yaml`: a paced dialogue in sections; `quiz` names the items of the 小测 after them."""

    goals: list[Text] = Field(min_length=1, max_length=6)
    values: dict[Id, AnyValue] = Field(default_factory=dict)
    sections: list[Section] = Field(min_length=1, max_length=16)
    quiz: Annotated[list[Id], Field(min_length=6, max_length=10)] | None = None


@dataclass(frozen=True)
class Stage:
    """A stage of the course; `lesson` is None while it is only announced."""

    id: str
    number: int
    title: str
    summary: str
    lesson: Lesson | None
    quiz: Quiz | None = None
    card_ids: tuple[str, ...] = ()
    example_ids: tuple[str, ...] = ()

    @property
    def lesson_sections(self) -> Sequence[Section]:
        """The sections of the lesson, without the 小测."""
        if self.lesson is None:
            return ()
        return self.lesson.sections

    @cached_property
    def sections(self) -> Sequence[Section]:
        """What a learner walks through: the sections of the lesson, and the 小测 as the last one."""
        if self.quiz is None:
            return self.lesson_sections
        return [*self.lesson_sections, self.quiz]

    @property
    def goals(self) -> Sequence[str]:
        if self.lesson is None:
            return ()
        return self.lesson.goals

    def section(self, section_id: str) -> Section | None:
        for section in self.sections:
            if section.id == section_id:
                return section
        return None

    def next_section(self, section_id: str) -> Section | None:
        """The section after this one in the same stage; None after the last. ValueError for an unknown id."""
        section_index = [section.id for section in self.sections].index(section_id)
        return next(iter(self.sections[section_index + 1 :]), None)

    @cached_property
    def asked_item_ids(self) -> tuple[str, ...]:
        """Ids of the items of the lesson, probes aside: first its questions, then those of the recaps."""
        question_item_ids = []
        recap_item_ids = []
        for section in self.sections:
            for step in section.steps:
                item_id = step.asked_item_id
                is_probe = isinstance(step, Ask) and step.probe
                if item_id is None or is_probe:
                    continue
                if isinstance(step, Recap):
                    recap_item_ids.append(item_id)
                else:
                    question_item_ids.append(item_id)
        return tuple(dict.fromkeys(question_item_ids + recap_item_ids))


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

    @property
    def initial(self) -> str:
        """The letter under which it stands in the index."""
        return self.en[0].upper()


class Skill(ContentPart):
    """A knowledge point, and what it needs first.

    `items_count`: its exercises came when it had long been mastered by the few items of its lessons; these
    still hold it alone.
    """

    name: Title
    needs: list[Id] = Field(default_factory=list)
    items_count: bool = False


class Card(ContentPart):
    """A flashcard: one fact. `asks` for the fact itself, for the step that fails, or for what changes if."""

    skill: Id
    front: Text
    back: Text
    asks: Literal["fact", "step", "change"]
    literal: Literals = Field(default_factory=dict)
    id: SkipJsonSchema[str] = "unnamed"


def _pieces_adapter(piece_type: Any, title: str) -> TypeAdapter[Any]:
    config = ConfigDict(strict=True, defer_build=True)
    return TypeAdapter(Annotated[piece_type, Field(title=title)], config=config)


ADAPTER_BY_FILE: Mapping[str, TypeAdapter[Any]] = {
    "course.yaml": TypeAdapter(Outline),
    "lesson.yaml": TypeAdapter(Lesson),
    "games.yaml": TypeAdapter(Games),
    "errata.yaml": TypeAdapter(ErrataFile),
    "items.yaml": _pieces_adapter(dict[Id, AnyItem], "Items"),
    "code.yaml": _pieces_adapter(dict[Id, CodeExercise], "Exercises"),
    "examples.yaml": _pieces_adapter(dict[Id, Example], "Examples"),
    "cards.yaml": _pieces_adapter(dict[Id, Card], "Cards"),
    "bands.yaml": _pieces_adapter(list[BandTable], "Bands"),
    "glossary.yaml": _pieces_adapter(list[GlossaryTerm], "Terms"),
    "skills.yaml": _pieces_adapter(dict[Id, Skill], "Skills"),
    "scenes.yaml": _pieces_adapter(dict[Id, Scene], "Scenes"),
    "exercises.yaml": _pieces_adapter(dict[Id, Exercise], "Exercises"),
}
"""What each file holds; the pieces of one kind, by id, are in a file that is called like the kind."""


def schema_by_file() -> dict[str, Any]:
    """A JSON Schema for each file name.

    >>> sorted(schema_by_file())[:3]
    ['bands.yaml', 'cards.yaml', 'code.yaml']
    """
    return {
        file_name: _with_closed_mappings(_schema_of(adapter))
        for file_name, adapter in ADAPTER_BY_FILE.items()
    }


def _schema_of(adapter: TypeAdapter[Any]) -> dict[str, Any]:
    """The schema of a file; that of pieces says first how one is named, then what it is made of."""
    json_schema = adapter.json_schema()
    if "patternProperties" in json_schema or "items" in json_schema:
        json_schema["$defs"] = json_schema.pop("$defs", {})
    return json_schema


def _with_closed_mappings(schema_part: Any) -> Any:
    """A schema whose mappings by id take nothing but ids: pydantic does not say that other keys are wrong."""
    if isinstance(schema_part, list):
        return [_with_closed_mappings(schema_element) for schema_element in schema_part]
    if not isinstance(schema_part, dict):
        return schema_part
    closed_part = {
        schema_key: _with_closed_mappings(schema_element)
        for schema_key, schema_element in schema_part.items()
    }
    if "patternProperties" in schema_part:
        closed_part["additionalProperties"] = False
    return closed_part


class StageSection(NamedTuple):
    """A section, and the stage in which it stands."""

    stage: Stage
    section: Section


def section_by_taught_skill(stages: Sequence[Stage], item_by_id: ItemById) -> dict[str, StageSection]:
    """Where each skill is taught: the first section that asks for it, probes and 小测 aside."""
    section_by_skill_id: dict[str, StageSection] = {}
    for stage in stages:
        for section in stage.lesson_sections:
            for item_id in section.teaching_item_ids(item_by_id):
                section_by_skill_id.setdefault(item_by_id[item_id].skill, StageSection(stage, section))
    return section_by_skill_id


def section_by_asked_item(
    stage_sections: Sequence[StageSection], item_by_id: ItemById
) -> dict[str, StageSection]:
    """The first section that asks an item, for every item of the lessons."""
    section_by_item_id: dict[str, StageSection] = {}
    for stage_section in stage_sections:
        for item_id in stage_section.section.item_ids_with_twins(item_by_id):
            section_by_item_id.setdefault(item_id, stage_section)
    return section_by_item_id
