"""这题有问题: what learners report of an item."""

import re

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.db.errors import Refused
from app.records.items import problem_reports
from app.web.answers import find_item
from app.web.authoring import own_lessons
from app.web.site.dependencies import CallerDep, FormDep, Now
from app.web.site.responses import fragment, see, wants_fragment
from app.web.site.site import site_of

router = APIRouter()
LONGEST = 2000
EMPTY = "还没写哪里不对：写一句，我们才知道看哪里。"


@router.post("/reports")
async def report(request: Request, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Keep what somebody says of an item; `python -m app reports` lists it."""
    path = form.next("/")
    item = form.one("item")
    text = form.one("text").strip()[:LONGEST]
    if not text:
        raise Refused(EMPTY)
    own = re.match("/own/([^/]+)/", path)
    if own and not form.one("assignment"):  # from here on the site has the teacher's content on its shelf
        await own_lessons.enter(request, own[1])
    site = site_of(request)
    if form.one("assignment"):
        assignment_id = next(iter(form.ids("assignment")), 0)
        await site.db.write(problem_reports.file_question, caller, assignment_id, item, text, now)
    else:
        ref = site.course.ref(find_item(site.course, item))
        await site.db.write(problem_reports.file, caller, ref, text, path[:200], now)
    if wants_fragment(request):
        return fragment(request, site.render("items/_reported.html"))
    return see(request, path)
