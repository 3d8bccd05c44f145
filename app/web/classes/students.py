"""Students of a class: what they did, and what a teacher does for them."""

from collections.abc import Sequence
from itertools import groupby
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.content.refs import own_content_id_of
from app.course.practice.strength import STRONGEST_BAND
from app.records.assignments import time_limits
from app.records.authoring import own_courses
from app.records.classes import class_members, classrooms, student_numbers
from app.records.classes.values import ListedAttempt, StudentData
from app.records.db.errors import Refused, sentence_and_field
from app.records.grading import carried_marks
from app.records.insight import student_progress
from app.records.learning.values import FirstTries
from app.web.answers import url_and_title_of_origin
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.items.answered import answered_items
from app.web.practice.strength_views import Strength, strength_by_skill_id_of
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import RowId
from app.web.site.routing import LazyRouter
from app.web.start_page import course_progress

router = LazyRouter()
STUDENT_ADDRESS = CLASSROOM_ADDRESS + "/students/{student_id}"
MOST_WORKS_AT_FIRST = 8
"""So many of the latest works are listed; the others unfold."""


@router.get(STUDENT_ADDRESS)
async def show(request: ClassDep, student_id: RowId) -> Response:
    """A student: how far, how firmly, and every piece of work."""
    return await student_page(request, student_id)


async def student_page(
    request: ClassRequest, student_id: int, error_place: str = "", refusal: Refused | None = None
) -> Response:
    """The page. Of a form that was refused, `error_place` says which, `refusal` why; what was sent stands
    in it."""
    error_sentence, refused_field = sentence_and_field(refusal)
    course = request.course
    student_data, target_classes = await request.read(
        student_progress.load_student_and_classes, student_id, course.ref_by_twin_ref, course.unscored_refs
    )
    progress = course_progress(course, student_data.progress)
    skill_names_with_strengths = names_with_strengths(course, student_data.first_tries)
    groups_of_work = work_groups(course, student_data)
    return request.page(
        "classes/student",
        title=student_data.student.name,
        student_data=student_data,
        progress=progress,
        strengths=skill_names_with_strengths,
        strongest_band=STRONGEST_BAND,
        groups=groups_of_work,
        most_works_at_first=MOST_WORKS_AT_FIRST,
        targets=target_classes,
        factors=time_limits.TIME_FACTORS,
        error_place=error_place,
        error_sentence=error_sentence,
        refused_field=refused_field,
        sent_form=request.form,
    )


def names_with_strengths(course: Course, first_tries: FirstTries) -> list[tuple[str, Strength]]:
    """The names of the skills that a student has practised, with how strong they are."""
    strength_by_skill_id = strength_by_skill_id_of(course, first_tries)
    practised_skill_ids = [skill_id for skill_id in course.skills if skill_id in strength_by_skill_id]
    return [
        (course.skills[skill_id].name, strength_by_skill_id[skill_id]) for skill_id in practised_skill_ids
    ]


class WorkView(NamedTuple):
    """One attempt: what it is called, and where it can be read."""

    listed_attempt: ListedAttempt
    title: str
    url: str

    @property
    def group_key(self) -> tuple[str, int]:
        """Practice of the same exercise is one group; a lesson or an assignment is one by itself."""
        if self.listed_attempt.source == "practice":
            return self.title, 0
        return self.title, self.listed_attempt.id


class WorkGroup(NamedTuple):
    """Attempts of one kind, one after the other, the newest first; most groups are of one."""

    title: str
    work_views: Sequence[WorkView]

    @property
    def item_count(self) -> int:
        return sum(work_view.listed_attempt.item_count for work_view in self.work_views)

    @property
    def right_count(self) -> int:
        return sum(work_view.listed_attempt.right_count for work_view in self.work_views)


def work_groups(course: Course, student_data: StudentData) -> list[WorkGroup]:
    """The work of a student; question after question of one exercise is one group."""
    work_views = [
        work_view(course, student_data, listed_attempt) for listed_attempt in student_data.listed_attempts
    ]
    keys_with_work_views = groupby(work_views, lambda work_view: work_view.group_key)
    return [WorkGroup(title, tuple(views_of_group)) for (title, _), views_of_group in keys_with_work_views]


def work_view(course: Course, student_data: StudentData, listed_attempt: ListedAttempt) -> WorkView:
    """An attempt: at an assignment, of another class by its name; or by oneself."""
    classroom_id = student_data.classroom.id
    assigned_attempt = student_data.assigned_attempt_by_id.get(listed_attempt.id)
    if assigned_attempt is None:
        _, title = url_and_title_of_origin(course, course.bare_id(listed_attempt.ref))
        student_url = f"/classrooms/{classroom_id}/students/{student_data.student.id}"
        return WorkView(listed_attempt, title, f"{student_url}/attempts/{listed_attempt.id}")
    title = assigned_attempt.title
    if assigned_attempt.classroom_id != classroom_id:
        title = f"{title}（{assigned_attempt.class_name}）"
    listed_work_url = (
        f"/classrooms/{assigned_attempt.classroom_id}/assignments/{assigned_attempt.assignment_id}"
        f"/students/{assigned_attempt.enrolment_id}"
    )
    return WorkView(listed_attempt, title, listed_work_url)


@router.get(STUDENT_ADDRESS + "/attempts/{attempt_id}")
async def show_attempt(request: ClassDep, student_id: RowId, attempt_id: RowId) -> Response:
    """One attempt at a lesson or an example, response by response, each item as it was then."""
    student, attempt_data = await request.read(
        student_progress.load_student_and_attempt, student_id, attempt_id
    )
    course = request.course
    origin_url, title = url_and_title_of_origin(course, course.bare_id(attempt_data.attempt.ref))
    own_content_id = own_content_id_of(attempt_data.attempt.ref)
    if own_content_id and not await request.site.db.read(
        own_courses.is_author, request.caller, own_content_id
    ):
        origin_url = ""  # of a colleague, or deleted
    items_of_attempt = answered_items(course, attempt_data)
    return request.page(
        "classes/student_attempt",
        title=f"{student.name}：{title}",
        student=student,
        classroom_id=request.classroom_id,
        place_url=origin_url,
        place_title=title,
        attempt=attempt_data.attempt,
        items=items_of_attempt,
    )


@router.post(STUDENT_ADDRESS + "/names")
async def rename_student(request: ClassDep, student_id: RowId) -> Response:
    """Another name, 学号 or 座号 in this class; what the form did not touch stays as another tab may have set
    it meanwhile."""
    try:
        _, student = await request.read(classrooms.class_and_student, student_id)
        new_name = touched_text(request.form, "name", student.name)
        student_number = touched_text(request.form, "number", student.student_number)
        seat_text = touched_text(request.form, "seat", str(student.seat or ""))
        await request.write(
            student_numbers.set_student_details, student_id, new_name, student_number, seat_text, request.now
        )
    except Refused as error:
        return await student_page(request, student_id, "details", error)
    return request.redirect_within(f"/students/{student_id}")


def touched_text(form: PostedForm, field_name: str, stored_text: str) -> str:
    """What was typed; what is stored where the form has no such field, or has in it what it was opened with.

    >>> form = PostedForm({"name": ["小糖"], "seen_name": ["小糖"], "seat": ["7"], "seen_seat": [""]})
    >>> [touched_text(form, field_name, "8") for field_name in ("name", "number", "seat")]
    ['8', '8', '7']
    """
    typed_text = form.text(field_name, stored_text)
    if typed_text == form.text(f"seen_{field_name}", stored_text):
        return stored_text
    return typed_text


@router.post(STUDENT_ADDRESS + "/time-factors")
async def set_time_factor(request: ClassDep, student_id: RowId) -> Response:
    """How much longer than the others this student has for timed assignments."""
    time_factor = 0.0
    for offered_factor in time_limits.TIME_FACTORS:
        if request.form.text("factor") == f"{offered_factor:g}":
            time_factor = offered_factor
    try:
        await request.write(time_limits.set_time_factor, student_id, time_factor, request.now)
    except Refused as error:
        return await student_page(request, student_id, "factor", error)
    return request.redirect_within(f"/students/{student_id}")


@router.post(STUDENT_ADDRESS + "/moves")
async def move_student(request: ClassDep, student_id: RowId) -> Response:
    """Into another class, with the marks or without."""
    target_class_id = next(iter(request.form.ids("to")), 0)
    brought_count_text = "none"
    try:
        if request.form.text("marks") == "carry":
            mark_count = await request.write(
                carried_marks.move_with_marks, student_id, target_class_id, request.now
            )
            # A second click cannot say how many the first one brought.
            brought_count_text = "" if mark_count is None else str(mark_count)
        else:
            await request.write(class_members.move_student, student_id, target_class_id, request.now)
    except Refused as error:
        return await student_page(request, student_id, "move", error)
    return request.redirect(f"/classrooms/{target_class_id}?brought={brought_count_text}")


@router.post(STUDENT_ADDRESS + "/removals")
async def remove_student(request: ClassDep, student_id: RowId) -> Response:
    """Out of the class; can be put back."""
    await request.write(class_members.remove_student, student_id, request.now)
    return request.redirect_within("#removed")


@router.post(STUDENT_ADDRESS + "/returns")
async def put_back_into_class(request: ClassDep, student_id: RowId) -> Response:
    """Into the class again."""
    await request.write(class_members.put_back_into_class, student_id, request.now)
    return request.redirect_within()
