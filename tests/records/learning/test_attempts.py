"""Answers: the first one for a try stands, what cannot be read leaves no trace, and nobody sees another's."""

import json
from collections.abc import Callable

import pytest
from sqlalchemy import delete

from app.records.accounts import learners
from app.records.accounts.tables import Learner
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound, Stale
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.learning import attempts, item_logs, lesson_pages, lesson_progress, responding
from app.records.learning.values import Answer, AttemptKey, ItemLog
from tests.records.cast import (
    COURSE,
    ITEM,
    LESSON,
    NOW,
    PRACTICE,
    STAGE,
    TWIN,
    WHY,
    XIAOTANG,
    XIAOXU,
    Desk,
    SmallCourse,
    UnreadableError,
    answer,
)


def respond(
    desk: Desk, text: str, try_number: int = 1, caller: Caller = XIAOTANG, item: str = ITEM
) -> ItemLog:
    return desk.write(
        responding.respond, caller, LESSON, answer(text, try_number, item), COURSE, NOW, (TWIN,)
    )


def test_an_answer_is_kept_as_it_came_and_as_it_was_understood(desk: Desk) -> None:
    log = respond(desk, "4.76")
    [row] = log.responses
    assert (row.raw, row.value, row.verdict, row.score) == (("4.76",), "4.76", "wrong", 0.0)
    assert (row.misconception_code, row.hint_count, row.seconds, row.created_at) == (
        "exponential_gain",
        0,
        12,
        NOW,
    )
    assert (log.token, log.seed, log.round_number) == (XIAOTANG.proposed_token, 7, 1)
    assert desk.read(attempts.load_own_attempt, Caller(log.token), log.attempt_id, NOW).responses == (row,)


def test_the_text_of_an_answer_survives(desk: Desk) -> None:
    typed = ("4.26", "４．２６“甜”\\", "😀", "")
    log = desk.write(responding.respond, XIAOTANG, LESSON, Answer(ITEM, 1, typed), COURSE, NOW)
    assert log.responses[0].raw == typed
    assert json.loads(desk.rows("SELECT raw FROM response")[0][0]) == list(typed)


def test_the_same_answer_sent_twice_is_taken_and_another_one_to_the_same_try_is_not(desk: Desk) -> None:
    assert responding.is_taken(respond(desk, "1"), answer("1"))
    assert responding.is_taken(respond(desk, "1"), answer("1"))
    assert not responding.is_taken(respond(desk, "2"), answer("2"))
    assert not responding.is_taken(respond(desk, "1"), answer("1", 2))


def test_tries_count_up_until_it_is_right(desk: Desk) -> None:
    respond(desk, "1")
    log = respond(desk, "4.26", 2)
    assert [(row.try_number, row.verdict) for row in log.responses] == [(1, "wrong"), (2, "right")]
    assert respond(desk, "1", 3) == log
    assert desk.count("response") == 2


@pytest.mark.parametrize("try_number", [0, -1, 2, 99])
def test_a_try_out_of_order_changes_nothing(desk: Desk, try_number: int) -> None:
    assert respond(desk, "4.26", try_number).responses == ()
    assert desk.count("response") == 0


def test_a_double_answer_in_one_batch_is_one_response(desk: Desk) -> None:
    def click(text: str) -> Callable[[VerbSession], ItemLog]:
        return lambda session: responding.respond(session, XIAOTANG, LESSON, answer(text), COURSE, NOW)

    first, second = desk.write_together(click("1"), click("4.26"))
    assert first == second
    assert [row.verdict for row in second.responses] == ["wrong"]
    assert desk.count("learner") == desk.count("attempt") == desk.count("response") == 1


def test_what_cannot_be_read_leaves_no_row_and_no_learner(desk: Desk) -> None:
    with pytest.raises(UnreadableError):
        respond(desk, "vier")
    for name in ("learner", "sign_in", "attempt", "response", "item_version"):
        assert desk.count(name) == 0
    assert respond(desk, "4.26", 1).responses[0].verdict == "right"


def test_the_log_brings_the_family_along_and_nobody_else(desk: Desk) -> None:
    respond(desk, "1")
    respond(desk, "1", item="content:another")
    log = respond(desk, "4.26", item=TWIN)
    assert {row.item_ref for row in log.responses} == {TWIN}
    log = desk.write(responding.respond, XIAOTANG, LESSON, answer("4.26", 2), COURSE, NOW, (TWIN,))
    assert [row.item_ref for row in log.responses] == [ITEM, TWIN, ITEM]
    assert [row.verdict for row in log.responses_to_item(ITEM)] == ["wrong", "right"]


def test_showing_ends_an_item_without_a_score(desk: Desk) -> None:
    respond(desk, "1")
    log = desk.write(responding.show_solution, XIAOTANG, LESSON, ITEM, 2, COURSE, NOW)
    assert [(row.verdict, row.score) for row in log.responses] == [("wrong", 0.0), ("shown", 0.0)]
    assert desk.write(responding.show_solution, XIAOTANG, LESSON, ITEM, 2, COURSE, NOW) == log
    assert desk.write(responding.show_solution, XIAOTANG, LESSON, ITEM, 3, COURSE, NOW) == log
    assert respond(desk, "4.26", 3).responses == log.responses


def test_hints_open_one_by_one_and_are_counted_by_the_answer(desk: Desk) -> None:
    def hint(position: int) -> int:
        log = desk.write(responding.open_next_hint, XIAOTANG, LESSON, ITEM, position, NOW)
        return log.hint_count_by_item_ref.get(ITEM, 0)

    assert [hint(2), hint(1), hint(1), hint(3), hint(2), hint(0)] == [0, 1, 1, 1, 2, 2]
    log = respond(desk, "4.26")
    assert log.responses[0].hint_count == log.hint_count_by_item_ref[ITEM] == 2
    assert desk.count("hint") == 2


def test_another_learner_does_not_find_the_attempt(desk: Desk) -> None:
    log = respond(desk, "1")
    stranger = Caller(desk.write(learners.find_or_add_learner, XIAOXU, NOW).token)
    theirs = LESSON._replace(attempt_id=log.attempt_id)
    with pytest.raises(NotFound):
        desk.read(attempts.load_own_attempt, stranger, log.attempt_id, NOW)
    with pytest.raises(NotFound):
        desk.read(attempts.load_own_attempt, Caller(), log.attempt_id, NOW)
    with pytest.raises(NotFound):
        desk.write(responding.respond, stranger, theirs, answer("4.26", 2), COURSE, NOW)
    with pytest.raises(NotFound):
        desk.write(responding.show_solution, stranger, theirs, ITEM, 2, COURSE, NOW)
    with pytest.raises(NotFound):
        desk.write(responding.open_next_hint, stranger, theirs, ITEM, 1, NOW)
    assert desk.count("response") == 1
    assert desk.count("hint") == 0


def test_one_s_own_attempt_is_found_by_its_id(desk: Desk) -> None:
    log = respond(desk, "1")
    again = desk.write(
        responding.respond, XIAOTANG, AttemptKey(attempt_id=log.attempt_id), answer("4.26", 2), COURSE, NOW
    )
    assert again.attempt_id == log.attempt_id
    assert again.seed == 7


def test_a_newcomer_with_an_attempt_of_somebody_leaves_no_learner(desk: Desk) -> None:
    log = respond(desk, "1")
    with pytest.raises(NotFound):
        desk.write(
            responding.respond, XIAOXU, AttemptKey(attempt_id=log.attempt_id), answer("1"), COURSE, NOW
        )
    assert desk.count("learner") == 1


def test_an_ended_proposal_is_refused(desk: Desk) -> None:
    respond(desk, "1")
    desk.write(learners.end_own_sign_in, Caller(XIAOTANG.proposed_token), NOW)
    with pytest.raises(Stale):
        respond(desk, "4.26", 2)
    assert desk.count("response") == 1


def test_the_seed_of_the_first_moment_stays(desk: Desk) -> None:
    respond(desk, "1")
    later = LESSON._replace(seed=99)
    assert desk.write(responding.respond, XIAOTANG, later, answer("2", 2), COURSE, NOW).seed == 7


def test_a_lesson_and_the_practice_of_an_example_are_two_attempts(desk: Desk) -> None:
    first = respond(desk, "1")
    second = desk.write(responding.respond, XIAOTANG, PRACTICE, answer("4.26"), COURSE, NOW)
    assert second.attempt_id != first.attempt_id
    assert [row.verdict for row in second.responses] == ["right"]


def test_learning_again_answers_again(desk: Desk) -> None:
    first = respond(desk, "4.26")
    desk.write(lesson_progress.begin_stage_again, XIAOTANG, STAGE, WHY, NOW)
    assert desk.read(lesson_pages.load_lesson, Caller(first.token), STAGE).attempt is None
    second = respond(desk, "1")
    assert (second.round_number, len(second.responses)) == (2, 1)
    assert (
        desk.read(attempts.load_own_attempt, Caller(first.token), first.attempt_id, NOW).responses
        == first.responses
    )


def test_the_item_is_frozen_at_its_first_answer_and_after_each_change(desk: Desk) -> None:
    respond(desk, "1")
    respond(desk, "1", caller=XIAOXU)
    assert desk.count("item_version") == 1
    changed = SmallCourse('{"stem": "new"}')
    log = desk.write(responding.respond, XIAOTANG, LESSON, answer("4.26", 2), changed, NOW)
    own_page = desk.read(attempts.load_own_attempt, Caller(log.token), log.attempt_id, NOW)
    assert [own_page.body_by_hash[row.item_version_hash] for row in own_page.responses] == [
        COURSE.body,
        changed.body,
    ]


def test_a_learner_takes_everything_along_when_deleted(desk: Desk) -> None:
    respond(desk, "4.26")
    desk.write(responding.open_next_hint, XIAOTANG, LESSON, ITEM, 1, NOW)

    def forget(session: VerbSession) -> None:
        session.execute(delete(table(Learner)))

    desk.write(forget)
    for name in ("learner", "sign_in", "attempt", "response", "hint"):
        assert desk.count(name) == 0


def test_looking_at_an_item_changes_nothing(desk: Desk) -> None:
    newcomer = Caller(XIAOTANG.proposed_token)
    for caller in (XIAOTANG, newcomer, Caller()):
        item_log = desk.read(item_logs.load_item_log, caller, LESSON, ITEM)
        assert (item_log.attempt_id, item_log.seed, item_log.responses) == (0, LESSON.seed, ())
    log = respond(desk, "1")
    assert desk.read(item_logs.load_item_log, newcomer, LESSON, ITEM, (TWIN,)) == log
    assert (
        desk.read(item_logs.load_item_log, newcomer, AttemptKey(attempt_id=log.attempt_id), ITEM, (TWIN,))
        == log
    )
    with pytest.raises(NotFound):
        desk.read(
            item_logs.load_item_log,
            Caller(desk.write(learners.find_or_add_learner, XIAOXU, NOW).token),
            AttemptKey(1),
            ITEM,
        )


def test_what_was_practised_is_told_by_item_and_in_order(desk: Desk) -> None:
    """Answers of lessons are not practice, nor are other items asked for; nobody sees another's."""
    prefix = ITEM[:-2]
    by_itself = AttemptKey(source="practice", ref=ITEM)
    drawn = AttemptKey(source="practice", ref=ITEM.replace(":", ":item-") + ".7", seed=7)
    log = desk.write(responding.respond, XIAOTANG, by_itself, answer("1", 1), COURSE, NOW)
    desk.write(responding.respond, Caller(log.token), drawn, answer("4.26", 1), COURSE, NOW)
    respond(desk, "1", item=TWIN, caller=Caller(log.token))
    practised = desk.read(attempts.load_practised_items, Caller(log.token), prefix)
    assert practised.verdicts_by_item_ref == {ITEM: ("wrong", "right")}
    assert practised.learner_id is not None
    assert (
        desk.read(attempts.load_practised_items, Caller(log.token), "content:other-").verdicts_by_item_ref
        == {}
    )
    assert desk.read(attempts.load_practised_items, XIAOXU, prefix).verdicts_by_item_ref == {}
