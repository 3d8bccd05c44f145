"""One student of the demonstration at one assignment."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta

from app.course import Course
from app.course.assignments.question_sets import AssignedQuestion, prefix_of
from app.course.items.kinds import Item
from app.demo.answering import answer
from app.demo.living import Life
from app.records.db.errors import Refused
from app.records.grading import attempt_work, student_assignments, submissions

MOST_TRIES = 4


@dataclass
class DemoAttempt:
    """From the first question on; time may run out.

    `stuck_at`: the number of the question that this student does not get over. `own`: courses of teachers by
    prefix, as they should be.
    """

    life: Life
    assignment_id: int
    at: datetime
    now: datetime
    stuck_at: int = 0
    own: Mapping[str, Course] = field(default_factory=dict)

    def run(self, marking: Mapping[str, Course] | None = None) -> None:
        """`marking`: courses of teachers as they stand when it is marked, if these are others."""
        life = self.life
        life.clock = self.at
        courses = {**self.courses, **(marking or {})}
        try:
            number = submissions.begin(life.session, life.caller, self.assignment_id, life.clock)
            if self.solve(number):
                submissions.hand_in(
                    life.session, life.caller, self.assignment_id, number, courses, life.clock
                )
        except Refused:  # too late, or no attempt is left: as in life
            return

    @property
    def courses(self) -> Mapping[str, Course]:
        return {self.life.course.prefix: self.life.course, **self.own}

    def solve(self, attempt_number: int) -> bool:
        """Every question in order; whether all were reached in time."""
        task = student_assignments.given(self.life.session, self.life.caller, self.assignment_id)
        attempt = attempt_work.attempt_of(task, attempt_number)
        paper = attempt_work.paper_of(task, attempt, self.courses)
        self.work_elsewhere({part.kind for part in task.parts})
        most = task.assignment.tries or MOST_TRIES
        for question in paper.questions:
            course = self.courses[prefix_of(question.ref)]
            item = course.variant(course.bare(question.item), paper.seed_of(question))
            hinted = bool(item.hints) and task.assignment.hints
            if task.assignment.answers != "at_once":
                self.save(attempt_number, question, item, hinted)
            elif not self.try_out(attempt_number, question, item, hinted, most):
                return False
        return True

    def work_elsewhere(self, kinds: set[str]) -> None:
        """What is done on other pages before one hands in."""
        if "cards" in kinds:
            self.life.review(self.life.chance.randint(6, 16))
        if "game" in kinds:
            self.life.play(self.life.chance.randint(1, 900))

    def save(self, attempt_number: int, question: AssignedQuestion, item: Item, hinted: bool) -> None:
        """An answer that is marked when all are handed in. `hinted`: there is a hint that may be opened."""
        life = self.life
        seconds = life.spend(20, 45 * item.minutes)
        raw = answer(item, life.student, 1, life.chance)
        if hinted and life.is_unsure():
            self.open_hint(attempt_number, question)
        submissions.save(
            life.session,
            life.caller,
            self.assignment_id,
            attempt_number,
            question.number,
            raw,
            seconds,
            life.clock,
        )

    def try_out(
        self, attempt_number: int, question: AssignedQuestion, item: Item, hinted: bool, most: int
    ) -> bool:
        """At most so many tries until it is right; whether one goes on to the next question."""
        life = self.life
        student = life.student
        if hinted and life.is_unsure():
            self.open_hint(attempt_number, question)
        if question.number == self.stuck_at:
            student = replace(student, skill=0.0)
        for try_number in range(1, most + 1):
            seconds = life.spend(15, 30 * item.minutes)
            if life.clock > self.now - timedelta(seconds=20):
                return False
            log = submissions.answer(
                life.session,
                life.caller,
                self.assignment_id,
                attempt_number,
                question.number,
                try_number,
                answer(item, student, 1, life.chance),
                seconds,
                self.courses,
                life.clock,
            )
            if log.of(question.ref)[-1].verdict == "right":
                return True
        return question.number != self.stuck_at

    def open_hint(self, attempt_number: int, question: AssignedQuestion) -> None:
        """The first one."""
        life = self.life
        submissions.hint(
            life.session, life.caller, self.assignment_id, attempt_number, question.number, 1, life.clock
        )
