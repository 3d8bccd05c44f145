"""重新评分: one part of an assignment, after its item was corrected. Looked at first, then done."""

from typing import get_args

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.records.grading import regrading
from app.records.grading.regrading import RegradePage, Way
from app.web.assignments.part_views import described
from app.web.classes.classrooms import Id
from app.web.site.clock import now
from app.web.site.course_sources import courses
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
HERE = "/classrooms/{classroom_id}/assignments/{assignment_id}/regrades"
WAYS = {"again": "按今天的题重新判", "full": "这道题全员给满分", "back": "取消全员给分"}


@router.get(HERE)
async def show(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """The parts; with `?part=` and `?way=`, or `?question=`, what would change. Nothing is written."""
    query = request.query_params
    part, way = row_id(query.get("part", "")), query.get("way", "again")
    if part is not None and way in WAYS:
        return await preview_page(request, (classroom_id, assignment_id), part, known_way(way))
    look = await site_of(request).db.read(
        regrading.load_regrade, caller_of(request), classroom_id, assignment_id
    )
    return await shown(request, look)


async def preview_page(
    request: Request,
    where: tuple[int, int],
    part: int,
    way: Way,
    form: PostedForm | None = None,
    error: str = "",
) -> Response:
    site = site_of(request)
    look = await site.db.read(
        regrading.preview, caller_of(request), *where, part, way, await courses(site, where[1])
    )
    return await shown(request, look, part, way, form.one("reason") if form else "", error)


async def shown(
    request: Request,
    look: RegradePage,
    part_id: int = 0,
    way: Way = "again",
    reason: str = "",
    error: str = "",
) -> Response:
    known = await courses(site_of(request), look.assignment.id)
    parts = [
        (one.part, f"第{one.numbers}题", one.stem or one.title)
        for one in described(known, look.parts)
        if one.asks
    ]
    return page(
        request,
        "grading/regrading",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"重新评分：{look.assignment.title}",
        look=look,
        parts=parts,
        chosen=next((each for each in parts if each[0].id == part_id), None),
        way=way,
        ways=WAYS,
        reason=reason,
        error=error,
    )


@router.post(HERE)
async def regrade(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Do what the preview showed."""
    site, form, where = site_of(request), await read_form(request), (classroom_id, assignment_id)
    part, way = next(iter(form.ids("part")), 0), known_way(form.one("way"))
    known, reason, digest = await courses(site, assignment_id), form.one("reason"), form.one("digest")
    try:
        await site.db.write(
            regrading.regrade, caller_of(request), *where, part, way, reason, digest, known, now()
        )
    except Refused as error:
        return await preview_page(request, where, part, way, form, str(error))
    return see(request, f"/classrooms/{classroom_id}/audit")


def known_way(text: str) -> Way:
    found: Way | None = next((one for one in get_args(Way) if one == text), None)
    if found is None:
        raise NotFound("没有这种评分的办法。")
    return found
