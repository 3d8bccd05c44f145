"""What is in an assignment: put in, moved, swapped, taken out; and looked at as its students will see it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from starlette.responses import Response

from app.course.assignments.question_sets import QuestionSet
from app.course.content.refs import own_prefix
from app.records.assignments import lookup, series
from app.records.assignments import parts as parts_verbs
from app.records.assignments.attempt_seeds import fresh_question_set
from app.records.assignments.values import AssignmentRow
from app.records.authoring import own_courses
from app.records.classes.rights import Right
from app.records.db.errors import NotFound, Refused, sentence_and_field
from app.records.insight.class_progress import load_student_count_by_item_ref
from app.web.assignments import item_picker, item_search, part_choices, question_views, teacher_views
from app.web.assignments.assignment_requests import ASSIGNMENT_ADDRESS, TeacherDep, TeacherRequest
from app.web.assignments.item_picker import PickerData
from app.web.assignments.item_search import ItemSearch
from app.web.assignments.part_views import views_without_questions
from app.web.assignments.question_links import QuestionLink, render_links
from app.web.assignments.question_views import QuestionState
from app.web.assignments.teacher_pages import assignment_page, load_assignment_and_courses
from app.web.site.posted_forms import PostedForm
from app.web.site.requests import RowId, small_number_of_text
from app.web.site.routing import LazyRouter
from app.web.site.site import Site

T = TypeVar("T")

router = LazyRouter()
PART_ADDRESS = ASSIGNMENT_ADDRESS + "/parts/{part_id}"


@router.get(ASSIGNMENT_ADDRESS + "/items")
async def show_item_picker(request: TeacherDep) -> Response:
    """The items of the course and of one's own, by knowledge point or by a search, to be ticked."""
    return await pick_page(request, item_search.search_of(request.query.get))


async def pick_page(
    request: TeacherRequest, item_search: ItemSearch, refusal: Refused | None = None
) -> Response:
    """The page; `refusal`: why what was ticked was refused. To another list what is ticked goes along."""
    error_sentence, refused_field = sentence_and_field(refusal)
    form = request.form if refusal else PostedForm(request.address_fields)
    ticked_values = (*form.texts("ref"), *form.texts("drawn"))
    site, caller = request.site, request.caller
    assignment_data = await request.read(lookup.load_assignment_with_parts, Right.TEACH)
    own_contents = await site.db.read(own_courses.load_contents_if_teacher, caller)
    offered_course_by_prefix = await site.course_by_prefix_of_contents(own_contents)
    student_count_by_item_ref = await site.db.read(
        load_student_count_by_item_ref, caller, request.classroom_id
    )
    shared_prefixes = {own_prefix(own_content.id) for own_content in own_contents if own_content.share_token}
    picker_data = PickerData(
        offered_course_by_prefix,
        assignment_data.parts,
        student_count_by_item_ref,
        shared_prefixes,
        ticked_values,
    )
    picker_context = await site.off_loop.run(item_picker.picker_context, picker_data, item_search)
    return request.page(
        "assignments/pick_items",
        title=f"挑题 · {assignment_data.assignment.title}",
        assignment_data=assignment_data,
        ticked=ticked_values,
        points=form.text("points", "" if error_sentence else "1"),
        error_sentence=error_sentence,
        refused_field=refused_field,
        **picker_context,
    )


@router.post(ASSIGNMENT_ADDRESS + "/parts")
async def add_parts(request: TeacherDep) -> Response:
    """Put in what was chosen: ticked items, practice, sections, cards, a game."""
    form = request.form
    newest_part_id = next(iter(form.ids("seen")), None)
    try:
        new_parts = part_choices.new_parts(
            form, await request.site.course_by_prefix_of_teacher(request.caller)
        )
        is_complete = await write_change(
            request, parts_verbs.add_parts, new_parts, request.now, newest_part_id
        )
    except Refused as error:
        if form.text("skill"):
            return await pick_page(request, item_search.search_of(form.text), error)
        error_place, part_kind = "parts", form.text("kind")
        if part_kind in ("practice", "section", "cards", "game"):
            error_place = f"add-{part_kind}"
        return await assignment_page(request, error, error_place)
    if is_complete:
        return request.redirect_within("?done=parts#parts")
    return request.redirect_within("?done=again#parts")


async def write_change(request: TeacherRequest, verb: Callable[..., T], *arguments: Any) -> T:
    """Write what a verb changes in the questions, of all classes that have the assignment together."""
    return await request.write(series.change_parts, request.now, verb, *arguments)


@router.post(ASSIGNMENT_ADDRESS + "/parts/settings")
async def set_parts(request: TeacherDep) -> Response:
    """Other points, another count: all rows at once. Enter in any field presses a button of its own: it means
    the bank whose number is typed, where no row says anything new."""
    form = request.form
    if form.text("by") != "enter" or not form.text("asked"):
        return await change_parts(request, parts_verbs.set_parts)
    assignment_data = await request.read(lookup.load_assignment_with_parts, Right.TEACH)
    try:
        are_rows_changed = part_choices.are_rows_changed(form, assignment_data.parts)
    except Refused as error:
        return await show_parts(request, refusal=error)
    if are_rows_changed:
        return await change_parts(request, parts_verbs.set_parts)
    return await make_bank(request)


@router.post(PART_ADDRESS + "/moves")
async def move_part(request: TeacherDep, part_id: RowId) -> Response:
    """A place up or down."""
    rows_down = 1
    if request.form.text("by") == "up":
        rows_down = -1
    return await change_parts(request, parts_verbs.move_part, part_id, rows_down, focused_part_id=part_id)


@router.post(PART_ADDRESS + "/removals")
async def remove_part(request: TeacherDep, part_id: RowId) -> Response:
    """Out of the assignment; its neighbour takes the focus."""
    assignment_data = await request.read(lookup.load_assignment_with_parts, Right.TEACH)
    part_ids = [part.id for part in assignment_data.parts]
    neighbour_id = neighbour_id_of(part_id, part_ids)
    return await change_parts(
        request, parts_verbs.remove_part, part_id, focused_part_id=neighbour_id, skipped_part_id=part_id
    )


def neighbour_id_of(part_id: int, part_ids: Sequence[int]) -> int:
    """The part after another, the one before the last, and 0 where there is no other.

    >>> neighbour_id_of(2, [1, 2, 3]), neighbour_id_of(3, [1, 2, 3]), neighbour_id_of(1, [1])
    (3, 2, 0)
    """
    if part_id not in part_ids:
        return 0
    part_index = part_ids.index(part_id)
    other_part_ids = [*part_ids[part_index + 1 :], *reversed(part_ids[:part_index])]
    return next(iter(other_part_ids), 0)


async def change_parts(
    request: TeacherRequest,
    verb: Callable[..., None],
    *verb_arguments: int,
    focused_part_id: int = 0,
    skipped_part_id: int = 0,
) -> Response:
    """Write what a verb changes together with what stands in all rows, without that of `skipped_part_id`;
    `focused_part_id`: the part that takes the focus afterwards."""
    try:
        settings_by_part_id = part_choices.typed_settings_by_part_id(request.form, skipped_part_id)
        await write_change(request, verb, *verb_arguments, settings_by_part_id, request.now)
    except Refused as error:
        return await show_parts(request, refusal=error)
    return await show_parts(request, focused_part_id)


@router.post(ASSIGNMENT_ADDRESS + "/parts/banks")
async def make_bank(request: TeacherDep) -> Response:
    """A bank of the ticked items, of which each student gets some."""
    await request.read(lookup.taught_assignment, Right.TEACH)
    try:
        asked_count = part_choices.read_count(request.form.text("asked"))
        member_ids = request.form.ids("member")
        settings_by_part_id = part_choices.typed_settings_by_part_id(request.form)
        await write_change(
            request, parts_verbs.make_bank, member_ids, asked_count, settings_by_part_id, request.now
        )
    except Refused as error:
        return await show_parts(request, refusal=error)
    return await show_parts(request, member_ids[0], bank_form=PostedForm({}))


@router.post(ASSIGNMENT_ADDRESS + "/parts/banks/{bank}/removals")
async def dissolve_bank(request: TeacherDep, bank: RowId) -> Response:
    """All items of a bank for everybody again."""
    return await change_parts(request, parts_verbs.dissolve_bank, bank)


@router.post(PART_ADDRESS + "/swaps")
async def swap_item(request: TeacherDep, part_id: RowId) -> Response:
    """Another item of the same knowledge point in its place."""
    assignment_data = await request.read(lookup.load_assignment_with_parts, Right.TEACH)
    part = parts_verbs.part_with_id(assignment_data.parts, part_id)
    course_by_prefix = await request.site.course_by_prefix_of_refs([part.ref])
    offered_course_by_prefix = await request.site.course_by_prefix_of_teacher(request.caller)
    try:
        new_ref = item_picker.replacement_ref(
            course_by_prefix, offered_course_by_prefix, assignment_data.parts, part
        )
        settings_by_part_id = part_choices.typed_settings_by_part_id(request.form)
        settings_by_part_id.setdefault(part_id, {})["ref"] = new_ref
        await write_change(request, parts_verbs.set_parts, settings_by_part_id, request.now)
    except Refused as error:
        return await show_parts(request, refusal=error)
    return await show_parts(request, part_id)


async def show_parts(
    request: TeacherRequest,
    focused_part_id: int = 0,
    refusal: Refused | None = None,
    bank_form: PostedForm | None = None,
) -> Response:
    """The list of parts as it is now: the fragment, or the page. `refusal`: why nothing was changed; what was
    typed stands there again. `bank_form`: where stands what is ticked for a bank, if not in what was sent."""
    if bank_form is None:
        bank_form = request.form
    if request.wants_fragment:
        return await parts_fragment(request, focused_part_id, refusal, bank_form)
    if refusal:
        return await assignment_page(request, refusal, "parts")
    anchor = "parts"
    if focused_part_id:
        anchor = f"part-{focused_part_id}"
    elif bank_form.text("by") == "enter" and bank_form.text("asked"):
        anchor = "bank-count"  # Enter was pressed in it, or in a row while it was written in
    return request.redirect_within(f"{part_choices.bank_query(bank_form)}#{anchor}")


async def parts_fragment(
    request: TeacherRequest, focused_part_id: int, refusal: Refused | None, bank_form: PostedForm
) -> Response:
    """The list of parts alone."""
    error_sentence, refused_field = sentence_and_field(refusal)
    error_place, status = "", 200
    if refusal:
        error_place, status = "parts", 422
    assignment_data, course_by_prefix = await load_assignment_and_courses(request)
    parts_html = request.site.render(
        "assignments/_parts.html",
        view=teacher_views.AssignmentView(course_by_prefix, assignment_data, request.now),
        focused_part_id=focused_part_id,
        done="",
        is_out_of_band=True,
        error_place=error_place,
        error_sentence=error_sentence,
        refused_field=refused_field,
        sent_form=request.form,
        bank_form=bank_form,
    )
    return request.fragment(parts_html, status=status)


@router.get(ASSIGNMENT_ADDRESS + "/preview")
async def preview_question(request: TeacherDep, question: str = "1") -> Response:
    """A question as a student sees it, with links to all of them, also to those that only some will draw; its
    fields do nothing here."""
    assignment_data = await request.read(lookup.load_assignment_with_parts)
    parts = assignment_data.parts
    course_by_prefix = await request.site.course_by_prefix_of_refs(part.ref for part in parts)
    parts_without_banks = [replace(part, bank=0) for part in parts]
    question_set = fresh_question_set(course_by_prefix, parts_without_banks, assignment_data.assignment)
    question_number = small_number_of_text(question, 4)
    if question_number is None or not 1 <= question_number <= max(1, len(question_set.questions)):
        raise NotFound("这份作业没有这一题。")
    question_links = []
    for assigned_question in question_set.questions:
        preview_url = f"{request.url}/preview?question={assigned_question.number}"
        question_links.append(QuestionLink(assigned_question.number, "open", preview_url))
    return request.page(
        "assignments/preview",
        title=f"预览 · {assignment_data.assignment.title}",
        assignment=assignment_data.assignment,
        url=request.url,
        outside_parts=views_without_questions(course_by_prefix, parts),
        number=question_number,
        last_number=len(question_links),
        question_links=render_links(request.site, question_links, question_number),
        item_html=render_preview(request.site, assignment_data.assignment, question_set, question_number),
    )


def render_preview(
    site: Site, assignment: AssignmentRow, question_set: QuestionSet, question_number: int
) -> str:
    """A question without an address for its answers; empty where its item is gone."""
    if not question_set.questions:
        return ""
    asked_question = question_views.current_question(
        question_set, question_set.questions[question_number - 1]
    )
    if asked_question is None:
        return ""
    question_state = QuestionState(assignment, url="", answer_label="存下，下一题")
    return question_views.render_question(site, question_views.asked_view(asked_question, question_state))
