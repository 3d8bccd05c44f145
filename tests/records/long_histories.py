"""Long histories, and what a verb reads of them, counted."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from shutil import copyfile
from typing import Any

import pytest

from app.records.db.statements import ReusableStatement
from tests.records.cast import Desk


@dataclass
class Reads:
    """What was read: statements, and the rows that they gave."""

    statements: int = 0
    rows: int = 0


@contextmanager
def counted() -> Iterator[Reads]:
    """Everything that is read inside."""
    reads = Reads()
    send, run, stream = ReusableStatement.send, ReusableStatement.run, ReusableStatement.stream

    def counting_send(self: ReusableStatement, *arguments: Any) -> Any:
        reads.statements += 1
        return send(self, *arguments)

    def counting_run(self: ReusableStatement, *arguments: Any) -> Any:
        rows = run(self, *arguments)
        reads.rows += len(rows)
        return rows

    def counting_stream(self: ReusableStatement, *arguments: Any) -> Any:
        for row in stream(self, *arguments):
            reads.rows += 1
            yield row

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReusableStatement, "send", counting_send)
        patch.setattr(ReusableStatement, "run", counting_run)
        patch.setattr(ReusableStatement, "stream", counting_stream)
        yield reads


@pytest.fixture
def large_desk(migrated: Path, tmp_path: Path) -> Iterator[Desk]:
    """A second database."""
    file = tmp_path / "large.db"
    copyfile(migrated, file)
    opened = Desk(file)
    yield opened
    opened.close()
