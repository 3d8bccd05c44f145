"""今天: a class while it works, on one screen."""

from datetime import datetime
from typing import Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Request
from starlette.responses import HTMLResponse, Response

from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.insight.today import load_today
from app.web.classes.classrooms import Id
from app.web.insight.today_views import today_view
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.picking import picked
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()
TODAY = "/classrooms/{classroom_id}/today"


@router.get(TODAY)
async def show(request: Request, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """Who has not begun, who is stuck, what is due."""
    context = await today_context(request, caller, now, classroom_id)
    title = f"今天：{context['row'].name}"
    return page(request, "insight/today", known=True, page="class", title=title, **context)


@router.get(TODAY + "/live")
async def live(request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """The part of the page that changes, asked for as long as the page can be seen.

    Whoever was signed out elsewhere gets one line in its place, which asks for nothing any more.
    """
    try:
        context = await today_context(request, caller, now, classroom_id)
    except NotFound:
        return HTMLResponse(site.render("insight/_today_over.html"), 404)
    return HTMLResponse(site.render("insight/_today.html", **context))


async def today_context(request: Request, caller: Caller, now: datetime, classroom_id: int) -> dict[str, Any]:
    site = site_of(request)
    data = await site.db.read(load_today, caller, classroom_id, now)
    local_now = now.astimezone(ZoneInfo(site.settings.time_zone))
    return {"row": data.row, "view": today_view(site.course, data, picked(request), local_now)}
