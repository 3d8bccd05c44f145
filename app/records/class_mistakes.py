"""误区分布: which mistakes a class makes, who makes them, and what an answer with them looks like."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, bindparam, exists, func, select

from app.records import classrooms, tasks
from app.records.attempts import typed
from app.records.session import Prepared, VerbSession
from app.records.tables import Attempt, Enrolment, ItemVersion, ReMark, Response, Submission, table
from app.records.tasks import Task, readable
from app.records.values import ClassRow, Student, Who

attempt, response, version = table(Attempt).c, table(Response).c, table(ItemVersion).c
enrolment, submission, re_mark = table(Enrolment).c, table(Submission).c, table(ReMark).c

members = select(enrolment.learner_id).where(
    enrolment.classroom_id == bindparam("classroom"), enrolment.removed_at.is_(None)
)
of_assignment = select(submission.attempt_id).where(submission.assignment_id == bindparam("assignment"))
as_it_was = ~exists().where(re_mark.response_id == response.id)
mistaken = (response.attempt_id == attempt.id) & response.misconception.is_not(None) & as_it_was
columns: tuple[Any, ...] = (attempt.learner_id, response.misconception, func.count())
made: Select[Any] = (
    select(*columns)
    .where(mistaken, attempt.learner_id.in_(members), readable)
    .group_by(attempt.learner_id, response.misconception)
)
MADE = (Prepared(made), Prepared(made.where(attempt.id.in_(of_assignment))))
one_answer = exists().where(
    response.attempt_id == attempt.id, attempt.learner_id == enrolment.learner_id, readable
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


class Example(NamedTuple):
    """An answer that shows a mistake, with the question as it was."""

    response_id: int
    item: str
    raw: tuple[str, ...]
    value: str | None
    at: datetime
    body: str
    seed: int


@dataclass(frozen=True, slots=True)
class Mistaken:
    """A mistake, as it is kept: `a`, `a+b` both at once, `a|b` one of them. `times` by place in the class."""

    code: str
    times: Mapping[int, int]
    example: Example | None = None

    @property
    def total(self) -> int:
        return sum(self.times.values())


@dataclass(frozen=True, slots=True)
class MistakesLook:
    """The mistakes of a class, the most widespread first. `answered`: how many have answered anything."""

    row: ClassRow
    students: Mapping[int, Student]
    tasks: Sequence[Task]
    task: Task | None
    answered: int = 0
    mistakes: Sequence[Mistaken] = field(default_factory=tuple)


def look(session: VerbSession, who: Who, classroom_id: int, assignment_id: int | None) -> MistakesLook:
    """The mistakes in an assignment; without one, in all that the class ever answered."""
    row = classrooms.taught(session, who, classroom_id)
    every = tasks.of_class(session, row.id)
    task = tasks.chosen(every, assignment_id)
    students = {one.learner_id: one for one in classrooms.students(session, row.id)}
    scope = {"classroom": row.id} | ({} if task is None else {"assignment": task.id})
    which = 0 if task is None else 1
    answered = session.first(ANSWERED[which], **scope)
    times: dict[str, dict[int, int]] = {}
    for learner, code, count in session.all(MADE[which], **scope):
        times.setdefault(code, {})[students[learner].id] = count
    shown = {
        row[1]: Example(row[0], row[2], typed(row[3]), *row[4:])
        for row in session.all(EXAMPLES[which], **scope)
    }
    order = sorted(times, key=lambda code: (-len(times[code]), -sum(times[code].values()), code))
    return MistakesLook(
        row=row,
        students={one.id: one for one in students.values()},
        tasks=every,
        task=task,
        answered=answered[0] if answered else 0,
        mistakes=tuple(Mistaken(code, times[code], shown.get(code)) for code in order),
    )
