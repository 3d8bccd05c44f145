"""改动记录: what was done to marks and times in a class, for its teacher to read."""

from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.assignments import audit
from app.records.db.row_ids import row_id
from app.web.classes.classrooms import Id
from app.web.grading.audit_views import lines
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get("/classrooms/{classroom_id}/audit")
async def show(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, before: str = ""
) -> Response:
    """The latest first, a hundred on a page; `?before=` has the older ones."""
    before_id = row_id(before)
    log = await site.db.read(audit.load_audit, caller, classroom_id, before_id)
    return page(
        request,
        "grading/audit",
        known=True,
        page="class",
        title=f"{log.row.name}的改动记录",
        row=log.row,
        older=log.older,
        lines=lines(log, ZoneInfo(site.settings.time_zone)),
        before=before_id,
    )
