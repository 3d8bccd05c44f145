"""Classes of a teacher: their code, their students, and what a teacher does with them.

The lookup is the permission check: `taught_class` finds a class for its teacher and for those who help,
each as far as their role goes.
"""

from datetime import datetime, timedelta

from sqlalchemy import and_, bindparam, case, exists, func, or_, select

from app.course.text.typed import single_spaced_name
from app.records.accounts import learners
from app.records.accounts.learners import ACCOUNT, CALLER_ID
from app.records.accounts.tables import Account
from app.records.accounts.values import Caller, Visitor
from app.records.classes import class_log, rights
from app.records.classes.rights import Right
from app.records.classes.tables import ClassRole, Classroom, Enrolment, GroupMember
from app.records.classes.values import (
    ClassLists,
    ClassRow,
    JoinedClass,
    Student,
    TaughtClass,
    present_students_among,
    with_namesake_flags,
)
from app.records.db import codes
from app.records.db.errors import NotFound, NotPermitted, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, prepared_insert, prepared_update

CODE_LENGTH = 6
CODE_OPEN_FOR = timedelta(minutes=45)  # a lesson
DOUBLE_CLICK_PERIOD = timedelta(minutes=2)
"""So long what was just made, and nobody touched, is not made again."""
LONGEST_CLASS_NAME = 40

CLASSROOM = table(Classroom).c
CLASS_ROLE = table(ClassRole).c
ENROLMENT = table(Enrolment).c
GROUP_MEMBER = table(GroupMember).c

IS_THIS_CLASS = CLASSROOM.id == bindparam("classroom")
IS_THIS_STUDENT = ENROLMENT.id == bindparam("enrolment")
IS_OF_CLASS = ENROLMENT.classroom_id == bindparam("classroom")
IS_MEMBER = ENROLMENT.removed_at.is_(None)
MEMBER_LEARNER_IDS = select(ENROLMENT.learner_id).where(IS_OF_CLASS, IS_MEMBER)
"""The learners who are in `classroom`."""

TEACHER_ID_OF_CLASS = select(CLASSROOM.teacher_id).where(IS_THIS_CLASS).correlate(None).scalar_subquery()
"""The learner who teaches `classroom`."""

# Who may reach what.

# Its last two fields are of whoever asks: the role, and who they are.
CLASS_COLUMNS = [CLASSROOM[name] for name in ClassRow._fields[:-2]]
IS_OWNER = CLASSROOM.teacher_id == CALLER_ID
CLASSROOMS_WITH_ROLE = table(Classroom).outerjoin(
    table(ClassRole),
    and_(CLASS_ROLE.classroom_id == CLASSROOM.id, CLASS_ROLE.learner_id == CALLER_ID),
)
TAUGHT_CLASS = RowQuery(
    ClassRow,
    select(
        *CLASS_COLUMNS,
        case((IS_OWNER, "teacher"), else_=CLASS_ROLE.role).label("role"),
        CALLER_ID.label("actor_id"),
    )
    .select_from(CLASSROOMS_WITH_ROLE)
    .where(IS_THIS_CLASS, or_(IS_OWNER, CLASS_ROLE.id.is_not(None))),
)
TEACHER_LOGIN = PreparedStatement(select(ACCOUNT.login).where(ACCOUNT.learner_id == TEACHER_ID_OF_CLASS))


def taught_class(
    session: VerbSession, caller: Caller, classroom_id: int, needed_right: Right = Right.READ
) -> ClassRow:
    """A class of the teacher who calls, or in which they help; NotFound to everybody else. NotPermitted where
    their role does not give them the right."""
    classroom = session.first(TAUGHT_CLASS, classroom=classroom_id, hash=learners.caller_token_hash(caller))
    if classroom is None:
        raise NotFound("没有这个班级，或者它不是你的。")
    if not classroom.may(needed_right):
        [(teacher_login,)] = session.all(TEACHER_LOGIN, classroom=classroom_id)
        raise NotPermitted(rights.refusal_sentence(classroom.role, needed_right, teacher_login))
    return classroom


def editable_class(
    session: VerbSession, caller: Caller, classroom_id: int, needed_right: Right = Right.TEACH
) -> ClassRow:
    """A class that may be changed by whoever has the right: Refused once it is archived."""
    classroom = taught_class(session, caller, classroom_id, needed_right)
    if classroom.archived_at:
        raise Refused("这个班级已经归档，只能看。要改动，先恢复它。")
    return classroom


def class_and_student(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int
) -> tuple[ClassRow, Student]:
    """A student of a class of the teacher who calls; NotFound once they are out of it."""
    classroom = taught_class(session, caller, classroom_id)
    student = student_of_class(session, classroom.id, enrolment_id)
    if student.removed_at is not None:
        raise NotFound("这位同学已经不在班里；放回来以后又看得到。")
    return classroom, student


NAMESAKE = table(Enrolment).alias().c
IS_NAMESAKE = and_(NAMESAKE.classroom_id == ENROLMENT.classroom_id, NAMESAKE.name_key == ENROLMENT.name_key)
IS_OTHER_MEMBER = and_(NAMESAKE.id != ENROLMENT.id, NAMESAKE.removed_at.is_(None))
HAS_PRESENT_NAMESAKE = exists().where(IS_NAMESAKE, IS_OTHER_MEMBER)
"""Whether another student of that name is in the class now."""
STUDENT_COLUMNS = (
    ENROLMENT.id,
    ENROLMENT.learner_id,
    ENROLMENT.name,
    ENROLMENT.number.label("student_number"),
    ENROLMENT.joined_at,
    ENROLMENT.removed_at,
    ACCOUNT.login,
    ENROLMENT.seat,
    ENROLMENT.time_factor,
    GROUP_MEMBER.group_id,
    ENROLMENT.absences,
)
ENROLMENTS_WITH_ACCOUNTS = (
    table(Enrolment)
    .outerjoin(table(Account), ACCOUNT.learner_id == ENROLMENT.learner_id)
    .outerjoin(table(GroupMember), GROUP_MEMBER.enrolment_id == ENROLMENT.id)
)
STUDENTS_OF_CLASS = select(*STUDENT_COLUMNS).select_from(ENROLMENTS_WITH_ACCOUNTS).where(IS_OF_CLASS)
ONE_STUDENT = STUDENTS_OF_CLASS.add_columns(HAS_PRESENT_NAMESAKE.label("has_namesake"))
STUDENT = RowQuery(Student, ONE_STUDENT.where(IS_THIS_STUDENT))


def student_of_class(session: VerbSession, classroom_id: int, enrolment_id: int) -> Student:
    """A student of a class, also one who was removed; NotFound for another class's."""
    student = session.first(STUDENT, classroom=classroom_id, enrolment=enrolment_id)
    if student is None:
        raise NotFound("班里没有这位同学。")
    return student


STUDENT_OF_LEARNER = RowQuery(Student, ONE_STUDENT.where(ENROLMENT.learner_id == bindparam("learner")))


def student_of_learner(session: VerbSession, classroom_id: int, learner_id: int) -> Student | None:
    """A learner who is or was in a class."""
    return session.first(STUDENT_OF_LEARNER, classroom=classroom_id, learner=learner_id)


ROSTER_ORDER = (
    ENROLMENT.seat.is_(None),
    ENROLMENT.seat,
    ENROLMENT.number == "",
    func.length(ENROLMENT.number),
    ENROLMENT.number,
    ENROLMENT.id,
)
"""The order of a list: by 座号 as numbers, then by 学号, of which 10 comes after 9."""
STUDENTS = RowQuery(Student, STUDENTS_OF_CLASS.order_by(*ROSTER_ORDER))


def load_present_and_former_students(session: VerbSession, classroom_id: int) -> tuple[Student, ...]:
    """Everybody who is or was in a class, by 座号, by 学号, then by time."""
    return with_namesake_flags(session.all(STUDENTS, classroom=classroom_id))


def load_present_students(session: VerbSession, classroom_id: int) -> tuple[Student, ...]:
    """Everybody who is in a class now, in the same order."""
    return present_students_among(session.all(STUDENTS, classroom=classroom_id))


# What can be seen.

STUDENT_COUNT = select(func.count()).where(ENROLMENT.classroom_id == CLASSROOM.id, IS_MEMBER)
IS_TEACHER = CLASSROOM.teacher_id == bindparam("learner")
IS_HELD_BY_LEARNER = CLASS_ROLE.learner_id == bindparam("learner")
IS_ROLE_OF_LEARNER = and_(CLASS_ROLE.classroom_id == CLASSROOM.id, IS_HELD_BY_LEARNER)
IS_HELPER = exists().where(IS_ROLE_OF_LEARNER)
"""Whether `learner` has a role in a class."""
IS_ROLE_IN_CLASS = CLASS_ROLE.classroom_id == bindparam("classroom")
ROLE_OF_LEARNER = PreparedStatement(select(CLASS_ROLE.role).where(IS_ROLE_IN_CLASS, IS_HELD_BY_LEARNER))
CLASSES_OF_TEACHER = RowQuery(
    TaughtClass,
    select(
        CLASSROOM.id,
        CLASSROOM.name,
        CLASSROOM.archived_at,
        STUDENT_COUNT.scalar_subquery().label("student_count"),
        case((IS_TEACHER, "teacher"), else_=CLASS_ROLE.role).label("role"),
        ACCOUNT.login.label("teacher_login"),
    )
    .select_from(
        table(Classroom)
        .join(table(Account), ACCOUNT.learner_id == CLASSROOM.teacher_id)
        .outerjoin(table(ClassRole), IS_ROLE_OF_LEARNER)
    )
    .where(or_(IS_TEACHER, CLASS_ROLE.id.is_not(None)))
    .order_by(CLASSROOM.id.desc()),
)
JOINED_CLASSES_QUERY = select(
    CLASSROOM.id,
    CLASSROOM.name,
    ACCOUNT.login.label("teacher_login"),
    CLASSROOM.archived_at,
    CLASSROOM.notice,
    CLASSROOM.notice_until,
).where(ENROLMENT.classroom_id == CLASSROOM.id, IS_MEMBER, ACCOUNT.learner_id == CLASSROOM.teacher_id)
"""Classes with their teachers, once for each student."""
CLASSES_OF_STUDENT = RowQuery(
    JoinedClass,
    JOINED_CLASSES_QUERY.where(ENROLMENT.learner_id == bindparam("learner")).order_by(
        ENROLMENT.joined_at.desc(), ENROLMENT.id.desc()
    ),
)


def load_class_lists(session: VerbSession, caller: Caller) -> ClassLists:
    """The classes of the caller: those they teach or help in, those they are in, and those that ended."""
    return class_lists_of(session, learners.load_visitor(session, caller))


def class_lists_of(session: VerbSession, visitor: Visitor) -> ClassLists:
    """The same, for a visitor who is known already."""
    if visitor.account is None:
        return ClassLists(visitor)
    learner_id = visitor.account.learner_id
    taught_classes = session.all(CLASSES_OF_TEACHER, learner=learner_id)
    classes_of_student = session.all(CLASSES_OF_STUDENT, learner=learner_id)
    joined_classes = [joined_class for joined_class in classes_of_student if joined_class.archived_at is None]
    ended_classes = [joined_class for joined_class in classes_of_student if joined_class.archived_at]
    return ClassLists(visitor, tuple(taught_classes), tuple(joined_classes), tuple(ended_classes))


def load_running_classes(session: VerbSession, caller: Caller) -> list[TaughtClass]:
    """The classes that the caller may change, the newest first."""
    learner_id = learners.find_learner_id(session, caller)
    taught_classes = session.all(CLASSES_OF_TEACHER, learner=learner_id)
    return [listed_class for listed_class in taught_classes if listed_class.may_be_taught]


# What a teacher does with a class.

NEW_EMPTY_CLASS_ID = PreparedStatement(
    select(CLASSROOM.id).where(
        CLASSROOM.teacher_id == bindparam("learner"),
        CLASSROOM.name == bindparam("name"),
        CLASSROOM.created_at > bindparam("since"),
        CLASSROOM.archived_at.is_(None),
        ~exists().where(ENROLMENT.classroom_id == CLASSROOM.id),
    )
)
ADD_CLASS = prepared_insert(Classroom)


def create_class(session: VerbSession, caller: Caller, class_name: str, now: datetime) -> int:
    """A new class, with its code open; a double click finds the first. NotFound for who is no teacher."""
    visitor = learners.load_visitor(session, caller)
    if not visitor.is_teacher:
        raise NotFound("只有老师能建班级。想当老师，请管理员发一个邀请链接。")
    class_name = checked_class_name(class_name)
    id_row = session.first(
        NEW_EMPTY_CLASS_ID, learner=visitor.learner_id, name=class_name, since=now - DOUBLE_CLICK_PERIOD
    )
    if id_row is None:
        [id_row] = session.all(
            ADD_CLASS,
            teacher_id=visitor.learner_id,
            name=class_name,
            created_at=now,
            archived_at=None,
            code=fresh_join_code(session),
            code_until=now + CODE_OPEN_FOR,
            asks_number_kind=False,
            number_at_door=False,
            notice="",
            notice_until=None,
        )
    return int(id_row[0])


SET_NAME = prepared_update(Classroom, IS_THIS_CLASS, ["name"])


def rename_class(
    session: VerbSession, caller: Caller, classroom_id: int, class_name: str, now: datetime
) -> None:
    classroom = editable_class(session, caller, classroom_id)
    class_name = checked_class_name(class_name)
    if class_name != classroom.name:
        session.run(SET_NAME, classroom=classroom.id, name=class_name)
        class_log.add_line(session, classroom, "class-name", {"name": [classroom.name, class_name]}, now)


def checked_class_name(class_name: str) -> str:
    """The name of a class; Refused says what is wrong with another."""
    class_name = single_spaced_name(class_name)
    if not class_name:
        raise Refused("给班级起个名字，比如“高一3班”。")
    if len(class_name) > LONGEST_CLASS_NAME or not class_name.isprintable():
        raise Refused(f"班级名最多{LONGEST_CLASS_NAME}个字，不带看不见的符号。")
    return class_name


SET_ARCHIVED = prepared_update(Classroom, IS_THIS_CLASS, ["archived_at", "code_until"])


def archive_class(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> None:
    """Put a class away: nobody joins any more, its students no longer see it, all work stays."""
    classroom = taught_class(session, caller, classroom_id, Right.OWN)
    if classroom.archived_at is None:
        session.run(SET_ARCHIVED, classroom=classroom.id, archived_at=now, code_until=None)
        class_log.add_line(session, classroom, "archive", {}, now)


SET_CODE = prepared_update(Classroom, IS_THIS_CLASS, ["code", "code_until"])


def open_join_code(
    session: VerbSession, caller: Caller, classroom_id: int, now: datetime, renews_code: bool = False
) -> None:
    """Let people in for a lesson; with `renews_code` by another code, and the old one is void."""
    classroom = editable_class(session, caller, classroom_id)
    join_code = classroom.code
    if renews_code:
        join_code = fresh_join_code(session)
    session.run(SET_CODE, classroom=classroom.id, code=join_code, code_until=now + CODE_OPEN_FOR)


def close_join_code(session: VerbSession, caller: Caller, classroom_id: int) -> None:
    classroom = taught_class(session, caller, classroom_id, Right.TEACH)
    session.run(SET_CODE, classroom=classroom.id, code=classroom.code, code_until=None)


CLASS_WITH_CODE = PreparedStatement(select(CLASSROOM.id).where(CLASSROOM.code == bindparam("code")))


def fresh_join_code(session: VerbSession) -> str:
    """A code that no class has."""
    while True:
        join_code = codes.fresh_code(CODE_LENGTH)
        if session.first(CLASS_WITH_CODE, code=join_code) is None:
            return join_code
