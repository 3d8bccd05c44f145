"""对账: what printed a figure elsewhere; a page of its own, and a part of the workbench for htmx.

Everything stands in the address and nothing is recorded. A list that is too long for an address is posted.
"""

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from app.course.workbench.state import AddressFields
from app.records.accounts import learners, throttle
from app.records.db.errors import Refused
from app.web.site.requests import CallerRequest, RequestDep, address_fields_of
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRoute
from app.web.workbench import page as workbench
from app.web.workbench.reconciling_views import RECONCILE_PATH, reconcile_view

router = APIRouter(route_class=LazyRoute)
BODY_LIMIT_BY_PATH = {RECONCILE_PATH: max(workbench.BODY_LIMIT_BY_PATH.values())}


@router.get(RECONCILE_PATH)
async def show(request: RequestDep) -> Response:
    """The list and the figure of the address, and what prints it."""
    if len(request.http.url.query) > workbench.LONGEST_QUERY_STRING_READ:
        raise Refused(workbench.TOO_LONG_WORDS)
    return await show_reconciliation(request, address_fields_of(request.http))


@router.post(RECONCILE_PATH)
async def show_long_list(request: RequestDep) -> Response:
    """What prints a figure of a list that no address holds; how many lists one place may send is limited."""
    tries_key = f"workbench:{request.client_address}"
    await request.site.db.write(throttle.count_try, tries_key, throttle.WORKBENCH_LIMIT, request.now)
    return await show_reconciliation(request, request.form.texts_by_field)


async def show_reconciliation(request: CallerRequest, address_fields: AddressFields) -> Response:
    """The page, or the part of it that htmx asks for; computed off the loop: lists can be long."""
    learner_id = await request.read(learners.find_learner_id)
    view = await request.site.off_loop.run(reconcile_view, address_fields)
    status = 200
    if view["faults"]:
        status = 422
    if request.wants_fragment:
        html = request.site.render("workbench/_reconcile.html", reconcile=view)
        return HTMLResponse(html, status, dict(NOT_FOR_CRAWLERS))
    response = request.page(
        "workbench/reconcile",
        is_signed_in=learner_id is not None,
        status=status,
        page="reconcile",
        title="对账",
        reconcile=view,
    )
    response.headers.update(NOT_FOR_CRAWLERS)
    return response
