"""`python -m tests.faults --seed 7 --kills 40`: the same seed kills at the same answers again."""

import argparse
import random
import sys
import tempfile
from pathlib import Path

from tests.faults import calls
from tests.faults.kills import kills


def main() -> int:
    options = parser().parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(10**6)
    print(f"seed {seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="tangxu-faults-") as folder:
        wrong: list[str] = []
        if options.kills:
            wrong += killed(seed, options.kills, Path(folder) / "kills")
        if options.calls:
            wrong += failed(Path(folder) / "calls", options.most)
    for line in wrong:
        print("✗", line)
    if wrong:
        print(f"again: python -m tests.faults --seed {seed} --kills {options.kills}")
        return 1
    print("✓ what was acknowledged is what is stored")
    return 0


def parser() -> argparse.ArgumentParser:
    told = argparse.ArgumentParser(prog="python -m tests.faults")
    told.add_argument("--seed", type=int, help="moments and answers; without it a new one, which is printed")
    told.add_argument("--kills", type=int, default=40, help="how many servers are killed")
    told.add_argument("--calls", action="store_true", help="also every n-th write and sync failing")
    told.add_argument("--most", type=int, default=10_000, help="of each kind of call, the first so many")
    return told


def killed(seed: int, count: int, data: Path) -> list[str]:
    wrong: list[str] = []
    for kill in kills(seed, count, data):
        print(
            f"kill {kill.number}: {kill.acknowledged} acknowledged, {kill.late} without a reply,"
            f" {kill.kept_of_late} of them stored",
            flush=True,
        )
        wrong += kill.wrong
    return wrong


def failed(data: Path, most: int) -> list[str]:
    if calls.faults() == calls.BY_LIMIT:
        print(calls.WITHOUT_STRACE)
    wrong: list[str] = []
    for fault in calls.faults():
        sessions = [*calls.every(fault, data, range(1, most + 1))]
        print(f"{fault}: {sum(session.hit for session in sessions)} calls failed in their turn", flush=True)
        for session in sessions:
            wrong += [f"{fault}, n = {session.number}: {line}" for line in session.wrong]
    return wrong


if __name__ == "__main__":
    sys.exit(main())
