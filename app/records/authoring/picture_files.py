"""The files of pictures: one for each, named by what is in it, in a folder beside the database.

A file never changes. It lies on the disk before any text names it, and goes when no text does any more.
"""

import os
from collections.abc import Collection, Iterator
from contextlib import suppress
from datetime import datetime, timedelta
from pathlib import Path
from secrets import token_hex

from app.records.db.sqlite.backup import flush_file, flush_folder, remove_old_files

Folder = Path
"""Where pictures lie, of a site or of its backups."""
FOLDER_NAME = "pictures"
UNFINISHED_ENDING = ".unfinished"
"""What the name of a file ends with while it is written."""
KEPT_UNUSED_FOR = timedelta(days=7)
"""So long a picture waits for the text that it was sent for."""
TIME_FOR_OPEN_TEXT = timedelta(hours=1)
"""So long its sender cannot give it up either: the text that names it may be open and not kept yet."""


def picture_folder_in(data_folder: Path) -> Folder:
    """Where the pictures of a site lie; in the folder of backups, those of all its backups."""
    return data_folder / FOLDER_NAME


def picture_path(picture_folder: Folder, picture_name: str) -> Path:
    """The file of a picture, whether it is there or not. `picture_name`: as a text has it."""
    return picture_folder / picture_name[:2] / f"{picture_name}.webp"


def keep_picture(picture_folder: Folder, picture_name: str, webp_bytes: bytes) -> None:
    """Write a picture to the disk; one that lies there stays as it is."""
    path = picture_path(picture_folder, picture_name)
    with suppress(FileNotFoundError):
        os.utime(path)  # it waits anew
        return
    write_whole_file(path, webp_bytes)


def write_whole_file(path: Path, webp_bytes: bytes) -> None:
    """Write a file that is there whole or not at all, also after a loss of power."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Two may send the same picture at once, in one process or on two machines that share the folder.
    unfinished_file = path.with_name(f"{path.name}.{token_hex(8)}{UNFINISHED_ENDING}")
    try:
        unfinished_file.write_bytes(webp_bytes)
        flush_file(unfinished_file)
        unfinished_file.replace(path)
    finally:
        unfinished_file.unlink(missing_ok=True)
    flush_folder(path.parent)


def load_byte_count_by_picture_name(picture_folder: Folder) -> dict[str, int]:
    """The bytes of the pictures that lie there, by name; without those that go meanwhile."""
    byte_count_by_picture_name = {}
    for picture_name in kept_picture_names(picture_folder):
        with suppress(FileNotFoundError):
            path = picture_path(picture_folder, picture_name)
            byte_count_by_picture_name[picture_name] = path.stat().st_size
    return byte_count_by_picture_name


def kept_picture_names(picture_folder: Folder) -> Iterator[str]:
    """The pictures that lie there."""
    for path in picture_folder.glob("*/*.webp"):
        yield path.stem


def picture_names_sent_before(picture_folder: Folder, moment: datetime) -> set[str]:
    """The pictures that nobody has sent since a moment."""
    earlier_picture_names = set[str]()
    for picture_name in kept_picture_names(picture_folder):
        try:
            if picture_path(picture_folder, picture_name).stat().st_mtime < moment.timestamp():
                earlier_picture_names.add(picture_name)
        except FileNotFoundError:  # another process was quicker
            continue
    return earlier_picture_names


def picture_names_of_open_texts(picture_folder: Folder, now: datetime) -> set[str]:
    """The pictures that a text may name which is open and not kept yet."""
    earlier_picture_names = picture_names_sent_before(picture_folder, now - TIME_FOR_OPEN_TEXT)
    return set(kept_picture_names(picture_folder)) - earlier_picture_names


def let_pictures_wait_anew(picture_folder: Folder) -> None:
    """Begin the week of every picture anew: another database may name it, which is put in place again."""
    for picture_name in kept_picture_names(picture_folder):
        with suppress(FileNotFoundError):
            os.utime(picture_path(picture_folder, picture_name))


def remove_pictures_sent_before(
    picture_folder: Folder, picture_names: Collection[str], moment: datetime
) -> None:
    """Remove those of the pictures that nobody has sent since a moment: a colleague may just have sent the
    same one, and its row is still to come."""
    remove_pictures(
        picture_folder, picture_names_sent_before(picture_folder, moment).intersection(picture_names)
    )


def remove_unfinished_files(picture_folder: Folder, now: datetime) -> None:
    """Remove what a process left behind that was killed while it wrote."""
    remove_old_files(picture_folder.glob(f"*/*{UNFINISHED_ENDING}"), now - KEPT_UNUSED_FOR)


def remove_pictures(picture_folder: Folder, picture_names: Collection[str]) -> None:
    for picture_name in picture_names:
        picture_path(picture_folder, picture_name).unlink(missing_ok=True)


def copy_missing_pictures(source_folder: Folder, target_folder: Folder) -> int:
    """Bring the pictures of one folder into another that lacks them; how many these were. One that goes
    meanwhile is needed by nothing."""
    copied_count = 0
    for picture_name in kept_picture_names(source_folder):
        target_path = picture_path(target_folder, picture_name)
        if target_path.exists():
            continue
        with suppress(FileNotFoundError):
            webp_bytes = picture_path(source_folder, picture_name).read_bytes()
            write_whole_file(target_path, webp_bytes)
            copied_count += 1
    return copied_count
