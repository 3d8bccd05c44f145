"""New passwords for students of a class, set by their teacher. Never for another teacher."""

from datetime import datetime

from sqlalchemy import bindparam, select

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.classes.classrooms import ACCOUNT, BY_NUMBER, ENROLMENT, IS_MEMBER, OF_CLASS
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.db.session import Prepared, VerbSession

STUDENTS_WITH_PASSWORD = Prepared(
    select(ENROLMENT.id)
    .where(OF_CLASS, IS_MEMBER, ACCOUNT.learner_id == ENROLMENT.learner_id, ACCOUNT.teacher.is_(False))
    .order_by(*BY_NUMBER)
)


def with_password(session: VerbSession, caller: Caller, classroom_id: int) -> list[int]:
    """The enrolments of all whose password the teacher may set anew, in the order of the list."""
    classroom = classrooms.changed(session, caller, classroom_id)
    rows = session.all(STUDENTS_WITH_PASSWORD, classroom=classroom.id)
    return [enrolment_id for (enrolment_id,) in rows]


IS_TEACHER = Prepared(select(ACCOUNT.teacher).where(ACCOUNT.learner_id == bindparam("learner")))


def reset(
    session: VerbSession, caller: Caller, classroom_id: int, hashes: dict[int, str], now: datetime
) -> list[Student]:
    """New passwords, by enrolment; the devices of these students are signed out."""
    classroom = classrooms.changed(session, caller, classroom_id)
    students = [classrooms.enrolled(session, classroom.id, enrolment_id) for enrolment_id in hashes]
    for student in students:
        account = session.first(IS_TEACHER, learner=student.learner_id)
        if account is None or student.removed_at:
            raise Refused(f"{student.name}现在没有账号，或者已经不在班里。")
        [teacher] = account
        if teacher:
            raise Refused(f"{student.name}也是一位老师，密码请管理员重设。")
        accounts.set_password(session, student.learner_id, hashes[student.id], now)
    return students
