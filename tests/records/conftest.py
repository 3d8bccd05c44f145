from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest

from app.records.classes import classrooms
from app.records.classes.values import Student
from tests.empty_database import empty_file
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import TEACHER, Class, account
from tests.records.cast import NOW, Desk
from tests.ways import ways_of_run


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the newest revision, to be copied: quicker than migrating for every test."""
    file = tmp_path_factory.mktemp("migrated") / "tangxu.db"
    file.write_bytes(empty_file())
    return file


@pytest.fixture
def file(migrated: Path, tmp_path: Path) -> Path:
    path = tmp_path / "tangxu.db"
    copyfile(migrated, path)
    return path


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What is done at a desk is done on both databases and with every verb begun anew: by `make test-all`."""
    if "desk" in metafunc.fixturenames and not metafunc.definition.get_closest_marker("one_file"):
        on_file = pytest.param("sqlite", 1, id="sqlite")
        on_server = pytest.param("postgres", 1, id="postgres", marks=pytest.mark.long)
        begun_anew = pytest.param("sqlite", 2, id="begun-anew", marks=pytest.mark.long)
        ways = ways_of_run(metafunc.config, on_file, [on_server, begun_anew])
        metafunc.parametrize(("database", "verb_runs"), ways, indirect=["database"])


@pytest.fixture
def verb_runs() -> int:
    """How often a desk runs each verb: all but the last time are undone."""
    return 1


@pytest.fixture
def desk(file: Path, database: str, verb_runs: int) -> Iterator[Desk]:
    """A desk; in the end what was summed up on the way is what the logs say."""
    opened = Desk(file, database)
    opened.verb_runs = verb_runs
    yield opened
    if opened.is_summed:
        assert opened.write(rebuild_all_sums) == 0, "sums differ from the log"
    opened.close()


@pytest.fixture
def room(desk: Desk) -> Class:
    """A class of 王, without students; 李 teaches as well."""
    account(desk, "王", "teacher", teacher=True)
    account(desk, "李", "colleague", teacher=True)
    return Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", NOW))


@pytest.fixture
def classroom(room: Class) -> int:
    return room.classroom


@pytest.fixture
def tang(room: Class) -> Student:
    return room.join("小糖", "tang")


@pytest.fixture
def xu(room: Class) -> Student:
    return room.join("小序", "xu")
