"""班级: create, look at, rename, put away; the code, and the page for the projector."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response

from app.records.assignments.assigned import AssignedTask
from app.records.classes import classrooms
from app.records.classes.values import ClassRow, JoinedClass, Student
from app.records.db.errors import NotFound, Refused
from app.records.insight import class_pages, today
from app.web.classes.class_views import heat, is_loopback, qr
from app.web.site.clock import now
from app.web.site.requests import caller_of, read_form
from app.web.site.responses import page, see
from app.web.site.site import site_of

router = APIRouter()
Id = Annotated[int, Path(lt=2**63)]


@router.get("/classrooms")
async def index(request: Request) -> Response:
    """The classes one teaches, and those one is in. A class at work opens at 今天."""
    return await list_page(request)


async def list_page(request: Request, name: str = "", error: str = "", status: int = 200) -> Response:
    look, working = await site_of(request).db.read(today.classes, caller_of(request), now())
    known = look.present.learner_id is not None
    context: dict[str, Any] = {"look": look, "working": working, "name": name, "error": error}
    return page(request, "classes/index", known=known, status=status, page="class", title="班级", **context)


@router.post("/classrooms")
async def create(request: Request) -> Response:
    """A new class; the projector page comes next."""
    form = await read_form(request)
    try:
        made = await site_of(request).db.write(classrooms.create, caller_of(request), form.one("name"), now())
    except Refused as error:
        return await list_page(request, form.one("name")[:80], str(error), 422)
    return see(request, f"/classrooms/{made}/projector")


@router.get("/classrooms/{classroom_id}")
async def show(request: Request, classroom_id: Id) -> Response:
    """The class page of its teacher; a student of the class gets their own."""
    site = site_of(request)
    try:
        look = await site.db.read(class_pages.load_class, caller_of(request), classroom_id)
    except NotFound:
        return await attend(request, classroom_id)
    return page(
        request,
        "classes/show",
        known=True,
        page="class",
        title=look.row.name,
        look=look,
        heat=heat(site.course, look),
        open=look.row.is_open(now()),
        error="",
    )


async def attend(request: Request, classroom_id: int) -> Response:
    """What a student of the class sees."""
    joined = await site_of(request).db.read(classrooms.attended, caller_of(request), classroom_id)
    return class_page(request, joined)


@router.get("/classrooms/{classroom_id}/preview")
async def preview(request: Request, classroom_id: Id) -> Response:
    """学生视角: the same page for the teacher, with what everybody was given in place of one's own."""
    joined, given = await site_of(request).db.read(class_pages.previewed, caller_of(request), classroom_id)
    return class_page(request, joined, given, preview=True)


def class_page(
    request: Request, joined: JoinedClass, given: Sequence[AssignedTask] = (), preview: bool = False
) -> Response:
    context: dict[str, Any] = {"joined": joined, "given": given, "preview": preview}
    return page(request, "classes/attended", known=True, page="class", title=joined.name, **context)


@router.post("/classrooms/{classroom_id}/names")
async def rename(request: Request, classroom_id: Id) -> Response:
    form = await read_form(request)
    await site_of(request).db.write(classrooms.rename, caller_of(request), classroom_id, form.one("name"))
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/archivings")
async def archive(request: Request, classroom_id: Id) -> Response:
    """Put the class away."""
    await site_of(request).db.write(classrooms.archive, caller_of(request), classroom_id, now())
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/restorings")
async def restore(request: Request, classroom_id: Id) -> Response:
    """Take it out again."""
    await site_of(request).db.write(classrooms.restore, caller_of(request), classroom_id)
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/openings")
async def open_code(request: Request, classroom_id: Id) -> Response:
    """Let people in by the code, or by a new one."""
    form = await read_form(request)
    renew = form.one("renew") == "yes"
    await site_of(request).db.write(classrooms.open_code, caller_of(request), classroom_id, now(), renew)
    return see(request, f"/classrooms/{classroom_id}/projector")


@router.post("/classrooms/{classroom_id}/closings")
async def close_code(request: Request, classroom_id: Id) -> Response:
    """Nobody comes in any more."""
    await site_of(request).db.write(classrooms.close_code, caller_of(request), classroom_id)
    return see(request, f"/classrooms/{classroom_id}/projector")


@router.get("/classrooms/{classroom_id}/projector")
async def project(request: Request, classroom_id: Id) -> Response:
    """For the wall: the code as large as can be, the QR code, and who has come."""
    row, students = await site_of(request).db.read(classrooms.projected, caller_of(request), classroom_id)
    link = join_url(request, row)
    return page(
        request,
        "classes/projector",
        known=True,
        page="projector",
        title=f"加入{row.name}",
        link=link,
        qr=qr(link),
        **named(request),
        **arrived(row, students),
    )


@router.get("/classrooms/{classroom_id}/arrivals")
async def arrivals(request: Request, classroom_id: Id) -> Response:
    """Who has come so far: the part of the projector page that asks again, as long as the code is open."""
    row, students = await site_of(request).db.read(classrooms.projected, caller_of(request), classroom_id)
    return HTMLResponse(site_of(request).render("classes/_arrivals.html", **arrived(row, students)))


def arrived(row: ClassRow, students: tuple[Student, ...]) -> dict[str, Any]:
    return {"row": row, "students": students, "open": row.is_open(now())}


def host(request: Request) -> str:
    """How this site is called by those who are to come: its public name, else as the teacher called it."""
    return site_of(request).settings.public_name or request.headers.get("host", "")


def named(request: Request) -> dict[str, Any]:
    """What the site is called to those who are to come, and whether only this machine knows it by that."""
    return {"host": host(request), "loopback": is_loopback(host(request))}


def join_url(request: Request, row: ClassRow) -> str:
    scheme = "https" if site_of(request).settings.https else "http"
    return f"{scheme}://{host(request)}/join/{row.code}"
