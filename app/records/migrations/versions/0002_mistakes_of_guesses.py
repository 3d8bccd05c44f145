"""The mistake that made a typed guess

Revision ID: 0002
Revises: 0001
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("reveal", sa.Column("misconception", AutoString(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
