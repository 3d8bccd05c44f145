"""What students do within an attempt at an assignment: answer or save, and open hints.

While answers are shown at once, they are marked when they are given, as in a lesson. Otherwise answers are
saved, replaced as often as one likes, and marked when the attempt is handed in. What is typed
and not sent where answers are marked at once is stored beside them.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from hashlib import sha256

from sqlalchemy import and_, bindparam, delete, exists, func, select

from app.course.assignments.question_sets import AssignedQuestion, MarkingCourseByPrefix
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.assignments import lookup
from app.records.assignments.attempt_seeds import question_set_of
from app.records.assignments.deadlines import expect_work_is_taken
from app.records.assignments.rows import IS_ANSWER, SAVED_ANSWER, SUBMISSION, UNSENT_PREFIX
from app.records.assignments.tables import SavedAnswer
from app.records.assignments.time_limits import time_up_sentence
from app.records.assignments.values import AssignmentAttempt, AssignmentKey, SavedAnswerRow, StudentAssignment
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert, prepared_update
from app.records.grading.student_assignments import load_own_assignment
from app.records.grading.student_work import load_saved_answer_by_question_ref
from app.records.grading.submissions import attempt_of
from app.records.grading.values import QuestionKey, SentAnswer
from app.records.learning import item_logs, responding
from app.records.learning.attempts import is_blank_answer
from app.records.learning.rows import ATTEMPT, RESPONSE
from app.records.learning.values import Answer, ItemLog, seconds_within_attempt

UNLIMITED_TRIES = 1000

IS_ANSWER_TO_QUESTION = and_(
    SAVED_ANSWER.attempt_id == bindparam("attempt"), SAVED_ANSWER.question_ref == bindparam("question")
)
SAVED_ANSWER_ID = PreparedStatement(select(SAVED_ANSWER.id).where(IS_ANSWER_TO_QUESTION))
SET_SAVED = prepared_update(SavedAnswer, IS_ANSWER_TO_QUESTION, ["raw", "seconds", "saved_at"])
ADD_SAVED = prepared_insert(SavedAnswer)
DROP_SAVED = PreparedStatement(delete(table(SavedAnswer)).where(IS_ANSWER_TO_QUESTION))


@learners.changes_own_rows
def save_answer(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    question_key: QuestionKey,
    sent_answer: SentAnswer,
    now: datetime,
) -> None:
    """Store what stands in a question, readable or not; it is marked when the attempt is handed in.

    A form in which nobody wrote changes nothing: another device may have saved more since it was opened. Only
    the time spent on it is added: what was saved in time is not late by being looked at again.
    """
    student_assignment, attempt, assigned_question = load_open_attempt_and_question(
        session, caller, assignment_id, question_key, now
    )
    if student_assignment.assignment.answers == "at_once":
        raise Refused("这份作业每答一题就批改，不用先存。")
    seconds_spent = seconds_within_attempt(sent_answer.seconds_spent, attempt.started_at, now)
    saved_answer = SavedAnswerRow(assigned_question.ref, sent_answer.raw, seconds_spent, now)
    if sent_answer.seen_fingerprint == fingerprint_of_texts(sent_answer.raw):
        stored_answer = load_saved_answer_by_question_ref(session, attempt.attempt_id).get(
            assigned_question.ref
        )
        if stored_answer is None:
            if sent_answer.seen_fingerprint == FINGERPRINT_OF_NOTHING:
                return
        elif fingerprint_of_texts(stored_answer.raw) == sent_answer.seen_fingerprint:
            saved_answer = stored_answer._replace(seconds=seconds_spent)
        else:
            return
    store_saved_answer(session, attempt.attempt_id, saved_answer)


FINGERPRINT_OF_NOTHING = "-"


def fingerprint_of_texts(typed_texts: Sequence[str]) -> str:
    """By which a form says what it held when its page was made, without saying it.

    >>> fingerprint_of_texts(["", " "]), fingerprint_of_texts(["0.5"]) == fingerprint_of_texts(("0.5",))
    ('-', True)
    """
    if is_blank_answer(typed_texts):
        return FINGERPRINT_OF_NOTHING
    return sha256(json.dumps(list(typed_texts)).encode()).hexdigest()[:16]


def store_saved_answer(session: VerbSession, attempt_id: int, saved_answer: SavedAnswerRow) -> None:
    """Write what stands in a question over what stood there."""
    answer_columns = saved_answer._asdict()
    answer_columns["raw"] = json.dumps(saved_answer.raw, ensure_ascii=False)
    question_parameters = {"attempt": attempt_id, "question": saved_answer.question_ref}
    if session.first(SAVED_ANSWER_ID, **question_parameters):
        session.run(SET_SAVED, **question_parameters, **answer_columns)
    else:
        session.run(ADD_SAVED, attempt_id=attempt_id, **answer_columns)


@learners.changes_own_rows
def store_unsent_answer(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    question_key: QuestionKey,
    sent_answer: SentAnswer,
    now: datetime,
) -> None:
    """Store what is typed in a question that is marked at once, until it is sent: it costs no try, and nobody
    marks it. What comes later than the answer that it led to changes nothing."""
    student_assignment, attempt, assigned_question = load_open_attempt_and_question(
        session, caller, assignment_id, question_key, now
    )
    item_log = item_logs.log_in_attempt(
        session, student_assignment.learner_id, attempt.attempt_id, assigned_question.ref
    )
    if item_log.is_next_try(sent_answer.try_number):
        seconds_spent = seconds_within_attempt(sent_answer.seconds_spent, attempt.started_at, now)
        unsent_answer = SavedAnswerRow(
            UNSENT_PREFIX + assigned_question.ref, sent_answer.raw, seconds_spent, now
        )
        store_saved_answer(session, attempt.attempt_id, unsent_answer)


@learners.changes_own_rows
def answer_at_once(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    question_key: QuestionKey,
    sent_answer: SentAnswer,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> ItemLog:
    """Mark an answer at once. The first one for a try stands, and there are only so many tries."""
    student_assignment, attempt, assigned_question = load_open_attempt_and_question(
        session, caller, assignment_id, question_key, now
    )
    if student_assignment.assignment.answers != "at_once":
        raise Refused("这份作业交了才批改；写好了存下就行。")
    item_log = item_logs.log_in_attempt(
        session, student_assignment.learner_id, attempt.attempt_id, assigned_question.ref
    )
    question_set = question_set_of(
        course_by_prefix, student_assignment.parts, student_assignment.assignment, attempt
    )
    most_tries = 1
    if not question_set.has_one_try_only(assigned_question.ref):  # else another guess would be a gift
        most_tries = student_assignment.assignment.tries or UNLIMITED_TRIES
    try_count = len(item_log.responses_to_item(assigned_question.ref))
    if try_count < most_tries and item_log.accepts_try(sent_answer.try_number, now):
        seconds_spent = seconds_within_attempt(sent_answer.seconds_spent, attempt.started_at, now)
        new_answer = Answer(assigned_question.ref, sent_answer.try_number, sent_answer.raw, seconds_spent)
        item_log = responding.record_answer(session, item_log, new_answer, question_set, now)
        session.run(DROP_SAVED, attempt=attempt.attempt_id, question=UNSENT_PREFIX + assigned_question.ref)
    return item_log


@learners.changes_own_rows
def open_next_hint(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    question_key: QuestionKey,
    hint_number: int,
    now: datetime,
) -> ItemLog:
    """Open the next hint of a question, where hints are allowed. Any other position changes nothing."""
    student_assignment, attempt, assigned_question = load_open_attempt_and_question(
        session, caller, assignment_id, question_key, now
    )
    if not student_assignment.assignment.hints:
        raise Refused("老师这次没有开提示。")
    item_log = item_logs.log_in_attempt(
        session, student_assignment.learner_id, attempt.attempt_id, assigned_question.ref
    )
    return responding.open_hint(session, item_log, hint_number, now)


def load_open_attempt_and_question(
    session: VerbSession, caller: Caller, assignment_id: int, question_key: QuestionKey, now: datetime
) -> tuple[StudentAssignment, AssignmentAttempt, AssignedQuestion]:
    """The attempt and the question that an answer is for; Refused says why it cannot be taken."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    attempt = attempt_of(student_assignment, question_key.attempt_number)
    if attempt.handed_in_at:
        raise Refused("这一遍已经交了，这里是交之前打开的旧页面；刚才写的没有算进去。")
    expect_work_is_taken(student_assignment, now, "刚才写的没有收；之前存下的都在，老师收卷时照那些算")
    time_is_up_sentence = time_up_sentence(student_assignment, attempt, now)
    if time_is_up_sentence:
        raise Refused(time_is_up_sentence)
    question_set = question_set_of({}, student_assignment.parts, student_assignment.assignment, attempt)
    asked_questions = question_set.questions
    if 1 <= question_key.question_number <= len(asked_questions):
        return student_assignment, attempt, asked_questions[question_key.question_number - 1]
    raise NotFound(f"这份作业没有第{question_key.question_number}题。")


MARKED_QUESTION_COUNT = (
    select(func.count(RESPONSE.item_ref.distinct()))
    .where(RESPONSE.attempt_id == SUBMISSION.attempt_id)
    .scalar_subquery()
)
HAS_RESPONSE = exists().where(
    RESPONSE.attempt_id == SAVED_ANSWER.attempt_id, RESPONSE.item_ref == SAVED_ANSWER.question_ref
)
SAVED_QUESTION_COUNT = (
    select(func.count(SAVED_ANSWER.id))
    .where(SAVED_ANSWER.attempt_id == SUBMISSION.attempt_id, IS_ANSWER, ~HAS_RESPONSE)
    .scalar_subquery()
)
ANSWERED_QUESTION_COUNT = MARKED_QUESTION_COUNT + SAVED_QUESTION_COUNT
"""Of a submission: how many questions have an answer, marked or saved."""
OPEN_ATTEMPTS_OF_ASSIGNMENT = PreparedStatement(
    select(SUBMISSION.enrolment_id, ANSWERED_QUESTION_COUNT).where(
        SUBMISSION.assignment_id == bindparam("assignment"), SUBMISSION.handed_in_at.is_(None)
    )
)


def load_answered_count_by_enrolment_id(
    session: VerbSession, caller: Caller, assignment_key: AssignmentKey
) -> Mapping[int, int]:
    """How many questions those have answered who are in the midst of an attempt, by enrolment."""
    lookup.taught_assignment(session, caller, assignment_key)
    return dict(session.all(OPEN_ATTEMPTS_OF_ASSIGNMENT, assignment=assignment_key.assignment_id))


UNREAD_ANSWERS_AT_ASSIGNMENT = PreparedStatement(
    select(ATTEMPT.learner_id, SAVED_ANSWER.question_ref, SAVED_ANSWER.raw).where(
        SUBMISSION.assignment_id == bindparam("assignment"),
        SUBMISSION.number == 1,
        SUBMISSION.handed_in_at.is_not(None),
        ATTEMPT.id == SUBMISSION.attempt_id,
        SAVED_ANSWER.attempt_id == SUBMISSION.attempt_id,
        IS_ANSWER,
        ~HAS_RESPONSE,
    )
)


def learner_ids_and_unread_refs(session: VerbSession, assignment_id: int) -> list[tuple[int, str]]:
    """Learner and question of what was handed in the first time and could not be read; what is blank is no
    answer."""
    return [
        (learner_id, question_ref)
        for learner_id, question_ref, raw_json in session.all(
            UNREAD_ANSWERS_AT_ASSIGNMENT, assignment=assignment_id
        )
        if not is_blank_answer(json.loads(raw_json))
    ]
