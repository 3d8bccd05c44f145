"""Lists as 教务 systems export them and teachers mend them: forty shapes, good ones and bad ones."""

from datetime import date

import pytest

from app.course.text import csv_tables
from app.records.classes import roster_files
from app.records.db.errors import Refused
from tests.records.classes.roster_tables import csv_text, workbook

JWC_HEAD = ["序号", "学号", "姓名", "性别", "学院", "专业", "班级"]
JWC_ROWS = [
    ["1", "202601010001", "陈一诺", "女", "计算机学院", "计算机科学与技术", "计科2601"],
    ["2", "202601010002", "林子墨", "男", "计算机学院", "计算机科学与技术", "计科2601"],
]
JWC = [JWC_HEAD, *JWC_ROWS]
TITLE = ["XX大学2026-2027学年第一学期教学班学生名单"]
COURSE = ["课程：信息检索", "教师：王老师", "教学班：（2026-2027-1）-IR-01"]
SIDE_HEAD = ["序号", "学号", "姓名", "序号", "学号", "姓名"]
NUMBERS = [("陈一诺", "202601010001", None), ("林子墨", "202601010002", None)]
SEATS = [("陈一诺", "", 1), ("林子墨", "", 2)]
BOTH = [("陈一诺", "202601010001", 1), ("林子墨", "202601010002", 2)]


def without(column: int) -> list[list[str]]:
    return [cells[:column] + cells[column + 1 :] for cells in JWC]


def headed(*head: str) -> list[list[str]]:
    """The two students with number and name under another head."""
    return [list(head), ["202601010001", "陈一诺"], ["202601010002", "林子墨"]]


GOOD = {
    "教务csv gbk": (csv_text(JWC).encode("gb18030"), NUMBERS),
    "教务csv utf-8": (csv_text(JWC).encode("utf-8-sig"), NUMBERS),
    "教务 unicode text": (csv_text(JWC, mark="\t").encode("utf-16"), NUMBERS),
    "教务xlsx": (workbook(JWC), NUMBERS),
    "xlsx with a title": (workbook([TITLE, *JWC]), NUMBERS),
    "xlsx with titles and a gap": (workbook([TITLE, COURSE, [], ["单位：人"], *JWC]), NUMBERS),
    "csv with titles, gbk": (csv_text([TITLE, COURSE, *JWC]).encode("gb18030"), NUMBERS),
    "numbers as quantities": (
        workbook([JWC_HEAD, *[[float(cells[0]), float(cells[1]), *cells[2:]] for cells in JWC_ROWS]]),
        NUMBERS,
    ),
    "学号 behind 姓名": (
        csv_text([["姓名", "学号"], ["陈一诺", "202601010001"], ["林子墨", "202601010002"]]).encode(),
        NUMBERS,
    ),
    "学号 last, 序号 first": (
        workbook(
            [["序号", "姓名", "学号"], ["1", "陈一诺", "202601010001"], ["2", "林子墨", "202601010002"]]
        ),
        NUMBERS,
    ),
    "编号 before 学号": (
        workbook(
            [["编号", "学号", "姓名"], ["A1", "202601010001", "陈一诺"], ["A2", "202601010002", "林子墨"]]
        ),
        NUMBERS,
    ),
    "no 学号: 序号 is the seat": (workbook(without(1)), SEATS),
    "座号 and 姓名": (
        csv_text([["座号", "姓名"], ["1", "陈一诺"], ["2", "林子墨"]]).encode("gb18030"),
        SEATS,
    ),
    "座号 and 学号": (
        workbook(
            [["座号", "学号", "姓名"], ["1", "202601010001", "陈一诺"], ["2", "202601010002", "林子墨"]]
        ),
        BOTH,
    ),
    "序号, 座号 and 学号": (
        workbook(
            [
                ["序号", "座号", "学号", "姓名"],
                ["9", "1", "202601010001", "陈一诺"],
                ["8", "2", "202601010002", "林子墨"],
            ]
        ),
        BOTH,
    ),
    "座位号 with dots": (csv_text([["座位号", "姓名"], ["1.", "陈一诺"], ["2、", "林子墨"]]).encode(), SEATS),
    "序号 that holds 学号": (csv_text(headed("序号", "姓名")).encode(), NUMBERS),
    "No. that holds 学号": (csv_text(headed("No.", "Name")).encode(), NUMBERS),
    "学号 with spaces": (csv_text(headed("学 号", "姓　名")).encode("gb18030"), NUMBERS),
    "必填 in brackets": (csv_text(headed("*学号（必填）", "*姓名(必填)：")).encode(), NUMBERS),
    "two languages": (csv_text(headed("学号/Student ID", "姓名/Name")).encode(), NUMBERS),
    "学生姓名": (csv_text(headed("学生学号", "学生姓名")).encode("gb18030"), NUMBERS),
    "English": (csv_text(headed("Student ID", "Student Name")).encode(), NUMBERS),
    "names aligned with spaces": (
        csv_text([["学号", "姓名"], ["202601010001", "陈 一 诺"], ["202601010002", "林　子　墨"]]).encode(
            "gb18030"
        ),
        NUMBERS,
    ),
    "a sum below": (workbook([*JWC, ["合计：2人"]]), NUMBERS),
    "signatures below": (
        csv_text([*JWC, ["", "制表人：王", ""], ["任课教师签名："]]).encode("gb18030"),
        NUMBERS,
    ),
    "a head on every page": (
        workbook([JWC_HEAD, JWC_ROWS[0], ["第1页 共2页"], JWC_HEAD, JWC_ROWS[1]]),
        NUMBERS,
    ),
    "two halves side by side": (
        workbook([TITLE, SIDE_HEAD, [*JWC_ROWS[0][:3], *JWC_ROWS[1][:3]]]),
        NUMBERS,
    ),
    "halves that are not equal": (
        csv_text(
            [
                SIDE_HEAD,
                ["1", "202601010001", "陈一诺", "3", "202601010003", "王小明"],
                ["2", "202601010002", "林子墨", "", "", ""],
            ]
        ).encode("gb18030"),
        [NUMBERS[0], NUMBERS[1], ("王小明", "202601010003", None)],
    ),
    "two of one name": (
        csv_text([["学号", "姓名"], ["01", "李四"], ["02", "李四"]]).encode("gb18030"),
        [("李四", "01", None), ("李四", "02", None)],
    ),
    "no head": (csv_text(headed()[1:]).encode(), NUMBERS),
    "no head, 座号": (csv_text([["1", "陈一诺"], ["2", "林子墨"]], mark="\t").encode(), SEATS),
    "no head, 序号 first": (csv_text([cells[:3] for cells in JWC_ROWS], mark="\t").encode(), NUMBERS),
    "leading zeros": (
        csv_text([["学号", "姓名"], ["0012", "陈一诺"]]).encode("gb18030"),
        [("陈一诺", "0012", None)],
    ),
    "many commas above tabs": (
        "高一3班（请核对，有误，请改，谢谢，王老师）\n学号\t姓名\n202601010001\t陈一诺\n202601010002\t林子墨\n".encode(),
        NUMBERS,
    ),
    "commas within cells between tabs": (
        "学号\t姓名\t备注\n202601010001\t陈一诺\t班长，语文，住校\n202601010002\t林子墨\t体育,走读,病\n".encode(),
        NUMBERS,
    ),
    "numbers kept as text by a tab": (
        "学号,姓名\n202601010001\t,陈一诺\n\t202601010002,林子墨\n".encode(),
        NUMBERS,
    ),
    "semicolons, and a comma in a cell": (
        "202601010001;陈一诺;走读,病\n202601010002;林子墨;住校,班长\n".encode(),
        NUMBERS,
    ),
    "numbers kept as text by a formula": (
        '学号,姓名\n="202601010001",陈一诺\n"=""202601010002""",林子墨\n'.encode(),
        NUMBERS,
    ),
    "quotes around all cells, between tabs": (
        '"学号"\t"姓名"\n"202601010001"\t"陈一诺"\n"202601010002"\t"林子墨"\n'.encode(),
        NUMBERS,
    ),
    "quotes around the names alone, between tabs": (
        '202601010001\t"陈一诺"\n202601010002\t"林子墨"\n'.encode(),
        NUMBERS,
    ),
    "quotes around what holds a comma alone, between tabs": (
        '学号\t姓名\t备注\n202601010001\t"陈一诺"\t"走读，骑车"\n"202601010002"\t林子墨\t住校，班长\n'.encode(),
        NUMBERS,
    ),
    "an empty column between tabs, and commas in the next": (
        "陈一诺\t\t走读，骑车\n林子墨\t\t住校，班长\n".encode(),
        [("陈一诺", "", None), ("林子墨", "", None)],
    ),
    "an empty column before the last between tabs": (
        "学号\t\t姓名\t\n202601010001\t\t陈一诺\t\n202601010002\t\t林子墨\t\n".encode(),
        NUMBERS,
    ),
    "tabs on both sides of a name alone": (
        "\t陈一诺\t\r\n\t林子墨\t\r\n".encode(),
        [("陈一诺", "", None), ("林子墨", "", None)],
    ),
    "numbers kept as text by a tab, in quotes": (
        '"\t202601010001",陈一诺\n"202601010002\t",林子墨\n'.encode(),
        NUMBERS,
    ),
    "numbers kept as text by a tab, without a head": (
        "\t202601010001,陈一诺\r\n\t202601010002,林子墨\r\n".encode(),
        NUMBERS,
    ),
    "numbers kept as text by a tab, last": (
        '陈一诺,202601010001\t\r\n林子墨,"202601010002\t"\r\n'.encode(),
        NUMBERS,
    ),
    "学号 that look like days and are none": (
        csv_text([["学号", "姓名"], ["Tom-12", "陈一诺"], ["12-Abc", "林子墨"]]).encode(),
        [("陈一诺", "Tom-12", None), ("林子墨", "12-Abc", None)],
    ),
    "who is in the class is told too": (
        csv_text([["学号", "姓名", "在不在班"], *[[n, name, "在"] for name, n, _ in NUMBERS]]).encode(),
        NUMBERS,
    ),
    "学号 with dashes": (
        workbook([["学号", "姓名"], ["2026-1-05", "陈一诺"], ["2026-01-06", "林子墨"]]),
        [("陈一诺", "2026-1-05", None), ("林子墨", "2026-01-06", None)],
    ),
    "cells that our own files keep from being formulas": (
        csv_tables.csv_text([["学号", "姓名"], ["-202601", "＋一诺"], ["02", "=子墨"]]).encode(),
        [("＋一诺", "-202601", None), ("=子墨", "02", None)],
    ),
    "our own gradebook": (
        csv_tables.csv_text(
            [
                ["学号", "姓名", "在不在班", "期中（满分10）"],
                ["202601010001", "陈一诺", "", "8"],
                ["202601010003", "王小明", "已移出", ""],
                ["202601010002", "林子墨", "", "9"],
                ["202601010004", "王小红", "已换班", "7"],
                ["", "班级平均", "", "8.5"],
            ]
        ).encode(),
        NUMBERS,
    ),
    "a letter in 学号": (
        workbook([["学号", "姓名"], ["B26010001", "陈一诺"]]),
        [("陈一诺", "B26010001", None)],
    ),
}


@pytest.mark.parametrize("shape", GOOD)
def test_an_export_is_read_right(shape: str) -> None:
    data, expected = GOOD[shape]
    roster = roster_files.read_roster(data)
    assert roster.faults == ()
    students = [
        (entry.name, entry.student_number, roster_files.checked_seat(entry.seat)) for entry in roster.entries
    ]
    assert students == expected


BAD = {
    "学号 as 2.026E+11": (
        csv_text([["学号", "姓名"], ["2.02601E+11", "陈一诺"]]).encode("gb18030"),
        "后几位丢了",
    ),
    "学号 too long for Excel": (workbook([["学号", "姓名"], [202601010001000001.0, "陈一诺"]]), "后几位丢了"),
    "学号 as a date": (csv_text([["学号", "姓名"], ["2026/1/5", "陈一诺"]]).encode(), "当成了日期"),
    "学号 as a day": (csv_text([["学号", "姓名"], ["1月5日", "陈一诺"]]).encode(), "当成了日期"),
    "学号 as an English day": (csv_text([["学号", "姓名"], ["5-Jan", "陈一诺"]]).encode(), "当成了日期"),
    "学号 as an English month": (csv_text([["学号", "姓名"], ["Dec-12", "陈一诺"]]).encode(), "当成了日期"),
    "学号 as a date of a workbook": (
        workbook([["学号", "姓名"], [date(2026, 1, 5), "陈一诺"]]),
        "当成了日期",
    ),
    "another comma": (
        "姓名,学号\n糖一,9101\n糖二，9102\n糖三,9103\n".encode(),
        "“糖二，9102”里有“，”，姓名里不写它。一行只写一位；几格连成了一格的，在下面的框里用英文逗号“,”隔开，不加引号。",
    ),
    "names in one line": ("陈一诺、林子墨、周雨桐".encode(), "里有“、”，姓名里不写它。一行只写一位"),
    "a semicolon": ("姓名,学号\n糖一,9101\n糖二;9102\n糖三,9103\n".encode(), "“糖二;9102”里有“;”"),
    "a comma between tabs": ("姓名\t学号\n糖一\t9101\n糖二,9102\n".encode(), "“糖二,9102”里有“,”"),
    "a space": ("姓名,学号\n糖一,9101\n糖二 9102\n糖三,9103\n".encode(), "“糖二 9102”里有空格"),
    "a tab": ("姓名,学号\n糖一,9101\n糖二\t9102\n糖三,9103\n".encode(), "“糖二 9102”里有空格"),
    "座号 in words": (
        csv_text([["座号", "姓名"], ["靠窗", "陈一诺"]]).encode("gb18030"),
        "座号“靠窗”不是1到9999的整数",
    ),
    "座号 nought": (csv_text([["座号", "姓名"], ["0", "陈一诺"]]).encode(), "座号“0”不是"),
    "学号 twice": (workbook([*JWC, [*JWC_ROWS[0][:2], "王小明"]]), "学号“202601010001”在第2行已经有了"),
    "a name again without 学号": (
        csv_text([["学号", "姓名"], ["01", "李四"], ["", "李四"]]).encode("gb18030"),
        "“李四”在第2行已经有了",
    ),
    "学号 without a name": (workbook([*JWC, ["3", "202601010003", ""]]), "没有姓名"),
}


@pytest.mark.parametrize("shape", BAD)
def test_a_bad_line_is_named_and_stays_to_be_mended(shape: str) -> None:
    data, words = BAD[shape]
    roster = roster_files.read_roster(data)
    [fault] = roster.faults
    assert words in fault.fault_sentence
    assert fault.entry not in roster.entries
    again = roster_files.read_roster(roster_files.roster_text([fault.entry]).encode())
    assert len(again.entries) + len(again.faults) == 1, "what is shown to be mended is read again"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (workbook([TITLE, JWC_HEAD]), "只有表头"),
        (
            "姓名,在不在班\n小糖,已移出\n小序,已换班\n".encode(),
            "^“在不在班”一列里说走了的有2行，比如“已移出”，这些同学没有读。名单里没有别的同学。$",
        ),
        (workbook([TITLE, JWC_HEAD, ["合计：0人"]]), "只有表头"),
        (
            csv_text([["学号", "姓名"], *[[f"{n:04}", f"同学{n}"] for n in range(201)]]).encode("gb18030"),
            "最多200位",
        ),
    ],
)
def test_an_export_that_holds_no_list_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(Refused, match=words):
        roster_files.read_roster(data)


@pytest.mark.parametrize(
    ("text", "note_sentence"),
    [
        (
            "甲一\t甲二\t甲三\t甲四\n乙一\t乙二\t乙三\t乙四\n",
            "没有表头，第2、3、4列没有用上，比如“甲二”。里面还有同学的话，把名字竖着排，一行一位。",
        ),
        ("甲一，甲二，甲三，甲四", "没有表头，第2、3、4列没有用上，比如“甲二”。"),
        ("小糖\t女\t2026\n小序\t\t2027\n", "没有表头，第2列没有用上，比如“女”。"),
        ("小糖\t2026\n小序\t2027\n", ""),
        ("1\t202601010001\t小糖\n2\t202601010002\t小序\n", ""),
        ("姓名\t性别\n小糖\t女\n", ""),
        ("学号,姓名,在不在班\n1,小糖,在\n2,小序,转来\n", ""),
        (
            "学号,姓名,在不在班\n1,小糖,在\n2,小序,不在\n",
            "“在不在班”一列里说走了的有1行，比如“不在”，这些同学没有读。",
        ),
        (
            "学号,姓名,在不在班\n1,小糖,\n2,小序,已移出\n3,小方,已换班\n",
            "“在不在班”一列里说走了的有2行，比如“已移出”，这些同学没有读。",
        ),
    ],
)
def test_what_is_not_read_of_a_list_is_told(text: str, note_sentence: str) -> None:
    roster = roster_files.read_roster(text.encode())
    assert roster.faults == ()
    assert roster.note_sentence.startswith(note_sentence)
    assert bool(roster.note_sentence) == bool(note_sentence)


@pytest.mark.parametrize("name", ["Smith, John", "学生 1", "李四 2", "欧阳 娜娜", "Zhang San"])
def test_a_name_with_spaces_between_columns_is_a_name(name: str) -> None:
    roster = roster_files.read_roster(f'学号,姓名\n9101,糖一\n,"{name}"\n'.encode())
    assert [entry.name for entry in roster.entries] == ["糖一", name]
