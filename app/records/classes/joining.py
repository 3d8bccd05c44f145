"""How students come into a class: by its code, with an account or a new one; or with a whole roster.

A roster is entered at once: accounts and enrolments, all of them or none. A student of another class of the
same teacher keeps the account they have. Accounts of others are never enrolled, nor is anything said of them
but that a name to sign in with is taken.
"""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.records.accounts import accounts, learners, throttle
from app.records.accounts.passwords import checked_login, key
from app.records.accounts.values import Arrival, Caller
from app.records.classes import classrooms
from app.records.classes.classrooms import (
    ACCOUNT,
    CALLER_ID,
    CLASSROOM,
    ENROLMENT,
    IS_MEMBER,
    OF_CLASS,
)
from app.records.classes.roster_files import RosterEntry, RosterFault
from app.records.classes.tables import Classroom, Enrolment
from app.records.classes.values import ClassRow, JoinableClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused
from app.records.db.session import Prepared, RowQuery, VerbSession, adding, columns_of

SIGN_IN_FIRST = "如果就是你，请登录；如果不是，加个字区分。"
NO_OPEN_CLASS = "没有这个班级码，或者它已经关了。看一眼老师的屏幕，再输一遍。"
ASK_TEACHER = "如果就是你，老师可能已经替你建了一个账号，告诉老师；如果不是，加个字区分。"


def find_class(
    session: VerbSession, caller: Caller, code: str, address: str, now: datetime, device: str = ""
) -> JoinableClass:
    """The class behind an open code; Throttled, whatever the code, after too many wrong ones.

    `device`: the mark of the browser that asks; empty for one that has none yet.
    """
    throttle.expect_few_wrong(session, "join", address, device, now)
    return find_open_class(session, caller, code, now)


def count_wrong_code(session: VerbSession, address: str, now: datetime, device: str = "") -> None:
    """One more wrong code. A verb of its own: the one that raises NotFound leaves nothing behind."""
    throttle.count_wrong(session, "join", address, device, now)


CLASS_WITH_CODE = Prepared(
    select(*columns_of(Classroom, ClassRow), ACCOUNT.login).where(
        CLASSROOM.code == bindparam("code"), ACCOUNT.learner_id == CLASSROOM.teacher_id
    )
)


def find_open_class(session: VerbSession, caller: Caller, code: str, now: datetime) -> JoinableClass:
    """The class whose code is open; NotFound for a code that is closed or never was."""
    row = session.first(CLASS_WITH_CODE, code=codes.plain(code))
    if row is None:
        raise NotFound(NO_OPEN_CLASS)
    *columns, teacher = row
    classroom = ClassRow(*columns)
    if not classroom.is_open(now):
        raise NotFound(NO_OPEN_CLASS)
    visitor = accounts.load_visitor(session, caller)
    student = None
    if visitor.learner_id is not None:
        student = classrooms.enrolment_of(session, classroom.id, visitor.learner_id)
    return JoinableClass(classroom, teacher, visitor, student)


def join(session: VerbSession, caller: Caller, code: str, name: str, address: str, now: datetime) -> int:
    """The account of the caller comes into the class under a name. Coming twice is harmless.

    Whoever was taken out does not come in again: only the teacher puts them back.
    """
    target = find_class(session, caller, code, address, now)
    account = target.present.account
    if account is None:
        raise NotFound
    if target.student is None:
        classrooms.expect_free(session, target.classroom.id, name, advice=ASK_TEACHER)
        add_student(session, target.classroom.id, account.learner_id, name, "", now)
    elif target.student.removed_at is not None:
        raise Refused(f"你在这个班里叫{target.student.name}，后来移出去了。请老师放你回来。")
    return target.classroom.id


def join_new(
    session: VerbSession,
    caller: Caller,
    code: str,
    name: str,
    password_hash: str,
    token: str,
    address: str,
    now: datetime,
    device: str | None = None,
) -> tuple[Arrival, str, int]:
    """A class account: made and enrolled at once. Also returns the name to sign in with, and the class."""
    target = find_class(session, caller, code, address, now)
    if target.present.account:
        raise Refused(f"现在是{target.present.account.login}在用，就用这个账号加入。不是你？先换个人用。")
    classrooms.expect_free(session, target.classroom.id, checked_login(name), advice=SIGN_IN_FIRST)
    login = accounts.free_login(session, name)
    arrival = accounts.create(session, caller, login, password_hash, token, address, now, device)
    enrol(session, target.classroom.id, arrival.learner_id, name, "", now, with_account=True)
    return arrival, login, target.classroom.id


def enrol(
    session: VerbSession,
    classroom_id: int,
    learner_id: int,
    name: str,
    number: str,
    now: datetime,
    with_account: bool = False,
) -> None:
    """A learner into a class. Who was removed comes back under the name of then; who is in it stays.
    `with_account`: their account was just made for it."""
    student = classrooms.enrolment_of(session, classroom_id, learner_id)
    if student is None:
        add_student(session, classroom_id, learner_id, name, number, now, with_account)
    elif student.removed_at is not None:
        classrooms.readmit(session, classroom_id, student)


ADD_ENROLMENT = adding(Enrolment)


def add_student(
    session: VerbSession,
    classroom_id: int,
    learner_id: int,
    name: str,
    number: str,
    now: datetime,
    with_account: bool = False,
) -> None:
    name = checked_login(name)
    classrooms.expect_free(session, classroom_id, name)
    session.run(
        ADD_ENROLMENT,
        classroom_id=classroom_id,
        learner_id=learner_id,
        name=name,
        name_key=key(name),
        number=number,
        joined_at=now,
        removed_at=None,
        with_account=with_account,
    )


# A roster.


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


class ImportPlan(NamedTuple):
    """What a list would do, line by line, and what is at odds with what is there already."""

    classroom: ClassRow
    steps: tuple[ImportStep, ...]
    faults: tuple[RosterFault, ...]


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
        is_new = step.student is None
        enrol(session, plan.classroom.id, learner_id, step.entry.name, step.entry.number, now, is_new)
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
        CLASSROOM.teacher_id == CALLER_ID,
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
    classroom = classrooms.editable_class(session, caller, classroom_id)
    students = session.all(STUDENTS_OF_TEACHER, hash=learners.caller_hash(caller))
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
        owner = session.first(STUDENT_WITH_NUMBER, classroom=classroom_id, number=entry.number)
        if owner:
            return f"学号“{entry.number}”在班里是{owner[0]}，核对一下是谁的。"
    login = key(entry.login)
    if not login or not session.first(accounts.BY_LOGIN, login=login):
        return ""
    class_ids = [student.classroom_id for student in students if key(student.login) == login]
    if not class_ids:
        return f"登录名“{entry.login}”已经有人用了，换一个或者空着。"
    if classroom_id in class_ids:
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
    classroom_id: int, entry: RosterEntry, students: Collection[KnownStudent], taken_logins: Collection[str]
) -> tuple[KnownStudent, ...]:
    """Students of the same name in other classes, each once, the latest first."""
    member_ids = {student.learner_id for student in students if student.classroom_id == classroom_id}
    namesakes: dict[int, KnownStudent] = {}
    for student in students:
        is_free = student.learner_id not in member_ids and key(student.login) not in taken_logins
        if student.name_key == key(entry.name) and is_free:
            namesakes.setdefault(student.learner_id, student)
    return tuple(namesakes.values())
