"""One column has one name in Python: that of its field. What SQL calls it is said once, beside the field."""

from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Mapper
from sqlmodel import SQLModel

from app.records.cards.tables import ReviewLog
from app.records.db.metadata import table
from tests.tables import each


@each("mapper", SQLModel._sa_registry.mappers)
def test_statements_know_a_column_by_the_name_of_its_field(mapper: Mapper[Any]) -> None:
    assert mapper.local_table.c.keys() == list(mapper.class_.model_fields)


def test_the_database_keeps_the_name_that_the_column_has_in_sql() -> None:
    state_query = select(table(ReviewLog).c.state_before)
    assert str(state_query) == "SELECT review_log.state \nFROM review_log"
