"""The address of the workbench as a QR code: from the screen of one to the phone of another."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.workbench.state import Query, read
from app.records.db.errors import NotFound
from app.web.classes.classrooms import site_url
from app.web.learning.section_position import fields_of
from app.web.learning.toys import NOT_FOR_CRAWLERS
from app.web.qr_codes import qr
from app.web.site.requests import SiteDep
from app.web.site.routing import LateRoute
from app.web.workbench.links import QR_PATH, short_link
from app.web.workbench.page import LONGEST_ASKED

router = APIRouter(route_class=LateRoute)
NOTHING_TO_DRAW = "这个地址画不成二维码：打开实验台，照页面上的链接来。"


@router.get(QR_PATH)
async def show(http: Request, site: SiteDep) -> Response:
    """The picture for the state that stands behind the `?`; drawn off the loop, for addresses can be long."""
    if len(http.url.query) > LONGEST_ASKED:
        raise NotFound(NOTHING_TO_DRAW)
    svg = await site.off_loop.run(drawn_code, site_url(http), fields_of(http))
    return Response(svg, media_type="image/svg+xml", headers=dict(NOT_FOR_CRAWLERS))


def drawn_code(site_address: str, query: Query) -> str:
    """The QR code of a page of the workbench; NotFound for a state that cannot be read, or has no address."""
    reading = read(query)
    url = short_link(reading.state)
    if url is None or not reading.is_whole:
        raise NotFound(NOTHING_TO_DRAW)
    return qr(f"{site_address}{url}", "实验台这一页的二维码", error="l")
