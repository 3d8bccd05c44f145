"""When something was last done in an attempt at an assignment

Whether it is late goes by that, and no longer by when its student pressed the button. Nobody kept it of what
was handed in before this revision: that stays as late, or as much in time, as its student was told. What the
teacher collected was late only where that cost something.

Revision ID: 0042
Revises: 0041
Create Date: 2026-11-30
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submission", sa.Column("last_work_at", UTCDateTime(), nullable=True))
    op.execute("UPDATE submission SET last_work_at = handed_in_at WHERE NOT collected OR factor <> 1")


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
