"""Rosters as Excel, WPS and text editors write them: what is read, and which line is at fault."""

import io
import zipfile
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.course.text.typed import name_key, single_spaced_name
from app.records.classes import roster_files
from app.records.classes.roster_files import Roster, RosterEntry
from app.records.db.errors import Refused
from tests.records.classes.roster_tables import ROWS, csv_text, sheet, workbook

ROSTER = [("王小明", "2026010001"), ("欧阳娜娜", "2026010002"), ("𠮷野", "2026010003")]


def names(roster: Roster) -> list[tuple[str, str]]:
    assert roster.faults == ()
    return [(entry.name, entry.student_number) for entry in roster.entries]


@pytest.mark.parametrize(
    "data",
    [
        csv_text().encode("utf-8"),
        csv_text().encode("utf-8-sig"),
        csv_text().encode("gb18030"),
        csv_text(mark="\t").encode("utf-16"),
        csv_text(mark=";").encode("utf-8-sig"),
        csv_text(mark="，", end="\n").encode("utf-8"),
        workbook(list(map(list, ROWS))),
        workbook([["", ""], ["高一3班", ""], ROWS[0], *[[float(no), name] for no, name in ROWS[1:]]]),
        workbook(list(map(list, ROWS)), sheets=3),
    ],
    ids=[
        "utf-8",
        "Excel's utf-8",
        "gb18030",
        "Excel's Unicode text",
        "semicolons",
        "，",
        "xlsx",
        "title",
        "3rd",
    ],
)
def test_every_way_to_save_it_is_read(data: bytes) -> None:
    assert names(roster_files.read_roster(data)) == ROSTER


def test_a_bare_list_of_names_will_do() -> None:
    assert names(roster_files.read_roster("小糖\n小序\n".encode())) == [("小糖", ""), ("小序", "")]
    data = "2026010001\t小糖\n2026010002\t小序".encode()
    assert names(roster_files.read_roster(data)) == [("小糖", "2026010001"), ("小序", "2026010002")]


@pytest.mark.parametrize(
    "text",
    [
        "王小明 2026010001\n欧阳娜娜　　2026010002\n𠮷野 2026010003",
        "2026010001　王小明\n2026010002　欧阳 娜 娜\n2026010003　𠮷野",
        "1 2026010001 王小明\n2 2026010002 欧阳娜娜\n3 2026010003 𠮷野",
        "1、王小明 2026010001\n2、欧阳娜娜 2026010002\n3. 𠮷野 2026010003",
        "高一3班名单\n学号　姓名　性别\n2026010001　王小明　男\n2026010002 欧阳娜娜 女\n2026010003 𠮷野 女",
        "1\t王小明\t2026010001\n2\t欧阳娜娜\t2026010002\n3\t𠮷野\t2026010003",
        "王小明\t男\t2026010001\n欧阳娜娜\t女\t2026010002\n𠮷野\t女\t2026010003",
    ],
)
def test_spaces_part_a_list_that_was_typed(text: str) -> None:
    """From a chat or a text editor: no number becomes part of a name, nor does a head become a student."""
    names_and_numbers = [
        (name.replace(" ", ""), number) for name, number in names(roster_files.read_roster(text.encode()))
    ]
    assert names_and_numbers == ROSTER


@pytest.mark.parametrize(
    ("text", "names_and_seats"),
    [
        ("1. John Smith\n2. 王 明\n", [("John Smith", "1"), ("王明", "2")]),
        ("学生 1\n学生 2\n", [("学生 1", ""), ("学生 2", "")]),
        ("小糖\n小序\n", [("小糖", ""), ("小序", "")]),
    ],
)
def test_a_name_keeps_the_spaces_within(text: str, names_and_seats: list[tuple[str, str]]) -> None:
    roster = roster_files.read_roster(text.encode())
    assert [(entry.name, entry.seat) for entry in roster.entries] == names_and_seats


def test_a_number_that_only_some_have_is_read_behind_the_name() -> None:
    """Whatever else stands in its place, a word is no number."""
    assert names(roster_files.read_roster("小糖\n小序 2026S01\n".encode())) == [
        ("小糖", ""),
        ("小序", "2026S01"),
    ]
    assert names(roster_files.read_roster("小糖\t女\n小序\t女\n".encode())) == [("小糖", ""), ("小序", "")]


@pytest.mark.parametrize("last_line", ["合计\t2", "\t合计", "合计：2人\t", "共2人\t"])
def test_what_stands_below_a_list_is_no_student(last_line: str) -> None:
    """Also where the names come first, or a sum stands below them."""
    names_first = f"姓名\t学号\n小糖\t01\n总计划\t02\n{last_line}\n"
    assert names(roster_files.read_roster(names_first.encode())) == [("小糖", "01"), ("总计划", "02")]
    numbered = "序号\t姓名\t学号\n1\t小糖\t01\n合计\t1\t\n"
    assert names(roster_files.read_roster(numbered.encode())) == [("小糖", "01")]


def test_every_column_is_found_by_its_head() -> None:
    data = "登录名,密码,姓名,学号\nxiaotang,candy-42,小糖,01\n".encode()
    assert roster_files.read_roster(data).entries == (RosterEntry(2, "小糖", "01", "xiaotang", "candy-42"),)


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("姓名,学号\n小糖,01\n,02\n", 3, "没有姓名"),
        ("姓名\n小糖\n小序\n小 糖\n", 4, "在第2行已经有了"),
        ("姓名,登录名\n小糖,a\n小序,Ａ\n", 3, "登录名“Ａ”在第2行"),
        ("姓名,学号\n小糖,01\n小序,０1\n", 3, "学号“01”在第2行已经有了，核对"),
        ("姓名,密码\n小糖,123\n", 2, "密码至少6个字"),
        ("姓名,密码\n小糖糖小糖糖,小糖糖小糖糖\n", 2, "不能和登录名一样"),
        (f"姓名\n{'长' * 40}\n", 2, "最多32个字"),
        (f"姓名,学号\n小糖,{'1' * 40}\n", 2, "学号最多32个字"),
        ("姓名,学号\n小糖,20\u200b26\n", 2, "不带看不见的符号"),
        ('姓名,学号,家长\n小糖,01,"爸\n妈"\n,02,\n', 4, "没有姓名"),
        ('姓名,学号\n"小糖,01\n小序,02"\n小方,03\n', 2, "小糖,01：这里有换行"),
        ('姓名,学号\n小糖,"01\n小序,02"\n小方,03\n', 2, "小糖：这里有换行"),
        ("\n\n姓名\n\n小糖\n小糖\n", 6, "在第5行"),
    ],
)
def test_a_fault_says_where_it_is(text: str, line: int, message: str) -> None:
    [fault] = roster_files.read_roster(text.encode()).faults
    assert fault.line_number == line
    assert message in fault.fault_sentence


def test_numbers_are_read_in_plain_digits() -> None:
    """As everybody types them who is asked for theirs."""
    assert names(roster_files.read_roster("姓名,学号\n小糖,２０２６Ａ\n".encode())) == [("小糖", "2026A")]


def test_a_line_break_within_a_cell_is_a_fault_only_where_it_is_read() -> None:
    book = workbook([["姓名", "备注"], ["小糖", "组长\n课代表"], ["小序\n", ""], ["小方\n小圆", ""]])
    roster = roster_files.read_roster(book)
    assert [entry.name for entry in roster.entries] == ["小糖", "小序"]
    assert [entry.line_number for entry in roster.faults] == [4]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ('姓名,学号\n小糖,01\n"小序,02\n小方,03\n'.encode(), "第3行有一个引号没有关上"),
        ('姓名,学号\r\n小糖,"01\r\n小序,02\r\n'.encode("gb18030"), "第2行有一个引号没有关上"),
        ('姓名,学号\n"小糖,01\n小序,"02"\n小方,03\n'.encode(), "第2行有一个引号没有关上"),
        (b"", "没有内容"),
        (b"\n\n , ,\n", "没有内容"),
        ("姓名,学号\n".encode(), "只有表头"),
        (b"\x89PNG\r\n\x1a\n\xff\xff\x00", "编码"),
        (b"PK\x03\x04 not a zip", "打不开"),
        (b"\xd0\xcf\x11\xe0" + b"\0" * 600, "打不开"),
        (("姓名\n" + "\n".join(f"同学{number}" for number in range(201))).encode(), "最多200位"),
    ],
)
def test_what_is_no_list_is_refused(data: bytes, message: str) -> None:
    with pytest.raises(Refused, match=message):
        roster_files.read_roster(data)


def test_a_workbook_that_unpacks_to_something_huge_is_not_opened() -> None:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("xl/worksheets/sheet1.xml", b"0" * (roster_files.LARGEST_WORKBOOK + 1))
    assert len(out.getvalue()) < 100_000
    with pytest.raises(Refused, match="太大"):
        roster_files.read_roster(out.getvalue())


word = st.text(st.characters(categories=["L", "N"]), min_size=1, max_size=12)


@given(st.lists(word, min_size=1, max_size=20, unique_by=name_key))
def test_what_the_preview_sends_is_what_it_showed(names: list[str]) -> None:
    """Also for names with odd letters: the list is read again when it is confirmed."""
    entries = [RosterEntry(line, single_spaced_name(name), str(line)) for line, name in enumerate(names, 2)]
    again = roster_files.read_roster(roster_files.roster_text(entries).encode())
    assert [entry[1:] for entry in again.entries] == [entry[1:] for entry in entries]


@given(st.binary(max_size=300))
def test_odd_bytes_are_refused_or_read(data: bytes) -> None:
    with suppress(Refused):
        roster_files.read_roster(data)


CELL = '<row r="{1}"><c r="{0}{1}" t="inlineStr"><is><t>小糖</t></is></c></row>'
FIRST = CELL.format("A", 1)


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        (FIRST + CELL.format("XFD", 1048576), "第1048576行、第16384列，太远了"),
        (FIRST + '<row r="1048576"><c><v>1</v></c><c><v>1</v></c></row>', "第1048576行"),
        (FIRST + "<row r='900'><c r = 'XFD900'><v>1</v></c></row>", "第16384列"),
        (FIRST + '<row r="900"><c r="&#88;&#70;D900"><v>1</v></c></row>', "第16384列"),
        (FIRST + CELL.format("A", 1001), "有1001行1列，名单最多1000行60列"),
        (FIRST + CELL.format("BI", 2), "有2行61列"),
        (FIRST + "<row><c><v>1</row>", "打不开"),
    ],
)
def test_a_sheet_that_reaches_too_far_is_not_built(cells: str, message: str) -> None:
    with pytest.raises(Refused, match=message):
        roster_files.read_roster(sheet(cells))


def test_empty_cells_with_a_colour_reach_nowhere() -> None:
    """Excel writes them when somebody paints whole rows and columns."""
    roster = roster_files.read_roster(sheet(FIRST + '<row r="1048576"><c r="XFD1048576" s="1"/></row>'))
    assert [entry.name for entry in roster.entries] == ["小糖"]
    roster = roster_files.read_roster(sheet(FIRST + CELL.format("BH", 1000)))
    assert [entry.line_number for entry in roster.faults] == [1000]


def test_a_workbook_of_very_many_files_is_not_opened() -> None:
    with pytest.raises(Refused, match="太大"):
        roster_files.read_roster(sheet(FIRST, copies=500))


@pytest.mark.parametrize("program", ["b = bytearray(2**31)", "import os; os.abort()"])
def test_a_reader_that_takes_too_much_ends_with_a_sentence(
    program: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader = tmp_path / "reader.py"
    reader.write_text(program, encoding="utf-8")
    monkeypatch.setattr(roster_files, "WORKBOOK_READER", reader)
    with pytest.raises(Refused, match="读不下去"):
        roster_files.read_roster(workbook([["小糖"]]))


def test_lines_are_counted_before_their_cells_are_read() -> None:
    with pytest.raises(Refused, match="这里有300000行"):
        roster_files.read_roster(b"a,\n" * 300_000)
    with pytest.raises(Refused, match="这里有20001行"):
        roster_files.read_roster("姓名\n小糖".encode() + b"\n" * 20_000)
    [entry] = roster_files.read_roster("姓名\n小糖".encode() + b"\n" * 19_000).entries
    assert entry.name == "小糖"
    long = "姓名\n小" + "\u0301\u0316" * 60_000
    [fault] = roster_files.read_roster(long.encode()).faults
    assert "最多32个字" in fault.fault_sentence
