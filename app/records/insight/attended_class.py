"""A class as its students see it, to them and to its teacher."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from app.records.accounts import learners
from app.records.accounts.learners import CALLER_ID
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import Schedule, schedule_of
from app.records.assignments.values import StudentAssignment
from app.records.classes import classrooms
from app.records.classes.classrooms import (
    ENROLMENT,
    IS_THIS_CLASS,
    JOINED_CLASSES_QUERY,
)
from app.records.classes.values import (
    JoinedClass,
)
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery
from app.records.grading import student_assignments

ATTENDED_CLASS = RowQuery(
    JoinedClass, JOINED_CLASSES_QUERY.where(IS_THIS_CLASS, ENROLMENT.learner_id == CALLER_ID)
)


def load_attended_class(session: VerbSession, caller: Caller, classroom_id: int) -> JoinedClass:
    """A class as its student sees it, also when it has ended; NotFound to everybody else."""
    token_hash = learners.caller_token_hash(caller)
    joined_class = session.first(ATTENDED_CLASS, classroom=classroom_id, hash=token_hash)
    if joined_class is None:
        raise NotFound("没有这个班级，或者你不在里面。")
    return joined_class


class AttendedClass(NamedTuple):
    """A class as one student has it: with what there is to do in it, the soonest due first, then what opens
    later; each with their times."""

    joined_class: JoinedClass
    assignments_with_schedule: Sequence[tuple[StudentAssignment, Schedule]]


def load_class_with_work_to_do(
    session: VerbSession, caller: Caller, classroom_id: int, now: datetime
) -> AttendedClass:
    """A class and what there is to do in it, for its student; NotFound to everybody else."""
    joined_class = load_attended_class(session, caller, classroom_id)
    assignments_with_schedule = []
    for student_assignment in student_assignments.load_open_own_assignments(
        session, caller, now, classroom_id
    ):
        student_schedule = schedule_of(student_assignment, now)
        if student_schedule.state == "soon" or student_assignments.is_to_do(
            student_assignment, student_schedule
        ):
            assignments_with_schedule.append((student_assignment, student_schedule))
    assignments_with_schedule.sort(key=lambda row: student_assignments.order_of_work(*row))
    return AttendedClass(joined_class, assignments_with_schedule)


def load_class_and_tasks(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[JoinedClass, list[AssignedTask]]:
    """A class as its students see it, for its teacher, with the assignments that are published."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    [(teacher_login,)] = session.all(classrooms.TEACHER_LOGIN, classroom=classroom.id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    published_tasks = [task for task in tasks if task.assignment.published_at]
    notice_and_end = (classroom.notice, classroom.notice_until)
    joined_class = JoinedClass(
        classroom.id, classroom.name, teacher_login, classroom.archived_at, *notice_and_end
    )
    return joined_class, published_tasks
