"""How far somebody has come in a lesson."""

from datetime import datetime
from typing import NamedTuple

from sqlalchemy import bindparam, func, select, update

from app.course.content.model import Section
from app.records.accounts import learners
from app.records.accounts.values import Arrival, Caller
from app.records.activity import learning_days
from app.records.db.metadata import table
from app.records.db.session import Prepared, RowQuery, VerbSession, adding, columns_of
from app.records.learning.tables import Attempt, LessonPlace
from app.records.learning.values import LessonPlaceRow, SavedLessonPlace

PLACE = table(LessonPlace)
LATER = PLACE.alias("later").c
ATTEMPT = table(Attempt).c
OF_LEARNER = PLACE.c.learner_id == bindparam("learner")
OF_STAGE = PLACE.c.stage == bindparam("stage")


class FurthestStep(NamedTuple):
    """The place of one section in one round."""

    id: int
    step: int
    step_id: str | None
    done: bool
    updated_at: datetime


PLACE_IN_SECTION = RowQuery(
    FurthestStep,
    select(*columns_of(LessonPlace, FurthestStep)).where(
        OF_LEARNER,
        OF_STAGE,
        PLACE.c.section == bindparam("section"),
        PLACE.c.round == bindparam("round"),
    ),
)
MOVED = ("step", "step_id", "done", "updated_at")
MOVE = Prepared(update(PLACE).where(PLACE.c.id == bindparam("place")), keys=MOVED)


def keep(
    session: VerbSession, caller: Caller, stage: str, section: Section, step: int, done: bool, now: datetime
) -> SavedLessonPlace:
    """Remember the furthest step opened of a section, in the present round. Going back loses nothing; what is
    done keeps the time when it was done, for an assignment asks for it."""
    arrival = learners.arrive(session, caller, now)
    current = round_of(session, arrival.learner_id, stage)
    place = place_at(stage, current, section, step, done, now)
    furthest = session.first(
        PLACE_IN_SECTION, learner=arrival.learner_id, stage=stage, section=section.id, round=current
    )
    if furthest is None:
        return add(session, arrival, place)
    furthest_step = section.number_at(furthest.step_id, furthest.step)
    if furthest.done and step <= furthest_step:
        place = place_at(stage, current, section, furthest_step, True, furthest.updated_at)
        return SavedLessonPlace(place, arrival.token)
    if step < furthest_step:
        place = place_at(stage, current, section, furthest_step, done, now)
    place = place._replace(done=done or furthest.done)
    session.run(
        MOVE, place=furthest.id, step=place.step, step_id=place.step_id, done=place.done, updated_at=now
    )
    learning_days.change(session, arrival.learner_id, [now], [furthest.updated_at])
    return SavedLessonPlace(place, arrival.token)


def place_at(
    stage: str, current: int, section: Section, step: int, done: bool, now: datetime
) -> LessonPlaceRow:
    """The place at a step of a section, in the round `current`."""
    return LessonPlaceRow(stage, section.id, current, step, section.id_of(step), done, now)


def advance(
    session: VerbSession, caller: Caller, stage: str, section: Section, step: int, now: datetime
) -> SavedLessonPlace:
    """下一步, as far as it can be: one step beyond the furthest one, and done after the last.

    A form may ask for any step; what counts is that the steps before it were opened.
    """
    furthest = 1
    total = len(section.steps)
    learner_id = learners.load_visitor(session, caller)
    if learner_id is not None:
        current = round_of(session, learner_id, stage)
        place = session.first(
            PLACE_IN_SECTION, learner=learner_id, stage=stage, section=section.id, round=current
        )
        if place:
            furthest = section.number_at(place.step_id, place.step)
    step = min(step, furthest + 1)
    return keep(session, caller, stage, section, min(step, total), step > total, now)


LESSON_ANSWERED = Prepared(
    select(ATTEMPT.id).where(
        ATTEMPT.learner_id == bindparam("learner"),
        ATTEMPT.source == "lesson",
        ATTEMPT.ref == bindparam("stage"),
        ATTEMPT.round == bindparam("round"),
    )
)


def again(
    session: VerbSession, caller: Caller, stage: str, first_section: Section, now: datetime
) -> SavedLessonPlace:
    """重学: a new round from its first step. A round in which nothing was done yet is not begun twice."""
    arrival = learners.arrive(session, caller, now)
    places = in_stage(session, arrival.learner_id, stage)
    current = places[0].round if places else 1
    first = place_at(stage, current, first_section, 1, False, now)
    touched = places and not (len(places) == 1 and is_begin(places[0], first_section))
    if touched or session.first(LESSON_ANSWERED, learner=arrival.learner_id, stage=stage, round=current):
        return add(session, arrival, first._replace(round=current + 1))
    return keep(session, caller, stage, first_section, 1, False, now)


def is_begin(place: LessonPlaceRow, section: Section) -> bool:
    """Whether a place is at the first step of a section: nothing was done there yet."""
    is_first = section.number_at(place.step_id, place.step) == 1
    return place.section == section.id and is_first and not place.done


ADD = adding(LessonPlace)


def add(session: VerbSession, arrival: Arrival, place: LessonPlaceRow) -> SavedLessonPlace:
    """Write down the first place of a section in a round."""
    session.run(ADD, learner_id=arrival.learner_id, **place._asdict())
    learning_days.note(session, arrival.learner_id, place.updated_at)
    return SavedLessonPlace(place, arrival.token)


PRESENT_ROUND_OF_EACH = (
    select(func.max(LATER.round))
    .where(LATER.learner_id == PLACE.c.learner_id, LATER.stage == PLACE.c.stage)
    .scalar_subquery()
)
PLACES_OF_LEARNER = RowQuery(
    LessonPlaceRow,
    select(*columns_of(LessonPlace, LessonPlaceRow))
    .where(OF_LEARNER, PLACE.c.round == PRESENT_ROUND_OF_EACH)
    .order_by(PLACE.c.updated_at, PLACE.c.id),
)


def everywhere(session: VerbSession, learner_id: int) -> tuple[LessonPlaceRow, ...]:
    """The places of a learner in all stages, each in its present round, the latest last."""
    return tuple(session.all(PLACES_OF_LEARNER, learner=learner_id))


PRESENT_ROUND = (
    select(func.max(LATER.round))
    .where(LATER.learner_id == bindparam("learner"), LATER.stage == bindparam("stage"))
    .scalar_subquery()
)
PLACES_IN_STAGE = RowQuery(
    LessonPlaceRow,
    select(*columns_of(LessonPlace, LessonPlaceRow))
    .where(OF_LEARNER, OF_STAGE, PLACE.c.round == PRESENT_ROUND)
    .order_by(PLACE.c.section),
)


def in_stage(session: VerbSession, learner_id: int, stage: str) -> tuple[LessonPlaceRow, ...]:
    """The places of a learner in one stage, in its present round."""
    return tuple(session.all(PLACES_IN_STAGE, learner=learner_id, stage=stage))


LATEST_ROUND = Prepared(select(func.max(PLACE.c.round)).where(OF_LEARNER, OF_STAGE))


def round_of(session: VerbSession, learner_id: int, stage: str) -> int:
    """The present round of a stage, its highest one; 1 before anything was saved."""
    [(current,)] = session.all(LATEST_ROUND, learner=learner_id, stage=stage)
    return current or 1
