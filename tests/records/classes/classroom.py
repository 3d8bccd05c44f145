"""A class, its teacher and a colleague, and how pupils join it."""

from app.records.accounts.values import Caller
from app.records.classes import classrooms, joining
from app.records.classes.values import Student
from app.records.insight import class_progress
from tests.records.cast import NOW, Desk, newcomer

TEACHER, COLLEAGUE = Caller("teacher"), Caller("colleague")


def code(desk: Desk, classroom: int) -> str:
    return desk.read(classrooms.taught_class, TEACHER, classroom).code


def join(desk: Desk, classroom: int, name: str, token: str) -> Student:
    desk.write(joining.join_with_new_account, Caller(), code(desk, classroom), *newcomer(name, token), NOW)
    return next(student for student in students(desk, classroom) if student.name == name)


def students(desk: Desk, classroom: int) -> tuple[Student, ...]:
    return desk.read(class_progress.load_class, TEACHER, classroom).students
