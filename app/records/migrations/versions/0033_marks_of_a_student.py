"""Marks by hand and extensions of a student are read from an index

The list of somebody's assignments asks for them by their place in a class, as does the database when that
place goes; both indexes there were begin with the assignment.

Revision ID: 0033
Revises: 0032
Create Date: 2026-11-29
"""

from alembic import op

revision = "0033"
down_revision = "0032"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_index("ix_mark_override_enrolment_id", "mark_override", ["enrolment_id"])
    op.create_index("ix_extension_enrolment_id", "extension", ["enrolment_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
