"""Where items come from, by the prefix of their names: the course of this site, `content:…`."""

from collections.abc import Mapping

from app.course import Course
from app.web.site import Site


async def courses(site: Site) -> Mapping[str, Course]:
    """Every course that an assignment may draw from."""
    return {site.course.prefix: site.course}
