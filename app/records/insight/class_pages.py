"""What the pages of a class show: to its teacher, to its students, and of one student, answer by answer.

A fixed number of statements, however many students there are.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Column, ScalarSelect, Select, bindparam, case, func, literal, literal_column, select

from app.records.accounts import accounts, learners
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask, readable
from app.records.assignments.tables import Assignment, SavedAnswer
from app.records.cards.tables import ReviewLog
from app.records.classes import classrooms
from app.records.classes.classrooms import (
    ENROLMENT,
    IS_MEMBER,
    JOINED_CLASSES,
    MEMBERS,
    OF_CLASS,
    THIS_CLASS,
    me,
)
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
from app.records.games.tables import GameMove
from app.records.learning import attempts, progress
from app.records.learning.mastery import alone
from app.records.learning.tables import Attempt, LessonPlace, Response, Reveal
from app.records.learning.values import AttemptData, FirstTries

ATTEMPT = table(Attempt).c
RESPONSE = table(Response).c


def load_class(session: VerbSession, caller: Caller, classroom_id: int) -> ClassData:
    """A class with what its page shows of every student."""
    classroom = classrooms.taught(session, caller, classroom_id)
    students = []
    removed = []
    for student in classrooms.students(session, classroom.id):
        if student.removed_at is None:
            students.append(student)
        else:
            removed.append(student)
    sections = last_sections(session, classroom.id)
    tries = session.all(FIRST_TRIES_OF_CLASS, classroom=classroom.id)
    return ClassData(
        row=classroom,
        students=tuple(students),
        removed=tuple(removed),
        last_sections=sections,
        last_active=last_active_of(session, classroom.id, sections, tries),
        firsts={learner.learner_id: learner.counts for learner in tries},
    )


PLACE = table(LessonPlace).c
LESSON_PLACES = Prepared(
    select(PLACE.learner_id, PLACE.stage, PLACE.section, PLACE.done, PLACE.updated_at)
    .where(PLACE.learner_id.in_(MEMBERS))
    .order_by(PLACE.updated_at)
)


def last_sections(session: VerbSession, classroom_id: int) -> dict[int, LastSection]:
    """The section in which each student was last, by learner."""
    sections = {}
    for learner_id, *place in session.all(LESSON_PLACES, classroom=classroom_id):
        sections[learner_id] = LastSection(*place)
    return sections


class LearnerTries(NamedTuple):
    """The first tries of a learner, and when they last answered.

    `tries`: `+content:x` right and without a hint, `-content:x` not, with commas between.
    """

    learner_id: int
    answered_at: datetime
    tries: str

    @property
    def counts(self) -> FirstTries:
        return Counter(self.tries.split(","))


RIGHT_AT_ONCE = alone(RESPONSE) & (RESPONSE.hints == 0)
SIGNED_ITEM = case((RIGHT_AT_ONCE, literal("+")), else_=literal("-")) + RESPONSE.item
COMMA: Any = literal_column("','")
FIRST_TRIES: Select[Any] = (
    select(
        ATTEMPT.learner_id,
        func.max(RESPONSE.created_at).label("answered_at"),
        func.aggregate_strings(SIGNED_ITEM, COMMA).label("tries"),
    )
    .where(RESPONSE.attempt_id == ATTEMPT.id, RESPONSE.try_number == 1, readable)
    .group_by(ATTEMPT.learner_id)
)
FIRST_TRIES_OF_CLASS = RowQuery(LearnerTries, FIRST_TRIES.where(ATTEMPT.learner_id.in_(MEMBERS)))
FIRST_TRIES_OF_LEARNER = RowQuery(LearnerTries, FIRST_TRIES.where(ATTEMPT.learner_id == bindparam("learner")))


def latest(moment: Column[datetime], learner_id: Column[int]) -> ScalarSelect[datetime]:
    return select(func.max(moment)).where(learner_id == ENROLMENT.learner_id).scalar_subquery()


REVEAL = table(Reveal).c
MOVE = table(GameMove).c
REVIEW = table(ReviewLog).c
SAVED = table(SavedAnswer).c
LAST_REVIEW = (
    select(REVIEW.reviewed_at)
    .where(REVIEW.learner_id == ENROLMENT.learner_id)
    .order_by(REVIEW.id.desc())  # of thousands the last one, by the index
    .limit(1)
)
LAST_SAVED = select(func.max(SAVED.saved_at)).where(
    SAVED.attempt_id == ATTEMPT.id, ATTEMPT.learner_id == ENROLMENT.learner_id
)
LAST_OTHER_ACTIVITIES = Prepared(
    select(
        ENROLMENT.learner_id,
        latest(REVEAL.created_at, REVEAL.learner_id),
        latest(MOVE.created_at, MOVE.learner_id),
        LAST_REVIEW.scalar_subquery(),
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
    moments: dict[int, list[datetime]] = defaultdict(list)
    for learner_id, section in sections.items():
        moments[learner_id].append(section.at)
    for learner in tries:
        moments[learner.learner_id].append(learner.answered_at)
    for learner_id, *last_times in session.all(LAST_OTHER_ACTIVITIES, classroom=classroom_id):
        moments[learner_id] += filter(None, last_times)
    return {learner_id: max(times) for learner_id, times in moments.items() if times}


def load_arrivals(session: VerbSession, caller: Caller, classroom_id: int) -> tuple[ClassRow, list[Student]]:
    """A class with its students, in the order in which they came."""
    classroom = classrooms.taught(session, caller, classroom_id)
    students = classrooms.members(session, classroom.id)
    return classroom, sorted(students, key=lambda student: (student.joined_at, student.id))


ATTENDED_CLASS = RowQuery(JoinedClass, JOINED_CLASSES.where(THIS_CLASS, ENROLMENT.learner_id == me))


def load_attended(session: VerbSession, caller: Caller, classroom_id: int) -> JoinedClass:
    """A class as its student sees it, also when it has ended; NotFound to everybody else."""
    token_hash = learners.token_hash(caller.token or "")
    classroom = session.first(ATTENDED_CLASS, classroom=classroom_id, hash=token_hash)
    if classroom is None:
        raise NotFound("没有这个班级，或者你不在里面。")
    return classroom


def load_preview(
    session: VerbSession, caller: Caller, classroom_id: int
) -> tuple[JoinedClass, list[AssignedTask]]:
    """A class as its students see it, for its teacher, with the assignments that are published."""
    classroom = classrooms.taught(session, caller, classroom_id)
    account = accounts.load_visitor(session, caller).account
    login = ""
    if account:
        login = account.login
    tasks = [task for task in assigned.of_class(session, classroom.id) if task.row.published_at]
    return JoinedClass(classroom.id, classroom.name, login, classroom.archived_at), tasks


WORKS = RowQuery(
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
ASSIGNMENT = table(Assignment).c
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
    firsts: FirstTries = {}
    tries = session.first(FIRST_TRIES_OF_LEARNER, **scope)
    if tries:
        firsts = tries.counts
    data = StudentData(
        row=classroom,
        student=student,
        progress=progress.of_learner(session, student.learner_id, twins, unscored),
        works=tuple(session.all(WORKS, **scope)),
        firsts=firsts,
        assignments=dict(session.all(TITLES_OF_ASSIGNMENTS, classroom=classroom.id)),
    )
    targets = [
        target
        for target in classrooms.mine(session, caller).taught
        if target.id != classroom.id and target.archived_at is None
    ]
    return data, targets


READABLE_ATTEMPT = Prepared(select(ATTEMPT.id).where(ATTEMPT.id == bindparam("attempt"), readable))


def load_attempt(
    session: VerbSession, caller: Caller, classroom_id: int, enrolment_id: int, attempt_id: int
) -> tuple[Student, AttemptData]:
    """One attempt of a student, with every item as it was when it was answered."""
    classroom, student = classrooms.student(session, caller, classroom_id, enrolment_id)
    if session.first(READABLE_ATTEMPT, classroom=classroom.id, attempt=attempt_id) is None:
        raise NotFound
    return student, attempts.of_learner(session, student.learner_id, attempt_id)
