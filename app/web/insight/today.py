"""今天: a class while it works, on one screen."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.records.db.errors import NotFound
from app.records.insight import today as today_records
from app.records.insight.today import TodayData
from app.web.classes.classrooms import Id
from app.web.insight.today_views import today
from app.web.site.clock import now
from app.web.site.picking import picked
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import Site, site_of

router = APIRouter()
HERE = "/classrooms/{classroom_id}/today"


@router.get(HERE)
async def show(request: Request, classroom_id: Id) -> Response:
    """Who has not begun, who is stuck, what is due."""
    look, context = await looked(request, classroom_id)
    return page(request, "insight/today", known=True, page="class", title=f"今天：{look.row.name}", **context)


@router.get(HERE + "/live")
async def live(request: Request, classroom_id: Id) -> Response:
    """The same again, without the page around it: asked for while it can be seen.

    Whoever was signed out elsewhere finds one line in its place, and is asked for nothing any more.
    """
    try:
        _, context = await looked(request, classroom_id)
    except NotFound:
        return HTMLResponse(site_of(request).render("insight/_today_over.html"), 404)
    return HTMLResponse(site_of(request).render("insight/_today.html", **context))


async def looked(request: Request, classroom_id: int) -> tuple[TodayData, dict[str, Any]]:
    site, moment = site_of(request), now()
    look = await site.db.read(today_records.load_today, caller_of(request), classroom_id, moment)
    return look, context_of(site, look, picked(request), moment)


def context_of(site: Site, look: TodayData, chosen: int | None, moment: datetime) -> dict[str, Any]:
    here = moment.astimezone(ZoneInfo(site.settings.time_zone))
    return {"row": look.row, "view": today(site.course, look, chosen, here)}
