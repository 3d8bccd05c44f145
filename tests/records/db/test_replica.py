"""What may be seconds old is asked of a real standby, and of the primary where that is away or behind."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import psycopg
import pytest

from app.cli.doctor import findings
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db import portable
from app.records.db.errors import Busy, NotFound
from app.records.db.postgres import beginnings, pipeline, replica, server_revision
from app.records.db.session import VerbSession
from app.settings import Settings
from tests.postgres_server import EMPTY, PostgresServer, following
from tests.records.cast import NOW, Desk

pytestmark = pytest.mark.long
TANG = Caller("tang")


@pytest.fixture(scope="module")
def standby(server: PostgresServer) -> Iterator[PostgresServer]:
    with following(server) as follower:
        yield follower


@pytest.fixture
def school(server: PostgresServer, standby: PostgresServer, tmp_path: Path) -> Iterator[Desk]:
    """小糖 is signed in; whoever reads late may ask the standby."""
    opened = Desk(tmp_path, server.empty(), replica_url=standby.url(EMPTY))
    opened.write(learners.add_guest, "tang", NOW)
    yield opened
    opened.close()


def ask(server: PostgresServer, sql: str) -> object:
    with psycopg.connect(server.url(EMPTY), autocommit=True) as asking:
        row = asking.execute(sql.encode()).fetchone()
        assert row
        return row[0]


def until_there(standby: PostgresServer, server: PostgresServer) -> None:
    """All that is written has come to the standby, and can be read there."""
    written = ask(server, "SELECT pg_current_wal_lsn()::text")
    while not ask(standby, f"SELECT pg_last_wal_replay_lsn() >= '{written}'"):
        assert standby.process.poll() is None


def is_late(session: VerbSession, caller: Caller) -> bool:
    """Whether a standby answers. NotFound for somebody it does not know."""
    if learners.find_learner_id(session, caller) is None:
        raise NotFound
    [(follows,)] = session.driver.execute("SELECT pg_is_in_recovery()")
    return bool(follows)


def read_late(desk: Desk, caller: Caller = TANG) -> bool:
    return desk.wait(desk.database.read_late(is_late, caller))


def findings_text(settings: Settings) -> str:
    return "\n".join([finding.printed_line() for finding in findings(settings, datetime.now(UTC))])


def test_what_may_be_late_is_asked_of_the_standby(
    school: Desk, server: PostgresServer, standby: PostgresServer
) -> None:
    until_there(standby, server)
    assert read_late(school)
    assert not school.read(is_late, TANG)
    with pytest.raises(NotFound):
        read_late(school, Caller("nobody"))


def test_what_the_standby_does_not_have_yet_is_asked_of_the_primary(
    school: Desk, server: PostgresServer, standby: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    until_there(standby, server)
    ask(standby, "SELECT pg_wal_replay_pause()::text")
    school.write(learners.add_guest, "newcomer", NOW)
    assert not read_late(school, Caller("newcomer"))
    assert read_late(school), "who is known there is still answered there"
    monkeypatch.setattr(beginnings, "MOST_SECONDS_LATE", 0)
    assert not read_late(school), "it is further behind than it may be"
    ask(standby, "SELECT pg_wal_replay_resume()::text")


def test_a_standby_that_is_frozen_holds_up_nobody_for_long(
    school: Desk, server: PostgresServer, standby: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    until_there(standby, server)
    assert read_late(school), "its connection is open"
    with psycopg.connect(standby.url(EMPTY), autocommit=True) as asking:
        ours = asking.execute(
            b"SELECT pid FROM pg_stat_activity WHERE application_name = 'tangxu'"
        ).fetchall()
    frozen = [standby.process.pid, *[pid for (pid,) in ours]]
    monkeypatch.setattr(replica, "LONGEST_WAIT_SECONDS", 0.5)
    try:
        for pid in frozen:
            os.kill(pid, signal.SIGSTOP)
        assert not read_late(school), "the primary has answered"
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)


@pytest.fixture
def name_standby(server: PostgresServer) -> Iterator[Callable[[str], None]]:
    """Every COMMIT waits for the servers of that name from now on; for none in the end."""

    def name(names: str) -> None:
        server.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        server.execute("SELECT pg_reload_conf()")
        while ask(server, "SHOW synchronous_standby_names") != names:
            assert server.process.poll() is None

    yield name
    name("")


def can_store(desk: Desk) -> bool:
    try:
        desk.read(portable.expect_standby)
    except Busy:
        return False
    return True


def test_one_that_follows_without_being_named_is_not_the_one_that_commits_wait_for(
    school: Desk, server: PostgresServer, name_standby: Callable[[str], None]
) -> None:
    assert can_store(school)
    name_standby("standby1")
    assert not can_store(school)
    assert server_revision.server_state_of(school.url).lacks_standby
    name_standby('FIRST 1 ("WalReceiver", standby1)')
    assert can_store(school)
    assert not server_revision.server_state_of(school.url).lacks_standby
    school.write(learners.add_guest, "newcomer", NOW)


def test_one_that_is_there_and_does_not_answer_is_noticed_by_who_waits(
    school: Desk,
    standby: PostgresServer,
    name_standby: Callable[[str], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pipeline, "LONGEST_ANSWER_SECONDS", 300)
    receiver = ask(standby, "SELECT pid FROM pg_stat_wal_receiver")
    assert isinstance(receiver, int)
    name_standby("walreceiver")
    replica = Desk(tmp_path, school.url)
    waiting = threading.Thread(target=replica.write, args=(learners.add_guest, "newcomer", NOW))
    os.kill(receiver, signal.SIGSTOP)
    try:
        waiting.start()
        while can_store(school):
            assert waiting.is_alive()
    finally:
        os.kill(receiver, signal.SIGCONT)
    waiting.join()
    assert can_store(school)
    replica.close()


def test_a_standby_that_follows_nobody_is_not_asked(
    school: Desk, server: PostgresServer, standby: PostgresServer
) -> None:
    until_there(standby, server)
    settings = Settings(data=school.data, database_url=school.url, replica_url=standby.url(EMPTY))
    assert "跟着主库，晚0.0秒" in findings_text(settings)
    standby.execute("ALTER SYSTEM SET primary_conninfo = ''")
    standby.execute("SELECT pg_reload_conf()")
    while ask(standby, "SELECT count(*) FROM pg_stat_wal_receiver") != 0:
        assert standby.process.poll() is None
    assert not read_late(school)
    assert "没有跟着主库" in findings_text(settings)


def test_a_site_opens_and_answers_without_its_standby(server: PostgresServer, tmp_path: Path) -> None:
    with following(server) as follower:
        replica_url = follower.url(EMPTY)
        follower.stop(signal.SIGINT)
        desk = Desk(tmp_path, server.empty(), replica_url=replica_url)
        desk.write(learners.add_guest, "tang", NOW)
        assert not read_late(desk)
        settings = Settings(data=tmp_path, database_url=desk.url, replica_url=replica_url)
        assert "这时都问主库" in findings_text(settings)
        follower.start()
        until_there(follower, server)
        assert not read_late(desk), "it is left alone for a while"
        desk.close()
