"""Sums by item and by day: a learner's pages do not read the whole log

The tables are filled by `app.records.migrations.env`, with the sums of the newest revision.

Revision ID: 0010
Revises: 0009
Create Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "item_sum",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("recent", AutoString(), nullable=False),
        sa.Column("first_clean_at", UTCDateTime(), nullable=True),
        sa.Column("clean", sa.Integer(), nullable=False),
        sa.Column("later", sa.Integer(), nullable=False),
        sa.Column("cleans", AutoString(), nullable=False),
        sa.Column("sealed_until", UTCDateTime(), nullable=True),
        sa.Column("wrong", sa.Integer(), nullable=False),
        sa.Column("mistakes", AutoString(), nullable=False),
        sa.Column("wrongs", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_item_sum_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("learner_id", "item", name=op.f("pk_item_sum")),
        sqlite_with_rowid=False,
    )
    op.create_table(
        "learning_day",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("moments", AutoString(), nullable=False),
        sa.Column("last_at", UTCDateTime(), nullable=False),
        sa.Column("learnt", sa.Integer(), nullable=False),
        sa.Column("days", sa.Integer(), nullable=False),
        sa.Column("run", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_learning_day_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("learner_id", "day", name=op.f("pk_learning_day")),
        sqlite_with_rowid=False,
    )
    diagnosed = sa.text("misconception IS NOT NULL")
    op.create_index(
        "ix_review_log_mistakes",
        "review_log",
        ["learner_id", "misconception", "undone_at", "reviewed_at"],
        sqlite_where=diagnosed,
        postgresql_where=diagnosed,
    )
    op.create_index(
        "ix_game_move_mistakes",
        "game_move",
        ["learner_id", "misconception", "created_at"],
        sqlite_where=diagnosed,
        postgresql_where=diagnosed,
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
