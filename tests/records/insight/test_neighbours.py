"""Classes of one teacher beside each other: what is read of one is of its students and its work alone."""

from datetime import timedelta
from typing import NamedTuple

from app.records.accounts.values import Caller
from app.records.assignments.values import AssignmentKey, NewPart
from app.records.classes import classrooms, joining
from app.records.grading.values import CellKey
from app.records.insight import (
    class_progress,
    class_responses,
    discussions,
    item_stats,
    misconceptions,
    pre_post,
    student_progress,
    today,
    work_signs,
)
from app.records.learning import lesson_progress, responding
from tests.records.assigned import DCG, PRACTICE, TEACHER, Class, account
from tests.records.cast import COURSE, LESSON, NOW, STAGE, WHY, Desk, answer
from tests.records.long_histories import large_desk as lonely_desk
from tests.records.neighbours import without_ids

__all__ = ["lonely_desk"]

LATER = NOW + timedelta(minutes=30)


class Taught(NamedTuple):
    """A class with two students and two assignments: one that is handed in, and one that goes on."""

    room: Class
    assignment_ids: tuple[int, int]


def teach(
    desk: Desk, class_name: str, logins: tuple[str, str], texts: tuple[str, ...], item: NewPart = DCG
) -> Taught:
    room = Class(desk, desk.write(classrooms.create_class, TEACHER, class_name, NOW))
    for login in logins:
        room.desk.write(joining.join_class, Caller(login), room.code(), login, "here", NOW)
    handed_in, running = room.assign(item, PRACTICE, answers="at_once"), room.assign(item, answers="at_once")
    for login in logins:
        room.begin(Caller(login), handed_in)
        for number in (1, 2):
            room.answer(Caller(login), handed_in, number, texts[0])
        room.hand_in(Caller(login), handed_in)
    room.begin(Caller(logins[0]), running)
    for try_number, text in enumerate(texts, 1):
        room.answer(Caller(logins[0]), running, 1, text, try_number)
    return Taught(room, (handed_in, running))


def learn(desk: Desk, logins: tuple[str, str], minutes: int) -> None:
    """Each comes for the first time, and learns a little by themselves."""
    for step_number, login in enumerate(logins, 2):
        account(desk, login, login)
        moment = NOW + timedelta(minutes=minutes + step_number)
        desk.write(lesson_progress.save_place, Caller(login), STAGE, WHY, step_number, False, moment)
        text = str(minutes)
        desk.write(responding.respond, Caller(login), LESSON, answer(text), COURSE, moment)


def read_class(desk: Desk, taught: Taught) -> list[object]:
    classroom = taught.room.classroom
    whole_class = desk.read(class_responses.load_class_and_students, TEACHER, classroom)
    page_data: list[object] = [
        desk.read(class_progress.load_class, TEACHER, classroom),
        desk.read(class_progress.load_student_count_by_item_ref, TEACHER, classroom),
        whole_class._replace(pseudonym_by_enrolment_id={}),
        desk.read(pre_post.load_class_and_pre_post, TEACHER, classroom),
        desk.read(today.load_today, TEACHER, classroom, LATER),
        desk.read(today.load_classes_and_summaries, TEACHER, LATER)[1][classroom],
    ]
    for student in whole_class.gradebook_students:
        page_data.append(desk.read(class_responses.load_responses, TEACHER, classroom, student))
        student_and_classes = desk.read(
            student_progress.load_student_and_classes, TEACHER, classroom, student.id, {}, ()
        )
        page_data.append(student_and_classes[0])
        for assignment_id in taught.assignment_ids:
            cell_key = CellKey(classroom, assignment_id, student.id)
            page_data.append(desk.read(work_signs.load_cell_page, TEACHER, cell_key, LATER))
    for scope_id in (None, *taught.assignment_ids):
        page_data.append(desk.read(item_stats.load_item_stats, TEACHER, classroom, scope_id))
        page_data.append(desk.read(misconceptions.load_misconceptions, TEACHER, classroom, scope_id))
    for assignment_id in taught.assignment_ids:
        key = AssignmentKey(classroom, assignment_id)
        page_data.append(desk.read(discussions.load_discussion, TEACHER, key, 1))
    return page_data


def test_what_is_read_of_a_class_is_of_that_class(desk: Desk, lonely_desk: Desk) -> None:
    """Its students are in a class of a colleague too, of whose work its teacher reads nothing."""
    students = ("小糖", "小序")
    for any_desk in (desk, lonely_desk):
        account(any_desk, "王", "teacher", teacher=True)
        account(any_desk, "李", "colleague", teacher=True)
    learn(lonely_desk, students, 10)
    alone = teach(lonely_desk, "高一3班", students, ("6", "5"))
    for logins, minutes in ((("小圆", "小方"), 20), (students, 10), (("小林", "小周"), 30)):
        learn(desk, logins, minutes)
    teach(desk, "高一2班", ("小圆", "小方"), ("5", "6", "4"))
    between = teach(desk, "高一3班", students, ("6", "5"))
    teach(desk, "高一4班", ("小林", "小周"), ("4",))
    teach(desk, "数学社", students, ("5", "6", "7"), NewPart("item", "content:idcg"))
    with desk.other_program() as connection:
        colleague_query = "SELECT learner_id FROM account WHERE login = ?"
        new_teacher = f"UPDATE classroom SET teacher_id = ({colleague_query}) WHERE name = ?"
        connection.execute(new_teacher, ("李", "数学社"))
    assert without_ids(read_class(desk, between)) == without_ids(read_class(lonely_desk, alone))
