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
from app.records.db.session import Prepared, VerbSession, time_of
from app.records.learning.tables import Attempt, Response

Row = tuple[Any, ...]

CLEAN, LATER, MISSED = 2, 1, 0
"""What an answer says: right at once and without help; right otherwise; not right at once, without help."""
attempt, response = table(Attempt).c, table(Response).c
told = or_(attempt.shown_from.is_(None), attempt.shown_from <= bindparam("now"))
"""Whether its learner may know how an attempt went: results of an assignment may be kept back."""
mine = and_(response.attempt_id == attempt.id, attempt.learner_id == bindparam("learner"), told)


def alone(answer: Any) -> ColumnElement[bool]:
    """Right, and no step of it was left to the tutor."""
    return and_(answer.verdict == "right", or_(answer.score <= 0, answer.score >= WHOLE))


right = response.verdict == "right"
outcome = case((alone(response), "right"), (right, "corrected"), else_=response.verdict)
"""The verdict on an answer; what was reached together is no more than 改对了."""
first_unaided = and_(response.try_number == 1, response.hints == 0)
clean = and_(first_unaided, response.score >= WHOLE, right)
practised = attempt.source == "practice"

TOLD = (
    response.item,
    case((clean, CLEAN), (right, LATER), else_=MISSED),
    response.id,
    practised,
    type_coerce(response.created_at, String),
)
"""What is read of an answer. Its time stays as the driver gives it: few of thousands matter."""
ANSWERS = Prepared(
    select(*TOLD).where(mine, or_(right, first_unaided)).order_by(response.id.desc()),
)


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


def past(session: VerbSession, learner_id: int, now: datetime) -> Past:
    """The past of one learner, as far as they may know it."""
    return folded(session.each(ANSWERS, learner=learner_id, now=now))


def folded(rows: Iterable[Row]) -> Past:
    """Answers, the newest first, by item. This loop sees every answer there is: nothing is made in it."""
    found = Past()
    recent, since, clean, later = found.recent, found.since, found.clean, found.later
    for item, said, number, in_practice, at in rows:
        if said == LATER:
            later[item] += in_practice
            continue
        if item not in recent:
            recent[item] = [(number, said == CLEAN, at)]
        elif len(recent[item]) < WINDOW:
            recent[item].append((number, said == CLEAN, at))
        if said == CLEAN:
            since[item] = at
            clean[item] += in_practice
    return found


def standings_of(course: Course, past: Past, now: datetime, day_of: DayOf) -> Mapping[str, SkillState]:
    """A past by the rule of mastery."""
    firsts: dict[str, date] = {}
    for item, at in past.since.items():
        day = day_of(time_of(at))
        name = course.bare(item)  # one item may be several questions of assignments
        firsts[name] = min(day, firsts.get(name, day))
    return skill_states(course, dones(course, past, day_of), firsts, day_of(now))


def dones(course: Course, past: Past, day_of: DayOf) -> Iterator[CountedAnswer]:
    for item, found in past.recent.items():
        name = course.bare(item)
        for number, good, at in found:
            yield CountedAnswer(number, name, day_of(time_of(at)), good)
