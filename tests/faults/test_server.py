"""A class of sixty on PostgreSQL while workers, connections, the site and the server are killed."""

import signal
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.faults.ledger import Ledger, disagreements, stored
from tests.faults.load import PatientCrowd
from tests.faults.site import TwoWorkers
from tests.postgres_server import PostgresServer, running

pytestmark = pytest.mark.long
CLASS = 60
BETWEEN = 300
"""Answers that are acknowledged between two blows."""


@pytest.fixture(scope="module")
def careless() -> Iterator[PostgresServer]:
    """A server that writes to the disk in earnest, whose operator has made it answer before it has."""
    with running(fsync="on", full_page_writes="on", synchronous_commit="off") as server:
        yield server


@pytest.fixture
def site(careless: PostgresServer, tmp_path: Path) -> Iterator[TwoWorkers]:
    opened = TwoWorkers(tmp_path, TANGXU_DATABASE_URL=careless.empty())
    opened.open()
    yield opened
    opened.close()


def end_connections(server: PostgresServer) -> None:
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tangxu'")


def restart(server: PostgresServer, how: signal.Signals) -> None:
    server.stop(how)
    server.start()


def reopen(site: TwoWorkers) -> None:
    site.kill()
    site.open()


def test_what_was_acknowledged_is_there_whatever_is_killed(
    site: TwoWorkers, careless: PostgresServer
) -> None:
    blows: list[Callable[[], None]] = [
        site.kill_worker,
        lambda: end_connections(careless),
        lambda: restart(careless, signal.SIGINT),
        lambda: restart(careless, signal.SIGQUIT),
        lambda: reopen(site),
        lambda: restart(careless, signal.SIGQUIT),
    ]
    url = site.settings["TANGXU_DATABASE_URL"]
    ledger = Ledger()
    crowd = PatientCrowd(site.server.url, ledger)
    with crowd.guests([f"student {number}" for number in range(CLASS)]):
        for number, blow in enumerate(blows, 1):
            assert ledger.wait_for(number * BETWEEN), "nobody is answered any more"
            blow()
        assert ledger.wait_for((len(blows) + 1) * BETWEEN), "nobody is answered any more"
        careless.stop(signal.SIGQUIT)
    careless.start()
    assert disagreements(ledger, url) == []
    assert len(stored(url)) - len(ledger.acknowledged) <= CLASS, "one unanswered at most of each"
