"""Rows of any table, changed or removed by a condition."""

from typing import Any

from sqlalchemy import ColumnElement, Table, delete, update

from app.records.db.session import VerbSession

Condition = ColumnElement[bool]


def change(session: VerbSession, owned_table: Table, rows: Condition, **columns: Any) -> int:
    """Give these columns of the rows other values. How many rows there were."""
    statement = update(owned_table).where(rows).values(columns)
    return session.execute(statement).rowcount


def remove(session: VerbSession, owned_table: Table, rows: Condition) -> None:
    statement = delete(owned_table).where(rows)
    session.execute(statement)
