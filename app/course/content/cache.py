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

from app.course.content.checker import parse, read
from app.course.content.course import Course
from app.course.content.loader import digest
from app.course.text.faults import Faults

MOST_STORED = 3
"""How many courses stay stored: the present one, and earlier ones, for who goes back to an old version."""

READING_MODULE = "app.course.content.read_apart"
LARGE_COURSE = 300_000
"""Characters from which on a course is read by a process of its own; the site's course has twice as many."""
LONGEST_READING_SECONDS = 120
"""Seconds that such a process may take."""

LIBRARIES = ("pydantic", "pyyaml", "markdown-it-py", "mdit-py-plugins", "math-core", "nh3")
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


def load_cached(folder: Path, shelf: Path) -> Course | Faults:
    """The course in `folder`; what was read before, with these very files and this very program, is taken
    from the folder `shelf`. A shelf that cannot be read or written costs time, nothing else.
    """
    files = read(folder)
    if isinstance(files, Faults):
        return files
    file = file_of(files, shelf)
    course = stored_course(file)
    if course is None and sum(map(len, files.values())) >= LARGE_COURSE:
        read_apart(folder, shelf)
        course = stored_course(file)
    return course or read_and_store(files, shelf)


def file_of(files: Mapping[str, str], shelf: Path) -> Path:
    """Where the course of these files is stored."""
    return shelf / f"course-{digest(files)}-{program_hash()}.pickle"


def read_and_store(files: Mapping[str, str], shelf: Path) -> Course | Faults:
    """The course in these files; it is stored where it has no faults and the shelf can be written."""
    course = parse(files)
    if isinstance(course, Course):
        with suppress(OSError):
            store(course, file_of(files, shelf))
    return course


def read_apart(folder: Path, shelf: Path) -> None:
    """Have a course read and stored by a process of its own; where that does not work, nothing is stored.

    What it takes of memory goes with it: at the greeting of a first start the site has 124 MB instead of 150,
    as at any later one.
    """
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[3])}
    command = [sys.executable, "-m", READING_MODULE, str(folder.resolve()), str(shelf.resolve())]
    with suppress(OSError, subprocess.TimeoutExpired):
        subprocess.run(  # noqa: S603  # our own program, by its name
            command,
            env=environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=LONGEST_READING_SECONDS,
            check=False,
        )


def stored_course(file: Path) -> Course | None:
    """The course in a file; None for a file without a sound one. Only this program writes there."""
    try:
        course = pickle.loads(file.read_bytes())  # noqa: S301  # as private as the database beside it
    except SPOILT_FILE_ERRORS:
        return None
    if isinstance(course, Course):
        return course
    return None


def store(course: Course, file: Path) -> None:
    """Store a course, whole or not at all; the oldest make room."""
    shelf = file.parent
    shelf.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=shelf, delete=False) as unfinished_file:
        unfinished_file.write(pickle.dumps(course, 5))
    Path(unfinished_file.name).replace(file)
    files_newest_first = sorted(shelf.glob("course-*.pickle"), key=lambda path: -path.stat().st_mtime)
    for old_file in files_newest_first[MOST_STORED:]:
        old_file.unlink(missing_ok=True)


@cache
def program_hash() -> str:
    """A hash of whatever decides how files become a course: our code, Python, the libraries."""
    app_folder = Path(__file__).resolve().parents[2]
    versions = [sys.version, *map(version, LIBRARIES)]
    hasher = hashlib.sha256("|".join(versions).encode())
    for path in sorted([*app_folder.glob("course/**/*.py"), *app_folder.glob("engine/**/*.py")]):
        hasher.update(path.read_bytes())
    return hasher.hexdigest()[:16]
