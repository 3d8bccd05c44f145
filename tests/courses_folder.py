"""Where all processes of a test run keep the published course, so that one of them reads it for all."""

import atexit
import os
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

VARIABLE_NAME = "COURSES_OF_TESTS"
"""The environment variable in which the first process tells the others."""


@cache
def courses_folder() -> Path:
    """The folder of this run; who asks first makes it, and takes it away at its end."""
    if VARIABLE_NAME not in os.environ:
        folder = TemporaryDirectory(prefix="tangxu-courses-")
        atexit.register(folder.cleanup)
        os.environ[VARIABLE_NAME] = folder.name
    return Path(os.environ[VARIABLE_NAME])


def lend_courses(data: Path, folder: Path) -> None:
    """A site that starts in this data folder finds the courses that were read into the other one."""
    data.mkdir(exist_ok=True)
    with suppress(OSError):  # where there are no links, or one lies there, the course is read once more
        (data / "cache").symlink_to(folder)
