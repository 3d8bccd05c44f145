"""作业 of a class, for its teacher: the list, one of them, its settings, its life from draft to closing."""

from datetime import datetime
from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.assignments import assignments
from app.records.assignments.values import AssignmentRules, Audience
from app.records.db.errors import Refused
from app.records.grading import collection
from app.web.assignments import teacher_views
from app.web.classes.classrooms import Id
from app.web.site.clock import now
from app.web.site.course_sources import courses, teachers_courses
from app.web.site.moments import read_moment
from app.web.site.requests import PostedForm, caller_of, read_form, whole
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
ALL = "/classrooms/{classroom_id}/assignments"
HERE = ALL + "/{assignment_id}"


@router.get(ALL)
async def index(request: Request, classroom_id: Id) -> Response:
    """Drafts, what runs, what is over; and a field for a new one."""
    return await list_page(request, classroom_id)


async def list_page(
    request: Request, classroom_id: int, title: str = "", error: str = "", status: int = 200
) -> Response:
    site, at = site_of(request), now()
    row, found = await site.db.read(assignments.listed, caller_of(request), classroom_id)
    return page(
        request,
        "assignments/teacher_index",
        known=True,
        status=status,
        page="class",
        title=f"作业 · {row.name}",
        row=row,
        shelves=teacher_views.teacher_lists(found, at),
        typed=title,
        error=error,
    )


@router.post(ALL)
async def create(request: Request, classroom_id: Id) -> Response:
    """A draft; what there is to do comes next."""
    form = await read_form(request)
    title = form.one("title")
    try:
        made = await site_of(request).db.write(
            assignments.create, caller_of(request), classroom_id, title, now()
        )
    except Refused as error:
        return await list_page(request, classroom_id, title[:80], str(error), 422)
    return see(request, url(classroom_id, made))


@router.get(HERE)
async def show(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """One assignment: what is in it, for whom, until when, and who has done it."""
    return await one_page(request, classroom_id, assignment_id)


async def one_page(
    request: Request,
    classroom_id: int,
    assignment_id: int,
    *,
    where: str = "",
    error: str = "",
    typed: PostedForm | None = None,
    status: int = 200,
) -> Response:
    """The page; `error` stands in the section that is named by `where`, with what was typed."""
    site, at = site_of(request), now()
    found = await site.db.read(assignments.opened, caller_of(request), classroom_id, assignment_id)
    return page(
        request,
        "assignments/teacher_show",
        known=True,
        status=status,
        page="class",
        title=found.assignment.title,
        look=teacher_views.assignment_view(await teachers_courses(request, found.parts), found, at),
        typed=typed,
        where=where,
        error=error,
        done=request.query_params.get("done", ""),
        choices=teacher_views.CHOICES,
    )


async def refused(
    request: Request, classroom_id: int, assignment_id: int, where: str, error: Refused, typed: PostedForm
) -> Response:
    return await one_page(
        request, classroom_id, assignment_id, where=where, error=str(error), typed=typed, status=422
    )


def url(classroom_id: int, assignment_id: int, more: str = "") -> str:
    return f"/classrooms/{classroom_id}/assignments/{assignment_id}{more}"


@router.post(HERE + "/settings")
async def set_up(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """When, how often, what is shown; and for whom, as long as it is a draft."""
    form, site = await read_form(request), site_of(request)
    asked = (caller_of(request), classroom_id, assignment_id)
    try:
        wishes = settings_of(form, site.settings.time_zone)
        beside = ("pre" in form.fields, audience_of(form))
        await site.db.write(assignments.set_up, *asked, wishes, now(), *beside)
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "settings", error, form)
    return see(request, url(classroom_id, assignment_id, "?done=settings#settings"))


def settings_of(form: PostedForm, zone: str) -> AssignmentRules:
    """What stands in the form of settings; Refused for a time that is none."""
    late = form.one("late") == "yes"
    late_until = read_moment(form.one("late_until"), zone) if late else None
    if late and late_until is None:
        raise Refused("迟交收到什么时候？写上时间。")
    return AssignmentRules(
        title=form.one("title"),
        note=form.one("note"),
        opens_at=read_moment(form.one("opens"), zone),
        due_at=read_moment(form.one("due"), zone),
        late_until=late_until,
        late_factor=percent(form.one("late_percent")) if late else 1.0,
        passes=form.number("passes", 1),
        tries=form.number("tries", 1),
        hints=form.one("hints") == "yes",
        answers=one_of(form.one("answers"), "handed_in", teacher_views.ANSWERS),
        counts=one_of(form.one("counts"), "best", teacher_views.COUNTS),
    )


def audience_of(form: PostedForm) -> Audience | None:
    """Whom it is for, where the form says so."""
    if "everyone" not in form.fields:
        return None
    return Audience(form.one("everyone") == "yes", form.ids("student"))


def one_of(text: str, default: Any, known: Any) -> Any:
    return text if text in known else default


def percent(text: str) -> float:
    """A share that was typed in percent.

    >>> percent("80"), percent("８０％")
    (0.8, 0.8)
    """
    found = whole(text.strip().removesuffix("%").removesuffix("％"))
    if found is None or found > 100:
        raise Refused("迟交按几成算，写0到100之间的整数，比如80。")
    return found / 100


@router.post(HERE + "/assignees")
async def give_to(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """For everyone, or for single students."""
    form = await read_form(request)
    arguments = (form.one("everyone") == "yes", form.ids("student"), now())
    try:
        await site_of(request).db.write(
            assignments.give_to, caller_of(request), classroom_id, assignment_id, *arguments
        )
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "assignees", error, form)
    return see(request, url(classroom_id, assignment_id, "?done=assignees#assignees"))


@router.post(HERE + "/publications")
async def publish(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Its students see it from now on, with the settings that stand beside the button."""
    form, site = await read_form(request), site_of(request)
    asked = (caller_of(request), classroom_id, assignment_id)
    try:
        wishes = settings_of(form, site.settings.time_zone)
        beside = ("pre" in form.fields, audience_of(form))
        await site.db.write(assignments.publish, *asked, now(), wishes, *beside)
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "settings", error, form)
    return see(request, url(classroom_id, assignment_id, "?done=publish"))


@router.post(HERE + "/closings")
async def close(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Nothing is taken any more; with `again` it is."""
    form = await read_form(request)
    verb = assignments.reopen if form.one("again") == "yes" else assignments.close
    await site_of(request).db.write(verb, caller_of(request), classroom_id, assignment_id, now())
    return see(request, url(classroom_id, assignment_id, "#progress"))


@router.post(HERE + "/collections")
async def collect(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """收卷: close it and take in what was not handed in."""
    site = site_of(request)
    await site.db.write(
        collection.collect,
        caller_of(request),
        classroom_id,
        assignment_id,
        await courses(site, assignment_id),
        now(),
    )
    return see(request, url(classroom_id, assignment_id, "?done=collect#progress"))


@router.post(HERE + "/copies")
async def copy(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """The same as a draft, here or in another class; as a 后测 with other numbers."""
    form = await read_form(request)
    db, asked = site_of(request).db, (caller_of(request), classroom_id, assignment_id)
    if form.one("form") == "post":
        made, to = await db.write(assignments.follow_up, *asked, now()), classroom_id
    elif to := next(iter(form.ids("to")), 0):
        made = await db.write(assignments.copy, *asked, to, now())
    else:
        return await refused(request, *asked[1:], "copy", Refused("复制到哪个班？选一个。"), form)
    return see(request, url(to, made, "?done=copy"))


@router.post(HERE + "/extensions")
async def extend(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Another due time, for those who are ticked, or for all; none any more, for all. What is taken back are
    always extensions of those who are ticked."""
    form, site = await read_form(request), site_of(request)
    try:
        asked, reason = (caller_of(request), classroom_id, assignment_id), form.one("note")
        due = new_due(form, site.settings.time_zone)
        if form.one("whom") == "all" and not takes_back(form):
            await site.db.write(assignments.postpone, *asked, due, reason, now())
        else:
            await site.db.write(assignments.extend, *asked, form.ids("student"), due, reason, now())
    except Refused as error:
        return await refused(request, classroom_id, assignment_id, "extensions", error, form)
    return see(request, url(classroom_id, assignment_id, "?done=extension#progress"))


def takes_back(form: PostedForm) -> bool:
    return form.one("back") == "yes"


def new_due(form: PostedForm, zone: str) -> datetime | None:
    """The new due time; None where an extension is taken back, and where all shall have no due time."""
    if takes_back(form) or (form.one("whom"), form.one("due_never")) == ("all", "yes"):
        return None
    due = read_moment(form.one("due"), zone)
    if due is None:
        raise Refused("延到什么时候？写上新的截止时间。")
    return due


@router.post(HERE + "/removals")
async def remove(request: Request, classroom_id: Id, assignment_id: Id) -> Response:
    """Throw a draft away."""
    await site_of(request).db.write(assignments.remove, caller_of(request), classroom_id, assignment_id)
    return see(request, f"/classrooms/{classroom_id}/assignments")
