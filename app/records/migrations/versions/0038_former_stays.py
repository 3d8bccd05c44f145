"""When a student was in a class that they were moved from

Whoever was moved there and back had come into the class at the second move, so that nothing from before was
missing. Of who was moved before this revision nobody kept since when they had been there: what ended before
their move stays none of theirs.

Revision ID: 0038
Revises: 0037
Create Date: 2026-11-30
"""

import json

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

revision = "0038"
down_revision = "0037"
branch_labels = None
depends_on = None

ENROLMENT = sa.table(
    "enrolment", sa.column("id"), sa.column("classroom_id"), sa.column("former_stays", AutoString())
)
AUDIT = sa.table(
    "audit",
    sa.column("id"),
    sa.column("classroom_id"),
    sa.column("enrolment_id"),
    sa.column("action"),
    sa.column("created_at", UTCDateTime()),
)
MOVES = (
    sa.select(AUDIT.c.enrolment_id, AUDIT.c.classroom_id, AUDIT.c.created_at)
    .where(
        AUDIT.c.action == "student-moved",
        AUDIT.c.enrolment_id == ENROLMENT.c.id,
        AUDIT.c.classroom_id != ENROLMENT.c.classroom_id,
    )
    .order_by(AUDIT.c.id)
)


def upgrade() -> None:
    op.add_column("enrolment", sa.Column("former_stays", AutoString(), nullable=True))
    connection = op.get_bind()
    former_stays_by_enrolment_id = dict[int, dict[int, tuple[str, str, None]]]()
    for enrolment_id, classroom_id, moved_at in connection.execute(MOVES):
        former_stays = former_stays_by_enrolment_id.setdefault(enrolment_id, {})
        former_stays[classroom_id] = (moved_at.isoformat(), moved_at.isoformat(), None)
    for enrolment_id, former_stays in former_stays_by_enrolment_id.items():
        is_moved_enrolment = ENROLMENT.c.id == enrolment_id
        former_stays_json = json.dumps(former_stays)
        connection.execute(
            sa.update(ENROLMENT).where(is_moved_enrolment).values(former_stays=former_stays_json)
        )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
