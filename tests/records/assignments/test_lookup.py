"""What the teacher's page of an assignment is given: what belongs to it, and nothing of its neighbours."""

from app.records.assignments import audience, drafts, lifecycle, lookup
from app.records.assignments.values import Audience
from app.records.classes import groups
from app.records.classes.values import Student
from tests.records.assigned import DCG, TANG, TEACHER, Class
from tests.records.cast import NOW


def page_of(room: Class, assignment_id: int) -> lookup.AssignmentPage:
    return room.desk.read(lookup.load_page, TEACHER, room.key(assignment_id))


def test_a_page_has_what_belongs_to_its_assignment_and_class(room: Class, tang: Student, xu: Student) -> None:
    assert xu
    room.desk.write(groups.add, TEACHER, room.classroom, "第一组", NOW)
    assignment_id, neighbour_id = room.assign(DCG, publish=False), room.assign(DCG, DCG)
    chosen = Audience(False, [tang.id], [])
    room.desk.write(audience.give_assignment, TEACHER, room.key(assignment_id), chosen, NOW)
    room.desk.write(lifecycle.publish, TEACHER, room.key(assignment_id), NOW)
    room.begin(TANG, assignment_id)
    room.begin(TANG, neighbour_id)
    page = page_of(room, assignment_id)
    assert (page.classroom.id, page.assignment.id) == (room.classroom, assignment_id)
    assert [part.assignment_id for part in page.parts] == [assignment_id]
    assert [student.name for student in page.students] == ["小糖", "小序"]
    assert page.assignee_ids == {tang.id}
    assert page.receivers == (tang,)
    assert [(entry.assignment_id, entry.enrolment_id) for entry in page.submissions] == [
        (assignment_id, tang.id)
    ]
    assert [listed.id for listed in page.running_classes] == [room.classroom]
    assert [group.name for group in page.groups] == ["第一组"]
    assert page.paired_tests == ()


def test_each_test_of_a_pair_has_the_others_beside_it(room: Class) -> None:
    pre_test_id, stranger_id = room.assign(DCG), room.assign(DCG)
    post_test_id = room.desk.write(drafts.follow_up, TEACHER, room.key(pre_test_id), NOW)
    room.desk.write(drafts.follow_up, TEACHER, room.key(stranger_id), NOW)
    assert [(test.id, test.form) for test in page_of(room, pre_test_id).paired_tests] == [
        (post_test_id, "post")
    ]
    assert [(test.id, test.form) for test in page_of(room, post_test_id).paired_tests] == [
        (pre_test_id, "pre")
    ]


def test_the_list_has_the_parts_of_each_assignment(room: Class) -> None:
    room.assign(DCG)
    room.assign(DCG, DCG)
    _classroom, listed = room.desk.read(lookup.load_list, TEACHER, room.classroom)
    assert [len(entry.parts) for entry in listed] == [2, 1]
