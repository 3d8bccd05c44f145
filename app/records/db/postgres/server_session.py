"""What a verb gets of a server: the same as of a file, with statements on their way."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from sqlalchemy import Connection, CursorResult, Executable

from app.records.db.postgres.pipeline import Pipeline
from app.records.db.session import Prepared, Row, VerbSession, fetch_rows


class ServerSession(VerbSession):
    """Statements that are prepared go through the pipeline; others through SQLAlchemy, when it is empty."""

    def __init__(self, connection: Connection, pipeline: Pipeline) -> None:
        super().__init__(connection, pipeline)
        self._pipeline = pipeline

    def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | list[Mapping[str, Any]] | None = None
    ) -> CursorResult[Any]:
        """Any statement, through SQLAlchemy."""
        self._pipeline.leave()
        return super().execute(statement, parameters)

    def later(self, statement: Prepared, /, **values: Any) -> Callable[[], list[Row]]:
        """The rows as they are at this moment, told with those of other statements."""
        return partial(fetch_rows, *statement.send(self.driver, self._dialect, values))

    def settle(self) -> None:
        """Wait for what was sent."""
        self._pipeline.settle()
