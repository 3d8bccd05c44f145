"""A cell of the gradebook, opened: a student's work as they saw it, and a mark that is set by hand."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course.assignments.question_sets import total_of
from app.records.db.errors import Refused
from app.records.grading import mark_overrides
from app.web.classes.classrooms import Id
from app.web.grading.gradebook_views import words
from app.web.grading.submission_views import passes
from app.web.site.clock import now
from app.web.site.course_sources import courses
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
HERE = "/classrooms/{classroom_id}/assignments/{assignment_id}/students/{student_id}"


@router.get(HERE)
async def show(request: Request, classroom_id: Id, assignment_id: Id, student_id: Id) -> Response:
    """Every pass, question by question; what the mark comes from, and what was decided."""
    return await cell_page(request, (classroom_id, assignment_id, student_id))


async def cell_page(
    request: Request, where: tuple[int, int, int], form: PostedForm | None = None, error: str = ""
) -> Response:
    site = site_of(request)
    look = await site.db.read(mark_overrides.load_cell, caller_of(request), *where, now())
    views = passes(await courses(site, where[1]), look)
    total = total_of(look.parts)
    asked = sum(bool(view.questions) and len(view.questions) for view in views[:1])
    return page(
        request,
        "grading/cell",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"{look.pupil.name}：{look.assignment.title}",
        look=look,
        passes=views,
        total=total,
        words=words(look.cell, asked),
        error=error,
        typed=form.one("points") if form else "",
        reason=form.one("reason") if form else "",
    )


@router.post(HERE + "/overrides")
async def override(request: Request, classroom_id: Id, assignment_id: Id, student_id: Id) -> Response:
    """Another mark, with a reason."""
    form, where = await read_form(request), (classroom_id, assignment_id, student_id)
    points, reason = form.one("points"), form.one("reason")
    try:
        await site_of(request).db.write(
            mark_overrides.override_mark, caller_of(request), *where, points, reason, now()
        )
    except Refused as error:
        return await cell_page(request, where, form, str(error))
    return see(request, HERE.format(classroom_id=where[0], assignment_id=where[1], student_id=where[2]))


@router.post(HERE + "/withdrawals")
async def withdraw(request: Request, classroom_id: Id, assignment_id: Id, student_id: Id) -> Response:
    """The mark that was set by hand is taken back."""
    where = (classroom_id, assignment_id, student_id)
    try:
        await site_of(request).db.write(mark_overrides.take_back, caller_of(request), *where, now())
    except Refused as error:
        return await cell_page(request, where, None, str(error))
    return see(request, HERE.format(classroom_id=where[0], assignment_id=where[1], student_id=where[2]))
