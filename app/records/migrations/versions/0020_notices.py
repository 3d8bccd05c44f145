"""A line from the teacher on the page of a class

Revision ID: 0020
Revises: 0019
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("classroom", sa.Column("notice", AutoString(), nullable=False, server_default=""))
    op.add_column("classroom", sa.Column("notice_until", UTCDateTime(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
