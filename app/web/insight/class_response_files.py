"""全班的回答 as a file: one line each, written student by student as it is read.

It is whole before its first byte is sent, and its head says how long it is: where the site ends on the way,
the browser calls the download failed. Without the length Caddy 2.6.2 ends such a file as if it were whole;
with it, it still does so over HTTP/2, where browsers do not count.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from gzip import GzipFile
from tempfile import TemporaryFile
from typing import IO
from zoneinfo import ZoneInfo

from starlette.responses import Response, StreamingResponse

from app.course.text import csv_tables
from app.records.insight import class_responses
from app.records.insight.class_responses import ClassAndStudents, ResponseLine
from app.web.classes.classrooms import CLASSROOM_ADDRESS, ClassDep, ClassRequest
from app.web.site.packing import accepts_gzip
from app.web.site.responses import attachment_header
from app.web.site.routing import LazyRouter

router = LazyRouter()
WORD_BY_SOURCE = {"lesson": "课文", "practice": "练习", "assignment": "作业"}
WORD_BY_VERDICT: Mapping[str | None, str] = {"right": "对", "wrong": "错", "shown": "看了解法"}
STUDENT_HEADINGS = ("代号", "学号", "姓名")
RESPONSE_HEADINGS = (
    *("回答", "来源", "哪一份", "第几遍", "题", "第几次", "写的", "读成", "判", "得分", "误区"),
    *("看了几条提示", "用了几秒", "时间", "题的版本"),
)
CHUNK_BYTES = 65_536
"""So much of the file is sent at a time."""


@router.get(CLASSROOM_ADDRESS + "/responses.csv")
async def download_responses(request: ClassDep, names: str = "") -> Response:
    """Every answer of the class; `?names=yes` says whose, else a code stands for each student."""
    class_and_students = await request.read(class_responses.load_class_and_students)
    classroom = class_and_students.classroom
    csv_chunks = csv_chunks_of(request, class_and_students, has_names=names == "yes")
    disposition = attachment_header(f"{classroom.name}的回答.csv", f"responses-{classroom.id}.csv")
    headers = {"Content-Disposition": disposition}
    return await whole_file_response(request, csv_chunks, headers)


async def whole_file_response(
    request: ClassRequest, csv_chunks: AsyncIterator[str], headers: dict[str, str]
) -> Response:
    """An answer with all of these parts, and with their length; packed where whoever asks can unpack."""
    csv_file = TemporaryFile(dir=request.site.settings.data)  # noqa: SIM115  closed once it is sent
    try:
        if accepts_gzip(request.http):
            headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
            with GzipFile(fileobj=csv_file, mode="wb", compresslevel=1) as packed_file:
                async for csv_chunk in csv_chunks:
                    packed_file.write(csv_chunk.encode())
        else:
            async for csv_chunk in csv_chunks:
                csv_file.write(csv_chunk.encode())
    except BaseException:
        csv_file.close()
        raise
    headers["Content-Length"] = str(csv_file.tell())
    return StreamingResponse(file_chunks(csv_file), media_type="text/csv; charset=utf-8", headers=headers)


async def file_chunks(csv_file: IO[bytes]) -> AsyncIterator[bytes]:
    """A file from its beginning, as quickly as it is taken; it is gone afterwards."""
    with csv_file:
        csv_file.seek(0)
        while file_chunk := csv_file.read(CHUNK_BYTES):
            yield file_chunk


async def csv_chunks_of(
    request: ClassRequest, class_and_students: ClassAndStudents, *, has_names: bool
) -> AsyncIterator[str]:
    """The file, a part for each student: nobody waits while a year of a class is read. The group stands last,
    where the class has groups."""
    zone = ZoneInfo(request.site.settings.time_zone)
    student_headings: Sequence[str] = STUDENT_HEADINGS
    if not has_names:
        student_headings = STUDENT_HEADINGS[:1]
    group_headings: list[str] = []
    class_groups = class_and_students.groups
    if class_groups:
        group_headings.append("小组")
    name_by_group_id = {class_group.id: class_group.name for class_group in class_groups}
    yield csv_tables.csv_text([(*student_headings, *RESPONSE_HEADINGS, *group_headings)])
    for gradebook_student in class_and_students.gradebook_students:
        owner_cells = [class_and_students.pseudonym_by_enrolment_id[gradebook_student.id]]
        if has_names:
            owner_cells += [gradebook_student.student_number, gradebook_student.name]
        group_cells: list[str] = []
        if class_groups:
            group_cells.append(name_by_group_id.get(gradebook_student.group_id or 0, ""))
        response_lines = await request.read(class_responses.load_responses, gradebook_student)
        file_rows = [
            (*owner_cells, *response_cells(response_line, zone), *group_cells)
            for response_line in response_lines
        ]
        yield csv_tables.csv_text(file_rows).removeprefix(csv_tables.UTF8_MARK)


def response_cells(response_line: ResponseLine, zone: ZoneInfo) -> tuple[object, ...]:
    """A line of the file, without whose it is."""
    return (
        response_line.id,
        WORD_BY_SOURCE.get(response_line.source, response_line.source),
        response_line.title or response_line.ref,
        response_line.round,
        response_line.item_ref,
        response_line.try_number,
        response_line.typed_text,
        response_line.value,
        WORD_BY_VERDICT.get(response_line.verdict, response_line.verdict),
        response_line.score,
        response_line.misconception_code,
        response_line.hint_count,
        response_line.seconds,
        response_line.created_at.astimezone(zone).isoformat(timespec="seconds"),
        response_line.item_version_hash,
    )
