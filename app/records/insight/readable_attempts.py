"""What the teacher of a class may read of its students: what they did by themselves, and what this teacher
assigned to them; never what another teacher did. Own content is learnt by oneself too, and is readable where
the teacher of the class wrote it or a class of theirs was given some of it.

Two parameters: `classroom`, and `owned`: whether its teacher asks. Whoever helps them reads of what was
assigned, and of own content, only what this class was given.
"""

from typing import Any

from sqlalchemy import Boolean, ColumnElement, and_, bindparam, exists, func, or_, select

from app.records.assignments.rows import ASSIGNMENT, PART, SUBMISSION
from app.records.authoring.own_courses import IS_BY_LEARNER, OWN_COURSE, OWN_COURSE_PREFIX
from app.records.authoring.required_parts import IS_OF_PUBLISHED_ASSIGNMENT
from app.records.classes.classrooms import (
    CLASSROOM,
    ENROLMENT,
    IS_TEACHER,
    IS_THIS_CLASS,
    TEACHER_ID_OF_CLASS,
)
from app.records.classes.tables import Enrolment
from app.records.db.metadata import table
from app.records.learning.rows import ATTEMPT
from app.records.learning.tables import Attempt

IS_ASKED_BY_OWNER = bindparam("owned", type_=Boolean())
IS_ANY_CLASS_OF_OWNER = and_(CLASSROOM.teacher_id == TEACHER_ID_OF_CLASS, IS_ASKED_BY_OWNER)
READABLE_CLASS_IDS = select(CLASSROOM.id).where(or_(IS_THIS_CLASS, IS_ANY_CLASS_OF_OWNER)).correlate(None)
# Decided once for each assignment, not for every attempt at it.
READABLE_ASSIGNMENT_IDS = select(ASSIGNMENT.id).where(ASSIGNMENT.classroom_id.in_(READABLE_CLASS_IDS))
IS_AT_READABLE_ASSIGNMENT = exists().where(
    SUBMISSION.attempt_id == ATTEMPT.id, SUBMISSION.assignment_id.in_(READABLE_ASSIGNMENT_IDS)
)

SIGNS_AFTER_PREFIX = "abcdefghijklmnopqrstuvwxyz0123456789-/#"
"""What stands after the colon of a ref: without it `own-1:own/first` is `own-1:`, in every database."""


def prefix_with_colon_of(ref_column: Any) -> ColumnElement[str]:
    """The prefix of the course of a ref, with its colon."""
    return func.rtrim(ref_column, SIGNS_AFTER_PREFIX)


PREFIXES_OF_OWNER = (
    select(OWN_COURSE_PREFIX)
    .where(OWN_COURSE.learner_id == TEACHER_ID_OF_CLASS, IS_ASKED_BY_OWNER)
    .correlate(None)
)
PREFIXES_OF_ASSIGNED_CONTENTS = (
    select(prefix_with_colon_of(PART.ref))
    .where(
        PART.ref.startswith("own-"),
        ASSIGNMENT.classroom_id.in_(READABLE_CLASS_IDS),
        *IS_OF_PUBLISHED_ASSIGNMENT,
    )
    .correlate(None)
)


def is_of_readable_content(ref_column: Any) -> ColumnElement[bool]:
    """The condition that a ref is of the course, or of own content that is readable."""
    prefix_with_colon = prefix_with_colon_of(ref_column)
    return or_(
        ~ref_column.startswith("own-"),
        prefix_with_colon.in_(PREFIXES_OF_OWNER),
        prefix_with_colon.in_(PREFIXES_OF_ASSIGNED_CONTENTS),
    )


IS_CONTENT_OF_ATTEMPT = prefix_with_colon_of(PART.ref) == prefix_with_colon_of(ATTEMPT.ref)
CLASS_IDS_TAUGHT_BY_ACTOR = select(CLASSROOM.id).where(IS_TEACHER).correlate(None)
IS_CLASS_TAUGHT_BY_ACTOR = ENROLMENT.classroom_id.in_(CLASS_IDS_TAUGHT_BY_ACTOR)
IS_GIVEN_TO_READABLE_CLASS = exists().where(
    or_(
        ASSIGNMENT.classroom_id == ENROLMENT.classroom_id,
        and_(IS_CLASS_TAUGHT_BY_ACTOR, ASSIGNMENT.classroom_id.in_(CLASS_IDS_TAUGHT_BY_ACTOR)),
    ),
    IS_CONTENT_OF_ATTEMPT,
    *IS_OF_PUBLISHED_ASSIGNMENT,
)
IS_WRITTEN_BY_ASKING_TEACHER = exists().where(
    IS_CLASS_TAUGHT_BY_ACTOR, IS_BY_LEARNER, prefix_with_colon_of(ATTEMPT.ref) == OWN_COURSE_PREFIX
)
IS_OWN_WORK_FOR_CLASS = and_(
    ATTEMPT.source != "assignment",
    or_(
        ~ATTEMPT.ref.startswith("own-"),
        IS_GIVEN_TO_READABLE_CLASS.correlate(table(Attempt), table(Enrolment)),
        IS_WRITTEN_BY_ASKING_TEACHER.correlate(table(Attempt), table(Enrolment)),
    ),
)
"""The condition that a student did something by themselves at the course, or at own content that `learner`
may read in the class of the enrolment: the same right as below, for many classes at once, owned or not."""
IS_READABLE_ATTEMPT = or_(
    and_(ATTEMPT.source != "assignment", is_of_readable_content(ATTEMPT.ref)),
    IS_AT_READABLE_ASSIGNMENT.correlate(table(Attempt)),
)
