"""What all tables share: how their constraints are named, and how verbs reach their columns.

An index over some rows says which ones for SQLite alone; `postgres.dialect` takes it over from there, and
its migration says it for both. Naming that dialect in a table loads it at every start: 40 ms and 3 MB.
"""

from typing import Any

from sqlalchemy import Column, Table
from sqlmodel import Field, SQLModel

SQLModel.metadata.naming_convention = {
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
    "pk": "pk_%(table_name)s",
}


COLUMN_NAME = "column_name"
"""Under this key a column keeps the name that it has in SQL, where that is not the name of its field."""


class StoredRow(SQLModel):
    """The base of every table: its constraints have names by which a later migration can find them.

    Rows come from statements and are never validated, so what pydantic would validate them by is not built:
    15 ms of a start.
    """

    model_config = {"defer_build": True}

    @classmethod
    def __table_cls__(cls, *args: Any, **options: Any) -> Table:
        """SQLAlchemy builds the table of a model by this: what has a name of its own gets it."""
        for column in args:
            if isinstance(column, Column):
                column.name = column.info.get(COLUMN_NAME, column.name)
        return Table(*args, **options)


class IdentifiedRow(StoredRow):
    """The base of a table whose rows are numbered by the database, in the column `id`."""

    id: int | None = Field(default=None, primary_key=True)


def owner_key(key: str, **field_options: Any) -> Any:
    """A field that names the row of another table with which this one goes: its key, `learner.id`."""
    return Field(foreign_key=key, ondelete="CASCADE", **field_options)


def column_named(column_name: str, **field_options: Any) -> Any:
    """A field whose column has a name of its own: some columns are older than the name of their field.

    Statements know it by its field, `table(ReviewLog).c.state_before`; SQL alone says `state`.
    """
    return Field(sa_column_kwargs={"info": {COLUMN_NAME: column_name}}, **field_options)


def table(table_class: type[SQLModel]) -> Table:
    """The SQLAlchemy table of a model: verbs write their statements on its columns, `table(Learner).c.id`."""
    stored_table: Table = table_class.__table__  # type: ignore[attr-defined]
    return stored_table
