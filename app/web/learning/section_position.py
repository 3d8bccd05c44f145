"""Where the reader of a lesson is, and all that the page of a section depends on."""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from markupsafe import Markup

from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.exercises.exercises import offered_exercises
from app.course.items.marks import Outcome, answer_outcome, answer_state
from app.course.learning.steps import CardsStep, ExampleStep
from app.course.text.typed import AddressFields
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.learning import lesson_pages
from app.records.learning.values import LessonPageData
from app.web.items.typed_answers import TypedAnswer, carried_fields, path_with_answers
from app.web.learning.stage_views import section_url
from app.web.site import slots
from app.web.site.site import Site

SEED_COUNT = 24


class TeachingSection(NamedTuple):
    """A knowledge point, and the section that teaches it."""

    name: str
    stage_title: str
    section_title: str
    url: str


class QuizResult(NamedTuple):
    """The first try counts; what nobody answered is neither right nor wrong."""

    question_count: int
    right_count: int
    unanswered_count: int
    sections_to_repeat: tuple[TeachingSection, ...]


@dataclass(frozen=True)
class SectionPosition:
    """A section, what is known of its reader, and the step (one past the last: finished).

    `lab_fields`, `toy_fields`: the fields of the address, where they ask for a lab or a toy of this section.
    `typed_answers`: what the address says was typed into items of it.
    """

    site: Site
    stage: Stage
    section: Section
    lesson_data: LessonPageData
    step_number: int
    lab_fields: AddressFields | None = None
    toy_fields: AddressFields | None = None
    typed_answers: tuple[TypedAnswer, ...] = ()

    @cached_property
    def course(self) -> Course:
        return self.site.course

    @property
    def url(self) -> str:
        return self.url_of(self.section)

    def url_of(self, section: Section) -> str:
        """Where a section of the same stage is."""
        return section_url(self.stage, section, self.site.own_address)

    @property
    def practice_url(self) -> str:
        """Where there is more of what the section asked last; nothing for own content."""
        if self.site.own_address:
            return ""
        exercise_id_by_skill_id: dict[str, str] = {}
        for exercise_id, exercise in offered_exercises(self.course.exercises).items():
            exercise_id_by_skill_id.setdefault(exercise.skill, exercise_id)
        next_practice_url = "/practice/next"
        for item_id in self.section.item_ids:
            if self.course.items[item_id].skill in exercise_id_by_skill_id:
                next_practice_url = (
                    f"/practice/{exercise_id_by_skill_id[self.course.items[item_id].skill]}?level=1"
                )
        return next_practice_url

    @property
    def step_count(self) -> int:
        return len(self.section.steps)

    @property
    def open_step_count(self) -> int:
        """How many steps are open."""
        return min(self.step_number, self.step_count)

    @property
    def is_finished(self) -> bool:
        return self.step_number > self.step_count

    @property
    def is_quiz(self) -> bool:
        return isinstance(self.section, Quiz)

    @property
    def content_key(self) -> tuple[str, ...]:
        """The section, in the text that it has now."""
        return self.site.own_address, self.course.digest, self.stage.id, self.section.id

    @property
    def page_key(self) -> tuple[Hashable, ...]:
        """What the page around the steps depends on."""
        place_keys = tuple(
            (place.section_id, place.step_number, place.step_id, place.is_done)
            for place in self.lesson_data.places
        )
        end_keys = self.quiz_result, self.uncollected_card_ids
        return (*self.content_key, self.step_number, place_keys, self.open_form_ids, *end_keys)

    @cached_property
    def open_form_ids(self) -> tuple[str, ...]:
        """The ids of the forms that wait for an answer while there is more to come, in the order of their
        steps."""
        if self.is_finished:
            return ()
        open_steps = self.section.steps[: self.open_step_count]
        asked_item_ids = [step.asked_item_id for step in open_steps if step.asked_item_id]
        return tuple([f"item-{item_id}-form" for item_id in asked_item_ids if self.is_open(item_id)])

    def is_open(self, item_id: str) -> bool:
        """Whether an item waits for an answer."""
        responses = self.lesson_data.responses_to_item(self.course.ref(item_id))
        is_probe = item_id in self.course.probe_ids
        return answer_state(self.course.items[item_id], responses, is_probe) == "open"

    @cached_property
    def quiz_result(self) -> QuizResult | None:
        """How the 小测 went, once its last question is behind."""
        if not self.is_quiz or not self.is_finished:
            return None
        return quiz_result(self.course, self.section, self.lesson_data)

    @property
    def uncollected_card_ids(self) -> tuple[str, ...]:
        """The cards of the stage that are not in the deck yet, at the end of its 小测."""
        if self.quiz_result is None:
            return ()
        card_ids_of_stage = self.course.card_ids_by_stage_id[self.stage.id]
        collected_card_refs = self.lesson_data.collected_card_refs
        return tuple(
            card_id for card_id in card_ids_of_stage if self.course.ref(card_id) not in collected_card_refs
        )

    @property
    def text_by_slot(self) -> Mapping[Markup, str]:
        """The texts for the slots of the steps: where answers go, and the page on which they are seen."""
        return {
            slots.BASE: self.answers_url,
            slots.NEXT: self.page_url(),
            slots.SEED: str(self.seed),
        }

    def page_url(self, sent_item_ids: Collection[str] = ()) -> str:
        """The page as far as it is open, with what it carries of items; the words of those whose form is sent
        go in that form."""
        other_answers = [
            typed_answer for typed_answer in self.carried_answers if typed_answer.item_id not in sent_item_ids
        ]
        return path_with_answers(f"{self.url}?step={self.open_step_count}", other_answers)

    @property
    def carried_answers(self) -> list[TypedAnswer]:
        """What was typed into items and not sent: each form of the page, and each move of a toy or a lab,
        takes it along to the page that comes."""
        return [
            typed_answer for typed_answer in self.typed_answers if typed_answer.item_id in self.course.items
        ]

    @property
    def carried_fields(self) -> tuple[tuple[str, str], ...]:
        """The same as fields of an address."""
        return tuple(carried_fields(self.carried_answers))

    @property
    def answers_url(self) -> str:
        """Where answers go: the attempt, or the lesson while there is none; those to own content, there."""
        if self.site.own_address:
            return self.site.own_address
        if self.lesson_data.attempt:
            return f"/attempts/{self.lesson_data.attempt.id}"
        return f"/lessons/{self.stage.id}"

    @property
    def seed(self) -> int:
        """The attempt's; while there is none, the forms carry one of the learner's own."""
        if self.lesson_data.attempt:
            return self.lesson_data.attempt.seed
        return seed_without_attempt(self.lesson_data.learner_id or 0, self.lesson_data.round_number)


def seed_without_attempt(learner_id: int, round_number: int) -> int:
    """What shuffles the options while there is no attempt: strangers all see the same order.

    Few seeds, so that a rendered item serves many learners; enough that neighbours see different orders.

    >>> seed_without_attempt(0, 1) == seed_without_attempt(0, 1)
    True
    >>> seed_without_attempt(1, 1) == seed_without_attempt(2, 1)
    False
    """
    return (learner_id * 7_919 + round_number * 104_729) % SEED_COUNT


def quiz_result(course: Course, section: Section, lesson_data: LessonPageData) -> QuizResult:
    """The questions of a section, counted."""
    count_by_outcome: Counter[str] = Counter()
    missed_item_ids = []
    for item_id in section.item_ids:
        item_outcome = outcome_of(course, item_id, lesson_data)
        count_by_outcome[item_outcome] += 1
        if item_outcome in ("wrong", "corrected"):
            missed_item_ids.append(item_id)
    missed_sections = tuple(sections_to_repeat(course, missed_item_ids))
    return QuizResult(
        count_by_outcome.total(), count_by_outcome["right"], count_by_outcome["new"], missed_sections
    )


def outcome_of(course: Course, item_id: str, lesson_data: LessonPageData) -> Outcome:
    """What became of an item in this lesson, its twin included; wrong and still open is wrong."""
    item = course.items[item_id]
    responses = lesson_data.responses_to_item(course.ref(item_id))
    first_answer_state = answer_state(item, responses)
    if responses and first_answer_state == "open":
        return "wrong"
    if item.twin is None:
        return answer_outcome(first_answer_state, None)
    twin_item = course.items[item.twin]
    twin_responses = lesson_data.responses_to_item(course.ref(item.twin))
    return answer_outcome(first_answer_state, answer_state(twin_item, twin_responses))


def sections_to_repeat(course: Course, item_ids: list[str]) -> Iterator[TeachingSection]:
    """Where the knowledge points of these items are taught, each once."""
    for skill_id in dict.fromkeys(course.items[item_id].skill for item_id in item_ids):
        if skill_id in course.section_by_skill_id:
            stage, section = course.section_by_skill_id[skill_id]
            url_of_section = section_url(stage, section)
            yield TeachingSection(course.skills[skill_id].name, stage.title, section.title, url_of_section)


def known_stage(course: Course, stage_id: str) -> Stage:
    """A stage with its lesson; NotFound while it has none."""
    stage = course.stage(stage_id)
    if stage is None or stage.lesson is None:
        raise NotFound("没有这一段课文，也许它还在熬糖。")
    return stage


def known_stage_and_section(course: Course, stage_id: str, section_id: str) -> tuple[Stage, Section]:
    """A section and its stage; NotFound for what is not there."""
    stage = known_stage(course, stage_id)
    section = stage.section(section_id)
    if section is None:
        raise NotFound(f"《{stage.title}》里没有这一节。")
    return stage, section


async def read_lesson(site: Site, caller: Caller, stage: Stage, section: Section) -> LessonPageData:
    """All that the page of a section must know of its reader."""
    refs_of_section = stage_and_example_and_card_refs(site.course, stage, section)
    return await site.db.glance(lesson_pages.load_lesson, caller, *refs_of_section)


def stage_and_example_and_card_refs(
    course: Course, stage: Stage, section: Section
) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    """What is to be read for a section: its stage, its examples and the cards that it offers, as refs."""
    example_ids = [step.example for step in section.steps if isinstance(step, ExampleStep)]
    example_refs = tuple(map(course.ref, example_ids))
    card_refs = tuple(map(course.ref, offered_card_ids(course, stage, section)))
    return course.ref(stage.id), example_refs, card_refs


def offered_card_ids(course: Course, stage: Stage, section: Section) -> list[str]:
    """The cards that a section offers to collect: those of its steps, after the 小测 all of the stage."""
    if isinstance(section, Quiz):
        return list(course.card_ids_by_stage_id[stage.id])
    card_ids: list[str] = []
    for step in section.steps:
        if isinstance(step, CardsStep):
            card_ids += step.cards
    return card_ids
