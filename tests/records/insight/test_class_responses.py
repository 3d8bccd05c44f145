"""All answers of a class: whose, from where, and never what another teacher assigned."""

import hmac
import re
from collections.abc import Mapping

import pytest
from sqlalchemy import update

from app.records.accounts.tables import SiteSecret
from app.records.classes import class_members, classrooms, joining
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.insight import class_responses
from app.records.learning.responding import respond
from tests.records import gradebook_term
from tests.records.assigned import COLLEAGUE, DCG, TANG, TEACHER, Class
from tests.records.cast import COURSE, LESSON, NOW, Desk, answer


def lines(room: Class) -> dict[str, list[tuple[str, str | None, str, str | None]]]:
    """Source, title, what was typed and the verdict, by student."""
    students = room.desk.read(
        class_responses.load_class_and_students, TEACHER, room.classroom
    ).gradebook_students
    counts = {}
    for student in students:
        where = (TEACHER, room.classroom, student)
        responses = room.desk.read(class_responses.load_responses, *where)
        counts[student.name] = [
            (response.source, response.title, response.typed_text, response.verdict) for response in responses
        ]
    return counts


def hand_in(room: Class, assignment_id: int, text: str) -> None:
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, text)
    room.hand_in(TANG, assignment_id)


def test_every_answer_that_its_teacher_may_read(desk: Desk, room: Class) -> None:
    tang = room.join("小糖", "tang")
    room.join("小序", "xu")
    hand_in(room, room.assign(DCG), "6")
    desk.write(respond, TANG, LESSON, answer("4.26"), COURSE, NOW)
    assigned = ("assignment", "第一周", "6", "wrong")
    assert lines(room) == {"小糖": [assigned, ("lesson", None, "4.26", "right")], "小序": []}
    desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW)
    assert lines(room) == {"小序": [], "小糖": [assigned]}, "of who left, what they did for the class"
    with pytest.raises(NotFound):
        desk.read(class_responses.load_class_and_students, COLLEAGUE, room.classroom)
    [student, *_] = desk.read(
        class_responses.load_class_and_students, TEACHER, room.classroom
    ).gradebook_students
    with pytest.raises(NotFound):
        desk.read(class_responses.load_responses, COLLEAGUE, room.classroom, student)


def test_what_another_teacher_assigned_is_theirs_alone(desk: Desk, room: Class) -> None:
    room.join("小糖", "tang")
    other_class = Class(desk, desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW))
    code = desk.read(classrooms.taught_class, COLLEAGUE, other_class.classroom).code
    desk.write(joining.join_class, TANG, code, "小糖", "here", NOW)
    parts = [("item", "content:dcg-at-3", 1.0)]
    assignment_id = desk.write(gradebook_term.set_up, other_class.classroom, "别的", parts, NOW)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    assert desk.count("response") == 1
    assert lines(room) == {"小糖": []}


def test_codes_of_students_come_from_the_secret_of_the_site(desk: Desk, room: Class) -> None:
    """The same in every file; another site has others for the same numbers of rows."""
    tang = room.join("小糖", "tang")
    room.join("小序", "xu")

    def pseudonyms() -> Mapping[int, str]:
        class_and_students = desk.read(class_responses.load_class_and_students, TEACHER, room.classroom)
        return class_and_students.pseudonym_by_enrolment_id

    first = pseudonyms()
    assert pseudonyms() == first
    assert len(set(first.values())) == 2
    desk.write(lambda session: session.execute(update(table(SiteSecret)).values(value="5e" * 32)))
    assert pseudonyms()[tang.id] != first[tang.id]


def test_no_code_looks_like_a_number() -> None:
    """A spreadsheet makes 12 of 0000000012, and writes 12e3456789 in its own way."""
    codes = [class_responses.pseudonym(b"secret", 1, enrolment_id) for enrolment_id in range(20_000)]
    assert not [code for code in codes if re.fullmatch("0[0-9]+|[0-9]+e[0-9]+", code)]
    first_digits = hmac.digest(b"secret", b"student 1:7", "sha256").hex()[:10]
    assert codes[7] == first_digits, "the others stay as they were"
