"""Pages of a class do not grow with the year: statements, rows and steps of the database are counted."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from typing import Any

import pytest

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.db.session import VerbSession
from app.records.db.statements import ReusableStatement, Row
from app.records.db.trails import read_result_and_trail
from app.records.insight import class_progress, item_stats, misconceptions, today
from tests.records.cast import NOW, Desk, newcomer
from tests.records.term import Term, term

TEACHER = Caller("teacher")
WORK = [("practice", "content:dcg", 2, 3)]
WEEK = 7 * 24 * 60
YEAR = 45
SINCE = NOW - timedelta(days=14)
PAGES: dict[str, tuple[Any, ...]] = {
    "今天": (today.load_today, NOW),
    "同学": (class_progress.load_class,),
    "误区": (misconceptions.load_misconceptions, None, SINCE),
    "题目": (item_stats.load_item_stats, None, SINCE),
    "知识点": (class_progress.load_class_with_first_tries,),
}


class Work:
    """What was asked of the database: statements, the rows that came, and its steps by the ten."""

    def __init__(self) -> None:
        self.statements = 0
        self.rows = 0
        self.steps = 0

    def step(self) -> int:
        self.steps += 1
        return 0


@contextmanager
def worked() -> Iterator[Work]:
    work = Work()
    real = ReusableStatement.run

    def run(self: ReusableStatement, driver: sqlite3.Connection, *args: Any) -> list[Row]:
        driver.set_progress_handler(work.step, 10)
        rows = real(self, driver, *args)
        driver.set_progress_handler(None, 0)
        work.statements += 1
        work.rows += len(rows)
        return rows

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ReusableStatement, "run", run)
        yield work


@pytest.fixture
def write(desk: Desk) -> Iterator[Term]:
    """A class of six. Each has practised and done the same work, last week and a year ago."""
    desk.write(accounts.create_account, Caller(), *newcomer("王", "teacher"), NOW, True)
    classroom = desk.write(classrooms.create_class, TEACHER, "高一3班", NOW)
    desk.is_summed = False
    with term(desk.url, classroom, NOW) as writing:
        work = writing.assignment(WORK)
        for name in "甲乙丙丁戊己":
            place = writing.student(name)
            attempt = writing.begin(work, place, -50)
            for number in (1, 2, 3):
                writing.answer(attempt, f"content:practice-dcg-2#{number}", -40, misconception="log10")
            practise(writing, place, 12, -WEEK)
            practise(writing, place, 4, -YEAR * WEEK)
        yield writing


def practise(write: Term, place: int, count: int, minutes: float) -> None:
    """Questions of four exercises, wrong first and right then."""
    for number in range(count):
        ref = f"content:practice-dcg-{number % 4}"
        attempt = write.practise(place, f"{ref}-{minutes}-{number}", minutes + number)
        write.answer(attempt, ref, minutes + number, misconception="natural_log")
        write.answer(attempt, ref, minutes + number + 1, "right")


def work_of_page(desk: Desk, write: Term, name: str) -> Work:
    write.connection.commit()
    verb, *args = PAGES[name]
    glance = desk.database.glance
    desk.wait(glance(verb, TEACHER, write.classroom, *args))  # statements are compiled, the schema is read
    with worked() as work:
        desk.wait(glance(verb, TEACHER, write.classroom, *args))
    return work


@pytest.mark.one_file
@pytest.mark.parametrize("name", PAGES)
def test_ten_times_the_history_is_no_more_work(desk: Desk, write: Term, name: str) -> None:
    count_anew(write)
    before = work_of_page(desk, write, name)
    for (place,) in write.connection.execute("SELECT id FROM enrolment").fetchall():
        practise(write, place, 9 * 16, -(YEAR - 1) * WEEK)
    count_anew(write)
    after = work_of_page(desk, write, name)
    assert after.statements == before.statements
    assert after.rows <= 1.1 * before.rows
    assert after.steps <= 1.1 * before.steps, (before.steps, after.steps)


@pytest.mark.one_file
def test_today_reads_nothing_of_what_was_due_long_ago(desk: Desk, write: Term) -> None:
    before = work_of_page(desk, write, "今天")
    for week in range(2, YEAR):
        write.assignment(WORK, due_at=write.at(-week * WEEK))
    after = work_of_page(desk, write, "今天")
    assert after.rows == before.rows


@pytest.mark.parametrize("name", PAGES)
def test_no_statement_is_made_anew(desk: Desk, write: Term, name: str) -> None:
    write.connection.commit()
    verb, *args = PAGES[name]

    def load(session: VerbSession) -> Any:
        return verb(session, TEACHER, write.classroom, *args)

    desk.read(read_result_and_trail, load)  # raises where one is not prepared


@pytest.mark.one_file
def test_a_map_reads_nothing_that_it_does_not_show(desk: Desk, write: Term) -> None:
    assert work_of_page(desk, write, "知识点").statements == 3, "the class, its students, their first tries"


def count_anew(write: Term) -> None:
    """One row for each item of each, as answering would have left them."""
    write.connection.executescript(
        "CREATE TEMP TABLE folded AS SELECT learner_id, classroom_id, item, sum(tried) AS tried,"
        " sum(clean) AS clean, max(last_at) AS last_at FROM first_try_count GROUP BY 1, 2, 3;"
        "DELETE FROM first_try_count;"
        "INSERT INTO first_try_count (learner_id, classroom_id, item, tried, clean, last_at)"
        " SELECT * FROM folded; DROP TABLE folded;"
    )
