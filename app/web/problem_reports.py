"""这题有问题: what learners report of an item."""

import re
from datetime import datetime

from fastapi import Request
from starlette.responses import Response

from app.records.accounts import throttle
from app.records.accounts.values import Caller
from app.records.db.errors import Refused
from app.records.items import problem_reports
from app.web.answers import known_item_id
from app.web.authoring import own_lessons
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import CallerDep, FormDep, NowDep, SiteDep, client_address
from app.web.site.responses import fragment, redirect, wants_fragment
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

router = LazyRouter()
LONGEST_REPORT_TEXT = 2000
THANKS_SUFFIX = "-reported"
"""Behind the id of an item: the thanks on its page, for those without a script."""
EMPTY_REPORT_WORDS = "还没写哪里不对：写一句，我们才知道看哪里。"


@router.post("/reports")
async def post_report(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: NowDep
) -> Response:
    """Keep what somebody says of an item; `python -m app reports` lists it. How many one place may send is
    limited: it needs no account."""
    report_text = form.text("text").strip()[:LONGEST_REPORT_TEXT]
    if not report_text:
        raise Refused(EMPTY_REPORT_WORDS)
    tries_key = f"report:{client_address(http)}"
    await site.db.write(throttle.count_try, tries_key, throttle.REPORT_LIMIT, now)
    if form.text("assignment"):
        assignment_id = form.id("assignment")
        item_ref = form.text("item")
        await site.db.write(
            problem_reports.report_question, caller, assignment_id, item_ref, report_text, now
        )
    else:
        if own_match := re.match("/own/([^/]+)/", form.next_path("/")):
            _, site = await own_lessons.open_site(http, own_match[1])
        await file_report(site, caller, form, report_text, now)
    if wants_fragment(http):
        return fragment(http, site.render("items/_reported.html"))
    return redirect(http, form.next_path("/"))


async def file_report(site: Site, caller: Caller, form: PostedForm, report_text: str, now: datetime) -> None:
    """A report of an item: of the course, or of what a teacher wrote, where the page is below that."""
    item_ref = site.course.ref(known_item_id(site.course, form.text("item")))
    page_address = form.next_path("/").removesuffix(THANKS_SUFFIX)[:200]
    await site.db.write(problem_reports.file_report, caller, item_ref, report_text, page_address, now)
