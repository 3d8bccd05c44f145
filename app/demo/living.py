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
    pupil: DemoStudent
    who: Caller
    seed: int
    clock: datetime
    chance: Random = field(init=False)
    done: int = 0

    def __post_init__(self) -> None:
        self.chance = Random(self.pupil.name)  # noqa: S311  # the same term at every start

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
        known = [(stage, one) for stage in self.course.stages[: stages + AHEAD] for one in stage.sections]
        yield from known[self.done : self.done + self.chance.choice(SECTIONS_A_DAY)]

    def walk(self, stage: Stage, section: Section) -> None:
        ref = self.course.ref(stage.id)
        for number, step in enumerate(section.steps, start=1):
            self.spend(15, 50)
            lesson_progress.keep(self.session, self.who, ref, section.id, number, False, self.clock)
            self.take(stage, step)
        lesson_progress.keep(self.session, self.who, ref, section.id, len(section.steps), True, self.clock)
        self.done += 1
        if isinstance(section, Quiz):
            self.collect(self.course.card_sets[stage.id])

    def take(self, stage: Stage, step: AnyStep) -> None:
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
        if self.pupil.diligence > 0.3:
            names = [(self.course.ref(one), self.course.card_skill(one) or one) for one in cards]
            decks.collect(self.session, self.who, names, self.clock)

    def solve(self, target: Target, item_id: str) -> None:
        """Try until it is right, or the item takes no more; a hint now and then."""
        item, ref = self.course.variant(item_id, target.seed), self.course.ref(item_id)
        if item.hints and item_id not in self.course.probes and self.is_unsure():
            attempts.hint(self.session, self.who, target, ref, 1, self.clock)
        for number in range(1, MOST_TRIES + 1):
            seconds = self.spend(12, 55 * item.minutes)
            raw = answer(item, self.pupil, number, self.chance)
            sent = Answer(ref, number, raw, seconds)
            log = attempts.respond(self.session, self.who, target, sent, self.course, self.clock)
            if log.of(ref)[-1].verdict == "right" or item.one_shot or item_id in self.course.probes:
                return
            if item.hints and self.chance.random() < 0.4:
                opened = log.hints.get(ref, 0) + 1
                attempts.hint(self.session, self.who, target, ref, opened, self.clock)

    def is_unsure(self) -> bool:
        """Whether one looks at a hint before writing anything: the weaker, the more often."""
        return self.chance.random() < (1 - self.pupil.skill) / 2

    def open(self, example_id: str) -> None:
        """Term by term; who is in a hurry looks without a guess."""
        for position, _ in enumerate(self.course.openings(example_id), start=1):
            self.spend(5, 15)
            guessed = self.chance.random() < self.pupil.diligence + 0.2
            right = self.chance.random() < self.pupil.skill
            guess = Guess(position, "more" if right else "less", right) if guessed else Guess(position)
            reveals.open(self.session, self.who, self.course.ref(example_id), guess, self.clock)

    def practise(self, count: int) -> None:
        """Variants of one exercise whose knowledge point was met."""
        met = {self.course.items[one].skill for one in self.asked() if one in self.course.items}
        open_to_me = [name for name, one in self.course.exercises.items() if one.skill in met]
        if not open_to_me:
            return
        exercise, level = self.chance.choice(open_to_me), self.chance.choice((1, 1, 2))
        item_id, start = f"practice-{exercise}-{level}", self.chance.randint(1, 9000)
        for seed in range(start, start + count):
            ref = self.course.ref(f"{item_id}-{seed}")
            self.solve(Target(source="practice", ref=ref, seed=seed), item_id)

    def asked(self) -> set[str]:
        sections = [section for stage in self.course.stages for section in stage.sections][: self.done]
        return {self.course.bare(ref) for section in sections for ref in self.course.items_of(section.id)}

    def review(self, most: int) -> None:
        """The cards that are due; who knew it better remembers better."""
        for _ in range(most):
            look = review_queue.load_review(self.session, self.who, self.clock)
            if look.card is None:
                return
            rating = Rating.GOOD if self.chance.random() < self.pupil.skill + 0.04 else Rating.AGAIN
            rated = CardRating(look.card.card, look.number, rating, float(self.spend(4, 20)))
            reviews.review(self.session, self.who, rated, self.clock)

    def play(self, seed: int) -> None:
        """谁的推荐更懂我, to its end."""
        right = self.chance.random() < self.pupil.skill
        for position, (move, raw) in enumerate(path(seed, right), start=1):
            self.spend(3, 20)
            sent = Move(position, move, raw)
            plays.move(self.session, self.who, Play("duel", 0, seed), sent, Duel(seed), self.clock)
