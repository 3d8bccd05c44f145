"""The database of the demonstration: made anew at every start, so that its term ends today."""

import shutil
from datetime import datetime
from zoneinfo import ZoneInfo

from app.cli import records
from app.course import Course
from app.demo import term
from app.demo.people import PASSWORD, STUDENTS, TEACHER_NAMES
from app.records.authoring.picture_files import picture_folder_in
from app.settings import Settings


def demo_settings(settings: Settings) -> Settings:
    """The same settings with data of their own: nothing of the real site is touched."""
    demo_folder = settings.data / "demo"
    database_url = f"sqlite:///{(demo_folder / 'tangxu.db').as_posix()}"
    return settings.model_copy(update={"data": demo_folder, "database_url": database_url})


def delete_demonstration(settings_of_demo: Settings) -> None:
    """Throw the last demonstration away."""
    shutil.rmtree(settings_of_demo.data, ignore_errors=True)


def write_demonstration(settings_of_demo: Settings, course: Course, now: datetime) -> int:
    """Write a term into the new database, all of it or nothing; how many evenings of learning it has."""
    picture_folder = picture_folder_in(settings_of_demo.data)
    time_zone = ZoneInfo(settings_of_demo.time_zone)
    return records.write(settings_of_demo, term.write_term, course, now, time_zone, picture_folder)


def sign_in_lines() -> list[str]:
    """Who can be signed in as."""
    return [
        f"登录看看，密码都是 {PASSWORD}：",
        f"  老师 {'、'.join(TEACHER_NAMES)}",
        f"  同学 {'、'.join(student.name for student in STUDENTS[:3])}……共{len(STUDENTS)}位",
    ]
