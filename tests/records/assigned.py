"""A class with an assignment, for tests of what happens to it: 王 teaches 小糖 and 小序."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from app.course.content.refs import StepPlace
from app.course.items.kinds import Rubric
from app.course.items.marks import Mark, Unreadable, right_mark, wrong_mark
from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments import drafts, lifecycle, lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentKey,
    AssignmentSettings,
    AttemptWork,
    NewPart,
    StudentAssignment,
)
from app.records.classes import classrooms, joining
from app.records.classes.values import Student
from app.records.grading import answering, collecting, student_assignments, student_work, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from app.records.insight import class_progress
from tests.records.cast import NOW, Desk, newcomer

TEACHER, COLLEAGUE = Caller("teacher"), Caller("colleague")
TANG, XU = Caller("tang"), Caller("xu")
HOUR, DAY = timedelta(hours=1), timedelta(days=1)


class Figures:
    """A course where the right answer is the seed, and to `dcg` it is 4. Letters cannot be read."""

    card_ids_by_stage_id: Mapping[str, tuple[str, ...]] = {"concepts": ("rank", "gain")}

    def mark(
        self, item: str, seed: int, raw: Sequence[str], _tries: int = 1, _before: Sequence[str] | None = None
    ) -> Mark:
        if not raw or not raw[0].lstrip("-").isdecimal():
            raise Unreadable("写一个数。")
        tries = 4 if "dcg" in item else seed
        if int(raw[0]) == tries:
            return right_mark(raw[0], "对。")
        return wrong_mark(raw[0], "再想想。", misconception_code="no_discount" if raw[0] == "6" else None)

    def version_hash_and_body(self, item: str, seed: int = 0) -> tuple[str, str]:
        return f"{item.partition('#')[0]}-{seed}", f'{{"seed": {seed}}}'

    def has_one_try_only(self, item: str) -> bool:
        return "true-or-not" in item

    def rubric(self, _item: str) -> Rubric:
        return ()

    @property
    def ref_by_twin_ref(self) -> dict[str, str]:
        return {}

    def refs_asked_in_section(
        self, _stage: str, _section: str, _furthest_step: StepPlace | None = None
    ) -> frozenset[str]:
        return frozenset()


COURSES = {"content": Figures()}
DCG = NewPart("item", "content:dcg")
PRACTICE = NewPart("practice", "content:term", level=1, count=2)
SAME = NewPart("practice", "content:term", level=1, count=1, same=True)


def account(desk: Desk, login: str, token: str, teacher: bool = False) -> None:
    desk.write(accounts.create_account, Caller(), *newcomer(login, token, f"hash of {login}"), NOW, teacher)


@dataclass
class Class:
    """What one does in a test. The clock stands at `now` until it is set."""

    desk: Desk
    classroom: int
    now: datetime = NOW

    def code(self) -> str:
        return self.desk.read(classrooms.taught_class, TEACHER, self.classroom).code

    def join(self, name: str, token: str) -> Student:
        self.desk.write(
            joining.join_with_new_account, Caller(), self.code(), *newcomer(name, token), self.now
        )
        return next(student for student in self.students() if student.name == name)

    def students(self) -> tuple[Student, ...]:
        return self.desk.read(class_progress.load_class, TEACHER, self.classroom).students

    def assign(self, *parts: NewPart, publish: bool = True, **wishes: Any) -> int:
        """A new assignment with these parts and settings."""
        new_id = self.desk.write(drafts.create_draft, TEACHER, self.classroom, "第一周", self.now)
        self.desk.write(parts_verbs.add_parts, TEACHER, self.key(new_id), list(parts) or [DCG], self.now)
        self.set_up(new_id, **wishes)
        if publish:
            self.desk.write(lifecycle.publish_assignment, TEACHER, self.key(new_id), self.now)
        return new_id

    def set_up(self, assignment_id: int, **wishes: Any) -> None:
        settings = AssignmentSettings(self.row(assignment_id).rules._replace(**wishes))
        self.desk.write(lifecycle.set_up_assignment, TEACHER, self.key(assignment_id), settings, self.now)

    def extend(self, assignment_id: int, student: Student, due: datetime | None) -> None:
        arguments = ([student.id], due, "病了", self.now)
        self.desk.write(lifecycle.extend_due_times, TEACHER, self.key(assignment_id), *arguments)

    def postpone(self, assignment_id: int, due: datetime | None) -> None:
        self.desk.write(
            lifecycle.postpone_assignment, TEACHER, self.key(assignment_id), due, "停电", self.now
        )

    def close(self, assignment_id: int) -> None:
        self.desk.write(lifecycle.close, TEACHER, self.key(assignment_id), self.now)

    def collect(self, assignment_id: int) -> int:
        return self.desk.write(collecting.collect_work, TEACHER, self.key(assignment_id), COURSES, self.now)

    def key(self, assignment_id: int) -> AssignmentKey:
        return AssignmentKey(self.classroom, assignment_id)

    def row(self, assignment_id: int) -> Any:
        return self.desk.read(lookup.taught_assignment, TEACHER, self.key(assignment_id))[1]

    def begin(self, caller: Caller, assignment_id: int) -> int:
        return self.desk.write(submissions.begin_or_resume_attempt, caller, assignment_id, COURSES, self.now)

    def save(self, caller: Caller, assignment_id: int, number: int, text: str, sitting: int = 1) -> None:
        key = QuestionKey(sitting, number)
        self.desk.write(answering.save_answer, caller, assignment_id, key, SentAnswer((text,)), self.now)

    def answer(self, caller: Caller, assignment_id: int, number: int, text: str, attempt: int = 1) -> Any:
        key, sent_answer = QuestionKey(1, number), SentAnswer((text,), try_number=attempt)
        return self.desk.write(
            answering.answer_at_once, caller, assignment_id, key, sent_answer, COURSES, self.now
        )

    def hand_in(self, caller: Caller, assignment_id: int, sitting: int = 1) -> AssignmentAttempt:
        return self.desk.write(submissions.hand_in_attempt, caller, assignment_id, sitting, COURSES, self.now)

    def work(self, caller: Caller, assignment_id: int, number: int | None = None) -> AttemptWork:
        attempt = self.desk.read(student_work.load_attempt_work, caller, assignment_id, number)
        assert attempt is not None
        return attempt

    def given(self, caller: Caller, assignment_id: int) -> StudentAssignment:
        return self.desk.read(student_assignments.load_own_assignment, caller, assignment_id)
