"""A whole roster at once: accounts and places, all of them or none."""

from datetime import datetime

from app.records import accounts, classrooms, learners
from app.records.classrooms import NAMED
from app.records.errors import Refused
from app.records.passwords import key
from app.records.rosters import Entry, Fault
from app.records.session import VerbSession
from app.records.values import ClassRow, Who


def conflicts(
    session: VerbSession, who: Who, classroom_id: int, entries: tuple[Entry, ...]
) -> tuple[ClassRow, tuple[Fault, ...]]:
    """The class, and what in the list is at odds with what is there already."""
    row = classrooms.changed(session, who, classroom_id)
    found = []
    for one in entries:
        if session.first(NAMED, classroom=row.id, name=key(one.name)):
            found.append(Fault(one.line, f"“{one.name}”已经在班里了。"))
        elif one.login and session.first(accounts.BY_LOGIN, login=key(one.login)):
            found.append(Fault(one.line, f"登录名“{one.login}”已经有人用了，换一个或者空着。"))
    return row, tuple(found)


def enter(
    session: VerbSession,
    who: Who,
    classroom_id: int,
    entries: tuple[Entry, ...],
    hashes: tuple[str, ...],
    now: datetime,
) -> tuple[ClassRow, tuple[str, ...]]:
    """Make an account and a place for each; the names to sign in with. Refused: nothing is done."""
    row, faults = conflicts(session, who, classroom_id, entries)
    if faults:
        raise Refused("".join(f"第{one.line}行：{one.text}" for one in faults[:3]))
    logins = []
    for one, password_hash in zip(entries, hashes, strict=True):
        login = one.login or accounts.free_login(session, one.name)
        learner_id = learners.add_learner(session, now)
        accounts.add(session, learner_id, login, password_hash, now)
        classrooms.enrol(session, row.id, learner_id, one.name, one.number, now)
        logins.append(login)
    return row, tuple(logins)
