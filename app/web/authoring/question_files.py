"""A file with questions as the text that goes into the box: Word, Excel, CSV, GIFT, plain text."""

import base64
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import NamedTuple

from app.course.authoring import pictures as drawing
from app.course.authoring.pictures import RedrawnPicture, UnfitPicture
from app.course.questions import pasted_text, question_tables
from app.course.questions.draft_questions import UnfitQuestion
from app.course.questions.word import word_reader
from app.course.text import csv_tables, sandbox, untrusted
from app.course.text.faults import Faults
from app.records.classes import roster_files
from app.records.db.errors import Refused
from app.web.site.off_loop import OffLoop

MOST_FILE_BYTES = 4 * 2**20
"""Bytes of a file, with the pictures in it."""
MOST_PICTURE_SECONDS = 20.0
"""For all pictures of a file: a hostile one takes seconds each."""
WORD_READER_PATH = Path(word_reader.__file__)
WORD_PICTURE_PATTERN = re.compile(r"!\[(?P<alt>[^\[\]\n]*)\]\(word:(?P<id>[^()\s]{1,80})\)")
"""How `word_reader` writes a picture."""
READING_STOPPED_SENTENCE = "这个文件读不下去：也许太大，也许坏了。只留题目，另存一份再传。"
UNFIT_WORKBOOK_SENTENCE = "这个表格打不开：也许坏了，也许太大，也许有密码。只留题目那一页，另存成.xlsx再传。"
UNKNOWN_ZIP_SENTENCE = "这个文件打不开：也许没有传完整。在Word或Excel里另存一份.docx或.xlsx再传。"
PART_OF_OFFICE_FILE_PATTERN = re.compile(
    rb"(word|xl)/(document|workbook|worksheets|sharedStrings|styles|theme)"
)
"""What a Word file or a workbook has near its beginning, also one that did not come as a whole."""
OLD_OFFICE_SENTENCE = "这是旧的Office文件（.doc、.xls、.wps）：在Word、Excel或WPS里另存成.docx或.xlsx再传。"
LOCKED_OFFICE_SENTENCE = "这个文件有密码：在Word、Excel或WPS里去掉密码，另存一份再传。"
LOCKED_OFFICE_SIGN = "EncryptedPackage".encode("utf-16-le")
"""What .docx and .xlsx with a password have in them: they come in the wrapping of old files."""
BEGINNINGS_WITH_ADVICE = (
    (b"\xd0\xcf\x11\xe0", OLD_OFFICE_SENTENCE),
    (b"%PDF", "PDF里的文字没有段落：用Word打开它，另存成.docx；或者把文字复制过来贴。"),
    (b"{\\rtf", "这是.rtf：在Word里另存成.docx再传。"),
    (b"\x89PNG", "这是一张图片，图里的字读不出来：先转成文字再贴。"),
    (b"\xff\xd8\xff", "这是一张图片，图里的字读不出来：先转成文字再贴。"),
    (b"GIF8", "这是一张图片，图里的字读不出来：先转成文字再贴。"),
)
"""How files of other kinds begin, and what to do with them."""
NOT_TEXT_SENTENCE = "看不懂这个文件：可以传.docx、.xlsx、.csv、GIFT和纯文本。"


class FileContents(NamedTuple):
    """The text of a file; its pictures in base64 by what names them in it."""

    text: str
    encoded_picture_by_id: Mapping[str, str] = {}


def file_contents_of(file_bytes: bytes) -> FileContents:
    """The questions of a file as text, its pictures as they came; Refused where it is none."""
    expect_known_kind(file_bytes)
    if file_bytes.startswith(b"PK"):
        return office_file_contents(file_bytes)
    try:
        file_text = untrusted.with_plain_line_ends(untrusted.own_content_text(file_bytes))
    except Faults as error:
        raise Refused(f"{error.faults[0].message}。") from error
    if "\0" in file_text:
        raise Refused(NOT_TEXT_SENTENCE)
    return FileContents(plain_text(file_text))


def expect_known_kind(file_bytes: bytes) -> None:
    """Refused for a file that is empty, too large, or of a kind that nobody reads here."""
    if not file_bytes.strip():
        raise Refused("还没有选文件，或者文件是空的。")
    if len(file_bytes) > MOST_FILE_BYTES:
        raise Refused(f"文件太大了，最多{MOST_FILE_BYTES // 2**20}MB。")
    if LOCKED_OFFICE_SIGN in file_bytes:
        raise Refused(LOCKED_OFFICE_SENTENCE)
    for file_beginning, advice_words in BEGINNINGS_WITH_ADVICE:
        if file_bytes.startswith(file_beginning):
            raise Refused(advice_words)


def office_file_contents(file_bytes: bytes) -> FileContents:
    """The text of a Word file or a workbook; which of them it is stands in the names within the zip."""
    office_part_match = PART_OF_OFFICE_FILE_PATTERN.search(file_bytes)
    if office_part_match is None:
        raise Refused(UNKNOWN_ZIP_SENTENCE)
    if office_part_match[1] == b"xl":
        try:
            table_rows = roster_files.workbook_lines(file_bytes, question_tables.LONG_CELL_LENGTH)
        except Refused as error:
            raise Refused(UNFIT_WORKBOOK_SENTENCE) from error
        return FileContents(table_text(table_rows))
    try:
        reader_answer = sandbox.json_output(WORD_READER_PATH, file_bytes)
    except sandbox.ProgramStopped as error:
        raise Refused(READING_STOPPED_SENTENCE) from error
    if "refused" in reader_answer:
        raise Refused(f"{reader_answer['refused']}。")
    file_text = re.sub(r"\n{3,}", "\n\n", "\n".join(reader_answer["lines"])).strip()
    return FileContents(file_text, reader_answer["pictures"])


async def redrawn_picture_by_id(
    off_loop: OffLoop, encoded_picture_by_id: Mapping[str, str], most_seconds: float = MOST_PICTURE_SECONDS
) -> dict[str, RedrawnPicture]:
    """Those of the pictures of a Word file that can be kept, by what names them in its lines. `most_seconds`:
    how long all of them may take. One after the other, each in a turn of its own: between two of them the
    files of others are read."""
    picture_by_id = {}
    deadline = monotonic() + most_seconds
    for picture_id, encoded_picture in encoded_picture_by_id.items():
        if monotonic() >= deadline:
            break
        with suppress(UnfitPicture):  # it leaves a mark in its line
            picture_by_id[picture_id] = await off_loop.run(drawing.read, base64.b64decode(encoded_picture))
    return picture_by_id


def with_pictures(questions_text: str, name_by_picture_id: Mapping[str, str]) -> str:
    """The text with its pictures under the names by which they are kept; one that is not leaves a mark.

    >>> with_pictures("看![线](word:rId5)和![](word:rId6)", {"rId5": "0f-6x4"})
    '看![线](picture:0f-6x4)和【图片】'
    """

    def markdown_of_picture(picture_match: re.Match[str]) -> str:
        picture_name = name_by_picture_id.get(picture_match["id"])
        if picture_name is None:
            return word_reader.PICTURE_SIGN
        return drawing.picture_markdown(picture_match["alt"], picture_name)

    return WORD_PICTURE_PATTERN.sub(markdown_of_picture, questions_text)


def table_text(table_rows: Sequence[question_tables.NumberedRow]) -> str:
    try:
        return question_tables.text_of_rows(table_rows)
    except UnfitQuestion as error:
        raise Refused(f"{error}。") from error


def plain_text(file_text: str) -> str:
    """A text as it is; a table, and questions in GIFT, written the Chinese way."""
    file_text = pasted_text.with_gift_as_plain_text(file_text)
    first_lines = file_text.lstrip("\n").split("\n", question_tables.MOST_TITLE_ROWS)
    separators = map(question_tables.separator_of, first_lines[: question_tables.MOST_TITLE_ROWS])
    separator = next(filter(None, separators), None)
    if separator is None:
        return file_text
    try:
        table_reading = csv_tables.read(file_text, separator)
    except sandbox.ProgramStopped as error:
        raise Refused(READING_STOPPED_SENTENCE) from error
    if table_reading.broken_line_number:
        raise Refused(f"第{table_reading.broken_line_number}行有一个引号没有关上，或者关上以后还有字。")
    return table_text(table_reading.rows)
