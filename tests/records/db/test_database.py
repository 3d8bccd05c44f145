"""The two calls: a batch keeps its verbs apart, a reader cannot write, and everybody is answered."""

import asyncio
import inspect
import re
import sqlite3
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from functools import partial
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import insert, select
from sqlalchemy.exc import DBAPIError, IntegrityError

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.database import READ_THREADS, open_database
from app.records.db.errors import Busy, CannotOpen, DiskFull, NotFound
from app.records.db.metadata import table
from app.records.db.revision import revision_of_site
from app.records.db.session import VerbSession
from app.records.db.sqlite import database
from app.records.db.statements import PreparedStatement
from app.records.items.tables import ProblemReport
from tests.records.cast import NOW, XIAOTANG, Desk

Verb = Callable[[VerbSession], object]
report = table(ProblemReport)
BROKEN_RULE = (sqlite3.IntegrityError, psycopg.IntegrityError)
TEXTS = PreparedStatement(select(report.c.text).order_by(report.c.id))
IN_MEMORY = 2
"""Where SQLite keeps what a savepoint would bring back, by its number."""


def note(text: str, then: BaseException | None = None) -> Verb:
    """Write a row, and perhaps fail afterwards."""

    def verb(session: VerbSession) -> str:
        values = {"item_ref": "i", "text": text, "page": "/", "created_at": NOW}
        session.execute(insert(report).values(**values))
        if then is not None:
            raise then
        return text

    return verb


def fail(_: VerbSession, error: BaseException) -> None:
    raise error


def texts(desk: Desk) -> list[str]:
    return [text for (text,) in desk.rows("SELECT text FROM problem_report ORDER BY id")]


def test_what_fails_in_a_batch_is_undone_alone(desk: Desk) -> None:
    results = desk.write_together(note("one"), note("two", NotFound()), note("three"))
    assert [results[0], type(results[1]), results[2]] == ["one", NotFound, "three"]
    assert texts(desk) == ["one", "three"]


STRANGE_EXCEPTIONS = [StopIteration("x"), SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError()]


@pytest.mark.parametrize("strange", STRANGE_EXCEPTIONS)
def test_a_strange_exception_stops_nobody(desk: Desk, strange: BaseException) -> None:
    nameless_verb = partial(note("two", strange))
    results = desk.write_together(note("one"), note("two", strange), nameless_verb, note("three"))
    assert [type(result) for result in results] == [str, RuntimeError, RuntimeError, str]
    assert texts(desk) == ["one", "three"]
    for _ in range(READ_THREADS):
        with pytest.raises(RuntimeError):
            desk.read(partial(fail, error=strange))
    assert desk.read(lambda session: session.first(TEXTS)) == ("one",)
    assert desk.write(note("four")) == "four"


class EmptyError(Exception):
    """An error that counts what is wrong, and has counted nothing."""

    def __len__(self) -> int:
        return 0


def test_an_error_without_length_is_still_an_error(desk: Desk) -> None:
    with pytest.raises(EmptyError):
        desk.write(note("one", EmptyError()))
    assert texts(desk) == []


def test_a_broken_rule_inside_a_savepoint_may_be_survived(desk: Desk) -> None:
    def twice(session: VerbSession) -> str:
        learners.add_guest(session, "token", NOW)
        try:
            with session.savepoint():
                learners.add_guest(session, "token", NOW)
        except BROKEN_RULE:
            return "known already"
        return "made again"

    assert desk.write_together(note("one"), twice, note("two"))[1] == "known already"
    assert desk.count("learner") == 1
    assert texts(desk) == ["one", "two"]


def test_a_broken_rule_reaches_its_caller_alone(desk: Desk) -> None:
    def twice(session: VerbSession) -> None:
        learners.add_guest(session, "token", NOW)
        learners.add_guest(session, "token", NOW)

    results = desk.write_together(note("one"), twice, note("two"))
    assert isinstance(results[1], BROKEN_RULE)
    assert desk.count("learner") == 0
    assert texts(desk) == ["one", "two"]


def test_foreign_keys_are_on(desk: Desk) -> None:
    def orphan(session: VerbSession) -> None:
        learners.add_sign_in(session, 99, "token", NOW)

    with pytest.raises(BROKEN_RULE, match=r"(?i)foreign key"):
        desk.write(orphan)

    def core(session: VerbSession) -> None:
        session.execute(
            insert(report).values(learner_id=99, item_ref="i", text="t", page="/", created_at=NOW)
        )

    with pytest.raises(IntegrityError):
        desk.write(core)


def test_statements_of_both_kinds_share_one_transaction(desk: Desk) -> None:
    def both(session: VerbSession) -> list[str]:
        note("one")(session)
        return [text for (text,) in session.all(TEXTS)]

    assert desk.write(both) == ["one"]
    assert desk.read(lambda session: session.first(TEXTS)) == ("one",)
    read_both: Verb = lambda session: (session.execute(select(report.c.text)).scalar(), session.first(TEXTS))  # noqa: E731
    assert desk.read(read_both) == ("one", ("one",))


def test_a_reader_cannot_write(desk: Desk) -> None:
    with pytest.raises(DBAPIError, match=r"read-?only"):
        desk.read(note("one"))
    with pytest.raises((sqlite3.OperationalError, psycopg.Error), match=r"read-?only"):
        desk.read(learners.find_or_add_learner, XIAOTANG, NOW)
    assert texts(desk) == []
    assert desk.read(learners.find_learner_id, Caller()) is None


def test_a_verb_cannot_commit(desk: Desk) -> None:
    assert not {"commit", "rollback", "begin", "close"} & set(dir(VerbSession))


def test_a_missing_value_is_said(desk: Desk) -> None:
    with pytest.raises((sqlite3.ProgrammingError, psycopg.ProgrammingError), match="hash"):
        desk.read(lambda session: session.first(learners.LEARNER_OF_CALLER))


def test_a_naive_time_is_refused(desk: Desk) -> None:
    with pytest.raises(ValueError, match="timezone"):
        desk.write(learners.find_or_add_learner, XIAOTANG, NOW.replace(tzinfo=None))


def test_a_read_sees_one_moment(desk: Desk) -> None:
    begun, written = threading.Event(), threading.Event()

    def slow_read(session: VerbSession) -> tuple[int, int]:
        before = len(session.all(TEXTS))
        begun.set()
        assert written.wait(10)
        return before, len(session.all(TEXTS))

    async def both() -> tuple[int, int]:
        reading = asyncio.ensure_future(desk.database.read(slow_read))
        assert await asyncio.to_thread(begun.wait, 10)
        await desk.database.write(note("meanwhile"))
        written.set()
        return await reading

    assert desk.wait(both()) == (0, 0)
    assert texts(desk) == ["meanwhile"]


def test_readers_do_not_wait_for_a_slow_write(desk: Desk) -> None:
    begun, read = threading.Event(), threading.Event()

    def slow(session: VerbSession) -> bool:
        note("slow")(session)
        begun.set()
        return read.wait(10)

    async def both() -> bool:
        writing = asyncio.ensure_future(desk.database.write(slow))
        assert await asyncio.to_thread(begun.wait, 10)
        for _ in range(50):
            assert await desk.database.read(lambda session: session.all(TEXTS)) == []
        read.set()
        return await writing

    assert desk.wait(both()), "the readers were done before the write was"


def test_too_many_waiting_are_refused_at_once(file: Path) -> None:
    desk = Desk(file, most_waiting_verbs=3)
    results = desk.write_together(*[note(str(number)) for number in range(5)])
    assert [type(result) for result in results] == [str, str, str, Busy, Busy]
    assert texts(desk) == ["0", "1", "2"]
    desk.close()


def test_one_who_has_gone_away_is_not_written(desk: Desk) -> None:
    async def leave() -> None:
        with desk.held_writer():
            work = asyncio.ensure_future(desk.database.write(note("gone")))
            await asyncio.sleep(0)
            work.cancel()
        await asyncio.gather(work, return_exceptions=True)
        await desk.database.write(note("here"))

    desk.wait(leave())
    assert texts(desk) == ["here"]


def test_a_glance_sees_what_was_written_and_changes_nothing(desk: Desk) -> None:
    async def look() -> list[str]:
        await desk.database.write(note("here"))
        with pytest.raises(DBAPIError):
            await desk.database.glance(note("there"))
        return await desk.database.glance(lambda session: [row[0] for row in session.all(TEXTS)])

    assert desk.wait(look()) == ["here"]


@pytest.mark.one_file
def test_a_glance_of_one_statement_is_one_statement(desk: Desk) -> None:
    def statements_of(verb: Callable[[VerbSession], object]) -> list[str]:
        statements: list[str] = []
        driver = desk.database._glance_connection.driver  # type: ignore[attr-defined]
        driver.set_trace_callback(statements.append)
        desk.wait(desk.database.glance(verb))
        driver.set_trace_callback(None)
        return statements

    assert [statement.partition(" ")[0] for statement in statements_of(revision_of_site)] == ["SELECT"]
    several = statements_of(lambda session: session.first(TEXTS))
    assert [statement.partition(" ")[0] for statement in several] == ["BEGIN", "SELECT", "COMMIT"]


def test_verbs_that_ask_once_ask_once() -> None:
    """A second statement might see another moment of the database."""
    verbs = [
        verb
        for name, module in sorted(sys.modules.items())
        if name.startswith("app.records.")
        for verb in vars(module).values()
        if inspect.isfunction(verb) and getattr(verb, "asks_once", False)
    ]
    assert learners.find_learner_id in verbs
    for verb in verbs:
        assert len(re.findall(r"\bsession\b(?!:)", inspect.getsource(verb))) == 1, verb


@pytest.mark.one_file
def test_a_glance_that_would_wait_waits_in_a_thread(desk: Desk) -> None:
    """The event loop never waits for a lock."""
    threads: list[str] = []

    def verb(_: VerbSession) -> int:
        threads.append(threading.current_thread().name)
        if len(threads) == 1:
            error = sqlite3.OperationalError("database is locked")
            error.sqlite_errorcode = sqlite3.SQLITE_BUSY
            raise error
        return 7

    async def look() -> int:
        return await desk.database.glance(verb)

    assert desk.wait(look()) == 7
    assert threads[1:] == ["db_read_all"]
    assert threads[0] != "db_read_all"


def test_the_writer_closes_last_and_alone(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two connections that close at once leave the WAL behind: each sees that the other is still there."""
    closed: list[str] = []
    too_early = threading.Event()

    def close(connection: database.OpenConnection) -> None:
        if "write" in threading.current_thread().name:
            too_early.set()
        else:
            too_early.wait(0.02)
        close_really(connection)
        closed.append(threading.current_thread().name)

    close_really = database.OpenConnection.close
    monkeypatch.setattr(database.OpenConnection, "close", close)
    desk = Desk(file)
    desk.close()
    assert len(closed) == 6, "that of glances, four that read, and the writer's"
    assert closed[1:] == ["db_read_all"] * 4 + ["db_write_all"]
    assert not file.with_name(f"{file.name}-wal").exists()


def test_closing_answers_what_was_accepted_and_nothing_else(file: Path) -> None:
    desk = Desk(file, largest_batch_size=4)

    async def close() -> list[object]:
        with desk.held_writer():
            work = [asyncio.ensure_future(desk.database.write(note(str(number)))) for number in range(20)]
            await asyncio.sleep(0)
            closing_ = asyncio.ensure_future(desk.database.close())
            await asyncio.sleep(0)
            with pytest.raises(Busy):
                await desk.database.write(note("late"))
            with pytest.raises(Busy):
                await desk.database.read(learners.find_learner_id, Caller())
        await closing_
        return await asyncio.gather(*work)

    expected = [str(number) for number in range(20)]
    assert desk.wait(close()) == texts(desk) == expected
    assert not file.with_name(f"{file.name}-wal").exists()
    desk.close()


@pytest.mark.one_file
def test_a_transaction_that_sqlite_dropped_is_told_to_all(desk: Desk) -> None:
    def drop(session: VerbSession) -> None:
        session.driver.execute("ROLLBACK")

    results = desk.write_together(note("one"), drop, note("two"))
    assert [type(result) for result in results] == [Busy, Busy, Busy]
    assert texts(desk) == []
    assert desk.write(note("after")) == "after"


def allow_no_more_pages(session: VerbSession) -> None:
    [(page_count,)] = session.driver.execute("PRAGMA page_count").fetchall()
    session.driver.execute(f"PRAGMA max_page_count={page_count}")


@pytest.mark.one_file
def test_a_full_disk_is_said_also_inside_a_savepoint(desk: Desk) -> None:
    """SQLite drops the transaction then, and the savepoint with it."""

    def write_at_risk(session: VerbSession) -> None:
        with session.savepoint():
            note("x" * 500_000)(session)

    desk.write(allow_no_more_pages)
    with pytest.raises(DiskFull, match="磁盘满了"):
        desk.write(write_at_risk)
    assert texts(desk) == []


@pytest.mark.one_file
def test_a_full_disk_is_said_and_keeps_what_was_there(desk: Desk) -> None:
    desk.write(note("before"))
    desk.write(allow_no_more_pages)
    results = desk.write_together(note("small"), note("x" * 500_000))
    assert isinstance(results[1], DiskFull)
    assert "磁盘满了" in str(results[1])
    words = ["before"] + [result for result in results if isinstance(result, str)]
    assert texts(desk) == words
    desk.write(lambda session: session.driver.execute("PRAGMA max_page_count=1000000") and None)
    assert desk.write(note("after")) == "after"
    assert desk.rows("PRAGMA integrity_check") == [("ok",)]


@pytest.mark.one_file
def test_somebody_else_s_lock_is_waited_for_and_then_said(desk: Desk) -> None:
    desk.write(lambda session: session.driver.execute("PRAGMA busy_timeout=200") and None)
    with closing(sqlite3.connect(desk.file, isolation_level=None)) as other_connection:
        other_connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="别的程序"):
            desk.write(note("refused"))
        other_connection.execute("COMMIT")
    assert desk.write(note("after")) == "after"
    assert texts(desk) == ["after"]


@pytest.mark.one_file
def test_another_program_that_writes_is_waited_for(desk: Desk) -> None:
    """A verb reads before it writes: begun too early, it would stand on what is no longer so."""

    def write_for_a_while() -> None:
        with closing(sqlite3.connect(desk.file, isolation_level=None)) as other_connection:
            other_connection.execute("BEGIN IMMEDIATE")
            begun.set()
            assert not too_early.wait(0.1)
            other_connection.execute(
                "INSERT INTO item_version VALUES ('hash', 'item', '{}', '2026-09-01 00:00:00.000000')"
            )
            other_connection.execute("COMMIT")

    def arrive(session: VerbSession) -> int | None:
        too_early.set()
        return learners.find_or_add_learner(session, XIAOTANG, NOW).learner_id

    begun, too_early = threading.Event(), threading.Event()
    with ThreadPoolExecutor(1) as thread:
        other_page = thread.submit(write_for_a_while)
        assert begun.wait(10)
        assert desk.write(arrive) == 1
        other_page.result()


def test_two_loops_may_share_a_database(desk: Desk) -> None:
    def elsewhere(number: int) -> object:
        return asyncio.run(desk.database.write(note(str(number))))

    with ThreadPoolExecutor(4) as threads:
        assert sorted(map(str, threads.map(elsewhere, range(4)))) == sorted(texts(desk))


@pytest.mark.one_file
def test_the_writer_is_durable_and_the_file_is_in_wal(desk: Desk) -> None:
    def pragma(name: str) -> Verb:
        return lambda session: session.driver.execute(f"PRAGMA {name}").fetchall()[0][0]

    assert desk.write(pragma("synchronous")) == 2
    assert desk.write(pragma("foreign_keys")) == 1
    assert desk.write(pragma("temp_store")) == IN_MEMORY
    assert desk.read(pragma("query_only")) == 1
    assert desk.read(pragma("journal_mode")) == "wal"
    assert desk.read(pragma("busy_timeout")) == 10_000


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("postgresql://teacher:secret@127.0.0.1:1/tangxu?password=secret", "tangxu用不了"),
        ("mysql://teacher:secret@db/tangxu", "不是mysql"),
        ("sqlite://", "文件"),
        ("sqlite:///:memory:", "文件"),
        ("nonsense", "读不懂"),
    ],
)
def test_another_kind_of_database_is_refused_in_words(url: str, message: str) -> None:
    with pytest.raises(CannotOpen, match=message) as refused:
        open_database(url)
    assert "secret" not in str(refused.value)


def test_a_time_is_read_as_it_was_written(desk: Desk) -> None:
    moment = NOW + timedelta(microseconds=1)
    desk.write(learners.find_or_add_learner, XIAOTANG, moment)
    text = desk.read(
        lambda session: session.all(
            learners.SIGN_IN_OF_TOKEN, hash=learners.token_hash(str(XIAOTANG.proposed_token))
        )
    )
    assert text == [(1, moment, None)]
