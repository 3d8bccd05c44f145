"""我的作业, one question a page: answered, or saved until the attempt is handed in."""

from fastapi import APIRouter
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from app.course import Unreadable
from app.course.items.kinds.steps import LEFT
from app.records.assignments.values import AttemptWork
from app.records.db.errors import NotFound, Refused
from app.records.grading import attempt_work, student_assignments, submissions
from app.web.assignments.assignment_requests import StudentDep, StudentRequest
from app.web.assignments.attempt_views import (
    StudentAttempt,
    render_asked,
    render_links,
    render_saved,
    student_attempt,
)
from app.web.assignments.question_views import is_unreadable
from app.web.assignments.student_pages import ADDRESS, show_assignment
from app.web.classes.classrooms import Id
from app.web.site.requests import PostedForm, Typed, thinking, typed_in
from app.web.site.responses import fragment, see, wants_fragment

router = APIRouter()
QUESTION = ADDRESS + "/questions/{number}"
LONGEST = 4000
NOT_BEGUN = "还没有开始：先按“开始做”。"


@router.get(QUESTION)
async def ask(request: StudentDep, number: Id) -> Response:
    """A question, with links to all of them. Once it is handed in, it is shown with the result."""
    attempt = await load_attempt(request, number)
    if attempt and attempt.work.submission.handed_in_at:
        return request.see(f"/passes/{attempt.number}#q{number}")
    if attempt is None or not attempt.work.given.live:
        return request.see()
    return question_page(request, attempt, number, typed_in(request.http))


async def load_attempt(request: StudentRequest, number: int) -> StudentAttempt | None:
    """The attempt that is open, else the last one; None before the first. NotFound for a question that the
    assignment does not have."""
    work = await request.read(attempt_work.load_attempt)
    if not isinstance(work, AttemptWork):
        return None
    attempt = student_attempt(work, await request.courses(), request.now)
    if not 1 <= number <= len(attempt.links):
        raise NotFound(f"这份作业没有第{number}题。")
    return attempt


def question_page(
    request: StudentRequest,
    attempt: StudentAttempt,
    number: int,
    typed: Typed | None = None,
    refusal: str = "",
    status: int = 200,
) -> Response:
    """The page of one question; `refusal`: why what was sent could not be taken."""
    unread = request.http.query_params.get("unread")
    return request.page(
        "assignments/question",
        status=status,
        title=f"第{number}题 · {attempt.assignment.title}",
        attempt=attempt,
        number=number,
        item_html=render_asked(request.site, attempt, number, typed, refusal),
        question_links=render_links(request.site, attempt.links, number),
        unread=[link for link in attempt.links if link.is_unreadable and str(link.number) == unread],
    )


@router.post(QUESTION + "/responses")
async def respond(request: StudentDep, number: Id) -> Response:
    """Mark an answer at once; or save it and go on to the next question."""
    attempt = await load_attempt(request, number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN)
    typed = typed_answer(request.form)
    try:
        if not attempt.at_once:
            await save(request, number, typed)
            return go_on(request, attempt, number, typed)
        await request.write(
            submissions.answer,
            request.form.number("sitting"),
            number,
            request.form.number("try"),
            typed.raw,
            thinking(request.form),
            attempt.paper.courses,
            request.now,
        )
    except Unreadable:
        return await show_refusal(request, attempt, number, typed)
    except Refused as error:
        return await show_refusal(request, attempt, number, typed._replace(refused=False), str(error))
    return await show_question(request, attempt, number)


@router.post(QUESTION + "/drafts")
async def save_draft(request: StudentDep, number: Id) -> Response:
    """Save what is being written, without leaving the page."""
    attempt = await load_attempt(request, number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN)
    try:
        await save(request, number, typed_answer(request.form))
    except Refused as error:
        return HTMLResponse(f'<span class="not-saved">{Markup.escape(str(error))}</span>')
    attempt = await reload(request, attempt)
    links = render_links(request.site, attempt.links, number, oob=True)
    return HTMLResponse(render_saved(request.site, attempt, number) + links)


@router.post(QUESTION + "/hints")
async def hint(request: StudentDep, number: Id) -> Response:
    """One more hint; what was typed stays."""
    attempt = await load_attempt(request, number)
    if attempt is None:
        return await show_assignment(request, NOT_BEGUN)
    typed = typed_answer(request.form)._replace(refused=False)
    try:
        attempt_number, position = request.form.number("sitting"), request.form.number("hint")
        await request.write(submissions.hint, attempt_number, number, position, request.now)
    except Refused as error:
        return await show_refusal(request, attempt, number, typed, str(error))
    if any(typed.raw):
        return await show_question(request, attempt, number, typed)
    return await show_question(request, attempt, number)


@router.post(QUESTION + "/orderings")
async def move_candy(request: StudentDep, number: Id) -> Response:
    """↑ and ↓ without a script: the new order goes into the address; nothing is recorded."""
    await request.read(student_assignments.given)
    typed = typed_answer(request.form)._replace(refused=False)
    moved = typed.moved(request.form.one("move"))
    url = f"/assignments/{request.assignment_id}/questions/{number}#question-{number}"
    return see(request.http, moved.within(url))


def typed_answer(form: PostedForm) -> Typed:
    """What was typed or chosen; of a step that was left open, that it was."""
    texts = [text[:LONGEST] for text in form.all("answer")]
    if "left" in form.fields:
        texts = [text if text.strip() else LEFT for text in texts]
    return Typed(form.one("item"), tuple(texts))


async def save(request: StudentRequest, number: int, typed: Typed) -> None:
    """Keep an answer with the seconds that were spent on it, on this page and on earlier ones."""
    form = request.form
    seconds = form.number("spent", 0) + (thinking(form) or 0)
    await request.write(
        submissions.save, form.number("sitting"), number, typed.raw, seconds or None, request.now
    )


async def reload(request: StudentRequest, attempt: StudentAttempt) -> StudentAttempt:
    """The attempt after something was written."""
    work = await request.read(attempt_work.load_attempt, attempt.number)
    assert isinstance(work, AttemptWork)
    return student_attempt(work, attempt.paper.courses, request.now)


def go_on(request: StudentRequest, attempt: StudentAttempt, number: int, saved: Typed) -> Response:
    """On to the next question, which says so where the saved one cannot be read. The page to hand in lists
    all of these."""
    url = attempt.next_url(number)
    if number < len(attempt.links) and is_unreadable(attempt.paper, attempt.question(number), saved.raw):
        url += f"?unread={number}"
    if wants_fragment(request.http):
        return Response(headers={"HX-Redirect": url})
    return see(request.http, url)


async def show_question(
    request: StudentRequest, attempt: StudentAttempt, number: int, typed: Typed | None = None
) -> Response:
    """The question after something was written: a fragment with the links, or the page."""
    if not wants_fragment(request.http):
        url = f"{attempt.question_url(number)}#question-{number}"
        if typed:
            url = typed.within(url)
        return see(request.http, url)
    attempt = await reload(request, attempt)
    links = render_links(request.site, attempt.links, number, oob=True)
    return fragment(request.http, render_asked(request.site, attempt, number, typed) + links)


async def show_refusal(
    request: StudentRequest, attempt: StudentAttempt, number: int, typed: Typed, refusal: str = ""
) -> Response:
    """The form with what was typed, and the sentence that says why it was not taken."""
    attempt = await reload(request, attempt)
    if attempt.work.submission.handed_in_at:
        raise Refused(refusal)
    if not wants_fragment(request.http):
        return question_page(request, attempt, number, typed, refusal, 422)
    html = render_asked(request.site, attempt, number, typed, refusal)
    return fragment(request.http, html, status=422)
