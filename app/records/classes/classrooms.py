"""Classes of a teacher: their code, who is in them, who comes and goes.

The lookup is the permission check: `taught` finds a class of the teacher who asks, and nothing to others.
"""

import unicodedata
from datetime import datetime, timedelta

from sqlalchemy import bindparam, exists, func, select, update

from app.records.accounts import accounts, learners, throttle
from app.records.accounts.passwords import checked_login, key
from app.records.accounts.tables import Account, SignIn
from app.records.accounts.values import Arrival, Caller
from app.records.classes.tables import Classroom, Enrolment
from app.records.classes.values import ClassLists, ClassRow, JoinableClass, JoinedClass, Student, TaughtClass
from app.records.db import codes
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding

CODE_LENGTH = 6
OPEN_FOR = timedelta(minutes=45)  # a lesson
DOUBLE_CLICK = timedelta(minutes=2)  # so long what was just made, and nobody touched, is not made again
LONGEST_NAME = 40
SIGN_IN_FIRST = "如果就是你，请登录；如果不是，加个字区分。"
MAYBE_MADE = "如果就是你，老师可能已经替你建了一个账号，告诉老师；如果不是，加个字区分。"

classroom, enrolment = table(Classroom).c, table(Enrolment).c
account, sign_in = table(Account).c, table(SignIn).c
columns = [classroom[name] for name in ClassRow._fields]
of_class = enrolment.classroom_id == bindparam("classroom")
this_one = enrolment.id == bindparam("student")
in_it = enrolment.removed_at.is_(None)
members = select(enrolment.learner_id).where(of_class, in_it)
"""The learners of `classroom`."""
me = (
    select(sign_in.learner_id)
    .where(sign_in.token_hash == bindparam("hash"), sign_in.ended_at.is_(None))
    .scalar_subquery()
)

TAUGHT = Prepared(select(*columns).where(classroom.id == bindparam("classroom"), classroom.teacher_id == me))
count = select(func.count()).where(enrolment.classroom_id == classroom.id, in_it).scalar_subquery()
OF_TEACHER = Prepared(
    select(classroom.id, classroom.name, classroom.archived_at, count)
    .where(classroom.teacher_id == bindparam("learner"))
    .order_by(classroom.id.desc())
)
OF_STUDENT = Prepared(
    select(classroom.id, classroom.name, account.login)
    .where(
        enrolment.learner_id == bindparam("learner"),
        in_it,
        classroom.id == enrolment.classroom_id,
        classroom.archived_at.is_(None),
        account.learner_id == classroom.teacher_id,
    )
    .order_by(enrolment.joined_at.desc(), enrolment.id.desc())
)
TWIN = Prepared(
    select(classroom.id).where(
        classroom.teacher_id == bindparam("learner"),
        classroom.name == bindparam("name"),
        classroom.created_at > bindparam("since"),
        classroom.archived_at.is_(None),
        ~exists().where(enrolment.classroom_id == classroom.id),
    )
)
"""A class that was made a moment ago, with nobody in it yet."""
ATTENDED = Prepared(
    select(classroom.id, classroom.name, account.login, classroom.archived_at).where(
        classroom.id == bindparam("classroom"),
        enrolment.classroom_id == classroom.id,
        enrolment.learner_id == me,
        in_it,
        account.learner_id == classroom.teacher_id,
    )
)
student_columns = [enrolment[name] for name in Student._fields[:-1]]
roster = table(Enrolment).outerjoin(table(Account), account.learner_id == enrolment.learner_id)
STUDENTS = Prepared(
    select(*student_columns, account.login)
    .select_from(roster)
    .where(of_class)
    .order_by(enrolment.number == "", enrolment.number, enrolment.id)
)
STUDENT = Prepared(select(*student_columns, account.login).select_from(roster).where(of_class, this_one))
PLACE_OF = Prepared(
    select(enrolment.id, enrolment.name, enrolment.removed_at).where(
        of_class, enrolment.learner_id == bindparam("learner")
    )
)
WITH_PASSWORD = Prepared(
    select(enrolment.id)
    .where(of_class, in_it, account.learner_id == enrolment.learner_id, account.teacher.is_(False))
    .order_by(enrolment.number == "", enrolment.number, enrolment.id)
)
NAMED = Prepared(select(enrolment.id).where(of_class, in_it, enrolment.name_key == bindparam("name")))
BY_CODE = Prepared(
    select(*columns, account.login).where(
        classroom.code == bindparam("code"), account.learner_id == classroom.teacher_id
    )
)
HAS_CODE = Prepared(select(classroom.id).where(classroom.code == bindparam("code")))
here = classroom.id == bindparam("classroom")
SET_NAME = Prepared(update(table(Classroom)).where(here), keys=("name",))
SET_ARCHIVED = Prepared(update(table(Classroom)).where(here), keys=("archived_at", "code_until"))
SET_CODE = Prepared(update(table(Classroom)).where(here), keys=("code", "code_until"))
RENAME = Prepared(update(table(Enrolment)).where(this_one), keys=("name", "name_key"))
SET_REMOVED = Prepared(update(table(Enrolment)).where(this_one), keys=("removed_at",))
MOVE = Prepared(update(table(Enrolment)).where(this_one), keys=("classroom_id", "joined_at"))
IS_TEACHER = Prepared(select(account.teacher).where(account.learner_id == bindparam("learner")))
ADD, ADD_PLACE = adding(Classroom), adding(Enrolment)

# Who may reach what.


def taught(session: VerbSession, who: Caller, classroom_id: int) -> ClassRow:
    """A class of the teacher who asks; NotFound to everybody else."""
    row = session.first(TAUGHT, classroom=classroom_id, hash=learners.token_hash(who.token or ""))
    if row is None:
        raise NotFound("没有这个班级，或者它不是你的。")
    return ClassRow(*row)


def changed(session: VerbSession, who: Caller, classroom_id: int) -> ClassRow:
    """A class that may be changed: Refused once it is archived."""
    row = taught(session, who, classroom_id)
    if row.archived_at:
        raise Refused("这个班级已经归档，只能看。要改动，先恢复它。")
    return row


def student(
    session: VerbSession, who: Caller, classroom_id: int, student_id: int
) -> tuple[ClassRow, Student]:
    """A student of a class of the teacher who asks; NotFound once they are out of it."""
    row = taught(session, who, classroom_id)
    found = place(session, row.id, student_id)
    if found.removed_at is not None:
        raise NotFound("这位同学已经不在班里；放回来以后又看得到。")
    return row, found


def place(session: VerbSession, classroom_id: int, student_id: int) -> Student:
    row = session.first(STUDENT, classroom=classroom_id, student=student_id)
    if row is None:
        raise NotFound("班里没有这位同学。")
    return Student(*row)


def students(session: VerbSession, classroom_id: int) -> tuple[Student, ...]:
    """Everybody who is or was in a class, by number, then by time."""
    return tuple(Student(*row) for row in session.all(STUDENTS, classroom=classroom_id))


# What can be seen.


def mine(session: VerbSession, who: Caller) -> ClassLists:
    """The classes of who is here: those they teach, those they are in."""
    present = accounts.load_visitor(session, who)
    if present.account is None:
        return ClassLists(present)
    learner_id = present.account.learner_id
    joined = tuple(JoinedClass(*row) for row in session.all(OF_STUDENT, learner=learner_id))
    return ClassLists(present, of_teacher(session, learner_id), joined)


def of_teacher(session: VerbSession, learner_id: int) -> tuple[TaughtClass, ...]:
    return tuple(TaughtClass(*row) for row in session.all(OF_TEACHER, learner=learner_id))


def attended(session: VerbSession, who: Caller, classroom_id: int) -> JoinedClass:
    """A class as its student sees it, also when it has ended; NotFound to everybody else."""
    row = session.first(ATTENDED, classroom=classroom_id, hash=learners.token_hash(who.token or ""))
    if row is None:
        raise NotFound("没有这个班级，或者你不在里面。")
    return JoinedClass(*row)


def projected(session: VerbSession, who: Caller, classroom_id: int) -> tuple[ClassRow, tuple[Student, ...]]:
    """A class with who is in it now, in the order of their coming."""
    row = taught(session, who, classroom_id)
    found = [one for one in students(session, row.id) if one.removed_at is None]
    return row, tuple(sorted(found, key=lambda one: (one.joined_at, one.id)))


# What a teacher does with a class.


def create(session: VerbSession, who: Caller, name: str, now: datetime) -> int:
    """A new class, with its code open; a double click finds the first. NotFound for who is no teacher."""
    present = accounts.load_visitor(session, who)
    if not present.teacher:
        raise NotFound("只有老师能建班级。想当老师，请管理员发一个邀请链接。")
    wanted, since = checked_name(name), now - DOUBLE_CLICK
    if twin := session.first(TWIN, learner=present.learner_id, name=wanted, since=since):
        first: int = twin[0]
        return first
    [(classroom_id,)] = session.all(
        ADD,
        teacher_id=present.learner_id,
        name=wanted,
        created_at=now,
        archived_at=None,
        code=fresh_code(session),
        code_until=now + OPEN_FOR,
    )
    found: int = classroom_id
    return found


def rename(session: VerbSession, who: Caller, classroom_id: int, name: str) -> None:
    row = changed(session, who, classroom_id)
    session.run(SET_NAME, classroom=row.id, name=checked_name(name))


def archive(session: VerbSession, who: Caller, classroom_id: int, now: datetime) -> None:
    """Put a class away: nobody joins any more, its students no longer see it, all work stays."""
    row = taught(session, who, classroom_id)
    session.run(SET_ARCHIVED, classroom=row.id, archived_at=row.archived_at or now, code_until=None)


def restore(session: VerbSession, who: Caller, classroom_id: int) -> None:
    row = taught(session, who, classroom_id)
    session.run(SET_ARCHIVED, classroom=row.id, archived_at=None, code_until=row.code_until)


def open_code(
    session: VerbSession, who: Caller, classroom_id: int, now: datetime, renew: bool = False
) -> None:
    """Let people in for a lesson; with `renew` by another code, and the old one is void."""
    row = changed(session, who, classroom_id)
    code = fresh_code(session) if renew else row.code
    session.run(SET_CODE, classroom=row.id, code=code, code_until=now + OPEN_FOR)


def close_code(session: VerbSession, who: Caller, classroom_id: int) -> None:
    row = taught(session, who, classroom_id)
    session.run(SET_CODE, classroom=row.id, code=row.code, code_until=None)


# What a teacher does with a student.


def rename_student(session: VerbSession, who: Caller, classroom_id: int, student_id: int, name: str) -> None:
    """Another name in this class; the name to sign in with stays."""
    row = changed(session, who, classroom_id)
    found, wanted = place(session, row.id, student_id), checked_login(name)
    expect_free(session, row.id, wanted, besides=found.id)
    session.run(RENAME, student=found.id, name=wanted, name_key=key(wanted))


def remove(session: VerbSession, who: Caller, classroom_id: int, student_id: int, now: datetime) -> None:
    """Out of the class; their work stays theirs, and they can be put back."""
    row = changed(session, who, classroom_id)
    found = place(session, row.id, student_id)
    session.run(SET_REMOVED, student=found.id, removed_at=found.removed_at or now)


def put_back(session: VerbSession, who: Caller, classroom_id: int, student_id: int) -> None:
    row = changed(session, who, classroom_id)
    found = place(session, row.id, student_id)
    expect_free(session, row.id, found.name, besides=found.id)
    session.run(SET_REMOVED, student=found.id, removed_at=None)


def move(
    session: VerbSession, who: Caller, classroom_id: int, student_id: int, to: int, now: datetime
) -> None:
    """Into another class of the same teacher. Whoever was there before takes the old place again."""
    source, target = changed(session, who, classroom_id), changed(session, who, to)
    found = place(session, source.id, student_id)
    known = session.first(PLACE_OF, classroom=target.id, learner=found.learner_id)
    if source.id == target.id or (known and known[2] is None):
        raise Refused(f"{found.name}已经在那个班里了。")
    expect_free(session, target.id, known[1] if known else found.name, besides=known[0] if known else 0)
    if known is None:
        session.run(MOVE, student=found.id, classroom_id=target.id, joined_at=now)
        session.run(SET_REMOVED, student=found.id, removed_at=None)
        return
    session.run(SET_REMOVED, student=known[0], removed_at=None)
    session.run(SET_REMOVED, student=found.id, removed_at=found.removed_at or now)


def with_password(session: VerbSession, who: Caller, classroom_id: int) -> tuple[int, ...]:
    """The places of all whose password the teacher may set anew, in the order of the list."""
    row = changed(session, who, classroom_id)
    return tuple(student_id for (student_id,) in session.all(WITH_PASSWORD, classroom=row.id))


def reset(
    session: VerbSession, who: Caller, classroom_id: int, hashes: dict[int, str], now: datetime
) -> tuple[Student, ...]:
    """New passwords for students of a class, by place; their devices are signed out. Never for a teacher."""
    row = changed(session, who, classroom_id)
    found = tuple(place(session, row.id, student_id) for student_id in hashes)
    for one in found:
        secret = session.first(IS_TEACHER, learner=one.learner_id)
        if secret is None or one.removed_at:
            raise Refused(f"{one.name}现在没有账号，或者已经不在班里。")
        if secret[0]:
            raise Refused(f"{one.name}也是一位老师，密码请管理员重设。")
        accounts.set_password(session, one.learner_id, hashes[one.id], now)
    return found


# How one comes in.


def count_wrong_code(
    session: VerbSession, who: Caller, code: str, address: str, now: datetime
) -> JoinableClass:
    """The door, unless too many wrong codes came from this address: then Throttled, whatever the code."""
    throttle.expect_few(session, f"join:{address}", throttle.CODES, now)
    return find_open_class(session, who, code, now)


def wrong_code_message(session: VerbSession, address: str, now: datetime) -> None:
    """A wrong code. It is counted by a verb of its own, for the one that raises NotFound keeps nothing."""
    throttle.count(session, f"join:{address}", throttle.CODES, now)


def find_open_class(session: VerbSession, who: Caller, code: str, now: datetime) -> JoinableClass:
    """The class whose code is open; NotFound for a code that is closed or never was."""
    row = session.first(BY_CODE, code=codes.plain(code))
    if row is None or not ClassRow(*row[:-1]).is_open(now):
        raise NotFound("没有这个班级码，或者它已经关了。看一眼老师的屏幕，再输一遍。")
    found, present = ClassRow(*row[:-1]), accounts.load_visitor(session, who)
    known = None
    if present.learner_id is not None:
        known = session.first(PLACE_OF, classroom=found.id, learner=present.learner_id)
    name, removed_at = (known[1], known[2]) if known else (None, None)
    return JoinableClass(found, row[-1], present, name, removed=removed_at is not None)


def join(session: VerbSession, who: Caller, code: str, name: str, address: str, now: datetime) -> int:
    """The account that is here comes into the class under a name. Coming twice is harmless.

    Whoever was taken out does not walk in again: only the teacher puts them back.
    """
    found = count_wrong_code(session, who, code, address, now)
    if found.present.account is None:
        raise NotFound
    if found.removed:
        raise Refused(f"你在这个班里叫{found.enrolled}，后来移出去了。请老师放你回来。")
    if not found.enrolled:
        expect_free(session, found.row.id, name, advice=MAYBE_MADE)
    enrol(session, found.row.id, found.present.account.learner_id, name, "", now)
    return found.row.id


def join_new(
    session: VerbSession,
    who: Caller,
    code: str,
    name: str,
    password_hash: str,
    token: str,
    address: str,
    now: datetime,
    device: str | None = None,
) -> tuple[Arrival, str, int]:
    """A class account: made and enrolled at once. Also returns the name to sign in with, and the class."""
    found = count_wrong_code(session, who, code, address, now)
    if found.present.account:
        raise Refused(f"现在是{found.present.account.login}在用，就用这个账号加入。不是你？先换个人用。")
    expect_free(session, found.row.id, checked_login(name), advice=SIGN_IN_FIRST)
    login = accounts.free_login(session, name)
    arrival = accounts.create(session, who, login, password_hash, token, address, now, device)
    enrol(session, found.row.id, arrival.learner_id, name, "", now)
    return arrival, login, found.row.id


def enrol(
    session: VerbSession, classroom_id: int, learner_id: int, name: str, number: str, now: datetime
) -> None:
    """A place in a class; whom the teacher enters again after they were removed gets the old one back."""
    known = session.first(PLACE_OF, classroom=classroom_id, learner=learner_id)
    if known and known[2] is None:
        return
    wanted = known[1] if known else checked_login(name)
    expect_free(session, classroom_id, wanted, besides=known[0] if known else 0)
    if known:
        session.run(SET_REMOVED, student=known[0], removed_at=None)
        return
    session.run(
        ADD_PLACE,
        classroom_id=classroom_id,
        learner_id=learner_id,
        name=wanted,
        name_key=key(wanted),
        number=number,
        joined_at=now,
        removed_at=None,
    )


def expect_free(
    session: VerbSession, classroom_id: int, name: str, besides: int = 0, advice: str = "加个字区分。"
) -> None:
    """A name stands for one person in a class; nobody shares it unknowingly. `advice`: for who is asking."""
    row = session.first(NAMED, classroom=classroom_id, name=key(name))
    if row and row[0] != besides:
        raise Refused(f"班里已经有一位“{name}”了。{advice}")


def checked_name(name: str) -> str:
    """The name of a class; Refused says what is wrong with another."""
    found = " ".join(unicodedata.normalize("NFC", name).split())
    if not found:
        raise Refused("给班级起个名字，比如“高一3班”。")
    if len(found) > LONGEST_NAME or any(unicodedata.category(one)[0] == "C" for one in found):
        raise Refused(f"班级名最多{LONGEST_NAME}个字，不带看不见的符号。")
    return found


def fresh_code(session: VerbSession) -> str:
    """A code that no class has."""
    while True:
        code = codes.fresh(CODE_LENGTH)
        if session.first(HAS_CODE, code=code) is None:
            return code
