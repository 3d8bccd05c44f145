"""成绩册: students × assignments, in eight queries however many there are.

Rows are those who are in the class, and those who were and left work behind. A draft is no column yet.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import compress, repeat
from typing import Any

from sqlalchemy import bindparam, case, exists, func, or_, select

from app.course.assignments.question_sets import questions, total_of
from app.records.accounts.values import Caller
from app.records.assignments import deadlines
from app.records.assignments.assignments import PART
from app.records.assignments.tables import (
    Assignee,
    Assignment,
    AssignmentPart,
    Extension,
    MarkOverride,
    SavedAnswer,
    Submission,
)
from app.records.assignments.values import AssignmentRow, ExtensionRow, PartRow, Schedule
from app.records.classes import classrooms
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.grading import marks
from app.records.grading.marks import HandedIn
from app.records.grading.values import (
    Gradebook,
    GradebookCell,
    GradebookColumn,
    GradebookRow,
    GradebookStudent,
    Place,
    State,
    Sum,
)
from app.records.learning.tables import Response

assignment, part, enrolment = table(Assignment).c, table(AssignmentPart).c, table(Enrolment).c
submission, override, extension = table(Submission).c, table(MarkOverride).c, table(Extension).c
assignee, response, saved = table(Assignee).c, table(Response).c, table(SavedAnswer).c

columns = [assignment[name] for name in AssignmentRow._fields]
part_columns = [part[name] for name in PART]
pupil_columns = [enrolment[name] for name in GradebookStudent._fields[:-1]]
of_class = (assignment.classroom_id == bindparam("classroom"), assignment.published_at.is_not(None))
ASSIGNMENTS = Prepared(select(*columns).where(*of_class).order_by(assignment.id))
PARTS = Prepared(
    select(part.assignment_id, *part_columns)
    .where(part.assignment_id == assignment.id, *of_class)
    .order_by(part.position, part.id)
)
with_work = [
    select(each.enrolment_id).where(each.assignment_id == assignment.id, *of_class)
    for each in (submission, override)
]
PUPILS = Prepared(
    select(*pupil_columns, enrolment.removed_at, enrolment.classroom_id)
    .where(
        or_(
            (enrolment.classroom_id == bindparam("classroom")) & enrolment.removed_at.is_(None),
            *(enrolment.id.in_(each) for each in with_work),
        )
    )
    .order_by(enrolment.number == "", enrolment.number, enrolment.id)
)
answered = (
    select(func.count(response.item.distinct()))
    .where(response.attempt_id == submission.attempt_id)
    .scalar_subquery()
)
only_saved = (
    select(func.count())
    .select_from(table(SavedAnswer))
    .where(
        saved.attempt_id == submission.attempt_id,
        ~exists().where(response.attempt_id == saved.attempt_id, response.item == saved.item),
    )
    .scalar_subquery()
)
open_with: Any = case((submission.handed_in_at.is_(None), answered + only_saved))
PASSES = Prepared(
    select(
        submission.assignment_id,
        submission.enrolment_id,
        open_with,
        submission.number,
        func.coalesce(submission.points, 0.0),
        submission.factor,
        submission.handed_in_at,
        submission.collected,
    )
    .where(submission.assignment_id == assignment.id, *of_class)
    .order_by(assignment.id, submission.enrolment_id, submission.number)
)
OVERRIDES = Prepared(
    select(override.assignment_id, override.enrolment_id, override.points)
    .where(override.assignment_id == assignment.id, *of_class)
    .order_by(override.id)
)
EXTENSIONS = Prepared(
    select(extension.assignment_id, *[extension[name] for name in ExtensionRow._fields])
    .where(extension.assignment_id == assignment.id, *of_class)
    .order_by(extension.id)
)
ASSIGNEES = Prepared(
    select(assignee.assignment_id, assignee.enrolment_id).where(
        assignee.assignment_id == assignment.id, *of_class
    )
)

Key = tuple[int, int]
"""Assignment and enrolment: a cell."""


def gradebook(session: VerbSession, who: Caller, classroom_id: int, now: datetime) -> Gradebook:
    """The gradebook of a class of the teacher who asks."""
    row = classrooms.taught(session, who, classroom_id)
    parts: dict[int, list[PartRow]] = {}
    for each in session.all(PARTS, classroom=row.id):
        parts.setdefault(each[0], []).append(PartRow(*each[1:]))
    found = [
        column_of(AssignmentRow(*each), parts.get(each[0], []))
        for each in session.all(ASSIGNMENTS, classroom=row.id)
    ]
    pupils = [pupil(row.id, each) for each in session.all(PUPILS, classroom=row.id)]
    return filled(Gradebook(row), found, pupils, work_of(session, row.id), now)


def column_of(row: AssignmentRow, parts: Sequence[PartRow]) -> GradebookColumn:
    return GradebookColumn(row, total_of(parts), len(questions(parts)))


def pupil(classroom_id: int, row: Sequence[Any]) -> GradebookStudent:
    *found, removed_at, in_class = row
    place: Place = "here" if removed_at is None else "removed"
    values: list[Any] = [*found, place if in_class == classroom_id else "moved"]
    return GradebookStudent(*values)


@dataclass(frozen=True, slots=True)
class ClassWork:
    """What was done and decided in a class, by cell. Of overrides and extensions the latest stands."""

    handed: Mapping[Key, Sequence[HandedIn]]
    begun: Mapping[Key, int]
    overrides: Mapping[Key, float | None]
    extensions: Mapping[Key, ExtensionRow]
    assignees: frozenset[Key]


def work_of(session: VerbSession, classroom_id: int) -> ClassWork:
    handed: dict[Key, list[HandedIn]] = {}
    begun: dict[Key, int] = {}
    for row in session.all(PASSES, classroom=classroom_id):
        key, open_with = row[:2], row[2]
        if open_with is not None:
            begun[key] = open_with
        elif key in handed:
            handed[key].append(HandedIn._make(row[3:]))
        else:
            handed[key] = [HandedIn._make(row[3:])]
    return ClassWork(
        handed,
        begun,
        {(one, other): points for one, other, points in session.all(OVERRIDES, classroom=classroom_id)},
        {(row[0], row[1]): ExtensionRow(*row[1:]) for row in session.all(EXTENSIONS, classroom=classroom_id)},
        frozenset((one, other) for one, other in session.all(ASSIGNEES, classroom=classroom_id)),
    )


def filled(
    empty: Gradebook,
    columns: Sequence[GradebookColumn],
    pupils: Sequence[GradebookStudent],
    work: ClassWork,
    now: datetime,
) -> Gradebook:
    """Every cell, and the sums of rows and columns. Whoever left is no part of the class's averages."""
    down = [cells_of(column.assignment, pupils, work, now) for column in columns]
    across = list(zip(*down, strict=True)) if down else [() for _ in pupils]
    here = [one.place == "here" for one in pupils]
    return replace(
        empty,
        columns=tuple(
            replace(column, sum=summed(compress(cells, here), repeat(column)))
            for column, cells in zip(columns, down, strict=True)
        ),
        rows=tuple(
            GradebookRow(one, cells, summed(cells, columns))
            for one, cells in zip(pupils, across, strict=True)
        ),
    )


def cells_of(
    row: AssignmentRow, pupils: Sequence[GradebookStudent], work: ClassWork, now: datetime
) -> list[GradebookCell]:
    """A column: everybody at one assignment."""
    usual, found = deadlines.schedule(row, None, now), []
    for one in pupils:
        key = (row.id, one.id)
        extended, by_hand = work.extensions.get(key), work.overrides.get(key)
        window = deadlines.schedule(row, extended, now) if extended else usual
        if handed := work.handed.get(key):
            found.append(marked(row, handed, window, by_hand))
        else:
            found.append(empty_cell(row, one, window, by_hand, work.begun.get(key), key in work.assignees))
    return found


def summed(cells: Iterable[GradebookCell], columns: Iterable[GradebookColumn]) -> Sum:
    """The marks that are there, of assignments that are worth something; what is missing is counted aside."""
    points = total = 0.0
    count = missing = 0
    for one, column in zip(cells, columns, strict=False):
        if one.points is not None and column.total:
            points, total, count = points + one.points, total + column.total, count + 1
        elif one.state == "missing":
            missing += 1
    return Sum(points, total, count, missing)


def marked(
    row: AssignmentRow, handed: Sequence[HandedIn], window: Schedule, by_hand: float | None
) -> GradebookCell:
    """Where something was handed in: the mark, and how it came about. `window`: that of this student."""
    counts = marks.counting(row.counts, handed) or handed[0]
    state: State = "late" if is_late(counts, window) else "done"
    if by_hand is None:
        return GradebookCell(state, counts.points * counts.factor, 0, False, counts.collected)
    return GradebookCell(state, by_hand, 0, True, counts.collected)


def is_late(one: HandedIn, window: Schedule) -> bool:
    """Whether a pass came after its time. What the teacher collected was not late: time was up."""
    if one.at is None or window.due_at is None or one.at < window.due_at:
        return False
    return one.at >= window.due_at + deadlines.MINUTE and not one.collected


def empty_cell(
    row: AssignmentRow,
    one: GradebookStudent,
    window: Schedule,
    by_hand: float | None,
    begun: int | None,
    named: bool,
) -> GradebookCell:
    """Where nothing was handed in. `begun`: questions answered in a pass that is open, None without one."""
    state = "begun" if begun is not None else untouched(row, one, window, named=named)
    return GradebookCell(state, by_hand, begun or 0, by_hand is not None)


def untouched(row: AssignmentRow, one: GradebookStudent, window: Schedule, *, named: bool) -> State:
    """Where somebody stands who has not begun."""
    if one.place != "here":
        return "gone"
    if not (row.everyone or named) or window.was_over(one.joined_at):
        return "exempt"
    return BLANK.get(window.state, "new")


BLANK: Mapping[str, State] = {"over": "missing", "soon": "soon"}
"""What an empty cell means, by where the time stands."""
