"""How far somebody has come in a lesson."""

from collections.abc import Mapping
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, func, select, tuple_

from app.course.content.model import Section
from app.records.accounts import learners
from app.records.accounts.values import Caller, KnownLearner
from app.records.activity import learning_days
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    Row,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)
from app.records.learning.rows import ATTEMPT, LESSON_PLACE
from app.records.learning.tables import LessonPlace, LessonVisit
from app.records.learning.values import LessonPlaceRow, SavedLessonPlace

LESSON_PLACE_TABLE = table(LessonPlace)
LATER_PLACE = LESSON_PLACE_TABLE.alias("later").c
IS_PLACE_OF_LEARNER = LESSON_PLACE.learner_id == bindparam("learner")
IS_OF_STAGE = LESSON_PLACE.stage_ref == bindparam("stage")
LessonPlaces = tuple[LessonPlaceRow, ...]


class FurthestStep(NamedTuple):
    """The place of one section in one round."""

    id: int
    step_number: int
    step_id: str | None
    is_done: bool
    updated_at: datetime


class SectionProgress(NamedTuple):
    """The present round of a stage, and how far its learner has come in one section of it.
    `zone_and_day_rows`: of `ZONES_AND_NEWEST_DAY`."""

    present_round_number: int
    furthest_step: FurthestStep | None
    zone_and_day_rows: list[Row]


class PlacesOfLearner(NamedTuple):
    """Where somebody has been in lessons; `learner_id` is None for a stranger."""

    learner_id: int | None = None
    places: LessonPlaces = ()


LATEST_ROUNDS = select(func.max(LATER_PLACE.round))
ROUND_OF_STAGE = LATEST_ROUNDS.where(
    LATER_PLACE.learner_id == bindparam("learner"), LATER_PLACE.stage_ref == bindparam("stage")
)
LATEST_ROUND = PreparedStatement(ROUND_OF_STAGE)
PRESENT_ROUND = ROUND_OF_STAGE.scalar_subquery()
FURTHEST_STEP = RowQuery(
    FurthestStep,
    select(*columns_of(LessonPlace, FurthestStep)).where(
        IS_PLACE_OF_LEARNER,
        IS_OF_STAGE,
        LESSON_PLACE.section_id == bindparam("section"),
        LESSON_PLACE.round == PRESENT_ROUND,
    ),
)
MOVED_FIELDS = ("step_number", "step_id", "is_done", "updated_at")
MOVE_PLACE = prepared_update(LessonPlace, LESSON_PLACE.id == bindparam("place"), MOVED_FIELDS)


def progress_in_section(
    session: VerbSession, learner_id: int, stage_ref: str, section: Section
) -> SectionProgress:
    """How far a learner has come in a section; a server tells all of it at once."""
    pending_round_rows = session.send(LATEST_ROUND, learner=learner_id, stage=stage_ref)
    pending_zone_and_day_rows = session.send(learning_days.ZONES_AND_NEWEST_DAY, learner=learner_id)
    furthest_step = session.first(FURTHEST_STEP, learner=learner_id, stage=stage_ref, section=section.id)
    [(latest_round_number,)] = pending_round_rows.fetch()
    return SectionProgress(latest_round_number or 1, furthest_step, pending_zone_and_day_rows.fetch())


@learners.changes_own_rows
def save_place(
    session: VerbSession,
    caller: Caller,
    stage_ref: str,
    section: Section,
    step_number: int,
    is_done: bool,
    now: datetime,
) -> SavedLessonPlace:
    """Remember the furthest step opened of a section, in the present round. Going back loses nothing; what is
    done keeps the time when it was done, for an assignment asks for it."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    section_progress = progress_in_section(session, known_learner.learner_id, stage_ref, section)
    lesson_place = place_at_step(
        stage_ref, section_progress.present_round_number, section, step_number, is_done, now
    )
    return save_furthest(session, caller, known_learner, section, section_progress, lesson_place)


def save_furthest(
    session: VerbSession,
    caller: Caller,
    known_learner: KnownLearner,
    section: Section,
    section_progress: SectionProgress,
    lesson_place: LessonPlaceRow,
) -> SavedLessonPlace:
    """Remember a place that was reached now, or the one that its learner has come to before. Every moment
    counts as time of learning: the last one stands at the place, the others are kept as visits."""
    furthest_step = section_progress.furthest_step
    if furthest_step is None:
        return add_place(session, known_learner, lesson_place)
    reached_at = lesson_place.updated_at
    furthest_step_number = section.step_number_at(furthest_step.step_id, furthest_step.step_number)
    if lesson_place.step_number <= furthest_step_number:
        lesson_place = lesson_place._replace(
            step_number=furthest_step_number, step_id=section.step_id_of(furthest_step_number)
        )
        if furthest_step.is_done:
            done_place = lesson_place._replace(is_done=True, updated_at=furthest_step.updated_at)
            return SavedLessonPlace(done_place, known_learner.token)
    visited_at = furthest_step.updated_at
    if furthest_step.is_done:  # the section has grown since
        lesson_place = lesson_place._replace(is_done=True, updated_at=furthest_step.updated_at)
        visited_at = reached_at
    add_visit(session, known_learner.learner_id, visited_at)
    moved_fields = {field_name: getattr(lesson_place, field_name) for field_name in MOVED_FIELDS}
    session.run(MOVE_PLACE, place=furthest_step.id, **moved_fields)
    learning_days.record_activity_after(
        session, known_learner.learner_id, reached_at, section_progress.zone_and_day_rows, caller=caller
    )
    return SavedLessonPlace(lesson_place, known_learner.token)


ADD_VISIT = prepared_insert(LessonVisit)


def add_visit(session: VerbSession, learner_id: int, visited_at: datetime) -> None:
    """Keep a moment at a place that its time does not tell: its day counts, and the time of learning."""
    session.run(ADD_VISIT, learner_id=learner_id, visited_at=visited_at)


def place_at_step(
    stage_ref: str, round_number: int, section: Section, step_number: int, is_done: bool, now: datetime
) -> LessonPlaceRow:
    """The place at a step of a section, in the round `round_number`."""
    step_id = section.step_id_of(step_number)
    return LessonPlaceRow(stage_ref, section.id, round_number, step_number, step_id, is_done, now)


@learners.changes_own_rows
def advance_place(
    session: VerbSession, caller: Caller, stage_ref: str, section: Section, step_number: int, now: datetime
) -> SavedLessonPlace:
    """下一步, as far as it can be: one step beyond the furthest one, and done after the last.

    A form may ask for any step; what counts is that the steps before it were opened.
    """
    known_learner = learners.find_or_add_learner(session, caller, now)
    section_progress = progress_in_section(session, known_learner.learner_id, stage_ref, section)
    furthest_step_number = 1
    furthest_step = section_progress.furthest_step
    if furthest_step:
        furthest_step_number = section.step_number_at(furthest_step.step_id, furthest_step.step_number)
    last_step_number = len(section.steps)
    next_step_number = min(step_number, furthest_step_number + 1)
    is_done = next_step_number > last_step_number
    lesson_place = place_at_step(
        stage_ref,
        section_progress.present_round_number,
        section,
        min(next_step_number, last_step_number),
        is_done,
        now,
    )
    return save_furthest(session, caller, known_learner, section, section_progress, lesson_place)


LESSON_ANSWERED = PreparedStatement(
    select(ATTEMPT.id).where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "lesson",
        ATTEMPT.ref == bindparam("stage"),
        ATTEMPT.round == bindparam("round"),
    )
)


def is_round_touched(
    session: VerbSession, learner_id: int, stage_ref: str, first_section: Section, lesson_places: LessonPlaces
) -> bool:
    """Whether anything was done in the present round of a stage."""
    if len(lesson_places) > 1:
        return True
    if lesson_places and not is_at_first_step(lesson_places[0], first_section):
        return True
    present_round_number = round_number_of_places(lesson_places)
    attempt_row = session.first(
        LESSON_ANSWERED, learner=learner_id, stage=stage_ref, round=present_round_number
    )
    return attempt_row is not None


def round_number_of_places(lesson_places: LessonPlaces) -> int:
    """The round of the places of a stage; 1 before there are any."""
    if not lesson_places:
        return 1
    return lesson_places[0].round


@learners.changes_own_rows
def begin_stage_again(
    session: VerbSession, caller: Caller, stage_ref: str, first_section: Section, now: datetime
) -> SavedLessonPlace:
    """重学: a new round from its first step. A round in which nothing was done yet is not begun twice."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    learner_id = known_learner.learner_id
    lesson_places = places_in_stage(session, learner_id, stage_ref)
    if not is_round_touched(session, learner_id, stage_ref, first_section, lesson_places):
        return save_place(session, caller, stage_ref, first_section, 1, False, now)
    next_round_number = round_number_of_places(lesson_places) + 1
    lesson_place = place_at_step(stage_ref, next_round_number, first_section, 1, False, now)
    return add_place(session, known_learner, lesson_place, caller)


def is_at_first_step(lesson_place: LessonPlaceRow, section: Section) -> bool:
    """Whether a place is at the first step of a section: nothing was done there yet."""
    if lesson_place.section_id != section.id or lesson_place.is_done:
        return False
    step_number = section.step_number_at(lesson_place.step_id, lesson_place.step_number)
    return step_number == 1


ADD_PLACE = prepared_insert(LessonPlace)


def add_place(
    session: VerbSession,
    known_learner: KnownLearner,
    lesson_place: LessonPlaceRow,
    caller: Caller | None = None,
) -> SavedLessonPlace:
    """Write down the first place of a section in a round. `caller`: who begins a round, of which there is no
    end."""
    place_columns = lesson_place._asdict()
    session.run(ADD_PLACE, learner_id=known_learner.learner_id, **place_columns)
    learning_days.record_activity(session, known_learner.learner_id, lesson_place.updated_at, caller)
    return SavedLessonPlace(lesson_place, known_learner.token)


LATEST_ROUND_OF_EACH = select(LATER_PLACE.stage_ref, func.max(LATER_PLACE.round)).group_by(
    LATER_PLACE.stage_ref
)
PRESENT_ROUNDS = LATEST_ROUND_OF_EACH.where(LATER_PLACE.learner_id == bindparam("learner"))
PLACES_QUERY = select(*columns_of(LessonPlace, LessonPlaceRow)).where(IS_PLACE_OF_LEARNER)
PLACES_OF_LEARNER = RowQuery(
    LessonPlaceRow,
    PLACES_QUERY.where(tuple_(LESSON_PLACE.stage_ref, LESSON_PLACE.round).in_(PRESENT_ROUNDS)).order_by(
        LESSON_PLACE.updated_at, LESSON_PLACE.id
    ),
)


def load_places(session: VerbSession, caller: Caller) -> PlacesOfLearner:
    """Where the caller has been, without what they answered there."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return PlacesOfLearner()
    return PlacesOfLearner(learner_id, places_of_learner(session, learner_id))


def places_of_learner(session: VerbSession, learner_id: int) -> LessonPlaces:
    """The places of a learner in all stages, each in its present round, the latest last: where to go on."""
    return tuple(session.all(PLACES_OF_LEARNER, learner=learner_id))


PLACES_IN_ALL_ROUNDS = RowQuery(
    LessonPlaceRow, PLACES_QUERY.order_by(LESSON_PLACE.updated_at, LESSON_PLACE.id)
)


def reached_places_of_learner(session: VerbSession, learner_id: int) -> LessonPlaces:
    """One place for each section that a learner has opened in any round, for 重学 takes nothing away: that of
    the round in which it was first done, or the latest where it never was."""
    place_by_section_key: dict[tuple[str, str], LessonPlaceRow] = {}
    for lesson_place in session.all(PLACES_IN_ALL_ROUNDS, learner=learner_id):
        section_key = (lesson_place.stage_ref, lesson_place.section_id)
        reached_place = place_by_section_key.get(section_key)
        if reached_place is None or not reached_place.is_done:
            place_by_section_key[section_key] = lesson_place
    return tuple(place_by_section_key.values())


def place_of_section(
    section: Section, place_by_section_id: Mapping[str, LessonPlaceRow]
) -> LessonPlaceRow | None:
    """How far somebody came in a section. Who finished it as the end of another one has finished it: their
    place there is at a step that stands here by now."""
    lesson_place = place_by_section_id.get(section.id)
    undivided_place = place_by_section_id.get(section.divided_from or "")
    if undivided_place is None or not undivided_place.is_done or (lesson_place and lesson_place.is_done):
        return lesson_place
    if section.step_number_of(undivided_place.step_id) is None:
        return lesson_place
    return undivided_place


PLACES_IN_STAGE = RowQuery(
    LessonPlaceRow,
    PLACES_QUERY.where(IS_OF_STAGE, LESSON_PLACE.round == PRESENT_ROUND).order_by(LESSON_PLACE.section_id),
)


def places_in_stage(session: VerbSession, learner_id: int, stage_ref: str) -> LessonPlaces:
    """The places of a learner in one stage, in its present round."""
    lesson_places = session.all(PLACES_IN_STAGE, learner=learner_id, stage=stage_ref)
    return tuple(lesson_places)


def present_round_number(session: VerbSession, learner_id: int, stage_ref: str) -> int:
    """The present round of a stage, its highest one; 1 before anything was saved."""
    [(latest_round_number,)] = session.all(LATEST_ROUND, learner=learner_id, stage=stage_ref)
    return latest_round_number or 1
