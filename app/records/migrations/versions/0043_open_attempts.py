"""Attempts at assignments that are not handed in are read from an index

The list of assignments tells its teacher how many papers of what has ended wait to be collected. It read
every attempt of everybody for that, of which nearly all are handed in.

Revision ID: 0043
Revises: 0042
Create Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op

revision = "0043"
down_revision = "0042"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_submission_open",
        "submission",
        ["assignment_id", "enrolment_id"],
        sqlite_where=sa.text("handed_in_at IS NULL"),
        postgresql_where=sa.text("handed_in_at IS NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
