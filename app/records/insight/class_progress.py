"""What the page of a class shows its teacher: every student with first tries, last section and last activity.

A fixed number of statements, however many students there are.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import Column, ScalarSelect, and_, case, func, or_, select

from app.records.accounts.values import Caller
from app.records.assignments.rows import ASSIGNMENT, SAVED_ANSWER, SUBMISSION
from app.records.cards.rows import REVIEW
from app.records.classes import classrooms, groups
from app.records.classes.classrooms import (
    ENROLMENT,
    IS_MEMBER,
    IS_OF_CLASS,
    MEMBER_LEARNER_IDS,
)
from app.records.classes.tables import Enrolment
from app.records.classes.values import (
    ClassData,
    ClassRow,
    LastSection,
    Student,
    present_students_among,
)
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.games.plays import GAME_MOVE
from app.records.insight.readable_attempts import READABLE_CLASS_IDS, is_of_readable_content
from app.records.learning.first_tries import FIRST_TRY_COUNT, LEARNER_TRIES, LearnerTries
from app.records.learning.rows import ATTEMPT, LESSON_PLACE, RESPONSE, REVEAL


def load_class(session: VerbSession, caller: Caller, classroom_id: int) -> ClassData:
    """A class with what its page shows of every student."""
    class_data = load_class_with_first_tries(session, caller, classroom_id)
    last_section_by_learner_id = load_last_section_by_learner_id(session, classroom_id)
    activity_rows = session.all(LAST_ACTIVITIES, classroom=classroom_id)
    return class_data._replace(
        last_section_by_learner_id=last_section_by_learner_id,
        last_active_time_by_learner_id=last_active_time_by_learner_id_of(
            activity_rows, last_section_by_learner_id
        ),
        last_assignment_title_by_learner_id={
            learner_id: assignment_title
            for learner_id, assignment_title, *_ in activity_rows
            if assignment_title
        },
        groups=groups.groups_of(session, classroom_id),
    )


IS_READABLE_TRY = or_(
    and_(FIRST_TRY_COUNT.classroom_id.is_(None), is_of_readable_content(FIRST_TRY_COUNT.item_ref)),
    FIRST_TRY_COUNT.classroom_id.in_(READABLE_CLASS_IDS),
)
"""The condition that a count is about what nobody assigned and may be read, or a class of this teacher."""
READABLE_TRIES = LEARNER_TRIES.where(IS_READABLE_TRY)
IS_BY_MEMBER = FIRST_TRY_COUNT.learner_id.in_(MEMBER_LEARNER_IDS)


FIRST_TRIES_OF_CLASS = RowQuery(LearnerTries, READABLE_TRIES.where(IS_BY_MEMBER))


def load_class_with_first_tries(session: VerbSession, caller: Caller, classroom_id: int) -> ClassData:
    """A class with the first tries of every student, and nothing else of them."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.load_present_and_former_students(session, classroom.id)
    removed_students = [student for student in students if student.removed_at is not None]
    tries_of_learners = session.all(FIRST_TRIES_OF_CLASS, classroom=classroom.id, owned=classroom.is_owned)
    first_tries_by_learner_id = {
        tries_of_learner.learner_id: tries_of_learner.first_tries for tries_of_learner in tries_of_learners
    }
    present_students = present_students_among(students)
    return ClassData(classroom, present_students, tuple(removed_students), first_tries_by_learner_id)


LAST_PLACE_ID = (
    select(LESSON_PLACE.id)
    .where(LESSON_PLACE.learner_id == ENROLMENT.learner_id)
    .order_by(LESSON_PLACE.updated_at.desc(), LESSON_PLACE.id.desc())
    .limit(1)
    .correlate(table(Enrolment))
    .scalar_subquery()
)
LAST_SECTIONS = PreparedStatement(
    select(
        LESSON_PLACE.learner_id,
        LESSON_PLACE.stage_ref,
        LESSON_PLACE.section_id,
        LESSON_PLACE.is_done,
        LESSON_PLACE.updated_at,
    ).where(IS_OF_CLASS, IS_MEMBER, LESSON_PLACE.id == LAST_PLACE_ID)
)


def load_last_section_by_learner_id(session: VerbSession, classroom_id: int) -> dict[int, LastSection]:
    """The section in which each student was last, by learner."""
    section_by_learner_id = {}
    section_rows = session.all(LAST_SECTIONS, classroom=classroom_id)
    for learner_id, *section_values in section_rows:
        section_by_learner_id[learner_id] = LastSection(*section_values)
    return section_by_learner_id


STUDENT_COUNT_BY_ITEM = PreparedStatement(
    select(FIRST_TRY_COUNT.item_ref, func.count(FIRST_TRY_COUNT.learner_id.distinct()))
    .where(IS_READABLE_TRY, IS_BY_MEMBER)
    .group_by(FIRST_TRY_COUNT.item_ref)
)


def load_student_count_by_item_ref(session: VerbSession, caller: Caller, classroom_id: int) -> dict[str, int]:
    """How many students of a class have answered each item that somebody in it has met, by its ref."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    count_rows = session.all(STUDENT_COUNT_BY_ITEM, classroom=classroom.id, owned=classroom.is_owned)
    return dict(count_rows)


def latest_moment_query(
    moment_column: Column[datetime], learner_column: Column[int], order_column: Column[int]
) -> ScalarSelect[datetime]:
    """Of thousands of rows the last one, by the index."""
    moments_query = select(moment_column).where(learner_column == ENROLMENT.learner_id)
    newest_first_query = moments_query.order_by(order_column.desc())
    return newest_first_query.limit(1).scalar_subquery()


MOST_ATTEMPTS_BACK = 8
"""So many attempts back an answer that is only saved, or a hand-in, may be the last act of somebody."""
LAST_ATTEMPT_IDS = (
    select(ATTEMPT.id)
    .where(ATTEMPT.learner_id == ENROLMENT.learner_id)
    .order_by(ATTEMPT.id.desc())
    .limit(MOST_ATTEMPTS_BACK)
    .correlate(table(Enrolment))
)
LAST_SAVED_AT = (
    select(func.max(SAVED_ANSWER.saved_at))
    .where(SAVED_ANSWER.attempt_id.in_(LAST_ATTEMPT_IDS))
    .correlate(table(Enrolment))
    .scalar_subquery()
)
HANDED_IN_BY_STUDENT_AT: Any = case(
    (and_(SUBMISSION.is_collected.is_(False), SUBMISSION.marked_at.is_(None)), SUBMISSION.handed_in_at)
)
LAST_HAND_IN_AT = (
    select(func.max(HANDED_IN_BY_STUDENT_AT))
    .where(SUBMISSION.attempt_id.in_(LAST_ATTEMPT_IDS))
    .correlate(table(Enrolment))
    .scalar_subquery()
)
"""When somebody last handed in themselves."""
LAST_ASSIGNMENT_TITLE = (
    select(ASSIGNMENT.title)
    .where(SUBMISSION.enrolment_id == ENROLMENT.id, ASSIGNMENT.id == SUBMISSION.assignment_id)
    .order_by(SUBMISSION.attempt_id.desc())
    .limit(1)
    .correlate(table(Enrolment))
    .scalar_subquery()
)
LAST_MOMENTS_OUTSIDE_ATTEMPTS = (
    latest_moment_query(REVEAL.created_at, REVEAL.learner_id, REVEAL.id),
    latest_moment_query(GAME_MOVE.created_at, GAME_MOVE.learner_id, GAME_MOVE.id),
    latest_moment_query(REVIEW.reviewed_at, REVIEW.learner_id, REVIEW.id),
)
"""When each student last opened an example, played, and reviewed a card."""
LAST_ACTIVITIES = PreparedStatement(
    select(
        ENROLMENT.learner_id,
        LAST_ASSIGNMENT_TITLE,
        latest_moment_query(RESPONSE.created_at, RESPONSE.learner_id, RESPONSE.created_at),
        *LAST_MOMENTS_OUTSIDE_ATTEMPTS,
        LAST_SAVED_AT,
        LAST_HAND_IN_AT,
    ).where(IS_OF_CLASS, IS_MEMBER)
)
"""What assignment each student began last; when they last answered, and did what is no step of a lesson."""


def last_active_time_by_learner_id_of(
    activity_rows: Iterable[Sequence[Any]], last_section_by_learner_id: Mapping[int, LastSection]
) -> dict[int, datetime]:
    """When each student was last active, by learner. `activity_rows`: of `LAST_ACTIVITIES`."""
    moments_by_learner_id = defaultdict[int, list[datetime]](list)
    for learner_id, last_section in last_section_by_learner_id.items():
        moments_by_learner_id[learner_id].append(last_section.reached_at)
    for learner_id, _, *last_times in activity_rows:
        moments_by_learner_id[learner_id] += filter(None, last_times)
    last_active_time_by_learner_id = {}
    for learner_id, activity_times in moments_by_learner_id.items():
        if activity_times:
            last_active_time_by_learner_id[learner_id] = max(activity_times)
    return last_active_time_by_learner_id


def load_class_and_ordered_students(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[ClassRow, list[Student]]:
    """A class with its students, in the order in which they came."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.load_present_students(session, classroom.id)
    return classroom, sorted(students, key=attrgetter("joined_at", "id"))
