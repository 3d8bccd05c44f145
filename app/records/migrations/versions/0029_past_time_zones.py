"""Learners know where their clock hung before

What was learnt before the upgrade stays on the days of the present zone, as it is.

Revision ID: 0029
Revises: 0028
Create Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0029"
down_revision = "0028"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("learner", sa.Column("past_zones", AutoString(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
