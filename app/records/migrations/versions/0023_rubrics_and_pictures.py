"""Answers in words that a teacher marks line by line; pictures in what teachers write

Revision ID: 0023
Revises: 0022
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("re_mark", sa.Column("ticks", AutoString(), nullable=True))
    op.create_table(
        "picture",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("size_bytes", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_picture_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_picture")),
        sa.UniqueConstraint("learner_id", "name", name=op.f("uq_picture_learner_id_name")),
    )
    op.create_index(op.f("ix_picture_name"), "picture", ["name"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
