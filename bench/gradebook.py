"""A gradebook of 200 students × 60 assignments: how many statements, how long to read, how long as a page.

``python -m bench.gradebook``. The work is written straight into the tables: one pass for nearly every cell,
here and there two, some late, some overridden, some extended. Times are medians.
"""

import asyncio
import gc
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter

from app.main import OBJECTS_BEFORE_COLLECTION
from app.records.accounts import accounts
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.classes import classrooms
from app.records.db.database import open_database
from app.records.db.migrate import migrate
from app.records.grading import gradebook
from app.records.grading.values import Gradebook
from app.web.grading.gradebook import SortOrder
from app.web.grading.gradebook_files import gradebook_workbook
from bench.classes import BenchClass, measured
from bench.goals import Goal
from bench.servers import ours
from bench.visiting import page_ms

STUDENTS, ASSIGNMENTS, REPEATS = 200, 60, 15
DUE, EARLY, LATE = "2026-11-10 02:00:00.000000", "2026-11-09 02:00:00.000000", "2026-11-10 09:00:00.000000"


def main() -> None:
    """Make the class, measure, print."""
    with TemporaryDirectory(prefix="tangxu-bench-") as name:
        data = Path(name)
        classroom = asyncio.run(make(f"sqlite:///{data / 'tangxu.db'}", data))
        statements, verb_ms, file_ms = asyncio.run(time_reading(data, classroom))
        with ours(data) as server:
            path = f"/classrooms/{classroom.number}/gradebook"
            whole_page_ms = median(page_ms(server, classroom.token, path) for _ in range(REPEATS))
    print(f"成绩册（{STUDENTS} 人 × {ASSIGNMENTS} 份作业）")
    print(Goal("查询", statements, 14, "次"))
    print(Goal("读出来", verb_ms, 80, " ms"))
    print(Goal("整页，含渲染", whole_page_ms, 90, " ms"))
    print(f"      做成 Excel 文件 {file_ms:.0f} ms，在别的线程里")


async def make(url: str, data: Path) -> BenchClass:
    """A teacher, a class, its students and their work."""
    migrate(url, data)
    db = open_database(url)
    now = datetime(2026, 9, 1, tzinfo=UTC)
    token = secrets.token_urlsafe(32)
    desktop = Browser("here", token)
    try:
        await db.write(accounts.create_account, Caller(), Credentials("王", "hash"), desktop, now, True)
        number = await db.write(classrooms.create_class, Caller(token), "年级大课", now)
    finally:
        await db.close()
    with closing(sqlite3.connect(data / "tangxu.db")) as connection, connection:
        fill(connection, number)
    return BenchClass(number, token)


def fill(connection: sqlite3.Connection, classroom: int) -> None:
    for number in range(1, ASSIGNMENTS + 1):
        connection.execute(
            "INSERT INTO assignment (id, classroom_id, title, note, seed, everyone, due_at, late_factor,"
            " passes, tries, hints, answers, counts, created_at, published_at)"
            f" VALUES (?, ?, ?, '', 7, 1, '{DUE}', 0.8, 0, 1, 1, 'handed_in', 'best', '{EARLY}', '{EARLY}')",
            (number, classroom, f"第{number}份作业"),
        )
        connection.executemany(
            "INSERT INTO assignment_part (assignment_id, position, kind, ref, level, count, same, points)"
            " VALUES (?, ?, ?, ?, 1, ?, 0, 2)",
            [
                (number, 1, "item", "content:cg-chengdu", 1),
                (number, 2, "practice", "content:dcg-at-k", 4),
            ],
        )
    for student in range(1, STUDENTS + 1):
        learner = 1000 + student
        connection.execute(
            f"INSERT INTO learner (id, created_at, time_zone) VALUES (?, '{EARLY}', 'Asia/Shanghai')",
            (learner,),
        )
        connection.execute(
            "INSERT INTO enrolment (id, classroom_id, learner_id, name, name_key, number, joined_at)"
            " VALUES (?, ?, ?, ?, ?, ?, '2026-09-01 02:00:00.000000')",
            (student, classroom, learner, f"同学{student}", f"同学{student}", f"{20260000 + student}"),
        )
        write_work(connection, student, learner)


def write_work(connection: sqlite3.Connection, student: int, learner: int) -> None:
    for assignment, number, points, handed_in_at, factor in passes(student):
        cursor = connection.execute(
            "INSERT INTO attempt (learner_id, source, ref, round, seed, created_at)"
            f" VALUES (?, 'assignment', ?, ?, 7, '{EARLY}')",
            (learner, f"assignment-{assignment}", number),
        )
        connection.execute(
            "INSERT INTO submission (attempt_id, assignment_id, enrolment_id, number, started_at,"
            " handed_in_at, collected, points, total, factor, parts)"
            f" VALUES (?, ?, ?, ?, '{EARLY}', ?, 0, ?, 10, ?, '{{}}')",
            (cursor.lastrowid, assignment, student, number, handed_in_at, points, factor),
        )
    for assignment in range(1 + student % 20, ASSIGNMENTS + 1, 20):
        cell_key = (assignment, student)
        connection.execute(
            "INSERT INTO mark_override (assignment_id, enrolment_id, points, reason, created_at)"
            f" VALUES (?, ?, 9.5, '口头补答', '{LATE}')",
            cell_key,
        )
        connection.execute(
            "INSERT INTO extension (assignment_id, enrolment_id, due_at, note, created_at)"
            f" VALUES (?, ?, '{LATE}', '病假', '{EARLY}')",
            cell_key,
        )


def passes(student: int) -> Iterator[tuple[int, int, float, str | None, float]]:
    """Assignment, number, points, when and at what cost: of forty cells one is empty and one half-way."""
    for assignment in range(1, ASSIGNMENTS + 1):
        cell_kind = (student * 7 + assignment * 13) % 40
        if cell_kind == 0:
            continue
        is_late = cell_kind in (1, 2, 3)
        yield (
            assignment,
            1,
            float(cell_kind % 11),
            LATE if is_late else None if cell_kind == 4 else EARLY,
            1 - is_late * 0.2,
        )
        if cell_kind > 35:
            yield assignment, 2, float(cell_kind % 7 + 4), EARLY, 1.0


async def time_reading(data: Path, classroom: BenchClass) -> tuple[int, float, float]:
    """Statements of the verb, milliseconds of the verb, milliseconds of the workbook."""
    db = open_database(f"sqlite:///{data / 'tangxu.db'}")
    now = datetime.now(UTC)
    teacher = Caller(classroom.token)

    async def read() -> Gradebook:
        return await db.read(gradebook.load_gradebook, teacher, classroom.number, now)

    try:
        book = await read()
        gc.collect()
        gc.freeze()  # these two as the server does when it has started
        gc.set_threshold(OBJECTS_BEFORE_COLLECTION)
        statements, verb_ms = await measured(read)
    finally:
        await db.close()
    begun = perf_counter()
    gradebook_workbook(book, SortOrder())
    return statements, verb_ms, 1000 * (perf_counter() - begun)


if __name__ == "__main__":
    main()
