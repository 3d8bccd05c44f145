"""What somebody has answered, as the rule of mastery takes it: `app.course.practice.mastery.skill_states`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from itertools import chain, islice
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, case, or_

from app.course import Course
from app.course.content.refs import item_ref_of
from app.course.items.marks import WHOLE_SCORE
from app.course.practice.mastery import CountedAnswer
from app.records.db.days import DayOf
from app.records.learning.rows import ATTEMPT, RESPONSE

NO_ANSWERS = "[]"
"""The JSON of an item whose first answers all had hints."""
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
    is_whole = or_(answer.score <= 0, answer.score >= WHOLE_SCORE)
    return and_(answer.verdict == "right", is_whole)


def is_judged(answer: Any) -> ColumnElement[bool]:
    """Not words that nobody marks, or has marked yet: these are right and worth nothing."""
    return or_(answer.verdict != "right", answer.score > 0)


RIGHT = RESPONSE.verdict == "right"
FIRST_UNAIDED = and_(RESPONSE.try_number == 1, RESPONSE.hints == 0)
IF_ALONE = (is_right_alone(RESPONSE), "right")
OUTCOME = case(IF_ALONE, (RIGHT, "corrected"), else_=RESPONSE.verdict)
"""The verdict on an answer; what was reached together is no more than 改对了."""
IS_CLEAN = and_(FIRST_UNAIDED, RESPONSE.score >= WHOLE_SCORE, RIGHT)
IS_PRACTICE = ATTEMPT.source == "practice"


@dataclass(frozen=True)
class Past:
    """What somebody has answered, by item, whichever question of an assignment it was. A time stays as the
    database keeps it until it is asked for, and a list of answers stays JSON.

    `recent_texts`: of each question the last first answers without hints, as `recent` reads them; `since`:
    when it was first clean; `clean`, `later`: how often right in practice, at once without help and
    otherwise.
    """

    recent_texts: dict[str, list[str]] = field(default_factory=dict)
    since: dict[str, Any] = field(default_factory=dict)
    clean: dict[str, int] = field(default_factory=dict)
    later: dict[str, int] = field(default_factory=dict)

    def add(self, ref: str, recent_text: str, since: Any, clean_count: int, later_count: int) -> None:
        """The answers to one item, or to one question."""
        item_ref = item_ref_of(ref)
        if recent_text != NO_ANSWERS:
            self.recent_texts.setdefault(item_ref, []).append(recent_text)
        if since is not None and (item_ref not in self.since or since < self.since[item_ref]):
            self.since[item_ref] = since
        self.clean[item_ref] = self.clean.get(item_ref, 0) + clean_count
        if later_count:
            self.later[item_ref] = self.later.get(item_ref, 0) + later_count

    @cached_property
    def recent(self) -> Mapping[str, Sequence[Any]]:
        """By item the last first answers without hints, as (number, clean, time)."""
        answers_by_list = iter(read_json_texts([*chain.from_iterable(self.recent_texts.values())]))
        recent: dict[str, list[Any]] = {}
        for item_ref, texts in self.recent_texts.items():
            recent[item_ref] = [*chain.from_iterable(islice(answers_by_list, len(texts)))]
        return recent


def read_json_texts(texts: Sequence[str]) -> list[Any]:
    """What each of these texts of JSON says, in a third of the time that one by one would take.

    >>> read_json_texts(["[1,2]", "{}"])
    [[1, 2], {}]
    """
    joined_texts = ",".join(texts)
    values: list[Any] = json.loads(f"[{joined_texts}]")
    return values


class CountedPast(NamedTuple):
    """A past as the rule of mastery takes it: the recent first answers, and the first day of each item."""

    answers: list[CountedAnswer]
    first_days: dict[str, date]


def counted_past(course: Course, past: Past, item_refs: Iterable[str], day_of: DayOf) -> CountedPast:
    """What of a past counts for skills: the answers to these items, which the course counts."""
    answers: list[CountedAnswer] = []
    first_days = {}
    for item_ref in item_refs:
        item_id = course.bare(item_ref)
        for recent_answers in read_json_texts(past.recent_texts[item_ref]):
            answers += [
                CountedAnswer(number, item_id, day_of(answered_at), right_at_once)
                for number, right_at_once, answered_at in recent_answers
            ]
        if item_ref in past.since:
            first_days[item_id] = day_of(past.since[item_ref])
    return CountedPast(answers, first_days)
