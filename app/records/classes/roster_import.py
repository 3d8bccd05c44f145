"""A whole roster at once: accounts and places, all of them or none.

Whoever is in another class of the same teacher keeps the account that they have. Accounts of others are never
enrolled, nor is anything said of them but that a name to sign in with is taken.
"""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.records.accounts import accounts, learners
from app.records.accounts.passwords import key
from app.records.accounts.tables import Account
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.classes.classrooms import NAMED, in_it, me, of_class
from app.records.classes.roster_files import RosterEntry, RosterFault
from app.records.classes.tables import Classroom, Enrolment
from app.records.classes.values import ClassRow
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession

account, classroom, enrolment = table(Account).c, table(Classroom).c, table(Enrolment).c

PUPILS = Prepared(
    select(enrolment.name_key, account.learner_id, account.login, classroom.id, classroom.name)
    .where(
        classroom.teacher_id == me,
        enrolment.classroom_id == classroom.id,
        in_it,
        account.learner_id == enrolment.learner_id,
    )
    .order_by(enrolment.id.desc())
)
NUMBERED = Prepared(select(enrolment.name).where(of_class, in_it, enrolment.number == bindparam("number")))


class KnownStudent(NamedTuple):
    """Somebody in a class of the teacher who imports."""

    name_key: str
    learner_id: int
    login: str
    classroom_id: int
    classroom: str


class ImportStep(NamedTuple):
    """What becomes of a line. `entry` has the name to sign in with; `pupil`, where the account is there.

    `alike`: pupils of the same name, any of whom it may be; `fresh`: what a new account would be called.
    """

    entry: RosterEntry
    pupil: KnownStudent | None = None
    alike: tuple[KnownStudent, ...] = ()
    fresh: str = ""


@dataclass(frozen=True, slots=True)
class ImportPlan:
    """What a list would do, line by line, and what is at odds with what is there already."""

    row: ClassRow
    steps: tuple[ImportStep, ...] = ()
    faults: tuple[RosterFault, ...] = ()


def plan(
    session: VerbSession, who: Caller, classroom_id: int, entries: tuple[RosterEntry, ...]
) -> ImportPlan:
    """A name to sign in with says who is meant; without one, a pupil of the same name is taken to be it."""
    row = classrooms.changed(session, who, classroom_id)
    hidden = learners.token_hash(who.token or "")
    pupils = [KnownStudent(*each) for each in session.all(PUPILS, hash=hidden)]
    taken = {key(one.login) for one in entries if one.login}
    steps, faults = [], []
    for one in entries:
        if said := conflict(session, row.id, one, pupils):
            faults.append(RosterFault(one.line, said))
            continue
        step = step_of(session, row.id, one, pupils, taken)
        taken.add(key(step.entry.login))
        steps.append(step)
    return ImportPlan(row, tuple(steps), tuple(faults))


def conflict(
    session: VerbSession, classroom_id: int, one: RosterEntry, pupils: Collection[KnownStudent]
) -> str:
    """What forbids a line, if anything does."""
    if session.first(NAMED, classroom=classroom_id, name=key(one.name)):
        return f"“{one.name}”已经在班里了。"
    if one.number and (row := session.first(NUMBERED, classroom=classroom_id, number=one.number)):
        return f"学号“{one.number}”在班里是{row[0]}，核对一下是谁的。"
    if not one.login or not session.first(accounts.BY_LOGIN, login=key(one.login)):
        return ""
    mine = [pupil for pupil in pupils if key(pupil.login) == key(one.login)]
    if not mine:
        return f"登录名“{one.login}”已经有人用了，换一个或者空着。"
    inside = any(pupil.classroom_id == classroom_id for pupil in mine)
    return f"登录名“{one.login}”的同学已经在班里了。" if inside else ""


def step_of(
    session: VerbSession,
    classroom_id: int,
    one: RosterEntry,
    pupils: Collection[KnownStudent],
    taken: Collection[str],
) -> ImportStep:
    if one.login:
        named = (pupil for pupil in pupils if key(pupil.login) == key(one.login))
        return ImportStep(one, next(named, None))
    same = tuple(pupil for pupil in alike(classroom_id, one, pupils) if key(pupil.login) not in taken)
    fresh, pupil = accounts.free_login(session, one.name, taken), same[0] if same else None
    return ImportStep(one._replace(login=pupil.login if pupil else fresh), pupil, same, fresh)


def alike(classroom_id: int, one: RosterEntry, pupils: Collection[KnownStudent]) -> Collection[KnownStudent]:
    """Those of the same name in other classes, each once, the latest first."""
    inside = {pupil.learner_id for pupil in pupils if pupil.classroom_id == classroom_id}
    found: dict[int, KnownStudent] = {}
    for pupil in pupils:
        if pupil.name_key == key(one.name) and pupil.learner_id not in inside:
            found.setdefault(pupil.learner_id, pupil)
    return found.values()


def enter(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    entries: tuple[RosterEntry, ...],
    hashes: tuple[str, ...],
    now: datetime,
) -> ImportPlan:
    """A place for each, an account for who has none; no password changes. Refused: nothing is done."""
    found = plan(session, who, classroom_id, entries)
    if found.faults:
        raise Refused("".join(f"第{one.line}行：{one.text}" for one in found.faults[:3]))
    for step, password_hash in zip(found.steps, hashes, strict=True):
        learner_id = step.pupil.learner_id if step.pupil else learners.add_learner(session, now)
        if not step.pupil:
            accounts.add(session, learner_id, step.entry.login, password_hash, now)
        classrooms.enrol(session, found.row.id, learner_id, step.entry.name, step.entry.number, now)
    return found
