"""What a teacher sees of one student: all they did but for other teachers; an attempt answer by answer."""

from collections.abc import Collection, Mapping
from typing import Any

from sqlalchemy import and_, bindparam, case, func, select

from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, SUBMISSION
from app.records.assignments.tables import Submission
from app.records.classes import classrooms
from app.records.classes.classrooms import CLASSROOM
from app.records.classes.values import (
    AssignedAttempt,
    ListedAttempt,
    Student,
    StudentData,
    TaughtClass,
)
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading.regraded_marks import IS_ABOUT_ITEM, RE_MARK
from app.records.insight.class_progress import HANDED_IN_BY_STUDENT_AT, READABLE_TRIES
from app.records.insight.readable_attempts import IS_READABLE_ATTEMPT, READABLE_CLASS_IDS
from app.records.learning import attempts, lesson_progress, progress
from app.records.learning.first_tries import FIRST_TRY_COUNT, LearnerTries
from app.records.learning.rows import ATTEMPT, RESPONSE, is_judged, is_right_alone
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import AttemptData, FirstTries

FIRST_TRIES_OF_LEARNER = RowQuery(
    LearnerTries, READABLE_TRIES.where(FIRST_TRY_COUNT.learner_id == bindparam("learner"))
)
BEGAN_UNLESS_OPEN_AT: Any = case((SUBMISSION.handed_in_at.is_not(None), ATTEMPT.created_at))
LAST_ACTED_AT: Any = func.coalesce(
    func.max(RESPONSE.created_at), func.max(HANDED_IN_BY_STUDENT_AT), func.max(BEGAN_UNLESS_OPEN_AT)
)
"""Of an attempt that was handed in without an answer: when its student did that or, where it was not they,
began it."""
IS_RIGHT_SINCE_MARKED_AGAIN = (
    select(is_right_alone(RE_MARK))
    .where(RE_MARK.response_id == RESPONSE.id, IS_ABOUT_ITEM)
    .order_by(RE_MARK.id.desc())
    .limit(1)
    .correlate(table(Response))
    .scalar_subquery()
)
"""By the last second mark of an answer; nothing where it has none."""
IS_RIGHT_AS_ANSWERED = and_(is_right_alone(RESPONSE), is_judged(RESPONSE))
IS_RIGHT_AT_ONCE = and_(
    RESPONSE.try_number == 1, func.coalesce(IS_RIGHT_SINCE_MARKED_AGAIN, IS_RIGHT_AS_ANSWERED)
)
LISTED_ATTEMPTS = RowQuery(
    ListedAttempt,
    select(
        ATTEMPT.id,
        ATTEMPT.source,
        ATTEMPT.ref,
        ATTEMPT.round,
        ATTEMPT.created_at,
        LAST_ACTED_AT.label("last_acted_at"),
        func.count(RESPONSE.item_ref.distinct()).label("item_count"),
        func.sum(case((IS_RIGHT_AT_ONCE, 1), else_=0)).label("right_count"),
    )
    .select_from(
        table(Attempt)
        .outerjoin(table(Response), RESPONSE.attempt_id == ATTEMPT.id)
        .outerjoin(table(Submission), SUBMISSION.attempt_id == ATTEMPT.id)
    )
    .where(ATTEMPT.learner_id == bindparam("learner"), IS_READABLE_ATTEMPT)
    .group_by(ATTEMPT.id)
    .having(LAST_ACTED_AT.is_not(None))
    .order_by(LAST_ACTED_AT.desc()),
)
ASSIGNED_ATTEMPTS = RowQuery(
    AssignedAttempt,
    select(
        ATTEMPT.id.label("attempt_id"),
        ASSIGNMENT.id.label("assignment_id"),
        ASSIGNMENT.title,
        ASSIGNMENT.classroom_id,
        CLASSROOM.name.label("class_name"),
        SUBMISSION.enrolment_id,
    ).where(
        ATTEMPT.learner_id == bindparam("learner"),
        SUBMISSION.attempt_id == ATTEMPT.id,
        ASSIGNMENT.id == SUBMISSION.assignment_id,
        CLASSROOM.id == ASSIGNMENT.classroom_id,
        CLASSROOM.id.in_(READABLE_CLASS_IDS),
    ),
)


def load_student_and_classes(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    original_ref_by_twin_ref: Mapping[str, str],
    unscored_refs: Collection[str],
) -> tuple[StudentData, list[TaughtClass]]:
    """A student with all they did but for other teachers; the teacher's other classes, to move them to."""
    classroom, student = classrooms.class_and_student(session, caller, classroom_id, enrolment_id)
    student_parameters = {
        "classroom": classroom.id,
        "owned": classroom.is_owned,
        "learner": student.learner_id,
    }
    first_tries = FirstTries()
    learner_tries = session.first(FIRST_TRIES_OF_LEARNER, **student_parameters)
    if learner_tries:
        first_tries = learner_tries.first_tries
    reached_places = lesson_progress.reached_places_of_learner(session, student.learner_id)
    progress_data = progress.progress_of_learner(
        session, student.learner_id, original_ref_by_twin_ref, unscored_refs, reached_places
    )
    listed_attempts = session.all(LISTED_ATTEMPTS, **student_parameters)
    assigned_attempts = session.all(ASSIGNED_ATTEMPTS, **student_parameters)
    assigned_attempt_by_id = {
        assigned_attempt.attempt_id: assigned_attempt for assigned_attempt in assigned_attempts
    }
    student_data = StudentData(
        classroom, student, progress_data, tuple(listed_attempts), first_tries, assigned_attempt_by_id
    )
    running_classes = classrooms.load_running_classes(session, caller)
    target_classes = [
        running_class
        for running_class in running_classes
        if running_class.is_owned and running_class.id != classroom.id
    ]
    return student_data, target_classes


READABLE_ATTEMPT_ID = PreparedStatement(
    select(ATTEMPT.id).where(ATTEMPT.id == bindparam("attempt"), IS_READABLE_ATTEMPT)
)


def load_student_and_attempt(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, attempt_id: int
) -> tuple[Student, AttemptData]:
    """One attempt of a student, with every item as it was when it was answered."""
    classroom, student = classrooms.class_and_student(session, caller, classroom_id, enrolment_id)
    class_parameters = {"classroom": classroom.id, "owned": classroom.is_owned}
    attempt_row = session.first(READABLE_ATTEMPT_ID, **class_parameters, attempt=attempt_id)
    if attempt_row is None:
        raise NotFound
    return student, attempts.attempt_data_of(session, student.learner_id, attempt_id)
