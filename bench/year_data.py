"""A year of a district: 2,000 learners in 46 classes, 45 weeks, some 5.4 million answers, in an old database.

The rows are written by SQL at the revision `BEGUN_AT`, so that the upgrade that comes after has a year to
bring up. Everything is drawn from the numbers of week, learner and slot: two runs make the same year, but for
the day on which it ends.
"""

import hashlib
import json
import secrets
import sqlite3
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from alembic import command

from app.course import Course
from app.records.db.revision import alembic_config
from app.records.db.sqlite.upgrade import engine_for_upgrade
from app.records.db.stored_times import stored_time
from bench import year_work
from bench.year_work import LARGE_CLASS_ID, LEARNERS, SMALL_CLASS_ID, WEEKS

BEGUN_AT = "0009"
LARGE_CLASS, CLASS_SIZE = 200, 40
SUMMARY = "year.json"
"""The file beside the database: what is needed to use it again."""


@dataclass(frozen=True)
class Year:
    """What was made: tokens of the two teachers and of a learner by number, and how many rows there are."""

    data: Path
    large_teacher: str
    small_teacher: str
    responses: int
    attempts: int

    @property
    def file(self) -> Path:
        return self.data / "tangxu.db"

    @property
    def url(self) -> str:
        return f"sqlite:///{self.file}"


LARGE_TEACHER = LEARNERS + 1
SMALL_TEACHER = LEARNERS + 2


def token_of(learner: int) -> str:
    """The sign-in token of a learner of the year."""
    return f"learner {learner}"


def make(data: Path, course: Course) -> Year:
    """A database in `data` as an older version of the program would have left it after a year."""
    data.mkdir(parents=True, exist_ok=True)
    file = data / "tangxu.db"
    with engine_for_upgrade(file).begin() as connection:
        command.upgrade(alembic_config(connection), BEGUN_AT)
    year = Year(data, secrets.token_urlsafe(32), secrets.token_urlsafe(32), 0, 0)
    with closing(sqlite3.connect(file, isolation_level=None)) as connection:
        fill(connection, course, year)
        [responses] = connection.execute("SELECT count(*) FROM response").fetchone()
        [attempts] = connection.execute("SELECT count(*) FROM attempt").fetchone()
    year = Year(data, year.large_teacher, year.small_teacher, responses, attempts)
    tokens = {"large_teacher": year.large_teacher, "small_teacher": year.small_teacher}
    (data / SUMMARY).write_text(json.dumps(tokens | {"responses": responses, "attempts": attempts}))
    return year


def fill(connection: sqlite3.Connection, course: Course, year: Year) -> None:
    """All rows, as fast as they can be written: nothing is lost when this breaks off but the try."""
    connection.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA cache_size=-1000000")
    indexes = drop_indexes(connection)
    write_people(connection, year)
    write_classes(connection)
    year_work.fill(connection, course)
    for statement in indexes:
        connection.execute(statement)
    connection.execute("PRAGMA journal_mode=WAL")


def load(data: Path) -> Year:
    """A year that an earlier run has made."""
    return Year(data, **json.loads((data / SUMMARY).read_text()))


def drop_indexes(connection: sqlite3.Connection) -> list[str]:
    """Drop what is quicker made once all rows are there; the statements that make it again."""
    statement = "SELECT name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL"
    indexes = connection.execute(statement).fetchall()
    for name, _ in indexes:
        connection.execute(f'DROP INDEX "{name}"')
    return [sql for _, sql in indexes]


def begun_at() -> str:
    """The week before the first one: when everybody came."""
    return stored_time(datetime.now(UTC) - timedelta(weeks=WEEKS + 1))


def write_people(connection: sqlite3.Connection, year: Year) -> None:
    """Learners, their devices, two teachers."""
    begun = begun_at()
    learners = range(1, SMALL_TEACHER + 1)
    connection.executemany(
        "INSERT INTO learner (id, created_at, time_zone) VALUES (?, ?, 'Asia/Shanghai')",
        [(learner, begun) for learner in learners],
    )
    tokens = {learner: token_of(learner) for learner in learners}
    tokens |= {LARGE_TEACHER: year.large_teacher, SMALL_TEACHER: year.small_teacher}
    connection.executemany(
        "INSERT INTO sign_in (learner_id, token_hash, created_at) VALUES (?, ?, ?)",
        [(learner, hashlib.sha256(token.encode()).hexdigest(), begun) for learner, token in tokens.items()],
    )
    for teacher in (LARGE_TEACHER, SMALL_TEACHER):
        connection.execute(
            "INSERT INTO account (learner_id, login, login_key, password_hash, teacher, created_at)"
            " VALUES (?, ?, ?, '', 1, ?)",
            (teacher, f"老师{teacher}", f"老师{teacher}", begun),
        )


def write_classes(connection: sqlite3.Connection) -> None:
    """The classes of the two teachers, and who is in them."""
    begun = begun_at()
    for classroom in range(1, 2 + (LEARNERS - LARGE_CLASS) // CLASS_SIZE):
        teacher = LARGE_TEACHER if classroom == LARGE_CLASS_ID else SMALL_TEACHER
        connection.execute(
            "INSERT INTO classroom (id, teacher_id, name, created_at, code) VALUES (?, ?, ?, ?, ?)",
            (classroom, teacher, f"{classroom}班", begun, f"CODE{classroom:02}"),
        )
    connection.executemany(
        "INSERT INTO enrolment (id, classroom_id, learner_id, name, name_key, number, joined_at)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (learner, class_of(learner), learner, f"同学{learner}", f"同学{learner}", str(learner), begun)
            for learner in range(1, LEARNERS + 1)
        ],
    )


def class_of(learner: int) -> int:
    """The class of a learner: the first 200 share one.

    >>> class_of(200), class_of(201), class_of(240), class_of(241)
    (1, 2, 2, 3)
    """
    if learner <= LARGE_CLASS:
        return LARGE_CLASS_ID
    return SMALL_CLASS_ID + (learner - LARGE_CLASS - 1) // CLASS_SIZE
