"""The trail of a verb holds while its statements bring the same rows, and no longer."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import timedelta

import pytest
from sqlalchemy import select, text

from app.records.accounts import learners
from app.records.accounts.tables import SignIn
from app.records.accounts.values import Caller
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.sqlite.database import SqliteDatabase
from app.records.db.statements import PreparedStatement
from app.records.db.trails import read_result_and_trail, still_holds
from tests.records.cast import NOW, Desk

SIGN_IN = table(SignIn).c
TOKENS = PreparedStatement(
    select(SIGN_IN.learner_id, SIGN_IN.created_at, SIGN_IN.ended_at).order_by(SIGN_IN.id)
)


def who_is_there(session: VerbSession) -> list[tuple[object, ...]]:
    return session.all(TOKENS)


def arrive(session: VerbSession) -> int:
    caller = Caller(proposed_token="x" * 43)
    return learners.find_or_add_learner(session, caller, NOW).learner_id


def sign_out(session: VerbSession) -> None:
    session.execute(text("UPDATE sign_in SET ended_at = :now"), {"now": str(NOW)})


def change_time(session: VerbSession) -> None:
    session.execute(text("UPDATE sign_in SET created_at = :then"), {"then": str(NOW - timedelta(1))})


def delete(session: VerbSession) -> None:
    session.execute(text("DELETE FROM sign_in"))


def change_something_else(session: VerbSession) -> None:
    session.execute(text("UPDATE learner SET time_zone = 'Asia/Urumqi'"))


def test_a_verb_answers_as_it_does_without_a_trail(desk: Desk) -> None:
    desk.write(arrive)
    value, _ = desk.read(read_result_and_trail, who_is_there)
    assert value == desk.read(who_is_there)
    [(_, created_at, _)] = value
    assert created_at == NOW


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (sign_out, False),
        (change_time, False),
        (delete, False),
        (change_something_else, True),
        (who_is_there, True),
    ],
)
def test_a_trail_holds_while_the_rows_are_the_same(
    desk: Desk, change: Callable[[VerbSession], object], expected: bool
) -> None:
    desk.write(arrive)
    _, trail = desk.read(read_result_and_trail, who_is_there)
    assert desk.read(still_holds, trail)
    assert desk.wait(desk.database.still_holds(trail))
    desk.write(change)
    assert desk.read(still_holds, trail) is expected
    for _ in range(2):
        assert desk.wait(desk.database.still_holds(trail)) is expected


def test_a_trail_is_followed_once_for_each_commit(desk: Desk) -> None:
    """By whatever process it is made. A server does not count its commits: it is asked each time."""
    if not isinstance(desk.database, SqliteDatabase):
        pytest.skip("of an SQLite file")
    desk.write(arrive)
    _, trail = desk.read(read_result_and_trail, who_is_there)
    statements: list[str] = []
    desk.database._glance_connection.driver.set_trace_callback(statements.append)
    followed = []
    for _ in range(3):
        for _ in range(2):
            statements.clear()
            assert desk.wait(desk.database.still_holds(trail))
            followed.append(any("sign_in" in statement for statement in statements))
        with closing(sqlite3.connect(desk.file)) as connection, connection:
            connection.execute("UPDATE learner SET time_zone = time_zone || '!'")
    assert followed == [True, False] * 3
    with closing(sqlite3.connect(desk.file)) as connection, connection:
        connection.execute("DELETE FROM sign_in")
    assert not desk.wait(desk.database.still_holds(trail))


def test_one_row_more_where_there_was_none(desk: Desk) -> None:
    _, trail = desk.read(read_result_and_trail, who_is_there)
    desk.write(arrive)
    assert not desk.read(still_holds, trail)


def test_every_question_counts(desk: Desk) -> None:
    """Of a verb that asks by what it was told before."""

    def learner_and_zone(session: VerbSession) -> str:
        [(learner_id, *_)] = session.all(TOKENS)
        return learners.time_zone_of(session, learner_id)

    desk.write(arrive)
    zone, trail = desk.read(read_result_and_trail, learner_and_zone)
    assert zone == learners.DEFAULT_TIME_ZONE
    desk.write(change_something_else)
    assert not desk.read(still_holds, trail)


def test_a_verb_that_asks_in_another_way_leaves_no_trail(desk: Desk) -> None:
    with pytest.raises(TypeError, match="prepared"):
        desk.read(read_result_and_trail, lambda session: session.execute(text("SELECT 1")))
