"""All sums of the logs, made again: after a merge or an upgrade, or because somebody asks for it."""

from collections.abc import Callable

from sqlalchemy import BindParameter, bindparam, select

from app.records.accounts.learners import LEARNER
from app.records.activity.learning_days import LEARNING_DAY
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.learning import first_tries, item_sums, progress
from app.records.learning.first_tries import FIRST_TRY_COUNT
from app.records.learning.item_sums import ITEM_SUM

ALL_LEARNER_IDS = select(LEARNER.id)
LEARNER_IDS = PreparedStatement(ALL_LEARNER_IDS.order_by(LEARNER.id))
LEARNER_PARAMETER: BindParameter[int] = bindparam("learner")
ITEM_SUMS_OF_LEARNER = select(*ITEM_SUM).where(ITEM_SUM.learner_id == LEARNER_PARAMETER)
LEARNING_DAYS_OF_LEARNER = select(*LEARNING_DAY).where(LEARNING_DAY.learner_id == LEARNER_PARAMETER)
COUNT_COLUMNS = (
    FIRST_TRY_COUNT.classroom_id,
    FIRST_TRY_COUNT.item_ref,
    FIRST_TRY_COUNT.try_count,
    FIRST_TRY_COUNT.clean_count,
    FIRST_TRY_COUNT.last_at,
)
FIRST_TRY_COUNTS_QUERY = select(*COUNT_COLUMNS).where(FIRST_TRY_COUNT.learner_id == LEARNER_PARAMETER)
SUMS_OF_LEARNER = (
    PreparedStatement(ITEM_SUMS_OF_LEARNER.order_by(ITEM_SUM.item_ref)),
    PreparedStatement(LEARNING_DAYS_OF_LEARNER.order_by(LEARNING_DAY.day)),
    PreparedStatement(
        FIRST_TRY_COUNTS_QUERY.order_by(FIRST_TRY_COUNT.classroom_id, FIRST_TRY_COUNT.item_ref)
    ),
)
ReportProgress = Callable[[int, int], None]
"""Told after each learner: how many are done, of how many."""


def refold_learner(session: VerbSession, learner_id: int) -> None:
    """All sums of a learner from the log."""
    item_sums.sum_answers_anew(session, learner_id)
    progress.make_days_from_logs(session, learner_id)
    first_tries.count_tries_anew(session, learner_id)


def refold_all(session: VerbSession, report_progress: ReportProgress) -> None:
    """All sums of everybody from the log."""
    all_learner_ids = learner_ids_with_sums(session)
    for done_count, learner_id in enumerate(all_learner_ids, start=1):
        refold_learner(session, learner_id)
        report_progress(done_count, len(all_learner_ids))


def learner_ids_with_sums(session: VerbSession) -> list[int]:
    """Everybody who may have sums."""
    id_rows = session.all(LEARNER_IDS)
    return [learner_id for (learner_id,) in id_rows]


def rebuild_sums(session: VerbSession, learner_id: int) -> bool:
    """All sums of a learner from the log; whether they were others."""
    old_sum_rows = sum_rows_of(session, learner_id)
    refold_learner(session, learner_id)
    return old_sum_rows != sum_rows_of(session, learner_id)


def sum_rows_of(session: VerbSession, learner_id: int) -> list[list[Row]]:
    """The rows of all three tables."""
    return [session.all(statement, learner=learner_id) for statement in SUMS_OF_LEARNER]
