"""Where a learner is: the later place wins, 重学 begins a round, and what is opened stays open."""

from datetime import UTC, datetime, timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.activity import row_limits
from app.records.db.errors import Stale, Throttled
from app.records.items import problem_reports
from app.records.learning import lesson_pages, lesson_progress, responding, reveals
from app.records.learning.values import (
    ExamplePageData,
    Guess,
    LessonPageData,
    OpenedReveal,
    ProgressData,
    RevealState,
    StageTally,
)
from tests.records.all_sums import rebuild_all_sums
from tests.records.cast import (
    COURSE,
    EXAMPLE,
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
    answer,
    section_of,
)
from tests.records.own_progress import load_progress

LEARNER = Caller(XIAOTANG.proposed_token)
RETURNING = Caller(
    XIAOTANG.proposed_token, XIAOTANG.proposed_token
)  # a newcomer at first, known by the cookie later
NEXT_STAGE = "content:definition"


def keep(
    desk: Desk, section: str, step: int, done: bool = False, stage: str = STAGE, hours: float = 0
) -> int:
    now = NOW + timedelta(hours=hours)
    return desk.write(
        lesson_progress.save_place, RETURNING, stage, section_of(section), step, done, now
    ).place.step_number


def test_the_later_place_wins(desk: Desk) -> None:
    assert [keep(desk, "why", step) for step in (2, 5, 3, 5)] == [2, 5, 5, 5]
    assert desk.count("lesson_place") == 1


def test_two_tabs_at_once_keep_the_later_place(desk: Desk) -> None:
    results = desk.write_together(
        lambda session: lesson_progress.save_place(session, XIAOTANG, STAGE, WHY, 6, False, NOW),
        lambda session: lesson_progress.save_place(session, XIAOTANG, STAGE, WHY, 2, False, NOW),
    )
    assert [saved.place.step_number for saved in results] == [6, 6]
    assert desk.count("learner") == desk.count("lesson_place") == 1


def test_what_is_done_stays_done(desk: Desk) -> None:
    keep(desk, "why", 6, done=True)
    keep(desk, "why", 2)
    place = desk.read(lesson_pages.load_lesson, LEARNER, STAGE).place_of_section("why")
    assert place is not None
    assert place.is_done


def test_what_is_done_keeps_its_time(desk: Desk) -> None:
    for step, hours in ((6, 0), (2, 1), (6, 2)):
        keep(desk, "why", step, done=True, hours=hours)
    assert [row.updated_at for row in desk.read(lesson_progress.load_places, LEARNER).places] == [NOW]


def test_a_section_that_grows_keeps_the_time_when_it_was_done(desk: Desk) -> None:
    """An assignment asks for it; the day of the new step counts all the same."""
    keep(desk, "why", 2, done=True)
    assert keep(desk, "why", 3, done=True, hours=72) == 3
    [place] = desk.read(lesson_progress.load_places, LEARNER).places
    assert (place.step_number, place.is_done, place.updated_at) == (3, True, NOW)
    assert desk.count("learning_day") == 2
    assert not desk.write(rebuild_all_sums)


def test_the_last_place_is_where_to_go_on(desk: Desk) -> None:
    keep(desk, "why", 2, hours=0)
    keep(desk, "gain", 3, stage=NEXT_STAGE, hours=1)
    keep(desk, "why", 3, hours=2)
    assert [row.section_id for row in desk.read(lesson_progress.load_places, LEARNER).places] == [
        "gain",
        "why",
    ]
    keep(desk, "gain", 1, stage=NEXT_STAGE, hours=3)
    last = desk.read(lesson_progress.load_places, LEARNER).places[-1]
    assert (last.stage_ref, last.section_id, last.step_number) == (NEXT_STAGE, "gain", 3)
    assert desk.read(lesson_progress.load_places, Caller()).places == ()


def test_learning_again_is_a_new_round_and_keeps_the_old_one(desk: Desk) -> None:
    keep(desk, "why", 6, done=True)
    keep(desk, "how", 2)
    again = desk.write(lesson_progress.begin_stage_again, XIAOTANG, STAGE, WHY, NOW).place
    assert (again.round, again.section_id, again.step_number, again.is_done) == (2, "why", 1, False)
    lesson = desk.read(lesson_pages.load_lesson, LEARNER, STAGE)
    assert [(row.section_id, row.round) for row in lesson.places] == [("why", 2)]
    assert keep(desk, "how", 1) == 1
    assert desk.count("lesson_place") == 4


def test_what_was_reached_in_one_round_stays_reached(desk: Desk) -> None:
    """A section that was done once was done then; one that never was stands where its learner is now."""

    def reached_places() -> list[tuple[str, int, bool, datetime]]:
        places = desk.read(lesson_progress.reached_places_of_learner, 1)
        return [(place.section_id, place.round, place.is_done, place.updated_at) for place in places]

    keep(desk, "why", 6, done=True)
    keep(desk, "how", 2, hours=1)
    reached_at_first = reached_places()
    assert reached_at_first == [("why", 1, True, NOW), ("how", 1, False, NOW + timedelta(hours=1))]
    desk.write(lesson_progress.begin_stage_again, RETURNING, STAGE, WHY, NOW + timedelta(hours=2))
    assert reached_places() == reached_at_first
    keep(desk, "how", 1, hours=3)
    keep(desk, "why", 6, done=True, hours=4)
    assert reached_places() == [("why", 1, True, NOW), ("how", 2, False, NOW + timedelta(hours=3))]


def test_a_double_click_on_again_is_one_round(desk: Desk) -> None:
    keep(desk, "why", 6)
    first, second = desk.write_together(
        lambda session: lesson_progress.begin_stage_again(session, XIAOTANG, STAGE, WHY, NOW),
        lambda session: lesson_progress.begin_stage_again(session, XIAOTANG, STAGE, WHY, NOW),
    )
    assert first == second
    assert first.place.round == 2


def test_again_after_an_answer_without_a_place_is_a_new_round(desk: Desk) -> None:
    desk.write(responding.respond, XIAOTANG, LESSON, answer("1"), COURSE, NOW)
    assert desk.write(lesson_progress.begin_stage_again, XIAOTANG, STAGE, WHY, NOW).place.round == 2
    assert desk.read(lesson_pages.load_lesson, LEARNER, STAGE).attempt is None


def test_again_of_a_newcomer_is_the_first_round(desk: Desk) -> None:
    assert desk.write(lesson_progress.begin_stage_again, XIAOTANG, STAGE, WHY, NOW).place.round == 1


def test_positions_open_one_after_the_other(desk: Desk) -> None:
    def open_next(position: int) -> int:
        return desk.write(
            reveals.open_position, XIAOTANG, EXAMPLE, Guess(position, "bigger", True), NOW
        ).opened_count

    assert [open_next(position) for position in (2, 1, 1, 3, 2, 0, -1)] == [0, 1, 1, 1, 2, 2, 2]
    assert desk.count("reveal") == 2


def test_the_first_guess_stands(desk: Desk) -> None:
    desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1, "bigger", False), NOW)
    reveals_after = desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1, "smaller", True), NOW)
    assert reveals_after.guesses == (Guess(1, "bigger", False),)


def test_open_up_to_a_position_guesses_nothing(desk: Desk) -> None:
    desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1, "bigger", True), NOW)
    reveals_after = desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(2), NOW, end_position=4)
    assert reveals_after.guesses == (Guess(1, "bigger", True), *[Guess(position) for position in (2, 3, 4)])
    assert (
        desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(2), NOW, end_position=4) == reveals_after
    )
    example = desk.read(lesson_pages.load_example, LEARNER, EXAMPLE)
    assert (example.reveal_state.opened_count, example.reveal_state.guesses) == (4, reveals_after.guesses)


def test_closing_an_example_begins_a_round_once(desk: Desk) -> None:
    desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1), NOW, end_position=3)
    desk.write(responding.respond, XIAOTANG, PRACTICE, answer("4.26"), COURSE, NOW)
    first = desk.write(reveals.begin_reveal_again, XIAOTANG, EXAMPLE, NOW)
    assert first == OpenedReveal(2, 0, (), str(XIAOTANG.proposed_token))
    assert desk.write(reveals.begin_reveal_again, XIAOTANG, EXAMPLE, NOW) == first
    example = desk.read(lesson_pages.load_example, LEARNER, EXAMPLE)
    assert (
        example.reveal_state.round_number,
        example.reveal_state.opened_count,
        example.attempt,
        example.responses,
    ) == (
        2,
        0,
        None,
        (),
    )
    assert desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1), NOW).opened_count == 1


def test_a_lesson_is_seen_in_one_look(desk: Desk) -> None:
    keep(desk, "why", 4)
    desk.write(responding.respond, XIAOTANG, LESSON, answer("1"), COURSE, NOW)
    desk.write(responding.open_next_hint, XIAOTANG, LESSON, ITEM, 1, NOW)
    desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1, "bigger", True), NOW)
    lesson = desk.read(lesson_pages.load_lesson, LEARNER, STAGE, (EXAMPLE, "content:short-video"))
    assert lesson.learner_id
    assert lesson.attempt
    assert lesson.attempt.seed == LESSON.seed
    assert [(row.section_id, row.step_number, row.updated_at) for row in lesson.places] == [("why", 4, NOW)]
    assert [row.verdict for row in lesson.responses_to_item(ITEM)] == ["wrong"]
    assert lesson.hint_count_by_item_ref == {ITEM: 1}
    opened = RevealState(1, 1, (Guess(1, "bigger", True),))
    assert lesson.reveal_by_example_ref == {EXAMPLE: opened, "content:short-video": RevealState()}


def test_a_visitor_is_looked_at_without_a_trace(desk: Desk) -> None:
    for caller in (Caller(), Caller("token of nobody"), XIAOTANG):
        assert desk.read(lesson_pages.load_lesson, caller, STAGE, (EXAMPLE,)) == LessonPageData()
        assert desk.read(lesson_pages.load_example, caller, EXAMPLE) == ExamplePageData()
        assert desk.read(load_progress, caller) == ProgressData()
    assert desk.count("learner") == 0


def test_nobody_sees_the_place_of_another(desk: Desk) -> None:
    keep(desk, "why", 4)
    desk.write(reveals.open_position, XIAOTANG, EXAMPLE, Guess(1), NOW, end_position=5)
    desk.write(lesson_progress.save_place, XIAOXU, STAGE, WHY, 1, False, NOW)
    desk.write(reveals.open_position, XIAOXU, EXAMPLE, Guess(1, "smaller", False), NOW)
    lesson = desk.read(lesson_pages.load_lesson, Caller(XIAOXU.proposed_token), STAGE, (EXAMPLE,))
    assert [row.step_number for row in lesson.places] == [1]
    assert lesson.reveal_by_example_ref[EXAMPLE] == RevealState(1, 1, (Guess(1, "smaller", False),))


def respond(desk: Desk, item: str, *texts: str, now: datetime = NOW) -> None:
    for number, text in enumerate(texts, 1):
        desk.write(responding.respond, RETURNING, LESSON, answer(text, number, item), COURSE, now)


def test_progress_counts_first_tries_corrections_and_open_mistakes(desk: Desk) -> None:
    respond(desk, "content:a", "4.26")
    respond(desk, "content:b", "1", "4.26")
    respond(desk, "content:c", "1")
    respond(desk, "content:probe", "1")
    respond(desk, ITEM, "1")
    respond(desk, TWIN, "4.26")
    progress_data = desk.read(load_progress, LEARNER, {TWIN: ITEM}, {"content:probe"})
    assert progress_data.stage_tallies == (
        StageTally(STAGE, right_count=1, corrected_count=2, wrong_count=1),
    )
    assert progress_data.stage_tallies[0].answered_count == 4


def test_what_was_worked_out_together_is_a_correction(desk: Desk) -> None:
    respond(desk, "content:a", "4.2")
    respond(desk, "content:b", "1", "4.2")
    assert desk.read(load_progress, LEARNER).stage_tallies == (StageTally(STAGE, corrected_count=2),)


def test_progress_counts_what_was_answered_in_any_round(desk: Desk) -> None:
    """What was right stays right, and what was wrong at first can be corrected in a later round."""
    respond(desk, "content:a", "4.26")
    respond(desk, ITEM, "1")
    counted_at_first = (StageTally(STAGE, right_count=1, wrong_count=1),)
    assert desk.read(load_progress, LEARNER).stage_tallies == counted_at_first
    desk.write(lesson_progress.begin_stage_again, XIAOTANG, STAGE, WHY, NOW)
    assert desk.read(load_progress, LEARNER).stage_tallies == counted_at_first
    respond(desk, "content:a", "1")
    respond(desk, ITEM, "4.26")
    counted_at_last = (StageTally(STAGE, right_count=1, corrected_count=1),)
    assert desk.read(load_progress, LEARNER).stage_tallies == counted_at_last


def test_a_day_is_the_learner_s_day(desk: Desk) -> None:
    respond(desk, "content:a", "1", now=datetime(2026, 9, 1, 19, 59, tzinfo=UTC))
    respond(desk, "content:b", "1", now=datetime(2026, 9, 1, 20, 0, tzinfo=UTC))
    keep(desk, "why", 2, hours=72)
    progress_data = desk.read(load_progress, LEARNER)
    assert progress_data.day_count == 3
    days = desk.rows("SELECT day FROM learning_day ORDER BY day")
    assert days == [("2026-09-01",), ("2026-09-02",), ("2026-09-04",)]
    assert progress_data.reached_places[-1].section_id == "why"


def test_a_section_that_was_read_on_two_days_counts_for_both(desk: Desk) -> None:
    for hours in (0, 1, 24, 25, 48):
        keep(desk, "why", 1 + hours // 12, hours=hours)
    assert desk.read(load_progress, LEARNER).day_count == 3
    assert desk.count("lesson_visit") == 4, "each moment but the last, which the place has"
    assert not desk.write(rebuild_all_sums)


@pytest.mark.both_databases
def test_every_step_of_a_section_counts_as_time_of_learning(desk: Desk) -> None:
    """Six steps, four minutes each, with a break of six after the third."""
    for step, minutes in enumerate((0, 4, 8, 14, 18, 22), start=1):
        keep(desk, "why", step, hours=minutes / 60)
    assert desk.read(load_progress, LEARNER).learning_time == timedelta(minutes=16)
    assert not desk.write(rebuild_all_sums)


def test_a_step_that_is_asked_for_again_and_again_fills_no_disk(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(row_limits, "MOST_MOMENT_CHARACTERS_A_DAY", 60)
    for _ in range(6):
        keep(desk, "why", 2)
    visit_count = desk.count("lesson_visit")
    with pytest.raises(Throttled):
        keep(desk, "why", 2)
    assert desk.count("lesson_visit") == visit_count


def test_a_report_is_kept_once_and_makes_no_learner(desk: Desk) -> None:
    for caller in (None, XIAOTANG, None):
        desk.write(problem_reports.keep_report, caller, ITEM, " 答案好像不对 ", "/lessons/concepts/why", NOW)
    [report] = desk.read(problem_reports.all_reports)
    assert (report.learner_id, report.item_ref, report.text) == (None, ITEM, "答案好像不对")
    assert (report.page, report.created_at) == ("/lessons/concepts/why", NOW)
    assert desk.count("learner") == 0


def test_reports_know_their_learner_and_are_not_merged(desk: Desk) -> None:
    keep(desk, "why", 1)
    desk.write(problem_reports.keep_report, LEARNER, ITEM, "one", "/", NOW)
    desk.write(problem_reports.keep_report, LEARNER, ITEM, "two" * 9000, "/", NOW)
    desk.write(problem_reports.keep_report, LEARNER, ITEM, "one", "/", NOW + timedelta(hours=1))
    report = desk.read(problem_reports.all_reports)
    assert [len(row.text) for row in report] == [3, problem_reports.LONGEST_REPORT, 3]
    assert {row.learner_id for row in report} == {1}


@pytest.mark.parametrize("step", [1, 2])
def test_places_need_somebody(desk: Desk, step: int) -> None:
    with pytest.raises(Stale):
        desk.write(lesson_progress.save_place, Caller(), STAGE, WHY, step, False, NOW)


def test_a_step_can_be_asked_for_only_after_the_one_before_it(desk: Desk) -> None:
    def step(section: int) -> tuple[int, bool]:
        place = desk.write(
            lesson_progress.advance_place, RETURNING, STAGE, section_of("why", "abc"), section, NOW
        ).place
        return place.step_number, place.is_done

    assert [step(section) for section in (9999, 1, 9999, 4, 2)] == [
        (2, False),
        (2, False),
        (3, False),
        (3, True),
        (3, True),
    ]


def advance(desk: Desk, steps: str, step: int) -> tuple[int, str | None, bool]:
    section = section_of("why", steps.split())
    place = desk.write(lesson_progress.advance_place, RETURNING, STAGE, section, step, NOW).place
    return place.step_number, place.step_id, place.is_done


def test_a_step_that_is_put_in_moves_nobody(desk: Desk) -> None:
    keep(desk, "why", 3)
    longer = "a new b c d"
    section = section_of("why", longer.split())
    [place] = desk.read(lesson_pages.load_lesson, LEARNER, STAGE).places
    assert (place.step_number, place.step_id, section.step_number_at(place.step_id, place.step_number)) == (
        3,
        "c",
        4,
    )
    assert advance(desk, longer, 2) == (4, "c", False), "going back loses nothing"
    assert advance(desk, longer, 5) == (5, "d", False)
    assert advance(desk, "a c", 3) == (2, "c", True), "d is gone: its number is beyond the end"


def test_whoever_was_at_a_step_that_is_gone_is_at_the_one_in_its_place(desk: Desk) -> None:
    keep(desk, "why", 4)
    assert advance(desk, "a/d b c", 1) == (1, "a", False)


def test_a_place_of_before_counts_by_its_number(desk: Desk) -> None:
    keep(desk, "why", 3)
    with desk.other_program() as connection:
        connection.execute("UPDATE lesson_place SET step_id = NULL")
    assert advance(desk, "a b c d", 4) == (4, "d", False)


def test_what_is_done_stays_done_when_steps_come(desk: Desk) -> None:
    keep(desk, "why", 6, done=True)
    assert advance(desk, "a b c new d e f", 3) == (7, "f", True)
    assert advance(desk, "a b c d e f more", 3) == (6, "f", True)
