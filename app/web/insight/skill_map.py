"""知识点地图 of a class."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight import class_pages
from app.web.classes.classrooms import Id
from app.web.insight.skill_map_views import next_point, stages
from app.web.site.requests import caller_of
from app.web.site.responses import page
from app.web.site.site import site_of

router = APIRouter()


@router.get("/classrooms/{classroom_id}/map")
async def show(request: Request, classroom_id: Id) -> Response:
    """Every point with the share of the class that holds it."""
    site = site_of(request)
    look = await site.db.read(class_pages.load_class, caller_of(request), classroom_id)
    found = stages(site.course, look)
    return page(
        request,
        "insight/skill_map",
        known=True,
        page="class",
        title=f"知识点：{look.row.name}",
        row=look.row,
        stages=found,
        next=next_point(found),
        students=len(look.students),
    )
