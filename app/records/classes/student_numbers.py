"""What a student is called in a class: name, 学号 and 座号, put right by the teacher."""

from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Integer, and_, case, cast, func, update

from app.course.text.typed import name_key
from app.records.accounts.passwords import checked_display_name
from app.records.accounts.values import Caller
from app.records.classes import class_log, class_members, classrooms
from app.records.classes.classrooms import (
    ENROLMENT,
    HAS_PRESENT_NAMESAKE,
    IS_MEMBER,
    IS_OF_CLASS,
    IS_THIS_CLASS,
    IS_THIS_STUDENT,
)
from app.records.classes.roster_files import checked_seat, checked_student_number
from app.records.classes.tables import Classroom, Enrolment
from app.records.db.metadata import table
from app.records.db.portable import is_digits
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_update

NumberKind = Literal["number", "seat"]
MOST_SEAT_DIGITS = 3
"""Digits of a 座号 that shared its column with 学号."""

SET_DETAILS = prepared_update(Enrolment, IS_THIS_STUDENT, ["name", "name_key", "number", "seat"])


def set_student_details(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    student_name: str,
    student_number: str,
    typed_seat: str,
    now: datetime,
) -> None:
    """Another name, 学号 or 座号 in this class; the name to sign in with stays. Both may be empty.

    Refused for a 学号 that somebody else of the class has, and for a name that 学号 does not tell apart.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    student_name = checked_display_name(student_name, "名字", "name")
    student_number = checked_student_number(student_number)
    seat_number = checked_seat(typed_seat)
    class_members.expect_unused_name(session, classroom.id, student_name, student.id, student_number)
    session.run(
        SET_DETAILS,
        enrolment=student.id,
        name=student_name,
        name_key=name_key(student_name),
        number=student_number,
        seat=seat_number,
    )
    former_details = (student.name, student.student_number, student.seat)
    new_details = (student_name, student_number, seat_number)
    if new_details != former_details:
        log_detail = {"details": [former_details, new_details]}
        class_log.add_line(session, classroom, "student-details", log_detail, now, student.id)


SET_NUMBER = prepared_update(Enrolment, IS_THIS_STUDENT, ["number"])


def give_student_number(session: VerbSession, enrolment_id: int, student_number: str) -> None:
    """学号 of a student who had none."""
    session.run(SET_NUMBER, enrolment=enrolment_id, number=student_number)


SET_NUMBER_AT_DOOR = prepared_update(Classroom, IS_THIS_CLASS, ["number_at_door"])


def set_number_at_door(
    session: VerbSession, caller: Caller, classroom_id: int, asks_number: bool, now: datetime
) -> None:
    """Whether those who join by the code are asked for their 学号."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    if asks_number == classroom.number_at_door:
        return
    session.run(SET_NUMBER_AT_DOOR, classroom=classroom.id, number_at_door=asks_number)
    class_log.add_line(session, classroom, "number-at-door", {"asks": asks_number}, now)


SET_ASKS_NUMBER_KIND = prepared_update(Classroom, IS_THIS_CLASS, ["asks_number_kind"])
IS_SHORT_NUMBER = and_(func.length(ENROLMENT.number) <= MOST_SEAT_DIGITS, is_digits(ENROLMENT.number))
SHORT_NUMBER_CASE = (and_(ENROLMENT.number != "", IS_SHORT_NUMBER), cast(ENROLMENT.number, Integer))
# What is no number is not to be read as one, in whatever order this is done.
NUMBER_AS_SEAT: Any = case(SHORT_NUMBER_CASE)
IS_MOVABLE_NUMBER = (
    ENROLMENT.seat.is_(None),
    NUMBER_AS_SEAT > 0,
)
# Beside a namesake it stays 学号 too: nothing else tells them apart.
NUMBER_BESIDE_SEAT = case((and_(IS_MEMBER, HAS_PRESENT_NAMESAKE), ENROLMENT.number), else_="")
MOVE_NUMBERS_TO_SEATS = PreparedStatement(
    update(table(Enrolment))
    .where(IS_OF_CLASS, *IS_MOVABLE_NUMBER)
    .values(seat=NUMBER_AS_SEAT, number=NUMBER_BESIDE_SEAT)
)


def settle_number_kind(
    session: VerbSession, caller: Caller, classroom_id: int, number_kind: NumberKind, now: datetime
) -> None:
    """The teacher says what the small numbers of a class are; as 座号 they move to the column of their own,
    and those of namesakes stand in both.

    A second answer changes nothing.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    if not classroom.asks_number_kind:
        return
    if number_kind == "seat":
        session.run(MOVE_NUMBERS_TO_SEATS, classroom=classroom.id)
    session.run(SET_ASKS_NUMBER_KIND, classroom=classroom.id, asks_number_kind=False)
    class_log.add_line(session, classroom, "number-kind", {"kind": number_kind}, now)
