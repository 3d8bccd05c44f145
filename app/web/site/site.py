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
from app.course.exercises.exercises import LEVEL_NAMES
from app.records.db.database import Database
from app.records.grading.marks import percent, short
from app.settings import Settings
from app.web.site.assets import Assets
from app.web.site.own_courses import OwnCourses

CACHED = 4096
"""How many rendered fragments are kept: at about 5 KB each, 20 MB at most."""


class CourseFolder:
    """Holds the course. With `reload`, changed files are read again; bad ones leave the last good course."""

    def __init__(self, folder: Path, kept: Path, reload: bool) -> None:
        self.folder, self.kept, self.reload = folder, kept, reload
        self.faults: list[str] = []
        self._seen, self._looked = self._newest(), 0.0
        loaded = courses.load_kept(folder, kept)
        if isinstance(loaded, Faults):
            raise loaded
        self.course: Course = loaded

    def look_again(self) -> bool:
        """Whether another course stands here now."""
        if not self.reload or time.monotonic() - self._looked < 0.5:
            return False
        self._looked = time.monotonic()
        if (newest := self._newest()) == self._seen:
            return False
        self._seen, loaded = newest, courses.load(self.folder)
        if isinstance(loaded, Faults):
            self.faults = loaded.lines()
            return False
        self.faults, self.course = [], loaded
        return True

    def _newest(self) -> tuple[int, ...]:
        return tuple(sorted(path.stat().st_mtime_ns for path in self.folder.rglob("*.yaml")))


class FixedCourse(CourseFolder):
    """A shelf with one course on it, which nobody changes: what a teacher wrote, as it was just read."""

    def __init__(self, course: Course) -> None:
        self.course, self.faults, self.reload = course, [], False


@dataclass
class Site:
    """The parts of the running site; `request.app.state.site`.

    `own`: the address of a teacher's own content, whose course then stands here instead of the course; its
    lessons, items and examples are shown by the same views, and their forms go below this address.
    """

    settings: Settings
    shelf: CourseFolder
    assets: Assets
    templates: Environment
    own_courses: OwnCourses = field(default_factory=OwnCourses)
    own: str = ""
    _db: Database | None = None
    _fragments: dict[Any, str] = field(default_factory=dict)

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
        """The same site with a teacher's own content instead of the course."""
        return replace(self, shelf=FixedCourse(course), own=own)

    def cached(self, key: Any, make: Callable[[], str]) -> str:
        """A rendered fragment, made once for each key: content, seed, answers so far."""
        found = self._fragments.get(key)
        if found is None:
            if len(self._fragments) >= CACHED:
                self._fragments.clear()
            found = self._fragments[key] = str(make())
        return found

    def render(self, template: str, **context: Any) -> Markup:
        """A template as text that is safe to put into another one."""
        return Markup(self.templates.get_template(template).render(context))  # noqa: S704  # autoescaped


def site_of(request: Request) -> Site:
    """The site; for a request about own content, the one with that content on its shelf."""
    site: Site = request.scope.get("site") or request.app.state.site
    return site


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
    forms = {"day": "%Y-%m-%d", "minute": "%Y-%m-%d %H:%M", "lately": "%m-%d %H:%M", "clock": "%H:%M"}
    forms["local"] = "%Y-%m-%dT%H:%M"  # what an input of type datetime-local holds
    templates.filters |= {name: partial(moment, form, zone) for name, form in forms.items()}
    templates.filters |= {"points": short, "percent": percent, "as_teacher": as_teacher}
    return templates


def as_teacher(name: str) -> str:
    """How a teacher is called, also one whose name says it already.

    >>> as_teacher("王"), as_teacher("王老师")
    ('王老师', '王老师')
    """
    return f"{name.removesuffix('老师')}老师"


def moment(form: str, zone: ZoneInfo, at: datetime) -> str:
    """A moment as the clock of the place shows it.

    >>> moment("%Y-%m-%d %H:%M", ZoneInfo("Asia/Shanghai"), datetime(2026, 9, 1, 17, tzinfo=UTC))
    '2026-09-02 01:00'
    """
    return at.astimezone(zone).strftime(form)
