"""Where somebody stands with an assignment while a class works: derived anew each time, never stored."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

WRONGS = 4
"""So many wrong answers to one question, and none right: stuck."""
QUIET = timedelta(minutes=10)
"""So long without a step forward while others work: stuck."""
HERE = timedelta(minutes=5)
"""Whoever did something within it is here."""
LESSON = timedelta(minutes=60)
"""Whoever did nothing for so long has gone, and is not quiet."""

State = Literal["stuck", "new", "working", "ready", "done", "over"]


class QuestionProgress(NamedTuple):
    """What happened to a question in a pass: `forward_at` is when it was first answered, or solved.

    `mistakes`: those that were diagnosed, one after another, with spaces between.
    """

    attempt_id: int
    item: str
    wrong: int
    solved: bool
    forward_at: datetime
    last_at: datetime
    mistakes: str = ""


class AttemptProgress(NamedTuple):
    attempt_id: int
    assignment_id: int
    student_id: int
    number: int
    started_at: datetime
    handed_in_at: datetime | None


@dataclass(frozen=True, slots=True)
class Stuck:
    """Why somebody is stuck: at a question answered wrongly so often, by which mistake, or quiet so long.

    `at`: when the last wrong answer was given, or the last step forward made.
    """

    item: str | None
    wrong: int
    minutes: int
    attempt_id: int
    at: datetime
    mistake: str | None = None


@dataclass(frozen=True, slots=True)
class LiveStatus:
    """Where a student stands with an assignment. `answered` of its questions; `forward_at`: the last step."""

    state: State
    answered: int = 0
    attempt_id: int | None = None
    forward_at: datetime | None = None
    stuck: Stuck | None = None


def by_attempt(found: Iterable[QuestionProgress]) -> Mapping[int, list[QuestionProgress]]:
    works: dict[int, list[QuestionProgress]] = {}
    for one in found:
        works.setdefault(one.attempt_id, []).append(one)
    return works


def live_status(
    passes: Iterable[AttemptProgress],
    works: Mapping[int, list[QuestionProgress]],
    questions: int,
    busy: bool,
    now: datetime,
    takes: bool,
) -> LiveStatus:
    """Where somebody stands: whoever handed in once is done, also while doing it once more."""
    every = list(passes)
    if any(one.handed_in_at is not None for one in every):
        return LiveStatus("done", questions, every[-1].attempt_id)
    if not every:
        return LiveStatus("new" if takes else "over")
    found = unfinished_pass(every[-1], works.get(every[-1].attempt_id, ()), questions, busy, now)
    return found if takes else replace(found, state="over", stuck=None)


def unfinished_pass(
    at: AttemptProgress, work: Iterable[QuestionProgress], questions: int, busy: bool, now: datetime
) -> LiveStatus:
    found = list(work)
    forward_at = max([at.started_at, *(one.forward_at for one in found)])
    answered = len({one.item for one in found})
    stuck = stuck_at(found, now) or quiet(at, forward_at, found, answered < questions and busy, now)
    state: State = "stuck" if stuck else "ready" if questions and answered >= questions else "working"
    return LiveStatus(state, answered, at.attempt_id, forward_at, stuck)


def stuck_at(found: Iterable[QuestionProgress], now: datetime) -> Stuck | None:
    """The question that was answered wrongly too often and not solved yet; of several the latest.

    That does not pass with time: whoever gave up last night needs help this morning.
    """
    hard = [one for one in found if one.wrong >= WRONGS and not one.solved]
    worst = max(hard, key=lambda one: one.last_at, default=None)
    if worst is None:
        return None
    since, mistake = minutes(now - worst.last_at), most_frequent(worst.mistakes.split())
    return Stuck(worst.item, worst.wrong, since, worst.attempt_id, worst.last_at, mistake)


def most_frequent(names: Sequence[str]) -> str | None:
    """Of several the latest.

    >>> most_frequent(["a", "b", "b", "a"]), most_frequent([])
    ('a', None)
    """
    return max(reversed(names), key=names.count, default=None)


def quiet(
    at: AttemptProgress, forward_at: datetime, found: Iterable[QuestionProgress], counts: bool, now: datetime
) -> Stuck | None:
    """No step forward for a while, though others work. Whoever left is not stuck."""
    last_at = max([at.started_at, *(one.last_at for one in found)])
    if not counts or now - forward_at < QUIET or now - last_at >= LESSON:
        return None
    return Stuck(None, 0, minutes(now - forward_at), at.attempt_id, forward_at)


def minutes(span: timedelta) -> int:
    return int(span.total_seconds() // 60)
