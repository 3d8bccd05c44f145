"""What all handlers share: settings, database, course, templates, static files."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app import course as courses
from app.course import Course, Faults
from app.course.content.recently_used import RecentlyUsed
from app.course.exercises.exercises import LEVEL_NAMES
from app.records.db.database import Database
from app.records.grading.marks import percent, short
from app.settings import Settings
from app.web.site.assets import Assets
from app.web.site.own_courses import OwnCourses

CACHED = 4096
"""How many rendered fragments are kept: at about 5 KB each, 20 MB at most."""
BETWEEN_CHECKS = 0.5
"""Seconds between two looks at the files of the course."""


class CourseFolder:
    """Holds the course. With `reload`, changed files are read again; bad ones leave the last good course."""

    def __init__(self, folder: Path, cache: Path, reload: bool) -> None:
        self.folder = folder
        self.reload = reload
        self.faults: list[str] = []
        self._changed_at = self._times_of_files()
        self._checked_at = 0.0
        loaded = courses.load_kept(folder, cache)
        if isinstance(loaded, Faults):
            raise loaded
        self.course: Course = loaded

    def look_again(self) -> bool:
        """Read changed files; whether that brought another course."""
        if not self.reload or time.monotonic() - self._checked_at < BETWEEN_CHECKS:
            return False
        self._checked_at = time.monotonic()
        changed_at = self._times_of_files()
        if changed_at == self._changed_at:
            return False
        self._changed_at = changed_at
        loaded = courses.load(self.folder)
        if isinstance(loaded, Faults):
            self.faults = loaded.lines()
            return False
        self.faults = []
        self.course = loaded
        return True

    def _times_of_files(self) -> list[int]:
        return sorted(path.stat().st_mtime_ns for path in self.folder.rglob("*.yaml"))


class FixedCourse:
    """One course, which nobody changes: what a teacher wrote, as it was just read."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.faults: list[str] = []

    def look_again(self) -> bool:
        """Always False: it stays as it is."""
        return False


@dataclass
class Site:
    """The parts of the running site; `request.app.state.site`.

    `own`: the address of a teacher's own content, whose course then stands on the shelf instead of the
    course; its lessons, items and examples are shown by the same views, and their forms go below this
    address. Empty for the course itself.
    """

    settings: Settings
    shelf: CourseFolder | FixedCourse
    assets: Assets
    templates: Environment
    own_courses: OwnCourses = field(default_factory=OwnCourses)
    own: str = ""
    _db: Database | None = None
    _fragments: RecentlyUsed[Any, str] = field(default_factory=lambda: RecentlyUsed(CACHED))

    @property
    def course(self) -> Course:
        self.look_again()
        return self.shelf.course

    @property
    def faults(self) -> list[str]:
        """What is wrong with the content that lies there now, where changes are watched."""
        self.look_again()
        return self.shelf.faults

    def look_again(self) -> None:
        if self.shelf.look_again():
            self._fragments.clear()

    @property
    def db(self) -> Database:
        assert self._db is not None, "the database opens when the site starts"
        return self._db

    def open(self, db: Database) -> None:
        self._db = db

    def beside(self, course: Course, own: str) -> "Site":
        """This site with a teacher's own content instead of the course; all else is shared."""
        return replace(self, shelf=FixedCourse(course), own=own)

    def cached(self, key: Any, make: Callable[[], str]) -> str:
        """A rendered fragment, made once for each key: content, seed, answers so far."""
        html = self._fragments.recall(key)
        if html is None:
            html = self._fragments.keep(key, str(make()))
        return html

    def render(self, template: str, **context: Any) -> Markup:
        """A template as text that is safe to put into another one."""
        return Markup(self.templates.get_template(template).render(context))  # noqa: S704  # autoescaped


def site_of(request: Request) -> Site:
    """The site; for a request about own content, the one with that content on its shelf."""
    site: Site = request.scope.get("site") or request.app.state.site
    return site


TIMES = {
    "day": "%Y-%m-%d",
    "minute": "%Y-%m-%d %H:%M",
    "lately": "%m-%d %H:%M",
    "clock": "%H:%M",
    "local": "%Y-%m-%dT%H:%M",
}
"""How templates write a time, by the name of the filter; `local` is for inputs of type datetime-local."""


def environment(folder: Path, assets: Assets, reload: bool, zone: ZoneInfo) -> Environment:
    """Jinja as the project uses it: an unknown name is an error, text is escaped."""
    templates = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=reload,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    templates.globals |= {"assets": assets, "static": assets.url, "level_names": LEVEL_NAMES}
    templates.filters |= {"points": short, "percent": percent, "as_teacher": as_teacher}
    for name, form in TIMES.items():
        templates.filters[name] = partial(moment, form, zone)
    return templates


def as_teacher(name: str) -> str:
    """How a teacher is called, also one whose name says it already.

    >>> as_teacher("王"), as_teacher("王老师")
    ('王老师', '王老师')
    """
    return f"{name.removesuffix('老师')}老师"


def moment(form: str, zone: ZoneInfo, at: datetime) -> str:
    """A moment as the clock of the place shows it.

    >>> from datetime import UTC
    >>> moment("%Y-%m-%d %H:%M", ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 1, 17, tzinfo=UTC))
    '2026-09-02 01:00'
    """
    return at.astimezone(zone).strftime(form)
