"""First tables

Revision ID: 0001
Revises: nothing
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "item_version",
        sa.Column("hash", AutoString(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("body", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.PrimaryKeyConstraint("hash", name=op.f("pk_item_version")),
    )
    op.create_table(
        "learner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("time_zone", AutoString(), nullable=False),
        sa.Column("resume_code", AutoString(), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_learner")),
        sa.UniqueConstraint("resume_code", name=op.f("uq_learner_resume_code")),
    )
    op.create_table(
        "attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("source", AutoString(), nullable=False),
        sa.Column("ref", AutoString(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_attempt_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_attempt")),
        sa.UniqueConstraint(
            "learner_id", "source", "ref", "round", name=op.f("uq_attempt_learner_id_source_ref_round")
        ),
    )
    op.create_table(
        "lesson_place",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("stage", AutoString(), nullable=False),
        sa.Column("section", AutoString(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("step", sa.Integer(), nullable=False),
        sa.Column("done", sa.Boolean(), nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_lesson_place_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lesson_place")),
        sa.UniqueConstraint(
            "learner_id",
            "stage",
            "section",
            "round",
            name=op.f("uq_lesson_place_learner_id_stage_section_round"),
        ),
    )
    op.create_table(
        "problem_report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=True),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("page", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_problem_report_learner_id_learner"),
            ondelete="SET NULL",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_problem_report")),
    )
    op.create_index(op.f("ix_problem_report_learner_id"), "problem_report", ["learner_id"])
    op.create_table(
        "reveal",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("ref", AutoString(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("guess", AutoString(), nullable=True),
        sa.Column("right", sa.Boolean(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_reveal_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reveal")),
        sa.UniqueConstraint(
            "learner_id", "ref", "round", "position", name=op.f("uq_reveal_learner_id_ref_round_position")
        ),
    )
    op.create_table(
        "sign_in",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("token_hash", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("ended_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_sign_in_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_sign_in_token_hash")),
    )
    op.create_index(op.f("ix_sign_in_learner_id"), "sign_in", ["learner_id"])
    op.create_table(
        "hint",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_hint_attempt_id_attempt"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_hint")),
        sa.UniqueConstraint("attempt_id", "item", "position", name=op.f("uq_hint_attempt_id_item_position")),
    )
    op.create_table(
        "response",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("try_number", sa.Integer(), nullable=False),
        sa.Column("raw", AutoString(), nullable=False),
        sa.Column("value", AutoString(), nullable=True),
        sa.Column("verdict", AutoString(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("misconception", AutoString(), nullable=True),
        sa.Column("hints", sa.Integer(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("item_version", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_response_attempt_id_attempt"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["item_version"], ["item_version.hash"], name=op.f("fk_response_item_version_item_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_response")),
        sa.UniqueConstraint(
            "attempt_id", "item", "try_number", name=op.f("uq_response_attempt_id_item_try_number")
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
