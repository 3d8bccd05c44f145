"""Who is in the demonstration: two teachers, three classes, thirty-six learners, nobody like another."""

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

PASSWORD = "tangxu-demo"  # noqa: S105  printed at every start
TEACHER_NAMES = ("王老师", "李老师")
TEACHER_AND_CLASS_NAMES = (("王老师", "高一3班"), ("王老师", "高一5班"), ("李老师", "信息检索选修"))


class DemoStudent(NamedTuple):
    """A learner: how often they come, how often they are right, and the mistake they are fond of.

    diligence: probability of work on a school day, 0..1. ability: of a right first try, 0..1.
    habitual_misconception_id: made whenever a question lets it show; None: no such habit.
    first_week: the week of the term in which they came, from 0.
    """

    name: str
    classroom_name: str
    diligence: float
    ability: float
    habitual_misconception_id: str | None
    first_week: int


def student_of_row(student_row: Mapping[str, str]) -> DemoStudent:
    """A learner of the table; an empty habit is none."""
    diligence, ability = float(student_row["diligence"]), float(student_row["skill"])
    habitual_misconception_id = student_row["habit"] or None
    return DemoStudent(
        student_row["name"],
        student_row["classroom"],
        diligence,
        ability,
        habitual_misconception_id,
        int(student_row["since"]),
    )


def students_of(table_text: str) -> tuple[DemoStudent, ...]:
    """The learners of a table with a head, one in a line."""
    student_rows = csv.DictReader(table_text.splitlines())
    return tuple(map(student_of_row, student_rows))


STUDENTS = students_of(Path(__file__).with_name("people.csv").read_text("utf-8"))
