"""我的数据: everything about one learner, to take along; and to be gone.

What hangs on a learner is found from the tables themselves, so that a new table is in it from its first day.
"""

from collections.abc import Collection, Iterator
from datetime import date, datetime
from typing import Any

from sqlalchemy import Table, delete, or_, select, update
from sqlmodel import SQLModel

from app.records.accounts import accounts
from app.records.accounts.tables import Account, Learner, SignIn
from app.records.accounts.values import Caller
from app.records.authoring.tables import OwnCourse
from app.records.cards.tables import CardMemory, Deck, OwnCard
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning.tables import Attempt, Response

SECRET = {"password_hash", "token_hash", "login_key", "name_key"}
GONE = "已注销的同学"

UNTOLD = {
    "response": ("attempt_id", {"verdict", "score", "misconception"}),
    "submission": ("attempt_id", {"points", "total", "parts"}),
    "re_mark": ("response_id", {"verdict", "score", "misconception"}),
    "mark_override": ("assignment_id", {"points", "reason"}),
    "audit": ("assignment_id", {"detail"}),
}
"""What says how an assignment went, and the key to it; left out as long as its results are not told."""

WORDS: dict[str, dict[str, Any]] = {
    "learner": {"resume_code": None},
    "enrolment": {"name": GONE, "name_key": "", "number": ""},
    "response": {"raw": "[]", "value": None},
    "saved_answer": {"raw": "[]"},
    "extension": {"note": ""},
    "mark_override": {"reason": ""},
    "audit": {"detail": "{}"},
    "reveal": {"guess": None},
    "game_move": {"raw": "", "value": None},
    "review_log": {"raw": None},
    "problem_report": {"learner_id": None},
}
"""What was typed by or about somebody, and what is left of it when they go."""

Everything = dict[str, list[dict[str, Any]]]


def everything(session: VerbSession, who: Caller, now: datetime) -> Everything:
    """Every row about who is here, by table, but no results that are not told yet.

    NotFound for a mere reader.
    """
    learner_id = somebody(session, who)
    found = {of.name: rows(session, of, these) for of, these in about(learner_id)}
    found["audit"] = [without_others(row, found, learner_id) for row in found["audit"]]
    return untold(found, {one["id"] for one in found["attempt"] if is_sealed(one, now)})


def about(learner_id: int) -> Iterator[tuple[Table, Any]]:
    """Every table that hangs on a learner, on their attempts, answers or places in classes; which rows."""
    keys = keys_of(learner_id)
    yield table(Learner), table(Learner).c.id == learner_id
    for each in SQLModel.metadata.sorted_tables:
        leading = [key for key in each.foreign_keys if key.column.table.name in keys]
        if leading:
            yield each, or_(*(key.parent.in_(keys[key.column.table.name]) for key in leading))


def keys_of(learner_id: int) -> dict[str, Any]:
    """The keys that lead to a learner, by table."""
    attempt, enrolment, response = table(Attempt).c, table(Enrolment).c, table(Response).c
    attempts = select(attempt.id).where(attempt.learner_id == learner_id)
    return {
        "learner": [learner_id],
        "attempt": attempts,
        "enrolment": select(enrolment.id).where(enrolment.learner_id == learner_id),
        "response": select(response.id).where(response.attempt_id.in_(attempts)),
    }


def without_others(line: dict[str, Any], found: Everything, learner_id: int) -> dict[str, Any]:
    """A line of a class's log as far as it is one's own: what a teacher did for others is about them."""
    if line["enrolment_id"] in {one["id"] for one in found["enrolment"]}:
        hidden = set() if line["actor_id"] == learner_id else {"actor_id"}
    else:
        hidden = {"enrolment_id", "detail"}
    return without(line, hidden)


def is_sealed(attempt: dict[str, Any], now: datetime) -> bool:
    shown_from = attempt["shown_from"]
    return shown_from is not None and now < datetime.fromisoformat(shown_from)


def untold(found: Everything, sealed: Collection[int]) -> Everything:
    """Without what says how these attempts went."""
    told = {row["assignment_id"] for row in found["submission"] if row["attempt_id"] not in sealed}
    secret: dict[str, Collection[int]] = {
        "attempt_id": sealed,
        "response_id": {row["id"] for row in found["response"] if row["attempt_id"] in sealed},
        "assignment_id": {row["assignment_id"] for row in found["submission"]} - told,
    }
    for name, (key, columns) in UNTOLD.items():
        found[name] = [without(row, columns) if row[key] in secret[key] else row for row in found[name]]
    return found


def without(row: dict[str, Any], columns: Collection[str]) -> dict[str, Any]:
    return {key: value for key, value in row.items() if key not in columns}


def rows(session: VerbSession, of: Table, these: Any) -> list[dict[str, Any]]:
    columns = [column for column in of.columns if column.name not in SECRET]
    found = session.execute(select(*columns).where(these).order_by(*of.primary_key.columns))
    return [{name: plain(value) for name, value in row.items()} for row in found.mappings()]


def plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, date) else value


def somebody(session: VerbSession, who: Caller) -> int:
    here = accounts.load_visitor(session, who).learner_id
    if here is None:
        raise NotFound("这里还没有你的记录。")
    return here


def delete_me(session: VerbSession, who: Caller, matched: str | None) -> None:
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
    enrolment = table(Enrolment)
    session.execute(
        delete(enrolment).where(enrolment.c.learner_id == learner_id, enrolment.c.removed_at.is_not(None))
    )
    for of, these in about(learner_id):
        if of.name in WORDS:
            session.execute(update(of).where(these).values(**WORDS[of.name]))
