"""`python -m app doctor`: what an operator would look at one by one, each with what to do about it."""

import platform
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path

from app.cli.serving import warnings
from app.records.db import revision, soundness
from app.records.db.errors import RecordsError
from app.records.db.postgres.address import needing_driver, shown_address
from app.settings import Settings

OLD = timedelta(days=7)
"""After so long without a backup something is said."""
MEGABYTE = 2**20
ROOM = 500 * MEGABYTE
"""Bytes that a site should always have left: for a backup, an upgrade, a week."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One line. `advice`: what to do, empty where all is well. `grave`: records or the site are in danger."""

    text: str
    advice: str = ""
    grave: bool = False

    def line(self) -> str:
        """As it is printed.

        >>> Finding("磁盘还有300 MB", "腾出空间。").line()
        '! 磁盘还有300 MB\\n    腾出空间。'
        """
        if not self.advice:
            return f"✓ {self.text}"
        sign = "✗" if self.grave else "!"
        return f"{sign} {self.text}\n    {self.advice}"


def findings(settings: Settings, now: datetime) -> Iterator[Finding]:
    """Everything there is to say, the gravest first within each matter. It changes nothing."""
    yield Finding(f"Python {platform.python_version()}，SQLite {sqlite3.sqlite_version}")
    if settings.is_on_server:
        yield from of_server(settings)
    else:
        yield from of_file(settings)
        yield of_backups(settings, now)
    yield of_disk(settings)
    for warning in warnings(settings):
        yield Finding("对外开放前还有一项没有设", warning)


def of_file(settings: Settings) -> Iterator[Finding]:
    """The SQLite file: there, ours, of this version, sound."""
    file = settings.database_path
    try:
        version = revision.revision(file)
        if version is None:
            yield Finding(f"还没有数据库{file}", "第一次make run会建好它。")
            return
        with closing(soundness.open_in_use(file)) as connection:
            soundness.expect_sound(file, connection)
    except (RecordsError, sqlite3.Error) as error:
        yield Finding(f"数据库{file}", str(error), grave=True)
        return
    size = file.stat().st_size / MEGABYTE
    yield Finding(f"数据库{file}完好，{size:.0f} MB")
    yield of_version(version)


def of_version(version: str | None) -> Finding:
    if version == revision.HEAD:
        return Finding(f"数据库的版本是{version}，和程序的一样")
    if version is not None and version > revision.HEAD:
        return Finding(f"数据库的版本是{version}，比程序的{revision.HEAD}新", "用更新的程序。", grave=True)
    return Finding(f"数据库的版本是{version}，程序的是{revision.HEAD}", "下次启动时自动升级；先备份。")


def of_server(settings: Settings) -> Iterator[Finding]:
    """PostgreSQL: there, ours, of this version, set up as the guide says."""
    url = settings.database_url
    try:
        with needing_driver():
            from app.records.db.postgres.server_revision import ServerState, state_of
        state: ServerState = state_of(url)
    except RecordsError as error:
        yield Finding(f"数据库{shown_address(url)}", str(error), grave=True)
        return
    yield Finding(f"数据库{shown_address(url)}，PostgreSQL {state.version}，{state.megabytes} MB")
    yield of_version(state.revision)
    if not state.is_durable:
        yield Finding("服务器没有开fsync", "断电会丢记录：在postgresql.conf里设fsync = on。", grave=True)
    if not state.sorts_as_files:
        advice = "名单的顺序会和SQLite的不一样；要一样，就用C.UTF-8重新建库再搬过去。"
        yield Finding(f"库的排序规则是{state.collation}", advice)
    yield Finding("备份用PostgreSQL自己的工具，这里看不见", "见docs/operating.md。")


def of_backups(settings: Settings, now: datetime) -> Finding:
    """The newest copy in the folder of backups: how old, and whether it is sound."""
    copies = sorted((settings.data / "backups").glob("*.db"), key=changed_at)
    if not copies:
        return Finding("还没有备份", "python -m app backup，再把它抄到别的磁盘上。")
    newest = copies[-1]
    if newest.stat().st_size <= soundness.LARGEST_AT_START:
        try:
            soundness.inspect(newest)
        except RecordsError as error:
            return Finding(f"最近的备份{newest}", f"{error}再做一次：python -m app backup。", grave=True)
    days = (now.timestamp() - changed_at(newest)) / timedelta(days=1).total_seconds()
    if days > OLD.days:
        return Finding(f"最近的备份是{days:.0f}天以前的", "python -m app backup；最好每天自动做。")
    return Finding(f"最近的备份{newest.name}完好，{days:.1f}天以前")


def changed_at(file: Path) -> float:
    return file.stat().st_mtime


def of_disk(settings: Settings) -> Finding:
    """Room for a backup of the file and some more."""
    folder = settings.data
    while not folder.exists():
        folder = folder.parent
    free = shutil.disk_usage(folder).free
    needed = ROOM
    if not settings.is_on_server and settings.database_path.exists():
        needed += settings.database_path.stat().st_size
    text = f"数据文件夹所在的磁盘还有{free // MEGABYTE} MB"
    if free < needed:
        advice = f"至少留{needed // MEGABYTE} MB：放得下一份备份和一次升级。"
        return Finding(text, advice, grave=free < ROOM // 10)
    return Finding(text)
