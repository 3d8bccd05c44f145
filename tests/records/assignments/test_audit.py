"""The log of a class: its own lines alone, page by page, with the names of today."""

from app.records.assignments import audit
from app.records.assignments.audit import AuditPage
from app.records.classes import class_log, class_members, classrooms
from app.records.classes.values import Student
from app.records.db.session import VerbSession
from tests.records.assigned import DAY, DCG, TANG, TEACHER, Class
from tests.records.cast import NOW


def log_of(room: Class, before_id: int | None = None) -> AuditPage:
    return room.desk.read(audit.load_audit, TEACHER, room.classroom, before_id)


def test_the_log_of_a_class_has_no_line_and_no_name_of_another(
    room: Class, tang: Student, xu: Student
) -> None:
    """But the name of who was moved away, as long as a line is about them."""
    assignment_id = room.assign(DCG)
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, xu.id, NOW)
    first_class_id = room.classroom
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.join("小明", "ming")
    room.assign(DCG)
    assert [line.action for line in log_of(room).lines] == ["publish"]
    assert list(log_of(room).student_name_by_enrolment_id.values()) == ["小明"]
    room.desk.write(class_members.move_student, TEACHER, first_class_id, tang.id, room.classroom, NOW)
    room.classroom = first_class_id
    page = log_of(room)
    assert page.student_name_by_enrolment_id == {tang.id: "小糖", xu.id: "小序"}
    first_line = page.lines[-1]
    assert (first_line.assignment_id, first_line.assignment_title, first_line.actor_login) == (
        assignment_id,
        "第一周",
        "王",
    )
    assert first_line.is_published


def test_a_line_leads_to_the_cell_of_a_student_who_is_in_the_class_or_has_left_work(
    room: Class, tang: Student, xu: Student
) -> None:
    begun_id, untouched_id = room.assign(DCG), room.assign(DCG)
    for assignment_id in (begun_id, untouched_id):
        for student in (tang, xu):
            room.extend(assignment_id, student, NOW + DAY)
    room.begin(TANG, begun_id)
    other_class_id = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class_id, NOW)
    lines = [line for line in log_of(room).lines if line.detail.get("due_at")]
    assert {(line.student_name, line.assignment_id): line.has_cell for line in lines} == {
        ("小糖", begun_id): True,
        ("小糖", untouched_id): False,
        ("小序", begun_id): True,
        ("小序", untouched_id): True,
    }


def test_the_latest_twenty_lines_come_first_and_the_older_ones_after_them(room: Class) -> None:
    """Whatever number a line has on a site that has seen many."""
    classroom = room.desk.read(classrooms.taught_class, TEACHER, room.classroom)

    def add_lines(session: VerbSession) -> None:
        for number in range(45):
            class_log.add_line(session, classroom, "staff-carried", {"count": number}, NOW)

    room.desk.write(add_lines)
    with room.desk.other_program() as connection:
        connection.execute("UPDATE audit SET id = id + 1000000000")
    counts, before_id = [], None
    for page_length in (20, 20, 5):
        page = log_of(room, before_id)
        assert len(page.lines) == page_length
        counts += [line.detail["count"] for line in page.lines]
        before_id = page.next_before_id
    assert before_id is None
    assert counts == [*reversed(range(45))]
