"""SQLite and PostgreSQL, one worker and two, beside each other: `python -m bench.databases`, two minutes.

Every arrangement serves the same guests from a copy of the same records. Load, servers and database share the
machine: on two processors a second worker has no processor of its own, so look at the time of processors too.

The last two have a database whose statements take 0.4 ms more each. One of them lets every verb that writes
run alone, as behind one lock; the other is the site as it is.
"""

import argparse
import sqlite3
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

import psycopg

from app.records.db.postgres.move import move
from bench import guests, traffic, wrk
from bench.goals import Goal
from bench.loads import copy_database, load_scene
from bench.servers import Server, serving
from bench.traffic import Guest, Request, Scene
from bench.wrk import Slice
from tests.postgres_server import PostgresServer, running

CONNECTIONS = 16
READERS, WRITERS = 500, 200
ROWS = "SELECT count(*) FROM response"


@dataclass
class Arrangement:
    """A site that is measured, its slices, and how many answers it acknowledged that are not there."""

    name: str
    server: Server
    rows: Callable[[], int]
    writers: Sequence[Guest]
    pages: list[Slice] = field(default_factory=list)
    answers: list[Slice] = field(default_factory=list)
    missing: int = 0


def main() -> None:
    """Measure and print; exit code 0 whatever the figures are."""
    options = command_line_options()
    if not wrk.installed():
        sys.exit("要用wrk来压：Debian、Ubuntu上请先运行 apt install wrk。")
    with TemporaryDirectory(prefix="tangxu-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        scene = load_scene()
        postgres = stack.enter_context(running(fsync="on", full_page_writes="on"))
        arrangements = make_arrangements(stack, scene, folder, postgres, options.rounds)
        for number in range(options.rounds):
            for arrangement in arrangements:
                take_turn(arrangement, scene, number, options.seconds, folder)
    print("\n".join(lines(arrangements)))


def make_arrangements(
    stack: ExitStack, scene: Scene, folder: Path, postgres: PostgresServer, rounds: int
) -> list[Arrangement]:
    """The sites, all of them serving."""
    everybody = guests.make(scene, folder / "guests", READERS + WRITERS * rounds)
    arrangements = []
    for workers in (1, 2):
        data = folder / f"sqlite-{workers}"
        copy_database(folder / "guests", data)
        server = stack.enter_context(serving(command("app", workers), data))
        name = f"SQLite，{workers}个进程"
        arrangements.append(Arrangement(name, server, sqlite_rows(data), everybody))
    for number, (module, workers, name) in enumerate(ON_A_SERVER):
        data = folder / f"server-{number}"
        data.mkdir()
        url = moved_database(folder / "guests", postgres, f"site_{number}", data)
        settings = {"TANGXU_DATABASE_URL": url}
        server = stack.enter_context(serving(command(module, workers), data, settings=settings))
        arrangements.append(Arrangement(name, server, server_rows(url), everybody))
    return arrangements


ON_A_SERVER = (
    ("app", 1, "PostgreSQL，1个进程"),
    ("app", 2, "PostgreSQL，2个进程"),
    ("bench.distance", 2, "每条语句多0.4毫秒，2个进程"),
    ("bench.one_lock", 2, "同上，写都排一队"),
)
"""The module that serves, how many processes, and what the line of the table is called."""


def command(module: str, workers: int) -> list[str]:
    return [module, "serve", "--port", "0", "--workers", str(workers)]


def moved_database(source: Path, postgres: PostgresServer, database: str, data: Path) -> str:
    """The address of a database with the guests in it."""
    postgres.execute(f"CREATE DATABASE {database}")
    url = postgres.url(database)
    move(f"sqlite:///{source / 'tangxu.db'}", url, data, say_nothing)
    postgres.execute("VACUUM ANALYZE", database)
    return url


def say_nothing(_table: str, _rows: int) -> None:
    """How far a move has come is nobody's matter here."""


def sqlite_rows(data: Path) -> Callable[[], int]:
    def rows() -> int:
        with closing(sqlite3.connect(f"file:{data / 'tangxu.db'}?mode=ro", uri=True)) as connection:
            return int(connection.execute(ROWS).fetchone()[0])

    return rows


def server_rows(url: str) -> Callable[[], int]:
    def rows() -> int:
        with psycopg.connect(url) as connection:
            [(count,)] = connection.execute(ROWS.encode()).fetchall()
            return int(count)

    return rows


def take_turn(
    arrangement: Arrangement, scene: Scene, number: int, seconds: int, scratch_folder: Path
) -> None:
    """A slice of pages, a slice of answers; every answer that was acknowledged must be a row."""
    readers = arrangement.writers[:READERS]
    start = READERS + WRITERS * number
    writers = arrangement.writers[start : start + WRITERS]
    arrangement.pages.append(measured(arrangement, traffic.pages(scene, readers), seconds, scratch_folder))
    rows_before = arrangement.rows()
    slice_of_answers = measured(arrangement, traffic.answers(scene, writers), seconds, scratch_folder)
    rows_written = arrangement.rows() - rows_before
    arrangement.missing += max(0, slice_of_answers.requests - slice_of_answers.errors - rows_written)
    arrangement.answers.append(slice_of_answers)


def measured(arrangement: Arrangement, requests: list[Request], seconds: int, scratch_folder: Path) -> Slice:
    return wrk.load(arrangement.server, requests, CONNECTIONS, seconds, scratch_folder, is_pinned=False)


def lines(arrangements: Sequence[Arrangement]) -> list[str]:
    """The table, and what the goals say of it."""
    table = [f"{'':34}{'课文页/秒':>10}{'p99 ms':>9}{'CPU µs':>9}{'回答/秒':>11}{'p99 ms':>9}{'CPU µs':>9}"]
    table += map(line, arrangements)
    sqlite, sqlite_two, server, server_two, distant, distant_one_lock = arrangements
    return [
        *table,
        verdict("两个进程的课文页，SQLite", ratio(sqlite_two.pages, sqlite.pages), 1.8),
        verdict("两个进程的课文页，PostgreSQL", ratio(server_two.pages, server.pages), 1.8),
        verdict("同样的CPU时间，两个进程的课文页，SQLite", cpu_ratio(sqlite_two.pages, sqlite.pages), 0.9),
        verdict(
            "同样的CPU时间，两个进程的课文页，PostgreSQL", cpu_ratio(server_two.pages, server.pages), 0.9
        ),
        verdict("PostgreSQL的回答，比SQLite", ratio(server.answers, sqlite.answers), 0.7),
        verdict("语句慢时，各学生各一把锁，比排一队", ratio(distant.answers, distant_one_lock.answers), 3),
    ]


def line(arrangement: Arrangement) -> str:
    """What was measured of an arrangement, and what makes it doubtful."""
    figures = "".join(f"{rate:12,.0f}{p99:9.1f}{cpu:9.0f}" for rate, p99, cpu in columns(arrangement))
    slices = (*arrangement.pages, *arrangement.answers)
    errors = sum(load_slice.errors for load_slice in slices)
    other_programs = median(load_slice.others for load_slice in slices)
    remarks = f"出错{errors}，少了{arrangement.missing}行，网站和wrk以外占{other_programs:.0%}"
    return f"{arrangement.name:24}{figures}   {remarks}"


def columns(arrangement: Arrangement) -> list[tuple[float, float, float]]:
    return [
        (
            median(load_slice.per_second for load_slice in slices),
            median(load_slice.p99_ms for load_slice in slices),
            median(load_slice.cpu_us for load_slice in slices),
        )
        for slices in (arrangement.pages, arrangement.answers)
    ]


def ratio(slices: Sequence[Slice], baseline: Sequence[Slice]) -> float:
    """Median over the rounds of what was quicker in the same round."""
    return median(
        load_slice.per_second / baseline_slice.per_second
        for load_slice, baseline_slice in zip(slices, baseline, strict=True)
    )


def cpu_ratio(slices: Sequence[Slice], baseline: Sequence[Slice]) -> float:
    """How many requests a second of a processor answers, over those of others: median over the rounds.

    1 where a second worker costs nothing but its own processor, which this machine may not have to give.
    """
    return median(
        baseline_slice.cpu_us / load_slice.cpu_us
        for load_slice, baseline_slice in zip(slices, baseline, strict=True)
    )


def verdict(name: str, times: float, least_times: float) -> str:
    return str(Goal(name, times, least_times, " 倍", more_is_better=True))


def command_line_options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m bench.databases", description="两种数据库，一个和两个进程。"
    )
    parser.add_argument("--rounds", type=int, default=3, metavar="轮", help="每种情形轮几次（默认 3）")
    parser.add_argument("--seconds", type=int, default=2, metavar="秒", help="每一段几秒（默认 2）")
    return parser.parse_args()


if __name__ == "__main__":
    main()
