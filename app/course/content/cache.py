"""A read course is stored beside the data, so that the next start neither parses nor renders it again."""

import hashlib
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from app.course.content.checker import parse_course, read_texts
from app.course.content.course import Course
from app.course.content.loader import content_digest
from app.course.text.faults import Faults

MOST_STORED_COURSES = 3
"""How many courses stay stored: the present one, and earlier ones, for who goes back to an old version."""

READING_MODULE = "app.course.content.read_apart"
LARGE_COURSE_CHARACTERS = 300_000
"""Characters from which on a course is read by a process of its own; the site's course has twice as many."""
LONGEST_READING_SECONDS = 120
"""Seconds that such a process may take."""

READING_LIBRARIES = ("pydantic", "pyyaml", "markdown-it-py", "mdit-py-plugins", "math-core", "nh3")
"""The libraries that decide how files become a course and texts become HTML."""

SPOILT_FILE_ERRORS = (
    OSError,
    pickle.UnpicklingError,
    EOFError,
    ArithmeticError,
    AttributeError,
    ImportError,
    LookupError,
    TypeError,
    ValueError,
)
"""What reading a missing, half-written or foreign file may raise."""


def load_cached_course(folder: Path, cache_folder: Path) -> Course | Faults:
    """The course in `folder`; what was read before, with these very files and this very program, is taken
    from the folder `cache_folder`. A folder that cannot be read or written costs time, nothing else.
    """
    text_by_path = read_texts(folder)
    if isinstance(text_by_path, Faults):
        return text_by_path
    cached_file = cached_file_of(text_by_path, cache_folder)
    course = stored_course(cached_file)
    if course is None and sum(map(len, text_by_path.values())) >= LARGE_COURSE_CHARACTERS:
        read_in_own_process(folder, cache_folder)
        course = stored_course(cached_file)
    return course or read_and_store(text_by_path, cache_folder)


def cached_file_of(text_by_path: Mapping[str, str], cache_folder: Path) -> Path:
    """Where the course of these files is stored."""
    return cache_folder / f"course-{content_digest(text_by_path)}-{program_hash()}.pickle"


def read_and_store(text_by_path: Mapping[str, str], cache_folder: Path) -> Course | Faults:
    """The course in these files; it is stored where it has no faults and the folder can be written."""
    course = parse_course(text_by_path)
    if isinstance(course, Course):
        with suppress(OSError):
            store_course(course, cached_file_of(text_by_path, cache_folder))
    return course


def read_in_own_process(folder: Path, cache_folder: Path) -> None:
    """Have a course read and stored by a process of its own; where that does not work, nothing is stored.

    What it takes of memory goes with it: at the greeting of a first start the site has 124 MB instead of 150,
    as at any later one.
    """
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    command_arguments = [
        sys.executable,
        "-m",
        READING_MODULE,
        str(folder.resolve()),
        str(cache_folder.resolve()),
    ]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(  # noqa: S603  # our own program, by its name
            command_arguments,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST_READING_SECONDS,
            check=False,
        )


def stored_course(cached_file: Path) -> Course | None:
    """The course in a file; None for a file without a sound one. Only this program writes there."""
    try:
        course = pickle.loads(cached_file.read_bytes())  # noqa: S301  # as private as the database beside it
    except SPOILT_FILE_ERRORS:
        return None
    if isinstance(course, Course):
        return course
    return None


def store_course(course: Course, cached_file: Path) -> None:
    """Store a course, whole or not at all; the oldest make room."""
    cache_folder = cached_file.parent
    cache_folder.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=cache_folder, delete=False) as unfinished_file:
        unfinished_path = Path(unfinished_file.name)
    try:
        unfinished_path.write_bytes(pickle.dumps(course, 5))
        unfinished_path.replace(cached_file)
    except OSError:  # a disk that is full gets no fuller with each start
        unfinished_path.unlink(missing_ok=True)
        raise
    stored_files_newest_first = sorted(
        cache_folder.glob("course-*.pickle"), key=lambda stored_file: -stored_file.stat().st_mtime
    )
    for old_file in stored_files_newest_first[MOST_STORED_COURSES:]:
        old_file.unlink(missing_ok=True)


@cache
def program_hash() -> str:
    """A hash of whatever decides how files become a course: our code, Python, the libraries."""
    app_folder = Path(__file__).resolve().parents[2]
    version_texts = [sys.version, *map(version, READING_LIBRARIES)]
    hasher = hashlib.sha256("|".join(version_texts).encode())
    for source_file in sorted([*app_folder.glob("course/**/*.py"), *app_folder.glob("engine/**/*.py")]):
        hasher.update(source_file.read_bytes())
    return hasher.hexdigest()[:16]
