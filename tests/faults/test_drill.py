"""The drill: a term, a backup, a kill, damage, the way back, and on, with real processes and commands."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from itertools import islice
from pathlib import Path

import pytest

from app.settings import root
from bench.servers import ours
from tests.faults.drilled_term import TABLES, sums, write_term
from tests.faults.ledger import Ledger, stored, unsound
from tests.faults.load import Crowd, posts


def command(data: Path, *words: str) -> str:
    ended = subprocess.run(
        [sys.executable, "-m", "app", *words],
        cwd=root(),
        env=os.environ | {"TANGXU_DATA": str(data), "PYTHONIOENCODING": "utf-8"},
        capture_output=True,
        encoding="utf-8",
    )
    return ended.stdout + ended.stderr


def answer(url: str, seed: str, count: int) -> Ledger:
    ledger = Ledger()
    Crowd(url, ledger).again([*islice(posts(random.Random(seed)), count)])
    assert len(ledger.acknowledged) == count
    return ledger


def damage(file: Path) -> None:
    """The disk lost some pages in the middle of the answers."""
    with closing(sqlite3.connect(file)) as connection:
        [page] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'response'").fetchone()
    with file.open("rb+") as handle:
        handle.seek((page - 1) * 4096)
        handle.write(bytes(4096))


@pytest.mark.long
def test_a_term_comes_back(tmp_path: Path) -> None:
    file, copy = write_term(tmp_path), tmp_path / "elsewhere.db"
    with ours(tmp_path) as server:
        before = answer(server.url, "before", 5)
        assert "✓ 已备份到" in command(tmp_path, "backup", str(copy))
        after = answer(server.url, "after", 5)
        os.kill(server.pid, signal.SIGKILL)
    sums_before = sums(copy)
    assert min(sums_before) > 0, "a term has something of everything"
    assert set(stored(file)) >= before.acknowledged | after.acknowledged
    damage(file)

    with pytest.raises(RuntimeError, match=r"坏了.*app restore"), ours(tmp_path):
        pass
    assert "坏了" in command(tmp_path, "backup")
    assert "是完好的" in command(tmp_path, "backup", "--check", str(copy))
    output = command(tmp_path, "restore", str(copy))
    assert "✓ 已经恢复到" in output
    assert f"回答 {sums_before[TABLES.index('response')]}" in output
    assert sums(file) == sums_before

    with ours(tmp_path) as server:
        Crowd(server.url, after).again([*islice(posts(random.Random("after")), 5)])
    assert unsound(file) == []
    assert set(stored(file)) >= before.acknowledged | after.acknowledged, "what was lost was sent again"
    assert len(list(tmp_path.glob("tangxu-before-restore-*.db"))) == 1
