"""Bookmarks: steps and examples that a learner marked to come back to

Revision ID: 0016
Revises: 0015
Create Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "bookmark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("ref", AutoString(), nullable=False),
        sa.Column("section", AutoString(), nullable=False),
        sa.Column("step_id", AutoString(), nullable=False),
        sa.Column("note", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_bookmark_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_bookmark")),
        sa.UniqueConstraint(
            *("learner_id", "source", "ref", "section", "step_id"),
            name=op.f("uq_bookmark_learner_id_source_ref_section_step_id"),
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
