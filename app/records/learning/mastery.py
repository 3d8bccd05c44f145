"""Where a learner stands with every knowledge point: the log of answers, read once and folded.

The rule is `app.course.practice.mastery.skill_states`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from sqlalchemy import ColumnElement, String, and_, bindparam, case, or_, select, type_coerce

from app.course import Course
from app.course.content.skills import WINDOW
from app.course.items.marks import WHOLE
from app.course.practice.mastery import CountedAnswer, SkillState, skill_states
from app.records.db.days import DayOf
from app.records.db.metadata import table
from app.records.db.session import Prepared, Row, VerbSession, time_of
from app.records.learning.tables import Attempt, Response

CLEAN, LATER, MISSED = 2, 1, 0
"""What an answer counts as: right at once and without help; right otherwise; not right at once, without help.
"""
attempt = table(Attempt).c
response = table(Response).c
PUBLISHED = or_(attempt.shown_from.is_(None), attempt.shown_from <= bindparam("now"))
"""Whether its learner may know how an attempt went: results of an assignment may be held back."""
mine = and_(response.attempt_id == attempt.id, attempt.learner_id == bindparam("learner"), PUBLISHED)
"""The answers of a learner, as far as they may know them."""


def alone(answer: Any) -> ColumnElement[bool]:
    """Right, and no step of it was left to the tutor."""
    return and_(answer.verdict == "right", or_(answer.score <= 0, answer.score >= WHOLE))


RIGHT = response.verdict == "right"
FIRST_UNAIDED = and_(response.try_number == 1, response.hints == 0)
outcome = case((alone(response), "right"), (RIGHT, "corrected"), else_=response.verdict)
"""The verdict on an answer; what was reached together is no more than 改对了."""
clean = and_(FIRST_UNAIDED, response.score >= WHOLE, RIGHT)
practised = attempt.source == "practice"


@dataclass(frozen=True)
class Past:
    """What somebody has answered, by item. A time stays as the database keeps it until it is asked for.

    `recent`: the last first answers without hints, the newest first, as (number, clean, time); `since`: when
    it was first clean; `clean`, `later`: how often right in practice, at once without help and otherwise.
    """

    recent: dict[str, list[tuple[int, bool, Any]]] = field(default_factory=dict)
    since: dict[str, Any] = field(default_factory=dict)
    clean: Counter[str] = field(default_factory=Counter)
    later: Counter[str] = field(default_factory=Counter)


ANSWERS_NEWEST_FIRST = Prepared(
    select(
        response.item,
        case((clean, CLEAN), (RIGHT, LATER), else_=MISSED),
        response.id,
        practised,
        type_coerce(response.created_at, String),  # left as the driver gives it: few of thousands matter
    )
    .where(mine, or_(RIGHT, FIRST_UNAIDED))
    .order_by(response.id.desc())
)


def past(session: VerbSession, learner_id: int, now: datetime) -> Past:
    """The past of one learner, as far as they may know it."""
    return folded(session.each(ANSWERS_NEWEST_FIRST, learner=learner_id, now=now))


def folded(rows: Iterable[Row]) -> Past:
    """Answers, the newest first, by item. This loop sees every answer there is: nothing is made in it."""
    answered = Past()
    recent, since, clean, later = answered.recent, answered.since, answered.clean, answered.later
    for item, counts_as, number, in_practice, answered_at in rows:
        if counts_as == LATER:
            later[item] += in_practice
            continue
        if item not in recent:
            recent[item] = [(number, counts_as == CLEAN, answered_at)]
        elif len(recent[item]) < WINDOW:
            recent[item].append((number, counts_as == CLEAN, answered_at))
        if counts_as == CLEAN:
            since[item] = answered_at
            clean[item] += in_practice
    return answered


def standings_of(course: Course, past: Past, now: datetime, day_of: DayOf) -> Mapping[str, SkillState]:
    """A past by the rule of mastery."""
    first_days: dict[str, date] = {}
    for item, answered_at in past.since.items():
        day = day_of(time_of(answered_at))
        name = course.bare(item)  # one item may be several questions of assignments
        first_days[name] = min(day, first_days.get(name, day))
    return skill_states(course, counted_answers(course, past, day_of), first_days, day_of(now))


def counted_answers(course: Course, past: Past, day_of: DayOf) -> Iterator[CountedAnswer]:
    """The recent first answers of a past, as the rule of mastery takes them."""
    for item, answers in past.recent.items():
        name = course.bare(item)
        for number, right, answered_at in answers:
            yield CountedAnswer(number, name, day_of(time_of(answered_at)), right)
