"""误区分布: which mistakes a class makes; and practice against one of them, for those who make it."""

import asyncio
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.db.errors import Refused
from app.records.db.row_ids import row_id
from app.records.insight import misconceptions, suggested_drafts
from app.records.insight.misconceptions import BEGINNING
from app.web.classes.classrooms import Id
from app.web.insight.misconception_views import parts, steps, title_of
from app.web.site.clock import now
from app.web.site.course_sources import courses_of
from app.web.site.requests import caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
CLASS = "/classrooms/{classroom_id}"
SEEDS = 2**31
RECENT = timedelta(days=14)


@router.get(CLASS + "/mistakes")
async def show(request: Request, classroom_id: Id) -> Response:
    """By step of the formula: who, how often, and an answer that shows it."""
    return await mistakes_page(request, classroom_id, Scope(request.query_params.get("assignment", "")))


@dataclass(frozen=True)
class Scope:
    """What an address asks about: one assignment, `all` that the class ever did, else the last two weeks."""

    text: str

    @property
    def assignment(self) -> int | None:
        return row_id(self.text)

    @property
    def is_recent(self) -> bool:
        return self.assignment is None and self.text != "all"

    def since(self, at: datetime) -> datetime:
        return at - RECENT if self.is_recent else BEGINNING


async def mistakes_page(
    request: Request, classroom_id: int, scope: Scope, error: str = "", status: int = 200
) -> Response:
    site, since = site_of(request), scope.since(now())
    look = await site.db.read(
        misconceptions.load_misconceptions, caller_of(request), classroom_id, scope.assignment, since
    )
    courses = await courses_of(site, (one.example.item for one in look.mistakes if one.example))
    found = await asyncio.to_thread(steps, site.course, courses, look)  # exercises are tried out, once
    context: dict[str, Any] = {"look": look, "row": look.row, "steps": found, "scope": scope}
    title = f"误区：{look.row.name}"
    return page(
        request,
        "insight/misconceptions",
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
    code, scope, at = form.one("mistake"), Scope(form.one("assignment")), now()
    where = (scope.assignment, scope.since(at))
    look = await site.db.read(misconceptions.load_misconceptions, caller_of(request), classroom_id, *where)
    one = next((one for one in look.mistakes if one.code == code), None)
    exercises = await asyncio.to_thread(parts, site.course, one) if one else []
    try:
        made = await site.db.write(
            suggested_drafts.against,
            caller_of(request),
            classroom_id,
            code,
            title_of(code),
            exercises,
            *where,
            secrets.randbelow(SEEDS),
            at,
        )
    except Refused as error:
        return await mistakes_page(request, classroom_id, scope, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/assignments/{made}")
