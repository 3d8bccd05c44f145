"""Students of a class: what they did, and what a teacher does for them."""

from typing import Any

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.records.classes import classrooms
from app.records.classes.values import StudentData
from app.records.db.errors import Refused
from app.records.insight import class_pages
from app.web.answers import where_from
from app.web.classes.classrooms import Id
from app.web.classes.work_views import piles
from app.web.items.answered import answered
from app.web.practice.strength_views import skills_of, strengths
from app.web.site.clock import now
from app.web.site.requests import caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import Site, site_of
from app.web.start_page import summary

router = APIRouter()
HERE = "/classrooms/{classroom_id}/students/{student_id}"


@router.get(HERE)
async def show(request: Request, classroom_id: Id, student_id: Id) -> Response:
    """A student: how far, how firmly, and every piece of work."""
    return await student_page(request, classroom_id, student_id)


async def student_page(
    request: Request, classroom_id: int, student_id: int, error: str = "", status: int = 200
) -> Response:
    site = site_of(request)
    course = site.course
    twins = {course.ref(twin): course.ref(first) for twin, first in course.twin_of.items()}
    unscored = frozenset(course.ref(one) for one in course.unscored)
    look, others = await site.db.read(
        class_pages.load_student, caller_of(request), classroom_id, student_id, twins, unscored
    )
    context = context_of(site, look) | {"others": others, "error": error}
    return page(
        request,
        "classes/student",
        known=True,
        status=status,
        page="class",
        title=look.student.name,
        **context,
    )


def context_of(site: Site, look: StudentData) -> dict[str, Any]:
    course = site.course
    found = strengths(skills_of(course), look.firsts)
    return {
        "look": look,
        "progress": summary(course, look.progress),
        "strengths": [(course.skills[skill].name, found[skill]) for skill in course.skills if skill in found],
        "piles": piles(look, lambda ref: where_from(course, course.bare(ref))[1]),
    }


@router.get(HERE + "/attempts/{attempt_id}")
async def piece(request: Request, classroom_id: Id, student_id: Id, attempt_id: Id) -> Response:
    """One pass through a lesson or an example, response by response, each item as it was then."""
    site = site_of(request)
    student, look = await site.db.read(
        class_pages.piece, caller_of(request), classroom_id, student_id, attempt_id
    )
    url, title = where_from(site.course, site.course.bare(look.attempt.ref))
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
        attempt=look.attempt,
        items=answered(site.course, look),
    )


@router.post(HERE + "/names")
async def rename(request: Request, classroom_id: Id, student_id: Id) -> Response:
    """Another name in this class."""
    form = await read_form(request)
    try:
        await site_of(request).db.write(
            classrooms.rename_student, caller_of(request), classroom_id, student_id, form.one("name")
        )
    except Refused as error:
        return await student_page(request, classroom_id, student_id, str(error), 422)
    return see(request, f"/classrooms/{classroom_id}/students/{student_id}")


@router.post(HERE + "/moves")
async def move(request: Request, classroom_id: Id, student_id: Id) -> Response:
    """Into another class."""
    form = await read_form(request)
    to = next(iter(form.ids("to")), 0)
    try:
        await site_of(request).db.write(
            classrooms.move, caller_of(request), classroom_id, student_id, to, now()
        )
    except Refused as error:
        return await student_page(request, classroom_id, student_id, str(error), 422)
    return see(request, f"/classrooms/{to}")


@router.post(HERE + "/removals")
async def remove(request: Request, classroom_id: Id, student_id: Id) -> Response:
    """Out of the class; can be put back."""
    await site_of(request).db.write(classrooms.remove, caller_of(request), classroom_id, student_id, now())
    return see(request, f"/classrooms/{classroom_id}#removed")


@router.post(HERE + "/returns")
async def put_back(request: Request, classroom_id: Id, student_id: Id) -> Response:
    """Into the class again."""
    await site_of(request).db.write(classrooms.put_back, caller_of(request), classroom_id, student_id)
    return see(request, f"/classrooms/{classroom_id}")
