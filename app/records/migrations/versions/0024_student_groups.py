"""Groups of students within a class

Revision ID: 0024
Revises: 0023
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0024"
down_revision = "0023"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "student_group",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_student_group_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_student_group")),
        sa.UniqueConstraint("classroom_id", "name", name=op.f("uq_student_group_classroom_id_name")),
    )
    op.create_table(
        "group_member",
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("group_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_group_member_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["group_id"],
            ["student_group.id"],
            name=op.f("fk_group_member_group_id_student_group"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("enrolment_id", name=op.f("pk_group_member")),
    )
    op.create_index(op.f("ix_group_member_group_id"), "group_member", ["group_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
