"""The upgrade of docs/operating.md, with real processes: a term, a class that answers, the next release."""

import http.client
import os
import random
import shutil
import signal
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from app.records.db import revision
from bench.servers import ROOT, serving
from tests.faults.drilled_term import TABLES, sums, write_term
from tests.faults.ledger import Ledger, stored, unsound
from tests.faults.load import posts, send

GUESTS = 8
COPIED = ("app", "templates", "static", "content")
NEXT = '''"""What a next release may do: a parent table is made anew, with one column more."""

import sqlalchemy as sa
from alembic import op

revision, down_revision, branch_labels, depends_on = "9999", "{head}", None, None


def upgrade():
    """Add a column to a table that others point to."""
    with op.batch_alter_table("learner", recreate="always") as batch:
        batch.add_column(sa.Column("nickname", sa.String(), nullable=False, server_default=""))
'''


def next_release(folder: Path) -> Path:
    """This program with one revision more."""
    for name in COPIED:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    versions = folder / "app/records/migrations/versions"
    (versions / "9999_next.py").write_text(NEXT.format(head=revision.HEAD), "utf-8")
    return folder


class Guest(threading.Thread):
    """Answers on and on; what got no reply is sent again when the site is open, as by a button."""

    def __init__(self, host: str, seed: str, ledger: Ledger) -> None:
        super().__init__()
        self.connection = http.client.HTTPConnection(host, timeout=60)
        self.posts = posts(random.Random(seed))
        self.ledger = ledger
        self.is_open = threading.Event()
        self.is_open.set()
        self.is_over = threading.Event()

    def run(self) -> None:
        with closing(self.connection):
            for post in self.posts:
                while not send(self.connection, post, self.ledger):
                    self.is_open.wait()
                if self.is_over.is_set():
                    return


@contextmanager
def answering(host: str, ledger: Ledger) -> Iterator[list[Guest]]:
    guests = [Guest(host, f"upgrade-{number}", ledger) for number in range(GUESTS)]
    for guest in guests:
        guest.start()
    try:
        yield guests
    finally:
        for guest in guests:
            guest.is_over.set()
            guest.is_open.set()
        for guest in guests:
            guest.join()


@pytest.mark.long
def test_a_class_that_answers_during_an_upgrade_loses_nothing(tmp_path: Path) -> None:
    """Stop, start the next release: it backs up, upgrades and serves. What had no reply is sent again."""
    data = tmp_path / "data"
    data.mkdir()
    file, program = write_term(data), next_release(tmp_path / "next")
    before = sums(file)
    ledger = Ledger()
    with serving(["app", "serve", "--port", "0"], data) as old:
        host = urlsplit(old.url).netloc
        with answering(host, ledger) as guests:
            assert ledger.wait_for(100)
            for guest in guests:
                guest.is_open.clear()
            os.kill(old.pid, signal.SIGTERM)
            while is_running(old.pid):
                pass
            on_the_way = len(ledger.acknowledged)
            port = host.rpartition(":")[2]
            with serving(["app", "serve", "--port", port], data, project=program):
                for guest in guests:
                    guest.is_open.set()
                assert ledger.wait_for(on_the_way + 100)
                for guest in guests:
                    guest.is_over.set()
                for guest in guests:
                    guest.join()
    assert ledger.strange == []
    assert ledger.unanswered == set()
    assert ledger.acknowledged <= set(stored(file))
    assert unsound(file) == []
    with closing(sqlite3.connect(file)) as connection:
        assert connection.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
        assert connection.execute("SELECT DISTINCT nickname FROM learner").fetchall() == [("",)]
    [copy] = (data / "backups").glob("*.db")
    for table, count, first, last in zip(TABLES, sums(copy), before, sums(file), strict=True):
        assert first <= count <= last, table


def is_running(process_id: int) -> bool:
    """Whether a child of ours has not ended; it stays to be waited for."""
    return os.waitid(os.P_PID, process_id, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None
