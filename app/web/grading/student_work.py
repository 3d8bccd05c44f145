"""A cell of the gradebook, opened: a student's work as they saw it, and a mark that is set by hand."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course.assignments.question_sets import full_points_of
from app.records.assignments.deadlines import costs_points, late_cost_words, points_after_lateness
from app.records.db.errors import Refused, sentence_and_field
from app.records.grading import comments, mark_overrides
from app.records.grading.mark_overrides import AttemptInCell
from app.records.insight import work_signs
from app.records.marking import question_marks
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, CellDep, CellRequest
from app.web.assignments.assignment_settings import OPTION_WORDS_BY_COUNTING_RULE
from app.web.assignments.part_views import PointsByPlace, shown_points_by_place, views_without_questions
from app.web.assignments.question_links import QuestionLink
from app.web.grading.gradebook import word_and_note
from app.web.grading.student_work_views import QuestionView, anchor_of, question_views
from app.web.site.routing import LazyRouter

router = LazyRouter()
CELL_ADDRESS = ASSIGNMENT_ADDRESS + "/students/{student_id}"


class AttemptView(NamedTuple):
    """An attempt in a cell, question by question. `points_by_place`: as they add up to its mark;
    `question_links`: to its questions, further down on the page."""

    attempt_in_cell: AttemptInCell
    question_views: Sequence[QuestionView]
    points_by_place: PointsByPlace
    question_links: Sequence[QuestionLink]


@router.get(CELL_ADDRESS)
async def show(request: CellDep) -> Response:
    """Every attempt, question by question; what the mark comes from, and what was decided."""
    return await cell_page(request)


async def cell_page(
    request: CellRequest, refusal: Refused | None = None, error_place: str = "override"
) -> Response:
    """The page; `refusal`: why what the form at `error_place` said was refused."""
    error_sentence, refused_field = sentence_and_field(refusal)
    cell_data, work_signs_of_cell, comment_by_place = await request.read(
        work_signs.load_cell_page, request.now
    )
    course_by_prefix = await request.load_course_by_prefix()
    outside_parts = views_without_questions(course_by_prefix, cell_data.parts)
    attempt_views = []
    for attempt_in_cell in reversed(cell_data.attempts):
        views_of_questions = question_views(course_by_prefix, cell_data, attempt_in_cell, comment_by_place)
        points_by_question_ref: PointsByPlace = {
            question_view.assigned_question.ref: question_view.earned_points
            for question_view in views_of_questions
        }
        points_by_place = shown_points_by_place(
            points_by_question_ref, outside_parts, attempt_in_cell.points_by_part_id
        )
        question_links = [
            question_view.link_in(attempt_in_cell.attempt) for question_view in views_of_questions
        ]
        attempt_views.append(
            AttemptView(attempt_in_cell, views_of_questions, points_by_place, question_links)
        )
    question_count = 0
    if attempt_views:
        question_count = len(attempt_views[0].question_views)
    full_points = full_points_of(cell_data.parts)
    return request.page(
        "grading/cell",
        title=f"{cell_data.student.name}：{cell_data.assignment.title}",
        cell_data=cell_data,
        signs=work_signs_of_cell,
        attempts=attempt_views,
        outside_parts=outside_parts,
        comment=comment_by_place.get(comments.WHOLE_WORK_PLACE, ""),
        typed_comment=request.form.text("text"),
        counts_words=OPTION_WORDS_BY_COUNTING_RULE[cell_data.assignment.counts].rule_words,
        full_points=full_points,
        costs_points=costs_points,
        late_cost_words=late_cost_words,
        points_after_lateness=points_after_lateness,
        mark_words=word_and_note(cell_data.cell, question_count, full_points),
        error_sentence=error_sentence,
        error_place=error_place,
        refused_field=refused_field,
        typed_points=request.form.text("points"),
        reason=request.form.text("reason"),
    )


@router.post(CELL_ADDRESS + "/overrides")
async def override_mark(request: CellDep) -> Response:
    """Another mark, with a reason."""
    points_text = request.form.text("points")
    reason = request.form.text("reason")
    try:
        await request.write(
            mark_overrides.override_mark,
            points_text,
            reason,
            request.now,
            request.form.text_if_sent("stored"),
        )
    except Refused as error:
        return await cell_page(request, error)
    return request.redirect_within()


@router.post(CELL_ADDRESS + "/comments")
async def set_comment(request: CellDep) -> Response:
    """What the student shall read, beside an answer or about the whole."""
    comment_text = request.form.text("text")
    seen_comment_text = request.form.text_if_sent("seen")
    anchor = "mark-title"
    if request.question_key.attempt_number:
        anchor = anchor_of(request.question_key)
    try:
        await request.write(comments.set_comment, comment_text, request.now, seen_comment_text)
    except Refused as error:
        return await cell_page(request, error, f"comment-{anchor}")
    return request.redirect_within(f"#{anchor}")


@router.post(CELL_ADDRESS + "/question-marks")
async def mark_question(request: CellDep) -> Response:
    """Other points for one question, with a reason; or `back`: those of the program."""
    form = request.form
    anchor = anchor_of(request.question_key)
    course_by_prefix = await request.load_course_by_prefix()
    try:
        if form.text("back"):
            await request.write(question_marks.withdraw_question_mark, course_by_prefix, request.now)
        else:
            points_text, reason = form.text("points"), form.text("reason")
            seen_mark_words = form.text_if_sent("stored")
            await request.write(
                question_marks.mark_question,
                points_text,
                reason,
                course_by_prefix,
                request.now,
                seen_mark_words,
            )
    except Refused as error:
        return await cell_page(request, error, f"mark-{anchor}")
    return request.redirect_within(f"#{anchor}")


@router.post(CELL_ADDRESS + "/excuses")
async def excuse_student(request: CellDep) -> Response:
    """免, with a reason."""
    reason = request.form.text("reason")
    seen_mark_words = request.form.text_if_sent("stored")
    try:
        await request.write(mark_overrides.excuse_student, reason, request.now, seen_mark_words)
    except Refused as error:
        return await cell_page(request, error, "excuse")
    return request.redirect_within()


@router.post(CELL_ADDRESS + "/withdrawals")
async def withdraw_override(request: CellDep) -> Response:
    """The mark that was set by hand is withdrawn."""
    try:
        await request.write(mark_overrides.take_back_override, request.now)
    except Refused as error:
        return await cell_page(request, error)
    return request.redirect_within()
