"""成绩册: students × assignments and columns of the teacher's own, in fifteen queries for any class, and five
more where something was regraded.

Rows are those who are in the class, and those who were and left work behind. A draft is no column yet.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from functools import cache
from itertools import compress, repeat
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, case, func, or_, select

from app.course.assignments.question_sets import full_points_of, question_count
from app.records.accounts.values import Caller
from app.records.assignments import assigned, deadlines
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import Schedule
from app.records.assignments.rows import (
    ASSIGNMENT,
    HAND_MARKS_QUERY,
    IS_PUBLISHED_IN_CLASS,
    OVERRIDE,
    SUBMISSION,
    has_work_at,
)
from app.records.assignments.values import NOTHING_BY_HAND, AssignmentRow, ExtensionRow, MarkByHand
from app.records.classes import classrooms, groups
from app.records.classes.classrooms import ENROLMENT, GROUP_MEMBER, IS_MEMBER, IS_OF_CLASS
from app.records.classes.values import ClassRow
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.db.stored_times import time_of
from app.records.grading import extra_columns, extra_marks, marks
from app.records.grading.answering import ANSWERED_QUESTION_COUNT
from app.records.grading.extra_marks import ColumnMarks
from app.records.grading.marks import HandedInAttempt
from app.records.grading.regrades import changed_marks
from app.records.grading.totals import total_rules
from app.records.grading.totals.gradebook_totals import with_totals
from app.records.grading.values import (
    CellIds,
    CellState,
    ExtraColumnRow,
    Gradebook,
    GradebookCell,
    GradebookColumn,
    GradebookRow,
    GradebookStudent,
    MarkSum,
)

CLASS_ID: Any = bindparam("classroom")

MEMBERSHIP_OF_STUDENT = case(
    (ENROLMENT.classroom_id != CLASS_ID, "moved"),
    (ENROLMENT.removed_at.is_not(None), "removed"),
    else_="here",
)
GROUP_ID_OF_STUDENT = (
    select(GROUP_MEMBER.group_id).where(GROUP_MEMBER.enrolment_id == ENROLMENT.id).scalar_subquery()
)
STUDENT_COLUMNS = (
    ENROLMENT.id,
    ENROLMENT.learner_id,
    ENROLMENT.name,
    ENROLMENT.number.label("student_number"),
    ENROLMENT.joined_at,
    MEMBERSHIP_OF_STUDENT.label("membership"),
    ENROLMENT.seat,
    GROUP_ID_OF_STUDENT.label("group_id"),
    ENROLMENT.absences,
)
HAS_NAMESAKE = func.count().over(partition_by=ENROLMENT.name_key) > 1
STUDENTS_QUERY = select(*STUDENT_COLUMNS, HAS_NAMESAKE.label("has_namesake")).order_by(
    *classrooms.ROSTER_ORDER
)
"""Students of any class as `GradebookStudent`, in the order of the roster."""

IS_IN_GRADEBOOK = or_(
    and_(IS_OF_CLASS, IS_MEMBER),
    has_work_at(ASSIGNMENT.id, IS_PUBLISHED_IN_CLASS),
    extra_columns.HAS_MARK_IN_COLUMN,
)
"""The condition that a student has a row: a member of the class, or who left it with work or a mark there."""
STUDENTS_OF_GRADEBOOK = RowQuery(GradebookStudent, STUDENTS_QUERY.where(IS_IN_GRADEBOOK))


def load_gradebook(session: VerbSession, caller: Caller, classroom_id: int, now: datetime) -> Gradebook:
    """The gradebook of a class of the teacher who asks."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    tasks = assigned.tasks_of_class(session, classroom_id)
    published_tasks = [task for task in reversed(tasks) if task.assignment.published_at]
    gradebook_students = session.all(STUDENTS_OF_GRADEBOOK, classroom=classroom_id)
    gradebook_work = load_gradebook_work(session, classroom_id)
    assignments = [task.assignment for task in published_tasks]
    regraded_cell_ids = changed_marks.load_regraded_cell_ids(session, classroom_id, assignments)
    gradebook_work = gradebook_work._replace(regraded_cell_ids=regraded_cell_ids)
    columns_with_marks = extra_columns.columns_with_marks(session, classroom_id)
    gradebook = gradebook_of(
        classroom, published_tasks, gradebook_students, gradebook_work, now, columns_with_marks
    )
    class_total_rules = total_rules.load_total_rules(session, classroom_id)
    gradebook = gradebook._replace(groups=groups.groups_of(session, classroom_id))
    return with_totals(
        gradebook, class_total_rules, total_rules.load_rule_by_assignment_id(session, classroom_id)
    )


class GradebookWork(NamedTuple):
    """What was done and decided in a class, by cell. `handed_in_attempts_by_cell_ids`: with the moment where
    that may be late; `answered_count_by_cell_ids`: of the questions of an open attempt; of overrides the
    latest stands. `regraded_cell_ids`: where work is worth something else since it was handed in.
    """

    handed_in_attempts_by_cell_ids: Mapping[CellIds, Sequence[HandedInAttempt]]
    answered_count_by_cell_ids: Mapping[CellIds, int]
    hand_mark_by_cell_ids: Mapping[CellIds, MarkByHand]
    regraded_cell_ids: Collection[CellIds] = ()


ATTEMPTS_OF_CLASS = PreparedStatement(
    select(
        SUBMISSION.assignment_id,
        SUBMISSION.enrolment_id,
        case((SUBMISSION.handed_in_at.is_(None), ANSWERED_QUESTION_COUNT)),
        SUBMISSION.number,
        func.coalesce(SUBMISSION.points, 0.0),
        SUBMISSION.late_factor,
        case((deadlines.MAY_BE_LATE, SUBMISSION.last_work_at)),
        SUBMISSION.is_collected,
        SUBMISSION.waiting_count,
        SUBMISSION.open_points,
    )
    .where(SUBMISSION.assignment_id == ASSIGNMENT.id, IS_PUBLISHED_IN_CLASS)
    .order_by(ASSIGNMENT.id, SUBMISSION.enrolment_id, SUBMISSION.number)
)
HAND_MARKS_OF_CLASS = PreparedStatement(
    HAND_MARKS_QUERY.where(OVERRIDE.assignment_id == ASSIGNMENT.id, IS_PUBLISHED_IN_CLASS)
)


def load_gradebook_work(session: VerbSession, classroom_id: int) -> GradebookWork:
    """What was done and decided in a class. Of thousands of attempts the times of few are read."""
    handed_in_attempts_by_cell_ids = defaultdict[CellIds, list[HandedInAttempt]](list)
    answered_count_by_cell_ids: dict[CellIds, int] = {}
    for (
        assignment_id,
        enrolment_id,
        answered_count,
        attempt_number,
        points,
        late_factor,
        stored_last_work_at,
        is_collected,
        waiting_count,
        open_points,
    ) in session.stream(ATTEMPTS_OF_CLASS, classroom=classroom_id):
        if answered_count is not None:
            answered_count_by_cell_ids[assignment_id, enrolment_id] = answered_count
            continue
        last_work_at = None
        if stored_last_work_at is not None:
            last_work_at = time_of(stored_last_work_at)
        handed_in_attempt = HandedInAttempt(
            attempt_number,
            points,
            late_factor,
            last_work_at,
            bool(is_collected),
            waiting_count,
            open_points,
        )
        handed_in_attempts_by_cell_ids[assignment_id, enrolment_id].append(handed_in_attempt)
    hand_mark_by_cell_ids: dict[CellIds, MarkByHand] = {}
    hand_mark_rows = session.all(HAND_MARKS_OF_CLASS, classroom=classroom_id)
    for assignment_id, enrolment_id, hand_points, is_excused in hand_mark_rows:
        hand_mark_by_cell_ids[assignment_id, enrolment_id] = MarkByHand(hand_points, bool(is_excused))
    return GradebookWork(handed_in_attempts_by_cell_ids, answered_count_by_cell_ids, hand_mark_by_cell_ids)


def gradebook_of(
    classroom: ClassRow,
    tasks: Sequence[AssignedTask],
    gradebook_students: Sequence[GradebookStudent],
    gradebook_work: GradebookWork,
    now: datetime,
    columns_with_marks: Sequence[tuple[ExtraColumnRow, ColumnMarks]],
) -> Gradebook:
    """Every cell, and the sums of rows and columns. Those who left are no part of the class's averages."""
    presence_flags = [gradebook_student.membership == "here" for gradebook_student in gradebook_students]
    gradebook_columns = []
    columns_of_cells = []
    for task in tasks:
        cells = task_cells_of(task, gradebook_students, gradebook_work, now)
        full_marks = full_points_of(task.parts)
        class_mark_sum = sum_of_marks(compress(cells, presence_flags), repeat(full_marks))
        asked_question_count = question_count(task.parts)
        gradebook_columns.append(
            GradebookColumn(task.assignment, full_marks, asked_question_count, class_mark_sum)
        )
        columns_of_cells.append(cells)
    for extra_column_row, mark_by_enrolment_id in columns_with_marks:
        cells = extra_marks.extra_cells_of(mark_by_enrolment_id, gradebook_students)
        class_mark_sum = sum_of_marks(compress(cells, presence_flags), repeat(extra_column_row.total))
        gradebook_columns.append(GradebookColumn(extra_column_row, extra_column_row.total, 0, class_mark_sum))
        columns_of_cells.append(cells)
    full_marks_of_columns = [gradebook_column.full_marks for gradebook_column in gradebook_columns]
    gradebook_rows = []
    for student_index, gradebook_student in enumerate(gradebook_students):
        row_cells = tuple(column_cells[student_index] for column_cells in columns_of_cells)
        row_mark_sum = sum_of_marks(row_cells, full_marks_of_columns)
        gradebook_rows.append(GradebookRow(gradebook_student, row_cells, row_mark_sum))
    return Gradebook(classroom, tuple(gradebook_columns), tuple(gradebook_rows))


def task_cells_of(
    task: AssignedTask,
    gradebook_students: Sequence[GradebookStudent],
    gradebook_work: GradebookWork,
    now: datetime,
) -> list[GradebookCell]:
    """A column: everybody at one assignment. What is alike for many of them is worked out once."""
    assignment_id = task.id

    @cache
    def schedule_of(extension: ExtensionRow | None) -> Schedule:
        return deadlines.schedule(task.assignment, extension, now)

    @cache
    def cell_of(
        handed_in_attempts: tuple[HandedInAttempt, ...],
        extension: ExtensionRow | None,
        hand_mark: MarkByHand,
        is_regraded: bool,
    ) -> GradebookCell:
        student_schedule = schedule_of(extension)
        return cell_with_submission(
            task.assignment, handed_in_attempts, student_schedule, hand_mark, is_regraded
        )

    cells = []
    for gradebook_student in gradebook_students:
        extension = task.extension_by_enrolment_id.get(gradebook_student.id)
        cell_ids = (assignment_id, gradebook_student.id)
        handed_in_attempts = gradebook_work.handed_in_attempts_by_cell_ids.get(cell_ids)
        hand_mark = gradebook_work.hand_mark_by_cell_ids.get(cell_ids, NOTHING_BY_HAND)
        if handed_in_attempts:
            is_regraded = cell_ids in gradebook_work.regraded_cell_ids
            cells.append(cell_of(tuple(handed_in_attempts), extension, hand_mark, is_regraded))
        else:
            is_assigned = task.is_for(gradebook_student.id)
            answered_count = gradebook_work.answered_count_by_cell_ids.get(cell_ids)
            cells.append(
                cell_without_submission(
                    gradebook_student, schedule_of(extension), hand_mark, answered_count, is_assigned
                )
            )
    return cells


EXCUSED_CELL = GradebookCell("exempt", is_by_hand=True)
"""免, whatever was handed in."""


def cell_with_submission(
    assignment: AssignmentRow,
    handed_in_attempts: Sequence[HandedInAttempt],
    student_schedule: Schedule,
    hand_mark: MarkByHand,
    is_regraded: bool,
) -> GradebookCell:
    """Where something was handed in: the mark, and how it came about. `student_schedule`: those of this
    student; `is_regraded`: whether it is worth something else since."""
    if hand_mark.excused:
        return EXCUSED_CELL
    counting_attempt = marks.counting_attempt(assignment.counts, handed_in_attempts) or handed_in_attempts[0]
    cell_state: CellState = "done"
    if student_schedule.is_called_late(counting_attempt):
        cell_state = "late"
    is_collected = counting_attempt.is_collected
    unmarked_answer_count = marks.waiting_count_of(assignment.counts, handed_in_attempts, hand_mark.points)
    if unmarked_answer_count:
        return GradebookCell(
            cell_state,
            is_collected=is_collected,
            waiting_count=unmarked_answer_count,
            points_so_far=counting_attempt.counted_points,
        )
    if hand_mark.points is None:
        return GradebookCell(
            cell_state,
            counting_attempt.counted_points,
            is_collected=is_collected,
            is_regraded=is_regraded,
        )
    return GradebookCell(cell_state, hand_mark.points, is_by_hand=True, is_collected=is_collected)


def cell_without_submission(
    gradebook_student: GradebookStudent,
    student_schedule: Schedule,
    hand_mark: MarkByHand,
    answered_count: int | None,
    is_assigned: bool,
) -> GradebookCell:
    """Where nothing was handed in. `answered_count`: of the questions of an open attempt, None with none."""
    if hand_mark.excused:
        return EXCUSED_CELL
    cell_state: CellState
    if answered_count is not None:
        cell_state = "begun"
    elif gradebook_student.membership != "here":
        cell_state = "gone"
    elif not is_assigned or student_schedule.ended_without(gradebook_student):
        cell_state = "exempt"
    else:
        cell_state = CELL_STATE_BY_SCHEDULE_STATE.get(student_schedule.state, "new")
    is_over = gradebook_student.membership == "here" and student_schedule.state == "over"
    is_absent = cell_state == "missing" or (cell_state == "begun" and is_over)
    return GradebookCell(
        cell_state, hand_mark.points, answered_count or 0, hand_mark.is_set, is_absent=is_absent
    )


CELL_STATE_BY_SCHEDULE_STATE: Mapping[str, CellState] = {"over": "missing", "soon": "soon"}
"""What an empty cell means, by where the time stands."""


def sum_of_marks(cells: Iterable[GradebookCell], full_marks_of_columns: Iterable[float]) -> MarkSum:
    """The marks that are there, of assignments that are worth something; what is missing is counted aside.

    `full_marks_of_columns`: the full marks of each cell.
    """
    sum_of_points = sum_of_full_marks = 0.0
    marked_count = missing_count = 0
    for cell, full_marks in zip(cells, full_marks_of_columns, strict=False):
        if cell.points is not None and full_marks:
            sum_of_points += cell.points
            sum_of_full_marks += full_marks
            marked_count += 1
        elif cell.is_absent:
            missing_count += 1
    return MarkSum(sum_of_points, sum_of_full_marks, marked_count, missing_count)
