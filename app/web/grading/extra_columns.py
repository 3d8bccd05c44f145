"""自己加的一栏: 出勤, 期中. Its marks are typed, or come from a list by 学号; a list is looked at first."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from fastapi import Request
from starlette.responses import Response

from app.records.classes import classrooms
from app.records.classes.values import Student
from app.records.db.errors import Refused, sentence_and_field
from app.records.grading import extra_columns, extra_marks, mark_lists
from app.records.grading.extra_columns import ExtraColumnData
from app.records.grading.mark_lists import MarkList
from app.records.grading.marks import unrounded_text
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest, UnreadClassDep
from app.web.grading.gradebook import TypedColumn, gradebook_page
from app.web.site.posted_forms import STORED_PREFIX, PostedForm, form_and_file
from app.web.site.requests import RowId, expect_own_page
from app.web.site.routing import LazyRouter
from app.web.site.security import BodyLimitRule

router = LazyRouter()
ADDRESS_OF_COLUMNS = CLASSROOM_ADDRESS + "/gradebook/columns"
ADDRESS_OF_ONE_COLUMN = ADDRESS_OF_COLUMNS + "/{extra_column_id}"
MOST_LIST_BYTES = 2**20
"""Bytes of a list that is sent."""
BODY_LIMIT_RULE_BY_PATH_PATTERN = {
    "/classrooms/[0-9]+/gradebook/columns/[0-9]+/lists": BodyLimitRule(
        MOST_LIST_BYTES + 2**16,
        "这个文件太大了，最多1MB：只留要用的那一页，另存一份再选。回到上一页，写的还在。",
    )
}
"""Where more may be sent than elsewhere."""
MOST_ROWS_IN_FORM = mark_lists.MOST_LINES
"""Of one form; a larger class has several forms on the page."""
MARK_PREFIX = "mark-"


class MarkField(NamedTuple):
    """The cell of a student in the form. `stored_text`: what stands there, where `typed_text` differs;
    `left_words`: of who left a mark behind, how they left."""

    student: Student
    typed_text: str
    stored_text: str = ""
    left_words: str = ""

    @property
    def is_changed(self) -> bool:
        return self.typed_text != self.stored_text


class ListOutcome(NamedTuple):
    """A list that was sent: as it was typed, and what it says; None where nobody can tell."""

    typed_list_text: str
    mark_list: MarkList | None = None


@router.post(ADDRESS_OF_COLUMNS)
async def add_column(request: ClassDep) -> Response:
    """A new column; its marks come next."""
    title, full_marks_text = request.form.text("title"), request.form.text("total")
    try:
        extra_column_id = await request.write(extra_columns.add_column, title, full_marks_text, request.now)
    except Refused as error:
        return await gradebook_page(request, refused_column(title, full_marks_text, error))
    return request.redirect_within(f"/gradebook/columns/{extra_column_id}")


def refused_column(title: str, full_marks_text: str, error: Refused) -> TypedColumn:
    """What was typed of a column, to be put right."""
    return TypedColumn(title[:80], full_marks_text[:20], *sentence_and_field(error))


@router.get(ADDRESS_OF_ONE_COLUMN)
async def show(request: ClassDep, extra_column_id: RowId) -> Response:
    """The column with a field for everybody."""
    return await column_page(request, extra_column_id, {})


async def column_page(
    request: ClassRequest,
    extra_column_id: int,
    typed_text_by_enrolment_id: Mapping[int, str],
    error_sentence: str = "",
    list_outcome: ListOutcome | None = None,
    typed_column: TypedColumn | None = None,
    refused_field: str = "",
) -> Response:
    """The page; `typed_text_by_enrolment_id`: what was typed, or came from a list, and is not stored;
    `error_sentence`: why not, and `refused_field` where; `typed_column`: the column, if that was changed."""
    column_data = await request.read(extra_columns.load_column, extra_column_id)
    students = await request.site.db.read(classrooms.load_present_and_former_students, request.classroom_id)
    fields_of_students = mark_fields_of(column_data, students, typed_text_by_enrolment_id)
    extra_column_row = column_data.column
    if refused_field not in {f"{MARK_PREFIX}{mark_field.student.id}" for mark_field in fields_of_students}:
        refused_field = ""  # whoever it is has left meanwhile: it is said at the head of the page
    status = 422
    if typed_column is None:
        typed_column = TypedColumn(extra_column_row.title, unrounded_text(extra_column_row.total))
        status = 200
    return request.page(
        "grading/extra_column",
        title=f"{extra_column_row.title}：{column_data.classroom.name}",
        classroom=column_data.classroom,
        column=extra_column_row,
        settings=typed_column,
        status=status,
        mark_count=len(column_data.mark_by_enrolment_id),
        forms=fields_of_forms(fields_of_students),
        field_prefix=MARK_PREFIX,
        stored_prefix=STORED_PREFIX,
        outcome=list_outcome,
        changed_count=sum(mark_field.is_changed for mark_field in fields_of_students),
        error_sentence=error_sentence,
        refused_field=refused_field,
    )


def mark_fields_of(
    column_data: ExtraColumnData, students: Sequence[Student], typed_text_by_enrolment_id: Mapping[int, str]
) -> list[MarkField]:
    """A field for everybody in the class, and for those who left a mark behind."""
    fields_of_students = []
    for student in (*students, *column_data.moved_students):
        stored_text = extra_marks.mark_text(column_data.mark_by_enrolment_id.get(student.id))
        left_words = ""
        if student in column_data.moved_students:
            left_words = "已换到别的班"
        elif student.removed_at is not None:
            left_words = "已移出"
        if stored_text or not left_words:
            mark_text = typed_text_by_enrolment_id.get(student.id, stored_text)
            fields_of_students.append(MarkField(student, mark_text, stored_text, left_words))
    return fields_of_students


def fields_of_forms(fields_of_students: Sequence[MarkField]) -> list[Sequence[MarkField]]:
    """The fields of each form on the page. Where there are several, those that say something new come
    first: a list has no more lines than a form has rows, so one form stores all that it changes."""
    if len(fields_of_students) > MOST_ROWS_IN_FORM:
        fields_of_students = sorted(fields_of_students, key=lambda field: not field.is_changed)
    return [
        fields_of_students[first_index : first_index + MOST_ROWS_IN_FORM]
        for first_index in range(0, len(fields_of_students), MOST_ROWS_IN_FORM)
    ]


@router.post(ADDRESS_OF_ONE_COLUMN + "/marks")
async def set_marks(request: ClassDep, extra_column_id: RowId) -> Response:
    """Everything that was changed in the fields, all of it or nothing."""
    typed_text_by_enrolment_id = typed_mark_text_by_enrolment_id(request.form)
    try:
        await request.write(
            extra_columns.set_extra_marks,
            extra_column_id,
            typed_text_by_enrolment_id,
            request.now,
            request.form.text_by_row_id(STORED_PREFIX),
        )
    except Refused as error:
        return await column_page(
            request, extra_column_id, typed_text_by_enrolment_id, str(error), refused_field=error.field
        )
    return request.redirect_within("/gradebook")


def typed_mark_text_by_enrolment_id(form: PostedForm) -> dict[int, str]:
    """The fields of the form that do not say what stood in the column when it was shown, by enrolment.

    The others are left out: somebody else may have stored a mark there since.
    """
    stored_text_by_enrolment_id = form.text_by_row_id(STORED_PREFIX)
    return {
        enrolment_id: mark_text[:40]
        for enrolment_id, mark_text in form.text_by_row_id(MARK_PREFIX).items()
        if stored_text_by_enrolment_id.get(enrolment_id) != mark_text
    }


@router.post(ADDRESS_OF_ONE_COLUMN + "/lists")
async def preview_list(request: UnreadClassDep, extra_column_id: RowId) -> Response:
    """What a list would write stands in the fields, to be looked at; nothing is written yet."""
    # Before the body is read: nobody may send a file to another teacher's class.
    column_data = await request.read(extra_columns.load_column, extra_column_id)
    students = await request.site.db.read(classrooms.load_present_students, request.classroom_id)
    file_bytes, typed_list_text = await list_bytes_and_text(request.http)
    try:
        title = column_data.column.title
        mark_list = await request.site.off_loop.run(mark_lists.read_mark_list, file_bytes, title, students)
    except Refused as error:
        return await column_page(request, extra_column_id, {}, str(error), ListOutcome(typed_list_text))
    list_outcome = ListOutcome(typed_list_text, mark_list)
    return await column_page(request, extra_column_id, mark_list.mark_text_by_enrolment_id, "", list_outcome)


async def list_bytes_and_text(http: Request) -> tuple[bytes, str]:
    """The file, or the text that was pasted instead; and that text."""
    form, posted_file = await form_and_file(http)
    expect_own_page(http, form)
    typed_list_text = form.text("text")
    if posted_file.name:
        return posted_file.table_bytes, typed_list_text
    return typed_list_text.encode(), typed_list_text


@router.post(ADDRESS_OF_ONE_COLUMN + "/settings")
async def set_column(request: ClassDep, extra_column_id: RowId) -> Response:
    """Another title, other full marks."""
    title, full_marks_text = request.form.text("title"), request.form.text("total")
    try:
        await request.write(extra_columns.set_column, extra_column_id, title, full_marks_text, request.now)
    except Refused as error:
        return await column_page(
            request, extra_column_id, {}, typed_column=refused_column(title, full_marks_text, error)
        )
    return request.redirect_within(f"/gradebook/columns/{extra_column_id}")


@router.post(ADDRESS_OF_ONE_COLUMN + "/removals")
async def remove_column(request: ClassDep, extra_column_id: RowId) -> Response:
    """The column and its marks, gone for good: only for who says so."""
    if request.form.text("sure") != "yes":
        return await column_page(request, extra_column_id, {}, "要删掉，先勾上“连同分数一起删”。")
    await request.write(extra_columns.remove_column, extra_column_id, request.now)
    return request.redirect_within("/gradebook")
