"""Numbers of assignments and students never come again, and the log of a class is found by both

SQLite gave the highest number to the next row once the one that had it was gone. Attempts outlive their
assignment and name it, so each new draft looked through all attempts of the site; the log of a class names
students in its details, and meant another one. The next number is above all that are named there; also on a
server, where a database that was moved there counts on from the highest number that it had.

Whatever an assignment or a student takes along when it goes is found by an index now; the log was read whole.

Revision ID: 0034
Revises: 0033
Create Date: 2026-11-29
"""

import json
from collections.abc import Iterator

import sqlalchemy as sa
from alembic import op

revision = "0034"
down_revision = "0033"
branch_labels = None
depends_on = None

REBUILD = (
    """
CREATE TABLE numbered_enrolment (
    id INTEGER NOT NULL CONSTRAINT pk_enrolment PRIMARY KEY AUTOINCREMENT,
    classroom_id INTEGER NOT NULL,
    learner_id INTEGER NOT NULL,
    name VARCHAR NOT NULL,
    name_key VARCHAR NOT NULL,
    number VARCHAR NOT NULL,
    joined_at DATETIME NOT NULL,
    removed_at DATETIME,
    with_account BOOLEAN DEFAULT 0 NOT NULL,
    seat INTEGER,
    time_factor FLOAT DEFAULT '1' NOT NULL,
    CONSTRAINT fk_enrolment_classroom_id_classroom FOREIGN KEY(classroom_id)
        REFERENCES classroom (id) ON DELETE CASCADE,
    CONSTRAINT fk_enrolment_learner_id_learner FOREIGN KEY(learner_id)
        REFERENCES learner (id) ON DELETE CASCADE,
    CONSTRAINT uq_enrolment_classroom_id_learner_id UNIQUE (classroom_id, learner_id)
)""",
    "INSERT INTO numbered_enrolment SELECT * FROM enrolment",
    "DROP TABLE enrolment",
    "ALTER TABLE numbered_enrolment RENAME TO enrolment",
    "CREATE INDEX ix_enrolment_learner_id ON enrolment (learner_id)",
    """
CREATE TABLE numbered_assignment (
    id INTEGER NOT NULL CONSTRAINT pk_assignment PRIMARY KEY AUTOINCREMENT,
    classroom_id INTEGER NOT NULL,
    title VARCHAR NOT NULL,
    note VARCHAR NOT NULL,
    seed INTEGER NOT NULL,
    everyone BOOLEAN NOT NULL,
    opens_at DATETIME,
    due_at DATETIME,
    late_until DATETIME,
    late_factor FLOAT NOT NULL,
    passes INTEGER NOT NULL,
    tries INTEGER NOT NULL,
    hints BOOLEAN NOT NULL,
    answers VARCHAR NOT NULL,
    counts VARCHAR NOT NULL,
    form VARCHAR,
    pair INTEGER,
    created_at DATETIME NOT NULL,
    published_at DATETIME,
    closed_at DATETIME,
    version INTEGER DEFAULT '2' NOT NULL,
    series INTEGER,
    minutes INTEGER DEFAULT '0' NOT NULL,
    CONSTRAINT fk_assignment_classroom_id_classroom FOREIGN KEY(classroom_id)
        REFERENCES classroom (id) ON DELETE CASCADE
)""",
    "INSERT INTO numbered_assignment SELECT * FROM assignment",
    "DROP TABLE assignment",
    "ALTER TABLE numbered_assignment RENAME TO assignment",
    "CREATE INDEX ix_assignment_classroom_id_id ON assignment (classroom_id, id)",
    "CREATE INDEX ix_assignment_pair ON assignment (pair)",
    "CREATE INDEX ix_assignment_series ON assignment (series)",
)
"""Columns are in the order in which the revisions before this one have put them."""
LARGEST_NUMBER = 2**53


KEYS_OF_STUDENTS = ("students", "left")
"""What holds numbers of students in the details of a log line, alone or each at the head of a list."""
CONTINUE_SEQUENCE = """
SELECT setval(
    pg_get_serial_sequence('{table_name}', 'id'),
    greatest(
        :last_number,
        coalesce(pg_sequence_last_value(CAST(pg_get_serial_sequence('{table_name}', 'id') AS regclass)), 1)
    )
)"""


def upgrade() -> None:
    op.create_index("ix_audit_assignment_id", "audit", ["assignment_id"])
    op.create_index("ix_audit_enrolment_id", "audit", ["enrolment_id"])
    connection = op.get_bind()
    if connection.dialect.name == "sqlite":
        for command in REBUILD:
            connection.exec_driver_sql(command)
    continue_numbering(connection, "assignment", assignment_numbers_of_attempts(connection))
    continue_numbering(connection, "enrolment", student_numbers_in_log(connection))


def continue_numbering(connection: sa.Connection, table_name: str, named_numbers: Iterator[int]) -> None:
    """Let the next number of a table lie above those that are there or named."""
    largest_number = connection.exec_driver_sql(f"SELECT max(id) FROM {table_name}").scalar()  # noqa: S608
    last_number = max([largest_number or 0, *named_numbers])
    if connection.dialect.name == "sqlite":
        connection.exec_driver_sql("DELETE FROM sqlite_sequence WHERE name = ?", (table_name,))
        connection.exec_driver_sql(
            "INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table_name, last_number)
        )
    elif last_number:
        set_sequence = sa.text(CONTINUE_SEQUENCE.format(table_name=table_name))
        connection.execute(set_sequence, {"last_number": last_number})


def assignment_numbers_of_attempts(connection: sa.Connection) -> Iterator[int]:
    """The numbers that attempts name, also of what is gone: `assignment-7`, `assignment-7-gone-31`."""
    attempt_refs = connection.exec_driver_sql("SELECT DISTINCT ref FROM attempt WHERE source = 'assignment'")
    for attempt_ref in attempt_refs.scalars():
        number_text = attempt_ref.removeprefix("assignment-").partition("-")[0]
        if number_text.isdecimal() and int(number_text) < LARGEST_NUMBER:
            yield int(number_text)


def student_numbers_in_log(connection: sa.Connection) -> Iterator[int]:
    """The numbers of students in the details of the logs of classes, also of those who are gone."""
    for detail_json in connection.exec_driver_sql("SELECT detail FROM audit").scalars():
        log_detail = json.loads(detail_json)
        for key in KEYS_OF_STUDENTS:
            for entry in log_detail.get(key) or ():
                student_number = entry[0] if isinstance(entry, list) else entry
                if isinstance(student_number, int):
                    yield student_number


def downgrade() -> None:
    raise NotImplementedError("go back to the backup that was made before the upgrade")
