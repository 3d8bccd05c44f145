"""A course, parsed and checked: what web and records ask."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from app.course.cards import decks
from app.course.content.model import Card, GlossaryTerm, Lesson, PlacementEntry, Quiz, Section, Skill
from app.course.content.skills import Counted, PractisedSkill, counted_items, practised_skills
from app.course.exercises import exercises as exercise_variants
from app.course.exercises.exercises import Exercise
from app.course.exercises.scenes import Scene
from app.course.games.words import Games
from app.course.items.examples import Example
from app.course.items.kinds import Generated, Item, Short
from app.course.items.marks import Mark
from app.course.learning import figures, figures_in_text, reveal_sequence
from app.course.learning.coding import CodeExercise
from app.course.learning.figures_in_text import Value
from app.course.learning.reveal_sequence import RevealPosition, Style
from app.course.learning.steps import AnyStep, Ask, ExampleStep, Recap
from app.course.reference.bands import BandTable
from app.course.reference.errata import Case, item_id
from app.course.text import markdown

MOST_KEPT = 20_000
"""How many texts and variants are kept rendered."""


@dataclass(frozen=True)
class Stage:
    """A stage of the course; `lesson` is None while it is only announced. `cards`, `examples` are ids."""

    id: str
    number: int
    title: str
    summary: str
    lesson: Lesson | None
    quiz: Quiz | None = None
    cards: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()

    @cached_property
    def sections(self) -> Sequence[Section]:
        """What is walked through: the sections of the lesson, and the 小测 as the last one."""
        return [*(self.lesson.sections if self.lesson else ()), *([self.quiz] if self.quiz else ())]

    @property
    def goals(self) -> Sequence[str]:
        return self.lesson.goals if self.lesson else ()

    def section(self, section_id: str) -> Section | None:
        return next((section for section in self.sections if section.id == section_id), None)

    def next_section(self, section_id: str) -> Section | None:
        """The section after this one in the same stage."""
        ids = [section.id for section in self.sections]
        after = ids.index(section_id) + 1
        return self.sections[after] if after < len(ids) else None

    @cached_property
    def asked_items(self) -> tuple[str, ...]:
        """Ids of the items that are asked in the lesson, probes aside, in order."""
        steps = [step for section in self.sections for step in section.steps]
        asked = [step.item for step in steps if isinstance(step, Ask) and not step.probe]
        looked_back = [step.item for step in steps if isinstance(step, Recap) and step.item]
        return tuple(dict.fromkeys(asked + looked_back))


@dataclass(frozen=True)
class Course:
    """Everything there is to learn. Ids are bare inside; `ref` qualifies them for the records."""

    prefix: str
    title: str
    stages: tuple[Stage, ...]
    placement: tuple[PlacementEntry, ...]
    items: Mapping[str, Item]
    examples: Mapping[str, Example]
    values: Mapping[str, Value]
    cards: Mapping[str, Card]
    glossary: tuple[GlossaryTerm, ...]
    bands: tuple[BandTable, ...]
    skills: Mapping[str, Skill]
    scenes: Mapping[str, Scene]
    exercises: Mapping[str, Exercise]
    digest: str
    errata: Mapping[str, Case] = field(default_factory=dict)
    code: Mapping[str, CodeExercise] = field(default_factory=dict)
    games: Games | None = None
    _html: dict[tuple[str, bool], str] = field(default_factory=dict, repr=False)
    _variants: dict[tuple[str, int], Item] = field(default_factory=dict, repr=False)
    _openings: dict[tuple[str, Style], tuple[RevealPosition, ...]] = field(default_factory=dict, repr=False)

    def stage(self, stage_id: str) -> Stage | None:
        return next((stage for stage in self.stages if stage.id == stage_id), None)

    def next_stage(self, stage_id: str) -> Stage | None:
        """The stage after this one, announced or not."""
        after = [stage.id for stage in self.stages].index(stage_id) + 1
        return self.stages[after] if after < len(self.stages) else None

    def ref(self, bare: str) -> str:
        """The id as records keep it: `content:two-systems-a`."""
        return f"{self.prefix}:{bare}"

    def bare(self, ref: str) -> str:
        """The id inside this course; an id of another course keeps its prefix.

        A question of an assignment, `content:two-systems-a#3`, is about the item before its number.
        """
        return ref.removeprefix(f"{self.prefix}:").partition("#")[0]

    def html(self, text: str) -> str:
        """A text as HTML paragraphs; rendered once."""
        return self._rendered(text, line=False)

    def line(self, text: str) -> str:
        """A text as HTML without a paragraph around it."""
        return self._rendered(text, line=True)

    def _rendered(self, text: str, line: bool) -> str:
        key = (text, line)
        if key not in self._html:
            if len(self._html) > MOST_KEPT:
                self._html.clear()
            filled = figures_in_text.fill(text, self.examples, self.values)
            render = markdown.render_line if line else markdown.render
            self._html[key] = render(filled, self.terms)
        return self._html[key]

    @cached_property
    def terms(self) -> Mapping[str, str]:
        """What the glossary calls its entries, by id."""
        return {term.id: term.zh for term in self.glossary}

    def variant(self, item_id: str, seed: int) -> Item:
        """An item as the learner with this seed sees it."""
        key = (item_id, seed)
        if key not in self._variants:
            if len(self._variants) > MOST_KEPT:
                self._variants.clear()
            self._variants[key] = self._made(self.items[item_id], seed)
        return self._variants[key]

    def _made(self, item: Item, seed: int) -> Item:
        if isinstance(item, Generated):
            return exercise_variants.make(item, self.exercises[item.exercise], self.scenes, seed)
        return item.variant(seed)

    def mark(
        self,
        item_ref: str,
        seed: int,
        raw: Sequence[str],
        tries: int = 1,
        before: Sequence[str] | None = None,
    ) -> Mark:
        """Mark an answer to an item; raises `Unreadable`, and KeyError for an item that is not here."""
        return self.variant(self.bare(item_ref), seed).mark(raw, tries, before)

    def version(self, item_ref: str, seed: int = 0) -> tuple[str, str]:
        """Hash and JSON body of an item as it is now, to be frozen with the first answer."""
        item_id = self.bare(item_ref)
        if isinstance(self.items[item_id], Generated):
            return _version(self.variant(item_id, seed))
        return self._versions[item_id]

    def one_shot(self, item_ref: str) -> bool:
        """Whether guessing again would give the answer away."""
        return self.items[self.bare(item_ref)].one_shot

    @cached_property
    def _versions(self) -> Mapping[str, tuple[str, str]]:
        return {item_id: _version(item) for item_id, item in self.items.items()}

    def openings(self, example_id: str, style: Style | None = None) -> tuple[RevealPosition, ...]:
        """The opening sequence of an example; without a style of guessing, in that of its first lesson."""
        key = (example_id, style or self.styles.get(example_id, "compare"))
        if key not in self._openings:
            self._openings[key] = reveal_sequence.reveal_sequence(self.examples[example_id], key[1])
        return self._openings[key]

    @cached_property
    def steps(self) -> tuple[AnyStep, ...]:
        """Every step of every lesson, in order."""
        return tuple(step for stage in self.stages for section in stage.sections for step in section.steps)

    @cached_property
    def homes(self) -> Mapping[str, tuple[Stage, Section]]:
        """Where each knowledge point is at home: the first section that asks for it, probes aside."""
        found: dict[str, tuple[Stage, Section]] = {}
        for stage in self.stages:
            for section in stage.lesson.sections if stage.lesson else ():
                for item in self._scored_in(section):
                    found.setdefault(self.items[item].skill, (stage, section))
        return found

    @cached_property
    def asked_in(self) -> Mapping[str, tuple[Stage, Section]]:
        """The first section that asks an item, for every item of the lessons."""
        places = [(stage, section) for stage in self.stages for section in stage.sections]
        return {
            item: place
            for place in reversed(places)
            for item in (self.bare(ref) for ref in self.items_of(place[1].id))
        }

    def _scored_in(self, section: Section) -> Iterator[str]:
        for step in section.steps:
            item = step.refers_to().get("item")
            if item is not None and item in self.items and not (isinstance(step, Ask) and step.probe):
                yield item

    @cached_property
    def styles(self) -> Mapping[str, Style]:
        """How each example is guessed where a lesson first shows it."""
        return {step.example: step.guess for step in reversed(self.steps) if isinstance(step, ExampleStep)}

    @cached_property
    def twin_of(self) -> Mapping[str, str]:
        """Twin → the item it stands for."""
        return {item.twin: item.id for item in self.items.values() if item.twin}

    @cached_property
    def probes(self) -> frozenset[str]:
        """Items that are asked before anything was taught; they are never scored."""
        asked = {step.item for step in self.steps if isinstance(step, Ask) and step.probe}
        return frozenset(asked | {entry.item for entry in self.placement})

    @cached_property
    def unscored(self) -> frozenset[str]:
        """Items that count for nothing: probes, and those that nobody marks."""
        return self.probes | {item.id for item in self.items.values() if isinstance(item, Short)}

    def scored_items(self, stage: Stage) -> tuple[str, ...]:
        """Ids of the items of a stage that count, in order."""
        return tuple(one for one in stage.asked_items if one not in self.unscored)

    @cached_property
    def points(self) -> Mapping[str, PractisedSkill]:
        """The knowledge points as they are practised: fixed items are those of the stage that teaches it."""
        at_home = [
            item
            for stage in self.stages
            for item in self.scored_items(stage)
            if (home := self.homes.get(self.items[item].skill)) and home[0] is stage
        ]
        return practised_skills(self.skills, self.exercises, self.items, at_home)

    @cached_property
    def counted(self) -> Mapping[str, Counted]:
        """Item → the point that an answer to it counts for."""
        return counted_items(self.points, self.exercises, self.items)

    def items_of(self, section_id: str) -> frozenset[str]:
        """The items of a section with their twins and 换你, as the records name them."""
        return self._items_of[section_id]

    @cached_property
    def _items_of(self) -> Mapping[str, frozenset[str]]:
        sections = [section for stage in self.stages for section in stage.sections]
        return {section.id: frozenset(map(self.ref, self._asked_in(section))) for section in sections}

    def _asked_in(self, section: Section) -> Iterator[str]:
        for step in section.steps:
            names = step.refers_to()
            asked = [names["item"]] if "item" in names else []
            turns = [self.turn_of(step.example)] if isinstance(step, ExampleStep) else []
            for one in asked + turns:
                yield one
                yield from filter(None, [self.items[one].twin])

    @cached_property
    def drills(self) -> Mapping[str, decks.Drill]:
        """The cards that ask to compute, by id."""
        return decks.drills(self.exercises)

    @cached_property
    def card_sets(self) -> Mapping[str, tuple[str, ...]]:
        """The cards of each stage: those it wrote, then those that compute what it teaches."""
        at_home = {skill: stage.id for skill, (stage, _) in self.homes.items()}
        return {
            stage.id: stage.cards
            + tuple(
                one.id for one in self.drills.values()
                if at_home.get(one.skill) == stage.id and one.mistake is None
            )
            for stage in self.stages
        }  # fmt: skip

    def card_skill(self, card_id: str) -> str | None:
        """The knowledge point of a card or of a drill; None for one that is not here (any more)."""
        found = self.cards.get(card_id) or self.drills.get(card_id)
        return found.skill if found else None

    @cached_property
    def case_of(self) -> Mapping[str, str]:
        """The item of a case → the case."""
        return {item_id(case_id): case_id for case_id in self.errata}

    def turn_of(self, example_id: str) -> str:
        """The item of 换你 at the end of an example."""
        return turn_id(example_id)

    def figure(self, name: str, example_id: str | None) -> str:
        """The SVG of a figure."""
        return figures.draw(name, self.examples[example_id] if example_id else None)


def turn_id(example_id: str) -> str:
    """The id of the 换你 at the end of an example."""
    return f"{example_id}-example-turn"


def _version(item: Item) -> tuple[str, str]:
    body = json.dumps(item.model_dump(mode="json"), ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(body.encode()).hexdigest()[:32], body
