"""Where the reader of a lesson is, and all that the page of a section depends on."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from functools import cached_property

from markupsafe import Markup

from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.learning.labs.lambdarank import Query
from app.records.learning.values import LessonPageData
from app.web.learning.quiz_views import QuizResult, result
from app.web.learning.stage_views import section_url
from app.web.site import slots
from app.web.site.site import Site

SEEDS = 24


@dataclass(frozen=True)
class SectionPosition:
    """A section, what is known of its reader, and the step (one past the last: finished).

    `lab_query`: the fields of the address, where they ask for a lab of this section.
    """

    site: Site
    stage: Stage
    section: Section
    lesson: LessonPageData
    step: int
    lab_query: Query | None = None

    @property
    def course(self) -> Course:
        return self.site.course

    @property
    def url(self) -> str:
        return section_url(self.stage, self.section, self.site.own)

    @property
    def total(self) -> int:
        return len(self.section.steps)

    @property
    def shown(self) -> int:
        """How many steps are open."""
        return min(self.step, self.total)

    @property
    def finished(self) -> bool:
        return self.step > self.total

    @property
    def is_quiz(self) -> bool:
        return isinstance(self.section, Quiz)

    @property
    def key(self) -> tuple[Hashable, ...]:
        """What the page around the steps depends on."""
        places = tuple((place.section, place.step, place.done) for place in self.lesson.places)
        return (
            self.site.own,
            self.course.digest,
            self.stage.id,
            self.section.id,
            self.step,
            places,
            self.result,
            self.uncollected,
        )

    @cached_property
    def result(self) -> QuizResult | None:
        """How the 小测 went, once its last question is behind."""
        if not self.is_quiz or not self.finished:
            return None
        return result(self.course, self.section, self.lesson)

    @property
    def uncollected(self) -> tuple[str, ...]:
        """The cards of the stage that are not in the deck yet, at the end of its 小测."""
        if self.result is None:
            return ()
        cards = self.course.card_sets[self.stage.id]
        return tuple(card for card in cards if self.course.ref(card) not in self.lesson.collected)

    @property
    def steps_key(self) -> tuple[Hashable, ...]:
        """What the steps depend on: the answers, hints, openings and collected cards of this section."""
        lesson = self.lesson
        items = self.course.items_of(self.section.id)
        responses = [(row.item, row.verdict, row.raw) for row in lesson.responses if row.item in items]
        hints = [(item, count) for item, count in lesson.hints.items() if item in items]
        reveals = [(ref, reveal.shown, reveal.guesses[-1:]) for ref, reveal in lesson.reveals.items()]
        return (
            self.site.own,
            self.course.digest,
            self.section.id,
            self.step,
            self.seed,
            tuple(responses),
            tuple(hints),
            tuple(reveals),
            lesson.collected,
        )

    @property
    def own(self) -> Mapping[Markup, str]:
        """The texts for the slots of the steps: where answers go, and the page on which they are seen."""
        return {slots.BASE: self.base, slots.NEXT: f"{self.url}?step={self.shown}"}

    @property
    def base(self) -> str:
        """Where answers go: the attempt, or the lesson while there is none; those to own content, there."""
        if self.site.own:
            return self.site.own
        if self.lesson.attempt:
            return f"/attempts/{self.lesson.attempt.id}"
        return f"/lessons/{self.stage.id}"

    @property
    def seed(self) -> int:
        """The attempt's; while there is none, the forms carry one of the learner's own."""
        if self.lesson.attempt:
            return self.lesson.attempt.seed
        return seed_of(self.lesson.learner_id or 0, self.lesson.round)


def seed_of(learner_id: int, nth_round: int) -> int:
    """What shuffles the options while there is no attempt: strangers all see the same order.

    Few seeds, so that a rendered item serves many learners; enough that neighbours see different orders.

    >>> seed_of(0, 1) == seed_of(0, 1), seed_of(1, 1) == seed_of(2, 1)
    (True, False)
    """
    return (learner_id * 7_919 + nth_round * 104_729) % SEEDS
