"""What a student takes along into another class: marks of what stands in both under one title."""

from datetime import datetime

from app.course.assignments.question_sets import full_points_of
from app.records.accounts.values import Caller
from app.records.assignments import assigned, audit, deadlines
from app.records.assignments.values import MarkByHand, OverrideRow, TaughtAssignment
from app.records.classes import class_members, classrooms
from app.records.classes.rights import Right
from app.records.classes.values import ClassRow
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
    """Into another class of the same teacher, with the marks of what stands in both under one title with the
    same full marks; what is there already stays. Returns how many marks came along; None for a second click,
    which changes nothing.

    They are marks by hand, with where they come from for a reason. The old class keeps everything.
    """
    classroom = classrooms.editable_class(session, caller, classroom_id, Right.OWN)
    target_class = classrooms.editable_class(session, caller, target_class_id, Right.OWN)
    if class_members.is_moved_already(session, classroom_id, enrolment_id, target_class_id):
        return None
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    mark_by_title_and_total = shown_mark_by_title_and_total(session, classroom, enrolment_id, now)
    extra_mark_by_title = extra_columns.mark_by_title_of_student(session, classroom_id, enrolment_id)
    class_members.move_student(session, caller, classroom_id, enrolment_id, target_class_id, now)
    moved_student = classrooms.student_of_learner(session, target_class_id, student.learner_id)
    if moved_student is None:
        raise NotFound
    brought_mark_count = extra_columns.add_brought_marks(
        session, target_class_id, moved_student.id, extra_mark_by_title
    )
    reason = f"从{classroom.name}带来"
    for task in assigned.tasks_of_class(session, target_class_id):
        mark_by_hand = mark_by_title_and_total.get((task.title, full_points_of(task.parts)))
        if mark_by_hand is not None and task.assignment.published_at is not None:
            taught_assignment = TaughtAssignment(target_class, task.assignment)
            override = OverrideRow(mark_by_hand.points, reason, now, mark_by_hand.excused, told=True)
            brought_mark_count += carry_mark(session, taught_assignment, moved_student.id, override)
    return brought_mark_count


def carry_mark(
    session: VerbSession, taught_assignment: TaughtAssignment, enrolment_id: int, override: OverrideRow
) -> bool:
    """Set a mark from another class where the assignment is for the student, who has handed nothing in and
    has no mark by hand; whether it was set."""
    if not mark_overrides.is_assignment_given_to(session, taught_assignment.assignment, enrolment_id):
        return False
    now = override.created_at
    opened_cell = mark_overrides.open_cell(session, taught_assignment, enrolment_id, now)
    if opened_cell.counting_attempt or opened_cell.cell.is_by_hand:
        return False
    mark_overrides.add_override(session, opened_cell, override)
    log_detail = {"points": [None, override.points], "reason": override.reason}
    audit.add_line(session, taught_assignment, "carried", log_detail, now, enrolment_id)
    return True


def shown_mark_by_title_and_total(
    session: VerbSession, classroom: ClassRow, enrolment_id: int, now: datetime
) -> dict[tuple[str, float], MarkByHand]:
    """What a student knows to have in the gradebook of a class: a mark or 免, by title and full marks."""
    mark_by_title_and_total = {}
    for task in assigned.tasks_of_class(session, classroom.id):
        if task.assignment.published_at is None:
            continue
        taught_assignment = TaughtAssignment(classroom, task.assignment)
        opened_cell = mark_overrides.open_cell(session, taught_assignment, enrolment_id, now)
        mark_by_hand = MarkByHand(opened_cell.cell.points, opened_cell.cell_records.hand_mark.excused)
        if mark_by_hand.is_set and is_mark_shown(opened_cell, now):
            mark_by_title_and_total[task.title, full_points_of(task.parts)] = mark_by_hand
    return mark_by_title_and_total


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
