"""Which corrections of an item are corrections of its key."""

import json
from typing import Any

import pytest

from app.course.authoring.snapshots import is_key_changed

COMMON_FIELDS: dict[str, Any] = {"skill": "dcg", "stem": "?"}
FIRST, SECOND, OTHER = (
    {"id": "a", "text": "甲", "right": True, "feedback": "对。"},
    {"id": "b", "text": "乙", "right": True, "feedback": "对。"},
    {"id": "c", "text": "丙", "right": False, "feedback": "不对。"},
)
LOW, HIGH, TIED = (
    {"id": "a", "text": "甲", "grade": 1},
    {"id": "b", "text": "乙", "grade": 3},
    {"id": "c", "text": "丙", "grade": 1},
)
NUMBER = {"quantity": "dcg", "grades": [3, 2, 0]}


def body(kind: str, **item_fields: Any) -> str:
    return json.dumps({"kind": kind, **COMMON_FIELDS, **item_fields})


def options_body(*options: dict[str, Any]) -> str:
    return body("multiple", options=options)


def fill_body(*accepted_texts: str) -> str:
    return body("fill", stem="____", blanks=[{"accept": accepted_texts}])


def order_body(*documents: dict[str, Any]) -> str:
    return body("order", documents=documents)


@pytest.mark.parametrize(
    ("former_body", "present_body", "is_changed"),
    [
        (options_body(FIRST, SECOND, OTHER), options_body(SECOND, FIRST, OTHER), False),
        (options_body(FIRST, SECOND, OTHER), options_body(FIRST, SECOND, {**OTHER, "text": "丁"}), False),
        (options_body(FIRST, SECOND, OTHER), options_body({**FIRST, "text": "丁"}, SECOND, OTHER), True),
        (options_body(FIRST, SECOND, OTHER), options_body(FIRST, {**SECOND, "right": False}, OTHER), True),
        (fill_body("倒排", "倒排索引"), fill_body("倒排索引", "倒排"), False),
        (fill_body("倒排", "倒拍"), fill_body("倒排", "倒排索引"), True),
        (order_body(LOW, HIGH, TIED), order_body(TIED, HIGH, LOW), False),
        (order_body(LOW, HIGH, TIED), order_body(LOW, HIGH, {**TIED, "grade": 2}), True),
        (body("numeric", question=NUMBER), body("numeric", question=NUMBER, stem="！"), False),
        (body("numeric", question=NUMBER), body("numeric", question={**NUMBER, "k": 1}), True),
    ],
)
def test_a_key_is_changed_where_other_answers_are_right(
    former_body: str, present_body: str, is_changed: bool
) -> None:
    assert is_key_changed(former_body, present_body) == is_changed
