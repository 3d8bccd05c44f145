"""Pages that show what several rooms know of a learner: each is read by one verb, in one call."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from sqlalchemy import bindparam, select

from app.course import Course
from app.course.practice.recommending import Advice
from app.course.practice.skill_states import SkillState
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days
from app.records.assignments.values import StudentAssignment
from app.records.cards import reviews
from app.records.cards.values import NO_DAY_COUNTS, DayCounts
from app.records.db.days import beginning_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.grading.student_assignments import load_open_own_assignments
from app.records.learning import attempts, item_logs, lesson_pages, lesson_progress, progress
from app.records.learning.lesson_progress import LessonPlaces, PlacesOfLearner
from app.records.learning.rows import ATTEMPT, RESPONSE
from app.records.learning.values import (
    AttemptKey,
    ExamplePageData,
    ItemLog,
    LessonPageData,
    ProgressData,
    WarmUpData,
)
from app.records.practice import overview
from app.records.practice.five_minutes import FiveMinutesData, load_five_minutes
from app.records.practice.item_practice import ItemPractice, load_item_practice
from app.records.practice.recent_answers import first_tries_since
from app.records.practice.warm_ups import load_warm_up

LATELY_WITHIN = timedelta(hours=4)
"""Who answered in a lesson less long ago is in the middle of it."""


class StartPageData(NamedTuple):
    """What the start page shows of its reader; `five_minutes_data`: of who has finished a section;
    `card_counts`: of the cards of today; `assignments`: those that are not over."""

    learner_places: PlacesOfLearner
    five_minutes_data: FiveMinutesData | None
    card_counts: DayCounts
    assignments: tuple[StudentAssignment, ...]


class ProgressPageData(NamedTuple):
    """What the page of one's own progress shows. `places`: the last one is where to go on; `points`: what
    practice has earned."""

    today: date
    progress: ProgressData
    skill_state_by_skill_id: Mapping[str, SkillState]
    places: LessonPlaces = ()
    advice: Advice | None = None
    points: int = 0
    card_counts: DayCounts = NO_DAY_COUNTS
    days_in_a_row: int = 0


def load_start_page(session: VerbSession, caller: Caller, course: Course, now: datetime) -> StartPageData:
    """Where to go on."""
    learner_places = lesson_progress.load_places(session, caller)
    if learner_places.learner_id and not learner_places.places:
        learner_places = learner_places._replace(
            places=places_of_last_answer(session, learner_places.learner_id, course)
        )
    five_minutes_data = None
    if any(lesson_place.is_done for lesson_place in learner_places.places):
        five_minutes_data = load_five_minutes(session, caller, course, now)
        card_counts = five_minutes_data.card_counts
    else:
        card_counts = reviews.load_day_counts(session, caller, now)
    student_assignments: tuple[StudentAssignment, ...] = ()
    if caller.token:
        student_assignments = load_open_own_assignments(session, caller, now)
    return StartPageData(learner_places, five_minutes_data, card_counts, student_assignments)


LAST_LESSON_ANSWER = PreparedStatement(
    select(RESPONSE.item_ref, RESPONSE.created_at)
    .where(
        *attempts.IS_ANSWER_OF_LEARNER,
        ATTEMPT.source == "lesson",
        ATTEMPT.ref.between(bindparam("first_ref"), bindparam("last_ref")),
    )
    .order_by(RESPONSE.id.desc())
    .limit(1)
)


def places_of_last_answer(session: VerbSession, learner_id: int, course: Course) -> LessonPlaces:
    """The section of the last answer in a lesson of the course, of who answered there and never went on to a
    next step."""
    first_ref = course.ref("")
    last_ref = first_ref + attempts.AFTER_ANY_ID
    answer_row = session.first(LAST_LESSON_ANSWER, learner=learner_id, first_ref=first_ref, last_ref=last_ref)
    if answer_row is None:
        return ()
    item_ref, answered_at = answer_row
    stage_and_section = course.section_by_item_id.get(course.bare_id(item_ref))
    if stage_and_section is None:
        return ()
    stage, section = stage_and_section
    return (lesson_progress.place_at_step(course.ref(stage.id), 1, section, 1, False, answered_at),)


def load_progress_page(
    session: VerbSession, caller: Caller, course: Course, now: datetime, reads_streak: bool = False
) -> ProgressPageData:
    """What has been done, and what comes next. `reads_streak`: days in a row are counted for those alone who
    want it."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return ProgressPageData(learners.day_of_newcomer(now), ProgressData(), {})
    skills_of_learner = overview.skills_of_learner(session, learner_id, course, now)
    day_began_at = beginning_of(skills_of_learner.today, skills_of_learner.time_zone)
    first_tries = first_tries_since(session, learner_id, day_began_at)
    learner_record = overview.learner_record_of(session, skills_of_learner, course, first_tries)
    advice = overview.advice_for_skill(learner_record)
    progress_data = progress.progress_of_learner(
        session, learner_id, course.ref_by_twin_ref, course.unscored_refs, skills_of_learner.reached_places
    )
    card_counts = reviews.load_day_counts(session, caller, now)
    days_in_a_row = 0
    if reads_streak:
        days_in_a_row = learning_days.days_in_a_row_until(session, learner_id, skills_of_learner.today)
    return ProgressPageData(
        skills_of_learner.today,
        progress_data,
        skills_of_learner.standings.skill_state_by_skill_id,
        lesson_progress.places_of_learner(session, learner_id),
        advice,
        overview.sugar_points_of(skills_of_learner.standings.earned_counts),
        card_counts,
        days_in_a_row,
    )


def load_stage_and_warm_up(
    session: VerbSession, caller: Caller, stage_ref: str, warm_up_ref: str, now: datetime
) -> tuple[LessonPageData, WarmUpData]:
    """A stage from outside, with today's warm-up."""
    lesson_data = lesson_pages.load_lesson(session, caller, stage_ref)
    warm_up_data = load_warm_up(session, caller, warm_up_ref, now)
    return lesson_data, warm_up_data


def load_section_and_warm_up(
    session: VerbSession,
    caller: Caller,
    stage_ref: str,
    example_refs: tuple[str, ...],
    card_refs: tuple[str, ...],
    warm_up_ref: str,
    now: datetime,
) -> tuple[LessonPageData, WarmUpData]:
    """A section, with today's warm-up for those who come back.

    The page is a hot one: for strangers, and in the middle of a lesson, nothing more is read.
    """
    lesson_data = lesson_pages.load_lesson(session, caller, stage_ref, example_refs, card_refs)
    if lesson_data.learner_id is None or has_answered_lately(lesson_data, now):
        return lesson_data, WarmUpData()
    warm_up_data = load_warm_up(session, caller, warm_up_ref, now)
    return lesson_data, warm_up_data


def has_answered_lately(lesson_data: LessonPageData, now: datetime) -> bool:
    """Whether the reader answered in this lesson a short while ago."""
    if not lesson_data.responses:
        return False
    return now < busy_until(lesson_data)


def busy_until(lesson_data: LessonPageData) -> datetime:
    """Until when the reader, who has answered, is in the middle of this lesson."""
    return lesson_data.responses[-1].created_at + LATELY_WITHIN


def load_places_and_warm_up(
    session: VerbSession, caller: Caller, warm_up_ref: str, now: datetime, warm_up_day: date | None
) -> tuple[PlacesOfLearner, WarmUpData]:
    """The warm-up of a day (None: today), and where to go on after it."""
    learner_places = lesson_progress.load_places(session, caller)
    warm_up_data = load_warm_up(session, caller, warm_up_ref, now, warm_up_day)
    return learner_places, warm_up_data


def load_item_and_practice(
    session: VerbSession, caller: Caller, course: Course, now: datetime, attempt_ref: str, item_id: str
) -> tuple[ExamplePageData, ItemPractice]:
    """An item on a page of its own, and how practice stands."""
    page_data = lesson_pages.load_example(session, caller, attempt_ref)
    item_practice = load_item_practice(session, caller, course, now, item_id)
    return page_data, item_practice


def load_exercise_and_practice(
    session: VerbSession,
    caller: Caller,
    course: Course,
    now: datetime,
    attempt_key: AttemptKey,
    item_ref: str,
) -> tuple[ItemLog, ItemPractice]:
    """A variant of an exercise, and how practice stands."""
    item_log = item_logs.load_item_log(session, caller, attempt_key, item_ref)
    item_practice = load_item_practice(session, caller, course, now, course.bare_id(item_ref))
    return item_log, item_practice
