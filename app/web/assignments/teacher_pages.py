"""作业 of a class, for its teacher: the list, one of them, its settings, its life from draft to closing."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from fastapi import APIRouter
from starlette.responses import Response

from app.course import Course
from app.course.text.typed import whole_number
from app.records.assignments import audience, drafts, lifecycle, lookup, series
from app.records.assignments.lookup import AssignmentPage
from app.records.assignments.series import ClassPlan
from app.records.assignments.values import AssignmentRules, AssignmentSettings, Audience, FormerTimes
from app.records.db.errors import Refused
from app.records.grading import collecting
from app.records.marking import rubric_marks
from app.web.assignments import teacher_views
from app.web.assignments.assignment_requests import (
    ASSIGNMENT_ADDRESS,
    LIST_ADDRESS,
    TeacherDep,
    TeacherRequest,
)
from app.web.assignments.setting_words import CHOICES_BY_SETTING, WORDS_BY_SETTING
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.site.clock import read_moment
from app.web.site.posted_forms import PostedForm, form_in_address
from app.web.site.requests import site_url
from app.web.site.responses import redirect
from app.web.site.routing import LateRoute

router = APIRouter(route_class=LateRoute)


@router.get(LIST_ADDRESS)
async def index(request: ClassDep) -> Response:
    """Drafts, what runs, what is over; and a field for a new one."""
    return await list_page(request)


async def list_page(request: ClassRequest, title: str = "", error: str = "") -> Response:
    """The list; `title` and `error`: the new assignment that was refused, and why."""
    classroom, assignments = await request.read(lookup.load_assignment_list)
    return request.page(
        "assignments/teacher_index",
        title=f"作业 · {classroom.name}",
        classroom=classroom,
        lists=teacher_views.assignments_by_state(assignments, request.now),
        typed_title=title,
        error=error,
    )


@router.post(LIST_ADDRESS)
async def create(request: ClassDep) -> Response:
    """A draft; what there is to do comes next."""
    title = request.form.text("title")
    try:
        assignment_id = await request.write(drafts.create_draft, title, request.now)
    except Refused as error:
        return await list_page(request, title[:80], str(error))
    return request.redirect(f"/assignments/{assignment_id}")


@router.get(ASSIGNMENT_ADDRESS)
async def show(request: TeacherDep) -> Response:
    """One assignment: what is in it, for whom, until when, and who has done it."""
    return await assignment_page(request)


async def assignment_page(
    request: TeacherRequest, error_place: str = "", error: str = "", refused_field: str = ""
) -> Response:
    """The page of an assignment. Of a form that was refused, `error_place` is the section, `error` says
    why, and `refused_field` is what has to be put right; what was typed stands in it again."""
    bank_form = request.form
    if request.http.method == "GET":
        bank_form = form_in_address(request.http)
    assignment_data, course_by_prefix = await load_assignment(request)
    offered_courses = await request.site.teachers_courses(request.caller)
    member_by_class_id = await request.read(series.load_member_by_class)
    student_filter = request.query.get("only", "")
    view = teacher_views.AssignmentView(
        course_by_prefix, assignment_data, request.now, member_by_class_id, offered_courses, student_filter
    )
    unmarked_count = 0
    if view.has_rubric and assignment_data.is_begun:
        marking = await request.read(rubric_marks.load_marking, course_by_prefix)
        unmarked_count = sum(len(question.unmarked_answers) for question in marking.questions)
    return request.page(
        "assignments/teacher_show",
        title=assignment_data.assignment.title,
        view=view,
        unmarked_count=unmarked_count,
        done=request.http.query_params.get("done", ""),
        site_url=site_url(request.http),
        words=WORDS_BY_SETTING,
        choices=CHOICES_BY_SETTING,
        error_place=error_place,
        error=error,
        refused_field=refused_field,
        sent_form=request.form,
        bank_form=bank_form,
    )


async def load_assignment(request: TeacherRequest) -> tuple[AssignmentPage, Mapping[str, Course]]:
    """The assignment, and the courses that its parts are from, whoever wrote them."""
    assignment_data = await request.read(lookup.load_assignment_page)
    return assignment_data, await request.site.courses_of(part.ref for part in assignment_data.parts)


@router.post(ASSIGNMENT_ADDRESS + "/settings")
async def change_settings(request: TeacherDep) -> Response:
    """When, how often, what is shown; and for whom, as long as it is a draft. With the other classes that
    have it, or for this one alone."""
    set_up_verb = lifecycle.set_up
    if request.form.text("scope") == "all":
        set_up_verb = series.set_up
    try:
        await request.write(set_up_verb, settings_of(request), request.now)
    except Refused as error:
        return await assignment_page(request, "settings", str(error), error.field)
    return request.redirect("?done=settings#settings")


@router.post(ASSIGNMENT_ADDRESS + "/publications")
async def publish(request: TeacherDep) -> Response:
    """Its students see it from now on, with the settings that stand beside the button; so do those of the
    other classes that are ticked."""
    try:
        settings = settings_of(request)
        class_plans = given_plans(request.form, request.site.settings.time_zone)
        await request.write(series.publish, request.now, settings, class_plans)
    except Refused as error:
        return await assignment_page(request, "settings", str(error), error.field)
    return request.redirect("?done=publish")


def given_plans(form: PostedForm, time_zone: str) -> list[ClassPlan]:
    """The classes that are ticked, each with its due time; Refused for a time that is none."""
    class_plans = []
    for classroom_id in form.ids("class"):
        due_at = read_moment(form.text(f"due-{classroom_id}"), time_zone)
        class_plans.append(ClassPlan(classroom_id, due_at))
    return class_plans


def settings_of(request: TeacherRequest) -> AssignmentSettings:
    """What stands in the form of settings; whom it is for only where the form asks."""
    form = request.form
    audience = None
    if "everyone" in form.texts_by_field:
        audience = audience_of(form)
    time_zone = request.site.settings.time_zone
    former_times = former_times_of(form, time_zone)
    return AssignmentSettings(rules_of(form, time_zone), "pre" in form.texts_by_field, audience, former_times)


def former_times_of(form: PostedForm, time_zone: str) -> FormerTimes | None:
    """The times with which the form was opened; None for one that does not say."""
    if "seen_due" not in form.texts_by_field:
        return None
    late_until = read_moment(form.text("seen_late_until"), time_zone)
    late_factor = 1.0
    if late_until:
        late_factor = read_percent(form.text("seen_late_percent"))
    return FormerTimes(
        read_moment(form.text("seen_opens"), time_zone),
        read_moment(form.text("seen_due"), time_zone),
        late_until,
        late_factor,
    )


def audience_of(form: PostedForm) -> Audience:
    """Whom it is for, as the form has it."""
    return Audience(form.text("everyone") == "yes", form.ids("student"), form.ids("group"))


def rules_of(form: PostedForm, time_zone: str) -> AssignmentRules:
    """The rules in the form of settings; Refused for a time that is none."""
    late_until = None
    if form.text("late") == "yes":
        late_until = required_moment(form, "late_until", time_zone, "迟交收到什么时候？写上时间。")
    opens_at = read_moment(form.text("opens"), time_zone)
    due_at = read_moment(form.text("due"), time_zone)
    late_factor = 1.0
    if late_until:
        late_factor = read_percent(form.text("late_percent"))
    return AssignmentRules(
        form.text("title"),
        form.text("note"),
        opens_at,
        due_at,
        late_until,
        late_factor,
        passes=form.number("passes"),
        tries=form.number("tries"),
        hints=form.text("hints") == "yes",
        answers=choice_of(form, "answers", "handed_in"),
        counts=choice_of(form, "counts", "best"),
        minutes=read_minutes(form.text("minutes")),
    )


def required_moment(form: PostedForm, field_name: str, time_zone: str, refusal: str) -> datetime:
    """The time in a field that must not be empty."""
    moment = read_moment(form.text(field_name), time_zone)
    if moment is None:
        raise Refused(refusal, field_name)
    return moment


def read_minutes(typed_minutes: str) -> int:
    """Minutes as they were typed; 0 for an empty field.

    >>> read_minutes(" ４５ 分钟"), read_minutes("")
    (45, 0)
    """
    minutes_text = typed_minutes.strip().removesuffix("分钟").strip()
    if not minutes_text:
        return 0
    minutes = whole_number(minutes_text)
    if minutes is None:
        raise Refused("做题时间写整数分钟，比如45；空着就不限。", "minutes")
    return minutes


def read_percent(typed_percent: str) -> float:
    """A share that was typed in percent.

    >>> read_percent("80"), read_percent("８０％")
    (0.8, 0.8)
    """
    percentage = whole_number(typed_percent.strip().removesuffix("%").removesuffix("％"))
    if percentage is None or percentage > 100:
        raise Refused("迟交按几成算，写0到100之间的整数，比如80。", "late_percent")
    return percentage / 100


def choice_of(form: PostedForm, field_name: str, default: str) -> Any:
    """What was chosen in a field; the default for what it does not offer."""
    choice = form.text(field_name)
    if choice in CHOICES_BY_SETTING[field_name]:
        return choice
    return default


@router.post(ASSIGNMENT_ADDRESS + "/assignees")
async def set_audience(request: TeacherDep) -> Response:
    """For everyone, or for single students."""
    try:
        await request.write(audience.give_assignment, audience_of(request.form), request.now)
    except Refused as error:
        return await assignment_page(request, "assignees", str(error))
    return request.redirect("?done=assignees#assignees")


@router.post(ASSIGNMENT_ADDRESS + "/closings")
async def close(request: TeacherDep) -> Response:
    """Nothing is taken any more; with `again` it is."""
    if request.form.text("again") == "yes":
        await request.write(lifecycle.reopen, request.now)
    else:
        await request.write(lifecycle.close, request.now)
    return request.redirect("#progress")


@router.post(ASSIGNMENT_ADDRESS + "/collections")
async def collect(request: TeacherDep) -> Response:
    """收卷: close it and take in what was not handed in."""
    await request.write(collecting.collect, await request.courses(), request.now)
    return request.redirect("?done=collect#progress")


@router.post(ASSIGNMENT_ADDRESS + "/copies")
async def copy(request: TeacherDep) -> Response:
    """The assignment once more, as a draft: in this class or another, or as a 后测 with other numbers."""
    classroom_id = request.classroom_id
    if request.form.text("form") == "post":
        copy_id = await request.write(drafts.draft_post_test, request.now)
    else:
        classroom_ids = request.form.ids("to")
        if not classroom_ids:
            return await assignment_page(request, "copy", "复制到哪个班？选一个。")
        classroom_id = classroom_ids[0]
        copy_id = await request.write(drafts.copy_as_draft, classroom_id, request.now)
    return redirect(request.http, f"/classrooms/{classroom_id}/assignments/{copy_id}?done=copy")


@router.post(ASSIGNMENT_ADDRESS + "/extensions")
async def extend(request: TeacherDep) -> Response:
    """Another due time, or none, for all or for the students and groups that are ticked. Only
    extensions of these are withdrawn."""
    form, now = request.form, request.now
    is_withdrawal, note = form.text("back") == "yes", form.text("note")
    is_for_all = form.text("whom") == "all" and not is_withdrawal
    try:
        due_at = None
        if not is_withdrawal and not (is_for_all and form.text("due_never") == "yes"):
            time_zone = request.site.settings.time_zone
            due_at = required_moment(form, "due", time_zone, "延到什么时候？写上新的截止时间。")
        if is_for_all:
            await request.write(lifecycle.postpone, due_at, note, now)
        else:
            await request.write(lifecycle.extend, form.ids("student"), due_at, note, now, form.ids("group"))
    except Refused as error:
        return await assignment_page(request, "extensions", str(error), error.field)
    return request.redirect("?done=extension#progress")


@router.post(ASSIGNMENT_ADDRESS + "/removals")
async def remove(request: TeacherDep) -> Response:
    """Throw a draft away."""
    await request.write(drafts.remove_draft)
    return redirect(request.http, f"/classrooms/{request.classroom_id}/assignments")
