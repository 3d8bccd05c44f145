"""One site for all tests, built once; for each test a fresh database, copied from a migrated one."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from shutil import copyfile

import pytest
from fastapi import FastAPI
from pwdlib import PasswordHash
from pwdlib.hashers.argon2 import Argon2Hasher
from starlette.testclient import TestClient

from app.course import Course
from app.main import create_app
from app.records.accounts import passwords
from app.settings import ENV_PREFIX, Settings
from tests.draws import draws_of
from tests.ways import ways_of_run
from tests.web.cast import Ledger, Place, Reader, browser, is_numeric, opened_site, place_asking, settings_at
from tests.web.school import new_class, new_teacher
from tests.web.taught import Beginning, Term, begin_term

HEAVY = passwords.password_hasher
WALKED = {
    *("learning", "practice", "cards", "games", "accounts", "classes"),
    *("assignments", "grading", "insight", "authoring", "workbench"),
}
"""The rooms of `web` whose tests run on PostgreSQL too."""


@pytest.fixture(scope="session", autouse=True)
def _own_settings() -> Iterator[None]:
    """What is set outside must not decide what is tested."""
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.upper().startswith(ENV_PREFIX)]:
            patch.delenv(name)
        yield


@pytest.fixture(scope="module", autouse=True)
def _light_hashes() -> Iterator[None]:
    """The least that Argon2 takes, for the modules of this floor alone: what it takes in earnest is tested in
    `tests/records/accounts/test_accounts.py`, perhaps later in the same process."""
    light = PasswordHash((Argon2Hasher(time_cost=1, memory_cost=8, parallelism=1),))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(passwords, "password_hasher", lambda: light)
        passwords.hash_of_nobody.cache_clear()
        yield
    passwords.hash_of_nobody.cache_clear()


@pytest.fixture
def heavy_hashes(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Argon2 as the site is served with it."""
    monkeypatch.setattr(passwords, "password_hasher", HEAVY)
    passwords.hash_of_nobody.cache_clear()
    yield
    passwords.hash_of_nobody.cache_clear()


@pytest.fixture(scope="session")
def migrated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An empty database of the newest revision, to be copied: quicker than migrating for every test.

    The course that is read for it is kept beside it.
    """
    return settings_at(tmp_path_factory.mktemp("migrated")).database_path


@pytest.fixture(scope="session")
def app(migrated: Path) -> FastAPI:
    """The real site; `client` gives it the database of a test."""
    return create_app(Settings(data=migrated.parent))


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """What people do in a room is done on both databases: on PostgreSQL all of it by `make test-all`, and one
    walk of each room, which is marked, every time."""
    node = metafunc.definition
    is_walk = "database" in metafunc.fixturenames and node.path.parent.name in WALKED
    if is_walk and not node.get_closest_marker("one_file"):
        ways: Sequence[object] = ["sqlite", "postgres"]
        if not node.get_closest_marker("both_databases"):
            on_server = pytest.param("postgres", marks=pytest.mark.long)
            ways = ways_of_run(metafunc.config, "sqlite", [on_server])
        metafunc.parametrize("database", ways, indirect=True)


@pytest.fixture(scope="session")
def begun_term(app: FastAPI, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Beginning]:
    """A database file in which a term has begun, to be copied: quicker than a dozen requests each time."""
    settings = settings_at(tmp_path_factory.mktemp("term"))
    with draws_of("a term begins"), opened_site(app, settings) as client:
        beginning = begin_term(client)
    return settings.database_path, beginning


@pytest.fixture
def settings(migrated: Path, tmp_path: Path, database: str, request: pytest.FixtureRequest) -> Settings:
    site_settings = Settings(data=tmp_path / "data", database_url=database)
    site_settings.make_folders()
    if site_settings.is_on_server:
        return site_settings
    template_file = migrated
    if "begun_term" in request.fixturenames:
        template_file, _ = request.getfixturevalue("begun_term")
    copyfile(template_file, site_settings.database_path)
    return site_settings


@pytest.fixture
def client(app: FastAPI, settings: Settings) -> Iterator[TestClient]:
    with opened_site(app, settings) as opened:
        yield opened


@pytest.fixture
def ledger(settings: Settings) -> Ledger:
    return Ledger(settings.database_url)


@pytest.fixture
def course(app: FastAPI) -> Course:
    loaded: Course = app.state.site.course
    return loaded


@pytest.fixture
def guest(client: TestClient) -> Reader:
    """小糖, who has just come in."""
    return browser(client)


@pytest.fixture
def other_guest(client: TestClient) -> Reader:
    """小序, who sits beside her with a phone of his own."""
    return browser(client)


@pytest.fixture
def place(course: Course) -> Place:
    """Where a number is asked in a lesson."""
    return place_asking(course, is_numeric)


@pytest.fixture
def teacher(client: TestClient) -> Reader:
    return new_teacher(client, "王")


@pytest.fixture
def classroom(teacher: Reader) -> int:
    return new_class(teacher, "高一3班")


@pytest.fixture
def term(
    client: TestClient, course: Course, ledger: Ledger, settings: Settings, begun_term: tuple[Path, Beginning]
) -> Term:
    beginning = begin_term(client) if settings.is_on_server else begun_term[1]
    return Term(client, course, ledger, beginning)
