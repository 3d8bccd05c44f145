"""How students come into a class: by its code, with an account or a new one; or with a whole roster."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, select

from app.course.text.typed import name_key
from app.records.accounts import accounts, learners, throttle
from app.records.accounts.learners import ACCOUNT
from app.records.accounts.passwords import checked_display_name
from app.records.accounts.values import Browser, Caller, Credentials, KnownLearner
from app.records.classes import class_members, classrooms, student_numbers
from app.records.classes.classrooms import (
    CLASS_COLUMNS,
    CLASS_ROLE,
    CLASSROOM,
    ENROLMENT,
    IS_ROLE_IN_CLASS,
    IS_THIS_CLASS,
    IS_THIS_STUDENT,
)
from app.records.classes.roster_files import checked_student_number
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, JoinableClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert

SIGN_IN_FIRST_SENTENCE = (
    "如果就是你，请登录：刚才按过“加入”，多半已经进来了；没看到密码、没记下，请老师换一个。"
    "如果不是，加个字区分。"
)
NO_OPEN_CLASS_SENTENCE = "没有这个加入码，或者它已经关了；关了的，请老师再开门。看一眼老师的屏幕，再输一遍。"
OWN_CLASS_SENTENCE = "你就是这个班的老师。加入码留给同学。"
NAME_OF_TEACHER_SENTENCE = "这是老师的名字，写自己的；真的同名，加个字区分。"
ASK_TEACHER_SENTENCE = "如果就是你，老师可能已经替你建了一个账号，告诉老师；如果不是，加个字区分。"


class WrongNumber(Refused):
    """A 学号 that somebody else of the class has: whoever tries one after the other would learn which there
    are, so each is counted as a wrong code is."""


def load_joinable_class(
    session: VerbSession, caller: Caller, join_code: str, address: str, now: datetime, browser_hash: str = ""
) -> JoinableClass:
    """The class behind an open code; Throttled, whatever the code, after too many wrong ones.

    `browser_hash`: the hash of the browser that asks; empty for one that has none yet.
    """
    throttle.expect_few_wrong_codes(session, "join", address, browser_hash, now)
    return load_open_class(session, caller, join_code, now)


def count_wrong_join_code(session: VerbSession, address: str, now: datetime, browser_hash: str = "") -> None:
    """One more wrong code. A verb of its own: the one that raises NotFound leaves nothing behind."""
    throttle.count_wrong_code(session, "join", address, browser_hash, now)


def no_class_sentence(join_code: str) -> str:
    """Why a code opens no class: it has another length than all codes, or is none of them.

    >>> no_class_sentence("NXJ5")
    '加入码要六位，你写了4位。看一眼老师的屏幕，再输一遍。'
    """
    letter_count = len(codes.normalise_code(join_code))
    if letter_count == classrooms.CODE_LENGTH:
        return NO_OPEN_CLASS_SENTENCE
    return f"加入码要六位，你写了{letter_count}位。看一眼老师的屏幕，再输一遍。"


CLASS_WITH_CODE = PreparedStatement(
    select(*CLASS_COLUMNS, ACCOUNT.login).where(
        CLASSROOM.code == bindparam("code"), ACCOUNT.learner_id == CLASSROOM.teacher_id
    )
)


def load_open_class(session: VerbSession, caller: Caller, join_code: str, now: datetime) -> JoinableClass:
    """The class whose code is open; NotFound for a code that is closed or never was."""
    class_and_login = session.first(CLASS_WITH_CODE, code=codes.normalise_code(join_code))
    if class_and_login is None:
        raise NotFound(no_class_sentence(join_code))
    *class_columns, teacher_login = class_and_login
    classroom = ClassRow(*class_columns)
    if not classroom.is_open(now):
        raise NotFound(NO_OPEN_CLASS_SENTENCE)
    visitor = learners.load_visitor(session, caller)
    student = None
    if visitor.learner_id is not None:
        student = classrooms.student_of_learner(session, classroom.id, visitor.learner_id)
    return JoinableClass(classroom, teacher_login, visitor, student)


def join_class(
    session: VerbSession,
    caller: Caller,
    join_code: str,
    student_name: str,
    address: str,
    now: datetime,
    student_number: str = "",
) -> int:
    """The account of the caller comes into the class under a name. Coming twice is harmless, and gives a 学号
    that was missing, where the class asks for it.

    Whoever was taken out or moved to another class does not come in again: only the teacher puts them back.
    """
    joinable_class = load_joinable_class(session, caller, join_code, address, now)
    account = joinable_class.visitor.account
    if account is None:
        raise NotFound
    student = joinable_class.student
    if student is None:
        if joinable_class.is_of_visitor:
            raise Refused(OWN_CLASS_SENTENCE)
        if class_members.moved_away_learner_ids(session, joinable_class.classroom, [account.learner_id]):
            raise Refused("老师把你从这个班换到了别的班。要回来，请老师换你回来。")
        expect_no_name_of_teacher(session, joinable_class.classroom.id, student_name)
        student_number = checked_student_number_at_door(
            session, joinable_class, student_name, student_number, ASK_TEACHER_SENTENCE
        )
        class_members.expect_unused_name(
            session,
            joinable_class.classroom.id,
            student_name,
            student_number=student_number,
            advice_words=ASK_TEACHER_SENTENCE,
        )
        enrol_learner(
            session, joinable_class.classroom.id, account.learner_id, student_name, student_number, now
        )
    elif student.removed_at is not None:
        raise Refused(f"你在这个班里叫{student.name}，后来移出去了。请老师放你回来。")
    elif joinable_class.classroom.number_at_door and not student.student_number:
        student_number = checked_student_number_at_door(
            session, joinable_class, student.name, student_number, ASK_TEACHER_SENTENCE
        )
        student_numbers.give_student_number(session, student.id, student_number)
    return joinable_class.classroom.id


def checked_student_number_at_door(
    session: VerbSession,
    joinable_class: JoinableClass,
    student_name: str,
    student_number: str,
    advice_words: str,
) -> str:
    """学号 of somebody who comes in, held against those of the class; empty where it does not ask.

    Refused for one that is missing, WrongNumber for one that somebody of the class has: whose it is, is not
    said.
    """
    if not joinable_class.classroom.number_at_door:
        return ""
    student_number = checked_student_number(student_number)
    if not student_number:
        raise Refused("写上学号：老师要按学号对名单。", "number")
    for student in classrooms.load_present_students(session, joinable_class.classroom.id):
        if name_key(student.student_number) != name_key(student_number):
            continue
        if name_key(student.name) == name_key(student_name):
            raise WrongNumber(f"班里已经有学号{student_number}的{student_name}了。{advice_words}", "number")
        raise WrongNumber(
            f"学号{student_number}在班里登记的是另一个名字。核对一下名字和学号；都没错，就告诉老师。",
            "number",
        )
    return student_number


def join_with_new_account(
    session: VerbSession,
    caller: Caller,
    join_code: str,
    credentials: Credentials,
    browser: Browser,
    now: datetime,
    student_number: str = "",
) -> tuple[KnownLearner, str, int]:
    """A class account: made and enrolled at once. Also returns the name to sign in with, which is another
    than that in the class where somebody else has it, and the class. A form that comes twice makes one."""
    joinable_class = load_joinable_class(session, caller, join_code, browser.address, now)
    repeating_learner = accounts.find_repeating_learner(session, browser, now)
    if repeating_learner is not None:
        [(login,)] = session.all(learners.LOGIN_OF_LEARNER, learner=repeating_learner.learner_id)
        return repeating_learner, login, joinable_class.classroom.id
    if joinable_class.visitor.account:
        raise Refused(
            f"现在是{joinable_class.visitor.account.login}在用，就用这个账号加入。不是你？先退出登录。"
        )
    student_name = credentials.login
    expect_no_name_of_teacher(session, joinable_class.classroom.id, student_name)
    student_number = checked_student_number_at_door(
        session,
        joinable_class,
        checked_display_name(student_name, "名字", "name"),
        student_number,
        SIGN_IN_FIRST_SENTENCE,
    )
    class_members.expect_unused_name(
        session,
        joinable_class.classroom.id,
        student_name,
        student_number=student_number,
        advice_words=SIGN_IN_FIRST_SENTENCE,
    )
    free_credentials = replace(credentials, login=accounts.free_login(session, student_name))
    known_learner = accounts.create_account_by_new_form(session, caller, free_credentials, browser, now)
    enrol_learner(
        session,
        joinable_class.classroom.id,
        known_learner.learner_id,
        student_name,
        student_number,
        now,
        has_account=True,
    )
    return known_learner, free_credentials.login, joinable_class.classroom.id


OWNER_ID_OF_CLASS = select(CLASSROOM.teacher_id).where(IS_THIS_CLASS)
CO_TEACHER_IDS_OF_CLASS = select(CLASS_ROLE.learner_id).where(
    IS_ROLE_IN_CLASS, CLASS_ROLE.role == "co-teacher"
)
LOGINS_OF_TEACHERS = PreparedStatement(
    select(ACCOUNT.login).where(ACCOUNT.learner_id.in_(OWNER_ID_OF_CLASS.union(CO_TEACHER_IDS_OF_CLASS)))
)


def expect_no_name_of_teacher(session: VerbSession, classroom_id: int, student_name: str) -> None:
    """Refused where somebody would come in under the name of who teaches the class: every list would say
    that a teacher is its student."""
    for (teacher_login,) in session.all(LOGINS_OF_TEACHERS, classroom=classroom_id):
        if bare_name_key(teacher_login) == bare_name_key(student_name):
            raise Refused(NAME_OF_TEACHER_SENTENCE, "name")


def bare_name_key(typed_name: str) -> str:
    """How a name is compared with that of a teacher, who may be called 老师 or not.

    >>> bare_name_key("王 老师") == bare_name_key("王")
    True
    """
    return name_key(typed_name).removesuffix("老师")


ADD_ENROLMENT = prepared_insert(Enrolment)


def enrol_learner(
    session: VerbSession,
    classroom_id: int,
    learner_id: int,
    student_name: str,
    student_number: str,
    now: datetime,
    has_account: bool = False,
    seat: int | None = None,
) -> None:
    """A learner into a class. Who was removed comes back under the name of then; who is in it stays.
    `has_account`: their account was just made for it."""
    student = classrooms.student_of_learner(session, classroom_id, learner_id)
    if student is not None:
        if student.removed_at is not None:
            class_members.readmit(session, classroom_id, student, now)
        return
    student_name = checked_display_name(student_name, "名字", "name")
    class_members.expect_no_helper(session, classroom_id, learner_id)
    class_members.expect_unused_name(session, classroom_id, student_name, student_number=student_number)
    session.run(
        ADD_ENROLMENT,
        classroom_id=classroom_id,
        learner_id=learner_id,
        name=student_name,
        name_key=name_key(student_name),
        number=student_number,
        seat=seat,
        joined_at=now,
        removed_at=None,
        absences=None,
        former_stays=None,
        with_account=has_account,
        time_factor=1.0,
    )


ACCOUNT_FLAG_OF_ENROLMENT = PreparedStatement(select(ENROLMENT.with_account).where(IS_THIS_STUDENT))


def has_class_account(session: VerbSession, enrolment_id: int) -> bool:
    """Whether the account of a student was made with this enrolment."""
    flag_row = session.first(ACCOUNT_FLAG_OF_ENROLMENT, enrolment=enrolment_id)
    if flag_row is None:
        return False
    (is_with_account,) = flag_row
    return bool(is_with_account)
