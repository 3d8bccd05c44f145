"""题目分析: the first answers to every question, of an assignment or of all that a class did.

Of everybody the first answer to a question counts, once: what is counted is people.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import Select, String, bindparam, case, cast, exists, func, literal_column, select

from app.course.assignments.question_sets import item_of, questions
from app.course.insight.item_analysis import First
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask, readable
from app.records.assignments.tables import Submission
from app.records.classes import classrooms
from app.records.classes.classrooms import MEMBERS
from app.records.classes.tables import Enrolment
from app.records.classes.values import ClassRow
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession
from app.records.grading.tables import ReMark
from app.records.items.tables import ProblemReport
from app.records.learning.mastery import alone
from app.records.learning.tables import Attempt, Response

attempt, response, re_mark = table(Attempt).c, table(Response).c, table(ReMark).c
enrolment, submission, report = table(Enrolment).c, table(Submission).c, table(ProblemReport).c

SEPARATOR = "\x1f"
"""Stands in nothing that anybody types."""
COMMA: Any = literal_column("','")
TOGETHER: Any = literal_column("''")
UNIT: Any = literal_column(f"'{SEPARATOR}'")
FLAGS = {"0": (False, False), "1": (True, False), "2": (False, True), "3": (True, True)}
"""Right, and after a hint: as one digit."""
flags = case((alone(response), 1), else_=0) + case((response.hints > 0, 2), else_=0)
said = func.coalesce(response.misconception, "=" + response.value, "")
TOLD: tuple[Any, ...] = (
    func.aggregate_strings(cast(attempt.id, String), COMMA),
    func.aggregate_strings(response.item, COMMA),
    func.aggregate_strings(cast(flags, String), TOGETHER),
    func.aggregate_strings(func.coalesce(cast(response.seconds, String), ""), COMMA),
    func.aggregate_strings(case((response.verdict == "wrong", said), else_=""), UNIT),
)
"""The first answers of somebody in one row, column by column: thousands of rows would take far longer."""
of_pass = response.attempt_id == attempt.id
first = of_pass & (response.try_number == 1)
of_members = attempt.learner_id.in_(MEMBERS) & readable
of_assignment = attempt.id.in_(
    select(submission.attempt_id).where(
        submission.assignment_id == bindparam("assignment"), submission.number == 1
    )
)


def both(statement: Select[Any]) -> tuple[Prepared, Prepared]:
    """The same for a whole class and for one assignment."""
    return Prepared(statement.where(of_members)), Prepared(statement.where(of_assignment))


FIRSTS = both(select(attempt.learner_id, *TOLD).where(first).group_by(attempt.learner_id))
TRIES = both(
    select(attempt.learner_id, func.aggregate_strings(response.item, COMMA))
    .where(of_pass, response.try_number > 1)
    .group_by(attempt.learner_id)
)
RE_MARKS = Prepared(
    select(response.attempt_id, response.item, alone(re_mark), re_mark.misconception)
    .where(response.id == re_mark.response_id, response.try_number == 1, exists().where(of_pass, of_members))
    .order_by(re_mark.id)
)
REPORTS = Prepared(
    select(report.item, report.text, report.created_at, report.page, enrolment.id)
    .where(
        enrolment.classroom_id == bindparam("classroom"),
        enrolment.removed_at.is_(None),
        report.learner_id == enrolment.learner_id,
    )
    .order_by(report.id.desc())
)

Judged = Mapping[tuple[str, str], Sequence[Any]]
"""Pass and question → how its first answer is judged since the item was corrected."""


class ClassReport(NamedTuple):
    """A report of a problem by a student of the class: of an item, or of a question of an assignment."""

    text: str
    at: datetime
    student: int
    assignment: int | None = None
    question: str = ""

    def is_about(self, task: AssignedTask | None, question: str) -> bool:
        """Whether it concerns this question; what was said of an item concerns it wherever it is asked."""
        if task is None or self.assignment is None:
            return True
        return (self.assignment, self.question) == (task.id, question)


@dataclass(frozen=True, slots=True)
class ItemStats:
    """First answers of a class. `again`: the further tries of each who tried again, by question.

    `reports` by item.
    """

    row: ClassRow
    tasks: Sequence[AssignedTask]
    task: AssignedTask | None
    firsts: Sequence[First]
    again: Mapping[str, Sequence[int]] = field(default_factory=dict)
    reports: Mapping[str, Sequence[ClassReport]] = field(default_factory=dict)

    def reports_of(self, item: str) -> Sequence[ClassReport]:
        """What was reported of a question, or of an item."""
        found = self.reports.get(item_of(item), ())
        return [one for one in found if one.is_about(self.task, item)]

    @property
    def unanswered(self) -> Sequence[str]:
        """What was reported though nobody has answered it yet."""
        met = {first.item for first in self.firsts}
        names = self.reports if self.task is None else [one.ref for one in questions(self.task.parts)]
        return [one for one in names if one not in met and self.reports_of(one)]


def load_item_stats(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int | None
) -> ItemStats:
    """What is known of the questions of an assignment; without one, of every item the class has met."""
    row = classrooms.taught(session, who, classroom_id)
    every = assigned.of_class(session, row.id)
    task = assigned.chosen(every, assignment_id)
    scope = {"classroom": row.id} if task is None else {"assignment": task.id}
    which = 0 if task is None else 1
    name = cache(item_of if task is None else str)
    judged: Judged = {(str(one), item): rest for one, item, *rest in session.all(RE_MARKS, classroom=row.id)}
    return ItemStats(
        row=row,
        tasks=every,
        task=task,
        firsts=tuple(firsts(session.all(FIRSTS[which], **scope), judged, name)),
        again=counted(session.all(TRIES[which], **scope), name),
        reports=reports_of(session, row.id, {one.id for one in every}),
    )


def firsts(rows: Iterable[Row], judged: Judged, name: Callable[[str], str]) -> Iterator[First]:
    """The first answer of each to each question, by what `name` calls it: that of the earliest pass.

    Where one pass asks the same item several times, one of these answers stands for all.
    """
    for learner, passes, *columns in rows:
        owners = passes.split(",")
        refs, flags, seconds, said = split(*columns)
        names, order = list(map(name, refs)), latest_first(owners)
        first_at = dict(zip(map(names.__getitem__, order), order, strict=True))  # the last one written stands
        for item, at in first_at.items():
            spent, key = seconds[at], (owners[at], refs[at])
            found = First(learner, item, *FLAGS[flags[at]], int(spent) if spent else None, said[at] or None)
            yield anew(found, judged[key]) if key in judged else found


def split(refs: str, flags: str, seconds: str, said: str) -> tuple[Sequence[str], ...]:
    """The answers of somebody, column by column."""
    return refs.split(","), flags, seconds.split(","), said.split(SEPARATOR)


def latest_first(owners: Sequence[str]) -> Sequence[int]:
    """Places of answers, those of the latest pass first; a database mostly has passes in order already.

    >>> list(latest_first(["3", "3", "11"])), list(latest_first(["11", "3"]))
    ([2, 1, 0], [0, 1])
    """
    passes = [int(one) for one in dict.fromkeys(owners)]
    if passes == sorted(passes):
        return range(len(owners) - 1, -1, -1)
    return sorted(range(len(owners)), key=lambda at: -int(owners[at]))


def anew(first: First, judged: Sequence[Any]) -> First:
    """An answer as it is judged since its item was corrected."""
    right, misconception = judged
    return first._replace(right=bool(right), said=misconception or first.said)


def counted(rows: Iterable[Row], name: Callable[[str], str]) -> Mapping[str, Sequence[int]]:
    """How often each who tried a question again did so."""
    found: dict[str, list[int]] = {}
    for _, items in rows:
        for item, times in Counter(map(name, items.split(","))).items():
            found.setdefault(item, []).append(times)
    return found


def reports_of(
    session: VerbSession, classroom_id: int, assignments: Collection[int]
) -> Mapping[str, Sequence[ClassReport]]:
    """What the class reported, by item, the newest first; what concerns work of another class is theirs."""
    found: dict[str, list[ClassReport]] = {}
    for item, text, at, page, student in session.all(REPORTS, classroom=classroom_id):
        one = ClassReport(text, at, student, assignment_of(page) if "#" in item else None, item)
        if one.assignment is None or one.assignment in assignments:
            found.setdefault(item_of(item), []).append(one)
    return found


def assignment_of(page: str) -> int | None:
    """
    >>> assignment_of("/assignments/7/questions/2"), assignment_of("/own/7/lessons/a")
    (7, None)
    """
    found = re.match(r"/assignments/([0-9]{1,15})/", page)
    return int(found[1]) if found else None
