"""今天的五分钟: what a day offers a learner, and what of it is done. No table holds it: it is derived.

It goes by how the day began, so that no answer of the day changes the plan; a lesson that is begun may.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from app.course import Course
from app.course.content.refs import item_ref_of
from app.course.games.duel_play import DAILY_STEP_NAME
from app.course.items.marks import answer_state
from app.course.practice.five_minutes import DailyPlan, daily_plan
from app.course.practice.mastery import skill_state_by_skill_id_without_answers
from app.course.practice.recommending import LearnerRecord
from app.course.reference.errata import CASE_ITEM_PREFIX, case_item_id
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import reviews
from app.records.cards.values import NO_DAY_COUNTS, DayCounts
from app.records.db.days import DayOf, TimeZones, beginning_of, day_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.db.stored_times import stored_time
from app.records.games import plays
from app.records.games.values import Play
from app.records.learning import attempts, lesson_progress
from app.records.learning.answer_history import AnswerHistory, first_answers_to_keep
from app.records.learning.item_sums import COUNTED_ANSWERS, ItemTotals, fold_answers, pack_json
from app.records.learning.lesson_progress import LessonPlaces
from app.records.learning.past_answers import RememberedBySums, history_of, load_mastery_sums
from app.records.learning.rows import ARE_RESULTS_OUT, ATTEMPT, RESPONSE
from app.records.learning.values import PractisedItems
from app.records.practice.overview import skill_ids_of_sections, unread_item_ids_of
from app.records.practice.recent_answers import IS_ANSWER_OF_LEARNER_SINCE, answers_since
from app.records.practice.standings import skill_state_by_skill_id_of

MOST_PLANS = 1_000
"""Of so many learners the plan of a day is remembered: the home page asks for it each time."""
REMEMBERED_PLANS = RememberedBySums[DailyPlan](MOST_PLANS)


class FiveMinutesData(NamedTuple):
    """The plan of a day. `attempt_refs_today`: of practice today; `item_refs_today`: wherever they were
    answered today; `has_played`: the round of its duel that is drawn anew each day was guessed."""

    plan: DailyPlan
    learner_id: int | None = None
    card_counts: DayCounts = NO_DAY_COUNTS
    attempt_refs_today: frozenset[str] = frozenset()
    item_refs_today: frozenset[str] = frozenset()
    is_case_done: bool = False
    has_played: bool = False


class KnownVerdict(NamedTuple):
    """An answer of which the verdict alone was read, as `answer_state` looks at it."""

    verdict: str
    score: float = 1.0


def load_five_minutes(session: VerbSession, caller: Caller, course: Course, now: datetime) -> FiveMinutesData:
    """What today offers, by where the learner stood this morning."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        today = learners.day_of_newcomer(now)
        skill_state_by_skill_id = skill_state_by_skill_id_without_answers(course, today)
        return FiveMinutesData(daily_plan(LearnerRecord(course, skill_state_by_skill_id, today), ()))
    time_zones = learners.time_zones_of(session, learner_id)
    today = day_of(now, time_zones.present_zone)
    day_began_at = beginning_of(today, time_zones.present_zone)
    answers_today = answers_since(session, learner_id, day_began_at)
    item_refs_today = load_item_refs_today(session, learner_id, day_began_at)
    attempt_refs_today = frozenset(recent_answer.attempt_ref for recent_answer in answers_today)
    practised_cases = attempts.load_practised_items(session, caller, course.ref(CASE_ITEM_PREFIX))
    closed_ids = closed_item_ids(course, practised_cases)
    item_ids_done_today = {
        course.bare_id(attempt_ref).removeprefix("item-") for attempt_ref in attempt_refs_today
    }
    plan = plan_of_day(
        session, learner_id, course, now, time_zones, closed_ids - item_ids_done_today, item_refs_today
    )
    duel_moves = plays.moves_of(session, learner_id, Play("duel", 0, plan.duel_seed))
    return FiveMinutesData(
        plan,
        learner_id,
        reviews.load_day_counts(session, caller, now),
        attempt_refs_today,
        frozenset(map(item_ref_of, item_refs_today)),
        is_case_done=plan.case_id is not None and case_item_id(plan.case_id) in closed_ids,
        has_played=any(move.step == DAILY_STEP_NAME for move in duel_moves),
    )


def plan_of_day(
    session: VerbSession,
    learner_id: int,
    course: Course,
    now: datetime,
    time_zones: TimeZones,
    solved_item_ids: frozenset[str],
    item_refs_today: frozenset[str],
) -> DailyPlan:
    """What a learner's day offers, by how it began. `solved_item_ids`: items closed before today;
    `item_refs_today`: what was answered since."""
    mastery_sums = load_mastery_sums(session, learner_id)
    reached_places = lesson_progress.reached_places_of_learner(session, learner_id)
    today = day_of(now, time_zones.present_zone)
    plan_causes = (time_zones, solved_item_ids, item_refs_today, reached_places)
    make_plan = partial(plan_from_sums, session, learner_id, course, now, mastery_sums, *plan_causes)
    plan_key = (course.digest, learner_id, today, *plan_causes)
    return REMEMBERED_PLANS.recall_or_make(plan_key, mastery_sums, now, make_plan)


def plan_from_sums(
    session: VerbSession,
    learner_id: int,
    course: Course,
    now: datetime,
    mastery_sums: Sequence[Row],
    time_zones: TimeZones,
    solved_item_ids: Collection[str],
    item_refs_today: Collection[str],
    reached_places: LessonPlaces,
) -> DailyPlan:
    """The plan of `plan_of_day`, by the sums of the items and the sections that were reached."""
    day_of_moment = time_zones.day_of_moment
    today = day_of_moment(now)
    day_began_at = beginning_of(today, time_zones.present_zone)
    answer_history = history_of(session, learner_id, mastery_sums, now)
    morning_history = load_morning_history(
        session, learner_id, mastery_sums, item_refs_today, day_began_at, day_of_moment
    )
    finished_places = [place for place in reached_places if place.is_done]
    places_read_before = [place for place in finished_places if place.updated_at < day_began_at]
    studied_skill_ids = skill_ids_of_sections(course, finished_places)
    skill_ids_read_before = skill_ids_of_sections(course, places_read_before)
    # A lesson that is begun today may change what is unread: better than asking what was not taught. What was
    # answered before stays asked, with its tick.
    unread_item_ids = unread_item_ids_of(course, reached_places, places_read_before)
    stage_refs_begun_before = {place.stage_ref for place in reached_places if place.updated_at < day_began_at}
    unread_item_ids -= _item_ids_outside_stages(course, item_refs_today, stage_refs_begun_before)
    record_of_morning = LearnerRecord(
        course,
        skill_state_by_skill_id_of(course, morning_history, now, day_of_moment, skill_ids_read_before),
        today,
        salt=learner_id,
        answered_item_ids=frozenset(map(course.bare_id, morning_history.clean_count_by_item_ref)),
        unread_item_ids=unread_item_ids,
    )
    return daily_plan(
        record_of_morning,
        solved_item_ids,
        skill_state_by_skill_id_of(course, answer_history, now, day_of_moment, studied_skill_ids),
    )


def _item_ids_outside_stages(
    course: Course, item_refs: Collection[str], stage_refs: Collection[str]
) -> frozenset[str]:
    """Those items of lessons that are in no such stage."""
    item_ids = set()
    for item_id in map(course.bare_id, item_refs):
        stage_section = course.section_by_item_id.get(item_id)
        if stage_section and course.ref(stage_section.stage.id) not in stage_refs:
            item_ids.add(item_id)
    return frozenset(item_ids)


def closed_item_ids(course: Course, practised_items: PractisedItems) -> frozenset[str]:
    """The items that take no more answers."""
    closed_ids = set()
    for item_ref, verdicts in practised_items.verdicts_by_item_ref.items():
        item = course.items.get(course.bare_id(item_ref))
        if item is None:
            continue
        known_verdicts = [KnownVerdict(verdict) for verdict in verdicts]
        if answer_state(item, known_verdicts) != "open":
            closed_ids.add(item.id)
    return frozenset(closed_ids)


# How the day of a learner began: what they had answered until then.

MOST_EARLIER_ANSWERS = 400
"""A sum keeps the last answers to an item. Those that the day has pushed out of it are looked for among so
many before the day."""
ITEM_REFS_TODAY = PreparedStatement(select(RESPONSE.item_ref).distinct().where(IS_ANSWER_OF_LEARNER_SINCE))
EARLIER_RESPONSE_IDS = (
    select(RESPONSE.id)
    .where(RESPONSE.learner_id == bindparam("learner"), RESPONSE.created_at < bindparam("day_began_at"))
    .order_by(RESPONSE.created_at.desc())
    .limit(MOST_EARLIER_ANSWERS)
)
EARLIER_ANSWERS = PreparedStatement(
    COUNTED_ANSWERS.where(
        RESPONSE.attempt_id == ATTEMPT.id, RESPONSE.id.in_(EARLIER_RESPONSE_IDS), ARE_RESULTS_OUT
    )
)


def load_item_refs_today(session: VerbSession, learner_id: int, day_began_at: datetime) -> frozenset[str]:
    """What a learner has answered since the day began, wherever it was asked."""
    item_rows = session.all(ITEM_REFS_TODAY, learner=learner_id, since=day_began_at)
    return frozenset(item_ref for (item_ref,) in item_rows)


def load_morning_history(
    session: VerbSession,
    learner_id: int,
    mastery_sums: Sequence[Row],
    item_refs_today: Collection[str],
    day_began_at: datetime,
    day_of_moment: DayOf,
) -> AnswerHistory:
    """What a learner had answered when the day began, as far as they knew then how it went.

    `mastery_sums`: those of now, in the columns of `past_answers.MASTERY_SUMS`.
    """
    if item_refs_today:
        answer_rows = session.all(
            EARLIER_ANSWERS, learner=learner_id, day_began_at=day_began_at, now=day_began_at
        )
        answer_rows_of_items = (answer_row for answer_row in answer_rows if answer_row[0] in item_refs_today)
        earlier_totals_by_item_ref = fold_answers(answer_rows_of_items, day_of_moment)
        mastery_sums = list(
            earlier_sums(
                mastery_sums,
                item_refs_today,
                earlier_totals_by_item_ref,
                stored_time(day_began_at),
                day_of_moment,
            )
        )
    return history_of(session, learner_id, mastery_sums, day_began_at)


def earlier_sums(
    mastery_sums: Sequence[Row],
    item_refs_today: Collection[str],
    earlier_totals_by_item_ref: Mapping[str, ItemTotals],
    day_began_text: str,
    day_of_moment: DayOf,
) -> Iterator[Row]:
    """The sums without the answers of the day; none of an item that was first answered today."""
    for sum_row in mastery_sums:
        item_ref, sealed_until, first_answers_json, first_clean_at, *answer_counts = sum_row
        if item_ref not in item_refs_today:
            yield sum_row
            continue
        item_totals = earlier_totals_by_item_ref.get(item_ref, ItemTotals())
        kept_first_answers = (*item_totals.first_answers, *json.loads(first_answers_json))
        earlier_answers = answers_before(day_began_text, kept_first_answers, day_of_moment)
        if first_clean_at and first_clean_at >= day_began_text:
            first_clean_at = None
        if earlier_answers or first_clean_at or item_ref in earlier_totals_by_item_ref:
            yield item_ref, sealed_until, pack_json(earlier_answers), first_clean_at, *answer_counts


def answers_before(
    day_began_text: str, first_answers: Iterable[list[Any]], day_of_moment: DayOf
) -> list[list[Any]]:
    """What was kept of the first answers to an item when the day began, from some of them in any order."""
    answer_by_response_id = {}
    for answer in first_answers:
        answered_at, response_id, _ = answer
        if answered_at < day_began_text:
            answer_by_response_id[response_id] = answer
    answers_newest_first = sorted(answer_by_response_id.values(), reverse=True)
    return first_answers_to_keep(answers_newest_first, day_of_moment)
