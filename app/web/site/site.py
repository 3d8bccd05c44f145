"""What all handlers share: settings, database, course, what teachers wrote, templates, static files."""

import asyncio
import hashlib
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from fastapi import Request
from jinja2 import Environment
from markupsafe import Markup

from app import course as courses
from app.course import Course, Faults
from app.course.authoring.own_content import parse_own, with_id
from app.course.content.recently_used import RecentHtml, RecentlyUsed, RecentlyUsedByOwner
from app.course.content.refs import own_content_id_of, own_prefix
from app.course.text import untrusted
from app.course.text.sandbox import ProgramStopped
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.authoring import own_courses
from app.records.authoring.own_courses import OwnCourseRow
from app.records.db.database import Database
from app.records.db.errors import Busy
from app.settings import Settings
from app.web.site import slots
from app.web.site.assets import Assets
from app.web.site.off_loop import OffLoop
from app.web.site.packing import BytesBySlot, PackedHtml
from app.web.site.presence import Presence

MOST_FRAGMENTS, MOST_FRAGMENT_CHARACTERS = 4096, 8_000_000
"""How many rendered fragments are kept, at about 5 KB each, and of how many characters in all: 16 MB."""
MOST_PACKED_PARTS = 600
"""How many steps, frames and fragments are kept compressed, at about 27 KB with the texts of their keys: some
16 MB."""
MOST_KNOWN_PAGES, MOST_PAGES_OF_BROWSER = 1000, 3
"""How many pages of learners are known to be as they were, at about 5 KB each; and how many of one browser:
a class of forty that walks through a stage, each step another page, would push out those of everybody else.
"""
BROWSER_OF_PAGE_KEY = itemgetter(-1)
"""What tells a browser from others in the key of a known page: its headers, which stand last."""
SECONDS_BETWEEN_CHECKS = 0.5
"""Seconds between two looks at the files of the course."""
MOST_SHEETS = 32
"""How many sheets to print are kept, of some 60 KB each."""
MOST_OWN_COURSES = 64
"""How many texts of teachers are kept as courses."""
UNSAVED_ID = 0
"""The id of own content that is not in the database yet."""
CourseByPrefix = Mapping[str, Course]
"""Prefix to course: that of the site, and what teachers wrote."""


class CourseFolder:
    """Holds the course; `is_reloading`: changed files are read again, bad ones leave the last good course."""

    def __init__(self, folder: Path, cache_path: Path, is_reloading: bool) -> None:
        self.folder = folder
        self.is_reloading = is_reloading
        self.faults: list[str] = []
        self._file_times = self._read_file_times()
        self._checked_at = 0.0
        course_or_faults = courses.load_cached_course(folder, cache_path)
        if isinstance(course_or_faults, Faults):
            raise course_or_faults
        self.course: Course = course_or_faults

    def reread_if_changed(self) -> bool:
        """Read changed files; whether that brought another course."""
        if not self.is_reloading or time.monotonic() - self._checked_at < SECONDS_BETWEEN_CHECKS:
            return False
        self._checked_at = time.monotonic()
        file_times = self._read_file_times()
        if file_times == self._file_times:
            return False
        self._file_times = file_times
        course_or_faults = courses.load_course(self.folder)
        if isinstance(course_or_faults, Faults):
            self.faults = course_or_faults.lines()
            return False
        self.faults = []
        self.course = course_or_faults
        return True

    def _read_file_times(self) -> list[int]:
        return sorted(yaml_path.stat().st_mtime_ns for yaml_path in self.folder.rglob("*.yaml"))


class FixedCourse:
    """One course, which nobody changes: what a teacher wrote, as it was just read."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self.faults: list[str] = []

    def reread_if_changed(self) -> bool:
        """Always False: it stays as it is."""
        return False


class TooMuchToRead(Busy):
    """Reading a text took more than it may. One that was read before, and saved, will be read again when the
    machine has more time."""


class OwnCourseKey(NamedTuple):
    """What the course in a text depends on."""

    own_content_id: int
    text_digest: str
    main_digest: str


class OwnCourses:
    """What teachers wrote, as courses: parsed off the event loop, so that nobody waits for who writes."""

    def __init__(self, off_loop: OffLoop) -> None:
        self._course_by_key: RecentlyUsed[OwnCourseKey, Course | Faults] = RecentlyUsed(MOST_OWN_COURSES)
        self._parsing_by_key: dict[OwnCourseKey, asyncio.Task[Course | Faults]] = {}
        self._off_loop = off_loop

    async def read(
        self, own_content_id: int, content_text: str, main_course: Course, is_to_keep: bool = True
    ) -> Course | Faults:
        """The course in a text, or its faults; the same text is parsed once, also when it gets its id later
        or when many ask for it at the same moment.

        A preview is not kept: it would push out what a class is working with. Raises `TooMuchToRead`.
        """
        text_digest = hashlib.sha256(content_text.encode("utf-8", "replace")).hexdigest()
        course_key = OwnCourseKey(own_content_id, text_digest, main_course.digest)
        course_or_faults = self._course_by_key.recall(course_key)
        if course_or_faults:
            return course_or_faults
        course_or_faults = self._course_by_key.pop(course_key._replace(own_content_id=UNSAVED_ID), None)
        if course_or_faults is None:
            course_or_faults = await self._join_parsing(course_key, content_text, main_course)
        elif isinstance(course_or_faults, Course):
            course_or_faults = with_id(course_or_faults, own_content_id, content_text, main_course)
        if is_to_keep:
            self._course_by_key.keep(course_key, course_or_faults)
        return course_or_faults

    async def _join_parsing(
        self, course_key: OwnCourseKey, content_text: str, main_course: Course
    ) -> Course | Faults:
        """What comes of the one parsing that all wait for who ask while it runs: a class that opens a link
        together would fill the queue of `OffLoop` with the same text."""
        parsing = self._parsing_by_key.get(course_key)
        if parsing is None:
            parsing = asyncio.create_task(self._parse(course_key.own_content_id, content_text, main_course))
            parsing.add_done_callback(lambda _: self._parsing_by_key.pop(course_key))
            self._parsing_by_key[course_key] = parsing
        return await asyncio.shield(parsing)  # who goes away does not end it for the others

    async def _parse(self, own_content_id: int, content_text: str, main_course: Course) -> Course | Faults:
        try:
            return await self._off_loop.run(parse_own, content_text, own_content_id, main_course)
        except ProgramStopped as error:
            raise TooMuchToRead(f"{untrusted.READING_STOPPED_WORDS}。") from error


@dataclass
class Site:
    """The parts of the running site; `http.app.state.site`.

    `own_address`: of a teacher's own content, whose course then takes the place of the course; its lessons,
    items and examples are shown by the same views, and their forms go below this address. Empty for the
    course itself.
    """

    settings: Settings
    course_source: CourseFolder | FixedCourse
    assets: Assets
    templates: Environment
    off_loop: OffLoop
    own_courses: OwnCourses
    own_address: str = ""
    presence: Presence = field(default_factory=Presence)
    sheets: RecentlyUsed[Any, str] = field(default_factory=lambda: RecentlyUsed(MOST_SHEETS))
    known_pages: RecentlyUsedByOwner[Any, Any] = field(
        default_factory=lambda: RecentlyUsedByOwner(
            MOST_KNOWN_PAGES, MOST_PAGES_OF_BROWSER, owner_of=BROWSER_OF_PAGE_KEY
        )
    )
    _db: Database | None = None
    _fragments: RecentHtml[Any] = field(
        default_factory=lambda: RecentHtml(MOST_FRAGMENTS, MOST_FRAGMENT_CHARACTERS)
    )
    _packed_parts: RecentlyUsed[Any, PackedHtml] = field(
        default_factory=lambda: RecentlyUsed(MOST_PACKED_PARTS)
    )

    @property
    def course(self) -> Course:
        self.reread_if_changed()
        return self.course_source.course

    @property
    def faults(self) -> list[str]:
        """What is wrong with the content that lies there now, where changes are watched."""
        self.reread_if_changed()
        return self.course_source.faults

    def reread_if_changed(self) -> None:
        if self.course_source.reread_if_changed():
            self._fragments.clear()
            self._packed_parts.clear()
            self.known_pages.clear()
            self.sheets.clear()

    def cache_by_name(self) -> dict[str, RecentlyUsed[Any, Any]]:
        """Where parts of pages are kept, by what they are: for who counts how often that helps."""
        return {"fragments": self._fragments, "packed": self._packed_parts, "pages": self.known_pages}

    @property
    def db(self) -> Database:
        assert self._db is not None, "the database opens when the site starts"
        return self._db

    def use_database(self, database: Database) -> None:
        self._db = database

    def with_course(self, course: Course, own_address: str, *, keeps_fragments: bool = True) -> "Site":
        """This site with a teacher's own content instead of the course; all else is shared.

        `keeps_fragments`: False for content that is looked at once: what is rendered of it would push out
        fragments that others see again.
        """
        own_site = replace(self, course_source=FixedCourse(course), own_address=own_address)
        if keeps_fragments:
            return own_site
        return replace(own_site, _fragments=RecentHtml())

    async def course_by_prefix_of_teacher(self, caller: Caller) -> CourseByPrefix:
        """What a teacher may pick from: the course, and all that they have written themselves."""
        return await self.course_by_prefix_of_contents(
            await self.db.read(own_courses.load_contents_if_teacher, caller)
        )

    async def course_by_prefix_of_contents(self, own_contents: Sequence[OwnCourseRow]) -> CourseByPrefix:
        """The course of the site, and of these contents whatever can be read."""
        text_by_own_content_id = {own_content.id: own_content.text for own_content in own_contents}
        return await self.course_by_prefix_of_texts(dict(sorted(text_by_own_content_id.items())))

    async def course_by_prefix_of_assignment(self, assignment_id: int) -> CourseByPrefix:
        """Everything that an assignment draws from."""
        return await self.course_by_prefix_of_own_ids(
            await self.db.read(lookup.own_content_ids, assignment_id)
        )

    async def course_by_prefix_of_refs(self, content_refs: Iterable[str]) -> CourseByPrefix:
        """The courses that these items are in."""
        return await self.course_by_prefix_of_own_ids(own_content_ids_of(content_refs))

    async def course_by_prefix_of_own_ids(self, own_content_ids: Collection[int]) -> CourseByPrefix:
        """The course of the site, and of these contents what was not deleted and can be read."""
        text_by_own_content_id: Mapping[int, str] = {}
        if own_content_ids:
            text_by_own_content_id = await self.db.read(
                own_courses.load_text_by_own_content_id, tuple(own_content_ids)
            )
        return await self.course_by_prefix_of_texts(text_by_own_content_id)

    async def course_by_prefix_of_texts(self, text_by_own_content_id: Mapping[int, str]) -> CourseByPrefix:
        """The course of the site, and of texts of teachers what this version of the program can read."""
        main_course = self.course
        course_by_prefix = {main_course.prefix: main_course}
        for own_content_id, own_text in text_by_own_content_id.items():
            course_or_faults = await self.own_courses.read(own_content_id, own_text, main_course)
            if isinstance(course_or_faults, Course):
                course_by_prefix[own_prefix(own_content_id)] = course_or_faults
        return course_by_prefix

    def cached_html(self, cache_key: Any, make_html: Callable[[], str]) -> str:
        """A rendered fragment, made once for each key: content, seed, answers so far."""
        fragment_html = self._fragments.recall(cache_key)
        if fragment_html is None:
            fragment_html = self._fragments.keep(cache_key, str(make_html()))
        return fragment_html

    def packed_part(
        self,
        html_pieces: Sequence[str],
        text_by_shared_slot: Mapping[Markup, str],
        bytes_by_slot: BytesBySlot,
    ) -> PackedHtml:
        """The last of these pieces, after the others: compressed once for all with the same
        `text_by_shared_slot`, and values of the same lengths.
        """
        used_slots = frozenset().union(*map(slots.slots_of_html, html_pieces))
        used_texts = [slot_text for slot, slot_text in text_by_shared_slot.items() if slot in used_slots]
        cache_key = *html_pieces, *used_texts, *map(len, bytes_by_slot.values())
        packed_html = self._packed_parts.recall(cache_key)
        if packed_html is None:
            *earlier_htmls, last_html = [
                slots.fill(html_piece, text_by_shared_slot) for html_piece in html_pieces
            ]
            packed_html = self._packed_parts.keep(
                cache_key, PackedHtml(last_html, bytes_by_slot, "".join(earlier_htmls))
            )
        return packed_html

    def render(self, template: str, **context: Any) -> Markup:
        """A template as text that is safe to put into another one."""
        return Markup(self.templates.get_template(template).render(context))  # noqa: S704  # autoescaped


def own_content_ids_of(content_refs: Iterable[str]) -> set[int]:
    """The contents of teachers among those that these refs belong to."""
    return {
        own_content_id for content_ref in content_refs if (own_content_id := own_content_id_of(content_ref))
    }


def site_of(http: Request) -> Site:
    """The site, with the course of the site."""
    site: Site = http.app.state.site
    return site
