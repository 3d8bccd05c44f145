"""Every row about one learner, found from the tables themselves, so that a new table is in it from its first
day."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Table, or_, select
from sqlmodel import SQLModel

from app.records.accounts.tables import Learner
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.learning.tables import Attempt, Response


def tables_and_conditions_about(learner_id: int) -> Iterator[tuple[Table, ColumnElement[bool]]]:
    """Every table that hangs on a learner, on their attempts, answers or places in classes; which rows."""
    owner_ids_by_table = owner_ids_by_table_of(learner_id)
    learner_table = table(Learner)
    yield learner_table, learner_table.c.id == learner_id
    for source_table in SQLModel.metadata.sorted_tables:
        conditions = []
        for foreign_key in source_table.foreign_keys:
            parent_table_name = foreign_key.column.table.name
            if parent_table_name in owner_ids_by_table:
                conditions.append(foreign_key.parent.in_(owner_ids_by_table[parent_table_name]))
        if conditions:
            yield source_table, or_(*conditions)


def owner_ids_by_table_of(learner_id: int) -> dict[str, Any]:
    """What rows about a learner refer to, by table: the learner, their attempts, enrolments and answers."""
    attempt_table = table(Attempt)
    enrolment_table = table(Enrolment)
    response_table = table(Response)
    is_attempt_of_learner = attempt_table.c.learner_id == learner_id
    attempt_ids_query = select(attempt_table.c.id).where(is_attempt_of_learner)
    is_enrolment_of_learner = enrolment_table.c.learner_id == learner_id
    enrolment_ids_query = select(enrolment_table.c.id).where(is_enrolment_of_learner)
    response_ids_query = select(response_table.c.id).where(response_table.c.attempt_id.in_(attempt_ids_query))
    return {
        "learner": [learner_id],
        "attempt": attempt_ids_query,
        "enrolment": enrolment_ids_query,
        "response": response_ids_query,
    }
