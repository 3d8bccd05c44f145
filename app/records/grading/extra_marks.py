"""What stands in a cell of a column that a teacher types: read, checked, shown, written. No database in here.

A cell is a number, 免, 缺 or empty.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from app.records.db.errors import Refused
from app.records.grading.marks import shown_points_text, typed_points, unrounded_text
from app.records.grading.values import GradebookCell, GradebookStudent

ABSENT_SENTENCE = "没有交的空着就行，截止以后照缺交算。"
EXCUSED_WORDS, ABSENT_WORDS = ("免", "免考", "免做"), ("缺", "缺考", "缺交", "缺席")
"""Words that a cell takes in place of a number."""


class ExtraMarkValue(NamedTuple):
    """What stands in a cell: `points`, 免 (`excused`), or neither: 缺."""

    points: float | None = None
    excused: bool = False

    @property
    def cell_text(self) -> str:
        """As it is typed.

        >>> ExtraMarkValue(7.25).cell_text, ExtraMarkValue(excused=True).cell_text, ExtraMarkValue().cell_text
        ('7.25', '免', '缺')
        """
        if self.points is not None:
            return unrounded_text(self.points)
        if self.excused:
            return EXCUSED_WORDS[0]
        return ABSENT_WORDS[0]

    @property
    def gradebook_cell(self) -> GradebookCell:
        """As the gradebook shows it."""
        if self.points is not None:
            return GradebookCell("done", self.points, is_typed=True)
        if self.excused:
            return GradebookCell("exempt", is_by_hand=True)
        return GradebookCell("absent", is_absent=True)


ColumnMarks = Mapping[int, ExtraMarkValue]
"""The marks of a column, by enrolment."""


def checked_mark(typed_mark_text: str, student_name: str, full_marks: float) -> ExtraMarkValue | None:
    """A cell as it was typed; Refused says how to write another.

    >>> checked_mark("８.5", "小糖", 10), checked_mark(" 免 ", "小糖", 10), checked_mark("", "小糖", 10)
    (ExtraMarkValue(points=8.5, excused=False), ExtraMarkValue(points=None, excused=True), None)
    >>> checked_mark("-0.001", "小糖", 10)
    ExtraMarkValue(points=0.0, excused=False)
    """
    typed_text = typed_mark_text.strip()
    if not typed_text:
        return None
    if typed_text in EXCUSED_WORDS:
        return ExtraMarkValue(excused=True)
    if typed_text in ABSENT_WORDS:
        return ExtraMarkValue()
    full_marks_text = unrounded_text(full_marks)
    points = typed_points(typed_text)
    if points is None:
        raise Refused(
            f"{student_name}：“{typed_text[:20]}”不是分数。写0到{full_marks_text}的数，或者免、缺、空着。"
        )
    if not 0 <= points <= full_marks:
        raise Refused(
            f"{student_name}：写的是{typed_text[:20]}，满分{full_marks_text}，分数要在0到{full_marks_text}之间。"
        )
    return ExtraMarkValue(points)


def mark_text(extra_mark_value: ExtraMarkValue | None) -> str:
    """A cell as it is typed; empty for one without a mark."""
    if extra_mark_value is None:
        return ""
    return extra_mark_value.cell_text


BLANK_CELL, CELL_OF_LEAVER = GradebookCell("blank"), GradebookCell("gone")


def extra_cells_of(
    mark_by_enrolment_id: ColumnMarks, gradebook_students: Sequence[GradebookStudent]
) -> list[GradebookCell]:
    """A column of the gradebook: the cell of each student. Who left without a mark has none to be typed."""
    cells = []
    for gradebook_student in gradebook_students:
        extra_mark_value = mark_by_enrolment_id.get(gradebook_student.id)
        if extra_mark_value is not None:
            cells.append(extra_mark_value.gradebook_cell)
        elif gradebook_student.membership == "here":
            cells.append(BLANK_CELL)
        else:
            cells.append(CELL_OF_LEAVER)
    return cells


def is_mark_as_shown(typed_mark: str, present_words: str) -> bool:
    """Whether a mark of a list is the one that is shown in its cell, where marks are rounded.

    >>> is_mark_as_shown("8.25", "8.3/10"), is_mark_as_shown("免考", "免"), is_mark_as_shown("8", "")
    (True, True, False)
    """
    trimmed_text = typed_mark.strip()
    if trimmed_text in EXCUSED_WORDS:
        return present_words in EXCUSED_WORDS
    points = typed_points(trimmed_text)
    if points is None:
        return False
    return shown_points_text(points) == present_words.partition("/")[0]
