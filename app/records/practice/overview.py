"""What practice looks back at: where somebody stands with every knowledge point, and what comes next.

One statement reads the whole log, once; the others look at what is newest.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from itertools import count
from typing import Concatenate, NamedTuple, ParamSpec, TypeVar

from sqlalchemy import bindparam, select

from app.course import Course
from app.course.exercises.exercises import is_endless
from app.course.items.state import is_practice, pauses
from app.course.practice.mastery import CountedAnswer, SkillState, skill_states
from app.course.practice.recommending import Situation, practise, recommend
from app.course.practice.sugar import Score, points, streak
from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import DayOf, calendar
from app.records.db.session import Prepared, VerbSession
from app.records.learning import lesson_progress
from app.records.learning.mastery import Past, attempt, clean, past, practised, response, standings_of
from app.records.learning.values import LessonPlaceRow
from app.records.practice.values import GuessedQuestion, PracticeData

P = ParamSpec("P")
T = TypeVar("T")

LOOKED_BACK = 60
"""How many attempts the streak and the count of today look at."""
ANY_SEED = "9" * 10
"""No seed comes after it."""

newest = (
    select(attempt.id, attempt.ref, attempt.seed)
    .where(attempt.learner_id == bindparam("learner"), practised)
    .order_by(attempt.id.desc())
    .limit(LOOKED_BACK)
    .subquery()
)
RECENT = Prepared(
    select(
        response.id,
        response.item,
        newest.c.seed,
        newest.c.ref,
        newest.c.id,
        response.try_number,
        response.verdict,
        clean,
        response.hints,
        response.created_at,
    )
    .where(response.attempt_id == newest.c.id)
    .order_by(response.id)
)
SEEDS = Prepared(
    select(attempt.seed).where(
        attempt.learner_id == bindparam("learner"),
        practised,
        attempt.ref.between(bindparam("before"), bindparam("after")),
    )
)


class Recent(NamedTuple):
    """An answer in practice."""

    number: int
    item: str
    seed: int
    attempt: str
    attempt_id: int
    try_number: int
    verdict: str
    clean: bool
    hints: int
    created_at: datetime

    @property
    def result(self) -> bool | None:
        """Right at once, or not; None with help."""
        return True if self.clean else None if self.verdict == "right" or self.hints else False


def load_practice(
    session: VerbSession, who: Caller, course: Course, now: datetime, point: str | None = None
) -> PracticeData:
    """Everything a page of practice shows. With a point that was chosen, the advice is for that one."""
    learner_id = learners.load_visitor(session, who)
    if learner_id is None:
        return known_of(Situation(course, skill_states(course, [], {}, now.date()), now.date()), point)
    day_of, before = calendar(learners.time_zone_of(session, learner_id)), past(session, learner_id, now)
    recent = [Recent(*one) for one in session.all(RECENT, learner=learner_id)]
    return replace(
        known_of(situated(session, learner_id, course, now, day_of, before, recent), point),
        learner_id=learner_id,
        score=score(course, before, recent, day_of(now), day_of),
        guessed=guessed(course, recent, now),
    )


def guessed(course: Course, recent: Sequence[Recent], now: datetime) -> GuessedQuestion | None:
    """The last question, where it and those before it were merely guessed at."""
    asked = [one for one in recent if is_practice(one.attempt)]
    if not pauses(asked, now):
        return None
    return GuessedQuestion(course.bare(asked[-1].item), asked[-1].seed, asked[-1].attempt_id)


def beside(
    session: VerbSession,
    who: Caller,
    course: Course,
    now: datetime,
    verb: Callable[Concatenate[VerbSession, Caller, P], T],
    *args: P.args,
    **more: P.kwargs,
) -> tuple[T, PracticeData]:
    """What another verb reads, and beside it where the learner stands: one call for a page with both."""
    return verb(session, who, *args, **more), load_practice(session, who, course, now)


def known_of(situation: Situation, point: str | None) -> PracticeData:
    advice = practise(situation, point) if point else recommend(situation)
    return PracticeData(today=situation.today, standings=situation.standings, advice=advice)


def situated(
    session: VerbSession,
    learner_id: int,
    course: Course,
    now: datetime,
    day_of: DayOf,
    before: Past,
    recent: Sequence[Recent],
) -> Situation:
    """What is known of a learner, as the recommendation takes it."""
    found = standings_of(course, before, now, day_of)
    return Situation(
        course,
        found,
        day_of(now),
        taught=taught(course, lesson_progress.everywhere(session, learner_id), found),
        last=last_first(course, recent, day_of),
        used=lambda item: seeds(session, learner_id, course, item),
        salt=learner_id,
    )


def taught(
    course: Course, opened: Sequence[LessonPlaceRow], found: Mapping[str, SkillState]
) -> frozenset[str]:
    """The points whose section was opened, and those that were answered."""
    sections = {(course.bare(place.stage), place.section) for place in opened}
    read = {name for name, (stage, section) in course.homes.items() if (stage.id, section.id) in sections}
    return frozenset(read | {name for name, standing in found.items() if standing.tried})


def last_first(course: Course, recent: Sequence[Recent], day_of: DayOf) -> CountedAnswer | None:
    """The last first answer; with hints it counts as right here, for what comes next."""
    for one in reversed(recent):
        if one.try_number == 1 and course.bare(one.item) in course.counted:
            good = one.verdict == "right"
            return CountedAnswer(one.number, course.bare(one.item), day_of(one.created_at), good)
    return None


def seeds(session: VerbSession, learner_id: int, course: Course, item: str) -> Collection[int]:
    """The seeds of an item that this learner has met."""
    before = course.ref(f"{item}-" if is_endless(item) else f"item-{item}.")
    rows = session.all(SEEDS, learner=learner_id, before=before, after=before + ANY_SEED)
    return [seed for (seed,) in rows]


def unused(session: VerbSession, who: Caller, course: Course, item: str, seed: int) -> int:
    """This seed, or the first one after it with which the learner has not met the item."""
    learner_id = learners.load_visitor(session, who)
    used = frozenset() if learner_id is None else frozenset(seeds(session, learner_id, course, item))
    return next(one for one in count(seed) if one not in used)


def score(course: Course, before: Past, recent: Sequence[Recent], today: date, day_of: DayOf) -> Score:
    """What practice has earned; a twin that was right is a 改正."""
    twins = {course.ref(twin) for twin in course.twin_of}
    of_twins = sum(before.clean[twin] for twin in twins)
    firsts = [one for one in reversed(recent) if one.try_number == 1 and one.item not in twins]
    results, days = [one.result for one in firsts], [day_of(one.created_at) for one in firsts]
    right = before.clean.total() + before.later.total()
    earlier = right > sum(one.verdict == "right" for one in recent)
    return Score(
        points=points(before.clean.total() - of_twins, before.later.total() + of_twins),
        streak=streak(results),
        streak_or_more=earlier and False not in results,
        today=days.count(today),
        today_or_more=earlier and set(days) == {today},
    )
