"""A site at the end of a school year: every page that shows a history, a class at work, a backup meanwhile.

``python -m bench.year``. The year is written at an older revision and brought up by the upgrade, which is
timed; the pages are medians over the wire, the answer is CPU time of the server. ``--keep FOLDER`` makes the
year there (once) and uses it again.
"""

import argparse
import os
import random
import secrets
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import chain
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from app import course as courses
from app.course import Course
from app.records.db.migrate import migrate
from app.settings import root
from bench import year_data
from bench.goals import Goal
from bench.machine import cores, cpu_seconds, on_core
from bench.servers import ROOT, Server, ours
from bench.visiting import Reply, Visitor, p99
from bench.watching import watched
from bench.year_data import Year, token_of
from bench.year_work import HEAVY_LEARNER, LARGE_CLASS_ID, SMALL_CLASS_ID

REPEATS, ANSWERS = 15, 200
ORDINARY_LEARNER = 1_500
PUPILS, WORK_SECONDS, REFRESHED_EVERY = 60, 60, 2.0
GUEST = secrets.token_urlsafe(32)
Measure = Callable[[Path, Course], Iterator[Goal]]
"""The figures of the year in a folder."""
LEARNER_PAGES = ("/", "/practice", "/practice/map", "/course", "/progress", "/mistakes")
CLASS_PAGES = (
    ("今天", "/today/live", 15, 6),
    ("同学", "", 80, 30),
    ("误区", "/mistakes", 80, 40),
    ("题目", "/items", 80, 40),
    ("知识点", "/map", 50, 25),
)
"""Name, address below the class, and the milliseconds it may take for a class of 200 and of 40."""


def report_in_folder(measure: Measure, description: str | None) -> None:
    """Make the year, bring it up, measure, print."""
    arguments = argparse.ArgumentParser(description=description)
    arguments.add_argument("--keep", type=Path, metavar="FOLDER", help="the year stays there")
    folder: Path | None = arguments.parse_args().keep
    course = courses.load_course(root() / "content")
    assert isinstance(course, Course)
    if folder is None:
        with TemporaryDirectory(prefix="tangxu-bench-") as name:
            print_goals(measure(Path(name), course))
    else:
        print_goals(measure(folder, course))


def print_goals(figures: Iterable[Goal]) -> None:
    """Print each figure as soon as it is there, and how many goals were reached."""
    goals = []
    for goal in figures:
        goals.append(goal)
        print(goal, flush=True)
    print(f"goals: {sum(goal.reached for goal in goals)} of {len(goals)}")


def measured(folder: Path, course: Course) -> Iterator[Goal]:
    """All figures, one after another."""
    is_new = not (folder / "old").exists()
    begun = time.perf_counter()
    year = written_year(folder, course)
    spent = time.perf_counter() - begun
    size = year.file.stat().st_size / 1e9
    print(f"一年：{year.responses:,} 次回答，{year.attempts:,} 遍，{size:.2f} GB", flush=True)
    if is_new:
        yield Goal("写出一年", spent, 120, " s")
    yield time_upgrade(year)
    pinned = cores()
    with ours(year.data, pinned and pinned[0]) as server, on_core(pinned and pinned[1]):
        yield from learner_pages(server)
        yield from answers(server)
        yield from class_pages(server, year)
        yield from measure_class_at_work(server, year)
        yield from time_backup(server, year)


def time_upgrade(year: Year) -> Goal:
    """How long the upgrade of the year takes."""
    begun = time.perf_counter()
    migrate(year.url, year.data)
    return Goal("升级（含备份）", time.perf_counter() - begun, 180, " s")


def written_year(folder: Path, course: Course) -> Year:
    """The year, made now or kept from an earlier run; a copy of it is brought up, so that it stays old."""
    original = folder / "old"
    data = folder / "data"
    year = year_data.load(original) if original.exists() else year_data.make(original, course)
    shutil.rmtree(data, ignore_errors=True)
    data.mkdir()
    shutil.copy(year.file, data / year.file.name)
    return Year(data, year.large_teacher, year.small_teacher, year.responses, year.attempts)


def milliseconds(visitor: Visitor, path: str) -> float:
    """A page, the median of some looks."""
    replies = [visitor.get(path) for _ in range(REPEATS)]
    assert {status for status, _ in replies} == {200}, (path, replies)
    return median(spent for _, spent in replies)


def learner_pages(server: Server) -> Iterator[Goal]:
    """What a learner sees of themselves, with an ordinary history and with a long one."""
    for name, learner, bound in (("普通学生", ORDINARY_LEARNER, 6), ("答过两万次的", HEAVY_LEARNER, 8)):
        visitor = Visitor(server, token_of(learner))
        for path in LEARNER_PAGES:
            yield Goal(f"{name} {path}", milliseconds(visitor, path), bound, " ms")


def answers(server: Server) -> Iterator[Goal]:
    """A practice answer as the browser sends it, in CPU time: of a new learner, and of the one with most."""
    newcomer = cpu_of_answers(server, Visitor(server, None))
    heavy = cpu_of_answers(server, Visitor(server, token_of(HEAVY_LEARNER)))
    print(f"        新来的答一题 {newcomer:.2f} ms CPU")
    yield Goal("答过两万次的再答一题，CPU", heavy, 1.5, " ms")
    yield Goal("同上，是新来的", heavy / newcomer, 1.2, " 倍")


def cpu_of_answers(server: Server, visitor: Visitor) -> float:
    """Milliseconds of the server's CPU for one answer with its way on; the page of its question is open."""
    path, fields = answer_form(1)
    visitor.post(path, {**fields, "guest": GUEST})
    seconds = 0.0
    for number in range(2, ANSWERS + 2):
        path, fields = answer_form(number)
        page_status, _ = visitor.get(fields["next"])
        before = cpu_seconds(server.pid)
        status, _ = visitor.post(path, fields)
        seconds += cpu_seconds(server.pid) - before
        assert (page_status, status) == (200, 200)
    return 1000 * seconds / ANSWERS


def answer_form(number: int) -> tuple[str, dict[str, str]]:
    """The form of a question of practice: a wrong number that no mistake makes.

    Its page asks at once (`read`), where answers that came as fast would have to wait.
    """
    seed = 900_000 + number
    fields = {
        "item": "practice-dcg-2",
        "try": "1",
        "answer": "123.4",
        "seed": str(seed),
        "next": f"/practice/dcg?level=2&seed={seed}&read=1",
    }
    return f"/practice/dcg-2-{seed}/responses", fields


def class_pages(server: Server, year: Year) -> Iterator[Goal]:
    """What the teachers look at."""
    large = Visitor(server, year.large_teacher)
    small = Visitor(server, year.small_teacher)
    for name, path, bound_of_large, bound_of_small in CLASS_PAGES:
        spent = milliseconds(large, f"/classrooms/{LARGE_CLASS_ID}{path}")
        yield Goal(f"200人的班 {name}", spent, bound_of_large, " ms")
        spent = milliseconds(small, f"/classrooms/{SMALL_CLASS_ID}{path}")
        yield Goal(f"40人的班 {name}", spent, bound_of_small, " ms")
    spent = milliseconds(large, f"/classrooms/{LARGE_CLASS_ID}/gradebook")
    yield Goal("200人×60份的成绩册", spent, 90, " ms")


KindAndReply = tuple[str, Reply]
"""What somebody of a class at work asked for, and how it went."""
SHARE_OF_ACTIONS = {"课文": 35, "回答": 35, "翻开": 15, "复习": 10, "练习": 5}


def measure_class_at_work(server: Server, year: Year) -> Iterator[Goal]:
    """Sixty pupils of the large class at work while its teacher refreshes 今天."""
    teacher = Visitor(server, year.large_teacher)
    with (
        watched(partial(refresh, teacher), REFRESHED_EVERY) as refreshes,
        ThreadPoolExecutor(PUPILS) as pupils,
    ):
        work = list(pupils.map(lambda number: do_work(server, number), range(PUPILS)))
    replies = [*chain.from_iterable(work), *refreshes]
    print(f"        {PUPILS} 人 {WORK_SECONDS} 秒，{len(replies):,} 个请求")
    yield Goal("出错", sum(status >= 400 for _, (status, _) in replies), 0, " 次")
    for kind in (*SHARE_OF_ACTIONS, "今天"):
        spent = [milliseconds for reply_kind, (_, milliseconds) in replies if reply_kind == kind]
        yield Goal(f"一班人同时学，{kind} p99", p99(spent), 50, " ms")


def refresh(teacher: Visitor) -> KindAndReply:
    return "今天", teacher.get(f"/classrooms/{LARGE_CLASS_ID}/today/live")


def do_work(server: Server, number: int) -> list[KindAndReply]:
    """One pupil: something every second or so."""
    chance = random.Random(number)
    visitor = Visitor(server, token_of(1 + number))
    end = time.monotonic() + WORK_SECONDS
    replies: list[KindAndReply] = []
    while time.monotonic() < end:
        time.sleep(0.3 + chance.random() * 1.2)
        kind = chance.choices([*SHARE_OF_ACTIONS], [*SHARE_OF_ACTIONS.values()])[0]
        question = 10_000 * (number + 1) + len(replies) + 1
        replies.append((kind, do_action(visitor, kind, question)))
    return replies


def do_action(visitor: Visitor, kind: str, question: int) -> Reply:
    """One thing that a pupil does; `question`: which one is answered."""
    if kind == "回答":
        return visitor.post(*answer_form(question))
    if kind == "翻开":
        fields = {"position": "1", "next": "/examples/chengdu-food"}
        return visitor.post("/examples/chengdu-food/reveals", fields)
    paths = {"课文": "/lessons/definitions/gain-and-discount", "复习": "/cards/review", "练习": "/practice"}
    return visitor.get(paths[kind])


def time_backup(server: Server, year: Year) -> Iterator[Goal]:
    """A page, asked again and again while the whole file is copied."""
    begun = time.perf_counter()
    process = start_backup(year)
    visitor = Visitor(server, token_of(ORDINARY_LEARNER))
    spent = []
    while process.poll() is None:
        spent.append(visitor.get("/lessons/definitions/gain-and-discount")[1])
    assert process.returncode == 0
    print(f"        备份 {time.perf_counter() - begun:.1f} s")
    yield Goal("备份时的课文页 p99", p99(spent), 50, " ms")


def start_backup(year: Year) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"TANGXU_DATA": str(year.data)}
    command = [sys.executable, "-m", "app", "backup", str(year.data / "copy.db")]
    return subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    report_in_folder(measured, __doc__)
