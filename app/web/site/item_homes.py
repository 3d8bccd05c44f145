"""The courses that items of a class live in: that of the site, and what teachers wrote."""

from collections.abc import Iterable, Mapping

from app.course import Course
from app.course.authoring.own_content import id_of
from app.web.site.site import Site


async def courses_of(site: Site, refs: Iterable[str]) -> Mapping[str, Course]:
    """Prefix → course, for these items."""
    own_ids = {own_id for ref in refs if (own_id := id_of(ref))}
    return await site.own_courses.courses(site.db, site.course, own_ids)
