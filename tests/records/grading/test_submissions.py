"""Histories of an assignment: begun, answered, handed in, late, extended, collected; and who may see what."""

import json
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.course.assignments.question_sets import QuestionSet, question_seed
from app.course.exercises.exercises import LAST_SEED
from app.course.items.kinds.base import UNFILLED_SIGN
from app.course.items.kinds.steps import CARRIED_CELL_SIGN
from app.records.accounts.values import Caller
from app.records.assignments import attempt_seeds, audience, audit, drafts, lifecycle, lookup
from app.records.assignments.tables import Assignment
from app.records.assignments.values import Audience, NewPart
from app.records.classes import class_members, classrooms
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.statements import ReusableStatement
from app.records.grading import answering, gradebook, marks, regraded_marks, student_assignments, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from app.records.insight import student_progress
from app.records.insight import today as today_records
from app.records.learning import attempts, lesson_progress, responding
from app.records.learning.values import AttemptKey
from app.records.people import my_data
from bench.classes import counted_statements
from tests.records.assigned import (
    COLLEAGUE,
    COURSES,
    DAY,
    DCG,
    HOUR,
    PRACTICE,
    SAME,
    TANG,
    TEACHER,
    XU,
    Class,
)
from tests.records.cast import NOW, section_of
from tests.records.grading.done_elsewhere import play, review


def test_saved_answers_are_replaced_and_marked_when_handed_in(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, NewPart("item", "content:dcg", points=2.0))
    assert room.begin(TANG, assignment_id) == 1
    room.save(TANG, assignment_id, 1, "6")
    room.save(TANG, assignment_id, 2, "5")
    room.save(TANG, assignment_id, 2, "4")
    assert room.work(TANG, assignment_id).responses == ()
    assert [
        response.raw for response in room.work(TANG, assignment_id).saved_answer_by_question_ref.values()
    ] == [
        ("6",),
        ("4",),
    ]
    done = room.hand_in(TANG, assignment_id)
    assert (done.points, done.full_marks, done.late_factor, done.handed_in_at) == (2.0, 3.0, 1.0, NOW)
    assert sorted(json.loads(done.points_json).values()) == [0.0, 2.0]
    responses = room.work(TANG, assignment_id).responses
    assert [(response.item_ref, response.try_number, response.verdict) for response in responses] == [
        ("content:dcg#1", 1, "wrong"),
        ("content:dcg#2", 1, "right"),
    ]
    assert responses[0].misconception_code == "no_discount"
    assert tang.id == done.enrolment_id


def test_a_question_that_was_left_out_hides_none_after_it(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, DCG, DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 2, "4")
    with pytest.raises(NotFound, match="没有第4题"):
        room.save(TANG, assignment_id, 4, "4")
    assert room.hand_in(TANG, assignment_id).points == 1.0, tang.name


@pytest.mark.usefixtures("tang")
def test_handing_in_twice_changes_nothing(room: Class) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    first = room.hand_in(TANG, assignment_id)
    room.now += HOUR
    assert room.hand_in(TANG, assignment_id) == first
    assert room.desk.count("response") == 1
    with pytest.raises(Refused, match="已经交了"):
        room.save(TANG, assignment_id, 1, "6")


@pytest.mark.usefixtures("tang")
def test_beginning_twice_is_one_pass_and_passes_are_used_up(room: Class) -> None:
    assignment_id = room.assign(passes=2)
    assert (room.begin(TANG, assignment_id), room.begin(TANG, assignment_id)) == (1, 1)
    room.hand_in(TANG, assignment_id)
    assert room.begin(TANG, assignment_id) == 2
    room.hand_in(TANG, assignment_id, 2)
    with pytest.raises(Refused, match="能交2遍"):
        room.begin(TANG, assignment_id)
    assert room.desk.count("submission") == room.desk.count("attempt") == 2


@pytest.mark.usefixtures("tang")
def test_what_cannot_be_read_is_kept_and_costs_nothing_but_its_points(room: Class) -> None:
    assignment_id = room.assign(DCG, DCG)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "约四")
    room.save(TANG, assignment_id, 2, "4")
    assert room.hand_in(TANG, assignment_id).points == 1.0
    assert room.work(TANG, assignment_id).saved_answer_by_question_ref["content:dcg#1"].raw == ("约四",)
    assert room.desk.count("response") == 1


@pytest.mark.usefixtures("tang")
def test_at_once_each_answer_is_marked_and_tries_are_limited(room: Class) -> None:
    assignment_id = room.assign(answers="at_once", tries=2)
    room.begin(TANG, assignment_id)
    assert room.answer(TANG, assignment_id, 1, "6").responses[-1].verdict == "wrong"
    assert len(room.answer(TANG, assignment_id, 1, "4").responses) == 1, "a double click"
    assert room.answer(TANG, assignment_id, 1, "5", 2).responses[-1].verdict == "wrong"
    assert len(room.answer(TANG, assignment_id, 1, "4", 3).responses) == 2, "no tries left"
    assert room.hand_in(TANG, assignment_id).points == 0.0
    other_assignment = room.assign(answers="at_once")
    room.begin(TANG, other_assignment)
    with pytest.raises(Refused, match="不用先存"):
        room.save(TANG, other_assignment, 1, "4")


@pytest.mark.usefixtures("tang")
def test_what_is_typed_and_not_sent_stands_until_it_is_sent_and_costs_no_try(room: Class) -> None:
    assignment_id = room.assign(answers="at_once", tries=2)
    room.begin(TANG, assignment_id)
    typed_answer = (TANG, assignment_id, QuestionKey(1, 1), SentAnswer(("5",), try_number=1))
    room.desk.write(answering.store_unsent_answer, *typed_answer, room.now)
    [unsent_answer] = room.work(TANG, assignment_id).unsent_answer_by_question_ref.values()
    assert unsent_answer.raw == ("5",)
    assert len(room.answer(TANG, assignment_id, 1, "6").responses) == 1
    room.desk.write(answering.store_unsent_answer, *typed_answer, room.now)
    assert room.work(TANG, assignment_id).unsent_answer_by_question_ref == {}, "it came later than the answer"


def test_what_somebody_writes_changes_nothing_that_others_wrote(
    room: Class, tang: Student, xu: Student
) -> None:
    saved_id, sent_id = room.assign(DCG, DCG), room.assign(DCG, DCG, answers="at_once")
    for number, caller in enumerate((TANG, XU), 1):
        room.begin(caller, saved_id)
        room.begin(caller, sent_id)
        for question_number in (1, 2):
            text = f"{number}{question_number}"
            room.save(caller, saved_id, question_number, text)
            typed_answer = (QuestionKey(1, question_number), SentAnswer((text,), try_number=1))
            room.desk.write(answering.store_unsent_answer, caller, sent_id, *typed_answer, room.now)
    room.answer(XU, sent_id, 1, "4")
    for caller, saved_texts, unsent_texts in (
        (TANG, ["11", "12"], ["11", "12"]),
        (XU, ["21", "22"], ["22"]),
    ):
        saved_answers = room.work(caller, saved_id).saved_answer_by_question_ref.values()
        work = room.work(caller, sent_id)
        assert [saved.raw for saved in saved_answers] == [(text,) for text in saved_texts]
        unsent_answers = work.unsent_answer_by_question_ref.values()
        assert [unsent.raw for unsent in unsent_answers] == [(text,) for text in unsent_texts]
        assert work.saved_answer_by_question_ref == {}, (tang.name, xu.name)


@pytest.mark.usefixtures("tang")
def test_where_another_guess_is_a_gift_there_is_one_try(room: Class) -> None:
    assignment_id = room.assign(NewPart("item", "content:true-or-not"), answers="at_once", tries=0)
    room.begin(TANG, assignment_id)
    room.answer(TANG, assignment_id, 1, "-1")
    assert len(room.answer(TANG, assignment_id, 1, "-2", 2).responses) == 1


@pytest.mark.usefixtures("tang")
def test_hints_only_where_they_are_allowed(room: Class) -> None:
    assignment_id = room.assign(hints=False)
    room.begin(TANG, assignment_id)
    with pytest.raises(Refused, match="没有开提示"):
        room.desk.write(answering.open_next_hint, TANG, assignment_id, QuestionKey(1, 1), 1, room.now)


def test_own_variants_differ_and_the_same_one_does_not(room: Class, tang: Student, xu: Student) -> None:
    assignment_id = room.assign(PRACTICE, SAME)
    row, parts = room.row(assignment_id), room.desk.read(lookup.parts_of, assignment_id)
    papers = [QuestionSet(COURSES, parts, row.seed, question.id, 1, row.hmac_key) for question in (tang, xu)]
    own_seeds, other_seeds = (
        [paper.variant_seed_of(assigned_question) for assigned_question in paper.questions]
        for paper in papers
    )
    assert (
        own_seeds[0] != other_seeds[0],
        own_seeds[1] != other_seeds[1],
        own_seeds[2] == other_seeds[2],
    ) == (True, True, True)
    assert len(set(own_seeds)) == 3
    room.begin(TANG, assignment_id)
    for number, seed in enumerate(own_seeds, 1):
        room.save(TANG, assignment_id, number, str(seed))
    assert room.hand_in(TANG, assignment_id).points == 3.0


def test_an_assignment_from_before_the_secret_keeps_its_numbers(room: Class, tang: Student) -> None:
    """Also in the log of those who have only the attempt, and a copy of it gets numbers of the secret."""
    assignment_id = room.assign(PRACTICE)
    before = room.given(TANG, assignment_id).assignment
    room.desk.write(lambda session: session.execute(update(table(Assignment)).values(version=1)))
    task = room.given(TANG, assignment_id)
    seed = question_seed(before.seed, tang.id, 1, 1)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, str(seed))
    assert room.hand_in(TANG, assignment_id).points == 1.0
    attempt_id = room.work(TANG, assignment_id).attempt.attempt_id
    assert room.desk.read(attempt_seeds.load_variant_seed, attempt_id, "content:practice-term-1#1") == seed
    assert (before.hmac_key != b"", task.assignment.hmac_key) == (True, b"")
    copy_id = room.desk.write(
        drafts.copy_as_draft, TEACHER, room.key(assignment_id), room.classroom, room.now
    )
    assert (room.row(copy_id).version, room.row(copy_id).hmac_key != b"") == (3, True)


def test_the_log_of_an_attempt_knows_the_numbers_of_the_secret(room: Class, tang: Student) -> None:
    assignment_id = room.assign(PRACTICE)
    row = room.row(assignment_id)
    room.begin(TANG, assignment_id)
    attempt_id = room.work(TANG, assignment_id).attempt.attempt_id
    seed = question_seed(row.seed, tang.id, 1, 2, hmac_key=row.hmac_key)
    assert room.desk.read(attempt_seeds.load_variant_seed, attempt_id, "content:practice-term-1#2") == seed
    assert seed > LAST_SEED


@pytest.mark.usefixtures("tang")
def test_late_work_counts_by_its_factor(room: Class) -> None:
    due = NOW + DAY
    late: dict[str, Any] = {"late_until": due + DAY, "late_factor": 0.8}
    for seconds, factor in ((60, 0.8), (59, 1.0)):
        assignment_id = room.assign(due_at=due, **late)
        room.now = NOW
        room.begin(TANG, assignment_id)
        room.now = due + timedelta(seconds=seconds)
        room.save(TANG, assignment_id, 1, "4")
        assert room.hand_in(TANG, assignment_id).late_factor == factor, "a minute lasts until its last second"


def late_work(room: Class, **wishes: Any) -> int:
    """Right, and an hour after it was due: worth half."""
    assignment_id = room.assign(due_at=NOW + DAY, late_until=NOW + 3 * DAY, late_factor=0.5, **wishes)
    room.begin(TANG, assignment_id)
    room.now = NOW + DAY + HOUR
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).late_factor == 0.5
    return assignment_id


def test_more_time_afterwards_takes_back_what_being_late_cost(room: Class, tang: Student) -> None:
    assignment_id = late_work(room)
    assert mark_in_book(room, assignment_id) == ("late", 0.5)
    room.extend(assignment_id, tang, NOW + 2 * DAY)
    assert mark_in_book(room, assignment_id) == ("done", 1.0)
    room.extend(assignment_id, tang, None)
    assert mark_in_book(room, assignment_id) == ("late", 1.0), (
        "nobody pays for what they were told costs nothing"
    )


@pytest.mark.usefixtures("tang")
@pytest.mark.parametrize("due_at", [NOW + 2 * DAY, None], ids=["later", "never"])
def test_another_due_time_for_all_takes_it_back_too(room: Class, due_at: datetime | None) -> None:
    assignment_id = late_work(room)
    room.postpone(assignment_id, due_at)
    assert mark_in_book(room, assignment_id) == ("done", 1.0)


def test_what_is_late_by_the_new_time_too_stays_so(room: Class, tang: Student) -> None:
    xu, assignment_id = room.join("小序", "xu"), late_work(room)
    room.extend(assignment_id, xu, NOW + 2 * DAY)
    room.set_up(assignment_id, due_at=NOW + DAY + HOUR / 2)
    assert mark_in_book(room, assignment_id) == ("late", 0.5), tang.name


def mark_in_book(room: Class, assignment_id: int) -> tuple[str, float | None]:
    """State and points of 小糖 at an assignment."""
    book = room.desk.read(gradebook.load_gradebook, TEACHER, room.classroom, room.now)
    [index] = [place for place, column in enumerate(book.columns) if column.key == str(assignment_id)]
    [row] = [row for row in book.rows if row.student.name == "小糖"]
    return row.cells[index].state, row.cells[index].points


@pytest.mark.usefixtures("tang", "xu")
def test_the_deadline_passes_while_somebody_works(room: Class) -> None:
    assignment_id = room.assign(DCG, DCG, due_at=NOW + HOUR)
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.now += 2 * HOUR
    with pytest.raises(Refused, match="之前存下的都在"):
        room.save(TANG, assignment_id, 2, "4")
    with pytest.raises(Refused, match="没能交上"):
        room.hand_in(TANG, assignment_id)
    assert room.work(TANG, assignment_id).saved_answer_by_question_ref["content:dcg#1"].raw == ("4",)
    with pytest.raises(Refused, match="来不及"):
        room.begin(XU, assignment_id)


@pytest.mark.usefixtures("tang")
def test_before_it_opens_nobody_begins(room: Class) -> None:
    assignment_id = room.assign(opens_at=NOW + HOUR)
    with pytest.raises(Refused, match="还没有开始"):
        room.begin(TANG, assignment_id)
    room.now += HOUR
    assert room.begin(TANG, assignment_id) == 1
    room.now -= 2 * HOUR  # a clock that is set back
    with pytest.raises(Refused, match="还没有开始"):
        room.save(TANG, assignment_id, 1, "4")


@pytest.mark.usefixtures("tang")
def test_who_reaches_an_assignment(room: Class, xu: Student) -> None:
    draft = room.assign(publish=False)
    with pytest.raises(NotFound):
        room.given(TANG, draft)
    assignment_id = room.assign()
    for caller in (Caller(), COLLEAGUE, TEACHER):
        with pytest.raises(NotFound):
            room.given(caller, assignment_id)
    with pytest.raises(NotFound):
        room.desk.read(lookup.taught_assignment, COLLEAGUE, room.key(assignment_id))
    give = (TEACHER, room.key(assignment_id), Audience(False, [xu.id]), room.now)
    room.desk.write(audience.change_audience, *give)
    with pytest.raises(NotFound):
        room.given(TANG, assignment_id)
    assert room.given(XU, assignment_id).enrolment_id == xu.id
    assert room.desk.read(student_assignments.load_own_assignments, TANG) == ()


def test_whoever_joins_late_has_it_and_whoever_left_has_not(room: Class, tang: Student) -> None:
    assignment_id, other_assignment = room.assign(), room.assign()
    room.begin(TANG, assignment_id)
    late = room.join("小序", "xu")
    assert room.given(XU, assignment_id).enrolment_id == late.id
    room.desk.write(class_members.remove_student, TEACHER, room.classroom, tang.id, room.now)
    with pytest.raises(Refused, match="不布置给你了"):
        room.save(TANG, assignment_id, 1, "4")
    with pytest.raises(NotFound):
        room.begin(TANG, other_assignment)
    room.desk.write(class_members.put_back_into_class, TEACHER, room.classroom, tang.id, room.now)
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).points == 1.0


@pytest.mark.usefixtures("tang")
def test_an_assignment_is_not_answered_by_another_way(room: Class) -> None:
    """Neither marked at once through the pages of lessons, nor shown."""
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    target = AttemptKey(room.work(TANG, assignment_id).attempt.attempt_id)
    paper = QuestionSet(COURSES, (), 0)
    with pytest.raises(NotFound, match="我的作业"):
        room.desk.write(responding.show_solution, TANG, target, "content:dcg#1", 1, paper, room.now)
    assert room.desk.count("response") == 0


def test_cards_and_games_count_from_the_opening_on(room: Class, tang: Student) -> None:
    """Reviews of the stage's cards, plays that were ended; what was done before or undone does not count."""
    assignment_id = room.assign(
        NewPart("cards", "content:concepts", count=4, points=2.0),
        NewPart("game", "monster", level=2, points=3.0),
        NewPart("section", "content:concepts/sweetness"),
    )
    for number, (card, hours, undone) in enumerate(
        [("rank", -1, None), ("rank", 1, None), ("gain", 2, None), ("other", 1, None), ("gain", 1, NOW)]
    ):
        review(room.desk, tang.learner_id, f"content:{card}", number, NOW + hours * HOUR, undone)
    for level, outcome in ((1, "won"), (2, "retreat"), (2, None)):
        play(room.desk, tang.learner_id, level, outcome)
    room.now += 3 * HOUR
    room.begin(TANG, assignment_id)
    done = room.hand_in(TANG, assignment_id)
    assert (done.points, done.full_marks) == (2.0, 6.0), "the stage has two cards, and each counts once"
    play(room.desk, tang.learner_id, 3, "won")
    room.desk.write(
        lesson_progress.save_place, TANG, "content:concepts", section_of("sweetness"), 5, True, room.now
    )
    again = room.assign(NewPart("game", "monster", level=2), NewPart("section", "content:concepts/sweetness"))
    room.set_up(again, opens_at=NOW)
    room.begin(TANG, again)
    assert room.hand_in(TANG, again).points == 2.0


def test_collecting_takes_in_what_was_saved(room: Class, tang: Student, xu: Student) -> None:
    """Late is who worked on after the due time, not who did not press the button."""
    due = NOW + HOUR
    assignment_id = room.assign(due_at=due, late_until=due + DAY, late_factor=0.5)
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "6")
    room.now = due + HOUR
    room.save(XU, assignment_id, 1, "4")
    room.now = due + 2 * DAY
    assert room.collect(assignment_id) == 2
    collected = {
        entry.enrolment_id: entry for entry in room.desk.read(lookup.attempts_of_assignment, assignment_id)
    }
    assert (collected[tang.id].late_factor, collected[tang.id].points, collected[tang.id].is_collected) == (
        1.0,
        0.0,
        True,
    )
    assert (collected[xu.id].late_factor, collected[xu.id].points) == (0.5, 1.0)
    assert room.collect(assignment_id) == 0
    actions = [action for (action,) in room.desk.rows("SELECT action FROM audit ORDER BY id")]
    assert actions == ["publish", "close", "collect"]


def learn(room: Class, caller: Caller, section: str, done: bool = True) -> None:
    room.desk.write(
        lesson_progress.save_place, caller, "content:concepts", section_of(section), 5, done, room.now
    )


@pytest.mark.parametrize(
    ("hours", "points", "factor"), [(0, 1.0, 1.0), (2, 1.0, 0.5), (26, 0.0, 1.0)], ids=["due", "late", "over"]
)
def test_work_done_elsewhere_counts_until_time_is_up(
    room: Class, tang: Student, hours: int, points: float, factor: float
) -> None:
    """By the rule that holds for saved answers; looking at it again afterwards changes nothing."""
    due, section = NOW + HOUR, NewPart("section", "content:concepts/sweetness")
    assignment_id = room.assign(section, due_at=due, late_until=due + DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    room.now += hours * HOUR
    learn(room, TANG, "sweetness")
    room.now = due + 3 * DAY
    learn(room, TANG, "sweetness")
    assert room.collect(assignment_id) == 1
    [submission] = room.desk.read(lookup.attempts_of_assignment, assignment_id)
    assert (submission.enrolment_id, submission.points, submission.late_factor) == (tang.id, points, factor)


@pytest.mark.usefixtures("tang")
def test_whoever_learnt_it_too_late_is_not_collected(room: Class) -> None:
    assignment_id = room.assign(NewPart("section", "content:concepts/sweetness"), due_at=NOW + HOUR)
    room.now += 2 * HOUR
    learn(room, TANG, "sweetness")
    assert room.collect(assignment_id) == 0


def test_what_was_collected_uses_up_no_pass(room: Class, tang: Student) -> None:
    """Also where the first pass counts, an extension after 收卷 helps."""
    assignment_id = room.assign(counts="first")
    room.begin(TANG, assignment_id)
    assert room.collect(assignment_id) == 1
    room.now += HOUR
    room.extend(assignment_id, tang, room.now + DAY)
    assert room.begin(TANG, assignment_id) == 2
    room.save(TANG, assignment_id, 1, "4", sitting=2)
    room.hand_in(TANG, assignment_id, 2)
    handed = marks.handed_in_attempts(room.given(TANG, assignment_id).attempts)
    assert marks.mark_of("first", handed) == 1.0
    with pytest.raises(Refused, match="能交1遍"):
        room.begin(TANG, assignment_id)


@pytest.mark.usefixtures("xu")
def test_whoever_did_it_elsewhere_need_not_press_the_button(room: Class, tang: Student) -> None:
    assignment_id = room.assign(NewPart("section", "content:concepts/sweetness"))
    room.desk.write(
        lesson_progress.save_place, TANG, "content:concepts", section_of("sweetness"), 5, True, room.now
    )
    assert room.collect(assignment_id) == 1
    [submission] = room.desk.read(lookup.attempts_of_assignment, assignment_id)
    assert (submission.enrolment_id, submission.points, submission.is_collected) == (tang.id, 1.0, True)


def test_what_is_told_after_the_due_time_waits_for_that_of_the_student(room: Class, tang: Student) -> None:
    assignment_id = room.assign(answers="due", due_at=NOW + HOUR)
    room.extend(assignment_id, tang, NOW + DAY)
    room.begin(TANG, assignment_id)
    attempt_id = room.hand_in(TANG, assignment_id).attempt_id
    with pytest.raises(NotFound, match="还没有公布"):
        room.desk.read(attempts.load_own_attempt, TANG, attempt_id, NOW + 2 * HOUR)
    room.desk.read(attempts.load_own_attempt, TANG, attempt_id, NOW + DAY + HOUR)


def test_the_seconds_of_what_was_saved_stand_in_the_log(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    sent_answer = SentAnswer(("4",), seconds_spent=12)
    room.desk.write(answering.save_answer, TANG, assignment_id, QuestionKey(1, 1), sent_answer, NOW + HOUR)
    room.now = NOW + HOUR
    room.hand_in(TANG, assignment_id)
    assert room.desk.rows("SELECT seconds FROM response") == [(12,)], tang.name


@pytest.mark.parametrize("answers", ["at_once", "due"])
@pytest.mark.parametrize(("seconds_sent", "seconds_stored"), [(59, 59), (9999, 60), (-5, 0)])
def test_nobody_takes_longer_for_an_answer_than_the_attempt_is_open(
    room: Class, tang: Student, answers: str, seconds_sent: int, seconds_stored: int
) -> None:
    assignment_id = room.assign(answers=answers, due_at=NOW + DAY)
    room.begin(TANG, assignment_id)
    room.now += timedelta(minutes=1)
    answer = (TANG, assignment_id, QuestionKey(1, 1), SentAnswer(("4",), seconds_spent=seconds_sent))
    if answers == "at_once":
        room.desk.write(answering.answer_at_once, *answer, COURSES, room.now)
    else:
        room.desk.write(answering.save_answer, *answer, room.now)
        room.hand_in(TANG, assignment_id)
    assert room.desk.rows("SELECT seconds FROM response") == [(seconds_stored,)], tang.name


def test_sealed_attempts_are_passed_over(room: Class, tang: Student) -> None:
    assignment_id = room.assign(answers="never")
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    attempt = room.hand_in(TANG, assignment_id).attempt_id
    with pytest.raises(NotFound, match="还没有公布"):
        room.desk.read(attempts.load_own_attempt, TANG, attempt, NOW + 100 * DAY)
    rows = room.desk.read(my_data.load_my_data, TANG, NOW)
    assert not {"verdict", "score", "misconception"} & rows["response"][0].keys()
    assert not {"points", "total", "parts"} & rows["submission"][0].keys()
    assert rows["saved_answer"][0]["raw"] == '["6"]'
    by_teacher = room.desk.read(
        student_progress.load_student_and_attempt, TEACHER, room.classroom, tang.id, attempt
    )[1]
    assert by_teacher.responses[0].verdict == "wrong", "the teacher sees it"


def test_whoever_deletes_their_account_leaves_a_mark_without_words(room: Class, tang: Student) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    room.extend(assignment_id, tang, NOW + DAY)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    assert room.desk.rows("SELECT points FROM submission") == [(1.0,)]
    assert room.desk.rows("SELECT raw FROM saved_answer") == [("[]",)]
    assert room.desk.rows("SELECT note FROM extension") == [("",)]
    assert "病了" not in str(room.desk.rows("SELECT detail FROM audit"))


def out(room: Class, assignment_ids: tuple[int, ...], student: Student, classmate: Student, way: str) -> None:
    """小糖 is no longer one of those who are to do it."""
    class_key = (TEACHER, room.classroom)
    match way:
        case "removed":
            room.desk.write(class_members.remove_student, *class_key, student.id, room.now)
        case "moved":
            target = room.desk.write(classrooms.create_class, TEACHER, "高一4班", room.now)
            room.desk.write(class_members.move_student, *class_key, student.id, target, room.now)
        case "archived":
            room.desk.write(classrooms.archive_class, *class_key, room.now)
        case _:
            for assignment_id in assignment_ids:
                room.desk.write(
                    audience.change_audience,
                    TEACHER,
                    room.key(assignment_id),
                    Audience(False, [classmate.id]),
                    room.now,
                )


@pytest.mark.parametrize("way", ["removed", "moved", "archived", "not chosen"])
def test_what_was_handed_in_is_read_whatever_happens(
    room: Class, tang: Student, xu: Student, way: str
) -> None:
    """And nothing can be done there any more."""
    assignment_id, begun = room.assign(passes=3), room.assign()
    for entry in (assignment_id, begun):
        room.begin(TANG, entry)
        room.save(TANG, entry, 1, "4")
    room.hand_in(TANG, assignment_id)
    out(room, (assignment_id, begun), tang, xu, way)
    work = room.work(TANG, assignment_id)
    assert (work.attempt.points, work.is_shown(NOW), work.student_assignment.is_still_given) == (
        1.0,
        True,
        False,
    )
    own_assignments = room.desk.read(student_assignments.load_own_assignments, TANG)
    assert [
        (entry.assignment.id, entry.is_still_given, len(entry.attempts)) for entry in own_assignments
    ] == [
        (begun, False, 1),
        (assignment_id, False, 1),
    ]
    assert room.desk.read(student_assignments.load_open_own_assignments, TANG, room.now) == ()
    for refused in (
        lambda: room.begin(TANG, assignment_id),
        lambda: room.begin(TANG, begun),
        lambda: room.save(TANG, begun, 1, "5"),
        lambda: room.hand_in(TANG, begun),
    ):
        with pytest.raises(Refused, match="不布置给你了"):
            refused()


def test_what_was_over_before_they_came_is_not_theirs(room: Class, tang: Student) -> None:
    """Neither in their list nor counted; what an extension opens for them is."""
    assignment_id, closed, running = room.assign(due_at=NOW + HOUR), room.assign(), room.assign()
    room.desk.write(lifecycle.close, TEACHER, room.key(closed), room.now)
    room.now += DAY
    room.desk.write(classrooms.open_join_code, TEACHER, room.classroom, room.now)
    xu = room.join("小序", "xu")

    def counts() -> dict[int, int]:
        listed = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)[1]
        for entry in listed:
            opened = room.desk.read(lookup.load_assignment_page, TEACHER, room.key(entry.assignment.id))
            assert len(opened.receivers) == entry.student_count
        return {entry.assignment.id: entry.student_count for entry in listed}

    assert [
        entry.assignment.id for entry in room.desk.read(student_assignments.load_own_assignments, XU)
    ] == [running]
    assert counts() == {assignment_id: 1, closed: 1, running: 2}
    room.extend(assignment_id, xu, room.now + DAY)
    assert [
        entry.assignment.id for entry in room.desk.read(student_assignments.load_own_assignments, XU)
    ] == [
        running,
        assignment_id,
    ]
    assert counts()[assignment_id] == 2
    room.extend(closed, tang, room.now + DAY)
    today = room.desk.read(today_records.load_today, TEACHER, room.classroom, room.now)
    assert {entry.task.id: len(entry.status_by_enrolment_id) for entry in today.open_assignments} == {
        assignment_id: 2,
        closed: 1,
        running: 2,
    }


def test_whoever_moves_into_a_class_has_what_comes_from_then_on(room: Class, tang: Student) -> None:
    other_class = Class(room.desk, room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW), NOW)
    other_class.assign(due_at=NOW + HOUR)
    running = other_class.assign()
    room.desk.write(
        class_members.move_student, TEACHER, room.classroom, tang.id, other_class.classroom, NOW + DAY
    )
    assert [
        entry.assignment.id for entry in room.desk.read(student_assignments.load_own_assignments, TANG)
    ] == [running]


@pytest.mark.usefixtures("tang")
def test_whoever_is_chosen_counts_and_whoever_worked(room: Class, xu: Student) -> None:
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id)
    room.desk.write(
        audience.change_audience, TEACHER, room.key(assignment_id), Audience(False, [xu.id]), room.now
    )
    [listed] = room.desk.read(lookup.load_class_and_assignments, TEACHER, room.classroom)[1]
    assert (listed.student_count, listed.starter_count, listed.handed_in_count) == (2, 1, 1)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every statement that is run from now on."""
    listed: list[Any] = []
    original = ReusableStatement.send

    def counting(*args: Any) -> Any:
        listed.append(args)
        return original(*args)

    monkeypatch.setattr(ReusableStatement, "send", counting)
    return listed


@pytest.mark.usefixtures("tang")
def test_what_is_read_to_hand_in_is_read_once_for_all_questions(room: Class, counted: list[Any]) -> None:
    room.desk.verb_runs = 1

    def statements(questions: int) -> int:
        assignment_id = room.assign(*[DCG] * questions)
        room.begin(TANG, assignment_id)
        for number in range(1, questions + 1):
            room.save(TANG, assignment_id, number, "4")
        counted.clear()
        assert room.hand_in(TANG, assignment_id).points == questions
        return len(counted)

    statements(1)  # begins the day
    for_each = 5  # its item, the answer, the count of first tries, the day, and what it adds to its sum
    assert statements(9) - statements(2) == 7 * for_each


def test_lists_take_the_same_queries_for_one_student_and_for_many(room: Class, counted: list[Any]) -> None:
    def queries(verb: Any, *args: Any) -> int:
        counted.clear()
        room.desk.read(verb, *args)
        return len(counted)

    def look() -> tuple[int, ...]:
        class_key = (TEACHER, room.classroom)
        return (
            queries(lookup.load_class_and_assignments, *class_key),
            queries(lookup.load_assignment_page, TEACHER, room.key(assignment_id)),
            queries(student_assignments.load_own_assignments, TANG),
        )

    room.join("小糖", "tang")
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    few = look()
    for number in range(8):
        room.join(f"同学{number}", f"t{number}")
        room.begin(Caller(f"t{number}"), assignment_id)
        room.begin(TANG, room.assign())
    assert look() == few
    assert few == (8, 11, 5)


def test_what_is_collected_of_an_extension_is_late_by_its_own_time(room: Class, tang: Student) -> None:
    late: dict[str, Any] = {"late_until": NOW + 3 * DAY, "late_factor": 0.5}
    assignment_id = room.assign(DCG, due_at=NOW + DAY, **late)
    room.extend(assignment_id, tang, NOW + 2 * DAY)
    room.begin(TANG, assignment_id)
    room.now = NOW + DAY + HOUR
    room.save(TANG, assignment_id, 1, "4")
    room.now = NOW + 4 * DAY
    assert room.collect(assignment_id) == 1
    [submission] = room.given(TANG, assignment_id).attempts
    assert (submission.points, submission.late_factor) == (1.0, 1.0)
    [line, *_] = room.desk.read(audit.load_audit, TEACHER, room.classroom).lines
    assert (line.action, line.detail) == ("collect", {"papers": 1})


def test_what_is_handed_in_with_an_extension_is_late_by_its_own_time(room: Class, tang: Student) -> None:
    assignment_id = room.assign(DCG, due_at=NOW + DAY, late_until=NOW + 3 * DAY, late_factor=0.5)
    room.extend(assignment_id, tang, NOW + 2 * DAY)
    room.begin(TANG, assignment_id)
    room.now = NOW + DAY + HOUR
    room.save(TANG, assignment_id, 1, "4")
    assert room.hand_in(TANG, assignment_id).late_factor == 1.0


def test_of_several_cells_or_blanks_those_that_are_filled_count_at_the_hand_in() -> None:
    assert submissions.with_unfilled_signs(("1", " ")) == ("1", UNFILLED_SIGN)
    assert submissions.with_unfilled_signs((CARRIED_CELL_SIGN, "2", "")) == (
        UNFILLED_SIGN,
        "2",
        UNFILLED_SIGN,
    )
    assert submissions.with_unfilled_signs((" ", "")) == (), "nothing was answered"
    assert submissions.with_unfilled_signs(("",)) == ("",), "a single field is no table"


@pytest.mark.usefixtures("tang")
def test_what_is_granted_is_read_once_at_the_hand_in(room: Class) -> None:
    assignment_id = room.assign(DCG)
    room.begin(TANG, assignment_id)
    with counted_statements() as statements:
        room.hand_in(TANG, assignment_id)
    run_count = statements.count(submissions.HAND_IN)  # 2 where verbs are begun anew
    assert statements.count(regraded_marks.GRANTS_OF_ASSIGNMENT) == run_count > 0
