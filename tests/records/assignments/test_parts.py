"""What an assignment asks for: changed as its form has it, until somebody has begun."""

import pytest

from app.records.assignments import lookup
from app.records.assignments import parts as parts_verbs
from app.records.assignments.parts import Wishes
from app.records.db.errors import Refused
from tests.records.assigned import DCG, PRACTICE, TANG, TEACHER, Class

CHANGES = "SELECT action, detail FROM audit WHERE action = 'parts'"


def set_parts(room: Class, assignment: int, wishes: Wishes) -> None:
    room.desk.write(parts_verbs.set_parts, TEACHER, room.classroom, assignment, wishes, room.now)


def test_all_parts_are_set_as_the_form_has_them_and_it_is_noted_once(room: Class) -> None:
    assignment = room.assign(DCG, PRACTICE)
    item, practice = room.desk.read(lookup.parts_of, assignment)
    gone = practice.id + 100
    wishes: Wishes = {item.id: {"points": 2.0, "count": 9}, practice.id: {"count": 3}, gone: {"points": 5.0}}
    set_parts(room, assignment, wishes)
    set_parts(room, assignment, wishes)
    changed_parts = room.desk.read(lookup.parts_of, assignment)
    assert [(part.points, part.count) for part in changed_parts] == [(2.0, 1), (1.0, 3)]
    assert len(room.desk.rows(CHANGES)) == 1


@pytest.mark.usefixtures("tang")
def test_parts_that_are_refused_stay_as_they_were(room: Class) -> None:
    assignment = room.assign(DCG)
    [part] = before = room.desk.read(lookup.parts_of, assignment)
    with pytest.raises(Refused, match="0到100"):
        set_parts(room, assignment, {part.id: {"points": 101.0}})
    room.begin(TANG, assignment)
    with pytest.raises(Refused, match="已经有人开始"):
        set_parts(room, assignment, {part.id: {"points": 3.0}})
    assert room.desk.read(lookup.parts_of, assignment) == before
