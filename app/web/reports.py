"""这题有问题: what learners report of an item."""

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records import reports
from app.web import own_lessons
from app.web.asking import read_form, who
from app.web.attempts import find_item
from app.web.pages import fragment, see, wants_fragment
from app.web.site import now, site_of

router = APIRouter()
LONGEST = 2000


@router.post("/reports")
async def report(request: Request) -> Response:
    """Keep what somebody says of an item; `python -m app reports` lists it."""
    site = site_of(request)
    form = await read_form(request)
    path = form.next("/")
    if name := re.match("/own/([^/]+)/", path):
        await own_lessons.enter(request, name[1])
        site = site_of(request)
    item_id = find_item(site.course, form.one("item"))
    text = form.one("text").strip()[:LONGEST]
    if text:
        await site.db.write(reports.file, who(request), site.course.ref(item_id), text, path[:200], now())
    if wants_fragment(request):
        return fragment(request, site.render("items/_reported.html"))
    return see(request, path)
