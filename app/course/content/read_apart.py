"""A process of its own that reads a course and stores it: `python -m app.course.content.read_apart …`."""

import sys
from pathlib import Path

from app.course.content.cache import read_and_store
from app.course.content.checker import read
from app.course.text.faults import Faults


def main(folder: Path, shelf: Path) -> None:
    """Store the course of a folder on a shelf; one with faults is not stored."""
    files = read(folder)
    if not isinstance(files, Faults):
        read_and_store(files, shelf)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
