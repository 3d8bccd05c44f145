"""今天的五分钟: what a day offers a learner, and what of it is done. Nothing of it is kept: it is derived."""

from dataclasses import dataclass, replace
from datetime import date, datetime

from app.course import Course
from app.course.items.marks import state
from app.course.practice.five_minutes import DailyPlan, daily_plan
from app.course.practice.mastery import skill_states
from app.course.reference.errata import item_id
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import reviews
from app.records.db.days import DayOf, calendar
from app.records.db.session import VerbSession, time_of
from app.records.games import plays
from app.records.learning import attempts, lesson_progress
from app.records.learning.item_sums import past
from app.records.learning.mastery import Past, standings_of
from app.records.learning.values import PractisedItems
from app.records.practice.overview import RECENT_ANSWERS, skills_of_sections


@dataclass(frozen=True, slots=True)
class FiveMinutesData:
    """The plan of a day. `done`: the attempts that were answered today; `has_played`: the duel was begun."""

    plan: DailyPlan
    learner_id: int | None = None
    due_cards: int = 0
    done: frozenset[str] = frozenset()
    case_done: bool = False
    has_played: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer as `state` looks at it."""

    verdict: str
    score: float = 1.0


def load_five_minutes(session: VerbSession, caller: Caller, course: Course, now: datetime) -> FiveMinutesData:
    """What today offers, by where the learner stood this morning."""
    learner_id = learners.load_visitor(session, caller)
    if learner_id is None:
        day = now.date()
        plan = daily_plan(course, skill_states(course, [], {}, day), day, 0, ())
        return FiveMinutesData(plan)
    day_of = calendar(learners.time_zone_of(session, learner_id))
    today = day_of(now)
    places = lesson_progress.everywhere(session, learner_id)
    read = skills_of_sections(course, [place for place in places if place.done])
    morning = before_day(past(session, learner_id, now), today, day_of)
    states = standings_of(course, morning, now, day_of, read)
    recent = session.all(RECENT_ANSWERS, learner=learner_id)
    done = frozenset(answer.attempt for answer in recent if day_of(answer.created_at) == today)
    closed = closed_items(course, attempts.practised(session, caller))
    before_today = closed - {course.bare(name).removeprefix("item-") for name in done}
    plan = daily_plan(course, states, today, learner_id, before_today)
    return replace(
        FiveMinutesData(plan, learner_id),
        due_cards=reviews.due(session, caller, now),
        done=done,
        case_done=plan.case is not None and item_id(plan.case) in closed,
        has_played=has_played(session, caller, plan.duel_seed),
    )


def before_day(whole: Past, today: date, day_of: DayOf) -> Past:
    """A past without the answers of today; what was first answered today was answered all the same."""
    earlier = Past(clean=whole.clean, later=whole.later)
    for item, answers in whole.recent.items():
        kept = [answer for answer in answers if day_of(time_of(answer[2])) < today]
        if kept:
            earlier.recent[item] = kept
    for item, since in whole.since.items():
        if day_of(time_of(since)) < today:
            earlier.since[item] = since
    return earlier


def closed_items(course: Course, practised: PractisedItems) -> frozenset[str]:
    """The items that take no more answers."""
    closed = set()
    for name, verdicts in practised.verdicts.items():
        item = course.items.get(course.bare(name))
        answers = [Verdict(verdict) for verdict in verdicts]
        if item is not None and state(item, answers) != "open":
            closed.add(item.id)
    return frozenset(closed)


def has_played(session: VerbSession, caller: Caller, seed: int) -> bool:
    """Whether a move was made in the duel of the day."""
    recent = plays.load_recent_plays(session, caller)
    return any(play.game == "duel" and play.seed == seed and play.moves for play in recent.plays)
