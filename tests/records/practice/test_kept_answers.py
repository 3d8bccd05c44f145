"""Of the answers to an item its sum keeps few: they say of mastery what all of them would."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.course.practice.mastery import skill_practice
from app.course.practice.skill_states import CountedAnswer, SkillPractice
from app.records.db.days import TimeZones
from app.records.db.stored_times import stored_time
from app.records.learning.item_sums import (
    COUNTS_AS_CLEAN,
    COUNTS_AS_MISSED,
    AnswerToAdd,
    ItemTotals,
)
from tests.records.all_sums import rebuild_all_sums
from tests.records.cast import Desk
from tests.records.practice.diary import COURSE, Diary

MONDAY = datetime(2026, 9, 7, 1, 0, tzinfo=UTC)
HOURS = (0, 0, 1, 6, 20, 24)
SKILL_OF_ITEMS = COURSE.practised_skills["grades"]


@pytest.mark.parametrize("repeat_count", [1, 5, 6, 7, 20])
def test_a_solution_that_is_known_makes_no_skill_held(desk: Desk, repeat_count: int) -> None:
    """However often the same items are answered again that day; another day they are asked anew."""
    diary = Diary(desk)
    for item_id in SKILL_OF_ITEMS.item_ids:
        diary.once(item_id, "-")
    for _ in range(repeat_count):
        for item_id in SKILL_OF_ITEMS.item_ids:
            diary.once(item_id, "+")
    assert diary.state(SKILL_OF_ITEMS.id) == "learning"
    assert diary.look().skill_state_by_skill_id[SKILL_OF_ITEMS.id].practice.window.right_count == 0
    assert not desk.write(rebuild_all_sums)
    diary.sleep()
    for item_id in SKILL_OF_ITEMS.item_ids:
        diary.once(item_id, "+")
    assert diary.state(SKILL_OF_ITEMS.id) == "remembered"


QUESTIONS_BY_SKILL_ID = {
    SKILL_OF_ITEMS.id: SKILL_OF_ITEMS.item_ids,
    "dcg": ("practice-dcg-1", "practice-dcg-2", "practice-dcg-3"),
}
ZONES = (
    TimeZones("Asia/Shanghai"),
    TimeZones("America/New_York", f"{stored_time(MONDAY + timedelta(hours=30))} Asia/Shanghai"),
)
runs = st.lists(
    st.tuples(st.integers(0, 2), st.booleans(), st.integers(1, 8), st.sampled_from(HOURS)), max_size=20
)
"""Which question, whether right at once, how often in a row, and how many hours after the answer before."""


@pytest.mark.parametrize("skill_id", QUESTIONS_BY_SKILL_ID)
@given(runs=runs, time_zones=st.sampled_from(ZONES))
def test_what_is_kept_decides_as_the_whole_log_does(
    skill_id: str, runs: Sequence[tuple[int, bool, int, int]], time_zones: TimeZones
) -> None:
    day_of_moment = time_zones.day_of_moment
    totals_by_item_id: dict[str, ItemTotals] = {}
    logged_answers: list[CountedAnswer] = []
    answered_at = MONDAY
    for question_index, is_clean, answer_count, hours in runs:
        item_id = QUESTIONS_BY_SKILL_ID[skill_id][question_index]
        item_totals = totals_by_item_id.setdefault(item_id, ItemTotals())
        counts_as = COUNTS_AS_CLEAN if is_clean else COUNTS_AS_MISSED
        answered_at += timedelta(hours=hours)
        for _ in range(answer_count):
            answered_at += timedelta(minutes=1)
            response_id = len(logged_answers) + 1
            logged_answers.append(CountedAnswer(response_id, item_id, day_of_moment(answered_at), is_clean))
            answer_to_add = AnswerToAdd(response_id, counts_as, not is_clean, None, stored_time(answered_at))
            item_totals.add_answer(answer_to_add, True, None, day_of_moment)
    kept_answers = [
        CountedAnswer(kept_id, item_id, day_of_moment(kept_at), bool(is_clean))
        for item_id, item_totals in totals_by_item_id.items()
        for kept_id, is_clean, kept_at in item_totals.first_answers
    ]
    first_day_by_item_id = {
        item_id: day_of_moment(item_totals.first_clean_at)
        for item_id, item_totals in totals_by_item_id.items()
        if item_totals.first_clean_at
    }

    def practice_by(counted_answers: list[CountedAnswer]) -> SkillPractice:
        skill = COURSE.practised_skills[skill_id]
        today = day_of_moment(answered_at)
        practice = skill_practice(COURSE, skill, counted_answers, first_day_by_item_id, today)
        return practice._replace(tried_count=0)  # of which no more are counted than are kept

    assert practice_by(kept_answers) == practice_by(logged_answers)
