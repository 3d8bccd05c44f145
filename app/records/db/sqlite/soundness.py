"""Whether a database file is sound, and what is in it: for a start, for backups, for whoever restores one."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal, NamedTuple

from app.records.db.errors import CannotOpen, Damaged
from app.records.db.operator_commands import COMMAND
from app.records.db.sqlite.file_revision import file_revision, revision_of, table_names_of_file
from app.records.db.sqlite.open_file import side_files
from app.records.db.sqlite.refusals import file_refusal

MOST_BYTES_CHECKED_AT_START = 200 * 2**20
"""Bytes up to which a start looks through the file: some two seconds; 1.5 GB took 16."""
STOP_AND_RESTORE_ADVICE = (
    f"停下网站，用最近的完好备份恢复：{COMMAND} restore 备份文件；"
    f"哪个完好：{COMMAND} backup --check 备份文件。"
)
OTHER_BACKUP_ADVICE = f"换一份备份；哪份完好：{COMMAND} backup --check 备份文件。"
WORD_BY_COUNTED_TABLE = {
    "learner": "学习者",
    "account": "账号",
    "classroom": "班级",
    "assignment": "作业",
    "submission": "交的作业",
    "response": "回答",
    "review_log": "复习",
    "own_course": "老师写的内容",
}
"""What is counted of a file, by table; an old file lacks some of them."""


class DatabaseContents(NamedTuple):
    """Rows by what they are called, and the moment of the last answer (UTC, as it is stored)."""

    revision: str
    row_count_by_table_word: dict[str, int]
    last_response_at: str | None


def connect_to_used_file(sqlite_file: Path) -> sqlite3.Connection:
    """A connection to a database that others may be writing to, or begin to."""
    return sqlite3.connect(sqlite_file, timeout=10, isolation_level=None)


def connect_to_copy(sqlite_file: Path) -> sqlite3.Connection:
    """A connection to a file that nobody writes to: it changes nothing, and leaves nothing beside it."""
    access_mode = "immutable=1"
    if any(path.exists() for path in side_files(sqlite_file)):
        access_mode = "mode=ro"
    return sqlite3.connect(
        f"{sqlite_file.absolute().as_uri()}?{access_mode}", uri=True, timeout=10, isolation_level=None
    )


def fault_lines_of(
    connection: sqlite3.Connection, pragma: Literal["quick_check", "integrity_check"]
) -> list[str]:
    """What SQLite finds wrong, three lines at most; nothing for a sound file. `Busy` where it cannot look."""
    try:
        fault_rows = connection.execute(f"PRAGMA {pragma}(3)").fetchall()
    except sqlite3.Error as error:
        busy_error = file_refusal(error)
        if busy_error is None or isinstance(busy_error, Damaged):
            return [str(error)]
        raise busy_error from error
    fault_lines: list[str] = []
    for (fault_text,) in fault_rows:
        fault_lines += str(fault_text).splitlines()
    return [fault_line for fault_line in fault_lines if fault_line != "ok"]


def expect_sound(
    sqlite_file: Path,
    connection: sqlite3.Connection,
    pragma: Literal["quick_check", "integrity_check"] = "quick_check",
    damage_advice: str = STOP_AND_RESTORE_ADVICE,
) -> None:
    """Refuse a damaged file with what is wrong and what to do."""
    fault_lines = fault_lines_of(connection, pragma)
    if fault_lines:
        raise CannotOpen(f"数据库文件{sqlite_file}坏了（{fault_lines[0]}）。{damage_advice}")


def check_at_start(sqlite_file: Path) -> bool:
    """Look through what will be served. False: it is too large for that, or not there yet."""
    if file_revision(sqlite_file) is None or sqlite_file.stat().st_size > MOST_BYTES_CHECKED_AT_START:
        return False
    with closing(connect_to_used_file(sqlite_file)) as connection:
        expect_sound(sqlite_file, connection)
    return True


def inspect_backup(sqlite_file: Path) -> DatabaseContents:
    """Look through a copy thoroughly. `CannotOpen` unless it is ours, sound, and no row points nowhere."""
    if sqlite_file.is_dir():
        raise CannotOpen(f"{sqlite_file}是一个文件夹，这里要写文件名。")
    if not sqlite_file.is_file():
        raise CannotOpen(f"没有{sqlite_file}这个文件。")
    if not os.access(sqlite_file, os.R_OK):
        raise CannotOpen(f"没有权限读{sqlite_file}：让能读它的用户来跑，或者先把它交给运行糖序的用户。")
    with closing(connect_to_copy(sqlite_file)) as connection:
        schema_revision = revision_of(connection, sqlite_file, OTHER_BACKUP_ADVICE)
        if schema_revision is None:
            raise CannotOpen(f"{sqlite_file}里什么也没有，不是备份。")
        expect_sound(sqlite_file, connection, "integrity_check", OTHER_BACKUP_ADVICE)
        broken_links = connection.execute("PRAGMA foreign_key_check").fetchall()
        if broken_links:
            raise CannotOpen(f"{sqlite_file}里有{len(broken_links)}行记录指向没有的东西，不能用它恢复。")
        return DatabaseContents(
            schema_revision, row_count_by_table_word(connection), last_response_time(connection)
        )


def row_count_by_table_word(connection: sqlite3.Connection) -> dict[str, int]:
    table_names = table_names_of_file(connection)
    row_count_by_table_word: dict[str, int] = {}
    for table_name, table_word in WORD_BY_COUNTED_TABLE.items():
        if table_name in table_names:
            [row_count_by_table_word[table_word]] = connection.execute(
                f"SELECT count(*) FROM {table_name}"  # noqa: S608
            ).fetchone()
    return row_count_by_table_word


def last_response_time(connection: sqlite3.Connection) -> str | None:
    time_row = connection.execute("SELECT max(created_at) FROM response").fetchone()
    stored_response_time: str | None = time_row[0]
    return stored_response_time
