"""Whether this process may read and write what belongs to a database, and what to do where it may not."""

import os
from collections.abc import Iterable
from pathlib import Path

from app.records.db.errors import CannotOpen
from app.records.db.operator_commands import FILE_OWNER
from app.records.db.sqlite.open_file import side_files


def barred_path(paths: Iterable[Path]) -> Path | None:
    """The first of these that is there and cannot be read and written; None where there is no such."""
    for path in paths:
        if os.access(path, os.F_OK) and not os.access(path, os.R_OK | os.W_OK):
            return path
    return None


def barred_sentence(path: Path) -> str:
    """Why a path cannot be read and written, and what to do: a disk that is read-only needs no new owner."""
    if os.name == "posix" and os.statvfs(path).f_flag & os.ST_RDONLY:
        return (
            f"{path}所在的磁盘是只读的，什么也存不下：看看它为什么（dmesg，mount），"
            "修好了再启动；要换一个能写的文件夹，用TANGXU_DATA。"
        )
    folder = path if path.is_dir() else path.parent
    return (
        f"没有权限读写{path}。把文件夹交还给运行糖序的用户：sudo chown -R {FILE_OWNER}: {folder}，"
        f"再sudo chmod -R u+rwX {folder}。"
    )


def database_paths(file: Path) -> list[Path]:
    """The folder of a database, its file, and what SQLite keeps beside it: all has to be read and written."""
    return [file.parent, file, *side_files(file)]


def barred_database_sentence(file: Path) -> str | None:
    """Why a database cannot be used, where that is because of who may read and write it; None otherwise."""
    path = barred_path(database_paths(file))
    if path is None:
        return None
    return barred_sentence(path)


def expect_usable(file: Path) -> None:
    """A site that could store no answer does not open."""
    sentence = barred_database_sentence(file)
    if sentence:
        raise CannotOpen(sentence)
