"""Refs that are looked for by ranges stand in the order of their code points, on every server

`content:dcg` to `content:dcg$` is an item and its questions, `content:dcg#2`, in the order of signs that
SQLite has. A server whose database sorts by a language took `content:dcg-v2` in as well, and what was
answered to the one counted for the other.

Revision ID: 0036
Revises: 0035
Create Date: 2026-11-30
"""

from alembic import op

revision = "0036"
down_revision = "0035"
branch_labels = None
depends_on = None

COLUMNS = (("attempt", "ref"), ("item_sum", "item"))


def upgrade() -> None:
    if op.get_bind().dialect.name != "postgresql":
        return
    for table_name, column_name in COLUMNS:
        op.execute(f'ALTER TABLE {table_name} ALTER COLUMN {column_name} TYPE VARCHAR COLLATE "C"')


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
