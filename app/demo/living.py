"""How one learner lives through the term: which days they sit down, and what they do then."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random

from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.games.duel_play import Duel, path
from app.course.learning.steps import AnyStep, Ask, CardsStep, ExampleStep, Recap
from app.demo.answering import answer
from app.demo.people import DemoStudent
from app.records.accounts.values import Caller
from app.records.cards import decks, review_queue, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning import attempts, lesson_progress, reveals
from app.records.learning.values import Answer, Guess, Target

MOST_TRIES = 3
SECTIONS_A_DAY = (1, 2, 2, 3)
AHEAD = 1
"""So many stages one may be ahead of the class."""


@dataclass
class Life:
    """A learner with a clock of their own; what they do goes through the verbs of every learner."""

    session: VerbSession
    course: Course
    student: DemoStudent
    caller: Caller
    seed: int
    clock: datetime
    chance: Random = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        self.chance = Random(self.student.name)  # noqa: S311  # the same term at every start

    def spend(self, low: int, high: int) -> int:
        """Let seconds pass; how many."""
        seconds = self.chance.randint(low, high)
        self.clock += timedelta(seconds=seconds)
        return seconds

    def sit_down(self, at: datetime, stages: int) -> None:
        """An evening: some sections, as far as the class has come, some practice, the cards that are due."""
        self.clock = at
        for stage, section in self.next_sections(stages):
            self.walk(stage, section)
        if self.done and self.chance.random() < 0.5:
            self.practise(self.chance.randint(2, 5))
        self.review(self.chance.randint(3, 8))
        if self.done > 8 and self.chance.random() < 0.06:
            self.play(self.chance.randint(1, 900))

    def next_sections(self, stages: int) -> Iterator[tuple[Stage, Section]]:
        """The sections that come, at most those of the stages that were taught."""
        sections: list[tuple[Stage, Section]] = []
        for stage in self.course.stages[: stages + AHEAD]:
            sections += [(stage, section) for section in stage.sections]
        yield from sections[self.done : self.done + self.chance.choice(SECTIONS_A_DAY)]

    def walk(self, stage: Stage, section: Section) -> None:
        ref = self.course.ref(stage.id)
        for number, step in enumerate(section.steps, start=1):
            self.spend(15, 50)
            lesson_progress.keep(self.session, self.caller, ref, section.id, number, False, self.clock)
            self.do_step(stage, step)
        lesson_progress.keep(self.session, self.caller, ref, section.id, len(section.steps), True, self.clock)
        self.done += 1
        if isinstance(section, Quiz):
            self.collect(self.course.card_sets[stage.id])

    def do_step(self, stage: Stage, step: AnyStep) -> None:
        """What the step asks for."""
        match step:
            case Ask(item=item) | Recap(item=str(item)):
                self.solve(Target(source="lesson", ref=self.course.ref(stage.id), seed=self.seed), item)
            case ExampleStep(example=example):
                self.open(example)
            case CardsStep(cards=cards):
                self.collect(cards)

    def collect(self, cards: Sequence[str]) -> None:
        """Put cards into the deck; who seldom comes does not bother."""
        if self.student.diligence > 0.3:
            names = [(self.course.ref(card), self.course.card_skill(card) or card) for card in cards]
            decks.collect(self.session, self.caller, names, self.clock)

    def solve(self, target: Target, item_id: str) -> None:
        """Try until it is right, or the item takes no more; a hint now and then."""
        item, ref = self.course.variant(item_id, target.seed), self.course.ref(item_id)
        if item.hints and item_id not in self.course.probes and self.is_unsure():
            attempts.hint(self.session, self.caller, target, ref, 1, self.clock)
        for number in range(1, MOST_TRIES + 1):
            seconds = self.spend(12, 55 * item.minutes)
            typed = Answer(ref, number, answer(item, self.student, number, self.chance), seconds)
            log = attempts.respond(self.session, self.caller, target, typed, self.course, self.clock)
            if log.of(ref)[-1].verdict == "right" or item.one_shot or item_id in self.course.probes:
                return
            if item.hints and self.chance.random() < 0.4:
                opened = log.hints.get(ref, 0) + 1
                attempts.hint(self.session, self.caller, target, ref, opened, self.clock)

    def is_unsure(self) -> bool:
        """Whether one looks at a hint before writing anything: the weaker, the more often."""
        return self.chance.random() < (1 - self.student.skill) / 2

    def open(self, example_id: str) -> None:
        """Term by term; who is in a hurry looks without a guess."""
        for position, _ in enumerate(self.course.openings(example_id), start=1):
            self.spend(5, 15)
            guess = Guess(position)
            is_guessed = self.chance.random() < self.student.diligence + 0.2
            is_right = self.chance.random() < self.student.skill
            if is_guessed:
                guess = Guess(position, "more" if is_right else "less", is_right)
            reveals.open(self.session, self.caller, self.course.ref(example_id), guess, self.clock)

    def practise(self, count: int) -> None:
        """Variants of one exercise whose knowledge point was met."""
        skills = self.skills_met()
        open_exercises = [
            name for name, exercise in self.course.exercises.items() if exercise.skill in skills
        ]
        if not open_exercises:
            return
        exercise = self.chance.choice(open_exercises)
        level = self.chance.choice((1, 1, 2))
        item_id = f"practice-{exercise}-{level}"
        start = self.chance.randint(1, 9000)
        for seed in range(start, start + count):
            ref = self.course.ref(f"{item_id}-{seed}")
            self.solve(Target(source="practice", ref=ref, seed=seed), item_id)

    def skills_met(self) -> set[str | None]:
        """The skills of all items in the sections that are done."""
        sections = [section for stage in self.course.stages for section in stage.sections]
        skills: set[str | None] = set()
        for section in sections[: self.done]:
            for ref in self.course.items_of(section.id):
                item = self.course.items.get(self.course.bare(ref))
                if item:
                    skills.add(item.skill)
        return skills

    def review(self, most: int) -> None:
        """The cards that are due; who knew it better remembers better."""
        for _ in range(most):
            queue = review_queue.load_review(self.session, self.caller, self.clock)
            if queue.card is None:
                return
            rating = Rating.AGAIN
            if self.chance.random() < self.student.skill + 0.04:
                rating = Rating.GOOD
            card_rating = CardRating(queue.card.card, queue.number, rating, float(self.spend(4, 20)))
            reviews.review(self.session, self.caller, card_rating, self.clock)

    def play(self, seed: int) -> None:
        """谁的推荐更懂我, to its end."""
        play = Play("duel", 0, seed)
        is_right = self.chance.random() < self.student.skill
        for position, (name, raw) in enumerate(path(seed, is_right), start=1):
            self.spend(3, 20)
            move = Move(position, name, raw)
            plays.move(self.session, self.caller, play, move, Duel(seed), self.clock)
