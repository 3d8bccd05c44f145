"""Columns of one's own in the gradebook; 免 for one student; the lowest marks of a category left out

Reasons of changed marks that were written until now stay in the log of the class: nobody had said that
students would read them (`told`).

Revision ID: 0017
Revises: 0016
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    for name in ("excused", "told"):
        flag = sa.Column[bool](name, sa.Boolean(), nullable=False, server_default=sa.false())
        op.add_column("mark_override", flag)
    dropped = sa.Column[int]("dropped", sa.Integer(), nullable=False, server_default="0")
    op.add_column("total_category", dropped)
    add_extra_columns()


def add_extra_columns() -> None:
    op.create_table(
        "extra_column",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("title", AutoString(), nullable=False),
        sa.Column("total", sa.Float(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("category", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_extra_column_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extra_column")),
    )
    op.create_index(op.f("ix_extra_column_classroom_id"), "extra_column", ["classroom_id"])
    op.create_table(
        "extra_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("column_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("excused", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(
            ["column_id"],
            ["extra_column.id"],
            name=op.f("fk_extra_mark_column_id_extra_column"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_extra_mark_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extra_mark")),
        sa.UniqueConstraint("column_id", "enrolment_id", name=op.f("uq_extra_mark_column_id_enrolment_id")),
    )
    op.create_index(op.f("ix_extra_mark_enrolment_id"), "extra_mark", ["enrolment_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
