"""我的内容: teachers write items and small lessons; faults and a preview stand beside the text."""

import asyncio
from functools import partial
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.responses import HTMLResponse, Response

from app.course import Course, Fault, Faults
from app.course.text import untrusted
from app.records.accounts import learners
from app.records.authoring import own_courses
from app.records.authoring.values import OwnCourseRow
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.assignments import item_picker
from app.web.authoring import own_lessons
from app.web.authoring.own_lessons import Name, named
from app.web.authoring.own_views import Checked, checked, known_names, template_text, templates
from app.web.classes.classrooms import host
from app.web.site.clock import now
from app.web.site.requests import PostedForm, caller_of, read_form
from app.web.site.responses import page, see, wants_fragment
from app.web.site.site import Site, site_of

router = APIRouter()
LARGER_BODIES = dict.fromkeys(
    ("/own", "/own/previews", "/own/uploads", "/own/[0-9]+"), 3 * untrusted.LARGEST + 2**14
)
"""A text of the largest size, where each letter of it may take three in a form."""
UNSAVED = 0
"""Stands for the id of what was not kept yet."""


@router.get("/own")
async def index(request: Request) -> Response:
    """What one has written, and where to begin."""
    return await list_page(request)


async def list_page(request: Request, error: str = "") -> Response:
    rows = await site_of(request).db.read(own_courses.index, caller_of(request))
    context: dict[str, Any] = {"rows": rows, "templates": templates(), "error": error}
    status = 422 if error else 200
    return page(
        request, "authoring/index", known=True, status=status, page="own", title="我的内容", **context
    )


@router.get("/own/new")
async def blank(request: Request) -> Response:
    """An editor with a template in it; nothing is kept before somebody says so."""
    await site_of(request).db.read(own_courses.teacher, caller_of(request))
    text = template_text(request.query_params.get("template", ""))
    return await editor(request, text, None)


@router.post("/own")
async def create(request: Request) -> Response:
    """Keep a new one; it may still have faults."""
    site, form = site_of(request), await read_form(request)
    text, person = typed(form), caller_of(request)
    await site.db.read(own_courses.teacher, person)
    look = await check(site, text, UNSAVED)
    if look.refused:
        return await editor(request, text, None, look.refused)
    try:
        made = await site.db.write(own_courses.create, person, look.title, text, now())
    except Refused as error:
        return await editor(request, text, None, str(error))
    return see(request, f"/own/{made}?kept=1")


@router.post("/own/previews")
async def preview(request: Request) -> Response:
    """What is wrong with a text and how it looks; nothing is kept."""
    site, form = site_of(request), await read_form(request)
    text, person = typed(form), caller_of(request)
    await site.db.read(own_courses.teacher, person)
    own_id = row_id(form.one("own")) or UNSAVED
    row = await site.db.read(own_courses.mine, person, own_id) if own_id else None
    if not wants_fragment(request):
        return await editor(request, text, row, begun=form.one("begun"))
    look = await check(site, text, own_id)
    return HTMLResponse(site.render("authoring/_checked.html", look=look, oob=True))


@router.post("/own/uploads")
async def upload(request: Request) -> Response:
    """A file of one's own: kept when it is sound, else shown with its faults and not kept."""
    site, person = site_of(request), caller_of(request)
    await site.db.read(own_courses.teacher, person)  # nobody else's file is even read
    try:
        text = untrusted.tidy(untrusted.decoded(await sent_file(request)))
    except Faults as error:
        return await list_page(request, f"{error.faults[0].message}。")
    look = await check(site, text, UNSAVED)
    if look.faults:
        return await editor(request, text, None, "这个文件里有错，还没有存。改好了再存下来。")
    made = await site.db.write(own_courses.create, person, look.title, text, now())
    return see(request, f"/own/{made}?kept=1")


async def sent_file(request: Request) -> bytes:
    try:
        async with request.form(max_files=1, max_fields=5, max_part_size=2**14) as form:
            file = form.get("file")
            data = await file.read() if isinstance(file, UploadFile) else b""
    except MultiPartException:
        data = b""
    if not data.strip():
        raise Faults([Fault("", 0, "", "还没有选文件，或者文件是空的")])
    return data


@router.get("/own/{name}")
async def show(request: Request, name: Name) -> Response:
    """The editor for whose it is; for a colleague with the link, the text to be read and copied; for
    learners, the sections.
    """
    site, asked = site_of(request), named(name)
    try:
        look = await site.db.read(own_courses.shared, caller_of(request), *asked)
    except NotFound:
        return await own_lessons.overview(request, name)
    if look.mine:
        return await editor(request, look.row.text, look.row)
    seen = await check(site, look.row.text, asked.own_id)
    return page(
        request,
        "authoring/shared",
        known=True,
        page="own",
        title=look.row.title,
        name=name,
        author=look.author,
        row=look.row,
        look=seen,
    )


@router.post("/own/{name}")
async def save(request: Request, name: Name) -> Response:
    """Keep what was written; a text that changed elsewhere meanwhile is not overwritten."""
    site, form, person = site_of(request), await read_form(request), caller_of(request)
    own_id, text = named(name).own_id, typed(form)
    row = await site.db.read(own_courses.mine, person, own_id)
    found, begun = await read(site, text, own_id), form.one("begun")
    look = await looked_at(site, text, own_id, found)
    if look.refused:
        return await editor(request, text, row, look.refused, begun=begun)
    holds = None if isinstance(found, Faults) else partial(item_picker.exists, courses={found.prefix: found})
    try:
        title = look.title or row.title
        await site.db.write(own_courses.save, person, own_id, title, text, begun, holds, now())
    except Refused as error:
        return await editor(request, text, row, str(error), begun=begun)
    return see(request, f"/own/{own_id}?kept=1")


@router.get("/own/{name}/file.yaml")
async def download(request: Request, name: Name) -> Response:
    """The text as a file."""
    look = await site_of(request).db.read(own_courses.shared, caller_of(request), *named(name))
    plain = f"own-{look.row.id}.yaml"
    full = quote(f"{look.row.title}.yaml", safe="")
    headers = {"Content-Disposition": f"attachment; filename=\"{plain}\"; filename*=UTF-8''{full}"}
    return Response(look.row.text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/own/{name}/shares")
async def share(request: Request, name: Name) -> Response:
    """A link for colleagues and students, or an end to it."""
    form, own_id = await read_form(request), named(name).own_id
    stop = form.one("stop") == "yes"
    await site_of(request).db.write(own_courses.share, caller_of(request), own_id, stop)
    return see(request, f"/own/{own_id}#sharing")


@router.post("/own/{name}/copies")
async def copy(request: Request, name: Name) -> Response:
    """One of one's own, with the same text."""
    made = await site_of(request).db.write(own_courses.copy, caller_of(request), *named(name), now())
    return see(request, f"/own/{made}?kept=copy")


@router.post("/own/{name}/deletions")
async def delete(request: Request, name: Name) -> Response:
    """Gone; what students did with it stays as it was."""
    site, own_id = site_of(request), named(name).own_id
    try:
        await site.db.write(own_courses.delete, caller_of(request), own_id, now())
    except Refused as error:
        row = await site.db.read(own_courses.mine, caller_of(request), own_id)
        return await editor(request, row.text, row, str(error))
    return see(request, "/own")


def typed(form: PostedForm) -> str:
    """The text as it is kept; a browser sends other line ends."""
    return untrusted.tidy(form.one("text"))


async def check(site: Site, text: str, own_id: int) -> Checked:
    """What is wrong, or how it looks."""
    return await looked_at(site, text, own_id, await read(site, text, own_id))


async def read(site: Site, text: str, own_id: int) -> Course | Faults:
    """The course in what is being written, or its faults."""
    return await site.own_courses.read(own_id, text, site.course, keep=False)


async def looked_at(site: Site, text: str, own_id: int, found: Course | Faults) -> Checked:
    """Drawn beside the loop, for sixty questions take a while."""
    return await asyncio.to_thread(checked, site, text, own_id, found)


async def editor(
    request: Request, text: str, row: OwnCourseRow | None, error: str = "", begun: str | None = None
) -> Response:
    """The text with its faults and its look. What was typed is there again whatever happened."""
    site = site_of(request)
    own_id = row.id if row else UNSAVED
    known = await site.db.read(learners.load_visitor, caller_of(request)) is not None
    link = f"{host(request)}/own/{row.id}-{row.share_token}" if row and row.share_token else ""
    return page(
        request,
        "authoring/edit",
        known=known,
        status=422 if error else 200,
        page="own",
        title=row.title if row else "写一份新的",
        row=row,
        own_id=own_id,
        text=text,
        begun=own_courses.seal(row.text) if row and begun is None else begun or "",
        error=error,
        kept=request.query_params.get("kept", "") if request.method == "GET" else "",
        link=f"{'https' if site.settings.https else 'http'}://{link}" if link else "",
        look=await check(site, text, own_id),
        names=known_names(site.course),
    )
