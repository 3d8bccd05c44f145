"""The columns of a list of students: which is what, as 教务 systems and teachers head them. Cells only."""

import re
from collections.abc import Collection, Sequence
from typing import NamedTuple

from app.course.text import csv_tables
from app.course.text.typed import name_key

MOST_TITLE_LINES = 10
"""So many lines may stand above the head: school, course, teacher, term."""
KNOWN_HEADINGS_BY_FIELD = {
    "name": ("姓名", "学生姓名", "名字", "学生", "name", "student", "studentname"),
    "student_number": ("学号", "学生学号", "学籍号", "studentid", "考号", "编号", "number", "id"),
    "seat": ("座号", "座位号", "seat", "班内序号", "序号", "no", "no."),
    "login": ("登录名", "账号", "帐号", "用户名", "login", "username", "account"),
    "password": ("密码", "初始密码", "password"),
}
"""The headings of each field, the surest first: of 学号 and 编号 in one list, 学号 is the number."""
VAGUE_SEAT_HEADINGS = ("序号", "no", "no.")
"""Headings that only count the lines of a list where it has a number or a seat besides."""
BELOW_LIST_PATTERN = re.compile(
    r"(合计|总计|小计|共计|人数|制表|打印|导出|备注|说明|注[：:]|任课教师|教师签[名字]|第\d+页|共\d+)"
)
"""How lines without a name begin that stand below a list."""
AVERAGES_NAME = "班级平均"
"""Who stands before the last line of our own gradebook."""
MEMBERSHIP_HEADING = "在不在班"
"""What it calls the column that says how somebody left the class, and is empty for who is in it."""
LEAVER_PATTERN = re.compile(r"移出|换班|转[出走学班]|退[出学班]|离[开校班]|休学|不在|否")
"""What tells there of somebody who left: other programs also write 在 for who did not."""
SUM_PATTERN = re.compile(rf"(合计|总计|小计|共计|人数)([：: ]?\d*[人位名]?)?|共\d+[人位名]?|{AVERAGES_NAME}")
"""The first cell of a sum below a list, whatever stands in the column of the names."""
SPACED_LINE_PATTERN = re.compile(
    r"(?:(?P<first>\d+)(?:[.．、)）] ?| ))?(?:(?P<second>\d+) )?(?P<name>.+?)"
    r"(?: (?P<last>(?=[A-Za-z-]*\d)[A-Za-z\d-]+))?"
)
"""A line without columns: a name with numbers before it, also as in a numbered list, or one behind it."""
SEPARATOR_IN_NAME_PATTERN = re.compile("[，；;、]|,(?! )")
"""What parts cells, or names in a sentence. With a space behind it a comma is part of a name: Smith, John."""
FEWEST_CHARACTERS_OF_NUMBER = 3
"""Of what stands behind a name and a space, to be taken for 学号: 李四 2 is a name."""

ListLine = tuple[int, list[str]]
"""A line of a list: its number in the file, and its cells."""
ColumnIndexByField = dict[str, int]
"""Field → its column."""


class ListTable(NamedTuple):
    """The lines of students below a head. `block_layouts`: of each block of columns side by side, which
    column is what; most lists have one block. `note_sentence`: what of the list is not read."""

    block_layouts: Sequence[ColumnIndexByField]
    lines: Sequence[ListLine]
    note_sentence: str = ""


def split_head(list_lines: Sequence[ListLine]) -> ListTable:
    """Which column is what, and the lines below the head; without a head, the names come first.

    >>> split_head([(1, ["学号", "姓名"]), (2, ["01", "小糖"])])
    ListTable(block_layouts=[{'name': 1, 'student_number': 0}], lines=[(2, ['01', '小糖'])], note_sentence='')
    >>> split_head([(1, ["20260101", "小糖"])]).block_layouts
    [{'name': 1, 'student_number': 0}]
    """
    list_lines = split_at_spaces(list_lines)
    # Titles may stand above the head.
    for head_index, (_, line_cells) in enumerate(list_lines[:MOST_TITLE_LINES]):
        headings = list(map(heading_of, line_cells))
        column_index_by_field = column_index_by_field_of(headings)
        if "name" in column_index_by_field:
            lines_of_students = lines_of_students_below(
                list_lines[head_index + 1 :], line_cells, column_index_by_field
            )
            column_index_by_field = with_seats_settled(column_index_by_field, headings, lines_of_students)
            block_layouts = layouts_of_blocks(column_index_by_field, headings)
            if MEMBERSHIP_HEADING in headings:
                return without_leavers(block_layouts, lines_of_students, headings.index(MEMBERSHIP_HEADING))
            return ListTable(block_layouts, lines_of_students)
    column_index_by_field = column_index_by_field_without_head(list_lines[0][1])
    column_index_by_field = with_seats_settled(column_index_by_field, (), list_lines)
    note_sentence = unread_columns_sentence(list_lines, column_index_by_field.values())
    return ListTable([column_index_by_field], list_lines, note_sentence)


def split_at_spaces(list_lines: Sequence[ListLine]) -> Sequence[ListLine]:
    """A list without columns, as a chat or a text editor has it, with the columns that its spaces make.

    >>> split_at_spaces([(1, ["学号 姓名"]), (2, ["007 欧阳 娜娜"]), (3, ["008 小糖"])])
    [(1, ['学号', '姓名']), (2, ['007', '欧阳 娜娜']), (3, ['008', '小糖'])]
    >>> split_at_spaces([(1, ["1、小糖 2026S01"]), (2, ["小 序"])])
    [(1, ['1', '小糖', '2026S01']), (2, ['小 序'])]
    """
    if any(len(list(filter(None, line_cells))) > 1 for _, line_cells in list_lines):
        return list_lines
    heading_count = 0
    for _, line_cells in list_lines[:MOST_TITLE_LINES]:
        headings = list(map(heading_of, "".join(line_cells).split(" ")))
        column_index_by_field = column_index_by_field_of(headings)
        if "name" in column_index_by_field and len(column_index_by_field) > 1:
            heading_count = len(headings)
            break
    lines_with_columns: list[ListLine] = []
    for line_number, line_cells in list_lines:
        line_text = "".join(line_cells)
        cells_between_spaces = line_text.split(" ")
        if len(cells_between_spaces) != heading_count:
            cells_between_spaces = cells_of_spaced_line(line_text)
        lines_with_columns.append((line_number, cells_between_spaces))
    return lines_with_columns


def cells_of_spaced_line(line_text: str) -> list[str]:
    """The numbers of a line and the name between them, which keeps its own spaces; 学生 1 is a name."""
    line_match = SPACED_LINE_PATTERN.fullmatch(line_text)
    if line_match is None or column_index_by_field_of([heading_of(line_match["name"])]):
        return [line_text]
    return [cell for cell in line_match.groups() if cell is not None]


def column_index_by_field_without_head(line_cells: Sequence[str]) -> ColumnIndexByField:
    """Which column is what by the first line: numbers stand before a name, or one behind it.

    >>> column_index_by_field_without_head(["1", "小糖", "2026"])
    {'name': 1, 'student_number': 2}
    >>> column_index_by_field_without_head(["小糖", "女", "2026"])
    {'name': 0, 'student_number': 2}
    """
    leading_number_count = 0
    for cell in line_cells:
        if not cell.isdecimal():
            break
        leading_number_count += 1
    third_cell = "".join(line_cells[2:3])
    if leading_number_count == 1 and third_cell.isdecimal() and len(third_cell) > len(line_cells[0]):
        return {"name": 1, "student_number": 2}
    if leading_number_count == 1 and len(line_cells) > 1:
        return {"name": 1, "student_number": 0}
    if leading_number_count == 2 and len(line_cells) > 2:
        return {"name": 2, "student_number": 1}
    return {"name": 0, "student_number": number_column_index_behind_name(line_cells)}


def number_column_index_behind_name(line_cells: Sequence[str]) -> int:
    """The first column with a digit; where the line has none, the next that it leaves empty.

    >>> number_column_index_behind_name(["小糖"]), number_column_index_behind_name(["小糖", "女"])
    (1, 2)
    """
    number_column_index = 1
    while number_column_index < len(line_cells) and line_cells[number_column_index]:
        if re.search(r"\d", line_cells[number_column_index]):
            break
        number_column_index += 1
    return number_column_index


def heading_of(cell_text: str) -> str:
    """A heading without what is added to it.

    >>> heading_of("* 学 号（必填）："), heading_of("姓名/Name")
    ('学号', '姓名')
    """
    plain_heading = re.sub(r"[（(\[【][^)）\]】\n]{0,40}[)）\]】]", "", cell_text).strip("*＊:： ")
    return name_key(plain_heading.partition("/")[0].rstrip("*:："))


def column_index_by_field_of(headings: Sequence[str]) -> ColumnIndexByField:
    """Field → its column: that with the surest heading, the first of several."""
    column_index_by_field: ColumnIndexByField = {}
    for field_name, known_headings in KNOWN_HEADINGS_BY_FIELD.items():
        for heading in known_headings:
            if heading in headings:
                column_index_by_field[field_name] = headings.index(heading)
                break
    return column_index_by_field


def with_seats_settled(
    column_index_by_field: ColumnIndexByField, headings: Sequence[str], list_lines: Sequence[ListLine]
) -> ColumnIndexByField:
    """The columns, once it is told whether small numbers are seats and large ones numbers of students.

    序号 only counts the lines where there is 学号; alone it holds either. So does a list without a head.

    >>> with_seats_settled({"name": 1, "seat": 0}, ["序号", "姓名"], [(2, ["2026010001", "小糖"])])
    {'name': 1, 'student_number': 0}
    >>> with_seats_settled({"name": 1, "student_number": 0}, [], [(2, ["12", "小糖"])])
    {'name': 1, 'seat': 0}
    """
    settled_column_index_by_field = dict(column_index_by_field)
    if (
        not headings
        and "student_number" in column_index_by_field
        and looks_like_seats(list_lines, column_index_by_field["student_number"])
    ):
        settled_column_index_by_field["seat"] = settled_column_index_by_field.pop("student_number")
    if (
        "seat" in column_index_by_field
        and headings
        and headings[column_index_by_field["seat"]] in VAGUE_SEAT_HEADINGS
    ):
        seat_column_index = settled_column_index_by_field.pop("seat")
        if "student_number" in column_index_by_field:
            return settled_column_index_by_field
        settled_field_name = "student_number"
        if looks_like_seats(list_lines, seat_column_index):
            settled_field_name = "seat"
        settled_column_index_by_field[settled_field_name] = seat_column_index
    return settled_column_index_by_field


def looks_like_seats(list_lines: Sequence[ListLine], column_index: int) -> bool:
    """Whether a column holds numbers of up to three digits, and nothing else.

    >>> looks_like_seats([(1, ["7"]), (2, [""])], 0), looks_like_seats([(1, ["2026"])], 0)
    (True, False)
    """
    has_seats = False
    for _, line_cells in list_lines:
        if column_index >= len(line_cells) or not line_cells[column_index]:
            continue
        if not line_cells[column_index].isdecimal() or len(line_cells[column_index]) > 3:
            return False
        has_seats = True
    return has_seats


def layouts_of_blocks(
    column_index_by_field: ColumnIndexByField, headings: Sequence[str]
) -> list[ColumnIndexByField]:
    """The columns of each block, where a list that is printed side by side has the same head again."""
    block_layouts = [column_index_by_field]
    name_column_index = column_index_by_field["name"]
    for column_index in range(name_column_index + 1, len(headings)):
        if headings[column_index] != headings[name_column_index]:
            continue
        column_offset = column_index - name_column_index
        shifted_column_index_by_field: ColumnIndexByField = {}
        for field_name, first_column_index in column_index_by_field.items():
            target_column_index = first_column_index + column_offset
            if (
                target_column_index < len(headings)
                and headings[target_column_index] == headings[first_column_index]
            ):
                shifted_column_index_by_field[field_name] = target_column_index
        block_layouts.append(shifted_column_index_by_field)
    return block_layouts


def without_leavers(
    block_layouts: Sequence[ColumnIndexByField], list_lines: Sequence[ListLine], membership_column_index: int
) -> ListTable:
    """A list like our own gradebook as one of those who are in the class.

    >>> without_leavers([{"name": 0}], [(2, ["小糖", "在"]), (3, ["小序", "已移出"])], 1).lines
    [(2, ['小糖', '在'])]
    """
    lines_of_members = []
    leaver_texts = []
    for numbered_line in list_lines:
        membership_text = "".join(numbered_line[1][membership_column_index:][:1])
        if LEAVER_PATTERN.search(membership_text):
            leaver_texts.append(membership_text)
        else:
            lines_of_members.append(numbered_line)
    if not leaver_texts:
        return ListTable(block_layouts, list_lines)
    note_sentence = (
        f"“{MEMBERSHIP_HEADING}”一列里说走了的有{len(leaver_texts)}行，"
        f"比如“{leaver_texts[0][:20]}”，这些同学没有读。"
    )
    return ListTable(block_layouts, lines_of_members, note_sentence)


def unread_columns_sentence(list_lines: Sequence[ListLine], read_column_indexes: Collection[int]) -> str:
    """Which columns of a list without a head have words in them that are not read; empty where none has.

    >>> unread_columns_sentence([(1, ["1", "甲一", "甲二"])], [1])
    '没有表头，第3列没有用上，比如“甲二”。里面还有同学的话，把名字竖着排，一行一位。'
    """
    unread_text_by_column_index: dict[int, str] = {}
    for _, line_cells in list_lines:
        for column_index, cell in enumerate(line_cells):
            if cell and not cell.isdecimal() and column_index not in read_column_indexes:
                unread_text_by_column_index.setdefault(column_index, cell)
    if not unread_text_by_column_index:
        return ""
    unread_column_indexes = sorted(unread_text_by_column_index)
    column_number_words = "、".join(str(column_index + 1) for column_index in unread_column_indexes)
    unread_text = unread_text_by_column_index[unread_column_indexes[0]]
    return (
        f"没有表头，第{column_number_words}列没有用上，比如“{unread_text[:20]}”。"
        "里面还有同学的话，把名字竖着排，一行一位。"
    )


def joined_cells_sentence(student_name: str, student_number: str) -> str:
    """What is wrong with a name that seems to hold the next cell too; empty where nothing is.

    >>> joined_cells_sentence("小糖，01", "")[:20], joined_cells_sentence("Smith, John", "")
    ('“小糖，01”里有“，”，姓名里不写它。', '')
    """
    separator_match = SEPARATOR_IN_NAME_PATTERN.search(student_name)
    if separator_match:
        return (
            f"“{student_name[:40]}”里有“{separator_match[0]}”，姓名里不写它。一行只写一位；"
            "几格连成了一格的，在下面的框里用英文逗号“,”隔开，不加引号。"
        )
    cells_between_spaces = cells_of_spaced_line(student_name)
    has_number_behind = len(cells_between_spaces) > 1 and (
        len(cells_between_spaces[-1]) >= FEWEST_CHARACTERS_OF_NUMBER
        and cells_between_spaces[-1][-1].isdecimal()
    )
    if has_number_behind and not student_number:
        return f"“{student_name[:40]}”里有空格，后面像是学号：是学号的话，在下面的框里把空格改成英文逗号“,”。"
    return ""


def changed_number_sentence(student_number: str) -> str:
    """What is wrong with a 学号 that a spreadsheet changed; empty where it left it alone."""
    change_words = csv_tables.spreadsheet_change_words(student_number)
    if not change_words:
        return ""
    return f"学号“{student_number}”{change_words}。把那一列设成文本，重新填一遍。"


def lines_of_students_below(
    list_lines: Sequence[ListLine], headings: Sequence[str], column_index_by_field: ColumnIndexByField
) -> Sequence[ListLine]:
    """The lines below a head that are of students: no head again, as on every printed page, and no sum."""
    return [
        numbered_line
        for numbered_line in list_lines
        if numbered_line[1] != headings and not is_below_list(numbered_line[1], column_index_by_field)
    ]


def is_below_list(line_cells: Sequence[str], column_index_by_field: ColumnIndexByField) -> bool:
    """Whether a line begins as a sum does, or has no name and begins as signatures do."""
    first_cell_text = next(filter(None, line_cells), "")
    if SUM_PATTERN.fullmatch(first_cell_text):
        return True
    name_column_index = column_index_by_field["name"]
    if name_column_index < len(line_cells) and line_cells[name_column_index]:
        return False
    return BELOW_LIST_PATTERN.match(first_cell_text) is not None
