"""Labs: pages to play with. Everything stands in the address, and nothing is recorded."""

from starlette.responses import HTMLResponse, Response

from app.course.learning.labs import lambdarank
from app.course.learning.labs.lambdarank import LabReading, LabSetting
from app.web.learning.lab_views import (
    LAB_BOARD_PATH,
    LAB_PATH,
    LabPlace,
    place_of,
    render_lab,
    render_words,
    view_lab,
)
from app.web.site.requests import RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()


@router.get(LAB_PATH)
async def show(request: RequestDep) -> Response:
    """LambdaRank一步一步, on a page of its own."""
    address_fields = request.address_fields
    lab_reading = lambdarank.read(address_fields, LabSetting())
    lab_view = view_lab(LabPlace(), lab_reading, address_fields)
    return request.page(
        "learning/lab",
        is_signed_in=await request.is_signed_in(),
        status=status_of(lab_reading),
        page="lab",
        title="LambdaRank一步一步",
        lab_html=render_lab(request.site, lab_view),
    )


@router.get(LAB_BOARD_PATH)
async def show_board(request: RequestDep) -> Response:
    """The lab alone, for htmx, which keeps in the address bar the page that shows the same."""
    site, address_fields = request.site, request.address_fields
    place = place_of(site.course, address_fields)
    lab_reading = lambdarank.read(address_fields, place.start)
    lab_view = view_lab(place, lab_reading, address_fields)
    html = render_lab(site, lab_view) + render_words(site, lab_view)
    url = place.url(lab_reading.setting)
    return HTMLResponse(html, status_of(lab_reading), {"HX-Push-Url": url})


def status_of(lab_reading: LabReading) -> int:
    """422 where a field of the address cannot be read."""
    if lab_reading.fault_by_field:
        return 422
    return 200
