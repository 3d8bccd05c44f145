"""What comes next: on firm ground, never the same variant twice, and with a reason."""

from hypothesis import given, settings
from hypothesis import strategies as st

from app.course.practice.recommending import Advice, advise_on_skill
from tests.course.histories import Past
from tests.published import published
from tests.tables import each

COURSE = published()
WHOLE_CONTENT = set(COURSE.practised_skills)


def past(*taught: str) -> Past:
    return Past(COURSE, taught=set(taught))


def advised(learner: Past) -> Advice:
    advice = learner.advice()
    assert advice
    return advice


def test_a_newcomer_is_sent_to_the_first_section() -> None:
    advice = advised(past())
    assert advice.stage_and_section_id == ("concepts", "which-is-better")
    assert advice.reason == "下一个知识点是“先后有别”：先学《两个系统，谁更好》，再来练。"


def test_what_was_taught_and_never_practised_comes_next() -> None:
    advice = advised(past("order-matters"))
    assert advice.item_id == COURSE.practised_skills["order-matters"].item_ids[0]
    assert advice.reason == "“先后有别”学过了，还没练过。"


def grounded() -> Past:
    """Who has practised everything below DCG on two days, and has opened the section of DCG."""
    learner = Past(COURSE, taught=WHOLE_CONTENT)
    for _ in range(2):
        for name in COURSE.practised_skills["dcg"].all_needed_skill_ids:
            point = COURSE.practised_skills[name]
            for exercise in point.exercise_ids[:1]:
                learner.practise(exercise, "+++++")
            for item in point.item_ids:
                learner.answer(item, "+")
        learner.sleep()
    return learner


def test_after_a_mistake_the_same_kind_is_asked_again() -> None:
    advice = advised(grounded().practise("dcg-sum", "-"))
    assert (advice.exercise_id, advice.level) == ("dcg-sum", 2)
    assert advice.reason == "上一道“折损累计增益DCG”走岔了：换一道同类，再来。"


def test_while_it_goes_well_one_stays_until_it_is_held() -> None:
    learner = grounded().practise("dcg", "++")
    assert advised(learner).skill_id == "dcg"
    assert advised(learner).reason.startswith("“折损累计增益DCG”正顺手：")
    learner.practise("dcg", "+++", 3)
    assert advised(learner).skill_id != "dcg"
    assert advised(learner).reason.startswith("刚练的“折损累计增益DCG”会了。")


def test_what_goes_well_has_something_right_in_its_window() -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT).practise("gain", "++", 1).practise("discount", "++", 1)
    for item in (
        COURSE.practised_skills["order-matters"].item_ids + COURSE.practised_skills["grades"].item_ids
    ):
        learner.answer(item, "+")
    learner.practise("gain", "-").practise("gain", "?")
    assert advised(learner).reason.startswith("“增益”刚才对了，看了提示的不算：最近1道里，一次就对了0道；")
    assert advised(learner.practise("gain", "+")).reason.startswith(
        "“增益”正顺手：最近2道里，一次就对了1道；"
    )


def test_an_easy_answer_does_not_count_and_its_reason_says_so() -> None:
    learner = grounded().practise("dcg", "+")
    assert advised(learner).reason.startswith("“折损累计增益DCG”正顺手：最近1道里，一次就对了1道；")
    assert advised(learner.practise("dcg", "+", 1)).reason == (
        "“折损累计增益DCG”刚才对了：最近1道里，一次就对了1道；课文里的也算，“易”的不算，6道里对5道，就算会了。"
    )


def test_what_is_still_remembered_is_called_so_after_practice() -> None:
    learner = grounded().practise("dcg", "++++").sleep().practise("dcg", "+")
    assert advised(learner).reason.startswith("刚练的“折损累计增益DCG”还记得。")


@each(("right_count", "words"), [(1, "“先后有别”接着练："), (3, "“先后有别”还差一点：")])
def test_only_what_is_half_reached_is_called_near(right_count: int, words: str) -> None:
    learner = Past(COURSE)
    for item in COURSE.practised_skills["order-matters"].item_ids[:right_count]:
        learner.answer(item, "+")
    assert advised(learner.sleep()).reason.startswith(words)


def test_tables_show_the_way_at_the_lowest_level_and_fade_later() -> None:
    advice = advised(grounded().practise("cg", "+"))
    assert advice.skill_id != "dcg" or advice.exercise_id == "steps-dcg"
    choice = grounded().chosen("dcg")
    assert choice
    assert (choice.exercise_id, choice.level) == ("steps-dcg", 1)
    given_counts = [len(COURSE.exercises["steps-dcg"].given[level]) for level in (1, 2, 3)]
    assert given_counts == sorted(given_counts, reverse=True)


def test_twice_wrong_at_the_lowest_level_leads_a_step_back() -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT).practise("term", "--", 1)
    learner.practise("gain", "++", 1).practise("discount", "++", 1)
    for item in (
        COURSE.practised_skills["order-matters"].item_ids[:2] + COURSE.practised_skills["grades"].item_ids[:2]
    ):
        learner.answer(item, "+")
    advice = advised(learner.practise("term", "-", 1))
    assert advice.skill_id in ("gain", "discount")
    assert "退一步" in advice.reason


@each(
    ("results", "level", "why"),
    [
        ("-", 1, "换一道同类"),
        ("--", 1, "退一步"),
        ("+-", 1, "换一道同类"),
        ("+--", 1, "退一步"),
        ("--", 2, "换一道同类"),
    ],
)
def test_a_step_back_takes_two_mistakes_in_a_row_at_the_lowest_level(
    results: str, level: int, why: str
) -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT).practise("gain", "++", 1).practise("discount", "++", 1)
    for item in (
        COURSE.practised_skills["order-matters"].item_ids[:2] + COURSE.practised_skills["grades"].item_ids[:2]
    ):
        learner.answer(item, "+")
    assert why in advised(learner.practise("term", results, level)).reason


def test_a_right_item_of_the_lessons_does_not_keep_from_the_step_back() -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT).practise("gain", "++", 1).practise("discount", "++", 1)
    for item in (
        COURSE.practised_skills["order-matters"].item_ids[:2] + COURSE.practised_skills["grades"].item_ids[:2]
    ):
        learner.answer(item, "+")
    skill = COURSE.practised_skills[COURSE.exercises["term"].skill]
    learner.answer(skill.item_ids[0], "+")
    assert "退一步" in advised(learner.practise("term", "--", 1)).reason


def test_weak_ground_is_mended_first() -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT)
    for item in COURSE.practised_skills["order-matters"].item_ids:
        learner.answer(item, "+")
    learner.practise("discount", "---", 1).sleep()
    assert advised(learner).skill_id == "order-matters"  # one more day and it is held
    learner.answer(COURSE.practised_skills["order-matters"].item_ids[0], "+")
    assert advised(learner).skill_id == "discount"


def test_another_day_makes_it_sit() -> None:
    learner = grounded().practise("dcg", "+++++").sleep()
    advice = advised(learner)
    assert advice.skill_id == "dcg"
    assert advice.reason == "“折损累计增益DCG”9月9日会了；今天再来一道，一次做对就是还记得。"


def test_items_run_out_for_today_and_are_there_tomorrow() -> None:
    learner = Past(COURSE, taught={"no-gradient"})
    for item in COURSE.practised_skills["no-gradient"].item_ids:
        learner.answer(item, "-")
    assert learner.chosen("no-gradient") is None
    assert learner.sleep().chosen("no-gradient") is not None


def test_who_knows_everything_gets_something_hard() -> None:
    learner = Past(COURSE, taught=WHOLE_CONTENT)
    for _ in range(2):
        for point in COURSE.practised_skills.values():
            for exercise in point.exercise_ids[:1]:
                learner.practise(exercise, "+++++")
            for item in point.item_ids:
                learner.answer(item, "+")
        learner.sleep()
    assert all(skill_state.mastery == "remembered" for skill_state in learner.standings().values())
    advice = advised(learner)
    assert "都会了" in advice.reason


def test_another_learner_gets_other_numbers() -> None:
    learner_record = past().learner_record()
    pieces_of_advice = [advise_on_skill(learner_record._replace(salt=salt), "dcg") for salt in range(9)]
    assert len({advice.seed for advice in pieces_of_advice if advice}) == 9


def test_seeds_are_short_enough_to_be_read_out() -> None:
    learner_record = past().learner_record()
    seeds: list[int] = []
    for salt in range(2000):
        advice = advise_on_skill(learner_record._replace(salt=salt), "dcg")
        assert advice
        seeds.append(advice.seed)
    assert 1000 <= min(seeds) < 10_000
    assert 890_000 < max(seeds) < 901_000


MOVES = st.lists(
    st.one_of(
        st.sampled_from(["+", "+", "-", "?", "sleep"]),
        st.tuples(st.sampled_from(sorted(COURSE.exercises)), st.integers(1, 3), st.sampled_from("+-")),
        st.sampled_from(sorted(COURSE.practised_skills)),
    ),
    max_size=50,
)


@settings(max_examples=150, deadline=None)
@given(MOVES)
def test_never_the_same_variant_and_never_what_its_needs_do_not_allow(moves: list[object]) -> None:
    """Learners follow the advice, answer as it happens, choose something else, sleep, open a lesson."""
    learner = Past(COURSE)
    for move in moves:
        if move == "sleep":
            learner.sleep()
        elif isinstance(move, tuple):
            learner.practise(move[0], move[2], move[1])
        elif move in COURSE.practised_skills:
            learner.taught.add(str(move))
        else:
            follow(learner, str(move))


def follow(learner: Past, result: str) -> None:
    """Do what is advised; what is advised is new and on firm ground."""
    advice = learner.advice()
    if advice is None:
        return
    assert advice.reason.endswith("。")
    if advice.stage_and_section_id:
        learner.taught |= {
            name
            for name, home in COURSE.section_by_skill_id.items()
            if home[1].id == advice.stage_and_section_id[1]
        }
        return
    skill_state = learner.standings()[advice.skill_id]
    assert skill_state.missing_skills == (), (advice, skill_state)
    assert advice.skill_id in learner.learner_record().taught_skill_ids
    item = advice.item_id or f"practice-{advice.exercise_id}-{advice.level}"
    assert COURSE.skill_credit_by_item_id[item].skill_id == advice.skill_id
    assert advice.seed not in learner.seeds.get(item, [])
    if advice.item_id:
        assert not [done for done in learner.dones if done.item_id == item and done.day == learner.day]
    learner.answer(item, result, advice.seed)


@each("point", sorted(WHOLE_CONTENT))
def test_every_point_can_be_chosen(point: str) -> None:
    advice = Past(COURSE).chosen(point)
    assert advice
    assert advice.skill_id == point
    assert advice.seed >= 1000


def test_an_item_that_was_solved_with_help_is_not_the_first_to_be_asked_again() -> None:
    """It counts for nothing; but whoever has just solved it in the lesson wants another one."""
    first, second, *_ = COURSE.practised_skills["no-gradient"].item_ids
    learner = Past(COURSE, taught={"no-gradient"})
    fresh = advise_on_skill(learner.learner_record(), "no-gradient")
    assert fresh is not None
    assert fresh.item_id == first
    helped = advise_on_skill(learner.learner_record()._replace(answered_item_ids={first}), "no-gradient")
    assert helped is not None
    assert helped.item_id == second
    every = advise_on_skill(
        learner.learner_record()._replace(
            answered_item_ids=set(COURSE.practised_skills["no-gradient"].item_ids)
        ),
        "no-gradient",
    )
    assert every is not None
    assert every.item_id == first
