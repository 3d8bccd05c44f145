"""Guests who did nothing and never came back: rows that any visitor can leave, swept after sixty days.

Whoever has a row in any table but that of the sign-ins has work, and stays; so does who has a 续学码. A table
that comes later is asked too, because they are found from the schema.
"""

from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, select
from sqlmodel import SQLModel

from app.records.accounts.learners import LEARNER, SIGN_IN
from app.records.accounts.tables import Learner, SignIn
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.people.bulk_changes import remove_rows

UNSEEN_FOR = timedelta(days=60)
GUESTS_AT_ONCE = 500
"""So many are looked at or deleted in one verb: nobody waits for a long one."""


def next_empty_guest_ids(session: VerbSession, last_guest_id: int, now: datetime) -> list[int]:
    """The next empty guests by number, those up to `last_guest_id` passed over; the empty list at the end."""
    unseen_since = now - UNSEEN_FOR
    guest_rows = session.all(
        empty_guests_statement(), before=unseen_since, last_id=last_guest_id, most=GUESTS_AT_ONCE
    )
    return [learner_id for (learner_id,) in guest_rows]


@cache
def empty_guests_statement() -> PreparedStatement:
    """The next empty guests. It asks each of the tables: put together when all of them are known, and
    then once for all starts of the site in this process."""
    guests_query = empty_guests_query().where(LEARNER.id > bindparam("last_id", type_=LEARNER.id.type))
    return PreparedStatement(guests_query.order_by(LEARNER.id).limit(bindparam("most")))


def remove_empty_guests(session: VerbSession, learner_ids: list[int], now: datetime) -> int:
    """Delete those of them that still are empty guests; how many there were."""
    still_empty_guests_query = empty_guests_query().where(LEARNER.id.in_(learner_ids))
    time_parameter = {"before": now - UNSEEN_FOR}
    empty_guest_ids = list(session.execute(still_empty_guests_query, time_parameter).scalars())
    remove_rows(session, table(Learner), LEARNER.id.in_(empty_guest_ids))
    return len(empty_guest_ids)


def empty_guests_query() -> Select[Any]:
    """Learners without an account, a code and work, who came and were seen last `before` a moment."""
    moment_parameter = bindparam("before", type_=LEARNER.created_at.type)
    was_seen_since = SIGN_IN.seen_at.is_(None) | (SIGN_IN.seen_at >= moment_parameter)
    recent_sign_ins_query = select(SIGN_IN.id).where(SIGN_IN.learner_id == LEARNER.id, was_seen_since)
    is_old_and_unnamed = and_(LEARNER.created_at < moment_parameter, LEARNER.resume_code.is_(None))
    guests_query = select(LEARNER.id).where(is_old_and_unnamed, ~recent_sign_ins_query.exists())
    for source_table in SQLModel.metadata.sorted_tables:
        if source_table is table(SignIn):
            continue
        for foreign_key in source_table.foreign_keys:
            if foreign_key.column is LEARNER.id:
                rows_of_guest_query = select(foreign_key.parent).where(foreign_key.parent == LEARNER.id)
                guests_query = guests_query.where(~rows_of_guest_query.exists())
    return guests_query
