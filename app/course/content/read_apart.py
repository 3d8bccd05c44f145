"""A process of its own that reads a course and stores it: `python -m app.course.content.read_apart …`."""

import sys
from pathlib import Path

from app.course.content.cache import read_and_store
from app.course.content.checker import read_texts
from app.course.text.faults import Faults


def main(folder: Path, cache_folder: Path) -> None:
    """Store the course of `folder` in `cache_folder`; one with faults is not stored."""
    text_by_path = read_texts(folder)
    if not isinstance(text_by_path, Faults):
        read_and_store(text_by_path, cache_folder)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
