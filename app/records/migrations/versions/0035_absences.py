"""When a student was out of a class and came back

What ended meanwhile was 缺交 of theirs once they were back. Of who came back before this revision nobody
kept when they had been out.

Revision ID: 0035
Revises: 0034
Create Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0035"
down_revision = "0034"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("enrolment", sa.Column("absences", AutoString(), nullable=True))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
