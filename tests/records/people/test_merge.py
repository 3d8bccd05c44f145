"""A guest's work moves into an account: whatever both did before, nothing is lost and nothing doubled."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlmodel import SQLModel

from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days
from app.records.learning import lesson_progress, responding, reveals
from app.records.learning.values import Answer, AttemptKey, Guess, LessonPageData, RevealState
from app.records.people import signing_in
from tests.records.cast import (
    COURSE,
    EXAMPLE,
    ITEM,
    LESSON,
    NOW,
    PRACTICE,
    STAGE,
    TWIN,
    WHY,
    Desk,
    SmallCourse,
    answer,
    newcomer,
    section_of,
)
from tests.records.people.merging import GUEST, HIDDEN, STUDENT, lesson_data, sign_in, signed_up

Action = Callable[[Desk, Caller, int], Any]
Actions = Sequence[Action]


def keeps(section: str, step: int, done: bool) -> Action:
    return lambda desk, who, minute: desk.write(
        lesson_progress.save_place,
        who,
        STAGE,
        section_of(section),
        step,
        done,
        NOW + timedelta(minutes=minute),
    )


def answers(attempt_key: AttemptKey, item: str, text: str) -> Action:
    def act(desk: Desk, caller: Caller, minute: int) -> None:
        log = desk.write(responding.open_next_hint, caller, attempt_key, item, 0, NOW)
        number = len(log.responses_to_item(item)) + 1
        response = Answer(item, number, (text,), 5)
        desk.write(responding.respond, caller, attempt_key, response, COURSE, NOW + timedelta(minutes=minute))

    return act


def hints(attempt_key: AttemptKey, item: str, position: int) -> Action:
    return lambda desk, who, _: desk.write(responding.open_next_hint, who, attempt_key, item, position, NOW)


def opens(position: int) -> Action:
    return lambda desk, who, minute: desk.write(
        reveals.open_position, who, EXAMPLE, Guess(position, "more", True), NOW + timedelta(minutes=minute)
    )


def again(desk: Desk, caller: Caller, minute: int) -> None:
    desk.write(lesson_progress.begin_stage_again, caller, STAGE, WHY, NOW + timedelta(minutes=minute))


def closes(desk: Desk, caller: Caller, minute: int) -> None:
    desk.write(reveals.begin_reveal_again, caller, EXAMPLE, NOW + timedelta(minutes=minute))


targets = st.sampled_from([LESSON, PRACTICE])
items = st.sampled_from([ITEM, TWIN, "content:gone"])
actions = st.lists(
    st.one_of(
        st.builds(keeps, st.sampled_from(["why", "gain"]), st.integers(1, 6), st.booleans()),
        st.builds(answers, targets, items, st.sampled_from(["4.26", "4.76", "1"])),
        st.builds(hints, targets, items, st.integers(1, 2)),
        st.builds(opens, st.integers(1, 4)),
        st.just(again),
        st.just(closes),
    ),
    max_size=12,
)

LOGS = {
    "responses": "SELECT r.item, r.try_number, r.raw, r.verdict, r.created_at FROM response r"
    " JOIN attempt a ON a.id = r.attempt_id WHERE a.learner_id IN ({})",
    "hints": "SELECT h.item, h.position, h.created_at FROM hint h"
    " JOIN attempt a ON a.id = h.attempt_id WHERE a.learner_id IN ({})",
    "reveals": "SELECT ref, position, guess, created_at FROM reveal"
    " WHERE position > 0 AND learner_id IN ({})",
}


def logs(desk: Desk, *who: int | None) -> dict[str, Counter[Any]]:
    """Everything that was done, however it is arranged."""
    of = ", ".join(str(learner_id or 0) for learner_id in who)
    return {name: Counter(desk.rows(sql.format(of))) for name, sql in LOGS.items()}


SLOWLY = settings(deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@given(by_guest=actions, by_account=actions)
@settings(SLOWLY, max_examples=20)
def test_nothing_is_lost_and_nothing_doubled(migrated: Path, by_guest: Actions, by_account: Actions) -> None:
    merge_in_a_new_file(migrated, by_guest, by_account)


@pytest.mark.long
@given(by_guest=actions, by_account=actions)
@settings(SLOWLY, max_examples=100)
def test_of_many_histories_nothing_is_lost_and_nothing_doubled(
    migrated: Path, by_guest: Actions, by_account: Actions
) -> None:
    merge_in_a_new_file(migrated, by_guest, by_account)


def merge_in_a_new_file(migrated: Path, by_guest: Actions, by_account: Actions) -> None:
    with TemporaryDirectory() as folder:
        desk = Desk(copyfile(migrated, Path(folder) / "tangxu.db"))
        try:
            merge_and_compare(desk, by_guest, by_account)
        finally:
            desk.close()


def merge_and_compare(desk: Desk, by_guest: Actions, by_account: Actions) -> None:
    account = signed_up(desk)
    for minute, action in enumerate(by_account):
        action(desk, Caller("student"), minute)
    for minute, action in enumerate(by_guest):
        action(desk, Caller("guest", "guest"), minute + 100)
    guest = desk.read(learners.find_learner_id, Caller("guest"))
    before, own_rows, theirs = (
        logs(desk, guest, account),
        lesson_data(desk, Caller("student")),
        lesson_data(desk, Caller("guest")),
    )
    home = sign_in(desk)
    assert logs(desk, account) == before
    assert desk.count("learner") == 1
    assert desk.rows("SELECT count(*) FROM attempt, learner WHERE learner_id != learner.id") == [(0,)]
    merged = lesson_data(desk, home)
    expect_later_places(merged, own_rows, theirs)
    opening = merged.reveal_by_example_ref.get(EXAMPLE, RevealState())
    assert opening.opened_count == max(
        guess.reveal_by_example_ref.get(EXAMPLE, RevealState()).opened_count for guess in (own_rows, theirs)
    )
    assert [guess.position for guess in opening.guesses] == list(range(1, opening.opened_count + 1))
    assert {row.item_ref for row in merged.responses} >= {row.item_ref for row in own_rows.responses}
    if not own_rows.places and own_rows.attempt is None:
        assert (merged.responses, merged.hint_count_by_item_ref) == (
            theirs.responses,
            theirs.hint_count_by_item_ref,
        )
    expect_whole_attempts(desk)


def expect_later_places(merged: LessonPageData, page_data: LessonPageData, theirs: LessonPageData) -> None:
    for row in (*page_data.places, *theirs.places):
        place = merged.place_of_section(row.section_id)
        assert place
        assert place.step_number >= row.step_number
        assert place.is_done >= row.is_done
    assert len(merged.places) == len({row.section_id for row in (*page_data.places, *theirs.places)})


def expect_whole_attempts(desk: Desk) -> None:
    """In every attempt the tries of an item are counted 1, 2, …, and nothing follows its end."""
    children: dict[tuple[int, str], list[tuple[int, str]]] = {}
    sql = "SELECT attempt_id, item, try_number, verdict FROM response ORDER BY attempt_id, item, try_number"
    for attempt_id, item, number, verdict in desk.rows(sql):
        children.setdefault((attempt_id, item), []).append((number, verdict))
    for rows in children.values():
        assert [number for number, _ in rows] == list(range(1, len(rows) + 1))
        assert {verdict for _, verdict in rows[:-1]} <= {"wrong"}


def test_a_newcomer_at_home_finds_everything_again(desk: Desk) -> None:
    signed_up(desk)
    desk.write(lesson_progress.save_place, GUEST, STAGE, WHY, 3, False, NOW)
    desk.write(responding.respond, GUEST, LESSON, answer("4.26"), COURSE, NOW)
    before = lesson_data(desk, Caller("guest"))
    after = lesson_data(desk, sign_in(desk))
    assert (after.places, after.responses, after.attempt) == (before.places, before.responses, before.attempt)


FIRST, LATER = NOW, NOW + timedelta(hours=3)


@pytest.mark.parametrize(
    ("account", "guest", "done_at"),
    [
        ((6, True, FIRST), (1, False, LATER), FIRST),
        ((1, False, LATER), (6, True, FIRST), FIRST),
        ((1, False, FIRST), (6, True, LATER), LATER),
        ((6, True, FIRST), (6, True, LATER), FIRST),
        ((6, True, LATER), (6, True, FIRST), FIRST),
        ((2, False, FIRST), (1, False, LATER), LATER),
    ],
)
def test_what_was_done_in_time_stays_done_in_time(
    desk: Desk,
    account: tuple[int, bool, datetime],
    guest: tuple[int, bool, datetime],
    done_at: datetime,
) -> None:
    """An assignment asks when a section was done: who looks into it again as a guest loses no points."""
    signed_up(desk)
    desk.write(lesson_progress.save_place, Caller("student"), STAGE, WHY, *account)
    desk.write(lesson_progress.save_place, GUEST, STAGE, WHY, *guest)
    place = lesson_data(desk, sign_in(desk)).place_of_section("why")
    assert place
    assert (place.is_done, place.updated_at) == (account[1] or guest[1], done_at)


@pytest.mark.parametrize(
    ("order", "later"), [("abcdef", "d"), ("adbcef", "b"), ("acef", "d"), (None, "d")], ids=str
)
def test_the_later_place_is_the_later_one_in_the_course(desk: Desk, order: str | None, later: str) -> None:
    """The account was at step 2, the guest at step 4; since then steps changed places, or went."""
    signed_up(desk)
    desk.write(lesson_progress.save_place, Caller("student"), STAGE, WHY, 2, False, NOW)
    desk.write(lesson_progress.save_place, GUEST, STAGE, WHY, 4, False, NOW)
    sections = [section_of("why", order)] if order else []
    course = SmallCourse(sections=sections)
    desk.write(
        signing_in.sign_in,
        Caller("guest"),
        *newcomer("小糖", "home", HIDDEN),
        course,
        NOW + timedelta(days=1),
    )
    place = lesson_data(desk, Caller("home")).place_of_section("why")
    assert place
    assert place.step_id == later


def test_days_on_which_both_read_the_same_section_go_on_counting(desk: Desk) -> None:
    account = signed_up(desk)
    desk.write(learners.find_or_add_learner, GUEST, NOW)
    for name, days in (("student", 0), ("student", 1), ("guest", 2), ("guest", 3)):
        caller = Caller(name)
        moment = NOW + timedelta(days=days)
        desk.write(lesson_progress.save_place, caller, STAGE, WHY, 1 + days, False, moment)
    sign_in(desk)
    newest_day = desk.read(learning_days.newest_day_totals, account)
    assert newest_day
    assert (newest_day.day_count, newest_day.days_in_a_row) == (4, 4)


def test_a_code_brings_the_work_of_a_guest_and_never_its_own(desk: Desk) -> None:
    code = desk.write(learners.give_resume_code, STUDENT, NOW).code
    desk.write(responding.respond, GUEST, LESSON, answer("4.26"), COURSE, NOW)
    phone = desk.write(signing_in.enter_with_code, Caller("guest"), code, "phone", COURSE, NOW)
    assert [row.verdict for row in lesson_data(desk, Caller("student")).responses] == ["right"]
    assert desk.read(learners.find_learner_id, Caller("guest")) is None
    tablet = desk.write(signing_in.enter_with_code, Caller("phone"), code, "tablet", COURSE, NOW)
    assert tablet.learner_id == phone.learner_id
    assert desk.count("learner") == 1


def test_a_wrong_answer_there_and_the_right_one_here(desk: Desk) -> None:
    """The item was finished as a guest: that is what the lesson shows, the open tries are kept aside."""
    signed_up(desk)
    desk.write(responding.respond, Caller("student"), LESSON, answer("1"), COURSE, NOW)
    for number, text in ((1, "4.76"), (2, "4.26")):
        desk.write(responding.respond, GUEST, LESSON, answer(text, number), COURSE, NOW)
    merged = lesson_data(desk, sign_in(desk))
    assert [row.verdict for row in merged.responses] == ["wrong", "right"]
    assert desk.rows(
        "SELECT a.round, r.verdict FROM response r, attempt a WHERE a.id = attempt_id ORDER BY r.id"
    ) == [
        (0, "wrong"),
        (1, "wrong"),
        (1, "right"),
    ]


def test_an_item_of_another_variant_is_kept_aside(desk: Desk) -> None:
    """With another seed the figures would be others: an answer stands only beside its own question."""
    signed_up(desk)
    attempt_key = AttemptKey(source="lesson", ref=STAGE, seed=8)
    desk.write(responding.respond, Caller("student"), LESSON, answer("1", item=TWIN), COURSE, NOW)
    desk.write(responding.respond, GUEST, attempt_key, answer("4.26"), Varying(), NOW)
    merged = lesson_data(desk, sign_in(desk))
    assert [row.item_ref for row in merged.responses] == [TWIN]
    assert desk.rows("SELECT round, seed FROM attempt ORDER BY round") == [(0, 8), (1, 7)]


class Varying(type(COURSE)):  # type: ignore[misc]
    def version_hash_and_body(self, item: str, seed: int) -> tuple[str, str]:
        return f"{item}:{seed}", "{}"


def test_signing_in_twice_merges_once(desk: Desk) -> None:
    account = signed_up(desk)
    desk.write(responding.respond, GUEST, LESSON, answer("4.26"), COURSE, NOW)
    before = logs(desk, account, desk.read(learners.find_learner_id, Caller("guest")))
    sign_in(desk, token="first click")
    sign_in(desk, token="second click")
    assert logs(desk, account) == before
    assert desk.rows("SELECT count(*) FROM sign_in WHERE ended_at IS NULL") == [(3,)]


def test_without_bringing_it_along_the_work_stays_the_guest_s(desk: Desk) -> None:
    signed_up(desk)
    desk.write(responding.respond, GUEST, LESSON, answer("4.26"), COURSE, NOW)
    desk.write(signing_in.sign_in, Caller("guest"), *newcomer("小糖", "home", HIDDEN), None, NOW)
    assert lesson_data(desk, Caller("home")).responses == ()
    assert desk.count("response") == 1
    assert desk.read(learners.find_learner_id, Caller("guest")) is None, "this browser is another's now"


def test_an_account_is_never_merged_into_another(desk: Desk) -> None:
    signed_up(desk)
    desk.write(accounts.create_account, Caller(), *newcomer("小序", "other", HIDDEN), NOW)
    desk.write(responding.respond, Caller("other"), LESSON, answer("4.26"), COURSE, NOW)
    desk.write(signing_in.sign_in, Caller("other"), *newcomer("小糖", "home", HIDDEN), COURSE, NOW)
    assert lesson_data(desk, Caller("home")).responses == ()
    assert desk.count("learner") == 2


MERGED_TABLES = {
    *("lesson_place", "lesson_visit", "attempt", "reveal", "problem_report", "sign_in"),
    *("game_move", "deck", "card_memory", "review_log", "own_card", "bookmark"),
}
"""The tables that hang on a learner and move."""
SUM_TABLES = {"item_sum", "learning_day", "first_try_count"}
"""Their rows go with the guest: those of the account are made again from the log."""
TABLES_WITHOUT_GUESTS = {"account", "classroom", "class_role", "enrolment", "own_course", "picture", "audit"}


def test_every_table_of_a_learner_is_known_to_the_merge() -> None:
    """A new table that hangs on a learner: say in `merging` how it moves."""
    owned = {
        name for name, table in SQLModel.metadata.tables.items()
        if any(key.column.table.name == "learner" for key in table.foreign_keys)
    }  # fmt: skip
    assert owned == MERGED_TABLES | SUM_TABLES | TABLES_WITHOUT_GUESTS


@pytest.mark.parametrize("code", [False, True])
def test_a_guest_who_signs_up_keeps_everything_in_place(desk: Desk, code: bool) -> None:
    desk.write(responding.respond, GUEST, LESSON, answer("4.26"), COURSE, NOW)
    if code:
        old = desk.write(learners.give_resume_code, Caller("guest"), NOW).code
        desk.write(learners.sign_in_with_code, old, "lent to a friend", NOW)
    before = lesson_data(desk, Caller("guest"))
    credentials, browser = newcomer("小糖", "fresh", HIDDEN)
    desk.write(accounts.create_account, Caller("guest"), credentials, replace(browser, ends_code=code), NOW)
    assert lesson_data(desk, Caller("fresh")) == before
    assert desk.rows("SELECT count(*) FROM sign_in WHERE ended_at IS NULL") == [(1,)]
    assert desk.rows("SELECT resume_code FROM learner") == [(None,)]
