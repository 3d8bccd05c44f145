"""What a class did, from its answers, its saved answers and its steps in lessons: read in six statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, case, exists, func, literal_column, or_, select

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.tables import Assignment, Extension, SavedAnswer, Submission
from app.records.classes.classrooms import MEMBERS
from app.records.classes.values import Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, columns_of
from app.records.insight.live_status import LESSON, AttemptProgress, QuestionProgress, QuestionsByAttempt
from app.records.learning.tables import Attempt, LessonPlace, Response


class LatestAnswer(NamedTuple):
    """The last answer of a student, wherever it was."""

    learner_id: int
    attempt_id: int
    source: str
    at: datetime

    @property
    def is_assigned(self) -> bool:
        return self.source == "assignment"


@dataclass(frozen=True, slots=True)
class ClassActivity:
    """What a class did: its `attempts` at open assignments, and `questions` by attempt.

    By learner: the `latest` answer, and when a step of a lesson was last opened.
    """

    attempts: Sequence[AttemptProgress]
    questions: QuestionsByAttempt
    latest: Mapping[int, LatestAnswer]
    lesson_steps: Mapping[int, datetime]

    def attempts_at(self, task: AssignedTask) -> Mapping[int, Sequence[AttemptProgress]]:
        """The attempts at one assignment, by enrolment."""
        attempts = defaultdict(list)
        for attempt in self.attempts:
            if attempt.assignment_id == task.id:
                attempts[attempt.enrolment_id].append(attempt)
        return attempts

    def worked_at(self, attempts: Sequence[AttemptProgress]) -> list[datetime]:
        """When questions of these attempts were last worked at."""
        moments = []
        for attempt in attempts:
            moments += [question.last_at for question in self.questions.get(attempt.attempt_id, ())]
        return moments


ATTEMPT = table(Attempt).c
RESPONSE = table(Response).c
SUBMISSION = table(Submission).c
ASSIGNMENT = table(Assignment).c
EXTENSION = table(Extension).c
SAVED = table(SavedAnswer).c
PLACE = table(LessonPlace).c

LATEST_DUE = func.coalesce(ASSIGNMENT.late_until, ASSIGNMENT.due_at)
NOW = bindparam("now", type_=LATEST_DUE.type)
IS_EXTENDED = exists().where(EXTENSION.assignment_id == ASSIGNMENT.id, EXTENSION.due_at > NOW)
AT_OPEN_ASSIGNMENT = SUBMISSION.assignment_id.in_(
    select(ASSIGNMENT.id).where(
        ASSIGNMENT.classroom_id == bindparam("classroom"),
        ASSIGNMENT.published_at.is_not(None),
        or_(ASSIGNMENT.closed_at.is_(None), IS_EXTENDED),
    )
)
ATTEMPTS = RowQuery(
    AttemptProgress,
    select(*columns_of(Submission, AttemptProgress)).where(AT_OPEN_ASSIGNMENT).order_by(SUBMISSION.number),
)
UNFINISHED = select(SUBMISSION.attempt_id).where(AT_OPEN_ASSIGNMENT, SUBMISSION.handed_in_at.is_(None))

# Of each student the last answer alone: by the index, without reading all answers.
NEWEST_OF_ATTEMPT = select(func.max(RESPONSE.id)).where(RESPONSE.attempt_id == ATTEMPT.id).scalar_subquery()
NEWEST_OF_LEARNER = (
    select(func.max(NEWEST_OF_ATTEMPT).label("id"))
    .where(ATTEMPT.learner_id.in_(MEMBERS))
    .group_by(ATTEMPT.learner_id)
    .cte("lasts")
)
LATEST_ANSWERS = RowQuery(
    LatestAnswer,
    select(
        ATTEMPT.learner_id, ATTEMPT.id.label("attempt_id"), ATTEMPT.source, RESPONSE.created_at.label("at")
    ).where(RESPONSE.id.in_(select(NEWEST_OF_LEARNER.c.id)), ATTEMPT.id == RESPONSE.attempt_id),
)

SPACE: Any = literal_column("' '")
IS_FORWARD = or_(RESPONSE.try_number == 1, RESPONSE.verdict != "wrong")
QUESTIONS: Select[Any] = select(
    RESPONSE.attempt_id,
    RESPONSE.item,
    func.sum(case((RESPONSE.verdict == "wrong", 1), else_=0)).label("wrong"),
    func.max(case((RESPONSE.verdict != "wrong", 1), else_=0)).label("solved"),
    func.max(case((IS_FORWARD, RESPONSE.created_at))).label("forward_at"),
    func.max(RESPONSE.created_at).label("last_at"),
    func.coalesce(func.aggregate_strings(RESPONSE.misconception, SPACE), "").label("mistakes"),
).group_by(RESPONSE.attempt_id, RESPONSE.item)
ANSWERED_QUESTIONS = RowQuery(QuestionProgress, QUESTIONS.where(RESPONSE.attempt_id.in_(UNFINISHED)))
SAVED_QUESTIONS = RowQuery(
    QuestionProgress,
    select(
        SAVED.attempt_id,
        SAVED.item,
        literal_column("0").label("wrong"),
        literal_column("1").label("solved"),
        SAVED.saved_at.label("forward_at"),
        SAVED.saved_at.label("last_at"),
    ).where(SAVED.attempt_id.in_(UNFINISHED)),
)
"""Answers that are not marked yet are progress all the same."""
LESSON_STEPS = Prepared(
    select(PLACE.learner_id, func.max(PLACE.updated_at))
    .where(PLACE.learner_id.in_(MEMBERS))
    .group_by(PLACE.learner_id)
)


def load_activity(session: VerbSession, classroom_id: int, now: datetime) -> ClassActivity:
    latest = {answer.learner_id: answer for answer in session.all(LATEST_ANSWERS, classroom=classroom_id)}
    return ClassActivity(
        attempts=session.all(ATTEMPTS, classroom=classroom_id, now=now),
        questions=load_questions(session, classroom_id, latest.values(), now),
        latest=latest,
        lesson_steps=dict(session.all(LESSON_STEPS, classroom=classroom_id)),
    )


def load_questions(
    session: VerbSession, classroom_id: int, latest: Iterable[LatestAnswer], now: datetime
) -> QuestionsByAttempt:
    """The questions of unfinished attempts at open assignments, and of what students do by themselves."""
    rows = session.all(ANSWERED_QUESTIONS, classroom=classroom_id, now=now)
    alone = [answer.attempt_id for answer in latest if not answer.is_assigned and now - answer.at < LESSON]
    for row in session.execute(QUESTIONS.where(RESPONSE.attempt_id.in_(alone))):
        rows.append(QuestionProgress(*tuple(row)))
    rows += session.all(SAVED_QUESTIONS, classroom=classroom_id, now=now)
    by_attempt = defaultdict(list)
    for question in rows:
        by_attempt[question.attempt_id].append(question)
    return by_attempt


def last_active_of(students: Sequence[Student], activity: ClassActivity) -> dict[int, datetime]:
    """When each was last active, by enrolment: an answer, a step of a lesson, an attempt."""
    moments: dict[int, list[datetime]] = defaultdict(list)
    for attempt in activity.attempts:
        moments[attempt.enrolment_id].append(attempt.handed_in_at or attempt.started_at)
        moments[attempt.enrolment_id] += activity.worked_at([attempt])
    for student in students:
        if student.learner_id in activity.latest:
            moments[student.id].append(activity.latest[student.learner_id].at)
        if student.learner_id in activity.lesson_steps:
            moments[student.id].append(activity.lesson_steps[student.learner_id])
    return {student.id: max(moments[student.id]) for student in students if moments[student.id]}
