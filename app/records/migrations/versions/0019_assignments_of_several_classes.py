"""Assignments that are given to several classes together

Revision ID: 0019
Revises: 0018
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignment", sa.Column("series", sa.Integer(), nullable=True))
    op.create_index(op.f("ix_assignment_series"), "assignment", ["series"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
