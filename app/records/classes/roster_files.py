"""名单: a list of students from a file that Excel, WPS or a text editor wrote. No database in here.

Line numbers are those that the program shows which wrote the file, so that a fault can be found.
"""

import csv
import io
import zipfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from app.records.accounts.passwords import checked, checked_login, key, shown
from app.records.db.errors import Refused

MOST = 200  # students at once
LARGEST = 20 * 2**20  # bytes of a workbook, unpacked
LONGEST_NUMBER = 32
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


@dataclass(frozen=True, slots=True)
class Roster:
    entries: tuple[RosterEntry, ...] = ()
    faults: tuple[RosterFault, ...] = ()


Line = tuple[int, list[str]]


def read(data: bytes) -> Roster:
    """A file as it came. Refused when it is no list at all; what is wrong in single lines are faults.

    >>> read("姓名,学号\\n小糖,01\\n,02\\n".encode("gb18030"))
    Roster(entries=(RosterEntry(line=2, name='小糖', number='01', login='', password=''),), \
faults=(RosterFault(line=3, text='这一行没有姓名。'),))
    """
    lines = [(number, cells) for number, cells in table(data) if any(cells)]
    if not lines:
        raise Refused("文件里没有内容。")
    columns, rest = headed(lines)
    if len(rest) > MOST:
        raise Refused(f"一次最多{MOST}位同学，这里有{len(rest)}行。分成几份来。")
    if not rest:
        raise Refused("只有表头，没有同学。")
    return judged([entry(number, cells, columns) for number, cells in rest])


def write(entries: Iterable[RosterEntry]) -> str:
    """The same list as text that `read` reads: what the preview sends when it is confirmed."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["姓名", "学号", "登录名", "密码"])
    writer.writerows([one.name, one.number, one.login, one.password] for one in entries)
    return out.getvalue()


def table(data: bytes) -> Sequence[Line]:
    if data.startswith(b"PK\x03\x04"):
        return workbook(data)
    if data.startswith(b"\xd0\xcf\x11\xe0"):  # the .xls of old
        return sheet(data)
    return text_lines(decoded(data))


def workbook(data: bytes) -> Sequence[Line]:
    """An .xlsx is a zip: one that would unpack to something huge is not opened."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            size = sum(one.file_size for one in packed.infolist())
    except zipfile.BadZipFile as error:
        raise Refused("这个Excel文件打不开，也许没有传完整。另存一份再试。") from error
    if size > LARGEST:
        raise Refused("这个Excel文件太大了。只留名单那一页，另存一份再试。")
    return sheet(data)


def sheet(data: bytes) -> Sequence[Line]:
    """The first sheet with something in it."""
    from python_calamine import CalamineError, CalamineWorkbook

    try:
        book = CalamineWorkbook.from_filelike(io.BytesIO(data))
        for name in book.sheet_names:
            found = book.get_sheet_by_name(name)
            rows = found.to_python(skip_empty_area=True, nrows=MOST * 5)
            if rows:
                first = (found.start or (0, 0))[0] + 1
                return [(number, [cell_text(one) for one in row]) for number, row in enumerate(rows, first)]
    except (CalamineError, ValueError, OSError) as error:
        raise Refused("这个Excel文件打不开。有密码的先去掉密码，或者另存成CSV再试。") from error
    return []


def cell_text(value: object) -> str:
    """A cell as people see it, line by line: a whole number has no `.0`.

    >>> cell_text(20260101.0), cell_text(" 小糖 \\n"), cell_text("组长\\n课代表"), cell_text(date(2026, 9, 1))
    ('20260101', '小糖', '组长\\n课代表', '2026-09-01')
    """
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, date | datetime):
        return value.isoformat()
    return "\n".join(filter(None, map(shown, str(value).splitlines())))


def decoded(data: bytes) -> str:
    """Text as Chinese programs write it: UTF-8, UTF-16 with its mark, or GB18030."""
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    for code in ["utf-16"] if marked else ["utf-8-sig", "gb18030"]:
        try:
            text = data.decode(code)
        except UnicodeDecodeError:
            continue
        if "\0" not in text:
            return text
    raise Refused("看不懂这个文件的编码。在Excel里“另存为”，选“CSV UTF-8”或者“Excel工作簿”再试。")


def text_lines(text: str) -> Sequence[Line]:
    first = text.partition("\n")[0]
    mark = max("\t,;，；", key=first.count) if any(one in first for one in "\t,;，；") else ","
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=mark, strict=True)
    found, begun = [], 1
    try:
        for cells in reader:
            found.append((begun, [cell_text(one) for one in cells]))
            begun = reader.line_num + 1
    except csv.Error as error:
        raise Refused(f"第{begun}行有一个引号没有关上，或者关上以后还有字。") from error
    return found


def headed(lines: Sequence[Line]) -> tuple[dict[str, int], Sequence[Line]]:
    """Which column is what, and the lines below the head; without a head, the names come first.

    >>> headed([(1, ["学号", "姓名"]), (2, ["01", "小糖"])])
    ({'name': 1, 'number': 0}, [(2, ['01', '小糖'])])
    >>> headed([(1, ["01", "小糖"])])[0]
    {'name': 1, 'number': 0}
    """
    for place, (_, cells) in enumerate(lines[:5]):  # a title may stand above the head
        heads = ["".join(key(one).rstrip("*:：").split()) for one in cells]
        columns = {
            what: next(number for number, head in enumerate(heads) if head in names)
            for what, names in HEADS.items()
            if any(head in names for head in heads)
        }
        if "name" in columns:
            return columns, lines[place + 1 :]
    first = lines[0][1]
    if len(first) > 1 and first[0].isdecimal():
        return {"name": 1, "number": 0}, lines
    return {"name": 0, "number": 1}, lines


def entry(line: int, cells: Sequence[str], columns: dict[str, int]) -> RosterEntry:
    found = {what: cells[place] for what, place in columns.items() if place < len(cells)}
    return RosterEntry(line, **found) if "name" in found else RosterEntry(line, "")


def judged(entries: Sequence[RosterEntry]) -> Roster:
    """The good ones, and what is wrong with the others."""
    good, faults, lines = [], [], dict[str, int]()
    for one in entries:
        said = fault(one) or doubled(one, lines)
        if said:
            faults.append(RosterFault(one.line, said))
        else:
            good.append(one)
    return Roster(tuple(good), tuple(faults))


def fault(one: RosterEntry) -> str:
    if not one.name:
        return "这一行没有姓名。"
    if "\n" in "".join(one[1:]):  # a quote that is never closed swallows the lines below
        return f"{one.name.splitlines()[0][:20]}：这里有换行，也许是一个引号没有关上。一行只写一位。"
    try:
        checked_login(one.name)
        if one.login:
            checked_login(one.login)
        if one.password:
            checked(one.password, one.login or one.name)
    except Refused as error:
        return f"{one.name[:20]}：{error}"
    return f"{one.name}：学号太长了。" if len(one.number) > LONGEST_NUMBER else ""


def doubled(one: RosterEntry, lines: dict[str, int]) -> str:
    """What stands twice in the list and may not; remembers where each stood first."""
    for what, value, advice in (
        ("", one.name, "加个字区分"),
        ("登录名", one.login, "加个字区分"),
        ("学号", one.number, "核对一下是谁的"),
    ):
        mark = f"{what}:{key(value)}"
        if value and mark in lines:
            return f"{what}“{value}”在第{lines[mark]}行已经有了，{advice}。"
        if value:
            lines[mark] = one.line
    return ""
