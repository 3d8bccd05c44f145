"""A course, parsed and checked: what web and records ask."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain

from app.course.cards import decks
from app.course.content import model, refs
from app.course.content.model import Card, GlossaryTerm, PlacementEntry, Section, Skill, Stage, StageSection
from app.course.content.recently_used import MOST_VARIANTS, RecentHtml, RecentlyUsed
from app.course.content.refs import StepPlace
from app.course.content.skills import (
    PractisedSkill,
    SkillCredit,
    SkillPositions,
    practised_skills,
    skill_credit_by_item_id,
)
from app.course.exercises import exercises as exercise_variants
from app.course.exercises.exercises import Exercise
from app.course.exercises.scenes import Scene, ladder_by_query
from app.course.games.words import Games
from app.course.items.examples import Example
from app.course.items.kinds import Generated, Item, Rubric, ShortAnswer
from app.course.items.marks import ItemGone, Mark
from app.course.learning import figures, figures_in_text, reveal_sequence
from app.course.learning.coding import CodeExercise
from app.course.learning.figures_in_text import AnyValue
from app.course.learning.reveal_sequence import GuessStyle, RevealPosition
from app.course.learning.steps import AnyStep, Ask, ExampleStep
from app.course.reference.bands import BandTable
from app.course.reference.errata import Case, case_item_id
from app.course.text import markdown


@dataclass(frozen=True)
class Course:
    """Everything there is to learn. Ids are bare inside; `ref` qualifies them for the records."""

    prefix: str
    title: str
    stages: tuple[Stage, ...]
    placement: tuple[PlacementEntry, ...]
    items: Mapping[str, Item]
    examples: Mapping[str, Example]
    value_by_name: Mapping[str, AnyValue]
    cards: Mapping[str, Card]
    glossary: tuple[GlossaryTerm, ...]
    bands: tuple[BandTable, ...]
    skills: Mapping[str, Skill]
    scenes: Mapping[str, Scene]
    exercises: Mapping[str, Exercise]
    digest: str
    errata: Mapping[str, Case] = field(default_factory=dict)
    code_exercises: Mapping[str, CodeExercise] = field(default_factory=dict)
    games: Games | None = None
    _html_cache: RecentHtml[tuple[str, bool]] = field(default_factory=RecentHtml, repr=False, compare=False)
    _variant_cache: RecentlyUsed[tuple[str, int], Item] = field(
        default_factory=lambda: RecentlyUsed(MOST_VARIANTS), repr=False, compare=False
    )
    _reveal_positions_by_example_id: dict[str, tuple[RevealPosition, ...]] = field(
        default_factory=dict, repr=False, compare=False
    )

    def with_items(self, item_by_id: Mapping[str, Item]) -> "Course":
        """This course with other items; what was rendered of its texts is shared."""
        return replace(self, items=item_by_id, _variant_cache=RecentlyUsed(MOST_VARIANTS))

    def ref(self, item_id: str) -> str:
        """The id as records keep it: `content:two-systems-a`."""
        return f"{self.prefix}:{item_id}"

    def bare_id(self, content_ref: str) -> str:
        """The id inside this course, also of a question; one of another course keeps its prefix."""
        return refs.bare_id(content_ref, self.prefix)

    # Texts and figures.

    def html(self, markdown_text: str) -> str:
        """A text as HTML paragraphs; rendered once."""
        return self._rendered_html(markdown_text, is_line=False)

    def line_html(self, markdown_text: str) -> str:
        """A text as HTML without a paragraph around it."""
        return self._rendered_html(markdown_text, is_line=True)

    def _rendered_html(self, markdown_text: str, is_line: bool) -> str:
        html = self._html_cache.recall((markdown_text, is_line))
        if html is not None:
            return html
        filled_text = figures_in_text.fill(markdown_text, self.examples, self.value_by_name)
        render = markdown.render
        if is_line:
            render = markdown.render_line
        return self._html_cache.keep((markdown_text, is_line), render(filled_text, self.glossary_name_by_id))

    @cached_property
    def ladder_by_scene_query(self) -> Mapping[str, str]:
        """What each grade asks for in a scene, by the query of the scene."""
        return ladder_by_query(self.scenes)

    @cached_property
    def glossary_name_by_id(self) -> Mapping[str, str]:
        """What the glossary calls its entries, by id."""
        return {glossary_term.id: glossary_term.zh for glossary_term in self.glossary}

    def figure(self, figure_id: str, example_id: str | None) -> str:
        """The SVG of a figure."""
        example = None if example_id is None else self.examples[example_id]
        return figures.draw(figure_id, example)

    # Stages, sections and steps.

    def stage(self, stage_id: str) -> Stage | None:
        for stage in self.stages:
            if stage.id == stage_id:
                return stage
        return None

    def section_of(self, stage_ref: str, section_id: str) -> Section | None:
        """A section, by the ref of its stage; None for what this course does not have."""
        stage = self.stage(self.bare_id(stage_ref))
        return None if stage is None else stage.section(section_id)

    def next_stage(self, stage_id: str) -> Stage | None:
        """The stage after this one, announced or not; None after the last. ValueError for an unknown id."""
        stage_index = [stage.id for stage in self.stages].index(stage_id)
        return next(iter(self.stages[stage_index + 1 :]), None)

    @cached_property
    def steps(self) -> tuple[AnyStep, ...]:
        """Every step of every lesson, in order."""
        return tuple(chain.from_iterable(section.steps for _, section in self._stage_sections))

    @cached_property
    def _stage_sections(self) -> Sequence[StageSection]:
        stage_sections = []
        for stage in self.stages:
            stage_sections += [StageSection(stage, section) for section in stage.sections]
        return stage_sections

    @cached_property
    def section_by_skill_id(self) -> Mapping[str, StageSection]:
        """Where each skill is taught: the first section that asks for it, probes and 小测 aside."""
        return model.section_by_taught_skill(self.stages, self.items)

    @cached_property
    def skill_ids_by_section_ids(self) -> Mapping[tuple[str, str], Sequence[str]]:
        """The skills that a section teaches, by the ref of its stage and its id."""
        skill_ids_by_section_ids = defaultdict[tuple[str, str], list[str]](list)
        for skill_id, (stage, section) in self.section_by_skill_id.items():
            skill_ids_by_section_ids[self.ref(stage.id), section.id].append(skill_id)
        return dict(skill_ids_by_section_ids)

    @cached_property
    def section_by_item_id(self) -> Mapping[str, StageSection]:
        """The first section that asks an item, for every item of the lessons."""
        return model.section_by_asked_item(self._stage_sections, self.items)

    def refs_asked_in_section(
        self, stage_id: str, section_id: str, furthest_step: StepPlace | None = None
    ) -> frozenset[str]:
        """Refs of what the steps of a section ask, up to `furthest_step`; none for one that is gone."""
        section = self.section_of(stage_id, section_id)
        if section is None:
            return frozenset()
        return frozenset(map(self.ref, section.item_ids_until(furthest_step)))

    @cached_property
    def item_refs_by_step_ids(self) -> Mapping[tuple[str, str], tuple[str, ...]]:
        """Refs of what each step asks, its item and twin or 换你, by the ids of its section and its own."""
        item_refs_by_step_ids = {}
        for _, section in self._stage_sections:
            for step in section.steps:
                asked_item_ids = model.item_ids_of_step(step, self.items)
                item_refs_by_step_ids[section.id, step.id] = tuple(map(self.ref, asked_item_ids))
        return item_refs_by_step_ids

    # Items and answers.

    def item(self, item_ref: str) -> Item:
        """An item by its ref or its bare id, without a seed; ItemGone for one that is not here."""
        item = self.items.get(self.bare_id(item_ref))
        if item is None:
            raise ItemGone(item_ref)
        return item

    def variant(self, item_id: str, seed: int) -> Item:
        """An item as the learner with this seed sees it."""
        variant = self._variant_cache.recall((item_id, seed))
        if variant is not None:
            return variant
        item = self.item(item_id)
        if isinstance(item, Generated):
            variant = exercise_variants.make_variant(item, self.exercises[item.exercise], self.scenes, seed)
        else:
            variant = item.variant(seed)
        return self._variant_cache.keep((item_id, seed), variant)

    def mark(
        self,
        item_ref: str,
        seed: int,
        raw_answer: Sequence[str],
        try_number: int = 1,
        raw_answer_before: Sequence[str] | None = None,
    ) -> Mark:
        """Mark an answer to an item; raises `Unreadable`, and `ItemGone` where it is not here."""
        return self.variant(self.bare_id(item_ref), seed).mark(raw_answer, try_number, raw_answer_before)

    def version_hash_and_body(self, item_ref: str, seed: int = 0) -> tuple[str, str]:
        """Hash and JSON body of an item as it is now, to be frozen with the first answer."""
        item = self.item(item_ref)
        if isinstance(item, Generated):
            return self.variant(item.id, seed).frozen_hash_and_body()
        if item.id not in self._hash_and_body_by_item_id:
            self._hash_and_body_by_item_id[item.id] = item.frozen_hash_and_body()
        return self._hash_and_body_by_item_id[item.id]

    @cached_property
    def _hash_and_body_by_item_id(self) -> dict[str, tuple[str, str]]:
        """Of the items that were answered, filled as they are."""
        return {}

    def has_one_try_only(self, item_ref: str) -> bool:
        """Whether guessing again would give the answer away."""
        return self.item(item_ref).has_one_try_only

    def rubric(self, item_ref: str) -> Rubric:
        """What a teacher holds an answer against; empty where a program marks, or nobody does."""
        item = self.item(item_ref)
        if isinstance(item, ShortAnswer):
            return item.rubric
        return ()

    @cached_property
    def item_id_by_twin_id(self) -> Mapping[str, str]:
        """Twin → the item it stands for."""
        return {item.twin: item.id for item in self.items.values() if item.twin}

    @cached_property
    def ref_by_twin_ref(self) -> Mapping[str, str]:
        """Twin → the item it stands for, both as the records name them."""
        return {self.ref(twin_id): self.ref(item_id) for twin_id, item_id in self.item_id_by_twin_id.items()}

    @cached_property
    def case_id_by_item_id(self) -> Mapping[str, str]:
        """The item of a case → the case."""
        return {case_item_id(case_id): case_id for case_id in self.errata}

    @cached_property
    def probe_ids(self) -> frozenset[str]:
        """Items that are asked before anything was taught; they are never scored."""
        probe_ids = {placement_entry.item for placement_entry in self.placement}
        for step in self.steps:
            if isinstance(step, Ask) and step.probe:
                probe_ids.add(step.item)
        return frozenset(probe_ids)

    @cached_property
    def unscored_item_ids(self) -> frozenset[str]:
        """Items that count for nothing: probes, and those that nobody marks."""
        return self.probe_ids.union(item.id for item in self.items.values() if isinstance(item, ShortAnswer))

    @cached_property
    def unscored_refs(self) -> frozenset[str]:
        """Items that count for nothing, as the records name them."""
        return frozenset(map(self.ref, self.unscored_item_ids))

    @cached_property
    def scored_positions(self) -> SkillPositions:
        """Where in a row of items, as the records name them, the scored ones of each skill stand."""
        scored_items = [item for item in self.items.values() if item.id not in self.unscored_item_ids]
        return SkillPositions({self.ref(item.id): item.skill for item in scored_items})

    def scored_item_ids(self, stage: Stage) -> tuple[str, ...]:
        """Ids of the items of a stage that count, in order."""
        return tuple(item_id for item_id in stage.asked_item_ids if item_id not in self.unscored_item_ids)

    # Examples.

    def reveal_positions(self, example_id: str) -> tuple[RevealPosition, ...]:
        """The opening sequence of an example, guessed in the style of its first lesson."""
        if example_id not in self._reveal_positions_by_example_id:
            guess_style = self.guess_style_by_example_id.get(example_id, "compare")
            self._reveal_positions_by_example_id[example_id] = reveal_sequence.reveal_sequence(
                self.examples[example_id], guess_style
            )
        return self._reveal_positions_by_example_id[example_id]

    @cached_property
    def guess_style_by_example_id(self) -> Mapping[str, GuessStyle]:
        """How each example is guessed where a lesson first shows it."""
        guess_style_by_id: dict[str, GuessStyle] = {}
        for step in self.steps:
            if isinstance(step, ExampleStep):
                guess_style_by_id.setdefault(step.example, step.guess)
        return guess_style_by_id

    # Skills and cards.

    @cached_property
    def practised_skills(self) -> Mapping[str, PractisedSkill]:
        """The skills as they are practised, with the items of the lessons."""
        lesson_item_ids = []
        teaching_item_ids = set()
        for stage in self.stages:
            for item_id in self.scored_item_ids(stage):
                lesson_item_ids.append(item_id)
                stage_section = self.section_by_skill_id.get(self.items[item_id].skill)
                if stage_section and stage_section.stage is stage:
                    teaching_item_ids.add(item_id)
        return practised_skills(self.skills, self.exercises, self.items, lesson_item_ids, teaching_item_ids)

    @cached_property
    def skill_credit_by_item_id(self) -> Mapping[str, SkillCredit]:
        """Item → the skill that an answer to it counts for."""
        return skill_credit_by_item_id(self.practised_skills, self.exercises, self.items)

    @cached_property
    def counted_refs_by_skill_id(self) -> Mapping[str, tuple[str, ...]]:
        """Skill → the items that count for it, as the records name them."""
        item_refs_by_skill_id = defaultdict[str, list[str]](list)
        for item_id, skill_credit in self.skill_credit_by_item_id.items():
            item_refs_by_skill_id[skill_credit.skill_id].append(self.ref(item_id))
        return {skill_id: tuple(item_refs) for skill_id, item_refs in item_refs_by_skill_id.items()}

    @cached_property
    def drill_by_id(self) -> Mapping[str, decks.Drill]:
        """The cards that ask to compute, by id."""
        return decks.drill_by_id(self.exercises)

    @cached_property
    def card_ids_by_stage_id(self) -> Mapping[str, tuple[str, ...]]:
        """The cards of each stage: those it wrote, then those that compute what it teaches."""
        card_ids_by_stage_id = {stage.id: stage.card_ids for stage in self.stages}
        for drill in self.drill_by_id.values():
            stage_section = self.section_by_skill_id.get(drill.skill)
            if stage_section and drill.misconception_id is None:
                card_ids_by_stage_id[stage_section.stage.id] += (drill.id,)
        return card_ids_by_stage_id

    def skill_id_of_card(self, card_id: str) -> str | None:
        """The skill of a card or of a drill; None for one that is not here (any more)."""
        card_or_drill = self.cards.get(card_id) or self.drill_by_id.get(card_id)
        if card_or_drill is None:
            return None
        return card_or_drill.skill
