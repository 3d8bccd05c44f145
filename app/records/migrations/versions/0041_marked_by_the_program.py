"""When the program marked timed work that nobody handed in

The answers that it marked then said so by their own times; these are from now on the moments of the saving.

Revision ID: 0041
Revises: 0040
Create Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0041"
down_revision = "0040"
branch_labels = None
depends_on = None

SUBMISSION = sa.table(
    "submission",
    sa.column("attempt_id"),
    sa.column("assignment_id"),
    sa.column("handed_in_at", UTCDateTime()),
    sa.column("collected", sa.Boolean()),
    sa.column("marked_at", UTCDateTime()),
)
ASSIGNMENT = sa.table("assignment", sa.column("id"), sa.column("minutes"))
TIMED_ASSIGNMENT_IDS = sa.select(ASSIGNMENT.c.id).where(ASSIGNMENT.c.minutes > 0)
RESPONSE = sa.table("response", sa.column("attempt_id"), sa.column("created_at", UTCDateTime()))
FIRST_ANSWER_AT = (
    sa.select(sa.func.min(RESPONSE.c.created_at))
    .where(RESPONSE.c.attempt_id == SUBMISSION.c.attempt_id)
    .scalar_subquery()
)


def upgrade() -> None:
    op.add_column("submission", sa.Column("marked_at", UTCDateTime(), nullable=True))
    # What only a regrade could read was answered after any hand-in; the program hands in what has a limit.
    was_marked_after_end = sa.and_(
        SUBMISSION.c.handed_in_at < FIRST_ANSWER_AT,
        sa.not_(SUBMISSION.c.collected),
        SUBMISSION.c.assignment_id.in_(TIMED_ASSIGNMENT_IDS),
    )
    op.execute(sa.update(SUBMISSION).where(was_marked_after_end).values(marked_at=FIRST_ANSWER_AT))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
