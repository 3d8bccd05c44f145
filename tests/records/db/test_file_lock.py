"""The lock between processes: fair, and nobody waits for ever for one that hangs."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import Busy
from app.records.db.migrate import UPGRADE_PATIENCE_SECONDS, migrate
from app.records.db.sqlite import file_lock
from app.records.db.sqlite.file_lock import FileLock
from tests.records.cast import NOW, XIAOTANG, Desk

HOLDER = """
import fcntl, sys
held = open(sys.argv[1], "a")
fcntl.flock(held, fcntl.LOCK_EX)
print("held", flush=True)
sys.stdin.readline()
"""


@contextmanager
def hung_process(path: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that holds the lock and does nothing, until a line is written to it."""
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout
    assert process.stdout.readline() == "held\n"
    try:
        yield process
    finally:
        let_go(process)


def let_go(process: subprocess.Popen[str]) -> None:
    if process.poll() is None:
        process.communicate("\n")


def lock_of(file: Path) -> Path:
    return file.with_name(f"{file.name}.lock")


def test_a_hung_process_is_told_of_and_nothing_is_half_done(file: Path) -> None:
    desk = Desk(file, patience_seconds=0.05)
    with hung_process(lock_of(file)) as process:
        for _ in range(3):
            with pytest.raises(Busy, match="另一个糖序进程"):
                desk.write(learners.give_resume_code, XIAOTANG, NOW)
        assert desk.count("learner") == 0
        let_go(process)
        desk.write(learners.give_resume_code, XIAOTANG, NOW)
    assert desk.count("learner") == 1
    desk.close()


def test_reads_do_not_wait_for_a_hung_writer(file: Path) -> None:
    desk = Desk(file, patience_seconds=0.05)
    desk.write(learners.give_resume_code, XIAOTANG, NOW)
    with hung_process(lock_of(file)):
        assert desk.read(learners.find_learner_id, Caller(XIAOTANG.proposed_token)) == 1
    desk.close()


def test_the_lock_is_free_again_after_a_wait_that_was_given_up(tmp_path: Path) -> None:
    """The thread that was left behind gets the lock at last, and must not keep it."""
    path = tmp_path / "lock"
    with closing(FileLock(path, 0.05)) as lock, closing(FileLock(path, 10)) as waiting_lock:
        with hung_process(path) as process:
            with pytest.raises(Busy), lock:
                pass
            let_go(process)
        with waiting_lock, pytest.raises(Busy), lock:
            pass
        with lock:
            pass


def test_a_start_does_not_wait_for_ever(tmp_path: Path) -> None:
    file = tmp_path / "tangxu.db"
    with hung_process(lock_of(file)), pytest.raises(Busy, match="另一个糖序进程"):
        migrate(f"sqlite:///{file}", tmp_path, patience_seconds=0.05)
    assert not file.exists()


def test_a_start_waits_longer_than_the_upgrade_of_a_school_year_takes() -> None:
    """The goal of `bench.year` is 180 s; a start that gave up after ten said that the other was stuck."""
    assert UPGRADE_PATIENCE_SECONDS > 180


def test_ten_seconds_as_sqlite_itself(file: Path) -> None:
    assert file_lock.PATIENCE_SECONDS == 10
