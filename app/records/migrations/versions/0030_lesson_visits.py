"""Places of lessons that move on leave the day on which they were reached

Revision ID: 0030
Revises: 0029
Create Date: 2026-11-28
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0030"
down_revision = "0029"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "lesson_visit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("visited_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_lesson_visit_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lesson_visit")),
    )
    op.create_index(op.f("ix_lesson_visit_learner_id"), "lesson_visit", ["learner_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
