"""A cell of the gradebook, opened: a student's work as they saw it, and a mark that is set by hand."""

from datetime import datetime

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.assignments.question_sets import total_of
from app.course.assignments.words import COUNTS
from app.records.accounts.values import Caller
from app.records.db.errors import Refused
from app.records.grading import mark_overrides
from app.web.classes.classrooms import Id
from app.web.grading.gradebook_views import words
from app.web.grading.submission_views import attempt_views
from app.web.site.course_sources import courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.requests import PostedForm
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
HERE = "/classrooms/{classroom_id}/assignments/{assignment_id}/students/{student_id}"


@router.get(HERE)
async def show(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    student_id: Id,
) -> Response:
    """Every attempt, question by question; what the mark comes from, and what was decided."""
    return await cell_page(request, site, caller, now, classroom_id, assignment_id, student_id)


async def cell_page(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    assignment_id: int,
    student_id: int,
    error: str = "",
    form: PostedForm | None = None,
) -> Response:
    """The page; `error` and `form`: the mark that was refused."""
    cell = await site.db.read(mark_overrides.load_cell, caller, classroom_id, assignment_id, student_id, now)
    attempts = attempt_views(await courses(site, assignment_id), cell)
    return page(
        request,
        "grading/cell",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"{cell.pupil.name}：{cell.assignment.title}",
        data=cell,
        attempts=attempts,
        counts_words=COUNTS[cell.assignment.counts].mark,
        total=total_of(cell.parts),
        words=words(cell.cell, len(attempts[0].questions) if attempts else 0),
        error=error,
        typed=form.one("points") if form else "",
        reason=form.one("reason") if form else "",
    )


@router.post(HERE + "/overrides")
async def override(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    student_id: Id,
) -> Response:
    """Another mark, with a reason."""
    try:
        await site.db.write(
            mark_overrides.override_mark,
            caller,
            classroom_id,
            assignment_id,
            student_id,
            form.one("points"),
            form.one("reason"),
            now,
        )
    except Refused as error:
        return await cell_page(
            request, site, caller, now, classroom_id, assignment_id, student_id, str(error), form
        )
    return see(request, url(classroom_id, assignment_id, student_id))


@router.post(HERE + "/withdrawals")
async def withdraw(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
    student_id: Id,
) -> Response:
    """The mark that was set by hand is withdrawn."""
    try:
        await site.db.write(mark_overrides.take_back, caller, classroom_id, assignment_id, student_id, now)
    except Refused as error:
        return await cell_page(
            request, site, caller, now, classroom_id, assignment_id, student_id, str(error)
        )
    return see(request, url(classroom_id, assignment_id, student_id))


def url(classroom_id: int, assignment_id: int, student_id: int) -> str:
    return HERE.format(classroom_id=classroom_id, assignment_id=assignment_id, student_id=student_id)
