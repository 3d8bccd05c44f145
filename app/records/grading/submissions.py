"""An attempt at an assignment from its beginning to its end: begun, handed in, marked and added up.

What is done in it between the two stands in `answering.py`.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from operator import attrgetter

from sqlalchemy import bindparam, func, select

from app.course.assignments.question_sets import (
    MarkingCourseByPrefix,
    QuestionSet,
    full_points_of,
    points_of_attempt,
)
from app.course.items.kinds.base import UNFILLED_SIGN
from app.course.items.kinds.steps import CARRIED_CELL_SIGN
from app.course.items.marks import ItemGone, Unreadable
from app.records.accounts.values import Caller
from app.records.activity import learning_days
from app.records.assignments import attempt_seeds
from app.records.assignments.deadlines import (
    expect_still_given,
    expect_work_is_taken,
    shown_from,
    student_times,
)
from app.records.assignments.outside_work import load_outside_log
from app.records.assignments.rows import SUBMISSION
from app.records.assignments.tables import Submission
from app.records.assignments.time_limits import last_counting_moment
from app.records.assignments.values import AssignmentAttempt, SavedAnswerRow, StudentAssignment
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, prepared_insert, prepared_update, without_id
from app.records.grading import marks, regraded_marks
from app.records.grading.regraded_marks import GrantRow
from app.records.grading.regrades import unmarked_answers
from app.records.grading.student_assignments import load_own_assignment
from app.records.grading.student_work import last_work_time, load_saved_answer_by_question_ref
from app.records.learning import attempts, item_logs, item_sums, responding
from app.records.learning.rows import ATTEMPT
from app.records.learning.tables import Attempt
from app.records.learning.values import Answer, AttemptRow


def begin_or_resume_attempt(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> int:
    """Begin an attempt; one that is open goes on. Returns its number."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    expect_still_given(student_assignment)
    if student_assignment.open_attempt:
        return student_assignment.open_attempt.number
    expect_work_is_taken(student_assignment, now, "现在开始来不及了")
    if student_assignment.remaining_attempt_count == 0:
        raise Refused(f"这份作业能交{student_assignment.assignment.passes}遍，你都交过了。")
    return add_attempt(session, student_assignment, course_by_prefix, now).number


def remember_next_draw(
    session: VerbSession, caller: Caller, assignment_id: int, course_by_prefix: MarkingCourseByPrefix
) -> None:
    """Draw what the next attempt will have, before its writer needs it: `question_seeds` remembers the draw
    in this process, and `begin_or_resume_attempt` finds it there."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    if student_assignment.open_attempt is None:
        next_question_set(session, student_assignment, course_by_prefix)


LAST_NUMBER = PreparedStatement(
    select(func.max(ATTEMPT.round)).where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "assignment",
        ATTEMPT.ref == bindparam("ref"),
    )
)
ADD_ATTEMPT, ADD_SUBMISSION = prepared_insert(Attempt), prepared_insert(Submission)


def add_attempt(
    session: VerbSession,
    student_assignment: StudentAssignment,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> AssignmentAttempt:
    """The attempt and the submission of a new attempt, with the numbers that were drawn for it."""
    assignment = student_assignment.assignment
    attempt_ref = f"assignment-{assignment.id}"
    learner_id = student_assignment.learner_id
    question_set = next_question_set(session, student_assignment, course_by_prefix)
    attempt_number = question_set.attempt_number
    hidden_until = shown_from(assignment, student_assignment.extension, None)
    attempt_row = AttemptRow(0, "assignment", attempt_ref, attempt_number, assignment.seed, now, hidden_until)
    [(attempt_id,)] = session.all(ADD_ATTEMPT, learner_id=learner_id, **without_id(attempt_row))
    enrolment_id = student_assignment.enrolment_id
    seeds_json = attempt_seeds.seeds_json_of(question_set)
    attempt = AssignmentAttempt(
        attempt_id, enrolment_id, attempt_number, now, assignment_id=assignment.id, seeds_json=seeds_json
    )
    session.run(ADD_SUBMISSION, **attempt._asdict())
    return attempt


def next_question_set(
    session: VerbSession, student_assignment: StudentAssignment, course_by_prefix: MarkingCourseByPrefix
) -> QuestionSet:
    """The questions of the attempt that would be begun now."""
    assignment = student_assignment.assignment
    attempt_parameters = {"learner": student_assignment.learner_id, "ref": f"assignment-{assignment.id}"}
    [(last_attempt_number,)] = session.all(LAST_NUMBER, **attempt_parameters)
    attempt_count = len(student_assignment.attempts)
    attempt_number = max(last_attempt_number or 0, attempt_count) + 1
    return attempt_seeds.fresh_question_set(
        course_by_prefix,
        student_assignment.parts,
        assignment,
        student_assignment.enrolment_id,
        attempt_number,
    )


def hand_in_attempt(
    session: VerbSession,
    caller: Caller,
    assignment_id: int,
    attempt_number: int,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> AssignmentAttempt:
    """Hand in an attempt. A second click finds it handed in, and changes nothing."""
    student_assignment = load_own_assignment(session, caller, assignment_id)
    attempt = attempt_of(student_assignment, attempt_number)
    if attempt.handed_in_at:
        return attempt
    expect_work_is_taken(student_assignment, now, "没能交上")
    return mark_and_hand_in(session, student_assignment, attempt, course_by_prefix, now)


HAND_IN = prepared_update(
    Submission,
    SUBMISSION.attempt_id == bindparam("attempt"),
    (
        "handed_in_at",
        "last_work_at",
        "is_collected",
        "marked_at",
        "points",
        "full_marks",
        "late_factor",
        "points_json",
        "waiting_count",
        "open_points",
    ),
)


def mark_and_hand_in(
    session: VerbSession,
    student_assignment: StudentAssignment,
    attempt: AssignmentAttempt,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
    is_collected: bool = False,
    ended_at: datetime | None = None,
) -> AssignmentAttempt:
    """Mark what was saved, add everything up, and store it, with what being late costs. `ended_at`: when it
    counts as handed in, where the program hands in what has ended before now."""
    attempt_id = attempt.attempt_id
    counts_until = last_counting_moment(student_assignment, attempt, now)
    outside_log = load_outside_log(session, student_assignment, course_by_prefix, counts_until)
    saved_answer_by_question_ref = load_saved_answer_by_question_ref(session, attempt_id)
    responses = attempts.responses_of(session, attempt_id)
    last_work_at = last_work_time(saved_answer_by_question_ref.values(), responses, outside_log, counts_until)
    times_of_student = student_times(student_assignment.assignment, student_assignment.extension)
    question_set = attempt_seeds.question_set_of(
        course_by_prefix, student_assignment.parts, student_assignment.assignment, attempt
    )
    mark_saved_answers(
        session, student_assignment.learner_id, attempt_id, question_set, saved_answer_by_question_ref
    )
    grant_by_part_id = regraded_marks.standing_grant_by_part_id(session, attempt.assignment_id)
    points_by_part_id = points_by_part_id_of(
        session,
        student_assignment,
        attempt_id,
        question_set,
        outside_log.share_by_part_id_at(counts_until),
        grant_by_part_id,
    )
    handed_in_at = ended_at or now
    closed_attempt = attempt._replace(
        handed_in_at=handed_in_at,
        last_work_at=last_work_at,
        is_collected=is_collected,
        marked_at=now if ended_at else None,
        late_factor=times_of_student.factor_at(last_work_at),
    )
    unmarked_sum_by_attempt_id = unmarked_answers.unmarked_sum_by_attempt_id_of(
        session, attempt.assignment_id, {attempt_id: question_set}, grant_by_part_id
    )
    attempt_handed_in = closed_attempt._replace(
        points=marks.sum_of_points(points_by_part_id),
        full_marks=full_points_of(student_assignment.parts),
        points_json=json.dumps(points_by_part_id),
        **unmarked_sum_by_attempt_id[attempt_id]._asdict(),
    )
    session.run(HAND_IN, attempt=attempt_id, **attempt_handed_in._asdict())
    shown_at = shown_from(student_assignment.assignment, student_assignment.extension, handed_in_at)
    item_sums.set_shown_from(session, attempt_id, shown_at)
    return attempt_handed_in


def points_by_part_id_of(
    session: VerbSession,
    student_assignment: StudentAssignment,
    attempt_id: int,
    question_set: QuestionSet,
    outside_share_by_part_id: Mapping[int, float],
    grant_by_part_id: Mapping[int, GrantRow],
) -> dict[int, float]:
    """What an attempt earned, by part; parts that are granted to everybody who was asked count in full."""
    refs_and_scores = regraded_marks.refs_and_scores_of_attempt(session, attempt_id)
    best_share_by_question_ref = marks.best_share_by_question_ref_of(refs_and_scores)
    points_by_part_id = points_of_attempt(
        student_assignment.parts, best_share_by_question_ref, outside_share_by_part_id
    ).points_by_part_id
    granted_part_ids = [part_id for part_id in grant_by_part_id if question_set.asks_question(part_id)]
    parts = student_assignment.parts
    return marks.corrected_points_by_part_id_of(
        parts, points_by_part_id, granted_part_ids, best_share_by_question_ref, granted_part_ids
    )


def mark_saved_answers(
    session: VerbSession,
    learner_id: int,
    attempt_id: int,
    question_set: QuestionSet,
    saved_answer_by_question_ref: Mapping[str, SavedAnswerRow],
) -> None:
    """Every saved answer becomes the first try at its question, of the moment at which it was saved, in the
    order of these. What cannot be read stays saved, unmarked, and so does
    what was answered to an item that is no longer in the course."""
    saved_refs = tuple(saved_answer_by_question_ref)
    item_log = item_logs.log_in_attempt(session, learner_id, attempt_id, "", saved_refs)
    asked_refs = {assigned_question.ref for assigned_question in question_set.questions}
    saved_answers = sorted(saved_answer_by_question_ref.values(), key=attrgetter("saved_at"))
    saving_times = []
    for saved_answer in saved_answers:
        question_ref = saved_answer.question_ref
        if question_ref not in asked_refs or item_log.responses_to_item(question_ref):
            continue
        typed_texts = with_unfilled_signs(saved_answer.raw)
        first_answer = Answer(question_ref, 1, typed_texts, saved_answer.seconds)
        log_of_question = item_log._replace(item_ref=question_ref)
        saved_at = saved_answer.saved_at
        try:
            answer_mark = question_set.mark(question_ref, 0, typed_texts)
        except (Unreadable, ItemGone):
            continue
        responding.add_response(
            session,
            log_of_question,
            first_answer,
            answer_mark,
            question_set,
            saved_at,
            caller=None,
            is_own_activity=False,
        )
        saving_times.append(saved_at)
    learning_days.record_past_activity(session, learner_id, saving_times)


def with_unfilled_signs(raw_answer: Sequence[str]) -> tuple[str, ...]:
    """An answer as it is marked at the hand-in. Of several cells or blanks those that are still empty are
    marked as such, and the others count; where all are empty there is no answer. Nothing that is only saved
    was right before.

    >>> with_unfilled_signs(["0.5", " "]), with_unfilled_signs(["", ""]), with_unfilled_signs([""])
    (('0.5', '—\\u2063'), (), ('',))
    """
    if len(raw_answer) < 2:
        return tuple(raw_answer)
    unfilled_texts = ("", CARRIED_CELL_SIGN)
    if all(typed_text.strip() in unfilled_texts for typed_text in raw_answer):
        return ()
    return tuple(
        UNFILLED_SIGN if typed_text.strip() in unfilled_texts else typed_text for typed_text in raw_answer
    )


def attempt_of(student_assignment: StudentAssignment, attempt_number: int) -> AssignmentAttempt:
    attempt = student_assignment.attempt_with_number(attempt_number)
    if attempt is None:
        raise NotFound("这一遍还没有开始。")
    return attempt
