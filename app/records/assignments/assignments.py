"""What a teacher does with assignments, in one place: the verbs by the name `assignments`."""

from app.records.assignments.drafts import SET_PAIR, add, blank, copy, create, follow_up, just_made, remove
from app.records.assignments.extensions import extend, postpone
from app.records.assignments.lifecycle import ADD_ASSIGNEE, close, give_to, publish, reopen, set_up
from app.records.assignments.lookup import (
    assignees_of,
    get,
    listed,
    of_class,
    opened,
    parts_of,
    submissions_of,
)
from app.records.assignments.parts import add_parts, move_part, part_in, put, remove_part, set_parts
from app.records.assignments.rules import LONGEST_TITLE

__all__ = [
    "ADD_ASSIGNEE",
    "LONGEST_TITLE",
    "SET_PAIR",
    "add",
    "add_parts",
    "assignees_of",
    "blank",
    "close",
    "copy",
    "create",
    "extend",
    "follow_up",
    "get",
    "give_to",
    "just_made",
    "listed",
    "move_part",
    "of_class",
    "opened",
    "part_in",
    "parts_of",
    "postpone",
    "publish",
    "put",
    "remove",
    "remove_part",
    "reopen",
    "set_parts",
    "set_up",
    "submissions_of",
]
