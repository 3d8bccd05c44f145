"""Attempts know what their unmarked answers can still earn

Until such an attempt is marked, what it lacks stands for that: a mark may be called open too long, never
final too soon.

Revision ID: 0028
Revises: 0027
Create Date: 2026-11-26
"""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("open_points", sa.Float(), nullable=False, server_default="0"))
    op.execute("UPDATE submission SET open_points = total - points WHERE waiting > 0")


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
