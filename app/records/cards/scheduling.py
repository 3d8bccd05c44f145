"""When a card comes back: FSRS-6 by the `fsrs` library, with a jitter of our own that a reload never moves.

Pure: a memory, a rating and a moment go in, the next memory comes out. The library is
loaded at the first use.
"""

import hashlib
import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from enum import IntEnum
from functools import lru_cache
from importlib.metadata import version
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import fsrs


LOWEST_RETENTION, USUAL_RETENTION, HIGHEST_RETENTION = 0.80, 0.90, 0.97
"""Desired retention: the share of cards to be remembered when they come back."""
LEARNING_STEPS = (timedelta(minutes=1), timedelta(minutes=10))
RELEARNING_STEPS = (timedelta(minutes=10),)
LONGEST_INTERVAL_DAYS = 3650
JITTER_RANGES = ((2.5, 7.0, 0.15), (7.0, 20.0, 0.10), (20.0, float(LONGEST_INTERVAL_DAYS), 0.05))
"""From, to (days), and how much of what lies between may be moved: the ranges of FSRS and of Anki."""
MOST_REMEMBERED_CHANGES = 2048
"""So many changes are kept, of some 500 B each."""
ANY_MOMENT = datetime(2026, 1, 1, tzinfo=UTC)


class Rating(IntEnum):
    """How a review went. With two buttons 忘了 is AGAIN and 记得 is GOOD."""

    AGAIN = 1
    HARD = 2
    GOOD = 3
    EASY = 4


class Memory(NamedTuple):
    """How well a card sits. `state`: new | learning | review | relearning; `streak`: reviews since 忘了."""

    state: str = "new"
    step: int | None = None
    stability: float | None = None
    difficulty: float | None = None
    due_at: datetime | None = None
    last_review_at: datetime | None = None
    review_count: int = 0
    lapse_count: int = 0
    streak: int = 0

    @property
    def interval_days(self) -> int:
        """How many whole days it was to be kept; 0 while it is learnt."""
        if self.due_at is None or self.last_review_at is None:
            return 0
        return (self.due_at - self.last_review_at).days


NEW_MEMORY = Memory()


class SchedulerParameters(NamedTuple):
    """What makes the dates: the library's version and its numbers. `hash` names both in the records."""

    hash: str
    version: str
    parameters_json: str


@lru_cache(1)
def scheduler_parameters() -> SchedulerParameters:
    """The parameters in force. Where others were used once, the records know them by their hash."""
    from fsrs.scheduler import DEFAULT_PARAMETERS

    fsrs_parameters_json = json.dumps(DEFAULT_PARAMETERS)
    library_version = f"fsrs {version('fsrs')}"
    hexadecimal_digest = hashlib.sha256(f"{library_version}{fsrs_parameters_json}".encode()).hexdigest()
    return SchedulerParameters(hexadecimal_digest[:16], library_version, fsrs_parameters_json)


def memory_by_rating(
    memory: Memory, card_ref: str, now: datetime, retention: float = USUAL_RETENTION
) -> Mapping[Rating, Memory]:
    """What each rating would lead to, so that a button can say it before it is pressed."""
    return {rating: next_memory(memory, rating, card_ref, now, retention) for rating in Rating}


def next_memory(
    memory: Memory,
    rating: Rating,
    card_ref: str,
    now: datetime,
    retention: float = USUAL_RETENTION,
    fsrs_parameters_json: str | None = None,
) -> Memory:
    """The memory after a review. `card_ref` seeds the jitter; `fsrs_parameters_json`: in place of those of
    today.

    >>> from datetime import UTC
    >>> first = next_memory(NEW_MEMORY, Rating.GOOD, "content:gain", datetime(2026, 9, 1, tzinfo=UTC))
    >>> first.state, first.due_at.minute
    ('learning', 10)
    """
    elapsed_days = None
    if memory.last_review_at is not None:
        elapsed_days = (now - memory.last_review_at).days
    fsrs_fields = (memory.state, memory.step, memory.stability, memory.difficulty)
    memory_change = memory_change_of(
        *fsrs_fields,
        elapsed_days,
        rating,
        retention,
        fsrs_parameters_json or scheduler_parameters().parameters_json,
    )
    lapse_count = memory.lapse_count
    streak = memory.streak + 1
    if rating is Rating.AGAIN:
        streak = 0
        if memory.state == "review":
            lapse_count += 1
    return Memory(
        state=memory_change.state,
        step=memory_change.step,
        stability=memory_change.stability,
        difficulty=memory_change.difficulty,
        due_at=now + jittered_interval(memory_change.interval, card_ref, memory.review_count),
        last_review_at=now,
        review_count=memory.review_count + 1,
        lapse_count=lapse_count,
        streak=streak,
    )


class MemoryChange(NamedTuple):
    """What a review makes of a memory, at whatever moment."""

    state: str
    step: int | None
    stability: float | None
    difficulty: float | None
    interval: timedelta


@lru_cache(MOST_REMEMBERED_CHANGES)
def memory_change_of(
    memory_state: str,
    step: int | None,
    stability: float | None,
    difficulty: float | None,
    elapsed_days: int | None,
    rating: Rating,
    retention: float,
    fsrs_parameters_json: str,
) -> MemoryChange:
    """The change by FSRS, which goes by whole days since the last review and by no moment.

    The buttons under a card say what the review that follows writes; and a new card is like all others.
    CPU of a review with its next card (µs): 1,485 → 1,267.
    """
    now = ANY_MOMENT
    last_review_at = None
    if elapsed_days is not None:
        last_review_at = now - timedelta(days=elapsed_days)
    memory = Memory(memory_state, step, stability, difficulty, last_review_at=last_review_at)
    scheduler = _fsrs_scheduler(retention, fsrs_parameters_json)
    fsrs_card, _ = scheduler.review_card(_fsrs_card(memory), _fsrs_rating(rating), now)
    return MemoryChange(
        fsrs_card.state.name.lower(),
        fsrs_card.step,
        fsrs_card.stability,
        fsrs_card.difficulty,
        fsrs_card.due - now,
    )


def jittered_interval(interval: timedelta, card_ref: str, review_count: int) -> timedelta:
    """An interval of days, moved a little, so that cards learnt together do not stay together.

    It depends on the card and the number of its reviews alone.

    >>> ten_days = timedelta(days=10)
    >>> [jittered_interval(ten_days, "content:gain", review_count).days for review_count in (3, 3, 4, 5)]
    [11, 11, 12, 8]
    >>> jittered_interval(timedelta(minutes=10), "content:gain", 1)
    datetime.timedelta(seconds=600)
    """
    interval_days = interval.days
    if interval_days < JITTER_RANGES[0][0]:
        return interval
    most_days_off = 0.0
    for range_start, range_end, movable_fraction in JITTER_RANGES:
        most_days_off += movable_fraction * max(0.0, min(interval_days, range_end) - range_start)
    most_days_off += 1
    shortest_days = max(2, round(interval_days - most_days_off))
    longest_days = min(round(interval_days + most_days_off), LONGEST_INTERVAL_DAYS)
    digest = hashlib.sha256(f"{card_ref}#{review_count}".encode()).digest()
    drawn_integer = int.from_bytes(digest[:4])  # of 2**32 equally likely numbers
    return timedelta(days=shortest_days + drawn_integer * (longest_days - shortest_days + 1) // 2**32)


@lru_cache(64)
def _fsrs_scheduler(retention: float, fsrs_parameters_json: str) -> "fsrs.Scheduler":
    from fsrs import Scheduler

    return Scheduler(
        json.loads(fsrs_parameters_json),
        retention,
        LEARNING_STEPS,
        RELEARNING_STEPS,
        LONGEST_INTERVAL_DAYS,
        enable_fuzzing=False,
    )


@lru_cache(4)
def _fsrs_rating(rating: Rating) -> "fsrs.Rating":
    from fsrs import Rating as FsrsRating

    return FsrsRating(int(rating))


def _fsrs_card(memory: Memory) -> "fsrs.Card":
    """The library's card; with an id of ours, for without one it sleeps to make one."""
    from fsrs import Card, State

    fsrs_state_by_name = {
        "new": State.Learning,
        "learning": State.Learning,
        "review": State.Review,
        "relearning": State.Relearning,
    }
    return Card(
        card_id=0,
        state=fsrs_state_by_name[memory.state],
        step=0 if memory.state == "new" else memory.step,
        stability=memory.stability,
        difficulty=memory.difficulty,
        due=ANY_MOMENT,  # nothing goes by it
        last_review=memory.last_review_at,
    )


def pack_memory(memory: Memory, card_status: str) -> str:
    """A memory as the log keeps it: a JSON list, times as text.

    >>> pack_memory(NEW_MEMORY, "active")
    '["new",null,null,null,null,null,0,0,0,"active"]'
    """
    return json.dumps([*memory, card_status], separators=(",", ":"), default=datetime.isoformat)


def unpack_memory_and_status(packed_memory: str) -> tuple[Memory, str]:
    """A memory and a status, read from the log.

    >>> unpack_memory_and_status(pack_memory(NEW_MEMORY, "active")) == (NEW_MEMORY, "active")
    True
    """
    *memory_fields, card_status = json.loads(packed_memory)
    memory = Memory(*memory_fields)
    if memory.due_at:
        memory = memory._replace(due_at=datetime.fromisoformat(str(memory.due_at)))
    if memory.last_review_at:
        memory = memory._replace(last_review_at=datetime.fromisoformat(str(memory.last_review_at)))
    return memory, card_status
