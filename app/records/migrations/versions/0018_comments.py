"""Comments of teachers to students; classes that ask for 学号 at the door

Revision ID: 0018
Revises: 0017
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    number_at_door = sa.Column[bool](
        "number_at_door", sa.Boolean(), nullable=False, server_default=sa.false()
    )
    op.add_column("classroom", number_at_door)
    op.create_table(
        "work_comment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_work_comment_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_work_comment_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_work_comment")),
        sa.UniqueConstraint(
            *("assignment_id", "enrolment_id", "number", "item"),
            name=op.f("uq_work_comment_assignment_id_enrolment_id_number_item"),
        ),
    )
    op.create_index(op.f("ix_work_comment_enrolment_id"), "work_comment", ["enrolment_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
