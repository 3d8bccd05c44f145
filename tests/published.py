"""The course that we publish, read once in every test run."""

from functools import cache
from pathlib import Path

from app.course import Course, load_cached_course
from app.records.db.sqlite.file_lock import FileLock
from tests.courses_folder import courses_folder

CONTENT = Path(__file__).resolve().parents[1] / "content"
LONGEST_READING_SECONDS = 300


@cache
def published() -> Course:
    """The course; of several processes one reads it, and the others wait for that."""
    lock = FileLock(courses_folder() / "lock", LONGEST_READING_SECONDS)
    with lock:
        loaded = load_cached_course(CONTENT, courses_folder())
    lock.close()
    assert isinstance(loaded, Course), str(loaded)
    return loaded
