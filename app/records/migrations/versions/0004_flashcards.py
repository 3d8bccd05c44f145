"""Flashcards: decks, memories, the log of reviews, cards of one's own

Revision ID: 0004
Revises: 0003
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "scheduler_version",
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("version", AutoString(), nullable=False),
        sa.Column("parameters", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_scheduler_version")),
    )
    op.create_table(
        "card_memory",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("card", AutoString(), nullable=False),
        sa.Column("family", AutoString(), nullable=False),
        sa.Column("added_at", UTCDateTime(), nullable=False),
        sa.Column("status", AutoString(), nullable=False),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=True),
        sa.Column("stability", sa.Float(), nullable=True),
        sa.Column("difficulty", sa.Float(), nullable=True),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("last_review_at", UTCDateTime(), nullable=True),
        sa.Column("reps", sa.Integer(), nullable=False),
        sa.Column("lapses", sa.Integer(), nullable=False),
        sa.Column("streak", sa.Integer(), nullable=False),
        sa.Column("scheduler", AutoString(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_card_memory_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["scheduler"], ["scheduler_version.hash"], name=op.f("fk_card_memory_scheduler_scheduler_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_card_memory")),
        sa.UniqueConstraint("learner_id", "card", name=op.f("uq_card_memory_learner_id_card")),
    )
    op.create_index(
        op.f("ix_card_memory_learner_id_status_state_due_at"),
        "card_memory",
        ["learner_id", "status", "state", "due_at"],
        unique=False,
    )
    op.create_table(
        "deck",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("retention", sa.Float(), nullable=False),
        sa.Column("new_a_day", sa.Integer(), nullable=False),
        sa.Column("due_a_day", sa.Integer(), nullable=False),
        sa.Column("buttons", sa.Integer(), nullable=False),
        sa.Column("less_on", sa.Date(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_deck_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("learner_id", name=op.f("pk_deck")),
    )
    op.create_table(
        "own_card",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("front", AutoString(), nullable=False),
        sa.Column("back", AutoString(), nullable=False),
        sa.Column("tags", AutoString(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.Column("deleted_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_own_card_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_card")),
    )
    op.create_index(op.f("ix_own_card_learner_id"), "own_card", ["learner_id"], unique=False)
    op.create_table(
        "review_log",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("card", AutoString(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("rating", sa.Integer(), nullable=False),
        sa.Column("reviewed_at", UTCDateTime(), nullable=False),
        sa.Column("day", sa.Date(), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=True),
        sa.Column("raw", AutoString(), nullable=True),
        sa.Column("misconception", AutoString(), nullable=True),
        sa.Column("state", AutoString(), nullable=False),
        sa.Column("interval_days", sa.Integer(), nullable=False),
        sa.Column("first", sa.Boolean(), nullable=False),
        sa.Column("retention", sa.Float(), nullable=False),
        sa.Column("scheduler", AutoString(), nullable=False),
        sa.Column("before", AutoString(), nullable=False),
        sa.Column("after", AutoString(), nullable=False),
        sa.Column("undone_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_review_log_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["scheduler"], ["scheduler_version.hash"], name=op.f("fk_review_log_scheduler_scheduler_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review_log")),
        sa.UniqueConstraint(
            "learner_id", "card", "number", name=op.f("uq_review_log_learner_id_card_number")
        ),
    )
    told = ["undone_at", "rating", "seconds", "state", "first", "interval_days"]
    op.create_index("ix_review_log_told", "review_log", ["learner_id", "day", *told], unique=False)
    op.create_index(op.f("ix_review_log_learner_id_id"), "review_log", ["learner_id", "id"], unique=False)


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
