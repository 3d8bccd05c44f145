"""Where a learner stands with every knowledge point, from what the answers to every item come to.

The rule is `app.course.practice.mastery.skill_practice`. An answer changes one skill: the practice of
the others is remembered, by the rows that it was made of. A page of practice of somebody with 1,200 answers
that count, in ms of CPU (`python -m bench.year`): 7.8 → 5.1, of somebody with 20,000 answers 9.5 → 5.3.
Between two answers all of it is: what such a page reads, on a busy machine, 3.9 → 2.0 and 4.3 → 2.4.
"""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from hashlib import sha256
from typing import NamedTuple

from app.course import Course
from app.course.content.recently_used import RecentlyUsed
from app.course.practice.mastery import (
    skill_practice,
    skill_state_by_skill_id_of_practice,
)
from app.course.practice.skill_states import SkillPractice, SkillState
from app.records.db.days import DayOf
from app.records.db.session import VerbSession
from app.records.learning import past_answers
from app.records.learning.answer_history import AnswerHistory, counted_history

MOST_PRACTICES = 4_000
"""The practice of so many skills is remembered, some 3 KB each: that of about eighty learners."""
PracticeKey = tuple[str, str, date, DayOf, bytes]
"""Digest of the course, skill, day, calendar of the learner, and digest of the answers."""
REMEMBERED_PRACTICES = RecentlyUsed[PracticeKey, SkillPractice](MOST_PRACTICES)
MOST_STANDINGS = 100
"""Of so many learners all standings are remembered, at some 50 KB each."""


class EarnedCounts(NamedTuple):
    """How often practice went right: at once without help, of that with twins, and otherwise."""

    clean_count: int
    right_later_count: int
    right_twin_count: int


class Standings(NamedTuple):
    """Where a learner stands with every skill, what they have answered, and how often it went right."""

    skill_state_by_skill_id: Mapping[str, SkillState]
    answered_item_ids: Collection[str]
    earned_counts: EarnedCounts


REMEMBERED_STANDINGS = past_answers.RememberedBySums[Standings](MOST_STANDINGS)


def load_standings(
    session: VerbSession,
    learner_id: int,
    course: Course,
    now: datetime,
    day_of_moment: DayOf,
    studied_skill_ids: frozenset[str],
) -> Standings:
    """Where a learner stands, by the sums of items. `studied_skill_ids`: see `skill_state_by_skill_id_of`."""
    mastery_sums = past_answers.load_mastery_sums(session, learner_id)

    def make_standings() -> Standings:
        answer_history = past_answers.history_of(session, learner_id, mastery_sums, now)
        skill_state_by_skill_id = skill_state_by_skill_id_of(
            course, answer_history, now, day_of_moment, studied_skill_ids
        )
        answered_item_ids = frozenset(map(course.bare_id, answer_history.clean_count_by_item_ref))
        return Standings(skill_state_by_skill_id, answered_item_ids, earned_counts_of(course, answer_history))

    return REMEMBERED_STANDINGS.recall_or_make(
        (course.digest, studied_skill_ids, day_of_moment(now), day_of_moment),
        mastery_sums,
        now,
        make_standings,
    )


def earned_counts_of(course: Course, answer_history: AnswerHistory) -> EarnedCounts:
    """How often practice went right."""
    right_twin_count = sum(
        answer_history.clean_count_by_item_ref.get(twin_ref, 0) for twin_ref in course.ref_by_twin_ref
    )
    clean_count = sum(answer_history.clean_count_by_item_ref.values())
    right_later_count = sum(answer_history.right_later_count_by_item_ref.values())
    return EarnedCounts(clean_count, right_later_count, right_twin_count)


def skill_state_by_skill_id_of(
    course: Course,
    answer_history: AnswerHistory,
    now: datetime,
    day_of_moment: DayOf,
    studied_skill_ids: Iterable[str] = (),
) -> Mapping[str, SkillState]:
    """A history by the rule of mastery. `studied_skill_ids`: those whose section was read to its end."""
    met_count_by_skill_id = Counter(dict.fromkeys(studied_skill_ids, 0))
    met_count_by_skill_id.update(answered_skill_ids(course, answer_history))
    refs_by_skill_id = counted_refs_by_skill_id(course, answer_history)
    today = day_of_moment(now)
    practice_by_skill_id = {}
    for skill_id in course.practised_skills:
        refs_of_skill = refs_by_skill_id[skill_id]
        practice_by_skill_id[skill_id] = remembered_practice(
            course, skill_id, answer_history, refs_of_skill, today, day_of_moment
        )
    return skill_state_by_skill_id_of_practice(course, practice_by_skill_id, met_count_by_skill_id)


def answered_skill_ids(course: Course, answer_history: AnswerHistory) -> Iterator[str]:
    """The skill of every item that was answered, whatever the answer was worth. A guess before teaching has
    met nothing yet, nor has a case of the 勘误馆, where everybody may look in."""
    for item_ref in answer_history.clean_count_by_item_ref:
        item = course.items.get(course.bare_id(item_ref))
        if item is not None and item.id not in course.probe_ids and item.id not in course.case_id_by_item_id:
            yield item.skill


def counted_refs_by_skill_id(course: Course, answer_history: AnswerHistory) -> Mapping[str, Sequence[str]]:
    """By skill the refs of the items with answers that count for it."""
    refs_by_skill_id = defaultdict[str, list[str]](list)
    skill_credit_by_item_id = course.skill_credit_by_item_id
    for item_ref in answer_history.answer_json_texts_by_item_ref:
        item_id = course.bare_id(item_ref)
        if item_id in skill_credit_by_item_id:
            refs_by_skill_id[skill_credit_by_item_id[item_id].skill_id].append(item_ref)
    return refs_by_skill_id


def remembered_practice(
    course: Course,
    skill_id: str,
    answer_history: AnswerHistory,
    item_refs: Sequence[str],
    today: date,
    day_of_moment: DayOf,
) -> SkillPractice:
    """The practice of one skill, from the answers to its items; remembered by them."""
    digested_texts = []
    for item_ref in item_refs:
        first_clean_at = answer_history.first_clean_at_by_item_ref.get(item_ref)
        answer_json_texts = answer_history.answer_json_texts_by_item_ref[item_ref]
        digested_texts += [item_ref, *answer_json_texts, str(first_clean_at)]
    answers_digest = sha256("\n".join(digested_texts).encode()).digest()
    cache_key = (course.digest, skill_id, today, day_of_moment, answers_digest)
    practice = REMEMBERED_PRACTICES.recall(cache_key)
    if practice is None:
        counted_answers, first_day_by_item_id = counted_history(
            course, answer_history, item_refs, day_of_moment
        )
        practice = skill_practice(
            course, course.practised_skills[skill_id], counted_answers, first_day_by_item_id, today
        )
        REMEMBERED_PRACTICES.keep(cache_key, practice)
    return practice
