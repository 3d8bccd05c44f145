"""今天的五分钟: what a day offers a learner, and what of it is done. Nothing of it is kept: it is derived."""

from dataclasses import dataclass
from datetime import date, datetime

from app.course import Course
from app.course.items.marks import answer_state
from app.course.practice.five_minutes import DailyPlan, daily_plan
from app.course.practice.mastery import skill_states
from app.course.reference.errata import case_item_id
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import reviews
from app.records.db.days import DayOf, calendar
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.learning import attempts, lesson_progress
from app.records.learning.answer_history import AnswerHistory
from app.records.learning.item_sums import pack_json
from app.records.learning.past_answers import load_history
from app.records.learning.values import PractisedItems
from app.records.practice.overview import answers_of_day, skills_of_sections
from app.records.practice.standings import standings_of


@dataclass(frozen=True, slots=True)
class FiveMinutesData:
    """The plan of a day. `done_parts`: attempts answered today; `has_played`: the duel was begun."""

    plan: DailyPlan
    learner_id: int | None = None
    due_count: int = 0
    done_parts: frozenset[str] = frozenset()
    is_case_done: bool = False
    has_played: bool = False


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer as `answer_state` looks at it."""

    verdict: str
    score: float = 1.0


def load_five_minutes(session: VerbSession, caller: Caller, course: Course, now: datetime) -> FiveMinutesData:
    """What today offers, by where the learner stood this morning."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        day = calendar(learners.USUAL_ZONE)(now)
        states = skill_states(course, [], {}, day)
        plan = daily_plan(course, states, day, 0, ())
        return FiveMinutesData(plan)
    time_zone = learners.time_zone_of(session, learner_id)
    day_of = calendar(time_zone)
    today = day_of(now)
    places = lesson_progress.places_of_learner(session, learner_id)
    read_places = [place for place in places if place.is_done]
    skills_read = skills_of_sections(course, read_places)
    history = load_history(session, learner_id, now)
    history_this_morning = history_before(history, today, day_of)
    morning_states = standings_of(course, history_this_morning, now, day_of, skills_read)
    current_states = standings_of(course, history, now, day_of, skills_read)
    answers_today = answers_of_day(session, learner_id, today, time_zone)
    attempts_today = frozenset(answer.attempt_ref for answer in answers_today)
    closed_ids = closed_items(course, attempts.load_practised(session, caller))
    done_today = {course.bare(item_ref).removeprefix("item-") for item_ref in attempts_today}
    plan = daily_plan(course, morning_states, today, learner_id, closed_ids - done_today, current_states)
    due_count = reviews.count_due(session, caller, now)
    is_case_done = plan.case_id is not None and case_item_id(plan.case_id) in closed_ids
    has_played_duel = has_played(session, caller, plan.duel_seed, now)
    return FiveMinutesData(plan, learner_id, due_count, attempts_today, is_case_done, has_played_duel)


def history_before(history: AnswerHistory, today: date, day_of: DayOf) -> AnswerHistory:
    """A history without the answers of today; what was first answered today was answered all the same."""
    earlier_history = AnswerHistory(clean_counts=history.clean_counts, later_counts=history.later_counts)
    for item_ref, answers in history.answers_by_item.items():
        earlier_answers = [
            [number, is_clean, answered_at]
            for number, is_clean, answered_at in answers
            if day_of(answered_at) < today
        ]
        if len(earlier_answers) == len(answers):
            earlier_history.answer_lists_by_item[item_ref] = history.answer_lists_by_item[item_ref]
        elif earlier_answers:
            earlier_history.answer_lists_by_item[item_ref] = [pack_json(earlier_answers)]
    for item_ref, first_clean_at in history.first_clean_at_by_item.items():
        if day_of(first_clean_at) < today:
            earlier_history.first_clean_at_by_item[item_ref] = first_clean_at
    return earlier_history


def closed_items(course: Course, practised: PractisedItems) -> frozenset[str]:
    """The items that take no more answers."""
    closed_ids = set()
    for item_ref, verdicts in practised.verdicts_by_item.items():
        item = course.items.get(course.bare(item_ref))
        if item is None:
            continue
        answers = [Verdict(verdict) for verdict in verdicts]
        if answer_state(item, answers) != "open":
            closed_ids.add(item.id)
    return frozenset(closed_ids)


def has_played(session: VerbSession, caller: Caller, seed: int, now: datetime) -> bool:
    """Whether a move was made in the duel of the day."""
    recent_plays = plays.load_recent_plays(session, caller, now)
    return any((play.game, play.seed) == ("duel", seed) and play.move_count for play in recent_plays.plays)
