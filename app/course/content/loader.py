"""Makes a course of its files, and collects what is wrong on the way."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from app.course.content import model
from app.course.content.course import Course
from app.course.content.sources import FaultReporter, PieceKind, Sources
from app.course.exercises.exercises import Exercise, practice_items
from app.course.exercises.scenes import Scene
from app.course.items.examples import Example
from app.course.items.kinds import Generated, Item, Numeric
from app.course.items.your_turn import (
    TURN_SUFFIX,
    has_turn,
    turn_item_id,
    turn_of_example,
    turn_of_item,
)
from app.course.learning.figures_in_text import AnyValue
from app.course.learning.steps import AnyStep, Ask, ExampleStep
from app.course.reference import errata
from app.course.text import schema_messages
from app.course.text.yaml12 import YamlDocument

TURN_ID_RESERVED_FAULT = "这个id要留给自动生成的“换你”，换一个"
PRACTICE_ID_RESERVED_FAULT = "这个id要留给练习页，换一个"


class SharedPieces(NamedTuple):
    """What a course reads of files of its own, and own content takes from the site's course."""

    skills: Mapping[str, model.Skill]
    glossary: tuple[model.GlossaryTerm, ...]
    scenes: Mapping[str, Scene]
    exercises: Mapping[str, Exercise]


class CourseReader:
    """Makes a course of files; `sources` says what is wrong so far and where everything stands.

    `site_course`: for own content, the course whose skills, terms, examples and exercises it may name.
    """

    def __init__(self, text_by_path: Mapping[str, str | YamlDocument], site_course: Course | None) -> None:
        self.site_course = site_course
        self.sources = Sources(text_by_path, is_own=site_course is not None)
        self._items: dict[str, Item] = {}
        self._examples: dict[str, Example] = {}
        if site_course is not None:
            self._examples.update(site_course.examples)
        self._piece_by_id_by_kind: Mapping[PieceKind, dict[str, Any]] = {
            "items": self._items,
            "examples": self._examples,
            "cards": {},
            "code": {},
        }
        self._value_by_name: dict[str, AnyValue] = {}
        self._exercises: Mapping[str, Exercise] = {}

    def course(self, course_prefix: str) -> Course:
        """The course, as far as it can be read."""
        outline: model.Outline | None = self.sources.read("course.yaml", "outline")
        if outline is None:
            self.sources.unread_kinds |= {"lessons", "items", "examples", "cards", "code"}
            outline = model.Outline.model_construct(title="", stages=[])
        shared_pieces = self.site_course or self._shared_pieces()
        self._exercises = shared_pieces.exercises
        skill_by_id = dict(shared_pieces.skills)
        if self.site_course and "skills.yaml" in self.sources.text_by_path:
            skill_by_id |= self.sources.read_pieces("skills")
        stages = [
            self._stage(stage_number, stage_entry)
            for stage_number, stage_entry in enumerate(outline.stages, 1)
        ]
        case_by_id = self._errata()
        self._read_code()
        return Course(
            prefix=course_prefix,
            title=outline.title,
            stages=tuple(stages),
            placement=tuple(outline.placement),
            items=self._with_turns(self._resolved_items()),
            examples=self._examples,
            value_by_name=self._value_by_name,
            cards=self._piece_by_id_by_kind["cards"],
            glossary=shared_pieces.glossary,
            bands=tuple(self.sources.read_pieces("bands")),
            skills=skill_by_id,
            scenes=shared_pieces.scenes,
            exercises=self._exercises,
            digest=content_digest(self.sources.text_by_path),
            errata=case_by_id,
            code_exercises=self._piece_by_id_by_kind["code"],
            games=self.sources.read("games.yaml", "games"),
        )

    def _shared_pieces(self) -> SharedPieces:
        read_pieces = self.sources.read_pieces
        return SharedPieces(
            read_pieces("skills"),
            tuple(read_pieces("glossary")),
            read_pieces("scenes"),
            read_pieces("exercises"),
        )

    # Stages.

    def _stage(self, stage_number: int, stage_entry: model.StageEntry) -> model.Stage:
        if stage_entry.folder is None:
            return model.Stage(stage_entry.id, stage_number, stage_entry.title, stage_entry.summary, None)
        folder_prefix = f"{stage_entry.folder}/"
        lesson = self._lesson(stage_entry.id, f"{folder_prefix}lesson.yaml")
        example_ids = self._gather_pieces("examples", folder_prefix)
        self._gather_pieces("items", folder_prefix)
        card_ids = self._gather_pieces("cards", folder_prefix)
        quiz = None
        if lesson and lesson.quiz:
            quiz = self._quiz(stage_entry.id, lesson.quiz)
        return model.Stage(
            stage_entry.id,
            stage_number,
            stage_entry.title,
            stage_entry.summary,
            lesson,
            quiz,
            card_ids,
            example_ids,
        )

    def _lesson(self, stage_id: str, file_path: str) -> model.Lesson | None:
        lesson: model.Lesson | None = self.sources.read(file_path, "lessons")
        if lesson:
            yaml_document = self.sources.yaml_document_by_path[file_path]
            self.sources.lesson_document_by_stage_id[stage_id] = yaml_document
            self._gather_values(lesson.values, yaml_document)
        return lesson

    def _quiz(self, stage_id: str, item_ids: Sequence[str]) -> model.Quiz:
        """The 小测 as a section."""
        steps: list[AnyStep] = []
        for step_number, item_id in enumerate(item_ids, 1):
            steps.append(Ask(id=f"quiz-{step_number}", kind="ask", item=item_id))
        minutes = sum(self._minutes(item_id) for item_id in item_ids)
        return model.Quiz(id=f"{stage_id}-quiz", title="小测", minutes=minutes, steps=steps)

    def _minutes(self, item_id: str) -> int:
        """The minutes of a question; an unknown one takes a minute."""
        item = self._items.get(item_id)
        if item is None:
            return 1
        if isinstance(item, Generated) and item.exercise in self._exercises:
            return self._exercises[item.exercise].minutes
        return item.minutes

    def _errata(self) -> Mapping[str, errata.Case]:
        """The cases, if the course has any. The item of each is one of the course's."""
        errata_file: errata.ErrataFile | None = self.sources.read(errata.ERRATA_FILE, "items")
        if errata_file is None:
            return {}
        yaml_document = self.sources.yaml_document_by_path[errata.ERRATA_FILE]
        self._gather_values(errata_file.values, yaml_document)
        for case_id, case in errata_file.cases.items():
            story_fault_words = errata.story_fault_words(errata_file.cases, case_id)
            if story_fault_words:
                key_path = ("cases", case_id, "goes_on_from")
                self.sources.reporter_at_path(yaml_document, *key_path).report(story_fault_words)
            case_item_id = errata.case_item_id(case_id)
            item_yaml_document = yaml_document.within(case_item_id, ("cases", case_id, "item"))
            self._add_pieces("items", {case_item_id: case.item}, item_yaml_document)
        return errata_file.cases

    def _read_code(self) -> None:
        """The exercises in Python: few folders have some, and each has a page of its own, lesson or not."""
        for file_path in sorted(self.sources.text_by_path):
            if file_path.endswith("/code.yaml"):
                self._gather_pieces("code", file_path.removesuffix("code.yaml"))

    def _gather_values(self, value_by_name: Mapping[str, AnyValue], yaml_document: YamlDocument) -> None:
        for value_name, value in value_by_name.items():
            if value_name in self._value_by_name:
                self.sources.reporter_at_path(yaml_document, "values", value_name).report(
                    f"别的阶段已经有叫“{value_name}”的数了"
                )
            self._value_by_name[value_name] = value

    def _gather_pieces(self, piece_kind: PieceKind, folder_prefix: str) -> tuple[str, ...]:
        """Add the pieces in a file to those of earlier stages; returns the ids of the file."""
        piece_by_id = self.sources.read_pieces(piece_kind, folder_prefix)
        if piece_by_id:
            self._add_pieces(
                piece_kind,
                piece_by_id,
                self.sources.yaml_document_by_path[f"{folder_prefix}{piece_kind}.yaml"],
            )
        return tuple(piece_by_id)

    def _add_pieces(
        self, piece_kind: PieceKind, new_piece_by_id: Mapping[str, Any], yaml_document: YamlDocument
    ) -> None:
        """Add pieces to those of earlier stages; the key is the id, in the whole course."""
        piece_by_id = self._piece_by_id_by_kind[piece_kind]
        yaml_document_by_id = self.sources.documents_by_kind[piece_kind]
        for piece_id, piece in new_piece_by_id.items():
            fault_reporter = self.sources.reporter_at_path(yaml_document, piece_id)
            if yaml_document.is_in_file((piece_id, "id")):
                fault_reporter.at("id").report("不用写id：最前面的键就是id")
            if piece_id in piece_by_id:
                earlier_yaml_document = yaml_document_by_id[piece_id]
                fault_reporter.report(
                    f"这个id在{earlier_yaml_document.file}第{earlier_yaml_document.line_number_at((piece_id,))}行已经用过了"
                )
            piece_by_id[piece_id] = piece.model_copy(update={"id": piece_id})
            yaml_document_by_id[piece_id] = yaml_document

    # Items that name an example or an exercise, and items that the program makes.

    def _resolved_items(self) -> dict[str, Item]:
        """The items with what they name put in, and those of the practice pages."""
        item_by_id: dict[str, Item] = {}
        for item_id, item in self._items.items():
            item_by_id[item_id] = self._with_example(item_id, self._with_exercise(item))
        if self.site_course is None:
            for practice_item in practice_items(self._exercises):
                self._add_made_item(
                    item_by_id, self._with_exercise(practice_item), PRACTICE_ID_RESERVED_FAULT
                )
        return item_by_id

    def _with_example(self, item_id: str, item: Item) -> Item:
        try:
            return item.resolved(self._examples)
        except KeyError as error:
            if "examples" in self.sources.unread_kinds:
                return item
            fault_words = f"没有叫“{error.args[0]}”的例题"
        except ValueError as error:
            fault_words = f"这个例题算不出来：{schema_messages.plain_error_words(error)}"
        self._item_reporter(item_id).at("question", "example").report(fault_words)
        return item

    def _with_exercise(self, item: Item) -> Item:
        """An item; a generated one has the skill and the minutes of its exercise."""
        if not isinstance(item, Generated):
            return item
        exercise = self._exercises.get(item.exercise)
        if exercise:
            return item.model_copy(update={"skill": exercise.skill, "minutes": exercise.minutes})
        if "exercises" not in self.sources.unread_kinds:
            self._item_reporter(item.id).at("exercise").report(f"没有叫“{item.exercise}”的练习")
        return item

    def _with_turns(self, resolved_item_by_id: Mapping[str, Item]) -> dict[str, Item]:
        """The items, and the 换你 of every numeric item without a twin and of every example."""
        item_by_id = dict(resolved_item_by_id)
        twin_ids = {item.twin for item in resolved_item_by_id.values()}
        for item in resolved_item_by_id.values():
            is_twin = item.twin is not None or item.id in twin_ids
            if isinstance(item, Numeric) and has_turn(item) and not is_twin:
                turn_item = turn_of_item(item)
                item_by_id[item.id] = item.model_copy(update={"twin": turn_item.id})
                self._add_made_item(item_by_id, turn_item, TURN_ID_RESERVED_FAULT)
        for example in self._examples_with_turn():
            turn_item = turn_of_example(example).model_copy(update={"id": turn_item_id(example.id)})
            self._add_made_item(item_by_id, turn_item, TURN_ID_RESERVED_FAULT)
        return item_by_id

    def _examples_with_turn(self) -> Iterator[Example]:
        """The examples that end with a 换你: of those of the site's course, the ones that a lesson opens."""
        if self.site_course is None:
            yield from self._examples.values()
            return
        borrowed_example_ids = set(self.site_course.examples)
        for _, content_part in self.sources.documents_and_parts:
            if isinstance(content_part, model.Lesson):
                borrowed_example_ids -= _ids_of_opened_examples(content_part)
        for example_id, example in self._examples.items():
            if example_id not in borrowed_example_ids:
                yield example

    def _add_made_item(self, item_by_id: dict[str, Item], item: Item, fault_words: str) -> None:
        """Add an item that the program makes; its id may not be taken."""
        if item.id in item_by_id:
            written_item_id = item.id
            if written_item_id not in self.sources.documents_by_kind["items"]:
                # An example `x` and a numeric item `x-example` want one id for their 换你.
                written_item_id = item.id.removesuffix(TURN_SUFFIX)
            self._item_reporter(written_item_id).report(fault_words)
        item_by_id[item.id] = item

    def _item_reporter(self, item_id: str) -> FaultReporter:
        return self.sources.reporter_at_path(self.sources.documents_by_kind["items"][item_id], item_id)


def _ids_of_opened_examples(lesson: model.Lesson) -> set[str]:
    """The examples that a lesson opens."""
    example_ids = set()
    for section in lesson.sections:
        for step in section.steps:
            if isinstance(step, ExampleStep):
                example_ids.add(step.example)
    return example_ids


def content_digest(text_by_path: Mapping[str, str | YamlDocument]) -> str:
    """A hash of all files; the same text gives the same hash."""
    hasher = hashlib.sha256()
    for file_path in sorted(text_by_path):
        text_or_document = text_by_path[file_path]
        if isinstance(text_or_document, YamlDocument):
            text_or_document = text_or_document.text
        hasher.update(f"{file_path}\0{text_or_document}\0".encode())
    return hasher.hexdigest()[:16]
