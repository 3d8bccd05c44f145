"""A class of the demonstration at its assignments: what its teacher does, and when its students work."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from app.course import Course
from app.course.assignments.question_sets import total_of
from app.demo.attempts import DemoAttempt
from app.demo.homework import DAY, IN_CLASS, POSTTEST, TERM, Homework
from app.demo.living import Life
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import drafts, extensions, lifecycle, lookup, parts
from app.records.assignments.values import AssignmentPage
from app.records.db.session import VerbSession
from app.records.grading import mark_overrides
from app.records.grading.marks import mark_of, short

HOUR = timedelta(hours=1)
HANDED_OUT = timedelta(minutes=25)
"""So long ago the class got the exercise that it works at now."""
LEARNED = 0.35
"""How much skill a student has gained since the test before the term."""


@dataclass
class DemoClass:
    """A class with its teacher and the lives of its students."""

    session: VerbSession
    course: Course
    teacher: Caller
    classroom_id: int
    lives: Sequence[Life]
    begin: datetime
    now: datetime

    def run(self) -> None:
        """All assignments of the term, in their order; the last one is being done now."""
        for homework in TERM:
            assignment_id = self.assign(homework, self.begin + homework.day * DAY + HOUR)
            self.work_at_home(homework, assignment_id)
        self.test_again()
        self.work_in_class()

    def assign(self, homework: Homework, at: datetime) -> int:
        """Make it, set it up, publish it."""
        seed = 100 * self.classroom_id + homework.day
        assignment_id = drafts.create(
            self.session, self.teacher, self.classroom_id, homework.title, at, seed=seed
        )
        parts.add_parts(self.session, self.teacher, self.classroom_id, assignment_id, homework.parts, at)
        self.publish(homework, assignment_id, at, homework.pre)
        return assignment_id

    def publish(self, homework: Homework, assignment_id: int, at: datetime, pre: bool | None = None) -> None:
        rules = homework.rules(at)
        lifecycle.set_up(self.session, self.teacher, self.classroom_id, assignment_id, rules, at, pre=pre)
        lifecycle.publish(self.session, self.teacher, self.classroom_id, assignment_id, at)

    def work_at_home(self, homework: Homework, assignment_id: int) -> None:
        """Everybody in their own time; who seldom comes forgets, or hands in late."""
        for life in self.lives:
            diligence = life.student.diligence
            if life.chance.random() < 0.35 + diligence:
                delay = life.chance.uniform(0.2, homework.days + homework.late_days * (1 - diligence))
                at = self.begin + (homework.day + delay) * DAY + HOUR
                self.sit_down(life, assignment_id, at, homework.pre)
        if homework.late_days:
            self.forgive(assignment_id, self.begin + (homework.day + homework.days) * DAY)

    def sit_down(self, life: Life, assignment_id: int, at: datetime, pre: bool) -> None:
        if at >= self.now - HOUR:
            return
        student = life.student
        if pre:
            life.student = replace(student, skill=max(0.2, student.skill - LEARNED))
        DemoAttempt(life, assignment_id, at, self.now).run()
        life.student = student

    def test_again(self) -> None:
        """The 后测 of the 前测: the same exercises, other numbers."""
        _, listed = lookup.listed(self.session, self.teacher, self.classroom_id)
        pretest = next(row.assignment.id for row in listed if row.assignment.form == "pre")
        at = self.begin + POSTTEST.day * DAY
        posttest = drafts.follow_up(self.session, self.teacher, self.classroom_id, pretest, at)
        self.publish(POSTTEST, posttest, at)
        self.work_at_home(POSTTEST, posttest)

    def forgive(self, assignment_id: int, at: datetime) -> None:
        """Somebody was ill and gets more time; whoever did worst explained it aloud and gets two points."""
        page = lookup.opened(self.session, self.teacher, self.classroom_id, assignment_id)
        last_learner = learners.arrive(self.session, self.lives[-1].caller, self.now).learner_id
        ill = next(student.id for student in page.students if student.learner_id == last_learner)
        extensions.extend(
            self.session,
            self.teacher,
            self.classroom_id,
            assignment_id,
            [ill],
            at + 9 * DAY,
            "发烧请假三天",
            at,
        )
        total = total_of(page.parts)
        marks = {enrolment: mark for enrolment, mark in marks_of(page, ill).items() if mark < total}
        if not marks:
            return
        worst = min(marks, key=lambda enrolment: marks[enrolment])
        mark_overrides.override_mark(
            self.session,
            self.teacher,
            self.classroom_id,
            assignment_id,
            worst,
            short(min(marks[worst] + 2, total)),
            "课上讲得一清二楚，口头补答",
            at + DAY,
        )

    def work_in_class(self) -> None:
        """The last half hour: of five students two are done, one is stuck, one works, one has not begun."""
        begun_at = self.now - HANDED_OUT
        assignment_id = self.assign(IN_CLASS, begun_at)
        for number, life in enumerate(self.lives):
            at = begun_at + timedelta(seconds=life.chance.randint(20, 300))
            attempt = DemoAttempt(life, assignment_id, at, self.now)
            match number % 5:
                case 2:
                    attempt.stuck_at = life.chance.choice((1, 2, 3))
                case 3:
                    attempt.at = self.now - timedelta(seconds=100)
                case 4:
                    continue
            attempt.run()


def marks_of(page: AssignmentPage, ill: int) -> dict[int, float]:
    """The mark of everybody who handed in but the ill one, by enrolment."""
    marks: dict[int, float] = {}
    for enrolment_id in sorted({submission.enrolment_id for submission in page.submissions} - {ill}):
        mark = mark_of(page.assignment.counts, mark_overrides.handed(page.of(enrolment_id)))
        if mark is not None:
            marks[enrolment_id] = mark
    return marks
