"""我的内容: teachers write items and small lessons; faults and a preview stand beside the text."""

import asyncio
from functools import partial
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.responses import HTMLResponse, Response

from app.course import Course, Fault, Faults
from app.course.text import untrusted
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.authoring import own_courses
from app.records.authoring.values import OwnCourseRow
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.assignments import item_picker
from app.web.authoring import own_lessons, own_views
from app.web.authoring.own_lessons import AddressDep
from app.web.authoring.own_views import CheckedText
from app.web.classes.classrooms import host
from app.web.site.dependencies import CallerDep, FormDep, Now, SiteDep
from app.web.site.own_courses import UNSAVED
from app.web.site.requests import PostedForm, caller_of
from app.web.site.responses import page, see, wants_fragment
from app.web.site.site import Site

router = APIRouter()
LARGER_BODIES = dict.fromkeys(
    ("/own", "/own/previews", "/own/uploads", "/own/[0-9]+"), 3 * untrusted.LARGEST + 2**14
)
"""A text of the largest size, where each letter of it may take three in a form."""


@router.get("/own")
async def index(request: Request, site: SiteDep, caller: CallerDep) -> Response:
    """What one has written, and where to begin."""
    return await list_page(request, site, caller)


async def list_page(request: Request, site: Site, caller: Caller, error: str = "") -> Response:
    """The list; `error`: what is wrong with the file that was sent."""
    return page(
        request,
        "authoring/index",
        known=True,
        status=422 if error else 200,
        page="own",
        title="我的内容",
        rows=await site.db.read(own_courses.index, caller),
        templates=own_views.TEMPLATES,
        error=error,
    )


@router.get("/own/new")
async def blank(request: Request, site: SiteDep, caller: CallerDep, template: str = "") -> Response:
    """An editor with a template in it; nothing is saved before the teacher does."""
    await site.db.read(own_courses.teacher, caller)
    return await editor(request, site, caller, own_views.template_text(template))


@router.post("/own")
async def create(request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now) -> Response:
    """Save a new one; it may still have faults."""
    await site.db.read(own_courses.teacher, caller)
    text = typed_text(form)
    parsed = await site.own_courses.read(UNSAVED, text, site.course)
    if error := own_views.too_large(text, parsed):
        return await editor(request, site, caller, text, error=error)
    try:
        title = own_views.title_of(text, parsed)
        own_id = await site.db.write(own_courses.create, caller, title, text, now)
    except Refused as refusal:
        return await editor(request, site, caller, text, error=str(refusal))
    return see(request, f"/own/{own_id}?kept=1")


@router.post("/own/previews")
async def preview(request: Request, site: SiteDep, caller: CallerDep, form: FormDep) -> Response:
    """What is wrong with a text and how it looks; nothing is saved."""
    await site.db.read(own_courses.teacher, caller)
    text = typed_text(form)
    own_id = row_id(form.one("own")) or UNSAVED
    row = await site.db.read(own_courses.mine, caller, own_id) if own_id else None
    if not wants_fragment(request):
        return await editor(request, site, caller, text, row, begun=form.one("begun"))
    view = await check(site, text, own_id, keep=False)
    return HTMLResponse(site.render("authoring/_checked.html", view=view, oob=True))


@router.post("/own/uploads")
async def upload(request: Request, site: SiteDep, now: Now) -> Response:
    """A teacher's file: saved when it is sound, else shown with its faults and not saved."""
    caller = caller_of(request)
    await site.db.read(own_courses.teacher, caller)  # nobody else's file is even read
    try:
        text = untrusted.tidy(untrusted.decoded(await posted_file(request)))
    except Faults as error:
        return await list_page(request, site, caller, f"{error.faults[0].message}。")
    parsed = await site.own_courses.read(UNSAVED, text, site.course)
    if isinstance(parsed, Faults):
        return await editor(request, site, caller, text, error="这个文件里有错，还没有存。改好了再存下来。")
    own_id = await site.db.write(own_courses.create, caller, parsed.title, text, now)
    return see(request, f"/own/{own_id}?kept=1")


async def posted_file(request: Request) -> bytes:
    body = b""
    try:
        async with request.form(max_files=1, max_fields=5, max_part_size=2**14) as form:
            file = form.get("file")
            if isinstance(file, UploadFile):
                body = await file.read()
    except MultiPartException:
        body = b""
    if not body.strip():
        raise Faults([Fault("", 0, "", "还没有选文件，或者文件是空的")])
    return body


@router.get("/own/{name}")
async def show(request: Request, site: SiteDep, caller: CallerDep, address: AddressDep) -> Response:
    """The editor for its teacher; for a colleague with the link, the text to be read and copied; for learners
    the sections."""
    try:
        own = await site.db.read(own_courses.shared, caller, address.own_id, address.token)
    except NotFound:
        return await own_lessons.overview(request, address.name)
    if own.mine:
        return await editor(request, site, caller, own.row.text, own.row)
    return page(
        request,
        "authoring/shared",
        known=True,
        page="own",
        title=own.row.title,
        name=address.name,
        author=own.author,
        row=own.row,
        view=await check(site, own.row.text, address.own_id),
    )


@router.post("/own/{name}")
async def save(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, now: Now, address: AddressDep
) -> Response:
    """Save what was written; a text that changed elsewhere meanwhile is not overwritten."""
    own_id, text, begun = address.own_id, typed_text(form), form.one("begun")
    row = await site.db.read(own_courses.mine, caller, own_id)
    parsed = await site.own_courses.read(own_id, text, site.course)
    if error := own_views.too_large(text, parsed):
        return await editor(request, site, caller, text, row, error, begun)
    holds = None
    if isinstance(parsed, Course):
        holds = partial(item_picker.exists, courses={parsed.prefix: parsed})
    try:
        title = own_views.title_of(text, parsed) or row.title
        await site.db.write(own_courses.save, caller, own_id, title, text, begun, holds, now)
    except Refused as refusal:
        return await editor(request, site, caller, text, row, str(refusal), begun)
    return see(request, f"/own/{own_id}?kept=1")


@router.get("/own/{name}/file.yaml")
async def download(site: SiteDep, caller: CallerDep, address: AddressDep) -> Response:
    """The text as a file."""
    own = await site.db.read(own_courses.shared, caller, address.own_id, address.token)
    plain = f"own-{own.row.id}.yaml"
    full = quote(f"{own.row.title}.yaml", safe="")
    headers = {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"}
    return Response(own.row.text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/own/{name}/shares")
async def share(
    request: Request, site: SiteDep, caller: CallerDep, form: FormDep, address: AddressDep
) -> Response:
    """A link for colleagues and students, or an end to it."""
    await site.db.write(own_courses.share, caller, address.own_id, form.one("stop") == "yes")
    return see(request, f"/own/{address.own_id}#sharing")


@router.post("/own/{name}/copies")
async def copy(request: Request, site: SiteDep, caller: CallerDep, now: Now, address: AddressDep) -> Response:
    """Own content with the same text."""
    copy_id = await site.db.write(own_courses.copy, caller, address.own_id, address.token, now)
    return see(request, f"/own/{copy_id}?kept=copy")


@router.post("/own/{name}/deletions")
async def delete(
    request: Request, site: SiteDep, caller: CallerDep, now: Now, address: AddressDep
) -> Response:
    """Gone; what students did with it stays as it was."""
    try:
        await site.db.write(own_courses.delete, caller, address.own_id, now)
    except Refused as error:
        row = await site.db.read(own_courses.mine, caller, address.own_id)
        return await editor(request, site, caller, row.text, row, str(error))
    return see(request, "/own")


def typed_text(form: PostedForm) -> str:
    """The text as it is stored; a browser sends other line ends."""
    return untrusted.tidy(form.one("text"))


async def check(site: Site, text: str, own_id: int, keep: bool = True) -> CheckedText:
    """What is wrong, or how it looks; drawn in a thread, for sixty questions take a while."""
    parsed = await site.own_courses.read(own_id, text, site.course, keep)
    return await asyncio.to_thread(own_views.checked, site, text, own_id, parsed)


async def editor(
    request: Request,
    site: Site,
    caller: Caller,
    text: str,
    row: OwnCourseRow | None = None,
    error: str = "",
    begun: str | None = None,
) -> Response:
    """The text with its faults and its look. What was typed is there again whatever happened."""
    own_id = row.id if row else UNSAVED
    stored = row.text if row else ""
    if begun is None:
        begun = own_courses.seal(stored) if row else ""
    return page(
        request,
        "authoring/edit",
        known=await site.db.read(learners.load_visitor, caller) is not None,
        status=422 if error else 200,
        page="own",
        title=row.title if row else "写一份新的",
        row=row,
        own_id=own_id,
        text=text,
        begun=begun,
        error=error,
        saved=request.query_params.get("kept", "") if request.method == "GET" else "",
        link=share_link(request, site, row),
        view=await check(site, text, own_id, keep=text == stored),
        names=own_views.course_names(site.course),
    )


def share_link(request: Request, site: Site, row: OwnCourseRow | None) -> str:
    """What the teacher sends to others; empty while there is no link."""
    if row is None or not row.share_token:
        return ""
    scheme = "https" if site.settings.https else "http"
    return f"{scheme}://{host(request)}/own/{row.id}-{row.share_token}"
