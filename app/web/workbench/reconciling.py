"""对账: what printed a figure elsewhere; a page of its own, and a part of the workbench for htmx.

Nothing is recorded: what is posted stands in the address afterwards. How many lists that no address holds one
place may send is limited.
"""

from starlette.responses import HTMLResponse, Response

from app.course.workbench.state import fields_of_state, read_state
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.responses import NOT_FOR_CRAWLERS
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule
from app.web.workbench.links import RECONCILE_PATH, short_reconcile_url
from app.web.workbench.reconciling_views import ReconcileView, reconcile_view
from app.web.workbench.workbench_requests import (
    MOST_LIST_BYTES,
    count_long_list,
    fields_of_address,
    workbench_page,
)

router = LazyRouter()
BODY_LIMIT_RULE_BY_PATH_PATTERN = {RECONCILE_PATH: BodyLimitRule(MOST_LIST_BYTES)}


@router.get(RECONCILE_PATH)
async def show(request: RequestDep) -> Response:
    """The list and the figure of the address, and what prints it."""
    view_of_result = await request.site.off_loop.run(reconcile_view, fields_of_address(request.http))
    return await reconciliation_page(request, view_of_result)


@router.post(RECONCILE_PATH)
async def reconcile_list(request: RequestDep) -> Response:
    """A figure and the list that it was printed for: to their address if they have one; else what prints it
    is shown at once."""
    off_loop, texts_by_field = request.site.off_loop, request.form.texts_by_field
    list_url = await off_loop.run(url_of_posted_fields, request.form)
    if list_url and not request.wants_fragment:
        return request.redirect(f"{list_url}#reconciled")
    if list_url is None:
        await count_long_list(request)
    view_of_result = await off_loop.run(reconcile_view, texts_by_field, list_url is None)
    http_response = await reconciliation_page(request, view_of_result)
    if list_url:
        http_response.headers["HX-Push-Url"] = list_url
    return http_response


def url_of_posted_fields(form: PostedForm) -> str | None:
    """The page of a form that was sent: of its list as it was read, or as it was typed where something in it
    cannot be read. None where no address holds it."""
    state_reading = read_state(form.texts_by_field)
    name_text_pairs = form.fields
    if state_reading.is_whole:
        name_text_pairs = fields_of_state(state_reading.state)
        for field_name in ("printed", "again"):
            name_text_pairs += [(field_name, figure_text) for figure_text in form.texts(field_name)]
    return short_reconcile_url(name_text_pairs)


async def reconciliation_page(request: CallerRequest, view_of_result: ReconcileView) -> Response:
    """The page, or the part of it that htmx asks for."""
    status = 200
    if view_of_result.fault_by_field:
        status = 422
    if request.wants_fragment:
        reconcile_html = request.site.render("workbench/_reconcile.html", reconcile=view_of_result)
        return HTMLResponse(reconcile_html, status, dict(NOT_FOR_CRAWLERS))
    return await workbench_page(
        request, "reconcile", status, page="reconcile", title="对账", reconcile=view_of_result
    )
