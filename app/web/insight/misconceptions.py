"""误区分布: which mistakes a class makes; and practice against one of them, for those who make it."""

import asyncio
import secrets
from dataclasses import dataclass
from datetime import datetime, timedelta

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts.values import Caller
from app.records.db.errors import Refused
from app.records.db.row_ids import row_id
from app.records.insight import suggested_drafts
from app.records.insight.misconceptions import BEGINNING, ClassMisconceptions, load_misconceptions
from app.web.classes.classrooms import Id
from app.web.insight.misconception_views import parts_against, step_views, title_of_draft
from app.web.site.course_sources import courses_of
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.site import Site, site_of

router = APIRouter()
SEEDS = 2**31
RECENT = timedelta(days=14)


@dataclass(frozen=True)
class Scope:
    """What an address asks about: one assignment, `all` that the class ever did, else the last two weeks."""

    text: str

    @property
    def assignment_id(self) -> int | None:
        return row_id(self.text)

    @property
    def is_recent(self) -> bool:
        return self.assignment_id is None and self.text != "all"

    def since(self, now: datetime) -> datetime:
        if self.is_recent:
            return now - RECENT
        return BEGINNING


@router.get("/classrooms/{classroom_id}/mistakes")
async def show(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id, assignment: str = ""
) -> Response:
    """By step of the formula: who, how often, and an answer that shows it."""
    scope = Scope(assignment)
    data = await load_scope(site, caller, classroom_id, scope, now)
    return await mistakes_page(request, data, scope)


async def load_scope(
    site: Site, caller: Caller, classroom_id: int, scope: Scope, now: datetime
) -> ClassMisconceptions:
    since = scope.since(now)
    return await site.db.read(load_misconceptions, caller, classroom_id, scope.assignment_id, since)


async def mistakes_page(
    request: Request, data: ClassMisconceptions, scope: Scope, error: str = "", status: int = 200
) -> Response:
    site = site_of(request)
    items = [mistake.example.item for mistake in data.mistakes if mistake.example]
    courses = await courses_of(site, items)
    steps = await asyncio.to_thread(step_views, site.course, courses, data)  # exercises are tried out, once
    return page(
        request,
        "insight/misconceptions",
        known=True,
        status=status,
        page="class",
        title=f"误区：{data.row.name}",
        data=data,
        row=data.row,
        steps=steps,
        scope=scope,
        error=error,
    )


@router.post("/classrooms/{classroom_id}/remedies")
async def suggest_draft(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """A draft of practice that shows this very mistake, for exactly those who make it."""
    code = form.one("mistake")
    scope = Scope(form.one("assignment"))
    data = await load_scope(site, caller, classroom_id, scope, now)
    exercises: list[tuple[str, int]] = []
    for mistake in data.mistakes:
        if mistake.code == code:
            exercises = await asyncio.to_thread(parts_against, site.course, mistake)
    try:
        draft_id = await site.db.write(
            suggested_drafts.against,
            caller,
            classroom_id,
            code,
            title_of_draft(code),
            exercises,
            scope.assignment_id,
            scope.since(now),
            secrets.randbelow(SEEDS),
            now,
        )
    except Refused as error:
        return await mistakes_page(request, data, scope, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/assignments/{draft_id}")
