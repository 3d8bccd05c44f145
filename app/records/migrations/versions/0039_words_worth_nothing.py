"""Answers in words that can earn nothing wait for nobody

They were counted as waiting for their teacher: the count stood until somebody marked another one.

Revision ID: 0039
Revises: 0038
Create Date: 2026-11-30
"""

from alembic import op

revision = "0039"
down_revision = "0038"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Points are kept to four decimals.
    op.execute("UPDATE submission SET waiting = 0 WHERE waiting > 0 AND open_points < 0.00005")


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
