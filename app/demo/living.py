"""How one learner lives through the term: which days they sit down, what they do then, what they answer."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from random import Random
from typing import TypeVar

from app import engine
from app.course import Course, Stage
from app.course.content.model import Quiz, Section
from app.course.exercises.exercises import offered_exercises
from app.course.games.duel_play import DuelState, moves_through
from app.course.items.kinds import Item, Numeric
from app.course.items.marks import Unreadable
from app.course.learning.steps import AnyStep, Ask, CardsStep, ExampleStep, Recap
from app.demo.people import DemoStudent
from app.records.accounts.values import Caller
from app.records.cards import decks, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning import lesson_progress, responding, reveals
from app.records.learning.values import Answer, AttemptKey, Guess

T = TypeVar("T")
MOST_TRIES = 3
SECTION_COUNTS_OF_EVENING = (1, 2, 2, 3)
MOST_STAGES_AHEAD = 1
"""So many stages one may be ahead of the class."""
MISTAKE_DIVISOR_PER_TRY = 2.0
"""By so much a mistake gets rarer with each try: who knew it better is right more often at a second one."""
HABIT_PROBABILITY = 0.8
"""How often a mistake is the one that a student is fond of, where it can show."""


@dataclass
class SimulatedLearner:
    """A learner with a clock of their own; what they do goes through the verbs of every learner."""

    session: VerbSession
    course: Course
    student: DemoStudent
    caller: Caller
    seed: int
    clock: datetime
    random: Random = field(init=False)
    done_section_count: int = 0

    def __post_init__(self) -> None:
        self.random = Random(self.student.name)  # noqa: S311  # the same term at every start

    def call_verb(self, verb: Callable[..., T], *arguments: object) -> T:
        """What a verb of the records does for this learner, now."""
        return verb(self.session, self.caller, *arguments, self.clock)

    def happens(self, probability: float) -> bool:
        """Whether it happens this time, of a probability 0..1."""
        return self.random.random() < probability

    def pass_seconds(self, fewest_seconds: int, most_seconds: int) -> int:
        """Let seconds pass; how many."""
        seconds = self.random.randint(fewest_seconds, most_seconds)
        self.clock += timedelta(seconds=seconds)
        return seconds

    def sit_down(self, begins_at: datetime, taught_stage_count: int) -> None:
        """An evening: some sections, as far as the class has come, some practice, the cards that are due."""
        self.clock = begins_at
        for stage, section in self.next_stages_and_sections(taught_stage_count):
            self.learn_section(stage, section)
        if self.done_section_count and self.happens(0.5):
            self.practise(self.random.randint(2, 5))
        self.review_cards(self.random.randint(3, 8))
        if self.done_section_count > 8 and self.happens(0.06):
            self.play_duel(self.random.randint(1, 900))

    def next_stages_and_sections(self, taught_stage_count: int) -> list[tuple[Stage, Section]]:
        """The sections that come, at most those of the stages that were taught."""
        stages_and_sections: list[tuple[Stage, Section]] = []
        for stage in self.course.stages[: taught_stage_count + MOST_STAGES_AHEAD]:
            stages_and_sections += [(stage, section) for section in stage.sections]
        section_count = self.random.choice(SECTION_COUNTS_OF_EVENING)
        return stages_and_sections[self.done_section_count : self.done_section_count + section_count]

    def learn_section(self, stage: Stage, section: Section) -> None:
        stage_ref = self.course.ref(stage.id)
        for step_number, step in enumerate(section.steps, start=1):
            self.pass_seconds(15, 50)
            self.call_verb(lesson_progress.save_place, stage_ref, section, step_number, False)
            self.do_step(stage, step)
        self.call_verb(lesson_progress.save_place, stage_ref, section, len(section.steps), True)
        self.done_section_count += 1
        if isinstance(section, Quiz):
            self.collect_cards(self.course.card_ids_by_stage_id[stage.id])

    def do_step(self, stage: Stage, step: AnyStep) -> None:
        """What the step asks for."""
        match step:
            case Ask(item=item_id) | Recap(item=str(item_id)):
                stage_ref = self.course.ref(stage.id)
                attempt_key = AttemptKey(source="lesson", ref=stage_ref, seed=self.seed)
                self.solve_item(attempt_key, item_id)
            case ExampleStep(example=example_id):
                self.open_example(example_id)
            case CardsStep(cards=card_ids):
                self.collect_cards(card_ids)

    def collect_cards(self, card_ids: Sequence[str]) -> None:
        """Put cards into the deck; who seldom comes does not bother."""
        if self.student.diligence > 0.3:
            refs_with_families = []
            for card_id in card_ids:
                family_id = self.course.skill_id_of_card(card_id) or card_id
                refs_with_families.append((self.course.ref(card_id), family_id))
            self.call_verb(decks.collect_cards, refs_with_families)

    def solve_item(self, attempt_key: AttemptKey, item_id: str) -> None:
        """Try until it is right, or the item takes no more; a hint now and then."""
        item = self.course.variant(item_id, attempt_key.seed)
        item_ref = self.course.ref(item_id)
        is_probe = item_id in self.course.probe_ids
        if item.hints and not is_probe and self.is_unsure():
            self.call_verb(responding.open_next_hint, attempt_key, item_ref, 1)
        for try_number in range(1, MOST_TRIES + 1):
            answer_seconds = self.pass_seconds(12, 55 * item.minutes)
            raw_answer = self.answer(item, try_number, self.student.ability)
            typed_answer = Answer(item_ref, try_number, raw_answer, answer_seconds)
            item_log = self.call_verb(responding.respond, attempt_key, typed_answer, self.course)
            if (
                is_probe
                or item.has_one_try_only
                or item_log.responses_to_item(item_ref)[-1].verdict == "right"
            ):
                return
            if item.hints and self.happens(0.4):
                hint_number = item_log.hint_count_by_item_ref.get(item_ref, 0) + 1
                self.call_verb(responding.open_next_hint, attempt_key, item_ref, hint_number)

    def answer(self, item: Item, try_number: int, ability: float) -> tuple[str, ...]:
        """What is sent as the try of this number: the truth, a mistake one is fond of, or a slip."""
        mistake_probability = (1 - ability) / MISTAKE_DIVISOR_PER_TRY ** (try_number - 1)
        if not self.happens(mistake_probability):
            return right_answer(item)
        return self.mistaken_answer(item) or self.wrong_answer(item) or right_answer(item)

    def mistaken_answer(self, item: Item) -> tuple[str, ...]:
        """The number that a mistake leads to: mostly the one this student is fond of."""
        if not isinstance(item, Numeric):
            return ()
        predicted_value_by_misconception_id = engine.predictions(item.question.engine_question)
        misconception_ids = sorted(predicted_value_by_misconception_id)
        if self.student.habitual_misconception_id in predicted_value_by_misconception_id and self.happens(
            HABIT_PROBABILITY
        ):
            misconception_ids = [self.student.habitual_misconception_id]
        if not misconception_ids:
            return ()
        predicted_value = predicted_value_by_misconception_id[self.random.choice(misconception_ids)]
        raw_answer = (f"{predicted_value:.{item.decimals}f}",)
        if is_wrong(item, raw_answer):
            return raw_answer
        return ()

    def wrong_answer(self, item: Item) -> tuple[str, ...]:
        """Some wrong answer; nothing where none is known."""
        wrong_raw_answers = [tuple(raw_answer) for raw_answer, is_right in item.proofs() if not is_right]
        return self.random.choice(wrong_raw_answers) if wrong_raw_answers else ()

    def is_unsure(self) -> bool:
        """Whether one looks at a hint before writing anything: the weaker, the more often."""
        return self.happens((1 - self.student.ability) / 2)

    def open_example(self, example_id: str) -> None:
        """Term by term; who is in a hurry looks without a guess."""
        for position in range(1, len(self.course.reveal_positions(example_id)) + 1):
            self.pass_seconds(5, 15)
            guess = Guess(position)
            makes_guess = self.happens(self.student.diligence + 0.2)
            is_right = self.happens(self.student.ability)
            if makes_guess:
                guess = Guess(position, "more" if is_right else "less", is_right)
            self.call_verb(reveals.open_position, self.course.ref(example_id), guess)

    def practise(self, variant_count: int) -> None:
        """Variants of one exercise whose knowledge point was met."""
        met_skill_ids = self.met_skill_ids()
        met_exercise_ids = []
        for exercise_id, exercise in offered_exercises(self.course.exercises).items():
            if exercise.skill in met_skill_ids:
                met_exercise_ids.append(exercise_id)
        if not met_exercise_ids:
            return
        exercise_id = self.random.choice(met_exercise_ids)
        level = self.random.choice((1, 1, 2))
        item_id = f"practice-{exercise_id}-{level}"
        first_seed = self.random.randint(1, 9000)
        for seed in range(first_seed, first_seed + variant_count):
            attempt_ref = self.course.ref(f"{item_id}-{seed}")
            self.solve_item(AttemptKey(source="practice", ref=attempt_ref, seed=seed), item_id)

    def met_skill_ids(self) -> set[str | None]:
        """The skills of all items in the sections that are done."""
        sections: list[Section] = []
        for stage in self.course.stages:
            sections += stage.sections
        skill_ids: set[str | None] = set()
        for section in sections[: self.done_section_count]:
            for item_id in section.item_ids_with_twins(self.course.items):
                skill_ids.add(self.course.items[item_id].skill)
        return skill_ids

    def review_cards(self, most_cards: int) -> None:
        """The cards that are due; who knew it better remembers better."""
        for _ in range(most_cards):
            review_data = self.call_verb(reviews.load_review)
            if review_data.card is None:
                return
            rating = Rating.AGAIN
            if self.happens(self.student.ability + 0.04):
                rating = Rating.GOOD
            review_seconds = float(self.pass_seconds(4, 20))
            card_rating = CardRating(
                review_data.card.card_ref, review_data.review_number, rating, review_seconds
            )
            self.call_verb(reviews.review_card, card_rating)

    def play_duel(self, seed: int) -> None:
        """谁的推荐更懂我, to its end."""
        play = Play("duel", 0, seed)
        is_right = self.happens(self.student.ability)
        for position, (move_name, raw_answer) in enumerate(moves_through(seed, is_right), start=1):
            self.pass_seconds(3, 20)
            move = Move(position, move_name, raw_answer)
            self.call_verb(plays.make_move, play, move, DuelState(seed))


def right_answer(item: Item) -> tuple[str, ...]:
    return next(tuple(raw_answer) for raw_answer, is_right in item.proofs() if is_right)


def is_wrong(item: Item, raw_answer: Sequence[str]) -> bool:
    """Rounded to few places, a mistake may come out right."""
    try:
        return item.mark(raw_answer).verdict == "wrong"
    except Unreadable:
        return False
