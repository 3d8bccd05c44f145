"""Where own content stands: the assignments that ask it, and who has it when its teacher goes."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, exists, func, or_, select, update

from app.course import Course
from app.course.assignments.question_sets import questions_of_parts
from app.course.content.refs import bare_id, item_ref_of, own_prefix, prefix_of
from app.course.items.marks import ItemGone, Unreadable
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.assignments.rows import ASSIGNMENT, IS_HANDED_IN, PART, SAVED_ANSWER, SUBMISSION
from app.records.authoring import own_courses
from app.records.authoring.own_courses import IS_BY_LEARNER, OWN_COURSE_PREFIX, OWN_COURSE_TABLE
from app.records.classes import classrooms
from app.records.classes.classrooms import CLASSROOM
from app.records.classes.values import TaughtClass
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.submissions import with_unfilled_signs
from app.records.learning import attempts
from app.records.learning.rows import RESPONSE


class UsedQuestion(NamedTuple):
    """A question of an assignment that asks an item of own content."""

    part_id: int
    number: int
    item_id: str


class ContentUse(NamedTuple):
    """An assignment that asks own content, with these questions. `submission_count`: how many attempts at it
    were handed in; `answered_count`: these, and those that have marked answers to own content already."""

    classroom: TaughtClass
    assignment_id: int
    title: str
    submission_count: int
    answered_count: int
    questions: Sequence[UsedQuestion]


SUBMISSION_COUNT = select(func.count()).where(IS_HANDED_IN).scalar_subquery()
HAS_MARKED_ANSWER = exists().where(
    RESPONSE.attempt_id == SUBMISSION.attempt_id, RESPONSE.item_ref.startswith(bindparam("prefix"))
)
ANSWERED_COUNT = (
    select(func.count())
    .where(SUBMISSION.assignment_id == ASSIGNMENT.id)
    .where(or_(SUBMISSION.handed_in_at.is_not(None), HAS_MARKED_ANSWER))
    .scalar_subquery()
)
ASSIGNMENTS_WITH_COUNTS = select(
    ASSIGNMENT.id,
    ASSIGNMENT.classroom_id,
    ASSIGNMENT.title,
    SUBMISSION_COUNT.label("submission_count"),
    ANSWERED_COUNT.label("answered_count"),
)


def load_content_uses(session: VerbSession, caller: Caller, own_content_id: int) -> list[ContentUse]:
    """The assignments that ask own content, the newest first, in the classes where the caller may mark
    anew: none of colleagues, and none that is put away."""
    running_classes = classrooms.load_running_classes(session, caller)
    running_class_by_id = {running_class.id: running_class for running_class in running_classes}
    course_prefix = own_prefix(own_content_id)
    is_content_asked = exists().where(
        PART.assignment_id == ASSIGNMENT.id, PART.ref.startswith(f"{course_prefix}:")
    )
    use_conditions = (
        ASSIGNMENT.classroom_id.in_(list(running_class_by_id)),
        ASSIGNMENT.published_at.is_not(None),
        is_content_asked,
    )
    assignments_query = ASSIGNMENTS_WITH_COUNTS.where(*use_conditions).order_by(ASSIGNMENT.id.desc())
    assignment_rows = session.execute(assignments_query, {"prefix": f"{course_prefix}:"}).all()
    content_uses = []
    for assignment_row in assignment_rows:
        used_questions = []
        for assigned_question in questions_of_parts(lookup.parts_of(session, assignment_row.id)):
            if prefix_of(assigned_question.ref) == course_prefix:
                item_id = bare_id(assigned_question.ref, course_prefix)
                used_questions.append(
                    UsedQuestion(assigned_question.part_id, assigned_question.number, item_id)
                )
        content_use = ContentUse(
            running_class_by_id[assignment_row.classroom_id],
            assignment_row.id,
            assignment_row.title,
            assignment_row.submission_count,
            assignment_row.answered_count,
            used_questions,
        )
        content_uses.append(content_use)
    return content_uses


OPEN_ANSWERS = PreparedStatement(
    select(SAVED_ANSWER.attempt_id, SAVED_ANSWER.question_ref, SAVED_ANSWER.raw).where(
        SUBMISSION.attempt_id == SAVED_ANSWER.attempt_id,
        SUBMISSION.handed_in_at.is_(None),
        SAVED_ANSWER.question_ref.startswith(bindparam("prefix")),
    )
)
"""What is saved in attempts that nobody has handed in."""


def count_attempts_losing_answers(
    session: VerbSession, caller: Caller, own_content_id: int, former_course: Course, present_course: Course
) -> int:
    """In how many open attempts, of whatever class, an answer could be read by a version of the caller's own
    content and cannot by the next."""
    own_courses.load_own_content(session, caller, own_content_id)
    losing_attempt_ids = set()
    for attempt_id, question_ref, raw_json in session.all(OPEN_ANSWERS, prefix=f"{former_course.prefix}:"):
        item_ref = item_ref_of(question_ref)
        if is_item_unchanged(former_course, present_course, former_course.bare_id(item_ref)):
            continue
        typed_texts = with_unfilled_signs(attempts.answer_texts(raw_json))
        if is_answer_readable(former_course, item_ref, typed_texts) and not is_answer_readable(
            present_course, item_ref, typed_texts
        ):
            losing_attempt_ids.add(attempt_id)
    return len(losing_attempt_ids)


def is_item_unchanged(former_course: Course, present_course: Course, item_id: str) -> bool:
    """Whether two versions have one item alike, so that they read its answers alike."""
    former_item = former_course.items.get(item_id)
    return former_item is not None and former_item == present_course.items.get(item_id)


def is_answer_readable(course: Course, item_ref: str, typed_texts: Sequence[str]) -> bool:
    """Whether an answer can be marked at all."""
    try:
        course.mark(item_ref, 0, typed_texts)
    except (Unreadable, ItemGone):
        return False
    return True


COLLEAGUES_WHO_ASK = select(CLASSROOM.teacher_id).where(
    PART.ref.startswith(OWN_COURSE_PREFIX),
    ASSIGNMENT.id == PART.assignment_id,
    CLASSROOM.id == ASSIGNMENT.classroom_id,
    CLASSROOM.teacher_id != bindparam("learner"),
)
FIRST_COLLEAGUE = COLLEAGUES_WHO_ASK.order_by(ASSIGNMENT.id).limit(1).scalar_subquery()
HAND_OVER = PreparedStatement(
    update(OWN_COURSE_TABLE)
    .where(IS_BY_LEARNER, COLLEAGUES_WHO_ASK.exists())
    .values(learner_id=FIRST_COLLEAGUE, share_token=None, deleted_at=bindparam("now"))
)


def leave_content_to_colleagues(session: VerbSession, learner_id: int, now: datetime) -> None:
    """Before an account goes: own content that is in an assignment of a colleague becomes the colleague's.

    It is as one that was deleted: a running assignment goes on with it to its end. The row stays also where
    nothing runs, for its number would come again, and old assignments would open what another teacher writes.
    """
    session.run(HAND_OVER, learner=learner_id, now=now)
