"""Learners beside each other in the same lessons and examples: places, answers and hints of their own."""

from collections.abc import Sequence
from datetime import timedelta

from app.records.accounts.values import Caller
from app.records.learning import (
    attempts,
    bookmarks,
    item_logs,
    lesson_pages,
    lesson_progress,
    responding,
    reveals,
)
from app.records.learning.bookmarks import BookmarkedPlace
from app.records.learning.values import AttemptKey, Guess
from tests.records.cast import (
    COURSE,
    EXAMPLE,
    GAIN,
    ITEM,
    LESSON,
    NOW,
    PRACTICE,
    STAGE,
    TWIN,
    WHY,
    Desk,
    answer,
)
from tests.records.long_histories import large_desk as lonely_desk
from tests.records.neighbours import expect_apart
from tests.records.own_progress import load_progress

__all__ = ["lonely_desk"]

NEXT_STAGE, NEXT_EXAMPLE = "content:definition", "content:shanghai-food"
DRILL = AttemptKey(source="practice", ref="content:practice-dcg-2-5", seed=5)
AT_STEPS = [BookmarkedPlace("lesson", STAGE, "why", step) for step in "abc"]
DAY = timedelta(days=1)


def learn(desk: Desk, caller: Caller, texts: Sequence[str], step_count: int, rounds: int) -> None:
    for round_number in range(rounds):
        now = NOW + round_number * DAY
        desk.write(lesson_progress.begin_stage_again, caller, STAGE, WHY, now)
        for stage, section in ((STAGE, WHY), (STAGE, GAIN), (NEXT_STAGE, WHY)):
            desk.write(lesson_progress.save_place, caller, stage, section, step_count, step_count > 3, now)
        desk.write(reveals.begin_reveal_again, caller, EXAMPLE, now)
        for example, last_position in ((EXAMPLE, step_count), (NEXT_EXAMPLE, 2)):
            for position in range(1, last_position + 1):
                guess = Guess(position, texts[0], False, "no_discount")
                desk.write(reveals.open_position, caller, example, guess, now)
        for attempt_key in (LESSON, PRACTICE, DRILL):
            for position in range(1, step_count):
                desk.write(responding.open_next_hint, caller, attempt_key, TWIN, position, now)
            for try_number, text in enumerate(texts, 1):
                desk.write(responding.respond, caller, attempt_key, answer(text, try_number), COURSE, now)
            desk.write(responding.show_solution, caller, attempt_key, TWIN, 1, COURSE, now)
    saved = [desk.write(bookmarks.put_bookmark, caller, place, texts[0], NOW) for place in AT_STEPS]
    desk.write(bookmarks.put_bookmark, caller, AT_STEPS[0], texts[-1], NOW)
    desk.write(bookmarks.remove_bookmark, caller, saved[step_count % 3].id, NOW)
    assert len(desk.read(bookmarks.load_bookmarks, caller).bookmarks) == 2


def learn_one_way(desk: Desk, caller: Caller) -> None:
    learn(desk, caller, ["4.76", "4.26"], 2, 2)


def learn_another_way(desk: Desk, caller: Caller) -> None:
    learn(desk, caller, ["1", "2", "4.76"], 4, 3)


def read_what_was_learnt(desk: Desk, caller: Caller) -> list[object]:
    page_data: list[object] = [
        desk.read(load_progress, caller),
        desk.read(lesson_progress.load_places, caller),
        desk.read(lesson_pages.load_reveals, caller, (EXAMPLE, NEXT_EXAMPLE)),
        desk.read(lesson_pages.load_example, caller, EXAMPLE),
        desk.read(attempts.load_practised_items, caller, "content:practice-dcg"),
        desk.read(attempts.load_responses_by_attempt_ref, caller, ITEM, DRILL.seed),
        desk.read(bookmarks.load_bookmarks, caller),
        [desk.read(bookmarks.load_bookmark, caller, place) for place in AT_STEPS],
    ]
    page_data += [
        desk.read(lesson_pages.load_lesson, caller, stage, (EXAMPLE,)) for stage in (STAGE, NEXT_STAGE)
    ]
    for attempt_key in (LESSON, PRACTICE, DRILL):
        item_log = desk.read(item_logs.load_item_log, caller, attempt_key, ITEM, (TWIN,))
        page_data += [item_log, desk.read(attempts.load_own_attempt, caller, item_log.attempt_id, NOW)]
    return page_data


def test_what_is_learnt_is_each_learner_s_own(desk: Desk, lonely_desk: Desk) -> None:
    expect_apart(desk, lonely_desk, learn_one_way, learn_another_way, read_what_was_learnt)
