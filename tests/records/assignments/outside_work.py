"""Parts of an assignment that are done elsewhere."""

from datetime import datetime, timedelta

import pytest

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.records.accounts.values import Caller
from app.records.assignments import outside_work
from app.records.assignments.values import NewPart, StudentAssignment
from app.records.classes import classrooms
from app.records.db.session import VerbSession
from app.records.learning import lesson_progress
from tests.records.assigned import TEACHER, Class, account
from tests.records.cast import NOW, Desk, section_of

SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


SECTION = NewPart("section", "content:concepts/sweetness")


@pytest.fixture
def room(desk: Desk) -> Class:
    account(desk, "王", "teacher", teacher=True)
    return Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", NOW))


def learn(room: Class, caller: Caller, at: datetime) -> None:
    room.desk.write(
        lesson_progress.save_place, caller, "content:concepts", section_of("sweetness"), 5, True, at
    )


def load_share_by_part_id(
    session: VerbSession,
    student_assignment: StudentAssignment,
    course_by_prefix: MarkingCourseByPrefix,
    counts_until: datetime,
) -> dict[int, float]:
    """How much of each part that makes no questions was done until `counts_until`, 0..1, by its id."""
    outside_log = outside_work.load_outside_log(session, student_assignment, course_by_prefix, counts_until)
    return outside_log.share_by_part_id_at(counts_until)
