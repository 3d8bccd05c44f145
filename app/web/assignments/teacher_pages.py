"""作业 of a class, for its teacher: the list, one of them, its settings, its life from draft to closing."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from starlette.responses import Response

from app.course import Course
from app.records.assignments import audience, drafts, lifecycle, lookup, series
from app.records.assignments.deadlines import Schedule, late_percentage_text, schedule
from app.records.assignments.lookup import AssignmentPage
from app.records.assignments.series import ClassPlan, SeriesAssignment
from app.records.assignments.values import ListedAssignment
from app.records.classes import class_members
from app.records.db.errors import Refused, sentence_and_field
from app.records.db.row_ids import row_ids, text_of_row_ids
from app.records.grading import answering, collecting, mark_lists
from app.records.insight import pre_post
from app.records.marking import rubric_marks
from app.web.assignments import teacher_views
from app.web.assignments.assignment_requests import (
    ASSIGNMENT_ADDRESS,
    LIST_ADDRESS,
    TeacherDep,
    TeacherRequest,
)
from app.web.assignments.assignment_settings import (
    CHOICES_BY_SETTING,
    WORDS_BY_SETTING,
    audience_in_form,
    form_text,
    required_moment,
    settings_in_form,
)
from app.web.assignments.part_views import PartView, part_views
from app.web.classes.classrooms import ClassDep, ClassRequest
from app.web.site.clock import read_moment
from app.web.site.posted_forms import STORED_PREFIX, PostedForm
from app.web.site.requests import site_url
from app.web.site.routing import LazyRouter
from app.web.site.site import CourseByPrefix

router = LazyRouter()


@router.get(LIST_ADDRESS)
async def index(request: ClassDep) -> Response:
    """Drafts, what runs, what is over; and a field for a new one."""
    return await assignments_page(request)


async def assignments_page(
    request: ClassRequest, typed_title: str = "", error_sentence: str = ""
) -> Response:
    """The list; `typed_title` and `error_sentence`: the new assignment that was refused, and why."""
    classroom, listed_assignments, uncollected_works = await request.read(
        collecting.load_class_assignments_and_uncollected_works, request.now
    )
    return request.page(
        "assignments/teacher_index",
        title=f"作业 · {classroom.name}",
        classroom=classroom,
        lists=assignments_by_state(listed_assignments, request.now),
        uncollected_count_by_assignment_id={
            uncollected_work.assignment_id: uncollected_work.attempt_count
            for uncollected_work in uncollected_works
        },
        typed_title=typed_title,
        error_sentence=error_sentence,
    )


def assignments_by_state(
    listed_assignments: Sequence[ListedAssignment], now: datetime
) -> Mapping[str, Sequence[tuple[ListedAssignment, Schedule]]]:
    """Drafts, what runs, what is over; each with its times."""
    draft_assignments, running_assignments, past_assignments = [], [], []
    for listed_assignment in listed_assignments:
        class_schedule = schedule(listed_assignment.assignment, None, now)
        if class_schedule.state == "draft":
            draft_assignments.append((listed_assignment, class_schedule))
        elif class_schedule.state == "over":
            past_assignments.append((listed_assignment, class_schedule))
        else:
            running_assignments.append((listed_assignment, class_schedule))
    return {"drafts": draft_assignments, "running": running_assignments, "over": past_assignments}


@router.post(LIST_ADDRESS)
async def create_assignment(request: ClassDep) -> Response:
    """A draft; what there is to do comes next."""
    title = request.form.text("title")
    try:
        assignment_id = await request.write(drafts.create_draft, title, request.now)
    except Refused as error:
        return await assignments_page(request, title[:80], str(error))
    return request.redirect_within(f"/assignments/{assignment_id}")


@router.get(ASSIGNMENT_ADDRESS)
async def show(request: TeacherDep) -> Response:
    """One assignment: what is in it, for whom, until when, and who has done it."""
    return await assignment_page(request)


async def assignment_page(
    request: TeacherRequest, refusal: Refused | None = None, error_place: str = ""
) -> Response:
    """The page; `refusal`: why the form in the section `error_place` was refused. What was typed stands in it
    again."""
    error_sentence, refused_field = sentence_and_field(refusal)
    bank_form = request.form
    if request.http.method == "GET":
        bank_form = PostedForm(request.address_fields)
    assignment_data, course_by_prefix = await load_assignment_and_courses(request)
    offered_course_by_prefix: CourseByPrefix = {}
    if not assignment_data.is_frozen:
        offered_course_by_prefix = await request.site.course_by_prefix_of_teacher(request.caller)
    series_assignment_by_class_id: Mapping[int, SeriesAssignment] = {}
    if len(assignment_data.running_classes) > 1:
        series_assignment_by_class_id = await request.read(series.load_series_assignment_by_class_id)
    student_filter = request.query.get("only", "")
    answered_count_by_enrolment_id: Mapping[int, int] = {}
    if assignment_data.is_begun:
        answered_count_by_enrolment_id = await request.read(answering.load_answered_count_by_enrolment_id)
    assignment_view = teacher_views.AssignmentView(
        course_by_prefix,
        assignment_data,
        request.now,
        series_assignment_by_class_id,
        offered_course_by_prefix,
        student_filter,
        answered_count_by_enrolment_id,
    )
    moved_student_names: Sequence[str] = ()
    if passed_over_enrolment_ids := row_ids(request.query.get("passed-over", "")):
        moved_student_names = await request.site.db.read(
            class_members.load_names_of_moved_students,
            request.caller,
            request.classroom_id,
            passed_over_enrolment_ids,
        )
    unmarked_answer_count = 0
    if assignment_data.is_begun and assignment_view.has_rubric:
        marking_data = await request.read(rubric_marks.load_marking, course_by_prefix)
        unmarked_answer_count = sum(
            len(rubric_question.unmarked_answers) for rubric_question in marking_data.questions
        )
    return request.page(
        "assignments/teacher_show",
        title=assignment_data.assignment.title,
        view=assignment_view,
        unmarked_answer_count=unmarked_answer_count,
        missing_parts_words=missing_parts_words(assignment_view.part_views),
        done=request.query.get("done", ""),
        is_for_all="whose" not in request.query,
        changed_ids=row_ids(request.query.get("whose", "")),
        pre_test_class_ids=row_ids(request.query.get("still-pre", "")),
        stored_prefix=STORED_PREFIX,
        moved_names=moved_student_names,
        site_url=site_url(request.http),
        words=WORDS_BY_SETTING,
        choices=CHOICES_BY_SETTING,
        form_text=form_text,
        late_percentage_text=late_percentage_text,
        error_place=error_place,
        error_sentence=error_sentence,
        refused_field=refused_field,
        sent_form=request.form,
        bank_form=bank_form,
    )


async def load_assignment_and_courses(request: TeacherRequest) -> tuple[AssignmentPage, Mapping[str, Course]]:
    """The assignment, and the courses that its parts are from, whoever wrote them."""
    assignment_data = await request.read(lookup.load_assignment_page)
    return assignment_data, await request.site.course_by_prefix_of_refs(
        part.ref for part in assignment_data.parts
    )


@router.post(ASSIGNMENT_ADDRESS + "/settings")
async def change_settings(request: TeacherDep) -> Response:
    """When, how often, what is shown; and for whom, as long as it is a draft. With the other classes that
    have it, or for this one alone."""
    pre_test_class_ids: Sequence[int] = ()
    try:
        assignment_settings = settings_in_form(request.form, request.site.settings.time_zone)
        if request.form.text("scope") == "all":
            pre_test_class_ids = await request.write(series.set_up_series, assignment_settings, request.now)
        else:
            await request.write(lifecycle.set_up_assignment, assignment_settings, request.now)
    except Refused as error:
        return await assignment_page(request, error, "settings")
    query_text = "?done=settings"
    if pre_test_class_ids:
        query_text += "&still-pre=" + text_of_row_ids(pre_test_class_ids)
    return request.redirect_within(query_text + "#settings")


@router.post(ASSIGNMENT_ADDRESS + "/publications")
async def publish_assignment(request: TeacherDep) -> Response:
    """Its students see it from now on, with the settings that stand beside the button; so do those of the
    other classes that are ticked. With `back` it is a draft again, in this class alone."""
    if request.form.text("back") == "yes":
        return await take_back_publication(request)
    try:
        time_zone = request.site.settings.time_zone
        assignment_settings = settings_in_form(request.form, time_zone)
        class_plans = plans_of_ticked_classes(request.form, time_zone)
        await expect_no_missing_part(request)
        await request.write(series.publish_series, request.now, assignment_settings, class_plans)
    except Refused as error:
        return await assignment_page(request, error, "settings")
    return request.redirect_within("?done=publish")


def missing_parts_words(views_of_parts: Sequence[PartView]) -> str:
    """The parts that are in no course any more, in words; empty where all are there."""
    missing_part_names = []
    for part_view in views_of_parts:
        if part_view.is_missing and part_view.question_numbers_text:
            missing_part_names.append(f"第{part_view.question_numbers_text}题")
        elif part_view.is_missing:
            missing_part_names.append("一节课文" if part_view.part.kind == "section" else "一项闪卡")
    return "、".join(missing_part_names)


async def expect_no_missing_part(request: TeacherRequest) -> None:
    """Refused where something that it asks is in no course any more: students would find it gone."""
    assignment_data, course_by_prefix = await load_assignment_and_courses(request)
    if missing_words := missing_parts_words(part_views(course_by_prefix, assignment_data.parts)):
        raise Refused(
            f"{missing_words}已经不在了，发布了同学也做不了。先移走，换别的；写在“我的内容”里的，"
            "用原来的代号写回去也行。然后再发布。"
        )


async def take_back_publication(request: TeacherRequest) -> Response:
    """What was published by mistake."""
    try:
        await request.write(lifecycle.take_back_publication, request.now)
    except Refused as error:
        return await assignment_page(request, error, "back")
    return request.redirect_within("?done=back")


def plans_of_ticked_classes(form: PostedForm, time_zone: str) -> list[ClassPlan]:
    """The classes that are ticked, each with its due time; Refused for a time that is none."""
    class_plans = []
    for classroom_id in form.ids("class"):
        due_at = read_moment(form.text(f"due-{classroom_id}"), time_zone)
        class_plans.append(ClassPlan(classroom_id, due_at))
    return class_plans


@router.post(ASSIGNMENT_ADDRESS + "/assignees")
async def set_audience(request: TeacherDep) -> Response:
    """For everyone, or for single students."""
    try:
        await request.write(audience.change_audience, audience_in_form(request.form), request.now)
    except Refused as error:
        return await assignment_page(request, error, "assignees")
    return request.redirect_within("?done=assignees#assignees")


@router.post(ASSIGNMENT_ADDRESS + "/closings")
async def close_assignment(request: TeacherDep) -> Response:
    """Nothing is taken any more; with `again` it is."""
    if request.form.text("again") == "yes":
        await request.write(lifecycle.reopen, request.now)
    else:
        await request.write(lifecycle.close, request.now)
    return request.redirect_within("#progress")


@router.post(ASSIGNMENT_ADDRESS + "/collections")
async def collect_work(request: TeacherDep) -> Response:
    """收卷: close it and take in what was not handed in."""
    await request.write(collecting.collect_work, await request.load_course_by_prefix(), request.now)
    return request.redirect_within("?done=collect#progress")


@router.post(ASSIGNMENT_ADDRESS + "/copies")
async def copy_assignment(request: TeacherDep) -> Response:
    """The assignment once more, as a draft: in this class or another, or as a 后测 with other numbers."""
    classroom_id = request.classroom_id
    if request.form.text("form") == "post":
        copy_id = await request.write(pre_post.create_post_test_draft, request.now)
    else:
        classroom_ids = request.form.ids("to")
        if not classroom_ids:
            return await assignment_page(request, Refused("复制到哪个班？选一个。"), "copy")
        classroom_id = classroom_ids[0]
        copy_id = await request.write(drafts.copy_as_draft, classroom_id, request.now)
    return request.redirect(f"/classrooms/{classroom_id}/assignments/{copy_id}?done=copy")


@router.post(ASSIGNMENT_ADDRESS + "/extensions")
async def extend_due_time(request: TeacherDep) -> Response:
    """Another due time, or none, for all or for the students and groups that are ticked. Only
    extensions of these are withdrawn."""
    form, now = request.form, request.now
    is_withdrawal, typed_reason = form.text("back") == "yes", form.text("note")
    is_for_all = form.text("whom") == "all" and not is_withdrawal
    try:
        due_at = None
        if not is_withdrawal and not (is_for_all and form.text("due_never") == "yes"):
            time_zone = request.site.settings.time_zone
            due_at = required_moment(form, "due", time_zone, "延到什么时候？写上新的截止时间。")
        if is_for_all:
            await request.write(lifecycle.postpone_assignment, due_at, typed_reason, now)
            return request.redirect_within("?done=extension#progress")
        enrolment_ids = await request.write(
            lifecycle.extend_due_times, form.ids("student"), due_at, typed_reason, now, form.ids("group")
        )
    except Refused as error:
        return await assignment_page(request, error, "extensions")
    return request.redirect_within(f"?done=extension&whose={text_of_row_ids(enrolment_ids)}#progress")


@router.post(ASSIGNMENT_ADDRESS + "/excuses")
async def excuse_students(request: TeacherDep) -> Response:
    """免 for the students and groups that are ticked, with a reason."""
    form = request.form
    try:
        passed_over_enrolment_ids = await request.write(
            mark_lists.excuse_students,
            form.ids("student"),
            form.ids("group"),
            form.text("note"),
            request.now,
            form.text_by_row_id(STORED_PREFIX),
        )
    except Refused as error:
        return await assignment_page(request, error, "extensions")
    return request.redirect_after_marks("excuses", passed_over_enrolment_ids)


@router.post(ASSIGNMENT_ADDRESS + "/removals")
async def remove_draft(request: TeacherDep) -> Response:
    """Throw a draft away."""
    await request.write(pre_post.remove_draft, request.now)
    return request.redirect(f"/classrooms/{request.classroom_id}/assignments")
