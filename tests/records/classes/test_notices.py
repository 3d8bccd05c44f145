"""A line from the teacher on the page of a class: who reads it, until when, and what is none."""

from datetime import timedelta

import pytest

from app.records.classes import classrooms, notices
from app.records.db.errors import NotFound, Refused
from app.records.insight import attended_class
from tests.records.assigned import COLLEAGUE, TANG, TEACHER, Class
from tests.records.cast import NOW


def set_notice(room: Class, text: str, days: int = 3) -> None:
    room.desk.write(notices.set_notice, TEACHER, room.classroom, text, days, NOW)


def test_students_read_it_until_its_day(room: Class) -> None:
    room.join("小糖", "tang")
    set_notice(room, " 周五  小测 ")
    joined = room.desk.read(attended_class.load_attended_class, TANG, room.classroom)
    [listed] = room.desk.read(classrooms.load_class_lists, TANG).joined_classes
    preview, _ = room.desk.read(attended_class.load_class_and_tasks, TEACHER, room.classroom)
    last_moment = NOW + timedelta(days=3) - timedelta(seconds=1)
    for page in (joined, listed, preview):
        assert page.current_notice(last_moment) == "周五 小测"
        assert page.current_notice(NOW + timedelta(days=3)) == ""
    set_notice(room, "")
    assert room.desk.read(attended_class.load_attended_class, TANG, room.classroom).current_notice(NOW) == ""


def test_it_stands_for_a_day_to_a_month(room: Class) -> None:
    for days in (1, 3, 7, 30):
        set_notice(room, f"挂{days}天", days)
        classroom = room.desk.read(classrooms.taught_class, TEACHER, room.classroom)
        assert classroom.notice_until == NOW + timedelta(days=days)


def test_what_is_no_line_is_refused_and_the_old_one_stands(room: Class) -> None:
    set_notice(room, "周五小测")
    with pytest.raises(Refused, match="最多200个字，现在有201个"):
        set_notice(room, "长" * 201)
    for days in (0, 2, 28, 31):
        with pytest.raises(Refused, match="挂几天"):
            set_notice(room, "周四小测", days)
    with pytest.raises(NotFound):
        room.desk.write(notices.set_notice, COLLEAGUE, room.classroom, "我的", 3, NOW)
    classroom = room.desk.read(classrooms.taught_class, TEACHER, room.classroom)
    assert classroom.current_notice(NOW) == "周五小测"
