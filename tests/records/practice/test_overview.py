"""Responses in, knowledge points, score and mistakes out: what practice derives from the log."""

from datetime import UTC, date, datetime, timedelta

import pytest

from app import engine
from app.course.exercises.exercises import newest_exercise_id
from app.course.games.monster import drawn_battle
from app.course.games.monster_play import BattleJudge
from app.course.items.marks import PAUSE_AFTER_RUSH
from app.course.practice.skill_words import state_reason
from app.course.practice.sugar import Score
from app.records.accounts.values import Caller
from app.records.cards import decks, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.days import calendar
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.learning import item_sums, lesson_progress, responding
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import Answer, AttemptKey
from app.records.people import sums
from app.records.practice import item_practice, learner_pages, notebook, overview
from app.records.practice.five_minutes import load_five_minutes
from app.records.practice.recent_answers import RECENT_ATTEMPT_COUNT, RecentTries
from app.records.practice.standings import EarnedCounts
from tests.records.cast import Desk, section_of
from tests.records.practice.diary import COURSE, MORNING, TANG, XU, Diary, Told


@pytest.fixture
def diary(desk: Desk) -> Diary:
    return Diary(desk)


@pytest.mark.parametrize(("hour", "day"), [(19, 1), (20, 2)])
def test_who_is_no_learner_yet_has_the_day_that_learners_have(desk: Desk, hour: int, day: int) -> None:
    """It begins at four in the morning of the place, not at midnight of Greenwich."""
    moment = datetime(2026, 9, 1, hour, tzinfo=UTC)
    assert desk.read(learner_pages.load_progress_page, Caller(), COURSE, moment).today == date(2026, 9, day)


def test_learning_a_stage_again_takes_nothing_away(diary: Diary, desk: Desk) -> None:
    """What was read in a round before counts as read, and as read before today."""
    stage = COURSE.stages[0]
    stage_ref = COURSE.ref(stage.id)
    for section in stage.sections[:-1]:
        desk.write(lesson_progress.save_place, diary.who, stage_ref, section, 1, True, diary.now)
    desk.write(lesson_progress.save_place, diary.who, stage_ref, stage.sections[-1], 1, False, diary.now)
    diary.sleep()

    def what_was_reached() -> tuple[object, ...]:
        practice_data = diary.look()
        return (
            practice_data.skill_state_by_skill_id,
            practice_data.advice,
            [diary.look(skill_id).advice for skill_id in COURSE.practised_skills],
            diary.skill_map(),
            diary.progress().progress.reached_places,
            desk.read(load_five_minutes, diary.who, COURSE, diary.now).plan,
        )

    reached_before = what_was_reached()
    assert "met" in {diary.state(skill_id) for skill_id in COURSE.practised_skills}
    desk.write(lesson_progress.begin_stage_again, diary.who, stage_ref, stage.sections[0], diary.now)
    assert what_was_reached() == reached_before


def test_nobody_known_gets_a_recommendation_too(desk: Desk) -> None:
    practice_data = desk.read(overview.load_practice, Caller(), COURSE, MORNING)
    assert practice_data.learner_id is None
    assert practice_data.advice
    assert practice_data.advice.stage_and_section_id
    assert {skill_state.mastery for skill_state in practice_data.skill_state_by_skill_id.values()} == {"new"}
    assert desk.read(notebook.load_notebook, Caller(), COURSE, MORNING).notebook.entries == ()


def test_progress_and_the_map_say_what_practice_says(diary: Diary) -> None:
    """Progress asks what was answered today alone: what was answered before decides on no advice."""
    advice = []
    skill = COURSE.practised_skills["order-matters"]
    diary.once(skill.item_ids[0], "+")
    for is_answered in (False, True, False, False):
        if is_answered:
            diary.once(skill.item_ids[1], "-", "+")
        else:
            diary.sleep()
        practice_data = diary.look()
        page_data = diary.progress()
        assert page_data.advice == practice_data.advice
        assert page_data.points == practice_data.score.sugar_points
        assert page_data.skill_state_by_skill_id == practice_data.skill_state_by_skill_id
        assert diary.skill_map().skill_state_by_skill_id == practice_data.skill_state_by_skill_id
        advice.append(page_data.advice)
    assert advice[1] != advice[2] == advice[3]


def test_five_clean_variants_today_and_one_tomorrow(diary: Diary) -> None:
    for _ in range(5):
        diary.variant("dcg-2", "+")
    assert diary.state("dcg") == "mastered"
    assert diary.sleep().look().skill_state_by_skill_id["dcg"].is_due
    assert diary.variant("steps-dcg-3", "+").state("dcg") == "remembered"


def test_what_was_answered_or_read_in_a_lesson_is_met(diary: Diary, desk: Desk) -> None:
    """An answer without a hint counts, and is more: what is met is in practice."""
    lesson = AttemptKey(source="lesson", ref="content:definitions", seed=3)
    diary.answer(lesson, "gain-of-grade", "+", hints=1)
    skill_state = diary.look().skill_state_by_skill_id["gain"]
    assert (skill_state.mastery, skill_state.met_count) == ("met", 1)
    assert state_reason(skill_state).startswith("答过它的1题；")
    assert diary.once("gain-of-grade", "-").state("gain") == "learning"
    assert diary.state("discount") == "new"
    stage, section = COURSE.section_by_skill_id["discount"]
    steps = len(section.steps)
    ref = COURSE.ref(stage.id)
    desk.write(lesson_progress.save_place, diary.who, ref, section, 1, False, diary.now)
    assert diary.state("discount") == "new", "opened, not read to its end"
    desk.write(lesson_progress.save_place, diary.who, ref, section, steps, True, diary.now)
    skill_state = diary.look().skill_state_by_skill_id["discount"]
    assert (skill_state.mastery, skill_state.met_count) == ("met", 0)


def test_a_case_of_the_errata_or_a_guess_before_teaching_has_met_nothing(diary: Diary) -> None:
    """Both may be answered by who has learnt nothing of it."""
    case_key = AttemptKey(source="practice", ref="content:errata-qrels-twice", seed=1)
    diary.answer(case_key, "errata-qrels-twice", "+")
    probe_id = next(iter(COURSE.probe_ids))
    diary.answer(AttemptKey(source="lesson", ref="content:concepts", seed=3), probe_id, "+")
    assert {diary.state(skill_id) for skill_id in COURSE.practised_skills} == {"new"}
    assert diary.sleep().desk.read(load_five_minutes, diary.who, COURSE, diary.now).plan.questions == ()


def finish_section(diary: Diary, section_index: int) -> None:
    stage = COURSE.stages[0]
    section = stage.sections[section_index]
    ref = COURSE.ref(stage.id)
    diary.desk.write(lesson_progress.save_place, diary.who, ref, section, len(section.steps), True, diary.now)


def test_only_items_of_finished_sections_are_advised(diary: Diary) -> None:
    """The skill of the first section has items in the third one, too."""
    skill = COURSE.practised_skills["order-matters"]
    section_ids = [COURSE.section_by_item_id[item_id].section.id for item_id in skill.item_ids]
    first_section_id, third_section_id = section_ids[0], section_ids[2]
    lesson = AttemptKey(source="lesson", ref="content:concepts", seed=3)
    diary.answer(lesson, skill.item_ids[0], "-")
    finish_section(diary, 0)
    advice = diary.look().advice
    assert advice is not None
    assert advice.item_id not in skill.item_ids[1:], "none of them was taught"
    assert advice.stage_and_section_id == ("concepts", "sweetness"), "the next one"
    assert diary.look("order-matters").advice is None
    diary.sleep()
    advice = diary.look().advice
    assert advice
    assert advice.item_id == skill.item_ids[0]
    assert first_section_id != third_section_id
    for section_index, section in enumerate(COURSE.stages[0].sections):
        finish_section(diary, section_index)
        if section.id == third_section_id:
            break
    advice = diary.look("order-matters").advice
    assert advice
    assert COURSE.section_by_item_id[advice.item_id or ""].section.id in section_ids[1:3]


def test_who_practises_without_the_lessons_is_advised_any_item(diary: Diary) -> None:
    item_ids = COURSE.practised_skills["order-matters"].item_ids
    for item_id in item_ids[1:]:
        advice = diary.once(item_ids[0], "-").look("order-matters").advice
        assert advice
        assert advice.item_id == item_id
        diary.once(item_id, "-")


def test_practice_with_a_hint_is_met_and_no_more(diary: Diary) -> None:
    assert diary.variant("dcg-2", "+", hints=1).state("dcg") == "met"


def test_a_late_success_hints_shown_and_half_tables_are_not_clean(diary: Diary) -> None:
    for _ in range(6):
        diary.variant("dcg-2", "-", "+").variant("dcg-2", "+", hints=1)
        diary.variant("dcg-2", "shown").variant("steps-dcg-2", "half")
    skill_state = diary.look().skill_state_by_skill_id["dcg"]
    assert (
        skill_state.mastery,
        skill_state.practice.window.right_count,
        skill_state.practice.window.size,
    ) == (
        "learning",
        0,
        6,
    )


def test_a_day_ends_at_four_in_the_morning_of_the_learner(diary: Diary) -> None:
    diary.now = datetime(2026, 9, 7, 19, 50, tzinfo=UTC)  # ten to four in Shanghai
    for _ in range(5):
        diary.variant("dcg-2", "+")
    assert diary.state("dcg") == "mastered"
    diary.now = datetime(2026, 9, 7, 20, 5, tzinfo=UTC)
    assert diary.look().skill_state_by_skill_id["dcg"].is_due
    assert diary.variant("dcg-2", "+").state("dcg") == "remembered"


def test_items_of_lessons_and_of_practice_count_alike(diary: Diary) -> None:
    lesson = AttemptKey(source="lesson", ref="content:comparison", seed=3)
    first_item, two, three = COURSE.practised_skills["no-gradient"].item_ids
    diary.answer(lesson, first_item, "+").answer(lesson, two, "+").once(three, "+")
    assert diary.state("no-gradient") == "mastered"
    assert diary.sleep().once(first_item, "+").state("no-gradient") == "remembered"


def test_many_answers_long_ago_are_not_forgotten(diary: Diary) -> None:
    diary.variant("cg-2", "+").sleep()
    for _ in range(12):
        diary.variant("cg-2", "+")
    assert diary.state("cg") == "remembered"


def test_the_next_lesson_is_the_section_in_which_one_goes_on_reading(diary: Diary) -> None:
    """Not the next one that teaches a skill to practise, which comes after sections that are unread."""
    stage = next(stage for stage in COURSE.stages if stage.id == "practice")
    first_section, second_section = stage.sections[:2]
    taught_section_ids = {section.id for _, section in COURSE.section_by_skill_id.values()}
    assert not taught_section_ids & {first_section.id, second_section.id}
    for is_done, section in ((False, first_section), (True, second_section)):
        diary.desk.write(
            lesson_progress.save_place, diary.who, "content:practice", first_section, 1, is_done, diary.now
        )
        advice = diary.look().advice
        assert advice is not None
        assert advice.stage_and_section_id == (stage.id, section.id)
        assert advice.reason == f"课文接着往下读：先学《{section.title}》，再来练。"
        assert diary.progress().advice == advice


def test_somebody_else_s_answers_are_theirs(diary: Diary, desk: Desk) -> None:
    other_diary = Diary(desk, XU)
    for _ in range(5):
        diary.variant("dcg-2", "+")
        other_diary.variant("dcg-2", "-", mistake="natural_log")
    assert (diary.state("dcg"), other_diary.state("dcg")) == ("mastered", "learning")
    assert diary.mistakes().notebook.entries == []
    assert diary.look().score.sugar_points == 15
    assert other_diary.look().score.sugar_points == 0


def test_what_was_read_to_its_end_or_answered_was_taught(diary: Diary, desk: Desk) -> None:
    assert diary.variant("cg-1", "-").look().advice
    section = section_of("which-is-better")
    desk.write(lesson_progress.save_place, TANG, "content:concepts", section, 1, False, diary.now)
    advice = diary.look().advice
    assert advice
    assert advice.stage_and_section_id == ("concepts", "which-is-better"), "it was opened alone"
    desk.write(lesson_progress.save_place, TANG, "content:concepts", section, 6, True, diary.now)
    advice = diary.look().advice
    assert advice
    assert (advice.skill_id, advice.item_id) == (
        "order-matters",
        COURSE.practised_skills["order-matters"].item_ids[0],
    )


def test_what_stands_below_a_question_counts_a_twin_as_corrected(diary: Diary) -> None:
    twin, first = next(iter(COURSE.item_id_by_twin_id.items()))
    diary.once(first, "-").once(twin, "+").once(first, "+").variant("dcg-2", "+").variant("dcg-1", "-")
    below = diary.desk.read(
        item_practice.load_item_practice,
        Caller(diary.who.proposed_token),
        COURSE,
        diary.now,
        "practice-dcg-2",
    )
    assert below.score == diary.look().score
    assert below.score.sugar_points == 3 + 3 + 1
    assert below.skill_state
    assert state_reason(below.skill_state) == state_reason(diary.look().skill_state_by_skill_id["dcg"])
    newcomer = diary.desk.read(item_practice.load_item_practice, XU, COURSE, diary.now, "practice-ndcg-2")
    assert newcomer.skill_state
    assert state_reason(newcomer.skill_state).startswith("先要会")


@pytest.mark.parametrize(
    ("offered", "item"),
    [("cg-1", "cg-of-your-own"), (f"{newest_exercise_id(COURSE.exercises, 'gain')}-1", "practice-gain-1")],
)
def test_what_stands_below_a_question_counts_variants_of_lessons_and_of_former_exercises(
    diary: Diary, offered: str, item: str
) -> None:
    diary.variant(offered, "+").once(item, "+")
    asked = f"practice-{offered}"
    below = diary.desk.read(
        item_practice.load_item_practice, Caller(diary.who.proposed_token), COURSE, diary.now, asked
    )
    assert below.skill_state
    whole = diary.look().skill_state_by_skill_id[COURSE.skill_credit_by_item_id[item].skill_id]
    assert (below.skill_state.practice.tried_count, below.skill_state.practice) == (2, whole.practice)


def test_an_answer_brings_along_how_practice_stands_after_it(desk: Desk) -> None:
    item = "content:practice-dcg-2"
    for seed, text in enumerate(("-", "+"), 1):
        attempt_key = AttemptKey(source="practice", ref=f"{item}-{seed}", seed=seed)
        answer = (Answer(item, 1, (text,)), Told())
        change = desk.write(
            item_practice.run_item_verb,
            TANG,
            responding.respond,
            attempt_key,
            answer,
            MORNING,
            (item,),
            COURSE,
            "practice-dcg-2",
        )
    assert change.item_log.last_answer_to(item) == ("+",)
    assert change.item_practice == desk.read(
        item_practice.load_item_practice, TANG, COURSE, MORNING, "practice-dcg-2"
    )
    assert (change.item_practice.score.sugar_points, change.item_practice.score.today_count) == (3, 2)
    change = desk.write(
        item_practice.run_item_verb,
        TANG,
        responding.open_next_hint,
        attempt_key,
        (item, 1),
        MORNING,
        (item,),
        COURSE,
        None,
    )
    assert change.item_practice is None, "a lesson shows nothing of it"


def test_points_never_fall_and_a_streak_counts(diary: Diary) -> None:
    points, streaks = [], []
    for tries in (["+"], ["+"], ["-", "+"], ["+"], ["-"], ["shown"], ["+"], ["+"]):
        diary.variant("dcg-2", *tries)
        points.append(diary.look().score.sugar_points)
        streaks.append(diary.look().score.streak_length)
    assert points == [3, 6, 7, 10, 10, 10, 13, 16]
    assert streaks == [1, 2, 0, 1, 0, 0, 1, 2]
    diary.variant("dcg-2", "+", hints=2)
    assert (diary.look().score.sugar_points, diary.look().score.streak_length) == (17, 2)
    assert diary.look().score.today_count == 9
    assert diary.sleep().look().score.today_count == 0


def counts_and_doubts(score: Score) -> tuple[int, bool, int, bool]:
    """The streak and what was done today, each with whether it may be more than was looked at."""
    return (
        score.streak_length,
        score.may_have_longer_streak,
        score.today_count,
        score.may_have_more_today,
    )


def test_what_is_not_looked_back_at_is_not_denied(diary: Diary) -> None:
    for _ in range(RECENT_ATTEMPT_COUNT):
        diary.variant("dcg-1", "+")
    score = diary.look().score
    assert counts_and_doubts(score) == (60, False, 60, False)
    score = diary.variant("dcg-1", "+").look().score
    assert counts_and_doubts(score) == (60, True, 60, True)
    score = diary.sleep().variant("dcg-1", "-").variant("dcg-1", "+").look().score
    assert counts_and_doubts(score) == (1, False, 2, False)


def test_where_nothing_counted_lately_nothing_more_is_said_of_today() -> None:
    earned = EarnedCounts(clean_count=1, right_later_count=0, right_twin_count=0)
    no_tries = RecentTries()
    score = overview.sugar_score_of(COURSE, earned, no_tries, MORNING.date(), calendar("UTC"))
    assert (score.today_count, score.may_have_more_today) == (0, False)


def test_the_seed_that_is_recommended_was_never_answered(diary: Diary) -> None:
    seen_keys = set()
    for _ in range(12):
        advice = diary.look("dcg").advice
        assert advice
        key = (advice.exercise_id, advice.level, advice.seed)
        assert key not in seen_keys
        seen_keys.add(key)
        diary.seed = advice.seed - 1
        diary.variant(f"{advice.exercise_id}-{advice.level}", "+")


def test_guesses_bring_a_pause_and_the_variant_waits_for_it(diary: Diary, desk: Desk) -> None:
    attempt_key = AttemptKey(source="practice", ref="content:practice-dcg-2-9", seed=9)
    for number in (1, 2, 3):
        answer = Answer("content:practice-dcg-2", number, ("-",))
        at = MORNING + timedelta(seconds=3 * number)
        desk.write(responding.respond, TANG, attempt_key, answer, Told(), at)
    other_answer = Answer("content:practice-dcg-2", 4, ("+",))
    at_once = MORNING + timedelta(seconds=9) + PAUSE_AFTER_RUSH - timedelta(seconds=1)
    log = desk.write(responding.respond, TANG, attempt_key, other_answer, Told(), at_once)
    assert [row.verdict for row in log.responses] == ["wrong"] * 3
    diary.now = MORNING + timedelta(seconds=14)
    guessed = diary.guessed_answer()
    assert guessed
    assert (guessed.item_ref, guessed.seed, guessed.attempt_id) == ("content:practice-dcg-2", 9, 1)
    diary.now = MORNING + timedelta(minutes=1)
    assert diary.guessed_answer() is None
    log = desk.write(
        responding.respond, TANG, attempt_key, other_answer, Told(), at_once + timedelta(seconds=1)
    )
    assert [row.verdict for row in log.responses] == ["wrong"] * 3 + ["right"]


def test_guesses_in_a_lesson_bring_no_pause(desk: Desk) -> None:
    lesson = AttemptKey(source="lesson", ref="content:definitions", seed=3)
    for number in (1, 2, 3, 4):
        answer = Answer("content:gain-of-grade", number, ("-",))
        log = desk.write(
            responding.respond, TANG, lesson, answer, Told(), MORNING + timedelta(seconds=number)
        )
        assert len(log.responses) == number


def test_guesses_at_one_variant_after_the_other_pause_too(diary: Diary, desk: Desk) -> None:
    for number in (1, 2, 3):
        attempt_key = AttemptKey(source="practice", ref=f"content:practice-cg-1-{number}", seed=number)
        answer = Answer("content:practice-cg-1", 1, ("-",))
        desk.write(
            responding.respond, TANG, attempt_key, answer, Told(), MORNING + timedelta(seconds=4 * number)
        )
    diary.now = MORNING + timedelta(seconds=12)
    guessed = diary.guessed_answer()
    assert guessed
    assert (guessed.item_ref, guessed.seed, guessed.attempt_id) == ("content:practice-cg-1", 3, 3)


def test_guesses_at_items_on_their_own_pages_pause_and_those_of_a_placement_do_not(
    diary: Diary, desk: Desk
) -> None:
    for ref, pauses in (("content:placement", False), ("content:item-beijing-zero.7", True)):
        for number in (1, 2, 3):
            answer = Answer("content:beijing-zero", number, ("-",))
            attempt_key = AttemptKey(source="practice", ref=ref, seed=7)
            desk.write(responding.respond, TANG, attempt_key, answer, Told(), MORNING)
        diary.now = MORNING + timedelta(seconds=1)
        assert bool(diary.guessed_answer()) is pauses


def test_a_lesson_stops_nobody(desk: Desk) -> None:
    lesson = AttemptKey(source="lesson", ref="content:definitions", seed=3)
    for number in (1, 2, 3, 4):
        answer = Answer("content:dcg-guided", number, ("-" if number < 4 else "+",))
        log = desk.write(responding.respond, TANG, lesson, answer, Told(), MORNING)
    assert [row.verdict for row in log.responses] == ["wrong", "wrong", "wrong", "right"]


def test_the_notebook_keeps_what_was_typed_until_three_are_clean(diary: Diary) -> None:
    diary.variant("dcg-2", "-", "-", mistake="natural_log").variant("dcg-1", "+")
    mistakes = diary.mistakes()
    [entry] = mistakes.notebook.open_entries
    assert (entry.title, len(entry.wrong_responses), entry.remaining_count) == ("算DCG", 2, 2)
    assert [
        answer.raw_answer
        for wrong in entry.wrong_responses
        if (answer := mistakes.wrong_answer_by_response_id[wrong.response_id])
    ] == [
        ("-",),
        ("-",),
    ]
    assert [misconception.id for misconception in mistakes.notebook.misconceptions] == ["natural_log"]
    diary.variant("dcg-1", "+", hints=1).variant("dcg-1", "+")
    assert diary.mistakes().notebook.open_entries[0].remaining_count == 1
    diary.variant("dcg-3", "+")
    assert diary.mistakes().notebook.open_entries == []
    assert diary.mistakes().wrong_answer_by_response_id == {}
    assert len(diary.mistakes("dcg").wrong_answer_by_response_id) == 2


def test_mistakes_on_cards_and_in_games_are_counted_but_those_taken_back_are_not(
    diary: Diary, desk: Desk
) -> None:
    diary.variant("dcg-2", "-", mistake="natural_log")
    desk.write(decks.collect_cards, TANG, (("content:numeric", "dcg"),), MORNING)
    rated = CardRating("content:numeric", 1, Rating.AGAIN, 4.0, "4.9", "natural_log")
    for undone in (True, False):
        desk.write(reviews.review_card, TANG, rated, MORNING)
        if undone:
            desk.write(reviews.undo_review, TANG, 1, MORNING)
            rated = rated._replace(review_number=2)
    fight = drawn_battle(1, 7)
    place = next(n for n, stroke in enumerate(fight.strokes) if stroke.kind == "dcg")
    raw = f"{engine.predictions(fight.strokes[place].question)['natural_log']:.3f}"
    for position, raw_answer in enumerate(
        [*(fight_stroke.right_answer_text for fight_stroke in fight.strokes[:place]), raw], 1
    ):
        play, move = Play("monster", 1, 7), Move(position, "answer", raw_answer)
        desk.write(plays.make_move, TANG, play, move, BattleJudge(1, 7), MORNING)
    [misconception] = diary.mistakes().notebook.misconceptions
    assert (misconception.id, misconception.mistake_count_by_source) == (
        "natural_log",
        {"questions": 1, "cards": 1, "games": 1},
    )


@pytest.mark.both_databases
def test_a_mistake_on_a_card_takes_back_what_was_right_before_it_on_the_same_day(
    diary: Diary, desk: Desk
) -> None:
    desk.write(decks.collect_cards, TANG, (("content:numeric", "dcg"),), MORNING)

    def clean_count_after(review_number: int) -> int:
        rated = CardRating("content:numeric", review_number, Rating.AGAIN, 4.0, "4.9", "natural_log")
        desk.write(reviews.review_card, TANG, rated, diary.now)
        diary.now += timedelta(minutes=1)
        [misconception] = diary.mistakes().notebook.misconceptions
        return misconception.clean_count

    assert clean_count_after(1) == 0
    diary.variant("dcg-2", "-", mistake="natural_log").variant("dcg-2", "+").variant("dcg-2", "+")
    [misconception] = diary.mistakes().notebook.misconceptions
    assert misconception.clean_count == 2, "the card was before the answers"
    assert clean_count_after(2) == 0


def test_only_a_few_answers_are_fetched_all_of_them_where_one_kind_is_looked_at(diary: Diary) -> None:
    for _ in range(5):
        diary.variant("dcg-2", "-")
    assert len(diary.mistakes().wrong_answer_by_response_id) == 3
    assert len(diary.mistakes("dcg").wrong_answer_by_response_id) == 5


def test_looking_records_nothing(diary: Diary, desk: Desk) -> None:
    diary.variant("dcg-2", "-")
    counts = [desk.count(name) for name in ("learner", "attempt", "response", "hint")]
    diary.look()
    diary.mistakes()
    assert [desk.count(name) for name in ("learner", "attempt", "response", "hint")] == counts


def test_one_stands_by_one_s_own_answers(diary: Diary, desk: Desk) -> None:
    other_diary = Diary(desk, XU)
    for _ in range(5):
        diary.variant("dcg-2", "+").variant("cg-1", "-", "+")
        other_diary.variant("dcg-2", "-").variant("gain-2", "+", hints=1)
    diary.sleep().variant("dcg-2", "+")
    other_diary.sleep()
    assert diary.look().skill_state_by_skill_id["dcg"].mastery == "remembered"
    assert other_diary.look().skill_state_by_skill_id["dcg"].mastery == "learning"


def test_what_is_kept_back_is_passed_over_until_it_is_told(diary: Diary) -> None:
    """Results of an assignment count for mastery and stand in the 错题本 once they may be seen."""
    diary.variant("dcg-2", "-")
    assert len(diary.mistakes().notebook.entries) == 1
    tomorrow = diary.now + timedelta(days=1)

    def keep_back(session: VerbSession) -> None:
        session.execute(table(Attempt).update().values(source="assignment"))
        session.execute(table(Response).update().values(item_ref="content:practice-dcg-2#1"))
        sums.refold_learner(session, 1)
        item_sums.set_shown_from(session, 1, tomorrow)

    diary.desk.write(keep_back)
    assert not diary.mistakes().notebook.entries
    assert not any(advice.practice.tried_count for advice in diary.look().skill_state_by_skill_id.values())
    diary.sleep(2)
    assert len(diary.mistakes().notebook.entries) == 1
    assert any(advice.practice.tried_count for advice in diary.look().skill_state_by_skill_id.values())


def test_a_notebook_is_worked_out_once_between_two_answers(diary: Diary) -> None:
    diary.variant("dcg-2", "-", mistake="natural_log").variant("cg-1", "-")
    former_notebook = diary.mistakes().notebook
    diary.now += timedelta(minutes=5)
    assert diary.mistakes().notebook is former_notebook
    assert diary.mistakes("dcg").notebook is not former_notebook, "all answers of a kind are read"
    diary.variant("dcg-2", "-", mistake="natural_log")
    present_notebook = diary.mistakes().notebook
    assert [entry.mistake_count for entry in present_notebook.open_entries] == [2, 1]
    assert [entry.mistake_count for entry in former_notebook.open_entries] == [1, 1]


def test_the_answers_of_a_kind_are_more_than_the_page_of_all_shows(diary: Diary) -> None:
    most_answers_of_page = notebook.MOST_KINDS * notebook.MOST_ANSWERS
    for _ in range(most_answers_of_page + 2):
        diary.variant("dcg-2", "-")
    mistakes = diary.mistakes("dcg")
    [entry] = mistakes.notebook.entries
    assert {wrong.response_id for wrong in entry.wrong_responses} == set(mistakes.wrong_answer_by_response_id)
    assert len(mistakes.wrong_answer_by_response_id) == most_answers_of_page + 2
    assert len(diary.mistakes().wrong_answer_by_response_id) == notebook.MOST_ANSWERS
