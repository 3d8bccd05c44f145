"""What a student takes along into another class: marks of what stands in both."""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from datetime import datetime

from app.course.assignments.question_sets import full_points_of
from app.records.accounts.values import Caller
from app.records.assignments import assigned, audit, deadlines
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.values import MarkByHand, OverrideRow, TaughtAssignment
from app.records.classes import class_members, classrooms
from app.records.classes.rights import Right
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.grading import extra_columns, mark_overrides
from app.records.grading.mark_overrides import CellData


def move_with_marks(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    target_class_id: int,
    now: datetime,
) -> int | None:
    """Into another class of the same teacher, with the marks of what stands in both (see `same_task_pairs`);
    what is there already stays. Returns how many marks came along; None for a second click,
    which changes nothing.

    They are marks by hand, with where they come from for a reason. The old class keeps everything.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    target_class = classrooms.editable_class(session, caller, target_class_id, Right.OWN)
    if class_members.is_moved_already(session, classroom_id, enrolment_id, target_class_id):
        return None
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    source_tasks = []
    mark_by_assignment_id = {}
    for task in published_tasks_of_class(session, classroom_id):
        mark_of_task = shown_mark(session, TaughtAssignment(classroom, task.assignment), enrolment_id, now)
        mark_by_assignment_id[task.id] = mark_of_task
        if mark_of_task is not None or is_given_to(task, enrolment_id):
            source_tasks.append(task)
    extra_mark_by_title_and_total = extra_columns.student_mark_by_title_and_total(
        session, classroom_id, enrolment_id
    )
    class_members.move_student(session, caller, classroom_id, enrolment_id, target_class_id, now)
    moved_student = classrooms.student_of_learner(session, target_class_id, student.learner_id)
    if moved_student is None:
        raise NotFound
    reason = f"从{classroom.name}带来"
    brought_mark_count = extra_columns.add_brought_marks(
        session, target_class, moved_student.id, extra_mark_by_title_and_total, reason, now
    )
    target_tasks = [
        task
        for task in published_tasks_of_class(session, target_class_id)
        if is_given_to(task, moved_student.id)
    ]
    for source_task, target_task in same_task_pairs(source_tasks, target_tasks):
        mark_of_task = mark_by_assignment_id[source_task.id]
        if mark_of_task is not None:
            taught_assignment = TaughtAssignment(target_class, target_task.assignment)
            override = OverrideRow(mark_of_task.points, reason, now, mark_of_task.excused, told=True)
            brought_mark_count += carry_mark(session, taught_assignment, moved_student.id, override)
    return brought_mark_count


def published_tasks_of_class(session: VerbSession, classroom_id: int) -> list[AssignedTask]:
    tasks = assigned.tasks_of_class(session, classroom_id)
    return [task for task in tasks if task.assignment.published_at is not None]


def is_given_to(task: AssignedTask, enrolment_id: int) -> bool:
    """Whether a student is to do an assignment, or was until they were excused."""
    return task.assignee_ids is None or enrolment_id in task.assignee_ids


def same_task_pairs(
    source_tasks: Sequence[AssignedTask], target_tasks: Sequence[AssignedTask]
) -> list[tuple[AssignedTask, AssignedTask]]:
    """Pairs of what is the same assignment in two classes: given to both together, else the only one of its
    title in either. Full marks are the same. Of several that are alike nobody can say which is which."""
    task_pairs: list[tuple[AssignedTask, AssignedTask]] = []
    for task_key_of in (series_and_full_points, title_and_full_points):
        source_task_by_key = only_task_by_key(source_tasks, task_key_of)
        for task_key, target_task in only_task_by_key(target_tasks, task_key_of).items():
            source_task = source_task_by_key.get(task_key)
            if source_task is not None:
                task_pairs.append((source_task, target_task))
        paired_assignment_ids = {task.id for task_pair in task_pairs for task in task_pair}
        source_tasks = [task for task in source_tasks if task.id not in paired_assignment_ids]
        target_tasks = [task for task in target_tasks if task.id not in paired_assignment_ids]
    return task_pairs


def series_and_full_points(task: AssignedTask) -> Hashable:
    """None for an assignment of one class alone."""
    if task.assignment.series is None:
        return None
    return task.assignment.series, full_points_of(task.parts)


def title_and_full_points(task: AssignedTask) -> Hashable:
    return task.title, full_points_of(task.parts)


def only_task_by_key(
    tasks: Sequence[AssignedTask], task_key_of: Callable[[AssignedTask], Hashable]
) -> dict[Hashable, AssignedTask]:
    """The assignments whose key no other has."""
    count_by_key = Counter(map(task_key_of, tasks))
    return {
        task_key_of(task): task
        for task in tasks
        if task_key_of(task) is not None and count_by_key[task_key_of(task)] == 1
    }


def carry_mark(
    session: VerbSession, taught_assignment: TaughtAssignment, enrolment_id: int, override: OverrideRow
) -> bool:
    """Set a mark from another class where the student has handed nothing in and has no mark by hand; whether
    it was set."""
    now = override.created_at
    opened_cell = mark_overrides.cell_data_of(session, taught_assignment, enrolment_id, now)
    if opened_cell.counting_attempt or opened_cell.cell.is_by_hand:
        return False
    mark_overrides.add_override(session, opened_cell, override)
    log_detail = {"points": [None, override.points], "reason": override.reason}
    audit.add_line(session, taught_assignment, "carried", log_detail, now, enrolment_id)
    return True


def shown_mark(
    session: VerbSession, taught_assignment: TaughtAssignment, enrolment_id: int, now: datetime
) -> MarkByHand | None:
    """What a student knows to have at an assignment: a mark or 免."""
    opened_cell = mark_overrides.cell_data_of(session, taught_assignment, enrolment_id, now)
    hand_mark = MarkByHand(opened_cell.cell.points, opened_cell.cell_records.hand_mark.excused)
    if hand_mark.is_set and is_mark_shown(opened_cell, now):
        return hand_mark
    return None


def is_mark_shown(opened_cell: CellData, now: datetime) -> bool:
    """Whether the student may know by now what stands in a cell: 免 always, a sealed result never."""
    if opened_cell.cell_records.hand_mark.excused:
        return True
    if opened_cell.assignment.answers == "never":
        return False
    hand_in_times = [
        attempt.handed_in_at for attempt in opened_cell.cell_records.attempts if attempt.handed_in_at
    ]
    for handed_in_at in hand_in_times:
        shown_from = deadlines.shown_from(
            opened_cell.assignment, opened_cell.cell_records.extension, handed_in_at
        )
        if shown_from is None or shown_from <= now:
            return True
    return not hand_in_times
