"""People who help in a class, each in a role, and the links that invite them

Revision ID: 0021
Revises: 0020
Create Date: 2026-11-23
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "class_role",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("role", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_class_role_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_class_role_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_class_role")),
        sa.UniqueConstraint("classroom_id", "learner_id", name=op.f("uq_class_role_classroom_id_learner_id")),
    )
    op.create_index(op.f("ix_class_role_learner_id"), "class_role", ["learner_id"])
    op.create_table(
        "role_invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("role", AutoString(), nullable=False),
        sa.Column("token_hash", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("until", UTCDateTime(), nullable=False),
        sa.Column("used_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_role_invitation_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_role_invitation")),
        sa.UniqueConstraint("token_hash", name=op.f("uq_role_invitation_token_hash")),
    )
    op.create_index(op.f("ix_role_invitation_classroom_id"), "role_invitation", ["classroom_id"])


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
