"""A read course is kept beside the data, so that the next start neither parses nor renders it again."""

import hashlib
import pickle
import sys
import tempfile
from contextlib import suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path

from app.course.content.checker import parse, read
from app.course.content.course import Course
from app.course.content.loader import digest
from app.course.text.faults import Faults

KEPT = 3
"""How many are left lying: the present one, and those before, for who goes back."""

LIBRARIES = ("pydantic", "pyyaml", "markdown-it-py")
SPOILT = (
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


def load_kept(folder: Path, shelf: Path) -> Course | Faults:
    """The course in `folder`; what was read before, with these very files and this very program, is taken
    from `shelf`. A shelf that cannot be read or written costs time, nothing else.
    """
    files = read(folder)
    if isinstance(files, Faults):
        return files
    place = shelf / f"course-{digest(files)}-{program()}.pickle"
    if (found := taken(place)) is not None:
        return found
    made = parse(files)
    if isinstance(made, Course):
        with suppress(OSError):
            put(made, place)
    return made


def taken(place: Path) -> Course | None:
    """What is kept there; None if there is nothing good. Only this program writes there."""
    try:
        found = pickle.loads(place.read_bytes())  # noqa: S301  # as private as the database beside it
    except SPOILT:
        return None
    return found if isinstance(found, Course) else None


def put(course: Course, place: Path) -> None:
    """Keep a course, whole or not at all; older ones make room."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=place.parent, delete=False) as file:
        file.write(pickle.dumps(course, 5))
    Path(file.name).replace(place)
    by_age = sorted(place.parent.glob("course-*.pickle"), key=lambda one: -one.stat().st_mtime)
    for old in by_age[KEPT:]:
        old.unlink(missing_ok=True)


@cache
def program() -> str:
    """A hash of whatever decides how files become a course: our code, Python, the libraries."""
    home = Path(__file__).resolve().parents[2]
    whole = hashlib.sha256("|".join([sys.version, *map(version, LIBRARIES)]).encode())
    for path in sorted([*home.glob("course/**/*.py"), *home.glob("engine/**/*.py")]):
        whole.update(path.read_bytes())
    return whole.hexdigest()[:16]
