"""What the pages of a class show: to its teacher, to its students, and of one student, answer by answer.

A fixed number of statements, however many students there are.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime

from sqlalchemy import Column, ScalarSelect, bindparam, case, func, or_, select

from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import CLASSES_OF_TEACHER, AssignedTask, readable
from app.records.assignments.rows import ASSIGNMENT, SAVED
from app.records.classes import classrooms
from app.records.classes.classrooms import (
    CALLER_ID,
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
from app.records.learning.mastery import alone
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
    tries = session.all(FIRST_TRIES_OF_CLASS, classroom=classroom.id)
    return ClassData(
        classroom=classroom,
        students=tuple(students),
        removed=tuple(removed_students),
        last_sections=sections,
        last_active=last_active_of(session, classroom.id, sections, tries),
        firsts={learner.learner_id: learner.counts for learner in tries},
    )


LAST_PLACE = (
    select(PLACE.id)
    .where(PLACE.learner_id == ENROLMENT.learner_id)
    .order_by(PLACE.updated_at.desc(), PLACE.id.desc())
    .limit(1)
    .correlate(table(Enrolment))
)
LAST_PLACES = Prepared(
    select(PLACE.learner_id, PLACE.stage, PLACE.section, PLACE.done, PLACE.updated_at).where(
        OF_CLASS, IS_MEMBER, PLACE.id == LAST_PLACE.scalar_subquery()
    )
)


def last_sections(session: VerbSession, classroom_id: int) -> dict[int, LastSection]:
    """The section in which each student was last, by learner."""
    sections = {}
    for learner_id, *place in session.all(LAST_PLACES, classroom=classroom_id):
        sections[learner_id] = LastSection(*place)
    return sections


IS_READABLE = or_(COUNT.classroom_id.is_(None), COUNT.classroom_id.in_(CLASSES_OF_TEACHER))
FIRST_TRIES_OF_CLASS = RowQuery(LearnerTries, TRIES.where(COUNT.learner_id.in_(MEMBERS), IS_READABLE))
FIRST_TRIES_OF_LEARNER = RowQuery(
    LearnerTries, TRIES.where(COUNT.learner_id == bindparam("learner"), IS_READABLE)
)


def latest_moment(
    moment: Column[datetime], learner_id: Column[int], newest: Column[int]
) -> ScalarSelect[datetime]:
    """Of thousands of rows the last one, by the index."""
    of_learner = select(moment).where(learner_id == ENROLMENT.learner_id)
    return of_learner.order_by(newest.desc()).limit(1).scalar_subquery()


LATELY = 8
"""So many attempts back an answer that is only saved may be the last thing that somebody did."""
LAST_ATTEMPTS = (
    select(ATTEMPT.id)
    .where(ATTEMPT.learner_id == ENROLMENT.learner_id)
    .order_by(ATTEMPT.id.desc())
    .limit(LATELY)
    .correlate(table(Enrolment))
)
LAST_SAVED = (
    select(func.max(SAVED.saved_at)).where(SAVED.attempt_id.in_(LAST_ATTEMPTS)).correlate(table(Enrolment))
)
LAST_OTHER_ACTIVITIES = Prepared(
    select(
        ENROLMENT.learner_id,
        latest_moment(REVEAL.created_at, REVEAL.learner_id, REVEAL.id),
        latest_moment(MOVE.created_at, MOVE.learner_id, MOVE.id),
        latest_moment(REVIEW.reviewed_at, REVIEW.learner_id, REVIEW.id),
        LAST_SAVED.scalar_subquery(),
    ).where(OF_CLASS, IS_MEMBER)
)
"""When each student last did what is neither a step of a lesson nor an answer."""


def last_active_of(
    session: VerbSession,
    classroom_id: int,
    sections: Mapping[int, LastSection],
    tries: Iterable[LearnerTries],
) -> dict[int, datetime]:
    """When each student was last active, by learner."""
    moments_by_learner: dict[int, list[datetime]] = defaultdict(list)
    for learner_id, section in sections.items():
        moments_by_learner[learner_id].append(section.at)
    for learner_tries in tries:
        moments_by_learner[learner_tries.learner_id].append(learner_tries.answered_at)
    for learner_id, *last_times in session.all(LAST_OTHER_ACTIVITIES, classroom=classroom_id):
        moments_by_learner[learner_id] += filter(None, last_times)
    return {
        learner_id: max(moments_of_learner)
        for learner_id, moments_of_learner in moments_by_learner.items()
        if moments_of_learner
    }


def load_arrivals(session: VerbSession, caller: Caller, classroom_id: int) -> tuple[ClassRow, list[Student]]:
    """A class with its students, in the order in which they came."""
    classroom = classrooms.taught_class(session, caller, classroom_id)
    students = classrooms.members(session, classroom.id)
    return classroom, sorted(students, key=lambda student: (student.joined_at, student.id))


ATTENDED_CLASS = RowQuery(JoinedClass, JOINED_CLASSES.where(THIS_CLASS, ENROLMENT.learner_id == CALLER_ID))


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
    tasks = [task for task in assigned.of_class(session, classroom.id) if task.assignment.published_at]
    return JoinedClass(classroom.id, classroom.name, login, classroom.archived_at), tasks


PIECES_OF_WORK = RowQuery(
    PieceOfWork,
    select(
        ATTEMPT.id,
        ATTEMPT.source,
        ATTEMPT.ref,
        ATTEMPT.round,
        ATTEMPT.created_at,
        func.max(RESPONSE.created_at).label("last_at"),
        func.count(RESPONSE.item.distinct()).label("items"),
        func.sum(case((alone(RESPONSE) & (RESPONSE.try_number == 1), 1), else_=0)).label("right"),
    )
    .where(ATTEMPT.learner_id == bindparam("learner"), RESPONSE.attempt_id == ATTEMPT.id, readable)
    .group_by(ATTEMPT.id)
    .order_by(func.max(RESPONSE.created_at).desc()),
)
TITLES_OF_ASSIGNMENTS = Prepared(
    select(ASSIGNMENT.id, ASSIGNMENT.title).where(ASSIGNMENT.classroom_id == bindparam("classroom"))
)


def load_student(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    enrolment_id: int,
    twins: Mapping[str, str],
    unscored: Collection[str],
) -> tuple[StudentData, list[TaughtClass]]:
    """A student with all they did but for other teachers; the teacher's other classes, to move them to."""
    classroom, student = classrooms.student(session, caller, classroom_id, enrolment_id)
    scope = {"classroom": classroom.id, "learner": student.learner_id}
    firsts = FirstTries()
    tries = session.first(FIRST_TRIES_OF_LEARNER, **scope)
    if tries:
        firsts = tries.counts
    student_data = StudentData(
        classroom=classroom,
        student=student,
        progress=progress.of_learner(session, student.learner_id, twins, unscored),
        works=tuple(session.all(PIECES_OF_WORK, **scope)),
        firsts=firsts,
        assignments=dict(session.all(TITLES_OF_ASSIGNMENTS, classroom=classroom.id)),
    )
    targets = [
        target
        for target in classrooms.class_lists(session, caller).taught
        if target.id != classroom.id and target.archived_at is None
    ]
    return student_data, targets


READABLE_ATTEMPT = Prepared(select(ATTEMPT.id).where(ATTEMPT.id == bindparam("attempt"), readable))


def load_attempt(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, attempt_id: int
) -> tuple[Student, AttemptData]:
    """One attempt of a student, with every item as it was when it was answered."""
    classroom, student = classrooms.student(session, caller, classroom_id, enrolment_id)
    if session.first(READABLE_ATTEMPT, classroom=classroom.id, attempt=attempt_id) is None:
        raise NotFound
    return student, attempts.of_learner(session, student.learner_id, attempt_id)
