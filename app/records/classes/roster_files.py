"""名单: a list of students from a file that Excel, WPS or a text editor wrote. No database in here.

Line numbers are those that the program shows which wrote the file, so that a fault can be found.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from app.course.text import csv_tables, sandbox
from app.records.accounts.passwords import checked, checked_login, key, shown
from app.records.db.errors import Refused

MOST = 200  # students at once
LARGEST = 20 * 2**20  # bytes of a workbook, unpacked
MOST_MEMBERS = 500  # files within a workbook
MOST_LINES, LONGEST_CELL = 1000, 500
"""Lines with something in them, and characters of a cell."""
MOST_FILE_LINES = 20_000
"""Lines of a text, empty ones too: each is a step of the reader."""
WORKBOOK_READER = Path(__file__).with_name("workbook_reader.py")
LONGEST_NUMBER = 32
TOO_MANY_LINES = "一次最多{most}位同学，这里有{lines}行。分成几份来。"
STOPPED = "{}读不下去：也许太大，也许坏了。只留名单那一块，另存成CSV再试。"
HEADS = {
    "name": ("姓名", "名字", "学生姓名", "学生", "name", "student"),
    "number": ("学号", "座号", "序号", "编号", "考号", "number", "no", "no.", "id"),
    "login": ("登录名", "账号", "帐号", "用户名", "login", "username", "account"),
    "password": ("密码", "初始密码", "password"),
}


class RosterEntry(NamedTuple):
    """A student of a list. `login` and `password` are empty where the site shall choose them."""

    line: int
    name: str
    number: str = ""
    login: str = ""
    password: str = ""


class RosterFault(NamedTuple):
    """What is wrong in a line."""

    line: int
    text: str


class Roster(NamedTuple):
    """The good entries of a list, and what is wrong with the others."""

    entries: tuple[RosterEntry, ...]
    faults: tuple[RosterFault, ...]


Line = tuple[int, list[str]]
"""A line of a list: its number in the file, and its cells."""


def read(data: bytes) -> Roster:
    """A file as it came. Refused when it is no list at all; what is wrong in single lines are faults.

    >>> read("姓名,学号\\n小糖,01\\n,02\\n".encode("gb18030"))
    Roster(entries=(RosterEntry(line=2, name='小糖', number='01', login='', password=''),), \
faults=(RosterFault(line=3, text='这一行没有姓名。'),))
    """
    lines = [(line_number, cells) for line_number, cells in lines_of(data) if any(cells)]
    if not lines:
        raise Refused("文件里没有内容。")
    columns, entry_lines = split_head(lines)
    if len(entry_lines) > MOST:
        raise Refused(TOO_MANY_LINES.format(most=MOST, lines=len(entry_lines)))
    if not entry_lines:
        raise Refused("只有表头，没有同学。")
    return checked_roster([entry_of(line_number, cells, columns) for line_number, cells in entry_lines])


def write(entries: Iterable[RosterEntry]) -> str:
    """A list as text that `read` reads: what the preview sends when it is confirmed."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(["姓名", "学号", "登录名", "密码"])
    writer.writerows([entry.name, entry.number, entry.login, entry.password] for entry in entries)
    return text.getvalue()


def lines_of(data: bytes) -> Sequence[Line]:
    if data.startswith(b"PK\x03\x04"):
        return workbook_lines(data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # the .xls of old
        return sheet_lines(data)
    return text_lines(decoded_text(data))


def workbook_lines(data: bytes) -> Sequence[Line]:
    """An .xlsx is a zip: one that would unpack to something huge is not opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
    except (zipfile.BadZipFile, NotImplementedError, UnicodeDecodeError, ValueError) as error:
        raise Refused("这个Excel文件打不开，也许没有传完整。另存一份再试。") from error
    size = sum(member.file_size for member in members)
    if size > LARGEST or len(members) > MOST_MEMBERS:
        raise Refused("这个Excel文件太大了。只留名单那一页，另存一份再试。")
    return sheet_lines(data)


def sheet_lines(data: bytes) -> Sequence[Line]:
    """The lines of the first sheet with something in it, read in a process of its own: what is built of a
    workbook can be so large that the process ends."""
    try:
        answer = sandbox.answer(WORKBOOK_READER, data)
    except sandbox.Stopped as error:
        raise Refused(STOPPED.format("这个Excel文件")) from error
    if "refused" in answer:
        raise Refused(answer["refused"])
    return cleaned(answer["lines"])


def cell_text(value: object) -> str:
    """A cell as people see it, line by line: a whole number has no `.0`.

    >>> cell_text(20260101.0), cell_text(" 小糖 \\n"), cell_text("组长\\n课代表")
    ('20260101', '小糖', '组长\\n课代表')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    lines = map(shown, str(value)[:LONGEST_CELL].splitlines())
    return "\n".join(line for line in lines if line)


def decoded_text(data: bytes) -> str:
    """Text as Chinese programs write it: UTF-8, UTF-16 with its mark, or GB18030."""
    encodings = ["utf-8-sig", "gb18030"]
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        encodings = ["utf-16"]
    for encoding in encodings:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Refused("看不懂这个文件的编码。在Excel里“另存为”，选“CSV UTF-8”或者“Excel工作簿”再试。")


def text_lines(text: str) -> Sequence[Line]:
    line_count = text.count("\n")
    if line_count > MOST_FILE_LINES:
        raise Refused(TOO_MANY_LINES.format(most=MOST, lines=line_count))
    first_line = text.partition("\n")[0]
    delimiter = max("\t,;，；", key=first_line.count)
    if delimiter not in first_line:
        delimiter = ","
    try:
        reading = csv_tables.read(text, delimiter)
    except sandbox.Stopped as error:
        raise Refused(STOPPED.format("这份名单")) from error
    if reading.broken_line:
        raise Refused(f"第{reading.broken_line}行有一个引号没有关上，或者关上以后还有字。")
    if reading.row_count > MOST_LINES:  # before a single cell is looked at letter by letter
        raise Refused(TOO_MANY_LINES.format(most=MOST, lines=reading.row_count))
    return cleaned(reading.rows)


def cleaned(lines: Iterable[tuple[int, Sequence[object]]]) -> Sequence[Line]:
    """The lines with their cells as people see them."""
    return [(line_number, [cell_text(cell) for cell in cells]) for line_number, cells in lines]


def split_head(lines: Sequence[Line]) -> tuple[dict[str, int], Sequence[Line]]:
    """Which column is what, and the lines below the head; without a head, the names come first.

    >>> split_head([(1, ["学号", "姓名"]), (2, ["01", "小糖"])])
    ({'number': 0, 'name': 1}, [(2, ['01', '小糖'])])
    >>> split_head([(1, ["01", "小糖"])])[0]
    {'name': 1, 'number': 0}
    """
    for index, (_, cells) in enumerate(lines[:5]):  # a title may stand above the head
        columns = columns_of(cells)
        if "name" in columns:
            return columns, lines[index + 1 :]
    cells = lines[0][1]
    if len(cells) > 1 and cells[0].isdecimal():
        return {"name": 1, "number": 0}, lines
    return {"name": 0, "number": 1}, lines


def columns_of(head: Sequence[str]) -> dict[str, int]:
    """Field → the first column with one of its headings."""
    columns: dict[str, int] = {}
    for column, cell in enumerate(head):
        heading = "".join(key(cell).rstrip("*:：").split())
        for field, headings in HEADS.items():
            if heading in headings:
                columns.setdefault(field, column)
    return columns


def entry_of(line_number: int, cells: Sequence[str], columns: dict[str, int]) -> RosterEntry:
    texts = {field: cells[column] for field, column in columns.items() if column < len(cells)}
    return RosterEntry(line_number, texts.pop("name", ""), **texts)


def checked_roster(entries: Sequence[RosterEntry]) -> Roster:
    valid_entries = []
    faults = []
    first_lines: dict[str, int] = {}
    for entry in entries:
        fault = fault_of(entry) or repetition(entry, first_lines)
        if fault:
            faults.append(RosterFault(entry.line, fault))
        else:
            valid_entries.append(entry)
    return Roster(tuple(valid_entries), tuple(faults))


def fault_of(entry: RosterEntry) -> str:
    """What is wrong in a line by itself, in words; empty where nothing is."""
    if not entry.name:
        return "这一行没有姓名。"
    if "\n" in "".join(entry[1:]):  # a quote that is never closed swallows the lines below
        return f"{entry.name.splitlines()[0][:20]}：这里有换行，也许是一个引号没有关上。一行只写一位。"
    try:
        checked_login(entry.name)
        if entry.login:
            checked_login(entry.login)
        if entry.password:
            checked(entry.password, entry.login or entry.name)
    except Refused as error:
        return f"{entry.name[:20]}：{error}"
    if len(entry.number) > LONGEST_NUMBER:
        return f"{entry.name}：学号太长了。"
    return ""


def repetition(entry: RosterEntry, first_lines: dict[str, int]) -> str:
    """What stands in an earlier line already and may not; `first_lines` learns what this line brings."""
    for column_name, cell, advice in (
        ("", entry.name, "加个字区分"),
        ("登录名", entry.login, "加个字区分"),
        ("学号", entry.number, "核对一下是谁的"),
    ):
        if not cell:
            continue
        key_in_column = f"{column_name}:{key(cell)}"
        if key_in_column in first_lines:
            return f"{column_name}“{cell}”在第{first_lines[key_in_column]}行已经有了，{advice}。"
        first_lines[key_in_column] = entry.line
    return ""
