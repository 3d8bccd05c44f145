"""What students do with an assignment: begin an attempt, answer or save, hand in; and 收卷 by their teacher.

While answers are shown at once, they are marked when they are given, as in a lesson. Otherwise answers are
saved, replaced as often as one likes, and marked when the attempt is handed in.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import and_, bindparam, func, select, update

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet, questions, tally, total_of
from app.course.items.kinds.steps import CARRIED, LEFT
from app.course.items.marks import Unreadable
from app.records.accounts.values import Caller
from app.records.assignments import audit, lifecycle, lookup
from app.records.assignments.deadlines import MINUTE, expect_live, expect_taken, schedule, shown_from
from app.records.assignments.rows import SAVED, SUBMISSION
from app.records.assignments.tables import SavedAnswer, Submission
from app.records.assignments.values import SavedRow, StudentAssignment, SubmissionRow, TaughtAssignment
from app.records.classes import classrooms
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.grading import marks, regraded_marks
from app.records.grading.student_assignments import (
    Courses,
    attempt_of,
    given,
    log_in,
    paper_of,
    saved_in,
    shares_of,
)
from app.records.learning import attempts, item_sums
from app.records.learning.tables import Attempt
from app.records.learning.values import Answer, ItemLog, possible_seconds

ATTEMPT = table(Attempt).c
UNLIMITED_TRIES = 1000


def begin(session: VerbSession, caller: Caller, assignment_id: int, now: datetime) -> int:
    """Begin an attempt; one that is open goes on. Returns its number."""
    task = given(session, caller, assignment_id)
    expect_live(task)
    if task.begun:
        return task.begun.number
    expect_taken(task, now, "现在开始来不及了")
    if task.left == 0:
        raise Refused(f"这份作业能交{task.assignment.passes}遍，你都交过了。")
    return start(session, task, now).number


LAST_NUMBER = Prepared(
    select(func.max(ATTEMPT.round)).where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "assignment",
        ATTEMPT.ref == bindparam("ref"),
    )
)
ADD_ATTEMPT, ADD_SUBMISSION = adding(Attempt), adding(Submission)


def start(session: VerbSession, task: StudentAssignment, now: datetime) -> SubmissionRow:
    """The attempt and the submission of a new attempt."""
    assignment = task.assignment
    ref = f"assignment-{assignment.id}"
    [(last,)] = session.all(LAST_NUMBER, learner=task.learner_id, ref=ref)
    number = max(last or 0, len(task.submissions)) + 1
    [(attempt_id,)] = session.all(
        ADD_ATTEMPT,
        learner_id=task.learner_id,
        source="assignment",
        ref=ref,
        round=number,
        seed=assignment.seed,
        created_at=now,
        shown_from=shown_from(assignment, task.extension, None),
    )
    attempt = SubmissionRow(attempt_id, task.enrolment_id, number, now, assignment_id=assignment.id)
    session.run(ADD_SUBMISSION, **attempt._asdict())
    return attempt


IS_QUESTION = and_(SAVED.attempt_id == bindparam("attempt"), SAVED.item == bindparam("question"))
SAVED_ANSWER = Prepared(select(SAVED.id).where(IS_QUESTION))
SET_SAVED = Prepared(update(table(SavedAnswer)).where(IS_QUESTION), keys=("raw", "seconds", "saved_at"))
ADD_SAVED = adding(SavedAnswer)


def save(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    attempt_number: int,
    number: int,
    raw: tuple[str, ...],
    seconds: int | None,
    now: datetime,
) -> SavedRow:
    """Store what stands in a question, readable or not; it is marked when the attempt is handed in."""
    task, attempt, question = open_question(session, caller, assignment_id, attempt_number, number, now)
    if task.assignment.answers == "at_once":
        raise Refused("这份作业每答一题就批改，不用先存。")
    saved = SavedRow(question.ref, raw, possible_seconds(seconds, attempt.started_at, now), now)
    store(session, attempt.attempt_id, saved)
    return saved


def store(session: VerbSession, attempt_id: int, saved: SavedRow) -> None:
    """Write what stands in a question over what stood there."""
    columns = saved._asdict() | {"raw": json.dumps(saved.raw, ensure_ascii=False)}
    if session.first(SAVED_ANSWER, attempt=attempt_id, question=saved.item):
        session.run(SET_SAVED, attempt=attempt_id, question=saved.item, **columns)
    else:
        session.run(ADD_SAVED, attempt_id=attempt_id, **columns)


def answer(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    attempt_number: int,
    number: int,
    try_number: int,
    raw: tuple[str, ...],
    seconds: int | None,
    courses: Courses,
    now: datetime,
) -> ItemLog:
    """Mark an answer at once. The first one for a try stands, and there are only so many tries."""
    task, attempt, question = open_question(session, caller, assignment_id, attempt_number, number, now)
    if task.assignment.answers != "at_once":
        raise Refused("这份作业交了才批改；写好了存下就行。")
    log = log_in(session, attempt.attempt_id, question.ref, task.learner_id)
    tries, question_set = 1, paper_of(task, attempt, courses)
    if not question_set.one_shot(question.ref):  # else another guess would be a gift
        tries = task.assignment.tries or UNLIMITED_TRIES
    if log.takes(try_number) and len(log.of(question.ref)) < tries:
        seconds = possible_seconds(seconds, attempt.started_at, now)
        first_answer = Answer(question.ref, try_number, raw, seconds)
        log = attempts.take(session, log, first_answer, question_set, now)
    return log


def hint(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    attempt_number: int,
    number: int,
    position: int,
    now: datetime,
) -> ItemLog:
    """Open the next hint of a question, where hints are allowed. Any other position changes nothing."""
    task, attempt, question = open_question(session, caller, assignment_id, attempt_number, number, now)
    if not task.assignment.hints:
        raise Refused("老师这次没有开提示。")
    log = log_in(session, attempt.attempt_id, question.ref, task.learner_id)
    return attempts.open_hint(session, log, position, now)


def open_question(
    session: VerbSession, caller: Caller, assignment_id: int, attempt_number: int, number: int, now: datetime
) -> tuple[StudentAssignment, SubmissionRow, AssignedQuestion]:
    """The attempt and the question that an answer is for; Refused says why it cannot be taken."""
    task = given(session, caller, assignment_id)
    attempt = attempt_of(task, attempt_number)
    if attempt.handed_in_at:
        raise Refused("这一遍已经交了，这里是交之前打开的旧页面；刚才写的没有算进去。")
    expect_taken(task, now, "刚才写的没有收；之前存下的都在，老师收卷时照那些算")
    for question in questions(task.parts):
        if question.number == number:
            return task, attempt, question
    raise NotFound(f"这份作业没有第{number}题。")


def hand_in(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    attempt_number: int,
    courses: Courses,
    now: datetime,
) -> SubmissionRow:
    """Hand in an attempt. A second click finds it handed in, and changes nothing."""
    task = given(session, caller, assignment_id)
    attempt = attempt_of(task, attempt_number)
    if attempt.handed_in_at:
        return attempt
    times = expect_taken(task, now, "没能交上")
    return finish(session, task, attempt, courses, now, times.factor)


HAND_IN = Prepared(
    update(table(Submission)).where(SUBMISSION.attempt_id == bindparam("attempt")),
    keys=("handed_in_at", "collected", "points", "total", "factor", "parts"),
)


def finish(
    session: VerbSession,
    task: StudentAssignment,
    attempt: SubmissionRow,
    courses: Courses,
    now: datetime,
    factor: float,
    collected: bool = False,
) -> SubmissionRow:
    """Mark what was saved, add everything up, and store it. `factor`: what being late costs."""
    attempt_id, question_set = attempt.attempt_id, paper_of(task, attempt, courses)
    mark_saved(session, task, attempt_id, question_set, now)
    points = points_of(session, task, attempt_id, courses, now)
    submission = attempt._replace(
        handed_in_at=now,
        collected=collected,
        points=marks.sum_of(points),
        total=total_of(task.parts),
        factor=factor,
        parts=json.dumps(points),
    )
    session.run(HAND_IN, attempt=attempt_id, **submission._asdict())
    item_sums.show_from(session, attempt_id, shown_from(task.assignment, task.extension, now))
    return submission


def points_of(
    session: VerbSession, task: StudentAssignment, attempt_id: int, courses: Courses, now: datetime
) -> dict[int, float]:
    """What an attempt earned, by part; parts that are granted to everybody count in full."""
    shares = marks.best_shares(regraded_marks.scores_in(session, attempt_id))
    points = tally(task.parts, shares, shares_of(session, task, courses, now)).parts
    grants = regraded_marks.grants_of(session, task.assignment.id)
    return marks.again(task.parts, points, grants, shares, grants)


def mark_saved(
    session: VerbSession, task: StudentAssignment, attempt_id: int, question_set: QuestionSet, now: datetime
) -> None:
    """Every saved answer becomes the first try at its question. What cannot be read stays saved, unmarked."""
    saved_answers = saved_in(session, attempt_id)
    log = log_in(session, attempt_id, "", task.learner_id, tuple(saved_answers))
    for question in question_set.questions:
        ref = question.ref
        saved = saved_answers.get(ref)
        if saved is None or log.of(ref):
            continue
        first_try = Answer(ref, 1, filled(saved.raw), saved.seconds)
        try:
            attempts.take(session, replace(log, item=ref), first_try, question_set, now)
        except (Unreadable, KeyError):  # cannot be read, or its item is no longer in the course
            continue


def filled(raw: Sequence[str]) -> tuple[str, ...]:
    """Of a table, what was left empty is left to the tutor: the other cells still count. Nothing that is only
    saved was right before."""
    if len(raw) < 2:
        return tuple(raw)
    return tuple(LEFT if text.strip() in ("", CARRIED) else text for text in raw)


# 收卷: the teacher ends an assignment and takes in what was not handed in.


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
    tasks = []
    for student in classrooms.members(session, classroom.id):
        submissions = attempts_of[student.id]
        if assignment.everyone or student.id in assignees or submissions:
            owner = (classroom.name, student.id, student.learner_id, student.joined_at)
            work = (extensions.get(student.id), parts, tuple(submissions))
            tasks.append(StudentAssignment(assignment, *owner, *work))
    return tasks


def take_in(session: VerbSession, task: StudentAssignment, courses: Courses, now: datetime) -> bool:
    """Hand in for one student what there is; False where there is nothing."""
    attempt = task.begun
    if attempt is None:
        if task.submissions or not any(shares_of(session, task, courses, now).values()):
            return False
        # Nothing was begun, but a section was learnt, cards were reviewed or a game was played for it.
        attempt = start(session, task, now)
    factor = factor_of(session, task, attempt, courses, now)
    finish(session, task, attempt, courses, now, factor, collected=True)
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
    moments += [row.created_at for row in attempts.responses_of(session, attempt.attempt_id)]
    return max(moments, default=None)
