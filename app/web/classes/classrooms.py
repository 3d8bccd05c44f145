"""班级: create, show, rename, put away; the code, and the page for the projector."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Path, Request
from starlette.responses import HTMLResponse, Response

from app.records.accounts.values import Caller
from app.records.assignments.assigned import AssignedTask
from app.records.classes import classrooms
from app.records.classes.values import JoinedClass
from app.records.db.errors import NotFound, Refused
from app.records.insight import class_pages, today
from app.web.classes.class_views import heat, is_loopback, qr
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.responses import page, see
from app.web.site.site import Site, site_of

router = APIRouter()
Id = Annotated[int, Path(lt=2**63)]


@router.get("/classrooms")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """The classes one teaches, and those one is in. A class with open work leads to 今天."""
    lists, working = await site.db.read(today.load_class_lists, caller, now)
    return list_page(request, lists=lists, working=working)


@router.post("/classrooms")
async def create(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """A new class; the projector page comes next."""
    name = form.one("name")
    try:
        classroom_id = await site.db.write(classrooms.create, caller, name, now)
    except Refused as error:
        lists, working = await site.db.read(today.load_class_lists, caller, now)
        return list_page(request, 422, lists=lists, working=working, name=name[:80], error=str(error))
    return see(request, f"/classrooms/{classroom_id}/projector")


def list_page(request: Request, status: int = 200, **context: Any) -> Response:
    context = {"page": "class", "title": "班级", "name": "", "error": ""} | context
    is_known = context["lists"].present.learner_id is not None
    return page(request, "classes/index", known=is_known, status=status, **context)


@router.get("/classrooms/{classroom_id}")
async def show(request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """The class page of its teacher; a student of the class gets their own."""
    try:
        data = await site.db.read(class_pages.load_class, caller, classroom_id)
    except NotFound:
        return class_page(request, await site.db.read(class_pages.load_attended, caller, classroom_id))
    return page(
        request,
        "classes/show",
        known=True,
        page="class",
        title=data.row.name,
        row=data.row,
        students=data.students,
        removed=data.removed,
        heat=heat(site.course, data),
        open=data.row.is_open(now),
    )


@router.get("/classrooms/{classroom_id}/preview")
async def preview(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """学生视角: the same page for the teacher, with what everybody has to do in place of one's own."""
    classroom, tasks = await site.db.read(class_pages.load_preview, caller, classroom_id)
    return class_page(request, classroom, tasks, preview=True)


def class_page(
    request: Request, classroom: JoinedClass, tasks: Sequence[AssignedTask] = (), preview: bool = False
) -> Response:
    """The page of a class for its students."""
    context: dict[str, Any] = {"classroom": classroom, "tasks": tasks, "preview": preview}
    return page(request, "classes/attended", known=True, page="class", title=classroom.name, **context)


@router.post("/classrooms/{classroom_id}/names")
async def rename(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, classroom_id: Id
) -> Response:
    await site.db.write(classrooms.rename, caller, classroom_id, form.one("name"))
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/archivings")
async def archive(request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """Put the class away."""
    await site.db.write(classrooms.archive, caller, classroom_id, now)
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/restorings")
async def restore(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """Bring the class back."""
    await site.db.write(classrooms.restore, caller, classroom_id)
    return see(request, f"/classrooms/{classroom_id}")


@router.post("/classrooms/{classroom_id}/openings")
async def open_code(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> Response:
    """Let people in by the code, or by a new one."""
    renew = form.one("renew") == "yes"
    await site.db.write(classrooms.open_code, caller, classroom_id, now, renew)
    return see(request, f"/classrooms/{classroom_id}/projector")


@router.post("/classrooms/{classroom_id}/closings")
async def close_code(request: Request, site: SiteDep, caller: CallerDep, classroom_id: Id) -> Response:
    """Nobody comes in any more."""
    await site.db.write(classrooms.close_code, caller, classroom_id)
    return see(request, f"/classrooms/{classroom_id}/projector")


@router.get("/classrooms/{classroom_id}/projector")
async def project(request: Request, site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """For the wall: the code as large as can be, the QR code, and who has come."""
    arrived = await arrivals_context(site, caller, classroom_id, now)
    classroom = arrived["row"]
    scheme = "https" if site.settings.https else "http"
    link = f"{scheme}://{host(request)}/join/{classroom.code}"
    return page(
        request,
        "classes/projector",
        known=True,
        page="projector",
        title=f"加入{classroom.name}",
        link=link,
        qr=qr(link),
        **host_context(request),
        **arrived,
    )


@router.get("/classrooms/{classroom_id}/arrivals")
async def arrivals(site: SiteDep, caller: CallerDep, now: Now, classroom_id: Id) -> Response:
    """Who has come so far: the part of the projector page that asks again, as long as the code is open."""
    arrived = await arrivals_context(site, caller, classroom_id, now)
    return HTMLResponse(site.render("classes/_arrivals.html", **arrived))


async def arrivals_context(site: Site, caller: Caller, classroom_id: int, now: datetime) -> dict[str, Any]:
    classroom, students = await site.db.read(class_pages.load_arrivals, caller, classroom_id)
    return {"row": classroom, "students": students, "open": classroom.is_open(now)}


def host(request: Request) -> str:
    """How this site is called by those who are to come: its public name, else as the teacher called it."""
    return site_of(request).settings.public_name or request.headers.get("host", "")


def host_context(request: Request) -> dict[str, Any]:
    """What the site is called to those who are to come, and whether only this machine knows it by that."""
    name = host(request)
    return {"host": name, "loopback": is_loopback(name)}
