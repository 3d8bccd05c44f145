"""Answers in words that wait for their teacher though their rubric was taken out of the question."""

from collections.abc import Mapping, Sequence

from app.records.assignments import lookup
from app.records.assignments.values import NOTHING_BY_HAND, AssignmentAttempt, AssignmentRow
from app.records.db.session import VerbSession
from app.records.grading import marks

NumberedAttempt = tuple[int, int]
"""An enrolment, and the number of its attempt."""


def unmarkable_count_of(
    session: VerbSession, assignment: AssignmentRow, unmarked_count_by_attempt: Mapping[NumberedAttempt, int]
) -> int:
    """How many answers wait in the gradebook, as it counts them, besides those that can be marked."""
    hand_mark_by_enrolment_id = lookup.load_hand_mark_by_enrolment_id(session, assignment.id)
    attempts_by_enrolment_id = group_by_enrolment_id(lookup.attempts_of_assignment(session, assignment.id))
    unmarkable_count = 0
    for enrolment_id, attempts in attempts_by_enrolment_id.items():
        hand_mark = hand_mark_by_enrolment_id.get(enrolment_id, NOTHING_BY_HAND)
        if hand_mark.excused:
            continue
        attempts_with_unmarkable_answers = []
        for handed_in_attempt in marks.handed_in_attempts(attempts):
            unmarked_count = unmarked_count_by_attempt.get((enrolment_id, handed_in_attempt.number), 0)
            count_of_attempt = max(0, handed_in_attempt.waiting_count - unmarked_count)
            attempts_with_unmarkable_answers.append(
                handed_in_attempt._replace(waiting_count=count_of_attempt)
            )
        unmarkable_count += marks.waiting_count_of(
            assignment.counts, attempts_with_unmarkable_answers, hand_mark.points
        )
    return unmarkable_count


def group_by_enrolment_id(attempts: Sequence[AssignmentAttempt]) -> Mapping[int, Sequence[AssignmentAttempt]]:
    attempts_by_enrolment_id: dict[int, list[AssignmentAttempt]] = {}
    for attempt in attempts:
        attempts_by_enrolment_id.setdefault(attempt.enrolment_id, []).append(attempt)
    return attempts_by_enrolment_id
