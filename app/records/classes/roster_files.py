"""名单: a list of students from a file that Excel, WPS or a text editor wrote. No database in here.

Line numbers are those that the program shows which wrote the file, so that a fault can be found.
"""

import csv
import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.course.text import csv_tables, sandbox, typed
from app.course.text.typed import LONGEST_TYPED_NAME, name_key, single_spaced_name
from app.course.text.untrusted import decode_text
from app.records.accounts.passwords import checked_display_name, checked_password
from app.records.classes.roster_columns import (
    MOST_TITLE_LINES,
    ColumnIndexByField,
    ListLine,
    ListTable,
    changed_number_sentence,
    joined_cells_sentence,
    split_head,
)
from app.records.db.errors import Refused

MOST_STUDENTS = 200  # students at once
LARGEST_WORKBOOK = 20 * 2**20  # bytes of a workbook, unpacked
MOST_ZIP_MEMBERS = 500  # files within a workbook
MOST_LINES, LONGEST_CELL = 1000, 500
"""Lines with something in them, and characters of a cell."""
MOST_FILE_LINES = 20_000
"""Lines of a text, empty ones too: each is a step of the reader."""
WORKBOOK_READER = Path(__file__).with_name("workbook_reader.py")
LONGEST_STUDENT_NUMBER = 32
LARGEST_SEAT = 9999
MOST_SEAT_DIGITS = 9
"""With zeros before it; what is longer is another number, such as a 学号."""
TOO_MANY_LINES_FORMAT = "一次最多{most_students}位同学，这里有{lines}行。分成几份来。"
READER_STOPPED_FORMAT = "{}读不下去：也许太大，也许坏了。只留名单那一块，另存成CSV再试。"
WRITTEN_HEADING_BY_FIELD = {
    "name": "姓名",
    "student_number": "学号",
    "seat": "座号",
    "login": "登录名",
    "password": "密码",
}
SPACED_NAME = re.compile(r"[\u3400-\u9fff](?: [\u3400-\u9fff])+")
"""A name of single characters with spaces between: what office programs do to align short names."""
EXACT_BELOW = 1e15
"""Whole numbers of Excel are exact below."""


class RosterEntry(NamedTuple):
    """A student of a list. `login` and `password` are empty where the site shall choose them.

    `seat` is text as it was read; `checked_seat` gives the number.
    """

    line_number: int
    name: str
    student_number: str = ""
    login: str = ""
    password: str = ""
    seat: str = ""


class RosterFault(NamedTuple):
    """What is wrong in a line; `entry` is the line as it was read, to be mended."""

    line_number: int
    fault_sentence: str
    entry: RosterEntry


class Roster(NamedTuple):
    """The good entries of a list, and what is wrong with the others. `note_sentence`: what is not read."""

    entries: tuple[RosterEntry, ...]
    faults: tuple[RosterFault, ...]
    note_sentence: str = ""


def read_roster(file_bytes: bytes) -> Roster:
    """A file as it came. Refused when it is no list at all; what is wrong in single lines are faults.

    >>> roster = read_roster("姓名,学号\\n小糖,01\\n,02\\n".encode("gb18030"))
    >>> [entry.name for entry in roster.entries], [fault.fault_sentence for fault in roster.faults]
    (['小糖'], ['这一行没有姓名。'])
    """
    list_lines = lines_with_content(file_bytes)
    if not list_lines:
        raise Refused("文件里没有内容。")
    list_table = split_head(list_lines)
    roster_entries = roster_entries_of(list_table)
    if len(roster_entries) > MOST_STUDENTS:
        raise Refused(TOO_MANY_LINES_FORMAT.format(most_students=MOST_STUDENTS, lines=len(roster_entries)))
    if not roster_entries and list_table.note_sentence:
        raise Refused(f"{list_table.note_sentence}名单里没有别的同学。")
    if not roster_entries:
        raise Refused("只有表头，没有同学。")
    return checked_roster(roster_entries)._replace(note_sentence=list_table.note_sentence)


def roster_text(roster_entries: Iterable[RosterEntry]) -> str:
    """A list as text that `read_roster` reads: what the preview sends when it is confirmed."""
    text_buffer = io.StringIO()
    csv_writer = csv.writer(text_buffer, lineterminator="\n")
    csv_writer.writerow(WRITTEN_HEADING_BY_FIELD.values())
    for roster_entry in roster_entries:
        csv_writer.writerow([getattr(roster_entry, field_name) for field_name in WRITTEN_HEADING_BY_FIELD])
    return text_buffer.getvalue()


def join_rosters(good_list_text: str, mended_list_text: str) -> str:
    """Two lists that `roster_text` wrote as one: the good lines of a list, and those that somebody mended.

    >>> join_rosters("姓名,学号\\n小糖,01\\n", "姓名,学号\\n小序,02\\n")
    '姓名,学号\\n小糖,01\\n小序,02\\n'
    """
    heading_line = good_list_text.partition("\n")[0]
    plain_mended_text = mended_list_text.replace("\r\n", "\n")
    return good_list_text + plain_mended_text.removeprefix(f"{heading_line}\n")


def list_lines_of(file_bytes: bytes) -> Sequence[ListLine]:
    if file_bytes.startswith(b"PK\x03\x04"):
        return workbook_lines(file_bytes)
    if file_bytes.startswith(b"\xd0\xcf\x11\xe0"):  # the .xls of old
        return sheet_lines(file_bytes)
    return text_lines(decoded_text(file_bytes))


def workbook_lines(file_bytes: bytes, longest_cell: int = LONGEST_CELL) -> Sequence[ListLine]:
    """An .xlsx is a zip: one that would unpack to something huge is not opened. `longest_cell`: characters of
    a cell that are kept."""
    try:
        with zipfile.ZipFile(io.BytesIO(file_bytes)) as zip_archive:
            zip_members = zip_archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError) as error:
        raise Refused("这个Excel文件打不开，也许没有传完整。另存一份再试。") from error
    unpacked_byte_count = sum(zip_member.file_size for zip_member in zip_members)
    if unpacked_byte_count > LARGEST_WORKBOOK or len(zip_members) > MOST_ZIP_MEMBERS:
        raise Refused("这个Excel文件太大了。只留名单那一页，另存一份再试。")
    return sheet_lines(file_bytes, longest_cell)


def sheet_lines(file_bytes: bytes, longest_cell: int = LONGEST_CELL) -> Sequence[ListLine]:
    """The lines of the first sheet with something in it, read in a process of its own: what is built of a
    workbook can be so large that the process ends."""
    try:
        reader_output = sandbox.json_output(WORKBOOK_READER, file_bytes)
    except sandbox.ProgramStopped as error:
        raise Refused(READER_STOPPED_FORMAT.format("这个Excel文件")) from error
    if "refused" in reader_output:
        raise Refused(reader_output["refused"])
    return cleaned_lines_of(reader_output["lines"], longest_cell)


def cell_text(cell_value: object, longest_cell: int = LONGEST_CELL) -> str:
    """A cell as people see it, line by line: a whole number has no `.0`.

    >>> cell_text(20260101.0), cell_text(" 小糖 \\n"), cell_text("组长\\n课代表")
    ('20260101', '小糖', '组长\\n课代表')
    >>> cell_text(202601010001000001.0)
    '2.02601010001e+17'
    """
    if isinstance(cell_value, float) and EXACT_BELOW <= abs(cell_value) < float("inf"):
        return f"{cell_value:.11e}"
    if isinstance(cell_value, float) and cell_value.is_integer():
        return str(int(cell_value))
    shown_lines = []
    for typed_line in typed.composed_text(str(cell_value), longest_cell).splitlines():
        spaced_line = " ".join(typed_line.split())
        if spaced_line:
            shown_lines.append(spaced_line)
    return "\n".join(shown_lines)


def decoded_text(file_bytes: bytes) -> str:
    """Text as Chinese programs write it: UTF-8, UTF-16 with its mark, or GB18030."""
    file_text = decode_text(file_bytes)
    if file_text is None:
        raise Refused("看不懂这个文件的编码。在Excel里“另存为”，选“CSV UTF-8”或者“Excel工作簿”再试。")
    return file_text


def lines_with_content(file_bytes: bytes) -> list[ListLine]:
    """The lines of a file in which any cell is filled."""
    return [numbered_line for numbered_line in list_lines_of(file_bytes) if any(numbered_line[1])]


def text_lines(list_text: str) -> Sequence[ListLine]:
    line_count = list_text.count("\n")
    if line_count > MOST_FILE_LINES:
        raise Refused(TOO_MANY_LINES_FORMAT.format(most_students=MOST_STUDENTS, lines=line_count))
    separator = csv_tables.separator_of_lines(list_text.split("\n", MOST_TITLE_LINES)[:MOST_TITLE_LINES])
    try:
        table_reading = csv_tables.read(list_text, separator)
    except sandbox.ProgramStopped as error:
        raise Refused(READER_STOPPED_FORMAT.format("这份名单")) from error
    if table_reading.broken_line_number:
        raise Refused(f"第{table_reading.broken_line_number}行有一个引号没有关上，或者关上以后还有字。")
    if table_reading.row_count > MOST_LINES:  # before a single cell is looked at letter by letter
        raise Refused(
            TOO_MANY_LINES_FORMAT.format(most_students=MOST_STUDENTS, lines=table_reading.row_count)
        )
    return cleaned_lines_of(table_reading.rows)


def cleaned_lines_of(
    raw_lines: Iterable[tuple[int, Sequence[object]]], longest_cell: int = LONGEST_CELL
) -> Sequence[ListLine]:
    """The lines with their cells as people see them."""
    cleaned_lines = []
    for line_number, line_cells in raw_lines:
        shown_texts = (cell_text(cell, longest_cell) for cell in line_cells)
        cleaned_lines.append((line_number, list(map(csv_tables.without_text_signs, shown_texts))))
    return cleaned_lines


def roster_entries_of(list_table: ListTable) -> list[RosterEntry]:
    """The students of a list, block after block; the end of a shorter block is no student."""
    roster_entries = []
    is_one_block = len(list_table.block_layouts) == 1
    for column_index_by_field in list_table.block_layouts:
        for line_number, line_cells in list_table.lines:
            roster_entry = roster_entry_of(line_number, line_cells, column_index_by_field)
            if is_one_block or any(roster_entry[1:]):
                roster_entries.append(roster_entry)
    return roster_entries


def roster_entry_of(
    line_number: int, line_cells: Sequence[str], column_index_by_field: ColumnIndexByField
) -> RosterEntry:
    cell_text_by_field = {
        field_name: line_cells[column_index]
        for field_name, column_index in column_index_by_field.items()
        if column_index < len(line_cells)
    }
    student_name = cell_text_by_field.pop("name", "")
    if SPACED_NAME.fullmatch(student_name):
        student_name = student_name.replace(" ", "")
    student_number = typed.folded_text(cell_text_by_field.pop("student_number", ""), LONGEST_CELL)
    return RosterEntry(line_number, student_name, student_number, **cell_text_by_field)


def checked_roster(roster_entries: Sequence[RosterEntry]) -> Roster:
    valid_entries = []
    roster_faults = []
    first_entry_by_key: dict[str, RosterEntry] = {}
    for roster_entry in roster_entries:
        entry_fault_sentence = fault_sentence(roster_entry)
        if not entry_fault_sentence:
            entry_fault_sentence = repetition_fault_sentence(roster_entry, first_entry_by_key)
        if entry_fault_sentence:
            roster_faults.append(RosterFault(roster_entry.line_number, entry_fault_sentence, roster_entry))
        else:
            valid_entries.append(roster_entry)
    return Roster(tuple(valid_entries), tuple(roster_faults))


def fault_sentence(roster_entry: RosterEntry) -> str:
    """What is wrong in a line by itself; empty where nothing is."""
    if not roster_entry.name:
        return "这一行没有姓名。"
    if "\n" in "".join(roster_entry[1:]):  # a quote that is never closed swallows the lines below
        return f"{roster_entry.name.splitlines()[0][:20]}：这里有换行，也许是一个引号没有关上。一行只写一位。"
    try:
        checked_display_name(roster_entry.name, "姓名")
        if roster_entry.login:
            checked_display_name(roster_entry.login)
        if roster_entry.password:
            checked_password(roster_entry.password, roster_entry.login or roster_entry.name)
    except Refused as error:
        return f"{roster_entry.name[:20]}：{error}"
    joined_fault_sentence = joined_cells_sentence(roster_entry.name, roster_entry.student_number)
    return joined_fault_sentence or number_fault_sentence(roster_entry)


def number_fault_sentence(roster_entry: RosterEntry) -> str:
    """What is wrong with 学号 or 座号; empty where nothing is."""
    change_sentence = changed_number_sentence(roster_entry.student_number)
    if change_sentence:
        return f"{roster_entry.name}：{change_sentence}"
    try:
        checked_student_number(roster_entry.student_number)
        checked_seat(roster_entry.seat)
    except Refused as error:
        return f"{roster_entry.name}：{error}"
    return ""


def checked_student_number(student_number: str) -> str:
    """学号 as it is kept; Refused says what is wrong with another.

    >>> checked_student_number(" ２０２６ 01 ")
    '2026 01'
    """
    student_number = single_spaced_name(typed.folded_text(student_number, LONGEST_TYPED_NAME))
    if len(student_number) > LONGEST_STUDENT_NUMBER or not student_number.isprintable():
        raise Refused(f"学号最多{LONGEST_STUDENT_NUMBER}个字，不带看不见的符号。", "number")
    return student_number


def checked_seat(typed_seat: str) -> int | None:
    """座号 as a number, None for an empty one; Refused for anything else.

    >>> checked_seat("07"), checked_seat(" ")
    (7, None)
    """
    digits = typed_seat.strip().rstrip(".、号")
    if not digits:
        return None
    is_number = digits.isdecimal() and len(digits) <= MOST_SEAT_DIGITS
    if not is_number or not 0 < int(digits) <= LARGEST_SEAT:
        raise Refused(f"座号“{typed_seat[:20]}”不是1到{LARGEST_SEAT}的整数。", "seat")
    return int(digits)


def repetition_fault_sentence(roster_entry: RosterEntry, first_entry_by_key: dict[str, RosterEntry]) -> str:
    """What stands in an earlier line already and may not; `first_entry_by_key` learns what this line brings.

    A name may come again with another 学号: then it is another person.
    """
    namesake = first_entry_by_key.setdefault(f"姓名:{name_key(roster_entry.name)}", roster_entry)
    if namesake is not roster_entry and not (namesake.student_number and roster_entry.student_number):
        return f"“{roster_entry.name}”在第{namesake.line_number}行已经有了，加个字区分，或者两位都写上学号。"
    for heading, typed_text, advice_words in (
        ("登录名", roster_entry.login, "加个字区分"),
        ("学号", roster_entry.student_number, "核对一下是谁的"),
    ):
        if not typed_text:
            continue
        first_entry = first_entry_by_key.setdefault(f"{heading}:{name_key(typed_text)}", roster_entry)
        if first_entry is not roster_entry:
            return f"{heading}“{typed_text}”在第{first_entry.line_number}行已经有了，{advice_words}。"
    return ""
