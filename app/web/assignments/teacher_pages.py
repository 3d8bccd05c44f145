"""作业 of a class, for its teacher: the list, one of them, its settings, its life from draft to closing."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.records.assignments import drafts, extensions, lifecycle, lookup
from app.records.assignments.values import AssignmentPage, AssignmentRules, Audience
from app.records.db.errors import Refused
from app.records.grading import collection
from app.web.assignments import teacher_views
from app.web.assignments.assignment_requests import TeacherDep, TeacherRequest
from app.web.classes.classrooms import Id
from app.web.site.course_sources import teachers_courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.moments import read_moment
from app.web.site.requests import PostedForm, whole
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
LIST = "/classrooms/{classroom_id}/assignments"
ADDRESS = LIST + "/{assignment_id}"


@router.get(LIST)
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """Drafts, what runs, what is over; and a field for a new one."""
    return await list_page(request, site, caller, now, classroom_id)


async def list_page(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    title: str = "",
    error: str = "",
) -> Response:
    """The list; `title` and `error`: the new assignment that was refused, and why."""
    row, listed = await site.db.read(lookup.listed, caller, classroom_id)
    status = 200
    if error:
        status = 422
    return page(
        request,
        "assignments/teacher_index",
        known=True,
        status=status,
        page="class",
        title=f"作业 · {row.name}",
        row=row,
        lists=teacher_views.teacher_lists(listed, now),
        typed=title,
        error=error,
    )


@router.post(LIST)
async def create(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """A draft; what there is to do comes next."""
    title = form.one("title")
    try:
        assignment_id = await site.db.write(drafts.create, caller, classroom_id, title, now)
    except Refused as error:
        return await list_page(request, site, caller, now, classroom_id, title[:80], str(error))
    return see(request, f"/classrooms/{classroom_id}/assignments/{assignment_id}")


@router.get(ADDRESS)
async def show(request: TeacherDep) -> Response:
    """One assignment: what is in it, for whom, until when, and who has done it."""
    return await assignment_page(request, NOT_REFUSED)


class FormRefusal(NamedTuple):
    """A form that was refused: in which section of the page, why, and what was typed; empty for none."""

    where: str = ""
    error: str = ""
    typed: PostedForm | None = None


NOT_REFUSED = FormRefusal()


async def refuse(request: TeacherRequest, where: str, error: Refused) -> Response:
    """The page with the reason in a section, and with what was typed there."""
    return await assignment_page(request, FormRefusal(where, str(error), request.form))


async def assignment_page(request: TeacherRequest, refusal: FormRefusal) -> Response:
    opened, courses = await load_assignment(request)
    return request.page(
        "assignments/teacher_show",
        title=opened.assignment.title,
        view=teacher_views.assignment_view(courses, opened, request.now),
        done=request.http.query_params.get("done", ""),
        choices=teacher_views.CHOICES,
        **refusal._asdict(),
    )


async def load_assignment(request: TeacherRequest) -> tuple[AssignmentPage, Mapping[str, Course]]:
    """The assignment, and the courses that its teacher can draw from."""
    opened = await request.read(lookup.opened)
    return opened, await teachers_courses(request.http, opened.parts)


@router.post(ADDRESS + "/settings")
async def set_up(request: TeacherDep) -> Response:
    """When, how often, what is shown; and for whom, as long as it is a draft."""
    form = request.form
    try:
        rules = rules_of(form, request.site.settings.time_zone)
        pre_test = "pre" in form.fields
        await request.write(lifecycle.set_up, rules, request.now, pre_test, audience_of(form))
    except Refused as error:
        return await refuse(request, "settings", error)
    return request.see("?done=settings#settings")


def rules_of(form: PostedForm, zone: str) -> AssignmentRules:
    """What stands in the form of settings; Refused for a time that is none."""
    late = form.one("late") == "yes"
    late_until = None
    if late:
        late_until = read_moment(form.one("late_until"), zone)
        if late_until is None:
            raise Refused("迟交收到什么时候？写上时间。")
    opens_at = read_moment(form.one("opens"), zone)
    due_at = read_moment(form.one("due"), zone)
    late_factor = 1.0
    if late:
        late_factor = percent(form.one("late_percent"))
    return AssignmentRules(
        title=form.one("title"),
        note=form.one("note"),
        opens_at=opens_at,
        due_at=due_at,
        late_until=late_until,
        late_factor=late_factor,
        passes=form.number("passes", 1),
        tries=form.number("tries", 1),
        hints=form.one("hints") == "yes",
        answers=choice_of(form, "answers", "handed_in"),
        counts=choice_of(form, "counts", "best"),
    )


def choice_of(form: PostedForm, field: str, default: str) -> Any:
    """What was chosen in a field; the default for what it does not offer."""
    choice = form.one(field)
    if choice in teacher_views.CHOICES[field]:
        return choice
    return default


def percent(text: str) -> float:
    """A share that was typed in percent.

    >>> percent("80"), percent("８０％")
    (0.8, 0.8)
    """
    number = whole(text.strip().removesuffix("%").removesuffix("％"))
    if number is None or number > 100:
        raise Refused("迟交按几成算，写0到100之间的整数，比如80。")
    return number / 100


def audience_of(form: PostedForm) -> Audience | None:
    """Whom it is for; None where the form does not ask."""
    if "everyone" not in form.fields:
        return None
    return Audience(form.one("everyone") == "yes", form.ids("student"))


@router.post(ADDRESS + "/assignees")
async def give_to(request: TeacherDep) -> Response:
    """For everyone, or for single students."""
    everyone = request.form.one("everyone") == "yes"
    try:
        await request.write(lifecycle.give_to, everyone, request.form.ids("student"), request.now)
    except Refused as error:
        return await refuse(request, "assignees", error)
    return request.see("?done=assignees#assignees")


@router.post(ADDRESS + "/publications")
async def publish(request: TeacherDep) -> Response:
    """Its students see it from now on, with the settings that stand beside the button."""
    form = request.form
    try:
        rules = rules_of(form, request.site.settings.time_zone)
        pre_test = "pre" in form.fields
        await request.write(lifecycle.publish, request.now, rules, pre_test, audience_of(form))
    except Refused as error:
        return await refuse(request, "settings", error)
    return request.see("?done=publish")


@router.post(ADDRESS + "/closings")
async def close(request: TeacherDep) -> Response:
    """Nothing is taken any more; with `again` it is."""
    if request.form.one("again") == "yes":
        await request.write(lifecycle.reopen, request.now)
    else:
        await request.write(lifecycle.close, request.now)
    return request.see("#progress")


@router.post(ADDRESS + "/collections")
async def collect(request: TeacherDep) -> Response:
    """收卷: close it and take in what was not handed in."""
    await request.write(collection.collect, await request.courses(), request.now)
    return request.see("?done=collect#progress")


@router.post(ADDRESS + "/copies")
async def copy(request: TeacherDep) -> Response:
    """The same as a draft, in this class or another; as a 后测 with other numbers."""
    classroom_id = request.classroom_id
    if request.form.one("form") == "post":
        copy_id = await request.write(drafts.follow_up, request.now)
    else:
        classrooms = request.form.ids("to")
        if not classrooms:
            return await refuse(request, "copy", Refused("复制到哪个班？选一个。"))
        classroom_id = classrooms[0]
        copy_id = await request.write(drafts.copy, classroom_id, request.now)
    return see(request.http, f"/classrooms/{classroom_id}/assignments/{copy_id}?done=copy")


@router.post(ADDRESS + "/extensions")
async def extend(request: TeacherDep) -> Response:
    """Another due time, or none, for all or for the students who are ticked. Only extensions of these are
    withdrawn."""
    form, now = request.form, request.now
    withdrawn, note = form.one("back") == "yes", form.one("note")
    for_all = form.one("whom") == "all" and not withdrawn
    try:
        due_at = None
        if not withdrawn and not (for_all and form.one("due_never") == "yes"):
            due_at = new_due_at(form, request.site.settings.time_zone)
        if for_all:
            await request.write(extensions.postpone, due_at, note, now)
        else:
            await request.write(extensions.extend, form.ids("student"), due_at, note, now)
    except Refused as error:
        return await refuse(request, "extensions", error)
    return request.see("?done=extension#progress")


def new_due_at(form: PostedForm, zone: str) -> datetime:
    due_at = read_moment(form.one("due"), zone)
    if due_at is None:
        raise Refused("延到什么时候？写上新的截止时间。")
    return due_at


@router.post(ADDRESS + "/removals")
async def remove(request: TeacherDep) -> Response:
    """Throw a draft away."""
    await request.write(drafts.remove)
    return see(request.http, f"/classrooms/{request.classroom_id}/assignments")
