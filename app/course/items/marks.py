"""What marking an answer gives, and what is asked next after the answers so far."""

import math
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Literal, NamedTuple, Protocol

Verdict = Literal["right", "wrong"]
Mood = Literal["pleased", "puzzled", "thinking"]
AnswerState = Literal["open", "right", "corrected", "shown", "ended"]
Outcome = Literal["new", "right", "corrected", "wrong"]

WHOLE_SCORE = 0.999
"""A right answer with less was reached together with the tutor, who filled steps; 0 is what never earns."""


class Unreadable(ValueError):
    """The answer cannot be read: it is not wrong, it costs no try; the message says how to write it."""


class ItemGone(LookupError):
    """The item of an answer is no longer in its course, or the whole course is gone; the message names it.

    No KeyError: that is the commonest slip inside a marking model, and must not pass for this.
    """


class Mark(NamedTuple):
    """An answer, marked: `score` 0..1, `understood_answer` as it was understood, `feedback` in Markdown.

    `misconception_code`: what made a wrong number, as `Diagnosis.code` writes it; None where nothing
    explains it.
    """

    verdict: Verdict
    understood_answer: str
    feedback: tuple[str, ...] = ()
    score: float = 0.0
    misconception_code: str | None = None


def is_partial_score(score: float) -> bool:
    """Whether a right answer was reached together with the tutor.

    >>> is_partial_score(4 / 6), is_partial_score(1.0), is_partial_score(0.0)
    (True, False, False)
    """
    return 0 < score < WHOLE_SCORE


def right_mark(understood_answer: str, *feedback: str) -> Mark:
    return Mark("right", understood_answer, tuple(filter(None, feedback)), 1.0)


def wrong_mark(
    understood_answer: str, *feedback: str, score: float = 0.0, misconception_code: str | None = None
) -> Mark:
    return Mark("wrong", understood_answer, tuple(filter(None, feedback)), score, misconception_code)


def mark_of_share(share: float) -> Mark:
    """A share of the points, 0..1, as a mark.

    >>> mark_of_share(0.5).verdict, mark_of_share(1.0).verdict
    ('wrong', 'right')
    """
    if share >= WHOLE_SCORE:
        return Mark("right", "", score=1.0)
    return Mark("wrong", "", score=share)


RUSH_ANSWER_COUNT = 3
"""So many wrong answers in a row .."""
RUSH_DURATION = timedelta(seconds=12)
""".. within this time are guesses: nobody reads and reckons that fast."""
PAUSE_AFTER_RUSH = timedelta(seconds=20)
"""So long after guesses no answer is taken, and the last question is looked at before another one."""


class AskedItem(Protocol):
    """What asking again needs to know of an item."""

    @property
    def has_one_try_only(self) -> bool: ...
    @property
    def twin(self) -> str | None: ...


class JudgedAnswer(Protocol):
    """What asking needs to know of a response."""

    @property
    def verdict(self) -> str: ...
    @property
    def score(self) -> float: ...


class TimedAnswer(Protocol):
    """A response, and when it was given."""

    @property
    def verdict(self) -> str: ...
    @property
    def created_at(self) -> datetime: ...


def are_guesses(timed_answers: Sequence[TimedAnswer]) -> bool:
    """Whether the last answers were mere guesses; in practice the tutor asks to read the question again."""
    last_answers = timed_answers[-RUSH_ANSWER_COUNT:]
    if len(last_answers) < RUSH_ANSWER_COUNT or any(
        timed_answer.verdict != "wrong" for timed_answer in last_answers
    ):
        return False
    return last_answers[-1].created_at - last_answers[0].created_at <= RUSH_DURATION


def is_on_pause(timed_answers: Sequence[TimedAnswer], now: datetime) -> bool:
    """Whether they were guesses, a moment ago; in practice no answer is taken for as long."""
    return pause_seconds(timed_answers, now) > 0


def pause_seconds(timed_answers: Sequence[TimedAnswer], now: datetime) -> int:
    """For how many seconds more no answer is taken, rounded up; 0 where one is."""
    if not are_guesses(timed_answers):
        return 0
    remaining_duration = timed_answers[-1].created_at + PAUSE_AFTER_RUSH - now
    return max(0, math.ceil(remaining_duration.total_seconds()))


def answer_state(
    asked_item: AskedItem, judged_answers: Sequence[JudgedAnswer], is_probe: bool = False
) -> AnswerState:
    """open: asked now; right: at once; corrected: later, or together; shown: by the tutor; ended: no more."""
    if not judged_answers:
        return "open"
    last_verdict = judged_answers[-1].verdict
    if last_verdict == "right":
        was_right_at_once = len(judged_answers) == 1 and not is_partial_score(judged_answers[-1].score)
        return "right" if was_right_at_once else "corrected"
    if last_verdict == "shown":
        return "shown"
    return "ended" if asked_item.has_one_try_only or is_probe else "open"


def asks_twin(asked_item: AskedItem, answer_state: AnswerState, is_probe: bool = False) -> bool:
    """After 看答案, and after the one try of an item that has no other, the same idea is asked in another
    dress."""
    return not is_probe and asked_item.twin is not None and answer_state in ("shown", "ended")


def answer_outcome(first_state: AnswerState, twin_state: AnswerState | None) -> Outcome:
    """What counts of an item with its twin: the first try; a later success (or the twin's) is 改正.

    >>> answer_outcome("ended", "right"), answer_outcome("right", None), answer_outcome("shown", None)
    ('corrected', 'right', 'wrong')
    """
    if first_state == "open":
        return "new"
    if first_state in ("right", "corrected"):
        return first_state
    return "corrected" if twin_state in ("right", "corrected") else "wrong"
