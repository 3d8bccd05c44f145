"""Sums by item keep their answers in the order of time

They were kept in the order of their numbers, in which a paper that is collected late is the newest. All of
them are made again by `app.records.migrations.env`, in the shape that the newest revision has.

Revision ID: 0044
Revises: 0043
Create Date: 2026-11-30
"""

revision = "0044"
down_revision = "0043"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Nothing but the sums changes."""


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
