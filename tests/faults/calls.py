"""The n-th write and the n-th sync of a scripted session fail, for every n.

strace makes a system call on the session's files fail (`-e inject=`). Where it is not installed, a limit on
the size of files (RLIMIT_FSIZE) stops the n-th page of growth; syncs cannot be made to fail then.
"""

import asyncio
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import count
from pathlib import Path

from app.records.db.database import open_database
from app.records.db.errors import RecordsError
from app.records.db.migrate import migrate
from tests.faults.ledger import Ledger, disagreements, stored
from tests.faults.session import ANSWERS, answered, entry

ROOT = Path(__file__).resolve().parents[2]
PAGE = 4096


@dataclass(frozen=True, slots=True)
class Fault:
    """Which call fails, and how; for_good: all that follow fail as well."""

    call: str
    error: str
    for_good: bool = False

    def __str__(self) -> str:
        return f"{self.call} {self.error}{' for good' if self.for_good else ''}"


BY_STRACE = [
    Fault("pwrite64", "ENOSPC"),
    Fault("pwrite64", "EIO", for_good=True),
    Fault("fdatasync", "EIO"),
    Fault("fdatasync", "EIO", for_good=True),
    Fault("fsync", "EIO"),
    Fault("ftruncate", "EIO"),
]
BY_LIMIT = [Fault("growth", "EFBIG", for_good=True)]
WITHOUT_STRACE = "strace is not installed: writes fail by a limit on the size of files, syncs are not tried"


@dataclass(frozen=True, slots=True)
class Failed:
    """One session with its n-th call failing. hit: the fault happened at all."""

    fault: Fault
    number: int
    hit: bool
    kept: int
    wrong: list[str]


def faults() -> list[Fault]:
    if shutil.which("strace"):
        return BY_STRACE
    return BY_LIMIT


def every(fault: Fault, data: Path, numbers: Iterable[int] | None = None) -> Iterator[Failed]:
    """One session for each n, to the first that the session does not reach."""
    data.mkdir(parents=True, exist_ok=True)
    fresh = data / "fresh.db"
    fresh.unlink(missing_ok=True)
    migrate(f"sqlite:///{fresh}", data)
    with closing(Player()) as player:
        for number in numbers or count(1):
            failed = fail(player, fault, number, fresh, data / "session")
            yield failed
            if not failed.hit:
                return


def fail(player: "Player", fault: Fault, number: int, fresh: Path, folder: Path) -> Failed:
    """One session; then the same again without a fault: what was refused is kept now, and all of it once."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    file = folder / "tangxu.db"
    shutil.copy(fresh, file)
    ledger = Ledger()
    hit = run(player, fault, number, file, ledger)
    count = len(ledger.acknowledged)
    wrong = disagreements(ledger, file)
    if not fault.for_good and {*stored(file)} != ledger.acknowledged:
        wrong.append(f"{count} acknowledged, {len(stored(file))} stored")
    try:
        for again in asyncio.run(answered(open_database(f"sqlite:///{file}", thread_count=1))):
            ledger.kept(entry(again))
    except RecordsError as error:
        wrong.append(f"it does not open again: {error}")
    wrong += disagreements(ledger, file)
    if {*stored(file)} != ledger.acknowledged or len(ledger.acknowledged) != ANSWERS:
        wrong.append("it does not go on as if nothing had happened")
    return Failed(fault, number, hit, count, wrong)


def run(player: "Player", fault: Fault, number: int, file: Path, ledger: Ledger) -> bool:
    """Whether the fault happened."""
    if fault in BY_LIMIT:
        player.begin(f"{file}\t{number * PAGE}")
        player.listen(ledger)
        return len(ledger.acknowledged) < ANSWERS
    log = file.with_name("strace.log")
    with traced(player.begin(str(file)), fault, number, file, log):
        player.listen(ledger)
    return "(INJECTED)" in log.read_text("utf-8", "replace")


@contextmanager
def traced(process: int, fault: Fault, number: int, file: Path, log: Path) -> Iterator[None]:
    when = f"{number}+" if fault.for_good else str(number)
    paths = [word for ending in ("", "-wal") for word in ("-P", f"{file}{ending}")]
    inject = [f"trace={fault.call}", "-e", f"inject={fault.call}:error={fault.error}:when={when}"]
    command = ["strace", "-f", "-o", str(log), *paths, "-e", *inject, "-p", str(process)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as strace:
        assert strace.stderr
        line = strace.stderr.readline()
        if "attached" not in line:
            raise RuntimeError(f"strace cannot trace: {line}{strace.stderr.read()}")
        yield
        strace.stderr.read()


class Player:
    """A process that plays sessions."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.faults.session"],
            cwd=ROOT,
            env=os.environ | {"PYTHONPATH": str(ROOT)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._to, self._from = self._process.stdin, self._process.stdout

    def begin(self, line: str) -> int:
        """The process of the session, which waits for `listen`."""
        self._say(line)
        return int(self._from.readline())

    def listen(self, ledger: Ledger) -> None:
        """Let it go on, and note down what it says."""
        self._say("go")
        for line in self._from:
            word, _, number = line.partition(" ")
            if word == "kept":
                ledger.kept(entry(int(number)))
            elif word == "refused":
                ledger.not_kept(entry(int(number)))
            elif word == "ended":
                if int(number):
                    ledger.strange.append(f"the session ended with {number.strip()}")
                return
        ledger.strange.append("the session did not end")

    def close(self) -> None:
        self._to.close()
        self._process.wait()
        self._from.close()

    def _say(self, line: str) -> None:
        self._to.write(f"{line}\n")
        self._to.flush()
