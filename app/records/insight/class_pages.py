"""What a teacher reads: a class in a fixed number of queries, and a student, answer by answer."""

from collections import Counter
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, case, func, literal, literal_column, select

from app.records.accounts import accounts
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask, readable
from app.records.assignments.tables import Assignment, SavedAnswer
from app.records.cards.tables import ReviewLog
from app.records.classes import classrooms
from app.records.classes.classrooms import members
from app.records.classes.tables import Enrolment
from app.records.classes.values import (
    ClassData,
    JoinedClass,
    LastSection,
    PieceOfWork,
    Student,
    StudentData,
    TaughtClass,
)
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.games.tables import GameMove
from app.records.learning import attempts, progress
from app.records.learning.mastery import alone
from app.records.learning.tables import Attempt, LessonPlace, Response, Reveal
from app.records.learning.values import AttemptData, FirstTries

enrolment, place = table(Enrolment).c, table(LessonPlace).c
attempt, response, assignment = table(Attempt).c, table(Response).c, table(Assignment).c
reveal, move, review, saved = table(Reveal).c, table(GameMove).c, table(ReviewLog).c, table(SavedAnswer).c

PLACES = Prepared(
    select(place.learner_id, place.stage, place.section, place.done, place.updated_at)
    .where(place.learner_id.in_(members))
    .order_by(place.updated_at)
)


def latest(moment: Any, of: Any) -> Any:
    return select(func.max(moment)).where(of.learner_id == enrolment.learner_id).scalar_subquery()


last_review = (
    select(review.reviewed_at)
    .where(review.learner_id == enrolment.learner_id)
    .order_by(review.id.desc())  # of thousands the last one, by the index
    .limit(1)
    .scalar_subquery()
)
last_saved = (
    select(func.max(saved.saved_at))
    .where(saved.attempt_id == attempt.id, attempt.learner_id == enrolment.learner_id)
    .scalar_subquery()
)
ELSEWHERE = Prepared(
    select(
        enrolment.learner_id,
        latest(reveal.created_at, reveal),
        latest(move.created_at, move),
        last_review,
        last_saved,
    ).where(enrolment.classroom_id == bindparam("classroom"), enrolment.removed_at.is_(None))
)
"""When somebody last did what is neither a step of a lesson nor an answer."""
clean = alone(response) & (response.hints == 0)
marked = case((clean, literal("+")), else_=literal("-")) + response.item
COMMA: Any = literal_column("','")
tried: tuple[Any, ...] = (
    attempt.learner_id,
    func.max(response.created_at),
    func.aggregate_strings(marked, COMMA),
)
first_tries = (
    select(*tried)
    .where(response.attempt_id == attempt.id, response.try_number == 1, readable)
    .group_by(attempt.learner_id)
)
FIRSTS = Prepared(first_tries.where(attempt.learner_id.in_(members)))
FIRSTS_OF_ONE = Prepared(first_tries.where(attempt.learner_id == bindparam("learner")))
of_work: tuple[Any, ...] = (
    *(attempt[name] for name in PieceOfWork._fields[:5]),
    func.max(response.created_at),
    func.count(response.item.distinct()),
    func.sum(case((alone(response) & (response.try_number == 1), 1), else_=0)),
)
WORKS = Prepared(
    select(*of_work)
    .where(attempt.learner_id == bindparam("learner"), response.attempt_id == attempt.id, readable)
    .group_by(attempt.id)
    .order_by(func.max(response.created_at).desc())
)
READABLE = Prepared(select(attempt.id).where(attempt.id == bindparam("attempt"), readable))
TITLES = Prepared(
    select(assignment.id, assignment.title).where(assignment.classroom_id == bindparam("classroom"))
)


def load_class(session: VerbSession, who: Caller, classroom_id: int) -> ClassData:
    """A class with what its page shows of every student: five queries, however many there are."""
    row = classrooms.taught(session, who, classroom_id)
    everybody = classrooms.students(session, row.id)
    last, seen = lasts(session, row.id)
    firsts: dict[int, FirstTries] = {}
    for learner_id, at, tries in session.all(FIRSTS, classroom=row.id):
        firsts[learner_id] = Counter(tries.split(","))
        seen[learner_id] = max(at, seen.get(learner_id, at))
    for learner_id, *moments in session.all(ELSEWHERE, classroom=row.id):
        found = [at for at in (*moments, seen.get(learner_id)) if at]
        if found:
            seen[learner_id] = max(found)
    return ClassData(
        row=row,
        students=tuple(one for one in everybody if one.removed_at is None),
        removed=tuple(one for one in everybody if one.removed_at is not None),
        last=last,
        seen=seen,
        firsts=firsts,
    )


def lasts(session: VerbSession, classroom_id: int) -> tuple[dict[int, LastSection], dict[int, datetime]]:
    """Where each was last, and when."""
    last: dict[int, LastSection] = {}
    for learner_id, *rest in session.all(PLACES, classroom=classroom_id):
        last[learner_id] = LastSection(*rest)
    return last, {learner_id: one.at for learner_id, one in last.items()}


def previewed(
    session: VerbSession, who: Caller, classroom_id: int
) -> tuple[JoinedClass, tuple[AssignedTask, ...]]:
    """A class of one's own as its students see it, with what they were given to do."""
    row, present = classrooms.taught(session, who, classroom_id), accounts.load_visitor(session, who).account
    given = [one for one in assigned.of_class(session, row.id) if one.row.published_at]
    return JoinedClass(row.id, row.name, present.login if present else "", row.archived_at), tuple(given)


def load_student(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    student_id: int,
    twins: Mapping[str, str],
    unscored: Collection[str],
) -> tuple[StudentData, tuple[TaughtClass, ...]]:
    """A student of one's class with all they did but for other teachers; one's other classes, to move to."""
    row, found = classrooms.student(session, who, classroom_id, student_id)
    of_one = {"classroom": row.id, "learner": found.learner_id}
    works = [PieceOfWork(*each) for each in session.all(WORKS, **of_one)]
    first = session.first(FIRSTS_OF_ONE, **of_one)
    so_far = progress.of_learner(session, found.learner_id, twins, unscored)
    firsts = Counter(first[2].split(",")) if first else Counter[str]()
    others = [
        one for one in classrooms.mine(session, who).taught if one.id != row.id and one.archived_at is None
    ]
    titles: dict[int, str] = dict(session.all(TITLES, classroom=row.id))
    return StudentData(row, found, so_far, tuple(works), firsts, titles), tuple(others)


def piece(
    session: VerbSession, who: Caller, classroom_id: int, student_id: int, attempt_id: int
) -> tuple[Student, AttemptData]:
    """One attempt of a student, with every item as it was when it was answered."""
    row, found = classrooms.student(session, who, classroom_id, student_id)
    if session.first(READABLE, classroom=row.id, attempt=attempt_id) is None:
        raise NotFound
    return found, attempts.of_learner(session, found.learner_id, attempt_id)
