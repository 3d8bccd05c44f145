"""讲评: one question of an assignment with the first answers of the class, and never a name."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, func, select

from app.course.assignments.question_sets import AssignedQuestion, parts_by_bank_number, questions_of_parts
from app.records.accounts.values import Caller
from app.records.assignments import assigned, lookup
from app.records.assignments.assigned import AssignedTask
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.values import AssignmentKey
from app.records.classes import classrooms
from app.records.classes.values import ClassRow
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from app.records.grading.regraded_marks import IS_ABOUT_ITEM, IS_BY_PROGRAM, IS_BY_RUBRIC, RE_MARK
from app.records.learning.attempts import answer_texts
from app.records.learning.rows import ITEM_VERSION, RESPONSE
from app.records.learning.tables import Response
from app.records.marking.rubric_lines import MarkedLines, marked_lines


class FirstAnswer(NamedTuple):
    """What a student answered first, nobody knows who."""

    id: int
    raw: str
    value: str | None
    verdict: str
    misconception_code: str | None
    item_version_hash: str

    @property
    def answer_texts(self) -> tuple[str, ...]:
        """As it was typed or chosen."""
        return answer_texts(self.raw)


class DiscussionData(NamedTuple):
    """A question of an assignment: `question_number` of `questions`; `started_student_count`: how many have
    begun the assignment.

    `body_json_by_version_hash`: the question as it was frozen, by version. `marked_lines_by_response_id`: of
    words that the teacher marked, by answer. `regraded_version_hash`: the version of the last 重新评分; empty
    without one.
    """

    classroom: ClassRow
    task: AssignedTask
    questions: Sequence[AssignedQuestion]
    question_number: int
    answers: Sequence[FirstAnswer]
    started_student_count: int
    body_json_by_version_hash: Mapping[str, str]
    marked_lines_by_response_id: Mapping[int, MarkedLines]
    regraded_version_hash: str

    @property
    def question(self) -> AssignedQuestion:
        return self.questions[self.question_number - 1]

    @property
    def shown_version_hash(self) -> str:
        """The version of the last 重新评分, whose key holds; without one that which most have seen, of
        several the first."""
        if self.regraded_version_hash:
            return self.regraded_version_hash
        version_hashes = [first_answer.item_version_hash for first_answer in self.answers]
        return max(dict.fromkeys(version_hashes), key=version_hashes.count, default="")

    @property
    def body_json(self) -> str | None:
        """The question in the version that is shown; None while nobody has answered."""
        return self.body_json_by_version_hash.get(self.shown_version_hash)


IS_FIRST_ATTEMPT = and_(SUBMISSION.assignment_id == bindparam("assignment"), SUBMISSION.number == 1)
FIRST_ATTEMPT_COUNT = PreparedStatement(select(func.count()).where(IS_FIRST_ATTEMPT))
IS_OF_QUESTION = and_(
    RESPONSE.attempt_id.in_(select(SUBMISSION.attempt_id).where(IS_FIRST_ATTEMPT)),
    RESPONSE.item_ref == bindparam("item"),
    RESPONSE.try_number == 1,
)
"""The condition that a response is a first answer to the question that is discussed."""
FIRST_ANSWERS = RowQuery(
    FirstAnswer,
    select(*columns_of(Response, FirstAnswer)).where(IS_OF_QUESTION).order_by(RESPONSE.id),
)
RE_MARKS = PreparedStatement(
    select(
        RE_MARK.response_id,
        RE_MARK.verdict,
        RE_MARK.misconception_code,
        RE_MARK.item_version_hash,
        IS_BY_PROGRAM,
    )
    .where(RE_MARK.response_id == RESPONSE.id, IS_ABOUT_ITEM, IS_OF_QUESTION)
    .order_by(RE_MARK.id)
)
TICKS_BY_ANSWER = PreparedStatement(
    select(RE_MARK.response_id, RE_MARK.ticks, ITEM_VERSION.body)
    .where(
        IS_BY_RUBRIC,
        RE_MARK.response_id == RESPONSE.id,
        ITEM_VERSION.hash == RE_MARK.item_version_hash,
        IS_OF_QUESTION,
    )
    .order_by(RE_MARK.id)
)
VERSIONS_OF_ANSWERS = select(RESPONSE.item_version_hash).where(IS_OF_QUESTION)
VERSIONS_OF_MARKS = select(RE_MARK.item_version_hash).where(
    RE_MARK.response_id == RESPONSE.id, IS_OF_QUESTION
)
BODIES_OF_VERSIONS = PreparedStatement(
    select(ITEM_VERSION.hash, ITEM_VERSION.body).where(
        ITEM_VERSION.hash.in_(VERSIONS_OF_ANSWERS.union(VERSIONS_OF_MARKS))
    )
)


def load_discussion(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey, question_number: int
) -> DiscussionData:
    """The answers to one question; NotFound for a number that the assignment does not have."""
    classroom = classrooms.taught_class(session, caller, assignment_key.classroom_id)
    tasks = assigned.tasks_of_class(session, classroom.id)
    task = assigned.task_with_id(tasks, assignment_key.assignment_id)
    if task is None:
        raise NotFound("这份作业没有这道题。")
    asked_questions = questions_of_parts(task.parts)
    # An assignment without questions has a page too, which says so.
    if not 1 <= question_number <= max(len(asked_questions), 1):
        raise NotFound("这份作业没有这道题。")
    question_ref = ""
    if asked_questions:
        question_ref = asked_questions[question_number - 1].ref
    [(started_student_count,)] = session.all(FIRST_ATTEMPT_COUNT, assignment=task.id)
    if question_ref and parts_by_bank_number(task.parts):
        started_student_count = asking_attempt_count(session, task, asked_questions[question_number - 1])
    first_answers, regraded_version_hash = load_first_answers(session, task.id, question_ref)
    body_json_by_version_hash: dict[str, str] = dict(
        session.all(BODIES_OF_VERSIONS, assignment=task.id, item=question_ref)
    )
    marked_lines_by_response_id: dict[int, MarkedLines] = {}
    for response_id, ticks_json, item_body_json in session.all(
        TICKS_BY_ANSWER, assignment=task.id, item=question_ref
    ):
        marked_lines_by_response_id[response_id] = marked_lines(item_body_json, ticks_json)
    return DiscussionData(
        classroom,
        task,
        asked_questions,
        question_number,
        first_answers,
        started_student_count,
        body_json_by_version_hash,
        marked_lines_by_response_id,
        regraded_version_hash,
    )


def asking_attempt_count(
    session: VerbSession, task: AssignedTask, assigned_question: AssignedQuestion
) -> int:
    """How many first attempts ask a question that perhaps not everybody draws."""
    attempt_count = 0
    for attempt in lookup.attempts_of_assignment(session, task.id):
        if attempt.number == 1:
            attempt_count += (
                assigned_question in question_set_of({}, task.parts, task.assignment, attempt).questions
            )
    return attempt_count


def load_first_answers(
    session: VerbSession, assignment_id: int, question_ref: str
) -> tuple[Sequence[FirstAnswer], str]:
    """First answers as they are judged since the item was corrected, and the version of the last 重新评分."""
    question_parameters = {"assignment": assignment_id, "item": question_ref}
    first_answer_by_response_id = {
        first_answer.id: first_answer for first_answer in session.all(FIRST_ANSWERS, **question_parameters)
    }
    regraded_version_hash = ""
    for response_id, verdict, misconception_code, version_hash, is_by_program in session.all(
        RE_MARKS, **question_parameters
    ):
        if is_by_program:
            regraded_version_hash = version_hash
        if response_id in first_answer_by_response_id:
            first_answer_by_response_id[response_id] = first_answer_by_response_id[response_id]._replace(
                verdict=verdict, misconception_code=misconception_code, item_version_hash=version_hash
            )
    return list(first_answer_by_response_id.values()), regraded_version_hash
