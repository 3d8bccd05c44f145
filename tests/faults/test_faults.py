"""A short set of faults; `make faults` has a thousand. The seed is new each time; a failure prints it."""

import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from app.records.accounts.values import Caller
from app.records.db.sqlite.backup import backup
from app.records.learning import responding
from app.records.learning.values import Answer
from tests.faults import calls, memory
from tests.faults.kills import kills
from tests.faults.ledger import Ledger, answer_entry, disagreements, stored
from tests.faults.odd_requests import flaws, odd_requests
from tests.faults.waits import Wait, waits
from tests.records.answering import LESSON, Course
from tests.records.cast import NOW, Desk

SEED = random.SystemRandom().randrange(10**6)


def survive(count: int, data: Path) -> None:
    rounds = [*kills(SEED, count, data)]
    assert [line for kill in rounds for line in kill.wrong] == [], f"--seed {SEED} --kills {count}"
    assert [kill.number for kill in rounds] == [*range(1, count + 1), count]
    assert rounds[-1].acknowledged >= count


@pytest.mark.long
def test_killed_under_load_it_keeps_what_it_acknowledged(tmp_path: Path) -> None:
    survive(6, tmp_path / "data")


@pytest.mark.long
def test_killed_forty_times(tmp_path: Path) -> None:
    survive(40, tmp_path / "data")


def some(fault: calls.Fault) -> Iterator[int]:
    """Two of the early calls: which ones follows from the seed."""
    yield from sorted(random.Random(f"{SEED}-{fault}").sample(range(1, 9), 2))


@pytest.mark.parametrize("fault", [calls.BY_STRACE[0], calls.BY_STRACE[2], *calls.BY_LIMIT], ids=str)
def test_a_call_that_fails_loses_nothing(fault: calls.Fault, tmp_path: Path) -> None:
    if fault not in (*calls.faults(), *calls.BY_LIMIT):
        pytest.skip(calls.WITHOUT_STRACE)
    sessions = [*calls.every(fault, tmp_path, some(fault))]
    assert [line for session in sessions for line in session.wrong] == [], SEED
    assert sessions[0].hit


@pytest.mark.long
@pytest.mark.parametrize("fault", calls.faults(), ids=str)
def test_every_call_fails_in_its_turn(fault: calls.Fault, tmp_path: Path) -> None:
    sessions = [*calls.every(fault, tmp_path)]
    assert [line for session in sessions for line in session.wrong] == []
    assert not sessions[-1].hit


@pytest.mark.long
def test_without_strace_another_way_is_taken_and_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shutil, "which", lambda _: None)
    assert calls.faults() == calls.BY_LIMIT
    command = [sys.executable, "-m", "tests.faults", "--kills", "0", "--calls", "--most", "1"]
    ended = subprocess.run(
        command, cwd=calls.ROOT, env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert calls.WITHOUT_STRACE in ended.stdout, ended.stderr


# What others send


@pytest.mark.long
def test_the_worst_inputs_are_sent_and_answered_while_another_visitor_asks(tmp_path: Path) -> None:
    """How long they wait depends on the machine: `make faults` prints it, and nothing is judged here."""
    quiet, table, fields = waits(tmp_path / "data", 0.05, ["a card of 'table'", "many fields"])
    assert quiet.waits
    assert not quiet.statuses
    assert set(table.statuses) == {200}
    assert set(fields.statuses) == {422}


@pytest.mark.long
def test_odd_requests_to_a_real_server(tmp_path: Path) -> None:
    assert [*odd_requests(SEED, 30, tmp_path / "data")] == [(30, [])]


@pytest.mark.long
def test_what_a_process_holds_is_read(tmp_path: Path) -> None:
    [reading] = memory.held(SEED, 20, tmp_path / "data")
    assert reading.requests == 20
    assert reading.megabytes > 20


# Whether it would be noticed


@pytest.mark.parametrize(
    ("status", "text", "complaints"),
    [
        (200, "&lt;script&gt;alert(1)", []),
        (500, "", ["status 500"]),
        (200, "<script>alert(1)", ["<script>alert in the page"]),
    ],
)
def test_a_wrong_answer_is_noticed(status: int, text: str, complaints: list[str]) -> None:
    assert flaws(status, text) == complaints


def test_a_long_wait_is_marked() -> None:
    assert str(Wait("a file", [0.2, 0.1])).startswith(" ")
    assert str(Wait("a file", [0.1, 0.201, 0.1])).startswith("!   201 ms, p50 100  a file")


@pytest.fixture
def ledger_of_three(desk: Desk) -> Ledger:
    ledger = Ledger()
    for number in (1, 2, 3):
        answer = Answer("content:item", number, ("3",))
        desk.write(responding.respond, Caller("guest", "guest"), LESSON, answer, Course(), NOW)
        ledger.kept(answer_entry("guest", LESSON.ref, "content:item", number, "3"))
    return ledger


def test_all_is_well_where_nothing_is_missing(desk: Desk, ledger_of_three: Ledger) -> None:
    assert disagreements(ledger_of_three, desk.file) == []


@pytest.mark.parametrize(
    ("damage", "complaint_text"),
    [
        ("DELETE FROM response WHERE try_number = 2", "1 lost"),
        ("UPDATE response SET raw = '[\"4\"]' WHERE try_number = 2", "1 lost"),
        ("INSERT INTO sign_in (learner_id, token_hash, created_at) VALUES (1, 'other', '')", "3 never sent"),
        ("PRAGMA foreign_keys=OFF; DELETE FROM item_version", "point nowhere"),
    ],
)
def test_what_is_missing_is_noticed(
    desk: Desk, ledger_of_three: Ledger, damage: str, complaint_text: str
) -> None:
    desk.is_summed = False
    with closing(sqlite3.connect(desk.file)) as connection:
        connection.executescript(damage)
        connection.commit()
    assert complaint_text in " ".join(disagreements(ledger_of_three, desk.file))


def test_what_had_no_reply_may_stand_or_not(desk: Desk, ledger_of_three: Ledger, tmp_path: Path) -> None:
    entry = answer_entry("guest", LESSON.ref, "content:item", 3, "3")
    ledger_of_three.acknowledged.discard(entry)
    assert "1 never sent" in " ".join(disagreements(ledger_of_three, desk.file))
    ledger_of_three.sent(entry)
    assert disagreements(ledger_of_three, desk.file) == []
    assert len(stored(backup(desk.url, None, tmp_path))) == 3
