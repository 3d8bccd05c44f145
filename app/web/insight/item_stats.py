"""题目分析: how questions behaved, from first answers alone, always with how sure one may be."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight.item_stats import load_item_stats
from app.web.classes.classrooms import Id
from app.web.insight.item_stat_views import MOST, item_rows
from app.web.site.course_sources import courses_of
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.picking import picked
from app.web.site.responses import page

router = APIRouter()


@router.get("/classrooms/{classroom_id}/items")
async def show(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """The questions of an assignment, or all that the class has met; with `?all=yes` every row."""
    stats = await site.db.read(load_item_stats, caller, classroom_id, picked(request))
    items = {*stats.reports, *(first.item for first in stats.firsts)}
    rows = item_rows(await courses_of(site, items), stats)
    most = MOST
    if request.query_params.get("all") == "yes":
        most = len(rows)
    return page(
        request,
        "insight/item_stats",
        known=True,
        page="class",
        title=f"题目：{stats.row.name}",
        stats=stats,
        row=stats.row,
        item_rows=rows[:most],
        left=len(rows[most:]),
    )
