"""Attempts at assignments keep the seeds that were drawn for them

Revision ID: 0025
Revises: 0024
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0025"
down_revision = "0024"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("seeds", AutoString(), nullable=False, server_default="{}"))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
