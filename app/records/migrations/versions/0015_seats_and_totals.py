"""座号 in a column of its own, and the rules of a class for 总评

What the one column held stays there as 学号. Where a class has small whole numbers only, nobody but its
teacher can tell whether they are 座号: the class asks (`asks_number_kind`).

Revision ID: 0015
Revises: 0014
Create Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

CLASSES_WITH_SMALL_NUMBERS = """
UPDATE classroom SET asks_number_kind = true
WHERE EXISTS (SELECT 1 FROM enrolment WHERE classroom_id = classroom.id AND number <> '')
AND NOT EXISTS (
    SELECT 1 FROM enrolment WHERE classroom_id = classroom.id AND number <> ''
    AND (length(number) > 3 OR trim(number, '0123456789') <> '')
)
"""


def upgrade() -> None:
    op.add_column("enrolment", sa.Column("seat", sa.Integer(), nullable=True))
    op.add_column(
        "classroom", sa.Column("asks_number_kind", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute(CLASSES_WITH_SMALL_NUMBERS)
    add_totals()


def add_totals() -> None:
    op.create_table(
        "total_scheme",
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("weighing", AutoString(), nullable=False),
        sa.Column("missing", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_total_scheme_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("classroom_id", name=op.f("pk_total_scheme")),
    )
    op.create_table(
        "total_category",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_total_category_classroom_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_total_category")),
        sa.UniqueConstraint("classroom_id", "name", name=op.f("uq_total_category_classroom_id_name")),
    )
    op.create_table(
        "total_column",
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("counted", sa.Boolean(), nullable=False),
        sa.Column("weight", sa.Float(), nullable=False),
        sa.Column("category", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_total_column_assignment_id"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("assignment_id", name=op.f("pk_total_column")),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
