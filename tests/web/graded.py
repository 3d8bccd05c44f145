"""A class with graded work, as its students did it: for the pages of teachers."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Any

from app.course import Course
from app.course.assignments.question_sets import QuestionSet
from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments import drafts, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.values import AssignmentKey, AssignmentSettings, NewPart
from app.records.classes import classrooms, joining
from app.records.grading import answering, student_work, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from tests.records.cast import newcomer
from tests.web.cast import right_answer, wrong_answer

NOW = datetime(2026, 9, 1, 1, 0, tzinfo=UTC)
DAY = timedelta(days=1)
TEACHER = Caller("teacher-of-the-graded")
PARTS = (
    NewPart("item", "content:cg-chengdu", points=2.0),
    NewPart("practice", "content:dcg-at-k", 1, 2, points=4.0),
)
Write = Callable[..., Any]
"""`db.write` as a plain function: of a running site's portal, or of a loop of one's own."""


@dataclass
class Term:
    """The clock stands at `now` until it is set."""

    write: Write
    course: Course
    now: datetime = NOW
    classroom: int = 0
    places: dict[str, int] = field(default_factory=dict)
    works: list[int] = field(default_factory=list)

    def open(self, name: str = "高一3班") -> "Term":
        self.write(
            accounts.create_account, Caller(), *newcomer(f"王{name}", TEACHER.token or ""), self.now, True
        )
        self.classroom = self.write(classrooms.create_class, TEACHER, name, self.now)
        return self

    def join(self, *names: str) -> None:
        for name in names:
            self.write(classrooms.open_join_code, TEACHER, self.classroom, self.now)
            code = self.write(classrooms.taught_class, TEACHER, self.classroom).code
            self.write(
                joining.join_with_new_account, Caller(), code, *newcomer(name, self.token(name)), self.now
            )
        students = self.write(classrooms.load_present_and_former_students, self.classroom)
        self.places = {student.name: student.id for student in students}

    def key(self, assignment_id: int) -> AssignmentKey:
        return AssignmentKey(self.classroom, assignment_id)

    def token(self, name: str) -> str:
        return f"{name} of {self.classroom}"

    def assign(
        self, title: str, parts: Sequence[NewPart] = PARTS, caller: Caller = TEACHER, **wishes: Any
    ) -> int:
        assignment_id: int = self.write(drafts.create_draft, caller, self.classroom, title, self.now)
        self.write(parts_verbs.add_parts, caller, self.key(assignment_id), parts, self.now)
        _, row = self.write(lookup.taught_assignment, caller, self.key(assignment_id))
        rules = row.rules._replace(**({"due_at": self.now + 7 * DAY} | wishes))
        self.write(
            lifecycle.set_up_assignment, caller, self.key(assignment_id), AssignmentSettings(rules), self.now
        )
        self.write(lifecycle.publish_assignment, caller, self.key(assignment_id), self.now)
        self.works.append(assignment_id)
        return assignment_id

    def do(
        self, name: str, assignment_id: int, how: str, hand_in: bool = True, caller: Caller | None = None
    ) -> None:
        """`how`: a letter for each question: r right, w wrong, - left blank."""
        caller, courses = caller or Caller(self.token(name)), {self.course.prefix: self.course}
        sitting = self.write(submissions.begin_or_resume_attempt, caller, assignment_id, courses, self.now)
        work = self.write(student_work.load_attempt_work, caller, assignment_id, sitting)
        assert work is not None
        paper = question_set_of(
            courses, work.student_assignment.parts, work.student_assignment.assignment, work.attempt
        )
        for letter, number in zip(how, range(1, len(how) + 1), strict=True):
            if letter != "-":
                raw = self.raw(paper, number, letter)
                key = QuestionKey(sitting, number)
                self.write(answering.save_answer, caller, assignment_id, key, SentAnswer(raw, 30), self.now)
        if hand_in:
            self.write(submissions.hand_in_attempt, caller, assignment_id, sitting, courses, self.now)

    def raw(self, paper: QuestionSet, number: int, letter: str) -> tuple[str, ...]:
        assigned_question = paper.questions[number - 1]
        item = self.course.variant(
            self.course.bare_id(assigned_question.item_ref), paper.seed_by_question_ref[assigned_question.ref]
        )
        return tuple(right_answer(item) if letter == "r" else wrong_answer(item))

    def path(self, question_number: int, name: str) -> str:
        return f"/classrooms/{self.classroom}/assignments/{question_number}/students/{self.places[name]}"
