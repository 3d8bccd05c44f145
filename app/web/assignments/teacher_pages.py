"""作业 of a class, for its teacher: the list, one of them, its settings, its life from draft to closing."""

from datetime import datetime
from typing import Any, NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.accounts.values import Caller
from app.records.assignments import assignments
from app.records.assignments.values import AssignmentRules, Audience
from app.records.db.errors import Refused
from app.records.grading import collection
from app.web.assignments import teacher_views
from app.web.classes.classrooms import Id
from app.web.site.course_sources import courses, teachers_courses
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.moments import read_moment
from app.web.site.requests import PostedForm, whole
from app.web.site.responses import page, see
from app.web.site.site import Site

router = APIRouter()
ALL = "/classrooms/{classroom_id}/assignments"
HERE = ALL + "/{assignment_id}"


@router.get(ALL)
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
    row, listed = await site.db.read(assignments.listed, caller, classroom_id)
    return page(
        request,
        "assignments/teacher_index",
        known=True,
        status=422 if error else 200,
        page="class",
        title=f"作业 · {row.name}",
        row=row,
        lists=teacher_views.teacher_lists(listed, now),
        typed=title,
        error=error,
    )


@router.post(ALL)
async def create(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """A draft; what there is to do comes next."""
    title = form.one("title")
    try:
        assignment_id = await site.db.write(assignments.create, caller, classroom_id, title, now)
    except Refused as error:
        return await list_page(request, site, caller, now, classroom_id, title[:80], str(error))
    return see(request, url(classroom_id, assignment_id))


class Refusal(NamedTuple):
    """A form that was refused: in which section of the page, why, and what was typed."""

    where: str = ""
    error: str = ""
    typed: PostedForm | None = None

    @property
    def status(self) -> int:
        return 422 if self.where else 200


@router.get(HERE)
async def show(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id, assignment_id: Id
) -> Response:
    """One assignment: what is in it, for whom, until when, and who has done it."""
    return await assignment_page(request, site, caller, now, classroom_id, assignment_id)


async def assignment_page(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    classroom_id: int,
    assignment_id: int,
    refusal: Refusal = Refusal(),  # noqa: B008  # frozen
) -> Response:
    opened = await site.db.read(assignments.opened, caller, classroom_id, assignment_id)
    course_map = await teachers_courses(request, opened.parts)
    return page(
        request,
        "assignments/teacher_show",
        known=True,
        status=refusal.status,
        page="class",
        title=opened.assignment.title,
        view=teacher_views.assignment_view(course_map, opened, now),
        done=request.query_params.get("done", ""),
        choices=teacher_views.CHOICES,
        **refusal._asdict(),
    )


def url(classroom_id: int, assignment_id: int, more: str = "") -> str:
    return f"/classrooms/{classroom_id}/assignments/{assignment_id}{more}"


@router.post(HERE + "/settings")
async def set_up(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """When, how often, what is shown; and for whom, as long as it is a draft."""
    try:
        await site.db.write(
            assignments.set_up,
            caller,
            classroom_id,
            assignment_id,
            rules_of(form, site.settings.time_zone),
            now,
            "pre" in form.fields,
            audience_of(form),
        )
    except Refused as error:
        refusal = Refusal("settings", str(error), form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    return see(request, url(classroom_id, assignment_id, "?done=settings#settings"))


def rules_of(form: PostedForm, zone: str) -> AssignmentRules:
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
        answers=choice_of(form, "answers", "handed_in"),
        counts=choice_of(form, "counts", "best"),
    )


def choice_of(form: PostedForm, field: str, default: str) -> Any:
    """What was chosen in a field; the default for what it does not offer."""
    choice = form.one(field)
    return choice if choice in teacher_views.CHOICES[field] else default


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


@router.post(HERE + "/assignees")
async def give_to(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """For everyone, or for single students."""
    everyone = form.one("everyone") == "yes"
    try:
        await site.db.write(
            assignments.give_to, caller, classroom_id, assignment_id, everyone, form.ids("student"), now
        )
    except Refused as error:
        refusal = Refusal("assignees", str(error), form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    return see(request, url(classroom_id, assignment_id, "?done=assignees#assignees"))


@router.post(HERE + "/publications")
async def publish(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Its students see it from now on, with the settings that stand beside the button."""
    try:
        await site.db.write(
            assignments.publish,
            caller,
            classroom_id,
            assignment_id,
            now,
            rules_of(form, site.settings.time_zone),
            "pre" in form.fields,
            audience_of(form),
        )
    except Refused as error:
        refusal = Refusal("settings", str(error), form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    return see(request, url(classroom_id, assignment_id, "?done=publish"))


@router.post(HERE + "/closings")
async def close(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Nothing is taken any more; with `again` it is."""
    verb = assignments.reopen if form.one("again") == "yes" else assignments.close
    await site.db.write(verb, caller, classroom_id, assignment_id, now)
    return see(request, url(classroom_id, assignment_id, "#progress"))


@router.post(HERE + "/collections")
async def collect(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id, assignment_id: Id
) -> Response:
    """收卷: close it and take in what was not handed in."""
    course_map = await courses(site, assignment_id)
    await site.db.write(collection.collect, caller, classroom_id, assignment_id, course_map, now)
    return see(request, url(classroom_id, assignment_id, "?done=collect#progress"))


@router.post(HERE + "/copies")
async def copy(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """The same as a draft, in this class or another; as a 后测 with other numbers."""
    if form.one("form") == "post":
        copy_id = await site.db.write(assignments.follow_up, caller, classroom_id, assignment_id, now)
        return see(request, url(classroom_id, copy_id, "?done=copy"))
    targets = form.ids("to")
    if not targets:
        refusal = Refusal("copy", "复制到哪个班？选一个。", form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    copy_id = await site.db.write(assignments.copy, caller, classroom_id, assignment_id, targets[0], now)
    return see(request, url(targets[0], copy_id, "?done=copy"))


@router.post(HERE + "/extensions")
async def extend(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    assignment_id: Id,
) -> Response:
    """Another due time, or none, for all or for the students who are ticked. Only extensions of these are
    withdrawn."""
    withdrawn, reason = form.one("back") == "yes", form.one("note")
    for_all = form.one("whom") == "all" and not withdrawn
    try:
        due_at = None
        if not withdrawn and not (for_all and form.one("due_never") == "yes"):
            due_at = new_due_at(form, site.settings.time_zone)
        if for_all:
            await site.db.write(
                assignments.postpone, caller, classroom_id, assignment_id, due_at, reason, now
            )
        else:
            students = form.ids("student")
            await site.db.write(
                assignments.extend, caller, classroom_id, assignment_id, students, due_at, reason, now
            )
    except Refused as error:
        refusal = Refusal("extensions", str(error), form)
        return await assignment_page(request, site, caller, now, classroom_id, assignment_id, refusal)
    return see(request, url(classroom_id, assignment_id, "?done=extension#progress"))


def new_due_at(form: PostedForm, zone: str) -> datetime:
    due_at = read_moment(form.one("due"), zone)
    if due_at is None:
        raise Refused("延到什么时候？写上新的截止时间。")
    return due_at


@router.post(HERE + "/removals")
async def remove(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, assignment_id: Id
) -> Response:
    """Throw a draft away."""
    await site.db.write(assignments.remove, caller, classroom_id, assignment_id)
    return see(request, f"/classrooms/{classroom_id}/assignments")
