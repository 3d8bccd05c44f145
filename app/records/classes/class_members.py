"""What a teacher does with a student of a class: out, back in, to another class; names that nobody shares."""

import json
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.course.text.typed import name_key
from app.records.accounts.values import Caller
from app.records.classes import class_log, classrooms, groups
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, IS_OF_CLASS, IS_THIS_STUDENT
from app.records.classes.rights import Right
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_update

SET_REMOVED = prepared_update(Enrolment, IS_THIS_STUDENT, ["removed_at"])
SET_BACK = prepared_update(Enrolment, IS_THIS_STUDENT, ["removed_at", "absences"])


def remove_student(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, now: datetime
) -> None:
    """Out of the class; their work stays theirs, and they can be put back."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    if student.removed_at is None:
        take_out_of_class(session, student, now)
        class_log.add_line(session, classroom, "student-out", {}, now, student.id)


def take_out_of_class(session: VerbSession, student: Student, now: datetime) -> None:
    """Out of a class now; who is out already stays out since then."""
    if student.removed_at is None:
        session.run(SET_REMOVED, enrolment=student.id, removed_at=now)


def put_back_into_class(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, now: datetime
) -> None:
    """Into the class again; Refused while somebody else has the name."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    readmit(session, classroom.id, student, now)
    if student.removed_at is not None:
        class_log.add_line(session, classroom, "student-back", {}, now, student.id)


def readmit(
    session: VerbSession, classroom_id: int, student: Student, now: datetime, class_words: str = "班里"
) -> None:
    """Who was removed is in the class again; since when they were not is kept: what ended meanwhile is not
    theirs. Refused while somebody else has the name, and for a helper."""
    expect_no_helper(session, classroom_id, student.learner_id)
    expect_unused_name(
        session, classroom_id, student.name, student.id, student.student_number, class_words=class_words
    )
    if student.removed_at is not None:
        absences_json = absences_json_with(student.absences, student.removed_at, now)
        session.run(SET_BACK, enrolment=student.id, removed_at=None, absences=absences_json)


def absences_json_with(absences_json: str | None, left_at: datetime, back_at: datetime) -> str:
    """The absences of a student (see the column) with one more.

    >>> absences_json_with(None, datetime(2026, 9, 1), datetime(2026, 9, 3))
    '[["2026-09-01T00:00:00", "2026-09-03T00:00:00"]]'
    """
    absence_pairs = json.loads(absences_json or "[]")
    absence_pairs.append((left_at.isoformat(), back_at.isoformat()))
    return json.dumps(absence_pairs)


SET_TIME_FACTOR = prepared_update(Enrolment, IS_THIS_STUDENT, ["time_factor"])


def move_student(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    target_class_id: int,
    now: datetime,
) -> None:
    """Into another class of the same teacher. Whoever was in it before takes the old enrolment again, with
    the longer time of the two. A second click changes nothing."""
    source_class = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    target_class = classrooms.editable_class(session, caller, target_class_id, Right.OWN)
    if is_moved_already(session, classroom_id, enrolment_id, target_class_id):
        return
    student = classrooms.student_of_class(session, source_class.id, enrolment_id)
    former_student = classrooms.student_of_learner(session, target_class.id, student.learner_id)
    if source_class.id == target_class.id or (former_student and former_student.removed_at is None):
        raise Refused(f"{student.name}已经在那个班里了。")
    class_words = f"{target_class.name}里"
    if former_student:
        readmit(session, target_class.id, former_student, now, class_words)
        # An attempt may be running there: it gets no shorter.
        longer_time_factor = max(student.time_factor, former_student.time_factor)
        session.run(SET_TIME_FACTOR, enrolment=former_student.id, time_factor=longer_time_factor)
        take_out_of_class(session, student, now)
        log_move(session, source_class, target_class, student.id, now)
        return
    expect_no_helper(session, target_class.id, student.learner_id)
    expect_unused_name(
        session,
        target_class.id,
        student.name,
        student_number=student.student_number,
        class_words=class_words,
    )
    move_enrolment(session, student, source_class, target_class, now)
    groups.put_into_group(session, [student], None)
    log_move(session, source_class, target_class, student.id, now)


class FormerStay(NamedTuple):
    """When a student was in a class that they were moved from: what they need to be in it again as before.
    `absences`: as the column of this name."""

    joined_at: datetime
    left_at: datetime
    absences: str | None


FORMER_STAYS_OF_STUDENT = PreparedStatement(select(ENROLMENT.former_stays).where(IS_THIS_STUDENT))
MOVE_STUDENT = prepared_update(
    Enrolment, IS_THIS_STUDENT, ["classroom_id", "joined_at", "removed_at", "absences", "former_stays"]
)


def move_enrolment(
    session: VerbSession, student: Student, source_class: ClassRow, target_class: ClassRow, now: datetime
) -> None:
    """The enrolment into another class; into one that it was moved from once as it was there, so that what
    was missing still is. What ended between the two moves is not theirs."""
    former_stay_by_class_id = load_former_stay_by_class_id(session, student.id)
    former_stay_by_class_id[source_class.id] = FormerStay(
        student.joined_at, student.removed_at or now, student.absences
    )
    joined_at, absences_json = now, None
    former_stay = former_stay_by_class_id.pop(target_class.id, None)
    if former_stay is not None and is_stay_in(target_class, former_stay):
        joined_at = former_stay.joined_at
        absences_json = absences_json_with(former_stay.absences, former_stay.left_at, now)
    session.run(
        MOVE_STUDENT,
        enrolment=student.id,
        classroom_id=target_class.id,
        joined_at=joined_at,
        removed_at=None,
        absences=absences_json,
        former_stays=former_stays_json_of(former_stay_by_class_id),
    )


def is_stay_in(classroom: ClassRow, former_stay: FormerStay) -> bool:
    """Whether a stay under the number of a class was in this one: that of a class that was deleted may come
    again."""
    return former_stay.left_at >= classroom.created_at


def send_back(session: VerbSession, enrolment_id: int, present_class_id: int, former_class_id: int) -> None:
    """The enrolment to a class that it was moved from, as it was when it left: out of it since then."""
    student = classrooms.student_of_class(session, present_class_id, enrolment_id)
    former_stay_by_class_id = load_former_stay_by_class_id(session, enrolment_id)
    # Of older moves nobody kept more than the moment: the one when they came into the other class.
    momentary_stay = FormerStay(student.joined_at, student.joined_at, None)
    former_stay = former_stay_by_class_id.pop(former_class_id, momentary_stay)
    session.run(
        MOVE_STUDENT,
        enrolment=enrolment_id,
        classroom_id=former_class_id,
        joined_at=former_stay.joined_at,
        removed_at=former_stay.left_at,
        absences=former_stay.absences,
        former_stays=former_stays_json_of(former_stay_by_class_id),
    )
    groups.put_into_group(session, [student], None)


def load_former_stay_by_class_id(session: VerbSession, enrolment_id: int) -> dict[int, FormerStay]:
    """When a student was in other classes, by class."""
    [(former_stays_json,)] = session.all(FORMER_STAYS_OF_STUDENT, enrolment=enrolment_id)
    return former_stay_by_class_id_of(former_stays_json)


def former_stay_by_class_id_of(former_stays_json: str | None) -> dict[int, FormerStay]:
    """Stays by class, from the text that the enrolment has of them."""
    former_stay_by_class_id = {}
    stay_texts_by_id_text = json.loads(former_stays_json or "{}")
    for class_id_text, (joined_time_text, left_time_text, absences_json) in stay_texts_by_id_text.items():
        former_stay_by_class_id[int(class_id_text)] = FormerStay(
            datetime.fromisoformat(joined_time_text), datetime.fromisoformat(left_time_text), absences_json
        )
    return former_stay_by_class_id


def former_stays_json_of(former_stay_by_class_id: Mapping[int, FormerStay]) -> str | None:
    """Stays by class, as the enrolment keeps them.

    >>> former_stays_json_of({3: FormerStay(datetime(2026, 9, 1), datetime(2026, 9, 3), None)})
    '{"3": ["2026-09-01T00:00:00", "2026-09-03T00:00:00", null]}'
    """
    if not former_stay_by_class_id:
        return None
    stay_texts_by_class_id = {
        class_id: (former_stay.joined_at.isoformat(), former_stay.left_at.isoformat(), former_stay.absences)
        for class_id, former_stay in former_stay_by_class_id.items()
    }
    return json.dumps(stay_texts_by_class_id)


def moved_away_learner_ids(
    session: VerbSession, classroom: ClassRow, learner_ids: Collection[int]
) -> set[int]:
    """Those of these learners who were moved from this class into another: their work here hangs on the
    enrolment that they took along, and with a new one they would have every assignment before them again."""
    stays_query = select(ENROLMENT.learner_id, ENROLMENT.former_stays).where(
        ENROLMENT.learner_id.in_(list(learner_ids)), ENROLMENT.former_stays.is_not(None)
    )
    moved_learner_ids = set()
    for stay_row in session.execute(stays_query):
        former_stay = former_stay_by_class_id_of(stay_row.former_stays).get(classroom.id)
        if former_stay is not None and is_stay_in(classroom, former_stay):
            moved_learner_ids.add(stay_row.learner_id)
    return moved_learner_ids


def load_names_of_moved_students(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_ids: Collection[int]
) -> list[str]:
    """The names of those of these students who were moved from a class into another, for whoever teaches the
    first."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    names_query = select(ENROLMENT.name, ENROLMENT.former_stays).where(
        ENROLMENT.id.in_(list(enrolment_ids)), ENROLMENT.classroom_id != classroom.id
    )
    student_names = []
    for enrolment_row in session.execute(names_query.order_by(ENROLMENT.id)):
        former_stay = former_stay_by_class_id_of(enrolment_row.former_stays).get(classroom.id)
        if former_stay is not None and is_stay_in(classroom, former_stay):
            student_names.append(enrolment_row.name or "一位同学")
    return student_names


def is_moved_already(
    session: VerbSession, classroom_id: int, enrolment_id: int, target_class_id: int
) -> bool:
    """Whether a student is in another class by now, and in this one no more."""
    if classroom_id == target_class_id:
        return False
    enrolment_parameter = {"enrolment": enrolment_id}
    moved_student = session.first(classrooms.STUDENT, classroom=target_class_id, **enrolment_parameter)
    if moved_student is None:
        removed_student = session.first(classrooms.STUDENT, classroom=classroom_id, **enrolment_parameter)
        if removed_student is None or removed_student.removed_at is None:
            return False
        moved_student = classrooms.student_of_learner(session, target_class_id, removed_student.learner_id)
    return moved_student is not None and moved_student.removed_at is None


def log_move(
    session: VerbSession, source_class: ClassRow, target_class: ClassRow, enrolment_id: int, now: datetime
) -> None:
    """A line in the log of the class that a student left."""
    class_log.add_line(
        session, source_class, "student-moved", {"class": target_class.name}, now, enrolment_id
    )


STUDENTS_WITH_NAME = PreparedStatement(
    select(ENROLMENT.id, ENROLMENT.number).where(
        IS_OF_CLASS, IS_MEMBER, ENROLMENT.name_key == bindparam("name")
    )
)
STUDENTS_WITH_NUMBERS = PreparedStatement(
    select(ENROLMENT.id, ENROLMENT.name, ENROLMENT.number).where(
        IS_OF_CLASS, IS_MEMBER, ENROLMENT.number != ""
    )
)


class TakenName(Refused):
    """A name that another student of the class has."""


def expect_unused_name(
    session: VerbSession,
    classroom_id: int,
    student_name: str,
    own_enrolment_id: int = 0,
    student_number: str = "",
    advice_words: str = "加个字区分，或者两位都写上学号。",
    class_words: str = "班里",
) -> None:
    """TakenName when another student of the class has this name, Refused when one has this 学号: nobody
    shares either unknowingly.

    Two of one name are told apart by their 学号. `own_enrolment_id`: of the student who may have them
    already; `advice_words`: what else to do; `class_words`: where, as the sentence says it.
    """
    namesake_rows = session.all(STUDENTS_WITH_NAME, classroom=classroom_id, name=name_key(student_name))
    for namesake_enrolment_id, namesake_number in namesake_rows:
        are_told_apart = student_number != "" and namesake_number != ""
        if namesake_enrolment_id != own_enrolment_id and not are_told_apart:
            raise TakenName(f"{class_words}已经有一位“{student_name}”了。{advice_words}", "name")
    if not student_number:
        return
    number_key = name_key(student_number)
    # Compared here and not there: lists of old left numbers in other widths than they are typed in now.
    for other_enrolment_id, other_name, other_student_number in session.all(
        STUDENTS_WITH_NUMBERS, classroom=classroom_id
    ):
        if other_enrolment_id != own_enrolment_id and name_key(other_student_number) == number_key:
            raise Refused(f"学号“{student_number}”在{class_words}是{other_name}，核对一下是谁的。", "number")


def expect_no_helper(session: VerbSession, classroom_id: int, learner_id: int) -> None:
    """Refused where a learner who helps in a class would become its student: they could mark themselves."""
    if session.first(classrooms.ROLE_OF_LEARNER, classroom=classroom_id, learner=learner_id):
        raise Refused("在这个班帮着教的人，不能再当它的同学。")
