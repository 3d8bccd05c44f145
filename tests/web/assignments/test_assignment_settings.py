"""The form of settings says what holds, and what nobody touches in it goes on holding."""

from app.records.assignments.values import AssignmentRules
from tests.web.assignments.drafting import NUMERIC
from tests.web.taught import Term

UNUSUAL_SETTINGS = {
    "title": "'期中'",
    "note": "'带上尺子'",
    "opens_at": "'2090-03-01 08:30:00.000000'",
    "due_at": "'2090-03-02 21:45:00.000000'",
    "late_until": "'2090-03-05 12:15:00.000000'",
    "late_factor": "0.75",
    "passes": "3",
    "tries": "2",
    "minutes": "45",
    "hints": "false",
    "answers": "'due'",
    "counts": "'last'",
}
"""Setting → what a new assignment does not have, as SQL."""


def test_a_form_that_nobody_touched_changes_no_setting(term: Term) -> None:
    columns = ", ".join(AssignmentRules._fields)
    draft_path = term.draft(NUMERIC)
    usual_row = term.ledger.rows(f"SELECT {columns} FROM assignment")[0]
    changes = ", ".join(f"{name} = {UNUSUAL_SETTINGS[name]}" for name in AssignmentRules._fields)
    with term.ledger.other_program() as connection:
        connection.execute(f"UPDATE assignment SET {changes}")
    unusual_row = term.ledger.rows(f"SELECT {columns} FROM assignment")[0]
    assert all(usual != unusual for usual, unusual in zip(usual_row, unusual_row, strict=True))
    form = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    term.teacher.submit(form, "存下时间和规矩")
    assert term.ledger.rows(f"SELECT {columns} FROM assignment") == [unusual_row]
