"""A real PostgreSQL that is frozen, read-only, or keeps an answer on one disk; a process that stands still.

Nobody waits for ever, and nobody is told more than what is true.
"""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import psycopg
import pytest

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db import revision
from app.records.db.errors import Busy, CannotOpen, Unsure
from app.records.db.migrate import migrate
from app.records.db.postgres import dialect, pipeline
from app.records.db.postgres.refusals import READ_ONLY_SENTENCE
from app.records.db.session import VerbSession
from app.records.items import problem_reports
from tests.postgres_server import EMPTY, PostgresServer, running
from tests.records.cast import ITEM, NOW, Desk

TANG = Caller("tang")
CUT_SHORT = "SELECT count(pg_cancel_backend(pid)) FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
OURS = "FROM pg_stat_activity WHERE application_name = 'tangxu'"


@pytest.fixture
def school(server: PostgresServer, tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path, server.empty())
    opened.write(learners.add_guest, "tang", NOW)
    yield opened
    opened.close()


@pytest.fixture
def asking(server: PostgresServer) -> Iterator[psycopg.Connection]:
    with psycopg.connect(server.url("postgres"), autocommit=True) as connection:
        yield connection


def report(session: VerbSession, text: str = "one") -> None:
    """A verb that runs alone and writes one row."""
    problem_reports.keep_report(session, TANG, ITEM, text, "/", NOW)


def test_a_server_that_is_frozen_is_given_up_and_the_verb_begun_anew(
    school: Desk, asking: psycopg.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "LONGEST_ANSWER_SECONDS", 0.2)
    frozen = [pid for (pid,) in asking.execute(f"SELECT pid {OURS}".encode()).fetchall()]
    for pid in frozen:
        os.kill(pid, signal.SIGSTOP)
    try:
        school.write(report)
        assert school.read(learners.find_learner_id, TANG) == 1
    finally:
        for pid in frozen:
            os.kill(pid, signal.SIGCONT)
    assert school.count("problem_report") == 1


def test_a_process_that_stands_still_in_a_verb_holds_up_nobody_for_long(
    server: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its lock is that of the whole site."""
    monkeypatch.setitem(dialect.IDLE_LIMIT_SETTING, "idle_in_transaction_session_timeout", "100ms")
    still, other_desk = (Desk(tmp_path, server.empty()) for _ in range(2))
    still.write(learners.add_guest, "tang", NOW)
    runs: list[int] = []
    holds, may_go_on = threading.Event(), threading.Event()

    def stand_still(session: VerbSession) -> None:
        runs.append(1)
        report(session)
        session.settle()
        holds.set()
        assert may_go_on.wait(30)
        learners.find_learner_id(session, TANG)

    def go_on() -> None:
        assert holds.wait(30)
        other_desk.write(report, "another one")
        may_go_on.set()

    going_on = threading.Thread(target=go_on)
    going_on.start()
    still.write(stand_still)
    going_on.join()
    assert (len(runs), still.count("problem_report")) == (2, 2)
    still.close()
    other_desk.close()


def set_read_only(server: PostgresServer, *, to: bool) -> None:
    """As a hoster does where a disk is nearly full. Who is connected already keeps what was before."""
    change = "SET default_transaction_read_only = on" if to else "RESET default_transaction_read_only"
    server.execute(f"ALTER DATABASE {EMPTY} {change}")
    server.execute(f"SELECT pg_terminate_backend(pid) {OURS}")


def test_a_database_that_was_read_only_is_written_to_as_soon_as_it_may_be(
    school: Desk, server: PostgresServer
) -> None:
    set_read_only(server, to=True)
    try:
        for _ in range(8):
            with pytest.raises(Busy, match=READ_ONLY_SENTENCE):
                school.write(report)
        for _ in range(8):
            with pytest.raises(Busy, match=READ_ONLY_SENTENCE):
                school.write(revision.expect_writable)
        assert school.read(learners.find_learner_id, TANG) == 1
    finally:
        server.execute(f"ALTER DATABASE {EMPTY} RESET default_transaction_read_only")
    school.write(revision.expect_writable)
    school.write(report)
    assert school.count("problem_report") == 1


@pytest.fixture(scope="module")
def guarded() -> Iterator[PostgresServer]:
    """Its operator wants every answer on two disks, and the other one is not there."""
    with running() as server:
        desk_url = server.empty()
        assert desk_url
        server.stop(signal.SIGINT)
        server.settings["synchronous_standby_names"] = "standby1"
        server.start()
        yield server


def cut_short(asking: psycopg.Connection) -> None:
    """As an operator may who finds sessions that hang: PostgreSQL says COMMIT to them, with a warning."""
    while asking.execute(CUT_SHORT.encode()).fetchone() == (0,):
        pass


def sign_up_unsurely(server: PostgresServer, folder: Path, name: str) -> None:
    desk = Desk(folder, server.url(EMPTY))
    with pytest.raises(Unsure):
        desk.write(learners.add_guest, name, NOW)
    desk.close()


@pytest.mark.long
def test_what_is_on_one_disk_only_is_not_told_as_saved(guarded: PostgresServer, tmp_path: Path) -> None:
    with psycopg.connect(guarded.url("postgres"), autocommit=True) as asking:
        operator = threading.Thread(target=cut_short, args=(asking,))
        operator.start()
        sign_up_unsurely(guarded, tmp_path, "xu")
        operator.join()


@pytest.mark.long
def test_who_waits_for_a_standby_that_is_not_there_is_told(
    guarded: PostgresServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "LONGEST_ANSWER_SECONDS", 1.0)
    sign_up_unsurely(guarded, tmp_path, "tang")
    with psycopg.connect(guarded.url("postgres"), autocommit=True) as asking:
        cut_short(asking)  # until then it holds its lock


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("postgresql://nobody:s3cret@127.0.0.1:1/none", "没有服务器在答话"),
        ("postgresql://nobody:s3cret@no-such-host.invalid/none", "没有叫这个名字的主机"),
        ("postgresql://nobody:s3cr@et@db/none", "%40"),
        ("postgresql://nobody:s3cret@db:none/none", "端口"),
    ],
)
def test_a_wrong_address_is_explained_without_its_password(tmp_path: Path, url: str, words: str) -> None:
    with pytest.raises(CannotOpen, match=words) as refused:
        migrate(url, tmp_path)
    assert "s3cr" not in str(refused.value)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda url: url.replace(f"/{EMPTY}?", "/nowhere?"), "createdb"),
        (lambda url: url.replace("tangxu@", "nobody@"), "createuser"),
    ],
)
def test_what_is_not_there_is_named(
    server: PostgresServer, tmp_path: Path, change: Callable[[str], str], words: str
) -> None:
    with pytest.raises(CannotOpen, match=words):
        migrate(change(server.empty()), tmp_path)


def test_who_may_make_no_tables_is_told_how_the_database_is_made(
    server: PostgresServer, tmp_path: Path
) -> None:
    url = server.without_tables()
    server.execute("CREATE ROLE guest LOGIN")
    with pytest.raises(CannotOpen, match="--owner"):
        migrate(url.replace("tangxu@", "guest@"), tmp_path)
