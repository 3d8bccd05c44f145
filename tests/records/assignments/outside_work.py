"""Parts of an assignment that are done elsewhere."""

from datetime import datetime, timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.assignments.values import NewPart
from app.records.classes import classrooms
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
