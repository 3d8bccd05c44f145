"""误区分布: which mistakes a class makes, who makes them, and what an answer with them looks like."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, exists, func, select

from app.course.content.misconception_names import alternatives, counted_under
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask, readable
from app.records.assignments.tables import Submission
from app.records.classes import classrooms
from app.records.classes.classrooms import MEMBERS
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow, Student
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.grading.tables import ReMark
from app.records.learning.attempts import typed
from app.records.learning.tables import Attempt, ItemVersion, Response

attempt, response, version = table(Attempt).c, table(Response).c, table(ItemVersion).c
enrolment, submission, re_mark = table(Enrolment).c, table(Submission).c, table(ReMark).c

of_assignment = select(submission.attempt_id).where(submission.assignment_id == bindparam("assignment"))
as_it_was = ~exists().where(re_mark.response_id == response.id)
mistaken = (response.attempt_id == attempt.id) & response.misconception.is_not(None) & as_it_was
columns: tuple[Any, ...] = (attempt.learner_id, response.misconception, func.count())
since = response.created_at >= bindparam("since", type_=response.created_at.type)
made: Select[Any] = (
    select(*columns)
    .where(mistaken, since, attempt.learner_id.in_(MEMBERS), readable)
    .group_by(attempt.learner_id, response.misconception)
)
MADE = (Prepared(made), Prepared(made.where(attempt.id.in_(of_assignment))))
one_answer = exists().where(
    response.attempt_id == attempt.id, attempt.learner_id == enrolment.learner_id, since, readable
)
inside = (enrolment.classroom_id == bindparam("classroom")) & enrolment.removed_at.is_(None)
counted: Select[Any] = select(func.count()).select_from(table(Enrolment)).where(inside)
ANSWERED = (
    Prepared(counted.where(one_answer)),
    Prepared(counted.where(one_answer.where(attempt.id.in_(of_assignment)))),
)
examples: Select[Any] = select(
    response.id,
    response.misconception,
    response.item,
    response.raw,
    response.value,
    response.created_at,
    version.body,
    attempt.seed,
).where(attempt.id == response.attempt_id, version.hash == response.item_version)


def latest(statement: Select[Any]) -> Prepared:
    """The latest answer with each mistake."""
    chosen = statement.with_only_columns(func.max(response.id)).group_by(None).correlate(None)
    chosen = chosen.group_by(response.misconception)
    return Prepared(examples.where(response.id.in_(chosen)))


EXAMPLES = (latest(made), latest(made.where(attempt.id.in_(of_assignment))))

BEGINNING = datetime(2000, 1, 1, tzinfo=UTC)


class ExampleAnswer(NamedTuple):
    """An answer that shows a mistake, with the question as it was."""

    response_id: int
    item: str
    raw: tuple[str, ...]
    value: str | None
    at: datetime
    body: str
    seed: int


@dataclass(frozen=True, slots=True)
class ClassMisconception:
    """A mistake: `times` by place in the class; `maybe`: what else some of these answers may come from."""

    code: str
    times: Mapping[int, int]
    maybe: Sequence[str] = ()
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


def load_misconceptions(
    session: VerbSession,
    who: Caller,
    classroom_id: int,
    assignment_id: int | None,
    since: datetime = BEGINNING,
) -> ClassMisconceptions:
    """The mistakes in an assignment; without one, in all that the class answered `since` then."""
    row = classrooms.taught(session, who, classroom_id)
    every = assigned.of_class(session, row.id)
    task = assigned.chosen(every, assignment_id)
    students = {one.learner_id: one for one in classrooms.students(session, row.id)}
    scope: dict[str, Any] = {"classroom": row.id, "since": since}
    scope |= {} if task is None else {"assignment": task.id}
    which = 0 if task is None else 1
    answered = session.first(ANSWERED[which], **scope)
    rows = [(students[learner].id, code, count) for learner, code, count in session.all(MADE[which], **scope)]
    shown = {
        row[1]: ExampleAnswer(row[0], row[2], typed(row[3]), *row[4:])
        for row in session.all(EXAMPLES[which], **scope)
    }
    return ClassMisconceptions(
        row=row,
        students={one.id: one for one in students.values()},
        tasks=every,
        task=task,
        answered=answered[0] if answered else 0,
        mistakes=merged(rows, shown),
    )


def merged(
    rows: Sequence[tuple[int, str, int]], shown: Mapping[str, ExampleAnswer]
) -> tuple[ClassMisconception, ...]:
    """One line for each mistake, whatever else was possible or went with it; the most widespread first."""
    times: dict[str, Counter[int]] = {}
    codes: dict[str, dict[str, None]] = {}
    for place, code, count in rows:
        for name in counted_under(code):
            times.setdefault(name, Counter())[place] += count
            codes.setdefault(name, {})[code] = None
    order = sorted(times, key=lambda name: (-len(times[name]), -times[name].total(), name))
    return tuple(
        ClassMisconception(name, times[name], maybe(codes[name]), example(name, codes[name], shown))
        for name in order
    )


def maybe(codes: Iterable[str]) -> Sequence[str]:
    return list(dict.fromkeys(other for code in codes for other in alternatives(code)))


def example(name: str, codes: Iterable[str], shown: Mapping[str, ExampleAnswer]) -> ExampleAnswer | None:
    """An answer with this mistake alone, where there is one; else with the fewest others."""
    found = [code for code in sorted(codes, key=lambda code: (code != name, len(code))) if code in shown]
    return shown[found[0]] if found else None
