"""One student of the demonstration at one assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion
from app.course.content.refs import prefix_of
from app.course.items.kinds import Item, ShortAnswer
from app.demo.living import SimulatedLearner
from app.records.assignments.attempt_seeds import question_set_of
from app.records.db.errors import Refused
from app.records.grading import answering, student_assignments, submissions
from app.records.grading.values import QuestionKey, SentAnswer

T = TypeVar("T")
MOST_TRIES = 4


@dataclass
class DemoAttempt:
    """From the first question on; time may run out.

    `stuck_question_number`: of the question that this student does not get over; 0: none.
    `own_course_by_prefix`: courses of teachers, as they should be. `answer_in_words`: what is written where
    words are asked for. `attempt_number`: 0 until it has begun.
    """

    pupil: SimulatedLearner
    assignment_id: int
    begins_at: datetime
    now: datetime
    stuck_question_number: int = 0
    own_course_by_prefix: Mapping[str, Course] = field(default_factory=dict)
    answer_in_words: str = ""
    attempt_number: int = 0

    def attempt_assignment(self, marking_course_by_prefix: Mapping[str, Course] | None = None) -> None:
        """Begin, answer, hand in. `marking_course_by_prefix`: courses of teachers as they stand when it is
        marked, if these are others."""
        pupil = self.pupil
        pupil.clock = self.begins_at
        course_by_prefix = {**self.course_by_prefix, **(marking_course_by_prefix or {})}
        try:
            self.attempt_number = pupil.call_verb(
                submissions.begin_or_resume_attempt, self.assignment_id, self.course_by_prefix
            )
            if self.answer_questions():
                pupil.call_verb(
                    submissions.hand_in_attempt, self.assignment_id, self.attempt_number, course_by_prefix
                )
        except Refused:  # too late, or no attempt is left: as in life
            return

    @property
    def course_by_prefix(self) -> Mapping[str, Course]:
        return {self.pupil.course.prefix: self.pupil.course, **self.own_course_by_prefix}

    def answer_questions(self) -> bool:
        """Every question in order; whether all were reached in time."""
        student_assignment = student_assignments.load_own_assignment(
            self.pupil.session, self.pupil.caller, self.assignment_id
        )
        assignment = student_assignment.assignment
        attempt = submissions.attempt_of(student_assignment, self.attempt_number)
        question_set = question_set_of(self.course_by_prefix, student_assignment.parts, assignment, attempt)
        self.do_other_parts({part.kind for part in student_assignment.parts})
        for question_position, assigned_question in enumerate(question_set.questions, 1):
            course = self.course_by_prefix[prefix_of(assigned_question.ref)]
            item = course.variant(
                course.bare_id(assigned_question.item_ref), question_set.variant_seed_of(assigned_question)
            )
            has_hints = assignment.hints and bool(item.hints)
            if assignment.answers != "at_once":
                self.save(question_position, item, has_hints)
            elif not self.try_until_right(
                question_position, assigned_question, item, has_hints, assignment.tries or MOST_TRIES
            ):
                return False
        return True

    def do_other_parts(self, part_kinds: set[str]) -> None:
        """What is done on other pages before one hands in."""
        pupil = self.pupil
        if "cards" in part_kinds:
            pupil.review_cards(pupil.random.randint(6, 16))
        if "game" in part_kinds:
            pupil.play_duel(pupil.random.randint(1, 900))

    def save(self, question_position: int, item: Item, has_hints: bool) -> None:
        """An answer that is marked when all are handed in. `question_position`: in the question set;
        `has_hints`: there is a hint that may be opened."""
        pupil = self.pupil
        answer_seconds = pupil.pass_seconds(20, 45 * item.minutes)
        raw_answer = pupil.answer(item, 1, pupil.student.ability)
        if isinstance(item, ShortAnswer):
            raw_answer = (self.answer_in_words,)
        if has_hints and pupil.is_unsure():
            self.call_verb(answering.open_next_hint, question_position, 1)
        self.call_verb(answering.save_answer, question_position, SentAnswer(raw_answer, answer_seconds))

    def try_until_right(
        self,
        question_position: int,
        assigned_question: AssignedQuestion,
        item: Item,
        has_hints: bool,
        most_tries: int,
    ) -> bool:
        """At most so many tries until it is right; whether one goes on to the next question."""
        pupil = self.pupil
        if has_hints and pupil.is_unsure():
            self.call_verb(answering.open_next_hint, question_position, 1)
        is_stuck = assigned_question.number == self.stuck_question_number
        ability = 0.0 if is_stuck else pupil.student.ability
        for try_number in range(1, most_tries + 1):
            answer_seconds = pupil.pass_seconds(15, 30 * item.minutes)
            if pupil.clock > self.now - timedelta(seconds=20):
                return False
            raw_answer = pupil.answer(item, 1, ability)
            item_log = self.call_verb(
                answering.answer_at_once,
                question_position,
                SentAnswer(raw_answer, answer_seconds, try_number),
                self.course_by_prefix,
            )
            if item_log.responses_to_item(assigned_question.ref)[-1].verdict == "right":
                return True
        return not is_stuck

    def call_verb(self, verb: Callable[..., T], question_position: int, *arguments: object) -> T:
        """What a verb of the records does about a question of this attempt."""
        question_key = QuestionKey(self.attempt_number, question_position)
        return self.pupil.call_verb(verb, self.assignment_id, question_key, *arguments)
