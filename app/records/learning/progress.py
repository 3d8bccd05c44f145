"""What a learner has done so far, derived from the logs."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from datetime import date, datetime, timedelta
from itertools import groupby, pairwise

from sqlalchemy import BindParameter, bindparam, func, select, union_all

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards.tables import ReviewLog
from app.records.db.days import calendar
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, time_of
from app.records.games.tables import GameMove
from app.records.learning import lesson_progress
from app.records.learning.mastery import outcome
from app.records.learning.tables import Attempt, LessonPlace, Response, Reveal
from app.records.learning.values import ProgressData, StageCount

place, reveal = table(LessonPlace).c, table(Reveal).c
attempt, response = table(Attempt).c, table(Response).c
played, review = table(GameMove).c, table(ReviewLog).c
me: BindParameter[int] = bindparam("learner")
AWAY = timedelta(minutes=5)
"""Whoever does nothing for longer has gone away."""

MOMENTS = Prepared(
    union_all(
        select(response.created_at).where(response.attempt_id == attempt.id, attempt.learner_id == me),
        select(reveal.created_at).where(reveal.learner_id == me),
        select(place.updated_at).where(place.learner_id == me),
        select(played.created_at).where(played.learner_id == me),
        select(review.reviewed_at).where(review.learner_id == me, review.undone_at.is_(None)),
    )
)
later = table(LessonPlace).alias("later")
VERDICTS = Prepared(
    select(attempt.ref, response.item, outcome)
    .where(
        response.attempt_id == attempt.id,
        attempt.learner_id == me,
        attempt.source == "lesson",
        attempt.round
        == select(func.coalesce(func.max(later.c.round), 1))
        .where(later.c.learner_id == me, later.c.stage == attempt.ref)
        .scalar_subquery(),
    )
    .order_by(attempt.ref, response.id)
)


def load_progress(
    session: VerbSession,
    who: Caller,
    twins: Mapping[str, str] | None = None,
    unscored: Collection[str] = (),
) -> ProgressData:
    """Everything the progress page shows.

    `twins`: twin -> the item it stands for; an answer to it counts as a further try of that one. `unscored`:
    items that count for nothing (those asked before anything was taught).
    """
    learner_id = learners.load_visitor(session, who)
    return ProgressData() if learner_id is None else of_learner(session, learner_id, twins or {}, unscored)


def of_learner(
    session: VerbSession, learner_id: int, twins: Mapping[str, str], unscored: Collection[str]
) -> ProgressData:
    """The same for one who may be looked at."""
    verdicts = session.all(VERDICTS, learner=learner_id)
    moments = sorted(time_of(moment) for (moment,) in session.each(MOMENTS, learner=learner_id))
    return ProgressData(
        learner_id=learner_id,
        places=lesson_progress.everywhere(session, learner_id),
        stages=count(verdicts, twins, unscored),
        days=days_of(moments, learners.time_zone_of(session, learner_id)),
        learning=learning(moments),
    )


def learning(moments: Iterable[datetime]) -> timedelta:
    """How long somebody has been learning: the time between two moments, unless they went away between.

    >>> from datetime import UTC
    >>> begun = datetime(2026, 9, 1, tzinfo=UTC)
    >>> learning([begun, begun + timedelta(minutes=3), begun + timedelta(hours=3)])
    datetime.timedelta(seconds=180)
    """
    gaps = [later - earlier for earlier, later in pairwise(sorted(moments))]
    return sum([gap for gap in gaps if gap <= AWAY], timedelta())


def streak(days: Collection[date], today: date) -> int:
    """How many days in a row up to today, or up to yesterday while today is still to come.

    >>> streak({date(2026, 9, 1), date(2026, 9, 2)}, date(2026, 9, 3))
    2
    """
    last = today if today in days else today - timedelta(days=1)
    count = 0
    while last - timedelta(days=count) in days:
        count += 1
    return count


def count(
    verdicts: Iterable[tuple[str, ...]], twins: Mapping[str, str], unscored: Collection[str]
) -> tuple[StageCount, ...]:
    """Rows (stage, item, outcome) in the order of stages and of time, counted.

    >>> count([("s", "a", "wrong"), ("s", "a2", "right"), ("s", "b", "right")], {"a2": "a"}, ())
    (StageCount(stage='s', right=1, corrected=1, wrong=0),)
    """
    return tuple(
        [
            count_stage(stage, [(twins.get(item, item), verdict) for _, item, verdict in rows], unscored)
            for stage, rows in groupby(verdicts, key=lambda row: row[0])
        ]
    )


def count_stage(stage: str, rows: list[tuple[str, str]], unscored: Collection[str]) -> StageCount:
    tries: dict[str, list[str]] = {}
    for item, verdict in rows:
        if item not in unscored:
            tries.setdefault(item, []).append(verdict)
    counted, good = StageCount(stage), {"right", "corrected"}
    for each in tries.values():
        kind = "right" if each[0] == "right" else "corrected" if good & set(each) else "wrong"
        counted = replace(counted, **{kind: getattr(counted, kind) + 1})
    return counted


def days_of(moments: Iterable[datetime], time_zone: str) -> tuple[date, ...]:
    """The days on which something was done, as the learner's calendar has them.

    >>> from datetime import UTC
    >>> days_of([datetime(2026, 9, 1, 21, tzinfo=UTC)], "Asia/Shanghai")
    (datetime.date(2026, 9, 2),)
    """
    return tuple(sorted(set(map(calendar(time_zone), moments))))
