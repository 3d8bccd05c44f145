"""Labs: pages to play with. Everything stands in the address, and nothing is recorded."""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course import Course
from app.course.learning.labs import lambdarank
from app.course.learning.steps import Lab
from app.records.accounts import learners
from app.records.db.errors import NotFound
from app.web.learning.lab_views import BOARD, PATH, LabPlace, lab_place, render_lab, render_words, view
from app.web.learning.lessons import fields_of, find, number_in
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get(PATH)
async def show(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """LambdaRank一步一步, on a page of its own."""
    query = fields_of(request)
    place = LabPlace()
    reading = lambdarank.read(query, place.start)
    learner_id = await site.db.read(learners.load_visitor, caller)
    return page(
        request,
        "learning/lab",
        known=learner_id is not None,
        status=422 if reading.faults else 200,
        page="lab",
        title="LambdaRank一步一步",
        lab_html=render_lab(site, view(place, reading, query)),
    )


@router.get(BOARD)
async def board(request: Request, site: SiteDep) -> Response:
    """The lab alone, for htmx, which keeps in the address bar the page that shows the same."""
    query = fields_of(request)
    place = place_of(site.course, query)
    reading = lambdarank.read(query, place.start)
    lab = view(place, reading, query)
    html = render_lab(site, lab) + render_words(site, lab)
    status = 422 if reading.faults else 200
    return HTMLResponse(html, status, {"HX-Push-Url": place.url(reading.setting)})


def place_of(course: Course, query: lambdarank.Query) -> LabPlace:
    """The step of a lesson that the address names: `at=stage.section`, `lab=step`; else the page."""
    if "at" not in query:
        return LabPlace()
    stage_id, _, section_id = query["at"][-1].partition(".")
    stage, section = find(course, stage_id, section_id)
    step_number = number_in(query.get("step", ["1"])[-1])
    if step_number is None:
        step_number = 1
    lab_id = query.get("lab", [""])[-1]
    for step in section.steps:
        if isinstance(step, Lab) and step.id == lab_id:
            return lab_place(stage, section, step, step_number)
    raise NotFound("这一节里没有这个实验。")
