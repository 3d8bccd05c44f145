"""重新评分: one part of an assignment, after its item was corrected. Looked at first, then done."""

from collections.abc import Mapping
from typing import NamedTuple

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.records.grading import regrading
from app.records.grading.regrading import RegradePage, Way
from app.web.assignments.part_views import part_views
from app.web.classes.classrooms import Id
from app.web.site.course_sources import courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
HERE = "/classrooms/{classroom_id}/assignments/{assignment_id}/regrades"
WAYS: dict[Way, str] = {"again": "按今天的题重新判", "full": "这道题全员给满分", "back": "取消全员给分"}


@router.get(HERE)
async def show(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    classroom_id: Id,
    assignment_id: Id,
    part: str = "",
    way: str = "again",
) -> Response:
    """The parts; with `?part=` and `?way=` what would change. Nothing is written."""
    part_id = row_id(part)
    if part_id is not None and way in WAYS:
        return await preview_page(request, site, caller, classroom_id, assignment_id, part_id, way_of(way))
    view = await site.db.read(regrading.load_regrade, caller, classroom_id, assignment_id)
    return regrade_page(request, await courses(site, assignment_id), view)


async def preview_page(
    request: Request,
    site: Site,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    part_id: int,
    way: Way,
    reason: str = "",
    error: str = "",
) -> Response:
    """What would change; `reason` and `error`: the regrading that was refused."""
    course_map = await courses(site, assignment_id)
    view = await site.db.read(
        regrading.preview, caller, classroom_id, assignment_id, part_id, way, course_map
    )
    return regrade_page(request, course_map, view, part_id, way, reason, error)


class RegradablePart(NamedTuple):
    """A part whose questions can be regraded: `第3题`, and what it asks."""

    id: int
    numbers: str
    title: Markup | str


def regrade_page(
    request: Request,
    course_map: Mapping[str, Course],
    view: RegradePage,
    part_id: int = 0,
    way: Way = "again",
    reason: str = "",
    error: str = "",
) -> Response:
    parts = [
        RegradablePart(part.part.id, f"第{part.numbers}题", part.stem or part.title)
        for part in part_views(course_map, view.parts)
        if part.asks
    ]
    return page(
        request,
        "grading/regrading",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"重新评分：{view.assignment.title}",
        view=view,
        parts=parts,
        preview=next((part for part in parts if part.id == part_id), None),
        way=way,
        ways=WAYS,
        reason=reason,
        error=error,
    )


@router.post(HERE)
async def regrade(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Do what the preview showed."""
    part_id = next(iter(form.ids("part")), 0)
    way = way_of(form.one("way"))
    reason = form.one("reason")
    try:
        await site.db.write(
            regrading.regrade,
            caller,
            classroom_id,
            assignment_id,
            part_id,
            way,
            reason,
            form.one("digest"),
            await courses(site, assignment_id),
            now,
        )
    except Refused as error:
        return await preview_page(
            request, site, caller, classroom_id, assignment_id, part_id, way, reason, str(error)
        )
    return see(request, f"/classrooms/{classroom_id}/audit")


def way_of(text: str) -> Way:
    """The way of regrading in a form; NotFound for a text that is none."""
    for way in WAYS:
        if way == text:
            return way
    raise NotFound("没有这种评分的办法。")
