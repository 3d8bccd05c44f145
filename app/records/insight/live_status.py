"""Where a student stands with an assignment while a class works: derived anew each time, never stored."""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

STUCK_WRONG_COUNT = 4
"""So many wrong answers to one question, and none right: stuck."""
STUCK_AFTER = timedelta(minutes=10)
"""So long without a step forward while others work: stuck."""
PRESENT_WITHIN = timedelta(minutes=5)
"""Whoever did something within it is at work now."""
LEFT_AFTER = timedelta(minutes=60)
"""Whoever did nothing for so long has left, and is not quiet."""

LiveState = Literal["stuck", "failed", "new", "working", "ready", "done", "over"]


class QuestionProgress(NamedTuple):
    """What happened to a question in an attempt: `last_progress_at` is when it was first answered, or solved.

    `joined_misconception_codes`: the misconceptions that were diagnosed, with spaces between.
    """

    attempt_id: int
    item_ref: str
    wrong_count: int
    is_solved: bool
    last_progress_at: datetime
    last_answer_at: datetime
    joined_misconception_codes: str = ""


QuestionProgressByAttempt = Mapping[int, Sequence[QuestionProgress]]


class AttemptProgress(NamedTuple):
    """One attempt of a student at an assignment. `waiting_count`: answers that their teacher has still to
    mark, and `open_points`: what these can still earn; `marked_at`, `last_work_at`: see `Submission`."""

    attempt_id: int
    assignment_id: int
    enrolment_id: int
    started_at: datetime
    handed_in_at: datetime | None
    number: int = 1
    points: float | None = None
    full_marks: float | None = None
    late_factor: float = 1.0
    is_collected: bool = False
    waiting_count: int = 0
    open_points: float = 0.0
    marked_at: datetime | None = None
    last_work_at: datetime | None = None

    @property
    def last_act_at(self) -> datetime:
        """When its student began it or, if they did so themselves, handed it in."""
        if self.handed_in_at is None or self.is_collected or self.marked_at:
            return self.started_at
        return self.handed_in_at


class StuckReason(NamedTuple):
    """Why a student is stuck: `wrong_count` answers to `item_ref`, mostly by `misconception_code`; without
    it, no step forward.

    `stuck_since`: when the last wrong answer was given, or the last step forward made.
    """

    attempt_id: int
    stuck_since: datetime
    item_ref: str | None = None
    wrong_count: int = 0
    misconception_code: str | None = None


class Failure(NamedTuple):
    """A mark below the pass line, and the mistake that was made most in the attempt that counts."""

    points: float
    full_marks: float
    misconception_code: str | None = None


class LiveStatus(NamedTuple):
    """Where a student stands with an assignment; how many of its questions are `answered_count`."""

    state: LiveState
    answered_count: int = 0
    attempt_id: int | None = None
    stuck_reason: StuckReason | None = None
    failure: Failure | None = None


def live_status_of(
    attempt_progresses: Sequence[AttemptProgress],
    progress_by_attempt_id: QuestionProgressByAttempt,
    question_count: int,
    counts_silence: bool,
    now: datetime,
    is_open: bool,
    has_hand_mark: bool,
    failure: Failure | None,
) -> LiveStatus:
    """Where a student stands: whoever handed in once is done, also while doing it once more, and so is who
    did it on paper (`has_hand_mark`); or has failed, until a mark reaches the pass line.

    `counts_silence`: whether who is silent may be stuck; `is_open`: whether the student may work at it now;
    `failure`: the mark, where it is below the pass line.
    """
    has_handed_in = any(attempt_progress.handed_in_at for attempt_progress in attempt_progresses)
    if has_handed_in or has_hand_mark:
        latest_attempt_id = None
        if attempt_progresses:
            latest_attempt_id = attempt_progresses[-1].attempt_id
        if failure is not None:
            return LiveStatus("failed", question_count, latest_attempt_id, failure=failure)
        return LiveStatus("done", question_count, latest_attempt_id)
    if not attempt_progresses and is_open:
        return LiveStatus("new")
    if not attempt_progresses:
        return LiveStatus("over")
    latest_attempt_progress = attempt_progresses[-1]
    question_progresses = progress_by_attempt_id.get(latest_attempt_progress.attempt_id, ())
    live_status = working_status(
        latest_attempt_progress, question_progresses, question_count, counts_silence, now
    )
    if is_open:
        return live_status
    return live_status._replace(state="over", stuck_reason=None)


def working_status(
    attempt_progress: AttemptProgress,
    question_progresses: Sequence[QuestionProgress],
    question_count: int,
    counts_silence: bool,
    now: datetime,
) -> LiveStatus:
    """Where a student stands in an attempt that is not handed in."""
    answered_count = len({question_progress.item_ref for question_progress in question_progresses})
    stuck_reason = stuck_reason_at_question(question_progresses)
    if stuck_reason is None and counts_silence and answered_count < question_count:
        stuck_reason = stuck_reason_in_silence(attempt_progress, question_progresses, now)
    live_state: LiveState = "working"
    if stuck_reason is not None:
        live_state = "stuck"
    elif question_count and answered_count >= question_count:
        live_state = "ready"
    return LiveStatus(live_state, answered_count, attempt_progress.attempt_id, stuck_reason)


def stuck_reason_at_question(question_progresses: Sequence[QuestionProgress]) -> StuckReason | None:
    """The question that was answered wrongly too often and not solved yet; of several the latest.

    That does not pass with time: whoever gave up last night needs help this morning.
    """
    unsolved_progresses = [
        question_progress
        for question_progress in question_progresses
        if question_progress.wrong_count >= STUCK_WRONG_COUNT and not question_progress.is_solved
    ]
    if not unsolved_progresses:
        return None
    latest_question_progress = max(
        unsolved_progresses, key=lambda question_progress: question_progress.last_answer_at
    )
    misconception_code = most_frequent_code(latest_question_progress.joined_misconception_codes.split())
    return StuckReason(
        latest_question_progress.attempt_id,
        latest_question_progress.last_answer_at,
        latest_question_progress.item_ref,
        latest_question_progress.wrong_count,
        misconception_code,
    )


def most_frequent_code(misconception_codes: Sequence[str]) -> str | None:
    """The misconception that occurs most, of several the latest; None where there is none.

    >>> most_frequent_code(["a", "b", "b", "a"]), most_frequent_code([])
    ('a', None)
    """
    return max(reversed(misconception_codes), key=misconception_codes.count, default=None)


def stuck_reason_in_silence(
    attempt_progress: AttemptProgress, question_progresses: Sequence[QuestionProgress], now: datetime
) -> StuckReason | None:
    """No step forward for a while. Whoever did nothing at all for a lesson has left."""
    last_answer_at = last_progress_at = attempt_progress.started_at
    for question_progress in question_progresses:
        last_answer_at = max(last_answer_at, question_progress.last_answer_at)
        last_progress_at = max(last_progress_at, question_progress.last_progress_at)
    if now - last_progress_at < STUCK_AFTER or now - last_answer_at >= LEFT_AFTER:
        return None
    return StuckReason(attempt_progress.attempt_id, last_progress_at)
