"""The database of the demonstration: made anew at every start, so that its term ends today."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from zoneinfo import ZoneInfo

from app.cli import records
from app.cli.words import PlainError
from app.course import Course
from app.demo import term
from app.demo.people import PASSWORD, STUDENTS, TEACHER_NAMES
from app.records.authoring.picture_files import picture_folder_in
from app.records.db.sqlite.file_lock import acquire_at_once
from app.settings import Settings

SETTINGS_OF_REAL_SITE = ("public_name", "https", "trusted_proxies", "workers", "replica_url")
"""Where it is reached, by how many processes it is served, and the copy of its records."""


def demo_settings(settings: Settings) -> Settings:
    """The same settings with data of their own, served by one process at its own address: nothing of the real
    site is touched, read or named."""
    demo_folder = settings.data / "demo"
    demo_value_by_name = {
        "data": demo_folder,
        "database_url": f"sqlite:///{(demo_folder / 'tangxu.db').as_posix()}",
    }
    default_by_name = {
        setting_name: Settings.model_fields[setting_name].default for setting_name in SETTINGS_OF_REAL_SITE
    }
    return settings.model_copy(update=default_by_name | demo_value_by_name)


@contextmanager
def sole_demonstration(settings_of_demo: Settings) -> Iterator[None]:
    """Hold the folder while the demonstration is open: the next one throws away what lies in it. `PlainError`
    where another process holds it."""
    demo_folder = settings_of_demo.data
    demo_folder.parent.mkdir(parents=True, exist_ok=True)
    with demo_folder.with_suffix(".lock").open("a") as lock_file:
        if not acquire_at_once(lock_file.fileno()):
            raise PlainError(
                f"{demo_folder}里的演示正开着，再编一个会把它冲掉：先到那边按Ctrl+C，"
                "或者用TANGXU_DATA换一个文件夹。"
            )
        yield


def delete_demonstration(settings_of_demo: Settings) -> None:
    """Throw the last demonstration away."""
    shutil.rmtree(settings_of_demo.data, ignore_errors=True)


def write_demonstration(settings_of_demo: Settings, course: Course, now: datetime) -> int:
    """Write a term into the new database, all of it or nothing; how many evenings of learning it has."""
    picture_folder = picture_folder_in(settings_of_demo.data)
    zone = ZoneInfo(settings_of_demo.time_zone)
    return records.write(settings_of_demo, term.write_term, course, now, zone, picture_folder)


def sign_in_lines() -> list[str]:
    """Who can be signed in as."""
    return [
        f"登录看看，密码都是 {PASSWORD}：",
        f"  老师 {'、'.join(TEACHER_NAMES)}",
        f"  同学 {'、'.join(student.name for student in STUDENTS[:3])}……共{len(STUDENTS)}位",
    ]
