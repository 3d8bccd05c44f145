"""Answers in words that wait for their teacher though their rubric was taken out of the question."""

from collections.abc import Mapping

from app.records.assignments import lookup
from app.records.assignments.values import NOTHING_BY_HAND, AssignmentRow
from app.records.db.session import VerbSession
from app.records.grading import marks

NumberedAttempt = tuple[int, int]
"""An enrolment, and the number of its attempt."""


def unmarkable_count_of(
    session: VerbSession, assignment: AssignmentRow, unmarked_count_by_attempt: Mapping[NumberedAttempt, int]
) -> int:
    """How many answers wait in the gradebook, as it counts them, besides those that can be marked."""
    hand_mark_by_enrolment_id = lookup.load_hand_mark_by_enrolment_id(session, assignment.id)
    attempts = lookup.attempts_of_assignment(session, assignment.id)
    attempts_by_enrolment_id = lookup.attempts_by_enrolment_id_of(attempts)
    unmarkable_count = 0
    for enrolment_id, attempts_of_student in attempts_by_enrolment_id.items():
        hand_mark = hand_mark_by_enrolment_id.get(enrolment_id, NOTHING_BY_HAND)
        if hand_mark.excused:
            continue
        attempts_with_unmarkable_answers = []
        for handed_in_attempt in marks.handed_in_attempts(attempts_of_student):
            unmarked_count = unmarked_count_by_attempt.get((enrolment_id, handed_in_attempt.number), 0)
            unmarkable_count_of_attempt = max(0, handed_in_attempt.waiting_count - unmarked_count)
            attempts_with_unmarkable_answers.append(
                handed_in_attempt._replace(waiting_count=unmarkable_count_of_attempt)
            )
        unmarkable_count += marks.waiting_count_of(
            assignment.counts, attempts_with_unmarkable_answers, hand_mark.points
        )
    return unmarkable_count
