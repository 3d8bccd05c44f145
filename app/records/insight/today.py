"""今天: who has not begun, who is stuck, who is at work, read anew while a class works.

A fixed number of statements however many students there are; nothing of it is stored.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, exists, func, literal_column, or_, select

from app.course.assignments.question_sets import questions
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.deadlines import schedule
from app.records.assignments.tables import Assignment, Extension, SavedAnswer, Submission
from app.records.classes import classrooms
from app.records.classes.classrooms import members
from app.records.classes.tables import Classroom, Enrolment
from app.records.classes.values import ClassLists, ClassRow, Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.insight.live_status import (
    HERE,
    LESSON,
    QUIET,
    AttemptProgress,
    LiveStatus,
    QuestionProgress,
    Stuck,
    by_attempt,
    live_status,
    stuck_at,
)
from app.records.items.tables import ProblemReport
from app.records.learning.tables import Attempt, LessonPlace, Response

attempt, response = table(Attempt).c, table(Response).c
saved, place, submission = table(SavedAnswer).c, table(LessonPlace).c, table(Submission).c
enrolment, assignment = table(Enrolment).c, table(Assignment).c
classroom, extension, report = table(Classroom).c, table(Extension).c, table(ProblemReport).c

late = func.coalesce(assignment.late_until, assignment.due_at)
moment = bindparam("now", type_=late.type)
longer = exists().where(extension.assignment_id == assignment.id, extension.due_at > moment)
in_class = submission.assignment_id.in_(
    select(assignment.id).where(
        assignment.classroom_id == bindparam("classroom"),
        assignment.published_at.is_not(None),
        or_(assignment.closed_at.is_(None), longer),
    )
)
PASSES = Prepared(
    select(
        submission.attempt_id,
        submission.assignment_id,
        submission.enrolment_id,
        submission.number,
        submission.started_at,
        submission.handed_in_at,
    )
    .where(in_class)
    .order_by(submission.number)
)
unfinished = select(submission.attempt_id).where(in_class, submission.handed_in_at.is_(None))
newest = select(func.max(response.id)).where(response.attempt_id == attempt.id).scalar_subquery()
lasts = (
    select(func.max(newest).label("id"))
    .where(attempt.learner_id.in_(members))
    .group_by(attempt.learner_id)
    .cte("lasts")
)
LATEST = Prepared(
    select(attempt.learner_id, attempt.id, attempt.source, response.created_at).where(
        response.id.in_(select(lasts.c.id)), attempt.id == response.attempt_id
    )
)
SPACE: Any = literal_column("' '")
forward = or_(response.try_number == 1, response.verdict != "wrong")
of_item: tuple[Any, ...] = (
    response.attempt_id,
    response.item,
    func.sum(case((response.verdict == "wrong", 1), else_=0)),
    func.max(case((response.verdict != "wrong", 1), else_=0)),
    func.max(case((forward, response.created_at))),
    func.max(response.created_at),
    func.coalesce(func.aggregate_strings(response.misconception, SPACE), ""),
)
by_item = select(*of_item).group_by(response.attempt_id, response.item)
ANSWERED = Prepared(by_item.where(response.attempt_id.in_(unfinished)))
SAVED = Prepared(select(saved.attempt_id, saved.item, saved.saved_at).where(saved.attempt_id.in_(unfinished)))
PLACES = Prepared(
    select(place.learner_id, func.max(place.updated_at))
    .where(place.learner_id.in_(members))
    .group_by(place.learner_id)
)
REPORTED = Prepared(
    select(func.count()).where(report.learner_id.in_(members), report.created_at > bindparam("since"))
)
WORKING = Prepared(
    select(assignment.classroom_id)
    .distinct()
    .where(
        assignment.classroom_id == classroom.id,
        classroom.teacher_id == bindparam("learner"),
        assignment.published_at.is_not(None),
        or_(assignment.opens_at.is_(None), assignment.opens_at <= moment),
        or_(assignment.closed_at.is_(None) & or_(assignment.due_at.is_(None), late > moment), longer),
    )
)

LATELY = timedelta(days=14)
"""So long a report of a problem is pointed at."""


class LatestAnswer(NamedTuple):
    """The last answer of a student, wherever it was."""

    attempt_id: int
    source: str
    at: datetime

    @property
    def assigned(self) -> bool:
        return self.source == "assignment"


@dataclass(frozen=True, slots=True)
class OpenAssignment:
    """An assignment that is worked at, with where everybody stands who is to do it, by place."""

    task: AssignedTask
    questions: int
    standings: Mapping[int, LiveStatus]


@dataclass(frozen=True, slots=True)
class TodayData:
    """A class at this moment. `seen` and `stuck` by place; `stuck` also in what nobody assigned.

    `reports`: how many problems were reported lately.
    """

    row: ClassRow
    students: tuple[Student, ...]
    open: tuple[OpenAssignment, ...] = ()
    next: tuple[AssignedTask, ...] = ()
    seen: Mapping[int, datetime] = field(default_factory=dict)
    stuck: Mapping[int, Stuck] = field(default_factory=dict)
    reports: int = 0

    def here(self, student_id: int, now: datetime) -> bool:
        """Whether somebody did something a moment ago."""
        at = self.seen.get(student_id)
        return at is not None and now - at < HERE


def load_today(session: VerbSession, who: Caller, classroom_id: int, now: datetime) -> TodayData:
    """A class as it works, for its teacher: a fixed number of statements."""
    row = classrooms.taught(session, who, classroom_id)
    students = tuple(one for one in classrooms.students(session, row.id) if one.removed_at is None)
    every = assigned.of_class(session, row.id)
    passes = [AttemptProgress(*one) for one in session.all(PASSES, classroom=row.id, now=now)]
    latest = {learner: LatestAnswer(*rest) for learner, *rest in session.all(LATEST, classroom=row.id)}
    lately = [one.attempt_id for one in latest.values() if not one.assigned and now - one.at < LESSON]
    answered = [QuestionProgress(*one) for one in session.all(ANSWERED, classroom=row.id, now=now)]
    answered += [
        QuestionProgress(*tuple(one))
        for one in session.execute(by_item.where(response.attempt_id.in_(lately)))
    ]
    saves = [
        QuestionProgress(number, item, 0, True, at, at)
        for number, item, at in session.all(SAVED, classroom=row.id, now=now)
    ]
    works = by_attempt([*answered, *saves])
    places: dict[int, datetime] = dict(session.all(PLACES, classroom=row.id))
    seen = seen_of(students, passes, works, latest, places)
    busy = any(now - at < QUIET for at in seen.values())
    opened = [opened_task(task, students, passes, works, busy, seen, now) for task in every]
    return TodayData(
        row=row,
        students=students,
        open=tuple(one for one in opened if one is not None),
        next=tuple(one for one in every if is_to_come(one, now)),
        seen=seen,
        stuck=elsewhere(students, works, latest, now),
        reports=session.all(REPORTED, classroom=row.id, since=now - LATELY)[0][0],
    )


def classes(session: VerbSession, who: Caller, now: datetime) -> tuple[ClassLists, frozenset[int]]:
    """The classes of who is here, and those that have open work: their teacher looks at 今天 first."""
    mine = classrooms.mine(session, who)
    working = session.all(WORKING, learner=mine.present.learner_id, now=now)
    return mine, frozenset(number for (number,) in working)


def seen_of(
    students: Iterable[Student],
    passes: Iterable[AttemptProgress],
    works: Mapping[int, list[QuestionProgress]],
    latest: Mapping[int, LatestAnswer],
    places: Mapping[int, datetime],
) -> Mapping[int, datetime]:
    """When each was seen last, by place: an answer, a saved answer, a step in a lesson, a pass begun."""
    found: dict[int, list[datetime]] = {}
    for one in passes:
        moments = [one.started_at, one.handed_in_at or one.started_at]
        moments += [work.last_at for work in works.get(one.attempt_id, ())]
        found.setdefault(one.student_id, []).extend(moments)
    for student in students:
        here = found.setdefault(student.id, [])
        here += [latest[student.learner_id].at] if student.learner_id in latest else []
        here += [places[student.learner_id]] if student.learner_id in places else []
    return {student.id: max(found[student.id]) for student in students if found[student.id]}


def opened_task(
    task: AssignedTask,
    students: Iterable[Student],
    passes: Iterable[AttemptProgress],
    works: Mapping[int, list[QuestionProgress]],
    busy: bool,
    seen: Mapping[int, datetime],
    now: datetime,
) -> OpenAssignment | None:
    """An assignment with its standings; None when nobody may work at it now.

    Nobody is quiet here who was seen elsewhere a moment ago.
    """
    mine: dict[int, list[AttemptProgress]] = {}
    for one in passes:
        if one.assignment_id == task.id:
            mine.setdefault(one.student_id, []).append(one)
    takers = task.receivers(students, mine)
    if not any(task.takes(one.id, now) for one in takers):
        return None
    count = len(questions(task.parts))
    standings = {}
    for taker in takers:
        done, takes = mine.get(taker.id, ()), task.takes(taker.id, now)
        waits = busy and not is_elsewhere(done, works, seen.get(taker.id), now)
        standings[taker.id] = live_status(done, works, count, waits, now, takes)
    return OpenAssignment(task, count, standings)


def is_elsewhere(
    passes: Iterable[AttemptProgress],
    works: Mapping[int, list[QuestionProgress]],
    seen: datetime | None,
    now: datetime,
) -> bool:
    """Whether somebody was seen a moment ago, and later than in these passes."""
    here = [work.last_at for one in passes for work in works.get(one.attempt_id, ())]
    return seen is not None and now - seen < HERE and all(seen > at for at in here)


def elsewhere(
    students: Iterable[Student],
    works: Mapping[int, list[QuestionProgress]],
    latest: Mapping[int, LatestAnswer],
    now: datetime,
) -> Mapping[int, Stuck]:
    """Who is stuck in what nobody assigned: in the lesson or the practice they are at.

    What another teacher assigned is not shown, and what was closed is over.
    """
    found: dict[int, Stuck] = {}
    for student in students:
        last = latest.get(student.learner_id)
        stuck = stuck_at(works.get(last.attempt_id, ()), now) if last and not last.assigned else None
        if stuck is not None:
            found[student.id] = stuck
    return found


def is_to_come(task: AssignedTask, now: datetime) -> bool:
    """Published, and not open yet."""
    return schedule(task.row, None, now).state == "soon"
