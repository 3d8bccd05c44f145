"""这题有问题: what learners report of an item."""

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.db.errors import Refused
from app.records.items import problem_reports
from app.web.answers import find_item
from app.web.authoring import own_lessons
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import fragment, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
LONGEST = 2000
EMPTY = "还没写哪里不对：写一句，我们才知道看哪里。"


@router.post("/reports")
async def report(request: Request) -> Response:
    """Keep what somebody says of an item; `python -m app reports` lists it."""
    site = site_of(request)
    form = await read_form(request)
    path, text = form.next("/"), form.one("text").strip()[:LONGEST]
    if not text:
        raise Refused(EMPTY)
    if form.one("assignment"):
        which = next(iter(form.ids("assignment")), 0)
        await site.db.write(
            problem_reports.file_question, caller_of(request), which, form.one("item"), text, now()
        )
    else:
        await file(request, form, path, text)
    if wants_fragment(request):
        return fragment(request, site.render("items/_reported.html"))
    return see(request, path)


async def file(request: Request, form: PostedForm, path: str, text: str) -> None:
    """A report of an item of the course, or of what a teacher wrote, where the page is below that."""
    if name := re.match("/own/([^/]+)/", path):
        await own_lessons.enter(request, name[1])
    site = site_of(request)
    item = site.course.ref(find_item(site.course, form.one("item")))
    await site.db.write(problem_reports.file, caller_of(request), item, text, path[:200], now())
