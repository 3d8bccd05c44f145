"""改动记录: what was done to marks and times in a class, for its teacher to read."""

from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import audit
from app.records.row_ids import row_id
from app.web.asking import who
from app.web.classrooms import Id
from app.web.pages import page
from app.web.site import site_of
from app.web.views.audit import lines

router = APIRouter()


@router.get("/classrooms/{classroom_id}/audit")
async def show(request: Request, classroom_id: Id) -> Response:
    """The latest first, a hundred on a page; `?before=` has the older ones."""
    site, before = site_of(request), row_id(request.query_params.get("before", ""))
    look = await site.db.read(audit.look, who(request), classroom_id, before)
    return page(
        request,
        "audit",
        known=True,
        page="class",
        title=f"{look.row.name}的改动记录",
        row=look.row,
        look=look,
        lines=lines(look, ZoneInfo(site.settings.time_zone)),
        before=before,
    )
