"""Students of a class: what they did, and what a teacher does for them."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.course import Course
from app.records.accounts.values import Caller
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.insight import class_pages
from app.records.learning.values import FirstTries
from app.web.answers import where_from
from app.web.classes.classrooms import Id
from app.web.classes.work_views import work_groups
from app.web.items.answered import answered
from app.web.practice.strength_views import Strength, skills_of, strengths
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.site import site_of
from app.web.start_page import summary

router = APIRouter()
STUDENT = "/classrooms/{classroom_id}/students/{student_id}"


@router.get(STUDENT)
async def show(request: Request, caller: CallerDep, classroom_id: Id, student_id: Id) -> Response:
    """A student: how far, how firmly, and every piece of work."""
    return await student_page(request, caller, classroom_id, student_id)


async def student_page(
    request: Request,
    caller: Caller,
    classroom_id: int,
    student_id: int,
    error: str = "",
    status: int = 200,
) -> Response:
    site = site_of(request)
    course = site.course
    twins = {course.ref(twin): course.ref(item) for twin, item in course.twin_of.items()}
    unscored = frozenset(map(course.ref, course.unscored))
    data, targets = await site.db.read(
        class_pages.load_student, caller, classroom_id, student_id, twins, unscored
    )
    return page(
        request,
        "classes/student",
        known=True,
        status=status,
        page="class",
        title=data.student.name,
        row=data.row,
        student=data.student,
        progress=summary(course, data.progress),
        strengths=named_strengths(course, data.firsts),
        groups=work_groups(course, data),
        targets=targets,
        error=error,
    )


def named_strengths(course: Course, firsts: FirstTries) -> list[tuple[str, Strength]]:
    """The names of the skills that a student has practised, with how strong they are."""
    by_skill = strengths(skills_of(course), firsts)
    return [(course.skills[skill].name, by_skill[skill]) for skill in course.skills if skill in by_skill]


@router.get(STUDENT + "/attempts/{attempt_id}")
async def show_attempt(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, student_id: Id, attempt_id: Id
) -> Response:
    """One attempt at a lesson or an example, response by response, each item as it was then."""
    student, data = await site.db.read(class_pages.load_attempt, caller, classroom_id, student_id, attempt_id)
    url, title = where_from(site.course, site.course.bare(data.attempt.ref))
    return page(
        request,
        "classes/student_attempt",
        known=True,
        page="class",
        title=f"{student.name}：{title}",
        student=student,
        classroom_id=classroom_id,
        place_url=url,
        place_title=title,
        attempt=data.attempt,
        items=answered(site.course, data),
    )


@router.post(STUDENT + "/names")
async def rename(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, classroom_id: Id, student_id: Id
) -> Response:
    """Another name in this class."""
    name = form.one("name")
    try:
        await site.db.write(classrooms.rename_student, caller, classroom_id, student_id, name)
    except Refused as error:
        return await student_page(request, caller, classroom_id, student_id, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/students/{student_id}")


@router.post(STUDENT + "/moves")
async def move(
    request: Request,
    site: SiteDep,
    caller: CallerDep,
    form: FormDep,
    now: Now,
    classroom_id: Id,
    student_id: Id,
) -> Response:
    """Into another class."""
    target_id = next(iter(form.ids("to")), 0)
    try:
        await site.db.write(classrooms.move, caller, classroom_id, student_id, target_id, now)
    except Refused as error:
        return await student_page(request, caller, classroom_id, student_id, str(error), 422)
    return see(request, f"/classrooms/{target_id}")


@router.post(STUDENT + "/removals")
async def remove(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id, student_id: Id
) -> Response:
    """Out of the class; can be put back."""
    await site.db.write(classrooms.remove, caller, classroom_id, student_id, now)
    return see(request, f"/classrooms/{classroom_id}#removed")


@router.post(STUDENT + "/returns")
async def put_back(
    request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id, student_id: Id
) -> Response:
    """Into the class again."""
    await site.db.write(classrooms.put_back, caller, classroom_id, student_id)
    return see(request, f"/classrooms/{classroom_id}")
