"""What a class did, from its answers, its saved answers and its steps in lessons: read in four statements."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, case, func, literal_column, or_, select

from app.records.assignments.assigned import AssignedTask, TaskQueries, task_queries
from app.records.assignments.deadlines import MAY_BE_WORKED_AT, newest_passed_time
from app.records.assignments.rows import (
    ASSIGNMENT,
    IS_ANSWER,
    IS_ASSIGNMENT_OF_CLASS,
    SAVED_ANSWER,
    SUBMISSION,
)
from app.records.assignments.tables import Submission
from app.records.classes.classrooms import (
    ENROLMENT,
    ENROLMENTS_WITH_ACCOUNTS,
    IS_MEMBER,
    IS_OF_CLASS,
    STUDENT_COLUMNS,
)
from app.records.classes.tables import Enrolment
from app.records.classes.values import Student
from app.records.db.metadata import table
from app.records.db.portable import JoinedInOrder, is_one_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from app.records.insight.class_progress import LAST_MOMENTS_OUTSIDE_ATTEMPTS
from app.records.insight.live_status import (
    LEFT_AFTER,
    PRESENT_WITHIN,
    STUCK_AFTER,
    AttemptProgress,
    QuestionProgress,
    QuestionProgressByAttempt,
)
from app.records.insight.readable_attempts import IS_OWN_WORK_FOR_CLASS
from app.records.learning.rows import ATTEMPT, IS_WRONG, LESSON_PLACE, RESPONSE
from app.records.learning.tables import Attempt, Response

RECENTLY_DUE_WITHIN = timedelta(days=7)
"""So long attempts at an assignment say when somebody was last active, after it was due."""


class LatestAnswer(NamedTuple):
    """The last answer of a student, wherever it was. `is_own_work`: nobody assigned it, and who reads of
    the class may read it."""

    attempt_id: int
    is_own_work: bool
    answered_at: datetime


@dataclass(frozen=True)
class ClassActivity:
    """What students did until `now`: `attempts` at open assignments, and `progress_by_attempt_id` by
    attempt.

    `last_other_time_by_enrolment_id`: when a step of a lesson or an example was last opened, a card reviewed
    or a game played. `ids_at_work`: who of the whole class did something lately, also where it is about some
    of them.
    """

    students: Sequence[Student]
    now: datetime
    attempts: Sequence[AttemptProgress]
    progress_by_attempt_id: QuestionProgressByAttempt
    latest_answer_by_enrolment_id: Mapping[int, LatestAnswer]
    last_other_time_by_enrolment_id: Mapping[int, datetime]
    ids_at_work: frozenset[int] = frozenset()

    def of_class(self, students: Sequence[Student]) -> "ClassActivity":
        """What the students of one class did."""
        class_activity = self.of_students(students)
        ids_at_work = {
            student.id for student in students if class_activity.was_active(student.id, STUCK_AFTER)
        }
        return replace(class_activity, ids_at_work=frozenset(ids_at_work))

    def of_students(self, students: Sequence[Student]) -> "ClassActivity":
        """What some of these students did."""
        enrolment_ids = {student.id for student in students}
        attempt_progresses = [
            attempt_progress
            for attempt_progress in self.attempts
            if attempt_progress.enrolment_id in enrolment_ids
        ]
        return replace(self, students=students, attempts=attempt_progresses)

    def attempts_by_enrolment_id_of_task(self, task: AssignedTask) -> Mapping[int, Sequence[AttemptProgress]]:
        """The attempts at one assignment, by enrolment."""
        attempts_by_enrolment_id = defaultdict(list)
        for attempt_progress in self.attempts:
            if attempt_progress.assignment_id == task.id:
                attempts_by_enrolment_id[attempt_progress.enrolment_id].append(attempt_progress)
        return attempts_by_enrolment_id

    def work_times_of(self, attempt_progress: AttemptProgress) -> list[datetime]:
        """When the questions of an attempt were last worked at."""
        question_progresses = self.progress_by_attempt_id.get(attempt_progress.attempt_id, ())
        return [question_progress.last_answer_at for question_progress in question_progresses]

    @cached_property
    def last_active_time_by_enrolment_id(self) -> Mapping[int, datetime]:
        """When each was last active, by enrolment, whatever they did."""
        times_by_enrolment_id = defaultdict[int, list[datetime]](list)
        for attempt_progress in self.attempts:
            act_times = [attempt_progress.last_act_at, *self.work_times_of(attempt_progress)]
            times_by_enrolment_id[attempt_progress.enrolment_id] += act_times
        for student in self.students:
            latest_answer = self.latest_answer_by_enrolment_id.get(student.id)
            if latest_answer:
                times_by_enrolment_id[student.id].append(latest_answer.answered_at)
            last_other_time = self.last_other_time_by_enrolment_id.get(student.id)
            if last_other_time:
                times_by_enrolment_id[student.id].append(last_other_time)
        last_time_by_enrolment_id = {}
        for student in self.students:
            if times_by_enrolment_id[student.id]:
                last_time_by_enrolment_id[student.id] = max(times_by_enrolment_id[student.id])
        return last_time_by_enrolment_id

    def was_active(self, enrolment_id: int, period: timedelta) -> bool:
        """Whether a student did something less than `period` ago."""
        last_active_at = self.last_active_time_by_enrolment_id.get(enrolment_id)
        return last_active_at is not None and self.now - last_active_at < period

    def is_present(self, enrolment_id: int) -> bool:
        return self.was_active(enrolment_id, PRESENT_WITHIN)

    def is_beside_others_at_work(self, enrolment_id: int) -> bool:
        """Whether anybody else of the class did something lately."""
        return bool(self.ids_at_work - {enrolment_id})

    @property
    def present_count(self) -> int:
        """How many students are at work now."""
        return sum(self.is_present(student.id) for student in self.students)

    def is_active_elsewhere(self, enrolment_id: int, attempt_progresses: Sequence[AttemptProgress]) -> bool:
        """Whether a student was active a moment ago, and later than in these attempts."""
        if not self.is_present(enrolment_id):
            return False
        last_active_at = self.last_active_time_by_enrolment_id[enrolment_id]
        attempt_times = chain.from_iterable(map(self.work_times_of, attempt_progresses))
        return all(last_active_at > moment for moment in attempt_times)


def newest_time_passed_lately(now: datetime) -> datetime:
    """What `ActivityQueries` ask for beside the classes."""
    return newest_passed_time(now - RECENTLY_DUE_WITHIN)


ATTEMPT_COLUMNS = columns_of(Submission, AttemptProgress)
# Of each student the last answer and the last of all else alone: by the index, without reading the others.
NEWEST_RESPONSE_ID = (
    select(RESPONSE.id)
    .where(RESPONSE.learner_id == ENROLMENT.learner_id)
    .order_by(RESPONSE.created_at.desc(), RESPONSE.id.desc())
    .limit(1)
    .correlate(table(Enrolment))
    .scalar_subquery()
)
LAST_STEP_AT = (
    select(func.max(LESSON_PLACE.updated_at))
    .where(LESSON_PLACE.learner_id == ENROLMENT.learner_id)
    .scalar_subquery()
)
MEMBERS_WITH_ANSWER = (
    table(Enrolment)
    .outerjoin(table(Response), RESPONSE.id == NEWEST_RESPONSE_ID)
    .outerjoin(table(Attempt), ATTEMPT.id == RESPONSE.attempt_id)
)


class ActivityQueries(NamedTuple):
    """What is asked of classes that work: the assignments at which somebody may work, or could lately (a
    class has done many more), the attempts at these, and the last work of each student wherever it was."""

    recent_tasks: TaskQueries
    recent_attempts_query: RowQuery[AttemptProgress]
    last_work_query: PreparedStatement


def activity_queries(
    is_assignment_of_classes: ColumnElement[bool], is_enrolment_of_classes: ColumnElement[bool]
) -> ActivityQueries:
    """The queries for classes of which both conditions are true."""
    recently_open_condition = and_(
        is_assignment_of_classes, ASSIGNMENT.published_at.is_not(None), MAY_BE_WORKED_AT
    )
    recently_open_ids_query = select(ASSIGNMENT.id).where(recently_open_condition)
    attempts_query = select(*ATTEMPT_COLUMNS).where(SUBMISSION.assignment_id.in_(recently_open_ids_query))
    last_work_query = select(
        ENROLMENT.id,
        ATTEMPT.id,
        IS_OWN_WORK_FOR_CLASS,
        RESPONSE.created_at,
        LAST_STEP_AT,
        *LAST_MOMENTS_OUTSIDE_ATTEMPTS,
    )
    return ActivityQueries(
        task_queries(recently_open_condition),
        RowQuery(AttemptProgress, attempts_query.order_by(SUBMISSION.number)),
        PreparedStatement(
            last_work_query.select_from(MEMBERS_WITH_ANSWER).where(is_enrolment_of_classes, IS_MEMBER)
        ),
    )


STUDENTS_OF_CLASSES = PreparedStatement(
    select(ENROLMENT.classroom_id, *STUDENT_COLUMNS)
    .select_from(ENROLMENTS_WITH_ACCOUNTS)
    .where(is_one_of(ENROLMENT.classroom_id, "classrooms"), IS_MEMBER)
)


def load_students_by_class_id(
    session: VerbSession, classroom_ids: Sequence[int]
) -> Mapping[int, Sequence[Student]]:
    """Everybody who is in one of these classes now, by class; who shares a name is not looked up."""
    students_by_class_id = defaultdict[int, list[Student]](list)
    for classroom_id, *student_values in session.all(STUDENTS_OF_CLASSES, classrooms=classroom_ids):
        students_by_class_id[classroom_id].append(Student(*student_values))
    return students_by_class_id


QUERIES_OF_CLASS = activity_queries(IS_ASSIGNMENT_OF_CLASS, IS_OF_CLASS)
QUERIES_OF_CLASSES = activity_queries(
    is_one_of(ASSIGNMENT.classroom_id, "classrooms"), is_one_of(ENROLMENT.classroom_id, "classrooms")
)

IS_STEP_FORWARD = or_(RESPONSE.try_number == 1, ~IS_WRONG)
"""The condition that an answer is a step forward: a first one, or one that was not wrong."""
JOINED_MISCONCEPTIONS: Any = JoinedInOrder(RESPONSE.misconception_code, literal_column("' '"), RESPONSE.id)
QUESTIONS = RowQuery(
    QuestionProgress,
    select(
        RESPONSE.attempt_id,
        RESPONSE.item_ref,
        func.sum(case((IS_WRONG, 1), else_=0)).label("wrong_count"),
        func.max(case((~IS_WRONG, 1), else_=0)).label("is_solved"),
        func.max(case((IS_STEP_FORWARD, RESPONSE.created_at))).label("last_progress_at"),
        func.max(RESPONSE.created_at).label("last_answer_at"),
        func.coalesce(JOINED_MISCONCEPTIONS, "").label("joined_misconception_codes"),
    )
    .where(is_one_of(RESPONSE.attempt_id, "attempts"))
    .group_by(RESPONSE.attempt_id, RESPONSE.item_ref),
)
SAVED_QUESTIONS = RowQuery(
    QuestionProgress,
    select(
        SAVED_ANSWER.attempt_id,
        SAVED_ANSWER.question_ref.label("item_ref"),
        literal_column("0").label("wrong_count"),
        literal_column("1").label("is_solved"),
        SAVED_ANSWER.saved_at.label("last_progress_at"),
        SAVED_ANSWER.saved_at.label("last_answer_at"),
    ).where(is_one_of(SAVED_ANSWER.attempt_id, "attempts"), IS_ANSWER),
)
"""Answers that are not marked yet are progress all the same."""


def load_activity(
    session: VerbSession,
    queries: ActivityQueries,
    students: Sequence[Student],
    now: datetime,
    actor_id: int | None,
    **classes: int | Sequence[int],
) -> ClassActivity:
    """What these students did until now; `classes`: theirs, as the queries ask for them. `actor_id`: the
    learner who asks."""
    latest_answer_by_enrolment_id = {}
    last_other_time_by_enrolment_id = {}
    work_rows = session.all(queries.last_work_query, learner=actor_id, **classes)
    for enrolment_id, attempt_id, is_own_work, answered_at, *other_times in work_rows:
        if attempt_id is not None:
            latest_answer_by_enrolment_id[enrolment_id] = LatestAnswer(
                attempt_id, bool(is_own_work), answered_at
            )
        if any(other_times):
            last_other_time_by_enrolment_id[enrolment_id] = max(filter(None, other_times))
    attempt_progresses = session.all(
        queries.recent_attempts_query, newest_passed_time=newest_time_passed_lately(now), **classes
    )
    progress_by_attempt_id = load_progress_by_attempt_id(
        session, attempt_progresses, latest_answer_by_enrolment_id.values(), now
    )
    return ClassActivity(
        students,
        now,
        attempt_progresses,
        progress_by_attempt_id,
        latest_answer_by_enrolment_id,
        last_other_time_by_enrolment_id,
    )


def load_progress_by_attempt_id(
    session: VerbSession,
    attempt_progresses: Iterable[AttemptProgress],
    latest_answers: Iterable[LatestAnswer],
    now: datetime,
) -> QuestionProgressByAttempt:
    """The questions of unfinished attempts at open assignments, and of what students do by themselves."""
    unfinished_attempt_ids = [
        attempt_progress.attempt_id
        for attempt_progress in attempt_progresses
        if attempt_progress.handed_in_at is None
    ]
    own_work_answers = [latest_answer for latest_answer in latest_answers if latest_answer.is_own_work]
    own_work_attempt_ids = [
        latest_answer.attempt_id
        for latest_answer in own_work_answers
        if now - latest_answer.answered_at < LEFT_AFTER
    ]
    progress_by_attempt_id = defaultdict(list)
    for question_progress in session.all(QUESTIONS, attempts=unfinished_attempt_ids + own_work_attempt_ids):
        progress_by_attempt_id[question_progress.attempt_id].append(question_progress)
    for question_progress in session.all(SAVED_QUESTIONS, attempts=unfinished_attempt_ids):
        progress_by_attempt_id[question_progress.attempt_id].append(question_progress)
    return progress_by_attempt_id
