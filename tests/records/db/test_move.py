"""A site is carried to PostgreSQL and back: every row, and nothing where something is wrong."""

import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from threading import Timer
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Date, Float, Integer
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import UTCDateTime

from app.records.accounts import learners
from app.records.db.errors import CannotOpen
from app.records.db.migrate import migrate
from app.records.db.postgres.move import RowSum, move, revision_at
from tests.other_program import other_program
from tests.postgres_server import PostgresServer
from tests.records.cast import NOW, XIAOTANG, Desk

TABLES = SQLModel.metadata.sorted_tables
WORD = "糖 \t\\N 'x' 🍬\n"


def value(column: Column[Any], number: int) -> Any:
    """Something that its kind of column may hold, and that is easily lost on the way."""
    if isinstance(column.type, Date):
        return f"2026-09-0{number}"
    if column.primary_key or column.foreign_keys:
        return number
    if column.nullable and number == 2:
        return None
    if isinstance(column.type, UTCDateTime):
        return f"2026-09-0{number} 23:59:59.00000{number}"
    if isinstance(column.type, Boolean):
        return number == 1
    if isinstance(column.type, Float):
        return 0.1 + 0.2
    if isinstance(column.type, Integer):
        return 2**40 + number
    return f"{WORD}{number}"


@pytest.fixture
def full(file: Path) -> Path:
    """Two rows in every table."""
    with other_program(file) as connection:
        connection.execute("DELETE FROM site_secret")
        for of in TABLES:
            names = ", ".join(f'"{column.name}"' for column in of.columns)
            marks = ", ".join("?" * len(of.columns))
            for number in (1, 2):
                row = [value(column, number) for column in of.columns]
                connection.execute(f"INSERT INTO {of.name} ({names}) VALUES ({marks})", row)
    return file


def dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return sorted(connection.iterdump())


def say_nothing(_name: str, _rows: int) -> None: ...


def test_there_and_back(server: PostgresServer, full: Path, tmp_path: Path) -> None:
    """The file that comes back is the one that went, and the next rows get the next numbers."""
    target_url, back = server.without_tables(), tmp_path / "back.db"
    rows_by_table: dict[str, int] = {}
    moved = move(f"sqlite:///{full}", target_url, tmp_path, rows_by_table.__setitem__)
    assert moved == rows_by_table == {of.name: 2 for of in TABLES}
    move(target_url, f"sqlite:///{back}", tmp_path, say_nothing)
    assert dump(back) == dump(full)
    desk = Desk(tmp_path, target_url)
    assert desk.write(learners.find_or_add_learner, XIAOTANG, NOW).learner_id == 3
    desk.close()


NEW_OWN_COURSE = """
INSERT INTO own_course (learner_id, title, text, created_at, updated_at)
SELECT id, 'BM25', '', created_at, created_at FROM learner WHERE id = 1 RETURNING id
"""


def number_of_deleted_own_course(url: str) -> int:
    """The number of new own content, which is deleted at once."""
    with other_program(url) as connection:
        [(number,)] = connection.execute(NEW_OWN_COURSE).fetchall()
        connection.execute("DELETE FROM own_course WHERE id = ?", (number,))
        own_course_number: int = number
        return own_course_number


@pytest.mark.parametrize("is_last_row_deleted", [False, True])
def test_a_number_that_a_deleted_text_had_is_not_given_again(
    server: PostgresServer, full: Path, tmp_path: Path, is_last_row_deleted: bool
) -> None:
    """Old answers name what is gone, there and back."""
    file_url, server_url, back_url = (
        f"sqlite:///{full}",
        server.without_tables(),
        f"sqlite:///{tmp_path}/back",
    )
    assert number_of_deleted_own_course(file_url) == 3
    if is_last_row_deleted:
        with other_program(file_url) as connection:
            connection.execute("DELETE FROM own_course")
    move(file_url, server_url, tmp_path, say_nothing)
    assert number_of_deleted_own_course(server_url) == 4
    move(server_url, back_url, tmp_path, say_nothing)
    assert number_of_deleted_own_course(back_url) == 5


@pytest.mark.long
def test_an_empty_site_begins_to_count_at_one(server: PostgresServer, file: Path, tmp_path: Path) -> None:
    target_url = server.without_tables()
    move(f"sqlite:///{file}", target_url, tmp_path, say_nothing)
    desk = Desk(tmp_path, target_url)
    assert desk.write(learners.find_or_add_learner, XIAOTANG, NOW).learner_id == 1
    desk.close()


@pytest.mark.long
def test_a_nul_stays_behind(server: PostgresServer, full: Path, tmp_path: Path) -> None:
    with other_program(full) as connection:
        connection.execute("UPDATE problem_report SET text = ? WHERE id = 1", ("a\0b",))
    target_url = server.without_tables()
    move(f"sqlite:///{full}", target_url, tmp_path, say_nothing)
    with other_program(target_url) as connection:
        assert connection.execute("SELECT text FROM problem_report WHERE id = 1").fetchall() == [("ab",)]


@pytest.mark.long
def test_a_nought_with_a_sign_arrives_without_it(server: PostgresServer, full: Path, tmp_path: Path) -> None:
    """SQLite keeps none, PostgreSQL does."""
    target_url, back = server.without_tables(), tmp_path / "back.db"
    move(f"sqlite:///{full}", target_url, tmp_path, say_nothing)
    with other_program(target_url) as connection:
        connection.execute("UPDATE mark_override SET points = '-0' WHERE id = 1")
    move(target_url, f"sqlite:///{back}", tmp_path, say_nothing)
    with other_program(back) as connection:
        assert connection.execute("SELECT points FROM mark_override WHERE id = 1").fetchall() == [(0.0,)]


TRIGGER = """
CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {deed} END $$;
CREATE TRIGGER spoil BEFORE INSERT ON learner FOR EACH ROW EXECUTE FUNCTION spoil()
"""


@pytest.mark.long
@pytest.mark.parametrize("deed", ["RETURN NULL;", "NEW.time_zone = 'UTC'; RETURN NEW;"])
def test_what_arrives_otherwise_is_not_kept(
    server: PostgresServer, full: Path, tmp_path: Path, deed: str
) -> None:
    target_url = server.without_tables()
    migrate(target_url, tmp_path)
    server.execute(TRIGGER.format(deed=deed), target_url.partition("?")[0].rpartition("/")[2])
    before = dump(full)
    with pytest.raises(CannotOpen, match=r"learner|用不了"):
        move(f"sqlite:///{full}", target_url, tmp_path, say_nothing)
    with other_program(target_url) as connection:
        assert connection.execute("SELECT count(*) FROM site_secret").fetchone() == (1,)
        assert connection.execute("SELECT count(*) FROM learner").fetchone() == (0,)
        keys = connection.execute("SELECT count(*) FROM pg_constraint WHERE contype = 'f'").fetchone()
        assert keys[0] > 20
    assert dump(full) == before


OPEN = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("PRAGMA journal_mode=WAL")
connection.execute("SELECT count(*) FROM learner").fetchall()
print("open", flush=True)
sys.stdin.read()
"""


def test_a_file_by_another_name_is_no_other_place(full: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.db"
    link.symlink_to(full)
    for same_file in (full.parent / ".." / full.parent.name / full.name, link):
        with pytest.raises(CannotOpen, match="同一个"):
            move(f"sqlite:///{full}", f"sqlite:///{same_file}", tmp_path, say_nothing)


@pytest.mark.long
def test_nobody_may_be_there(server: PostgresServer, full: Path, tmp_path: Path) -> None:
    server_url, file_url = server.empty(), f"sqlite:///{full}"
    with pytest.raises(CannotOpen, match="同一个"):
        move(file_url, file_url, tmp_path, say_nothing)
    command = [sys.executable, "-c", OPEN, str(full)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other_process:
        assert other_process.stdout
        other_process.stdout.readline()
        with pytest.raises(CannotOpen, match="正开着"):
            move(file_url, server_url, tmp_path, say_nothing)
        other_process.communicate()
    desk = Desk(tmp_path, server_url)
    with pytest.raises(CannotOpen, match="正开着"):
        move(file_url, server_url, tmp_path, say_nothing)
    desk.write(learners.find_or_add_learner, XIAOTANG, NOW)
    desk.close()
    with pytest.raises(CannotOpen, match="已经有记录"):
        move(file_url, server_url, tmp_path, say_nothing)


def test_a_site_that_has_just_been_stopped_is_waited_for(
    server: PostgresServer, full: Path, tmp_path: Path
) -> None:
    """The server counts a connection for a moment after its process has closed it."""
    server_url, back = server.without_tables(), tmp_path / "back.db"
    move(f"sqlite:///{full}", server_url, tmp_path, say_nothing)
    desk = Desk(tmp_path, server_url)
    desk.write(learners.find_or_add_learner, XIAOTANG, NOW)
    leaving = Timer(0.4, desk.close)
    leaving.start()
    move(server_url, f"sqlite:///{back}", tmp_path, say_nothing)
    leaving.join()
    with other_program(back) as connection:
        assert connection.execute("SELECT max(id) FROM learner").fetchall() == [(3,)]


def test_what_is_not_there_is_not_carried(server: PostgresServer, tmp_path: Path) -> None:
    """A path that was mistyped, an empty database: said with its name, and nothing is made."""
    server_url, missing, bare = server.without_tables(), tmp_path / "tangxu.bd", server.without_tables()
    with pytest.raises(CannotOpen, match=rf"没有{missing}这个文件.*第一个地址"):
        move(f"sqlite:///{missing}", server_url, tmp_path, say_nothing)
    with closing(sqlite3.connect(tmp_path / "other.db")) as connection:
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(CannotOpen, match=r"other\.db里没有糖序的表"):
        move(f"sqlite:///{tmp_path / 'other.db'}", server_url, tmp_path, say_nothing)
    with pytest.raises(CannotOpen, match=rf"{bare.rpartition('/')[2][:5]}.*里没有糖序的表"):
        move(bare, server_url, tmp_path, say_nothing)
    assert not missing.exists()
    assert revision_at(server_url) is None


@pytest.mark.long
def test_an_older_one_is_not_upgraded_in_passing(server: PostgresServer, full: Path, tmp_path: Path) -> None:
    target_url = server.without_tables()
    migrate(target_url, tmp_path)
    with other_program(target_url) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    with pytest.raises(CannotOpen, match="旧版本"):
        move(f"sqlite:///{full}", target_url, tmp_path, say_nothing)


@pytest.mark.parametrize(
    ("rows", "other_rows", "same"),
    [
        ([(1, "a"), (2, "b")], [(2, "b"), (1, "a")], True),
        ([(1, "a"), (2, "b")], [(1, "b"), (2, "a")], False),
        ([(1, "a")], [(1, "a"), (1, "a")], False),
        ([(1, None)], [(1, "")], False),
    ],
)
def test_rows_are_the_same_in_whatever_order(rows: list[Any], other_rows: list[Any], same: bool) -> None:
    sums = RowSum(), RowSum()
    for of, some in zip(sums, (rows, other_rows), strict=True):
        for row in some:
            of.add(row)
    assert (sums[0] == sums[1]) is same
