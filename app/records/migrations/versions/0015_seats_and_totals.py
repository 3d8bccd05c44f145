"""座号 in a column of its own

What the one column held stays there as 学号. Where a class has small whole numbers only, nobody but its
teacher can tell whether they are 座号: the class asks (`asks_number_kind`).

Revision ID: 0015
Revises: 0014
Create Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

CLASSES_WITH_SMALL_NUMBERS = """
UPDATE classroom SET asks_number_kind = true
WHERE EXISTS (SELECT 1 FROM enrolment WHERE classroom_id = classroom.id AND number <> '')
AND NOT EXISTS (
    SELECT 1 FROM enrolment WHERE classroom_id = classroom.id AND number <> ''
    AND (length(number) > 3 OR number GLOB '*[^0-9]*')
)
"""


def upgrade() -> None:
    op.add_column("enrolment", sa.Column("seat", sa.Integer(), nullable=True))
    op.add_column(
        "classroom", sa.Column("asks_number_kind", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute(CLASSES_WITH_SMALL_NUMBERS)


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
