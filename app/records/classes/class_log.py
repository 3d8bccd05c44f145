"""改动记录 as it is written: a line for each thing that was done in a class, by whom.

What touches an assignment is noted by `assignments/audit.py`, which also reads the log.
"""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from app.records.classes.tables import Audit
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert

AUDIT = table(Audit).c
ASSIGNMENT_RULE_FIELDS = (
    *("title", "note", "opens_at", "due_at", "late_until", "late_factor"),
    *("passes", "tries", "hints", "answers", "counts", "minutes", "form"),
)
ADD_LINE = prepared_insert(Audit)
FIELDS_BY_ACTION: Mapping[str, Collection[str]] = {
    "staff-invited": ("role",),
    "staff-joined": ("role",),
    "staff-removed": ("role",),
    "staff-left": ("role",),
    "staff-carried": ("count",),
    "roster": ("new", "changed"),
    "student-details": ("details",),
    "student-out": (),
    "student-back": (),
    "student-moved": ("class",),
    "password": (),
    "time-factor": ("factor",),
    "number-kind": ("kind",),
    "number-at-door": ("asks",),
    "class-name": ("name",),
    "archive": (),
    "restore": ("archived_at",),
    "notice": ("text",),
    "group-added": ("group",),
    "group-renamed": ("group",),
    "group-removed": ("group",),
    "group-placed": ("group", "students"),
    "groups-split": ("count",),
    "total": (),
    "extra_column": ("added", "removed", "marks", "column", "title", "total"),
    "extra_marks": ("column", "students"),
    "publish": (),
    "take-back": (),
    "close": (),
    "reopen": ("closed_at",),
    "collect": ("papers", "left"),
    "pair": ("assignment", "form"),
    "copy": ("to", "class", "assignment"),
    "series-left": (),
    "assignees": ("everyone", "students"),
    "parts": ("added", "removed", "changed", "moved"),
    "settings": ASSIGNMENT_RULE_FIELDS,
    "due": ASSIGNMENT_RULE_FIELDS,
    "extension": ("due_at", "note"),
    "regrade": ("way", "questions", "reason", "students", "left"),
    "rubric": ("question", "points"),
    "question-mark": ("attempt", "question", "points", "reason"),
    "question-mark-back": ("attempt", "question", "points"),
    "override": ("points", "reason"),
    "override-back": ("points", "reason"),
    "excuse": ("points", "reason"),
    "excuse-back": ("points", "reason"),
    "carried": ("points", "reason"),
    "extra-carried": ("column", "mark", "reason"),
    "comment": (),
}
"""What is noted, and what a line of it may keep; where it may keep something, it always keeps some of it."""


def add_line(
    session: VerbSession,
    classroom: ClassRow,
    action: str,
    log_detail: Mapping[str, Any],
    now: datetime,
    enrolment_id: int | None = None,
    assignment_id: int | None = None,
) -> None:
    """Add a line of whoever asked for the class. `log_detail`: former, new, reason; stored as JSON.

    Names of a student stand only in a line about that student: it is emptied when they go; and where a line
    is about many, the points of that one (`my_data.json_without_points`). ValueError for a field that
    `FIELDS_BY_ACTION` does not have: the page of the log would have no words for it.
    """
    unknown_field_names = set(log_detail).difference(FIELDS_BY_ACTION[action])
    if unknown_field_names:
        raise ValueError(f"FIELDS_BY_ACTION[{action!r}] lacks {sorted(unknown_field_names)}")
    session.run(
        ADD_LINE,
        classroom_id=classroom.id,
        actor_id=classroom.actor_id,
        assignment_id=assignment_id,
        enrolment_id=enrolment_id,
        action=action,
        detail=detail_json_of(log_detail),
        created_at=now,
    )


def detail_json_of(log_detail: Mapping[str, Any]) -> str:
    """The details of a line as they are stored."""
    return json.dumps(log_detail, ensure_ascii=False, sort_keys=True)
