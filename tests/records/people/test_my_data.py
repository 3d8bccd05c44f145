"""我的数据 over all tables there are: one row in each, so that a new table cannot be forgotten."""

from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import Boolean, Column, Date, Table
from sqlmodel import SQLModel
from sqlmodel.sql.sqltypes import AutoString, UTCDateTime

from app.records.accounts import accounts
from app.records.accounts.learners import token_hash
from app.records.accounts.values import Browser, Caller
from app.records.assignments import audit
from app.records.assignments.values import NewPart
from app.records.cards import decks, own_cards, rebuilding, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, DeckSettings
from app.records.classes import class_members, classrooms, joining
from app.records.grading import comments, extra_columns, mark_overrides
from app.records.grading.values import CellKey
from app.records.learning import lesson_progress
from app.records.learning.responding import respond
from app.records.people import class_ends, my_data
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import HOUR, TANG, TEACHER, XU, Class, account
from tests.records.cast import COURSE, LESSON, NOW, Desk, answer, section_of
from tests.records.grading.regraded import done
from tests.records.term import stamp

WORD = "痕迹"
PUPIL, OTHER = 1, 2
OF_OTHERS = {("classroom", "teacher_id"), ("audit", "actor_id")}
NOT_ABOUT_ONE = {
    "site_secret",
    "throttle",
    "invitation",
    "role_invitation",
    "item_version",
    "scheduler_version",
} | {
    *("classroom", "student_group", "assignment", "assignment_part", "part_grant"),
    *("total_scheme", "total_category", "total_column", "extra_column"),
    *("first_try_count", "item_sum", "learning_day"),
}
"""What belongs to the site, to the course or to a whole class; and sums, which say no more than the logs."""
LEFT = """
assignment.answers assignment.counts assignment.form assignment.note assignment.title
assignment_part.kind assignment_part.ref part_grant.reason
attempt.ref attempt.source audit.action first_try_count.item classroom.code classroom.name classroom.notice
enrolment.absences enrolment.former_stays extra_column.category extra_column.title student_group.name
game_move.game game_move.misconception game_move.move game_move.outcome game_move.step game_move.verdict
hint.item invitation.token_hash item_sum.item item_version.body item_version.hash item_version.item
lesson_place.section lesson_place.stage lesson_place.step_id
problem_report.item problem_report.page problem_report.text
re_mark.item_version re_mark.misconception re_mark.ticks re_mark.verdict
response.item response.item_version response.misconception response.verdict
reveal.misconception reveal.ref role_invitation.role role_invitation.token_hash
saved_answer.item site_secret.name site_secret.value
scheduler_version.hash scheduler_version.parameters scheduler_version.version
submission.parts submission.seeds throttle.key
total_category.name total_column.category total_scheme.missing total_scheme.weighing
work_comment.item
"""
"""Text that stays when a student of a class goes: of the class, of the course, and names of what was met."""


@pytest.fixture
def full(desk: Desk) -> Desk:
    """One row in every table; all of it is about the pupil, whom the other one teaches."""
    with desk.other_program() as connection:
        for of in SQLModel.metadata.sorted_tables:
            insert(connection, of, {column.name: value(of, column) for column in of.columns})
            if of.name == "learner":
                row = {"id": OTHER, "created_at": stamp(NOW), "time_zone": "Asia/Shanghai"}
                insert(connection, of, row)
        connection.execute("UPDATE sign_in SET token_hash = ?, ended_at = NULL", (token_hash("tang"),))
        connection.execute("UPDATE attempt SET shown_from = NULL")
        connection.execute("UPDATE enrolment SET removed_at = NULL")
    desk.is_summed = False
    return desk


def insert(connection: Any, of: Table, row: dict[str, Any]) -> None:
    marks = ", ".join("?" * len(row))
    names = ", ".join(f'"{name}"' for name in row)
    connection.execute(f"INSERT INTO {of.name} ({names}) VALUES ({marks})", tuple(row.values()))


def value(of: Table, column: Column[Any]) -> Any:
    if (of.name, column.name) in OF_OTHERS:
        return OTHER
    if isinstance(column.type, AutoString):
        return WORD
    if isinstance(column.type, UTCDateTime):
        return stamp(NOW)
    if isinstance(column.type, Boolean):
        return True
    return "2026-09-01" if isinstance(column.type, Date) else PUPIL


def test_every_table_about_somebody_is_taken_along(full: Desk) -> None:
    told_rows = full.read(my_data.load_my_data, TANG, NOW)
    every = {of.name for of in SQLModel.metadata.sorted_tables}
    assert {name for name, rows in told_rows.items() if rows} == every - NOT_ABOUT_ONE


def test_no_word_by_or_about_somebody_stays(full: Desk) -> None:
    full.write(my_data.delete_me, TANG, WORD, NOW)
    left = {
        f"{of.name}.{column.name}"
        for of in SQLModel.metadata.sorted_tables
        for column in of.columns
        if isinstance(column.type, AutoString)
        and full.rows(f"SELECT 1 FROM {of.name} WHERE {column.name} = ?", WORD)
    }
    assert left == set(LEFT.split())
    assert full.count("submission") == full.count("mark_override") == 1, "results stay"


def test_a_name_that_is_gone_stays_in_no_count(desk: Desk) -> None:
    for name, token in (("小糖", "tang"), ("小糖糖", "xu"), ("100%", "percent"), ("1000", "thousand")):
        account(desk, name, token)
        for tokens in ((), (token,), ("of a phone",)):
            desk.write(accounts.count_sign_in_try, name, Browser("fd00::1", former_tokens=tokens), NOW)
        desk.write(accounts.count_own_password_try, Caller(token), NOW)
        desk.write(own_cards.write_cards, Caller(token), [("问", "答", "", "")], NOW)
    kept_keys = {
        key
        for (key,) in desk.rows("SELECT key FROM throttle")
        if not key.endswith((":小糖", ":100%", ":1", ":3")) or "address" in key
    }
    assert len(kept_keys) == desk.count("throttle") - 2 * 7
    desk.write(my_data.delete_me, Caller("tang"), "hash of 小糖", NOW)
    desk.write(my_data.delete_me, Caller("percent"), "hash of 100%", NOW)
    assert {key for (key,) in desk.rows("SELECT key FROM throttle")} == kept_keys


@pytest.fixture
def room(desk: Desk) -> Class:
    account(desk, "王", "teacher", teacher=True)
    return Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", NOW))


def test_a_mark_set_by_hand_is_told_to_whom_it_is_about(room: Class) -> None:
    tang, xu = room.join("小糖", "tang"), room.join("小序", "xu")
    assignment_id = room.assign(due_at=NOW + HOUR, answers="due")
    for pupil, reason in ((tang, "口头补答"), (xu, "抄了小糖的")):
        cell = CellKey(room.classroom, assignment_id, pupil.id)
        room.desk.write(mark_overrides.override_mark, TEACHER, cell, "1", reason, NOW)
    own_rows = room.desk.read(my_data.load_my_data, TANG, NOW)
    assert [row["reason"] for row in own_rows["mark_override"]] == ["口头补答"]
    assert ["口头补答" in row["detail"] for row in own_rows["audit"]] == [True]
    assert "actor_id" not in own_rows["audit"][0]
    of_teacher = room.desk.read(my_data.load_my_data, TEACHER, NOW)
    assert of_teacher["audit"]
    assert "小糖" not in str(of_teacher["audit"])
    assert not any("detail" in row for row in of_teacher["audit"])


def test_a_mark_set_by_hand_is_sealed_as_long_as_the_results_are(room: Class) -> None:
    tang = room.join("小糖", "tang")
    assignment_id = room.assign(due_at=NOW + HOUR, answers="due")
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "6")
    room.hand_in(TANG, assignment_id)
    room.desk.write(
        mark_overrides.override_mark,
        TEACHER,
        CellKey(room.classroom, assignment_id, tang.id),
        "1",
        "口头补答",
        NOW,
    )
    before, after = (
        room.desk.read(my_data.load_my_data, TANG, NOW + passed) for passed in (0 * HOUR, 2 * HOUR)
    )
    assert "口头补答" not in str(before)
    assert after["mark_override"][0]["reason"] == "口头补答"


def test_a_mark_set_by_hand_is_told_also_where_an_attempt_was_begun_and_left(room: Class) -> None:
    """As the page tells it; once the attempt is handed in, with the results."""
    tang = room.join("小糖", "tang")
    assignment_id = room.assign(due_at=NOW + HOUR, answers="due")
    room.begin(TANG, assignment_id)
    cell = CellKey(room.classroom, assignment_id, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell, "1", "口头补答", NOW)
    own_rows = room.desk.read(my_data.load_my_data, TANG, NOW)
    assert [(row["points"], row["reason"]) for row in own_rows["mark_override"]] == [(1.0, "口头补答")]
    room.hand_in(TANG, assignment_id)
    assert "口头补答" not in str(room.desk.read(my_data.load_my_data, TANG, NOW))


def test_a_mark_that_is_never_shown_is_in_no_file(room: Class) -> None:
    """Typed by the teacher for somebody who never began it: no attempt says that it is a secret."""
    tang = room.join("小糖", "tang")
    assignment_id = room.assign(answers="never")
    cell = CellKey(room.classroom, assignment_id, tang.id)
    room.desk.write(mark_overrides.override_mark, TEACHER, cell, "1", "口头补答", NOW)
    room.desk.write(comments.set_comment, TEACHER, cell, "写得清楚。", NOW)
    own_rows = room.desk.read(my_data.load_my_data, TANG, NOW)
    assert "points" not in own_rows["mark_override"][0]
    assert "口头补答" not in str(own_rows)
    assert "写得清楚" not in str(own_rows)


def delete_tang_with_work(room: Class) -> None:
    room.join("小糖", "tang")
    assignment_id = room.assign()
    room.begin(TANG, assignment_id)
    room.save(TANG, assignment_id, 1, "4")
    room.hand_in(TANG, assignment_id)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    room.desk.write(classrooms.archive_class, TEACHER, room.classroom, NOW)
    assert room.desk.count("response") == 1


def test_what_a_deleted_student_left_goes_with_the_class(room: Class) -> None:
    """Nobody could ever reach it again."""
    room.join("小序", "xu")
    delete_tang_with_work(room)
    room.desk.write(class_ends.remove_class, TEACHER, room.classroom, "高一3班")
    assert [room.desk.count(name) for name in ("learner", "account", "response")] == [2, 2, 0]


def test_what_a_deleted_student_left_goes_with_the_teacher(room: Class) -> None:
    room.join("小序", "xu")
    delete_tang_with_work(room)
    room.desk.write(my_data.delete_me, TEACHER, "hash of 王", NOW)
    assert [room.desk.count(name) for name in ("learner", "account", "response")] == [1, 1, 0]


def test_a_deleted_student_who_is_in_another_class_too_stays_there(room: Class) -> None:
    room.join("小糖", "tang")
    first_class = room.classroom
    room.classroom = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
    room.desk.write(joining.join_class, TANG, room.code(), "小糖", "here", NOW)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    room.desk.write(classrooms.archive_class, TEACHER, first_class, NOW)
    room.desk.write(class_ends.remove_class, TEACHER, first_class, "高一3班")
    assert [student.name for student in room.students()] == [my_data.NAME_OF_DELETED]


@pytest.mark.parametrize("way", ["here", "removed", "moved"])
def test_a_line_about_many_forgets_the_points_of_who_deletes_the_account(room: Class, way: str) -> None:
    """In the class where they are, and in that which they left; those of the others stay."""
    tang, xu = room.join("小糖", "tang"), room.join("小序", "xu")
    class_key = (TEACHER, room.classroom)
    column_id = room.desk.write(extra_columns.add_column, *class_key, "期中", "100", NOW)
    typed_marks = {tang.id: "77", xu.id: "88"}
    room.desk.write(extra_columns.set_extra_marks, *class_key, column_id, typed_marks, NOW)
    assignment_id = room.assign()
    for caller in (TANG, XU):
        room.begin(caller, assignment_id)
        room.save(caller, assignment_id, 1, "5")
        room.hand_in(caller, assignment_id)
    done(room, assignment_id, "again")
    if way == "removed":
        room.desk.write(class_members.remove_student, *class_key, tang.id, NOW)
    if way == "moved":
        other_class = room.desk.write(classrooms.create_class, TEACHER, "高一4班", NOW)
        room.desk.write(class_members.move_student, *class_key, tang.id, other_class, NOW)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    detail_by_action = {
        line.action: line.detail for line in room.desk.read(audit.load_audit, *class_key).lines
    }
    assert detail_by_action["extra_marks"]["students"] == [[tang.id, None, None], [xu.id, "", "88"]]
    assert detail_by_action["regrade"]["students"] == [[tang.id, None, None], [xu.id, 0.0, 1.0]]


def test_where_a_deleted_student_lived_is_forgotten(room: Class) -> None:
    room.join("小糖", "tang")
    for days, time_zone in enumerate(("America/New_York", "Asia/Urumqi")):
        moment = NOW + timedelta(days=days)
        room.desk.write(respond, TANG, LESSON, answer("4.26", days + 1), COURSE, moment)
        room.desk.write(decks.change_deck_settings, TANG, DeckSettings(), time_zone, moment)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    zones = room.desk.rows("SELECT time_zone, past_zones FROM learner ORDER BY id DESC LIMIT 1")
    assert zones == [("Asia/Shanghai", None)]


@pytest.mark.both_databases
@pytest.mark.parametrize("kind", ["cards", "game"])
def test_reviews_of_a_deleted_student_stay_where_a_mark_is_made_of_them(room: Class, kind: str) -> None:
    """Then without what was typed, and how long it took; and no card comes back from them."""
    tang = room.join("小糖", "tang")
    ref = "content:concepts" if kind == "cards" else "monster"
    assigned = NewPart(kind, ref, count=1)
    room.assign(assigned, due_at=NOW + HOUR)
    room.desk.write(decks.collect_cards, TANG, [("content:rank", "rank")], NOW)
    room.desk.write(own_cards.write_cards, TANG, [("问", "答", "", "")], NOW)
    for card_ref in ("content:rank", "own:1"):
        rated = CardRating(card_ref, 1, Rating.EASY, 4.0, "0.001")
        room.desk.write(reviews.review_card, TANG, rated, NOW)
    section = section_of("sweetness")
    for step in (1, 2):
        moment = NOW + timedelta(minutes=step)
        room.desk.write(lesson_progress.save_place, TANG, "content:concepts", section, step, False, moment)
    room.desk.write(my_data.delete_me, TANG, "hash", NOW)
    kept_reviews = [("content:rank", None, None)] if kind == "cards" else []
    assert room.desk.rows("SELECT card, raw, seconds FROM review_log") == kept_reviews
    assert [room.desk.count(name) for name in ("card_memory", "lesson_visit")] == [0, 0]
    assert room.desk.count("lesson_place") == 1, "a section is asked for as well"
    assert not room.desk.write(rebuild_all_sums)
    families = {"content:rank": "rank"}
    assert room.desk.write(rebuilding.bring_back_cards, tang.learner_id, families.get) == 0
    assert room.desk.count("card_memory") == 0
