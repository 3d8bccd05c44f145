"""A term in a database of its own, and what its tables come to."""

import asyncio
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from zoneinfo import ZoneInfo

from app import course as courses
from app.course import Course
from app.demo import term
from app.demo.people import STUDENTS
from app.records.authoring.picture_files import picture_folder_in
from app.records.db.database import open_database
from app.records.db.migrate import migrate
from app.settings import root

NOW = datetime(2026, 11, 20, 9, 0, tzinfo=UTC)


FEW = [student for student in STUDENTS if student.name in ("周雨桐", "赵梓涵")]


TABLES = ("learner", "account", "classroom", "assignment", "submission", "review_log", "response", "audit")


def write_term(data: Path) -> Path:
    """A term of two classmates and their teachers, through the verbs that they use."""
    url = f"sqlite:///{data / 'tangxu.db'}"
    migrate(url, data)
    course = courses.load_course(root() / "content")
    assert isinstance(course, Course)
    pictures = picture_folder_in(data)

    async def written() -> None:
        database = open_database(url, thread_count=1)
        await database.write(term.write_term, course, NOW, ZoneInfo("Asia/Shanghai"), pictures, FEW)
        await database.close()

    asyncio.run(written())
    return data / "tangxu.db"


def sums(file: Path) -> list[int]:
    with closing(sqlite3.connect(file)) as connection:
        return [connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in TABLES]
