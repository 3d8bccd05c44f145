"""Days and time of learning, kept in the transaction that writes what was done.

The days are equal to `learning_days_of_moments` of all moments of the logs; nothing here reads a log.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from datetime import UTC, date, datetime, time, timedelta
from itertools import accumulate, groupby
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import Integer, bindparam, cast, delete, func, literal, select, update

from app.records.accounts import learners
from app.records.accounts.learners import LEARNER
from app.records.accounts.tables import Learner
from app.records.accounts.values import Caller
from app.records.activity import row_limits
from app.records.activity.tables import LearningDay
from app.records.db.days import FARTHEST_ZONES_APART, ONE_DAY, TimeZones
from app.records.db.errors import Refused
from app.records.db.metadata import table
from app.records.db.session import VerbSession, insert_rows
from app.records.db.statements import (
    PreparedStatement,
    Row,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)
from app.records.db.stored_times import stored_time

LEARNING_DAY_TABLE = table(LearningDay)
LEARNING_DAY = LEARNING_DAY_TABLE.c
IS_OF_LEARNER = LEARNING_DAY.learner_id == bindparam("learner")
LONGEST_LEARNING_GAP = timedelta(minutes=5)
"""A longer time between two actions is a break, and does not count as learning."""
MICROSECOND = timedelta(microseconds=1)
MOST_PAST_ZONES = 500
"""Zones of before that a learner may have: each day of an answer is looked up among all of them."""


class DayTotals(NamedTuple):
    """A day, its last moment, and what was learnt up to its end: see `LearningDay`."""

    day: date
    last_at: datetime
    learnt_microseconds: int
    day_count: int
    days_in_a_row: int


class LearningDayRow(NamedTuple):
    """A day with its moments."""

    day: date
    moments: str
    last_at: datetime
    learnt_microseconds: int
    day_count: int
    days_in_a_row: int


NEWEST_DAY_TOTALS = (
    select(*columns_of(LearningDay, DayTotals))
    .where(IS_OF_LEARNER)
    .order_by(LEARNING_DAY.day.desc())
    .limit(1)
)
NEWEST_DAY = RowQuery(DayTotals, NEWEST_DAY_TOTALS)
NEWEST_BEFORE = PreparedStatement(NEWEST_DAY_TOTALS.where(LEARNING_DAY.day < bindparam("before")))
MOMENTS_SINCE = PreparedStatement(
    select(LEARNING_DAY.day, LEARNING_DAY.moments)
    .where(IS_OF_LEARNER, LEARNING_DAY.day >= bindparam("since"))
    .order_by(LEARNING_DAY.day)
)
ADD_DAY = prepared_insert(LearningDay)
ADD_MOMENT_TO_DAY = PreparedStatement(
    update(LEARNING_DAY_TABLE)
    .where(IS_OF_LEARNER, LEARNING_DAY.day == bindparam("on"))
    .values(
        moments=LEARNING_DAY.moments + literal(",") + bindparam("moment"),
        learnt_microseconds=LEARNING_DAY.learnt_microseconds + cast(bindparam("gap"), Integer),
        last_at=bindparam("at"),
    )
)
REMOVE_SINCE = PreparedStatement(
    delete(LEARNING_DAY_TABLE).where(IS_OF_LEARNER, LEARNING_DAY.day >= bindparam("since"))
)


def newest_day_totals(session: VerbSession, learner_id: int) -> DayTotals | None:
    """The last day of learning, with the sums of all days; None before the first one."""
    return session.first(NEWEST_DAY, learner=learner_id)


def days_in_a_row_until(session: VerbSession, learner_id: int, today: date) -> int:
    """How many days in a row up to today, or up to yesterday while today is still to come.

    The last day may be later than today, where a learner has flown west since.
    """
    last_day_totals = newest_day_totals(session, learner_id)
    if last_day_totals is None or last_day_totals.day < today - ONE_DAY:
        return 0
    return last_day_totals.days_in_a_row


def day_totals_of(day_rows: list[Row]) -> DayTotals | None:
    """The one day of some rows; None where there is none."""
    if not day_rows:
        return None
    [day_row] = day_rows
    return DayTotals(*day_row)


ZONES_AND_NEWEST_DAY = PreparedStatement(
    select(*learners.ZONES_OF_LEARNER, func.length(LEARNING_DAY.moments), *columns_of(LearningDay, DayTotals))
    .select_from(table(Learner).outerjoin(LEARNING_DAY_TABLE, LEARNING_DAY.learner_id == LEARNER.id))
    .where(LEARNER.id == bindparam("learner"))
    .order_by(LEARNING_DAY.day.desc())
    .limit(1)
)


def record_activity(session: VerbSession, learner_id: int, acted_at: datetime, caller: Caller | None) -> None:
    """Something was done at this moment."""
    zone_and_day_rows = session.all(ZONES_AND_NEWEST_DAY, learner=learner_id)
    record_activity_after(session, learner_id, acted_at, zone_and_day_rows, caller=caller)


def record_activity_after(
    session: VerbSession,
    learner_id: int,
    acted_at: datetime,
    zone_and_day_rows: list[Row],
    action_count: int = 1,
    *,
    caller: Caller | None,
) -> None:
    """Something was done at this moment, after a day whose rows of `ZONES_AND_NEWEST_DAY` are at hand.

    `action_count`: so many things at once, 1 or more. `caller`: who is Throttled if it is too much for a day;
    None for what has to be kept, as an answer of an assignment.
    """
    [(present_zone, past_zones_text, moments_length, *newest_day_columns)] = zone_and_day_rows
    time_zones = TimeZones(present_zone, past_zones_text)
    newest_day_totals = DayTotals(*newest_day_columns)
    day = time_zones.day_of_moment(acted_at)
    is_new_day = newest_day_totals.day is None or day > newest_day_totals.day
    if is_new_day:
        moments_length = 0
    else:
        day = newest_day_totals.day
    joined_offsets = ",".join([str(offset_in_day(day, acted_at))] * action_count)
    if caller:
        added_length = len(f",{joined_offsets}")
        row_limits.expect_day_not_full(session, caller, learner_id, moments_length, added_length, acted_at)
    moments = [acted_at] * action_count
    if newest_day_totals.day is None or acted_at < newest_day_totals.last_at:
        change_moments(session, learner_id, time_zones, moments)
    elif is_new_day:
        for learning_day in learning_days_of_moments(moments, time_zones, newest_day_totals):
            session.run(ADD_DAY, learner_id=learner_id, **learning_day._asdict())
    else:
        session.run(
            ADD_MOMENT_TO_DAY,
            learner=learner_id,
            on=day,
            moment=joined_offsets,
            gap=learning_microseconds(newest_day_totals.last_at, acted_at),
            at=acted_at,
        )


def change_moments(
    session: VerbSession,
    learner_id: int,
    time_zones: TimeZones,
    added_moments: Iterable[datetime],
    removed_moments: Collection[datetime] = (),
) -> None:
    """Moments that came or went anywhere: a clock that went back, a review taken back, a place that moved on.

    The days from the first one on are made again from their own moments.
    """
    added_moments = list(added_moments)
    first_day = time_zones.day_of_moment(min([*added_moments, *removed_moments]))
    if time_zones.past_zones:
        first_day -= FARTHEST_ZONES_APART
    pending_day_rows = session.send(NEWEST_BEFORE, learner=learner_id, before=first_day)
    moments = moments_since(session, learner_id, first_day) + added_moments
    for moment in removed_moments:
        if moment in moments:
            moments.remove(moment)
    last_day_totals = day_totals_of(pending_day_rows.fetch())
    rewrite_days_since(session, learner_id, time_zones, first_day, moments, last_day_totals)


def record_past_activity(session: VerbSession, learner_id: int, moments: Sequence[datetime]) -> None:
    """Things done at these moments, before or after what is known already; all at once, for each time the
    days since are made again."""
    if moments:
        change_moments(session, learner_id, learners.time_zones_of(session, learner_id), moments)


def make_days_anew(session: VerbSession, learner_id: int, moments: Iterable[datetime]) -> None:
    """All days of a learner, made again from these moments."""
    time_zones = learners.time_zones_of(session, learner_id)
    rewrite_days_since(session, learner_id, time_zones, date.min, list(moments))


SET_TIME_ZONES = prepared_update(Learner, learners.IS_LEARNER, ["time_zone", "past_zones"])


def change_time_zone(session: VerbSession, learner_id: int, time_zone: str, now: datetime) -> None:
    """The learner's days lie in another zone from now on; what was done stays on its day.

    A zone in which nothing was learnt leaves no trace. Refused where there are too many others.
    """
    time_zones = learners.time_zones_of(session, learner_id)
    last_day_totals = newest_day_totals(session, learner_id)
    former_zone_end = None
    if last_day_totals and time_zones.stored_last_change < stored_time(last_day_totals.last_at):
        former_zone_end = max(now, last_day_totals.last_at)
        if time_zones.past_zones and time_zones.past_zones.count(",") + 1 >= MOST_PAST_ZONES:
            raise Refused(f"时区最多换{MOST_PAST_ZONES}次，已经换满了。")
    present_zone, past_zones_text = time_zones.changed_to(time_zone, former_zone_end)
    session.run(SET_TIME_ZONES, learner=learner_id, time_zone=present_zone, past_zones=past_zones_text)


def moments_since(session: VerbSession, learner_id: int, first_day: date) -> list[datetime]:
    """Every moment of the days from this one on."""
    moments: list[datetime] = []
    for day, joined_offsets in session.all(MOMENTS_SINCE, learner=learner_id, since=first_day):
        utc_midnight = utc_midnight_of(day)
        moments += [
            utc_midnight + timedelta(microseconds=int(offset_text))
            for offset_text in joined_offsets.split(",")
        ]
    return moments


def rewrite_days_since(
    session: VerbSession,
    learner_id: int,
    time_zones: TimeZones,
    first_day: date,
    moments: list[datetime],
    last_day_totals: DayTotals | None = None,
) -> None:
    """The days from one on, made anew from all their moments, in any order. `last_day_totals`: of the day
    before them."""
    session.run(REMOVE_SINCE, learner=learner_id, since=first_day)
    learning_days = learning_days_of_moments(sorted(moments), time_zones, last_day_totals)
    new_day_rows = [{"learner_id": learner_id, **learning_day._asdict()} for learning_day in learning_days]
    if len(new_day_rows) == 1:  # as with every answer
        session.run(ADD_DAY, **new_day_rows[0])
    else:
        insert_rows(session, LearningDay, new_day_rows)


def learning_days_of_moments(
    moments: Sequence[datetime], time_zones: TimeZones, last_day_totals: DayTotals | None
) -> Iterator[LearningDayRow]:
    """Moments in order, by the learner's days. `last_day_totals`: the last day before them.

    Days do not go back: whoever flew west and learns on the date before goes on with the day that counts.

    >>> begun = datetime(2026, 9, 1, 19, 58, tzinfo=UTC)
    >>> moments = [begun, begun + timedelta(minutes=3), begun + timedelta(hours=3)]
    >>> days = learning_days_of_moments(moments, TimeZones("Asia/Shanghai"), None)
    >>> [(row.day.day, row.learnt_microseconds // 10**6, row.day_count, row.days_in_a_row) for row in days]
    [(1, 0, 1, 1), (2, 180, 2, 2)]
    """
    learnt_microseconds, day_count, days_in_a_row = 0, 0, 0
    last_day = last_at = None
    if last_day_totals:
        last_day, last_at, learnt_microseconds, day_count, days_in_a_row = last_day_totals
    days = accumulate(map(time_zones.day_of_moment, moments), max)
    for day, days_and_moments in groupby(zip(days, moments, strict=True), itemgetter(0)):
        utc_midnight = utc_midnight_of(day)
        offset_texts = []
        for _, moment in days_and_moments:
            if last_at:
                learnt_microseconds += learning_microseconds(last_at, moment)
            last_at = moment
            offset_texts.append(str((moment - utc_midnight) // MICROSECOND))
        if last_day is None or day - last_day > ONE_DAY:
            days_in_a_row = 0
        days_in_a_row += 1
        day_count += 1
        last_day = day
        assert last_at
        joined_offsets = ",".join(offset_texts)
        yield LearningDayRow(day, joined_offsets, last_at, learnt_microseconds, day_count, days_in_a_row)


def learning_microseconds(earlier_moment: datetime, later_moment: datetime) -> int:
    """How much of the time between two moments was learning, in microseconds: none, if they went away.

    >>> begun = datetime(2026, 9, 1, tzinfo=UTC)
    >>> learning_microseconds(begun, begun + timedelta(minutes=3))
    180000000
    >>> learning_microseconds(begun, begun + timedelta(minutes=6))
    0
    """
    gap = later_moment - earlier_moment
    if gap > LONGEST_LEARNING_GAP:
        return 0
    return gap // MICROSECOND


def offset_in_day(day: date, moment: datetime) -> int:
    """Microseconds since the midnight (UTC) of a learner's day; below 0 far in the east."""
    return (moment - utc_midnight_of(day)) // MICROSECOND


def utc_midnight_of(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
