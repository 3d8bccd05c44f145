"""Work for an assignment outside of its questions: which moments count, how much, and what lateness costs."""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from sqlalchemy import text

from app.course.content.refs import StepPlace
from app.records.accounts.tables import Learner
from app.records.assignments import lifecycle, lookup, outside_work
from app.records.assignments.outside_work import OutsideLog, OutsideWork
from app.records.assignments.values import (
    FIRST_VERSION_WITH_SECRET,
    NEWEST_VERSION,
    AssignmentAttempt,
    AssignmentRow,
    AssignmentSettings,
    Audience,
    ExtensionRow,
    NewPart,
    PartRow,
    StudentAssignment,
)
from app.records.cards.scheduling import Memory, pack_memory
from app.records.classes import joining
from app.records.classes.values import Student
from app.records.db.days import TimeZones, end_of
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.grading import collecting
from app.records.learning import lesson_progress, responding
from tests.records.assigned import COURSES, DAY, DCG, HOUR, TANG, TEACHER, XU, Class, Figures, account
from tests.records.assignments.outside_work import MINUTE, SECOND, SECTION, learn, load_share_by_part_id
from tests.records.cast import COURSE, LESSON, NOW, answer, section_of
from tests.records.grading.done_elsewhere import play, review
from tests.tables import each

DUE = NOW + HOUR


def part(kind: str, ref: str, level: int = 0, count: int = 1) -> PartRow:
    return PartRow(kind, ref, level, count, id=5, position=1)


def given(student: Student, *parts: PartRow, version: int = NEWEST_VERSION) -> StudentAssignment:
    """An assignment with these parts, open to a student from now until it is due."""
    assignment = AssignmentRow(opens_at=NOW, due_at=DUE, version=version)
    return StudentAssignment(assignment, "", student.id, student.learner_id, NOW, parts=parts)


WORK = OutsideWork(
    learnt_sections=[("content:concepts", "sweetness")],
    reviewed_card_refs=["content:rank", "content:gain", "content:rank", "own:7", "content:other"],
    games_played=[("monster", 2), ("monster", 3), ("duel", 0)],
)


@each(
    ("row", "share"),
    [
        (part("section", "content:concepts/sweetness"), 1.0),
        (part("section", "content:concepts/why"), 0.0),
        (part("section", "content:formula/sweetness"), 0.0),
        (part("cards", "content:concepts", count=4), 0.75),
        (part("cards", "content:concepts", count=3), 1.0),
        (part("cards", "content:concepts", count=2), 1.0),
        (part("cards", "content:gone", count=1), 0.0),
        (part("cards", "own-42:concepts", count=1), 1.0),
        (part("game", "monster", level=1, count=4), 0.5),
        (part("game", "monster", level=2, count=4), 0.5),
        (part("game", "monster", level=3, count=4), 0.25),
        (part("game", "monster", level=4, count=4), 0.0),
        (part("game", "duel", level=0), 1.0),
        (part("game", "monster", level=2), 1.0),
    ],
)
def test_how_much_of_a_part_is_done(row: PartRow, share: float) -> None:
    assert WORK.done_share(row, COURSES) == share


@pytest.mark.parametrize(
    ("reviewed_at", "share"),
    [(NOW - SECOND, 0.0), (NOW, 1.0), (DUE - SECOND, 1.0), (DUE, 1.0), (DUE + SECOND, 0.0)],
)
def test_cards_count_between_the_opening_and_the_end(
    room: Class, tang: Student, reviewed_at: datetime, share: float
) -> None:
    review(room.desk, tang.learner_id, "content:rank", 1, reviewed_at, None)
    cards = part("cards", "content:concepts")

    def shares(session: VerbSession) -> dict[int, float]:
        return load_share_by_part_id(session, given(tang, cards, part("item", "x")), COURSES, DUE)

    assert room.desk.read(shares) == {5: share}


@pytest.mark.parametrize(
    ("learnt_at", "share"), [(NOW - DAY, 1.0), (DUE - SECOND, 1.0), (DUE, 1.0), (DUE + SECOND, 0.0)]
)
def test_a_section_counts_before_the_opening_too(
    room: Class, tang: Student, learnt_at: datetime, share: float
) -> None:
    learn(room, TANG, learnt_at)

    def shares(session: VerbSession) -> dict[int, float]:
        section = part("section", SECTION.ref)
        return load_share_by_part_id(session, given(tang, section), COURSES, DUE)

    assert room.desk.read(shares) == {5: share}


# What late work costs where the teacher collects it.


def collected(room: Class, assignment_id: int) -> AssignmentAttempt:
    room.now = DUE + 3 * DAY
    assert room.desk.write(collecting.collect_work, TEACHER, room.key(assignment_id), COURSES, room.now) == 1
    [submission] = room.desk.read(lookup.attempts_of_assignment, assignment_id)
    return submission


@pytest.mark.parametrize(
    ("saved_after", "learnt_after", "factor"),
    [
        (-MINUTE, -MINUTE, 1.0),
        (MINUTE - SECOND, MINUTE - SECOND, 1.0),
        (MINUTE, -MINUTE, 0.5),
        (-MINUTE, MINUTE + SECOND, 0.5),
        (MINUTE, MINUTE + SECOND, 0.5),
        (DAY, -MINUTE, 0.5),
        (-MINUTE, DAY, 0.5),
        (-MINUTE, 2 * DAY, 1.0),
        (None, -MINUTE, 1.0),
        (None, MINUTE - SECOND, 1.0),
        (None, MINUTE + SECOND, 0.5),
        (-MINUTE, None, 1.0),
        (MINUTE, None, 0.5),
    ],
)
def test_late_is_what_was_done_after_the_due_time_in_questions_or_outside(
    room: Class,
    tang: Student,
    saved_after: timedelta | None,
    learnt_after: timedelta | None,
    factor: float,
) -> None:
    assignment_id = room.assign(DCG, SECTION, due_at=DUE, late_until=DUE + DAY, late_factor=0.5)
    room.begin(TANG, assignment_id)
    if saved_after is not None:
        room.now = DUE + saved_after
        room.save(TANG, assignment_id, 1, "4")
    if learnt_after is not None:
        learn(room, TANG, DUE + learnt_after)
    submission = collected(room, assignment_id)
    assert (submission.enrolment_id, submission.late_factor) == (tang.id, factor)


@pytest.mark.parametrize(("answered_after", "factor"), [(MINUTE - SECOND, 1.0), (MINUTE, 0.5)])
def test_an_answer_that_was_marked_at_once_is_work_too(
    room: Class, tang: Student, answered_after: timedelta, factor: float
) -> None:
    assignment_id = room.assign(DCG, due_at=DUE, late_until=DUE + DAY, late_factor=0.5, answers="at_once")
    room.begin(TANG, assignment_id)
    room.now = DUE + answered_after
    room.answer(TANG, assignment_id, 1, "4")
    submission = collected(room, assignment_id)
    assert (submission.enrolment_id, submission.late_factor, submission.points) == (tang.id, factor, 1.0)


def test_without_a_due_time_nothing_is_late(room: Class, tang: Student) -> None:
    assignment_id = room.assign(SECTION, late_factor=0.5)
    learn(room, TANG, DUE + DAY)
    submission = collected(room, assignment_id)
    assert (submission.enrolment_id, submission.late_factor, submission.points) == (tang.id, 1.0, 1.0)


def test_who_has_handed_in_is_not_collected_again(room: Class, tang: Student) -> None:
    """Whatever was learnt afterwards; and nothing is made for who has done nothing."""
    assignment_id = room.assign(SECTION, due_at=DUE, passes=2)
    room.begin(TANG, assignment_id)
    room.hand_in(TANG, assignment_id)
    learn(room, TANG, DUE)
    room.join("小序", "xu")
    room.now = DUE + DAY
    assert room.desk.write(collecting.collect_work, TEACHER, room.key(assignment_id), COURSES, room.now) == 0
    [submission] = room.desk.read(lookup.attempts_of_assignment, assignment_id)
    assert (submission.enrolment_id, submission.points) == (tang.id, 0.0)
    assert room.desk.rows("SELECT action FROM audit ORDER BY id") == [("publish",), ("close",)]


# What a form said of itself.


@dataclass
class Asking(Figures):
    """A course whose section `sweetness` asks two items."""

    prefix: str = "content"

    def refs_asked_in_section(
        self, _stage: str, section: str, _furthest_step: StepPlace | None = None
    ) -> frozenset[str]:
        if section != "sweetness":
            return frozenset()
        return frozenset({f"{self.prefix}:q1", f"{self.prefix}:q2"})


@each(
    ("checked", "answered", "share"),
    [
        (True, [], 0.0),
        (True, ["content:q1"], 0.0),
        (True, ["content:q1", "content:q2", "content:q3"], 1.0),
        (False, [], 1.0),
    ],
)
def test_a_section_is_learnt_when_its_questions_are_answered(
    checked: bool, answered: list[str], share: float
) -> None:
    sections = [("content:concepts", "sweetness"), ("content:concepts", "why")]
    work = OutsideWork(
        learnt_sections=sections, answered_item_refs=frozenset(answered), checks_outside_work=checked
    )
    assert work.done_share(part("section", SECTION.ref), {"content": Asking()}) == share
    assert work.done_share(part("section", "content:concepts/why"), {"content": Asking()}) == 1.0
    assert work.done_share(part("section", "content:concepts/other"), {"content": Asking()}) == 0.0


def test_answers_count_of_the_learner_in_the_lesson_of_the_stage_until_the_end(
    room: Class, tang: Student, xu: Student
) -> None:
    learn(room, TANG, NOW)
    elsewhere = LESSON._replace(ref="content:formula")

    def share(until: datetime) -> float:
        parts = [part("section", SECTION.ref), replace(part("cards", "content:concepts"), id=6)]
        courses = {"content": Asking()}
        work = room.desk.read(load_share_by_part_id, given(tang, *parts), courses, until)
        return work[5]

    for caller, lesson, expected_share in ((XU, LESSON, 0.0), (TANG, elsewhere, 0.0), (TANG, LESSON, 1.0)):
        for item in ("content:q1", "content:q2"):
            room.desk.write(responding.respond, caller, lesson, answer("4.26", item=item), COURSE, DUE)
        assert share(DUE) == expected_share, xu.name
    assert share(DUE - SECOND) == 0.0


@pytest.mark.parametrize(("prefix", "share"), [("own-42", 1.0), ("content", 0.0)])
def test_what_assignments_ask_of_own_content_need_not_be_answered_in_its_lesson(
    room: Class, tang: Student, prefix: str, share: float
) -> None:
    room.assign(NewPart("item", f"{prefix}:q1"), NewPart("item", f"{prefix}:q2"))
    section = section_of("sweetness")
    room.desk.write(lesson_progress.save_place, TANG, f"{prefix}:concepts", section, 5, True, NOW)
    section_part = part("section", f"{prefix}:concepts/sweetness")
    courses = {prefix: Asking(prefix)}
    work = room.desk.read(load_share_by_part_id, given(tang, section_part), courses, DUE)
    assert work == {5: share}


@pytest.mark.parametrize(("version", "share"), [(FIRST_VERSION_WITH_SECRET, 0.5), (1, 1.0)])
def test_an_assignment_from_before_takes_the_pages_at_their_word(
    room: Class, tang: Student, version: int, share: float
) -> None:
    """There a card counts as often as it was reviewed."""
    for number in (1, 2):
        review(room.desk, tang.learner_id, "content:rank", number, NOW, None)
    cards = part("cards", "content:concepts", count=2)
    arguments = (given(tang, cards, version=version), COURSES, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: share}


def test_a_card_comes_back_by_the_day_of_its_learner(room: Class, tang: Student) -> None:
    room.desk.write(lambda session: session.execute(table(Learner).update().values(time_zone="Asia/Karachi")))
    came_back_at = end_of(NOW.date(), "Asia/Shanghai") + HOUR
    _, state, _, memory = reviewed("content:rank", "review", came_back_at)
    review(room.desk, tang.learner_id, "content:rank", 1, NOW, None, state_before=state, packed_before=memory)
    arguments = (given(tang, part("cards", "content:concepts")), COURSES, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 1.0}


def test_nothing_counts_of_somebody_else_nor_of_what_was_left_or_taken_back(
    room: Class, tang: Student, xu: Student
) -> None:
    """A section that is open still, questions of a practice, a review that was undone, a game from before."""
    section_part, cards, game = (
        part("section", SECTION.ref),
        replace(part("cards", "content:concepts"), id=6),
        replace(part("game", "monster", level=2), id=7),
    )

    def shares(student_assignment: StudentAssignment) -> dict[int, float]:
        load = load_share_by_part_id
        return room.desk.read(load, student_assignment, {"content": Asking()}, NOW + DAY)

    learn(room, XU, NOW)
    section = section_of("sweetness")
    room.desk.write(lesson_progress.save_place, TANG, "content:concepts", section, 2, False, NOW)
    for caller, attempt_key in ((XU, LESSON), (TANG, LESSON._replace(source="practice"))):
        for item in ("content:q1", "content:q2"):
            room.desk.write(responding.respond, caller, attempt_key, answer("4.26", item=item), COURSE, NOW)
    room.desk.write(responding.respond, TANG, LESSON, answer("4.26", item="content:q3"), COURSE, NOW)
    review(room.desk, xu.learner_id, "content:rank", 1, NOW, None)
    review(room.desk, tang.learner_id, "content:rank", 1, NOW, NOW + SECOND)
    play(room.desk, xu.learner_id, 2, "won")
    assert shares(given(xu, section_part, cards, game)) == {5: 1.0, 6: 1.0, 7: 1.0}
    assert shares(given(tang, section_part, cards, game)) == {5: 0.0, 6: 0.0, 7: 0.0}
    assert shares(given(tang, section_part, version=1)) == {5: 0.0}, "at its word"
    learn(room, TANG, NOW)
    play(room.desk, tang.learner_id, 2, "won")
    assert shares(given(tang, section_part, game)) == {5: 0.0, 7: 1.0}, "its questions are not answered"
    opened_later = given(tang, game)._replace(assignment=AssignmentRow(opens_at=NOW + 2 * HOUR))
    assert shares(opened_later) == {7: 0.0}


@pytest.mark.parametrize("is_published", [True, False])
def test_own_content_that_no_published_assignment_asks_is_answered_in_its_lesson(
    room: Class, tang: Student, is_published: bool
) -> None:
    """Neither what a draft asks counts, nor what is drilled."""
    room.assign(NewPart("item", "own-42:q1"))
    if is_published:
        room.assign(NewPart("practice", "own-42:q2"), NewPart("item", "own-4:q2"))
    else:
        room.assign(NewPart("item", "own-42:q2"), publish=False)
    section = section_of("sweetness")
    room.desk.write(lesson_progress.save_place, TANG, "own-42:concepts", section, 5, True, NOW)
    arguments = (given(tang, part("section", "own-42:concepts/sweetness")), {"own-42": Asking("own-42")}, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 0.0}


def test_games_count_that_were_played_to_their_end(room: Class, tang: Student) -> None:
    for level, outcome in ((2, "won"), (3, "done"), (4, "retreat"), (2, None)):
        play(room.desk, tang.learner_id, level, outcome)
    arguments = (given(tang, part("game", "monster", level=2, count=4)), COURSES, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 0.5}


@pytest.mark.parametrize("kept_at", [DUE, DUE + SECOND])
def test_a_game_of_which_a_merge_set_one_of_two_plays_aside_counts_once(
    room: Class, tang: Student, kept_at: datetime
) -> None:
    """And it counts where only the one that was set aside was played in time."""
    play(room.desk, tang.learner_id, 2, "won")
    set_aside = "UPDATE game_move SET position = -9 WHERE position = 9"
    room.desk.write(lambda session: session.execute(text(set_aside)))
    play(room.desk, tang.learner_id, 2, "won", at=kept_at)
    arguments = (given(tang, part("game", "monster", level=2, count=2)), COURSES, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 0.5}
    play(room.desk, tang.learner_id, 2, "won", seed=2)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 1.0}


def test_no_more_cards_can_be_asked_for_than_there_are() -> None:
    work = OutsideWork(reviewed_card_refs=["content:rank"], checks_outside_work=True)
    assert work.done_share(part("cards", "content:concepts", count=4), COURSES) == 0.5
    assert work.done_share(part("cards", "content:concepts", count=1), COURSES) == 1.0
    assert work.done_share(part("cards", "content:gone", count=4), COURSES) == 0.0


def reviewed(card: str, state: str, due_at: datetime | None) -> tuple[str, str, datetime, str]:
    memory = Memory(state, None, 1.0, 5.0, due_at, NOW, 1, 0, 1)
    return (card, state, NOW, pack_memory(memory, "active"))


def test_a_card_counts_once_and_only_when_it_came() -> None:
    midnight = end_of(NOW.date(), "Asia/Shanghai")
    reviews = [
        ("new", "new", NOW, "{}"),
        reviewed("new", "learning", NOW),
        reviewed("due", "review", midnight - SECOND),
        reviewed("early", "review", midnight),
        reviewed("odd", "review", None),
        ("next", "new", NOW, "{}"),
    ]
    time_zones = TimeZones("Asia/Shanghai")
    cards_in_turn_with_times = list(outside_work.cards_in_turn_with_times(reviews, time_zones))
    assert list(dict(cards_in_turn_with_times)) == ["new", "due", "next"]


def test_who_flies_after_a_review_keeps_what_it_counted_for() -> None:
    """The day of a review ends where its learner was then: in Shanghai at 20:00 UTC, in Honolulu at 14:00."""
    reviews = [reviewed("evening", "review", NOW.replace(hour=18))]
    in_shanghai, in_honolulu = TimeZones("Asia/Shanghai"), TimeZones("Pacific/Honolulu")
    flown_since = in_shanghai.changed_to("Pacific/Honolulu", NOW + SECOND)
    flown_before = in_shanghai.changed_to("Pacific/Honolulu", NOW - SECOND)
    for time_zones, is_counted in (
        (in_shanghai, True),
        (flown_since, True),
        (flown_before, False),
        (in_honolulu, False),
    ):
        cards_in_turn_with_times = list(outside_work.cards_in_turn_with_times(reviews, time_zones))
        assert bool(cards_in_turn_with_times) == is_counted, time_zones


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("reviewed_at", "due_at", "undone_at", "share"),
    [
        (NOW - SECOND, DUE + MINUTE, None, 1.0),
        (NOW - SECOND, DUE + MINUTE - SECOND, None, 0.0),
        (NOW, DUE + MINUTE, None, 0.0),
        (NOW - SECOND, DUE + MINUTE, NOW, 0.0),
    ],
)
def test_a_card_counts_that_was_put_off_before_the_opening_until_after_the_end(
    room: Class,
    tang: Student,
    reviewed_at: datetime,
    due_at: datetime,
    undone_at: datetime | None,
    share: float,
) -> None:
    *_, memory_before = reviewed("content:rank", "review", NOW + 9 * DAY)
    *_, memory_after = reviewed("content:rank", "review", due_at)
    memories = {"state_before": "review", "packed_before": memory_before, "packed_after": memory_after}
    review(room.desk, tang.learner_id, "content:rank", 1, reviewed_at, undone_at, **memories)
    task = given(tang, part("cards", "content:concepts"))
    arguments = (COURSES, NOW)
    assert room.desk.read(load_share_by_part_id, task, *arguments) == {5: share}
    extension = ExtensionRow(tang.id, DUE + 9 * DAY, "", NOW)
    task = task._replace(extension=extension)
    assert room.desk.read(load_share_by_part_id, task, *arguments) == {5: share}


def test_a_card_put_off_and_reviewed_early_counts_once(room: Class, tang: Student) -> None:
    *_, packed_memory = reviewed("content:rank", "review", DUE + MINUTE)
    early = {"state_before": "review", "packed_before": packed_memory, "packed_after": packed_memory}
    for number, reviewed_at in enumerate((NOW - 2 * DAY, NOW - DAY, NOW), start=1):
        review(room.desk, tang.learner_id, "content:rank", number, reviewed_at, None, **early)
    arguments = (given(tang, part("cards", "content:concepts", count=2)), COURSES, DUE)
    assert room.desk.read(load_share_by_part_id, *arguments) == {5: 0.5}


def test_without_an_end_every_card_comes_back(room: Class, tang: Student) -> None:
    *_, packed_memory = reviewed("content:rank", "review", NOW + 3650 * DAY)
    review(room.desk, tang.learner_id, "content:rank", 1, NOW - DAY, None, packed_after=packed_memory)
    task = given(tang, part("cards", "content:concepts"))
    endless = task._replace(assignment=task.assignment._replace(due_at=None))
    assert room.desk.read(load_share_by_part_id, endless, COURSES, DUE) == {5: 0.0}


def test_what_is_learnt_is_collected_of_those_whom_it_is_for(room: Class, tang: Student, xu: Student) -> None:
    """Both learnt the section, and nobody began: who was not chosen has nothing to hand in."""
    assignment_id = room.assign(SECTION, publish=False)
    settings = AssignmentSettings(room.row(assignment_id).rules, audience=Audience(False, (tang.id,)))
    room.desk.write(lifecycle.publish_assignment, TEACHER, room.key(assignment_id), NOW, settings)
    for caller in (TANG, XU):
        learn(room, caller, NOW + MINUTE)
    room.now = NOW + HOUR
    assert room.collect(assignment_id) == 1
    assert room.desk.rows("SELECT enrolment_id FROM submission") == [(tang.id,)], xu.name


def test_nothing_is_collected_of_who_came_after_the_end(room: Class, tang: Student) -> None:
    """What they had learnt before became a low mark in 总评; it is 免."""
    assignment_id = room.assign(SECTION, DCG, due_at=NOW + 2 * MINUTE)
    account(room.desk, "小序", "xu")
    for caller in (TANG, XU):
        learn(room, caller, NOW + MINUTE)
    room.now = NOW + 5 * MINUTE
    room.desk.write(joining.join_class, XU, room.code(), "小序", "here", room.now)
    assert room.collect(assignment_id) == 1
    assert room.desk.rows("SELECT enrolment_id FROM submission") == [(tang.id,)]


def test_of_earlier_reviews_only_those_of_assigned_cards_are_read(room: Class, tang: Student) -> None:
    *_, packed_memory = reviewed("content:rank", "review", DUE + MINUTE)
    late = {"state_before": "review", "packed_before": packed_memory, "packed_after": packed_memory}
    for card_ref in ("content:rank", "own:1", "own:2"):
        review(room.desk, tang.learner_id, card_ref, 1, NOW - DAY, None, **late)
    parameters = {"learner": tang.learner_id, "cards": ["content:rank", "content:gain"], "since": NOW}
    rows = room.desk.read(lambda session: session.execute(outside_work.EARLIER_REVIEWS, parameters).all())
    assert [row[0] for row in rows] == ["content:rank"]


@pytest.mark.parametrize(("due_times", "share"), [((DUE + MINUTE, NOW), 0.0), ((NOW, DUE + MINUTE), 1.0)])
def test_the_last_review_before_the_opening_says_whether_a_card_comes_back(
    room: Class, tang: Student, due_times: tuple[datetime, datetime], share: float
) -> None:
    for number, due_at in enumerate(due_times, start=1):
        *_, packed_memory = reviewed("content:rank", "review", due_at)
        memories = {"state_before": "review", "packed_before": packed_memory, "packed_after": packed_memory}
        review(room.desk, tang.learner_id, "content:rank", number, NOW - (3 - number) * DAY, None, **memories)
    task = given(tang, part("cards", "content:concepts"))
    assert room.desk.read(load_share_by_part_id, task, COURSES, NOW) == {5: share}


# When something was last done that earns points.


@each(
    ("row", "counts_until", "expected_moment"),
    [
        (part("section", SECTION.ref), NOW + 4 * MINUTE, NOW + 3 * MINUTE),
        (part("section", SECTION.ref), NOW + 3 * MINUTE - SECOND, None),
        (part("section", "content:concepts/other"), NOW + DAY, None),
        (part("cards", "content:concepts", count=2), NOW + DAY, NOW + 5 * MINUTE),
        (part("cards", "content:concepts", count=2), NOW + 5 * MINUTE - SECOND, NOW),
        (part("cards", "content:concepts"), NOW + DAY, NOW),
        (part("game", "monster", count=2), NOW + DAY, NOW + 7 * MINUTE),
        (part("game", "monster", count=3), NOW + DAY, NOW + 8 * MINUTE),
        (part("game", "duel"), NOW + DAY, None),
        (replace(part("game", "monster"), points=0.0), NOW + DAY, None),
        (part("cards", "own-42:own"), NOW + DAY, None),
    ],
)
def test_outside_work_is_of_the_moment_in_which_it_last_earned_something(
    row: PartRow, counts_until: datetime, expected_moment: datetime | None
) -> None:
    outside_log = OutsideLog(
        [row],
        {"content": Asking()},
        checks_outside_work=True,
        learnt_sections=[(("content:concepts", "sweetness"), NOW + 2 * MINUTE)],
        answered_items=[("content:q1", NOW), ("content:q2", NOW + 3 * MINUTE), ("content:q3", NOW + HOUR)],
        reviewed_cards=[
            ("content:gain", NOW + 5 * MINUTE),
            ("content:rank", NOW + MINUTE),
            ("content:rank", NOW),
            ("content:other", NOW + HOUR),
        ],
        games_played=[(("monster", 1), NOW + number * MINUTE) for number in (6, 7, 8)],
    )
    assert outside_log.last_earning_moment(counts_until) == expected_moment
