"""A movable row of candies: on a page of its own, on the home page, and as a step of a lesson.

Everything stands in the address and nothing is recorded. There is no end of such addresses, so they are kept
in no cache and asked of no crawler.
"""

from dataclasses import replace

from starlette.responses import HTMLResponse, PlainTextResponse, Response

from app.course.learning.toys.setting import ToyReading, read
from app.course.text.typed import AddressFields
from app.web.items.typed_answers import answer_fields_of_address
from app.web.learning.toy_views import (
    FIRST_ROW,
    TOY_BOARD_PATH,
    TOY_PATH,
    ToyPlace,
    answer_fields,
    first_lesson_url,
    render_toy,
    toy_place_of,
    toy_view_of,
)
from app.web.site.requests import RequestDep
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
ROBOTS_TEXT = """User-agent: *
Disallow: /play
Disallow: /workbench
Disallow: /*?*toy=
Disallow: /*?*lab=
"""


@router.get(TOY_PATH)
async def show(request: RequestDep) -> Response:
    """The row of the address, with every handle."""
    address_fields = request.address_fields
    toy_reading = read(address_fields, FIRST_ROW)
    toy_view = toy_view_of(request.course, ToyPlace(), toy_reading, address_fields)
    http_response = request.page(
        "learning/toy",
        is_signed_in=await request.is_signed_in(),
        status=status_of(toy_reading),
        page="toy",
        title="一排能动的糖",
        toy_html=render_toy(request.site, toy_view),
        start_url=first_lesson_url(request.course),
    )
    http_response.headers.update(NOT_FOR_CRAWLERS)
    return http_response


@router.get(TOY_BOARD_PATH)
async def show_board(request: RequestDep) -> Response:
    """The toy alone, for htmx."""
    toy_place = toy_place_of(request.course, request.address_fields)
    return board_response(request.site, toy_place, request.address_fields)


def board_response(site: Site, toy_place: ToyPlace, address_fields: AddressFields) -> Response:
    """The toy of a place; the address bar keeps the page that shows the same."""
    toy_place = replace(toy_place, carried_fields=answer_fields_of_address(address_fields))
    toy_reading = read(address_fields, toy_place.start_setting)
    board_html = render_toy(site, toy_view_of(site.course, toy_place, toy_reading, address_fields))
    board_url = toy_place.url(toy_reading.setting, answer_fields(address_fields))
    return HTMLResponse(board_html, status_of(toy_reading), {"HX-Replace-Url": board_url, **NOT_FOR_CRAWLERS})


def status_of(toy_reading: ToyReading) -> int:
    """422 where a field of the address cannot be read."""
    if toy_reading.fault_by_field:
        return 422
    return 200


@router.get("/robots.txt")
async def show_robots_text() -> Response:
    """Where crawlers would never come to an end."""
    return PlainTextResponse(ROBOTS_TEXT)
