"""收卷: the teacher ends an assignment and takes in what was not handed in."""

from collections import defaultdict
from datetime import datetime

from app.records.accounts.values import Caller
from app.records.assignments import audit, lifecycle, lookup
from app.records.assignments.deadlines import MINUTE, schedule
from app.records.assignments.values import StudentAssignment, SubmissionRow, TaughtAssignment
from app.records.db.errors import Refused
from app.records.db.session import VerbSession
from app.records.grading import submissions
from app.records.grading.attempt_work import saved_in
from app.records.grading.student_assignments import Courses, shares_of
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
    task = lookup.changed(session, caller, classroom_id, assignment_id)
    if task.assignment.published_at is None:
        raise Refused("还没有发布，没有卷子可收。")
    closed = lifecycle.end(session, task, now)
    papers = 0
    for student_task in everybody(session, task._replace(assignment=closed)):
        if not schedule(closed, student_task.extension, now).takes:
            papers += take_in(session, student_task, courses, now)
    if papers:
        audit.note(session, task, "collect", {"papers": papers}, now)
    return papers


def everybody(session: VerbSession, task: TaughtAssignment) -> list[StudentAssignment]:
    """The assignment as each student has it who is in the class."""
    classroom, assignment = task
    parts = lookup.parts_of(session, assignment.id)
    extensions = lookup.extensions_of(session, assignment.id)
    assignees = lookup.assignees_of(session, assignment.id)
    attempts_of = defaultdict[int, list[SubmissionRow]](list)
    for attempt in lookup.submissions_of(session, assignment.id):
        attempts_of[attempt.enrolment_id].append(attempt)
    student_tasks = []
    for student in lookup.present_students(session, classroom.id):
        if not assignment.everyone and student.id not in assignees and student.id not in attempts_of:
            continue
        student_task = StudentAssignment(
            assignment,
            classroom.name,
            student.id,
            student.learner_id,
            student.joined_at,
            extensions.get(student.id),
            parts,
            tuple(attempts_of.get(student.id, ())),
        )
        student_tasks.append(student_task)
    return student_tasks


def take_in(session: VerbSession, task: StudentAssignment, courses: Courses, now: datetime) -> bool:
    """Hand in for one student what there is; False where there is nothing."""
    attempt = task.begun
    if attempt is None:
        if task.submissions or not any(shares_of(session, task, courses, now).values()):
            return False
        # Nothing was begun, but a section was learnt, cards were reviewed or a game was played for it.
        attempt = submissions.start(session, task, now)
    factor = factor_of(session, task, attempt, courses, now)
    submissions.finish(session, task, attempt, courses, now, factor, collected=True)
    return True


def factor_of(
    session: VerbSession, task: StudentAssignment, attempt: SubmissionRow, courses: Courses, now: datetime
) -> float:
    """What being late costs: some of what counts was done after the due time, in the attempt or outside of
    its questions."""
    worked_at = last_work(session, attempt)
    times = schedule(task.assignment, task.extension, worked_at or now)
    if worked_at and times.factor != 1:
        return times.factor
    if times.due_at is None:
        return 1.0
    shares_in_time = shares_of(session, task, courses, times.due_at + MINUTE)
    if shares_in_time == shares_of(session, task, courses, now):
        return 1.0
    return times.late_factor


def last_work(session: VerbSession, attempt: SubmissionRow) -> datetime | None:
    """When something was last written into an attempt."""
    moments = [saved.saved_at for saved in saved_in(session, attempt.attempt_id).values()]
    responses = attempts.responses_of(session, attempt.attempt_id)
    moments += [response.created_at for response in responses]
    return max(moments, default=None)
