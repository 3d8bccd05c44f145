"""What the pages of a class show: to its teacher, to its students, and of one student, answer by answer.

A fixed number of statements, however many students there are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from operator import attrgetter
from typing import Any

from sqlalchemy import Column, ScalarSelect, and_, bindparam, case, func, or_, select

from app.records.accounts import accounts, learners
from app.records.accounts.learners import CALLER_ID
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import CLASSES_OF_TEACHER, READABLE, AssignedTask
from app.records.assignments.rows import ASSIGNMENT, ASSIGNMENT_IN_CLASS, SAVED
from app.records.classes import classrooms, groups
from app.records.classes.classrooms import (
    ENROLMENT,
    IS_MEMBER,
    JOINED_CLASSES,
    MEMBERS,
    OF_CLASS,
    THIS_CLASS,
)
from app.records.classes.tables import Enrolment
from app.records.classes.values import (
    ClassData,
    ClassRow,
    JoinedClass,
    LastSection,
    PieceOfWork,
    Student,
    StudentData,
    TaughtClass,
)
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession
from app.records.learning import attempts, progress
from app.records.learning.attempts import ATTEMPT, RESPONSE
from app.records.learning.first_tries import COUNT, TRIES, LearnerTries
from app.records.learning.mastery import is_judged, is_right_alone
from app.records.learning.progress import MOVE, PLACE, REVEAL, REVIEW
from app.records.learning.values import AttemptData, FirstTries


def load_class(session: VerbSession, caller: Caller, classroom_id: int) -> ClassData:
    """A class with what its page shows of every student."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = []
    removed_students = []
    for student in classrooms.students(session, classroom.id):
        if student.removed_at is None:
            students.append(student)
        else:
            removed_students.append(student)
    sections = last_sections(session, classroom.id)
    tries = session.all(FIRST_TRIES_OF_CLASS, classroom=classroom.id, owned=classroom.is_owned)
    last_active = last_active_of(session, classroom.id, sections, tries)
    firsts = {learner.learner_id: learner.counts for learner in tries}
    return ClassData(
        classroom,
        tuple(students),
        tuple(removed_students),
        last_sections=sections,
        last_active=last_active,
        firsts=firsts,
        groups=groups.groups_of(session, classroom.id),
    )


PLACES_OF_STUDENT = select(PLACE.id).where(PLACE.learner_id == ENROLMENT.learner_id)
NEWEST_FIRST = PLACES_OF_STUDENT.order_by(PLACE.updated_at.desc(), PLACE.id.desc())
LAST_PLACE_ID = NEWEST_FIRST.limit(1).correlate(table(Enrolment)).scalar_subquery()
SECTIONS = select(PLACE.learner_id, PLACE.stage, PLACE.section, PLACE.done, PLACE.updated_at)
LAST_SECTIONS = Prepared(SECTIONS.where(OF_CLASS, IS_MEMBER, PLACE.id == LAST_PLACE_ID))


def last_sections(session: VerbSession, classroom_id: int) -> dict[int, LastSection]:
    """The section in which each student was last, by learner."""
    sections = {}
    rows = session.all(LAST_SECTIONS, classroom=classroom_id)
    for learner_id, *place in rows:
        sections[learner_id] = LastSection(*place)
    return sections


ASSIGNED_BY_TEACHER = COUNT.classroom_id.in_(CLASSES_OF_TEACHER)
IS_READABLE = or_(COUNT.classroom_id.is_(None), ASSIGNED_BY_TEACHER)
READABLE_TRIES = TRIES.where(IS_READABLE)
BY_MEMBER = COUNT.learner_id.in_(MEMBERS)
FIRST_TRIES_OF_CLASS = RowQuery(LearnerTries, READABLE_TRIES.where(BY_MEMBER))
HOW_MANY: Any = func.count(COUNT.learner_id.distinct())
MET_BY_CLASS = select(COUNT.item, HOW_MANY).where(IS_READABLE, BY_MEMBER)
MET_ITEMS = Prepared(MET_BY_CLASS.group_by(COUNT.item))


def load_tried_counts(session: VerbSession, caller: Caller, classroom_id: int) -> dict[str, int]:
    """How many students of a class have answered each item that somebody in it has met, by its ref."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    rows = session.all(MET_ITEMS, classroom=classroom.id, owned=classroom.is_owned)
    return dict(rows)


IS_LEARNER = COUNT.learner_id == bindparam("learner")
FIRST_TRIES_OF_LEARNER = RowQuery(LearnerTries, READABLE_TRIES.where(IS_LEARNER))


def latest_moment_query(
    moment: Column[datetime], learner_id: Column[int], newest: Column[int]
) -> ScalarSelect[datetime]:
    """Of thousands of rows the last one, by the index."""
    moments_of_learner = select(moment).where(learner_id == ENROLMENT.learner_id)
    newest_first = moments_of_learner.order_by(newest.desc())
    return newest_first.limit(1).scalar_subquery()


LATELY = 8
"""So many attempts back an answer that is only saved may be the last thing that somebody did."""
ATTEMPTED_BY_STUDENT = ATTEMPT.learner_id == ENROLMENT.learner_id
ATTEMPTS_OF_STUDENT = select(ATTEMPT.id).where(ATTEMPTED_BY_STUDENT)
NEWEST_ATTEMPTS = ATTEMPTS_OF_STUDENT.order_by(ATTEMPT.id.desc())
LAST_ATTEMPTS = NEWEST_ATTEMPTS.limit(LATELY).correlate(table(Enrolment))
LAST_SAVED_AT = select(func.max(SAVED.saved_at))
SAVED_LATELY = LAST_SAVED_AT.where(SAVED.attempt_id.in_(LAST_ATTEMPTS))
LAST_SAVED = SAVED_LATELY.correlate(table(Enrolment)).scalar_subquery()
LAST_REVEALED = latest_moment_query(REVEAL.created_at, REVEAL.learner_id, REVEAL.id)
LAST_MOVED = latest_moment_query(MOVE.created_at, MOVE.learner_id, MOVE.id)
LAST_REVIEWED = latest_moment_query(REVIEW.reviewed_at, REVIEW.learner_id, REVIEW.id)
LAST_MOMENTS = select(ENROLMENT.learner_id, LAST_REVEALED, LAST_MOVED, LAST_REVIEWED, LAST_SAVED)
LAST_OTHER_ACTIVITIES = Prepared(LAST_MOMENTS.where(OF_CLASS, IS_MEMBER))
"""When each student last did what is neither a step of a lesson nor an answer."""


def last_active_of(
    session: VerbSession,
    classroom_id: int,
    sections: Mapping[int, LastSection],
    tries: Iterable[LearnerTries],
) -> dict[int, datetime]:
    """When each student was last active, by learner."""
    moments_by_learner = defaultdict[int, list[datetime]](list)
    for learner_id, section in sections.items():
        moments_by_learner[learner_id].append(section.at)
    for learner_tries in tries:
        moments_by_learner[learner_tries.learner_id].append(learner_tries.answered_at)
    rows = session.all(LAST_OTHER_ACTIVITIES, classroom=classroom_id)
    for learner_id, *last_times in rows:
        moments_by_learner[learner_id] += filter(None, last_times)
    last_active = {}
    for learner_id, moments in moments_by_learner.items():
        if moments:
            last_active[learner_id] = max(moments)
    return last_active


def load_arrivals(session: VerbSession, caller: Caller, classroom_id: int) -> tuple[ClassRow, list[Student]]:
    """A class with its students, in the order in which they came."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.members(session, classroom.id)
    return classroom, sorted(students, key=attrgetter("joined_at", "id"))


IS_CALLER = ENROLMENT.learner_id == CALLER_ID
ATTENDED = JOINED_CLASSES.where(THIS_CLASS, IS_CALLER)
ATTENDED_CLASS = RowQuery(JoinedClass, ATTENDED)


def load_attended(session: VerbSession, caller: Caller, classroom_id: int) -> JoinedClass:
    """A class as its student sees it, also when it has ended; NotFound to everybody else."""
    token_hash = learners.caller_hash(caller)
    classroom = session.first(ATTENDED_CLASS, classroom=classroom_id, hash=token_hash)
    if classroom is None:
        raise NotFound("没有这个班级，或者你不在里面。")
    return classroom


def load_preview(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[JoinedClass, list[AssignedTask]]:
    """A class as its students see it, for its teacher, with the assignments that are published."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    account = accounts.load_visitor(session, caller).account
    login = ""
    if account:
        login = account.login
    tasks = assigned.tasks_of_class(session, classroom.id)
    published_tasks = [task for task in tasks if task.assignment.published_at]
    notice = (classroom.notice, classroom.notice_until)
    preview = JoinedClass(classroom.id, classroom.name, login, classroom.archived_at, *notice)
    return preview, published_tasks


LAST_ANSWER_AT: Any = func.max(RESPONSE.created_at)
ITEM_COUNT: Any = func.count(RESPONSE.item.distinct())
IS_RIGHT_AT_ONCE = and_(is_right_alone(RESPONSE), is_judged(RESPONSE), RESPONSE.try_number == 1)
ONE_IF_RIGHT: Any = case((IS_RIGHT_AT_ONCE, 1), else_=0)
RIGHT_COUNT: Any = func.sum(ONE_IF_RIGHT)
WORKS = select(
    ATTEMPT.id,
    ATTEMPT.source,
    ATTEMPT.ref,
    ATTEMPT.round,
    ATTEMPT.created_at,
    LAST_ANSWER_AT.label("last_at"),
    ITEM_COUNT.label("items"),
    RIGHT_COUNT.label("right"),
).group_by(ATTEMPT.id)
READABLE_ANSWERS = and_(RESPONSE.attempt_id == ATTEMPT.id, READABLE)
BY_LEARNER = ATTEMPT.learner_id == bindparam("learner")
WORKS_OF_LEARNER = WORKS.where(BY_LEARNER, READABLE_ANSWERS)
LATEST_WORKS = WORKS_OF_LEARNER.order_by(LAST_ANSWER_AT.desc())
PIECES_OF_WORK = RowQuery(PieceOfWork, LATEST_WORKS)
TITLES = select(ASSIGNMENT.id, ASSIGNMENT.title)
TITLES_OF_ASSIGNMENTS = Prepared(TITLES.where(ASSIGNMENT_IN_CLASS))


def load_student(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    twins: Mapping[str, str],
    unscored_refs: Collection[str],
) -> tuple[StudentData, list[TaughtClass]]:
    """A student with all they did but for other teachers; the teacher's other classes, to move them to."""
    classroom, student = classrooms.student(session, caller, classroom_id, enrolment_id)
    scope = {"classroom": classroom.id, "owned": classroom.is_owned, "learner": student.learner_id}
    firsts = FirstTries()
    tries = session.first(FIRST_TRIES_OF_LEARNER, **scope)
    if tries:
        firsts = tries.counts
    progress_data = progress.of_learner(session, student.learner_id, twins, unscored_refs)
    works = session.all(PIECES_OF_WORK, **scope)
    title_rows = session.all(TITLES_OF_ASSIGNMENTS, classroom=classroom.id)
    titles: dict[int, str] = dict(title_rows)
    student_data = StudentData(classroom, student, progress_data, tuple(works), firsts, titles)
    taught_classes = classrooms.class_lists(session, caller).taught
    running = [own_class for own_class in taught_classes if own_class.is_taught and own_class.is_owned]
    targets = [own_class for own_class in running if own_class.id != classroom.id]
    return student_data, targets


IS_ATTEMPT = ATTEMPT.id == bindparam("attempt")
ATTEMPT_BY_ID = select(ATTEMPT.id).where(IS_ATTEMPT)
READABLE_ATTEMPT = Prepared(ATTEMPT_BY_ID.where(READABLE))


def load_attempt(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, attempt_id: int
) -> tuple[Student, AttemptData]:
    """One attempt of a student, with every item as it was when it was answered."""
    classroom, student = classrooms.student(session, caller, classroom_id, enrolment_id)
    scope = {"classroom": classroom.id, "owned": classroom.is_owned}
    attempt = session.first(READABLE_ATTEMPT, **scope, attempt=attempt_id)
    if attempt is None:
        raise NotFound
    return student, attempts.of_learner(session, student.learner_id, attempt_id)
