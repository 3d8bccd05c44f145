"""误区分布: which mistakes a class makes; and practice against one of them, for those who make it."""

import secrets
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.named_mistakes import named
from app.records import class_mistakes, remedies
from app.records.errors import Refused
from app.web.asking import read_form, who
from app.web.classrooms import Id
from app.web.item_homes import courses_of
from app.web.pages import page, see
from app.web.picking import picked
from app.web.site import now, site_of
from app.web.views.class_mistakes import parts, steps

router = APIRouter()
CLASS = "/classrooms/{classroom_id}"
SEEDS = 2**31


@router.get(CLASS + "/mistakes")
async def show(request: Request, classroom_id: Id) -> Response:
    """By step of the formula: who, how often, and an answer that shows it."""
    return await mistakes_page(request, classroom_id, picked(request))


async def mistakes_page(
    request: Request, classroom_id: int, assignment: int | None, error: str = "", status: int = 200
) -> Response:
    site = site_of(request)
    look = await site.db.read(class_mistakes.look, who(request), classroom_id, assignment)
    courses = await courses_of(site, (one.example.item for one in look.mistakes if one.example))
    context: dict[str, Any] = {"look": look, "row": look.row, "steps": steps(site.course, courses, look)}
    title = f"误区：{look.row.name}"
    return page(
        request,
        "mistakes_of_class",
        known=True,
        status=status,
        page="class",
        title=title,
        error=error,
        **context,
    )


@router.post(CLASS + "/remedies")
async def remedy(request: Request, classroom_id: Id) -> Response:
    """A draft of practice that shows this very mistake, for exactly those who make it."""
    site, form = site_of(request), await read_form(request)
    code, assignment = form.one("mistake"), next(iter(form.ids("assignment")), None)
    look = await site.db.read(class_mistakes.look, who(request), classroom_id, assignment)
    one = next((one for one in look.mistakes if one.code == code), None)
    exercises = parts(site.course, one) if one else []
    title = f"针对练习：{named(code).name}"[:60]
    try:
        made = await site.db.write(
            remedies.against,
            who(request),
            classroom_id,
            code,
            title,
            exercises,
            assignment,
            secrets.randbelow(SEEDS),
            now(),
        )
    except Refused as error:
        return await mistakes_page(request, classroom_id, assignment, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/assignments/{made}")
