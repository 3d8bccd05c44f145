"""A filled database, and ways to damage its file."""

import sqlite3
from contextlib import closing
from pathlib import Path

from app.records.accounts.values import Caller
from app.records.learning import responding
from tests.records.cast import COURSE, LESSON, NOW, Desk, answer

PAGE = 4096


def fill(file: Path, guests: int = 40) -> None:
    desk = Desk(file)
    for number in range(guests):
        caller = Caller(proposed_token=f"proposal-{number}")
        desk.write(responding.respond, caller, LESSON, answer("4.26"), COURSE, NOW)
    desk.close()


def page_of(file: Path, table: str) -> int:
    """The first page of a table's tree, from 1."""
    with closing(sqlite3.connect(file)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)).fetchone()
    return int(page)


def damage(file: Path, table: str = "response") -> None:
    """One page of zeros, as a disk leaves it."""
    with file.open("rb+") as handle:
        handle.seek((page_of(file, table) - 1) * PAGE)
        handle.write(bytes(PAGE))
