"""待批: answers in words that their teacher has still to mark, counted anew whenever one is marked."""

from collections import defaultdict
from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import and_, bindparam, select

from app.course.assignments.question_sets import AssignedQuestion, QuestionSet
from app.records.assignments.rows import SUBMISSION
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery
from app.records.grading.regraded_marks import RE_MARKS, SecondMark, is_marked_by_teacher
from app.records.learning.attempts import answer_texts, is_blank_answer
from app.records.learning.rows import RESPONSE


class UnmarkedSum(NamedTuple):
    """How many questions of an attempt have an answer in words that the teacher has still to mark, and the
    points that these can still earn."""

    waiting_count: int = 0
    open_points: float = 0.0


IS_IN_ATTEMPTS = and_(
    RESPONSE.attempt_id == SUBMISSION.attempt_id,
    SUBMISSION.assignment_id == bindparam("assignment"),
    SUBMISSION.attempt_id.between(bindparam("first_attempt"), bindparam("last_attempt")),
)
ANSWERS_IN_ATTEMPTS = PreparedStatement(
    select(RESPONSE.id, RESPONSE.attempt_id, RESPONSE.item_ref, RESPONSE.raw).where(IS_IN_ATTEMPTS)
)
SECOND_MARKS_IN_ATTEMPTS = RowQuery(SecondMark, RE_MARKS.where(IS_IN_ATTEMPTS))


def unmarked_sum_by_attempt_id_of(
    session: VerbSession,
    assignment_id: int,
    question_set_by_attempt_id: Mapping[int, QuestionSet],
    granted_part_ids: Container[int],
) -> dict[int, UnmarkedSum]:
    """What attempts at an assignment wait for: two queries for all of them. What is worth no points or counts
    in full for everybody, and an item that is gone, wait for nothing."""
    questions_by_attempt_id = {
        attempt_id: questions_answered_in_words(question_set, granted_part_ids)
        for attempt_id, question_set in question_set_by_attempt_id.items()
    }
    if not any(questions_by_attempt_id.values()):
        return dict.fromkeys(question_set_by_attempt_id, UnmarkedSum())
    attempt_parameters = {
        "assignment": assignment_id,
        "first_attempt": min(question_set_by_attempt_id),
        "last_attempt": max(question_set_by_attempt_id),
    }
    second_marks = session.all(SECOND_MARKS_IN_ATTEMPTS, **attempt_parameters)
    last_mark_by_response_id = {second_mark.response_id: second_mark for second_mark in second_marks}
    answered_refs_by_attempt_id = defaultdict[int, set[str]](set)
    marked_refs_by_attempt_id = defaultdict[int, set[str]](set)
    answer_rows = session.all(ANSWERS_IN_ATTEMPTS, **attempt_parameters)
    for response_id, attempt_id, question_ref, raw_json in answer_rows:
        if not is_blank_answer(answer_texts(raw_json)):
            answered_refs_by_attempt_id[attempt_id].add(question_ref)
        last_mark = last_mark_by_response_id.get(response_id)
        if last_mark is not None and last_mark.author != "program":
            marked_refs_by_attempt_id[attempt_id].add(question_ref)
    unmarked_sum_by_attempt_id = {}
    for attempt_id, assigned_questions in questions_by_attempt_id.items():
        waiting_refs = answered_refs_by_attempt_id[attempt_id] - marked_refs_by_attempt_id[attempt_id]
        points_of_waiting_questions = [
            assigned_question.points
            for assigned_question in assigned_questions
            if assigned_question.ref in waiting_refs
        ]
        unmarked_sum_by_attempt_id[attempt_id] = UnmarkedSum(
            len(points_of_waiting_questions), round(sum(points_of_waiting_questions), 4)
        )
    return unmarked_sum_by_attempt_id


def questions_answered_in_words(
    question_set: QuestionSet, granted_part_ids: Container[int]
) -> Sequence[AssignedQuestion]:
    """The questions whose answers can wait for their teacher."""
    return [
        assigned_question
        for assigned_question in question_set.questions
        if assigned_question.points
        and assigned_question.part_id not in granted_part_ids
        and is_marked_by_teacher(question_set, assigned_question)
    ]
