"""A PostgreSQL server of the tests' own: real, in a folder that goes with it, with its socket in there."""

import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import psycopg

from app.records.accounts.site_secret import NAME_OF_ROW
from tests.empty_database import SECRET, migrate_alike

ROOT = Path(__file__).resolve().parent.parent
EMPTY = "empty"
"""The database that tests share: of the newest revision, with nothing in it when a test begins."""
TABLES = b"""
SELECT tablename FROM pg_tables
WHERE schemaname = 'public' AND tablename NOT IN ('alembic_version', 'site_secret')
"""
"""All but what the migrations write."""
BEGIN_COUNTING_ANEW = b"SELECT setval(sequencename::regclass, 1, false) FROM pg_sequences"
NEW = ("--auth=trust", "--username=tangxu", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync")
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",  # a test that pulls the plug turns it on
    "full_page_writes": "off",
    "max_connections": "100",
    "shared_buffers": "64MB",
}


def programs() -> Path:
    """Where initdb and postgres are; the test ends with how to get them where they are not."""
    finder = [sys.executable, str(ROOT / "tools/postgres.py"), "--print"]
    looked = subprocess.run(finder, capture_output=True, text=True)
    assert looked.returncode == 0, looked.stderr
    return Path(looked.stdout.strip())


def owner() -> dict[str, Any]:
    """PostgreSQL does not run as root: root lends it to somebody else."""
    if os.geteuid() != 0:
        return {}
    for name in ("postgres", "nobody"):
        try:
            user = pwd.getpwnam(name)
        except KeyError:
            continue
        return {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    raise AssertionError("there is no user to run PostgreSQL as: neither postgres nor nobody")


class PostgresServer:
    """Started when it is made. `stop` it at the end, or use `running`."""

    def __init__(self, folder: Path, primary: "PostgresServer | None" = None, **settings: Any) -> None:
        """`primary`: the server that this one follows."""
        self.folder = folder
        self._programs = programs()
        self._owner = owner()
        self._names = map("test_{}".format, count(1))
        self.settings = SETTINGS | settings
        if self._owner:
            os.chown(folder, self._owner["user"], self._owner["group"])
        if primary is None:
            self._call("initdb", *NEW, str(folder / "db"))
        else:
            copied = ["--write-recovery-conf", "--checkpoint=fast", "--no-sync", "-D", str(folder / "db")]
            self._call("pg_basebackup", "-d", primary.url("postgres"), *copied)
        self.start()

    def _call(self, program: str, *arguments: str) -> None:
        command = [str(self._programs / program), *arguments]
        subprocess.run(command, **self._owner, check=True, cwd=self.folder, stdout=subprocess.DEVNULL)

    def start(self) -> None:
        """Start it, again after a stop, and wait until it answers."""
        command = [str(self._programs / "postgres"), "-D", str(self.folder / "db"), "-k", str(self.folder)]
        for name, value in self.settings.items():
            command += ["-c", f"{name}={value}"]
        with (self.folder / "log").open("a") as log:
            self.process = subprocess.Popen(command, **self._owner, cwd=self.folder, stderr=log, stdout=log)
        while True:
            try:
                psycopg.connect(self.url("postgres")).close()
            except psycopg.OperationalError:
                assert self.process.poll() is None, (self.folder / "log").read_text(encoding="utf-8")
                time.sleep(0.01)
            else:
                return

    def stop(self, how: signal.Signals = signal.SIGQUIT) -> None:
        """SIGQUIT as a crash, SIGINT in good order; connections that are open are broken by both."""
        self.process.send_signal(how)
        self.process.wait(60)

    def url(self, database: str) -> str:
        return f"postgresql://tangxu@/{database}?host={self.folder}"

    def execute(self, sql: str, database: str = "postgres") -> None:
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            connection.execute(sql.encode())

    def empty(self) -> str:
        """The address of the one empty database, emptied: a hundred times quicker than a new one. A test may
        have given it another secret."""
        url = self.url(EMPTY)
        with psycopg.connect(url, autocommit=True) as connection:
            tables = connection.execute(TABLES).fetchall()
            deletes = [f"DELETE FROM {name}" for (name,) in tables]
            deletes.append(f"DELETE FROM site_secret WHERE name <> '{NAME_OF_ROW}'")
            deletes.append(f"UPDATE site_secret SET value = '{SECRET}'")
            commands = ["BEGIN", "SET LOCAL session_replication_role = replica", *deletes, "COMMIT"]
            connection.execute("; ".join(commands).encode())
            connection.execute(BEGIN_COUNTING_ANEW)
        return url

    def without_tables(self, how: str = "") -> str:
        """The address of a new database that nothing was done to."""
        name = next(self._names)
        self.execute(f"CREATE DATABASE {name} {how}")
        return self.url(name)

    def in_order_of_a_language(self) -> str:
        """The address of a new database that sorts as a dictionary does, with `-` before `#`."""
        return self.without_tables("TEMPLATE template0 LOCALE_PROVIDER icu ICU_LOCALE 'zh' LOCALE 'C.UTF-8'")


@contextmanager
def server_folder() -> Iterator[Path]:
    """A folder that goes with its server. A socket's path may have 107 characters at most."""
    folder = Path(tempfile.mkdtemp(prefix="tangxu-pg-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def running(**settings: Any) -> Iterator[PostgresServer]:
    """A server with the empty database in it; both are gone afterwards."""
    with server_folder() as folder:
        server = PostgresServer(folder, **settings)
        try:
            server.execute(f"CREATE DATABASE {EMPTY}")
            migrate_alike(server.url(EMPTY), folder)
            yield server
        finally:
            server.stop()


@contextmanager
def following(primary: PostgresServer) -> Iterator[PostgresServer]:
    """A server that follows another one, with what is in it."""
    with server_folder() as folder:
        server = PostgresServer(folder, primary)
        try:
            yield server
        finally:
            server.stop()
