"""One clear sentence instead of a traceback, for what an operator can put right."""

import errno
import os
import shutil
import sqlite3
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import typer

SayLine = Callable[[str], None]
"""Says a line to the operator while a command is at work."""
FEWEST_FREE_BYTES = 2**20  # bytes: below this not even the tables fit
SENTENCE_BY_ERRNO = {
    errno.ENOSPC: "磁盘满了，写不进 {name}；以前保存的都还在，请腾出空间再来。",
    errno.EDQUOT: "磁盘配额用完了，写不进 {name}；以前保存的都还在，请腾出空间再来。",
    errno.EACCES: "没有权限读写 {name}，请检查它和上级文件夹的权限。",
    errno.EPERM: "没有权限读写 {name}，请检查它和上级文件夹的权限。",
    errno.EROFS: "{name} 所在的磁盘是只读的；可以用 TANGXU_DATA 换一个能写的文件夹。",
    errno.ENOENT: "找不到 {name}。",
    errno.EEXIST: "{name} 已经存在，但不是一个文件夹。",
    errno.ENOTDIR: "{name} 的上级不是文件夹。",
    errno.EISDIR: "{name} 是一个文件夹，这里要写文件名。",
}


class PlainError(Exception):
    """A fault whose text is the sentence that an operator should read."""


@contextmanager
def plain_errors(*, is_saving: bool = True) -> Iterator[None]:
    """What an operator can put right ends with one sentence and exit code 1; the rest keeps its traceback.

    `is_saving`: whether the command has anything to save; a start and a list have nothing.
    """
    try:
        yield
    except Exception as error:
        from app.records.db.errors import NOT_SAVED_WORDS

        error_sentence = operator_sentence(error)
        if error_sentence is None:
            raise
        if not is_saving:
            error_sentence = error_sentence.replace(NOT_SAVED_WORDS, "")
        typer.echo(f"✗ {error_sentence}", err=True)
        sys.exit(1)


def printable_line(foreign_text: str) -> str:
    r"""A text of somebody else for a terminal, on one line: what would steer the terminal becomes `�`.

    >>> printable_line("a\x1b]0;b\x07 \u202ec\nd")
    'a�]0;b� �c d'
    """
    return "".join(
        "�" if unicodedata.category(character).startswith("C") else character
        for character in " ".join(foreign_text.split())
    )


def require_space(folder: Path) -> None:
    """A site that can keep no answer does not open; SQLite's own words for a full disk are less clear."""
    if shutil.disk_usage(folder).free < FEWEST_FREE_BYTES:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(folder))


def operator_sentence(error: BaseException) -> str | None:
    """What happened and what to do about it; None for a fault that only a developer can put right.

    >>> print(operator_sentence(PermissionError(errno.EACCES, "", "data")))
    没有权限读写 data，请检查它和上级文件夹的权限。
    >>> operator_sentence(KeyError("k")) is None
    True
    """
    from app.course.text.faults import Faults
    from app.records.db.errors import RecordsError
    from app.settings import SettingsError

    if isinstance(error, PlainError | SettingsError | RecordsError):
        return str(error)
    if isinstance(error, Faults):
        return "\n".join([f"课程内容有 {len(error.lines())} 处问题：", *error.lines()])
    if isinstance(error, sqlite3.Error):
        return f"数据库出了问题：{error}。"
    if isinstance(error, OSError) and error.errno in SENTENCE_BY_ERRNO:
        return SENTENCE_BY_ERRNO[error.errno].format(name=error.filename or "数据文件夹")
    return operator_sentence(error.__cause__) if error.__cause__ else None
