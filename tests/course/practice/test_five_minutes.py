"""今天的五分钟: the same all day, another one tomorrow, the weakest points first."""

from datetime import date, timedelta

from app.course.practice.five_minutes import WEAK_SKILL_COUNT, daily_plan
from app.course.practice.mastery import skill_states
from app.course.practice.skill_words import state_reason
from app.course.reference.errata import case_item_id
from tests.course.histories import MONDAY, Past
from tests.published import published

COURSE = published()
CASES = [case_item_id(case) for case in COURSE.errata]


def past() -> Past:
    return Past(COURSE)


def test_who_has_learnt_nothing_gets_a_case_and_a_game() -> None:
    plan = daily_plan(COURSE, skill_states(COURSE, [], {}, MONDAY), MONDAY, 7, ())
    assert plan.questions == ()
    assert plan.case_id in COURSE.errata


def test_what_came_back_is_first_then_what_is_farthest_from_its_goal() -> None:
    learner = past().practise("dcg", "+++++").practise("cg", "++++-").practise("gain", "-").sleep()
    states = learner.practise("ndcg", "+").standings()
    plan = daily_plan(COURSE, states, learner.day, 7, ())
    assert [question.skill_id for question in plan.questions] == ["dcg", "gain"]
    assert plan.questions[0].reason == f"“{states['dcg'].skill.name}”会了：{state_reason(states['dcg'])}"


def test_a_point_is_said_to_stand_where_it_stands_now() -> None:
    """The choice is the morning's; the words are not, or they would contradict the map."""
    learner = past().practise("cg", "-").sleep()
    morning = learner.standings()
    current = learner.practise("cg", "+++++").standings()
    plan = daily_plan(COURSE, morning, learner.day, 7, (), current)
    [question, *_] = plan.questions
    assert question.skill_id == "cg"
    assert question.reason == f"“{current['cg'].skill.name}”会了：{state_reason(current['cg'])}"
    assert question.attempt_name == daily_plan(COURSE, morning, learner.day, 7, ()).questions[0].attempt_name


def test_what_is_remembered_is_left_in_peace() -> None:
    learner = past().practise("dcg", "+++++").sleep().practise("dcg", "+").sleep()
    assert daily_plan(COURSE, learner.standings(), learner.day, 7, ()).questions == ()


def test_what_was_only_met_comes_last() -> None:
    states = skill_states(
        COURSE, past().practise("cg", "-").dones, {}, MONDAY, {"gain": 1, "dcg": 1, "auc": 2}
    )
    plan = daily_plan(COURSE, states, MONDAY, 7, ())
    assert plan.questions[0].skill_id == "cg"
    assert len(plan.questions) == WEAK_SKILL_COUNT


def test_the_questions_are_those_of_the_course() -> None:
    states = skill_states(COURSE, [], {}, MONDAY, dict.fromkeys(COURSE.practised_skills, 0))
    for day in range(30):
        plan = daily_plan(COURSE, states, MONDAY + timedelta(days=day), day, ())
        for question in plan.questions:
            assert COURSE.variant(question.item_id, question.seed)
            assert COURSE.counted_for_by_item_id[question.item_id].skill_id == question.skill_id


def test_a_day_stays_and_the_next_one_differs() -> None:
    states = past().practise("cg", "-").standings()
    first, same, next_day = (
        daily_plan(COURSE, states, day, 7, ())
        for day in (MONDAY, MONDAY, MONDAY + timedelta(days=1))
    )  # fmt: skip
    assert first == same
    assert first != next_day
    assert first != daily_plan(COURSE, states, MONDAY, 8, ())


def test_a_solved_case_is_not_offered_again() -> None:
    states = skill_states(COURSE, [], {}, MONDAY)
    day = date(2026, 9, 9)
    case = daily_plan(COURSE, states, day, 7, ()).case_id
    assert case is not None
    next_case = daily_plan(COURSE, states, day, 7, {case_item_id(case)}).case_id
    assert next_case not in (None, case)
    assert daily_plan(COURSE, states, day, 7, CASES).case_id is None
    assert daily_plan(COURSE, states, day, 7, CASES[1:]).case_id == CASES[0].removeprefix("errata-")
