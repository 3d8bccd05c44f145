"""贴题目: questions as teachers have them already, looked at one by one, and put into own content.

Nothing is kept before the teacher says so. What could not be read stays in the box, and what is there word by
word is not put in twice, so that sending a page again does no harm.
"""

from collections.abc import Callable
from typing import NamedTuple

from starlette.responses import Response

from app.course import Course
from app.course.authoring.yaml_edits import UnfitText
from app.course.content.refs import own_prefix
from app.course.questions import pasted_text, question_tables, question_text
from app.course.questions.draft_questions import NAME_BY_DRAFT_KIND
from app.course.questions.question_plans import QuestionPlan, question_plan_of
from app.course.questions.question_yaml import fill_text
from app.course.text import untrusted
from app.records.assignments import lookup, series
from app.records.assignments import parts as parts_verbs
from app.records.assignments.lookup import AssignmentWithParts
from app.records.assignments.values import AssignmentKey, NewPart
from app.records.authoring import own_courses
from app.records.authoring.own_courses import OwnCourseRow
from app.records.db.codes import fingerprint
from app.records.db.errors import Refused
from app.records.db.row_ids import row_id
from app.web.assignments import part_choices
from app.web.authoring import own_views, picture_pages, question_files
from app.web.site.posted_forms import PostedForm, form_and_file
from app.web.site.requests import CallerRequest, RequestDep, UnreadRequestDep
from app.web.site.responses import Context
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule
from app.web.site.site import UNSAVED_ID

router = LazyRouter()
PASTES_ADDRESS = "/own/pastes"
FieldReader = Callable[[str, str], str]
"""A field of a form or an address, and what stands for one that is missing."""
FILES_ADDRESS = PASTES_ADDRESS + "/files"
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    PASTES_ADDRESS: BodyLimitRule(3 * untrusted.LARGEST_FILE + 2**14, f"{untrusted.TOO_LARGE_WORDS}。"),
    FILES_ADDRESS: BodyLimitRule(
        question_files.MOST_FILE_BYTES + 2 * untrusted.LARGEST_FILE + 2**16,
        "这个文件太大了，最多4MB：照片缩小一些再传。回到上一页，写的还在。",
    ),
}
TOO_LONG_WORDS = f"太长了，最多{untrusted.LARGEST_FILE // 1000}KB：分几次贴"
NOTHING_READ_SENTENCE = "还没有一道读得懂的题，先照右边的样子改一改。"
SAVED_NOT_ASSIGNED_FORMAT = "题已经存进《{}》，可是没有加进作业：{}"


class PasteTarget(NamedTuple):
    """Where questions go: into own content that is there, or else a new one, and besides into an assignment.

    `newest_seen_part_id`: the newest part that the assignment had when the page was opened.
    """

    own_content: OwnCourseRow | None
    classroom_id: int = 0
    assignment: AssignmentWithParts | None = None
    newest_seen_part_id: int = 0

    @property
    def own_content_id(self) -> int:
        if self.own_content is None:
            return UNSAVED_ID
        return self.own_content.id

    @property
    def text(self) -> str:
        if self.own_content is None:
            return ""
        return self.own_content.text

    @property
    def url(self) -> str:
        """Where its teacher goes on."""
        if self.assignment is None:
            return f"/own/{self.own_content_id}?kept=1"
        return f"/classrooms/{self.classroom_id}/assignments/{self.assignment.assignment.id}?done=parts#parts"


class PasteFields(NamedTuple):
    """What was typed."""

    text: str = ""
    title: str = ""
    skill: str = ""
    points_text: str = "1"


@router.get(PASTES_ADDRESS)
async def show_paste_box(request: RequestDep) -> Response:
    """The box for questions."""
    return await paste_page(request, await paste_target_of(request, request.query.get), PasteFields())


@router.post(PASTES_ADDRESS)
async def look_or_take(request: RequestDep) -> Response:
    """What would come of the questions; with `take` those that are sound are put in."""
    form = request.form
    paste_target = await paste_target_of(request, form.text)
    paste_fields = read_paste_fields(form)
    if form.text("add"):
        typed_question = question_tables.text_of_columns(typed_text_by_column_title(form))
        paste_fields = paste_fields._replace(text=with_question(paste_fields.text, typed_question))
    if is_text_too_long(paste_fields.text):
        return await paste_page(request, paste_target, paste_fields, error_sentence=TOO_LONG_WORDS)
    question_plan = await plan_off_loop(request, paste_target, paste_fields)
    if not form.text("take"):
        return await paste_page(request, paste_target, paste_fields, question_plan)
    if not question_plan.questions or question_plan.error_sentence:
        error_sentence = question_plan.error_sentence or NOTHING_READ_SENTENCE
        return await paste_page(request, paste_target, paste_fields, question_plan, error_sentence)
    return await take_questions(request, paste_target, paste_fields, question_plan)


def typed_text_by_column_title(form: PostedForm) -> dict[str, str]:
    """One question, field by field, under the names of the columns of a table."""
    text_by_column_title = {}
    for column_name in question_tables.WRITTEN_COLUMNS:
        cell_text = untrusted.with_plain_line_ends(form.text(f"one-{column_name}")).strip()
        if cell_text:
            text_by_column_title[column_name] = cell_text
    return text_by_column_title


def is_question_begun(form: PostedForm) -> bool:
    """Whether a question stands in the fields beside the box; its kind is always chosen."""
    return len(typed_text_by_column_title(form)) > 1


def with_question(box_text: str, typed_question: str) -> str:
    """The text in the box with one more question, under the next number.

    >>> with_question("1. 甲。（√）\\n", "乙。（×）")
    '1. 甲。（√）\\n\\n2. 乙。（×）\\n'
    """
    question_list = pasted_text.read(box_text)
    next_number = len(question_list.questions) + len(question_list.unread_questions) + 1
    return f"{box_text.rstrip()}\n\n{next_number}. {typed_question}\n".lstrip("\n")


@router.post(FILES_ADDRESS)
async def upload_questions(request: UnreadRequestDep) -> Response:
    """The questions of a file below those in the box, with their fates; nothing is kept."""
    await request.read(own_courses.expect_teacher)  # nobody else's file is even read
    form, posted_file = await form_and_file(request.http)
    request = request.with_form(form)
    paste_target = await paste_target_of(request, form.text)
    paste_fields = read_paste_fields(form)
    try:
        off_loop = request.site.off_loop
        contents = await off_loop.run(question_files.file_contents_of, posted_file.table_bytes)
        picture_by_id = await question_files.redrawn_picture_by_id(off_loop, contents.encoded_picture_by_id)
        picture_names = await picture_pages.keep_pictures(request, list(picture_by_id.values()))
        name_by_picture_id = dict(zip(picture_by_id, picture_names, strict=True))
        text_with_file = with_text_of_file(
            paste_fields.text, question_files.with_pictures(contents.text, name_by_picture_id)
        )
    except Refused as refusal:
        question_plan = None
        if not is_text_too_long(paste_fields.text):
            question_plan = await plan_off_loop(request, paste_target, paste_fields)
        return await paste_page(request, paste_target, paste_fields, question_plan, str(refusal))
    paste_fields = paste_fields._replace(text=text_with_file)
    question_plan = await plan_off_loop(request, paste_target, paste_fields)
    return await paste_page(request, paste_target, paste_fields, question_plan)


def with_text_of_file(box_text: str, file_text: str) -> str:
    """The text in the box with the questions of a file below; Refused where that is too long."""
    joined_text = question_text.append_questions(box_text, file_text)
    if is_text_too_long(joined_text):
        raise Refused(TOO_LONG_WORDS)
    return joined_text


def read_paste_fields(form: PostedForm) -> PasteFields:
    """What was typed into the form."""
    box_text = untrusted.with_plain_line_ends(form.text("text"))
    return PasteFields(box_text, form.text("title"), form.text("skill"), form.text("points", "1"))


def is_text_too_long(content_text: str) -> bool:
    """Whether a text is longer than own content may be."""
    return len(content_text.encode("utf-8", "replace")) > untrusted.LARGEST_FILE


async def take_questions(
    request: CallerRequest, paste_target: PasteTarget, paste_fields: PasteFields, question_plan: QuestionPlan
) -> Response:
    """Put in what is sound, and go on to it; what is not stays in the box."""
    try:
        points = part_choices.read_points(paste_fields.points_text)
        own_content_id, item_ids = await save_questions(request, paste_target, question_plan)
    except Refused as refusal:
        return await paste_page(request, paste_target, paste_fields, question_plan, str(refusal))
    own_content = await request.read(own_courses.load_own_content, own_content_id)
    paste_target = paste_target._replace(own_content=own_content)
    error_sentence = ""
    if paste_target.assignment:
        error_sentence = await assign_items(request, paste_target, item_ids, points)
    is_all_in = not question_plan.unread_questions and not is_question_begun(request.form)
    if is_all_in and not error_sentence:
        return request.redirect(paste_target.url)
    remaining_fields = paste_fields._replace(text=question_plan.remaining_text, title="")
    remaining_plan = await plan_off_loop(request, paste_target, remaining_fields)
    return await paste_page(
        request, paste_target, remaining_fields, remaining_plan, error_sentence, taken_count=len(item_ids)
    )


async def save_questions(
    request: CallerRequest, paste_target: PasteTarget, question_plan: QuestionPlan
) -> tuple[int, tuple[str, ...]]:
    """The id of own content with the questions, and theirs in it; Refused where they do not fit in."""
    own_content = paste_target.own_content
    if own_content is None:
        own_content_id = await request.write(
            own_courses.create_content, question_plan.title, question_plan.filled_content.text, request.now
        )
        return own_content_id, question_plan.filled_content.item_ids
    try:
        content_text, item_ids, added_count = fill_text(
            own_content.text, question_plan.skill, question_plan.questions, own_content.last_item_number
        )
    except UnfitText as error:
        raise Refused(f"{error}。") from error
    if not added_count:
        return own_content.id, item_ids
    course_or_faults = await request.site.own_courses.read(own_content.id, content_text, request.course)
    if not isinstance(course_or_faults, Course):
        fault = course_or_faults.faults[0]
        raise Refused(f"和那一份合起来有错，还没有放进去：{fault.message}。")
    part_exists = part_choices.part_existence_test(course_or_faults)
    await request.write(
        own_courses.save_content,
        own_content.id,
        own_content.title,
        content_text,
        fingerprint(own_content.text),
        part_exists,
        request.now,
    )
    return own_content.id, item_ids


async def assign_items(
    request: CallerRequest, paste_target: PasteTarget, item_ids: tuple[str, ...], points: float
) -> str:
    """Put the items into the assignment, in all classes that have it; why that was refused, or nothing."""
    assert paste_target.assignment is not None
    prefix = own_prefix(paste_target.own_content_id)
    new_parts = [NewPart("item", f"{prefix}:{item_id}", points=points) for item_id in dict.fromkeys(item_ids)]
    assignment_key = AssignmentKey(paste_target.classroom_id, paste_target.assignment.assignment.id)
    try:
        await request.write(
            series.change_parts,
            assignment_key,
            request.now,
            parts_verbs.add_parts,
            new_parts,
            request.now,
            paste_target.newest_seen_part_id,
        )
    except Refused as refusal:
        assert paste_target.own_content is not None
        return SAVED_NOT_ASSIGNED_FORMAT.format(paste_target.own_content.title, refusal)
    return ""


async def paste_target_of(request: CallerRequest, read_field: FieldReader) -> PasteTarget:
    """Where an address or a form says that questions go; NotFound for what is not the caller's."""
    await request.read(own_courses.expect_teacher)
    own_content_id, assignment_id = row_id(read_field("own", "")), row_id(read_field("assignment", ""))
    own_content = None
    if own_content_id:
        own_content = await request.read(own_courses.load_own_content, own_content_id)
    classroom_id = row_id(read_field("classroom", "")) or 0
    if not assignment_id:
        return PasteTarget(own_content)
    assignment_key = AssignmentKey(classroom_id, assignment_id)
    assignment_data = await request.read(lookup.load_assignment_with_parts, assignment_key)
    newest_seen_part_id = row_id(read_field("seen", ""))
    if newest_seen_part_id is None:
        newest_seen_part_id = assignment_data.newest_part_id
    return PasteTarget(own_content, classroom_id, assignment_data, newest_seen_part_id)


async def plan_off_loop(
    request: CallerRequest, paste_target: PasteTarget, paste_fields: PasteFields
) -> QuestionPlan:
    off_loop = request.site.off_loop
    return await off_loop.run(question_plan_of_fields, paste_fields, request.course, paste_target.text)


def question_plan_of_fields(paste_fields: PasteFields, main_course: Course, own_text: str) -> QuestionPlan:
    """What would come of the text in the box."""
    question_list = pasted_text.read(paste_fields.text)
    return question_plan_of(question_list, paste_fields.title, paste_fields.skill, main_course, own_text)


async def paste_page(
    request: CallerRequest,
    paste_target: PasteTarget,
    paste_fields: PasteFields,
    question_plan: QuestionPlan | None = None,
    error_sentence: str = "",
    taken_count: int = 0,
) -> Response:
    """The box, and beside it the fate of each question and its look; `taken_count`: how many are in now."""
    checked_text = None
    if question_plan and question_plan.course:
        checked_text = await request.site.off_loop.run(
            own_views.checked_text_of,
            request.site,
            question_plan.filled_content.text,
            UNSAVED_ID,
            question_plan.course,
        )
    context: Context = {
        "paste_target": paste_target,
        "typed": paste_fields,
        "plan": question_plan,
        "checked_text": checked_text,
        "kind_names": NAME_BY_DRAFT_KIND,
    }
    if request.wants_fragment and not request.form.text("take"):
        pasted_html = request.site.render("authoring/_pasted.html", **context, alert=error_sentence)
        return request.fragment(pasted_html, status=422 if error_sentence else 200)
    is_question_added = bool(request.form.text("add"))
    # Enter in a field of the one question asks for a look: what is not in the box yet stays there.
    question_fields = {} if is_question_added else typed_text_by_column_title(request.form)
    return request.page(
        "authoring/pastes",
        is_signed_in=True,
        page="own",
        title="贴题目",
        error_sentence=error_sentence,
        alert="",
        taken_count=taken_count,
        skills=request.course.skills,
        question_fields=question_fields,
        is_form_open=is_question_added or is_question_begun(request.form),
        **context,
    )
