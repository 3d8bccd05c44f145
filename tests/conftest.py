"""What all tests share: laws of arithmetic without a deadline, and a database on either engine."""

import gc
import os
import shutil
import tempfile
from collections.abc import Generator, Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import Phase, settings

from tests.courses_folder import courses_folder
from tests.draws import draws_of

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

# A busy machine must not fail a law, and the same code gets the same verdict everywhere: its examples are
# drawn from the law itself. `make laws` draws others.
settings.register_profile("tangxu", deadline=None, derandomize=True)
settings.register_profile("drawn-anew", deadline=None, print_blob=True)
# `make mutants` asks whether a law fails, not what its shortest example is.
settings.register_profile(
    "whether-it-fails", deadline=None, derandomize=True, phases=[Phase.explicit, Phase.generate]
)
settings.load_profile("tangxu")

# The course is a million small objects, and looking through them so often takes a tenth of all tests.
gc.set_threshold(50_000, 20, 50)


BYTECODE = Path(__file__).parent / "web" / "__pycache__"
"""There is none of it in a fresh checkout."""
NOTHING_COMPILED = "nothing compiled"
"""The file that lies in the folder of a run until its tests are compiled."""
LONGEST_COMPILATION_SECONDS = 600
MEMORY = Path("/dev/shm")
"""Linux shows memory as a folder there."""
FEWEST_FREE_BYTES = 2 << 30


def pytest_configure() -> None:
    """Before xdist starts its workers: they read the course together, and one of them compiles for all."""
    keep_temporary_files_in_memory()
    folder = courses_folder()
    if not BYTECODE.exists():
        (folder / NOTHING_COMPILED).touch()


def keep_temporary_files_in_memory() -> None:
    """Where there is room. Tests write a hundred thousand times, and each time a disk is waited for: that was
    half of the time of the records' tests, and a sixth of their work. Who names a `TMPDIR` gets it."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    if shutil.disk_usage(MEMORY).free >= FEWEST_FREE_BYTES:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None  # asked for anew


@pytest.hookimpl(wrapper=True)
def pytest_collection(session: pytest.Session) -> Generator[None, object, object]:
    """Where nothing is compiled yet, one worker does it while it collects, and the others wait for that."""
    nothing_compiled = courses_folder() / NOTHING_COMPILED
    if not hasattr(session.config, "workerinput") or not nothing_compiled.exists():
        return (yield)
    from app.records.db.sqlite.file_lock import FileLock

    lock = FileLock(courses_folder() / "compiling", LONGEST_COMPILATION_SECONDS)
    with closing(lock), lock:
        if nothing_compiled.exists():
            collected = yield
            nothing_compiled.unlink()
            return collected
    return (yield)


def pytest_collection_finish() -> None:
    """What is imported by now, like the course, stays to the end: nobody looks through it for rubbish."""
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Fixtures and test draw what this test drew the last time."""
    with draws_of(item.nodeid):
        return (yield)


@pytest.fixture(scope="session")
def server() -> "Iterator[PostgresServer]":
    """One for all tests of this process."""
    from tests.postgres_server import running

    with running() as started:
        yield started


@pytest.fixture
def database(request: pytest.FixtureRequest) -> str:
    """The address of an empty database on the server; nothing where the test works on a file."""
    if getattr(request, "param", "sqlite") == "sqlite":
        return ""
    on_server: PostgresServer = request.getfixturevalue("server")
    return on_server.empty()
