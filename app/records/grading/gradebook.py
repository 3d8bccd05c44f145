"""成绩册: students × assignments, in ten queries however many there are.

Rows are those who are in the class, and those who were and left work behind. A draft is no column yet.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from itertools import compress, repeat
from typing import Any, Literal, NamedTuple

from sqlalchemy import and_, bindparam, case, exists, func, or_, select

from app.course.assignments.question_sets import questions, total_of
from app.records.accounts.values import Caller
from app.records.assignments import assigned, deadlines
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import Schedule
from app.records.assignments.rows import ASSIGNMENT, OVERRIDE, SAVED, SUBMISSION
from app.records.assignments.values import AssignmentRow
from app.records.classes import classrooms
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession
from app.records.grading import marks, total_rules
from app.records.grading.marks import HandedIn
from app.records.grading.totals import ColumnRule, TotalMark, TotalRules, out_of_hundred, total_share
from app.records.learning.tables import Response

CellState = Literal["exempt", "gone", "soon", "new", "missing", "begun", "done", "late"]
"""免, —: no longer in the class, 未开, 没开始, 缺交, 做到几题, 交了, 迟交."""
Place = Literal["here", "removed", "moved"]


class GradebookStudent(NamedTuple):
    """A student with a row in a gradebook: `removed` and `moved` ones because of their work."""

    id: int
    learner_id: int
    name: str
    number: str
    joined_at: datetime
    place: Place
    seat: int | None = None


class GradebookCell(NamedTuple):
    """A student at an assignment. `points`: the mark; `answered_count`: of questions in an open attempt.

    `by_hand`: the teacher set the mark. `collected`: the teacher handed it in, when time was up. `absent`:
    time is over and nothing was handed in, though it was begun or could have been.
    """

    state: CellState
    points: float | None = None
    answered_count: int = 0
    by_hand: bool = False
    collected: bool = False
    absent: bool = False


class Sum(NamedTuple):
    """Marks summed up: `points` of `full_marks` over `marked` ones, and how many are missing."""

    points: float = 0.0
    full_marks: float = 0.0
    marked: int = 0
    missing: int = 0

    @property
    def share(self) -> float | None:
        """The part of the full marks, 0..1; None where nothing counts."""
        if not self.full_marks:
            return None
        return self.points / self.full_marks

    @property
    def mean(self) -> float | None:
        """The mean mark; None without any."""
        if self.marked == 0:
            return None
        return self.points / self.marked


class GradebookColumn(NamedTuple):
    """An assignment of the gradebook: its full marks, its questions, and the class at it."""

    assignment: AssignmentRow
    full_marks: float
    questions: int
    sum: Sum
    rule: ColumnRule = ColumnRule()


class GradebookRow(NamedTuple):
    """A student with a cell for each column. `total`: 总评 out of 100; None where nothing counts."""

    student: GradebookStudent
    cells: tuple[GradebookCell, ...]
    sum: Sum
    total: float | None = None


class Gradebook(NamedTuple):
    """成绩册: students × assignments; `rules`: how 总评 comes from them."""

    classroom: ClassRow
    columns: tuple[GradebookColumn, ...] = ()
    rows: tuple[GradebookRow, ...] = ()
    rules: TotalRules = TotalRules()


ENROLMENT = table(Enrolment).c
RESPONSE = table(Response).c
CLASS: Any = bindparam("classroom")

IF_MOVED = (ENROLMENT.classroom_id != CLASS, "moved")
IF_REMOVED = (ENROLMENT.removed_at.is_not(None), "removed")
PLACE = case(IF_MOVED, IF_REMOVED, else_="here")
STUDENTS = select(
    ENROLMENT.id,
    ENROLMENT.learner_id,
    ENROLMENT.name,
    ENROLMENT.number,
    ENROLMENT.joined_at,
    PLACE.label("place"),
    ENROLMENT.seat,
).order_by(*classrooms.ROSTER_ORDER)
"""Students of any class as `GradebookStudent`, in the order of the roster."""

IN_CLASS = and_(ASSIGNMENT.classroom_id == CLASS, ASSIGNMENT.published_at.is_not(None))
IS_PRESENT = and_(ENROLMENT.classroom_id == CLASS, ENROLMENT.removed_at.is_(None))


def has_left_work(assignment_id: Any, *conditions: Any) -> Any:
    """The condition that a student has left an attempt or a mark behind, at assignments."""
    submitted = select(SUBMISSION.enrolment_id).where(SUBMISSION.assignment_id == assignment_id, *conditions)
    overridden = select(OVERRIDE.enrolment_id).where(OVERRIDE.assignment_id == assignment_id, *conditions)
    return or_(ENROLMENT.id.in_(submitted), ENROLMENT.id.in_(overridden))


HAS_ROW = or_(IS_PRESENT, has_left_work(ASSIGNMENT.id, IN_CLASS))
STUDENTS_OF_GRADEBOOK = RowQuery(GradebookStudent, STUDENTS.where(HAS_ROW))


def gradebook(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> Gradebook:
    """The gradebook of a class of the teacher who asks."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    tasks = assigned.of_class(session, classroom_id)
    columns = [task for task in reversed(tasks) if task.assignment.published_at]
    students = session.all(STUDENTS_OF_GRADEBOOK, classroom=classroom_id)
    work_by_cell = load_work_by_cell(session, classroom_id)
    book = gradebook_of(classroom, columns, students, work_by_cell, now)
    rules = total_rules.load_rules(session, classroom_id)
    return with_totals(book, rules, total_rules.load_column_rules(session, classroom_id))


def with_totals(book: Gradebook, rules: TotalRules, column_rules: Mapping[int, ColumnRule]) -> Gradebook:
    """The gradebook with 总评 in every row."""
    columns = []
    for column in book.columns:
        rule = column_rules.get(column.assignment.id) or total_rules.default_rule(column.assignment)
        columns.append(column._replace(rule=rule))
    rows = []
    for row in book.rows:
        share = total_share(total_marks(row.cells, columns), rules)
        rows.append(row._replace(total=out_of_hundred(share)))
    return book._replace(columns=tuple(columns), rows=tuple(rows), rules=rules)


def total_marks(cells: Iterable[GradebookCell], columns: Iterable[GradebookColumn]) -> list[TotalMark]:
    """The cells of a row as the total sees them: marks as they are shown, so that people can add them up."""
    marks_of_row = []
    for cell, column in zip(cells, columns, strict=True):
        points = cell.points
        if points is not None:
            points = float(marks.short(points))
        mark = TotalMark(points, column.full_marks, column.rule, cell.absent)
        marks_of_row.append(mark)
    return marks_of_row


CellKey = tuple[int, int]
"""Assignment and enrolment: a cell."""


class WorkByCell(NamedTuple):
    """What was done and decided in a class, by cell. `answered_counts`: of questions in an open attempt;
    of overrides the latest stands."""

    handed: Mapping[CellKey, Sequence[HandedIn]]
    answered_counts: Mapping[CellKey, int]
    overrides: Mapping[CellKey, float | None]


OF_SUBMISSION = RESPONSE.attempt_id == SUBMISSION.attempt_id
MARKED_QUESTIONS = select(func.count(RESPONSE.item.distinct())).where(OF_SUBMISSION)
IS_MARKED = exists().where(RESPONSE.attempt_id == SAVED.attempt_id, RESPONSE.item == SAVED.item)
IS_SAVED_ONLY = and_(SAVED.attempt_id == SUBMISSION.attempt_id, ~IS_MARKED)
SAVED_QUESTIONS = select(func.count(SAVED.id)).where(IS_SAVED_ONLY)
ANSWERED = MARKED_QUESTIONS.scalar_subquery() + SAVED_QUESTIONS.scalar_subquery()
ANSWERED_QUESTIONS: Any = case((SUBMISSION.handed_in_at.is_(None), ANSWERED))
CELL_OF_ATTEMPT = (SUBMISSION.assignment_id, SUBMISSION.enrolment_id)
ATTEMPTS = select(
    *CELL_OF_ATTEMPT,
    ANSWERED_QUESTIONS,
    SUBMISSION.number,
    func.coalesce(SUBMISSION.points, 0.0),
    SUBMISSION.factor,
    SUBMISSION.handed_in_at,
    SUBMISSION.collected,
).where(SUBMISSION.assignment_id == ASSIGNMENT.id, IN_CLASS)
BY_CELL = (ASSIGNMENT.id, SUBMISSION.enrolment_id, SUBMISSION.number)
ATTEMPTS_OF_CLASS = Prepared(ATTEMPTS.order_by(*BY_CELL))
MARKS_BY_HAND = select(OVERRIDE.assignment_id, OVERRIDE.enrolment_id, OVERRIDE.points)
OVERRIDES_IN_CLASS = MARKS_BY_HAND.where(OVERRIDE.assignment_id == ASSIGNMENT.id, IN_CLASS)
OVERRIDES_OF_CLASS = Prepared(OVERRIDES_IN_CLASS.order_by(OVERRIDE.id))


def load_work_by_cell(session: VerbSession, classroom_id: int) -> WorkByCell:
    """What the students of a class handed in, have begun, and were given by hand."""
    handed = defaultdict[CellKey, list[HandedIn]](list)
    answered_counts: dict[CellKey, int] = {}
    rows = session.all(ATTEMPTS_OF_CLASS, classroom=classroom_id)
    for assignment_id, enrolment_id, answered_count, *result in rows:
        if answered_count is None:
            attempt = HandedIn(*result)
            handed[assignment_id, enrolment_id].append(attempt)
        else:
            answered_counts[assignment_id, enrolment_id] = answered_count
    overrides: dict[CellKey, float | None] = {}
    rows = session.all(OVERRIDES_OF_CLASS, classroom=classroom_id)
    for assignment_id, enrolment_id, points in rows:
        overrides[assignment_id, enrolment_id] = points
    return WorkByCell(handed, answered_counts, overrides)


def gradebook_of(
    classroom: ClassRow,
    tasks: Sequence[AssignedTask],
    students: Sequence[GradebookStudent],
    work_by_cell: WorkByCell,
    now: datetime,
) -> Gradebook:
    """Every cell, and the sums of rows and columns. Those who left are no part of the class's averages."""
    is_present = [student.place == "here" for student in students]
    columns = []
    cells_by_column = []
    for task in tasks:
        cells = cells_of(task, students, work_by_cell, now)
        full_marks = total_of(task.parts)
        marks_of_class = summed(compress(cells, is_present), repeat(full_marks))
        question_count = len(questions(task.parts))
        columns.append(GradebookColumn(task.assignment, full_marks, question_count, marks_of_class))
        cells_by_column.append(cells)
    full_marks_of_columns = [column.full_marks for column in columns]
    rows = []
    for index, student in enumerate(students):
        row_cells = tuple(column_cells[index] for column_cells in cells_by_column)
        sum_of_row = summed(row_cells, full_marks_of_columns)
        rows.append(GradebookRow(student, row_cells, sum_of_row))
    return Gradebook(classroom, tuple(columns), tuple(rows))


def cells_of(
    task: AssignedTask, students: Sequence[GradebookStudent], work_by_cell: WorkByCell, now: datetime
) -> list[GradebookCell]:
    """A column: everybody at one assignment."""
    usual_schedule = deadlines.schedule(task.assignment, None, now)
    cells = []
    for student in students:
        schedule = usual_schedule
        extension = task.extensions.get(student.id)
        if extension:
            schedule = deadlines.schedule(task.assignment, extension, now)
        cell_key = (task.id, student.id)
        attempts = work_by_cell.handed.get(cell_key)
        override = work_by_cell.overrides.get(cell_key)
        if attempts:
            cells.append(marked_cell(task.assignment, attempts, schedule, override))
        else:
            is_assigned = task.is_for(student.id)
            answered_count = work_by_cell.answered_counts.get(cell_key)
            cells.append(empty_cell(student, schedule, override, answered_count, is_assigned))
    return cells


def marked_cell(
    assignment: AssignmentRow, attempts: Sequence[HandedIn], schedule: Schedule, override: float | None
) -> GradebookCell:
    """Where something was handed in: the mark, and how it came about. `schedule`: that of this student."""
    counting_attempt = marks.counting_attempt(assignment.counts, attempts) or attempts[0]
    # What the teacher collected was not late: time was up.
    state: CellState = "done"
    if schedule.is_late(counting_attempt.at) and not counting_attempt.collected:
        state = "late"
    if override is None:
        return GradebookCell(state, counting_attempt.worth, collected=counting_attempt.collected)
    return GradebookCell(state, override, by_hand=True, collected=counting_attempt.collected)


STATE_OF_EMPTY_CELL: Mapping[str, CellState] = {"over": "missing", "soon": "soon"}
"""What an empty cell means, by where the time stands."""


def empty_cell(
    student: GradebookStudent,
    schedule: Schedule,
    override: float | None,
    answered_count: int | None,
    is_assigned: bool,
) -> GradebookCell:
    """Where nothing was handed in. `answered_count`: of questions in an open attempt, None without one."""
    state: CellState
    if answered_count is not None:
        state = "begun"
    elif student.place != "here":
        state = "gone"
    elif not is_assigned or schedule.was_over(student.joined_at):
        state = "exempt"
    else:
        state = STATE_OF_EMPTY_CELL.get(schedule.state, "new")
    is_by_hand = override is not None
    is_over = student.place == "here" and schedule.state == "over"
    is_absent = state == "missing" or (state == "begun" and is_over)
    return GradebookCell(state, override, answered_count or 0, is_by_hand, absent=is_absent)


def summed(cells: Iterable[GradebookCell], full_marks_of_cells: Iterable[float]) -> Sum:
    """The marks that are there, of assignments that are worth something; what is missing is counted aside.

    `full_marks_of_cells`: in the order of the cells.
    """
    points = full_marks_sum = 0.0
    marked = missing = 0
    for cell, full_marks in zip(cells, full_marks_of_cells, strict=False):
        if cell.points is not None and full_marks:
            points += cell.points
            full_marks_sum += full_marks
            marked += 1
        elif cell.state == "missing":
            missing += 1
    return Sum(points, full_marks_sum, marked, missing)
