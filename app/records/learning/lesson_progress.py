"""How far somebody has come in a lesson."""

from datetime import datetime

from sqlalchemy import bindparam, func, select, update

from app.records.accounts import learners
from app.records.accounts.values import Arrival, Caller
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning.tables import Attempt, LessonPlace
from app.records.learning.values import LessonPlaceRow, SavedLessonPlace

places, attempt = table(LessonPlace), table(Attempt).c
place, later = places.c, places.alias("later").c
columns = [place[name] for name in LessonPlaceRow._fields]
mine = place.learner_id == bindparam("learner")
here = place.stage == bindparam("stage")

# The present round of a stage is its highest one.
ROUND = Prepared(select(func.max(place.round)).where(mine, here))
present_round = (
    select(func.max(later.round))
    .where(later.learner_id == bindparam("learner"), later.stage == bindparam("stage"))
    .scalar_subquery()
)
IN_STAGE = Prepared(select(*columns).where(mine, here, place.round == present_round).order_by(place.section))
present_rounds = (
    select(func.max(later.round))
    .where(later.learner_id == place.learner_id, later.stage == place.stage)
    .scalar_subquery()
)
EVERYWHERE = Prepared(
    select(*columns).where(mine, place.round == present_rounds).order_by(place.updated_at, place.id)
)
ONE = Prepared(
    select(place.id, place.step, place.done, place.updated_at).where(
        mine, here, place.section == bindparam("section"), place.round == bindparam("round")
    )
)
MOVE = Prepared(update(places).where(place.id == bindparam("place")), keys=("step", "done", "updated_at"))
ADD = adding(LessonPlace)
ANSWERED = Prepared(
    select(attempt.id).where(
        attempt.learner_id == bindparam("learner"),
        attempt.source == "lesson",
        attempt.ref == bindparam("stage"),
        attempt.round == bindparam("round"),
    )
)


def keep(
    session: VerbSession, who: Caller, stage: str, section: str, step: int, done: bool, now: datetime
) -> SavedLessonPlace:
    """Remember the furthest step opened of a section, in the present round. Going back loses nothing; what is
    done keeps the time when it was done, for an assignment asks for it."""
    arrival = learners.arrive(session, who, now)
    current = round_of(session, arrival.learner_id, stage)
    found = session.first(ONE, learner=arrival.learner_id, stage=stage, section=section, round=current)
    if found is None:
        return add(session, arrival, LessonPlaceRow(stage, section, current, step, done, now))
    place_id, furthest, was_done, at = found
    step, done = max(step, furthest), done or was_done
    if was_done and step == furthest:
        return SavedLessonPlace(stage, section, current, step, done, at, arrival.token)
    session.run(MOVE, place=place_id, step=step, done=done, updated_at=now)
    return SavedLessonPlace(stage, section, current, step, done, now, arrival.token)


def again(
    session: VerbSession, who: Caller, stage: str, first_section: str, now: datetime
) -> SavedLessonPlace:
    """重学: a new round from its first step. A round in which nothing was done yet is not begun twice."""
    arrival = learners.arrive(session, who, now)
    rows = in_stage(session, arrival.learner_id, stage)
    current = rows[0].round if rows else 1
    fresh = LessonPlaceRow(stage, first_section, current, 1, False, now)
    if answered(session, arrival.learner_id, stage, current) or (rows and not untouched(rows, fresh)):
        return add(session, arrival, fresh._replace(round=current + 1))
    return keep(session, who, stage, first_section, 1, False, now)


def latest(session: VerbSession, who: Caller) -> tuple[LessonPlaceRow, ...]:
    """The places of all stages, each in its present round; the last one is where the learner was last."""
    learner_id = learners.load_visitor(session, who)
    return () if learner_id is None else everywhere(session, learner_id)


def everywhere(session: VerbSession, learner_id: int) -> tuple[LessonPlaceRow, ...]:
    return tuple(LessonPlaceRow(*row) for row in session.all(EVERYWHERE, learner=learner_id))


def in_stage(session: VerbSession, learner_id: int, stage: str) -> tuple[LessonPlaceRow, ...]:
    return tuple(LessonPlaceRow(*row) for row in session.all(IN_STAGE, learner=learner_id, stage=stage))


def round_of(session: VerbSession, learner_id: int, stage: str) -> int:
    """The present round of a stage; 1 before anything was kept."""
    row = session.first(ROUND, learner=learner_id, stage=stage)
    return (row and row[0]) or 1


def untouched(rows: tuple[LessonPlaceRow, ...], fresh: LessonPlaceRow) -> bool:
    return [row._replace(updated_at=fresh.updated_at) for row in rows] == [fresh]


def answered(session: VerbSession, learner_id: int, stage: str, current: int) -> bool:
    return session.first(ANSWERED, learner=learner_id, stage=stage, round=current) is not None


def add(session: VerbSession, arrival: Arrival, row: LessonPlaceRow) -> SavedLessonPlace:
    session.run(ADD, learner_id=arrival.learner_id, **row._asdict())
    return SavedLessonPlace(*row, arrival.token)
