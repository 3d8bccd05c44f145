"""改单题的分: points that a teacher gives one answer of a student, over what the program gave.

They lie over the answer as a 重新评分 does, by the item as it was, and no 重新评分 undoes them. Of the class
they say nothing: what its students got wrong is still told by the program.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from app.course.assignments.question_sets import AssignedQuestion, MarkingCourseByPrefix, questions_of_parts
from app.course.items.marks import mark_of_share
from app.records.accounts.values import Caller
from app.records.assignments import audit, lookup
from app.records.assignments.values import AssignmentAttempt, TaughtAssignment
from app.records.classes.rights import Right
from app.records.db.errors import NotFound, Refused
from app.records.db.session import VerbSession
from app.records.grading import regraded_marks
from app.records.grading.mark_overrides import checked_points, checked_reason
from app.records.grading.marks import unrounded_text
from app.records.grading.regraded_marks import TICKS_OF_QUESTION_MARK, SecondMark
from app.records.grading.regrades.regrade_answers import PartAnswers, load_part_answers
from app.records.grading.regrades.regrading import REMOVE_QUESTION_MARK, lay_question_mark, store_points
from app.records.grading.values import CellKey, CountedResponse, QuestionKey


class OpenedQuestion(NamedTuple):
    """A question of an attempt that was handed in, with the tries at it, as they count now."""

    taught_assignment: TaughtAssignment
    attempt: AssignmentAttempt
    assigned_question: AssignedQuestion
    part_answers: PartAnswers
    responses: Sequence[CountedResponse]

    @property
    def earned_share(self) -> float:
        """What it earns."""
        return max(counted_response.score for counted_response in self.responses)

    @property
    def mark_words(self) -> str:
        """What stands for it, by which a form says over what it was filled in."""
        full_points = self.assigned_question.points
        is_by_hand = bool(self.responses_with_question_mark)
        return words_of_mark(full_points * self.earned_share, full_points, is_by_hand)

    @property
    def responses_with_question_mark(self) -> Sequence[CountedResponse]:
        """The tries that a teacher gave other points."""
        responses_with_question_mark = []
        for counted_response in self.responses:
            second_mark = self.part_answers.second_mark_by_response_id.get(counted_response.id)
            if second_mark and second_mark.author == "hand":
                responses_with_question_mark.append(counted_response)
        return responses_with_question_mark


def words_of_mark(earned_points: float, full_points: float, is_by_hand: bool) -> str:
    """The points of a question to the last decimal, and whether a teacher gave them.

    >>> words_of_mark(0.52, 2.0, False), words_of_mark(0.52, 2.0, True)
    ('0.52/2', '0.52/2（老师改过）')
    """
    author_words = "（老师改过）" if is_by_hand else ""
    return f"{unrounded_text(earned_points)}/{unrounded_text(full_points)}{author_words}"


def mark_question(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    typed_points_text: str,
    reason: str,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
    seen_mark_words: str | None = None,
) -> None:
    """Other points for a question, with a reason that its student reads.

    `seen_mark_words`: what stood for it when the form was made, None where that is not known: points that
    came since are not replaced unseen. Refused besides: points or a reason that cannot be, an attempt that is
    open, a question without an answer, one that is marked by a rubric or counts in full for everybody.
    NotFound where there is no such question.
    """
    opened_question = load_question_for_marking(session, caller, cell_key, course_by_prefix)
    points = checked_points(typed_points_text, opened_question.assigned_question.points)
    reason = checked_reason(reason)
    earned_share = points / opened_question.assigned_question.points
    are_all_marked_by_hand = opened_question.responses_with_question_mark == opened_question.responses
    if are_all_marked_by_hand and earned_share == opened_question.earned_share:
        reason_by_question_number = regraded_marks.question_mark_reason_by_number(
            session, cell_key.assignment_id, cell_key.enrolment_id, cell_key.question_key.attempt_number
        )
        if reason == reason_by_question_number.get(cell_key.question_key.question_number):
            return  # a second click
    if seen_mark_words not in (None, opened_question.mark_words):
        present_words = opened_question.mark_words
        raise Refused(f"这道题的分刚才变成了{present_words}，你填的还在；要照你的，再存一次。")
    mark = mark_of_share(earned_share)
    for counted_response in opened_question.responses:
        question_mark = SecondMark(
            counted_response.id,
            mark.verdict,
            earned_share,
            counted_response.misconception_code,
            counted_response.item_version_hash,
            now,
            TICKS_OF_QUESTION_MARK,
        )
        lay_question_mark(session, question_mark)
    store_earned_share(session, opened_question, earned_share)
    former_points = opened_question.assigned_question.points * opened_question.earned_share
    log_detail = question_mark_log_detail(cell_key.question_key, former_points, points) | {"reason": reason}
    audit.add_line(
        session, opened_question.taught_assignment, "question-mark", log_detail, now, cell_key.enrolment_id
    )


def withdraw_question_mark(
    session: VerbSession,
    caller: Caller,
    cell_key: CellKey,
    course_by_prefix: MarkingCourseByPrefix,
    now: datetime,
) -> None:
    """What the program gave counts again, in the last 重新评分 if there was one. Where nothing was given by
    hand, nothing changes."""
    opened_question = load_question_for_marking(session, caller, cell_key, course_by_prefix)
    if not opened_question.responses_with_question_mark:
        return
    for counted_response in opened_question.responses:
        session.run(REMOVE_QUESTION_MARK, response=counted_response.id)
    restored_question = load_question_for_marking(session, caller, cell_key, course_by_prefix)
    store_earned_share(session, restored_question, restored_question.earned_share)
    full_points = opened_question.assigned_question.points
    former_points = full_points * opened_question.earned_share
    log_detail = question_mark_log_detail(
        cell_key.question_key, former_points, full_points * restored_question.earned_share
    )
    audit.add_line(
        session,
        opened_question.taught_assignment,
        "question-mark-back",
        log_detail,
        now,
        cell_key.enrolment_id,
    )


def load_question_for_marking(
    session: VerbSession, caller: Caller, cell_key: CellKey, course_by_prefix: MarkingCourseByPrefix
) -> OpenedQuestion:
    """The question of a cell, for whoever may mark it; NotFound and Refused say why there is none."""
    taught_assignment = lookup.editable_assignment(session, caller, cell_key.assignment_key, Right.MARK)
    parts = lookup.parts_of(session, taught_assignment.assignment.id)
    question_by_number = {
        assigned_question.number: assigned_question for assigned_question in questions_of_parts(parts)
    }
    assigned_question = question_by_number.get(cell_key.question_key.question_number)
    if assigned_question is None or taught_assignment.assignment.published_at is None:
        raise NotFound("这份作业没有这道题。")
    part_answers = load_part_answers(
        session, taught_assignment.assignment, parts, assigned_question.part_id, course_by_prefix
    )
    attempt = handed_in_attempt_of(part_answers, cell_key.enrolment_id, cell_key.question_key.attempt_number)
    if assigned_question.part_id in regraded_marks.standing_grant_by_part_id(
        session, taught_assignment.assignment.id
    ):
        raise Refused("这道题全员给了满分，单独改不了；先到重新评分里取消。")
    if regraded_marks.is_marked_by_teacher(part_answers.question_set(attempt), assigned_question):
        raise Refused("这道题照要点批：到“批改简答题”里勾。")
    counted_responses = part_answers.responses_by_attempt_id.get(attempt.attempt_id, ())
    responses_to_question = [
        counted_response
        for counted_response in counted_responses
        if counted_response.item_ref == assigned_question.ref
    ]
    if not responses_to_question:
        raise Refused("这道题没有批过的回答，单题改不了；要给分，改整份的。")
    return OpenedQuestion(taught_assignment, attempt, assigned_question, part_answers, responses_to_question)


def handed_in_attempt_of(
    part_answers: PartAnswers, enrolment_id: int, attempt_number: int
) -> AssignmentAttempt:
    for attempt in part_answers.attempts:
        if (attempt.enrolment_id, attempt.number) == (enrolment_id, attempt_number):
            if attempt.handed_in_at is None:
                raise Refused("这一遍还没有交，交了才能改单题的分。")
            return attempt
    raise NotFound("没有这一遍。")


def store_earned_share(session: VerbSession, opened_question: OpenedQuestion, earned_share: float) -> None:
    """Store the points of the attempt, since its question earns this share."""
    attempt, part_answers = opened_question.attempt, opened_question.part_answers
    question_ref = opened_question.assigned_question.ref
    counted_responses = part_answers.responses_by_attempt_id[attempt.attempt_id]
    other_refs_and_scores = [
        (counted_response.item_ref, counted_response.score)
        for counted_response in counted_responses
        if counted_response.item_ref != question_ref
    ]
    points_by_part_id = part_answers.points_by_part_id_with_scores(
        attempt, [*other_refs_and_scores, (question_ref, earned_share)]
    )
    store_points(session, attempt.attempt_id, points_by_part_id)


def question_mark_log_detail(
    question_key: QuestionKey, former_points: float, points: float
) -> dict[str, object]:
    """What the log keeps of it."""
    return {
        "attempt": question_key.attempt_number,
        "question": question_key.question_number,
        "points": [round(former_points, 4), round(points, 4)],
    }
