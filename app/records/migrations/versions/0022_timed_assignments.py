"""Assignments with a time from the beginning of an attempt, and students who have more of it

Revision ID: 0022
Revises: 0021
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignment", sa.Column("minutes", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("enrolment", sa.Column("time_factor", sa.Float(), nullable=False, server_default="1"))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
