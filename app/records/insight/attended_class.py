"""A class as its students see it, to them and to its teacher."""

from app.records.accounts import learners
from app.records.accounts.learners import CALLER_ID
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
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


def load_class_and_tasks(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[JoinedClass, list[AssignedTask]]:
    """A class as its students see it, for its teacher, with the assignments that are published."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    [(teacher_login,)] = session.all(classrooms.TEACHER_LOGIN, classroom=classroom.id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    published_tasks = [task for task in tasks if task.assignment.published_at]
    notice = (classroom.notice, classroom.notice_until)
    joined_class = JoinedClass(classroom.id, classroom.name, teacher_login, classroom.archived_at, *notice)
    return joined_class, published_tasks
