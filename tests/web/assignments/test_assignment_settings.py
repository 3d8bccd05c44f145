"""The form of settings says what holds, and what nobody touches in it goes on holding."""

import json
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

from app.records.assignments.lifecycle import setting_by_name_of
from app.records.assignments.values import AssignmentRow, AssignmentRules
from app.web.assignments.assignment_settings import CHOICES_BY_SETTING, WORDS_BY_SETTING, form_text
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
SELDOM_SET_CHANGES = [
    f"{name} = {value}"
    for name, value in UNUSUAL_SETTINGS.items()
    if name not in ("title", "note", "opens_at", "due_at")
]
"""What stands below the times, each alone."""


def test_a_form_that_nobody_touched_changes_no_setting(term: Term) -> None:
    assert set(UNUSUAL_SETTINGS) == set(AssignmentRules._fields)
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


def test_a_form_of_another_tab_takes_back_nothing_that_it_did_not_touch(term: Term) -> None:
    columns = ", ".join((*AssignmentRules._fields, "form"))
    draft_path = term.draft(NUMERIC)
    form_of_other_tab = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    changes = ", ".join(f"{name} = {UNUSUAL_SETTINGS[name]}" for name in AssignmentRules._fields)
    with term.ledger.other_program() as connection:
        connection.execute(f"UPDATE assignment SET {changes}, form = 'pre'")
    [unusual_row] = term.ledger.rows(f"SELECT {columns} FROM assignment")
    note_index = AssignmentRules._fields.index("note")
    term.teacher.submit(form_of_other_tab, "存下时间和规矩", note="写过程")
    [row] = term.ledger.rows(f"SELECT {columns} FROM assignment")
    assert row[note_index] == "写过程"
    assert [*row[:note_index], *row[note_index + 1 :]] == [
        *unusual_row[:note_index],
        *unusual_row[note_index + 1 :],
    ]


def test_a_refused_form_of_another_tab_takes_back_nothing_either(term: Term) -> None:
    """It comes again with what it was opened with, not with what holds by then."""
    draft_path = term.draft(NUMERIC)
    form_of_other_tab = term.teacher.open(draft_path).form(f"{draft_path}/settings")
    term.set_up(draft_path, title="截断k")
    page = term.teacher.submit(form_of_other_tab, "存下时间和规矩", status=422, minutes="很久")
    term.teacher.submit(page.form(f"{draft_path}/settings"), "存下时间和规矩", minutes="45")
    assert term.ledger.rows("SELECT title, minutes FROM assignment") == [("截断k", 45)]


@pytest.mark.parametrize("change", [*SELDOM_SET_CHANGES, "form = 'pre'"])
def test_rules_that_few_change_are_folded_until_one_is_another(term: Term, change: str) -> None:
    draft_path = term.draft(NUMERIC)
    term.set_up(draft_path, title="截断k", note="写过程")
    rules = term.teacher.open(draft_path).main.one("details", class_="more-rules")
    assert "open" not in rules.attributes
    with term.ledger.other_program() as connection:
        connection.execute(f"UPDATE assignment SET {change}")
    rules = term.teacher.open(draft_path).main.one("details", class_="more-rules")
    assert "open" in rules.attributes


@pytest.mark.parametrize("name", CHOICES_BY_SETTING)
def test_what_is_chosen_anew_once_it_is_published_is_noted(term: Term, name: str) -> None:
    """The log has a line of it: `ASSIGNMENT_RULE_FIELDS` in app/records/classes/class_log.py has its name."""
    draft_path = term.draft(NUMERIC)
    term.publish(draft_path)
    former_value = getattr(AssignmentRow(), name)
    [new_value, *_] = [value for value in CHOICES_BY_SETTING[name] if value != former_value]
    wishes: dict[str, Any] = {name: form_text(new_value)}
    term.set_up(draft_path, **wishes)
    [(detail_json,)] = term.ledger.rows("SELECT detail FROM audit WHERE action = 'settings'")
    assert json.loads(detail_json) == {name: [former_value, new_value]}


def test_every_setting_has_its_words() -> None:
    assert set(WORDS_BY_SETTING) == set(setting_by_name_of(AssignmentRow()))


def test_every_option_of_a_setting_is_offered() -> None:
    for setting_name, setting_type in get_type_hints(AssignmentRules).items():
        options: tuple[Any, ...] = ()
        if setting_type is bool:
            options = (True, False)
        elif get_origin(setting_type) is Literal:
            options = get_args(setting_type)
        if options:
            assert set(CHOICES_BY_SETTING.get(setting_name, ())) == set(options), setting_name


def test_the_form_offers_what_a_new_draft_has() -> None:
    draft = AssignmentRow()
    for setting_name, words_by_value in CHOICES_BY_SETTING.items():
        assert getattr(draft, setting_name) in words_by_value, setting_name
