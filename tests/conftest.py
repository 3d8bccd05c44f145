"""What all tests share: laws of arithmetic without a deadline, and a database on either engine."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from tests.postgres_server import PostgresServer

settings.register_profile("tangxu", deadline=None)  # a busy machine must not fail a law
settings.load_profile("tangxu")


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
