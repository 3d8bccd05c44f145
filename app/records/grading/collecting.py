"""收卷: the teacher ends an assignment and takes in what was not handed in; timed work ends by the clock."""

import logging
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import bindparam, func, or_, select, true

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.records.accounts.values import Caller
from app.records.assignments import audit, lifecycle, lookup
from app.records.assignments.deadlines import (
    EXTENSIONS_DUE_LATER,
    IS_DUE_LATER,
    has_passed,
    newest_passed_time,
    schedule_of,
    student_times,
)
from app.records.assignments.outside_work import load_outside_log
from app.records.assignments.rows import ASSIGNMENT, EXTENSION, IS_PUBLISHED_IN_CLASS, PART, SUBMISSION
from app.records.assignments.time_limits import is_time_up, time_up_at, time_up_of
from app.records.assignments.values import (
    AssignmentAttempt,
    AssignmentKey,
    ListedAssignment,
    StudentAssignment,
    TaughtAssignment,
)
from app.records.classes import classrooms
from app.records.classes.classrooms import ENROLMENT
from app.records.classes.values import ClassRow
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading import submissions
from app.records.grading.student_assignments import has_ended_without_student, load_assignment_of_attempt

log = logging.getLogger(__name__)


def collect_work(
    session: VerbSession,
    caller: Caller,
    assignment_key: AssignmentKey,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> int:
    """Close it, and hand in for everybody what they have saved. Returns how many papers that were.

    A student who was given more time than this has it still, while the assignment is theirs to do. Late is
    who worked on after the due time, not who did not press the button. Work that cannot be marked is left as
    it is, and the log says whose.
    """
    taught_assignment = lookup.editable_assignment(session, caller, assignment_key)
    if taught_assignment.assignment.published_at is None:
        raise Refused("还没有发布，没有卷子可收。")
    closed_assignment = lifecycle.close_assignment(session, taught_assignment, now)
    collected_count = 0
    uncollected_enrolment_ids = []
    taught_assignment = taught_assignment._replace(assignment=closed_assignment)
    for student_assignment in assignments_of_students(session, taught_assignment):
        if schedule_of(student_assignment, now).takes_work:
            continue
        try:
            with session.savepoint():
                collected_count += hand_in_for_student(session, student_assignment, course_by_prefix, now)
        except Exception as error:  # one work that cannot be marked must not hold up all others
            if session.is_database_error(error):
                raise
            enrolment_id = student_assignment.enrolment_id
            log.exception(
                "the work of enrolment %s at assignment %s could not be collected",
                enrolment_id,
                closed_assignment.id,
            )
            uncollected_enrolment_ids.append(enrolment_id)
    log_detail: dict[str, Any] = {"papers": collected_count}
    if uncollected_enrolment_ids:
        log_detail["left"] = uncollected_enrolment_ids
    if collected_count or uncollected_enrolment_ids:
        audit.add_line(session, taught_assignment, "collect", log_detail, now)
    return collected_count


class UncollectedWork(NamedTuple):
    """An assignment that has ended, and how many papers of it wait for 收卷."""

    assignment_id: int
    title: str
    attempt_count: int


HAS_TIME_AFTER_THE_END = EXTENSIONS_DUE_LATER.where(
    EXTENSION.enrolment_id == SUBMISSION.enrolment_id
).exists()
UNCOLLECTED_WORKS_QUERY = (
    select(
        ASSIGNMENT.id.label("assignment_id"),
        ASSIGNMENT.title,
        func.count(SUBMISSION.attempt_id).label("attempt_count"),
    )
    .where(
        IS_PUBLISHED_IN_CLASS,
        or_(ASSIGNMENT.closed_at.is_not(None), IS_DUE_LATER.is_not(true())),
        SUBMISSION.assignment_id == ASSIGNMENT.id,
        SUBMISSION.handed_in_at.is_(None),
        ~HAS_TIME_AFTER_THE_END,
    )
    .group_by(ASSIGNMENT.id, ASSIGNMENT.title)
    .order_by(ASSIGNMENT.id)
)
UNCOLLECTED_WORKS = RowQuery(UncollectedWork, UNCOLLECTED_WORKS_QUERY)


def load_uncollected_works(
    session: VerbSession, classroom_id: int, now: datetime
) -> Sequence[UncollectedWork]:
    """What of a class has ended and waits for 收卷; no papers of those who still have time."""
    return session.all(UNCOLLECTED_WORKS, classroom=classroom_id, newest_passed_time=newest_passed_time(now))


def load_class_assignments_and_uncollected_works(
    session: VerbSession, caller: Caller, classroom_id: int, now: datetime
) -> tuple[ClassRow, Sequence[ListedAssignment], Sequence[UncollectedWork]]:
    """The assignments of a class for its teacher, the newest first, and what of them waits for 收卷."""
    classroom, listed_assignments = lookup.load_class_and_assignments(session, caller, classroom_id)
    return classroom, listed_assignments, load_uncollected_works(session, classroom.id, now)


def assignments_of_students(
    session: VerbSession, taught_assignment: TaughtAssignment
) -> list[StudentAssignment]:
    """The assignment as each student has it who is in the class, and as those have it who left the class in
    the midst of an attempt."""
    classroom, assignment = taught_assignment
    parts = lookup.parts_of(session, assignment.id)
    extension_by_enrolment_id = lookup.extension_by_enrolment_id_of(session, assignment.id)
    assignee_ids = lookup.assignee_ids_of(session, assignment.id)
    attempts = lookup.attempts_of_assignment(session, assignment.id)
    attempts_by_enrolment_id = lookup.attempts_by_enrolment_id_of(attempts)
    student_assignments = []
    for student in classrooms.load_present_students(session, classroom.id):
        attempts_of_student = attempts_by_enrolment_id.pop(student.id, [])
        is_still_given = assignment.everyone or student.id in assignee_ids
        if is_still_given or attempts_of_student:
            student_assignment = StudentAssignment(
                assignment,
                classroom.name,
                student.id,
                student.learner_id,
                student.joined_at,
                extension=extension_by_enrolment_id.get(student.id),
                parts=parts,
                attempts=tuple(attempts_of_student),
                is_still_given=is_still_given,
                time_factor=student.time_factor,
                absences=student.absences,
            )
            student_assignments.append(student_assignment)
    for attempts_left_behind in attempts_by_enrolment_id.values():
        if attempts_left_behind[-1].handed_in_at is None:
            assignment_of_leaver = load_assignment_of_attempt(session, attempts_left_behind[-1].attempt_id)
            if assignment_of_leaver is not None:
                student_assignments.append(assignment_of_leaver)
    return student_assignments


def hand_in_for_student(
    session: VerbSession,
    student_assignment: StudentAssignment,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> bool:
    """Hand in for one student what there is; False where there is nothing."""
    open_attempt = student_assignment.open_attempt
    if open_attempt is None:
        if student_assignment.attempts or has_ended_without_student(student_assignment):
            return False
        outside_log = load_outside_log(session, student_assignment, course_by_prefix, now)
        if not outside_log.is_anything_done(now):
            return False
        # Nothing was begun, but a section was learnt, cards were reviewed or a game was played for it.
        open_attempt = submissions.add_attempt(session, student_assignment, course_by_prefix, now)
    submissions.mark_and_hand_in(
        session, student_assignment, open_attempt, course_by_prefix, now, is_collected=True
    )
    return True


# By the clock: an attempt whose time is up.

SWEPT_AGE = timedelta(days=3)
"""What was begun before that is left to its teacher: the site stood still, or had no such rule yet."""
SINCE_PARAMETER: Any = bindparam("since", type_=SUBMISSION.started_at.type)
IS_AT_TIMED_ASSIGNMENT = (ASSIGNMENT.minutes > 0, ASSIGNMENT.id == SUBMISSION.assignment_id)
IS_RUNNING_ATTEMPT = (SUBMISSION.handed_in_at.is_(None), SUBMISSION.started_at > SINCE_PARAMETER)
TIMES_OF_ATTEMPTS = select(
    SUBMISSION.attempt_id,
    SUBMISSION.assignment_id,
    SUBMISSION.started_at,
    ASSIGNMENT.minutes * ENROLMENT.time_factor,
    ASSIGNMENT.due_at,
)
IS_STUDENT_OF_ATTEMPT = ENROLMENT.id == SUBMISSION.enrolment_id
TIMED_ATTEMPTS = PreparedStatement(
    TIMES_OF_ATTEMPTS.where(*IS_AT_TIMED_ASSIGNMENT, *IS_RUNNING_ATTEMPT, IS_STUDENT_OF_ATTEMPT)
)
REFS_OF_PARTS = PreparedStatement(select(PART.ref).where(PART.assignment_id == bindparam("assignment")))


def load_part_refs_of_overdue_attempts(session: VerbSession, now: datetime) -> Mapping[int, Sequence[str]]:
    """The timed attempts that nobody handed in while there was time, each with the refs of its parts."""
    part_refs_by_attempt_id: dict[int, Sequence[str]] = {}
    part_refs_by_assignment_id: dict[int, Sequence[str]] = {}
    attempt_rows = session.all(TIMED_ATTEMPTS, since=now - SWEPT_AGE)
    for attempt_id, assignment_id, started_at, minutes_allowed, due_at in attempt_rows:
        is_over = is_time_up(time_up_of(started_at, minutes_allowed), now)
        is_due = due_at is not None and has_passed(due_at, now)
        if not is_over and not (is_due and load_ended_attempt(session, attempt_id, now)):
            continue
        if assignment_id not in part_refs_by_assignment_id:
            ref_rows = session.all(REFS_OF_PARTS, assignment=assignment_id)
            part_refs_by_assignment_id[assignment_id] = [part_ref for (part_ref,) in ref_rows]
        part_refs_by_attempt_id[attempt_id] = part_refs_by_assignment_id[assignment_id]
    return part_refs_by_attempt_id


def hand_in_at_time_up(
    session: VerbSession, attempt_id: int, course_by_prefix: MarkingCourseByPrefix, now: datetime
) -> bool:
    """Hand in what was saved in a timed attempt that is over; it is one of those that a student has. False
    where it was handed in meanwhile, or was given more time."""
    ended_attempt = load_ended_attempt(session, attempt_id, now)
    if ended_attempt is None:
        return False
    student_assignment, attempt, ended_at = ended_attempt
    submissions.mark_and_hand_in(
        session, student_assignment, attempt, course_by_prefix, now, ended_at=ended_at
    )
    return True


class EndedAttempt(NamedTuple):
    """A timed attempt in which nothing is taken any more. `ended_at`: since when, as people are told."""

    student_assignment: StudentAssignment
    attempt: AssignmentAttempt
    ended_at: datetime


def load_ended_attempt(session: VerbSession, attempt_id: int, now: datetime) -> EndedAttempt | None:
    """A timed attempt whose time is up, or whose assignment is over for its student. None while work is
    taken, and where it has no limit: its teacher collects it."""
    student_assignment = load_assignment_of_attempt(session, attempt_id)
    if student_assignment is None:
        return None
    open_attempt = student_assignment.open_attempt
    if open_attempt is None or open_attempt.attempt_id != attempt_id:
        return None
    time_is_up_at = time_up_at(student_assignment, open_attempt)
    if time_is_up_at is None:
        return None
    times_of_student = student_times(student_assignment.assignment, student_assignment.extension)
    attempt_ends_at = min(time_is_up_at, times_of_student.ends_at or time_is_up_at)
    if not is_time_up(attempt_ends_at, now):
        return None
    ended_at = min(time_is_up_at, times_of_student.taken_until or time_is_up_at)
    return EndedAttempt(student_assignment, open_attempt, ended_at)
