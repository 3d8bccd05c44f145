"""A reader that takes too much: only its own process ends, nothing of it stays, and the caller is told."""

import errno
import os
import re
import sys
from pathlib import Path

import pytest

from app.course.text import sandbox
from tests.rationed import rationed
from tests.tables import each

ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read()[::-1])"
TOO_MUCH = {
    "memory": "b = bytearray(2**31)",
    "processor": "while True: pass",
    "output": "while True: print('x' * 10**6)",
    "end": "import os; os.abort()",
    "error": "raise ValueError",
    "time": "import threading; threading.Event().wait()",
}


@pytest.fixture
def reader(tmp_path: Path) -> Path:
    return tmp_path / "reader.py"


def test_a_program_gets_the_bytes_and_its_answer_comes_back(reader: Path) -> None:
    reader.write_text(ECHO, encoding="utf-8")
    assert sandbox.program_output(reader, b"\x00\xff3") == b"3\xff\x00"
    assert sandbox.json_output(reader, b"]3[") == [3]


@each("data", [b"", b"[", b"[1] [2]", b"\xff", b"[" * 100_000])
def test_what_is_no_answer_is_none(data: bytes, reader: Path) -> None:
    reader.write_text(ECHO, encoding="utf-8")
    with pytest.raises(sandbox.ProgramStopped):
        sandbox.json_output(reader, data)


@pytest.mark.long
@each("program", [program for kind, program in TOO_MUCH.items() if kind != "time"])
def test_what_takes_too_much_is_stopped(program: str, reader: Path) -> None:
    reader.write_text(program, encoding="utf-8")
    with pytest.raises(sandbox.ProgramStopped):
        sandbox.program_output(reader, b"1")


def test_what_only_waits_is_stopped_by_the_clock(reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "LONGEST_RUN_SECONDS", 0.5)
    reader.write_text(TOO_MUCH["time"], encoding="utf-8")
    with pytest.raises(sandbox.ProgramStopped):
        sandbox.program_output(reader, b"1")


def test_a_full_disk_is_no_fault_of_the_file(reader: Path) -> None:
    """Its process says why it could not print."""
    reader.write_text(f"raise OSError({errno.ENOSPC}, 'No')", encoding="utf-8")
    with pytest.raises(OSError, match=re.escape(os.strerror(errno.ENOSPC))) as refusal:
        sandbox.program_output(reader, b"1")
    assert refusal.value.errno == errno.ENOSPC


def test_an_answer_has_its_largest_size(reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the system does not count what is written."""
    reader.write_text(ECHO, encoding="utf-8")
    monkeypatch.setattr(sandbox, "MOST_OUTPUT_BYTES", 3)
    assert sandbox.program_output(reader, b"123") == b"321"
    with pytest.raises(sandbox.ProgramStopped):
        sandbox.program_output(reader, b"1234")


def test_a_process_that_cannot_begin_is_a_word_too(reader: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", str(reader / "nothing"))
    with pytest.raises(sandbox.ProgramStopped):
        sandbox.program_output(reader, b"")


def test_no_process_and_no_open_file_stays(reader: Path) -> None:
    """Looked at in a process that has no others: one that is not waited for would stand there as a zombie."""
    program = f"""
import os
from pathlib import Path
from app.course.text import sandbox
sandbox.LONGEST_RUN_SECONDS = 0.5
reader = Path({str(reader)!r})
files = len(os.listdir("/dev/fd"))
for program in {[TOO_MUCH[kind] for kind in ("memory", "end", "error", "time")]!r}:
    reader.write_text(program)
    try:
        sandbox.program_output(reader, b"1" * 10**6)
    except sandbox.ProgramStopped:
        print("stopped")
try:
    os.waitpid(-1, os.WNOHANG)
except ChildProcessError:
    print("no process")
print(len(os.listdir("/dev/fd")) - files)
"""
    assert rationed(program).split() == ["stopped"] * 4 + ["no", "process", "0"]


def test_an_operator_s_own_lower_limit_stands(reader: Path) -> None:
    """A site that is served with little has readers with as little, not none."""
    reader.write_text(ECHO, encoding="utf-8")
    program = f"""
import resource
from pathlib import Path
from app.course.text import sandbox
resource.setrlimit(resource.RLIMIT_AS, (2**28, 2**28))
print(sandbox.program_output(Path({str(reader)!r}), b"dear").decode())
"""
    assert rationed(program).split() == ["raed"]
