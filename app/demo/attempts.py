"""One student of the demonstration at one assignment."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import TypeVar

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion
from app.course.content.refs import prefix_of
from app.course.items.kinds import Item, Short
from app.demo.living import SimulatedLearner
from app.records.db.errors import Refused
from app.records.grading import student_assignments, submissions
from app.records.grading.values import QuestionKey, SentAnswer

T = TypeVar("T")
MOST_TRIES = 4


@dataclass
class DemoAttempt:
    """From the first question on; time may run out.

    `stuck_at`: the number of the question that this student does not get over. `own`: courses of teachers by
    prefix, as they should be. `thought`: what they write where words are asked for. `number`: which attempt
    it is, once it has begun.
    """

    pupil: SimulatedLearner
    assignment_id: int
    at: datetime
    now: datetime
    stuck_at: int = 0
    own: Mapping[str, Course] = field(default_factory=dict)
    thought: str = ""
    number: int = 0

    def run(self, marking: Mapping[str, Course] | None = None) -> None:
        """`marking`: courses of teachers as they stand when it is marked, if these are others."""
        pupil = self.pupil
        pupil.clock = self.at
        courses = {**self.courses, **(marking or {})}
        try:
            self.number = pupil.do(submissions.begin, self.assignment_id, self.courses)
            if self.solve():
                pupil.do(submissions.hand_in, self.assignment_id, self.number, courses)
        except Refused:  # too late, or no attempt is left: as in life
            return

    @property
    def courses(self) -> Mapping[str, Course]:
        return {self.pupil.course.prefix: self.pupil.course, **self.own}

    def solve(self) -> bool:
        """Every question in order; whether all were reached in time."""
        task = student_assignments.load_own(self.pupil.session, self.pupil.caller, self.assignment_id)
        assignment = task.assignment
        attempt = submissions.attempt_of(task, self.number)
        paper = submissions.question_set_of(task, attempt, self.courses)
        self.work_elsewhere({part.kind for part in task.parts})
        for position, question in enumerate(paper.questions, 1):
            course = self.courses[prefix_of(question.ref)]
            item = course.variant(course.bare(question.item), paper.seed_of(question))
            has_hints = assignment.hints and bool(item.hints)
            if assignment.answers != "at_once":
                self.save(position, item, has_hints)
            elif not self.try_out(position, question, item, has_hints, assignment.tries or MOST_TRIES):
                return False
        return True

    def work_elsewhere(self, kinds: set[str]) -> None:
        """What is done on other pages before one hands in."""
        pupil = self.pupil
        if "cards" in kinds:
            pupil.review(pupil.random.randint(6, 16))
        if "game" in kinds:
            pupil.play(pupil.random.randint(1, 900))

    def save(self, position: int, item: Item, hinted: bool) -> None:
        """An answer that is marked when all are handed in. `position`: of the question on the own paper;
        `hinted`: there is a hint that may be opened."""
        pupil = self.pupil
        seconds = pupil.spend(20, 45 * item.minutes)
        raw = pupil.answer(item, 1, pupil.student.skill)
        if isinstance(item, Short):
            raw = (self.thought,)
        if hinted and pupil.is_unsure():
            self.do(submissions.hint, position, 1)
        self.do(submissions.save, position, SentAnswer(raw, seconds))

    def try_out(
        self, position: int, question: AssignedQuestion, item: Item, hinted: bool, most_tries: int
    ) -> bool:
        """At most so many tries until it is right; whether one goes on to the next question."""
        pupil = self.pupil
        if hinted and pupil.is_unsure():
            self.do(submissions.hint, position, 1)
        is_stuck = question.number == self.stuck_at
        skill = 0.0 if is_stuck else pupil.student.skill
        for try_number in range(1, most_tries + 1):
            seconds = pupil.spend(15, 30 * item.minutes)
            if pupil.clock > self.now - timedelta(seconds=20):
                return False
            raw = pupil.answer(item, 1, skill)
            log = self.do(submissions.answer, position, SentAnswer(raw, seconds, try_number), self.courses)
            if log.of(question.ref)[-1].verdict == "right":
                return True
        return not is_stuck

    def do(self, verb: Callable[..., T], position: int, *arguments: object) -> T:
        """What a verb of the records does about a question of this attempt."""
        question_key = QuestionKey(self.number, position)
        return self.pupil.do(verb, self.assignment_id, question_key, *arguments)
