"""Whether this process may read and write what belongs to a database, and what to do where it may not."""

import errno
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from app.records.db.errors import CannotOpen, RecordsError
from app.records.db.operator_commands import FILE_OWNER
from app.records.db.sqlite.open_file import lock_path, side_files
from app.records.db.sqlite.refusals import file_refusal

SHARED_MEMORY_BYTES = 2**15
"""Bytes that SQLite needs beside a database to open it, in its file `-shm`."""


def barred_path(paths: Iterable[Path]) -> Path | None:
    """The first of these that is there and cannot be read and written; None where there is no such."""
    for path in paths:
        if os.access(path, os.F_OK) and not os.access(path, os.R_OK | os.W_OK):
            return path
    return None


def barred_sentence(path: Path) -> str:
    """Why a path cannot be read and written, and what to do: a disk that is read-only needs no new owner."""
    if os.name == "posix" and os.statvfs(path).f_flag & os.ST_RDONLY:
        return read_only_sentence(path)
    folder = path if path.is_dir() else path.parent
    return (
        f"没有权限读写{path}。把文件夹交还给运行糖序的用户：sudo chown -R {FILE_OWNER}: {folder}，"
        f"再sudo chmod -R u+rwX {folder}。"
    )


def read_only_sentence(path: Path) -> str:
    """What to do about a disk that takes nothing."""
    return (
        f"{path}所在的磁盘是只读的，什么也存不下：查查是怎么变成只读的（dmesg，mount），"
        "修好了再启动；要换一个能写的文件夹，用TANGXU_DATA。"
    )


def database_paths(sqlite_file: Path) -> list[Path]:
    """The folder of a database, its file, and what SQLite and we keep beside it: all has to be read and
    written."""
    return [sqlite_file.parent, sqlite_file, *side_files(sqlite_file), lock_path(sqlite_file)]


def barred_database_sentence(sqlite_file: Path) -> str | None:
    """Why a database cannot be used, where that is because of who may read and write it; None otherwise."""
    path = barred_path(database_paths(sqlite_file))
    if path is None:
        return None
    return barred_sentence(path)


def expect_folder_of(typed_file: Path) -> None:
    """Refuse a file that somebody typed far from any folder that is there: most likely its path was mistyped.

    One new folder is made, such as that of the day; none right below `/`, where disks are hung in. Whatever
    else has the name of the folder, like a link to a disk that is away, is told of on writing.
    """
    folder = typed_file.absolute().parent
    is_below_known_folder = folder.parent.exists() and not folder.parent.samefile(folder.anchor)
    if not os.path.lexists(folder) and not is_below_known_folder:
        raise CannotOpen(f"没有{typed_file.parent}这个文件夹：看看路径写对没有，没写错就先把它建好。")


def unopened_sentence(sqlite_file: Path, error: Exception) -> str:
    """Why a database could not be opened: who may read and write it, a disk that is full or read-only, or
    what the error says."""
    refusal_sentence = barred_database_sentence(sqlite_file)
    if refusal_sentence:
        return refusal_sentence
    if isinstance(error, OSError) and error.errno == errno.EROFS:  # the disk has not said so of itself
        return read_only_sentence(sqlite_file)
    if shutil.disk_usage(sqlite_file.parent).free < SHARED_MEMORY_BYTES:
        return f"打不开数据库{sqlite_file}：磁盘满了，请腾出空间再来；以前保存的都还在。"
    return f"打不开数据库{sqlite_file}：{error}"


def failed_action_error(action_words: str, error: Exception, paths: Iterable[Path]) -> RecordsError:
    """What an operator asked for and was not done, and why; `paths`: what it had to read and write."""
    busy_error = file_refusal(error)
    if busy_error:
        return type(busy_error)(f"{action_words}：{busy_error}")
    path = barred_path(paths)
    cause_words = barred_sentence(path) if path else str(error)
    return CannotOpen(f"{action_words}：{cause_words}")


def expect_accessible_file(sqlite_file: Path) -> None:
    """A site that could store no answer does not open."""
    refusal_sentence = barred_database_sentence(sqlite_file)
    if refusal_sentence:
        raise CannotOpen(refusal_sentence)
