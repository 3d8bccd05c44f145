"""收卷 of a class in which one work cannot be marked: it is left and named, and all others are collected."""

from collections.abc import Sequence
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from app.course.items.marks import ItemGone, Mark
from app.records.assignments import audience, audit, lifecycle, lookup
from app.records.assignments.values import Audience, NewPart, SavedAnswerRow
from app.records.classes import class_members, classrooms
from app.records.classes.values import Student
from app.records.db.errors import Busy, DiskFull, NotFound
from app.records.db.session import VerbSession
from app.records.grading import answering, collecting, gradebook, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from tests.records.assigned import COURSES, DAY, DCG, HOUR, TANG, TEACHER, XU, Class, Figures
from tests.records.cast import NOW, Desk
from tests.records.grading.done_elsewhere import play

BROKEN = "13"
"""What 小糖 has saved, and no answer of 小序's."""


class Breaking(Figures):
    """Cannot mark what 小糖 has saved."""

    def mark(self, item: str, seed: int, raw: Sequence[str], *rest: Any) -> Mark:
        if raw[0] == BROKEN:
            self.fail()
        return super().mark(item, seed, raw, *rest)

    def fail(self) -> None:
        raise ZeroDivisionError("the ideal is nought")


class BreakingByKey(Breaking):
    """As where a marking model looks up what is in no table of its own."""

    def fail(self) -> None:
        raise KeyError("exponential_gain")


class WithoutItem(Breaking):
    def fail(self) -> None:
        raise ItemGone("content:dcg")


class BreakingOnFullDisk(Breaking):
    def fail(self) -> None:
        raise DiskFull


class BreakingByStatement(Breaking):
    """What it asks of the database is refused."""

    def __init__(self, session: VerbSession) -> None:
        self.session = session

    def fail(self) -> None:
        self.session.execute(text("SELECT 1 FROM no_such_table"))


@pytest.fixture
def saved(room: Class, tang: Student, xu: Student) -> int:
    """An assignment at which both have saved an answer."""
    assert tang.id < xu.id, "小糖 comes first"
    assignment_id = room.assign()
    for caller, saved_text in ((TANG, BROKEN), (XU, "4")):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, saved_text)
    return assignment_id


def collect_with(room: Class, assignment_id: int, course: Figures) -> int:
    key = room.key(assignment_id)
    return room.desk.write(collecting.collect_work, TEACHER, key, {"content": course}, room.now)


@pytest.mark.parametrize("course", [Breaking(), BreakingByKey()])
def test_a_work_that_cannot_be_marked_is_left_and_named_and_the_others_are_collected(
    room: Class, tang: Student, saved: int, caplog: pytest.LogCaptureFixture, course: Breaking
) -> None:
    assert collect_with(room, saved, course) == 1
    [xus_attempt] = room.given(XU, saved).attempts
    assert (xus_attempt.points, xus_attempt.is_collected) == (1.0, True)
    [left_attempt] = room.given(TANG, saved).attempts
    assert left_attempt.handed_in_at is None
    assert room.desk.rows("SELECT count(*) FROM response") == [(1,)], "nothing half done is kept"
    assert "Error: " in caplog.text
    assert f"the work of enrolment {tang.id} at assignment {saved}" in caplog.text
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.detail) == ("collect", {"papers": 1, "left": [tang.id]})
    assert collect_with(room, saved, Figures()) == 1, "once it can be marked, it is collected"
    assert room.given(TANG, saved).attempts[0].is_collected


def hand_in_with(room: Class, assignment_id: int, course: Figures) -> None:
    """小糖 hands in."""
    room.desk.write(submissions.hand_in_attempt, TANG, assignment_id, 1, {"content": course}, room.now)


def test_what_cannot_be_marked_is_not_handed_in_either(room: Class, saved: int) -> None:
    with pytest.raises(KeyError, match="exponential_gain"):
        hand_in_with(room, saved, BreakingByKey())
    assert room.given(TANG, saved).open_attempt is not None
    assert room.desk.count("response") == 0, "nothing half done is kept"


def test_an_answer_whose_item_is_gone_stays_saved_and_unmarked(room: Class, saved: int) -> None:
    hand_in_with(room, saved, WithoutItem())
    [attempt] = room.given(TANG, saved).attempts
    assert attempt.points == 0
    assert [saved_row.raw for saved_row in saved_rows(room, saved)] == [(BROKEN,)]
    assert room.desk.count("response") == 0


def test_one_work_that_cannot_be_marked_leaves_a_line_also_where_it_was_the_only_one(
    room: Class, tang: Student
) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, BROKEN)
    assert collect_with(room, assignment_id, Breaking()) == 0
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert line.detail == {"papers": 0, "left": [tang.id]}


def test_what_the_database_refuses_is_no_fault_of_one_work(room: Class, saved: int) -> None:
    """Nothing is collected, and it may be sent again."""
    with pytest.raises(Busy):
        collect_with(room, saved, BreakingOnFullDisk())

    def collect_by_statement(session: VerbSession) -> int:
        course_by_prefix: Any = {"content": BreakingByStatement(session)}
        return collecting.collect_work(session, TEACHER, room.key(saved), course_by_prefix, room.now)

    with pytest.raises(DBAPIError):
        room.desk.write(collect_by_statement)
    assert room.row(saved).closed_at is None
    assert room.desk.write(collecting.collect_work, TEACHER, room.key(saved), COURSES, room.now) == 2


def leave(room: Class, student: Student, way: str) -> None:
    """A student leaves the class in the midst of an attempt."""
    class_key = (TEACHER, room.classroom)
    if way == "removed":
        room.desk.write(class_members.remove_student, *class_key, student.id, room.now)
    else:
        other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
        room.desk.write(class_members.move_student, *class_key, student.id, other_class, room.now)


@pytest.mark.parametrize("way", ["removed", "moved"])
def test_what_a_student_saved_who_left_is_collected_with_that_of_the_others(
    room: Class, tang: Student, xu: Student, way: str
) -> None:
    """Also where they had more time: the class that gave it is theirs no more. Once, and nothing is begun for
    who had only handed in."""
    assignment_id, handed_in = room.assign(passes=2), room.assign(passes=2)
    room.extend(assignment_id, tang, NOW + DAY)
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "4")
    room.begin(TANG, handed_in)
    room.hand_in(TANG, handed_in)
    leave(room, tang, way)
    assert room.collect(assignment_id) == 2
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.points, attempt.is_collected) == (1.0, True)
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    cell_by_name = {row.student.name: row.cells[0] for row in book.rows}
    assert (cell_by_name["小糖"].state, cell_by_name["小糖"].points) == ("done", 1.0)
    assert cell_by_name["小序"].points == 1.0, xu.name
    assert room.collect(assignment_id) == 0
    assert room.collect(handed_in) == 0


@pytest.mark.parametrize("ends_by", ["due time", "closing"])
def test_of_what_has_ended_it_is_known_how_many_papers_wait_to_be_collected(
    room: Class, tang: Student, xu: Student, ends_by: str
) -> None:
    """Those whom it collects: of who left too, and of nobody who still has time."""
    assignment_id = room.assign(due_at=NOW + DAY)
    late_work = room.assign(due_at=NOW + DAY, late_until=NOW + 3 * DAY)
    room.assign(publish=False)
    for given_id in (assignment_id, late_work):
        for caller in (TANG, XU):
            room.begin(caller, given_id)

    def waiting() -> list[tuple[int, int]]:
        works = room.desk.read(collecting.load_uncollected_works, room.classroom, room.now)
        return [(work.assignment_id, work.attempt_count) for work in works]

    assert waiting() == [], "they may still hand in"
    if ends_by == "closing":
        room.close(assignment_id)
    else:
        room.now = NOW + DAY + HOUR
    assert waiting() == [(assignment_id, 2)]
    room.extend(assignment_id, xu, NOW + 2 * DAY)
    assert waiting() == [(assignment_id, 1)]
    leave(room, tang, "removed")
    assert waiting() == [(assignment_id, 1)]
    room.now = NOW + 2 * DAY + HOUR
    assert waiting() == [(assignment_id, 2)]
    assert room.collect(assignment_id) == 2
    assert waiting() == []


def test_the_list_of_a_class_says_what_waits_to_its_teacher_alone(room: Class, tang: Student) -> None:
    first_id, second_id = room.assign(), room.assign(due_at=NOW + DAY)
    room.begin(TANG, second_id)
    room.now = NOW + DAY + HOUR
    key = (room.classroom, room.now)
    classroom, listed_assignments, uncollected_works = room.desk.read(
        collecting.load_class_assignments_and_uncollected_works, TEACHER, *key
    )
    assert classroom.id == room.classroom
    assert [listed.assignment.id for listed in listed_assignments] == [second_id, first_id]
    assert [(work.assignment_id, work.attempt_count) for work in uncollected_works] == [(second_id, 1)]
    with pytest.raises(NotFound):
        room.desk.read(collecting.load_class_assignments_and_uncollected_works, TANG, *key)


def plan_of_uncollected_works(session: VerbSession) -> str:
    """How SQLite finds what of a class waits to be collected."""
    sql_text = str(collecting.UNCOLLECTED_WORKS_QUERY.compile(dialect=session.connection.dialect))
    values = {"classroom": 1, "newest_passed_time": "2026"}
    return str(session.driver.execute(f"EXPLAIN QUERY PLAN {sql_text}", values).fetchall())


@pytest.mark.one_file
def test_what_was_handed_in_is_not_read_to_count_what_waits(desk: Desk) -> None:
    """A list of assignments would read every attempt of the term, each time that it is opened."""
    assert "submission USING INDEX ix_submission_open" in desk.read(plan_of_uncollected_works)


def test_whoever_is_chosen_no_more_is_collected_also_where_they_had_more_time(
    room: Class, tang: Student, xu: Student
) -> None:
    """They cannot go on; who is chosen and has more time still can."""
    assignment_id = room.assign()
    for student, caller in ((tang, TANG), (xu, XU)):
        room.extend(assignment_id, student, NOW + DAY)
        room.begin(caller, assignment_id)
    xu_alone = Audience(False, [xu.id])
    room.desk.write(audience.change_audience, TEACHER, room.key(assignment_id), xu_alone, room.now)
    assert room.collect(assignment_id) == 1
    assert room.given(TANG, assignment_id).attempts[0].is_collected
    assert room.given(XU, assignment_id).open_attempt


def test_of_the_last_paper_what_was_saved_counts_and_an_empty_one_does_not(
    room: Class, tang: Student
) -> None:
    """So its page says, once the time is over."""
    assignment_id = room.assign(DCG, DCG, due_at=NOW + DAY, counts="last", passes=3)
    for attempt_number, saved_texts in enumerate((["4", "6"], ["4", "4"], []), start=1):
        room.now += HOUR
        room.begin(TANG, assignment_id)
        for number, saved_text in enumerate(saved_texts, start=1):
            room.save(TANG, assignment_id, number, saved_text, attempt_number)
        if attempt_number == 1:
            room.hand_in(TANG, assignment_id)
        else:
            assert room.collect(assignment_id) == 1
            room.desk.write(lifecycle.reopen, TEACHER, room.key(assignment_id), room.now)
    [row] = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now).rows
    assert row.cells[0].points == 2.0, tang.name


@pytest.mark.parametrize("is_collected", [False, True])
def test_what_late_work_costs_is_less_once_it_costs_less_for_all(
    room: Class, tang: Student, is_collected: bool
) -> None:
    """And never more; a due time that is later forgives all of it."""
    assignment_id = room.assign(DCG, due_at=NOW + DAY, late_until=NOW + 3 * DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.now = NOW + DAY + HOUR
    room.save(TANG, assignment_id, 1, "4")
    room.now += HOUR
    if is_collected:
        room.collect(assignment_id)
    else:
        room.hand_in(TANG, assignment_id)

    def late_factor() -> float:
        [attempt] = room.desk.read(lookup.attempts_of_assignment, assignment_id)
        return attempt.late_factor

    assert late_factor() == 0.5, tang.name
    for rule_changes, factor_after in (
        ({"late_factor": 0.4}, 0.5),
        ({"late_factor": 0.8}, 0.8),
        ({"late_factor": 0.6}, 0.8),
        ({"late_until": None, "late_factor": 0.9}, 0.8),
        ({"late_until": NOW + 3 * DAY}, 0.9),
    ):
        room.set_up(assignment_id, **rule_changes)
        assert late_factor() == factor_after, "who comes late now pays as they were told"
    room.postpone(assignment_id, NOW + 2 * DAY)
    assert late_factor() == 1.0


@pytest.mark.parametrize("minutes", [0, 180])
def test_what_was_saved_in_time_is_not_late_by_being_looked_at_again(
    room: Class, tang: Student, minutes: int
) -> None:
    """A form in which nobody wrote is no work, be the question answered or empty; the time spent is added."""
    rules: Any = {"due_at": NOW + DAY, "late_until": NOW + 2 * DAY, "late_factor": 0.5, "minutes": minutes}
    assignment_id = room.assign(DCG, DCG, **rules)
    room.now = NOW + DAY - HOUR
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.now += 2 * HOUR
    for number, typed_text in ((1, "4"), (2, "")):
        seen_fingerprint = answering.fingerprint_of_texts([typed_text])
        sent_answer = SentAnswer((typed_text,), 60, seen_fingerprint=seen_fingerprint)
        question_key = QuestionKey(1, number)
        room.desk.write(answering.save_answer, TANG, assignment_id, question_key, sent_answer, room.now)
    assert [(row.raw, row.seconds) for row in saved_rows(room, assignment_id)] == [(("4",), 60)]
    room.now = NOW + 4 * DAY
    room.collect(assignment_id)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert (attempt.points, attempt.late_factor) == (1.0, 1.0), tang.name


def saved_rows(room: Class, assignment_id: int) -> list[SavedAnswerRow]:
    return list(room.work(TANG, assignment_id).saved_answer_by_question_ref.values())


@pytest.mark.usefixtures("tang")
def test_an_order_that_stood_in_its_form_from_the_beginning_is_stored_as_it_stands(room: Class) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    order = ("a", "b")
    untouched_order = SentAnswer(order, seen_fingerprint=answering.fingerprint_of_texts(order))
    room.desk.write(answering.save_answer, TANG, assignment_id, QuestionKey(1, 1), untouched_order, room.now)
    [saved_row] = saved_rows(room, assignment_id)
    assert (saved_row.raw, saved_row.saved_at) == (order, NOW)


@pytest.mark.parametrize(("game_points", "late_factor"), [(0.0, 1.0), (1.0, 0.5)])
def test_what_earns_nothing_makes_no_work_late(
    room: Class, tang: Student, game_points: float, late_factor: float
) -> None:
    game = NewPart("game", "monster", level=1, points=game_points)
    late_rules: Any = {"due_at": NOW + HOUR / 2, "late_until": NOW + DAY, "late_factor": 0.5}
    assignment_id = room.assign(DCG, game, **late_rules)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    play(room.desk, tang.learner_id, 1, "won")  # an hour after the assignment was given
    room.now = NOW + 2 * DAY
    room.collect(assignment_id)
    [attempt] = room.given(TANG, assignment_id).attempts
    assert attempt.late_factor == late_factor
