"""我的作业, one question a page: answered, or saved until the attempt is handed in."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Unreadable
from app.course.items.kinds.steps import LEFT
from app.records.accounts.values import Caller
from app.records.assignments.values import AttemptWork
from app.records.db.errors import NotFound, Refused
from app.records.grading import submissions
from app.web.assignments.attempt_views import (
    StudentAttempt,
    question_url,
    render_asked,
    render_links,
    render_saved,
    student_attempt,
)
from app.web.assignments.question_views import is_unreadable
from app.web.assignments.student_pages import show_assignment
from app.web.classes.classrooms import Id
from app.web.site.course_sources import courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm, Typed, thinking, typed_in
from app.web.site.responses import fragment, page, see, wants_fragment
from app.web.site.site import Site

router = APIRouter()
HERE = "/assignments/{assignment_id}/questions/{number}"
LONGEST = 4000
NOT_BEGUN = "还没有开始：先按“开始做”。"


async def present_attempt(
    site: SiteDep, caller: CallerDep, now: Now, assignment_id: Id, number: Id
) -> StudentAttempt | None:
    """The attempt that is open, else the last one; None before the first. NotFound for a question that the
    assignment does not have."""
    work = await site.db.read(submissions.load_attempt, caller, assignment_id)
    if not isinstance(work, AttemptWork):
        return None
    attempt = student_attempt(work, await courses(site, assignment_id), now)
    if not 1 <= number <= len(attempt.links):
        raise NotFound(f"这份作业没有第{number}题。")
    return attempt


AttemptDep = Annotated[StudentAttempt | None, Depends(present_attempt)]


@router.get(HERE)
async def ask(
    request: Request, site: SiteDep, attempt: AttemptDep, assignment_id: Id, number: Id
) -> Response:
    """A question, with links to all of them. Once it is handed in, it is shown with the result."""
    if attempt and attempt.work.submission.handed_in_at:
        return see(request, f"{attempt.url}/passes/{attempt.number}#q{number}")
    if attempt is None or not attempt.work.given.live:
        return see(request, f"/assignments/{assignment_id}")
    return question_page(request, site, attempt, number, typed_in(request))


def question_page(
    request: Request,
    site: Site,
    attempt: StudentAttempt,
    number: int,
    typed: Typed | None = None,
    refusal: str = "",
    status: int = 200,
) -> Response:
    """The page of one question; `refusal`: why what was sent could not be taken."""
    unread_number = request.query_params.get("unread")
    unread = [link for link in attempt.links if link.is_unreadable and str(link.number) == unread_number]
    return page(
        request,
        "assignments/question",
        known=True,
        status=status,
        page="assignments",
        title=f"第{number}题 · {attempt.assignment.title}",
        attempt=attempt,
        number=number,
        item_html=render_asked(site, attempt, number, typed, refusal),
        question_links=render_links(site, attempt.links, number),
        unread=unread,
    )


@router.post(HERE + "/responses")
async def respond(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    attempt: AttemptDep,
    assignment_id: Id,
    number: Id,
) -> Response:
    """Mark an answer at once; or save it and go on to the next question."""
    if attempt is None:
        return await show_assignment(request, site, caller, now, assignment_id, NOT_BEGUN)
    typed = typed_answer(form)
    try:
        if not attempt.at_once:
            await save(site, caller, form, assignment_id, number, now)
            return go_on(request, attempt, number, typed)
        await site.db.write(
            submissions.answer,
            caller,
            assignment_id,
            form.number("sitting"),
            number,
            form.number("try"),
            typed.raw,
            thinking(form),
            attempt.paper.courses,
            now,
        )
    except Unreadable:
        return show_refusal(request, site, await reload(site, caller, attempt, now), number, typed)
    except Refused as error:
        fresh = await reload(site, caller, attempt, now)
        return show_refusal(request, site, fresh, number, typed._replace(refused=False), str(error))
    return show_question(request, site, await reload(site, caller, attempt, now), number)


@router.post(HERE + "/drafts")
async def save_draft(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    attempt: AttemptDep,
    assignment_id: Id,
    number: Id,
) -> Response:
    """Save what is being written, without leaving the page."""
    if attempt is None:
        return await show_assignment(request, site, caller, now, assignment_id, NOT_BEGUN)
    try:
        await save(site, caller, form, assignment_id, number, now)
    except Refused as error:
        return HTMLResponse(f'<span class="not-saved">{Markup.escape(str(error))}</span>')
    fresh = await reload(site, caller, attempt, now)
    links = render_links(site, fresh.links, number, oob=True)
    return HTMLResponse(render_saved(site, fresh, number) + links)


@router.post(HERE + "/hints")
async def hint(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    attempt: AttemptDep,
    assignment_id: Id,
    number: Id,
) -> Response:
    """One more hint; what was typed stays."""
    if attempt is None:
        return await show_assignment(request, site, caller, now, assignment_id, NOT_BEGUN)
    typed = typed_answer(form)._replace(refused=False)
    try:
        attempt_number = form.number("sitting")
        await site.db.write(
            submissions.hint, caller, assignment_id, attempt_number, number, form.number("hint"), now
        )
    except Refused as error:
        fresh = await reload(site, caller, attempt, now)
        return show_refusal(request, site, fresh, number, typed, str(error))
    fresh = await reload(site, caller, attempt, now)
    return show_question(request, site, fresh, number, typed if any(typed.raw) else None)


@router.post(HERE + "/orderings")
async def move_candy(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, assignment_id: Id, number: Id
) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    await site.db.read(submissions.given, caller, assignment_id)
    typed = typed_answer(form)._replace(refused=False).moved(form.one("move"))
    return see(request, typed.within(f"{question_url(assignment_id, number)}#question-{number}"))


def typed_answer(form: PostedForm) -> Typed:
    """What was typed or chosen; of a step that was left open, that it was."""
    texts = [text[:LONGEST] for text in form.all("answer")]
    if "left" in form.fields:
        texts = [text if text.strip() else LEFT for text in texts]
    return Typed(form.one("item"), tuple(texts))


async def save(
    site: Site, caller: Caller, form: PostedForm, assignment_id: int, number: int, now: datetime
) -> None:
    """Keep an answer with the seconds that were spent on it, on this page and on earlier ones."""
    seconds = form.number("spent", 0) + (thinking(form) or 0)
    await site.db.write(
        submissions.save,
        caller,
        assignment_id,
        form.number("sitting"),
        number,
        typed_answer(form).raw,
        seconds or None,
        now,
    )


async def reload(site: Site, caller: Caller, attempt: StudentAttempt, now: datetime) -> StudentAttempt:
    """The attempt after something was written."""
    work = await site.db.read(submissions.load_attempt, caller, attempt.assignment.id, attempt.number)
    assert isinstance(work, AttemptWork)
    return student_attempt(work, attempt.paper.courses, now)


def go_on(request: Request, attempt: StudentAttempt, number: int, saved: Typed) -> Response:
    """On to the next question, which says so where the saved one cannot be read. The page to hand in lists
    all of these."""
    url = attempt.next_url(number)
    if number < len(attempt.links) and is_unreadable(attempt.paper, attempt.question(number), saved.raw):
        url += f"?unread={number}"
    if wants_fragment(request):
        return Response(headers={"HX-Redirect": url})
    return see(request, url)


def show_question(
    request: Request, site: Site, attempt: StudentAttempt, number: int, typed: Typed | None = None
) -> Response:
    """The question after something was written: a fragment with the links, or the page."""
    if not wants_fragment(request):
        url = f"{attempt.question_url(number)}#question-{number}"
        return see(request, typed.within(url) if typed else url)
    links = render_links(site, attempt.links, number, oob=True)
    return fragment(request, render_asked(site, attempt, number, typed) + links)


def show_refusal(
    request: Request, site: Site, attempt: StudentAttempt, number: int, typed: Typed, refusal: str = ""
) -> Response:
    """The form with what was typed, and the sentence that says why it was not taken."""
    if attempt.work.submission.handed_in_at:
        raise Refused(refusal)
    if not wants_fragment(request):
        return question_page(request, site, attempt, number, typed, refusal, 422)
    return fragment(request, render_asked(site, attempt, number, typed, refusal), status=422)
