"""What practice looks back at: where somebody stands with every knowledge point, and what comes next.

The past comes from sums by item; the other statements look at what is newest.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import partial
from itertools import takewhile
from operator import attrgetter
from typing import NamedTuple

from sqlalchemy import bindparam, func, select

from app.course import Course
from app.course.content.model import StageSection
from app.course.content.refs import is_practice_item_id
from app.course.practice.mastery import skill_state_by_skill_id_without_answers
from app.course.practice.recommending import Advice, LearnerRecord, advise_on_skill, recommend
from app.course.practice.skill_states import AnswerMoment, CountedAnswer, SkillState
from app.course.practice.sugar import Score, points_earned, streak_length
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import DayOf
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.learning import lesson_progress
from app.records.learning.lesson_progress import LessonPlaces
from app.records.learning.rows import ATTEMPT
from app.records.learning.values import LessonPlaceRow
from app.records.practice.recent_answers import (
    IS_PRACTICE_OF_LEARNER,
    FirstTry,
    RecentTries,
    load_recent_tries,
)
from app.records.practice.standings import EarnedCounts, Standings, load_standings

LAST_SEED_TEXT = "9" * 10
"""No seed comes after it, in the order of texts."""


@dataclass(frozen=True, slots=True)
class PracticeData:
    """Where a learner stands with every knowledge point, what comes next, what practice has earned."""

    skill_state_by_skill_id: Mapping[str, SkillState]
    advice: Advice | None
    learner_id: int | None = None
    score: Score = field(default_factory=Score)


class SkillsOfLearner(NamedTuple):
    """Where a learner stands with every knowledge point, and how far they ever came in lessons."""

    learner_id: int
    time_zone: str
    today: date
    day_of_moment: DayOf
    reached_places: LessonPlaces
    standings: Standings


def skills_of_learner(
    session: VerbSession, learner_id: int, course: Course, now: datetime
) -> SkillsOfLearner:
    """Where a learner stands, from the sums of their items and the sections that they have read."""
    time_zones = learners.time_zones_of(session, learner_id)
    day_of_moment = time_zones.day_of_moment
    reached_places = lesson_progress.reached_places_of_learner(session, learner_id)
    finished_places = [place for place in reached_places if place.is_done]
    studied_skill_ids = skill_ids_of_sections(course, finished_places)
    standings = load_standings(session, learner_id, course, now, day_of_moment, studied_skill_ids)
    today = day_of_moment(now)
    return SkillsOfLearner(
        learner_id, time_zones.present_zone, today, day_of_moment, reached_places, standings
    )


class SkillMapData(NamedTuple):
    """What the map of knowledge points shows."""

    learner_id: int | None
    skill_state_by_skill_id: Mapping[str, SkillState]


def load_skill_map(session: VerbSession, caller: Caller, course: Course, now: datetime) -> SkillMapData:
    """Where the caller stands with every knowledge point, without what comes next and what was earned."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        today = learners.day_of_newcomer(now)
        return SkillMapData(None, skill_state_by_skill_id_without_answers(course, today))
    learner_skills = skills_of_learner(session, learner_id, course, now)
    return SkillMapData(learner_id, learner_skills.standings.skill_state_by_skill_id)


def load_practice(
    session: VerbSession, caller: Caller, course: Course, now: datetime, skill_id: str | None = None
) -> PracticeData:
    """Everything a page of practice shows. With a skill that was chosen, the advice is for that one."""
    return practice_data_of(session, learners.find_learner_id(session, caller), course, now, skill_id)


def practice_data_of(
    session: VerbSession, learner_id: int | None, course: Course, now: datetime, skill_id: str | None = None
) -> PracticeData:
    """What a page of practice shows of a learner, or of somebody who is none yet."""
    if learner_id is None:
        today = learners.day_of_newcomer(now)
        skill_state_by_skill_id = skill_state_by_skill_id_without_answers(course, today)
        learner_record = LearnerRecord(course, skill_state_by_skill_id, today)
        return PracticeData(skill_state_by_skill_id, advice_for_skill(learner_record, skill_id))
    learner_skills = skills_of_learner(session, learner_id, course, now)
    recent_tries = load_recent_tries(session, learner_id)
    learner_record = learner_record_of(session, learner_skills, course, recent_tries.first_tries)
    advice = advice_for_skill(learner_record, skill_id)
    standings = learner_skills.standings
    sugar_score = sugar_score_of(
        course, standings.earned_counts, recent_tries, learner_skills.today, learner_skills.day_of_moment
    )
    return PracticeData(standings.skill_state_by_skill_id, advice, learner_id, sugar_score)


def learner_record_of(
    session: VerbSession, learner_skills: SkillsOfLearner, course: Course, first_tries: Sequence[FirstTry]
) -> LearnerRecord:
    """What the advice for a learner follows from. `first_tries`: at least those of today."""
    learner_id, standings = learner_skills.learner_id, learner_skills.standings
    finished_places = [place for place in learner_skills.reached_places if place.is_done]
    return LearnerRecord(
        course,
        standings.skill_state_by_skill_id,
        learner_skills.today,
        taught_skill_ids=taught_skill_ids_of(course, finished_places, standings.skill_state_by_skill_id),
        last_answer=last_first_answer(course, first_tries, learner_skills.day_of_moment),
        find_used_seeds=partial(met_variants, session, learner_id, course),
        salt=learner_id,
        answered_item_ids=standings.answered_item_ids,
        unread_item_ids=unread_item_ids_of(course, learner_skills.reached_places, finished_places),
        section_to_resume=section_to_resume_of(course, learner_skills.reached_places),
    )


def advice_for_skill(learner_record: LearnerRecord, skill_id: str | None = None) -> Advice | None:
    """What to practise next: of the skill that was chosen, or of any."""
    if skill_id:
        return advise_on_skill(learner_record, skill_id)
    return recommend(learner_record)


def taught_skill_ids_of(
    course: Course,
    finished_places: Sequence[LessonPlaceRow],
    skill_state_by_skill_id: Mapping[str, SkillState],
) -> frozenset[str]:
    """The skills whose section was finished, and those that were answered."""
    met_skill_ids = {
        skill_id
        for skill_id, skill_state in skill_state_by_skill_id.items()
        if skill_state.practice.tried_count or skill_state.met_count
    }
    return skill_ids_of_sections(course, finished_places) | met_skill_ids


def unread_item_ids_of(
    course: Course, opened_places: Iterable[LessonPlaceRow], finished_places: Iterable[LessonPlaceRow]
) -> frozenset[str]:
    """The items that a learner has yet to come to: those of unfinished sections, of the stages that they have
    begun. Who practises without the lessons of a stage may be asked all of its items."""
    stage_id_by_ref = {course.ref(stage.id): stage.id for stage in course.stages}
    begun_stage_ids = {stage_id_by_ref.get(place.stage_ref) for place in opened_places}
    finished_section_keys = {
        (stage_id_by_ref.get(place.stage_ref), place.section_id) for place in finished_places
    }
    unread_item_ids = set()
    for item_id, (stage, section) in course.section_by_item_id.items():
        if stage.id in begun_stage_ids and (stage.id, section.id) not in finished_section_keys:
            unread_item_ids.add(item_id)
    return frozenset(unread_item_ids)


def section_to_resume_of(course: Course, opened_places: LessonPlaces) -> StageSection | None:
    """The first section that is not finished, from the one on that was opened last; None where nothing was
    opened, and where all are finished."""
    place_by_section_id_by_stage_ref = defaultdict[str, dict[str, LessonPlaceRow]](dict)
    for place in opened_places:
        place_by_section_id_by_stage_ref[place.stage_ref][place.section_id] = place
    stage_sections = [StageSection(stage, section) for stage in course.stages for section in stage.sections]
    section_keys = [
        (course.ref(stage_section.stage.id), stage_section.section.id) for stage_section in stage_sections
    ]
    known_places = [place for place in opened_places if place.stage_and_section in section_keys]
    if not known_places:
        return None
    last_place = max(known_places, key=attrgetter("updated_at"))
    section_index = section_keys.index(last_place.stage_and_section)
    for stage_section in stage_sections[section_index:] + stage_sections[:section_index]:
        place_by_section_id = place_by_section_id_by_stage_ref[course.ref(stage_section.stage.id)]
        reached_place = lesson_progress.place_of_section(stage_section.section, place_by_section_id)
        if reached_place is None or not reached_place.is_done:
            return stage_section
    return None


def skill_ids_of_sections(course: Course, lesson_places: Sequence[LessonPlaceRow]) -> frozenset[str]:
    """The skills that some sections teach."""
    skill_ids: set[str] = set()
    for place in lesson_places:
        skill_ids.update(course.skill_ids_by_section_ids.get((place.stage_ref, place.section_id), ()))
    return frozenset(skill_ids)


def last_first_answer(
    course: Course, first_tries: Sequence[FirstTry], day_of_moment: DayOf
) -> CountedAnswer | None:
    """The last first answer; with hints it counts as right here, for what comes next."""
    for first_try in reversed(first_tries):
        item_id = course.bare_id(first_try.item_ref)
        if item_id in course.skill_credit_by_item_id:
            answer_moment = AnswerMoment(first_try.answered_at, first_try.response_id)
            answer_day = day_of_moment(first_try.answered_at)
            return CountedAnswer(answer_moment, item_id, answer_day, first_try.verdict == "right")
    return None


COUNT_VARIANTS = PreparedStatement(
    select(func.count(ATTEMPT.ref.distinct())).where(
        IS_PRACTICE_OF_LEARNER, ATTEMPT.ref.between(bindparam("first_ref"), bindparam("last_ref"))
    )
)
VARIANT_MET = PreparedStatement(
    select(ATTEMPT.id).where(IS_PRACTICE_OF_LEARNER, ATTEMPT.ref == bindparam("variant")).limit(1)
)


@dataclass(frozen=True, slots=True)
class MetVariants:
    """The seeds with which a learner has met an item. `ref_prefix`: of its attempts, up to the seed."""

    session: VerbSession
    learner_id: int
    ref_prefix: str

    def __len__(self) -> int:
        last_ref = self.ref_prefix + LAST_SEED_TEXT
        [(variant_count,)] = self.session.all(
            COUNT_VARIANTS, learner=self.learner_id, first_ref=self.ref_prefix, last_ref=last_ref
        )
        return int(variant_count)

    def __contains__(self, seed: object) -> bool:
        variant_ref = f"{self.ref_prefix}{seed}"
        attempt_row = self.session.first(VARIANT_MET, learner=self.learner_id, variant=variant_ref)
        return attempt_row is not None


def met_variants(session: VerbSession, learner_id: int, course: Course, item_id: str) -> MetVariants:
    """The seeds with which this learner has met an item."""
    id_prefix = f"{item_id}-" if is_practice_item_id(item_id) else f"item-{item_id}."
    return MetVariants(session, learner_id, course.ref(id_prefix))


def unused_seed(session: VerbSession, caller: Caller, course: Course, item_id: str, seed: int) -> int:
    """This seed, or the first one after it with which the learner has not met the item."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return seed
    used_seeds = met_variants(session, learner_id, course, item_id)
    while seed in used_seeds:
        seed += 1
    return seed


def sugar_points_of(earned_counts: EarnedCounts) -> int:
    """How much sugar practice has earned; a twin that was right is a 改正."""
    return points_earned(
        earned_counts.clean_count - earned_counts.right_twin_count,
        earned_counts.right_later_count + earned_counts.right_twin_count,
    )


def sugar_score_of(
    course: Course,
    earned_counts: EarnedCounts,
    recent_tries: RecentTries,
    today: date,
    day_of_moment: DayOf,
) -> Score:
    """What practice has earned."""
    counted_tries = [
        first_try
        for first_try in reversed(recent_tries.first_tries)
        if first_try.item_ref not in course.ref_by_twin_ref
    ]
    # Newest first: what is older than the end of the streak, or than today, is not looked at.
    unbroken_tries = [*takewhile(lambda first_try: first_try.was_right_at_once is not False, counted_tries)]
    today_tries = [*takewhile(lambda first_try: day_of_moment(first_try.answered_at) >= today, counted_tries)]
    has_earlier_tries = not recent_tries.are_all
    return Score(
        sugar_points_of(earned_counts),
        streak_length(first_try.was_right_at_once for first_try in unbroken_tries),
        may_have_longer_streak=has_earlier_tries and len(unbroken_tries) == len(counted_tries),
        today_count=len(today_tries),
        may_have_more_today=has_earlier_tries and 0 < len(today_tries) == len(counted_tries),
    )
