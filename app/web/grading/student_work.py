"""A cell of the gradebook, opened: a student's work as they saw it, and a mark that is set by hand."""

from fastapi import APIRouter
from starlette.responses import Response

from app.course.assignments.question_sets import total_of
from app.course.assignments.words import COUNTS
from app.records.db.errors import Refused
from app.records.grading import mark_overrides
from app.web.assignments.assignment_requests import TeacherDep, TeacherRequest
from app.web.assignments.teacher_pages import ADDRESS
from app.web.classes.classrooms import Id
from app.web.grading.gradebook_views import words
from app.web.grading.submission_views import attempt_views

router = APIRouter()
STUDENT = ADDRESS + "/students/{student_id}"


@router.get(STUDENT)
async def show(request: TeacherDep, student_id: Id) -> Response:
    """Every attempt, question by question; what the mark comes from, and what was decided."""
    return await cell_page(request, student_id)


async def cell_page(request: TeacherRequest, student_id: int, error: str = "") -> Response:
    """The page; `error`: why the mark in the form was refused."""
    data = await request.read(mark_overrides.load_cell, student_id, request.now)
    attempts = attempt_views(await request.courses(), data)
    questions = 0
    if attempts:
        questions = len(attempts[0].questions)
    return request.page(
        "grading/cell",
        title=f"{data.pupil.name}：{data.assignment.title}",
        data=data,
        attempts=attempts,
        counts_words=COUNTS[data.assignment.counts].mark,
        total=total_of(data.parts),
        words=words(data.cell, questions),
        error=error,
        typed=request.form.one("points"),
        reason=request.form.one("reason"),
    )


@router.post(STUDENT + "/overrides")
async def override(request: TeacherDep, student_id: Id) -> Response:
    """Another mark, with a reason."""
    points = request.form.one("points")
    reason = request.form.one("reason")
    try:
        await request.write(mark_overrides.override_mark, student_id, points, reason, request.now)
    except Refused as error:
        return await cell_page(request, student_id, str(error))
    return request.see(f"/students/{student_id}")


@router.post(STUDENT + "/withdrawals")
async def withdraw(request: TeacherDep, student_id: Id) -> Response:
    """The mark that was set by hand is withdrawn."""
    try:
        await request.write(mark_overrides.take_back, student_id, request.now)
    except Refused as error:
        return await cell_page(request, student_id, str(error))
    return request.see(f"/students/{student_id}")
