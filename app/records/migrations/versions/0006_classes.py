"""Classes and who is in them

Revision ID: 0006
Revises: 0005
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "classroom",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("teacher_id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("archived_at", UTCDateTime(), nullable=True),
        sa.Column("code", AutoString(), nullable=False),
        sa.Column("code_until", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["teacher_id"], ["learner.id"], name=op.f("fk_classroom_teacher_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_classroom")),
        sa.UniqueConstraint("code", name=op.f("uq_classroom_code")),
    )
    op.create_index(op.f("ix_classroom_teacher_id"), "classroom", ["teacher_id"])
    op.create_table(
        "enrolment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("name_key", AutoString(), nullable=False),
        sa.Column("number", AutoString(), nullable=False),
        sa.Column("joined_at", UTCDateTime(), nullable=False),
        sa.Column("removed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_enrolment_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_enrolment_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_enrolment")),
        sa.UniqueConstraint("classroom_id", "learner_id", name=op.f("uq_enrolment_classroom_id_learner_id")),
    )
    op.create_index(op.f("ix_enrolment_learner_id"), "enrolment", ["learner_id"])
    op.create_index(
        "ix_response_first_tries",
        "response",
        ["attempt_id", "item", "verdict", "hints", "created_at"],
        sqlite_where=sa.text("try_number = 1"),
        postgresql_where=sa.text("try_number = 1"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
