"""Where a learner stands with every knowledge point, from what the answers to every item come to.

The rule is `app.course.practice.mastery.skill_states`.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, case, or_

from app.course import Course
from app.course.content.refs import item_of
from app.course.items.marks import WHOLE
from app.course.practice.mastery import CountedAnswer, SkillState, skill_states
from app.records.db.days import DayOf
from app.records.learning.rows import ATTEMPT, RESPONSE

CLEAN, LATER, MISSED = 2, 1, 0
"""What an answer counts as: right at once and without help; right otherwise; not right at once, without help.
"""
IS_OUT = ATTEMPT.shown_from <= bindparam("now")
PUBLISHED = or_(ATTEMPT.shown_from.is_(None), IS_OUT)
"""Whether its learner may know how an attempt went: results of an assignment may be held back."""
ATTEMPT_OF_LEARNER = ATTEMPT.learner_id == bindparam("learner")
IS_KNOWN = and_(RESPONSE.attempt_id == ATTEMPT.id, ATTEMPT_OF_LEARNER, PUBLISHED)
"""The answers of a learner, as far as they may know them."""


def is_right_alone(answer: Any) -> ColumnElement[bool]:
    """Right, and no step of it was left to the tutor."""
    is_whole = or_(answer.score <= 0, answer.score >= WHOLE)
    return and_(answer.verdict == "right", is_whole)


def is_judged(answer: Any) -> ColumnElement[bool]:
    """Not words that nobody marks, or has marked yet: these are right and worth nothing."""
    return or_(answer.verdict != "right", answer.score > 0)


RIGHT = RESPONSE.verdict == "right"
FIRST_UNAIDED = and_(RESPONSE.try_number == 1, RESPONSE.hints == 0)
IF_ALONE = (is_right_alone(RESPONSE), "right")
OUTCOME = case(IF_ALONE, (RIGHT, "corrected"), else_=RESPONSE.verdict)
"""The verdict on an answer; what was reached together is no more than 改对了."""
IS_CLEAN = and_(FIRST_UNAIDED, RESPONSE.score >= WHOLE, RIGHT)
IS_PRACTICE = ATTEMPT.source == "practice"


@dataclass(frozen=True)
class Past:
    """What somebody has answered, by item, whichever question of an assignment it was. A time stays as the
    database keeps it until it is asked for.

    `recent`: of each question the last first answers without hints, as (number, clean, time); `since`: when
    it was first clean; `clean`, `later`: how often right in practice, at once without help and otherwise.
    """

    recent: dict[str, list[Any]] = field(default_factory=dict)
    since: dict[str, Any] = field(default_factory=dict)
    clean: dict[str, int] = field(default_factory=dict)
    later: dict[str, int] = field(default_factory=dict)

    def add(self, ref: str, recent: Sequence[Any], since: Any, clean_count: int, later_count: int) -> None:
        """The answers to one item, or to one question."""
        item_ref = item_of(ref)
        if recent:
            self.recent.setdefault(item_ref, []).extend(recent)
        if since is not None and (item_ref not in self.since or since < self.since[item_ref]):
            self.since[item_ref] = since
        self.clean[item_ref] = self.clean.get(item_ref, 0) + clean_count
        if later_count:
            self.later[item_ref] = self.later.get(item_ref, 0) + later_count


class CountedPast(NamedTuple):
    """A past as the rule of mastery takes it: the recent first answers, and the first day of each item."""

    answers: list[CountedAnswer]
    first_days: dict[str, date]


def standings_of(
    course: Course, past: Past, now: datetime, day_of: DayOf, read: Iterable[str] = ()
) -> Mapping[str, SkillState]:
    """A past by the rule of mastery. `read`: the skills whose section was read to its end."""
    counting_answers = counted_past(course, past, day_of)
    met_counts = Counter(dict.fromkeys(read, 0))
    met_counts.update(answered_skills(course, past))
    today = day_of(now)
    return skill_states(course, counting_answers.answers, counting_answers.first_days, today, met_counts)


def answered_skills(course: Course, past: Past) -> Iterator[str]:
    """The skill of every item that was answered, whatever the answer was worth."""
    for item_ref in past.clean:
        item = course.items.get(course.bare(item_ref))
        if item is not None:
            yield item.skill


def counted_past(course: Course, past: Past, day_of: DayOf) -> CountedPast:
    """What of a past counts for a skill."""
    answers: list[CountedAnswer] = []
    first_days = {}
    counted_items = course.counted
    for item_ref, recent in past.recent.items():
        item_id = course.bare(item_ref)
        if item_id not in counted_items:
            continue
        answers += [
            CountedAnswer(number, item_id, day_of(answered_at), right_at_once)
            for number, right_at_once, answered_at in recent
        ]
        if item_ref in past.since:
            first_days[item_id] = day_of(past.since[item_ref])
    return CountedPast(answers, first_days)
