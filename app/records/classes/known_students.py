"""Students of a teacher's classes, among whom a line of a roster may find its account."""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, or_, select

from app.course.text.typed import name_key
from app.records.accounts.learners import ACCOUNT, CALLER_ID
from app.records.classes.classrooms import CLASSROOM, ENROLMENT, IS_MEMBER
from app.records.classes.roster_files import RosterEntry
from app.records.db.statements import RowQuery


class KnownStudent(NamedTuple):
    """A student in a class of the teacher who imports, or in the class that the list is for, whoever's that
    is; `is_member`: of that one, from which others may have been removed."""

    name_key: str
    learner_id: int
    login: str
    class_name: str
    student_number: str = ""
    is_member: bool = False


IS_LISTED_CLASS = CLASSROOM.id == bindparam("classroom")
STUDENTS_OF_TEACHER = RowQuery(
    KnownStudent,
    select(
        ENROLMENT.name_key,
        ACCOUNT.learner_id,
        ACCOUNT.login,
        CLASSROOM.name.label("class_name"),
        ENROLMENT.number.label("student_number"),
        and_(IS_MEMBER, IS_LISTED_CLASS).label("is_member"),
    )
    .where(
        or_(CLASSROOM.teacher_id == CALLER_ID, IS_LISTED_CLASS),
        ENROLMENT.classroom_id == CLASSROOM.id,
        or_(IS_MEMBER, IS_LISTED_CLASS),
        ACCOUNT.learner_id == ENROLMENT.learner_id,
    )
    .order_by(IS_MEMBER, ENROLMENT.id.desc()),
)
"""Whoever was removed from `classroom` comes first, then the latest."""


def likeliest_student(roster_entry: RosterEntry, namesakes: Sequence[KnownStudent]) -> KnownStudent | None:
    """Whom a line means of those who have its name: the owner of its 学号, else one of whom none is known.
    Who has another is taken to be somebody else: in four classes two share a name before long.

    >>> first, second = (KnownStudent("小糖", number, "小糖", "一班", f"0{number}") for number in (1, 2))
    >>> likeliest_student(RosterEntry(2, "小糖", "02"), [first, second]) == second
    True
    >>> likeliest_student(RosterEntry(2, "小糖", "03"), [first, second]) is None
    True
    """
    if roster_entry.student_number:
        for known_student in namesakes:
            if name_key(known_student.student_number) == name_key(roster_entry.student_number):
                return known_student
        namesakes = [known_student for known_student in namesakes if not known_student.student_number]
    return next(iter(namesakes), None)
