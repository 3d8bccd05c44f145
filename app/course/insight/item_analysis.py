"""How a question behaved: what the first answers of a class say of it.

Every figure comes with how many answers it rests on and with an interval: ten students are no law.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import NamedTuple

from app.course.insight.intervals import (
    Interval,
    correlation_interval,
    mean_interval,
    median_interval,
    point_biserial,
    wilson_interval,
)

FEWEST_ANSWERS_FOR_FIGURES = 10
"""With fewer answers nothing is concluded: 样本太少，先别下结论."""


class FirstResponse(NamedTuple):
    """The first answer of a student to a question.

    `wrong_answer_key`: what a wrong one is counted under: the code of its misconception, else `=` and what
    was typed; of one that a teacher marked, `missed ` and the lines of the rubric that it lacks. None for a
    right one, and where the solution was looked at.
    """

    learner_id: int
    item_ref: str
    is_right: bool
    was_hinted: bool
    answer_seconds: int | None
    wrong_answer_key: str | None


UNREAD_ANSWER = "unread"
"""What a wrong answer is counted under that nobody could read: it earned nothing."""


def unread_response(learner_id: int, item_ref: str) -> FirstResponse:
    """A first answer that could not be read."""
    return FirstResponse(learner_id, item_ref, False, False, None, UNREAD_ANSWER)


class Average(NamedTuple):
    """A median or a mean of so many values; the interval is None where they are too few for one."""

    average: float | None
    value_count: int
    interval: Interval | None = None


class ItemFigures(NamedTuple):
    """What first answers say of a question. `wrong_answers_with_counts`: the most frequent first, as they
    were counted, or in words.

    `compared_answer_count`: so many of those who answered have another question that it can be compared with.
    """

    item_ref: str
    answer_count: int
    right_count: int
    facility_interval: Interval
    discrimination: float | None
    discrimination_interval: Interval | None
    compared_answer_count: int
    median_time: Average
    hinted_count: int
    wrong_answers_with_counts: Sequence[tuple[str | None, int]]

    @property
    def is_enough(self) -> bool:
        """Whether anything may be concluded."""
        return self.answer_count >= FEWEST_ANSWERS_FOR_FIGURES

    @property
    def hinted_interval(self) -> Interval:
        """Of the share that looked at a hint first."""
        return wilson_interval(self.hinted_count, self.answer_count)

    @property
    def facility(self) -> float:
        return self.right_count / self.answer_count if self.answer_count else 0.0


@dataclass(slots=True)
class LearnerTally:
    """What a learner got right, of so many questions."""

    right_count: int = 0
    answer_count: int = 0


def figures_by_item_ref(first_responses: Iterable[FirstResponse]) -> Mapping[str, ItemFigures]:
    """The figures of every question, by its name, in the order in which they were met."""
    first_responses_by_item_ref: dict[str, list[FirstResponse]] = defaultdict(list)
    tally_by_learner_id: dict[int, LearnerTally] = defaultdict(LearnerTally)
    for first_response in first_responses:
        first_responses_by_item_ref[first_response.item_ref].append(first_response)
        learner_tally = tally_by_learner_id[first_response.learner_id]
        learner_tally.right_count += first_response.is_right
        learner_tally.answer_count += 1
    return {
        item_ref: figures_of(item_ref, responses_to_item, tally_by_learner_id)
        for item_ref, responses_to_item in first_responses_by_item_ref.items()
    }


def figures_without_answers(item_ref: str) -> ItemFigures:
    """The figures of a question that nobody has answered."""
    return figures_of(item_ref, (), {})


def figures_of(
    item_ref: str, first_responses: Sequence[FirstResponse], tally_by_learner_id: Mapping[int, LearnerTally]
) -> ItemFigures:
    """The figures of one question; the tallies are those of all questions, its own among them."""
    right_count = sum(first_response.is_right for first_response in first_responses)
    answer_seconds = [
        first_response.answer_seconds
        for first_response in first_responses
        if first_response.answer_seconds is not None
    ]
    right_flags, other_shares = right_flags_and_other_shares(first_responses, tally_by_learner_id)
    discrimination, discrimination_interval = discrimination_and_interval(right_flags, other_shares)
    count_by_wrong_answer_key = Counter(
        first_response.wrong_answer_key for first_response in first_responses if not first_response.is_right
    )
    return ItemFigures(
        item_ref=item_ref,
        answer_count=len(first_responses),
        right_count=right_count,
        facility_interval=wilson_interval(right_count, len(first_responses)),
        discrimination=discrimination,
        discrimination_interval=discrimination_interval,
        compared_answer_count=len(right_flags),
        median_time=median_of(answer_seconds),
        hinted_count=sum(first_response.was_hinted for first_response in first_responses),
        wrong_answers_with_counts=count_by_wrong_answer_key.most_common(),
    )


def median_of(answer_seconds: Sequence[int]) -> Average:
    if not answer_seconds:
        return Average(None, 0)
    return Average(median(answer_seconds), len(answer_seconds), median_interval(answer_seconds))


def right_flags_and_other_shares(
    first_responses: Sequence[FirstResponse], tally_by_learner_id: Mapping[int, LearnerTally]
) -> tuple[list[bool], list[float]]:
    """Who was right, and which share of their other questions: a question is not compared with itself."""
    right_flags = []
    other_shares = []
    for first_response in first_responses:
        learner_tally = tally_by_learner_id[first_response.learner_id]
        if learner_tally.answer_count > 1:
            right_flags.append(first_response.is_right)
            other_shares.append(
                (learner_tally.right_count - first_response.is_right) / (learner_tally.answer_count - 1)
            )
    return right_flags, other_shares


def discrimination_and_interval(
    right_flags: Sequence[bool], shares: Sequence[float]
) -> tuple[float | None, Interval | None]:
    """`point_biserial`, with its interval; None for two or fewer."""
    if len(right_flags) <= 2:
        return None, None
    correlation = point_biserial(right_flags, shares)
    if correlation is None:
        return None, None
    return correlation, correlation_interval(correlation, len(right_flags))


def average_tries(further_try_counts: Sequence[int], answer_count: int) -> Average:
    """How often one tried, on average. `further_try_counts`: of everybody who tried again.

    >>> average = average_tries([1, 2], 4)
    >>> average.average, round(average.interval.lower, 2), round(average.interval.upper, 2)
    (1.75, 1.0, 3.27)
    """
    try_counts = [1 + further_try_count for further_try_count in further_try_counts]
    try_counts += [1] * (answer_count - len(try_counts))
    if not try_counts:
        return Average(None, 0)
    if len(try_counts) < 2:
        return Average(fmean(try_counts), len(try_counts))
    interval = mean_interval(try_counts)
    return Average(fmean(try_counts), len(try_counts), Interval(max(1.0, interval.lower), interval.upper))
