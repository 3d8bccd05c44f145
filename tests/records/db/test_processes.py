"""Several processes on one file, and one that is killed: what was acknowledged is there."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.records.cast import Desk

ROOT = Path(__file__).parents[3]


def start(file: Path, name: str, learners: int, answers: int) -> subprocess.Popen[str]:
    script = Path(__file__).parents[1] / "answering.py"
    return subprocess.Popen(
        [sys.executable, str(script), str(file), name, str(learners), str(answers)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )


def acknowledged(output: str) -> set[tuple[str, str, int]]:
    """Whole lines only: a killed process may have left half of one."""
    codes = set()
    for line in output.splitlines(keepends=True):
        if line.endswith("\n"):
            name, item, try_number = line.split()
            codes.add((name, item, int(try_number)))
    return codes


def answers_written(desk: Desk) -> set[tuple[str, str, int]]:
    rows = desk.rows("SELECT raw, item, try_number FROM response")
    assert len(set(rows)) == len(rows)
    return {(raw.strip('[]"'), item, try_number) for raw, item, try_number in rows}


def sound(desk: Desk) -> bool:
    return desk.rows("PRAGMA integrity_check") == [("ok",)] and desk.rows("PRAGMA foreign_key_check") == []


def test_two_processes_on_one_file_lose_nothing(file: Path) -> None:
    processes = [start(file, name, 4, 50) for name in ("a", "b")]
    acknowledged_answers = [acknowledged(process.communicate(timeout=60)[0]) for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert [len(answers) for answers in acknowledged_answers] == [200, 200]
    desk = Desk(file)
    assert answers_written(desk) == acknowledged_answers[0] | acknowledged_answers[1]
    assert desk.count("learner") == 8
    assert sound(desk)
    desk.close()


@pytest.mark.parametrize("lines", [17, 170, pytest.param(700, marks=pytest.mark.long)])
def test_what_was_acknowledged_survives_a_kill(file: Path, lines: int) -> None:
    process = start(file, "a", 16, 100_000)
    assert process.stdout
    first = "".join(process.stdout.readline() for _ in range(lines))
    process.kill()
    acknowledged_answers = acknowledged(
        first + process.stdout.read()
    )  # `communicate` would leave out what is buffered already
    process.wait(60)
    process.stdout.close()
    assert len(acknowledged_answers) >= lines
    desk = Desk(file)
    assert acknowledged_answers <= answers_written(desk)
    assert len(answers_written(desk) - acknowledged_answers) <= 16, "one unanswered at most for each learner"
    assert sound(desk)
    desk.close()
