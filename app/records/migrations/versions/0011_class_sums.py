"""Answers know their learner, and first tries are counted by item: class pages no longer read the whole year

Revision ID: 0011
Revises: 0009
Create Date: 2026-11-22
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

LEARNERS = """
UPDATE response SET learner_id = (SELECT learner_id FROM attempt WHERE attempt.id = response.attempt_id)
"""
FIRST_TRIES = """
INSERT INTO first_try_count (learner_id, classroom_id, item, tried, clean, last_at)
SELECT attempt.learner_id, assignment.classroom_id,
    CASE WHEN response.item LIKE '%#%' THEN rtrim(rtrim(response.item, '0123456789'), '#')
        ELSE response.item END AS bare_item,
    count(*),
    sum(CASE WHEN response.verdict = 'right' AND (response.score <= 0 OR response.score >= 0.999)
        AND response.hints = 0 THEN 1 ELSE 0 END),
    max(response.created_at)
FROM attempt JOIN response ON response.attempt_id = attempt.id
LEFT JOIN submission ON submission.attempt_id = attempt.id
LEFT JOIN assignment ON assignment.id = submission.assignment_id
WHERE attempt.learner_id = :learner AND response.try_number = 1
    AND (attempt.source <> 'assignment' OR assignment.classroom_id IS NOT NULL)
GROUP BY attempt.learner_id, assignment.classroom_id, bare_item
"""
STEP = 500
"""After so many learners a line says how far it is."""


def upgrade() -> None:
    make_room()
    op.create_table(
        "first_try_count",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=True),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("tried", sa.Integer(), nullable=False),
        sa.Column("clean", sa.Integer(), nullable=False),
        sa.Column("last_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["learner_id"],
            ["learner.id"],
            name=op.f("fk_first_try_count_learner_id_learner"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_first_try_count_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_first_try_count")),
    )
    count_first_tries()
    op.create_index(
        "ix_first_try_count_all",
        "first_try_count",
        ["learner_id", "classroom_id", "item", "tried", "clean", "last_at"],
    )
    op.create_index(op.f("ix_first_try_count_classroom_id"), "first_try_count", ["classroom_id"])
    op.create_index(
        op.f("ix_lesson_place_learner_id_updated_at"), "lesson_place", ["learner_id", "updated_at"]
    )
    op.create_index(op.f("ix_game_move_learner_id_id"), "game_move", ["learner_id", "id"])
    tell_learners()


def make_room() -> None:
    """Memory for rows by the million, where the database asks for it; it is given back when this is over."""
    if op.get_bind().dialect.name == "sqlite":
        op.execute("PRAGMA cache_size=-262144")


def count_first_tries() -> None:
    """Learner by learner: so little at once is counted without a file beside the memory."""
    bind = op.get_bind()
    learners = bind.execute(sa.text("SELECT id FROM learner ORDER BY id")).scalars().all()
    for number, learner_id in enumerate(learners, 1):
        bind.execute(sa.text(FIRST_TRIES), {"learner": learner_id})
        if number % STEP == 0:
            print(f"升级：第一次作答，{number}/{len(learners)}人", flush=True)


def tell_learners() -> None:
    """The learner of every response, and what is read by learner and time."""
    op.add_column("response", sa.Column("learner_id", sa.Integer(), nullable=True))
    op.drop_index("ix_response_mistakes", "response")
    op.execute(LEARNERS)
    op.create_index(op.f("ix_response_learner_id_created_at"), "response", ["learner_id", "created_at"])
    op.create_index(
        "ix_response_mistakes",
        "response",
        ["learner_id", "created_at", "misconception", "attempt_id"],
        sqlite_where=sa.text("misconception IS NOT NULL"),
        postgresql_where=sa.text("misconception IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
