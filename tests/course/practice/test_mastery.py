"""Histories in, states of knowledge points out: one rule, and the reason for each state."""

from datetime import date, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from app.course.practice.mastery import (
    FEWEST_RIGHT_IN_WINDOW,
    RUST_AFTER,
    WINDOW_LENGTH,
    skill_practice,
    skill_state_by_skill_id_without_answers,
)
from app.course.practice.skill_states import CountedAnswer
from app.course.practice.skill_words import next_step_words, state_reason
from tests.course.histories import MONDAY, Past, moment_of, skill_state_by_skill_id_of
from tests.published import published
from tests.tables import each

COURSE = published()
ITEMS = COURSE.practised_skills["no-gradient"].item_ids  # few, and no exercise
MANY = COURSE.practised_skills["labels"].item_ids  # nine of them


def past() -> Past:
    return Past(COURSE)


def test_nothing_answered_is_new_and_says_what_comes_before() -> None:
    assert (past().of("gain").mastery, state_reason(past().of("gain"))) == ("new", "先要会“甜度”。")
    assert state_reason(past().of("order-matters")) == "还没学到这里。"
    assert next_step_words(past().of("gain")) == "先学课文"


def test_who_has_answered_nothing_stands_as_after_an_empty_history() -> None:
    state_of_newcomer = skill_state_by_skill_id_without_answers(COURSE, MONDAY)
    assert state_of_newcomer == skill_state_by_skill_id_of(COURSE, [], {}, MONDAY)
    assert list(state_of_newcomer) == list(COURSE.practised_skills)
    assert {skill_state.mastery for skill_state in state_of_newcomer.values()} == {"new"}


@each(
    ("results", "state"),
    [
        ("+", "learning"), ("++++", "learning"), ("+++++", "mastered"), ("-+++++", "mastered"),
        ("+++-++", "mastered"), ("++--++", "learning"), ("++++++-", "mastered"), ("++++++--", "learning"),
        ("--------+++++", "mastered"),
    ],
)  # fmt: skip
def test_five_of_the_last_six_variants(results: str, state: str) -> None:
    assert past().practise("dcg", results).of("dcg").mastery == state


def test_the_last_six_are_those_of_all_levels_together() -> None:
    learner = past().practise("dcg", "+++++", level=2).practise("dcg", "-", level=3)
    assert learner.of("dcg").mastery == "mastered"
    assert learner.practise("dcg", "-", level=3).of("dcg").mastery == "learning"


def test_another_day_makes_it_remembered() -> None:
    learner = past().practise("dcg", "+++++")
    assert state_reason(learner.of("dcg")) == "最近5道里，一次就对了5道；隔天再对一道，就是还记得。"
    learner.sleep()
    assert (learner.of("dcg").mastery, learner.of("dcg").is_due) == ("mastered", True)
    assert state_reason(learner.of("dcg")) == "9月7日会了；今天再来一道，一次做对就是还记得。"
    learner.practise("dcg", "+").sleep()
    assert (learner.of("dcg").mastery, learner.of("dcg").is_due) == ("remembered", False)
    assert state_reason(learner.of("dcg")) == "最近6道里，一次就对了6道，而且不止一天。"


def test_what_was_met_in_lessons_says_so_and_what_practice_asks_for() -> None:
    states = skill_state_by_skill_id_of(COURSE, [], {}, MONDAY, {"gain": 2, "discount": 0, "no-gradient": 1})
    reasons = [state_reason(states[name]) for name in ("gain", "discount", "no-gradient")]
    assert reasons == [
        "答过它的2题；课文里的题、练习里“中”以上的题，最近6道里一次就对5道，就算会了。",
        "课文学过了；课文里的题、练习里“中”以上的题，最近6道里一次就对5道，就算会了。",
        f"答过它的1题；它自己的题，没看提示一次做对{len(ITEMS)}道，就算会了。",
    ]
    assert [states[name].mastery_name for name in ("gain", "no-gradient", "cg")] == ["学过", "学过", "没学过"]
    assert next_step_words(states["gain"]) == "练第一道"
    assert not states["gain"].is_mastered


def test_whoever_practises_is_not_merely_met() -> None:
    answer = CountedAnswer(moment_of(1, MONDAY), "practice-gain-1", MONDAY, is_right_at_once=False)
    assert skill_state_by_skill_id_of(COURSE, [answer], {}, MONDAY, {"gain": 3})["gain"].mastery == "learning"


def test_a_second_day_without_enough_right_is_not_mastery() -> None:
    assert past().practise("dcg", "+").sleep().practise("dcg", "+-+-").of("dcg").mastery == "learning"


def test_it_is_not_lost_by_a_day_of_hard_work() -> None:
    learner = past().practise("cg", "+++++").sleep().practise("cg", "+" * 20)
    assert learner.of("cg").mastery == "remembered"
    assert learner.sleep(30).of("cg").mastery == "remembered"


def test_what_is_forgotten_is_in_practice_again() -> None:
    learner = past().practise("dcg", "+++++").sleep().practise("dcg", "+")
    assert learner.practise("dcg", "--").of("dcg").mastery == "learning"


def test_days_without_it_count_from_its_latest_day() -> None:
    """A saved answer that is collected has a larger number than those of later days."""
    learner = past().sleep(12).practise("dcg", "+").sleep(-12).practise("dcg", "-").sleep(13)
    assert learner.of("dcg").practice.untouched_days == 1
    assert learner.practise("dcg", "+").of("dcg").practice.untouched_days == 0
    assert past().of("dcg").practice.untouched_days is None


@each(
    ("early_results", "late_results", "state"),
    [
        ("------", "+++++", "mastered"), ("++++++", "-----", "learning"), ("+++", "++---", "learning"),
        ("-+++", "++", "remembered"), ("+++-", "+-+", "learning"),
    ],
)  # fmt: skip
def test_the_last_ones_are_those_of_the_latest_days(
    early_results: str, late_results: str, state: str
) -> None:
    """Whichever came into the log first."""
    in_turn = past().practise("dcg", early_results).sleep(7).practise("dcg", late_results)
    collected_late = past().sleep(7).practise("dcg", late_results).sleep(-7).practise("dcg", early_results)
    collected_late.sleep(7)
    assert in_turn.of("dcg").mastery == collected_late.of("dcg").mastery == state
    assert in_turn.of("dcg").practice.next_level == collected_late.of("dcg").practice.next_level


def test_an_item_stands_by_its_latest_day_and_of_it_by_the_first_answer() -> None:
    learner = past().sleep(7).answer(ITEMS[0], "-+").sleep(-7).answer(ITEMS[0], "+").sleep(7)
    latest_answer = learner.of("no-gradient").practice.latest_answer_by_item_id[ITEMS[0]]
    assert (latest_answer.day, latest_answer.is_right_at_once) == (learner.day, False)


def test_hints_neither_count_nor_cost() -> None:
    learner = past().practise("dcg", "????????")
    assert learner.of("dcg").mastery == "new"
    assert learner.practise("dcg", "++?++?+").of("dcg").mastery == "mastered"


def test_easy_variants_do_not_count_but_hard_ones_do() -> None:
    assert past().practise("dcg", "++++++", level=1).of("dcg").mastery == "learning"
    assert "“易”练过5道；" in state_reason(past().practise("dcg", "+++++", level=1).of("dcg"))
    assert "“易”练过6道以上；" in state_reason(past().practise("dcg", "++++++", level=1).of("dcg"))
    assert past().practise("dcg", "+++", level=3).practise("dcg", "++").of("dcg").mastery == "mastered"


def test_all_exercises_of_a_point_and_those_of_the_lessons_count_together() -> None:
    lesson, point = next(
        (name, counted.skill_id) for name, counted in COURSE.skill_credit_by_item_id.items()
        if COURSE.practised_skills[counted.skill_id].exercise_ids and not name.startswith("practice-")
        and (counted.level or 0) >= 2
    )  # fmt: skip
    first_exercise, second_exercise, *_ = COURSE.practised_skills[point].exercise_ids
    learner = past().practise(first_exercise, "++").practise(second_exercise, "++").answer(lesson, "+")
    assert learner.of(point).mastery == "mastered"


def test_of_a_single_item_one_must_be_right() -> None:
    skill = COURSE.practised_skills["no-gradient"]._replace(item_ids=ITEMS[:1])
    answer = CountedAnswer(moment_of(1, MONDAY), ITEMS[0], MONDAY, is_right_at_once=True)
    practice = skill_practice(COURSE, skill, [answer], {}, MONDAY)
    assert (practice.mastery, practice.window.needed_count) == ("mastered", 1)


def test_without_an_exercise_all_of_the_few_items_must_be_right() -> None:
    *before, last = ITEMS
    learner = past()
    for item in before:
        learner.answer(item, "+")
    many = len(before)
    words = f"一共{many + 1}道题，最近{many}道里，一次就对了{many}道；对了{many + 1}道，就算会了。"
    assert state_reason(learner.of("no-gradient")) == words
    assert learner.answer(last, "-").of("no-gradient").mastery == "learning"
    assert learner.sleep().answer(last, "+").of("no-gradient").mastery == "remembered"


def test_two_wrong_items_in_a_row_are_failing() -> None:
    first, second, *_ = ITEMS
    assert not past().answer(first, "+").answer(second, "-").of("no-gradient").practice.is_failing
    assert past().answer(first, "-").answer(second, "-").of("no-gradient").practice.is_failing


def test_an_item_answered_again_on_the_same_day_proves_nothing() -> None:
    first, *further_items = ITEMS
    learner = past().answer(first, "-+++")
    for item in further_items:
        learner.answer(item, "+")
    assert learner.of("no-gradient").mastery == "learning"


def test_the_items_of_the_lessons_and_the_variants_fill_one_window() -> None:
    few_item_ids = COURSE.practised_skills["dcg"].item_ids[:4]
    learner = past()
    for item in few_item_ids:
        learner.answer(item, "+")
    assert state_reason(learner.of("dcg")) == (
        "最近4道里，一次就对了4道；课文里的也算，“易”的不算，6道里对5道，就算会了。"
    )
    assert learner.practise("dcg", "+", level=1).of("dcg").mastery == "learning", "too easy to count"
    assert learner.practise("dcg", "+").of("dcg").mastery == "mastered"
    assert learner.practise("dcg", "-").of("dcg").mastery == "mastered"
    assert learner.practise("dcg", "-").of("dcg").mastery == "learning"


def test_an_item_whose_solution_is_known_counts_once() -> None:
    [item, *_] = COURSE.practised_skills["dcg"].item_ids
    learner = past()
    for _ in range(6):
        learner.answer(item, "+").sleep()
    window = learner.of("dcg").practice.window
    assert (window.right_count, window.size, learner.of("dcg").mastery) == (1, 1, "learning")


def test_a_few_choices_hold_nothing_that_exercises_ask_for() -> None:
    [skill_id, *_] = [
        skill.id
        for skill in COURSE.practised_skills.values()
        if skill.exercise_ids
        and 0 < len(skill.item_ids) < FEWEST_RIGHT_IN_WINDOW
        and not skill.holding_item_ids
    ]
    learner = past()
    for item in COURSE.practised_skills[skill_id].item_ids:
        learner.answer(item, "+")
    skill_state = learner.of(skill_id)
    assert (skill_state.mastery, skill_state.practice.window.needed_count) == ("learning", 5)


def test_what_was_mastered_by_items_stays_so_when_exercises_come() -> None:
    """They were all that could be asked of it."""
    promised_skills = [skill for skill in COURSE.practised_skills.values() if skill.holding_item_ids]
    assert {"auc", "err-rbp", "reciprocal-rank"} <= {skill.id for skill in promised_skills}
    for skill in promised_skills:
        assert skill.exercise_ids
        needed_count = min(len(skill.holding_item_ids), FEWEST_RIGHT_IN_WINDOW)
        learner = past()
        for item in skill.holding_item_ids[: needed_count - 1]:
            learner.answer(item, "+")
        assert learner.of(skill.id).mastery == "learning", "not yet all"
        learner.answer(skill.holding_item_ids[needed_count - 1], "+")
        assert (learner.of(skill.id).mastery, learner.of(skill.id).reached_share) == ("mastered", 1.0)
        learner.practise(skill.exercise_ids[0], "--")
        assert learner.of(skill.id).is_mastered
        learner.sleep().practise(skill.exercise_ids[0], "+")
        assert learner.of(skill.id).mastery == "remembered"


def test_who_has_walked_all_lessons_without_a_mistake_holds_what_they_ask_most() -> None:
    """Later stages ask for what earlier ones taught: that counts too."""
    learner = past()
    for skill in COURSE.practised_skills.values():
        for item in skill.item_ids:
            learner.answer(item, "+")
        learner.sleep()
    standings = learner.standings()
    held_ids = {skill_id for skill_id, skill_state in standings.items() if skill_state.is_mastered}
    assert {"ndcg", "cut-off", "dcg"} <= held_ids
    begun_states = [skill_state for skill_id, skill_state in standings.items() if skill_id not in held_ids]
    for skill_state in begun_states:
        assert skill_state.skill.exercise_ids
        assert skill_state.practice.next_level == 2, "an answer at the lowest one would count nothing"
    learner.sleep()
    for skill_state in begun_states:
        learner.practise(skill_state.skill.exercise_ids[0], "+" * FEWEST_RIGHT_IN_WINDOW)
        assert learner.of(skill_state.skill.id).is_mastered


@each(
    ("results", "level"),
    [("", 1), ("+", 2), ("++", 2), ("+-", 1), ("-", 1), ("+++++-", 2), ("++++--", 1)],
)
def test_who_held_it_in_the_lessons_begins_with_what_counts(results: str, level: int) -> None:
    learner = past()
    for item, result in zip(COURSE.practised_skills["ndcg"].item_ids, results, strict=False):
        learner.answer(item, result)
    assert learner.of("ndcg").practice.next_level == level
    assert learner.practise("ndcg", "-", 1).of("ndcg").practice.next_level == 1, "variants alone go on"


def test_what_is_held_by_exercises_or_by_items_is_due_the_next_day() -> None:
    skill = COURSE.practised_skills["ndcg"]
    by_exercises = past().practise("ndcg", "+++++")
    by_items = past()
    for item in skill.item_ids[:FEWEST_RIGHT_IN_WINDOW]:
        by_items.answer(item, "+")
    for learner in (by_exercises, by_items):
        assert (learner.of("ndcg").mastery, learner.of("ndcg").is_due) == ("mastered", False)
        assert learner.sleep().of("ndcg").is_due


def test_what_is_remembered_says_how_long_it_was_not_touched() -> None:
    learner = past().practise("dcg", "+++++").sleep().practise("dcg", "+").sleep(RUST_AFTER.days - 1)
    assert state_reason(learner.of("dcg")) == "最近6道里，一次就对了6道，而且不止一天。"
    assert state_reason(learner.sleep(6).of("dcg")) == "最近6道里，一次就对了6道，而且不止一天；12天没碰了。"


def test_exercises_that_came_later_are_enough_without_the_items() -> None:
    skill = COURSE.practised_skills["auc"]
    learner = past().answer(skill.item_ids[0], "-")
    learner.answer("practice-auc-2", "+" * (FEWEST_RIGHT_IN_WINDOW - 1))
    assert learner.of("auc").mastery == "learning"
    learner.answer("practice-auc-2", "+")
    assert learner.of("auc").is_mastered


def test_the_latest_answers_are_those_to_variants_and_to_items() -> None:
    """What was touched longest ago, and what was never asked, is seen in them."""
    skill = COURSE.practised_skills["auc"]
    learner = past()
    for item in skill.item_ids:
        learner.answer(item, "+")
    learner.answer("practice-auc-2", "-")
    assert learner.of("auc").practice.latest_answer_by_item_id.keys() == {*skill.item_ids, "practice-auc-2"}


def test_of_many_items_five_of_six_are_enough() -> None:
    learner = past()
    for item, result in zip(MANY, "++-+++", strict=False):
        learner.answer(item, result)
    assert learner.of("labels").mastery == "mastered"


@each(
    ("answers", "expected"),
    [("", 1), ("1+", 1), ("1+1+", 2), ("1+1+2+", 2), ("1+1+2+2+", 3), ("3-3-", 2), ("2-2+", 2), ("1-1-", 1)],
)
def test_two_in_a_row_move_the_level(answers: str, expected: int) -> None:
    learner = past()
    for level, result in zip(answers[::2], answers[1::2], strict=True):
        learner.practise("dcg", result, int(level))
    assert learner.of("dcg").practice.next_level == expected


def test_what_is_held_bears_everything_below_it() -> None:
    standings = past().practise("ndcg", "+++++").standings()
    missing_ids = {skill.id for skill_state in standings.values() for skill in skill_state.missing_skills}
    assert not missing_ids & {"ndcg", *COURSE.practised_skills["ndcg"].all_needed_skill_ids}
    assert "auc" in missing_ids
    assert standings["cut-off"].missing_skills == ()


def test_half_right_is_enough_to_build_on() -> None:
    assert not past().practise("gain", "+").of("gain").practice.is_firm
    assert past().practise("gain", "+-+-", 1).of("gain").practice.is_firm
    assert not past().practise("gain", "+-+---").of("gain").practice.is_firm


NAMES = st.sampled_from(
    [name for name in COURSE.skill_credit_by_item_id if not name.startswith("practice-dcg-sum")]
)
STEPS = st.lists(st.tuples(NAMES, st.sampled_from("++-?"), st.integers(0, 2)), max_size=60)


def lived(steps: list[tuple[str, str, int]]) -> Past:
    learner = past()
    for item, result, days in steps:
        learner.sleep(days).answer(item, result)
    return learner


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_the_last_six_of_each_item_tell_as_much_as_all(steps: list[tuple[str, str, int]]) -> None:
    learner = lived(steps)
    short, whole = learner.standings(), learner.standings(window=1000)
    for name, skill_state in whole.items():
        assert (short[name].mastery, short[name].missing_skills) == (
            skill_state.mastery,
            skill_state.missing_skills,
        )
        short_practice, whole_practice = short[name].practice, skill_state.practice
        assert short_practice.window.right_count == whole_practice.window.right_count
        assert short_practice.next_level == whole_practice.next_level
        assert short_practice.is_firm == whole_practice.is_firm


@settings(max_examples=150, deadline=None)
@given(STEPS)
def test_every_state_keeps_its_promise_and_gives_a_reason(steps: list[tuple[str, str, int]]) -> None:
    learner = lived(steps)
    for skill_state in learner.standings().values():
        window = skill_state.practice.window
        assert 0 <= window.right_count <= window.size <= WINDOW_LENGTH
        assert skill_state.is_mastered == (window.size > 0 and window.right_count >= window.needed_count)
        assert window.needed_count <= FEWEST_RIGHT_IN_WINDOW
        assert skill_state.practice.next_level in (1, 2, 3)
        assert state_reason(skill_state).count("。") == 1
        counted_for = COURSE.skill_credit_by_item_id
        answers = [
            done for done in learner.dones if counted_for[done.item_id].skill_id == skill_state.skill.id
        ]
        right = {done.day for done in answers if done.is_right_at_once}
        if skill_state.mastery == "remembered":
            assert len(right) > 1
        if skill_state.mastery == "mastered":
            assert right
            assert skill_state.is_due == (learner.day not in right)


def mastered_of_old(learner: Past, point: str) -> bool:
    """会了 as it was until the five words came: five of the last six counted, on two days."""
    skill = COURSE.practised_skills[point]
    answers = [
        done for done in learner.dones if COURSE.skill_credit_by_item_id[done.item_id].skill_id == point
    ]
    if skill.exercise_ids:
        answers = [done for done in answers if (COURSE.skill_credit_by_item_id[done.item_id].level or 2) >= 2]
        counting = answers[-6:]
        needed = 5
    else:
        first_of_day: dict[tuple[str, date], CountedAnswer] = {}
        for done in answers:
            first_of_day.setdefault((done.item_id, done.day), done)
        latest = {done.item_id: done for done in first_of_day.values()}
        counting = sorted(latest.values())[-6:]
        needed = min(5, max(1, len(skill.item_ids)))
    right_days = {done.day for done in answers if done.is_right_at_once}
    return sum(done.is_right_at_once for done in counting) >= needed and len(right_days) > 1


PRACTISED = st.sampled_from(["practice-cg-2", "practice-gain-2", "practice-gain-1", *ITEMS])
DENSE = st.lists(
    st.tuples(PRACTISED, st.sampled_from("+++++-?"), st.integers(0, 1)), min_size=10, max_size=60
)


@settings(max_examples=150, deadline=None)
@given(DENSE)
def test_nobody_loses_what_was_mastered_by_the_rule_of_old(steps: list[tuple[str, str, int]]) -> None:
    learner = lived(steps)
    standings = learner.standings()
    for point in ("cg", "gain", "no-gradient"):
        if mastered_of_old(learner, point):
            assert standings[point].mastery == "remembered"


def test_the_rule_of_old_is_met_by_a_learner_of_two_days() -> None:
    learner = past().practise("cg", "+++++").sleep().practise("cg", "+")
    assert mastered_of_old(learner, "cg")
    assert not mastered_of_old(past().practise("cg", "+++++"), "cg")


@settings(max_examples=60, deadline=None)
@given(STEPS, st.integers(1, 30))
def test_time_alone_takes_nothing_away(steps: list[tuple[str, str, int]], days: int) -> None:
    learner = lived(steps)
    before = learner.standings()
    after = learner.sleep(days).standings()
    assert [skill_state.is_mastered for skill_state in before.values()] == [
        skill_state.is_mastered for skill_state in after.values()
    ]


def test_what_the_course_no_longer_has_is_left_out() -> None:
    done = CountedAnswer(moment_of(1, MONDAY), "gone", MONDAY, is_right_at_once=True)
    states = skill_state_by_skill_id_of(
        COURSE, [done], {"gone": date(2026, 9, 1)}, MONDAY + timedelta(days=1)
    )
    assert all(skill_state.mastery == "new" for skill_state in states.values())
