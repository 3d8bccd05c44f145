"""讲评: one question of an assignment on the projector, next to it what the class answered first."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight.discussions import load_discussion
from app.web.classes.classrooms import Id
from app.web.insight.discussion_views import discussion
from app.web.site.course_sources import courses_of
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.picking import picked
from app.web.site.responses import page

router = APIRouter()


@router.get("/classrooms/{classroom_id}/assignments/{assignment_id}/review")
async def show(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, assignment_id: Id
) -> Response:
    """`?question=3` is the third one; `&shown=1` adds the answer. Names are never there."""
    number = picked(request, "question") or 1
    data = await site.db.read(load_discussion, caller, classroom_id, assignment_id, number)
    view = None
    if data.questions:
        view = discussion(await courses_of(site, [data.question.item]), data)
    return page(
        request,
        "insight/discussion",
        known=True,
        page="discussion",
        title=f"讲评：{data.task.title}",
        data=data,
        row=data.row,
        view=view,
        answer_shown=request.query_params.get("shown") == "1",
    )
