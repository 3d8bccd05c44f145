"""A list of marks from a file or a paste: whose mark each line is, by 学号, else by name; and such a list as
the marks of an assignment that was done on paper.

Line numbers are those that the program shows which wrote the file, so that a fault can be found.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from app.course.text.typed import name_key
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.assignments.values import AssignmentKey
from app.records.classes import classrooms, roster_files
from app.records.classes.known_students import student_and_last_cell, student_of
from app.records.classes.rights import Right
from app.records.classes.roster_columns import (
    AVERAGES_NAME,
    KNOWN_HEADINGS_BY_FIELD,
    MOST_TITLE_LINES,
    ListLine,
    heading_of,
)
from app.records.classes.values import Student
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.grading import mark_overrides
from app.records.grading.extra_marks import ABSENT_SENTENCE, ABSENT_WORDS, EXCUSED_WORDS, is_mark_as_shown
from app.records.grading.marks import typed_points
from app.records.grading.values import CellKey

SCORE_HEADINGS = ("分数", "成绩", "得分", "score", "mark", "points")
"""What the column of marks is called, where it is not called as the column of the gradebook. 总分 and 总评
are sums of several columns: what is wanted may be one of those."""
SUM_HEADINGS = ("总分", "总评")
"""What that of a whole assignment may be called besides, where its questions have columns too."""
HEADINGS_OF_STUDENTS = (*KNOWN_HEADINGS_BY_FIELD["student_number"], *KNOWN_HEADINGS_BY_FIELD["name"])
FULL_MARKS_PATTERN = re.compile(r"[（(]满分[^（()）]*[)）]$")
"""What our own files write behind a title."""
NO_MARK_TEXT = "—"
"""What our own files write where nothing is to be said."""
UNMARKED_PATTERN = re.compile(r"没开放|没开始|做着|交了|迟交|待批[0-9]+题|做到[0-9]+/[0-9]+题")
"""What they write of work without a mark, and no teacher for one."""
UNPARTED_CELLS_PATTERN = re.compile("[ ,;，；]")
"""What may be meant to part the cells of a line that came as one."""
MOST_LINES = 600
LineFault = tuple[int, str]
"""A line, and what is wrong with it."""


class MarkList(NamedTuple):
    """What a list says: the text for the cell of each student. `students_without_mark`: who is in
    the class and has no mark in the list: a cell left empty takes none away. `heading`: of the column that
    was read, as it stands in the list; empty where that has no head.
    """

    mark_text_by_enrolment_id: Mapping[int, str]
    line_faults: Sequence[LineFault]
    students_without_mark: Sequence[Student]
    heading: str

    @property
    def may_hold_shares(self) -> bool:
        """Whether its marks may be fractions of one: what a workbook shows as 85% is 0.85 in it."""
        points_of_marks = map(typed_points, self.mark_text_by_enrolment_id.values())
        listed_points = [points for points in points_of_marks if points is not None]
        return max(listed_points, default=0) <= 1 and any(0 < points < 1 for points in listed_points)


class MarkColumns(NamedTuple):
    """Which column is what, None where a list does not say. `head_line_count`: of those before its
    students."""

    number_column_index: int | None = None
    name_column_index: int | None = None
    mark_column_index: int | None = None
    head_line_count: int = 0
    mark_heading: str = ""


def read_mark_list(
    file_bytes: bytes, title: str, students: Sequence[Student], is_for_assignment: bool = False
) -> MarkList:
    """A file as it came, for a column of this title. Refused when it is no list at all.

    `is_for_assignment`: whether its marks are those of a whole assignment: a sum is one of these, and 缺 is
    none, for an assignment tells by its times who did not hand in.

    >>> from datetime import datetime
    >>> student = Student(7, 1, "小糖", "2026", datetime.min, None, None)
    >>> mark_list = read_mark_list("学号,成绩\\n2026,8.5\\n2027,9\\n".encode(), "期中", [student])
    >>> mark_list.mark_text_by_enrolment_id, mark_list.line_faults
    ({7: '8.5'}, [(3, '班里没有学号2027。')])
    """
    list_lines: Sequence[ListLine] = roster_files.lines_with_content(file_bytes)
    if not list_lines:
        raise Refused("没有内容：选一个文件，或者贴上学号和分数，一行一位。")
    if len(list_lines) > MOST_LINES:
        raise Refused(f"一次最多{MOST_LINES}行，这里有{len(list_lines)}行。")
    list_lines = split_below_spaced_head(list_lines)
    mark_columns = mark_columns_of(list_lines, title, is_for_assignment)
    mark_text_by_enrolment_id: dict[int, str] = {}
    line_faults: list[LineFault] = []
    for line_number, line_cells in list_lines[mark_columns.head_line_count :]:
        if AVERAGES_NAME in line_cells:
            continue
        try:
            student, mark_text = student_and_mark_text(line_cells, mark_columns, students)
            if mark_text in ("", NO_MARK_TEXT):
                continue
            expect_usable_mark(student, mark_text, mark_text_by_enrolment_id, is_for_assignment)
        except Refused as refusal:
            line_faults.append((line_number, str(refusal)))
            continue
        mark_text_by_enrolment_id[student.id] = mark_text
    students_without_mark = [student for student in students if student.id not in mark_text_by_enrolment_id]
    return MarkList(mark_text_by_enrolment_id, line_faults, students_without_mark, mark_columns.mark_heading)


def expect_usable_mark(
    student: Student, mark_text: str, mark_text_by_enrolment_id: Mapping[int, str], is_for_assignment: bool
) -> None:
    """Refused for the second mark of a student, and for what is no mark at all. `mark_text_by_enrolment_id`:
    of the lines before."""
    if student.id in mark_text_by_enrolment_id:
        raise Refused(f"{student.name}前面已经有一行了。")
    if mark_text in ABSENT_WORDS and is_for_assignment:
        raise Refused(f"{student.name}：{ABSENT_SENTENCE}")
    if UNMARKED_PATTERN.fullmatch(mark_text):
        raise Refused(f"{student.name}：“{mark_text}”不是分数，没有动。")


def split_below_spaced_head(list_lines: Sequence[ListLine]) -> Sequence[ListLine]:
    """A list without columns whose head has spaces between its words, with the columns that these make; too
    many words of a line are a name with spaces, and one with too few stays as it is.

    >>> split_below_spaced_head([(1, ["姓名 期中"]), (2, ["欧阳 娜娜 8"]), (3, ["小糖"])])
    [(1, ['姓名', '期中']), (2, ['欧阳 娜娜', '8']), (3, ['小糖'])]
    """
    if any(len(list(filter(None, line_cells))) > 1 for _, line_cells in list_lines):
        return list_lines
    name_column_index = heading_count = 0
    split_lines: list[ListLine] = []
    for line_number, line_cells in list_lines:
        spaced_cells = "".join(line_cells).split(" ")
        if heading_count == 0 and len(spaced_cells) > 1 and set(map(typed_points, spaced_cells)) == {None}:
            headings = list(map(heading_of, spaced_cells))
            if any(heading in HEADINGS_OF_STUDENTS for heading in headings):
                heading_count = len(headings)
                name_column_index = column_index_of(headings, KNOWN_HEADINGS_BY_FIELD["name"]) or 0
        if heading_count == 0 or len(spaced_cells) < heading_count:
            spaced_cells = line_cells
        else:
            end_index = name_column_index + len(spaced_cells) - heading_count + 1
            spaced_cells[name_column_index:end_index] = [" ".join(spaced_cells[name_column_index:end_index])]
        split_lines.append((line_number, spaced_cells))
    return split_lines


def mark_columns_of(list_lines: Sequence[ListLine], title: str, is_for_assignment: bool) -> MarkColumns:
    """The columns by their headings; without a head, each line says by its cells whose it is."""
    for index, head_line in enumerate(list_lines[:MOST_TITLE_LINES]):
        _, line_cells = head_line
        headings = list(map(heading_of, line_cells))
        number_column_index = column_index_of(headings, KNOWN_HEADINGS_BY_FIELD["student_number"])
        name_column_index = column_index_of(headings, KNOWN_HEADINGS_BY_FIELD["name"])
        if number_column_index is None and name_column_index is None:
            continue
        mark_column_index = mark_column_index_of(head_line, title, is_for_assignment)
        mark_heading = line_cells[mark_column_index].strip()
        return MarkColumns(number_column_index, name_column_index, mark_column_index, index + 1, mark_heading)
    return MarkColumns()


def mark_column_index_of(head_line: ListLine, title: str, is_for_assignment: bool = False) -> int:
    """Where the marks of a column stand: under its very title, which may have full marks behind it; else
    under that with something added, else under a word for marks, and for a whole assignment under one for a
    sum. Refused where nothing is called so, or several are.

    >>> mark_column_index_of((1, ["学号", "口试（补考）", "口试（满分9）", "成绩"]), "口试")
    2
    """
    line_number, line_cells = head_line
    title_key = name_key(title)
    headings = list(map(heading_of, line_cells))
    cell_keys = list(map(name_key, line_cells))
    keys_without_full_marks = [name_key(FULL_MARKS_PATTERN.sub("", cell.strip())) for cell in line_cells]
    column_searches = [(cell_keys, title_key), (keys_without_full_marks, title_key), (headings, title_key)]
    column_searches += [(headings, title_key + score_heading) for score_heading in SCORE_HEADINGS]
    column_searches += [(headings, score_heading) for score_heading in SCORE_HEADINGS]
    if is_for_assignment:
        column_searches += [(headings, sum_heading) for sum_heading in SUM_HEADINGS]
    for column_keys, wanted_key in column_searches:
        column_indexes = [index for index, column_key in enumerate(column_keys) if column_key == wanted_key]
        if len(column_indexes) > 1:
            heading_words = "".join(f"“{line_cells[index].strip()}”" for index in column_indexes)
            if any(headings.count(heading) > 1 for heading in HEADINGS_OF_STUDENTS):
                raise Refused(
                    f"第{line_number}行左右并排，有{len(column_indexes)}列成绩：{heading_words}。"
                    "把左右两半接成一列，右边的放到左边下面。"
                )
            raise Refused(
                f"第{line_number}行里有{len(column_indexes)}列像是“{title}”：{heading_words}。"
                "只留要用的那一列。"
            )
        if column_indexes:
            return column_indexes[0]
    raise Refused(
        f"第{line_number}行里没有“{title}”，也没有“成绩”或“分数”，认不出哪一列是分数。"
        f"把那一列的表头改成“{title}”。"
    )


def column_index_of(headings: Sequence[str], known_headings: Sequence[str]) -> int | None:
    """Where one of these headings stands, the surest first.

    >>> column_index_of(["学号", "成绩"], ("分数", "成绩")), column_index_of(["学号"], ("分数",))
    (1, None)
    """
    for heading in known_headings:
        if heading in headings:
            return headings.index(heading)
    return None


def student_and_mark_text(
    line_cells: Sequence[str], mark_columns: MarkColumns, students: Sequence[Student]
) -> tuple[Student, str]:
    """Whose line it is, and the mark in it, empty where it has none; Refused where nobody can say."""
    if mark_columns.mark_column_index is None:
        return student_and_last_cell(line_cells, students)
    student_number = cell_of_column(line_cells, mark_columns.number_column_index)
    student_name = cell_of_column(line_cells, mark_columns.name_column_index)
    try:
        student = student_of(student_number, student_name, students)
    except Refused as refusal:
        line_text = "".join(line_cells)
        if line_text in line_cells and UNPARTED_CELLS_PATTERN.search(line_text):
            raise Refused(
                f"“{line_text[:40]}”没有像表头那样分成几格：每一格都写上，隔法和表头一样，没有的写“—”。"
            ) from refusal
        raise
    return student, cell_of_column(line_cells, mark_columns.mark_column_index)


def cell_of_column(line_cells: Sequence[str], column_index: int | None) -> str:
    if column_index is None or column_index >= len(line_cells):
        return ""
    return line_cells[column_index]


def override_marks(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    typed_mark_by_enrolment_id: Mapping[int, str],
    reason: str,
    now: datetime,
    seen_words_by_enrolment_id: Mapping[int, str],
) -> Sequence[int]:
    """Marks of many students, by enrolment, as they were typed; 免 is one too, and an empty text is none. All
    of them, or none: Refused says of all whose cannot be, one in a line. Who has gone to another class since
    the list was looked at, and left nothing here, is passed over: returned by enrolment.

    `seen_words_by_enrolment_id`: what stood in cells when the form was made, where that is known: the same
    mark again is not set by hand, as long as it stands there.
    """
    assignment = lookup.editable_assignment(session, caller, assignment_key, Right.MARK).assignment
    if not any(map(str.strip, typed_mark_by_enrolment_id.values())):
        raise Refused("一个分数也没有。")
    mark_overrides.checked_reason(reason)
    present_words_by_enrolment_id = mark_overrides.mark_words_by_enrolment_id(session, assignment)
    mark_text_by_enrolment_id = {}
    for enrolment_id, typed_mark in typed_mark_by_enrolment_id.items():
        seen_words = seen_words_by_enrolment_id.get(enrolment_id, "")
        is_unchanged = seen_words == present_words_by_enrolment_id.get(enrolment_id, "")
        if typed_mark.strip() and not (is_unchanged and is_mark_as_shown(typed_mark, seen_words)):
            mark_text_by_enrolment_id[enrolment_id] = typed_mark.strip()
    if not mark_text_by_enrolment_id:
        return ()
    return set_marks(
        session, caller, assignment_key, mark_text_by_enrolment_id, reason, now, seen_words_by_enrolment_id
    )


def set_marks(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    mark_text_by_enrolment_id: Mapping[int, str],
    reason: str,
    now: datetime,
    seen_words_by_enrolment_id: Mapping[int, str],
) -> Sequence[int]:
    """Marks of many students by hand, as `override_marks`."""
    refusal_sentence_by_enrolment_id = {}
    passed_over_enrolment_ids = []
    for enrolment_id, mark_text in mark_text_by_enrolment_id.items():
        cell_key = CellKey(*assignment_key, enrolment_id)
        seen_words = seen_words_by_enrolment_id.get(enrolment_id)
        try:
            mark_overrides.set_mark(session, caller, cell_key, mark_text, reason, now, seen_words)
        except NotFound:
            passed_over_enrolment_ids.append(enrolment_id)
        except Refused as refusal:
            refusal_sentence_by_enrolment_id[enrolment_id] = str(refusal)
    if len(passed_over_enrolment_ids) == len(mark_text_by_enrolment_id):
        raise Refused("这些同学都换了班，或者这份作业收回去了，一个也没有存。")
    if refusal_sentence_by_enrolment_id:
        students = classrooms.load_present_and_former_students(session, assignment_key.classroom_id)
        name_by_enrolment_id = {student.id: student.distinct_name for student in students}
        raise Refused(
            "\n".join(
                f"{name_by_enrolment_id.get(enrolment_id, '转到别的班的同学')}：{refusal_sentence}"
                for enrolment_id, refusal_sentence in refusal_sentence_by_enrolment_id.items()
            )
        )
    return passed_over_enrolment_ids


def excuse_students(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    enrolment_ids: Sequence[int],
    group_ids: Sequence[int],
    reason: str,
    now: datetime,
    seen_words_by_enrolment_id: Mapping[int, str],
) -> Sequence[int]:
    """免 for these students, and for those of these groups who are in the class and were given the work or
    have begun it, as `override_marks`."""
    assignment = lookup.editable_assignment(session, caller, assignment_key, Right.MARK).assignment
    students = classrooms.load_present_students(session, assignment_key.classroom_id)
    enrolment_ids_of_groups = {student.id for student in students if student.group_id in group_ids}
    if not assignment.everyone:
        attempts = lookup.attempts_of_assignment(session, assignment.id)
        enrolment_ids_with_work = {attempt.enrolment_id for attempt in attempts}
        enrolment_ids_of_groups &= lookup.assignee_ids_of(session, assignment.id) | enrolment_ids_with_work
    excused_enrolment_ids = [*enrolment_ids, *sorted(enrolment_ids_of_groups)]
    if not excused_enrolment_ids:
        raise Refused("一位同学也没选，或者小组里没有人要做这份作业。勾上要免做的，再来一次。")
    mark_text_by_enrolment_id = dict.fromkeys(excused_enrolment_ids, EXCUSED_WORDS[0])
    mark_overrides.checked_reason(reason)
    return set_marks(
        session, caller, assignment_key, mark_text_by_enrolment_id, reason, now, seen_words_by_enrolment_id
    )
