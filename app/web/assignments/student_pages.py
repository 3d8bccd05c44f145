"""我的作业: the list, an assignment before it is begun, the page to hand it in, and the result."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.assignments.values import AttemptWork
from app.records.db.errors import Refused
from app.records.grading import attempt_work, student_assignments, submissions
from app.records.learning.values import AttemptRow
from app.web.assignments import attempt_views, result_views, student_views
from app.web.assignments.assignment_requests import StudentDep, StudentRequest
from app.web.assignments.part_views import part_views
from app.web.classes.classrooms import Id
from app.web.site.contexts import AnswerContext
from app.web.site.dependencies import CallerDep, Now, SiteDep
from app.web.site.responses import page

router = APIRouter()
ADDRESS = "/assignments/{assignment_id}"


@router.get("/assignments")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """What is to be done, the soonest first; what is done."""
    signed_in, assignments = await site.db.read(student_assignments.overview, caller)
    return page(
        request,
        "assignments/student_index",
        known=signed_in,
        page="assignments",
        title="我的作业",
        empty=not assignments,
        lists=student_views.student_lists(assignments, now),
    )


@router.get(ADDRESS)
async def show(request: StudentDep) -> Response:
    """What an assignment asks for, until when, and how far the student is."""
    return await show_assignment(request)


async def show_assignment(request: StudentRequest, error: str = "") -> Response:
    """The page of an assignment; `error`: why what was sent was refused."""
    courses = await request.courses()
    assignment, work, shares = await request.read(attempt_work.with_shares, courses, request.now)
    resume = 1
    if work:
        resume = attempt_views.student_attempt(work, courses, request.now).resume
    return request.page(
        "assignments/student_show",
        title=assignment.assignment.title,
        view=student_views.student_assignment_view(courses, assignment, shares, request.now),
        resume=resume,
        error=error,
    )


@router.post(ADDRESS + "/passes")
async def begin(request: StudentDep) -> Response:
    """Begin an attempt, or go on with the one that is open."""
    try:
        await request.write(submissions.begin, request.now)
    except Refused as error:
        return await show_assignment(request, str(error))
    assignment = await request.read(student_assignments.given)
    if any(part.kind in ("item", "practice") for part in assignment.parts):
        return request.see("/questions/1")
    return request.see()


@router.get(ADDRESS + "/hand-in")
async def review(request: StudentDep) -> Response:
    """Before it is handed in: what is answered, what is not, and what being late costs."""
    courses = await request.courses()
    assignment, work, shares = await request.read(attempt_work.with_shares, courses, request.now)
    if work is None or not assignment.live:
        return request.see()
    attempt = attempt_views.student_attempt(work, courses, request.now)
    outside = student_views.outside_views(part_views(courses, assignment.parts), shares)
    return request.page(
        "assignments/hand_in",
        title=f"交卷 · {attempt.assignment.title}",
        attempt=attempt,
        question_links=attempt_views.render_links(request.site, attempt.links),
        late_words=student_views.late_words(attempt.schedule),
        unfinished=[part for part in outside if not part.done],
    )


@router.post(ADDRESS + "/hand-ins")
async def hand_in(request: StudentDep) -> Response:
    """Hand in. The receipt says when."""
    courses = await request.courses()
    try:
        attempt_number = request.form.number("sitting")
        submission = await request.write(submissions.hand_in, attempt_number, courses, request.now)
    except Refused as error:
        return await show_assignment(request, str(error))
    return request.see(f"/passes/{submission.number}")


@router.get(ADDRESS + "/passes/{attempt_number}")
async def receipt(request: StudentDep, attempt_number: Id) -> Response:
    """When an attempt was handed in; and its result, once it may be seen."""
    work = await request.read(attempt_work.load_attempt, attempt_number)
    if not isinstance(work, AttemptWork) or work.submission.handed_in_at is None:
        return request.see()
    result = result_views.attempt_result(request.site, await request.courses(), work, request.now)
    title = f"交了 · {work.given.assignment.title}"
    return request.page("assignments/attempt", title=title, result=result)


def pass_url(attempt: AttemptRow) -> str:
    """Where an attempt at an assignment is shown."""
    return f"/assignments/{attempt.ref.removeprefix('assignment-')}/passes/{attempt.round}"


def page_of(_course: Course, ref: str) -> tuple[str, str] | None:
    number = ref.removeprefix("assignment-")
    if number != ref and number.isdecimal():
        return f"/assignments/{number}", "作业"
    return None


CONTEXT = AnswerContext("assignments", lambda _course, _name, _seed: None, page_of)
