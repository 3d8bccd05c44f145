"""对账: what printed a figure elsewhere; a page of its own, and a part of the workbench for htmx.

Everything stands in the address and nothing is recorded. A list that is too long for an address is posted.
"""

from starlette.responses import HTMLResponse, Response

from app.course.text.typed import AddressFields
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRouter
from app.web.workbench.links import RECONCILE_PATH
from app.web.workbench.reconciling_views import reconcile_view
from app.web.workbench.workbench_requests import (
    MOST_LIST_BYTES,
    count_long_list,
    fields_of_address,
    workbench_page,
)

router = LazyRouter()
BODY_LIMIT_BY_PATH = {RECONCILE_PATH: MOST_LIST_BYTES}


@router.get(RECONCILE_PATH)
async def show(request: RequestDep) -> Response:
    """The list and the figure of the address, and what prints it."""
    return await show_reconciliation(request, fields_of_address(request.http))


@router.post(RECONCILE_PATH)
async def show_long_list(request: RequestDep) -> Response:
    """What prints a figure of a list that no address holds."""
    await count_long_list(request)
    return await show_reconciliation(request, request.form.texts_by_field)


async def show_reconciliation(request: CallerRequest, address_fields: AddressFields) -> Response:
    """The page, or the part of it that htmx asks for; computed off the loop: lists can be long."""
    view = await request.site.off_loop.run(reconcile_view, address_fields)
    status = 200
    if view.fault_by_field:
        status = 422
    if request.wants_fragment:
        reconcile_html = request.site.render("workbench/_reconcile.html", reconcile=view)
        return HTMLResponse(reconcile_html, status, dict(NOT_FOR_CRAWLERS))
    return await workbench_page(request, "reconcile", status, page="reconcile", title="对账", reconcile=view)
