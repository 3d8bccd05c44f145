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
from app.records.assignments.values import AssignmentSettings, AttemptWork, NewPart
from app.records.classes import classrooms, joining
from app.records.grading import student_assignments, submissions
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
        self.write(accounts.create, Caller(), *newcomer(f"王{name}", TEACHER.token or ""), self.now, True)
        self.classroom = self.write(classrooms.create, TEACHER, name, self.now)
        return self

    def join(self, *names: str) -> None:
        for name in names:
            self.write(classrooms.open_code, TEACHER, self.classroom, self.now)
            code = self.write(classrooms.taught_class, TEACHER, self.classroom).code
            self.write(joining.join_new, Caller(), code, *newcomer(name, self.token(name)), self.now)
        found = self.write(classrooms.students, self.classroom)
        self.places = {one.name: one.id for one in found}

    def token(self, name: str) -> str:
        return f"{name} of {self.classroom}"

    def assign(
        self, title: str, parts: Sequence[NewPart] = PARTS, who: Caller = TEACHER, **wishes: Any
    ) -> int:
        which: int = self.write(drafts.create, who, self.classroom, title, self.now)
        self.write(parts_verbs.add_parts, who, self.classroom, which, parts, self.now)
        _, row = self.write(lookup.taught_assignment, who, self.classroom, which)
        rules = row.rules._replace(**({"due_at": self.now + 7 * DAY} | wishes))
        self.write(lifecycle.set_up, who, self.classroom, which, AssignmentSettings(rules), self.now)
        self.write(lifecycle.publish, who, self.classroom, which, self.now)
        self.works.append(which)
        return which

    def do(self, name: str, which: int, how: str, hand_in: bool = True, who: Caller | None = None) -> None:
        """`how`: a letter for each question: r right, w wrong, - left blank."""
        who, courses = who or Caller(self.token(name)), {self.course.prefix: self.course}
        sitting = self.write(submissions.begin, who, which, courses, self.now)
        work = self.write(student_assignments.load_attempt, who, which, sitting)
        assert isinstance(work, AttemptWork)
        paper = submissions.question_set_of(work.student_assignment, work.submission, courses)
        for letter, number in zip(how, range(1, len(how) + 1), strict=True):
            if letter != "-":
                raw = self.raw(paper, number, letter)
                key = QuestionKey(sitting, number)
                self.write(submissions.save, who, which, key, SentAnswer(raw, 30), self.now)
        if hand_in:
            self.write(submissions.hand_in, who, which, sitting, courses, self.now)

    def raw(self, paper: QuestionSet, number: int, letter: str) -> tuple[str, ...]:
        question = paper.questions[number - 1]
        item = self.course.variant(self.course.bare(question.item), paper.seeds[question.ref])
        return tuple(right_answer(item) if letter == "r" else wrong_answer(item))

    def path(self, which: int, name: str) -> str:
        return f"/classrooms/{self.classroom}/assignments/{which}/students/{self.places[name]}"
