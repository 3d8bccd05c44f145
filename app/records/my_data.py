"""我的数据: everything about one learner, to take along; and to be gone.

What hangs on a learner is found from the tables themselves, so that a new table is in it from its first day.
"""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from typing import Any

from sqlalchemy import Column, Table, delete, select, update
from sqlmodel import SQLModel

from app.records import accounts
from app.records.errors import NotFound, Refused
from app.records.session import VerbSession
from app.records.tables import (
    Account,
    Assignee,
    Attempt,
    Audit,
    CardMemory,
    Classroom,
    Deck,
    Enrolment,
    Extension,
    GameMove,
    Learner,
    OwnCard,
    OwnCourse,
    ProblemReport,
    Response,
    Reveal,
    ReviewLog,
    SavedAnswer,
    SignIn,
    table,
)
from app.records.values import Who

SECRET = {"password_hash", "token_hash", "login_key", "name_key"}
GONE = "已注销的同学"

UNTOLD = {
    "response": {"verdict", "score", "misconception"},
    "submission": {"points", "total", "parts"},
}
"""What says how an assignment went; it is left out as long as its results are not told."""

Everything = dict[str, list[dict[str, Any]]]


def everything(session: VerbSession, who: Who, now: datetime) -> Everything:
    """Every row about who is here, by table, but no results that are not told yet.

    NotFound for a mere reader.
    """
    learner_id = somebody(session, who)
    learner = table(Learner)
    found = {"learner": rows(session, learner, learner.c.id == learner_id)}
    for owned, column in hanging_on("learner"):
        found[owned.name] = rows(session, owned, column == learner_id)
    attempts = select(table(Attempt).c.id).where(table(Attempt).c.learner_id == learner_id)
    for owned, column in hanging_on("attempt"):
        found[owned.name] = rows(session, owned, column.in_(attempts))
    places = select(table(Enrolment).c.id).where(table(Enrolment).c.learner_id == learner_id)
    for of_place in (table(Assignee), table(Extension)):
        found[of_place.name] = rows(session, of_place, of_place.c.enrolment_id.in_(places))
    return untold(found, {one["id"] for one in found["attempt"] if is_sealed(one, now)})


def is_sealed(attempt: dict[str, Any], now: datetime) -> bool:
    shown_from = attempt["shown_from"]
    return shown_from is not None and now < datetime.fromisoformat(shown_from)


def untold(found: Everything, sealed: Collection[int]) -> Everything:
    """Without what says how these attempts went."""
    for name, columns in UNTOLD.items():
        found[name] = [
            {key: value for key, value in row.items() if key not in columns}
            if row["attempt_id"] in sealed
            else row
            for row in found[name]
        ]
    return found


def hanging_on(name: str) -> Iterator[tuple[Table, Column[Any]]]:
    """The tables with a key of this one, and the column that holds it."""
    for each in SQLModel.metadata.sorted_tables:
        for key in each.foreign_keys:
            if key.column.table.name == name:
                yield each, key.parent


def rows(session: VerbSession, of: Table, these: Any) -> list[dict[str, Any]]:
    columns = [column for column in of.columns if column.name not in SECRET]
    found = session.execute(select(*columns).where(these).order_by(*of.primary_key.columns))
    return [{name: plain(value) for name, value in row.items()} for row in found.mappings()]


def plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def somebody(session: VerbSession, who: Who) -> int:
    here = accounts.present(session, who).learner_id
    if here is None:
        raise NotFound("这里还没有你的记录。")
    return here


def delete_me(session: VerbSession, who: Who, matched: str | None) -> None:
    """Really gone. Whoever is in a class leaves results there that say nothing of whose they were.

    `matched`: the hash of the account that the typed password matched; None for a guest, who has none.
    """
    learner_id = somebody(session, who)
    row = session.first(accounts.SECRET, learner=learner_id)
    if (row[0] if row else None) != matched:
        raise NotFound
    refuse_busy_teacher(session, learner_id)
    if in_a_class(session, learner_id):
        make_nameless(session, learner_id)
    else:
        session.execute(delete(table(Learner)).where(table(Learner).c.id == learner_id))


def refuse_busy_teacher(session: VerbSession, learner_id: int) -> None:
    here = table(Classroom).c
    busy = select(here.name).where(here.teacher_id == learner_id, here.archived_at.is_(None)).limit(1)
    if name := session.execute(busy).scalar():
        raise Refused(f"你还教着{name}。先把班级都归档，再删账号；归档的班级会一起删掉。")


def in_a_class(session: VerbSession, learner_id: int) -> bool:
    here = table(Enrolment).c
    found = select(here.id).where(here.learner_id == learner_id, here.removed_at.is_(None)).limit(1)
    return session.execute(found).first() is not None


def make_nameless(session: VerbSession, learner_id: int) -> None:
    """What was right and what was wrong stays; who it was, and every word that was typed, does not."""
    for owned in (Account, SignIn, Classroom, Deck, CardMemory, OwnCard, OwnCourse):
        column = "teacher_id" if owned is Classroom else "learner_id"
        session.execute(delete(table(owned)).where(table(owned).c[column] == learner_id))
    enrolment, attempt = table(Enrolment), table(Attempt).c
    mine = enrolment.c.learner_id == learner_id
    session.execute(delete(enrolment).where(mine, enrolment.c.removed_at.is_not(None)))
    session.execute(update(enrolment).where(mine).values(name=GONE, name_key="", number=""))
    attempts = select(attempt.id).where(attempt.learner_id == learner_id)
    wipe(session, table(Response), table(Response).c.attempt_id.in_(attempts), raw="[]", value=None)
    wipe(session, table(SavedAnswer), table(SavedAnswer).c.attempt_id.in_(attempts), raw="[]")
    places = select(enrolment.c.id).where(mine)
    wipe(session, table(Extension), table(Extension).c.enrolment_id.in_(places), note="")
    wipe(session, table(Audit), table(Audit).c.enrolment_id.in_(places), detail="{}")
    wipe(session, table(Reveal), table(Reveal).c.learner_id == learner_id, guess=None)
    wipe(session, table(GameMove), table(GameMove).c.learner_id == learner_id, raw="", value=None)
    wipe(session, table(ReviewLog), table(ReviewLog).c.learner_id == learner_id, raw=None)
    wipe(session, table(ProblemReport), table(ProblemReport).c.learner_id == learner_id, learner_id=None)
    wipe(session, table(Learner), table(Learner).c.id == learner_id, resume_code=None)


def wipe(session: VerbSession, of: Table, these: Any, **values: Any) -> None:
    session.execute(update(of).where(these).values(**values))
