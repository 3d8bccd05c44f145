"""改动记录 in sentences: every action, with everything a line of it may say, and emptied."""

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from app.records.assignments.audit import AuditEntry, AuditPage
from app.records.assignments.values import AssignmentRules, NewPart
from app.records.classes.class_log import FIELDS_BY_ACTION
from app.records.classes.values import ClassRow
from app.records.db.statements import field_names
from app.web.grading.audit import DESCRIBER_BY_ACTION, WORDS_BY_PART_FIELD, AuditLine, audit_lines
from tests.web.graded import NOW

CLASS_ROW = ClassRow(1, "高一3班", NOW, None, "ABCDEF", None)
DUE_TIMES = [None, NOW.isoformat()]
EXAMPLE_BY_FIELD: Mapping[str, Any] = {
    "added": [2],
    "asks": True,
    "assignment": 8,
    "attempt": 1,
    "class": "高一4班",
    "closed_at": NOW.isoformat(),
    "column": "出勤",
    "count": 4,
    "details": [["小糖", "2026", ""], ["小塘", "2027", "3"]],
    "due_at": DUE_TIMES,
    "everyone": False,
    "factor": [1.0, 1.5],
    "group": "第一组",
    "kind": "seat",
    "late_factor": [1.0, 0.8],
    "late_until": DUE_TIMES,
    "left": [5],
    "mark": "88",
    "marks": 3,
    "moved": True,
    "name": ["高一3班", "高一（3）班"],
    "new": 2,
    "opens_at": DUE_TIMES,
    "papers": 2,
    "points": [None, 7.5],
    "question": 2,
    "questions": [2, 3],
    "reason": "过程对",
    "removed": [1],
    "role": "assistant",
    "students": [5],
    "text": ["", "明天带糖"],
    "title": ["第一周", "第一周甲"],
    "to": 2,
    "total": [10.0, 20.0],
    "way": "up",
}
"""What a line keeps under the name of a field, where its action has no example of its own."""
EXAMPLES_BY_ACTION: Mapping[str, Mapping[str, Any]] = {
    "extra_column": {"added": "出勤", "removed": "出勤"},
    "extra_marks": {"students": [[5, "", "9"]]},
    "group-renamed": {"group": ["第一组", "甜组"]},
    "parts": {
        "changed": [
            (number, {field_name: [former_value, new_value]})
            for number, (field_name, former_value, new_value) in enumerate(
                [
                    ("ref", "content:a", "content:b"),
                    ("points", 1.0, 2.5),
                    ("count", 1, 2),
                    ("level", 0, 2),
                    ("same", False, True),
                    ("bank", 0, 1),
                    ("bank", 1, 0),
                ],
                1,
            )
        ]
    },
    "regrade": {"students": [[5, 1.0, None]]},
    "roster": {"changed": 3},
}


def line_of(
    action: str, detail: Mapping[str, Any], student_name: str | None = "小糖", title: str | None = "第一周"
) -> AuditLine:
    """A line as its page has it."""
    stored_detail = json.loads(json.dumps(detail))
    audit_entry = AuditEntry(1, NOW, action, stored_detail, 7, title, 5, student_name, "王")
    audit_page = AuditPage(CLASS_ROW, (audit_entry,), {5: "小糖"})
    [line] = audit_lines(audit_page, ZoneInfo("UTC"))
    return line


def example_of(action: str, field_name: str) -> Any:
    examples = EXAMPLES_BY_ACTION.get(action, {})
    if field_name in examples:
        return examples[field_name]
    if field_name in EXAMPLE_BY_FIELD:
        return EXAMPLE_BY_FIELD[field_name]
    return [1, 2]


def test_every_action_that_is_noted_has_a_sentence() -> None:
    assert set(FIELDS_BY_ACTION) == set(DESCRIBER_BY_ACTION)
    setting_names = {*AssignmentRules._fields, "form"}
    assert setting_names == set(FIELDS_BY_ACTION["settings"]), "app/records/classes/class_log.py"
    assert {*WORDS_BY_PART_FIELD, "ref", "bank", "kind"} == set(field_names(NewPart))


@pytest.mark.parametrize("action", sorted(FIELDS_BY_ACTION))
def test_a_line_is_a_sentence_with_every_field_that_it_may_have_and_emptied(action: str) -> None:
    full_detail = {field_name: example_of(action, field_name) for field_name in FIELDS_BY_ACTION[action]}
    for field_name, example in full_detail.items():
        assert line_of(action, {field_name: example}).action_words
    line = line_of(action, full_detail)
    assert "None" not in " ".join([line.action_words, *line.detail_lines])
    emptied_line = line_of(action, {}, "已注销的同学")
    assert ("内容随注销清掉了" in emptied_line.action_words) == bool(full_detail)
    assert emptied_line.detail_lines == []


@pytest.mark.parametrize("action", ["regrade", "extra_marks"])
def test_of_a_line_about_many_the_points_went_with_their_student(action: str) -> None:
    line = line_of(action, {"students": [[5, None, None]]}, None)
    assert line.detail_lines == ["小糖：注销了，分数不再留着"]
    assert "没有人" not in line.action_words


def test_a_line_whose_words_went_with_its_student_says_that_and_nothing_else() -> None:
    """A granted extension read as withdrawn, more time as none, a mark as “从没有分改成没有分”."""
    words = "给已注销的同学在《第一周》上做过一处改动，内容随注销清掉了"
    for action in ("extension", "override", "question-mark", "rubric", "carried"):
        assert line_of(action, {}, "已注销的同学").action_words == words
    assert (
        line_of("time-factor", {}, "已注销的同学", None).action_words
        == "给已注销的同学做过一处改动，内容随注销清掉了"
    )
