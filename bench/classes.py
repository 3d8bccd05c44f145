"""A class at work: forty sign in at once, and the page of a class of sixty with 100,000 answers.

``python -m bench.classes``. The answers are written straight into the tables: by the verbs it would take an
hour. Times of the page are medians; statements are counted; memory is the most that was seen.
"""

import asyncio
import secrets
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from http.client import HTTPConnection
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from unittest import mock
from urllib.parse import urlencode, urlsplit

from app import course as courses
from app.course import Course
from app.records.accounts import accounts, passwords
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.classes import classrooms, joining
from app.records.db.database import Database, open_database
from app.records.db.migrate import migrate
from app.records.db.sqlite.open_file import database_file
from app.records.db.statements import DriverCursor, DriverStatement, ReusableStatement
from app.records.insight import class_progress
from app.records.people import sums
from app.settings import root
from bench.goals import Goal
from bench.machine import memory_mb
from bench.servers import Server, ours
from bench.visiting import page_ms
from bench.watching import watched

STUDENTS, ANSWERS, SIGN_INS_AT_ONCE, REPEATS = 60, 100_000, 40, 15
PASSWORD = "越甜越靠前的糖"
FORM = {"Content-Type": "application/x-www-form-urlencoded"}
STAMP = "2026-11-20 02:00:00.000000"


@dataclass(frozen=True)
class BenchClass:
    """The class that was made: its number, and its teacher's token."""

    number: int
    token: str


def main() -> None:
    """Make the class, measure, print."""
    course = courses.load_course(root() / "content")
    assert isinstance(course, Course)
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        data = Path(name)
        classroom = asyncio.run(make(f"sqlite:///{data / 'tangxu.db'}", data, course))
        statements, verb_ms = asyncio.run(page_verb(data, classroom))
        with ours(data) as server:
            whole_page_ms = median(
                page_ms(server, classroom.token, f"/classrooms/{classroom.number}") for _ in range(REPEATS)
            )
            seconds, most_mb = time_sign_ins(server)
    print_page_figures(statements, verb_ms, whole_page_ms)
    print(f"{SIGN_INS_AT_ONCE} 人同时登录")
    print(Goal("全部进来", seconds, 3, " s"))
    print(Goal("内存最多", most_mb, 700, " MB"))


def print_page_figures(statements: int, verb_ms: float, whole_page_ms: float) -> None:
    print(f"班级页（{STUDENTS} 人，{ANSWERS:,} 次回答）")
    print(Goal("查询", statements, 6, "次"))
    print(Goal("读出来", verb_ms, 100, " ms"))
    print(Goal("整页，含渲染", whole_page_ms, 100, " ms"))


async def make(url: str, data: Path, course: Course) -> BenchClass:
    """A teacher, a class, its students with one password, and what they have answered."""
    classroom = await make_empty_class(url, data)
    with closing(sqlite3.connect(data / "tangxu.db")) as connection, connection:
        write_answers(connection, course)
    await make_sums(url)
    return classroom


async def make_sums(url: str) -> None:
    """The sums that the verbs would have kept as the answers came."""
    with closing(sqlite3.connect(database_file(url))) as connection, connection:
        connection.execute(
            "UPDATE response SET learner_id ="
            " (SELECT learner_id FROM attempt WHERE attempt.id = response.attempt_id)"
        )
    db = open_database(url)
    try:
        for learner_id in await db.read(sums.learner_ids_with_sums):
            await db.write(sums.rebuild_sums, learner_id)
    finally:
        await db.close()


async def make_empty_class(url: str, data: Path) -> BenchClass:
    """The same before anybody has answered."""
    migrate(url, data)
    db = open_database(url)
    now = datetime.now(UTC)
    token = secrets.token_urlsafe(32)
    password_hash = passwords.hash_password(PASSWORD)
    try:
        desktop = Browser("here", token)
        await db.write(
            accounts.create_account, Caller(), Credentials("王", password_hash), desktop, now, True
        )
        number = await db.write(classrooms.create_class, Caller(token), "高一3班", now)
        await join(db, BenchClass(number, token), password_hash)
    finally:
        await db.close()
    return BenchClass(number, token)


async def join(db: Database, classroom: BenchClass, password_hash: str) -> None:
    """The students come with the code of the class."""
    taught_class = await db.read(classrooms.taught_class, Caller(classroom.token), classroom.number)
    for student in range(STUDENTS):
        phone = Browser("here", f"token {student}")
        credentials = Credentials(f"同学{student}", password_hash)
        await db.write(
            joining.join_with_new_account, Caller(), taught_class.code, credentials, phone, datetime.now(UTC)
        )


def write_answers(connection: sqlite3.Connection, course: Course) -> None:
    """Every student has a lesson attempt for each stage, and practises on: about the same for all."""
    learners = [learner for (learner,) in connection.execute("SELECT learner_id FROM enrolment")]
    items = list(dict.fromkeys(course.ref(item) for stage in course.stages for item in stage.asked_item_ids))
    connection.execute("INSERT INTO item_version VALUES ('v', 'item', '{}', ?)", (STAMP,))
    count = ANSWERS // len(learners)
    stage = course.stages[0]
    for learner in learners:
        place = (learner, course.ref(stage.id), stage.sections[0].id, STAMP)
        connection.execute(LESSON_PLACE, place)
        connection.executemany(RESPONSE, list(responses(connection, learner, items, count)))


LESSON_PLACE = (
    "INSERT INTO lesson_place (learner_id, stage, section, round, step, done, updated_at)"
    " VALUES (?, ?, ?, 1, 3, 0, ?)"
)
RESPONSE = (
    "INSERT INTO response"
    " (attempt_id, item, try_number, raw, verdict, score, hints, item_version, created_at)"
    f" VALUES (?, ?, ?, '[]', ?, 0, 0, 'v', '{STAMP}')"
)


def responses(
    connection: sqlite3.Connection, learner: int, items: list[str], count: int
) -> Iterator[tuple[int, str, int, str]]:
    """Rounds through all items; every third is wrong first and right then."""
    number = response_count = attempt = 0
    while response_count < count:
        if number % len(items) == 0:
            attempt = begin_attempt(connection, learner, number)
        verdicts = ("wrong", "right") if number % 3 == 0 else ("right",)
        for try_number, verdict in enumerate(verdicts, 1):
            yield (attempt, items[number % len(items)], try_number, verdict)
        number = number + 1
        response_count = response_count + len(verdicts)


def begin_attempt(connection: sqlite3.Connection, learner: int, number: int) -> int:
    cursor = connection.execute(
        "INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)"
        " VALUES (?, 'practice', ?, 1, 7, ?)",
        (learner, f"content:bench-{number}", STAMP),
    )
    assert cursor.lastrowid
    return cursor.lastrowid


async def page_verb(data: Path, classroom: BenchClass) -> tuple[int, float]:
    """How many statements the class page takes, and how long they take (milliseconds)."""
    db = open_database(f"sqlite:///{data / 'tangxu.db'}")
    teacher = Caller(classroom.token)
    try:
        return await measured(lambda: db.read(class_progress.load_class, teacher, classroom.number))
    finally:
        await db.close()


async def measured(verb: Callable[[], Awaitable[object]]) -> tuple[int, float]:
    """Statements of a verb, and its milliseconds: the median of some times after a first one."""
    with counted_statements() as statements:
        await verb()
    milliseconds = []
    for _ in range(REPEATS):
        begun = time.perf_counter()
        await verb()
        milliseconds.append(1000 * (time.perf_counter() - begun))
    return len(statements), median(milliseconds)


@contextmanager
def counted_statements() -> Iterator[list[ReusableStatement]]:
    """The statements that are run inside, also those whose rows come one by one."""
    statements: list[ReusableStatement] = []
    original_send = ReusableStatement.send

    def send(self: ReusableStatement, *args: object) -> tuple[DriverStatement, DriverCursor]:
        statements.append(self)
        return original_send(self, *args)  # type: ignore[arg-type]

    with mock.patch.object(ReusableStatement, "send", send):
        yield statements


def time_sign_ins(server: Server) -> tuple[float, float]:
    """Seconds until the last of forty is in, and the most memory that was held meanwhile (MB)."""
    before = memory_mb(server.pid)
    with watched(lambda: memory_mb(server.pid), every=0.005) as sizes:
        begun = time.perf_counter()
        with ThreadPoolExecutor(SIGN_INS_AT_ONCE) as pupils:
            statuses = list(pupils.map(lambda number: sign_in(server, number), range(SIGN_INS_AT_ONCE)))
        seconds = time.perf_counter() - begun
    assert set(statuses) == {303}, statuses
    return seconds, max(before, *sizes)


def sign_in(server: Server, number: int) -> int:
    connection = HTTPConnection(urlsplit(server.url).netloc)
    body = urlencode({"login": f"同学{number}", "password": PASSWORD, "bring": "yes"})
    connection.request("POST", "/accounts/sign-ins", body, FORM)
    return connection.getresponse().status


if __name__ == "__main__":
    main()
