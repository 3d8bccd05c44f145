"""题目分析: how questions behaved, from first answers alone, always with how sure one may be."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import class_items
from app.web.asking import who
from app.web.classrooms import Id
from app.web.item_homes import courses_of
from app.web.pages import page
from app.web.picking import picked
from app.web.site import site_of
from app.web.views.class_items import MOST, rows

router = APIRouter()


@router.get("/classrooms/{classroom_id}/items")
async def show(request: Request, classroom_id: Id) -> Response:
    """The questions of an assignment, or all that the class has met."""
    site = site_of(request)
    look = await site.db.read(class_items.look, who(request), classroom_id, picked(request))
    found = rows(await courses_of(site, {*look.reports, *(one.item for one in look.firsts)}), look)
    whole = request.query_params.get("all") == "yes"
    return page(
        request,
        "items_of_class",
        known=True,
        page="class",
        title=f"题目：{look.row.name}",
        look=look,
        row=look.row,
        found=found if whole else found[:MOST],
        left=0 if whole else max(0, len(found) - MOST),
    )
