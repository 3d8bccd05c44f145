"""Answers in words that a teacher marks line by line

Revision ID: 0023
Revises: 0022
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("re_mark", sa.Column("ticks", AutoString(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
