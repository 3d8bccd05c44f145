"""Rows of any table, changed or removed by a condition."""

from typing import Any

from sqlalchemy import ColumnElement, Table, delete, update

from app.records.db.session import VerbSession

Condition = ColumnElement[bool]


def change_rows(
    session: VerbSession, owned_table: Table, condition: Condition, **values_by_field: Any
) -> int:
    """Give these fields of the rows other values. How many rows there were."""
    statement = update(owned_table).where(condition).values(values_by_field)
    return session.execute(statement).rowcount


def remove_rows(session: VerbSession, owned_table: Table, condition: Condition) -> None:
    statement = delete(owned_table).where(condition)
    session.execute(statement)
