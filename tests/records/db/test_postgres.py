"""`db.read` and `db.write` on a real PostgreSQL: who waits for whom, and what is done again."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import bindparam, select
from sqlalchemy.schema import CreateIndex
from sqlmodel import SQLModel

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db import revision
from app.records.db.database import open_database
from app.records.db.errors import Busy, CannotOpen, DiskFull, NotFound, ServerAway
from app.records.db.metadata import table
from app.records.db.migrate import MigrationResult, migrate
from app.records.db.postgres import server_revision
from app.records.db.postgres.dialect import server_engine
from app.records.db.postgres.refusals import CONNECTION_LOST_SENTENCE, server_refusal
from app.records.db.postgres.repeats import MOST_LASTING_TRIES
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert
from app.records.items import problem_reports
from app.records.learning import attempts, responding
from app.records.learning.tables import ItemVersion
from tests.postgres_server import PostgresServer, running
from tests.records.cast import COURSE, ITEM, LESSON, NOW, XIAOTANG, XIAOXU, Desk, answer

TANG, XU = Caller("tang"), Caller("xiaoxu")
WAITING = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
VERSION = table(ItemVersion).c
ADD_VERSION = prepared_insert(ItemVersion)
HAS_VERSION = PreparedStatement(select(VERSION.hash).where(VERSION.hash == bindparam("hash")))


@pytest.fixture
def school(server: PostgresServer, tmp_path: Path) -> Iterator[Desk]:
    """小糖 is signed in on two devices, 小序 on one; each of the tokens has a thread of its own."""
    opened = Desk(tmp_path, server.empty())
    for token in ("tang", "xiaoxu"):
        opened.write(learners.add_guest, token, NOW)
    opened.write(learners.add_sign_in, 1, "phone of tang", NOW)
    yield opened
    opened.close()


def plain(session: VerbSession, caller: Caller, step: Callable[[], Any]) -> Any:
    """A verb that is not marked: it runs alone. With what it reads first, its locks are there."""
    learners.find_learner_id(session, caller)
    session.settle()
    return step()


@learners.changes_own_rows
def own(session: VerbSession, caller: Caller, step: Callable[[], Any]) -> Any:
    """A verb that changes rows of its caller alone."""
    return plain(session, caller, step)


class Held:
    """A step that waits until it may end."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.may_end.wait(30)
        return "held"


async def until_waiting(url: str, count: int) -> None:
    """So many verbs stand at a lock."""
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as watching:
        waiting = None
        while waiting != (count,):
            rows = await watching.execute(WAITING.encode())
            waiting = await rows.fetchone()


@pytest.mark.parametrize(
    ("first", "second", "waits"),
    [
        ((own, TANG), (own, XU), False),
        ((own, TANG), (own, TANG), True),
        ((own, TANG), (own, Caller("phone of tang")), True),
        ((own, TANG), (plain, XU), True),
        ((plain, XU), (own, TANG), True),
        ((own, TANG), (own, Caller("nobody")), True),
        ((own, TANG), (own, Caller(proposed_token="newcomer")), True),
    ],
)
def test_who_waits_for_whom(school: Desk, first: Any, second: Any, waits: bool) -> None:
    async def together() -> tuple[str, str]:
        held = Held()
        (verb, caller), (other_verb, other_caller) = first, second
        holding = asyncio.create_task(school.database.write(verb, caller, held))
        await asyncio.to_thread(held.begun.wait, 30)
        work = asyncio.create_task(school.database.write(other_verb, other_caller, lambda: "done"))
        if waits and school.database._lane_of(verb, caller) is not school.database._lane_of(  # type: ignore[attr-defined]
            other_verb, other_caller
        ):
            await until_waiting(school.url, 1)
        if not waits:
            assert await work == "done"
        held.may_end.set()
        return await holding, await work

    assert school.wait(together()) == ("held", "done")


def test_whoever_asks_whether_the_site_can_write_waits_for_no_answer(school: Desk) -> None:
    """It is asked of every process every few seconds: alone, it would hold up a class each time."""

    async def together() -> str:
        held = Held()
        holding = asyncio.create_task(school.database.write(own, TANG, held))
        await asyncio.to_thread(held.begun.wait, 30)
        await school.database.write(revision.expect_writable)
        held.may_end.set()
        answered: str = await holding
        return answered

    assert school.wait(together()) == "held"


def test_what_fails_leaves_no_trace(school: Desk) -> None:
    def report(session: VerbSession, text: str, error: Exception | None) -> None:
        problem_reports.keep_report(session, TANG, ITEM, text, "/", NOW)
        if error:
            raise error

    with pytest.raises(NotFound):
        school.write(report, "one", NotFound())
    school.write(report, "two", None)
    assert school.rows("SELECT text FROM problem_report") == [("two",)]


def test_the_body_of_an_item_that_two_freeze_at_once_is_kept_once(school: Desk) -> None:
    """Neither sees the other's; the second one is refused by the key, and begins anew."""
    meeting, runs = threading.Barrier(2), []

    @learners.changes_own_rows
    def freeze(session: VerbSession, _caller: Caller) -> bool:
        runs.append(1)
        is_there = session.first(HAS_VERSION, hash="v") is not None
        if len(runs) <= 2:
            meeting.wait(30)
        if not is_there:
            session.run(ADD_VERSION, hash="v", item_ref=ITEM, body="{}", created_at=NOW)
        return is_there

    async def together() -> list[bool]:
        return await asyncio.gather(*(school.database.write(freeze, caller) for caller in (TANG, XU)))

    assert sorted(school.wait(together())) == [False, True]
    assert (len(runs), school.count("item_version")) == (3, 1)


def test_a_key_that_stays_in_the_way_is_a_fault_of_the_verb(school: Desk) -> None:
    runs: list[int] = []

    def twice(session: VerbSession) -> None:
        runs.append(1)
        for _ in range(2):
            learners.add_guest(session, "token", NOW)

    with pytest.raises(psycopg.errors.UniqueViolation):
        school.write(twice)
    assert (len(runs), school.count("learner")) == (MOST_LASTING_TRIES, 2)


def test_newcomers_of_one_address_are_all_counted(school: Desk) -> None:
    async def together() -> None:
        callers = [Caller(proposed_token=f"newcomer {number}", address="192.0.2.7") for number in range(40)]
        work = [
            school.database.write(responding.respond, caller, LESSON, answer("4.26"), COURSE, NOW)
            for caller in callers
        ]
        await asyncio.gather(*work)

    school.wait(together())
    purposes = ("guests", "guests-of-day", "work-of-guests")
    counts = dict(school.rows("SELECT key, count FROM throttle"))
    assert counts == {f"{purpose}:192.0.2.7": 40 for purpose in purposes}
    assert school.count("response") == 40


def test_one_answer_sent_ten_times_at_once_is_one(school: Desk) -> None:
    async def together() -> None:
        again = [XIAOTANG, XIAOXU, TANG] * 10
        work = [
            school.database.write(responding.respond, caller, LESSON, answer("4.76"), COURSE, NOW)
            for caller in again
        ]
        await asyncio.gather(*work)

    school.wait(together())
    assert school.rows("SELECT count(*), count(DISTINCT attempt_id) FROM response") == [(3, 3)]


def end_all(server: PostgresServer) -> None:
    server.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'tangxu'")


def test_a_connection_that_was_lost_is_made_anew(school: Desk, server: PostgresServer) -> None:
    for _ in range(2):
        end_all(server)
        assert school.write(learners.find_or_add_learner, TANG, NOW).learner_id == 1
        assert school.read(learners.find_learner_id, TANG) == 1


def test_a_verb_whose_connection_is_lost_before_it_ends_is_done_once(school: Desk) -> None:
    runs: list[int] = []

    def cut(session: VerbSession) -> None:
        runs.append(1)
        problem_reports.keep_report(session, TANG, ITEM, "one", "/", NOW)
        if len(runs) == 1:
            session.driver.execute("SELECT pg_terminate_backend(pg_backend_pid())").fetchall()

    school.write(cut)
    assert (len(runs), school.count("problem_report")) == (2, 1)


@pytest.mark.parametrize("way_to_stop", [signal.SIGINT, signal.SIGQUIT], ids=["fast", "at once"])
def test_while_the_server_is_away_everybody_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, way_to_stop: signal.Signals
) -> None:
    """And the log says it once for each connection that was asked for, in words of the server or of libpq."""
    with running() as server:
        desk = Desk(tmp_path, server.empty())
        desk.write(learners.add_guest, "tang", NOW)
        server.stop(way_to_stop)
        for _ in range(3):
            with pytest.raises(Busy, match=CONNECTION_LOST_SENTENCE):
                desk.write(learners.find_learner_id, TANG)
        lost, away = [record.getMessage() for record in caplog.records]
        assert lost.startswith("the connection to the database was lost: ")
        assert "AssertionError" not in lost
        assert away.startswith("no connection to the database: ")
        with pytest.raises(Busy, match=CONNECTION_LOST_SENTENCE):
            desk.read(learners.find_learner_id, TANG)
        with pytest.raises(ServerAway, match="用不了"):
            open_database(desk.url)
        server.start()
        assert desk.read(learners.find_learner_id, TANG) == 1
        assert desk.write(learners.find_or_add_learner, TANG, NOW).learner_id == 1
        desk.close()


def test_another_one_that_holds_the_lock_is_waited_for_and_then_said(
    school: Desk, server: PostgresServer
) -> None:
    async def knock() -> None:
        database = open_database(school.url, patience_seconds=0.05)
        try:
            await database.write(learners.find_or_add_learner, Caller(proposed_token="x"), NOW)
        finally:
            await database.close()

    with psycopg.connect(school.url) as other_connection:
        other_connection.execute("SELECT pg_advisory_xact_lock(20262, 1)")
        with pytest.raises(Busy, match="卡住"):
            school.wait(knock())
    school.wait(knock())


@pytest.mark.parametrize(
    ("state", "kind", "words"),
    [
        ("53100", DiskFull, "磁盘满了"),
        ("25006", Busy, "只读"),
        ("55P03", Busy, "卡住"),
        ("57014", Busy, "卡住"),
        ("57P01", Busy, "启动或关闭"),
        ("57P03", Busy, "启动或关闭"),
        ("53300", Busy, "连接用完"),
        ("40001", Busy, "人太多"),
        ("08006", Busy, "连接断了"),
        ("54000", type(None), ""),
        ("23505", type(None), ""),
        ("22P02", type(None), ""),
    ],
)
def test_words_by_the_state_that_the_server_names(state: str, kind: type, words: str) -> None:
    reason = server_refusal(psycopg.errors.lookup(state)("refused"))
    assert isinstance(reason, kind)
    assert words in str(reason)


def test_what_only_sqlite_would_keep_is_kept(school: Desk) -> None:
    """Texts with NUL lose it; an answer of any length, and the number of a row that nobody has."""
    school.write(problem_reports.keep_report, TANG, ITEM, "a\0b", "/", NOW)
    assert school.rows("SELECT text FROM problem_report") == [("ab",)]
    words = "".join(chr(0x4E00 + number * 7919 % 20000) for number in range(4000))
    log = school.write(responding.respond, TANG, LESSON, answer("4"), COURSE, NOW)
    with school.other_program() as connection:
        connection.execute("UPDATE response SET value = ?", (words,))
    with pytest.raises(NotFound):
        school.read(attempts.load_own_attempt, TANG, 999_999_999_999_999, NOW)
    assert log.attempt_id == 1


def test_a_new_database_is_made_by_one_while_others_wait(server: PostgresServer, tmp_path: Path) -> None:
    url = server.without_tables()
    with pytest.raises(CannotOpen, match="什么也没有"):
        open_database(url)
    with ThreadPoolExecutor(3) as pool:
        migrated = list(pool.map(lambda _: migrate(url, tmp_path), range(3)))
    assert sorted(migrated, key=lambda done: done.former_revision or "") == [
        MigrationResult(None, revision.HEAD),
        *[MigrationResult(revision.HEAD, revision.HEAD)] * 2,
    ]
    asyncio.run(open_database(url).close())
    with psycopg.connect(url) as connection:
        narrow = "SELECT count(*) FROM information_schema.columns WHERE table_schema = 'public'"
        assert connection.execute(f"{narrow} AND data_type = 'integer'".encode()).fetchone() == (0,)
        assert connection.execute(f"{narrow} AND data_type = 'bigint'".encode()).fetchone() != (0,)


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("CREATE TABLE orders (id int)", "别的程序"),
        ("CREATE TABLE learner (id int); CREATE TABLE alembic_version (version_num text)", "哪个版本"),
    ],
)
def test_a_database_of_another_program_is_left_alone(
    server: PostgresServer, tmp_path: Path, sql: str, words: str
) -> None:
    url = server.without_tables()
    server.execute(sql, url.partition("?")[0].rpartition("/")[2])
    with pytest.raises(CannotOpen, match=words):
        migrate(url, tmp_path)


@pytest.mark.parametrize(("version", "words"), [("9999", "更新的程序"), ("0001", "先启动一次网站")])
def test_another_revision_is_not_served(
    server: PostgresServer, tmp_path: Path, version: str, words: str
) -> None:
    url = server.without_tables()
    sql = f"CREATE TABLE learner (id int); CREATE TABLE alembic_version AS SELECT '{version}' AS version_num"
    server.execute(sql, url.partition("?")[0].rpartition("/")[2])
    with pytest.raises(CannotOpen, match=words):
        open_database(url) if version == "0001" else migrate(url, tmp_path)


def test_an_index_over_some_rows_is_one_on_the_server_too(server: PostgresServer) -> None:
    """As its table says it, and as the migrations made it."""
    partial = [
        index
        for of in SQLModel.metadata.sorted_tables
        for index in of.indexes
        if index.dialect_options["sqlite"]["where"] is not None
    ]
    assert len(partial) > 5
    with psycopg.connect(server.empty()) as connection:
        rows = connection.execute(b"SELECT indexname, indexdef FROM pg_indexes").fetchall()
    names: dict[str, str] = dict(rows)
    dialect = server_engine(server.url("empty")).dialect
    for index in partial:
        assert " WHERE " in str(CreateIndex(index).compile(dialect=dialect)), index.name
        assert " WHERE " in names[str(index.name)], index.name


@pytest.mark.parametrize("encoding", ["SQL_ASCII", "LATIN1"])
def test_a_database_of_another_encoding_is_refused_in_words(
    server: PostgresServer, tmp_path: Path, encoding: str
) -> None:
    """`createdb` without the guide's options makes such a one where no language is set."""
    name = f"of_{encoding.lower()}"
    server.execute(f"CREATE DATABASE {name} ENCODING '{encoding}' LOCALE 'C' TEMPLATE template0")
    url = server.url(name)
    with pytest.raises(CannotOpen, match=f"编码是{encoding}，要用UTF8"):
        migrate(url, tmp_path)
    with pytest.raises(CannotOpen, match=f"编码是{encoding}，要用UTF8"):
        server_revision.server_state_of(url)
