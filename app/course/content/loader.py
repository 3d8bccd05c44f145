"""Reads the files of a course, collects what is wrong, and keeps where everything stands."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from pydantic import BaseModel, ValidationError

from app.course.content.course import Course, Stage, turn_id
from app.course.content.model import (
    BandsFile,
    Card,
    CardsFile,
    CodeFile,
    ExamplesFile,
    ExercisesFile,
    GlossaryFile,
    GlossaryTerm,
    ItemsFile,
    Lesson,
    Outline,
    Quiz,
    ScenesFile,
    Skill,
    SkillsFile,
    StageEntry,
)
from app.course.exercises.exercises import Exercise, items_of
from app.course.games import Games
from app.course.items.examples import Example
from app.course.items.kinds import Generated, Item, Numeric
from app.course.items.your_turn import turn_of_example, turn_of_item
from app.course.learning.coding import CodeExercise
from app.course.learning.figures_in_text import Value
from app.course.learning.steps import Ask, ExampleStep
from app.course.reference import errata
from app.course.reference.errata import Case, ErrataFile
from app.course.text import schema_messages
from app.course.text.faults import Fault, Faults
from app.course.text.yaml12 import YamlDocument

Model = TypeVar("Model", bound=BaseModel)
Kind = Literal[
    "outline", "lessons", "items", "examples", "cards", "code", "skills", "glossary", "bands", "scenes",
    "exercises", "games",
]  # fmt: skip
TURN_TAKEN = "这个id要留给自动生成的“换你”，换一个"


@dataclass
class Sources:
    """Where the pieces of a course stand, and which kinds of files could not be read to the end.

    Of a kind in `unread` not everything is known, so nobody may say that one of that kind is missing.
    `own`: a teacher's content beside the course, for which fewer rules hold.
    """

    own: bool = False

    files: dict[str, YamlDocument] = field(default_factory=dict)
    lessons: dict[str, YamlDocument] = field(default_factory=dict)
    items: dict[str, YamlDocument] = field(default_factory=dict)
    examples: dict[str, YamlDocument] = field(default_factory=dict)
    cards: dict[str, YamlDocument] = field(default_factory=dict)
    code: dict[str, YamlDocument] = field(default_factory=dict)
    parts: list[tuple[YamlDocument, BaseModel, bool]] = field(default_factory=list)
    unread: set[Kind] = field(default_factory=set)


class Reader:
    """Makes a course of files; `faults` tells what is wrong so far, `sources` where it stands.

    `beside`: the course whose knowledge points, terms, examples and exercises these files may name.
    """

    def __init__(self, files: Mapping[str, str | YamlDocument], beside: Course | None = None) -> None:
        self.texts, self.beside = files, beside
        self.faults: list[Fault] = []
        self.sources = Sources(own=beside is not None)
        self._items: dict[str, Item] = {}
        self._examples: dict[str, Example] = dict(beside.examples) if beside else {}
        self._cards: dict[str, Card] = {}
        self._code: dict[str, CodeExercise] = {}
        self._values: dict[str, Value] = {}
        self._exercises: Mapping[str, Exercise] = {}

    def course(self, prefix: str) -> Course:
        """The course, as far as it can be read."""
        outline = self._read("course.yaml", Outline, "outline")
        skills, glossary = self._skills(), self._glossary()
        bands = self._read_if_there("bands.yaml", BandsFile, "bands")
        scenes = self._read_if_there("scenes.yaml", ScenesFile, "scenes")
        exercises = self._read_if_there("exercises.yaml", ExercisesFile, "exercises")
        self._exercises = exercises.exercises if exercises else self.beside.exercises if self.beside else {}
        if outline is None:
            self.sources.unread |= {"lessons", "items", "examples", "cards", "code"}
        stages = [
            self._stage(number, entry) for number, entry in enumerate(outline.stages if outline else [], 1)
        ]
        cases = self._errata()
        self._read_code()
        return Course(
            prefix=prefix,
            title=outline.title if outline else "",
            stages=tuple(stages),
            placement=tuple(outline.placement if outline else ()),
            items=self._with_turns(self._resolved()),
            examples=self._examples,
            values=self._values,
            cards=self._cards,
            glossary=glossary,
            bands=tuple(bands.bands if bands else ()),
            skills=skills,
            scenes=scenes.scenes if scenes else self.beside.scenes if self.beside else {},
            exercises=self._exercises,
            digest=digest(self.texts),
            errata=cases,
            code=self._code,
            games=self._read("games.yaml", Games, "games") if "games.yaml" in self.texts else None,
        )

    def _skills(self) -> Mapping[str, Skill]:
        if self.beside:
            return self.beside.skills
        found = self._read("skills.yaml", SkillsFile, "skills", "skills")
        return found.skills if found else {}

    def _glossary(self) -> tuple[GlossaryTerm, ...]:
        if self.beside:
            return self.beside.glossary
        found = self._read("glossary.yaml", GlossaryFile, "glossary", "terms")
        return tuple(found.terms) if found else ()

    def _stage(self, number: int, entry: StageEntry) -> Stage:
        if entry.folder is None:
            return Stage(entry.id, number, entry.title, entry.summary, None)
        lesson = self._read(file := f"{entry.folder}/lesson.yaml", Lesson, "lessons")
        if lesson:
            self.sources.lessons[entry.id] = self.sources.files[file]
            self._keep_values(lesson.values, self.sources.files[file])
        if examples := self._read(
            file := f"{entry.folder}/examples.yaml", ExamplesFile, "examples", "examples"
        ):
            self._gather(self._examples, examples.examples, self.sources.examples, self.sources.files[file])
        if items := self._read(file := f"{entry.folder}/items.yaml", ItemsFile, "items", "items"):
            self._gather(self._items, items.items, self.sources.items, self.sources.files[file])
        if cards := self._read_if_there(file := f"{entry.folder}/cards.yaml", CardsFile, "cards"):
            self._gather(self._cards, cards.cards, self.sources.cards, self.sources.files[file])
        return Stage(
            entry.id,
            number,
            entry.title,
            entry.summary,
            lesson,
            self._quiz(entry.id, lesson.quiz) if lesson and lesson.quiz else None,
            tuple(cards.cards if cards else ()),
            tuple(examples.examples if examples else ()),
        )

    def _quiz(self, stage: str, items: Sequence[str]) -> Quiz:
        """The 小测 as a section; a question that is not there takes a minute."""
        return Quiz(
            id=f"{stage}-quiz",
            title="小测",
            minutes=sum(map(self._minutes, items)),
            steps=[Ask(id=f"quiz-{number}", kind="ask", item=one) for number, one in enumerate(items, 1)],
        )

    def _minutes(self, item_id: str) -> int:
        item = self._items.get(item_id)
        exercise = self._exercises.get(item.exercise) if isinstance(item, Generated) else None
        return exercise.minutes if exercise else item.minutes if item else 1

    def _errata(self) -> Mapping[str, Case]:
        """The cases, where there are any. The item of each is one of the course's."""
        found = self._read(errata.FILE, ErrataFile, "items") if errata.FILE in self.texts else None
        if found is None:
            return {}
        document = self.sources.files[errata.FILE]
        self._keep_values(found.values, document)
        for case_id, case in found.cases.items():
            name = errata.item_id(case_id)
            inner = document.within(name, ("cases", case_id, "item"))
            self._gather(self._items, {name: case.item}, self.sources.items, inner)
        return found.cases

    def _read_code(self) -> None:
        """The exercises in Python: few folders have some, and each has a page of its own, lesson or not."""
        for file in sorted(name for name in self.texts if name.endswith("/code.yaml")):
            if found := self._read(file, CodeFile, "code", "exercises"):
                self._gather(self._code, found.exercises, self.sources.code, self.sources.files[file])

    def _read(self, file: str, model: type[Model], kind: Kind, wrapped: str = "") -> Model | None:
        """The part in a file; `wrapped` is the field of the model that the file holds without its name."""
        if file not in self.texts:
            self._refuse(kind, [Fault(file, 0, "", "缺少这个文件")])
            return None
        try:
            text = self.texts[file]
            document = self.sources.files[file] = YamlDocument(file, text) if isinstance(text, str) else text
            part = model.model_validate({wrapped: document.data} if wrapped else document.data)
        except Faults as error:
            self._refuse(kind, error.faults)
            return None
        except ValidationError as error:
            self._refuse(kind, [_told(document, one, bool(wrapped)) for one in error.errors()])
            return None
        self.sources.parts.append((document, part, bool(wrapped)))
        return part

    def _read_if_there(self, file: str, model: type[Model], kind: Kind) -> Model | None:
        """A file that a course may do without; it holds one mapping, named like its kind."""
        return self._read(file, model, kind, kind) if file in self.texts else None

    def _refuse(self, kind: Kind, faults: Sequence[Fault]) -> None:
        self.sources.unread.add(kind)
        self.faults += faults

    def _keep_values(self, values: Mapping[str, Value], document: YamlDocument) -> None:
        for name, value in values.items():
            if name in self._values:
                self.faults.append(document.fault(("values", name), f"别的阶段已经有叫“{name}”的数了"))
            self._values[name] = value

    def _gather(
        self,
        into: dict[str, Any],
        parts: Mapping[str, Any],
        homes: dict[str, YamlDocument],
        document: YamlDocument,
    ) -> None:
        """Put parts among those of earlier stages; the key is the id, in the whole course."""
        for one, part in parts.items():
            if document.stands((one, "id")):
                self.faults.append(document.fault((one, "id"), "不用写id：最前面的键就是id"))
            if one in into:
                known = f"{homes[one].file}第{homes[one].line((one,))}行"
                self.faults.append(document.fault((one,), f"这个id在{known}已经用过了"))
            into[one] = part.model_copy(update={"id": one})
            homes[one] = document

    def _resolved(self) -> dict[str, Item]:
        """The items with what they name put in; beside them, those of the practice pages."""
        found: dict[str, Item] = {}
        for item_id, item in self._items.items():
            found[item_id] = self._known(item) if isinstance(item, Generated) else item
            try:
                found[item_id] = found[item_id].resolved(self._examples)
            except KeyError as error:
                if "examples" not in self.sources.unread:
                    self._at_question(item_id, "example", f"没有叫“{error.args[0]}”的例题")
            except ValueError as error:
                self._at_question(item_id, "example", f"这个例题算不出来：{schema_messages.plain(error)}")
        for item in [] if self.beside else items_of(self._exercises):
            self._reserve(found, self._known(item), "这个id要留给练习页，换一个")
        return found

    def _known(self, item: Generated) -> Generated:
        """A generated item with the knowledge point of its exercise."""
        if exercise := self._exercises.get(item.exercise):
            return item.model_copy(update={"skill": exercise.skill, "minutes": exercise.minutes})
        if "exercises" not in self.sources.unread:
            document = self.sources.items[item.id]
            self.faults.append(document.fault((item.id, "exercise"), f"没有叫“{item.exercise}”的练习"))
        return item

    def _at_question(self, item_id: str, field: str, message: str) -> None:
        self.faults.append(self.sources.items[item_id].fault((item_id, "question", field), message))

    def _with_turns(self, items: dict[str, Item]) -> dict[str, Item]:
        """The items, and beside them the 换你 of every numeric item and of every example."""
        twins = {item.twin for item in items.values()}
        for item in list(items.values()):
            if (
                isinstance(item, Numeric)
                and item.twin is None
                and item.id not in twins
                and item.question.grades
            ):
                turn = turn_of_item(item)
                items[item.id] = item.model_copy(update={"twin": turn.id})
                self._reserve(items, turn, TURN_TAKEN)
        for example in self._opened():
            turn = turn_of_example(example).model_copy(update={"id": turn_id(example.id)})
            self._reserve(items, turn, TURN_TAKEN)
        return items

    def _opened(self) -> Iterator[Example]:
        """The examples that end with a 换你: of those of the course beside, the ones that a lesson opens."""
        opened = {
            step.example
            for _, part, _ in self.sources.parts if isinstance(part, Lesson)
            for section in part.sections
            for step in section.steps if isinstance(step, ExampleStep)
        }  # fmt: skip
        for name, example in self._examples.items():
            if self.beside is None or name in opened or name not in self.beside.examples:
                yield example

    def _reserve(self, items: dict[str, Item], made: Item, message: str) -> None:
        """Add an item that the program makes; its id may not be taken."""
        if made.id in items:
            self.faults.append(self.sources.items[made.id].fault((made.id,), message))
        items[made.id] = made


def _told(document: YamlDocument, error: Any, wrapped: bool) -> Fault:
    """A fault for one pydantic error; kinds, which pydantic puts into its paths, do not stand in the file."""
    path = error["loc"][wrapped:]
    return document.fault(
        path if error["type"] == "missing" else document.standing(path), schema_messages.of(error)
    )


def digest(files: Mapping[str, str | YamlDocument]) -> str:
    """A hash of all files; the same text gives the same hash."""
    whole = hashlib.sha256()
    for name in sorted(files):
        text = files[name]
        whole.update(f"{name}\0{text if isinstance(text, str) else text.text}\0".encode())
    return whole.hexdigest()[:16]
