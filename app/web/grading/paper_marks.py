"""纸上的成绩: marks of an assignment that was done on paper, by 学号; looked at before they count."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import NamedTuple

from starlette.responses import Response

from app.course.assignments.question_sets import full_points_of
from app.records.assignments import lookup
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.grading import mark_lists, mark_overrides
from app.records.grading.extra_marks import is_mark_as_shown
from app.records.grading.mark_lists import MarkList
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep, TeacherRequest
from app.web.assignments.teacher_views import progress_of_student
from app.web.grading.extra_columns import MARK_PREFIX
from app.web.site.posted_forms import STORED_PREFIX
from app.web.site.routing import LazyRouter
from app.web.site.security import MOST_BODY_BYTES, BodyLimitRule

router = LazyRouter()
PAPER_MARKS_ADDRESS = ASSIGNMENT_ADDRESS + "/paper-marks"
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    "/classrooms/[0-9]+/assignments/[0-9]+/paper-marks": BodyLimitRule(2 * MOST_BODY_BYTES)
}
"""Where more may be sent than elsewhere: marks together with the list that they were read from."""
USUAL_REASON = "纸上做的"
NOTHING_TYPED: Mapping[int, str] = MappingProxyType({})


class PaperMark(NamedTuple):
    """A student with the mark that a list or somebody's typing has for them. `present_mark_words`: what it
    takes the place of, empty where there is nothing; `fault_sentence`: why it cannot be stored."""

    student: Student
    mark_text: str
    present_mark_words: str
    fault_sentence: str


@router.get(PAPER_MARKS_ADDRESS)
async def show(request: TeacherDep) -> Response:
    """A box for the list."""
    return await paper_page(request)


async def paper_page(
    request: TeacherRequest,
    typed_list_text: str = "",
    mark_list: MarkList | None = None,
    typed_text_by_enrolment_id: Mapping[int, str] = NOTHING_TYPED,
    error_sentence: str = "",
) -> Response:
    """The page. `mark_list`: what was read of the list; `typed_text_by_enrolment_id`: what was typed over
    its marks."""
    assignment_data = await request.read(lookup.load_assignment_page)
    mark_text_by_enrolment_id = dict(typed_text_by_enrolment_id)
    if mark_list is not None:
        mark_text_by_enrolment_id = {**mark_list.mark_text_by_enrolment_id, **typed_text_by_enrolment_id}
    full_points = full_points_of(assignment_data.parts)
    paper_marks = []
    unchanged_mark_count = 0
    for student in assignment_data.students:
        mark_text = mark_text_by_enrolment_id.get(student.id)
        if mark_text is None:
            continue
        present_mark_words = progress_of_student(assignment_data, student, request.now).mark_words
        if is_mark_as_shown(mark_text, present_mark_words):
            unchanged_mark_count += 1
            continue
        fault_sentence = mark_overrides.mark_fault_sentence(mark_text, full_points)
        paper_marks.append(PaperMark(student, mark_text, present_mark_words, fault_sentence))
    return request.page(
        "grading/paper_marks",
        title=f"纸上的成绩 · {assignment_data.assignment.title}",
        assignment_data=assignment_data,
        full_points=full_points,
        typed_list_text=typed_list_text,
        mark_list=mark_list,
        marks=paper_marks,
        same_count=unchanged_mark_count,
        field_prefix=MARK_PREFIX,
        stored_prefix=STORED_PREFIX,
        reason=request.form.text("reason", USUAL_REASON),
        error_sentence=error_sentence,
    )


@router.post(PAPER_MARKS_ADDRESS + "/lists")
async def preview_marks(request: TeacherDep) -> Response:
    """What a list says, mark by mark; nothing is written yet."""
    typed_list_text = request.form.text("text")
    try:
        mark_list = await read_typed_list(request, typed_list_text)
    except Refused as error:
        return await paper_page(request, typed_list_text, error_sentence=str(error))
    return await paper_page(request, typed_list_text, mark_list)


async def read_typed_list(request: TeacherRequest, typed_list_text: str) -> MarkList:
    """What a list says; Refused where nothing of it can be read."""
    assignment_data = await request.read(lookup.load_assignment_page)
    title = assignment_data.assignment.title
    students: Sequence[Student] = assignment_data.students
    return await request.site.off_loop.run(
        mark_lists.read_mark_list, typed_list_text.encode(), title, students, is_for_assignment=True
    )


@router.post(PAPER_MARKS_ADDRESS)
async def store_marks(request: TeacherDep) -> Response:
    """All of the marks, or none where one cannot be."""
    mark_text_by_enrolment_id = request.form.text_by_row_id(MARK_PREFIX)
    seen_words_by_enrolment_id = request.form.text_by_row_id(STORED_PREFIX)
    reason = request.form.text("reason")
    try:
        passed_over_enrolment_ids = await request.write(
            mark_lists.override_marks,
            mark_text_by_enrolment_id,
            reason,
            request.now,
            seen_words_by_enrolment_id,
        )
    except Refused as error:
        typed_list_text = request.form.text("text")
        mark_list = None
        with suppress(Refused):  # what it says beside the marks is still to be known
            mark_list = await read_typed_list(request, typed_list_text)
        return await paper_page(
            request,
            typed_list_text,
            mark_list,
            typed_text_by_enrolment_id=mark_text_by_enrolment_id,
            error_sentence=str(error),
        )
    return request.redirect_after_marks("paper", passed_over_enrolment_ids)
