"""A lesson begins the workbench at a list; what cannot be read is found by the check of the content."""

import pytest
from pydantic import ValidationError

from app.course.learning.labs.workbench import MOST_DOCUMENTS, WorkbenchStart
from app.engine.conventions import CONVENTIONS
from tests.tables import each


def test_a_start_is_read_as_an_address() -> None:
    start = WorkbenchStart(list="3 0.9\n0 0.9", k=2, pool="3", convention="NDCG|ties:avg|pool:list|min:2|v:1")
    workbench_state = start.state_reading.state
    assert (workbench_state.k, [*workbench_state.unlisted_grades], workbench_state.convention) == (
        2,
        [3.0],
        CONVENTIONS["scikit-learn"],
    )


@each(
    "fields",
    [
        {"list": "火锅"},
        {"list": "3\n很甜"},
        {"list": "3 2", "pool": "x"},
        {"list": "3 2", "convention": "BLEU"},
        {"list": "3 2", "versus": "nobody"},
        {"list": " ".join("1" * (MOST_DOCUMENTS + 1))},
        {"list": ""},
    ],
)
def test_what_cannot_be_read_is_a_fault(fields: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        WorkbenchStart(**fields)  # type: ignore[arg-type]
