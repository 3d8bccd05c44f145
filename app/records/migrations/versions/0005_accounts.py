"""Accounts, limits on tries, invitations of teachers

Revision ID: 0005
Revises: 0004
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_in", sa.Column("device", AutoString(), nullable=True))
    op.create_table(
        "account",
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("login", AutoString(), nullable=False),
        sa.Column("login_key", AutoString(), nullable=False),
        sa.Column("password_hash", AutoString(), nullable=False),
        sa.Column("teacher", sa.Boolean(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("disabled_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_account_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("learner_id", name=op.f("pk_account")),
        sa.UniqueConstraint("login_key", name=op.f("uq_account_login_key")),
    )
    op.create_table(
        "throttle",
        sa.Column("key", AutoString(), nullable=False),
        sa.Column("since", UTCDateTime(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("key", name=op.f("pk_throttle")),
    )
    op.create_table(
        "invitation",
        sa.Column("token_hash", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.Column("used_at", UTCDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_invitation")),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
