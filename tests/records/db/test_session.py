"""Rows by name: a statement whose columns do not fit the fields of its row is refused when it is written.

A list of values in a statement is refused when it is first run.
"""

from typing import NamedTuple

import pytest
from sqlalchemy import literal, select

from app.records.accounts.tables import Learner
from app.records.db.metadata import table
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from tests.records.cast import Desk

learner = table(Learner).c


class Zone(NamedTuple):
    id: int
    time_zone: str
    here: bool = False


class Swapped(NamedTuple):
    time_zone: str
    id: int


def test_columns_in_the_order_of_the_fields_are_taken() -> None:
    RowQuery(Zone, select(learner.id, learner.time_zone))
    RowQuery(Swapped, select(*columns_of(Learner, Swapped)))


def test_a_column_in_the_place_of_another_is_refused() -> None:
    with pytest.raises(TypeError, match="time_zone"):
        RowQuery(Swapped, select(learner.id, learner.time_zone))


def test_a_column_without_a_field_is_refused() -> None:
    with pytest.raises(TypeError, match="created_at"):
        RowQuery(Swapped, select(learner.time_zone, learner.id, learner.created_at))


LEARNERS_OF_LIST = PreparedStatement(select(learner.id).where(learner.id.in_([1, 2])))
LEARNERS_OF_LITERALS = PreparedStatement(select(learner.id).where(learner.id.in_([literal(1), literal(2)])))


def test_a_list_of_values_is_refused(desk: Desk) -> None:
    with pytest.raises(TypeError, match="is_one_of"):
        desk.read(lambda session: session.all(LEARNERS_OF_LIST))


def test_values_that_are_literals_are_taken(desk: Desk) -> None:
    assert desk.read(lambda session: session.all(LEARNERS_OF_LITERALS)) == []
