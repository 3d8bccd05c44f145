"""A page of reviewing: the card at hand, its ratings, what is left, what can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import ceil

from app.course import Course
from app.course.cards.decks import Drill
from app.course.items.marks import Mark
from app.records.cards.scheduling import Memory, unpacked
from app.records.cards.values import Counts, LogRow, ReviewData
from app.records.db.days import day_of
from app.web.cards.card_views import Button, CardExercise, Face, buttons, comes_back, face

MESSAGES = {
    "stale": "这张刚才已经复习过了，多点的那一下没有算。",
    "undone": "收回了，这张重新来。",
    "not-undone": "没什么可撤的了。",
    "leech": "刚才那张忘了好几次，先放到一边：换个说法，或者回课文看看。",
    "retired": "刚才那个错，你连着三次没再犯，错题卡毕业了。",
}


@dataclass(frozen=True)
class BacklogPlan:
    """How a backlog gets smaller."""

    waiting: int
    a_day: int
    days: int


@dataclass(frozen=True)
class ReviewView:
    """The context of `cards/_review.html`.

    `exercise` is there when the card computes, `returns` after a slip: when the card comes back. `shown`:
    since when the card is looked at, in seconds since 1970. `undo`: the review that can be taken back.
    """

    counts: Counts
    message: str
    shown: float
    undo: int | None
    state: str = "empty"
    card: Face | None = None
    number: int = 1
    exercise: CardExercise | None = None
    buttons: Sequence[Button] = ()
    returns: str = ""
    plan: BacklogPlan | None = None
    next_due: str = ""
    first: bool = False

    @property
    def mark(self) -> Mark | None:
        """The mark of what was typed; None for what cannot be read, and where nothing is computed."""
        if self.exercise is None:
            return None
        return self.exercise.mark


def review_view(
    course: Course,
    queue: ReviewData,
    now: datetime,
    message: str = "",
    typed: str = "",
    since: float | None = None,
) -> ReviewView:
    """The card that comes, or how the day went.

    `typed`: into a card that computes; `since`: when the card was shown, if not now.
    """
    if since is None:
        since = now.timestamp()
    text = MESSAGES.get(message, "")
    view = ReviewView(queue.counts, text, since, undoable(queue), plan=backlog_plan(queue))
    row = queue.card
    if row is None:
        return without_card(view, queue, now)
    drill = course.drills.get(course.bare(row.card))
    if drill:
        exercise = CardExercise(course, drill, row.memory.reps, typed or None)
        view = replace(view, state="asked", card=exercise.face, exercise=exercise)
        if view.mark and view.mark.verdict == "right":
            view = replace(view, state="answered")
    else:
        card = face(course, row.card, queue.own, row.memory.reps)
        if card is None:
            return without_card(view, queue, now)
        view = replace(view, state="front", card=card)
    right = view.state == "answered"
    ratings = buttons(row, queue.deck, queue.time_zone, now, right)
    first = row.memory.state == "new"
    return replace(view, number=queue.number, buttons=ratings, first=first)


def without_card(view: ReviewView, queue: ReviewData, now: datetime) -> ReviewView:
    """How the day went, or that there is no deck yet."""
    state = "empty"
    if queue.counts.deck.cards:
        state = "done"
    return replace(view, state=state, next_due=next_due(queue, now))


def slip_view(course: Course, drill: Drill, queue: ReviewData, row: LogRow, now: datetime) -> ReviewView:
    """A card that was computed wrongly: it has rated itself 忘了."""
    before, _ = unpacked(row.before)
    after, status = unpacked(row.after)
    exercise = CardExercise(course, drill, before.reps, row.raw or None)
    undo = undoable(queue)
    if undo != row.id:
        undo = None
    return ReviewView(
        state="told",
        counts=queue.counts,
        message=MESSAGES.get(status, ""),
        card=exercise.face,
        exercise=exercise,
        undo=undo,
        returns=comes_back(after, row.reviewed_at, queue.time_zone),
        shown=now.timestamp(),
    )


def undoable(queue: ReviewData) -> int | None:
    """The review that U takes back: the last one, if it is of today."""
    last = queue.last
    if last and last.day == queue.day:
        return last.id
    return None


def backlog_plan(queue: ReviewData) -> BacklogPlan | None:
    """What a backlog beyond today's limit means, in days."""
    counts = queue.counts
    if not counts.waiting:
        return None
    a_day = max(1, queue.deck.due_a_day)
    days = ceil((counts.waiting + counts.due) / a_day)
    return BacklogPlan(counts.waiting, a_day, days)


def next_due(queue: ReviewData, now: datetime) -> str:
    """When there is something again: later today, tomorrow what the limits held back, or when it is due."""
    due_at = queue.next_due_at
    if due_at and day_of(due_at, queue.time_zone) <= day_of(now, queue.time_zone):
        if due_at - now >= timedelta(hours=1):
            return "今天晚些时候"
        return comes_back(Memory(state="learning", due_at=due_at), now, queue.time_zone)
    if queue.counts.waiting or (queue.counts.deck.new and queue.deck.new_a_day):
        return "明天"
    if due_at is None:
        return ""
    return comes_back(Memory(state="review", due_at=due_at), now, queue.time_zone)
