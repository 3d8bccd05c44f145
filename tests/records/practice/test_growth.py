"""What a learner's pages read does not grow with their history: statements and rows, at 1 × and at 10 ×."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.db.stored_times import stored_time
from app.records.learning import lesson_progress, responding
from app.records.learning.values import Answer, AttemptKey
from app.records.practice import (
    five_minutes,
    item_practice,
    learner_pages,
    notebook,
    overview,
    recent_answers,
)
from tests.published import published
from tests.records.all_sums import rebuild_all_sums
from tests.records.cast import NOW, WHY, Desk
from tests.records.long_histories import Reads, counted, large_desk

__all__ = ["large_desk"]

COURSE = published()
TANG = Caller("tang", "tang")
ITEMS = (
    "practice-dcg-2",
    *COURSE.practised_skills["no-gradient"].item_ids,
    *list(COURSE.skill_credit_by_item_id)[:10],
)
DAYS = 80
SMALL, LARGE = 2_000, 20_000
"""Of the smaller history, too, there is more than any page shows."""
WRITTEN_WITH_AN_ANSWER = 10
"""Lookup, attempt, item, answer, first try, two for each of its sum and the day; one if it is the first."""
READ_BELOW_IT = 3
"""What was earned and in which time zone, the sums of one skill, the newest answers; the learner is known."""
READ_FOR_PROGRESS = 13
"""Among them the places in lessons once, for where to go on and for what to practise; no days in a row."""
READ_FOR_MAP = 4
"""Learner, time zone, places and sums: neither what was answered lately nor what comes next."""
READ_FOR_NOTEBOOK = 5
"""Learner, time zone, sums, mistakes elsewhere, and all answers that are shown."""
TARGET = AttemptKey(source="practice", ref="content:practice-dcg-2-5", seed=5)
PAGES: dict[str, Callable[[Desk], Any]] = {
    "home": lambda desk: desk.read(learner_pages.load_start_page, TANG, COURSE, NOW),
    "course": lambda desk: desk.read(lesson_progress.load_places, TANG),
    "practice": lambda desk: desk.read(overview.load_practice, TANG, COURSE, NOW),
    "map": lambda desk: desk.read(overview.load_skill_map, TANG, COURSE, NOW),
    "skill": lambda desk: desk.read(overview.load_practice, TANG, COURSE, NOW, "dcg"),
    "below a question": lambda desk: desk.read(
        item_practice.load_item_practice, TANG, COURSE, NOW, "practice-dcg-2"
    ),
    "exercise": lambda desk: desk.read(
        learner_pages.load_exercise_and_practice, TANG, COURSE, NOW, TARGET, "content:practice-dcg-2"
    ),
    "progress": lambda desk: desk.read(learner_pages.load_progress_page, TANG, COURSE, NOW),
    "five minutes": lambda desk: desk.read(five_minutes.load_five_minutes, TANG, COURSE, NOW),
    "notebook": lambda desk: desk.read(notebook.load_notebook, TANG, COURSE, NOW),
    "kind": lambda desk: desk.read(notebook.load_notebook, TANG, COURSE, NOW, "dcg"),
}


def fill(desk: Desk, answers: int) -> None:
    """So many answers of one learner in `DAYS` days, each in an attempt of its own, and as many reveals."""
    desk.write(
        lesson_progress.save_place, TANG, "content:concepts", WHY, 2, False, NOW - timedelta(days=DAYS)
    )
    step = timedelta(days=DAYS) / answers
    with desk.other_program() as connection:
        connection.execute("INSERT INTO item_version VALUES ('v', 'item', '{}', ?)", (stored_time(NOW),))
        for number in range(1, answers + 1):
            item = COURSE.ref(ITEMS[number % len(ITEMS)])
            at = stored_time(NOW - timedelta(days=DAYS) + number * step)
            connection.execute(
                "INSERT INTO attempt (id, learner_id, source, ref, round, seed, created_at)"
                " VALUES (?, 1, 'practice', ?, 1, ?, ?)",
                (number, f"{item}-{number}", number, at),
            )
            wrong = number % 7 < 3
            connection.execute(
                "INSERT INTO response (attempt_id, item, try_number, raw, verdict, score, misconception,"
                " hints, item_version, created_at) VALUES (?, ?, 1, '[\"1\"]', ?, ?, ?, 0, 'v', ?)",
                (
                    number,
                    item,
                    "wrong" if wrong else "right",
                    1 - wrong,
                    "natural_log" if wrong else None,
                    at,
                ),
            )
            connection.execute(
                "INSERT INTO reveal (learner_id, ref, round, position, created_at)"
                " VALUES (1, 'content:tea', ?, 1, ?)",
                (number, at),
            )
    desk.is_summed = False
    assert desk.write(rebuild_all_sums) == 1


def reads_of(desk: Desk) -> dict[str, Reads]:
    reads = {}
    for name, read in PAGES.items():
        with counted() as reads[name]:
            read(desk)
    return reads


@pytest.mark.one_file
def test_a_page_reads_no_more_after_ten_times_as_many_answers(desk: Desk, large_desk: Desk) -> None:
    fill(desk, SMALL)
    fill(large_desk, LARGE)
    small, large = reads_of(desk), reads_of(large_desk)
    for name in PAGES:
        assert large[name].statements <= 1.1 * small[name].statements, name
        assert large[name].rows <= 1.1 * small[name].rows, (name, small, large)
    assert large["notebook"].statements <= READ_FOR_NOTEBOOK
    assert large["progress"].statements <= READ_FOR_PROGRESS
    assert large["map"].statements <= READ_FOR_MAP


@pytest.mark.one_file
def test_the_plan_of_a_day_is_made_once_for_what_it_follows_from(desk: Desk) -> None:
    """The home page asks for it each time; an answer changes what it follows from."""
    fill(desk, SMALL)
    plan = PAGES["five minutes"](desk).plan
    assert PAGES["five minutes"](desk).plan is plan
    attempt_key = AttemptKey(source="practice", ref="content:practice-dcg-2-999999", seed=999_999)
    answer = Answer("content:practice-dcg-2", 1, ("123.4",))
    desk.write(responding.respond, TANG, attempt_key, answer, COURSE, NOW)
    plan_after_answer = PAGES["five minutes"](desk).plan
    assert plan_after_answer is not plan
    assert plan_after_answer.case_id == plan.case_id


def plan_of(session: VerbSession, statement: PreparedStatement) -> str:
    """How SQLite finds the rows of a statement about a learner."""
    compiled_statement = statement._statement.compile(dialect=session.connection.dialect)
    parameters = {**compiled_statement.params, "learner": 1}
    return str(session.driver.execute(f"EXPLAIN QUERY PLAN {compiled_statement}", parameters).fetchall())


@pytest.mark.one_file
def test_what_stands_below_a_question_comes_from_indexes_alone(desk: Desk) -> None:
    """Not from the rows of all items, nor from the answers themselves."""
    earned_statement = item_practice.earned_and_sealed_statement(tuple(COURSE.ref_by_twin_ref))
    for index_name in ("ix_item_sum_practised", "ix_item_sum_sealed"):
        assert f"COVERING INDEX {index_name}" in desk.read(plan_of, earned_statement)
    assert "COVERING INDEX ix_response_first_tries" in desk.read(plan_of, recent_answers.RECENT_FIRST_TRIES)


def test_the_course_map_reads_no_answers(desk: Desk) -> None:
    """Of a stage it shows how far its sections have come."""
    place = desk.write(lesson_progress.save_place, TANG, "content:concepts", WHY, 2, False, NOW).place
    lesson = AttemptKey(source="lesson", ref="content:concepts", seed=1)
    for item in ITEMS[1:4]:
        desk.write(responding.show_solution, TANG, lesson, COURSE.ref(item), 1, COURSE, NOW)
    with counted() as reads:
        lessons = PAGES["course"](desk)
    assert lessons.places == (place,)
    assert reads.rows <= 2, "the learner, who may be known already, and the place"


@pytest.mark.one_file
def test_an_answer_reads_and_writes_no_more(desk: Desk, large_desk: Desk) -> None:
    """A first try at a new variant, as the browser sends it, with what stands below it afterwards."""
    reads = []
    item = COURSE.ref("practice-dcg-2")
    answer = Answer(item, 1, ("123.4",))
    for learner, answers in ((desk, SMALL), (large_desk, LARGE)):
        fill(learner, answers)
        attempt_key = AttemptKey(source="practice", ref=f"{item}-999999", seed=999_999)
        with counted() as counts:
            learner.write(
                item_practice.run_item_verb,
                TANG,
                responding.respond,
                attempt_key,
                (answer, COURSE),
                NOW,
                (item,),
                COURSE,
                "practice-dcg-2",
            )
        reads.append(counts)
    assert reads[0] == reads[1]
    assert reads[0].statements <= WRITTEN_WITH_AN_ANSWER + READ_BELOW_IT
