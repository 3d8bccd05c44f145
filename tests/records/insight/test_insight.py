"""What a teacher sees, as histories: who has not begun, who is stuck and no longer, who errs how."""

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta

import pytest

from app.course.insight.item_analysis import FirstResponse, figures_by_item_ref
from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments.values import AssignmentKey, NewPart
from app.records.classes import class_members, classrooms
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.db.statements import ReusableStatement, Row
from app.records.grading import mark_overrides
from app.records.grading.marks import percent_text
from app.records.grading.values import CellKey
from app.records.insight import (
    class_progress,
    class_responses,
    discussions,
    item_stats,
    misconceptions,
    own_mistakes,
    pre_post,
    remedies,
    student_progress,
)
from app.records.insight import today as today_records
from app.records.insight.live_status import Failure, LiveStatus
from app.records.insight.misconceptions import LONG_AGO
from app.records.insight.today import ClassSummary, OpenAssignment, TodayData
from tests.records.cast import NOW, Desk, newcomer
from tests.records.long_histories import counted
from tests.records.term import BODY, Term, term

TEACHER, COLLEAGUE = Caller("teacher"), Caller("colleague")
PRACTICE = [("practice", "content:dcg", 2, 3), ("item", "content:cg-chengdu", 0, 1)]
FIRST, SECOND = "content:practice-dcg-2#1", "content:practice-dcg-2#2"


@pytest.fixture
def classroom(desk: Desk) -> int:
    desk.write(accounts.create_account, Caller(), *newcomer("王", "teacher"), NOW, True)
    desk.write(accounts.create_account, Caller(), *newcomer("李", "colleague"), NOW, True)
    return desk.write(classrooms.create_class, TEACHER, "高一3班", NOW)


@pytest.fixture
def write(desk: Desk, classroom: int) -> Iterator[Term]:
    """Whoever looks commits first."""
    desk.is_summed = False
    with term(desk.url, classroom, NOW) as writing:
        yield writing


def today(desk: Desk, write: Term, minutes: float = 0) -> TodayData:
    write.connection.commit()
    now = NOW + timedelta(minutes=minutes)
    return desk.read(today_records.load_today, TEACHER, write.classroom, now)


def standing(today_data: TodayData, place: int) -> LiveStatus:
    [open_assignment] = today_data.open_assignments
    return open_assignment.status_by_enrolment_id[place]


def states(today_data: TodayData) -> dict[int, str]:
    [open_assignment] = today_data.open_assignments
    return {place: live_status.state for place, live_status in open_assignment.status_by_enrolment_id.items()}


# 今天.


def test_from_not_begun_to_handed_in(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    work = write.assignment(PRACTICE)
    assert standing(today(desk, write), student).state == "new"
    attempt = write.begin(work, student, 0)
    assert standing(today(desk, write, 1), student).state == "working"
    write.answer(attempt, FIRST, 1, "right")
    live_status = standing(today(desk, write, 2), student)
    assert (live_status.state, live_status.answered_count) == ("working", 1)
    for number in (2, 3):
        write.answer(attempt, f"content:practice-dcg-2#{number}", 2, "right")
    write.answer(attempt, "content:cg-chengdu#4", 3)
    assert standing(today(desk, write, 4), student).state == "ready"
    write.hand_in(attempt, 5)
    assert standing(today(desk, write, 6), student).state == "done"
    write.begin(work, student, 7, number=2)
    assert standing(today(desk, write, 8), student).state == "done", "a further pass takes nothing back"


def test_four_wrong_answers_are_stuck_until_solved(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    for minute, mistake in ((1, "log10"), (2, "natural_log"), (3, "natural_log")):
        write.answer(attempt, FIRST, minute, misconception=mistake)
    assert standing(today(desk, write, 3), student).state == "working"
    write.answer(attempt, FIRST, 4)
    live_status = standing(today(desk, write, 6), student)
    assert live_status.state == "stuck"
    assert live_status.stuck_reason
    assert (live_status.stuck_reason.item_ref, live_status.stuck_reason.wrong_count) == (FIRST, 4)
    assert live_status.stuck_reason.stuck_since == NOW + timedelta(minutes=4)
    assert live_status.stuck_reason.misconception_code == "natural_log"
    write.answer(attempt, FIRST, 7, "right")
    assert standing(today(desk, write, 8), student).state == "working"


def test_whoever_has_been_shown_the_answer_is_not_stuck(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    for minute in range(1, 5):
        write.answer(attempt, FIRST, minute)
    write.answer(attempt, FIRST, 5, "shown")
    assert standing(today(desk, write, 6), student).state == "working"


def handed_in(
    write: Term, work: int, student: int, points: float, number: int = 1, factor: float = 1.0
) -> int:
    attempt = write.begin(work, student, number, number)
    write.answer(attempt, FIRST, number, misconception="natural_log")
    write.hand_in(attempt, number, points, 10.0)
    write.connection.execute("UPDATE submission SET factor = ? WHERE attempt_id = ?", (factor, attempt))
    return attempt


@pytest.mark.parametrize("answers", ["at_once", "handed_in", "due", "never"])
def test_whoever_hands_in_below_the_line_stands_there_with_the_mistake(
    desk: Desk, write: Term, answers: str
) -> None:
    failed, passed, late = (write.student(name) for name in ("小糖", "小序", "小方"))
    work = write.assignment(PRACTICE, answers=answers)
    handed_in(write, work, failed, 5.9)
    handed_in(write, work, passed, 6.0)
    handed_in(write, work, late, 7.0, factor=0.8)
    today_data = today(desk, write, 2)
    assert states(today_data) == {failed: "failed", passed: "done", late: "failed"}
    assert standing(today_data, failed).failure == Failure(5.9, 10.0, "natural_log")
    assert standing(today_data, passed).failure is None


def test_whoever_fails_by_an_answer_that_was_judged_anew_stands_there_without_the_mistake(
    desk: Desk, write: Term
) -> None:
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    re_mark(write, write.answer(attempt, FIRST, 1, misconception="natural_log"), "wrong")
    write.hand_in(attempt, 1, 5.9, 10.0)
    assert standing(today(desk, write, 2), student).failure == Failure(5.9, 10.0, None)


@pytest.mark.parametrize(("counts", "state"), [("best", "done"), ("last", "failed"), ("first", "failed")])
def test_the_attempt_that_counts_says_who_failed(desk: Desk, write: Term, counts: str, state: str) -> None:
    student = write.student("小糖")
    work = write.assignment(PRACTICE, counts=counts, passes=3)
    for number, points in enumerate((1.0, 9.0, 2.0), 1):
        handed_in(write, work, student, points, number)
    assert standing(today(desk, write, 4), student).state == state


def test_whoever_is_excused_has_not_failed(desk: Desk, write: Term) -> None:
    tang, xu = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    handed_in(write, work, tang, 2.0)
    assert states(today(desk, write, 4)) == {tang: "failed", xu: "new"}
    for place in (tang, xu):
        where = (TEACHER, CellKey(write.classroom, work, place))
        desk.write(mark_overrides.excuse_student, *where, "病假", NOW)
    assert states(today(desk, write, 4)) == {tang: "done"}, "nor is anybody missing"


def test_whose_work_on_paper_has_a_mark_is_not_missing(desk: Desk, write: Term) -> None:
    tang, xu = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    assert states(today(desk, write, 4)) == {tang: "new", xu: "new"}
    cell = CellKey(write.classroom, work, tang)
    desk.write(mark_overrides.override_mark, TEACHER, cell, "3", "纸上做的", NOW)
    assert states(today(desk, write, 4)) == {tang: "done", xu: "new"}
    desk.write(mark_overrides.take_back_override, TEACHER, cell, NOW)
    assert states(today(desk, write, 4)) == {tang: "new", xu: "new"}, "taken back"


@pytest.mark.parametrize(("points", "state"), [(9.0, "done"), (2.0, "failed"), (None, "failed")])
def test_what_the_teacher_set_says_who_failed(
    desk: Desk, write: Term, points: float | None, state: str
) -> None:
    student = write.student("小糖")
    work = write.assignment(PRACTICE)
    handed_in(write, work, student, 5.0)
    for override in (8.0, points):
        write.insert(
            "mark_override",
            assignment_id=work,
            enrolment_id=student,
            points=override,
            reason="",
            created_at=write.at(2),
        )
    assert standing(today(desk, write, 3), student).state == state


def test_a_class_in_one_line(desk: Desk, write: Term) -> None:
    """Each student counts once in a column, however much they are at."""
    stuck, failed, done, new = (write.student(name) for name in ("卡卡", "糊糊", "好好", "新新"))
    works = [write.assignment(PRACTICE, due_at=write.at(minutes)) for minutes in (300, 200)]
    for work in works:
        handed_in(write, work, failed, 1.0)
        handed_in(write, work, done, 10.0)
        attempt = write.begin(work, stuck, 0)
        for _ in range(4):
            write.answer(attempt, FIRST, 1)
    write.connection.commit()
    _, classes = desk.read(today_records.load_classes_and_summaries, TEACHER, NOW + timedelta(minutes=2))
    assert classes == {write.classroom: ClassSummary(1, 1, 2, NOW + timedelta(minutes=200))}
    assert new


@pytest.mark.both_databases
def test_ten_classes_are_read_in_as_many_statements_as_one(desk: Desk, write: Term) -> None:
    """And each says what it says alone."""

    def work_in(writing: Term) -> None:
        work = writing.assignment(PRACTICE, due_at=writing.at(300))
        handed_in(writing, work, writing.student("糊糊"), 1.0)
        attempt = writing.begin(work, writing.student("卡卡"), 0)
        for _ in range(4):
            writing.answer(attempt, FIRST, 1)
        writing.connection.commit()

    def summaries() -> tuple[dict[int, ClassSummary], int]:
        with counted() as reads:
            _, summary_by_class_id = desk.read(
                today_records.load_classes_and_summaries, TEACHER, NOW + timedelta(minutes=2)
            )
        return dict(summary_by_class_id), reads.statements

    work_in(write)
    alone, statement_count = summaries()
    assert alone == {write.classroom: ClassSummary(1, 1, 1, NOW + timedelta(minutes=300))}
    for number in range(9):
        classroom_id = desk.write(classrooms.create_class, TEACHER, f"高一{number + 4}班", NOW)
        with term(desk.url, classroom_id, NOW) as writing:
            work_in(writing)
    together, statement_count_of_ten = summaries()
    assert len(together) == 10
    assert set(together.values()) == set(alone.values())
    assert statement_count_of_ten == statement_count


def test_quiet_while_others_work_is_stuck(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    attempt, other_attempt = write.begin(work, student, 0), write.begin(work, classmate, 0)
    write.answer(attempt, FIRST, 2, "right")
    assert states(today(desk, write, 12.5)) == {student: "working", classmate: "working"}, (
        "nobody works any more"
    )
    write.answer(other_attempt, FIRST, 11, "right")
    live_status = standing(today(desk, write, 12.5), student)
    assert live_status.state == "stuck"
    assert live_status.stuck_reason
    assert (live_status.stuck_reason.item_ref, live_status.stuck_reason.stuck_since) == (
        None,
        NOW + timedelta(minutes=2),
    )
    write.answer(attempt, SECOND, 13)
    assert standing(today(desk, write, 13), student).state == "working", "a new question is a step forward"


def test_trying_the_same_again_is_no_step_forward(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    attempt, other_attempt = write.begin(work, student, 0), write.begin(work, classmate, 0)
    for minute in (1, 6, 11):
        write.answer(attempt, FIRST, minute)
    write.answer(other_attempt, FIRST, 11, "right")
    assert states(today(desk, write, 11.5)) == {student: "stuck", classmate: "working"}


def test_who_works_alone_is_not_quiet_among_others(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    write.student("小序")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    for minute in (1, 11):
        write.answer(attempt, FIRST, minute)
    assert standing(today(desk, write, 12), student).state == "working", "nobody else is at work"


def test_of_one_group_everybody_stands_where_they_stand_in_the_class(desk: Desk, write: Term) -> None:
    """Those beside whom somebody is quiet may be in another group."""
    student, classmate = write.student("小糖"), write.student("小序")
    group_id = write.insert("student_group", classroom_id=write.classroom, name="一组")
    write.insert("group_member", enrolment_id=student, group_id=group_id)
    work = write.assignment(PRACTICE)
    write.begin(work, student, 0)
    write.answer(write.begin(work, classmate, 0), FIRST, 14, "right")
    write.connection.commit()
    moment = NOW + timedelta(minutes=15)
    for chosen_group_id in (None, group_id):
        arguments = (TEACHER, write.classroom, moment, chosen_group_id)
        today_data = desk.read(today_records.load_today, *arguments)
        assert standing(today_data, student).state == "stuck"


def test_the_file_of_all_answers_judges_them_as_they_count_now(desk: Desk, write: Term) -> None:
    """As the gradebook does: by a corrected item, by a teacher; and words that wait are not 对."""
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    regraded = write.answer(attempt, FIRST, 1, misconception="natural_log")
    mark_columns = {"item_version": write.version(BODY), "created_at": write.at(3)}
    for verdict, score in (("wrong", 0.5), ("right", 1.0)):
        write.insert("re_mark", response_id=regraded, verdict=verdict, score=score, **mark_columns)
    ticked = write.answer(attempt, "content:why#2", 1, "right", score=0.0)
    write.insert("re_mark", response_id=ticked, verdict="wrong", score=0.5, ticks="[0]", **mark_columns)
    write.answer(attempt, "content:why#3", 1, "right", score=0.0)
    write.answer(attempt, SECOND, 1, misconception="log10")
    write.connection.commit()
    class_key = (TEACHER, write.classroom)
    class_and_students = desk.read(class_responses.load_class_and_students, *class_key)
    [gradebook_student] = class_and_students.gradebook_students
    response_lines = desk.read(class_responses.load_responses, *class_key, gradebook_student)
    assert [(line.verdict, line.score, line.misconception_code) for line in response_lines] == [
        ("right", 1.0, None),
        ("wrong", 0.5, None),
        (None, None, None),
        ("wrong", 0.0, "log10"),
    ]


def test_whoever_plays_or_opens_an_example_is_at_work(desk: Desk, write: Term) -> None:
    """今天 knows the same last moment as the page of the class."""
    player, reader = write.student("小糖"), write.student("小序")
    write.student("小方")
    move = {"move": "on", "raw": "", "step": "", "verdict": "finished", "created_at": write.at(11)}
    play = {"game": "duel", "level": 0, "seed": 1, "position": 1}
    write.insert("game_move", learner_id=write.learner(player), **play, **move)
    example = {"ref": "content:first", "round": 1, "position": 1, "created_at": write.at(11)}
    write.insert("reveal", learner_id=write.learner(reader), **example)
    class_activity = today(desk, write, 12).activity
    assert class_activity.present_count == 2
    moment = NOW + timedelta(minutes=11)
    assert class_activity.last_active_time_by_enrolment_id == {player: moment, reader: moment}
    class_data = desk.read(class_progress.load_class, TEACHER, write.classroom)
    learner_ids = map(write.learner, (player, reader))
    assert class_data.last_active_time_by_learner_id == dict.fromkeys(learner_ids, moment)


def test_whoever_left_an_hour_ago_is_not_quiet(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    attempt = write.begin(work, student, 0)
    write.answer(attempt, FIRST, 1)
    write.answer(write.begin(work, classmate, 90), FIRST, 91, "right")
    assert states(today(desk, write, 92)) == {student: "working", classmate: "working"}


def test_four_wrong_answers_stay_until_something_is_done_about_them(desk: Desk, write: Term) -> None:
    student, late = write.student("小糖"), write.student("小迟")
    work = write.assignment(PRACTICE, due_at=write.at(3000))
    attempt = write.begin(work, student, 0)
    for minute in range(1, 5):
        write.answer(attempt, FIRST, minute)
    live_status = standing(today(desk, write, 900), student)
    assert live_status.stuck_reason
    assert (
        live_status.state,
        live_status.stuck_reason.wrong_count,
        live_status.stuck_reason.stuck_since,
    ) == (
        "stuck",
        4,
        NOW + timedelta(minutes=4),
    )
    write.insert("extension", assignment_id=work, enrolment_id=late, due_at=write.at(9000), note="",
                 created_at=write.at(10))  # fmt: skip
    assert standing(today(desk, write, 4000), student).state != "stuck", "over for this one"
    write.hand_in(attempt, 901)
    assert standing(today(desk, write, 902), student).state == "done"


def test_whoever_works_elsewhere_is_not_quiet(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    write.begin(work, student, 0)
    other_attempt = write.begin(work, classmate, 0)
    practice = write.practise(student, "content:dcg-2-7", 8)
    write.answer(practice, "content:practice-dcg-2", 11, "right")
    write.answer(other_attempt, FIRST, 11, "right")
    assert states(today(desk, write, 12)) == {student: "working", classmate: "working"}
    write.answer(other_attempt, SECOND, 17, "right")
    assert states(today(desk, write, 18)) == {student: "stuck", classmate: "working"}, (
        "nobody has seen them since"
    )


def test_sealed_answers_are_progress_too(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE, answers="handed_in")
    attempt, other_attempt = write.begin(work, student, 0), write.begin(work, classmate, 0)
    write.save(attempt, FIRST, 3)
    write.save(other_attempt, FIRST, 14)
    today_data = today(desk, write, 14.5)
    assert (standing(today_data, student).state, standing(today_data, student).answered_count) == ("stuck", 1)
    write.save(attempt, SECOND, 15)
    assert standing(today(desk, write, 15.5), student).answered_count == 2
    for number, item in ((3, "practice-dcg-2"), (4, "cg-chengdu")):
        write.save(attempt, f"content:{item}#{number}", 16)
    assert standing(today(desk, write, 40), student).state == "ready", "whoever is through may rest"


def test_late_joiners_and_those_who_left(desk: Desk, write: Term) -> None:
    left_student, student = write.student("小方"), write.student("小糖")
    write.begin(write.assignment(PRACTICE), left_student, -30)
    late = write.student("小迟", joined=-5)
    write.connection.execute("UPDATE enrolment SET removed_at = ? WHERE id = ?", (write.at(-1), left_student))
    assert states(today(desk, write)) == {student: "new", late: "new"}


def test_only_for_some(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    write.student("小序")
    work = write.assignment(PRACTICE, everyone=False)
    write.insert("assignee", assignment_id=work, enrolment_id=student)
    assert states(today(desk, write)) == {student: "new"}


def titles(open_assignments: Sequence[OpenAssignment]) -> list[str]:
    return [entry.task.title for entry in open_assignments]


def test_what_is_open(desk: Desk, write: Term) -> None:
    write.student("小糖")
    write.assignment(PRACTICE, title="草稿", published_at=None)
    write.assignment(PRACTICE, title="以后", opens_at=write.at(60))
    write.assignment(PRACTICE, title="收了", closed_at=write.at(-1))
    write.assignment(PRACTICE, title="过了", due_at=write.at(-1))
    write.assignment(PRACTICE, title="可迟交", due_at=write.at(-1), late_until=write.at(9))
    write.assignment(PRACTICE, title="不限", due_at=None)
    today_data = today(desk, write)
    assert titles(today_data.open_assignments) == ["不限", "可迟交"]
    assert [entry.title for entry in today_data.upcoming_tasks] == ["以后"]


def test_an_extension_keeps_it_open_for_one(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE, due_at=write.at(-10))
    for due_at in (write.at(5), write.at(60)):
        write.insert(
            "extension",
            assignment_id=work,
            enrolment_id=student,
            due_at=due_at,
            note="",
            created_at=write.at(-20),
        )
    assert states(today(desk, write, 30)) == {student: "new", classmate: "over"}
    write.insert(
        "extension", assignment_id=work, enrolment_id=student, due_at=None, note="", created_at=write.at(31)
    )
    assert today(desk, write, 32).open_assignments == []


@pytest.mark.parametrize(("is_closed", "due_at"), [(False, NOW + timedelta(minutes=60)), (True, None)])
def test_what_was_closed_early_is_due_no_more(
    desk: Desk, write: Term, is_closed: bool, due_at: datetime | None
) -> None:
    """Who has an extension works on there, and the list of classes named the due time of the others."""
    student = write.student("小糖")
    closing = {"closed_at": write.at(0)} if is_closed else {}
    work = write.assignment(PRACTICE, due_at=write.at(60), **closing)
    write.insert(
        "extension",
        assignment_id=work,
        enrolment_id=student,
        due_at=write.at(90),
        note="",
        created_at=write.at(0),
    )
    write.connection.commit()
    _, classes = desk.read(today_records.load_classes_and_summaries, TEACHER, NOW + timedelta(minutes=2))
    assert classes == {write.classroom: ClassSummary(0, 0, 1, due_at)}


def test_stuck_in_what_nobody_assigned(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    attempt = write.practise(student, "content:dcg-2-7", 0)
    for minute in range(4):
        write.answer(attempt, "content:practice-dcg-2", minute, misconception="natural_log")
    today_data = today(desk, write, 5)
    assert today_data.stuck_reason_by_enrolment_id[student].misconception_code == "natural_log"
    assert today_data.activity.is_present(student)
    other_attempt = write.practise(student, "content:dcg-2-8", 6)
    write.answer(other_attempt, "content:practice-dcg-2", 6, "right")
    assert today(desk, write, 7).stuck_reason_by_enrolment_id == {}, "went on with another one"


def test_stuck_in_what_another_teacher_assigned_is_not_this_teachers(desk: Desk, write: Term) -> None:
    other_class = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    student = write.student("小糖")
    other_term = Term(other_class, NOW, write.connection)
    place = other_term.enrol(write.learner(student), "小糖", -100)
    attempt = other_term.begin(other_term.assignment(PRACTICE), place, 0)
    for minute in range(4):
        other_term.answer(attempt, FIRST, minute)
    today_data = today(desk, write, 5)
    assert today_data.stuck_reason_by_enrolment_id == {}
    assert today_data.activity.is_present(student), "that somebody is at work tells nothing"


def test_what_was_closed_is_not_what_nobody_assigned(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    work = write.assignment(PRACTICE)
    attempt = write.begin(work, student, 0)
    for minute in range(4):
        write.answer(attempt, FIRST, minute)
    assert standing(today(desk, write, 5), student).state == "stuck"
    write.connection.execute("UPDATE assignment SET closed_at = ? WHERE id = ?", (write.at(6), work))
    today_data = today(desk, write, 7)
    assert (today_data.open_assignments, today_data.stuck_reason_by_enrolment_id) == ([], {})


def test_when_each_was_seen(desk: Desk, write: Term) -> None:
    student, never = write.student("小糖"), write.student("小序")
    write.begin(write.assignment(PRACTICE), student, -3)
    today_data = today(desk, write, 3)
    assert today_data.activity.last_active_time_by_enrolment_id == {student: NOW - timedelta(minutes=3)}
    assert not today_data.activity.is_present(student)
    assert not today_data.activity.is_present(never)


def test_a_class_opens_at_today_while_work_is_open(desk: Desk, write: Term) -> None:
    write.student("小糖")

    def working(minutes: float, caller: Caller = TEACHER) -> set[int]:
        write.connection.commit()
        return set(
            desk.read(today_records.load_classes_and_summaries, caller, NOW + timedelta(minutes=minutes))[1]
        )

    assert working(0) == set()
    write.assignment(PRACTICE, opens_at=write.at(10), due_at=write.at(20))
    assert [working(minutes) for minutes in (0, 15, 25)] == [set(), {write.classroom}, set()]
    assert working(20.5) == {write.classroom}, "a minute lasts until its last second"
    assert working(15, COLLEAGUE) == set()
    assert working(15, Caller()) == set()


def test_a_fixed_number_of_statements(desk: Desk, write: Term, monkeypatch: pytest.MonkeyPatch) -> None:
    statements: list[ReusableStatement] = []
    real = ReusableStatement.run

    def run(self: ReusableStatement, *args: object) -> list[Row]:
        statements.append(self)
        return real(self, *args)  # type: ignore[arg-type]

    monkeypatch.setattr(ReusableStatement, "run", run)

    def count() -> list[int]:
        write.connection.commit()
        counts = []
        for verb, *args in (
            (today_records.load_today, NOW),
            (misconceptions.load_misconceptions, None),
            (item_stats.load_item_stats, None),
            (pre_post.load_class_and_pre_post,),
        ):
            statements.clear()
            desk.read(verb, TEACHER, write.classroom, *args)
            counts.append(len(statements))
        return counts

    few = count()
    for number in range(12):
        attempt = write.begin(write.assignment(PRACTICE), write.student(f"同学{number}"), 0)
        write.answer(attempt, FIRST, 1, misconception="log10")
    assert count() == few
    assert max(few) <= 16


# 误区分布.


def test_wrong_answers_to_own_items_are_read_beside_what_was_read(desk: Desk, write: Term) -> None:
    """The class, its assignments and its students were read twice for one page."""
    student = write.student("小糖")
    work = write.assignment(PRACTICE)
    write.answer(write.begin(work, student, 0), "own-1:q#1", 1)
    write.connection.commit()
    for assignment_id in (None, work):
        read_before = desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, assignment_id)
        with counted() as reads:
            [wrong_answer] = desk.read(
                own_mistakes.load_own_content_wrong_answers, TEACHER, write.classroom, read_before, LONG_AGO
            )
        assert (wrong_answer.item_ref, [wrong.id for wrong in wrong_answer.students]) == (
            "own-1:q",
            [student],
        )
        assert reads.statements == 2, "whose class it is, and the answers"


def test_who_makes_which_mistake(desk: Desk, write: Term) -> None:
    student, classmate, third = (write.student(name) for name in ("小糖", "小序", "小方"))
    work = write.assignment(PRACTICE)
    attempt, two = write.begin(work, student, 0), write.begin(work, classmate, 0)
    write.answer(attempt, FIRST, 1, misconception="natural_log")
    write.answer(attempt, FIRST, 2, misconception="natural_log")
    write.answer(two, FIRST, 1, misconception="natural_log", raw=("6.77",))
    write.answer(two, SECOND, 2, misconception="log10|natural_log")
    write.answer(
        write.practise(third, "content:dcg-2-7", 0), "content:practice-dcg-2", 1, misconception="log10"
    )
    write.connection.commit()
    misconception_data = desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, None)
    assert [
        (attempt.misconception_id, dict(attempt.count_by_enrolment_id))
        for attempt in misconception_data.misconceptions
    ] == [
        ("natural_log", {student: 2, classmate: 1}),
        ("log10", {third: 1, classmate: 1}),
    ]
    assert [attempt.alternative_codes for attempt in misconception_data.misconceptions] == [
        [],
        ["natural_log"],
    ]
    assert misconception_data.misconceptions[0].example_answer
    assert misconception_data.misconceptions[0].example_answer.answer_texts == ("6.77",)
    assert misconception_data.answering_student_count == 3
    of_work = desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, work)
    assert [attempt.misconception_id for attempt in of_work.misconceptions] == ["natural_log", "log10"]
    assert of_work.answering_student_count == 2
    late = desk.read(
        misconceptions.load_misconceptions, TEACHER, write.classroom, None, NOW + timedelta(minutes=2)
    )
    assert {
        attempt.misconception_id: dict(attempt.count_by_enrolment_id) for attempt in late.misconceptions
    } == {
        "natural_log": {student: 1},
        "log10": {classmate: 1},
    }
    assert late.answering_student_count == 2
    with pytest.raises(NotFound):
        desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, 999)
    with pytest.raises(NotFound):
        desk.read(misconceptions.load_misconceptions, COLLEAGUE, write.classroom, work)


def test_an_answer_that_was_judged_anew_shows_no_mistake(desk: Desk, write: Term) -> None:
    attempt = write.begin(write.assignment(PRACTICE), write.student("小糖"), 0)
    answer = write.answer(attempt, FIRST, 1, misconception="natural_log")
    re_mark(write, answer)
    write.connection.commit()
    assert desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, None).misconceptions == ()
    [first_answers] = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, None).first_answers
    assert first_answers.is_right


def test_an_answer_that_stays_wrong_counts_under_what_the_corrected_item_says(
    desk: Desk, write: Term
) -> None:
    work = write.assignment(PRACTICE)
    for name, misconception in (("小糖", None), ("小序", "log10")):
        attempt = write.begin(work, write.student(name), 0)
        answer = write.answer(attempt, FIRST, 1, misconception="natural_log", raw=("4.5",))
        re_mark(write, answer, "wrong", misconception)
    write.connection.commit()
    for assignment_id in (work, None):
        item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, assignment_id)
        assert {
            (first_answer.is_right, first_answer.wrong_answer_key)
            for first_answer in item_stats_data.first_answers
        } == {(False, "=4.5"), (False, "log10")}
        assert len(item_stats_data.first_answers) == 2


@pytest.mark.parametrize(("ticks", "is_counted"), [(None, True), ("[0]", True), ("{}", False)])
def test_a_second_mark_counts_unless_a_teacher_gave_one_student_points(
    desk: Desk, write: Term, ticks: str | None, is_counted: bool
) -> None:
    """By the program or a rubric it says something of the item; also of a student who has left."""
    work, student = write.assignment(PRACTICE), write.student("小糖")
    answer = write.answer(write.begin(work, student, 0), FIRST, 1, misconception="natural_log")
    re_mark(write, answer, ticks=ticks)
    write.connection.commit()
    class_misconceptions = desk.read(misconceptions.load_misconceptions, TEACHER, write.classroom, None)
    assert len(class_misconceptions.misconceptions) == (not is_counted)
    discussion = desk.read(discussions.load_discussion, TEACHER, AssignmentKey(write.classroom, work), 1)
    [discussed_answer] = discussion.answers
    assert (discussed_answer.verdict == "right") == is_counted

    def is_right_in_stats(assignment_id: int | None) -> bool:
        item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, assignment_id)
        [first_answer] = item_stats_data.first_answers
        return first_answer.is_right

    assert [is_right_in_stats(None), is_right_in_stats(work)] == [is_counted, is_counted]
    write.connection.execute("UPDATE enrolment SET removed_at = ?", (write.at(10),))
    write.connection.commit()
    assert is_right_in_stats(work) == is_counted


@pytest.mark.parametrize(
    ("verdict", "second_marks", "right_count"),
    [
        ("wrong", [("right", None)], 1),
        ("right", [("wrong", None)], 0),
        ("wrong", [("right", "{}")], 0),
        ("wrong", [("wrong", None), ("right", "[0]"), ("wrong", "{}")], 1),
    ],
)
def test_what_was_right_at_once_goes_by_the_last_mark(
    desk: Desk, write: Term, verdict: str, second_marks: list[tuple[str, str | None]], right_count: int
) -> None:
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    answer = write.answer(attempt, FIRST, 1, verdict)
    for second_verdict, ticks in second_marks:
        re_mark(write, answer, second_verdict, ticks=ticks)
    write.answer(attempt, SECOND, 2, "right")
    write.connection.commit()
    student_data, _ = desk.read(
        student_progress.load_student_and_classes, TEACHER, write.classroom, student, {}, ()
    )
    [listed_attempt] = student_data.listed_attempts
    assert (listed_attempt.item_count, listed_attempt.right_count) == (2, 1 + right_count)


def re_mark(
    write: Term,
    answer: int,
    verdict: str = "right",
    misconception: str | None = None,
    ticks: str | None = None,
) -> None:
    write.insert(
        "re_mark",
        response_id=answer,
        verdict=verdict,
        score=float(verdict == "right"),
        misconception=misconception,
        item_version=write.version("{}"),
        created_at=write.at(9),
        ticks=ticks,
    )


def test_practice_against_a_mistake_is_for_exactly_those_who_make_it(desk: Desk, write: Term) -> None:
    student, left_student, _ = (write.student(name) for name in ("小糖", "小方", "小序"))
    work = write.assignment(PRACTICE)
    for place in (student, left_student):
        write.answer(write.begin(work, place, 0), FIRST, 1, misconception="natural_log")
    write.connection.execute("UPDATE enrolment SET removed_at = ? WHERE id = ?", (write.at(2), left_student))
    write.connection.commit()

    def remedy(code: str, exercises: list[tuple[str, int]], caller: Caller = TEACHER, days: int = 0) -> int:
        return desk.write(
            misconceptions.create_practice_draft,
            caller,
            write.classroom,
            code,
            f"针对练习：{code}",
            exercises,
            work,
            LONG_AGO,
            NOW + timedelta(days=days),
        )

    offered_remedies = remedy("natural_log", [("content:discount", 2), ("content:dcg", 2)])
    assert remedy("natural_log", [("content:discount", 2)]) == offered_remedies, "a double click"
    assert desk.rows("SELECT enrolment_id FROM assignee WHERE assignment_id = ?", offered_remedies) == [
        (student,)
    ]
    assert desk.rows(
        "SELECT kind, ref, level, same FROM assignment_part WHERE assignment_id = ? ORDER BY position",
        offered_remedies,
    ) == [("practice", "content:discount", 2, 0), ("practice", "content:dcg", 2, 0)]
    [row] = desk.rows(
        "SELECT published_at, everyone, hints, answers FROM assignment WHERE id = ?", offered_remedies
    )
    assert row == (None, 0, 1, "at_once")
    for code, exercises in (("log10", [("content:dcg", 2)]), ("natural_log", [])):
        with pytest.raises(Refused, match="没有人犯过"):
            remedy(code, exercises)
    with pytest.raises(NotFound):
        remedy("natural_log", [("content:dcg", 2)], COLLEAGUE)
    assert remedy("natural_log", [("content:dcg", 2)], days=3) == offered_remedies, "the draft is still there"
    write.answer(write.begin(work, write.student("小方"), 3), FIRST, 4, misconception="natural_log")
    write.connection.commit()
    wider = remedy("natural_log", [("content:dcg", 2)], days=3)
    assert wider != offered_remedies, "somebody more makes it: the old draft is not for them"
    write.connection.execute("UPDATE assignment SET published_at = ? WHERE id = ?", (write.at(5), wider))
    write.connection.commit()
    assert remedy("natural_log", [("content:dcg", 2)], days=3) not in (offered_remedies, wider)


def test_practice_at_a_skill_is_for_those_who_are_in_the_class(desk: Desk, write: Term) -> None:
    student, left_student = write.student("小糖"), write.student("小方")
    write.connection.execute("UPDATE enrolment SET removed_at = ? WHERE id = ?", (write.at(2), left_student))
    write.connection.commit()

    dcg_part = remedies.exercise_part("content:dcg", 2)

    def practice(new_parts: list[NewPart], *students: int, caller: Caller = TEACHER) -> int:
        class_and_title = (write.classroom, "再练练：DCG")
        return desk.write(
            remedies.create_draft_for_students, caller, *class_and_title, new_parts, students, NOW
        )

    draft_id = practice([dcg_part], student, left_student)
    assert desk.rows("SELECT enrolment_id FROM assignee WHERE assignment_id = ?", draft_id) == [(student,)]
    assert practice([dcg_part], student) == draft_id, "a double click"
    with pytest.raises(Refused, match="站不稳"):
        practice([dcg_part], left_student)
    with pytest.raises(Refused, match="站不稳"):
        practice([], student)
    with pytest.raises(NotFound):
        practice([dcg_part], student, caller=COLLEAGUE)


# 题目分析.


def test_first_answers_alone(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    work = write.assignment(PRACTICE)
    attempt = write.begin(work, student, 0)
    write.answer(attempt, FIRST, 1, misconception="log10", seconds=40)
    write.answer(attempt, FIRST, 2, "right")
    write.hand_in(attempt, 3)
    again = write.begin(work, student, 4, number=2)
    write.answer(again, FIRST, 5)
    write.answer(again, FIRST, 6, "right")
    write.answer(write.begin(work, classmate, 0), FIRST, 1, "right", hints=1, seconds=20)
    write.connection.commit()
    item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, work)
    assert set(item_stats_data.first_answers) == {
        FirstResponse(write.learner(student), FIRST, False, False, 40, "log10"),
        FirstResponse(write.learner(classmate), FIRST, True, True, 20, None),
    }
    assert item_stats_data.further_try_counts_by_item_ref == {FIRST: [1]}, "the second pass is not counted"


def test_over_a_class_the_first_meeting_with_an_item_counts(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    attempt = write.begin(write.assignment(PRACTICE), student, 0)
    write.answer(attempt, FIRST, 1, raw=("3.5",))
    write.answer(attempt, SECOND, 2, "right")
    write.answer(write.practise(student, "content:dcg-2-7", 5), "content:practice-dcg-2", 6, "right")
    write.connection.commit()
    item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, None)
    [analysis] = figures_by_item_ref(item_stats_data.first_answers).values()
    assert (analysis.item_ref, analysis.answer_count, analysis.right_count) == (
        "content:practice-dcg-2",
        1,
        0,
    )
    assert analysis.wrong_answers_with_counts == [("=3.5", 1)]


def test_words_of_answers_may_hold_commas(desk: Desk, write: Term) -> None:
    attempt = write.begin(write.assignment(PRACTICE), write.student("小糖"), 0)
    write.answer(attempt, FIRST, 1, raw=("1,2",), seconds=None)
    write.answer(attempt, SECOND, 2, raw=("三，四",))
    write.connection.commit()
    first_answers = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, None).first_answers
    assert [answer.wrong_answer_key for answer in first_answers] == ["=1,2"]
    assert first_answers[0].answer_seconds is None


def test_reports_of_the_class(desk: Desk, write: Term) -> None:
    write.report(write.student("小糖"), "content:dcg-at-3", "少了一个数")
    write.connection.commit()
    item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, None)
    assert [report.text for report in item_stats_data.reports_by_item_ref["content:dcg-at-3"]] == [
        "少了一个数"
    ]


def test_today_counts_the_reports_that_the_analysis_shows(desk: Desk, write: Term) -> None:
    """None of work for another class; of one group what its students reported."""
    student, classmate = write.student("小糖"), write.student("小序")
    group_id = write.insert("student_group", classroom_id=write.classroom, name="一组")
    write.insert("group_member", enrolment_id=student, group_id=group_id)
    work = write.assignment(PRACTICE)
    for place, page in (
        (student, f"/assignments/{work}/questions/1"),
        (student, f"/assignments/{work + 1}/questions/1"),
        (classmate, "/lessons/content"),
    ):
        write.report(place, FIRST, "少了一个数", page)
    write.connection.commit()

    def report_count(group_id: int | None) -> int:
        arguments = (TEACHER, write.classroom, NOW, group_id)
        return desk.read(today_records.load_today, *arguments).report_count

    assert [report_count(None), report_count(group_id)] == [2, 1]
    item_stats_data = desk.read(item_stats.load_item_stats, TEACHER, write.classroom, None)
    [class_reports] = item_stats_data.reports_by_item_ref.values()
    assert len(class_reports) == 2


def test_today_points_for_two_weeks_at_a_report_and_for_two_months_at_work_to_be_marked(
    desk: Desk, write: Term
) -> None:
    """From when it came, and from when the assignment was published."""
    student = write.student("小糖")
    write.report(student, "content:dcg-at-3", "少了一个数")
    work = write.assignment(PRACTICE)
    write.begin(work, student, 0)
    write.connection.execute("UPDATE submission SET waiting = 2")
    day = 24 * 60
    reports = [today(desk, write, minutes).report_count for minutes in (14 * day - 2, 14 * day - 1)]
    assert reports == [1, 0]
    counts = [
        [unmarked_work.answer_count for unmarked_work in today(desk, write, minutes).unmarked_works]
        for minutes in (60 * day - 61, 60 * day - 60)
    ]
    assert counts == [[2], []]


# 前测与后测, 讲评.


def test_an_answer_that_is_only_saved_is_a_sign_of_its_student(desk: Desk, write: Term) -> None:
    work = write.assignment(PRACTICE)
    tang, xu = write.student("小糖"), write.student("小序")
    for place, minutes in ((tang, 5), (xu, 8)):
        write.save(write.begin(work, place, 1), FIRST, minutes)
    for number in range(9):
        write.practise(xu, f"content:dcg-{number}", 2)
    write.connection.commit()
    last_active = desk.read(
        class_progress.load_class, TEACHER, write.classroom
    ).last_active_time_by_learner_id
    assert last_active == {write.learner(tang): NOW + timedelta(minutes=5)}, (
        "eight attempts back nobody looks"
    )


def test_pairs_of_tests(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    pre = write.assignment(PRACTICE, form="pre")
    write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
    post = write.assignment(PRACTICE, form="post", pair=pre)
    for test, place, points, number in (
        (pre, student, 1.0, 1),
        (pre, student, 4.0, 2),
        (post, student, 3.0, 1),
        (pre, classmate, 2.0, 1),
    ):
        write.hand_in(write.begin(test, place, 0, number), 5, points, 4.0)
    write.connection.commit()
    _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    reached = {result.student.id: (result.share_before, result.share_after) for result in pair.results}
    assert reached == {student: (0.25, 0.75), classmate: (0.5, None)}
    assert pair.is_matched


def test_a_first_test_that_was_handed_in_after_the_second_is_no_measure_of_before(
    desk: Desk, write: Term
) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    pre = write.assignment(PRACTICE, form="pre")
    write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
    post = write.assignment(PRACTICE, form="post", pair=pre)
    for test, place, minutes, points in (
        (pre, student, 30, 4.0),
        (post, student, 20, 3.0),
        (pre, classmate, 5, 1.0),
        (post, classmate, 20, 3.0),
    ):
        write.hand_in(write.begin(test, place, 0), minutes, points, 4.0)
    write.connection.commit()
    _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    own_result, other_result = pair.results
    assert (own_result.share_before, own_result.share_after) == (1.0, 0.75)
    assert own_result.is_before_too_late
    assert own_result.gained_percentage_points is None
    assert not other_result.is_before_too_late
    assert pair.learning_gain
    assert (pair.learning_gain.student_count, pair.learning_gain.mean_difference) == (1, 0.5)
    assert pair.uncounted_student_count == 1


def test_points_that_were_given_to_all_are_no_gain(desk: Desk, write: Term) -> None:
    """A part of the 后测 counted in full for everybody, until that was taken back."""
    student = write.student("小糖")
    pre = write.assignment(PRACTICE, form="pre")
    write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
    post = write.assignment(PRACTICE, form="post", pair=pre)
    for test, points in ((pre, 1.0), (post, 3.0)):
        write.hand_in(write.begin(test, student, 0), 5, points, 4.0)
    post_parts = "SELECT MAX(id) FROM assignment_part WHERE assignment_id = ?"
    [(part_id,)] = write.connection.execute(post_parts, (post,)).fetchall()
    for grants, expected_titles in ([], []), ([True], [post]), ([False], []):
        for is_granted in grants:
            write.insert(
                "part_grant", part_id=part_id, granted=is_granted, reason="印错了", created_at=write.at(9)
            )
        write.connection.commit()
        _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
        assert pair.post_test
        assert len(pair.granted_titles) == len(expected_titles)
        assert set(pair.granted_titles) <= {pair.post_test.title}


def test_a_test_with_words_to_be_marked_has_no_share_yet(desk: Desk, write: Term) -> None:
    student, classmate = write.student("小糖"), write.student("小序")
    pre = write.assignment(PRACTICE, form="pre")
    write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
    post = write.assignment(PRACTICE, form="post", pair=pre)
    for test, place, number in (
        (pre, student, 1),
        (post, student, 1),
        (post, student, 2),
        (pre, classmate, 1),
    ):
        write.hand_in(write.begin(test, place, 0, number), 5, 2.0, 4.0)
    set_waiting = "UPDATE submission SET waiting = ? WHERE assignment_id = ? AND number = 1"
    write.connection.execute(set_waiting, (1, post))
    write.connection.commit()
    _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    own_result, other_result = pair.results
    assert (own_result.share_before, own_result.share_after, own_result.waits_after) == (0.5, None, True)
    assert (other_result.share_after, other_result.waits_after) == (None, False), "not done at all"
    assert pair.learning_gain is None
    write.connection.execute(set_waiting, (0, post))
    write.connection.commit()
    _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    assert pair.learning_gain


def test_each_post_test_of_a_pre_test_is_held_against_it(desk: Desk, write: Term) -> None:
    student = write.student("小糖")
    pre = write.assignment(PRACTICE, form="pre")
    write.connection.execute("UPDATE assignment SET pair = id WHERE id = ?", (pre,))
    post_tests = [write.assignment(PRACTICE, form="post", pair=pre) for _ in range(2)]
    for test, points in zip([pre, *post_tests], (1.0, 3.0, 2.0), strict=True):
        write.hand_in(write.begin(test, student, 0), 5, points, 4.0)
    write.connection.commit()
    _, pairs = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    assert [pair.post_test and pair.post_test.id for pair in pairs] == post_tests[::-1]
    assert [pair.results[0].gained_percentage_points for pair in pairs] == [25, 50]


def test_what_a_student_gained_is_what_the_two_shown_shares_come_to() -> None:
    student = Student(1, 1, "小糖", "", NOW, None, None)
    for before in range(9):
        for after in range(9):
            pair_result = pre_post.PrePostResult(student, before / 8, after / 8, False, False, False)
            shown_before, shown_after = (int(percent_text(eighths / 8)[:-1]) for eighths in (before, after))
            assert pair_result.gained_percentage_points == shown_after - shown_before


def test_a_pair_of_drafts_is_matched(desk: Desk, write: Term) -> None:
    write.connection.commit()
    exercises = [("content:dcg", 2, 2), ("content:ndcg", 2, 2)]
    pair_ids = desk.write(pre_post.create_pair_drafts, TEACHER, write.classroom, "数学定义", exercises, NOW)
    assert (
        desk.write(pre_post.create_pair_drafts, TEACHER, write.classroom, "数学定义", exercises, NOW)
        == pair_ids
    )
    _, [pair] = desk.read(pre_post.load_class_and_pre_post, TEACHER, write.classroom)
    assert pair.post_test
    assert pair.is_matched
    assert (pair.pre_test.id, pair.pre_test.assignment.pair, pair.post_test.assignment.pair) == (
        pair_ids,
        pair_ids,
        pair_ids,
    )
    assert pair.pre_test.assignment.seed != pair.post_test.assignment.seed
    assert (pair.pre_test.assignment.hints, pair.pre_test.assignment.answers) == (False, "never")
    assert (pair.post_test.assignment.hints, pair.post_test.assignment.answers) == (False, "handed_in")
    with pytest.raises(Refused):
        desk.write(pre_post.create_pair_drafts, TEACHER, write.classroom, "", [], NOW)


def test_one_question_without_names(desk: Desk, write: Term) -> None:
    student, classmate, third = (write.student(name) for name in ("小糖", "小序", "小方"))
    work = write.assignment(PRACTICE)
    attempt, two = write.begin(work, student, 0), write.begin(work, classmate, 0)
    write.begin(work, third, 0)
    write.answer(attempt, FIRST, 1, body='{"a": 1}', misconception="log10")
    write.answer(attempt, FIRST, 2, "right")
    answer = write.answer(two, FIRST, 1, body='{"a": 1}')
    re_mark(write, answer)
    write.connection.commit()
    discussion = desk.read(discussions.load_discussion, TEACHER, AssignmentKey(write.classroom, work), 1)
    assert [(attempt.verdict, attempt.misconception_code) for attempt in discussion.answers] == [
        ("wrong", "log10"),
        ("right", None),
    ]
    assert (discussion.started_student_count, discussion.body_json, len(discussion.questions)) == (3, "{}", 4)
    for number in (0, 5):
        with pytest.raises(NotFound):
            desk.read(discussions.load_discussion, TEACHER, AssignmentKey(write.classroom, work), number)
    with pytest.raises(NotFound):
        desk.read(discussions.load_discussion, COLLEAGUE, AssignmentKey(write.classroom, work), 1)


def test_what_was_done_for_another_teacher_is_not_counted(desk: Desk, write: Term) -> None:
    """A class sees what its students do by themselves and for its teacher, in whatever class."""
    other_class = desk.write(classrooms.create_class, COLLEAGUE, "数学社", NOW)
    place = write.student("小糖")
    other_term = Term(other_class, NOW, write.connection)
    also = other_term.enrol(write.learner(place), "小糖", -100)
    attempt = write.begin(write.assignment(PRACTICE), place, -9)
    write.answer(attempt, FIRST, -8, misconception="natural_log")
    write.connection.commit()
    for teacher, classroom, count in ((TEACHER, write.classroom, 1), (COLLEAGUE, other_class, 0)):
        mistakes = desk.read(misconceptions.load_misconceptions, teacher, classroom, None)
        assert (len(mistakes.misconceptions), mistakes.answering_student_count) == (count, count)
        assert len(desk.read(item_stats.load_item_stats, teacher, classroom, None).first_answers) == count
        assert (
            len(desk.read(class_progress.load_class, teacher, classroom).first_tries_by_learner_id) == count
        )
    student, _ = desk.read(student_progress.load_student_and_classes, COLLEAGUE, other_class, also, {}, ())
    assert (student.listed_attempts, student.first_tries) == ((), ("", ""))
    with pytest.raises(NotFound):
        desk.read(student_progress.load_student_and_attempt, COLLEAGUE, other_class, also, attempt)
    second = desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    desk.write(class_members.move_student, TEACHER, write.classroom, place, second, NOW)
    student, _ = desk.read(student_progress.load_student_and_classes, TEACHER, second, place, {}, ())
    assert [work.id for work in student.listed_attempts] == [attempt], "whoever is moved takes it along"
