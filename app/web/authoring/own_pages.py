"""我的内容: teachers write items and small lessons; faults and a preview stand beside the text."""

from collections.abc import Sequence
from urllib.parse import quote

from starlette.responses import HTMLResponse, Response

from app.course import Course, Faults
from app.course.authoring import item_forms
from app.course.text import untrusted
from app.records.authoring import content_uses, own_courses
from app.records.db.errors import NotFound, Refused
from app.records.db.row_ids import row_id
from app.web.assignments import part_choices
from app.web.authoring import own_editor, own_lessons, own_views
from app.web.authoring.own_editor import PostedText
from app.web.authoring.own_lessons import OwnContentKeyDep
from app.web.site.posted_forms import form_and_file
from app.web.site.requests import CallerRequest, RequestDep, UnreadRequestDep
from app.web.site.responses import attachment_header
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule
from app.web.site.site import UNSAVED_ID

router = LazyRouter()
BODY_LIMIT_RULE_BY_PATH_PATTERN = dict.fromkeys(
    ("/own", "/own/previews", "/own/uploads", "/own/[0-9]+"),
    BodyLimitRule(3 * untrusted.LARGEST_FILE + 2**16, f"{untrusted.TOO_LARGE_WORDS}。"),
)
"""A text of the largest size, where each letter of it may take three in a form, and the fields of an item."""


@router.get("/own")
async def index(request: RequestDep) -> Response:
    """What one has written, and where to begin."""
    return await contents_page(request)


async def contents_page(request: CallerRequest, error_sentence: str = "") -> Response:
    """The list; `error_sentence`: what is wrong with the file that was sent."""
    own_contents = await request.read(own_courses.load_own_contents)
    return request.page(
        "authoring/index",
        is_signed_in=True,
        page="own",
        title="我的内容",
        own_contents=own_contents,
        template_names=own_views.NAME_BY_TEMPLATE,
        form_template_names=own_views.NAME_BY_FORM_TEMPLATE,
        error_sentence=error_sentence,
    )


@router.get("/own/new")
async def show_blank_editor(request: RequestDep, template: str = "", view: str = "") -> Response:
    """An editor with a template in it, or with `view=form` the form of its question; nothing is saved before
    the teacher does."""
    await request.read(own_courses.expect_teacher)
    content_text = own_views.template_text(template)
    item_id = ""
    if view == "form":
        content_text = own_views.without_remarks(content_text)
        listed_items = item_forms.listed_items(content_text)
        if listed_items:
            item_id = listed_items[0].id
    return await own_editor.editor_page(request, PostedText(content_text, item_id))


@router.post("/own")
async def create_content(request: RequestDep) -> Response:
    """Save a new one; it may still have faults."""
    await request.read(own_courses.expect_teacher)
    posted_text = await own_editor.read_posted_text(request)
    course_or_faults = await own_editor.course_or_faults_of(request, posted_text.text)
    if error_sentence := posted_text.error_sentence or own_views.reason_not_to_keep(course_or_faults):
        return await own_editor.editor_page(request, posted_text._replace(error_sentence=error_sentence))
    try:
        title = own_views.title_of(posted_text.text, course_or_faults)
        own_content_id = await request.write(own_courses.create_content, title, posted_text.text, request.now)
    except Refused as refusal:
        return await own_editor.editor_page(request, posted_text._replace(error_sentence=str(refusal)))
    return request.redirect(saved_url(own_content_id, posted_text.edited_item_id))


def saved_url(own_content_id: int, item_id: str, changed_item_ids: Sequence[str] | None = None) -> str:
    """Where to go on once a text was kept: to the same view of it. `changed_item_ids`: of its items, where
    somebody knows."""
    editor_url = f"/own/{own_content_id}?kept=1"
    if item_id:
        editor_url += f"&item={quote(item_id)}"
    if changed_item_ids is not None:
        editor_url += f"&changed={','.join(changed_item_ids)}"
    return editor_url


@router.post("/own/previews")
async def preview_content(request: RequestDep) -> Response:
    """What is wrong with a text and how it looks; nothing is saved."""
    await request.read(own_courses.expect_teacher)
    own_content_id = row_id(request.form.text("own")) or UNSAVED_ID
    own_content = None
    if own_content_id:
        own_content = await request.read(own_courses.load_own_content, own_content_id)
    posted_text = await own_editor.read_posted_text(request, own_content)
    if not request.wants_fragment:
        return await own_editor.editor_page(
            request, posted_text, own_content, seen_fingerprint=request.form.text("begun")
        )
    item_form_view, posted_text = await own_editor.form_view_and_posted_text(request, posted_text)
    checked_text = await own_editor.checked_text_off_loop(
        request, posted_text.text, own_content_id, is_to_keep=False, item_form_view=item_form_view
    )
    return HTMLResponse(
        request.site.render("authoring/_checked.html", checked_text=checked_text, is_out_of_band=True)
    )


@router.post("/own/uploads")
async def upload_content(request: UnreadRequestDep) -> Response:
    """A teacher's file: saved when it is sound, else shown with its faults and not saved."""
    await request.read(own_courses.expect_teacher)  # nobody else's file is even read
    form, posted_file = await form_and_file(request.http)
    request = request.with_form(form)
    if not posted_file.content.strip():
        return await contents_page(request, "还没有选文件，或者文件是空的。")
    try:
        uploaded_text = untrusted.with_plain_line_ends(untrusted.own_content_text(posted_file.content))
    except Faults as error:
        return await contents_page(request, f"{error.faults[0].message}。")
    course_or_faults = await own_editor.course_or_faults_of(request, uploaded_text)
    if isinstance(course_or_faults, Faults):
        return await own_editor.editor_page(
            request, PostedText(uploaded_text, error_sentence=UNSOUND_FILE_SENTENCE)
        )
    own_content_id = await request.write(
        own_courses.create_content, course_or_faults.title, uploaded_text, request.now
    )
    return request.redirect(f"/own/{own_content_id}?kept=1")


UNSOUND_FILE_SENTENCE = "这个文件里有错，还没有存。改好了再存下来。"


@router.get("/own/{name}")
async def show(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """The editor for its teacher; for a colleague with the link, the text to be read and copied; for learners
    the sections."""
    try:
        own_content, is_author = await request.read(
            own_courses.load_content_and_is_own, own_content_key.own_content_id, own_content_key.token
        )
    except NotFound:
        return await own_lessons.show_own_course(request, own_content_key.name)
    if is_author:
        return await own_editor.editor_page(
            request, PostedText(own_content.text, request.query.get("item", "")), own_content
        )
    checked_text = await own_editor.checked_text_off_loop(
        request, own_content.text, own_content_key.own_content_id
    )
    return request.page(
        "authoring/shared",
        is_signed_in=True,
        page="own",
        title=own_content.title,
        name=own_content_key.name,
        own_content=own_content,
        checked_text=checked_text,
    )


@router.post("/own/{name}")
async def save_content(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """Save what was written; a text that changed elsewhere meanwhile is not overwritten."""
    own_content_id = own_content_key.own_content_id
    seen_fingerprint = request.form.text("begun")
    own_content = await request.read(own_courses.load_own_content, own_content_id)
    posted_text = await own_editor.read_posted_text(request, own_content)
    content_text = posted_text.text
    course_or_faults = await own_editor.course_or_faults_of(request, content_text, own_content_id)
    if error_sentence := posted_text.error_sentence or own_views.reason_not_to_keep(course_or_faults):
        return await own_editor.editor_page(
            request, posted_text._replace(error_sentence=error_sentence), own_content, seen_fingerprint
        )
    former_course = await own_editor.course_or_faults_of(request, own_content.text, own_content_id)
    part_exists = None
    if isinstance(course_or_faults, Course) and isinstance(former_course, Course):
        text_with_ids = await own_editor.with_former_option_ids(
            request, content_text, former_course, course_or_faults
        )
        if text_with_ids != content_text:
            content_text = text_with_ids
            course_or_faults = await own_editor.course_or_faults_of(request, content_text, own_content_id)
    if isinstance(course_or_faults, Course):
        part_exists = part_choices.part_existence_test(course_or_faults)
    try:
        title = own_views.title_of(content_text, course_or_faults) or own_content.title
        await request.write(
            own_courses.save_content,
            own_content_id,
            title,
            content_text,
            seen_fingerprint,
            part_exists,
            request.now,
        )
    except Refused as refusal:
        return await own_editor.editor_page(
            request, posted_text._replace(error_sentence=str(refusal)), own_content, seen_fingerprint
        )
    changed_item_ids = own_views.changed_item_ids(former_course, course_or_faults)
    next_url = saved_url(own_content_id, posted_text.edited_item_id, changed_item_ids)
    if isinstance(former_course, Course) and isinstance(course_or_faults, Course):
        losing_attempt_count = await request.read(
            content_uses.count_attempts_losing_answers, own_content_id, former_course, course_or_faults
        )
        if losing_attempt_count:
            next_url += f"&lost={losing_attempt_count}"
    return request.redirect(next_url)


@router.get("/own/{name}/file.yaml")
async def download_content(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """The text as a file."""
    own_content, _ = await request.read(
        own_courses.load_content_and_is_own, own_content_key.own_content_id, own_content_key.token
    )
    headers = {
        "Content-Disposition": attachment_header(f"{own_content.title}.yaml", f"own-{own_content.id}.yaml")
    }
    return Response(own_content.text, media_type="application/yaml; charset=utf-8", headers=headers)


@router.post("/own/{name}/shares")
async def share_content(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """A link for colleagues and students, or an end to it."""
    is_to_stop = request.form.text("stop") == "yes"
    await request.write(own_courses.share_content, own_content_key.own_content_id, is_to_stop)
    return request.redirect(f"/own/{own_content_key.own_content_id}#sharing")


@router.post("/own/{name}/copies")
async def copy_content(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """Own content with the same text."""
    copy_id = await request.write(
        own_courses.copy_content, own_content_key.own_content_id, own_content_key.token, request.now
    )
    return request.redirect(f"/own/{copy_id}?kept=copy")


@router.post("/own/{name}/deletions")
async def delete_content(request: RequestDep, own_content_key: OwnContentKeyDep) -> Response:
    """Gone; what students did with it stays as it was."""
    try:
        await request.write(own_courses.delete_content, own_content_key.own_content_id, request.now)
    except Refused as error:
        own_content = await request.read(own_courses.load_own_content, own_content_key.own_content_id)
        return await own_editor.editor_page(
            request, PostedText(own_content.text, error_sentence=str(error)), own_content
        )
    return request.redirect("/own")
