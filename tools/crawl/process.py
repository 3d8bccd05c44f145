"""The site as a process of its own, with a clock and dice that the crawl holds."""

import hashlib
import mmap
import os
import re
import signal
import struct
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .plan import Plan

CLOCK_LAYOUT = struct.Struct("d32s")
LAUNCHER = str(Path(__file__).resolve().parent.with_name("still.py"))


class Clock:
    """The file that tells the site its time and its chance."""

    def __init__(self, path: Path, moment: float) -> None:
        self.path = path
        self.start = moment
        self.moment = moment
        path.write_bytes(bytes(CLOCK_LAYOUT.size))
        with path.open("r+b") as file:
            self.memory = mmap.mmap(file.fileno(), CLOCK_LAYOUT.size)
        self.bind_chance("start")

    def bind_chance(self, occasion: str) -> None:
        """Chance from now on, by what is about to be asked; another crawl of its records draws anew."""
        seed = hashlib.sha256(f"{self.start} {occasion}".encode()).digest()
        self.memory[:] = CLOCK_LAYOUT.pack(self.moment, seed)


@contextmanager
def running_site(plan: Plan, name: str, command: str, data: Path, clock: Clock) -> Iterator[int]:
    """The site as a process of its own; its port."""
    log = plan.work / f"{name}.log"
    with log.open("wb") as output:
        process = subprocess.Popen(
            [plan.python, LAUNCHER, command, "--port", "0"],
            cwd=plan.tree, env=site_environment(data, clock), stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip
    try:
        yield port_in(log, process)
    finally:
        process.send_signal(signal.SIGINT)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def port_in(log: Path, process: "subprocess.Popen[bytes]") -> int:
    for _ in range(3000):
        text = log.read_text(encoding="utf-8", errors="replace")
        if match := re.search(r"http://127\.0\.0\.1:([0-9]+)", text):
            return int(match[1])
        if process.poll() is not None:
            raise SystemExit(f"✗ The site did not start:\n{text}")
        time.sleep(0.1)
    raise SystemExit(f"✗ The site did not start in time; see {log}")


def command_outputs(plan: Plan, data: Path, clock: Clock) -> list[str]:
    """What the operator's commands print, one after the other."""
    outputs = []
    for number, command in enumerate(COMMANDS):
        clock.bind_chance(f"command {number}")
        outputs.append(command_output(plan, data, clock, *command))
    return outputs


COMMANDS = (
    ("teacher", "invite"),
    ("teacher", "invite"),
    ("teacher", "list"),
    ("account", "list"),
    ("account", "disable", "叶知秋"),
    ("account", "reset", "余思齐"),
    ("reports",),
    ("rebuild",),
    ("check",),
    ("settings",),
    ("schema",),
    ("account", "--help"),
    ("teacher", "--help"),
    ("--help",),
)
"""Commands of an operator, run before the walk through a school; the first two invite teachers."""


def command_output(plan: Plan, data: Path, clock: Clock, *command: str) -> str:
    """What a command prints that an operator runs."""
    environment = site_environment(data, clock)
    arguments = [plan.python, LAUNCHER, *command]
    process = subprocess.run(arguments, cwd=plan.tree, env=environment, capture_output=True)
    return process.stdout.decode()


def site_environment(data: Path, clock: Clock) -> dict[str, str]:
    """The environment of the site: nothing of it comes from who crawls."""
    inherited = {key: value for key, value in os.environ.items() if not key.startswith(("TANGXU_", "PYTHON"))}
    fixed = {"PYTHONHASHSEED": "0", "PYTHONUNBUFFERED": "1", "PYTHONUTF8": "1", "TZ": "UTC"}
    return inherited | fixed | {"TANGXU_DATA": str(data), "STILL_FILE": str(clock.path)}
