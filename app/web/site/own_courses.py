"""What teachers wrote, as courses: parsed in a thread of their own, and the last ones kept."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from app.course import Course, Faults
from app.course.authoring.own_content import parse_own, prefix_of, with_id
from app.records.authoring import own_courses
from app.records.db.database import Database

KEPT = 64
UNSAVED = 0
"""The id of own content that is not in the database yet."""
Key = tuple[int, str, str]


@dataclass
class OwnCourses:
    """Parses one text at a time, so that no teacher who writes keeps the others waiting."""

    _kept: OrderedDict[Key, Course | Faults] = field(default_factory=OrderedDict)
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "own"))

    async def read(self, own_id: int, text: str, main_course: Course, keep: bool = True) -> Course | Faults:
        """The course in a text, or its faults; the same text is parsed once, also when it gets its id later.

        A preview is not kept: it would push out what a class is working with.
        """
        digest = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        key = (own_id, digest, main_course.digest)
        if key not in self._kept:
            parsed = self._kept.pop((UNSAVED, digest, main_course.digest), None)
            if parsed is None:
                loop = asyncio.get_running_loop()
                parsed = await loop.run_in_executor(self._thread, parse_own, text, own_id, main_course)
            elif isinstance(parsed, Course):
                parsed = with_id(parsed, own_id, text, main_course)
            if not keep:
                return parsed
            self._kept[key] = parsed
        self._kept.move_to_end(key)
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return self._kept[key]

    async def courses(self, db: Database, main_course: Course, ids: Collection[int]) -> Mapping[str, Course]:
        """Prefix → course: that of the site, and of these own contents whatever can be read.

        Those that were deleted, or that this version of the program cannot read, are not in it.
        """
        courses = {main_course.prefix: main_course}
        texts = await db.read(own_courses.texts, tuple(ids)) if ids else {}
        for own_id, text in texts.items():
            course = await self.read(own_id, text, main_course)
            if isinstance(course, Course):
                courses[prefix_of(own_id)] = course
        return courses
