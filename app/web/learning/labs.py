"""Labs: pages to play with. Everything stands in the address, and nothing is recorded."""

from collections.abc import Sequence

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course.learning.labs import lambdarank
from app.course.learning.steps import Lab
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.lab_views import BOARD, PATH, LabPlace, lab_place, render_board, render_lab
from app.web.learning.lessons import find
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import Site, site_of

router = APIRouter()


@router.get(PATH)
async def show(request: Request) -> Response:
    """LambdaRank一步一步, on a page of its own."""
    site, query = site_of(request), fields_of(request)
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    status = 422 if lambdarank.read(query, LabPlace().start).faults else 200
    drawn = render_lab(site, LabPlace(), query)
    return page(
        request,
        "learning/lab",
        known=known,
        status=status,
        page="lab",
        title="LambdaRank一步一步",
        lab_html=drawn,
    )


@router.get(BOARD)
async def board(request: Request) -> Response:
    """The lab alone, for htmx, which keeps in the address bar the page that shows the same."""
    site, query = site_of(request), fields_of(request)
    place = place_of(site, query)
    reading = lambdarank.read(query, place.start)
    html = render_board(site, place, reading, query)
    status = 422 if reading.faults else 200
    return HTMLResponse(html, status, {"HX-Push-Url": place.url(reading.setting)})


def fields_of(request: Request) -> dict[str, Sequence[str]]:
    """The fields of an address; empty ones say nothing."""
    query = request.query_params
    return {name: query.getlist(name) for name in query}


def place_of(site: Site, query: lambdarank.Query) -> LabPlace:
    """The step of a lesson that the address names: `at=stage.section`, `lab=step`; else the page."""
    if "at" not in query:
        return LabPlace()
    stage_id, _, section_id = query["at"][-1].partition(".")
    stage, section = find(site.course, stage_id, section_id)
    wanted = query.get("lab", [""])[-1]
    step = next((one for one in section.steps if isinstance(one, Lab) and one.id == wanted), None)
    if step is None:
        raise NotFound("这一节里没有这个实验。")
    shown = query.get("step", ["1"])[-1]
    number = int(shown) if shown.isascii() and shown.isdigit() and len(shown) < 4 else 1
    return lab_place(stage, section, step, number)
