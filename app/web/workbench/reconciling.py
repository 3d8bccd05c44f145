"""对账: what printed a figure elsewhere; a page of its own, and a part of the workbench for htmx.

Everything stands in the address and nothing is recorded. A list that is too long for an address is posted.
"""

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.course.workbench.state import Query
from app.records.accounts import learners, throttle
from app.records.db.errors import Refused
from app.web.learning.section_position import fields_of
from app.web.learning.toys import NOT_FOR_CRAWLERS
from app.web.site.requests import CallerDep, FormDep, Now, SiteDep, address
from app.web.site.responses import page, wants_fragment
from app.web.site.routing import LateRoute
from app.web.site.site import Site
from app.web.workbench import page as workbench
from app.web.workbench.reconciling_views import PATH, reconcile_view

router = APIRouter(route_class=LateRoute)
LARGER_BODIES = {PATH: max(workbench.LARGER_BODIES.values())}


@router.get(PATH)
async def show(http: Request, site: SiteDep, caller: CallerDep) -> Response:
    """The list and the figure of the address, and what prints it."""
    if len(http.url.query) > workbench.LONGEST_ASKED:
        raise Refused(workbench.TOO_LONG)
    learner_id = await site.db.read(learners.find_learner_id, caller)
    return await answer(http, site, fields_of(http), signed_in=learner_id is not None)


@router.post(PATH)
async def show_long_list(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now
) -> Response:
    """The same for a list that no address holds; how many of them one place may send is limited."""
    await site.db.write(throttle.count, f"workbench:{address(http)}", throttle.WORKBENCH, now)
    learner_id = await site.db.read(learners.find_learner_id, caller)
    return await answer(http, site, form.fields, signed_in=learner_id is not None)


async def answer(http: Request, site: Site, query: Query, *, signed_in: bool) -> Response:
    """The page, or the part of it that htmx asks for; computed off the loop: lists can be long."""
    view = await site.off_loop.run(reconcile_view, query)
    status = 200
    if view["faults"]:
        status = 422
    if wants_fragment(http):
        html = site.render("workbench/_reconcile.html", reconcile=view)
        return HTMLResponse(html, status, dict(NOT_FOR_CRAWLERS))
    response = page(
        http,
        "workbench/reconcile",
        signed_in=signed_in,
        status=status,
        page="reconcile",
        title="对账",
        reconcile=view,
    )
    response.headers.update(NOT_FOR_CRAWLERS)
    return response
