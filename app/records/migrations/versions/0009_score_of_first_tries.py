"""First tries with their score: what was reached together with the tutor is told from what was reached alone

Revision ID: 0009
Revises: 0008
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.drop_index("ix_response_first_tries", "response")
    columns = [*("attempt_id", "try_number", "item", "verdict", "hints", "created_at", "seconds")]
    columns += ["misconception", "value", "score"]
    if op.get_bind().dialect.name == "postgresql":
        columns.remove("value")  # a row of its indexes ends at 2,704 bytes, an answer in words may be longer
    op.create_index(
        "ix_response_first_tries",
        "response",
        columns,
        sqlite_where=sa.text("try_number = 1"),
        postgresql_where=sa.text("try_number = 1"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
