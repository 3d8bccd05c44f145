"""讲评: one question of an assignment with the first answers of the class, and never a name."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sqlalchemy import bindparam, func, select

from app.course.assignments.question_sets import AssignedQuestion, questions
from app.records.accounts.values import Caller
from app.records.assignments import assigned
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.tables import Submission
from app.records.classes import classrooms
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.grading.tables import ReMark
from app.records.learning.attempts import typed
from app.records.learning.tables import Attempt, ItemVersion, Response

response, submission, version = table(Response).c, table(Submission).c, table(ItemVersion).c
attempt, re_mark = table(Attempt).c, table(ReMark).c

passes = select(submission.attempt_id).where(
    submission.assignment_id == bindparam("assignment"), submission.number == 1
)
of_question = (
    response.attempt_id.in_(passes) & (response.item == bindparam("item")) & (response.try_number == 1)
)
ANSWERS = Prepared(
    select(
        response.id,
        response.raw,
        response.value,
        response.verdict,
        response.misconception,
        response.item_version,
    )
    .where(of_question)
    .order_by(response.id)
)
JUDGED = Prepared(
    select(re_mark.response_id, re_mark.verdict, re_mark.misconception)
    .where(re_mark.response_id == response.id, of_question)
    .order_by(re_mark.id)
)
BODIES = Prepared(
    select(version.hash, version.body).distinct().where(version.hash == response.item_version, of_question)
)
BEGUN = Prepared(
    select(func.count()).where(submission.assignment_id == bindparam("assignment"), submission.number == 1)
)


class FirstAnswer(NamedTuple):
    """What somebody answered first, nobody knows who."""

    raw: tuple[str, ...]
    value: str | None
    verdict: str
    misconception: str | None
    version: str


@dataclass(frozen=True, slots=True)
class DiscussionData:
    """A question of an assignment: `number` of `questions`; `begun`: how many have begun the assignment.

    `body` is the question as most of the class saw it, frozen; None while nobody has answered.
    """

    row: ClassRow
    task: AssignedTask
    questions: Sequence[AssignedQuestion]
    number: int
    answers: Sequence[FirstAnswer]
    begun: int
    body: str | None

    @property
    def question(self) -> AssignedQuestion:
        return self.questions[self.number - 1]


def load_discussion(
    session: VerbSession, who: Caller, classroom_id: int, assignment_id: int, number: int
) -> DiscussionData:
    """The answers to one question; NotFound for a number that it does not have."""
    row = classrooms.taught(session, who, classroom_id)
    task = assigned.chosen(assigned.of_class(session, row.id), assignment_id)
    asked = questions(task.parts) if task else ()
    if task is None or not 1 <= number <= max(len(asked), 1):
        raise NotFound("这份作业没有这道题。")
    begun = session.first(BEGUN, assignment=task.id)
    item = asked[number - 1].ref if asked else ""
    judged = {one: rest for one, *rest in session.all(JUDGED, assignment=task.id, item=item)}
    answers = tuple(
        anew(FirstAnswer(typed(raw), *rest), judged.get(one))
        for one, raw, *rest in session.all(ANSWERS, assignment=task.id, item=item)
    )
    bodies: dict[str, str] = dict(session.all(BODIES, assignment=task.id, item=item))
    return DiscussionData(
        row, task, asked, number, answers, begun[0] if begun else 0, bodies.get(commonest(answers))
    )


def anew(answer: FirstAnswer, judged: Sequence[str] | None) -> FirstAnswer:
    """An answer as it is judged since its item was corrected."""
    return answer._replace(verdict=judged[0], misconception=judged[1]) if judged else answer


def commonest(answers: Sequence[FirstAnswer]) -> str:
    """The version that most have seen; of several the first."""
    seen = [one.version for one in answers]
    return max(dict.fromkeys(seen), key=seen.count, default="")
