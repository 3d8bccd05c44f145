"""Assignments, marks, content of teachers

Revision ID: 0007
Revises: 0006
Create Date: 2026-11-21
"""

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "own_course",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("learner_id", sa.Integer(), nullable=False),
        sa.Column("title", AutoString(), nullable=False),
        sa.Column("text", AutoString(), nullable=False),
        sa.Column("share_token", AutoString(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("updated_at", UTCDateTime(), nullable=False),
        sa.Column("deleted_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["learner_id"], ["learner.id"], name=op.f("fk_own_course_learner_id_learner"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_own_course")),
        sa.UniqueConstraint("share_token", name=op.f("uq_own_course_share_token")),
    )
    op.create_index(op.f("ix_own_course_learner_id"), "own_course", ["learner_id"])

    op.create_table(
        "assignment",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("title", AutoString(), nullable=False),
        sa.Column("note", AutoString(), nullable=False),
        sa.Column("seed", sa.Integer(), nullable=False),
        sa.Column("everyone", sa.Boolean(), nullable=False),
        sa.Column("opens_at", UTCDateTime(), nullable=True),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("late_until", UTCDateTime(), nullable=True),
        sa.Column("late_factor", sa.Float(), nullable=False),
        sa.Column("passes", sa.Integer(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("answers", AutoString(), nullable=False),
        sa.Column("counts", AutoString(), nullable=False),
        sa.Column("form", AutoString(), nullable=True),
        sa.Column("pair", sa.Integer(), nullable=True),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.Column("published_at", UTCDateTime(), nullable=True),
        sa.Column("closed_at", UTCDateTime(), nullable=True),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_assignment_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment")),
    )
    op.create_index(op.f("ix_assignment_classroom_id_id"), "assignment", ["classroom_id", "id"])
    op.create_index(op.f("ix_assignment_pair"), "assignment", ["pair"])

    op.create_table(
        "saved_answer",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("item", AutoString(), nullable=False),
        sa.Column("raw", AutoString(), nullable=False),
        sa.Column("seconds", sa.Integer(), nullable=True),
        sa.Column("saved_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["attempt_id"],
            ["attempt.id"],
            name=op.f("fk_saved_answer_attempt_id_attempt"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_saved_answer")),
        sa.UniqueConstraint("attempt_id", "item", name=op.f("uq_saved_answer_attempt_id_item")),
    )
    op.create_table(
        "assignee",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_assignee_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_assignee_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignee")),
        sa.UniqueConstraint(
            "assignment_id", "enrolment_id", name=op.f("uq_assignee_assignment_id_enrolment_id")
        ),
    )
    op.create_index(op.f("ix_assignee_enrolment_id"), "assignee", ["enrolment_id"])

    op.create_table(
        "assignment_part",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("kind", AutoString(), nullable=False),
        sa.Column("ref", AutoString(), nullable=False),
        sa.Column("level", sa.Integer(), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.Column("same", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_assignment_part_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_assignment_part")),
    )
    op.create_index(
        op.f("ix_assignment_part_assignment_id_position"), "assignment_part", ["assignment_id", "position"]
    )

    op.create_table(
        "audit",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("classroom_id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=True),
        sa.Column("enrolment_id", sa.Integer(), nullable=True),
        sa.Column("actor_id", sa.Integer(), nullable=True),
        sa.Column("action", AutoString(), nullable=False),
        sa.Column("detail", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["actor_id"], ["learner.id"], name=op.f("fk_audit_actor_id_learner"), ondelete="SET NULL"
        ),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_audit_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["classroom_id"],
            ["classroom.id"],
            name=op.f("fk_audit_classroom_id_classroom"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_audit_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index(op.f("ix_audit_actor_id"), "audit", ["actor_id"])
    op.create_index(op.f("ix_audit_classroom_id_id"), "audit", ["classroom_id", "id"])

    op.create_table(
        "extension",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("due_at", UTCDateTime(), nullable=True),
        sa.Column("note", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_extension_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_extension_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_extension")),
    )
    op.create_index(
        op.f("ix_extension_assignment_id_enrolment_id"), "extension", ["assignment_id", "enrolment_id"]
    )

    op.create_table(
        "mark_override",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_mark_override_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_mark_override_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mark_override")),
    )
    op.create_index(
        op.f("ix_mark_override_assignment_id_enrolment_id"),
        "mark_override",
        ["assignment_id", "enrolment_id"],
    )

    op.create_table(
        "part_grant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("part_id", sa.Integer(), nullable=False),
        sa.Column("granted", sa.Boolean(), nullable=False),
        sa.Column("reason", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["part_id"],
            ["assignment_part.id"],
            name=op.f("fk_part_grant_part_id_assignment_part"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_part_grant")),
    )
    op.create_index(op.f("ix_part_grant_part_id"), "part_grant", ["part_id"])

    op.create_table(
        "re_mark",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("response_id", sa.Integer(), nullable=False),
        sa.Column("verdict", AutoString(), nullable=False),
        sa.Column("score", sa.Float(), nullable=False),
        sa.Column("misconception", AutoString(), nullable=True),
        sa.Column("item_version", AutoString(), nullable=False),
        sa.Column("created_at", UTCDateTime(), nullable=False),
        sa.ForeignKeyConstraint(
            ["item_version"], ["item_version.hash"], name=op.f("fk_re_mark_item_version_item_version")
        ),
        sa.ForeignKeyConstraint(
            ["response_id"], ["response.id"], name=op.f("fk_re_mark_response_id_response"), ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_re_mark")),
    )
    op.create_index(op.f("ix_re_mark_response_id"), "re_mark", ["response_id"])

    op.create_table(
        "submission",
        sa.Column("attempt_id", sa.Integer(), nullable=False),
        sa.Column("assignment_id", sa.Integer(), nullable=False),
        sa.Column("enrolment_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("started_at", UTCDateTime(), nullable=False),
        sa.Column("handed_in_at", UTCDateTime(), nullable=True),
        sa.Column("collected", sa.Boolean(), nullable=False),
        sa.Column("points", sa.Float(), nullable=True),
        sa.Column("total", sa.Float(), nullable=True),
        sa.Column("factor", sa.Float(), nullable=False),
        sa.Column("parts", AutoString(), nullable=False),
        sa.ForeignKeyConstraint(
            ["assignment_id"],
            ["assignment.id"],
            name=op.f("fk_submission_assignment_id_assignment"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["attempt_id"], ["attempt.id"], name=op.f("fk_submission_attempt_id_attempt"), ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["enrolment_id"],
            ["enrolment.id"],
            name=op.f("fk_submission_enrolment_id_enrolment"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("attempt_id", name=op.f("pk_submission")),
        sa.UniqueConstraint(
            "assignment_id",
            "enrolment_id",
            "number",
            name=op.f("uq_submission_assignment_id_enrolment_id_number"),
        ),
    )
    op.create_index(op.f("ix_submission_enrolment_id"), "submission", ["enrolment_id"])

    op.add_column("attempt", sa.Column("shown_from", UTCDateTime(), nullable=True))

    op.drop_index("ix_response_first_tries", "response")
    op.create_index(
        "ix_response_first_tries",
        "response",
        [
            *("attempt_id", "try_number", "item", "verdict", "hints", "created_at"),
            *("seconds", "misconception", "value"),
        ],
        sqlite_where=sa.text("try_number = 1"),
        postgresql_where=sa.text("try_number = 1"),
    )
    op.create_index(
        "ix_response_mistakes",
        "response",
        ["attempt_id", "misconception"],
        sqlite_where=sa.text("misconception IS NOT NULL"),
        postgresql_where=sa.text("misconception IS NOT NULL"),
    )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
