"""知识点地图 of a class."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.insight.class_pages import load_class
from app.web.classes.classrooms import Id
from app.web.insight.skill_map_views import next_skill, stage_rows
from app.web.site.dependencies import CallerDep, SiteDep
from app.web.site.responses import page

router = APIRouter()


@router.get("/classrooms/{classroom_id}/map")
async def show(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """Every skill with the share of the class that holds it."""
    data = await site.db.read(load_class, caller, classroom_id)
    stages = stage_rows(site.course, data)
    return page(
        request,
        "insight/skill_map",
        known=True,
        page="class",
        title=f"知识点：{data.row.name}",
        row=data.row,
        stages=stages,
        next=next_skill(stages),
        students=len(data.students),
    )
