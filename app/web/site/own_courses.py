"""What teachers wrote, as courses: parsed beside the event loop, and the last ones kept."""

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from app.course import Course, Faults
from app.course.authoring.own_content import parse_own, prefix_of
from app.records.authoring import own_courses
from app.records.db.database import Database

KEPT = 64
Key = tuple[int, str, str]


@dataclass
class OwnCourses:
    """Parses one text at a time, so that nobody who writes keeps the others waiting."""

    _kept: OrderedDict[Key, Course | Faults] = field(default_factory=OrderedDict)
    _desk: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "own"))

    async def read(self, own_id: int, text: str, beside: Course, keep: bool = True) -> Course | Faults:
        """The course in a text, or its faults; the same text is parsed once.

        What somebody is just writing is not kept: it would push out what a class is working with.
        """
        key = (own_id, hashlib.sha256(text.encode("utf-8", "replace")).hexdigest(), beside.digest)
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        else:
            loop = asyncio.get_running_loop()
            found = await loop.run_in_executor(self._desk, parse_own, text, own_id, beside)
        if keep:
            self._kept[key] = found
        while len(self._kept) > KEPT:
            self._kept.popitem(last=False)
        return found

    async def courses(self, db: Database, beside: Course, ids: Collection[int]) -> Mapping[str, Course]:
        """Prefix → course: that of the site, and of these own contents whatever can be read.

        One that was deleted, or that this version of the program cannot read, is not in it.
        """
        texts = await db.read(own_courses.texts, tuple(ids)) if ids else {}
        found = {own_id: await self.read(own_id, text, beside) for own_id, text in texts.items()}
        sound = {prefix_of(own_id): one for own_id, one in found.items() if isinstance(one, Course)}
        return {beside.prefix: beside, **sound}
