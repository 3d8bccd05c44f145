"""What somebody has answered, as the rule of mastery takes it: `mastery.skill_practice`."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import takewhile
from typing import Any, NamedTuple

from app.course import Course
from app.course.content.refs import item_ref_of
from app.course.practice.mastery import WINDOW_LENGTH
from app.course.practice.skill_states import AnswerMoment, CountedAnswer
from app.records.db.days import DayOf

NO_ANSWERS = "[]"
"""The JSON of an item whose first answers all had hints."""


@dataclass(frozen=True)
class AnswerHistory:
    """What somebody has answered, by item, whichever question of an assignment it was. A time stays as the
    database keeps it until it is asked for, and a list of answers stays JSON.

    `answer_json_texts_by_item_ref`: of each question the first answers without hints that are kept, as (time,
    number, clean); `first_clean_at_by_item_ref`: when it was first right at once, without help;
    `clean_count_by_item_ref` and `right_later_count_by_item_ref`: how often it was right in practice, at once
    without help and otherwise.
    """

    answer_json_texts_by_item_ref: dict[str, list[str]] = field(default_factory=dict)
    first_clean_at_by_item_ref: dict[str, Any] = field(default_factory=dict)
    clean_count_by_item_ref: dict[str, int] = field(default_factory=dict)
    right_later_count_by_item_ref: dict[str, int] = field(default_factory=dict)

    def add_answers(
        self,
        answered_ref: str,
        answers_json: str,
        first_clean_at: Any,
        clean_count: int,
        right_later_count: int,
    ) -> None:
        """The answers to one item, or to one question."""
        item_ref = item_ref_of(answered_ref)
        if answers_json != NO_ANSWERS:
            self.answer_json_texts_by_item_ref.setdefault(item_ref, []).append(answers_json)
        if first_clean_at is not None:
            earlier_clean_at = self.first_clean_at_by_item_ref.get(item_ref, first_clean_at)
            self.first_clean_at_by_item_ref[item_ref] = min(earlier_clean_at, first_clean_at)
        self.clean_count_by_item_ref[item_ref] = self.clean_count_by_item_ref.get(item_ref, 0) + clean_count
        if right_later_count:
            self.right_later_count_by_item_ref[item_ref] = (
                self.right_later_count_by_item_ref.get(item_ref, 0) + right_later_count
            )


def insert_by_moment(answer: list[Any], answers: list[list[Any]]) -> None:
    """Put an answer among others, the newest first. Each begins with its moment and its number, which are the
    fields of an `AnswerMoment`: a paper that is collected late comes into the log behind newer answers.

    >>> answers = [["2026-09-08", 7], ["2026-09-07", 5]]
    >>> insert_by_moment(["2026-09-07", 9], answers)
    >>> answers
    [['2026-09-08', 7], ['2026-09-07', 9], ['2026-09-07', 5]]
    """
    newer_answers = takewhile(answer.__lt__, answers)
    answers.insert(len(list(newer_answers)), answer)


def first_answers_to_keep(first_answers: Sequence[list[Any]], day_of_moment: DayOf) -> list[list[Any]]:
    """Of the first answers to one item, as (time, number, clean), the newest first, those that the rule of
    mastery looks at: the last ones, and the first one of the newest day, after which the solution was known.

    >>> first_answers = [[day, number, 1] for day, number in zip("222222221", range(9, 0, -1))]
    >>> [number for _, number, _ in first_answers_to_keep(first_answers, int)]
    [9, 8, 7, 6, 5, 4, 2]
    """
    kept_answers = list(first_answers[:WINDOW_LENGTH])
    if len(first_answers) > WINDOW_LENGTH:
        days = [day_of_moment(answered_at) for answered_at, *_ in first_answers]
        newest_days = list(takewhile(lambda day: day == days[0], days))
        kept_answers += first_answers[WINDOW_LENGTH : len(newest_days)][-1:]
    return kept_answers


def read_json_texts(json_texts: Sequence[str]) -> list[Any]:
    """What each of these texts of JSON says, in a third of the time that one by one would take.

    >>> read_json_texts(["[1,2]", "{}"])
    [[1, 2], {}]
    """
    joined_texts = ",".join(json_texts)
    json_values: list[Any] = json.loads(f"[{joined_texts}]")
    return json_values


class CountedHistory(NamedTuple):
    """A history as the rule of mastery takes it: the last first answers, and the day on which each item was
    first right at once."""

    counted_answers: list[CountedAnswer]
    first_day_by_item_id: dict[str, date]


def counted_history(
    course: Course, answer_history: AnswerHistory, item_refs: Iterable[str], day_of_moment: DayOf
) -> CountedHistory:
    """What of a history counts for skills: the answers to these items, which the course counts."""
    counted_answers: list[CountedAnswer] = []
    first_day_by_item_id = {}
    for item_ref in item_refs:
        item_id = course.bare_id(item_ref)
        for answers_to_question in read_json_texts(answer_history.answer_json_texts_by_item_ref[item_ref]):
            counted_answers += [
                CountedAnswer(
                    AnswerMoment(answered_at, response_id),
                    item_id,
                    day_of_moment(answered_at),
                    is_right_at_once,
                )
                for answered_at, response_id, is_right_at_once in answers_to_question
            ]
        if item_ref in answer_history.first_clean_at_by_item_ref:
            first_day_by_item_id[item_id] = day_of_moment(answer_history.first_clean_at_by_item_ref[item_ref])
    return CountedHistory(counted_answers, first_day_by_item_id)
