"""What a teacher sees, over 100,000 answers; and 今天 refreshed while a class of sixty answers at once.

``python -m bench.insight``. The answers are written straight into the tables: by the verbs it would take an
hour. Times of pages are medians over the wire; a class answers through the site itself.
"""

import asyncio
import random
import sqlite3
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from app import course as courses
from app.course import Course
from app.course.exercises.exercises import practice_item_id
from app.engine import LEVELS, MISCONCEPTIONS
from app.records.accounts.values import Caller
from app.records.db.database import open_database
from app.records.insight import item_stats, misconceptions, today
from app.settings import root
from app.web.site.clock import now
from bench.classes import STAMP, STUDENTS, BenchClass, make_empty_class, make_sums, measured
from bench.goals import Goal
from bench.servers import Server, ours
from bench.visiting import Reply, Visitor, p99, page_ms
from bench.watching import watched

ASSIGNMENTS, QUESTIONS, REPEATS = 45, 26, 15
REFRESH_SECONDS = 0.5
"""Seconds between two refreshes of 今天: as if sixteen teachers looked, for the page asks every eight."""
ROUNDS = 12
"""How many questions everybody answers while the teacher looks."""


def main() -> None:
    """Make the class, measure, print."""
    course = courses.load_course(root() / "content")
    assert isinstance(course, Course)
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        data = Path(name)
        url = f"sqlite:///{data / 'tangxu.db'}"
        classroom = asyncio.run(make_empty_class(url, data))
        with closing(sqlite3.connect(data / "tangxu.db")) as connection, connection:
            answers = fill(connection, course, classroom)
        asyncio.run(make_sums(url))
        verbs = asyncio.run(timed_verbs(data, classroom))
        with ours(data) as server:
            pages = [(name, time_page(server, classroom, path)) for name, path in PAGES]
            busy = measure_class_at_work(server, classroom)
    print(f"学情（{STUDENTS} 人，{answers:,} 次回答）")
    print_report(verbs, pages, busy)


PAGES = (
    ("误区分布，全班", "/mistakes"),
    ("误区分布，一份作业", "/mistakes?assignment=1"),
    ("题目分析，全班", "/items"),
    ("题目分析，一份作业", "/items?assignment=1"),
    ("今天", "/today"),
)


@dataclass(frozen=True)
class BusyClass:
    """What it was like: the slowest of a hundred answers and refreshes (milliseconds), and errors."""

    answers_p99: float
    refreshes_p99: float
    errors: int


def print_report(
    verbs: list[tuple[str, int, float]], pages: list[tuple[str, float]], busy: BusyClass
) -> None:
    for name, queries, milliseconds in verbs:
        print(f"        {name}：{queries} 次查询，读出来 {milliseconds:.3g} ms")
    for name, milliseconds in pages:
        print(Goal(f"{name}，整页", milliseconds, 200, " ms"))
    print(f"{STUDENTS} 人同时答题，老师的“今天”一直在刷新")
    print(Goal("回答 p99", busy.answers_p99, 100, " ms"))
    print(Goal("刷新 p99", busy.refreshes_p99, 100, " ms"))
    print(Goal("出错", busy.errors, 0, "次"))


# The term that lies behind.


def fill(connection: sqlite3.Connection, course: Course, classroom: BenchClass) -> int:
    """Assignments that everybody handed in, each of practice and items; returns how many answers."""
    dice = random.Random(7)
    items = items_of(course)
    connection.execute("INSERT INTO item_version VALUES ('v', 'item', ?, ?)", (item_body(course), STAMP))
    enrolments = connection.execute("SELECT id, learner_id FROM enrolment").fetchall()
    for number in range(1, ASSIGNMENTS + 1):
        connection.execute(ASSIGNMENT, (number, classroom.number, f"第{number}次作业", STAMP, STAMP, STAMP))
        questions = [f"{dice.choice(items)}#{question}" for question in range(1, QUESTIONS + 1)]
        for enrolment_id, learner in enrolments:
            hand_in(connection, dice, number, enrolment_id, learner, questions)
    answers: int = connection.execute("SELECT count(*) FROM response").fetchone()[0]
    return answers


def items_of(course: Course) -> list[str]:
    """All practice, and the items of all lessons."""
    items = [practice_item_id(name, level) for name in course.exercises for level in LEVELS]
    for stage in course.stages:
        items += stage.asked_item_ids
    return [course.ref(item) for item in items]


WRONG_CAUSES = [
    *MISCONCEPTIONS,
    "natural_log+linear_for_exponential",
    "mean_not_sum|last_term_dropped",
    "truncated",
]
"""What wrong answers are put down to: a mistake, two at once, one of two, and what is no mistake of ours."""


ASSIGNMENT = (
    "INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, late_factor, passes, tries,"
    " hints, answers, counts, created_at, published_at, closed_at)"
    " VALUES (?, ?, ?, '', 7, 1, 1, 1, 3, 1, 'at_once', 'best', ?, ?, ?)"
)
SUBMISSION = (
    "INSERT INTO submission (attempt_id, assignment_id, enrolment_id, number, started_at, handed_in_at,"
    " collected, points, total, factor, parts) VALUES (?, ?, ?, 1, ?, ?, 0, 20, 27, 1, '{}')"
)
RESPONSE = (
    "INSERT INTO response (attempt_id, item, try_number, raw, value, verdict, score, misconception, hints,"
    f" seconds, item_version, created_at) VALUES (?, ?, ?, '[\"6.77\"]', ?, ?, ?, ?, ?, ?, 'v', '{STAMP}')"
)


def item_body(course: Course) -> str:
    return course.version_hash_and_body(course.ref("practice-dcg-2"), 7)[1]


def hand_in(
    connection: sqlite3.Connection,
    dice: random.Random,
    number: int,
    enrolment_id: int,
    learner: int,
    questions: list[str],
) -> None:
    """One pass of one student: two of five first answers are wrong, and are put right then."""
    attempt = connection.execute(
        "INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)"
        " VALUES (?, 'assignment', ?, 1, 7, ?)",
        (learner, f"assignment-{number}", STAMP),
    ).lastrowid
    connection.execute(SUBMISSION, (attempt, number, enrolment_id, STAMP, STAMP))
    rows: list[tuple[object, ...]] = []
    for item in questions:
        for number, response in enumerate(tries(dice), 1):
            rows.append((attempt, item, number, *response))
    connection.executemany(RESPONSE, rows)


def tries(dice: random.Random) -> Iterator[tuple[object, ...]]:
    """Value, verdict, score, mistake, hints and seconds of each try of a question."""
    if dice.random() < 0.5:
        mistake = dice.choice(WRONG_CAUSES) if dice.random() < 0.7 else None
        value = f"{dice.random() * 9:.3f}"
        yield value, "wrong", 0, mistake, dice.randrange(2), 40
    yield "1.5", "right", 1, None, 0, dice.randrange(9, 200)


# How long it takes to look at it.


async def timed_verbs(data: Path, classroom: BenchClass) -> list[tuple[str, int, float]]:
    """How many statements each look takes, and how long they take (milliseconds)."""
    db = open_database(f"sqlite:///{data / 'tangxu.db'}")
    teacher = Caller(classroom.token)
    verbs: dict[str, Callable[[], Coroutine[Any, Any, object]]] = {
        "误区分布": lambda: db.read(misconceptions.load_misconceptions, teacher, classroom.number, None),
        "题目分析": lambda: db.read(item_stats.load_item_stats, teacher, classroom.number, None),
        "今天": lambda: db.read(today.load_today, teacher, classroom.number, now()),
    }
    try:
        return [(name, *await measured(verb)) for name, verb in verbs.items()]
    finally:
        await db.close()


def time_page(server: Server, classroom: BenchClass, path: str) -> float:
    """A page of the class, in milliseconds: the median of some looks."""
    url = f"/classrooms/{classroom.number}{path}"
    return median(page_ms(server, classroom.token, url) for _ in range(REPEATS))


# A class at work.


def measure_class_at_work(server: Server, classroom: BenchClass) -> BusyClass:
    """Everybody answers one question after another, each after a moment of thought; the teacher looks."""
    teacher = Visitor(server, classroom.token)
    refresh = partial(teacher.get, f"/classrooms/{classroom.number}/today/live")
    with watched(refresh, REFRESH_SECONDS) as refreshes, ThreadPoolExecutor(STUDENTS) as pupils:
        work = pupils.map(lambda student: answer_questions(server, student), range(STUDENTS))
        answers = list(chain.from_iterable(work))
    errors = sum(status >= 400 for status, _ in [*answers, *refreshes])
    answers_p99 = p99([milliseconds for _, milliseconds in answers])
    refreshes_p99 = p99([milliseconds for _, milliseconds in refreshes])
    return BusyClass(answers_p99, refreshes_p99, errors)


def answer_questions(server: Server, number: int) -> list[Reply]:
    """One student: a question every second or so."""
    dice = random.Random(number)
    student = Visitor(server, f"token {number}")
    replies = []
    for question in range(ROUNDS):
        time.sleep(dice.random() * 2)
        item = f"practice-dcg-{1 + question % 3}"
        fields = {"item": item, "try": "1", "answer": "6.77", "seed": str(question)}
        replies.append(student.post(f"/practice/dcg-2-{question + 1}/responses", fields))
    return replies


if __name__ == "__main__":
    main()
