"""What a student did in an assignment: an attempt with its answers, and what was done outside of it."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.course.assignments.question_sets import MarkingCourseByPrefix
from app.records.accounts.values import Caller
from app.records.assignments import outside_work
from app.records.assignments.outside_work import OutsideLog
from app.records.assignments.rows import IS_ANSWER, SAVED_ANSWER, UNSENT_PREFIX
from app.records.assignments.time_limits import last_counting_moment
from app.records.assignments.values import AssignmentAttempt, AttemptWork, SavedAnswerRow, StudentAssignment
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading import comments, regraded_marks
from app.records.grading.student_assignments import load_own_assignment
from app.records.learning import attempts
from app.records.learning.values import ResponseRow


class AssignmentWork(NamedTuple):
    """An assignment as a student has it, the attempt that is open, and how much is done outside: of the parts
    that make no questions, 0..1 by part."""

    student_assignment: StudentAssignment
    attempt_work: AttemptWork | None
    outside_share_by_part_id: Mapping[int, float]


def load_assignment_work(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> AssignmentWork:
    """What a student sees of an assignment. NotFound where it is none of theirs."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    comment_by_place = comments.comment_by_place_of(session, assignment_id, student_assignment.enrolment_id)
    comment = comment_by_place.get(comments.WHOLE_WORK_PLACE, "")
    student_assignment = student_assignment._replace(comment=comment)
    outside_log = outside_work.load_outside_log(session, student_assignment, course_by_prefix, now)
    work_of_open_attempt = None
    open_attempt = student_assignment.open_attempt
    if open_attempt is not None:
        work_of_open_attempt = attempt_work_of(session, student_assignment, open_attempt)
        last_work_at = last_work_time(
            work_of_open_attempt.saved_answer_by_question_ref.values(),
            work_of_open_attempt.responses,
            outside_log,
            last_counting_moment(student_assignment, open_attempt, now),
        )
        work_of_open_attempt = replace(
            work_of_open_attempt, attempt=open_attempt._replace(last_work_at=last_work_at)
        )
    return AssignmentWork(student_assignment, work_of_open_attempt, outside_log.share_by_part_id_at(now))


def load_attempt_work(
    session: VerbSession, caller: Caller, assignment_id: int, attempt_number: int | None = None
) -> AttemptWork | None:
    """An attempt at an assignment: that of a number, else the open one, else the last one; None before the
    first. NotFound for a number that there is not."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    if attempt_number:
        attempt = student_assignment.attempt_with_number(attempt_number)
        if attempt is None:
            raise NotFound(f"没有第{attempt_number}遍。")
        return attempt_work_of(session, student_assignment, attempt)
    if not student_assignment.attempts:
        return None
    attempt = student_assignment.open_attempt or student_assignment.attempts[-1]
    return attempt_work_of(session, student_assignment, attempt)


STORED_ANSWERS = (
    select(SAVED_ANSWER.question_ref, SAVED_ANSWER.raw, SAVED_ANSWER.seconds, SAVED_ANSWER.saved_at)
    .where(SAVED_ANSWER.attempt_id == bindparam("attempt"))
    .order_by(SAVED_ANSWER.id)
)
SAVED_ANSWERS = PreparedStatement(STORED_ANSWERS.where(IS_ANSWER))
UNSENT_ANSWERS = PreparedStatement(STORED_ANSWERS.where(~IS_ANSWER))


def attempt_work_of(
    session: VerbSession, student_assignment: StudentAssignment, attempt: AssignmentAttempt
) -> AttemptWork:
    """An attempt with everything that was done in it; once it is handed in, as it counts now."""
    attempt_id = attempt.attempt_id
    attempt_data = attempts.attempt_data_of(session, student_assignment.learner_id, attempt_id)
    loaded_work = AttemptWork(
        student_assignment,
        attempt,
        load_saved_answer_by_question_ref(session, attempt_id),
        attempt_data.responses,
        attempt_data.hint_count_by_item_ref,
        attempt_data.body_by_hash,
        attempt_data.attempt.shown_from,
    )
    if attempt.handed_in_at is None and student_assignment.assignment.answers == "at_once":
        unsent_answer_by_question_ref = stored_answer_by_question_ref(session, UNSENT_ANSWERS, attempt_id)
        return replace(loaded_work, unsent_answer_by_question_ref=unsent_answer_by_question_ref)
    if attempt.handed_in_at is None:
        return loaded_work
    return regraded_marks.with_regraded_marks(session, loaded_work)


def load_saved_answer_by_question_ref(session: VerbSession, attempt_id: int) -> dict[str, SavedAnswerRow]:
    """What stands in the questions of an attempt, by question."""
    return stored_answer_by_question_ref(session, SAVED_ANSWERS, attempt_id)


def stored_answer_by_question_ref(
    session: VerbSession, answers_statement: PreparedStatement, attempt_id: int
) -> dict[str, SavedAnswerRow]:
    """The rows of one of the two statements above, by question."""
    answer_by_question_ref = {}
    for stored_ref, raw_json, seconds, saved_at in session.all(answers_statement, attempt=attempt_id):
        question_ref = stored_ref.removeprefix(UNSENT_PREFIX)
        answer_texts = attempts.answer_texts(raw_json)
        answer_by_question_ref[question_ref] = SavedAnswerRow(question_ref, answer_texts, seconds, saved_at)
    return answer_by_question_ref


# When something was last done.


def last_work_time(
    saved_answers: Iterable[SavedAnswerRow],
    responses: Iterable[ResponseRow],
    outside_log: OutsideLog,
    counts_until: datetime,
) -> datetime | None:
    """When something was last done that counts in an attempt that is open, in it or outside of its questions;
    None where nothing was. Whether it is late goes by this, whoever hands it in."""
    work_times = [saved_answer.saved_at for saved_answer in saved_answers]
    work_times += [response.created_at for response in responses]
    outside_work_at = outside_log.last_earning_moment(counts_until)
    if outside_work_at is not None:
        work_times.append(outside_work_at)
    if not work_times:
        return None
    return min(counts_until, max(work_times))
