"""今天: a class while it works, on one screen."""

from collections.abc import Awaitable, Callable
from zoneinfo import ZoneInfo

from starlette.responses import HTMLResponse, Response

from app.records.db.errors import NotFound
from app.records.insight.today import TodayData, load_today
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.insight.today_views import states_context, student_count_by_misconception_name
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter

router = LazyRouter()
TODAY_ADDRESS = "/classrooms/{classroom_id}/today"

LoadToday = Callable[..., Awaitable[TodayData]]
"""A way to read: of this moment, or of some seconds ago where the page asks again anyway."""


@router.get(TODAY_ADDRESS)
async def show(request: ClassDep) -> Response:
    """Who has not begun, who is stuck, what is due."""
    context = await today_context(request, request.site.db.read)
    return request.page("insight/today", title=f"今天：{context['classroom'].name}", **context)


@router.get(TODAY_ADDRESS + "/live")
async def show_live_part(request: ClassDep) -> Response:
    """The part of the page that changes, asked for as long as the page can be seen.

    Whoever was signed out elsewhere gets one line in its place, which asks for nothing any more.
    """
    site = request.site
    try:
        context = await today_context(request, site.db.read_late)
    except NotFound:
        return HTMLResponse(site.render("insight/_today_over.html"), 404)
    return HTMLResponse(site.render("insight/_today.html", **context))


async def today_context(request: ClassRequest, read: LoadToday) -> Context:
    """What both show, by the clock of the place."""
    local_now = request.now.astimezone(ZoneInfo(request.site.settings.time_zone))
    group_id = request.query_number("group")
    today_data = await read(load_today, request.caller, request.classroom_id, local_now, group_id)
    context = states_context(request.course, today_data, request.query_number("assignment"))
    return {
        "classroom": today_data.classroom,
        "today": today_data,
        "hides_names": request.query.get("names") == "no",
        "student_count_by_misconception_name": student_count_by_misconception_name(context["chips_by_state"]),
        **context,
    }
