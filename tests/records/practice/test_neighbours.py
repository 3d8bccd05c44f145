"""Learners who practise the same beside each other: what is advised, counted and kept is each one's own."""

from datetime import timedelta

from app.records.accounts.values import Caller
from app.records.games import plays
from app.records.learning import responding
from app.records.learning.values import Answer, AttemptKey
from app.records.practice import five_minutes, item_practice, overview, warm_ups
from tests.records.cast import Desk
from tests.records.long_histories import large_desk as lonely_desk
from tests.records.neighbours import expect_apart
from tests.records.practice.diary import COURSE, MORNING, Diary, Told

__all__ = ["lonely_desk"]

CONCEPTS = AttemptKey(source="lesson", ref="content:concepts", seed=7)
FIRST_ITEM_ID, SECOND_ITEM_ID = COURSE.practised_skills["order-matters"].item_ids[:2]


def answer_in_lesson(desk: Desk, caller: Caller, item_id: str, text: str) -> None:
    answer = Answer(f"content:{item_id}", 1, (text,))
    desk.write(responding.respond, caller, CONCEPTS, answer, Told(), MORNING)


def practise_one_way(desk: Desk, caller: Caller) -> None:
    answer_in_lesson(desk, caller, FIRST_ITEM_ID, "+")
    diary = Diary(desk, caller)
    diary.once(FIRST_ITEM_ID, "+").variant("dcg-2", "-", "+", mistake="natural_log")
    diary.sleep().variant("dcg-2", "+").variant("dcg-1", "-", hints=1).once(SECOND_ITEM_ID, "-", "shown")


def practise_another_way(desk: Desk, caller: Caller) -> None:
    answer_in_lesson(desk, caller, SECOND_ITEM_ID, "-")
    diary = Diary(desk, caller)
    diary.once(FIRST_ITEM_ID, "-", "-", "+").variant("dcg-2", "+").variant(
        "dcg-1", "-", mistake="linear_gain"
    )
    diary.sleep().variant("dcg-2", "-", mistake="natural_log").once(SECOND_ITEM_ID, "+")
    for _ in range(3):
        diary.variant("steps-dcg-3", "+")


def read_notebook(diary: Diary) -> list[object]:
    """Kinds of mistakes, when each was made, and the answers as they were given."""
    notebook_data = diary.mistakes()
    wrong_responses = [
        (entry.kind, entry.title, response.item_id, response.day, response.misconception_code)
        for entry in notebook_data.notebook.entries
        for response in entry.wrong_responses
    ]
    return [wrong_responses, notebook_data.wrong_answer_by_response_id]


def read_practice(desk: Desk, caller: Caller) -> list[object]:
    diary = Diary(desk, caller, MORNING + timedelta(days=1, minutes=20), seed=40)
    today = desk.read(five_minutes.load_five_minutes, caller, COURSE, diary.now)
    return [
        diary.look(),
        diary.progress(),
        diary.skill_map(),
        *read_notebook(diary),
        desk.read(item_practice.load_item_practice, caller, COURSE, diary.now, "practice-dcg-2"),
        (today.plan.questions, sorted(today.attempt_refs_today), today.is_case_done, today.has_played),
        desk.read(warm_ups.load_warm_up, caller, "content:warm-up", diary.now),
        [desk.read(overview.unused_seed, caller, COURSE, "practice-dcg-2", seed) for seed in range(1, 9)],
        desk.read(plays.load_recent_plays, caller, diary.now),
    ]


def test_practice_is_each_learner_s_own(desk: Desk, lonely_desk: Desk) -> None:
    expect_apart(desk, lonely_desk, practise_one_way, practise_another_way, read_practice)
