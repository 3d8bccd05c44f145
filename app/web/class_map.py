"""知识点地图 of a class."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import class_pages
from app.web.asking import who
from app.web.classrooms import Id
from app.web.pages import page
from app.web.site import site_of
from app.web.views.class_map import next_point, stages

router = APIRouter()


@router.get("/classrooms/{classroom_id}/map")
async def show(request: Request, classroom_id: Id) -> Response:
    """Every point with the share of the class that holds it."""
    site = site_of(request)
    look = await site.db.read(class_pages.look, who(request), classroom_id)
    found = stages(site.course, look)
    return page(
        request,
        "map_of_class",
        known=True,
        page="class",
        title=f"知识点：{look.row.name}",
        row=look.row,
        stages=found,
        next=next_point(found),
        students=len(look.students),
    )
