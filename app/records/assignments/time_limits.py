"""The time for an attempt, from when it is begun: when it is up, and how much longer some students have.

How much longer a student has is said once in a class, and holds for all of its timed assignments.
"""

from datetime import datetime, timedelta

from sqlalchemy import bindparam, select

from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, IS_ASSIGNMENT_OF_CLASS, SUBMISSION
from app.records.assignments.values import AssignmentAttempt, StudentAssignment
from app.records.classes import class_log, classrooms
from app.records.classes.class_members import SET_TIME_FACTOR
from app.records.classes.values import Student
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

HAND_IN_GRACE = timedelta(seconds=15)
"""What was written in time may take so long to arrive."""
TIME_FACTORS = (1.0, 1.25, 1.5, 2.0, 3.0)


def time_up_at(student_assignment: StudentAssignment, attempt: AssignmentAttempt) -> datetime | None:
    """When the time for an attempt is up, by the clock of the server; None where it has no limit."""
    if not student_assignment.minutes:
        return None
    return time_up_of(attempt.started_at, student_assignment.minutes)


def time_up_of(started_at: datetime, minutes_allowed: float) -> datetime:
    """When the time is up of what was begun then. `minutes_allowed`: those of this student, more than 0."""
    return started_at + timedelta(minutes=minutes_allowed)


def is_time_up(time_is_up_at: datetime, now: datetime) -> bool:
    """Whether nothing is taken any more: what was sent in time has had the time to arrive.

    >>> from datetime import UTC
    >>> bell = datetime(2026, 9, 1, 8, 40, tzinfo=UTC)
    >>> is_time_up(bell, bell + timedelta(seconds=14)), is_time_up(bell, bell + timedelta(seconds=15))
    (False, True)
    """
    return now >= time_is_up_at + HAND_IN_GRACE


def last_counting_moment(
    student_assignment: StudentAssignment, attempt: AssignmentAttempt, now: datetime
) -> datetime:
    """Until when work on an attempt counts: now, or when its time was up."""
    time_is_up_at = time_up_at(student_assignment, attempt)
    if time_is_up_at is None:
        return now
    return min(now, time_is_up_at)


def time_up_sentence(student_assignment: StudentAssignment, attempt: AssignmentAttempt, now: datetime) -> str:
    """Why nothing is taken any more in an attempt that was begun; empty while there is time."""
    time_is_up_at = time_up_at(student_assignment, attempt)
    if time_is_up_at is None or not is_time_up(time_is_up_at, now):
        return ""
    minutes_text = f"{student_assignment.minutes:g}"
    return f"{minutes_text}分钟到了，不能再改。存下的都在，去交卷；不交，过一会儿服务器照那些替你交。"


# How much longer a student has.


def set_time_factor(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    time_factor: float,
    now: datetime,
) -> None:
    """So many times the minutes of the others, also for what was begun already: there it only grows."""
    classroom = classrooms.editable_class(session, caller, classroom_id)
    student = classrooms.student_of_class(session, classroom.id, enrolment_id)
    if time_factor not in TIME_FACTORS:
        raise Refused("做题时间是别人的几倍？从列出来的里面选一个。")
    if time_factor == student.time_factor:
        return
    if time_factor < student.time_factor:
        expect_no_running_timed_attempt(session, classroom.id, student)
    session.run(SET_TIME_FACTOR, enrolment=student.id, time_factor=time_factor)
    log_detail = {"factor": [student.time_factor, time_factor]}
    class_log.add_line(session, classroom, "time-factor", log_detail, now, student.id)


IS_RUNNING_OF_STUDENT = (SUBMISSION.enrolment_id == bindparam("enrolment"), SUBMISSION.handed_in_at.is_(None))
IS_TIMED_ASSIGNMENT_OF_CLASS = (IS_ASSIGNMENT_OF_CLASS, ASSIGNMENT.minutes > 0)
RUNNING_TITLES_QUERY = select(ASSIGNMENT.title).where(
    ASSIGNMENT.id == SUBMISSION.assignment_id, *IS_RUNNING_OF_STUDENT, *IS_TIMED_ASSIGNMENT_OF_CLASS
)
TITLES_OF_RUNNING_TIMED = PreparedStatement(RUNNING_TITLES_QUERY.order_by(SUBMISSION.attempt_id))


def expect_no_running_timed_attempt(session: VerbSession, classroom_id: int, student: Student) -> None:
    """Refused where a student would have less time for what they have begun than they were told."""
    title_row = session.first(TITLES_OF_RUNNING_TIMED, enrolment=student.id, classroom=classroom_id)
    if title_row:
        (title,) = title_row
        raise Refused(
            f"{student.name}正在做“{title}”，时间已经给了别人的{student.time_factor:g}倍，中途不能改短。"
            "等这份交上来，或者先收卷，再改。"
        )


def copy_time_factors(session: VerbSession, source_class_id: int, target_class_id: int) -> None:
    """What students have in one class as their factor, for the same students in another."""
    for student in classrooms.load_present_students(session, source_class_id):
        target_student = classrooms.student_of_learner(session, target_class_id, student.learner_id)
        if target_student is not None:
            session.run(SET_TIME_FACTOR, enrolment=target_student.id, time_factor=student.time_factor)
