"""A class with assignments, as its gradebook shows it."""

from datetime import datetime, timedelta
from typing import Any

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.classes import classrooms, joining
from app.records.classes.values import Student
from app.records.grading import gradebook
from app.records.grading.values import Gradebook, GradebookCell
from tests.records import gradebook_term as term
from tests.records.cast import NOW, Desk, newcomer

TEACHER = Caller("teacher")


DAY = timedelta(days=1)


PARTS = [("item", "content:dcg-at-3", 4.0), ("practice", "content:dcg-at-k*3", 2.0)]


LATER = NOW + 30 * DAY


class Class:
    """高一3班 and its assignments."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        desk.write(accounts.create_account, Caller(), *newcomer("王", "teacher"), NOW - 30 * DAY, True)
        self.id = desk.write(classrooms.create_class, TEACHER, "高一3班", NOW - 30 * DAY)

    def student(self, name: str, now: datetime = NOW - 20 * DAY) -> int:
        self.desk.write(classrooms.open_join_code, TEACHER, self.id, now)
        code = self.desk.read(classrooms.taught_class, TEACHER, self.id).code
        self.desk.write(joining.join_with_new_account, Caller(), code, *newcomer(name, name), now)
        students: list[Student] = [*self.desk.read(classrooms.load_present_and_former_students, self.id)]
        return next(student.id for student in students if student.name == name)

    def assignment(self, title: str = "第一周", parts: Any = PARTS, **fields: Any) -> int:
        return self.desk.write(term.set_up, self.id, title, parts, NOW, **{"due_at": NOW + DAY} | fields)

    def book(self, now: datetime = LATER) -> Gradebook:
        return self.desk.read(gradebook.load_gradebook, TEACHER, self.id, now)

    def cell(self, name: str, now: datetime = LATER, column: int = 0) -> GradebookCell:
        return next(row.cells[column] for row in self.book(now).rows if row.student.name == name)
