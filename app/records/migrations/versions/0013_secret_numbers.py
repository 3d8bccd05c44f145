"""Numbers of assignments from a secret of the site, and which accounts were made for a class

What is published keeps the numbers that it has. An account that was made for a class came into it in the very
moment in which it was made.

Revision ID: 0013
Revises: 0009
Create Date: 2026-11-22
"""

import secrets

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

SECRET_BYTES = 32


def upgrade() -> None:
    secret = op.create_table(
        "site_secret",
        sa.Column("name", AutoString(), nullable=False),
        sa.Column("value", AutoString(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_site_secret")),
    )
    op.bulk_insert(secret, [{"name": "numbers", "value": secrets.token_hex(SECRET_BYTES)}])
    op.add_column("assignment", sa.Column("version", sa.Integer(), nullable=False, server_default="2"))
    op.execute("UPDATE assignment SET version = 1 WHERE published_at IS NOT NULL")
    op.add_column(
        "enrolment", sa.Column("with_account", sa.Boolean(), nullable=False, server_default=sa.false())
    )
    op.execute(
        "UPDATE enrolment SET with_account = true WHERE EXISTS (SELECT 1 FROM account"
        " WHERE account.learner_id = enrolment.learner_id AND account.created_at = enrolment.joined_at)"
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
