"""What was learnt on the last day before today, and the three questions that look back at it."""

from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Concatenate, ParamSpec, TypeVar

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import beginning_of, day_of, end_of
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession
from app.records.learning import attempts, lesson_pages
from app.records.learning.mastery import outcome
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import LessonPageData, WarmUpData

AT_IT = timedelta(hours=4)
"""Who answered in a lesson less long ago is in the middle of it, and warm."""

P = ParamSpec("P")
T = TypeVar("T")


def load_warm_up(
    session: VerbSession, caller: Caller, name: str, now: datetime, day: date | None = None
) -> WarmUpData:
    """The warm-up of a day (None: today) in the learner's calendar, and what it looks back at.

    `name` is what its attempts are called before the day: `content:warm-up`. Nothing is recorded.
    """
    learner_id = learners.load_visitor(session, caller)
    if learner_id is None:
        return WarmUpData(day=day)
    time_zone = learners.time_zone_of(session, learner_id)
    today = day_of(now, time_zone)
    day = day or today
    found = attempts.of_round(session, learner_id, "practice", f"{name}-{day}", 1)
    return WarmUpData(
        learner_id=learner_id,
        day=day,
        answers=answers_before(session, learner_id, min(day, today), time_zone),
        attempt=found,
        responses=attempts.responses_of(session, found.id) if found else (),
        hints=attempts.hints_of(session, found.id) if found else {},
    )


def beside(
    session: VerbSession,
    who: Caller,
    name: str,
    now: datetime,
    day: date | None,
    verb: Callable[Concatenate[VerbSession, Caller, P], T],
    *args: P.args,
    **more: P.kwargs,
) -> tuple[T, WarmUpData]:
    """What another verb reads, and beside it a day's warm-up: one call for a page that shows both."""
    return verb(session, who, *args, **more), load_warm_up(session, who, name, now, day)


def beside_section(
    session: VerbSession,
    who: Caller,
    name: str,
    now: datetime,
    stage: str,
    examples: tuple[str, ...],
    cards: tuple[str, ...],
) -> tuple[LessonPageData, WarmUpData]:
    """What a section must know of its reader, and today's warm-up: the hot page asks who comes back, only."""
    here = lesson_pages.load_lesson(session, who, stage, examples, cards)
    if here.learner_id is None or (here.responses and now - here.responses[-1].created_at < AT_IT):
        return here, WarmUpData()
    return here, load_warm_up(session, who, name, now)


ATTEMPT = table(Attempt).c
RESPONSE = table(Response).c
IN_LESSONS = (
    RESPONSE.attempt_id == ATTEMPT.id,
    ATTEMPT.learner_id == bindparam("learner"),
    ATTEMPT.source == "lesson",
    RESPONSE.created_at < bindparam("before"),
)
LAST_LEARNT_AT = Prepared(select(func.max(RESPONSE.created_at)).where(*IN_LESSONS))
ANSWERS_SINCE = Prepared(
    select(RESPONSE.item, outcome)
    .where(*IN_LESSONS, RESPONSE.created_at >= bindparam("since"))
    .order_by(RESPONSE.id)
)


def answers_before(
    session: VerbSession, learner_id: int, day: date, time_zone: str
) -> tuple[tuple[str, str], ...]:
    """Item and verdict of every answer in lessons on the last day of learning before this one."""
    [(last,)] = session.all(LAST_LEARNT_AT, learner=learner_id, before=beginning_of(day, time_zone))
    if last is None:
        return ()
    day = day_of(last, time_zone)
    since, before = beginning_of(day, time_zone), end_of(day, time_zone)
    rows = session.all(ANSWERS_SINCE, learner=learner_id, since=since, before=before)
    return tuple((item, verdict) for item, verdict in rows)
