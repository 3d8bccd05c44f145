"""Columns of the gradebook that a teacher types: 出勤, 期中. They stand beside assignments, and enter 总评.

What stands in their cells is read in `extra_marks.py`. Marks are written many at once, all of them or none.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, exists, select

from app.course.text.typed import single_spaced_name
from app.records.accounts.values import Caller
from app.records.classes import class_log, classrooms
from app.records.classes.classrooms import ENROLMENT
from app.records.classes.rights import Right
from app.records.classes.values import ClassRow, Student, with_namesake_flags
from app.records.db.errors import NotFound, Refused, naming_field
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
    without_id,
)
from app.records.grading.extra_marks import ColumnMarks, ExtraMarkValue, checked_mark, mark_text
from app.records.grading.marks import typed_points, unrounded_text
from app.records.grading.tables import ExtraColumn, ExtraMark
from app.records.grading.values import ExtraColumnRow

EXTRA_COLUMN, EXTRA_MARK = table(ExtraColumn).c, table(ExtraMark).c
CLASS_ID: Any = bindparam("classroom")
LONGEST_TITLE, LARGEST_TOTAL, MOST_COLUMNS = 20, 1000, 20


class ExtraColumnData(NamedTuple):
    """A column with its marks, for its teacher. `moved_students`: those of whom there is one, and who are in
    another class now."""

    classroom: ClassRow
    column: ExtraColumnRow
    mark_by_enrolment_id: ColumnMarks
    moved_students: Sequence[Student] = ()


IS_COLUMN_IN_CLASS = EXTRA_COLUMN.classroom_id == CLASS_ID
EXTRA_COLUMNS_QUERY = select(*columns_of(ExtraColumn, ExtraColumnRow))
COLUMNS_OF_CLASS = RowQuery(
    ExtraColumnRow, EXTRA_COLUMNS_QUERY.where(IS_COLUMN_IN_CLASS).order_by(EXTRA_COLUMN.id)
)
IS_COLUMN = EXTRA_COLUMN.id == bindparam("column")
COLUMN_OF_CLASS = RowQuery(ExtraColumnRow, EXTRA_COLUMNS_QUERY.where(IS_COLUMN_IN_CLASS, IS_COLUMN))
EXTRA_MARKS_QUERY = select(
    EXTRA_MARK.column_id, EXTRA_MARK.enrolment_id, EXTRA_MARK.points, EXTRA_MARK.excused
)
MARKS_OF_CLASS = PreparedStatement(
    EXTRA_MARKS_QUERY.where(EXTRA_MARK.column_id == EXTRA_COLUMN.id, IS_COLUMN_IN_CLASS)
)
IS_MARK_IN_COLUMN = EXTRA_MARK.column_id == bindparam("column")
MARKS_OF_COLUMN = PreparedStatement(EXTRA_MARKS_QUERY.where(IS_MARK_IN_COLUMN))
HAS_MARK_IN_COLUMN = exists().where(
    EXTRA_MARK.enrolment_id == ENROLMENT.id, EXTRA_MARK.column_id == EXTRA_COLUMN.id, IS_COLUMN_IN_CLASS
)
"""The condition that a student has a mark in a column of `classroom`."""
MOVED_STUDENTS_WITH_MARK = RowQuery(
    Student,
    select(*classrooms.STUDENT_COLUMNS)
    .select_from(classrooms.ENROLMENTS_WITH_ACCOUNTS)
    .where(ENROLMENT.classroom_id != CLASS_ID, HAS_MARK_IN_COLUMN.where(IS_COLUMN))
    .order_by(*classrooms.ROSTER_ORDER),
)


def columns_with_marks(session: VerbSession, classroom_id: int) -> list[tuple[ExtraColumnRow, ColumnMarks]]:
    """The columns of a class with their marks, in two statements."""
    marks_by_extra_column_id = defaultdict[int, dict[int, ExtraMarkValue]](dict)
    for extra_column_id, enrolment_id, points, is_excused in session.all(
        MARKS_OF_CLASS, classroom=classroom_id
    ):
        marks_by_extra_column_id[extra_column_id][enrolment_id] = ExtraMarkValue(points, bool(is_excused))
    column_rows = session.all(COLUMNS_OF_CLASS, classroom=classroom_id)
    return [(column_row, marks_by_extra_column_id[column_row.id]) for column_row in column_rows]


def load_column(
    session: VerbSession, caller: Caller, classroom_id: int, extra_column_id: int
) -> ExtraColumnData:
    """A column of a class of the teacher who calls; NotFound to everybody else."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    extra_column_row = session.first(COLUMN_OF_CLASS, classroom=classroom.id, column=extra_column_id)
    if extra_column_row is None:
        raise NotFound("成绩册里没有这一栏。")
    mark_by_enrolment_id = {}
    for _, enrolment_id, points, is_excused in session.all(MARKS_OF_COLUMN, column=extra_column_id):
        mark_by_enrolment_id[enrolment_id] = ExtraMarkValue(points, bool(is_excused))
    moved_students = session.all(MOVED_STUDENTS_WITH_MARK, classroom=classroom.id, column=extra_column_id)
    return ExtraColumnData(classroom, extra_column_row, mark_by_enrolment_id, moved_students)


ADD_COLUMN, ADD_MARK = prepared_insert(ExtraColumn), prepared_insert(ExtraMark)


def add_column(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    title: str,
    typed_full_marks_text: str,
    now: datetime,
) -> int:
    """A new column, empty; a second click finds the first. Returns its id.

    Refused where a column of this title has other full marks.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id)
    title = checked_column_title(title)
    full_marks = checked_full_marks(typed_full_marks_text)
    extra_column_rows = session.all(COLUMNS_OF_CLASS, classroom=classroom.id)
    for extra_column_row in extra_column_rows:
        if extra_column_row.title == title and extra_column_row.total != full_marks:
            existing_full_marks_text = unrounded_text(extra_column_row.total)
            raise Refused(
                f"已经有一栏叫“{title}”了，满分{existing_full_marks_text}。换个名字，或者到那一栏里改满分。",
                "title",
            )
        if extra_column_row.title == title:
            return extra_column_row.id
    if len(extra_column_rows) >= MOST_COLUMNS:
        raise Refused(f"一个班最多另加{MOST_COLUMNS}栏。")
    column_fields = without_id(ExtraColumnRow(0, title, full_marks))
    [(extra_column_id,)] = session.all(ADD_COLUMN, classroom_id=classroom.id, created_at=now, **column_fields)
    class_log.add_line(session, classroom, "extra_column", {"added": title}, now)
    return int(extra_column_id)


def copy_columns(session: VerbSession, source_class_id: int, target_class_id: int, now: datetime) -> None:
    """Make the columns of a class in another one, without marks."""
    for extra_column_row in session.all(COLUMNS_OF_CLASS, classroom=source_class_id):
        session.run(ADD_COLUMN, classroom_id=target_class_id, created_at=now, **without_id(extra_column_row))


SET_COLUMN = prepared_update(ExtraColumn, IS_COLUMN, ["title", "total"])


def set_column(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    extra_column_id: int,
    title: str,
    typed_full_marks_text: str,
    now: datetime,
) -> None:
    """Another title, or other full marks; Refused where a mark is above these."""
    column_data = editable_column(session, caller, classroom_id, extra_column_id)
    extra_column_row = column_data.column
    title = checked_column_title(title)
    full_marks = checked_full_marks(typed_full_marks_text)
    for other_column in session.all(COLUMNS_OF_CLASS, classroom=classroom_id):
        if other_column.title == title and other_column.id != extra_column_id:
            raise Refused(f"已经有一栏叫“{title}”了。", "title")
    highest_points = max(
        (extra_mark_value.points or 0.0 for extra_mark_value in column_data.mark_by_enrolment_id.values()),
        default=0.0,
    )
    if highest_points > full_marks:
        raise Refused(f"有人得了{unrounded_text(highest_points)}分，满分不能比它低。", "total")
    session.run(SET_COLUMN, column=extra_column_id, title=title, total=full_marks)
    if (extra_column_row.title, extra_column_row.total) != (title, full_marks):
        log_detail = {
            "column": title,
            "title": [extra_column_row.title, title],
            "total": [extra_column_row.total, full_marks],
        }
        class_log.add_line(session, column_data.classroom, "extra_column", log_detail, now)


ANY_COLUMN = PreparedStatement(select(EXTRA_COLUMN.id).where(IS_COLUMN))
REMOVE_COLUMN = PreparedStatement(delete(table(ExtraColumn)).where(IS_COLUMN))


def remove_column(
    session: VerbSession, caller: Caller, classroom_id: int, extra_column_id: int, now: datetime
) -> None:
    """A column with all its marks, gone for good; the log says how many marks that were. A second click finds
    none."""
    classrooms.editable_class(session, caller, classroom_id)
    if session.first(ANY_COLUMN, column=extra_column_id) is None:
        return
    column_data = load_column(session, caller, classroom_id, extra_column_id)
    session.run(REMOVE_COLUMN, column=extra_column_id)
    log_detail = {"removed": column_data.column.title, "marks": len(column_data.mark_by_enrolment_id)}
    class_log.add_line(session, column_data.classroom, "extra_column", log_detail, now)


def editable_column(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    extra_column_id: int,
    needed_right: Right = Right.TEACH,
) -> ExtraColumnData:
    """A column that may be changed by whoever has the right: Refused once its class is archived."""
    classrooms.editable_class(session, caller, classroom_id, needed_right)
    return load_column(session, caller, classroom_id, extra_column_id)


IS_MARK_OF_STUDENT = EXTRA_MARK.enrolment_id == bindparam("enrolment")
REMOVE_MARK = PreparedStatement(delete(table(ExtraMark)).where(IS_MARK_IN_COLUMN, IS_MARK_OF_STUDENT))


NOTHING_SEEN: Mapping[int, str] = MappingProxyType({})


def set_extra_marks(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    extra_column_id: int,
    typed_mark_by_enrolment_id: Mapping[int, str],
    now: datetime,
    seen_text_by_enrolment_id: Mapping[int, str] = NOTHING_SEEN,
) -> int:
    """What was typed into the cells of a column, by enrolment; an empty text takes a mark away.

    `seen_text_by_enrolment_id`: what stood in cells when the form was made, where that is known: a mark that
    somebody else has set since is not replaced unseen.

    Returns how many changed. Refused names who and what is wrong, and nothing is written; cells of students
    who are not of the class, and left no mark there, are passed over.
    """
    column_data = editable_column(session, caller, classroom_id, extra_column_id, Right.MARK)
    students = classrooms.load_present_and_former_students(session, classroom_id)
    name_by_enrolment_id = {
        student.id: student.distinct_name
        for student in with_namesake_flags((*students, *column_data.moved_students))
    }
    logged_changes = []
    for enrolment_id, typed_mark_text in typed_mark_by_enrolment_id.items():
        if enrolment_id not in name_by_enrolment_id:
            continue
        with naming_field(f"mark-{enrolment_id}"):
            extra_mark_value = checked_mark(
                typed_mark_text, name_by_enrolment_id[enrolment_id], column_data.column.total
            )
        old_mark = column_data.mark_by_enrolment_id.get(enrolment_id)
        if extra_mark_value == old_mark:
            continue
        stored_text = mark_text(old_mark)
        if seen_text_by_enrolment_id.get(enrolment_id, stored_text) != stored_text:
            new_mark_words = f"这一格刚才有人改成了{stored_text or '空着'}"
            raise Refused(
                f"{name_by_enrolment_id[enrolment_id]}：{new_mark_words}，你填的还在；要照你的，再存一次。",
                f"mark-{enrolment_id}",
            )
        session.run(REMOVE_MARK, column=extra_column_id, enrolment=enrolment_id)
        if extra_mark_value is not None:
            session.run(
                ADD_MARK, column_id=extra_column_id, enrolment_id=enrolment_id, **extra_mark_value._asdict()
            )
        logged_changes.append([enrolment_id, mark_text(old_mark), mark_text(extra_mark_value)])
    if logged_changes:
        log_detail = {"column": column_data.column.title, "students": logged_changes}
        class_log.add_line(session, column_data.classroom, "extra_marks", log_detail, now)
    return len(logged_changes)


def checked_column_title(title: str) -> str:
    """The title of a column; Refused says what is wrong with another."""
    title = single_spaced_name(title)
    if not title or len(title) > LONGEST_TITLE or not title.isprintable():
        raise Refused(f"这一栏叫什么，写1到{LONGEST_TITLE}个字，比如“期中”。", "title")
    return title


def checked_full_marks(typed_full_marks_text: str) -> float:
    """The full marks of a column; Refused says how to write others.

    >>> checked_full_marks("100分")
    100.0
    """
    full_marks = typed_points(typed_full_marks_text)
    if full_marks is None:
        raise Refused("满分写一个数，比如100。", "total")
    if not 0 < full_marks <= LARGEST_TOTAL:
        raise Refused(f"满分要大于0，最多{LARGEST_TOTAL}。", "total")
    return full_marks


SET_RULE = prepared_update(ExtraColumn, IS_COLUMN & IS_COLUMN_IN_CLASS, ["counted", "weight", "category"])


def set_column_rule(session: VerbSession, classroom_id: int, extra_column_row: ExtraColumnRow) -> None:
    """How a column enters 总评; one of another class is passed over."""
    rule_columns = extra_column_row.rule._asdict()
    session.run(SET_RULE, column=extra_column_row.id, classroom=classroom_id, **rule_columns)


TitleAndTotal = tuple[str, float]
"""Title and full marks."""


def student_mark_by_title_and_total(
    session: VerbSession, classroom_id: int, enrolment_id: int
) -> dict[TitleAndTotal, ExtraMarkValue]:
    """What a student has in the columns of a class."""
    mark_by_title_and_total = {}
    for extra_column_row, mark_by_enrolment_id in columns_with_marks(session, classroom_id):
        if enrolment_id in mark_by_enrolment_id:
            title_and_total = (extra_column_row.title, extra_column_row.total)
            mark_by_title_and_total[title_and_total] = mark_by_enrolment_id[enrolment_id]
    return mark_by_title_and_total


def add_brought_marks(
    session: VerbSession,
    classroom: ClassRow,
    enrolment_id: int,
    mark_by_title_and_total: Mapping[TitleAndTotal, ExtraMarkValue],
    reason: str,
    now: datetime,
) -> int:
    """Marks from another class into the columns of the same name, where nothing stands yet; how many. The log
    of the class has each, with the reason."""
    brought_mark_count = 0
    for extra_column_row, mark_by_enrolment_id in columns_with_marks(session, classroom.id):
        extra_mark_value = mark_by_title_and_total.get((extra_column_row.title, extra_column_row.total))
        if extra_mark_value is not None and enrolment_id not in mark_by_enrolment_id:
            session.run(
                ADD_MARK,
                column_id=extra_column_row.id,
                enrolment_id=enrolment_id,
                **extra_mark_value._asdict(),
            )
            log_detail = {
                "column": extra_column_row.title,
                "mark": extra_mark_value.cell_text,
                "reason": reason,
            }
            class_log.add_line(session, classroom, "extra-carried", log_detail, now, enrolment_id)
            brought_mark_count += 1
    return brought_mark_count
