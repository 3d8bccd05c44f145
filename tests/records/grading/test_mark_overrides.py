"""A cell of the gradebook, opened: what was done, what was decided, and the mark that is set by hand."""

import pytest
from sqlalchemy import update

from app.records.accounts.values import Caller
from app.records.assignments import audience, audit, lifecycle, lookup
from app.records.assignments.tables import MarkOverride
from app.records.assignments.values import AssignmentKey, Audience, MarkByHand, NewPart
from app.records.classes import class_members, classrooms, joining
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.grading import collecting, gradebook, mark_overrides, student_assignments
from app.records.grading.mark_overrides import CellData
from app.records.grading.values import CellKey, GradebookCell
from app.records.insight import class_progress
from app.records.people import class_staff
from tests.records.assigned import COLLEAGUE, COURSES, DAY, DCG, HOUR, PRACTICE, TANG, TEACHER, Class
from tests.records.cast import NOW


def load_cell_data(room: Class, assignment_id: int, student: Student, caller: Caller = TEACHER) -> CellData:
    return room.desk.read(
        mark_overrides.load_cell, caller, CellKey(room.classroom, assignment_id, student.id), room.now
    )


def set_mark(room: Class, assignment_id: int, student: Student, typed: str, reason: str = "口头补答") -> None:
    who_and_cell = (TEACHER, CellKey(room.classroom, assignment_id, student.id))
    room.desk.write(mark_overrides.override_mark, *who_and_cell, typed, reason, room.now)


def mark(room: Class, student: Student) -> tuple[float | None, bool]:
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    [cell] = next(row.cells for row in book.rows if row.student.id == student.id)
    return cell.points, cell.is_by_hand


def test_every_pass_is_there_with_what_was_answered(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, PRACTICE, passes=2, due_at=NOW + DAY)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    room.hand_in(TANG, assignment_id)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4", sitting=2)
    cell_data = load_cell_data(room, assignment_id, tang)
    first, second = cell_data.attempts
    assert [(row.item_ref, row.raw, row.misconception_code) for row in first.attempt_data.responses] == [
        ("content:dcg#1", ("6",), "no_discount")
    ]
    assert (first.attempt.points, first.attempt.full_marks) == (0.0, 3.0)
    assert first.saved_answer_by_question_ref["content:dcg#1"].raw == ("6",), "marked, and still saved"
    assert (second.attempt.handed_in_at, second.attempt_data.responses) == (None, ())
    assert second.saved_answer_by_question_ref["content:dcg#1"].raw == ("4",)
    assert cell_data.counting_attempt
    assert (cell_data.counting_attempt.number, cell_data.counting_attempt.counted_points) == (1, 0.0)


def test_a_cell_counts_what_is_answered_in_work_that_is_open(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, PRACTICE)
    for number, text in ((1, "6"), (2, "4")):
        room.begin(TANG, assignment_id)
        room.save(TANG, assignment_id, number, text)
        assert load_cell_data(room, assignment_id, tang).cell == GradebookCell("begun", None, number)


def test_a_mark_by_hand_its_history_and_the_way_back(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    room.hand_in(TANG, assignment_id)
    set_mark(room, assignment_id, tang, "０。5")
    set_mark(room, assignment_id, tang, "1", "老师看错了")
    set_mark(room, assignment_id, tang, "1", "老师看错了")
    assert mark(room, tang) == (1.0, True)
    cell_data = load_cell_data(room, assignment_id, tang)
    assert [(override.points, override.reason) for override in cell_data.cell_records.overrides] == [
        (0.5, "口头补答"),
        (1.0, "老师看错了"),
    ]
    for _ in range(2):
        room.desk.write(
            mark_overrides.take_back_override,
            TEACHER,
            CellKey(room.classroom, assignment_id, tang.id),
            room.now,
        )
    assert mark(room, tang) == (0.0, False)
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(override.action, override.detail.get("points")) for override in lines] == [
        ("override-back", [1.0, 0.0]),
        ("override", [0.5, 1.0]),
        ("override", [0.0, 0.5]),
        ("publish", None),
    ]
    assert (lines[0].student_name, lines[0].assignment_title, lines[0].actor_login) == (
        "小糖",
        "第一周",
        "王",
    )
    assert lines[1].detail["reason"] == "老师看错了"


def excuse(room: Class, assignment_id: int, student: Student, reason: str = "病假") -> None:
    who_and_cell = (TEACHER, CellKey(room.classroom, assignment_id, student.id))
    room.desk.write(mark_overrides.excuse_student, *who_and_cell, reason, room.now)


def test_an_assistant_sets_a_mark_and_the_log_says_whose(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    token = room.desk.write(class_staff.create_role_token, TEACHER, room.classroom, "assistant", NOW)
    room.desk.write(class_staff.accept_role, COLLEAGUE, token, NOW)
    cell = CellKey(room.classroom, assignment_id, tang.id)
    room.desk.write(mark_overrides.override_mark, COLLEAGUE, cell, "0.5", "口头补答", NOW)
    assert mark(room, tang) == (0.5, True)
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.student_name) == ("override", "小糖")


def test_only_those_whom_it_is_for_miss_it(room: Class, tang: Student, xu: Student) -> None:
    assignment_id = room.assign(DCG, due_at=NOW + HOUR, publish=False)
    tang_alone = Audience(False, [tang.id], [])
    room.desk.write(audience.change_audience, TEACHER, room.key(assignment_id), tang_alone, NOW)
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), NOW)
    room.now = NOW + DAY
    states = [load_cell_data(room, assignment_id, student).cell.state for student in (tang, xu)]
    assert states == ["missing", "exempt"]


def test_an_excused_student_is_neither_missing_nor_marked(room: Class, tang: Student) -> None:
    """免 holds before the work is done, after it, and until it is taken back."""
    assignment_id = room.assign(DCG, due_at=NOW + DAY)
    excuse(room, assignment_id, tang)
    excuse(room, assignment_id, tang)
    assert room.desk.count("mark_override") == 1
    cell_data = load_cell_data(room, assignment_id, tang)
    assert (cell_data.cell.state, cell_data.cell.is_by_hand, cell_data.cell.is_absent) == (
        "exempt",
        True,
        False,
    )
    [listed] = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)[1]
    assert listed.student_count == 0, "nobody is left who has to do it"
    assert room.desk.read(lookup.load_assignment_page, TEACHER, room.key(assignment_id)).receivers == ()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    assert mark(room, tang) == (None, True)
    rows = room.given(TANG, assignment_id)
    assert (rows.hand_mark.excused, rows.hand_mark.reason) == (True, "病假")
    room.now += 3 * DAY
    room.desk.write(
        mark_overrides.take_back_override, TEACHER, CellKey(room.classroom, assignment_id, tang.id), room.now
    )
    assert mark(room, tang) == (1.0, False)
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(line.action, line.detail.get("points")) for line in lines[:2]] == [
        ("excuse-back", [None, 1.0]),
        ("excuse", [None, None]),
    ]


def test_the_log_says_whose_work_was_excused_and_why(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    excuse(room, assignment_id, tang)
    room.desk.write(
        mark_overrides.take_back_override, TEACHER, CellKey(room.classroom, assignment_id, tang.id), room.now
    )
    lines = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert [(line.action, line.student_name, line.detail) for line in lines[:2]] == [
        ("excuse-back", "小糖", {"points": [None, None], "reason": ""}),
        ("excuse", "小糖", {"points": [None, None], "reason": "病假"}),
    ]
    assert [
        override.reason for override in load_cell_data(room, assignment_id, tang).cell_records.overrides
    ] == [
        "病假",
        "",
    ]


def test_a_mark_after_an_excuse_counts_and_an_excuse_after_a_mark_too(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    excuse(room, assignment_id, tang)
    set_mark(room, assignment_id, tang, "1")
    assert mark(room, tang) == (1.0, True)
    excuse(room, assignment_id, tang, "转学前没学过")
    assert mark(room, tang) == (None, True)
    with pytest.raises(Refused, match="写一句理由"):
        excuse(room, assignment_id, tang, " ")
    who_and_cell = (COLLEAGUE, CellKey(room.classroom, assignment_id, tang.id))
    with pytest.raises(NotFound):
        room.desk.write(mark_overrides.excuse_student, *who_and_cell, "病假", room.now)


def test_reasons_of_before_stay_in_the_log(room: Class, tang: Student) -> None:
    """Whoever wrote a reason until revision 0017 wrote it for the log of the class alone."""
    assignment_id = room.assign(DCG)
    set_mark(room, assignment_id, tang, "1", "口头补答")
    assert room.given(TANG, assignment_id).hand_mark.reason == "口头补答"
    untold = update(table(MarkOverride)).values(told=False)
    room.desk.write(lambda session: session.execute(untold).rowcount)
    assert room.given(TANG, assignment_id).hand_mark == MarkByHand(1.0)


@pytest.mark.parametrize("typed", ["", "很好", "-1", "1.5", "1e9", "8/10", "80%", "½", "1-0.5", "0 5"])
def test_a_mark_that_cannot_be_is_refused(room: Class, tang: Student, typed: str) -> None:
    """The pages print 8/10 themselves: as a fraction it would be 0.8."""
    assignment_id = room.assign(DCG)
    with pytest.raises(Refused, match=r"0到1(的数，比如0\.5。|之间。)$"):
        set_mark(room, assignment_id, tang, typed)
    assert room.desk.count("mark_override") == 0


@pytest.mark.parametrize(("typed", "points"), [("0", 0.0), ("1", 1.0), ("0.125", 0.12), ("0.128", 0.13)])
def test_a_mark_from_nought_to_full_marks_is_taken_with_two_decimals(
    room: Class, tang: Student, typed: str, points: float
) -> None:
    assignment_id = room.assign(DCG)
    set_mark(room, assignment_id, tang, typed, "长" * 200)
    assert mark(room, tang) == (points, True)


def test_the_same_mark_for_another_reason_is_another_decision(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    for typed, reason in (("1", "口头补答"), ("1", "补交"), ("0", "补交")):
        set_mark(room, assignment_id, tang, typed, reason)
    overrides = load_cell_data(room, assignment_id, tang).cell_records.overrides
    assert [(override.points, override.reason) for override in overrides] == [
        (1.0, "口头补答"),
        (1.0, "补交"),
        (0.0, "补交"),
    ]


def test_work_without_points_has_no_mark_to_set(room: Class, tang: Student) -> None:
    assignment_id = room.assign(NewPart("item", "content:dcg", points=0))
    with pytest.raises(Refused, match="不计分"):
        set_mark(room, assignment_id, tang, "0")


def test_a_mark_needs_a_reason_and_points_to_be_given(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    with pytest.raises(Refused, match="理由"):
        set_mark(room, assignment_id, tang, "1", "  ")
    with pytest.raises(Refused, match="理由最多"):
        set_mark(room, assignment_id, tang, "1", "长" * 201)
    room.desk.write(classrooms.archive_class, TEACHER, room.classroom, room.now)
    with pytest.raises(Refused, match="归档"):
        set_mark(room, assignment_id, tang, "1")


def test_whoever_moved_away_is_still_reached_through_their_work(room: Class, tang: Student) -> None:
    assignment_id, other_assignment = room.assign(DCG), room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id)
    to = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, to, NOW)
    assert load_cell_data(room, assignment_id, tang).student.membership == "moved"
    with pytest.raises(NotFound, match="班里没有这位同学"):
        load_cell_data(room, other_assignment, tang)


def test_a_mark_stays_with_the_place_in_which_it_was_given(room: Class, tang: Student) -> None:
    """Who moved away and came back by the code is there anew, as the gradebook has it."""
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id)
    room.desk.write(
        mark_overrides.override_mark,
        TEACHER,
        CellKey(room.classroom, assignment_id, tang.id),
        "1",
        "补交的",
        room.now,
    )
    other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
    room.desk.write(class_members.move_student, TEACHER, room.classroom, tang.id, other_class, room.now)
    room.desk.write(joining.enrol_learner, room.classroom, tang.learner_id, "小糖", "", room.now)
    [own] = [
        own
        for own in room.desk.read(student_assignments.load_own_assignments, TANG)
        if own.assignment.id == assignment_id
    ]
    assert own.enrolment_id != tang.id
    assert own.hand_mark == room.given(TANG, assignment_id).hand_mark == MarkByHand()


def test_others_never_get_there(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG)
    draft = room.assign(DCG, publish=False)
    for caller in (COLLEAGUE, TANG, Caller()):
        with pytest.raises(NotFound):
            load_cell_data(room, assignment_id, tang, caller)
        with pytest.raises(NotFound):
            room.desk.write(
                mark_overrides.override_mark,
                caller,
                CellKey(room.classroom, assignment_id, tang.id),
                "1",
                "x",
                NOW,
            )
        with pytest.raises(NotFound):
            room.desk.read(audit.load_audit, caller, room.classroom)
    with pytest.raises(NotFound):
        load_cell_data(room, draft, tang)


def test_an_assignment_is_reached_through_its_own_class_alone(room: Class, tang: Student) -> None:
    """Not through another one of which somebody is the teacher, though their student has worked at it."""
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id)
    other_class = room.desk.write(classrooms.create_class, COLLEAGUE, "高二1班", NOW)
    room.desk.write(classrooms.open_join_code, COLLEAGUE, other_class, NOW, True)
    join_code = room.desk.read(classrooms.taught_class, COLLEAGUE, other_class).code
    room.desk.write(joining.join_class, TANG, join_code, "小糖", "here", NOW)
    [student] = room.desk.read(class_progress.load_class, COLLEAGUE, other_class).students
    assignment_key = AssignmentKey(other_class, assignment_id)
    for enrolment_id in (tang.id, student.id):
        cell_key = CellKey(other_class, assignment_id, enrolment_id)
        with pytest.raises(NotFound):
            room.desk.read(mark_overrides.load_cell, COLLEAGUE, cell_key, NOW)
        with pytest.raises(NotFound):
            room.desk.write(mark_overrides.override_mark, COLLEAGUE, cell_key, "1", "x", NOW)
    with pytest.raises(NotFound):
        room.desk.read(lookup.taught_assignment, COLLEAGUE, assignment_key)
    with pytest.raises(NotFound):
        room.desk.write(lifecycle.close, COLLEAGUE, assignment_key, NOW)
    with pytest.raises(NotFound):
        room.desk.write(collecting.collect_work, COLLEAGUE, assignment_key, COURSES, NOW)
    assert room.row(assignment_id).closed_at is None


def test_an_extension_is_part_of_the_history(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, due_at=NOW + DAY)
    room.desk.write(
        lifecycle.extend_due_times, TEACHER, room.key(assignment_id), [tang.id], NOW + 3 * DAY, "病假", NOW
    )
    room.now = NOW + 2 * DAY
    cell_data = load_cell_data(room, assignment_id, tang)
    assert [(extension.due_at, extension.note) for extension in cell_data.cell_records.extensions] == [
        (NOW + 3 * DAY, "病假")
    ]
    assert cell_data.schedule.due_at == NOW + 3 * DAY
    assert cell_data.cell.state == "new"
