"""Attempts know how many of their answers wait for their teacher

Revision ID: 0027
Revises: 0026
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("waiting", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
