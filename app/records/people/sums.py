"""The sums of the logs, made again: after an upgrade that brought them, or because somebody asks for it."""

from collections.abc import Callable

from sqlalchemy import bindparam, select

from app.records.accounts.tables import Learner
from app.records.activity.tables import LearningDay
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession
from app.records.learning import item_sums, progress
from app.records.learning.tables import ItemSum

LEARNERS_IN_ORDER = Prepared(select(table(Learner).c.id).order_by(table(Learner).c.id))
SUMS_OF_LEARNER = [
    Prepared(
        select(*table(model).c)
        .where(table(model).c.learner_id == bindparam("learner"))
        .order_by(*table(model).primary_key)
    )
    for model in (ItemSum, LearningDay)
]
Progress = Callable[[int, int], None]
"""Told after each learner: how many are done, of how many."""


def refold(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    item_sums.refold(session, learner_id)
    progress.refold_days(session, learner_id)


def refold_all(session: VerbSession, after_each: Progress) -> None:
    """All sums of everybody from the log."""
    learners = learner_ids(session)
    for done, learner_id in enumerate(learners, start=1):
        refold(session, learner_id)
        after_each(done, len(learners))


def learner_ids(session: VerbSession) -> list[int]:
    """Everybody who has sums."""
    return [learner_id for (learner_id,) in session.all(LEARNERS_IN_ORDER)]


def rebuild(session: VerbSession, learner_id: int) -> bool:
    """All sums of a learner from the log; whether they were others."""
    before = sums_of(session, learner_id)
    refold(session, learner_id)
    return before != sums_of(session, learner_id)


def rebuild_all(session: VerbSession) -> int:
    """All sums of everybody from the log; how many learners had others."""
    return sum(rebuild(session, learner_id) for learner_id in learner_ids(session))


def sums_of(session: VerbSession, learner_id: int) -> list[list[Row]]:
    """The rows of both tables."""
    return [session.all(rows, learner=learner_id) for rows in SUMS_OF_LEARNER]
