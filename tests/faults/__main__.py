"""`python -m tests.faults --seed 7 --kills 40`: the same seed kills at the same answers again.

Each kind of trial is asked for by an option of its own; what is not asked for is not done.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from tests.faults import calls, memory
from tests.faults.kills import kills
from tests.faults.odd_requests import odd_requests
from tests.faults.waits import GOAL, waits

Trial = Callable[[argparse.Namespace, Path], list[str]]
"""Prints how it goes; what is wrong is returned, a line each."""


def main() -> int:
    options = parser().parse_args()
    if options.seed is None:
        options.seed = random.SystemRandom().randrange(10**6)
    print(f"seed {options.seed}", flush=True)
    wrong: list[str] = []
    with tempfile.TemporaryDirectory(prefix="tangxu-faults-") as folder:
        for name, trial in TRIALS.items():
            if getattr(options, name):
                wrong += trial(options, Path(folder) / name)
    for line in wrong:
        print("✗", line)
    if wrong:
        print(f"again: python -m tests.faults {' '.join(asked(options))}")
        return 1
    print("✓ nothing was wrong")
    return 0


def parser() -> argparse.ArgumentParser:
    arguments = argparse.ArgumentParser(prog="python -m tests.faults")
    arguments.add_argument("--seed", type=int, help="of all that is drawn; without it a new one, printed")
    arguments.add_argument("--kills", type=int, default=40, help="how many servers are killed")
    arguments.add_argument("--calls", action="store_true", help="also every n-th write and sync failing")
    arguments.add_argument("--most", type=int, default=10_000, help="of each kind of call, the first so many")
    arguments.add_argument("--requests", type=int, default=0, help="so many requests with odd fields")
    arguments.add_argument("--memory", type=int, default=0, help="what is held after so many new requests")
    arguments.add_argument(
        "--waits", type=float, default=0.0, help="seconds of each kind of worst input, while others ask"
    )
    return arguments


def asked(options: argparse.Namespace) -> list[str]:
    """The options that do the same again."""
    words = [f"--seed {options.seed} --kills {options.kills}"]
    if options.calls:
        words.append("--calls")
    values = {name: getattr(options, name) for name in ("requests", "memory", "waits")}
    return [*words, *(f"--{name} {value}" for name, value in values.items() if value)]


def killed(options: argparse.Namespace, data: Path) -> list[str]:
    wrong: list[str] = []
    start = time.monotonic()
    for kill in kills(options.seed, options.kills, data):
        minutes = (time.monotonic() - start) / 60
        left = minutes / kill.number * (options.kills - kill.number)
        print(
            f"kill {kill.number} of {options.kills}, about {left:.0f} min left: {kill.acknowledged}"
            f" acknowledged, {kill.late} without a reply, {kill.kept_of_late} of them stored",
            flush=True,
        )
        wrong += kill.wrong
    return wrong


def failed(options: argparse.Namespace, data: Path) -> list[str]:
    if calls.faults() == calls.BY_LIMIT:
        print(calls.WITHOUT_STRACE)
    wrong: list[str] = []
    for fault in calls.faults():
        sessions = [*calls.every(fault, data, range(1, options.most + 1))]
        print(f"{fault}: {sum(session.hit for session in sessions)} calls failed in their turn", flush=True)
        for session in sessions:
            wrong += [f"{fault}, n = {session.number}: {line}" for line in session.wrong]
    return wrong


def asked_oddly(options: argparse.Namespace, data: Path) -> list[str]:
    wrong: list[str] = []
    for number, flaws in odd_requests(options.seed, options.requests, data):
        wrong += flaws
        print(f"odd request {number} of {options.requests}: {len(wrong)} wrong answers", flush=True)
    return wrong


def grown(options: argparse.Namespace, data: Path) -> list[str]:
    readings: list[memory.Held] = []
    for reading in memory.held(options.seed, options.memory, data):
        readings.append(reading)
        print(f"{reading.requests} of {options.memory} requests: {reading.megabytes:.1f} MB", flush=True)
    growth = memory.growth(readings)
    print(f"grown by {growth:.1f} MB after the first {memory.WARM:.0%}")
    if growth > memory.MOST_GROWTH:
        return [f"grown by {growth:.1f} MB, more than {memory.MOST_GROWTH:.0f}"]
    return []


def waited(options: argparse.Namespace, data: Path) -> list[str]:
    wrong: list[str] = []
    print("the longest wait of another visitor, and the middle one, while this is sent:")
    for wait in waits(data, options.waits):
        print(wait, flush=True)
        if wait.longest > GOAL:
            wrong.append(f"another visitor waited {1000 * wait.longest:.0f} ms: {wait.kind}")
    return wrong


TRIALS: dict[str, Trial] = {
    "kills": killed,
    "calls": failed,
    "waits": waited,
    "requests": asked_oddly,
    "memory": grown,
}


if __name__ == "__main__":
    sys.exit(main())
