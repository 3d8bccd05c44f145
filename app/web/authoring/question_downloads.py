"""Own content as files of questions: text of the Chinese way, GIFT, a workbook."""

import io

from starlette.responses import Response

from app.course import Course
from app.course.questions import question_exports, question_tables
from app.course.questions.question_exports import ExportedQuestions
from app.records.authoring import own_courses
from app.records.db.errors import NotFound
from app.web.authoring.own_lessons import OwnContentKeyDep
from app.web.site.requests import RequestDep
from app.web.site.responses import attachment_header
from app.web.site.routing import LazyRouter

router = LazyRouter()
XLSX_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"
MEDIA_TYPE_BY_FORMAT = {
    "txt": "text/plain; charset=utf-8",
    "gift": "text/plain; charset=utf-8",
    "xlsx": XLSX_TYPE,
}
WIDTH_BY_HEADING = {"题干": 48, "解析": 40, "答案": 16, "要点": 32, "反馈": 40}
BYTE_ORDER_MARK = "\ufeff"
"""By which a text editor of Windows knows UTF-8."""


@router.get("/own/{name}/questions.{format_name}")
async def download_questions(
    request: RequestDep, own_content_key: OwnContentKeyDep, format_name: str
) -> Response:
    """The questions as a file; for whoever may read the text."""
    own_content, _ = await request.read(
        own_courses.load_content_and_is_own, own_content_key.own_content_id, own_content_key.token
    )
    if format_name not in MEDIA_TYPE_BY_FORMAT:
        raise NotFound("没有这种文件。")
    course_or_faults = await request.site.own_courses.read(own_content.id, own_content.text, request.course)
    if not isinstance(course_or_faults, Course):
        raise NotFound("这份内容里有错，改好了才能导出题目；原文随时可以下载。")
    file_bytes = await request.site.off_loop.run(file_bytes_of, course_or_faults, format_name)
    disposition = attachment_header(
        f"{own_content.title}.{format_name}", f"own-{own_content.id}.{format_name}"
    )
    headers = {"Content-Disposition": disposition}
    return Response(file_bytes, media_type=MEDIA_TYPE_BY_FORMAT[format_name], headers=headers)


def file_bytes_of(course: Course, format_name: str) -> bytes:
    exported_questions = question_exports.export_items(course, format_name)
    if format_name == "xlsx":
        return workbook_of(exported_questions)
    return (BYTE_ORDER_MARK + question_exports.file_text(exported_questions, format_name)).encode()


def workbook_of(exported_questions: ExportedQuestions) -> bytes:
    """A workbook with a row for each question; every cell is text, so that none becomes a formula."""
    import xlsxwriter  # type: ignore[import-untyped]  # slow to load, and seldom asked for

    buffer = io.BytesIO()
    workbook_options = {"in_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    with xlsxwriter.Workbook(buffer, workbook_options) as workbook:
        sheet = workbook.add_worksheet("题目")
        wrapped_format = workbook.add_format({"text_wrap": True, "valign": "top", "num_format": "@"})
        for column_index, heading in enumerate(question_tables.WRITTEN_COLUMNS):
            sheet.set_column(column_index, column_index, WIDTH_BY_HEADING.get(heading, 12))
        for row_index, cell_texts in enumerate(
            question_tables.rows_of(exported_questions.questions.questions)
        ):
            for column_index, cell_text in enumerate(cell_texts):
                sheet.write_string(row_index, column_index, cell_text, wrapped_format)
        sheet.freeze_panes(1, 0)
        if exported_questions.left_out_item_ids:
            workbook.add_worksheet("放不下的").write_string(0, 0, exported_questions.left_out_words)
    return buffer.getvalue()
