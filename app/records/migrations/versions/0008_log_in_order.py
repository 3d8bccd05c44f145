"""The log of a learner in the order of time

Revision ID: 0008
Revises: 0007
Create Date: 2026-11-21
"""

from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index(op.f("ix_attempt_learner_id_id_source"), "attempt", ["learner_id", "id", "source"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
