"""A sitting of reviews: the card at hand, its ratings, what is left, what can be taken back."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import ceil

from app.course import Course
from app.records.cards.scheduling import Memory, unpacked
from app.records.cards.values import CardRow, Counts, LogRow, ReviewData
from app.records.db.days import day_of
from app.web.cards.card_views import Button, CardExercise, Face, buttons, comes_back, face

SAID = {
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
    """The context of `cards/_review.html`. `drill` is there when the card computes, `told` after a slip."""

    state: str
    counts: Counts
    said: str
    card: Face | None = None
    number: int = 1
    drill: CardExercise | None = None
    buttons: Sequence[Button] = ()
    shown: float = 0.0
    undo: int | None = None
    told: str = ""
    plan: BacklogPlan | None = None
    next_due: str = ""
    leeches: int = 0
    first: bool = False


def review_view(
    course: Course,
    look: ReviewData,
    now: datetime,
    typed: str = "",
    said: str = "",
    shown: float | None = None,
) -> ReviewView:
    """The card that comes, or how the day went. `shown`: since when it is looked at, if not from now on."""
    shared = {
        "counts": look.counts,
        "said": SAID.get(said, ""),
        "undo": undoable(look),
        "plan": plan(look),
        "leeches": look.counts.leeches,
        "shown": now.timestamp() if shown is None else shown,
    }
    row = look.card
    found = face(course, row.card, look.own, row.memory.reps) if row else None
    if row is None or found is None:
        state = "done" if look.counts.cards else "empty"
        return ReviewView(state=state, next_due=next_due(look, now), **shared)  # type: ignore[arg-type]
    drill = drill_of(course, row, typed or None)
    right = bool(drill and drill.mark and drill.mark.verdict == "right")
    return ReviewView(
        state="answered" if right else "asked" if drill else "front",
        card=found,
        number=look.number,
        drill=drill,
        buttons=buttons(row, look.deck, look.time_zone, now, right),
        first=row.memory.state == "new",
        **shared,  # type: ignore[arg-type]
    )


def slip_view(course: Course, look: ReviewData, row: LogRow, now: datetime) -> ReviewView:
    """What a card says that was computed wrongly: it has rated itself 忘了."""
    before, _ = unpacked(row.before)
    after, became = unpacked(row.after)
    drill = CardExercise(course, course.drills[course.bare(row.card)], before.reps, row.raw or None)
    return ReviewView(
        state="told",
        counts=look.counts,
        said=SAID.get(became, ""),
        card=drill.face,
        drill=drill,
        undo=undoable(look) if look.last and look.last.id == row.id else None,
        told=comes_back(after, row.reviewed_at, look.time_zone),
        leeches=look.counts.leeches,
        shown=now.timestamp(),
    )


def drill_of(course: Course, row: CardRow, typed: str | None) -> CardExercise | None:
    drill = course.drills.get(course.bare(row.card))
    return CardExercise(course, drill, row.memory.reps, typed) if drill else None


def undoable(look: ReviewData) -> int | None:
    """The review that U takes back: the last one, if it is of today."""
    return look.last.id if look.last and look.last.day == look.day else None


def plan(look: ReviewData) -> BacklogPlan | None:
    """What a backlog beyond today's limit means, in days."""
    if not look.counts.waiting:
        return None
    a_day = max(1, look.deck.due_a_day)
    return BacklogPlan(look.counts.waiting, a_day, ceil((look.counts.waiting + look.counts.due) / a_day))


def next_due(look: ReviewData, now: datetime) -> str:
    """When there is something again: later today, tomorrow what the limits held back, or when it is due."""
    due, day = look.next_due_at, day_of(now, look.time_zone)
    if due and day_of(due, look.time_zone) <= day:
        soon = due - now < timedelta(hours=1)
        return (
            comes_back(Memory(state="learning", due_at=due), now, look.time_zone) if soon else "今天晚些时候"
        )
    if look.counts.waiting or (look.counts.unseen and look.deck.new_a_day):
        return "明天"
    return comes_back(Memory(state="review", due_at=due), now, look.time_zone) if due else ""
