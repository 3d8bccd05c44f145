"""A number of own content never comes again

SQLite gave the highest number to the next text once the one that had it was gone with its teacher. What old
answers name would have been that text, also for a teacher who has no access to it. The next number is above
all that are named anywhere. A server counts on by itself.

Revision ID: 0031
Revises: 0030
Create Date: 2026-11-29
"""

from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0031"
down_revision = "0030"
branch_labels = None
depends_on = None

REBUILD = (
    """
CREATE TABLE numbered_own_course (
    id INTEGER NOT NULL CONSTRAINT pk_own_course PRIMARY KEY AUTOINCREMENT,
    learner_id INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    text VARCHAR NOT NULL,
    share_token VARCHAR,
    created_at DATETIME NOT NULL,
    updated_at DATETIME NOT NULL,
    deleted_at DATETIME,
    CONSTRAINT fk_own_course_learner_id_learner FOREIGN KEY(learner_id)
        REFERENCES learner (id) ON DELETE CASCADE,
    CONSTRAINT uq_own_course_share_token UNIQUE (share_token)
)""",
    """
INSERT INTO numbered_own_course (id, learner_id, title, text, share_token, created_at, updated_at, deleted_at)
    SELECT id, learner_id, title, text, share_token, created_at, updated_at, deleted_at FROM own_course""",
    "DROP TABLE own_course",
    "ALTER TABLE numbered_own_course RENAME TO own_course",
    "CREATE INDEX ix_own_course_learner_id ON own_course (learner_id)",
)
REFERRING_COLUMNS = (
    ("attempt", "ref"),
    ("lesson_place", "stage"),
    ("assignment_part", "ref"),
    ("first_try_count", "item"),
    ("card_memory", "card"),
)
"""Where a text names own content: `own-42:…`."""
LARGEST_NUMBER = 2**53


def upgrade() -> None:
    connection = op.get_bind()
    if connection.dialect.name != "sqlite":
        return
    for command in REBUILD:
        connection.exec_driver_sql(command)
    last_number = max(numbers_in_use(connection), default=0)
    connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = 'own_course'")
    connection.exec_driver_sql(
        "INSERT INTO sqlite_sequence (name, seq) VALUES ('own_course', ?)", (last_number,)
    )


def numbers_in_use(connection: sa.Connection) -> Iterator[int]:
    """The numbers of own content, also of what is gone and still named."""
    own_course = sa.table("own_course", sa.column("id"))
    yield from connection.execute(sa.select(own_course.c.id)).scalars()
    for table_name, column_name in REFERRING_COLUMNS:
        column: sa.ColumnClause[str] = sa.column(column_name)
        named = sa.select(column).select_from(sa.table(table_name, column)).distinct()
        for ref in connection.execute(named.where(column >= "own-", column < "own.")).scalars():
            number_text = ref.partition(":")[0].removeprefix("own-")
            if number_text.isdecimal() and int(number_text) < LARGEST_NUMBER:
                yield int(number_text)


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
