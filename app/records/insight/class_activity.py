"""What a class did, from its answers, its saved answers and its steps in lessons: read in six statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, case, exists, func, literal_column, or_, select

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import ASSIGNMENT, EXTENSION, SAVED, SUBMISSION
from app.records.assignments.tables import Submission
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, OF_CLASS
from app.records.classes.tables import Enrolment
from app.records.classes.values import Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, columns_of
from app.records.insight.live_status import (
    LESSON,
    PRESENT,
    AttemptProgress,
    QuestionProgress,
    QuestionsByAttempt,
)
from app.records.learning.attempts import ATTEMPT, RESPONSE
from app.records.learning.progress import PLACE

DUE_LATELY = timedelta(days=7)
"""So long attempts at an assignment say when somebody was last active, after it was due."""


class LatestAnswer(NamedTuple):
    """The last answer of a student, wherever it was."""

    learner_id: int
    attempt_id: int
    source: str
    at: datetime

    @property
    def is_assigned(self) -> bool:
        return self.source == "assignment"


@dataclass(frozen=True)
class ClassActivity:
    """What students did until `now`: `attempts` at open assignments, and `questions` by attempt.

    By learner: the `latest` answer, and when a step of a lesson was last opened.
    """

    students: Sequence[Student]
    now: datetime
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

    def worked_at(self, attempt: AttemptProgress) -> list[datetime]:
        """When the questions of an attempt were last worked at."""
        return [question.last_at for question in self.questions.get(attempt.attempt_id, ())]

    @cached_property
    def last_active(self) -> Mapping[int, datetime]:
        """When each was last active, by enrolment: an answer, a step of a lesson, an attempt."""
        moments: dict[int, list[datetime]] = defaultdict(list)
        for attempt in self.attempts:
            moments[attempt.enrolment_id].append(attempt.handed_in_at or attempt.started_at)
            moments[attempt.enrolment_id] += self.worked_at(attempt)
        for student in self.students:
            if student.learner_id in self.latest:
                moments[student.id].append(self.latest[student.learner_id].at)
            if student.learner_id in self.lesson_steps:
                moments[student.id].append(self.lesson_steps[student.learner_id])
        return {student.id: max(moments[student.id]) for student in self.students if moments[student.id]}

    def was_active(self, enrolment_id: int, span: timedelta) -> bool:
        """Whether a student did something less than `span` ago."""
        active_at = self.last_active.get(enrolment_id)
        return active_at is not None and self.now - active_at < span

    def is_present(self, enrolment_id: int) -> bool:
        return self.was_active(enrolment_id, PRESENT)

    @property
    def present(self) -> int:
        """How many students are at work now."""
        return sum(self.is_present(student.id) for student in self.students)

    def is_elsewhere(self, enrolment_id: int, attempts: Sequence[AttemptProgress]) -> bool:
        """Whether a student was active a moment ago, and later than in these attempts."""
        if not self.is_present(enrolment_id):
            return False
        active_at = self.last_active[enrolment_id]
        return all(active_at > moment for attempt in attempts for moment in self.worked_at(attempt))


LATEST_DUE = func.coalesce(ASSIGNMENT.late_until, ASSIGNMENT.due_at)
NOW = bindparam("now", type_=LATEST_DUE.type)
SINCE = bindparam("since", type_=LATEST_DUE.type)
IS_EXTENDED = exists().where(EXTENSION.assignment_id == ASSIGNMENT.id, EXTENSION.due_at > NOW)
OPEN_ASSIGNMENTS = select(ASSIGNMENT.id).where(
    ASSIGNMENT.classroom_id == bindparam("classroom"),
    ASSIGNMENT.published_at.is_not(None),
    or_(
        ASSIGNMENT.closed_at.is_(None) & or_(ASSIGNMENT.due_at.is_(None), LATEST_DUE > SINCE),
        IS_EXTENDED,
    ),
)
"""Those that somebody may work at, and those that were due lately: a class has done many more."""
AT_OPEN_ASSIGNMENT = SUBMISSION.assignment_id.in_(OPEN_ASSIGNMENTS)
ATTEMPTS = RowQuery(
    AttemptProgress,
    select(*columns_of(Submission, AttemptProgress)).where(AT_OPEN_ASSIGNMENT).order_by(SUBMISSION.number),
)
UNFINISHED = select(SUBMISSION.attempt_id).where(AT_OPEN_ASSIGNMENT, SUBMISSION.handed_in_at.is_(None))

# Of each student the last answer alone: by the index, without reading all answers.
LAST_ANSWER = (
    select(RESPONSE.id)
    .where(RESPONSE.learner_id == ENROLMENT.learner_id)
    .order_by(RESPONSE.created_at.desc(), RESPONSE.id.desc())
    .limit(1)
    .correlate(table(Enrolment))
)
LAST_ANSWERS = select(LAST_ANSWER.scalar_subquery()).where(OF_CLASS, IS_MEMBER)
LATEST_ANSWERS = RowQuery(
    LatestAnswer,
    select(
        ATTEMPT.learner_id, ATTEMPT.id.label("attempt_id"), ATTEMPT.source, RESPONSE.created_at.label("at")
    ).where(RESPONSE.id.in_(LAST_ANSWERS), ATTEMPT.id == RESPONSE.attempt_id),
)

SPACE: Any = literal_column("' '")
IS_WRONG = RESPONSE.verdict == "wrong"
IS_FORWARD = or_(RESPONSE.try_number == 1, ~IS_WRONG)
QUESTIONS: Select[Any] = select(
    RESPONSE.attempt_id,
    RESPONSE.item,
    func.sum(case((IS_WRONG, 1), else_=0)).label("wrong"),
    func.max(case((~IS_WRONG, 1), else_=0)).label("solved"),
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
LAST_STEP = (
    select(func.max(PLACE.updated_at)).where(PLACE.learner_id == ENROLMENT.learner_id).scalar_subquery()
)
LESSON_STEPS = Prepared(
    select(ENROLMENT.learner_id, LAST_STEP).where(OF_CLASS, IS_MEMBER, LAST_STEP.is_not(None))
)


def load_activity(
    session: VerbSession, classroom_id: int, students: Sequence[Student], now: datetime
) -> ClassActivity:
    scope = {"classroom": classroom_id, "now": now, "since": now - DUE_LATELY}
    latest_answers = {
        answer.learner_id: answer for answer in session.all(LATEST_ANSWERS, classroom=classroom_id)
    }
    return ClassActivity(
        students,
        now,
        attempts=session.all(ATTEMPTS, **scope),
        questions=load_questions(session, scope, latest_answers.values(), now),
        latest=latest_answers,
        lesson_steps=dict(session.all(LESSON_STEPS, classroom=classroom_id)),
    )


def load_questions(
    session: VerbSession, scope: Mapping[str, object], latest_answers: Iterable[LatestAnswer], now: datetime
) -> QuestionsByAttempt:
    """The questions of unfinished attempts at open assignments, and of what students do by themselves."""
    all_questions = session.all(ANSWERED_QUESTIONS, **scope)
    unassigned_ids = [
        answer.attempt_id for answer in latest_answers if not answer.is_assigned and now - answer.at < LESSON
    ]
    for row in session.execute(QUESTIONS.where(RESPONSE.attempt_id.in_(unassigned_ids))):
        all_questions.append(QuestionProgress(*tuple(row)))
    all_questions += session.all(SAVED_QUESTIONS, **scope)
    by_attempt = defaultdict(list)
    for question in all_questions:
        by_attempt[question.attempt_id].append(question)
    return by_attempt
