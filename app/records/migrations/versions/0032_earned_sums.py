"""What practice has earned is read from an index

Below every question stands how much sugar practice has earned: a sum over all items of a learner. It read
their rows, which are long, and hundreds of which are questions of assignments, where nothing is earned.

Revision ID: 0032
Revises: 0031
Create Date: 2026-11-29
"""

import sqlalchemy as sa
from alembic import op

revision = "0032"
down_revision = "0031"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(
        "ix_item_sum_practised",
        "item_sum",
        ["learner_id", "item", "clean", "later"],
        sqlite_where=sa.text("clean > 0 OR later > 0"),
    )
    op.create_index(
        "ix_item_sum_sealed",
        "item_sum",
        ["learner_id", "sealed_until"],
        sqlite_where=sa.text("sealed_until IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
