"""改动记录: what was done to marks and times in a class, for its teacher to read."""

from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.assignments import audit
from app.records.db.row_ids import row_id
from app.web.classes.classrooms import Id
from app.web.grading.audit_views import lines
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/classrooms/{classroom_id}/audit")
async def show(request: Request, classroom_id: Id) -> Response:
    """The latest first, a hundred on a page; `?before=` has the older ones."""
    site, before = site_of(request), row_id(request.query_params.get("before", ""))
    look = await site.db.read(audit.load_audit, caller_of(request), classroom_id, before)
    return page(
        request,
        "grading/audit",
        known=True,
        page="class",
        title=f"{look.row.name}的改动记录",
        row=look.row,
        look=look,
        lines=lines(look, ZoneInfo(site.settings.time_zone)),
        before=before,
    )
