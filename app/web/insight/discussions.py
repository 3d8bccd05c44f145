"""讲评: one question of an assignment on the projector, next to it what the class answered first."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight import discussions
from app.web.classes.classrooms import Id
from app.web.insight.discussion_views import discussion
from app.web.site.course_sources import courses_of
from app.web.site.picking import picked
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/classrooms/{classroom_id}/assignments/{assignment_id}/review")
async def show(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """`?question=3` is the third one; `&shown=1` tells the answer. Names are never there."""
    site, number = site_of(request), picked(request, "question") or 1
    look = await site.db.read(
        discussions.load_discussion, caller_of(request), classroom_id, assignment_id, number
    )
    courses = await courses_of(site, [look.question.item] if look.questions else [])
    return page(
        request,
        "insight/discussion",
        known=True,
        page="discussion",
        title=f"讲评：{look.task.title}",
        look=look,
        row=look.row,
        view=discussion(courses, look) if look.questions else None,
        shown=request.query_params.get("shown") == "1",
    )
