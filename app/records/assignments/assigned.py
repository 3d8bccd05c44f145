"""Assignments as a teacher's pages of a class look at them: their parts, for whom, until when."""

from collections import defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select

from app.records.assignments.deadlines import Schedule, schedule, student_times
from app.records.assignments.rows import (
    ASSIGNEE,
    ASSIGNMENT,
    ASSIGNMENTS_QUERY,
    EXTENSION,
    EXTENSIONS_QUERY,
    HAND_MARKS_QUERY,
    IS_ASSIGNMENT_OF_CLASS,
    OVERRIDE,
    PART,
    PARTS_QUERY,
    SETS_A_MARK,
)
from app.records.assignments.values import AssignmentRow, ExtensionRow, PartRow
from app.records.classes.values import Student
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery


class AssignedTask(NamedTuple):
    """An assignment with its parts. `assignee_ids`: the enrolments it is for, None for everyone's;
    `excused_enrolment_ids`: those who need not do it; `hand_points_by_enrolment_id`: the marks that their
    teacher set."""

    assignment: AssignmentRow
    parts: Sequence[PartRow]
    assignee_ids: frozenset[int] | None
    extension_by_enrolment_id: Mapping[int, ExtensionRow]
    excused_enrolment_ids: Collection[int] = frozenset()
    hand_points_by_enrolment_id: Mapping[int, float] = MappingProxyType({})

    @property
    def id(self) -> int:
        return self.assignment.id

    @property
    def title(self) -> str:
        return self.assignment.title

    def is_for(self, enrolment_id: int) -> bool:
        if enrolment_id in self.excused_enrolment_ids:
            return False
        return self.assignee_ids is None or enrolment_id in self.assignee_ids

    def receivers(
        self, students: Iterable[Student], enrolment_ids_with_work: Container[int]
    ) -> tuple[Student, ...]:
        """Whom it is for, but for those who came when it was over; and who has worked at it."""
        usual_times = student_times(self.assignment, None)
        receivers = []
        for student in students:
            times_of_student = usual_times
            if student.id in self.extension_by_enrolment_id:
                times_of_student = student_times(self.assignment, self.extension_by_enrolment_id[student.id])
            is_receiver = self.is_for(student.id) and not times_of_student.ended_without(student)
            if is_receiver or student.id in enrolment_ids_with_work:
                receivers.append(student)
        return tuple(receivers)

    def schedule_lookup_at(self, moment: datetime) -> Callable[[int], Schedule]:
        """When each student may work at it, and where a moment lies in it; once for all without extension."""
        usual_schedule = schedule(self.assignment, None, moment)

        def schedule_of(enrolment_id: int) -> Schedule:
            extension = self.extension_by_enrolment_id.get(enrolment_id)
            if extension is None:
                return usual_schedule
            return schedule(self.assignment, extension, moment)

        return schedule_of

    def is_open_to_anybody(self, now: datetime) -> bool:
        """Whether it is open to the class, or to one with an extension: of a year's work, little is."""
        extensions = [None, *self.extension_by_enrolment_id.values()]
        return any(schedule(self.assignment, extension, now).takes_work for extension in extensions)


class TaskQueries(NamedTuple):
    """What is asked of some assignments: themselves, their parts, for whom they are, what their teacher
    decided of whom (both by id of the enrolment), and who has more time."""

    assignments_query: RowQuery[AssignmentRow]
    parts_query: RowQuery[PartRow]
    assignee_ids_query: PreparedStatement
    hand_marks_query: PreparedStatement
    extensions_query: RowQuery[ExtensionRow]


def task_queries(condition: ColumnElement[bool]) -> TaskQueries:
    """The queries for the assignments of which a condition is true."""
    assignment_ids_query = select(ASSIGNMENT.id).where(condition)
    assignments_query = ASSIGNMENTS_QUERY.where(condition).order_by(ASSIGNMENT.id.desc())
    assignees_query = select(ASSIGNEE.assignment_id, ASSIGNEE.enrolment_id)
    hand_marks_query = HAND_MARKS_QUERY.where(SETS_A_MARK)
    return TaskQueries(
        RowQuery(AssignmentRow, assignments_query),
        RowQuery(PartRow, PARTS_QUERY.where(PART.assignment_id.in_(assignment_ids_query))),
        PreparedStatement(assignees_query.where(ASSIGNEE.assignment_id.in_(assignment_ids_query))),
        PreparedStatement(hand_marks_query.where(OVERRIDE.assignment_id.in_(assignment_ids_query))),
        RowQuery(ExtensionRow, EXTENSIONS_QUERY.where(EXTENSION.assignment_id.in_(assignment_ids_query))),
    )


QUERIES_OF_CLASS_TASKS = task_queries(IS_ASSIGNMENT_OF_CLASS)


def tasks_of_class(session: VerbSession, classroom_id: int) -> tuple[AssignedTask, ...]:
    """All assignments of a class, the newest first."""
    return load_tasks(session, QUERIES_OF_CLASS_TASKS, classroom=classroom_id)


def load_tasks(
    session: VerbSession, task_queries: TaskQueries, **parameters: Any
) -> tuple[AssignedTask, ...]:
    """Assignments, the newest first, in five statements; `parameters`: what their condition asks for."""
    parts_by_assignment_id = defaultdict[int, list[PartRow]](list)
    for part in session.all(task_queries.parts_query, **parameters):
        parts_by_assignment_id[part.assignment_id].append(part)
    assignee_ids_by_assignment_id = defaultdict[int, list[int]](list)
    for assignment_id, enrolment_id in session.all(task_queries.assignee_ids_query, **parameters):
        assignee_ids_by_assignment_id[assignment_id].append(enrolment_id)
    excused_ids_by_assignment_id = defaultdict[int, set[int]](set)
    hand_points_by_assignment_id = defaultdict[int, dict[int, float]](dict)
    hand_mark_rows = session.all(task_queries.hand_marks_query, **parameters)
    for assignment_id, enrolment_id, hand_points, is_excused in hand_mark_rows:
        if is_excused:
            excused_ids_by_assignment_id[assignment_id].add(enrolment_id)
        else:
            hand_points_by_assignment_id[assignment_id][enrolment_id] = hand_points
    extensions_by_assignment_id = defaultdict[int, dict[int, ExtensionRow]](dict)
    for extension in session.all(task_queries.extensions_query, **parameters):  # the latest row counts
        extensions_by_assignment_id[extension.assignment_id][extension.enrolment_id] = extension
    tasks = []
    for assignment in session.all(task_queries.assignments_query, **parameters):
        assignee_ids = None
        if not assignment.everyone:
            assignee_ids = frozenset(assignee_ids_by_assignment_id[assignment.id])
        task = AssignedTask(
            assignment,
            parts_by_assignment_id[assignment.id],
            assignee_ids,
            extensions_by_assignment_id[assignment.id],
            excused_ids_by_assignment_id[assignment.id],
            hand_points_by_assignment_id[assignment.id],
        )
        tasks.append(task)
    return tuple(tasks)


def task_with_id(tasks: Sequence[AssignedTask], assignment_id: int | None) -> AssignedTask | None:
    """The assignment that an address names, None where it names none; NotFound for that of another class."""
    if assignment_id is None:
        return None
    for task in tasks:
        if task.id == assignment_id:
            return task
    raise NotFound("这个班没有这份作业。")
