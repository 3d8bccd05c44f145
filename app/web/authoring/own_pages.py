"""我的内容: teachers write items and small lessons; faults and a preview stand beside the text."""

from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.datastructures import UploadFile
from starlette.formparsers import MultiPartException
from starlette.responses import HTMLResponse, Response

from app.course import Course, Fault, Faults
from app.course.authoring import item_forms
from app.course.authoring.yaml_edits import UnfitText
from app.course.text import untrusted
from app.records.accounts import learners
from app.records.authoring import content_uses, own_courses
from app.records.authoring.content_uses import ContentUse
from app.records.db.codes import fingerprint
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.assignments import part_choices
from app.web.assignments.part_views import KIND_WORDS
from app.web.authoring import own_forms, own_lessons, own_views
from app.web.authoring.own_forms import CLOSED_BOX, FormView, PictureBox, PostedText
from app.web.authoring.own_lessons import AddressDep
from app.web.classes.classrooms import site_url
from app.web.site.requests import CallerRequest, RequestDep, UnreadDep
from app.web.site.responses import attachment, wants_fragment
from app.web.site.routing import LateRoute
from app.web.site.site import UNSAVED_ID, TooMuchToRead

router = APIRouter(route_class=LateRoute)
LARGER_BODIES = dict.fromkeys(
    ("/own", "/own/previews", "/own/uploads", "/own/[0-9]+"), 3 * untrusted.LARGEST_FILE + 2**16
)
"""A text of the largest size, where each letter of it may take three in a form, and the fields of an item."""


@router.get("/own")
async def index(request: RequestDep) -> Response:
    """What one has written, and where to begin."""
    return await list_page(request)


async def list_page(request: CallerRequest, error: str = "") -> Response:
    """The list; `error`: what is wrong with the file that was sent."""
    own_contents = await request.read(own_courses.index)
    return request.page(
        "authoring/index",
        is_signed_in=True,
        page="own",
        title="我的内容",
        own_contents=own_contents,
        template_names=own_views.TEMPLATE_NAMES,
        form_template_names=own_views.FORM_TEMPLATE_NAMES,
        error=error,
    )


@router.get("/own/new")
async def blank(request: RequestDep, template: str = "", view: str = "") -> Response:
    """An editor with a template in it, or with `view=form` the form of its question; nothing is saved before
    the teacher does."""
    await request.read(own_courses.expect_teacher)
    text = own_views.template_text(template)
    item_id = ""
    if view == "form":
        text = own_views.without_remarks(text)
        item_id = next(iter(item_forms.item_ids(text)), "")
    return await editor_page(request, PostedText(text, item_id))


@router.post("/own")
async def create(request: RequestDep) -> Response:
    """Save a new one; it may still have faults."""
    await request.read(own_courses.expect_teacher)
    posted_text = await own_forms.posted_text(request)
    course_or_faults = await parse(request, posted_text.text)
    if error := posted_text.error or own_views.reason_not_to_keep(course_or_faults):
        return await editor_page(request, posted_text._replace(error=error))
    try:
        title = own_views.title_of(posted_text.text, course_or_faults)
        own_id = await request.write(own_courses.create, title, posted_text.text, request.now)
    except Refused as refusal:
        return await editor_page(request, posted_text._replace(error=str(refusal)))
    return request.redirect(saved_url(own_id, posted_text.item_id))


def saved_url(own_id: int, item_id: str, changed_ids: Sequence[str] | None = None) -> str:
    """Where to go on once a text was kept: to the same view of it. `changed_ids`: of its items, where
    somebody knows."""
    url = f"/own/{own_id}?kept=1"
    if item_id:
        url += f"&item={quote(item_id)}"
    if changed_ids is not None:
        url += f"&changed={','.join(changed_ids)}"
    return url


@router.post("/own/previews")
async def preview(request: RequestDep) -> Response:
    """What is wrong with a text and how it looks; nothing is saved."""
    await request.read(own_courses.expect_teacher)
    posted_text = await own_forms.posted_text(request)
    own_id = row_id(request.form.text("own")) or UNSAVED_ID
    row = None
    if own_id:
        row = await request.read(own_courses.own_content, own_id)
    if not wants_fragment(request.http):
        return await editor_page(request, posted_text, row, begun_fingerprint=request.form.text("begun"))
    item_form, posted_text = await opened_form(request, posted_text)
    view = await check(request, posted_text.text, own_id, is_to_keep=False, item_form=item_form)
    return HTMLResponse(request.site.render("authoring/_checked.html", view=view, oob=True))


@router.post("/own/uploads")
async def upload(request: UnreadDep) -> Response:
    """A teacher's file: saved when it is sound, else shown with its faults and not saved."""
    await request.read(own_courses.expect_teacher)  # nobody else's file is even read
    try:
        uploaded_text = untrusted.with_plain_line_ends(untrusted.decoded(await posted_file(request.http)))
    except Faults as error:
        return await list_page(request, f"{error.faults[0].message}。")
    course_or_faults = await parse(request, uploaded_text)
    if isinstance(course_or_faults, Faults):
        return await editor_page(request, PostedText(uploaded_text, error=UNSOUND_FILE))
    own_id = await request.write(own_courses.create, course_or_faults.title, uploaded_text, request.now)
    return request.redirect(f"/own/{own_id}?kept=1")


UNSOUND_FILE = "这个文件里有错，还没有存。改好了再存下来。"


async def posted_file(http: Request) -> bytes:
    body = b""
    with suppress(MultiPartException):
        async with http.form(max_files=1, max_fields=5, max_part_size=2**14) as form:
            file = form.get("file")
            if isinstance(file, UploadFile):
                body = await file.read()
    if not body.strip():
        raise Faults([Fault("", 0, "", "还没有选文件，或者文件是空的")])
    return body


@router.get("/own/{name}")
async def show(request: RequestDep, address: AddressDep) -> Response:
    """The editor for its teacher; for a colleague with the link, the text to be read and copied; for learners
    the sections."""
    try:
        row, is_author = await request.read(own_courses.readable_content, address.own_id, address.token)
    except NotFound:
        return await own_lessons.overview(request.http, address.name)
    if is_author:
        return await editor_page(request, PostedText(row.text, request.query.get("item", "")), row)
    view = await check(request, row.text, address.own_id)
    return request.page(
        "authoring/shared",
        is_signed_in=True,
        page="own",
        title=row.title,
        name=address.name,
        row=row,
        view=view,
    )


@router.post("/own/{name}")
async def save(request: RequestDep, address: AddressDep) -> Response:
    """Save what was written; a text that changed elsewhere meanwhile is not overwritten."""
    own_id = address.own_id
    begun_fingerprint = request.form.text("begun")
    row = await request.read(own_courses.own_content, own_id)
    posted_text = await own_forms.posted_text(request)
    text = posted_text.text
    course_or_faults = await parse(request, text, own_id)
    if error := posted_text.error or own_views.reason_not_to_keep(course_or_faults):
        return await editor_page(request, posted_text._replace(error=error), row, begun_fingerprint)
    part_exists = None
    if isinstance(course_or_faults, Course):
        part_exists = partial(part_choices.part_exists, courses={course_or_faults.prefix: course_or_faults})
    try:
        title = own_views.title_of(text, course_or_faults) or row.title
        await request.write(
            own_courses.save, own_id, title, text, begun_fingerprint, part_exists, request.now
        )
    except Refused as refusal:
        return await editor_page(request, posted_text._replace(error=str(refusal)), row, begun_fingerprint)
    former_course = await parse(request, row.text, own_id)
    changed_ids = own_views.changed_item_ids(former_course, course_or_faults)
    return request.redirect(saved_url(own_id, posted_text.item_id, changed_ids))


@router.get("/own/{name}/file.yaml")
async def download(request: RequestDep, address: AddressDep) -> Response:
    """The text as a file."""
    row, _ = await request.read(own_courses.readable_content, address.own_id, address.token)
    headers = {"Content-Disposition": attachment(f"{row.title}.yaml", f"own-{row.id}.yaml")}
    return Response(row.text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/own/{name}/shares")
async def share(request: RequestDep, address: AddressDep) -> Response:
    """A link for colleagues and students, or an end to it."""
    is_to_stop = request.form.text("stop") == "yes"
    await request.write(own_courses.share, address.own_id, is_to_stop)
    return request.redirect(f"/own/{address.own_id}#sharing")


@router.post("/own/{name}/copies")
async def copy(request: RequestDep, address: AddressDep) -> Response:
    """Own content with the same text."""
    copy_id = await request.write(own_courses.copy_content, address.own_id, address.token, request.now)
    return request.redirect(f"/own/{copy_id}?kept=copy")


@router.post("/own/{name}/deletions")
async def delete(request: RequestDep, address: AddressDep) -> Response:
    """Gone; what students did with it stays as it was."""
    try:
        await request.write(own_courses.delete, address.own_id, request.now)
    except Refused as error:
        row = await request.read(own_courses.own_content, address.own_id)
        return await editor_page(request, PostedText(row.text, error=str(error)), row)
    return request.redirect("/own")


async def check(
    request: CallerRequest, text: str, own_id: int, is_to_keep: bool = True, item_form: FormView | None = None
) -> own_views.CheckedText:
    """What is wrong, or how it looks; drawn in a thread, for sixty questions take a while."""
    site = request.site
    course_or_faults = await parse(request, text, own_id, is_to_keep)
    return await site.off_loop.run(own_views.check_text, site, text, own_id, course_or_faults, item_form)


async def opened_form(request: CallerRequest, posted_text: PostedText) -> tuple[FormView | None, PostedText]:
    """The form of the item that is open; None in the view of the text, and with an error where no form can
    show it."""
    if not posted_text.item_id:
        return None, posted_text
    typed = {}
    if posted_text.error:
        typed = own_forms.typed_texts(request.form)
    try:
        item_form = await request.site.off_loop.run(
            own_forms.form_view, posted_text.text, posted_text.item_id, request.course, typed
        )
    except UnfitText as error:
        return None, PostedText(posted_text.text, error=f"{error}。")
    return item_form, posted_text


async def parse(
    request: CallerRequest, text: str, own_id: int = UNSAVED_ID, is_to_keep: bool = True
) -> Course | Faults:
    """What a text holds, or what is wrong with it."""
    own_courses = request.site.own_courses
    try:
        return await own_courses.read(own_id, text, request.course, is_to_keep)
    except TooMuchToRead:
        return Faults([Fault("", 0, "", untrusted.READING_STOPPED)])


async def editor_page(
    request: CallerRequest,
    posted_text: PostedText,
    row: own_courses.OwnCourseRow | None = None,
    begun_fingerprint: str | None = None,
    picture: PictureBox = CLOSED_BOX,
) -> Response:
    """The text, or the form of one item, with faults and look. What was typed is there again whatever
    happened."""
    own_id, stored_text, title, stored_fingerprint = UNSAVED_ID, "", "写一份新的", ""
    uses: list[ContentUse] = []
    if row:
        own_id, stored_text, title = row.id, row.text, row.title
        stored_fingerprint = fingerprint(stored_text)
        uses = await request.read(content_uses.uses_of, own_id)
    if begun_fingerprint is None:
        begun_fingerprint = stored_fingerprint
    saved_words = ""
    if request.http.method == "GET":
        saved_words = request.query.get("kept", "")
    item_form, posted_text = await opened_form(request, posted_text)
    text = posted_text.text
    learner_id = await request.read(learners.find_learner_id)
    view = await check(request, text, own_id, is_to_keep=text == stored_text, item_form=item_form)
    template = "authoring/edit"
    if item_form:
        template = "authoring/form"
    return request.page(
        template,
        is_signed_in=learner_id is not None,
        page="own",
        title=title,
        row=row,
        own_id=own_id,
        text=text,
        is_unsaved=request.http.method == "POST" and text != stored_text,
        begun_fingerprint=begun_fingerprint,
        error=posted_text.error,
        saved=saved_words,
        uses=uses,
        changed_ids=changed_ids_in(request),
        picture=picture,
        link=share_link(request, row),
        view=view,
        form=item_form,
        course_names=own_views.course_names(request.course),
        kind_words=KIND_WORDS,
        item_ids=await request.site.off_loop.run(item_forms.item_ids, text),
    )


def changed_ids_in(request: CallerRequest) -> Sequence[str] | None:
    """The items that were changed, by the address; None where it does not say."""
    changed = request.query.get("changed")
    if changed is None:
        return None
    return changed.split(",")


def share_link(request: CallerRequest, row: own_courses.OwnCourseRow | None) -> str:
    """What the teacher sends to others; empty while there is no link."""
    if row is None or not row.share_token:
        return ""
    return f"{site_url(request.http)}/own/{row.id}-{row.share_token}"
