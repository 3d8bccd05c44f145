"""What the teacher's page of an assignment is given: what belongs to it, and nothing of its neighbours."""

import pytest

from app.records.accounts.values import Caller
from app.records.assignments import audience, lifecycle, lookup
from app.records.assignments.values import AssignmentKey, Audience, MarkByHand, NewPart
from app.records.classes import class_members, classrooms, groups
from app.records.classes.rights import Right
from app.records.classes.values import Student
from app.records.db.errors import NotPermitted
from app.records.grading import mark_overrides
from app.records.grading.values import CellKey
from app.records.insight import pre_post
from app.records.people import class_staff
from tests.records.assigned import COLLEAGUE, DAY, DCG, TANG, TEACHER, XU, Class, account
from tests.records.cast import NOW


def page_of(room: Class, assignment_id: int) -> lookup.AssignmentPage:
    return room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment_id))


@pytest.mark.usefixtures("tang", "xu")  # who came first
def test_a_page_has_what_belongs_to_its_assignment_and_class(room: Class, tang: Student) -> None:
    room.desk.write(groups.add_group, TEACHER, room.classroom, "第一组", NOW)
    assignment_id, neighbour_id = room.assign(DCG, publish=False), room.assign(DCG, DCG)
    chosen = Audience(False, [tang.id], [])
    room.desk.write(audience.change_audience, TEACHER, room.key(assignment_id), chosen, NOW)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), NOW)
    room.begin(TANG, assignment_id)
    room.begin(TANG, neighbour_id)
    page = page_of(room, assignment_id)
    assert (page.classroom.id, page.assignment.id) == (room.classroom, assignment_id)
    assert [part.assignment_id for part in page.parts] == [assignment_id]
    assert [student.name for student in page.students] == ["小糖", "小序"]
    assert page.assignee_ids == {tang.id}
    assert page.receivers == (tang,)
    assert [(entry.assignment_id, entry.enrolment_id) for entry in page.attempts] == [
        (assignment_id, tang.id)
    ]
    assert [listed.id for listed in page.running_classes] == [room.classroom]
    assert [group.name for group in page.groups] == ["第一组"]
    assert page.paired_tests == ()


def test_who_has_left_stays_chosen_whoever_else_is(room: Class, tang: Student, xu: Student) -> None:
    assignment_id = room.assign(DCG)
    room.desk.write(
        audience.change_audience, TEACHER, room.key(assignment_id), Audience(False, [tang.id, xu.id]), NOW
    )
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, NOW)
    room.desk.write(audience.change_audience, TEACHER, room.key(assignment_id), Audience(False, [xu.id]), NOW)
    assert page_of(room, assignment_id).assignee_ids == {tang.id, xu.id}


def test_giving_one_assignment_to_others_leaves_its_neighbour(
    room: Class, tang: Student, xu: Student
) -> None:
    assignment_id, neighbour_id = room.assign(DCG), room.assign(DCG)
    for given_id, student in ((assignment_id, tang), (neighbour_id, tang), (assignment_id, xu)):
        chosen = Audience(False, [student.id], [])
        room.desk.write(audience.change_audience, TEACHER, room.key(given_id), chosen, NOW)
    assert page_of(room, assignment_id).assignee_ids == {xu.id}
    assert page_of(room, neighbour_id).assignee_ids == {tang.id}


def test_its_parts_are_read_without_the_students(room: Class, monkeypatch: pytest.MonkeyPatch) -> None:
    assignment_id, _ = room.assign(DCG, DCG), room.assign(DCG)
    page = page_of(room, assignment_id)
    monkeypatch.setattr(classrooms, "load_present_students", None)
    monkeypatch.setattr(lookup, "attempts_of_assignment", None)
    content = room.desk.read(lookup.load_assignment_with_parts, TEACHER, room.key(assignment_id))
    assert content == (page.classroom, page.assignment, page.parts)
    assert content.newest_part_id == page.newest_part_id == content.parts[-1].id


def test_each_test_of_a_pair_has_the_others_beside_it(room: Class) -> None:
    pre_test_id, stranger_id = room.assign(DCG), room.assign(DCG)
    post_test_id = room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(pre_test_id), NOW)
    room.desk.write(pre_post.create_post_test_draft, TEACHER, room.key(stranger_id), NOW)
    assert [(test.id, test.form) for test in page_of(room, pre_test_id).paired_tests] == [
        (post_test_id, "post")
    ]
    assert [(test.id, test.form) for test in page_of(room, post_test_id).paired_tests] == [
        (pre_test_id, "pre")
    ]


def test_the_list_has_the_parts_of_each_assignment(room: Class) -> None:
    room.assign(DCG)
    room.assign(DCG, DCG)
    _classroom, listed = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)
    assert [len(entry.parts) for entry in listed] == [2, 1]


def test_a_page_has_the_extensions_the_decisions_and_the_attempts_of_its_assignment(
    room: Class, tang: Student, xu: Student
) -> None:
    for due_at in (NOW + DAY, NOW + 2 * DAY):
        assignment_id = room.assign(DCG, due_at=NOW + DAY / 2)
        room.extend(assignment_id, tang, due_at)
        marked, excused = (CellKey(room.classroom, assignment_id, student.id) for student in (tang, xu))
        room.begin(TANG, assignment_id)
        room.hand_in(TANG, assignment_id)
        room.desk.write(mark_overrides.override_mark, TEACHER, marked, "0.5", "口头补答", NOW)
        room.desk.write(mark_overrides.excuse_student, TEACHER, excused, "病假", NOW)
    room.extend(room.assign(DCG, due_at=NOW + DAY), tang, NOW + 3 * DAY)
    page = page_of(room, assignment_id)
    assert [(student, row.due_at) for student, row in page.extension_by_enrolment_id.items()] == [
        (tang.id, due_at)
    ]
    assert page.hand_mark_by_enrolment_id == {tang.id: MarkByHand(0.5), xu.id: MarkByHand(excused=True)}
    assert page_of(room, room.assign(DCG)).hand_mark_by_enrolment_id == {}
    assert [attempt.assignment_id for attempt in page.attempts_of(tang.id)] == [assignment_id]
    assert page.attempts_of(xu.id) == ()


def test_the_list_counts_those_whom_each_is_for_who_began_and_who_handed_in(room: Class) -> None:
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    for name, token in (("小糖", "tang"), ("小序", "xu"), ("小明", "ming"), ("小红", "hong")):
        room.join(name, token)
    room.assign(DCG)
    assignment_id = room.assign(DCG)
    for caller in (TANG, XU, Caller("ming")):
        room.begin(caller, assignment_id)
    room.hand_in(TANG, assignment_id)
    classroom, listed = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)
    assert classroom.id == room.classroom
    counts = [(entry.student_count, entry.starter_count, entry.handed_in_count) for entry in listed]
    assert counts == [(4, 3, 1), (4, 0, 0)]


def test_who_only_reads_sees_the_page_of_a_second_class_and_may_not_mark_there(room: Class) -> None:
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    assignment_id = [room.assign(DCG) for _ in range(3)][-1]
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "reader", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    key = AssignmentKey(room.classroom, assignment_id)
    assert room.desk.read(lookup.load_assignment_page, COLLEAGUE, key).assignment.id == assignment_id
    with pytest.raises(NotPermitted):
        room.desk.read(lookup.load_assignment_page, COLLEAGUE, key, Right.MARK)


def test_each_role_finds_an_assignment_by_the_right_that_it_has(room: Class) -> None:
    key = room.key(room.assign(DCG))
    callers = {"reader": Caller("reader"), "assistant": Caller("assistant"), "co-teacher": COLLEAGUE}
    for role, caller in callers.items():
        if caller != COLLEAGUE:
            account(room.desk, role, role)
        token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, role, NOW)
        room.desk.write(class_staff.accept_role, caller, token, NOW)
        taught_assignment = room.desk.read(lookup.taught_assignment, caller, key)
        content = room.desk.read(lookup.load_assignment_with_parts, caller, key)
        page = room.desk.read(lookup.load_assignment_page, caller, key)
        assert taught_assignment.assignment == content.assignment == page.assignment
    for role in ("reader", "assistant"):
        with pytest.raises(NotPermitted):
            room.desk.read(lookup.editable_assignment, callers[role], key)
    assert room.desk.read(lookup.editable_assignment, COLLEAGUE, key).key == key


def test_of_what_a_teacher_decides_about_a_student_the_last_word_at_that_assignment_counts(
    room: Class, tang: Student, xu: Student
) -> None:
    first_id, second_id = room.assign(DCG), room.assign(DCG)
    tang_at_first, xu_at_first, tang_at_second = (
        CellKey(room.classroom, assignment_id, student.id)
        for assignment_id, student in ((first_id, tang), (first_id, xu), (second_id, tang))
    )
    room.desk.write(mark_overrides.excuse_student, TEACHER, tang_at_first, "病假", NOW)
    room.desk.write(mark_overrides.override_mark, TEACHER, xu_at_first, "0.5", "口头补答", NOW)
    room.desk.write(mark_overrides.override_mark, TEACHER, tang_at_second, "0.5", "口头补答", NOW)
    room.desk.write(mark_overrides.take_back_override, TEACHER, tang_at_second, NOW)
    _classroom, listed = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)
    counts = [(entry.student_count, entry.starter_count, entry.handed_in_count) for entry in listed]
    assert counts == [(2, 0, 0), (1, 1, 1)]


def test_the_own_contents_of_an_assignment_are_named_once(room: Class) -> None:
    refs = ("own-7:q1", "content:dcg", "own-42:q1", "own-7:q2")
    assignment_id = room.assign(*(NewPart("item", ref) for ref in refs))
    room.assign(NewPart("item", "own-8:q1"))
    assert room.desk.read(lookup.own_content_ids, assignment_id) == (7, 42)
