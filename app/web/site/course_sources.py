"""Where items come from: the course of this site, and what teachers wrote."""

from collections.abc import Collection, Iterable, Mapping

from fastapi import Request

from app.course import Course
from app.course.authoring.own_content import id_of
from app.records.assignments import lookup
from app.records.assignments.values import PartRow
from app.records.authoring import own_courses
from app.web.site.requests import caller_of
from app.web.site.site import Site, site_of


async def courses(site: Site, assignment_id: int) -> Mapping[str, Course]:
    """Prefix to course, for everything that an assignment draws from."""
    return await with_own(site, await site.db.read(lookup.own_contents, assignment_id))


async def teachers_courses(request: Request, parts: Collection[PartRow] = ()) -> Mapping[str, Course]:
    """Prefix to course, for these parts and for all that the teacher who asks has written, to pick from."""
    site = site_of(request)
    rows = await site.db.read(own_courses.index, caller_of(request))
    own_ids = {row.id for row in rows}
    for part in parts:
        own_id = id_of(part.ref)
        if own_id:
            own_ids.add(own_id)
    return await with_own(site, own_ids)


async def courses_of(site: Site, refs: Iterable[str]) -> Mapping[str, Course]:
    """Prefix to course, for the courses that these items are in."""
    own_ids = {own_id for ref in refs if (own_id := id_of(ref))}
    return await with_own(site, own_ids)


async def with_own(site: Site, own_ids: Collection[int]) -> Mapping[str, Course]:
    return await site.own_courses.courses(site.db, site.course, own_ids)
