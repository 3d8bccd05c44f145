"""我的作业: the list, an assignment before it is begun, the page to hand it in, and the result."""

from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.records.assignments.values import AttemptWork
from app.records.db.errors import Refused
from app.records.grading import submissions
from app.records.learning.values import AttemptRow
from app.web.assignments import attempt_views, result_views, student_views
from app.web.assignments.part_views import part_views
from app.web.classes.classrooms import Id
from app.web.site.contexts import AnswerContext
from app.web.site.course_sources import courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
HERE = "/assignments/{assignment_id}"


@router.get("/assignments")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """What is to be done, the soonest first; what is done."""
    known, assignments = await site.db.read(submissions.overview, caller)
    return page(
        request,
        "assignments/student_index",
        known=known,
        page="assignments",
        title="我的作业",
        empty=not assignments,
        lists=student_views.student_lists(assignments, now),
    )


@router.get(HERE)
async def show(request: Request, site: SiteDep, caller: CallerDep, now: Now, assignment_id: Id) -> Response:
    """What an assignment asks for, until when, and how far the student is."""
    return await show_assignment(request, site, caller, now, assignment_id)


async def show_assignment(
    request: Request, site: Site, caller: Caller, now: datetime, assignment_id: int, error: str = ""
) -> Response:
    """The page of an assignment; `error`: why what was sent was refused."""
    course_map = await courses(site, assignment_id)
    given, work, shares = await site.db.read(submissions.with_shares, caller, assignment_id, course_map, now)
    resume = 1
    if work:
        resume = attempt_views.student_attempt(work, course_map, now).resume
    return page(
        request,
        "assignments/student_show",
        known=True,
        status=422 if error else 200,
        page="assignments",
        title=given.assignment.title,
        view=student_views.student_assignment_view(course_map, given, shares, now),
        resume=resume,
        error=error,
    )


@router.post(HERE + "/passes")
async def begin(request: Request, site: SiteDep, caller: CallerDep, now: Now, assignment_id: Id) -> Response:
    """Begin an attempt, or go on with the one that is open."""
    try:
        await site.db.write(submissions.begin, caller, assignment_id, now)
    except Refused as error:
        return await show_assignment(request, site, caller, now, assignment_id, str(error))
    given = await site.db.read(submissions.given, caller, assignment_id)
    if any(part.kind in ("item", "practice") for part in given.parts):
        return see(request, attempt_views.question_url(assignment_id, 1))
    return see(request, f"/assignments/{assignment_id}")


@router.get(HERE + "/hand-in")
async def review(request: Request, site: SiteDep, caller: CallerDep, now: Now, assignment_id: Id) -> Response:
    """Before it is handed in: what is answered, what is not, and what being late costs."""
    course_map = await courses(site, assignment_id)
    given, work, shares = await site.db.read(submissions.with_shares, caller, assignment_id, course_map, now)
    if work is None or not given.live:
        return see(request, f"/assignments/{assignment_id}")
    attempt = attempt_views.student_attempt(work, course_map, now)
    outside = student_views.outside_views(part_views(course_map, given.parts), shares)
    return page(
        request,
        "assignments/hand_in",
        known=True,
        page="assignments",
        title=f"交卷 · {given.assignment.title}",
        attempt=attempt,
        question_links=attempt_views.render_links(site, attempt.links),
        late_words=student_views.late_words(attempt.schedule),
        unfinished=[part for part in outside if not part.done],
    )


@router.post(HERE + "/hand-ins")
async def hand_in(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, assignment_id: Id
) -> Response:
    """Hand in. The receipt says when."""
    course_map = await courses(site, assignment_id)
    try:
        submission = await site.db.write(
            submissions.hand_in, caller, assignment_id, form.number("sitting"), course_map, now
        )
    except Refused as error:
        return await show_assignment(request, site, caller, now, assignment_id, str(error))
    return see(request, f"/assignments/{assignment_id}/passes/{submission.number}")


@router.get(HERE + "/passes/{attempt_number}")
async def receipt(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, assignment_id: Id, attempt_number: Id
) -> Response:
    """When an attempt was handed in; and its result, once it may be seen."""
    work = await site.db.read(submissions.load_attempt, caller, assignment_id, attempt_number)
    if not isinstance(work, AttemptWork) or work.submission.handed_in_at is None:
        return see(request, f"/assignments/{assignment_id}")
    course_map = await courses(site, assignment_id)
    return page(
        request,
        "assignments/attempt",
        known=True,
        page="assignments",
        title=f"交了 · {work.given.assignment.title}",
        result=result_views.attempt_result(site, course_map, work, now),
    )


def pass_url(attempt: AttemptRow) -> str:
    """Where an attempt at an assignment is shown."""
    return f"/assignments/{attempt.ref.removeprefix('assignment-')}/passes/{attempt.round}"


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    number = ref.removeprefix("assignment-")
    if number != ref and number.isdecimal():
        return f"/assignments/{number}", "作业"
    return None


CONTEXT = AnswerContext("assignments", lambda _course, _name, _seed: None, page_of)
