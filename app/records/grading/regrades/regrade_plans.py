"""What a 重新评分 would do, from the answers that were read, without the database."""

import logging
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from operator import attrgetter
from typing import NamedTuple

from app.course.assignments.question_sets import QuestionSet
from app.course.items.marks import ItemGone, Mark, Unreadable
from app.records.assignments.values import NOTHING_BY_HAND, AssignmentAttempt
from app.records.db.codes import fingerprint
from app.records.grading import marks
from app.records.grading.regraded_marks import MARKING_WAYS, with_mark
from app.records.grading.regrades.regrade_answers import PartAnswers, SavedPartAnswer
from app.records.grading.values import CountedResponse, GradebookStudent, MarkChange, RegradeWay
from app.records.learning.attempts import answer_texts, is_blank_answer

log = logging.getLogger(__name__)


@dataclass(slots=True)
class RegradePlan:
    """What a 重新评分 would do: responses judged otherwise, or by another key, with the version of today;
    saved answers that are marked at last, the points of attempts by part. `unreadable_count`: of answers
    that cannot be marked today, and stay as they are; `unmarkable_students`: whose attempts stay as they are
    because marking them fails."""

    responses_marked_anew: list[CountedResponse] = field(default_factory=list)
    answers_marked_at_last: list[SavedPartAnswer] = field(default_factory=list)
    points_by_part_id_by_attempt_id: dict[int, Mapping[int, float]] = field(default_factory=dict)
    mark_changes: list[MarkChange] = field(default_factory=list)
    unreadable_count: int = 0
    unmarkable_students: list[GradebookStudent] = field(default_factory=list)

    @property
    def falling_attempt_count(self) -> int:
        """How many attempts would be worth less than before."""
        return sum(
            mark_change.points_before_and_after[1] < mark_change.points_before_and_after[0]
            for mark_change in self.mark_changes
        )

    @property
    def changed_attempt_ids(self) -> set[int]:
        """The attempts in which it marks anything, or changes points."""
        marked_responses = chain(self.responses_marked_anew, self.answers_marked_at_last)
        return self.points_by_part_id_by_attempt_id.keys() | set(
            map(attrgetter("attempt_id"), marked_responses)
        )

    @property
    def corrected_attempt_count(self) -> int:
        """In how many attempts something is judged by another item while no points change."""
        judged_attempt_ids = {counted_response.attempt_id for counted_response in self.responses_marked_anew}
        return len(judged_attempt_ids - self.points_by_part_id_by_attempt_id.keys())

    @property
    def digest(self) -> str:
        """Two plans that do the same have the same: which points change, which answers get which marks and
        which key."""
        change_facts = [
            (mark_change.student.id, mark_change.attempt_number, mark_change.points_before_and_after)
            for mark_change in self.mark_changes
        ]
        return fingerprint(repr((change_facts, self.responses_marked_anew, self.answers_marked_at_last)))


Scores = Sequence[tuple[str, float]]
"""Question and score of every try of an attempt."""


class AttemptMarkedAnew(NamedTuple):
    """What the tries of an attempt count, and what is marked anew or at last for it. `unreadable_count`: of
    answers that cannot be marked today, and stay as they are."""

    refs_and_scores: Scores
    responses_marked_anew: Sequence[CountedResponse] = ()
    answers_marked_at_last: Sequence[SavedPartAnswer] = ()
    unreadable_count: int = 0


def regrade_plan_of(part_answers: PartAnswers, regrade_way: RegradeWay, is_granted: bool) -> RegradePlan:
    """What one way would do. `is_granted`: the part counts in full for everybody so far."""
    regrade_plan = RegradePlan()
    granted_part_ids = []
    if regrade_way == "full" or (regrade_way in MARKING_WAYS and is_granted):
        granted_part_ids.append(part_answers.part_id)
    unmarkable_enrolment_ids = set()
    for attempt in part_answers.attempts:
        try:
            add_attempt_to_plan(regrade_plan, part_answers, attempt, regrade_way, granted_part_ids)
        except Exception:  # one attempt that cannot be marked must not hold up all others
            log.exception("attempt %s could not be marked again", attempt.attempt_id)
            unmarkable_enrolment_ids.add(attempt.enrolment_id)
    for gradebook_student in part_answers.students:
        regrade_plan.mark_changes += mark_changes_of(
            part_answers, gradebook_student, regrade_plan.points_by_part_id_by_attempt_id
        )
        if gradebook_student.id in unmarkable_enrolment_ids:
            regrade_plan.unmarkable_students.append(gradebook_student)
    return regrade_plan


def add_attempt_to_plan(
    regrade_plan: RegradePlan,
    part_answers: PartAnswers,
    attempt: AssignmentAttempt,
    regrade_way: RegradeWay,
    granted_part_ids: Collection[int],
) -> None:
    """Put into a plan what one way would do to an attempt; where that raises, nothing of it."""
    attempt_marked_anew = mark_attempt_anew(part_answers, attempt, regrade_way)
    points_by_part_id = None
    if attempt.handed_in_at and part_answers.is_asked_in(attempt):
        refs_and_scores = attempt_marked_anew.refs_and_scores
        points_by_part_id = part_answers.points_by_part_id_with_scores(
            attempt, refs_and_scores, granted_part_ids
        )
    regrade_plan.responses_marked_anew += attempt_marked_anew.responses_marked_anew
    regrade_plan.answers_marked_at_last += attempt_marked_anew.answers_marked_at_last
    regrade_plan.unreadable_count += attempt_marked_anew.unreadable_count
    if points_by_part_id is not None:
        former_points = round(attempt.points or 0.0, 4)
        if marks.sum_of_points(points_by_part_id) != former_points:
            regrade_plan.points_by_part_id_by_attempt_id[attempt.attempt_id] = points_by_part_id


def mark_attempt_anew(
    part_answers: PartAnswers, attempt: AssignmentAttempt, regrade_way: RegradeWay
) -> AttemptMarkedAnew:
    """An attempt in one way. Answers that were only saved count once it is handed in."""
    counted_responses = part_answers.responses_by_attempt_id.get(attempt.attempt_id, ())
    if regrade_way not in MARKING_WAYS:
        return AttemptMarkedAnew(
            [(counted_response.item_ref, counted_response.score) for counted_response in counted_responses]
        )
    question_set = part_answers.question_set(attempt)
    attempt_marked_anew = mark_responses_anew(part_answers, attempt, may_fall=regrade_way == "again")
    if not attempt.handed_in_at:
        return attempt_marked_anew
    answered_refs = {question_ref for question_ref, _ in attempt_marked_anew.refs_and_scores}
    saved_answers = part_answers.saved_answers_without_response(attempt, answered_refs)
    attempt_with_saved_marked = mark_saved_answers_now(question_set, saved_answers)
    return attempt_marked_anew._replace(
        refs_and_scores=[*attempt_marked_anew.refs_and_scores, *attempt_with_saved_marked.refs_and_scores],
        answers_marked_at_last=attempt_with_saved_marked.answers_marked_at_last,
        unreadable_count=attempt_marked_anew.unreadable_count + attempt_with_saved_marked.unreadable_count,
    )


def mark_responses_anew(
    part_answers: PartAnswers, attempt: AssignmentAttempt, may_fall: bool
) -> AttemptMarkedAnew:
    """The responses of an attempt as the items of today judge them. What a teacher has marked by its rubric
    no program judges; points given by hand stay, and what lies below them is marked anew. Unless they
    `may_fall`, those that would earn less keep their mark."""
    question_set = part_answers.question_set(attempt)
    counted_responses = part_answers.responses_by_attempt_id.get(attempt.attempt_id, ())
    responses_below_hand = part_answers.responses_below_hand_by_attempt_id.get(attempt.attempt_id, ())
    refs_and_scores = []
    responses_marked_anew = []
    unreadable_count = 0
    for counted_response, response_below_hand in zip(counted_responses, responses_below_hand, strict=True):
        score = counted_response.score
        mark_author = part_answers.author_of_mark(response_below_hand.id)
        raw_answer = answer_texts(response_below_hand.raw)
        # Without texts the answer was shown, or its learner has deleted their account.
        if raw_answer and mark_author != "rubric":
            present_mark = present_mark_of(
                question_set, response_below_hand.item_ref, raw_answer, response_below_hand.try_number
            )
            if present_mark is None:
                unreadable_count += 1
            if present_mark is not None and is_judged_otherwise(
                response_below_hand, present_mark, may_fall=may_fall
            ):
                response_marked_anew = with_mark(response_below_hand, present_mark)
                responses_marked_anew.append(with_version_of_today(question_set, response_marked_anew))
                if mark_author == "program":
                    score = present_mark.score
            elif part_answers.is_key_corrected(question_set, response_below_hand):
                # The mark stays; with it goes the item of today, by which the right answer is told.
                responses_marked_anew.append(with_version_of_today(question_set, response_below_hand))
        refs_and_scores.append((response_below_hand.item_ref, score))
    return AttemptMarkedAnew(refs_and_scores, responses_marked_anew, unreadable_count=unreadable_count)


def is_judged_otherwise(counted_response: CountedResponse, present_mark: Mark, *, may_fall: bool) -> bool:
    """Whether a mark of today takes the place of that which counts; a lower one only where it `may_fall`."""
    if present_mark.score < counted_response.score:
        return may_fall
    return (present_mark.verdict, present_mark.score) != (counted_response.verdict, counted_response.score)


def with_version_of_today(question_set: QuestionSet, counted_response: CountedResponse) -> CountedResponse:
    """A response with the version of its item by which its key is told from now on."""
    version_hash, _ = question_set.version_hash_and_body(counted_response.item_ref)
    return counted_response._replace(item_version_hash=version_hash)


def mark_saved_answers_now(
    question_set: QuestionSet, saved_answers: Sequence[SavedPartAnswer]
) -> AttemptMarkedAnew:
    """Saved answers that could not be marked at the hand-in."""
    refs_and_scores = []
    answers_marked_at_last = []
    unreadable_count = 0
    for saved_answer in saved_answers:
        present_mark = present_mark_of(question_set, saved_answer.question_ref, saved_answer.texts_to_mark, 1)
        if present_mark is not None:
            answers_marked_at_last.append(saved_answer)
            refs_and_scores.append((saved_answer.question_ref, present_mark.score))
        elif not is_blank_answer(answer_texts(saved_answer.raw_json)):
            unreadable_count += 1
    return AttemptMarkedAnew(
        refs_and_scores, answers_marked_at_last=answers_marked_at_last, unreadable_count=unreadable_count
    )


def present_mark_of(
    question_set: QuestionSet, question_ref: str, raw_answer: tuple[str, ...], try_number: int
) -> Mark | None:
    """The mark of an answer; None where it cannot be read, or its item is no longer in the course."""
    try:
        return question_set.mark(question_ref, 0, raw_answer, try_number)
    except (Unreadable, ItemGone):
        return None


def mark_changes_of(
    part_answers: PartAnswers,
    gradebook_student: GradebookStudent,
    new_points_by_part_id_by_attempt_id: Mapping[int, Mapping[int, float]],
) -> list[MarkChange]:
    """The attempts of a student that change. `new_points_by_part_id_by_attempt_id`: by part each."""
    attempts_before = part_answers.attempts_handed_in_by_student(gradebook_student)
    attempts_after = []
    for attempt in attempts_before:
        points_by_part_id = new_points_by_part_id_by_attempt_id.get(attempt.attempt_id)
        if points_by_part_id is None:
            attempts_after.append(attempt)
        else:
            new_points = marks.sum_of_points(points_by_part_id)
            attempts_after.append(attempt._replace(points=new_points))
    counting_rule = part_answers.assignment.counts
    hand_mark = part_answers.hand_mark_by_enrolment_id.get(gradebook_student.id, NOTHING_BY_HAND)
    mark_before = counting_mark(counting_rule, attempts_before, hand_mark.points)
    mark_after = counting_mark(counting_rule, attempts_after, hand_mark.points)
    mark_changes = []
    for attempt_before, attempt_after in zip(attempts_before, attempts_after, strict=True):
        if attempt_before.attempt_id in new_points_by_part_id_by_attempt_id:
            points_before_and_after = (attempt_before.points or 0.0, attempt_after.points or 0.0)
            mark_change = MarkChange(
                gradebook_student,
                attempt_before.number,
                points_before_and_after,
                (mark_before, mark_after),
                hand_mark,
            )
            mark_changes.append(mark_change)
    return mark_changes


def counting_mark(
    counting_rule: str, attempts: Sequence[AssignmentAttempt], hand_points: float | None
) -> float:
    """The mark of a student by these attempts."""
    handed_in_attempts = marks.handed_in_attempts(attempts)
    return marks.mark_of(counting_rule, handed_in_attempts, hand_points) or 0.0
