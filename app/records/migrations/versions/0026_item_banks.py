"""Items of an assignment may be a bank that each student gets some of

Revision ID: 0026
Revises: 0025
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op

revision = "0026"
down_revision = "0025"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("assignment_part", sa.Column("bank", sa.Integer(), nullable=False, server_default="0"))


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
