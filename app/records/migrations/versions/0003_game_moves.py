"""The moves of games

Revision ID: 0003
Revises: 0002
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "game_move",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("game", AutoString(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("move", AutoString(), nullable=False),
        sa.Column("raw", AutoString(), nullable=False),
        sa.Column("step", AutoString(), nullable=False),
        sa.Column("verdict", AutoString(), nullable=False),
        sa.Column("value", AutoString(), nullable=True),
        sa.Column("misconception", AutoString(), nullable=True),
        sa.Column("outcome", AutoString(), nullable=True),
        sa.Column("score", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_game_move_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_game_move")),
        sa.UniqueConstraint(
            "learner_id",
            "game",
            "level",
            "seed",
            "position",
            name=op.f("uq_game_move_learner_id_game_level_seed_position"),
        ),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
