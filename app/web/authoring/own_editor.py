"""The editor of own content: the text, or the form of one item, with its faults and its look beside it."""

from collections.abc import Sequence
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course, Fault, Faults
from app.course.authoring import item_forms, option_ids
from app.course.authoring.own_content import taken_skill_faults
from app.course.authoring.yaml_edits import UnfitText
from app.course.items.kinds import WORD_BY_ITEM_KIND
from app.course.items.kinds.form_fields import INPUT_PREFIX
from app.course.text import untrusted
from app.records.authoring import content_uses, own_courses, required_parts
from app.records.authoring.content_uses import ContentUse
from app.records.db.codes import fingerprint
from app.web.authoring import own_views
from app.web.authoring.own_views import ItemFormView
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import CallerRequest, site_url
from app.web.site.site import UNSAVED_ID, TooMuchToRead


class PostedText(NamedTuple):
    """What the editor sent: the text with what was typed into a form. `edited_item_id`: of the one whose
    form is open next, none in the view of the text; `error_sentence`: why something could not be put in."""

    text: str
    edited_item_id: str = ""
    error_sentence: str = ""


class ContentInEditor(NamedTuple):
    """Own content as it is stored, with the `fingerprint` of its text, and what uses it."""

    own_content_id: int = UNSAVED_ID
    title: str = "写一份新的"
    text: str = ""
    fingerprint: str = ""
    uses: Sequence[ContentUse] = ()


class PictureBox(NamedTuple):
    """Where a picture is sent from the editor. `markdown_line`: what shows the one that was just sent; `alt`:
    what was said of one that was refused."""

    markdown_line: str = ""
    alt: str = ""
    is_open: bool = False


CLOSED_PICTURE_BOX = PictureBox()


async def read_posted_text(
    request: CallerRequest, own_content: own_courses.OwnCourseRow | None = None
) -> PostedText:
    """The text of the editor, in whichever view it was changed. `own_content`: as it is stored."""
    form = request.form
    if not form.text("edited") and not form.text("item") and not form.text("add"):
        return PostedText(untrusted.with_plain_line_ends(form.text("text")))
    last_item_number = own_content.last_item_number if own_content else 0
    return await request.site.off_loop.run(posted_text_of_form, form, request.course, last_item_number)


def posted_text_of_form(form: PostedForm, main_course: Course, last_item_number: int) -> PostedText:
    """The text with what was typed into the form of an item, and one more item where that was asked for."""
    content_text = untrusted.with_plain_line_ends(form.text("text"))
    edited_item_id = form.text("edited")
    item_id = form.text("item") or edited_item_id
    try:
        if edited_item_id:
            content_text = item_forms.with_typed_fields(
                content_text, edited_item_id, typed_text_by_field(form), main_course
            )
        if form.text("add"):
            content_text, item_id = item_forms.text_and_new_item_id(
                content_text, form.text("kind"), last_item_number
            )
    except UnfitText as error:
        return PostedText(content_text, edited_item_id, f"{error}。")
    if form.text("view") == "text":
        item_id = ""
    return PostedText(content_text, item_id)


def typed_text_by_field(form: PostedForm) -> dict[str, str]:
    """What was typed into the fields of an item."""
    text_by_field = {}
    for field_name in form.texts_by_field:
        if field_name.startswith(INPUT_PREFIX):
            text_by_field[field_name] = untrusted.with_plain_line_ends(form.text(field_name))
    return text_by_field


async def editor_page(
    request: CallerRequest,
    posted_text: PostedText,
    own_content: own_courses.OwnCourseRow | None = None,
    seen_fingerprint: str | None = None,
    picture_box: PictureBox = CLOSED_PICTURE_BOX,
) -> Response:
    """The text, or the form of one item, with faults and look, for somebody who may write it. What was typed
    is there again whatever happened."""
    stored_content = await stored_content_of(request, own_content)
    if seen_fingerprint is None:
        seen_fingerprint = stored_content.fingerprint
    save_kind = ""
    if request.http.method == "GET":
        save_kind = request.query.get("kept", "")
    item_form_view, posted_text = await form_view_and_posted_text(request, posted_text)
    content_text, own_content_id = posted_text.text, stored_content.own_content_id
    is_stored = content_text == stored_content.text
    checked_text = await checked_text_off_loop(
        request, content_text, own_content_id, is_to_keep=is_stored, item_form_view=item_form_view
    )
    template_name = "authoring/edit"
    if item_form_view:
        template_name = "authoring/form"
        listed_items = item_form_view.item.items_in_text
    else:
        listed_items = await request.site.off_loop.run(item_forms.listed_items, content_text)
    is_text_at_hand = request.http.method == "POST" or bool({"view", "changed"} & {*request.query})
    return request.page(
        template_name,
        is_signed_in=True,
        page="own",
        title=stored_content.title,
        own_content=own_content,
        own_content_id=own_content_id,
        text=content_text,
        is_unsaved=request.http.method == "POST" and not is_stored,
        seen_fingerprint=seen_fingerprint,
        error_sentence=posted_text.error_sentence,
        save_kind=save_kind,
        losing_attempt_count=request.query_number("lost"),
        uses=stored_content.uses,
        answered_uses=answered_uses(stored_content.uses, changed_ids_of_address(request)),
        picture=picture_box,
        link=share_url(request, own_content),
        checked_text=checked_text,
        form=item_form_view,
        kinds_with_names=own_views.kinds_with_names(request.course),
        kind_words=WORD_BY_ITEM_KIND,
        listed_items=listed_items,
        is_text_folded=bool(own_content and listed_items)
        and not (is_text_at_hand or checked_text.faults_with_excerpts),
    )


async def stored_content_of(
    request: CallerRequest, own_content: own_courses.OwnCourseRow | None
) -> ContentInEditor:
    """Own content as it is stored; of what is not kept yet an empty one."""
    if own_content is None:
        return ContentInEditor()
    uses = await request.read(content_uses.load_content_uses, own_content.id)
    content_text = own_content.text
    return ContentInEditor(own_content.id, own_content.title, content_text, fingerprint(content_text), uses)


async def form_view_and_posted_text(
    request: CallerRequest, posted_text: PostedText
) -> tuple[ItemFormView | None, PostedText]:
    """The form of the item that is open; None in the view of the text, and with an error where no form can
    show it."""
    if not posted_text.edited_item_id:
        return None, posted_text
    text_by_field = {}
    if posted_text.error_sentence:
        text_by_field = typed_text_by_field(request.form)
    try:
        item_form_view = await request.site.off_loop.run(
            own_views.view_of_item_form,
            posted_text.text,
            posted_text.edited_item_id,
            request.course,
            text_by_field,
        )
    except UnfitText as error:
        return None, PostedText(posted_text.text, error_sentence=f"{error}。")
    return item_form_view, posted_text


async def checked_text_off_loop(
    request: CallerRequest,
    content_text: str,
    own_content_id: int,
    is_to_keep: bool = True,
    item_form_view: ItemFormView | None = None,
) -> own_views.CheckedText:
    """What is wrong, or how it looks; drawn in a thread, for sixty questions take a while."""
    site = request.site
    course_or_faults = await course_or_faults_of(request, content_text, own_content_id, is_to_keep)
    return await site.off_loop.run(
        own_views.checked_text_of, site, content_text, own_content_id, course_or_faults, item_form_view
    )


async def course_or_faults_of(
    request: CallerRequest, content_text: str, own_content_id: int = UNSAVED_ID, is_to_keep: bool = True
) -> Course | Faults:
    """What a text holds, or what is wrong with it for whoever writes it."""
    site = request.site
    try:
        course_or_faults = await site.own_courses.read(
            own_content_id, content_text, request.course, is_to_keep
        )
    except TooMuchToRead:
        return Faults([Fault("", 0, "", untrusted.READING_STOPPED_WORDS)])
    if isinstance(course_or_faults, Course):
        name_faults = await site.off_loop.run(taken_skill_faults, content_text, request.course)
        if name_faults:
            return Faults(name_faults)
    return course_or_faults


async def with_former_option_ids(
    request: CallerRequest, content_text: str, former_course: Course, present_course: Course
) -> str:
    """The text with the ids of options whose words were changed, in the items that assignments ask."""
    asked_refs = await request.read(required_parts.load_published_item_refs, former_course.prefix)
    asked_item_ids = [former_course.bare_id(item_ref) for item_ref in asked_refs]
    return await request.site.off_loop.run(
        option_ids.with_former_option_ids, content_text, former_course, present_course, asked_item_ids
    )


def changed_ids_of_address(request: CallerRequest) -> Sequence[str] | None:
    """The items that were changed, by the address; None where it does not say."""
    changed_ids_text = request.query.get("changed")
    if changed_ids_text is None:
        return None
    return changed_ids_text.split(",")


def answered_uses(
    content_uses: Sequence[ContentUse], changed_item_ids: Sequence[str] | None
) -> list[ContentUse]:
    """The uses in which somebody has answered, with their questions that may be marked anew: those that ask a
    changed item, or all of them where it is not known which were changed."""
    uses_with_answers = []
    for content_use in content_uses:
        used_questions = content_use.questions
        if changed_item_ids is not None:
            used_questions = [
                used_question
                for used_question in content_use.questions
                if used_question.item_id in changed_item_ids
            ]
        if content_use.answered_count and used_questions:
            uses_with_answers.append(content_use._replace(questions=used_questions))
    return uses_with_answers


def share_url(request: CallerRequest, own_content: own_courses.OwnCourseRow | None) -> str:
    """What the teacher sends to others; empty while there is no link."""
    if own_content is None or not own_content.share_token:
        return ""
    return f"{site_url(request.http)}/own/{own_content.id}-{own_content.share_token}"
