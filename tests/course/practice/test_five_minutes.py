"""今天的五分钟: the same all day, another one tomorrow, the weakest points first."""

from collections.abc import Collection, Mapping
from datetime import date, timedelta

import pytest

from app.course.practice.five_minutes import (
    QUESTION_COUNT,
    SHORT_MINUTES,
    DailyPlan,
    DailyQuestion,
    daily_plan,
)
from app.course.practice.mastery import RUST_AFTER
from app.course.practice.recommending import LearnerRecord
from app.course.practice.skill_states import SkillState
from app.course.practice.skill_words import state_reason
from app.course.reference.errata import case_item_id
from tests.course.histories import MONDAY, Past, skill_state_by_skill_id_of
from tests.published import published
from tests.tables import each

COURSE = published()
CASES = [case_item_id(case) for case in COURSE.errata]


def past() -> Past:
    return Past(COURSE)


def plan_of(
    states: Mapping[str, SkillState], day: date, learner_id: int = 7, solved: Collection[str] = ()
) -> DailyPlan:
    return daily_plan(LearnerRecord(COURSE, states, day, salt=learner_id), solved)


def questions_of(learner: Past) -> tuple[DailyQuestion, ...]:
    return daily_plan(learner.learner_record(), ()).questions


def met(*skill_ids: str) -> Mapping[str, SkillState]:
    """The skills of who has read the sections of these alone."""
    return skill_state_by_skill_id_of(COURSE, [], {}, MONDAY, dict.fromkeys(skill_ids, 0))


def test_who_has_learnt_nothing_gets_a_game_alone() -> None:
    plan = plan_of(met(), MONDAY)
    assert plan.questions == ()
    assert plan.case_id is None


def test_a_case_asks_what_was_met_and_nothing_else() -> None:
    asked_skill_ids = set()
    for day in range(60):
        case_id = plan_of(met("ndcg", "grades"), MONDAY + timedelta(days=day)).case_id
        assert case_id
        asked_skill_ids.add(COURSE.errata[case_id].item.skill)
    assert asked_skill_ids == {"ndcg"}
    assert plan_of(met("grades"), MONDAY).case_id is None, "no case asks for it"
    practised = past().practise("dcg", "-", level=1).standings()
    case_id = plan_of(practised, MONDAY).case_id
    assert case_id
    assert COURSE.errata[case_id].item.skill == "dcg"


def test_a_case_that_begins_in_the_middle_waits_for_the_one_before_it() -> None:
    case_ids = {case_id for case_id, case in COURSE.errata.items() if case.goes_on_from}
    assert {"asfarray", "movie-c", "set-order"} <= case_ids
    states = met(*COURSE.practised_skills)
    solved = {*CASES} - {case_item_id("asfarray"), case_item_id("missing-import")}
    assert plan_of(states, MONDAY, solved=solved).case_id == "missing-import"
    solved.add(case_item_id("missing-import"))
    assert plan_of(states, MONDAY, solved=solved).case_id == "asfarray"


def test_what_came_back_is_first_then_what_was_not_answered_for_longest() -> None:
    learner = past().practise("dcg", "+++++").practise("cg", "++++-").practise("gain", "-").sleep()
    states = learner.practise("ndcg", "+").standings()
    plan = plan_of(states, learner.day)
    assert [daily_question.skill_id for daily_question in plan.questions] == ["dcg", "cg"]
    assert plan.questions[0].reason == f"“{states['dcg'].skill.name}”会了：{state_reason(states['dcg'])}"


def test_a_point_is_said_to_stand_where_it_stands_now() -> None:
    """The choice is the morning's; the words are not, or they would contradict the map."""
    learner = past().practise("cg", "-").sleep()
    morning = learner.learner_record()
    current = learner.practise("cg", "+++++").standings()
    [daily_question, *_] = daily_plan(morning, (), current).questions
    assert daily_question.skill_id == "cg"
    assert daily_question.reason == f"“{current['cg'].skill.name}”会了：{state_reason(current['cg'])}"
    assert daily_question.attempt_name == daily_plan(morning, ()).questions[0].attempt_name


def test_what_is_remembered_is_left_in_peace() -> None:
    learner = past().practise("dcg", "+++++").sleep().practise("dcg", "+").sleep()
    assert questions_of(learner) == ()


def test_what_was_not_touched_for_a_week_is_asked_lest_it_rust() -> None:
    learner = past().practise("dcg", "+++++").practise("cg", "+++++").sleep()
    learner.practise("cg", "+").sleep().practise("dcg", "+").sleep(RUST_AFTER.days - 1)
    [daily_question] = questions_of(learner)
    assert (daily_question.skill_id, daily_question.level) == ("cg", 3)
    name = COURSE.practised_skills["cg"].name
    assert daily_question.reason == f"“{name}”还记得，可是7天没碰了：来道难的，别让它生锈。"
    assert [daily_question.skill_id for daily_question in questions_of(learner.sleep())] == ["cg", "dcg"]
    weak_first = questions_of(learner.practise("gain", "-").sleep())
    assert [daily_question.skill_id for daily_question in weak_first] == ["gain", "cg"]


def test_weak_skills_leave_a_place_to_what_rusts_on_every_second_day() -> None:
    learner = past().practise("ndcg", "+++++").sleep().practise("ndcg", "+").sleep(RUST_AFTER.days)
    weak_ids = ["ties", "empty-query", "choosing-k"]
    for skill_id in weak_ids:
        learner.answer(COURSE.practised_skills[skill_id].item_ids[0], "-")
    asked_ids = [[question.skill_id for question in questions_of(learner.sleep())] for _ in range(4)]
    assert sorted(asked_ids) == [["ties", "empty-query"]] * 2 + [["ties", "ndcg"]] * 2
    assert asked_ids[0] == asked_ids[2] != asked_ids[1]


def test_five_skills_take_turns_before_another_one_is_begun() -> None:
    begun_ids = ["ties", "empty-query", "choosing-k", "offline-online", "improving"]
    learner = past()
    for skill_id in begun_ids[:4]:
        learner.answer(COURSE.practised_skills[skill_id].item_ids[0], "-")
    met_count = {"range": 2}
    states = skill_state_by_skill_id_of(COURSE, learner.dones, {}, MONDAY, met_count)
    assert [daily_question.skill_id for daily_question in plan_of(states, MONDAY).questions] == [
        "range",
        "ties",
    ]
    learner.answer(COURSE.practised_skills["improving"].item_ids[0], "-")
    asked_ids = []
    for _ in range(5):
        states = skill_state_by_skill_id_of(COURSE, learner.sleep().dones, {}, learner.day, met_count)
        for daily_question in plan_of(states, learner.day).questions:
            asked_ids.append(daily_question.skill_id)
            learner.answer(daily_question.item_id, "-")
    assert asked_ids == begun_ids * QUESTION_COUNT


ITEMS = COURSE.practised_skills["offline-online"].item_ids


def test_an_item_that_was_never_asked_comes_before_one_that_failed_and_that_before_the_others() -> None:
    learner = past().answer(ITEMS[0], "+").answer(ITEMS[1], "-")
    for item_id in ITEMS[2:]:
        assert [daily_question.item_id for daily_question in questions_of(learner.sleep())] == [item_id]
        learner.answer(item_id, "-")
    for item_id in ITEMS[1:4]:
        assert [daily_question.item_id for daily_question in questions_of(learner.sleep())] == [item_id]
        learner.answer(item_id, "+")


def test_an_item_of_a_section_that_is_still_to_come_is_not_asked() -> None:
    learner = past().answer(ITEMS[0], "-").sleep()
    unread = frozenset(ITEMS[2:])
    record = learner.learner_record()._replace(unread_item_ids=unread, answered_item_ids={ITEMS[0]})
    assert [question.item_id for question in daily_plan(record, ()).questions] == [ITEMS[1]]
    everything = record._replace(unread_item_ids=frozenset(ITEMS), answered_item_ids={ITEMS[0]})
    assert [question.item_id for question in daily_plan(everything, ()).questions] == [ITEMS[0]]
    met_alone = LearnerRecord(COURSE, met("offline-online"), MONDAY, unread_item_ids=frozenset(ITEMS))
    assert daily_plan(met_alone, ()).questions == (), "nothing of it was taught yet"


def test_who_flew_west_is_asked_again_what_was_answered_on_the_same_date() -> None:
    """The date began anew on the way: all items were answered on it, and before its morning."""
    learner = past()
    for item_id in ITEMS:
        learner.answer(item_id, "-")
    assert [daily_question.item_id for daily_question in questions_of(learner)] == [ITEMS[0]]


def test_what_fails_again_and_again_gives_way_to_what_it_needs() -> None:
    learner = past().practise("cg", "+++++").practise("dcg", "-", level=1).practise("term", "+-+-").sleep()
    assert [daily_question.skill_id for daily_question in questions_of(learner)] == ["cg", "dcg"]
    learner.practise("cg", "+").practise("dcg", "-", level=1).sleep()
    [daily_question] = questions_of(learner)
    assert daily_question.skill_id == "term"
    assert daily_question.reason == "“折损累计增益DCG”先放一放，退一步：它要用到“一项的值”。"


def test_what_does_not_bear_yet_is_asked_first_and_once() -> None:
    states = skill_state_by_skill_id_of(
        COURSE, past().practise("cg", "-").dones, {}, MONDAY, {"dcg": 0, "term": 0, "gain": 0}
    )
    questions = plan_of(states, MONDAY).questions
    assert [daily_question.skill_id for daily_question in questions] == ["gain", "cg"]


@pytest.mark.parametrize(("skill_id", "minutes"), [("dcg", 3), ("cut-off", 2), ("ndcg", 4)])
def test_a_short_exercise_is_chosen_where_there_is_one(skill_id: str, minutes: int) -> None:
    skill_state = skill_state_by_skill_id_of(COURSE, [], {}, MONDAY, {skill_id: 1})[skill_id]
    states = {skill_id: skill_state._replace(missing_skills=())}
    for day in range(20):
        [daily_question] = plan_of(states, MONDAY + timedelta(days=day)).questions
        assert COURSE.items[daily_question.item_id].minutes <= max(minutes, SHORT_MINUTES)


def test_the_exercises_of_a_skill_take_turns() -> None:
    learner = past().practise("gain-v2", "-")
    exercise_ids = []
    for _ in range(3):
        [daily_question] = questions_of(learner.sleep())
        assert daily_question.exercise_id
        exercise_ids.append(daily_question.exercise_id)
        learner.practise(daily_question.exercise_id, "-", daily_question.level)
    assert exercise_ids == ["gain-exponential-v2", "gain-v2", "gain-exponential-v2"]


def test_the_questions_are_those_of_the_course() -> None:
    states = skill_state_by_skill_id_of(COURSE, [], {}, MONDAY, dict.fromkeys(COURSE.practised_skills, 0))
    for day in range(30):
        plan = plan_of(states, MONDAY + timedelta(days=day), day)
        for daily_question in plan.questions:
            assert COURSE.variant(daily_question.item_id, daily_question.seed)
            assert COURSE.skill_credit_by_item_id[daily_question.item_id].skill_id == daily_question.skill_id


def test_a_day_stays_and_the_next_one_differs() -> None:
    states = past().practise("cg", "-").standings()
    first, same, next_day = (
        plan_of(states, day)
        for day in (MONDAY, MONDAY, MONDAY + timedelta(days=1))
    )  # fmt: skip
    assert first == same
    assert first != next_day
    assert first != plan_of(states, MONDAY, 8)


def test_a_solved_case_is_not_offered_again() -> None:
    states = met(*COURSE.practised_skills)
    day = date(2026, 9, 9)
    case = plan_of(states, day).case_id
    assert case is not None
    next_case = plan_of(states, day, solved={case_item_id(case)}).case_id
    assert next_case not in (None, case)
    assert plan_of(states, day, solved=CASES).case_id is None
    assert plan_of(states, day, solved=CASES[1:]).case_id == CASES[0].removeprefix("errata-")


@each(("days", "asked_skill_ids"), [(1, ["discount", "order-matters"]), (2, ["order-matters"])])
def test_one_item_does_not_push_out_exercises_day_after_day(days: int, asked_skill_ids: list[str]) -> None:
    first_item_id, *unread_item_ids = COURSE.practised_skills["order-matters"].item_ids
    learner = past().answer(first_item_id, "-").sleep(days)
    record = LearnerRecord(
        COURSE,
        skill_state_by_skill_id_of(COURSE, learner.dones, {}, learner.day, {"discount": 0}),
        learner.day,
        answered_item_ids={first_item_id},
        unread_item_ids=frozenset(unread_item_ids),
    )
    questions = daily_plan(record, ()).questions
    assert [daily_question.skill_id for daily_question in questions] == asked_skill_ids
