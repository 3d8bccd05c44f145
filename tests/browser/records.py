"""A look into the database of the server, past all of the program."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Records:
    file: Path

    def count(self, table: str, where: str = "1 = 1") -> int:
        """Rows of a table."""
        database = sqlite3.connect(self.file)
        try:
            return int(database.execute(f"select count(*) from {table} where {where}").fetchone()[0])
        finally:
            database.close()

    @contextmanager
    def writes_held(self) -> Iterator[None]:
        """What is written meanwhile waits for the end of the block; pages are read as ever."""
        with closing(sqlite3.connect(self.file, timeout=20, isolation_level=None)) as database:
            database.execute("begin immediate")
            try:
                yield
            finally:
                database.execute("rollback")
