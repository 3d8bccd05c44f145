"""What a class did, from its answers, its saved answers and its steps in lessons: read in six statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, case, exists, func, literal_column, or_, select

from app.records.assignments.assigned import AssignedTask
from app.records.assignments.rows import (
    ASSIGNMENT,
    EXTENSION,
    OVERRIDE,
    PUBLISHED_IN_CLASS,
    SAVED,
    SUBMISSION,
)
from app.records.assignments.tables import Submission
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, OF_CLASS
from app.records.classes.tables import Enrolment
from app.records.classes.values import Student, names_told_apart
from app.records.db.metadata import table
from app.records.db.portable import JoinedInOrder
from app.records.db.session import Prepared, RowQuery, VerbSession
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

    @cached_property
    def names(self) -> Mapping[int, str]:
        """What the students are called, by enrolment."""
        return names_told_apart(self.students)

    def attempts_at(self, task: AssignedTask) -> Mapping[int, Sequence[AttemptProgress]]:
        """The attempts at one assignment, by enrolment."""
        attempts = defaultdict(list)
        for attempt in self.attempts:
            if attempt.assignment_id == task.id:
                attempts[attempt.enrolment_id].append(attempt)
        return attempts

    def worked_at(self, attempt: AttemptProgress) -> list[datetime]:
        """When the questions of an attempt were last worked at."""
        questions = self.questions.get(attempt.attempt_id, ())
        return [question.last_at for question in questions]

    @cached_property
    def last_active(self) -> Mapping[int, datetime]:
        """When each was last active, by enrolment: an answer, a step of a lesson, an attempt."""
        moments = defaultdict[int, list[datetime]](list)
        for attempt in self.attempts:
            moment = attempt.handed_in_at or attempt.started_at
            answered_at = self.worked_at(attempt)
            moments[attempt.enrolment_id] += [moment, *answered_at]
        for student in self.students:
            answer = self.latest.get(student.learner_id)
            if answer:
                moments[student.id].append(answer.at)
            step_at = self.lesson_steps.get(student.learner_id)
            if step_at:
                moments[student.id].append(step_at)
        last_moments = {}
        for student in self.students:
            if moments[student.id]:
                last_moments[student.id] = max(moments[student.id])
        return last_moments

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
        moments = chain.from_iterable(map(self.worked_at, attempts))
        return all(active_at > moment for moment in moments)


LATEST_DUE = func.coalesce(ASSIGNMENT.late_until, ASSIGNMENT.due_at)
NOW = bindparam("now", type_=LATEST_DUE.type)
SINCE = bindparam("since", type_=LATEST_DUE.type)
EXTENSIONS_STILL_OPEN = (EXTENSION.assignment_id == ASSIGNMENT.id, EXTENSION.due_at > NOW)
IS_EXTENDED = exists().where(*EXTENSIONS_STILL_OPEN)


def is_due_after(moment: ColumnElement[datetime]) -> ColumnElement[bool]:
    """The condition that an assignment is not closed, and due after a moment or never."""
    is_in_time = or_(ASSIGNMENT.due_at.is_(None), moment < LATEST_DUE)
    return and_(ASSIGNMENT.closed_at.is_(None), is_in_time)


IS_OPEN_OR_DUE_LATELY = or_(is_due_after(SINCE), IS_EXTENDED)
OPEN_ASSIGNMENTS = select(ASSIGNMENT.id).where(PUBLISHED_IN_CLASS, IS_OPEN_OR_DUE_LATELY)
"""Those that somebody may work at, and those that were due lately: a class has done many more."""
AT_OPEN_ASSIGNMENT = SUBMISSION.assignment_id.in_(OPEN_ASSIGNMENTS)
OF_STUDENT = and_(
    OVERRIDE.assignment_id == SUBMISSION.assignment_id, OVERRIDE.enrolment_id == SUBMISSION.enrolment_id
)
LATEST_OVERRIDE = select(OVERRIDE.points).where(OF_STUDENT).order_by(OVERRIDE.id.desc()).limit(1)
MARK_BY_HAND: Any = LATEST_OVERRIDE.correlate(table(Submission)).scalar_subquery()
ATTEMPT_COLUMNS = [SUBMISSION[name] for name in AttemptProgress._fields[:-1]]
OPEN_ATTEMPTS = select(*ATTEMPT_COLUMNS, MARK_BY_HAND.label("override")).where(AT_OPEN_ASSIGNMENT)
ATTEMPTS = RowQuery(AttemptProgress, OPEN_ATTEMPTS.order_by(SUBMISSION.number))
IS_UNFINISHED = and_(AT_OPEN_ASSIGNMENT, SUBMISSION.handed_in_at.is_(None))
UNFINISHED = select(SUBMISSION.attempt_id).where(IS_UNFINISHED)

# Of each student the last answer alone: by the index, without reading all answers.
ANSWERS_OF_STUDENT = select(RESPONSE.id).where(RESPONSE.learner_id == ENROLMENT.learner_id)
NEWEST_FIRST = ANSWERS_OF_STUDENT.order_by(RESPONSE.created_at.desc(), RESPONSE.id.desc())
NEWEST_ID = NEWEST_FIRST.limit(1).correlate(table(Enrolment)).scalar_subquery()
NEWEST_IDS_OF_CLASS = select(NEWEST_ID).where(OF_CLASS, IS_MEMBER)
IS_NEWEST = and_(RESPONSE.id.in_(NEWEST_IDS_OF_CLASS), ATTEMPT.id == RESPONSE.attempt_id)
ATTEMPT_ID = ATTEMPT.id.label("attempt_id")
ANSWERED_AT = RESPONSE.created_at.label("at")
ANSWERS_WITH_ATTEMPT = select(ATTEMPT.learner_id, ATTEMPT_ID, ATTEMPT.source, ANSWERED_AT)
LATEST_ANSWERS = RowQuery(LatestAnswer, ANSWERS_WITH_ATTEMPT.where(IS_NEWEST))

SPACE: Any = literal_column("' '")
IS_WRONG = RESPONSE.verdict == "wrong"
IS_FORWARD = or_(RESPONSE.try_number == 1, ~IS_WRONG)
ONE_IF_WRONG: Any = case((IS_WRONG, 1), else_=0)
WRONG_COUNT: Any = func.sum(ONE_IF_WRONG)
ONE_IF_SOLVED: Any = case((~IS_WRONG, 1), else_=0)
IS_SOLVED: Any = func.max(ONE_IF_SOLVED)
TIME_IF_FORWARD: Any = case((IS_FORWARD, RESPONSE.created_at))
FORWARD_AT: Any = func.max(TIME_IF_FORWARD)
LAST_AT: Any = func.max(RESPONSE.created_at)
JOINED_MISTAKES: Any = JoinedInOrder(RESPONSE.misconception, SPACE, RESPONSE.id)
QUESTION = (RESPONSE.attempt_id, RESPONSE.item)
QUESTIONS: Select[Any] = select(
    *QUESTION,
    WRONG_COUNT.label("wrong"),
    IS_SOLVED.label("solved"),
    FORWARD_AT.label("forward_at"),
    LAST_AT.label("last_at"),
    func.coalesce(JOINED_MISTAKES, "").label("mistakes"),
).group_by(*QUESTION)
IS_ANSWERED_IN_UNFINISHED = RESPONSE.attempt_id.in_(UNFINISHED)
ANSWERED_QUESTIONS = RowQuery(QuestionProgress, QUESTIONS.where(IS_ANSWERED_IN_UNFINISHED))
NO_WRONGS: Any = literal_column("0")
SOLVED: Any = literal_column("1")
SAVED_QUESTION = (SAVED.attempt_id, SAVED.item, NO_WRONGS.label("wrong"), SOLVED.label("solved"))
SAVED_TIMES = (SAVED.saved_at.label("forward_at"), SAVED.saved_at.label("last_at"))
IS_SAVED_IN_UNFINISHED = SAVED.attempt_id.in_(UNFINISHED)
SAVED_ANSWERS = select(*SAVED_QUESTION, *SAVED_TIMES)
SAVED_QUESTIONS = RowQuery(QuestionProgress, SAVED_ANSWERS.where(IS_SAVED_IN_UNFINISHED))
"""Answers that are not marked yet are progress all the same."""
LAST_STEP_AT = select(func.max(PLACE.updated_at))
STEPS_OF_STUDENT = LAST_STEP_AT.where(PLACE.learner_id == ENROLMENT.learner_id)
LAST_STEP = STEPS_OF_STUDENT.scalar_subquery()
HAS_STEPS = and_(OF_CLASS, IS_MEMBER, LAST_STEP.is_not(None))
STEPS = select(ENROLMENT.learner_id, LAST_STEP)
LESSON_STEPS = Prepared(STEPS.where(HAS_STEPS))


def load_activity(
    session: VerbSession, classroom_id: int, students: Sequence[Student], now: datetime
) -> ClassActivity:
    since = now - DUE_LATELY
    scope = {"classroom": classroom_id, "now": now, "since": since}
    latest_by_learner = {}
    for answer in session.all(LATEST_ANSWERS, classroom=classroom_id):
        latest_by_learner[answer.learner_id] = answer
    attempts = session.all(ATTEMPTS, **scope)
    questions = load_questions(session, scope, latest_by_learner.values(), now)
    step_rows = session.all(LESSON_STEPS, classroom=classroom_id)
    lesson_steps: dict[int, datetime] = dict(step_rows)
    return ClassActivity(students, now, attempts, questions, latest_by_learner, lesson_steps)


def load_questions(
    session: VerbSession, scope: Mapping[str, object], latest_answers: Iterable[LatestAnswer], now: datetime
) -> QuestionsByAttempt:
    """The questions of unfinished attempts at open assignments, and of what students do by themselves."""
    all_questions = session.all(ANSWERED_QUESTIONS, **scope)
    own_answers = [answer for answer in latest_answers if not answer.is_assigned]
    unassigned_attempts = [answer.attempt_id for answer in own_answers if now - answer.at < LESSON]
    unassigned_questions = QUESTIONS.where(RESPONSE.attempt_id.in_(unassigned_attempts))
    for row in session.execute(unassigned_questions):
        question = QuestionProgress(*tuple(row))
        all_questions.append(question)
    all_questions += session.all(SAVED_QUESTIONS, **scope)
    questions_by_attempt = defaultdict(list)
    for question in all_questions:
        questions_by_attempt[question.attempt_id].append(question)
    return questions_by_attempt
