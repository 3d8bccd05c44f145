"""这题有问题: what learners report of an item."""

import re

from starlette.responses import Response

from app.records.accounts import throttle
from app.records.db.errors import Refused
from app.records.items import problem_reports
from app.web.authoring import own_lessons
from app.web.items.answer_contexts import known_item_id
from app.web.site.requests import CallerRequest, RequestDep
from app.web.site.routing import LazyRouter

router = LazyRouter()
LONGEST_REPORT_TEXT = 2000
THANKS_SUFFIX = "-reported"
"""Behind the id of an item: the thanks on its page, for those without a script."""
EMPTY_REPORT_SENTENCE = "还没写哪里不对：写一句，我们才知道看哪里。"


@router.post("/reports")
async def post_report(request: RequestDep) -> Response:
    """Keep what somebody says of an item; `python -m app reports` lists it. How many one place may send is
    limited: it needs no account."""
    form = request.form
    report_text = form.text("text").strip()[:LONGEST_REPORT_TEXT]
    if not report_text:
        raise Refused(EMPTY_REPORT_SENTENCE)
    tries_key = f"report:{request.client_address}"
    await request.site.db.write(throttle.count_try, tries_key, throttle.REPORT_LIMIT, request.now)
    if form.text("assignment"):
        assignment_id, item_ref = form.id("assignment"), form.text("item")
        await request.write(
            problem_reports.report_question, assignment_id, item_ref, report_text, request.now
        )
    else:
        await keep_report(request, report_text)
    if request.wants_fragment:
        return request.fragment(request.site.render("items/_reported.html"))
    return request.redirect(form.next_path("/"))


async def keep_report(request: CallerRequest, report_text: str) -> None:
    """A report of an item: of the course, or of what a teacher wrote, where the page is below that."""
    form, course = request.form, request.course
    if own_path_match := re.match("/own/([^/]+)/", form.next_path("/")):
        own_site = await own_lessons.open_own_site(request.http, own_path_match[1])
        course = own_site.site.course
    item_ref = course.ref(known_item_id(course, form.text("item")))
    page_address = form.next_path("/").removesuffix(THANKS_SUFFIX)[:200]
    await request.write(problem_reports.keep_report, item_ref, report_text, page_address, request.now)
