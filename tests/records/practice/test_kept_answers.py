"""Of the answers to an item its sum keeps few: they say of mastery what all of them would."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.course.practice.mastery import skill_practice
from app.course.practice.skill_states import AnswerMoment, CountedAnswer, SkillPractice
from app.records.db.days import TimeZones
from app.records.db.stored_times import stored_time
from app.records.learning.item_sums import (
    COUNTS_AS_CLEAN,
    COUNTS_AS_MISSED,
    AnswerToAdd,
    ItemTotals,
    join_wrong_answers,
    pack_wrong_answers,
)
from tests.records.all_sums import rebuild_all_sums
from tests.records.cast import Desk
from tests.records.practice.diary import COURSE, Diary

MONDAY = datetime(2026, 9, 7, 1, 0, tzinfo=UTC)
HOURS = (0, 0, 1, 6, 20, 24)
HOURS_BACK = (*HOURS, -1, -7, -30)
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
Runs = Sequence[tuple[int, bool, int, int]]


def runs_with(hours: Sequence[int]) -> st.SearchStrategy[Runs]:
    """Which question, whether right at once, how often in a row, so many hours after the answer before."""
    run = st.tuples(st.integers(0, 2), st.booleans(), st.integers(1, 8), st.sampled_from(hours))
    return st.lists(run, max_size=20)


@pytest.mark.parametrize("skill_id", QUESTIONS_BY_SKILL_ID)
@given(runs=runs_with(HOURS), time_zones=st.sampled_from(ZONES))
def test_what_is_kept_decides_as_the_whole_log_does(skill_id: str, runs: Runs, time_zones: TimeZones) -> None:
    expect_same_practice(skill_id, runs, time_zones)


@pytest.mark.parametrize("skill_id", QUESTIONS_BY_SKILL_ID)
@given(runs=runs_with(HOURS_BACK))
def test_what_is_marked_late_is_kept_in_its_place(skill_id: str, runs: Runs) -> None:
    expect_same_practice(skill_id, runs, ZONES[0])


def expect_same_practice(skill_id: str, runs: Runs, time_zones: TimeZones) -> None:
    """What the sums of the items keep comes to what the whole log comes to."""
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
            moment = AnswerMoment(stored_time(answered_at), response_id)
            logged_answers.append(CountedAnswer(moment, item_id, day_of_moment(answered_at), is_clean))
            answer_to_add = AnswerToAdd(response_id, counts_as, not is_clean, None, stored_time(answered_at))
            item_totals.add_answer(answer_to_add, True, None, day_of_moment)
    kept_answers = [
        CountedAnswer(AnswerMoment(kept_at, kept_id), item_id, day_of_moment(kept_at), bool(is_clean))
        for item_id, item_totals in totals_by_item_id.items()
        for kept_at, kept_id, is_clean in item_totals.first_answers
    ]
    first_day_by_item_id = {
        item_id: day_of_moment(item_totals.first_clean_at)
        for item_id, item_totals in totals_by_item_id.items()
        if item_totals.first_clean_at
    }

    def practice_by(counted_answers: list[CountedAnswer]) -> SkillPractice:
        skill = COURSE.practised_skills[skill_id]
        today = max((answer.day for answer in logged_answers), default=MONDAY.date())
        practice = skill_practice(COURSE, skill, counted_answers, first_day_by_item_id, today)
        return practice._replace(tried_count=0)  # of which no more are counted than are kept

    assert practice_by(kept_answers) == practice_by(logged_answers)


@given(hours=st.lists(st.sampled_from(HOURS_BACK), max_size=70))
def test_a_sum_keeps_the_newest_of_all_in_whatever_order_they_are_added(hours: Sequence[int]) -> None:
    answered_at = MONDAY
    answers_to_add = []
    for response_id, hours_later in enumerate(hours, start=1):
        answered_at += timedelta(hours=hours_later)
        counts_as = COUNTS_AS_CLEAN if response_id % 2 else COUNTS_AS_MISSED
        is_wrong = counts_as == COUNTS_AS_MISSED
        answers_to_add.append(AnswerToAdd(response_id, counts_as, is_wrong, None, stored_time(answered_at)))
    in_turn = sorted(answers_to_add, key=lambda answer: (answer.answered_at, answer.response_id))
    totals_by_log, totals_by_time = totals_of(answers_to_add), totals_of(in_turn)
    assert totals_by_log == totals_by_time
    packed_answers = ""
    for answer in answers_to_add:
        added_answer = pack_wrong_answers(totals_of([answer]).wrong_answers)
        packed_answers = join_wrong_answers(added_answer, packed_answers)
    assert packed_answers == pack_wrong_answers(totals_by_time.wrong_answers)


def totals_of(answers_to_add: Sequence[AnswerToAdd]) -> ItemTotals:
    item_totals = ItemTotals()
    for answer_to_add in answers_to_add:
        item_totals.add_answer(answer_to_add, True, None, ZONES[0].day_of_moment)
    return item_totals
