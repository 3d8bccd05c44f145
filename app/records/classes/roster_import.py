"""A whole roster at once: accounts and enrolments, all of them or none.

A student of another class of the same teacher keeps the account they have. Accounts of others are never
enrolled, nor is anything said of them but that a name to sign in with is taken.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.records.accounts import accounts, learners
from app.records.accounts.passwords import key
from app.records.accounts.values import Caller
from app.records.classes import classrooms, joining
from app.records.classes.classrooms import ACCOUNT, CLASSROOM, ENROLMENT, IS_MEMBER, OF_CLASS, me
from app.records.classes.roster_files import RosterEntry, RosterFault
from app.records.classes.values import ClassRow
from app.records.db.errors import Refused
from app.records.db.session import Prepared, RowQuery, VerbSession


class KnownStudent(NamedTuple):
    """A student in a class of the teacher who imports."""

    name_key: str
    learner_id: int
    login: str
    classroom_id: int
    classroom: str


class ImportStep(NamedTuple):
    """What becomes of a line. `entry` has the name to sign in with; `student`, where the account is there.

    `namesakes`: students of the same name, any of whom it may be; `new_login`: of a new account instead.
    """

    entry: RosterEntry
    student: KnownStudent | None = None
    namesakes: tuple[KnownStudent, ...] = ()
    new_login: str = ""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What a list would do, line by line, and what is at odds with what is there already."""

    row: ClassRow
    steps: tuple[ImportStep, ...] = ()
    faults: tuple[RosterFault, ...] = ()


def enter(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    entries: tuple[RosterEntry, ...],
    hashes: tuple[str, ...],
    now: datetime,
) -> ImportPlan:
    """Every student into the class, with a new account who has none; no password changes.

    Refused: nothing is done.
    """
    plan = make_plan(session, caller, classroom_id, entries)
    if plan.faults:
        raise Refused("".join(f"第{fault.line}行：{fault.text}" for fault in plan.faults[:3]))
    for step, password_hash in zip(plan.steps, hashes, strict=True):
        if step.student:
            learner_id = step.student.learner_id
        else:
            learner_id = learners.add_learner(session, now)
            accounts.add(session, learner_id, step.entry.login, password_hash, now)
        joining.enrol(session, plan.row.id, learner_id, step.entry.name, step.entry.number, now)
    return plan


STUDENTS_OF_TEACHER = RowQuery(
    KnownStudent,
    select(
        ENROLMENT.name_key,
        ACCOUNT.learner_id,
        ACCOUNT.login,
        CLASSROOM.id.label("classroom_id"),
        CLASSROOM.name.label("classroom"),
    )
    .where(
        CLASSROOM.teacher_id == me,
        ENROLMENT.classroom_id == CLASSROOM.id,
        IS_MEMBER,
        ACCOUNT.learner_id == ENROLMENT.learner_id,
    )
    .order_by(ENROLMENT.id.desc()),
)


def make_plan(
    session: VerbSession, caller: Caller, classroom_id: int, entries: tuple[RosterEntry, ...]
) -> ImportPlan:
    """A name to sign in with says who is meant; without one, a student of the same name is taken to be it."""
    classroom = classrooms.changed(session, caller, classroom_id)
    students = session.all(STUDENTS_OF_TEACHER, hash=learners.token_hash(caller.token or ""))
    taken_logins = {key(entry.login) for entry in entries if entry.login}
    steps = []
    faults = []
    for entry in entries:
        conflict = conflict_of(session, classroom.id, entry, students)
        if conflict:
            faults.append(RosterFault(entry.line, conflict))
            continue
        step = step_of(session, classroom.id, entry, students, taken_logins)
        taken_logins.add(key(step.entry.login))
        steps.append(step)
    return ImportPlan(classroom, tuple(steps), tuple(faults))


STUDENT_WITH_NUMBER = Prepared(
    select(ENROLMENT.name).where(OF_CLASS, IS_MEMBER, ENROLMENT.number == bindparam("number"))
)


def conflict_of(
    session: VerbSession, classroom_id: int, entry: RosterEntry, students: Collection[KnownStudent]
) -> str:
    """What forbids a line, in words; empty where nothing does."""
    if session.first(classrooms.STUDENT_WITH_NAME, classroom=classroom_id, name=key(entry.name)):
        return f"“{entry.name}”已经在班里了。"
    if entry.number:
        row = session.first(STUDENT_WITH_NUMBER, classroom=classroom_id, number=entry.number)
        if row:
            return f"学号“{entry.number}”在班里是{row[0]}，核对一下是谁的。"
    login = key(entry.login)
    if not login or not session.first(accounts.BY_LOGIN, login=login):
        return ""
    classes = [student.classroom_id for student in students if key(student.login) == login]
    if not classes:
        return f"登录名“{entry.login}”已经有人用了，换一个或者空着。"
    if classroom_id in classes:
        return f"登录名“{entry.login}”的同学已经在班里了。"
    return ""


def step_of(
    session: VerbSession,
    classroom_id: int,
    entry: RosterEntry,
    students: Collection[KnownStudent],
    taken_logins: Collection[str],
) -> ImportStep:
    if entry.login:
        owners = (student for student in students if key(student.login) == key(entry.login))
        return ImportStep(entry, next(owners, None))
    new_login = accounts.free_login(session, entry.name, taken_logins)
    namesakes = namesakes_of(classroom_id, entry, students, taken_logins)
    if not namesakes:
        return ImportStep(entry._replace(login=new_login), new_login=new_login)
    student = namesakes[0]
    return ImportStep(entry._replace(login=student.login), student, namesakes, new_login)


def namesakes_of(
    classroom_id: int,
    entry: RosterEntry,
    students: Collection[KnownStudent],
    taken_logins: Collection[str],
) -> tuple[KnownStudent, ...]:
    """Students of the same name in other classes, each once, the latest first."""
    members = {student.learner_id for student in students if student.classroom_id == classroom_id}
    namesakes: dict[int, KnownStudent] = {}
    for student in students:
        is_free = student.learner_id not in members and key(student.login) not in taken_logins
        if student.name_key == key(entry.name) and is_free:
            namesakes.setdefault(student.learner_id, student)
    return tuple(namesakes.values())
