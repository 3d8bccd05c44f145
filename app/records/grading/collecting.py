"""收卷: the teacher ends an assignment and takes in what was not handed in."""

from collections import defaultdict
from datetime import datetime

from app.records.accounts.values import Caller
from app.records.assignments import audit, lifecycle, lookup
from app.records.assignments.deadlines import MINUTE, counted_until, schedule
from app.records.assignments.values import StudentAssignment, SubmissionRow, TaughtAssignment
from app.records.classes import classrooms
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.grading import submissions
from app.records.grading.student_assignments import Courses, outside_shares, saved_in
from app.records.learning import attempts


def collect(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int,
    courses: Courses,
    now: datetime,
) -> int:
    """Close it, and hand in for everybody what they have saved. Returns how many papers that were.

    A student who was given more time than this has it still. Late is who worked on after the due time, not
    who did not press the button.
    """
    taught = lookup.editable_assignment(session, caller, classroom_id, assignment_id)
    if taught.assignment.published_at is None:
        raise Refused("还没有发布，没有卷子可收。")
    closed_assignment = lifecycle.end(session, taught, now)
    papers = 0
    taught_now = taught._replace(assignment=closed_assignment)
    for student_assignment in tasks_of_class(session, taught_now):
        times = schedule(closed_assignment, student_assignment.extension, now)
        if not times.takes:
            papers += take_in(session, student_assignment, courses, now)
    if papers:
        audit.note(session, taught, "collect", {"papers": papers}, now)
    return papers


def tasks_of_class(session: VerbSession, taught: TaughtAssignment) -> list[StudentAssignment]:
    """The assignment as each student has it who is in the class."""
    classroom, assignment = taught
    parts = lookup.parts_of(session, assignment.id)
    extensions = lookup.extensions_of(session, assignment.id)
    assignee_ids = lookup.assignees_of(session, assignment.id)
    attempts_by_enrolment = defaultdict[int, list[SubmissionRow]](list)
    for attempt in lookup.submissions_of(session, assignment.id):
        attempts_by_enrolment[attempt.enrolment_id].append(attempt)
    assignments_of_students = []
    for student in classrooms.members(session, classroom.id):
        attempts_of_student = attempts_by_enrolment[student.id]
        if assignment.everyone or student.id in assignee_ids or attempts_of_student:
            owner = (classroom.name, student.id, student.learner_id, student.joined_at)
            student_work = (extensions.get(student.id), parts, tuple(attempts_of_student))
            task = StudentAssignment(assignment, *owner, *student_work, time_factor=student.time_factor)
            assignments_of_students.append(task)
    return assignments_of_students


def take_in(
    session: VerbSession, student_assignment: StudentAssignment, courses: Courses, now: datetime
) -> bool:
    """Hand in for one student what there is; False where there is nothing."""
    attempt = student_assignment.begun
    if attempt is None:
        if student_assignment.submissions:
            return False
        shares = outside_shares(session, student_assignment, courses, now)
        if not any(shares.values()):
            return False
        # Nothing was begun, but a section was learnt, cards were reviewed or a game was played for it.
        attempt = submissions.start(session, student_assignment, now)
    factor = factor_of(session, student_assignment, attempt, courses, now)
    submissions.finish(session, student_assignment, attempt, courses, now, factor, collected=True)
    return True


def factor_of(
    session: VerbSession,
    student_assignment: StudentAssignment,
    attempt: SubmissionRow,
    courses: Courses,
    now: datetime,
) -> float:
    """What being late costs: some of what counts was done after the due time, in the attempt or outside of
    its questions."""
    worked_at = last_work(session, attempt)
    times = schedule(student_assignment.assignment, student_assignment.extension, worked_at or now)
    if worked_at and times.factor != 1:
        return times.factor
    if times.due_at is None:
        return 1.0
    in_time = times.due_at + MINUTE
    shares_in_time = outside_shares(session, student_assignment, courses, in_time)
    until = counted_until(student_assignment, attempt, now)
    shares = outside_shares(session, student_assignment, courses, until)
    if shares_in_time == shares:
        return 1.0
    return times.late_factor


def last_work(session: VerbSession, attempt: SubmissionRow) -> datetime | None:
    """When something was last written into an attempt."""
    saved_answers = saved_in(session, attempt.attempt_id).values()
    responses = attempts.responses_of(session, attempt.attempt_id)
    moments = [saved.saved_at for saved in saved_answers]
    moments += [response.created_at for response in responses]
    return max(moments, default=None)
