"""Sign-ins end: when each was seen last, and when one on a shared device is over

Whoever is signed in at the upgrade is taken as seen then, so that nobody is signed out by it.

Revision ID: 0012
Revises: 0009
Create Date: 2026-11-22
"""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op
from sqlmodel.sql.sqltypes import UTCDateTime

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("sign_in", sa.Column("seen_at", UTCDateTime(), nullable=True))
    op.add_column("sign_in", sa.Column("ends_at", UTCDateTime(), nullable=True))
    sign_in = sa.table("sign_in", sa.column("seen_at", UTCDateTime()))
    op.execute(sign_in.update().values(seen_at=datetime.now(UTC)))
    for column in ("seen_at", "ends_at"):
        op.create_index(
            op.f(f"ix_sign_in_live_{column}"),
            "sign_in",
            [column],
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
