"""Statements on their way to a server: what is waited for, what goes wrong, what the server keeps."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import psycopg
import pytest
from sqlalchemy import text

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.errors import NotFound
from app.records.db.postgres import pipeline
from app.records.db.postgres.beginnings import begin_alone, begin_beside_others, begin_read
from app.records.db.postgres.connection import ServerConnection
from app.records.db.postgres.dialect import server_engine
from app.records.db.postgres.pipeline import Pipeline
from app.records.db.postgres.repeats import NotSignedInYet
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert
from app.records.learning import lesson_progress, responding, reveals
from app.records.learning.tables import ItemVersion
from app.records.learning.values import Guess
from tests.postgres_server import PostgresServer
from tests.records.cast import COURSE, ITEM, LESSON, NOW, Desk, answer, section_of

TANG = Caller("tang")
GAIN = "content:gain"
ADD_VERSION = prepared_insert(ItemVersion)
BODIES = "SELECT hash, length(body) FROM item_version ORDER BY hash"


@pytest.fixture
def connection(server: PostgresServer) -> Iterator[ServerConnection]:
    opened = ServerConnection(server_engine(server.empty()))
    yield opened
    opened.close()


@pytest.fixture
def school(server: PostgresServer, tmp_path: Path) -> Iterator[Desk]:
    opened = Desk(tmp_path, server.empty())
    opened.write(learners.add_guest, "tang", NOW)
    yield opened
    opened.close()


class Traffic:
    """What went to the server: statements, and how often somebody waited for it."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.statements = self.trips = 0
        execute, settle = Pipeline.execute, Pipeline.settle

        def counting_execute(self_: Pipeline, *arguments: Any) -> Any:
            self.statements += 1
            return execute(self_, *arguments)

        def counting_settle(self_: Pipeline) -> None:
            self.trips += bool(self_._sent_statements)
            settle(self_)

        patch.setattr(Pipeline, "execute", counting_execute)
        patch.setattr(Pipeline, "settle", counting_settle)

    def of(self, desk: Desk, verb: Any, *arguments: Any) -> tuple[int, int]:
        """Of one verb that writes."""
        self.statements = self.trips = 0
        desk.write(verb, TANG, *arguments)
        return self.statements, self.trips


def test_an_answer_is_three_messages_there_and_back(school: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """It begins, locks and looks; writes the answer and asks what it is added to; adds it and commits."""
    school.write(responding.respond, TANG, LESSON, answer("4.76"), COURSE, NOW)
    traffic = Traffic(monkeypatch)
    assert traffic.of(school, responding.respond, LESSON, answer("4.26", 2), COURSE, NOW) == (11, 3)
    first_try = answer("4.26", item=f"{ITEM}-other")
    assert traffic.of(school, responding.respond, LESSON, first_try, COURSE, NOW) == (13, 3)
    assert traffic.of(school, responding.respond, LESSON, first_try, COURSE, NOW) == (5, 2), "a double click"


def test_what_a_learner_does_most_asks_for_all_it_needs_at_once(
    school: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Who it is, how things stand, what is written, COMMIT: whatever was done before."""
    section = section_of("gain")
    school.write(decks.collect_cards, TANG, ((GAIN, "gain"),), NOW)
    traffic = Traffic(monkeypatch)
    trips = {}
    for number in (1, 2, 3):
        guess = Guess(number)
        trips["reveal", number] = traffic.of(school, reveals.open_position, "ex", guess, NOW)[1]
        trips["step", number] = traffic.of(
            school, lesson_progress.advance_place, "cg", section, number + 1, NOW
        )[1]
        rating = CardRating(GAIN, number, Rating.GOOD)
        trips["review", number] = traffic.of(school, reviews.review_card, rating, NOW)[1]
    trips["all", 9] = traffic.of(school, reveals.open_position, "ex", Guess(9), NOW, 9)[1]
    assert max(trips.values()) == 4
    assert trips["all", 9] == 3, "six positions are as much as one"


def test_what_is_read_at_once_is_one_message_there_and_back(
    school: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It begins and reads; that it ends is sent, and nobody waits for it."""
    school.read(learners.find_learner_id, TANG)
    traffic = Traffic(monkeypatch)
    assert [school.read(learners.find_learner_id, TANG) for _ in range(5)] == [1] * 5
    assert traffic.trips == 5


def test_nobody_holds_a_moment_of_the_database_who_has_read(school: Desk, server: PostgresServer) -> None:
    school.read(learners.find_learner_id, TANG)
    with psycopg.connect(school.url, autocommit=True) as watching:
        begun = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'tangxu' AND {}"
        holds = begun.format("backend_xmin IS NOT NULL").encode()
        while watching.execute(holds).fetchone() != (0,):
            assert server.process.poll() is None


def add(session: VerbSession, name: str, body: str = "{}") -> None:
    session.run(ADD_VERSION, hash=name, item_ref=ITEM, body=body, created_at=NOW)


def write(connection: ServerConnection, verb: Callable[[VerbSession], Any]) -> None:
    with connection.transaction(begin_alone):
        verb(connection.session)


def rows(connection: ServerConnection, sql: str = BODIES) -> list[Any]:
    with connection.transaction(begin_read):
        return connection.session.driver.execute(sql).fetchall()


def test_what_goes_wrong_on_the_way_comes_before_what_follows_from_it(connection: ServerConnection) -> None:
    def add_twice(session: VerbSession) -> None:
        add(session, "v")
        add(session, "v")
        raise NotFound

    with pytest.raises(psycopg.errors.UniqueViolation):
        write(connection, add_twice)
    assert rows(connection) == []


def test_a_savepoint_waits_for_what_was_sent_in_it(connection: ServerConnection) -> None:
    def try_both(session: VerbSession) -> None:
        add(session, "a")
        for names in ("ba", "c"):
            with suppress(psycopg.errors.UniqueViolation), session.savepoint():
                for name in names:
                    add(session, name)

    write(connection, try_both)
    assert rows(connection) == [("a", 2), ("c", 2)]


def test_a_commit_that_undoes_is_no_success(connection: ServerConnection) -> None:
    def look_away(session: VerbSession) -> None:
        for _ in range(2):
            add(session, "v")
        with suppress(psycopg.Error):
            session.settle()

    with pytest.raises(psycopg.errors.InFailedSqlTransaction):
        write(connection, look_away)
    assert rows(connection) == []


def test_who_has_no_lock_commits_nothing(connection: ServerConnection) -> None:
    """Also where the verb reads no rows, with which it would have been told."""
    begin = partial(begin_beside_others, token_hashes=("nobody's",))
    with pytest.raises(NotSignedInYet), connection.transaction(begin):
        add(connection.session, "v")
    assert rows(connection) == []


def test_a_statement_that_was_not_prepared_is_prepared_anew(connection: ServerConnection) -> None:
    """What stands behind a statement that fails is not even looked at."""

    def ask_both(session: VerbSession) -> None:
        session.driver.execute("SELECT 1 / 0")
        session.driver.execute("SELECT 'behind it'")

    for _ in range(2):
        with pytest.raises(psycopg.errors.DivisionByZero):
            write(connection, ask_both)
    assert rows(connection, "SELECT 'behind it'") == [("behind it",)]
    for _ in range(2):
        with pytest.raises(psycopg.errors.UndefinedTable):
            rows(connection, "SELECT * FROM nowhere")


def test_a_number_may_be_whole_once_and_have_decimals_the_next_time(connection: ServerConnection) -> None:
    values = [1, 0.5, None, 2**62, "7"]
    with connection.transaction(begin_read):
        driver = connection.session.driver
        cursors = [driver.execute("SELECT %(value)s::float8", {"value": value}) for value in values]
        assert [rows.fetchall() for rows in cursors] == [[(1,)], [(0.5,)], [(None,)], [(2.0**62,)], [(7,)]]


def test_a_server_keeps_the_statements_that_were_used_last(
    connection: ServerConnection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "MOST_PREPARED_STATEMENTS", 3)
    for number in (1, 2, 3, 1, 4, 1):
        assert rows(connection, f"SELECT {number}") == [(number,)]
    prepared_sql = "SELECT statement FROM pg_prepared_statements"
    statements = [statement for (statement,) in rows(connection, prepared_sql)]
    assert len(statements) == 3
    assert prepared_sql in statements


def test_rows_larger_than_any_buffer_go_there_and_come_back(connection: ServerConnection) -> None:
    body = "糖" * 3_000_000

    def add_both(session: VerbSession) -> None:
        for name in "ab":
            add(session, name, body)

    write(connection, add_both)
    assert rows(connection) == [("a", len(body)), ("b", len(body))]
    with connection.transaction(begin_read):
        cursors = [connection.session.driver.execute("SELECT body FROM item_version") for _ in range(2)]
        assert [cursor.fetchall() for cursor in cursors] == [[(body,), (body,)]] * 2


def test_sqlalchemy_speaks_when_nothing_is_on_its_way(connection: ServerConnection) -> None:
    def in_turn(session: VerbSession) -> None:
        add(session, "a")
        assert session.execute(text("SELECT count(*) FROM item_version")).scalar() == 1
        add(session, "b")

    write(connection, in_turn)
    assert rows(connection) == [("a", 2), ("b", 2)]
