"""题目分析: the first answers to every question, of an assignment or of all that a class did.

Of everybody the first answer to a question counts, once: what is counted is people.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Select, String, bindparam, case, cast, exists, func, literal_column, select

from app.course.analysis import First
from app.course.numbering import item_of
from app.records import classrooms, tasks
from app.records.session import Prepared, Row, VerbSession
from app.records.tables import Attempt, Enrolment, ProblemReport, ReMark, Response, Submission, table
from app.records.tasks import Task
from app.records.values import ClassRow, Who

attempt, response, re_mark = table(Attempt).c, table(Response).c, table(ReMark).c
enrolment, submission, report = table(Enrolment).c, table(Submission).c, table(ProblemReport).c

members = select(enrolment.learner_id).where(
    enrolment.classroom_id == bindparam("classroom"), enrolment.removed_at.is_(None)
)
COMMA: Any = literal_column("','")
TOGETHER: Any = literal_column("''")
UNIT: Any = literal_column("char(31)")
SEPARATOR = "\x1f"
"""Stands in nothing that anybody types."""
letter = func.substr(response.verdict, 1, 1)
said = case((response.verdict == "wrong", func.coalesce(response.misconception, "=" + response.value)))
TOLD: tuple[Any, ...] = (
    func.aggregate_strings(response.item, COMMA),
    func.aggregate_strings(case((response.hints > 0, func.upper(letter)), else_=letter), TOGETHER),
    func.aggregate_strings(func.coalesce(cast(response.seconds, String), ""), COMMA),
    func.aggregate_strings(func.coalesce(said, ""), UNIT),
)
"""The first answers of a pass in one row, column by column: thousands of rows would take far longer."""
of_pass = response.attempt_id == attempt.id
first = of_pass & (response.try_number == 1)
of_members = attempt.learner_id.in_(members)
of_assignment = attempt.id.in_(
    select(submission.attempt_id).where(
        submission.assignment_id == bindparam("assignment"), submission.number == 1
    )
)


def both(statement: Select[Any]) -> tuple[Prepared, Prepared]:
    """The same for a whole class and for one assignment."""
    return Prepared(statement.where(of_members)), Prepared(statement.where(of_assignment))


FIRSTS = both(
    select(attempt.id, attempt.learner_id, *TOLD).where(first).group_by(attempt.learner_id, attempt.id)
)
TRIES = both(
    select(response.item, func.count()).where(of_pass, response.try_number > 1).group_by(response.item)
)
RE_MARKS = Prepared(
    select(response.attempt_id, response.item, re_mark.verdict, re_mark.misconception)
    .where(response.id == re_mark.response_id, response.try_number == 1, exists().where(of_pass, of_members))
    .order_by(re_mark.id)
)
REPORTS = Prepared(
    select(report.item, report.text, report.created_at)
    .where(report.learner_id.in_(members))
    .order_by(report.id.desc())
)


class Said(NamedTuple):
    """A report of a problem by somebody of the class."""

    text: str
    at: datetime


@dataclass(frozen=True, slots=True)
class ItemsLook:
    """First answers of a class. `again`: further tries by question; `reports` by item."""

    row: ClassRow
    tasks: Sequence[Task]
    task: Task | None
    firsts: Sequence[First]
    again: Mapping[str, int] = field(default_factory=dict)
    reports: Mapping[str, Sequence[Said]] = field(default_factory=dict)


def look(session: VerbSession, who: Who, classroom_id: int, assignment_id: int | None) -> ItemsLook:
    """What is known of the questions of an assignment; without one, of every item the class has met."""
    row = classrooms.taught(session, who, classroom_id)
    every = tasks.of_class(session, row.id)
    task = tasks.chosen(every, assignment_id)
    scope = {"classroom": row.id} if task is None else {"assignment": task.id}
    which = 0 if task is None else 1
    judged = {(number, item): rest for number, item, *rest in session.all(RE_MARKS, classroom=row.id)}
    passes = sorted(session.all(FIRSTS[which], **scope))
    return ItemsLook(
        row=row,
        tasks=every,
        task=task,
        firsts=tuple(firsts(passes, judged, whole=task is None)),
        again=summed(session.all(TRIES[which], **scope), whole=task is None),
        reports=reports_of(session, row.id),
    )


def firsts(
    passes: Iterable[Row], judged: Mapping[tuple[int, str], Sequence[Any]], whole: bool
) -> Iterator[First]:
    """The first answer of each to each question; over a whole class, to each item whatever its number."""
    met: dict[int, set[str]] = {}
    names: dict[str, str] = {}
    for number, learner, items, letters, seconds, said in passes:
        known = met.setdefault(learner, set())
        answers = zip(items.split(","), letters, seconds.split(","), said.split(SEPARATOR), strict=True)
        for item, sign, spent, words in answers:
            name = names.get(item) or names.setdefault(item, item_of(item) if whole else item)
            if name not in known:
                known.add(name)
                found = First(
                    learner, name, sign in "rR", sign < "a", int(spent) if spent else None, words or None
                )
                yield anew(found, judged[number, item]) if (number, item) in judged else found


def anew(first: First, judged: Sequence[Any]) -> First:
    """An answer as it is judged since its item was corrected."""
    verdict, misconception = judged
    return first._replace(right=verdict == "right", said=misconception or first.said)


def summed(rows: Iterable[Row], whole: bool) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for item, count in rows:
        name = item_of(item) if whole else item
        found[name] = found.get(name, 0) + count
    return found


def reports_of(session: VerbSession, classroom_id: int) -> Mapping[str, Sequence[Said]]:
    """What the class reported, by item, the newest first."""
    found: dict[str, list[Said]] = {}
    for item, text, at in session.all(REPORTS, classroom=classroom_id):
        found.setdefault(item_of(item), []).append(Said(text, at))
    return found
