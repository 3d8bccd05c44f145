"""密码条: new passwords for students who forgot theirs, from the teacher of their class.

Only for accounts that were made for a class of this teacher, by its code or its roster. Any other belongs to
its owner alone, and so does that of another teacher, or of whoever helps one: it opens that teacher's class.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, bindparam, or_, select, update

from app.records.accounts import accounts
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.values import Caller
from app.records.classes import class_log, classrooms
from app.records.classes.classrooms import (
    CLASS_ROLE,
    CLASSROOM,
    ENROLMENT,
    IS_MEMBER,
    IS_OF_CLASS,
    ROSTER_ORDER,
    TEACHER_ID_OF_CLASS,
)
from app.records.classes.rights import Right
from app.records.classes.roster_files import MOST_STUDENTS
from app.records.classes.tables import Classroom, Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

ENROLMENT_OF_ACCOUNT, CLASSROOM_OF_ACCOUNT = (
    table(Enrolment).alias("first").c,
    table(Classroom).alias("of_first").c,
)
IS_MADE_FOR_TEACHER = (
    select(ENROLMENT_OF_ACCOUNT.id)
    .where(
        ENROLMENT_OF_ACCOUNT.learner_id == ACCOUNT.learner_id,
        ENROLMENT_OF_ACCOUNT.with_account,
        CLASSROOM_OF_ACCOUNT.id == ENROLMENT_OF_ACCOUNT.classroom_id,
        CLASSROOM_OF_ACCOUNT.teacher_id == TEACHER_ID_OF_CLASS,
    )
    .exists()
)
HELPED_CLASS = table(Classroom).alias("helped").c
OWNED_CLASS = table(Classroom).alias("owned").c
IS_ACCOUNT_OF_TEACHER = or_(
    ACCOUNT.is_teacher, select(OWNED_CLASS.id).where(OWNED_CLASS.teacher_id == ACCOUNT.learner_id).exists()
)
"""Whether an account teaches, or has classes from when it did: its password opens them."""
IS_HELPING_ANOTHER_TEACHER = (
    select(CLASS_ROLE.id)
    .where(
        CLASS_ROLE.learner_id == ACCOUNT.learner_id,
        HELPED_CLASS.id == CLASS_ROLE.classroom_id,
        HELPED_CLASS.teacher_id != TEACHER_ID_OF_CLASS,
    )
    .exists()
)
RESETTABLE_IDS = PreparedStatement(
    select(ENROLMENT.id)
    .where(
        IS_OF_CLASS,
        IS_MEMBER,
        ACCOUNT.learner_id == ENROLMENT.learner_id,
        ~IS_ACCOUNT_OF_TEACHER,
        IS_MADE_FOR_TEACHER,
        ~IS_HELPING_ANOTHER_TEACHER,
    )
    .order_by(*ROSTER_ORDER)
)


def resettable_enrolment_ids(session: VerbSession, caller: Caller, classroom_id: int) -> list[int]:
    """The enrolments of all whose password the teacher may set anew, in the order of the list."""
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    enrolment_rows = session.all(RESETTABLE_IDS, classroom=classroom.id)
    return [enrolment_id for (enrolment_id,) in enrolment_rows]


ACCOUNT_CONDITIONS: tuple[ColumnElement[Any], ...] = (
    IS_ACCOUNT_OF_TEACHER,
    IS_HELPING_ANOTHER_TEACHER,
    IS_MADE_FOR_TEACHER,
)
CONDITIONS_OF_ACCOUNT = PreparedStatement(select(*ACCOUNT_CONDITIONS).where(accounts.IS_OF_ACCOUNT))


def reset_passwords(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    password_hash_by_enrolment_id: dict[int, str],
    now: datetime,
) -> list[Student]:
    """New passwords, by enrolment; the devices of these students are signed out."""
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    students = resettable_students_of_class(session, classroom, password_hash_by_enrolment_id)
    for student in students:
        accounts.set_password(session, student.learner_id, password_hash_by_enrolment_id[student.id], now)
        class_log.add_line(session, classroom, "password", {}, now, student.id)
    return students


def load_resettable_students(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_ids: Collection[int]
) -> list[Student]:
    """`resettable_students_of_class` for who owns the class, before anything is hashed for them."""
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    return resettable_students_of_class(session, classroom, enrolment_ids)


def resettable_students_of_class(
    session: VerbSession, classroom: ClassRow, enrolment_ids: Collection[int]
) -> list[Student]:
    """The students of these enrolments in a class that was looked up. Refused for more than are printed at
    once, and names one whose password is not for the teacher to set."""
    if len(enrolment_ids) > MOST_STUDENTS:
        raise Refused(f"一次最多给{MOST_STUDENTS}位换密码：少勾几位，分几次换。")
    students = [
        classrooms.student_of_class(session, classroom.id, enrolment_id) for enrolment_id in enrolment_ids
    ]
    for student in students:
        account_flags = session.first(
            CONDITIONS_OF_ACCOUNT, learner=student.learner_id, classroom=classroom.id
        )
        if account_flags is None or student.removed_at:
            raise Refused(f"{student.name}现在没有账号，或者已经不在班里。")
        is_of_teacher, helps_another_teacher, is_made_for_teacher = account_flags
        if is_of_teacher:
            raise Refused(f"{student.name}也是一位老师，密码请管理员重设。")
        if helps_another_teacher:
            raise Refused(f"{student.name}在别的老师的班里帮着教，密码请管理员重设。")
        if not is_made_for_teacher:
            raise Refused(f"{student.name}用的是自己的账号，密码归本人管；忘了，请管理员重设。")
    return students


IS_IN_ANY_CLASS_OF_TEACHER = ENROLMENT.classroom_id.in_(
    select(CLASSROOM.id).where(CLASSROOM.teacher_id == TEACHER_ID_OF_CLASS)
)
HAS_ACCOUNT_MADE_WITH_CLASS = ENROLMENT.learner_id.in_(
    select(ENROLMENT_OF_ACCOUNT.learner_id).where(
        ENROLMENT_OF_ACCOUNT.classroom_id == bindparam("classroom"), ENROLMENT_OF_ACCOUNT.with_account
    )
)
KEEP_CLASS_ACCOUNTS = PreparedStatement(
    update(table(Enrolment))
    .where(IS_IN_ANY_CLASS_OF_TEACHER, HAS_ACCOUNT_MADE_WITH_CLASS)
    .values(with_account=True)
)


def keep_class_accounts(session: VerbSession, classroom_id: int) -> None:
    """Before a class goes: accounts that were made with it stay made for its teacher, whose other classes
    these students are in."""
    session.run(KEEP_CLASS_ACCOUNTS, classroom=classroom_id)
