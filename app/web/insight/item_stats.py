"""题目分析: how questions behaved, from first answers alone, always with how sure one may be."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight import item_stats
from app.web.classes.classrooms import Id
from app.web.insight.item_stat_views import MOST, rows
from app.web.site.course_sources import courses_of
from app.web.site.picking import picked
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/classrooms/{classroom_id}/items")
async def show(request: Request, classroom_id: Id) -> Response:
    """The questions of an assignment, or all that the class has met."""
    site = site_of(request)
    look = await site.db.read(item_stats.load_item_stats, caller_of(request), classroom_id, picked(request))
    found = rows(await courses_of(site, {*look.reports, *(one.item for one in look.firsts)}), look)
    whole = request.query_params.get("all") == "yes"
    return page(
        request,
        "insight/item_stats",
        known=True,
        page="class",
        title=f"题目：{look.row.name}",
        look=look,
        row=look.row,
        found=found if whole else found[:MOST],
        left=0 if whole else max(0, len(found) - MOST),
    )
