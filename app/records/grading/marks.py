"""What work is worth: the mark of a student at an assignment, the points of an attempt after a correction.

Pure arithmetic on what others have read. A `share` is a part of the points, 0..1.
"""

import json
import re
from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple, Protocol, TypeVar

from app.course.assignments.question_sets import QuestionPart, full_points_of, points_of_attempt
from app.course.text.typed import folded_text
from app.records.assignments.deadlines import HandedInWork, points_after_lateness
from app.records.assignments.values import AssignmentRow, MarkByHand

PASS_SHARE = 0.6
"""及格: the share of the full marks from which on a work has passed."""
ROUNDING_SLACK = 1e-9
"""By less than this a sum of decimals may miss what people reckon: 0.1 + 0.2 is not 0.3."""

Place = TypeVar("Place", bound=Hashable)
"""What points are of, by whichever name: a part, a question, a line of a rubric."""


class HandedInAttempt(NamedTuple):
    """An attempt that was handed in: what it earned, what being late costs; when something was last done in
    it, where it may be late by that, and who handed it in. `waiting_count`: how many answers the teacher
    has still to mark; `open_points`: what these can still earn."""

    number: int
    points: float
    late_factor: float = 1.0
    last_work_at: datetime | None = None
    is_collected: bool = False
    waiting_count: int = 0
    open_points: float = 0.0

    @property
    def counted_points(self) -> float:
        return points_after_lateness(self.points, self.late_factor)

    @property
    def was_left_empty(self) -> bool:
        """Whether its teacher collected it with nothing in it that earns or can earn a point."""
        return self.is_collected and not self.points and not self.waiting_count

    @property
    def highest_counted_points(self) -> float:
        """What it is worth at most, once everything in it is marked."""
        return points_after_lateness(self.points + self.open_points, self.late_factor)


class AttemptRecord(HandedInWork, Protocol):
    """What marks ask of an attempt, as any room reads it; `points` are None before anything was marked."""

    @property
    def number(self) -> int: ...
    @property
    def points(self) -> float | None: ...
    @property
    def handed_in_at(self) -> datetime | None: ...
    @property
    def is_collected(self) -> bool: ...
    @property
    def waiting_count(self) -> int: ...
    @property
    def open_points(self) -> float: ...


def handed_in_attempts(attempt_records: Iterable[AttemptRecord]) -> list[HandedInAttempt]:
    """The attempts that were handed in, as marks read them."""
    attempts_handed_in = []
    for attempt_record in attempt_records:
        if attempt_record.handed_in_at:
            handed_in_attempt = HandedInAttempt(
                attempt_record.number,
                points=attempt_record.points or 0.0,
                late_factor=attempt_record.late_factor,
                last_work_at=attempt_record.last_work_at,
                is_collected=attempt_record.is_collected,
                waiting_count=attempt_record.waiting_count,
                open_points=attempt_record.open_points,
            )
            attempts_handed_in.append(handed_in_attempt)
    return attempts_handed_in


def counting_attempt(counting_rule: str, attempts: Sequence[HandedInAttempt]) -> HandedInAttempt | None:
    """The attempt that counts: the best, the last or the first, as the assignment says; in their order.

    Of two that are equally good the earlier one is meant. The first is of those that a student handed in,
    where there are any: a paper that was collected does not bar what more time was given for. The last may be
    a collected one, for what a student saved is to count; but one that was opened and left empty takes no
    mark away.
    """
    if not attempts:
        return None
    if len(attempts) == 1:  # most are handed in once: a gradebook asks this thousands of times
        return attempts[0]
    if counting_rule == "best":
        return max(attempts, key=lambda attempt: attempt.counted_points)
    if counting_rule == "first":
        return next((attempt for attempt in attempts if not attempt.is_collected), attempts[0])
    return next((attempt for attempt in reversed(attempts) if not attempt.was_left_empty), attempts[-1])


def mark_of(
    counting_rule: str, attempts: Sequence[HandedInAttempt], hand_points: float | None = None
) -> float | None:
    """The mark of a student at an assignment; None while there is nothing to mark.

    What the teacher set counts before all; else what the attempt that counts is worth.

    >>> late = [HandedInAttempt(1, 6), HandedInAttempt(2, 10, late_factor=0.5)]
    >>> mark_of("best", late), mark_of("last", late), mark_of("last", [])
    (6.0, 5.0, None)
    >>> mark_of("last", late, hand_points=9)
    9
    """
    if hand_points is not None:
        return hand_points
    handed_in_attempt = counting_attempt(counting_rule, attempts)
    if handed_in_attempt is None:
        return None
    return handed_in_attempt.counted_points


def waiting_count_of(
    counting_rule: str, attempts: Sequence[HandedInAttempt], hand_points: float | None = None
) -> int:
    """How many answers its teacher has still to mark before a mark is final; none where it was set by hand.

    They are those of the attempt that counts, and where the best one does, those of attempts that can still
    become the best.

    >>> better, best = HandedInAttempt(1, 6), HandedInAttempt(1, 7)
    >>> unread = HandedInAttempt(2, 5, waiting_count=1, open_points=2)
    >>> waiting_count_of("last", [best, unread])
    1
    >>> waiting_count_of("best", [better, unread]), waiting_count_of("best", [best, unread])
    (1, 0)
    """
    handed_in_attempt = counting_attempt(counting_rule, attempts)
    if handed_in_attempt is None or hand_points is not None:
        return 0
    waiting_count = handed_in_attempt.waiting_count
    if counting_rule == "best":
        for other_attempt in attempts:
            if (
                other_attempt is not handed_in_attempt
                and other_attempt.highest_counted_points > handed_in_attempt.counted_points + ROUNDING_SLACK
            ):
                waiting_count += other_attempt.waiting_count
    return waiting_count


def final_mark_of(
    counting_rule: str, attempts: Sequence[HandedInAttempt], hand_points: float | None = None
) -> float | None:
    """The mark of a student at an assignment; None too while an answer waits for its teacher.

    >>> unread = HandedInAttempt(1, 5, waiting_count=1, open_points=2)
    >>> final_mark_of("last", [unread]), final_mark_of("last", [unread], 6), final_mark_of("last", [], 6)
    (None, 6, 6)
    """
    if waiting_count_of(counting_rule, attempts, hand_points):
        return None
    return mark_of(counting_rule, attempts, hand_points)


def is_passing_mark(points: float, full_marks: float) -> bool:
    """Whether a mark reaches the pass line; what is worth nothing cannot be failed.

    >>> is_passing_mark(6, 10), is_passing_mark(5.9, 10), is_passing_mark(0, 0)
    (True, False, True)
    """
    return points >= PASS_SHARE * full_marks - ROUNDING_SLACK


def best_share_by_question_ref_of(refs_and_scores: Iterable[tuple[str, float]]) -> dict[str, float]:
    """What was earned at each question, from question and score of every try: the best try counts.

    >>> best_share_by_question_ref_of([("content:a#1", 0.0), ("content:a#1", 1.0), ("content:b#2", 0.5)])
    {'content:a#1': 1.0, 'content:b#2': 0.5}
    """
    share_by_question_ref = dict[str, float]()
    for question_ref, score in refs_and_scores:
        share_by_question_ref[question_ref] = max(score, share_by_question_ref.get(question_ref, 0.0))
    return share_by_question_ref


def corrected_points_by_part_id_of(
    question_parts: Sequence[QuestionPart],
    former_points_by_part_id: Mapping[int, float],
    changed_part_ids: Iterable[int],
    share_by_question_ref: Mapping[str, float],
    granted_part_ids: Collection[int] = (),
) -> dict[int, float]:
    """Points by part after a correction: the changed parts anew, all others as they were.

    `granted_part_ids` count in full, whatever was answered.
    """
    corrected_points_by_part_id = {
        question_part.id: former_points_by_part_id.get(question_part.id, 0.0)
        for question_part in question_parts
    }
    full_points_by_part_id = {
        question_part.id: full_points_of([question_part]) for question_part in question_parts
    }
    new_points_by_part_id = points_of_attempt(question_parts, share_by_question_ref, {}).points_by_part_id
    for part_id in changed_part_ids:
        corrected_points_by_part_id[part_id] = new_points_by_part_id[part_id]
        if part_id in granted_part_ids:
            corrected_points_by_part_id[part_id] = full_points_by_part_id[part_id]
    return corrected_points_by_part_id


def sum_of_points(points_by_place: Mapping[Place, float]) -> float:
    """What an attempt earned, from the points of its parts."""
    return round(sum(points_by_place.values()), 4)


def read_points_by_part_id(points_json: str) -> dict[int, float]:
    """Points by part, from the text that a submission has of them.

    >>> read_points_by_part_id('{"7": 2.5}')
    {7: 2.5}
    """
    points_by_part_id_text: dict[str, Any] = json.loads(points_json)
    return {int(part_id_text): float(points) for part_id_text, points in points_by_part_id_text.items()}


LONGEST_POINTS_TEXT = 40
_POINTS_PATTERN = re.compile(r"-?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")


def typed_points(typed_text: str) -> float | None:
    """Points as people type them, to two places: digits of any width, maybe with 分 behind them. None for all
    else: a fraction or a percentage may be meant of the full marks or of one, and nobody asks again.

    >>> typed_points("８。5 分"), typed_points("-0.001"), typed_points("17/20"), typed_points("80%")
    (8.5, 0.0, None, None)
    """
    trimmed_text = typed_text.strip()
    if len(trimmed_text) > LONGEST_POINTS_TEXT:
        return None
    number_text = (
        folded_text(trimmed_text, LONGEST_POINTS_TEXT).replace("。", ".").removesuffix("分").rstrip()
    )
    if not _POINTS_PATTERN.fullmatch(number_text):
        return None
    return round(float(number_text), 2) + 0.0  # no -0.0


def shown_points_text(points: float) -> str:
    """Points as they are shown: at most one decimal, rounded half up as people do.

    >>> shown_points_text(8.0), shown_points_text(7.25), shown_points_text(0.05), shown_points_text(33.333)
    ('8', '7.3', '0.1', '33.3')
    """
    whole_points, tenths = divmod(points_in_tenths(points), 10)
    if tenths == 0:
        return str(whole_points)
    return f"{whole_points}.{tenths}"


def unrounded_text(number: float) -> str:
    """Points, full marks or a weight as they were typed, with all decimals.

    >>> unrounded_text(12.25), unrounded_text(100.0)
    ('12.25', '100')
    """
    return f"{number:.10g}"


def number_as_shown(points: float) -> float:
    """The number that people read, and add up.

    >>> number_as_shown(7.25), number_as_shown(33.333)
    (7.3, 33.3)
    """
    return points_in_tenths(points) / 10


def mark_words(
    assignment: AssignmentRow,
    parts: Sequence[QuestionPart],
    attempts: Iterable[AttemptRecord],
    hand_mark: MarkByHand,
) -> str:
    """The mark of a student, how many answers wait for one, or 免; empty where there is none yet."""
    if hand_mark.excused:
        return "免"
    attempts_handed_in = handed_in_attempts(attempts)
    counted_points = mark_of(assignment.counts, attempts_handed_in, hand_mark.points)
    if counted_points is None:
        return ""
    unmarked_answer_count = waiting_count_of(assignment.counts, attempts_handed_in, hand_mark.points)
    if unmarked_answer_count:
        return f"待批{unmarked_answer_count}题"
    return f"{shown_points_text(counted_points)}/{shown_points_text(full_points_of(parts))}"


def points_that_add_up(points_by_place: Mapping[Place, float]) -> dict[Place, float]:
    """The points of questions in tenths, so that they add up to their sum as it is shown.

    Each is rounded up or down; of those that lie between two tenths, the ones nearest to the next are rounded
    up, the first of several that are equally near.

    >>> points_that_add_up({"a": 2 / 3, "b": 1, "c": 0.75})
    {'a': 0.7, 'b': 1.0, 'c': 0.7}
    >>> points_that_add_up({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})
    {'a': 0.4, 'b': 0.3, 'c': 0.3}
    """
    tenths_by_place = {place: int(points * 10 + ROUNDING_SLACK) for place, points in points_by_place.items()}
    missing_tenths = points_in_tenths(sum_of_points(points_by_place)) - sum(tenths_by_place.values())

    def lost_tenths_of(place: Place) -> float:
        return round(points_by_place[place] * 10 - tenths_by_place[place], 6)

    for place in sorted(points_by_place, key=lost_tenths_of, reverse=True)[:missing_tenths]:
        tenths_by_place[place] += 1
    return {place: tenths / 10 for place, tenths in tenths_by_place.items()}


def points_in_tenths(points: float) -> int:
    return int(points * 10 + 0.5 + ROUNDING_SLACK)


def percent_text(share: float | None) -> str:
    """A share as it is shown.

    >>> percent_text(7 / 8), percent_text(None)
    ('88%', '')
    """
    if share is None:
        return ""
    return f"{whole_percent(share)}%"


def whole_percent(share: float) -> int:
    """A share in whole per cent, rounded half up.

    >>> whole_percent(5 / 8), whole_percent(7 / 8)
    (63, 88)
    """
    return int(100 * share + 0.5 + ROUNDING_SLACK)
