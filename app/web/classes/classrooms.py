"""班级: create, show, rename, put away; the code, and the page for the projector."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Annotated, Any, Concatenate, ParamSpec, TypeVar

from fastapi import APIRouter, Depends, Path, Request
from starlette.responses import HTMLResponse, Response

from app.records.accounts.values import Caller
from app.records.assignments.assigned import AssignedTask
from app.records.classes import classrooms
from app.records.classes.values import JoinedClass
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.insight import class_pages, today
from app.web.classes.class_views import heat, is_loopback, qr
from app.web.site import responses
from app.web.site.requests import CallerDep, FormDep, Now, PostedForm, SiteDep, picked
from app.web.site.site import Site, site_of

router = APIRouter()
CLASSROOM = "/classrooms/{classroom_id}"
Id = Annotated[int, Path(lt=2**63)]
P = ParamSpec("P")
T = TypeVar("T")
ClassVerb = Callable[Concatenate[VerbSession, Caller, int, P], T]


@dataclass(frozen=True)
class ClassRequest:
    """A request about a class. Its verbs take caller and class first."""

    http: Request
    site: Site
    caller: Caller
    form: PostedForm
    now: datetime
    classroom_id: Id

    async def read(self, verb: ClassVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.read(verb, self.caller, self.classroom_id, *args, **kwargs)

    async def write(self, verb: ClassVerb[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        return await self.site.db.write(verb, self.caller, self.classroom_id, *args, **kwargs)

    def page(self, template: str, *, error: str = "", **context: Any) -> Response:
        """A page; `error`: why the form was refused."""
        status = 200
        if error:
            status = 422
        return responses.page(
            self.http, template, signed_in=True, status=status, page="class", error=error, **context
        )

    def see(self, suffix: str = "") -> Response:
        """On to the page of the class."""
        return responses.see(self.http, f"/classrooms/{self.classroom_id}{suffix}")


async def class_request(
    http: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, classroom_id: Id
) -> ClassRequest:
    return ClassRequest(http, site, caller, form, now, classroom_id)


ClassDep = Annotated[ClassRequest, Depends(class_request)]


@router.get("/classrooms")
async def index(request: Request, site: SiteDep, caller: CallerDep, now: Now) -> Response:
    """The classes one teaches, and those one is in. A class with open work leads to 今天."""
    return await list_page(request, site, caller, now)


@router.post("/classrooms")
async def create(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """A new class; the projector page comes next."""
    name = form.text("name")
    try:
        classroom_id = await site.db.write(classrooms.create, caller, name, now)
    except Refused as error:
        return await list_page(request, site, caller, now, name[:80], str(error), 422)
    return responses.see(request, f"/classrooms/{classroom_id}/projector")


async def list_page(
    request: Request,
    site: Site,
    caller: Caller,
    now: datetime,
    name: str = "",
    error: str = "",
    status: int = 200,
) -> Response:
    """The classes of the caller; `name` and `error`: the new class that was refused."""
    lists, working = await site.db.read(today.load_class_lists, caller, now)
    return responses.page(
        request,
        "classes/index",
        signed_in=lists.present.learner_id is not None,
        status=status,
        page="class",
        title="班级",
        lists=lists,
        working=working,
        name=name,
        error=error,
    )


@router.get(CLASSROOM)
async def show(request: ClassDep) -> Response:
    """The class page of its teacher; a student of the class gets their own."""
    try:
        class_data = await request.read(class_pages.load_class)
    except NotFound:
        return class_page(request, await request.read(class_pages.load_attended))
    return request.page(
        "classes/show",
        title=class_data.classroom.name,
        data=class_data,
        heat=heat(request.site.course, class_data, picked(request.http, "page") or 1),
        open=class_data.classroom.is_open(request.now),
    )


@router.get(CLASSROOM + "/preview")
async def preview(request: ClassDep) -> Response:
    """学生视角: the same page for the teacher, with what everybody has to do in place of one's own."""
    classroom, tasks = await request.read(class_pages.load_preview)
    return class_page(request, classroom, tasks, preview=True)


def class_page(
    request: ClassRequest, classroom: JoinedClass, tasks: Sequence[AssignedTask] = (), preview: bool = False
) -> Response:
    """The page of a class for its students."""
    return request.page(
        "classes/attended", title=classroom.name, classroom=classroom, tasks=tasks, preview=preview
    )


@router.post(CLASSROOM + "/names")
async def rename(request: ClassDep) -> Response:
    await request.write(classrooms.rename, request.form.text("name"))
    return request.see()


@router.post(CLASSROOM + "/archivings")
async def archive(request: ClassDep) -> Response:
    """Put the class away."""
    await request.write(classrooms.archive, request.now)
    return request.see()


@router.post(CLASSROOM + "/restorings")
async def restore(request: ClassDep) -> Response:
    """Bring the class back."""
    await request.write(classrooms.restore)
    return request.see()


@router.post(CLASSROOM + "/openings")
async def open_code(request: ClassDep) -> Response:
    """Let people in by the code, or by a new one."""
    renew = request.form.text("renew") == "yes"
    await request.write(classrooms.open_code, request.now, renew)
    return request.see("/projector")


@router.post(CLASSROOM + "/closings")
async def close_code(request: ClassDep) -> Response:
    """Nobody comes in any more."""
    await request.write(classrooms.close_code)
    return request.see("/projector")


@router.get(CLASSROOM + "/projector")
async def project(request: ClassDep) -> Response:
    """For the wall: the code as large as can be, the QR code, and who has come."""
    classroom, students = await request.read(class_pages.load_arrivals)
    scheme = "https" if request.site.settings.https else "http"
    link = f"{scheme}://{host(request.http)}/join/{classroom.code}"
    return responses.page(
        request.http,
        "classes/projector",
        signed_in=True,
        page="projector",
        title=f"加入{classroom.name}",
        link=link,
        qr=qr(link),
        row=classroom,
        students=students,
        open=classroom.is_open(request.now),
        **host_context(request.http),
    )


@router.get(CLASSROOM + "/arrivals")
async def arrivals(request: ClassDep) -> Response:
    """Who has come so far: the part of the projector page that asks again, as long as the code is open."""
    classroom, students = await request.read(class_pages.load_arrivals)
    is_open = classroom.is_open(request.now)
    html = request.site.render("classes/_arrivals.html", row=classroom, students=students, open=is_open)
    return HTMLResponse(html)


def host(request: Request) -> str:
    """How this site is called by those who are to come: its public name, else as the teacher called it."""
    return site_of(request).settings.public_name or request.headers.get("host", "")


def host_context(request: Request) -> dict[str, Any]:
    """What the site is called to those who are to come, and whether only this machine knows it by that."""
    name = host(request)
    return {"host": name, "loopback": is_loopback(name)}
