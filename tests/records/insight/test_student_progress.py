"""When a student last did something in an attempt, as the list of what they did says it to their teacher."""

from datetime import datetime

import pytest

from app.records.assignments.time_limits import HAND_IN_GRACE
from app.records.grading import collecting
from app.records.insight import student_progress
from tests.records.assigned import COURSES, DAY, HOUR, TANG, TEACHER, Class
from tests.records.cast import NOW


def last_acted_at(room: Class, enrolment_id: int) -> datetime:
    student_data, _ = room.desk.read(
        student_progress.load_student_and_classes, TEACHER, room.classroom, enrolment_id, {}, ()
    )
    [listed_attempt] = student_data.listed_attempts
    return listed_attempt.last_acted_at


@pytest.mark.both_databases
@pytest.mark.parametrize("is_answered", [True, False])
@pytest.mark.parametrize("way", ["pressed", "collected", "swept"])
def test_only_who_hands_in_themselves_acts_by_it(room: Class, way: str, is_answered: bool) -> None:
    """Else they acted when they answered last or, without an answer, when they began."""
    student = room.join("小糖", "tang")
    assignment_id = room.assign(minutes=60)
    room.begin(TANG, assignment_id)
    expected_time = NOW
    if is_answered:
        room.now = expected_time = NOW + HOUR / 4
        room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + HOUR / 2
    if way == "pressed":
        room.hand_in(TANG, assignment_id)
        if not is_answered:
            expected_time = room.now
    elif way == "collected":
        room.now = NOW + 2 * DAY
        room.collect(assignment_id)
    else:
        room.now = NOW + HOUR + HAND_IN_GRACE
        [attempt_id] = room.desk.read(collecting.load_part_refs_of_overdue_attempts, room.now)
        assert room.desk.write(collecting.hand_in_at_time_up, attempt_id, COURSES, room.now)
    assert last_acted_at(room, student.id) == expected_time
