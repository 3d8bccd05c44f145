"""What stands below a question of practice: what was earned, and how far the skill of the item has come.

It is read with every answer, so it reads the rows of one skill and leaves the sums to the database, which
finds them in an index. The advice is made when it is asked for; guesses are looked for where a page waits.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import NamedTuple, TypeVarTuple

from sqlalchemy import (
    ColumnElement,
    case,
    column,
    func,
    literal,
    literal_column,
    or_,
    select,
    values,
)

from app.course import Course
from app.course.content.skills import PractisedSkill
from app.course.practice.skill_states import SkillState
from app.course.practice.sugar import Score
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import DayOf, TimeZones
from app.records.db.portable import StoredMoment
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.db.stored_times import stored_time
from app.records.learning.answer_history import AnswerHistory
from app.records.learning.item_sums import IS_SUM_OF_LEARNER, ITEM_SUM
from app.records.learning.values import AttemptKey, ItemLog
from app.records.practice.overview import practice_data_of, sugar_score_of
from app.records.practice.recent_answers import RecentAnswer, load_last_guess, load_recent_tries
from app.records.practice.standings import EarnedCounts, counted_refs_by_skill_id, remembered_practice

NEXT_SIGN = "$"
"""Comes right after `#`: from an item to the item with this sign lie the questions of assignments with it."""


class ItemPractice(NamedTuple):
    """How practice stands at an item; `skill_state` is None for one that counts for no skill.

    `guessed_answer`: for the page of an item, what was merely guessed at a moment ago.
    """

    score: Score
    skill_state: SkillState | None
    guessed_answer: RecentAnswer | None = None


ItemArguments = TypeVarTuple("ItemArguments")
ItemVerb = Callable[[VerbSession, Caller, AttemptKey, *ItemArguments, datetime, tuple[str, ...]], ItemLog]
"""A verb on an item, now, with its family; it changes rows of its caller alone."""


class VerbOutcome(NamedTuple):
    """An item after a verb, and how practice stands then; None where that is not shown."""

    item_log: ItemLog
    item_practice: ItemPractice | None


@learners.changes_own_rows
def run_item_verb(
    session: VerbSession,
    caller: Caller,
    verb: ItemVerb[*ItemArguments],
    attempt_key: AttemptKey,
    arguments: tuple[*ItemArguments],
    now: datetime,
    family_refs: tuple[str, ...],
    course: Course,
    item_id_on_page: str | None,
) -> VerbOutcome:
    """Run a verb on an item. `item_id_on_page`: the item whose page shows how practice stands, if it does.

    It is read where the verb has just written: another connection would fetch the changed pages anew.
    """
    item_log = verb(session, caller, attempt_key, *arguments, now, family_refs)
    item_practice = None
    if item_id_on_page is not None:
        item_practice = item_practice_of(session, item_log.learner_id, course, now, item_id_on_page)
    return VerbOutcome(item_log, item_practice)


def load_item_practice(
    session: VerbSession, caller: Caller, course: Course, now: datetime, item_id: str
) -> ItemPractice:
    """How practice stands, as far as a page of this item shows it."""
    learner_id = learners.find_learner_id(session, caller)
    item_practice = item_practice_of(session, learner_id, course, now, item_id)
    if learner_id is None:
        return item_practice
    return item_practice._replace(guessed_answer=load_last_guess(session, learner_id, now))


def item_practice_of(
    session: VerbSession, learner_id: int | None, course: Course, now: datetime, item_id: str
) -> ItemPractice:
    """How practice of a learner stands at an item, or that of somebody who is none yet."""
    skill = None
    if item_id in course.skill_credit_by_item_id:
        skill_credit = course.skill_credit_by_item_id[item_id]
        skill = course.practised_skills[skill_credit.skill_id]
    if learner_id is None:
        return item_practice_from_all(session, learner_id, course, now, skill)
    twin_refs = tuple(course.ref_by_twin_ref)
    earned_statement = earned_and_sealed_statement(twin_refs)
    [(*earned_columns, sealed_until, present_zone, past_zones_text)] = session.all(
        earned_statement, learner=learner_id
    )
    if sealed_until and sealed_until > stored_time(now):  # some of it is not to be known yet
        return item_practice_from_all(session, learner_id, course, now, skill)
    day_of_moment = TimeZones(present_zone, past_zones_text).day_of_moment
    skill_state = None
    if skill:
        skill_state = load_skill_state(session, learner_id, course, skill, now, day_of_moment)
        if skill_state.mastery == "new":  # what it misses is a question to all skills
            return item_practice_from_all(session, learner_id, course, now, skill)
    recent_tries = load_recent_tries(session, learner_id)
    sugar_score = sugar_score_of(
        course, EarnedCounts(*earned_columns), recent_tries, day_of_moment(now), day_of_moment
    )
    return ItemPractice(sugar_score, skill_state)


def item_practice_from_all(
    session: VerbSession,
    learner_id: int | None,
    course: Course,
    now: datetime,
    skill: PractisedSkill | None,
) -> ItemPractice:
    """How practice stands, from all that the page of practice reads."""
    practice_data = practice_data_of(session, learner_id, course, now)
    skill_state = None
    if skill:
        skill_state = practice_data.skill_state_by_skill_id[skill.id]
    return ItemPractice(practice_data.score, skill_state)


# Both are conditions of indexes, which alone are read; a parameter would not be seen to be the same.
IS_ANY_EARNED = or_(
    ITEM_SUM.clean_count > literal_column("0"), ITEM_SUM.right_later_count > literal_column("0")
)
IS_SEALED = ITEM_SUM.sealed_until.is_not(None)


@lru_cache(16)
def earned_and_sealed_statement(twin_refs: Sequence[str]) -> PreparedStatement:
    """The columns of `EarnedCounts`, until when some of it is to be kept from the learner, and their zone.

    CPU for a learner with 20,000 answers and for one with none (µs, on a busy machine): 411 → 66, 41 → 27.
    """
    right_twin_column: ColumnElement[int] = literal_column("0")
    if twin_refs:
        is_twin = ITEM_SUM.item_ref.in_([literal(twin_ref) for twin_ref in twin_refs])
        right_twin_column = case((is_twin, ITEM_SUM.clean_count), else_=0)
    count_columns = (ITEM_SUM.clean_count, ITEM_SUM.right_later_count, right_twin_column)
    earned_sums = [func.coalesce(func.sum(count_column), 0) for count_column in count_columns]
    sealed_query = select(func.max(ITEM_SUM.sealed_until)).where(IS_SUM_OF_LEARNER, IS_SEALED)
    sealed_until_column = StoredMoment(sealed_query.scalar_subquery())
    zone_queries = [
        select(zone_column).where(learners.IS_LEARNER).scalar_subquery()
        for zone_column in learners.ZONES_OF_LEARNER
    ]
    earned_query = select(*earned_sums, sealed_until_column, *zone_queries)
    return PreparedStatement(earned_query.where(IS_SUM_OF_LEARNER, IS_ANY_EARNED))


def load_skill_state(
    session: VerbSession,
    learner_id: int,
    course: Course,
    skill: PractisedSkill,
    now: datetime,
    day_of_moment: DayOf,
) -> SkillState:
    """Where a learner stands with one skill."""
    answer_history = AnswerHistory()
    sums_statement = sums_statement_of(course.counted_refs_by_skill_id[skill.id])
    sum_rows = session.stream(sums_statement, learner=learner_id)
    for item_ref, first_answers_json, first_clean_at, clean_count, right_later_count in sum_rows:
        answer_history.add_answers(
            item_ref, first_answers_json, first_clean_at, clean_count, right_later_count
        )
    counted_refs = counted_refs_by_skill_id(course, answer_history)[skill.id]
    skill_practice = remembered_practice(
        course, skill.id, answer_history, counted_refs, day_of_moment(now), day_of_moment
    )
    return SkillState(skill, skill_practice)


@lru_cache(256)
def sums_statement_of(item_refs: Sequence[str]) -> PreparedStatement:
    """The sums of these items, and of the questions of assignments with them."""
    range_rows = [(item_ref, f"{item_ref}{NEXT_SIGN}") for item_ref in item_refs]
    range_columns = (column("lowest", ITEM_SUM.item_ref.type), column("highest", ITEM_SUM.item_ref.type))
    item_ranges = values(*range_columns).data(range_rows).cte("item_range")
    first_clean_at = StoredMoment(ITEM_SUM.first_clean_at)
    sum_columns = (
        ITEM_SUM.item_ref,
        ITEM_SUM.first_answers,
        first_clean_at,
        ITEM_SUM.clean_count,
        ITEM_SUM.right_later_count,
    )
    # Each range is looked for in the key; as conditions, all are compared to all sums of the learner.
    item_sums_query = select(*sum_columns).join(
        item_ranges, ITEM_SUM.item_ref.between(item_ranges.c.lowest, item_ranges.c.highest)
    )
    return PreparedStatement(item_sums_query.where(IS_SUM_OF_LEARNER))
