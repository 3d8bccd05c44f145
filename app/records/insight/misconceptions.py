"""误区分布: which mistakes a class makes, who makes them, and what an answer with them looks like."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import chain
from typing import NamedTuple

from sqlalchemy import bindparam, exists, func, or_, select

from app.course.content.misconception_names import alternatives, counted_under
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask, readable
from app.records.assignments.tables import Submission
from app.records.classes import classrooms
from app.records.classes.classrooms import ENROLMENT, IS_MEMBER, MEMBERS, OF_CLASS
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, RowQuery, VerbSession
from app.records.grading.tables import ReMark
from app.records.learning.attempts import typed
from app.records.learning.tables import Attempt, ItemVersion, Response

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)
"""Before all answers."""


class ExampleAnswer(NamedTuple):
    """An answer that shows a mistake, with the question as it was: its frozen body, and its seed."""

    misconception: str
    item: str
    raw: str
    body: str
    seed: int

    @property
    def answer(self) -> tuple[str, ...]:
        """As it was typed or chosen."""
        return typed(self.raw)


@dataclass(frozen=True, slots=True)
class ClassMisconception:
    """A mistake: `times` by enrolment; `alternatives`: what else some of these answers may come from."""

    code: str
    times: Mapping[int, int]
    alternatives: Sequence[str] = ()
    example: ExampleAnswer | None = None

    @property
    def total(self) -> int:
        return sum(self.times.values())


@dataclass(frozen=True, slots=True)
class ClassMisconceptions:
    """The mistakes of a class, the most widespread first. `answered`: how many have answered anything."""

    row: ClassRow
    students: Mapping[int, Student]
    tasks: Sequence[AssignedTask]
    task: AssignedTask | None
    answered: int = 0
    mistakes: Sequence[ClassMisconception] = field(default_factory=tuple)


ATTEMPT = table(Attempt).c
RESPONSE = table(Response).c
VERSION = table(ItemVersion).c
SUBMISSION = table(Submission).c

ASSIGNMENT_ID = bindparam("assignment", type_=SUBMISSION.assignment_id.type)
IN_SCOPE = (
    RESPONSE.attempt_id == ATTEMPT.id,
    RESPONSE.created_at >= bindparam("since", type_=RESPONSE.created_at.type),
    readable,
    or_(
        ASSIGNMENT_ID.is_(None),
        ATTEMPT.id.in_(select(SUBMISSION.attempt_id).where(SUBMISSION.assignment_id == ASSIGNMENT_ID)),
    ),
)
"""Answers of an assignment, or of all work where `assignment` is None."""
WITH_MISTAKE = (
    *IN_SCOPE,
    ATTEMPT.learner_id.in_(MEMBERS),
    RESPONSE.misconception.is_not(None),
    ~exists().where(table(ReMark).c.response_id == RESPONSE.id),
)
STUDENTS_WHO_ANSWERED = Prepared(
    select(func.count())
    .select_from(table(Enrolment))
    .where(OF_CLASS, IS_MEMBER, exists().where(*IN_SCOPE, ATTEMPT.learner_id == ENROLMENT.learner_id))
)
MISTAKES = Prepared(
    select(ATTEMPT.learner_id, RESPONSE.misconception, func.count())
    .where(*WITH_MISTAKE)
    .group_by(ATTEMPT.learner_id, RESPONSE.misconception)
)
LATEST_WITH_EACH_MISTAKE = (
    select(func.max(RESPONSE.id)).where(*WITH_MISTAKE).group_by(RESPONSE.misconception).correlate(None)
)
EXAMPLES = RowQuery(
    ExampleAnswer,
    select(RESPONSE.misconception, RESPONSE.item, RESPONSE.raw, VERSION.body, ATTEMPT.seed).where(
        RESPONSE.id.in_(LATEST_WITH_EACH_MISTAKE),
        ATTEMPT.id == RESPONSE.attempt_id,
        VERSION.hash == RESPONSE.item_version,
    ),
)


def load_misconceptions(
    session: VerbSession,
    caller: Caller,
    classroom_id: int,
    assignment_id: int | None,
    since: datetime = BEGINNING,
) -> ClassMisconceptions:
    """The mistakes in an assignment; without one, in all that the class answered `since` then."""
    classroom = classrooms.taught(session, caller, classroom_id)
    tasks = assigned.of_class(session, classroom.id)
    task = assigned.chosen(tasks, assignment_id)
    students = classrooms.students(session, classroom.id)
    scope = {"classroom": classroom.id, "assignment": assignment_id, "since": since}
    [(answered,)] = session.all(STUDENTS_WHO_ANSWERED, **scope)
    examples = {example.misconception: example for example in session.all(EXAMPLES, **scope)}
    return ClassMisconceptions(
        row=classroom,
        students={student.id: student for student in students},
        tasks=tasks,
        task=task,
        answered=answered,
        mistakes=merged(session.all(MISTAKES, **scope), students, examples),
    )


def merged(
    rows: Iterable[Row], students: Iterable[Student], examples: Mapping[str, ExampleAnswer]
) -> tuple[ClassMisconception, ...]:
    """One line for each mistake, whatever else was possible or went with it; the most widespread first."""
    enrolments = {student.learner_id: student.id for student in students}
    times: dict[str, Counter[int]] = defaultdict(Counter)
    codes: dict[str, dict[str, None]] = defaultdict(dict)
    for learner_id, code, count in rows:
        for name in counted_under(code):
            times[name][enrolments[learner_id]] += count
            codes[name][code] = None
    mistakes = [class_misconception(name, times[name], codes[name], examples) for name in times]
    mistakes.sort(key=lambda mistake: (-len(mistake.times), -mistake.total, mistake.code))
    return tuple(mistakes)


def class_misconception(
    name: str, times: Mapping[int, int], codes: Iterable[str], examples: Mapping[str, ExampleAnswer]
) -> ClassMisconception:
    """`codes`: those under which it was diagnosed, alone or with others."""
    maybe = dict.fromkeys(chain.from_iterable(map(alternatives, codes)))
    return ClassMisconception(name, times, list(maybe), clearest(name, codes, examples))


def clearest(name: str, codes: Iterable[str], examples: Mapping[str, ExampleAnswer]) -> ExampleAnswer | None:
    """An answer with this mistake alone, where there is one; else with the fewest others."""
    for code in sorted(codes, key=lambda code: (code != name, len(code))):
        if code in examples:
            return examples[code]
    return None
