"""The records behind a real PgBouncer: what a pool must pass on, and which pool is refused."""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.database import open_database
from app.records.db.errors import CannotOpen
from app.records.learning import responding
from tests.postgres_server import EMPTY, ROOT, PostgresServer, owner, server_folder
from tests.records.cast import COURSE, LESSON, NOW, Desk, answer
from tools.proxies import place_of

pytestmark = pytest.mark.long
SETTINGS = """
[databases]
{name} = host={server} dbname={name} user=tangxu
[pgbouncer]
unix_socket_dir = {folder}
listen_addr =
listen_port = 5432
auth_type = any
pool_mode = {mode}
"""
"""Nothing else: an operator may leave all the rest as it is."""
PROMISED = "SELECT current_setting('synchronous_commit'), current_setting('TimeZone')"


@contextmanager
def pooling(server: PostgresServer, mode: str) -> Iterator[str]:
    """A PgBouncer before the empty database; the address to reach it by."""
    looked = subprocess.run([sys.executable, "tools/proxies.py", "--print"], cwd=ROOT, capture_output=True)
    assert looked.returncode == 0, looked.stderr.decode()
    server.empty()
    with server_folder() as folder:
        settings = folder / "pgbouncer.ini"
        settings.write_text(SETTINGS.format(name=EMPTY, server=server.folder, folder=folder, mode=mode))
        lent_to = owner()
        if lent_to:
            os.chown(folder, lent_to["user"], lent_to["group"])
        command = [place_of("pgbouncer") or "", "--quiet", str(settings)]
        process = subprocess.Popen(command, **lent_to, cwd=folder, stderr=subprocess.DEVNULL)
        url = f"postgresql://tangxu@/{EMPTY}?host={folder}"
        try:
            wait_for(process, url)
            yield url
        finally:
            process.terminate()
            process.wait(60)


def wait_for(process: "subprocess.Popen[bytes]", url: str) -> None:
    """Until it answers."""
    while process.poll() is None:
        try:
            psycopg.connect(url).close()
        except psycopg.OperationalError:
            continue
        return
    raise AssertionError("PgBouncer has ended")


def test_behind_a_pool_of_whole_sessions_all_is_as_without_it(server: PostgresServer, tmp_path: Path) -> None:
    server.execute(f"ALTER DATABASE {EMPTY} SET synchronous_commit = off")
    try:
        with pooling(server, "session") as url:
            school = Desk(tmp_path, url)
            for name in ("tang", "xu"):
                school.write(learners.add_guest, name, NOW)
                school.write(responding.respond, Caller(name), LESSON, answer("4.26"), COURSE, NOW)
            rows = school.read(lambda session: session.driver.execute(PROMISED).fetchall())
            school.close()
            with psycopg.connect(server.url(EMPTY)) as connection:
                assert connection.execute(b"SELECT count(*) FROM response").fetchone() == (2,)
    finally:
        server.execute(f"ALTER DATABASE {EMPTY} RESET synchronous_commit")
    assert rows == [("on", "UTC")], "an answer is told when it is on the disk, whatever stands in between"


def test_a_pool_that_lends_connections_by_transaction_is_refused(server: PostgresServer) -> None:
    with pooling(server, "transaction") as url, pytest.raises(CannotOpen, match="pool_mode = session"):
        open_database(url)
