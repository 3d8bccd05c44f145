"""Words of a deleted account wait for nobody

They were counted as waiting for their teacher, who found nothing to read.

Revision ID: 0040
Revises: 0039
Create Date: 2026-11-30
"""

from alembic import op

revision = "0040"
down_revision = "0039"
branch_labels = None
depends_on = None


def upgrade() -> None:
    # Nobody who is there has a name that cannot be looked up.
    op.execute(
        "UPDATE submission SET waiting = 0, open_points = 0 WHERE waiting > 0 AND enrolment_id IN "
        "(SELECT id FROM enrolment WHERE name = '已注销的同学' AND name_key = '')"
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
