"""The sums that pages read are equal to the log, whatever was done in whatever order."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import chain
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, update

from app.course.content.model import Section
from app.course.content.refs import StepPlace
from app.course.games.moves import JudgedMove
from app.course.items.kinds import Rubric
from app.course.items.marks import Mark, right_mark, wrong_mark
from app.course.practice.skill_words import state_reason
from app.records.accounts import learners
from app.records.accounts.tables import SignIn
from app.records.accounts.values import Browser, Caller, Credentials
from app.records.activity import learning_days
from app.records.assignments import lifecycle
from app.records.assignments.values import NewPart
from app.records.cards import decks, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, DeckSettings
from app.records.classes import classrooms
from app.records.db.days import TimeZones, day_of
from app.records.db.errors import NotFound, Refused, Stale
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.games import plays
from app.records.games.values import Move, Play
from app.records.grading import answering, submissions
from app.records.grading.values import QuestionKey, SentAnswer
from app.records.learning import lesson_progress, past_answers, responding, reveals
from app.records.learning.answer_history import AnswerHistory, read_json_texts
from app.records.learning.values import Answer, AttemptKey, Guess
from app.records.people import my_data, signing_in
from app.records.practice import item_practice, notebook, overview
from tests.published import published
from tests.records import log_fold
from tests.records.all_sums import rebuild_all_sums
from tests.records.assigned import TEACHER, Class, account
from tests.records.cast import NOW, WHY, Desk, section_of
from tests.records.log_fold import LoggedAnswer

COURSE = published()
ITEMS = ("practice-dcg-2", "practice-dcg-1", "practice-cg-1", *next(iter(COURSE.item_id_by_twin_id.items())))
SECTIONS = ("why", "gain")
HELD_BACK = ("handed_in", "due", "never", "at_once")
GUEST = "guest"
ZONES = ("Asia/Shanghai", "America/New_York", "Pacific/Auckland")
MINUTES = (0, 1, 2, 7, 300, 1500, -3, -2000)
ENOUGH_STEPS = 45


class Words:
    """A course that takes the word of the test: `+`, `-`, or `-` with a misconception."""

    card_ids_by_stage_id: Mapping[str, tuple[str, ...]] = MappingProxyType({})

    def mark(self, _item: str, _seed: int, raw: Any, _tries: int = 1, _before: Any = None) -> Mark:
        sign, _, misconception = raw[0].partition(" ")
        if sign == "+":
            return right_mark(raw[0], "对。")
        return wrong_mark(raw[0], "再想想。", misconception_code=misconception or None)

    def version_hash_and_body(self, item: str, seed: int = 0) -> tuple[str, str]:
        return f"{item.partition('#')[0]}-{seed}", f'{{"seed": {seed}}}'

    def has_one_try_only(self, _item: str) -> bool:
        return False

    def rubric(self, _item: str) -> Rubric:
        return ()

    def section_of(self, _stage: str, section: str) -> Section:
        return section_of(section)

    @property
    def ref_by_twin_ref(self) -> dict[str, str]:
        return {}

    def refs_asked_in_section(
        self, _stage: str, _section: str, _furthest_step: StepPlace | None = None
    ) -> frozenset[str]:
        return frozenset()


WORDS = Words()
ASSIGNED = {"content": WORDS}
SIGNS = ("+", "+", "+", "-", "- natural_log", "- natural_log+k_ignored", "- log10|natural_log")


class Dice:
    """A game in which every move is a mistake."""

    def judge(self, _moves: object, _move: str, _raw: str) -> JudgedMove:
        return JudgedMove(step="term-1", verdict="wrong", misconception_code="natural_log")


@dataclass
class History:
    """What may happen to 小糖 and 小序, who are in a class, and to a guest."""

    room: Class
    made: int = 0

    @property
    def desk(self) -> Desk:
        return self.room.desk

    @property
    def now(self) -> datetime:
        return self.room.now

    def who(self, number: int) -> Caller:
        name = ("tang", "xu", GUEST)[number % 3]
        return Caller(name, name)

    def practise(self, number: int) -> None:
        self.made += 1
        item = ITEMS[number % len(ITEMS)]
        target = AttemptKey(source="practice", ref=f"content:{item}-{self.made}", seed=self.made)
        self.answers(number, target, f"content:{item}")

    def learn(self, number: int) -> None:
        self.answers(
            number, AttemptKey(source="lesson", ref="content:concepts", seed=7), f"content:{ITEMS[-1]}"
        )

    def answers(self, number: int, target: AttemptKey, item: str) -> None:
        """One or two tries, sometimes after a hint."""
        caller = self.who(number)
        if number % 5 == 0:
            self.desk.write(responding.open_next_hint, caller, target, item, 1, self.now)
        for sign in (SIGNS[number % len(SIGNS)], SIGNS[number % 3]):
            log = self.desk.write(responding.open_next_hint, caller, target, item, 0, self.now)
            answer = Answer(item, len(log.responses_to_item(item)) + 1, (sign,))
            self.desk.write(responding.respond, caller, target, answer, WORDS, self.now)
        if number % 4 == 0:
            number_of_try = len(log.responses_to_item(item)) + 2
            self.desk.write(responding.show_solution, caller, target, item, number_of_try, WORDS, self.now)

    def reveal(self, number: int) -> None:
        self.desk.write(
            reveals.open_position, self.who(number), "content:tea", Guess(1), self.now, number % 4 + 1
        )
        if number % 3 == 0:
            self.desk.write(reveals.begin_reveal_again, self.who(number), "content:tea", self.now)

    def go_on(self, number: int) -> None:
        arguments = (
            self.who(number),
            "content:concepts",
            section_of(SECTIONS[number % 2]),
            number,
            number % 7 == 0,
        )
        self.desk.write(lesson_progress.save_place, *arguments, self.now)

    def learn_again(self, number: int) -> None:
        self.desk.write(
            lesson_progress.begin_stage_again, self.who(number), "content:concepts", WHY, self.now
        )

    def play(self, number: int) -> None:
        play = Play("monster", 1, number % 3)
        position = len(self.desk.read(plays.load_play, self.who(number), play, NOW).moves) + 1
        self.desk.write(
            plays.make_move, self.who(number), play, Move(position, "answer", "1"), Dice(), self.now
        )

    def review(self, number: int) -> None:
        caller = self.who(number)
        self.desk.write(decks.collect_cards, caller, (("content:numeric", "dcg"),), self.now)
        card = self.desk.read(reviews.load_review, caller, self.now, "content:numeric")
        rated = CardRating("content:numeric", card.review_number, Rating.AGAIN, 4.0, "4.9", "natural_log")
        done = self.desk.write(reviews.review_card, caller, rated, self.now)
        if number % 2:
            self.desk.write(reviews.undo_review, caller, done.review_id or 0, self.now)

    def move_house(self, number: int) -> None:
        zone = ZONES[number % len(ZONES)]
        self.desk.write(decks.change_deck_settings, self.who(number), DeckSettings(), zone, self.now)

    def assign(self, number: int) -> None:
        held_back = HELD_BACK[number % len(HELD_BACK)]
        part = NewPart("practice", "content:dcg", level=2, count=2)
        self.room.assign(part, answers=held_back, due_at=self.now + timedelta(hours=30))

    def do_work(self, number: int) -> None:
        for work in self.assignments():
            caller = self.who(number % 2)
            self.room.begin(caller, work)
            for question in (1, 2):
                sign = SIGNS[(number + question) % len(SIGNS)]
                if self.room.row(work).answers == "at_once":
                    key, sent_answer = QuestionKey(1, question), SentAnswer((sign,))
                    self.desk.write(
                        answering.answer_at_once, caller, work, key, sent_answer, ASSIGNED, self.now
                    )
                else:
                    self.room.save(caller, work, question, sign)
            if number % 2:
                self.desk.write(submissions.hand_in_attempt, caller, work, 1, ASSIGNED, self.now)

    def assignments(self) -> list[int]:
        return [key for (key,) in self.desk.rows("SELECT id FROM assignment ORDER BY id DESC LIMIT 2")]

    def teach(self, number: int) -> None:
        """The teacher changes when results are out."""
        verb = (lifecycle.close, lifecycle.reopen)[number % 2]
        for work in self.assignments():
            if number % 3 == 0:
                due_at = self.now + timedelta(hours=number)
                arguments = (TEACHER, self.room.key(work), due_at, "", self.now)
                self.desk.write(lifecycle.postpone_assignment, *arguments)
            else:
                self.desk.write(verb, TEACHER, self.room.key(work), self.now)

    def sign_in(self, _number: int) -> None:
        """The guest turns out to be 小糖."""
        if self.desk.read(learners.find_learner_id, Caller(GUEST)) is None:
            return
        self.made += 1
        token = f"home-{self.made}"
        browser = Browser("here", token)
        arguments = (Credentials("小糖", "hash"), browser, WORDS, self.now)
        self.desk.write(signing_in.sign_in, Caller(GUEST), *arguments)
        self.desk.write(forget_token)

    def go(self, _number: int) -> None:
        """The guest wants everything to be gone."""
        if self.desk.read(learners.find_learner_id, Caller(GUEST)) is not None:
            self.desk.write(my_data.delete_me, Caller(GUEST), None, NOW)


def forget_token(session: VerbSession) -> None:
    """A browser that was a guest may become another one."""
    session.execute(
        update(table(SignIn))
        .where(table(SignIn).c.ended_at.is_not(None))
        .values(token_hash=func.hex(func.randomblob(16)))
    )


STEPS: tuple[Callable[[History, int], None], ...] = (
    History.practise,
    History.practise,
    History.learn,
    History.reveal,
    History.go_on,
    History.learn_again,
    History.play,
    History.review,
    History.move_house,
    History.assign,
    History.do_work,
    History.do_work,
    History.teach,
    History.sign_in,
    History.go,
)
steps = st.lists(
    st.tuples(st.sampled_from(STEPS), st.integers(0, 209), st.sampled_from(MINUTES)),
    max_size=ENOUGH_STEPS,
)


SLOWLY = settings(suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


@settings(SLOWLY, max_examples=12)
@given(steps=steps)
def test_sums_are_equal_to_the_log(migrated: Path, steps: list[Any]) -> None:
    live_and_compare(migrated, steps)


@pytest.mark.long
@settings(SLOWLY, max_examples=60)
@given(steps=steps)
def test_sums_of_many_histories_are_equal_to_the_log(migrated: Path, steps: list[Any]) -> None:
    live_and_compare(migrated, steps)


def live_and_compare(migrated: Path, steps: list[Any]) -> None:
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tangxu.db"
        copyfile(migrated, file)
        desk = Desk(file)
        try:
            history = begun(desk)
            for step, number, minutes in steps:
                history.room.now += timedelta(minutes=minutes)
                try:
                    step(history, number)
                except (Refused, NotFound, Stale):
                    continue
            expect_equal(history)
        finally:
            desk.close()


def begun(desk: Desk) -> History:
    account(desk, "王", "teacher", teacher=True)
    room = Class(desk, desk.write(classrooms.create_class, TEACHER, "高一3班", NOW))
    room.join("小糖", "tang")
    room.join("小序", "xu")
    return History(room)


def expect_equal(history: History) -> None:
    """Everybody's sums: made again they are the same, and they say what the oracle says."""
    desk = history.desk
    assert desk.write(rebuild_all_sums) == 0
    for learner, *zones in desk.rows("SELECT id, time_zone, past_zones FROM learner"):
        time_zones = TimeZones(*zones)
        expect_days(desk, learner, time_zones, history.now)
        for away in (-3, 0, 40, 24 * 365):
            now = history.now + timedelta(hours=away)
            expect_item_practices(history, now)
            log = log_fold.log_of(desk, learner, now)
            expect_past(desk, learner, time_zones, log, now)
            expect_notebook(desk, learner, time_zones, log, now)


def expect_days(desk: Desk, learner: int, time_zones: TimeZones, now: datetime) -> None:
    moments = log_fold.moments_of(desk, learner)
    days = log_fold.days_of(moments, time_zones)
    rows = desk.rows("SELECT day FROM learning_day WHERE learner_id = ?", learner)
    assert {date.fromisoformat(day) for (day,) in rows} == days
    for days_later in (-1, 0, 1, 2):
        today = day_of(now, time_zones.present_zone) + timedelta(days=days_later)
        assert desk.read(learning_days.days_in_a_row_until, learner, today) == log_fold.streak(days, today)
    newest = desk.read(learning_days.newest_day_totals, learner)
    assert (newest is None) == (not moments)
    if newest:
        assert newest.day_count == len(days)
        assert timedelta(microseconds=newest.learnt_microseconds) == log_fold.learning(moments)


def load_history(session: VerbSession, learner_id: int, now: datetime) -> AnswerHistory:
    """What one learner has answered, as far as they may know how it went."""
    sum_rows = past_answers.load_mastery_sums(session, learner_id)
    return past_answers.history_of(session, learner_id, sum_rows, now)


def answers_by_item_ref(history: AnswerHistory) -> dict[str, list[Any]]:
    """By item the last first answers without hints, as (time, number, clean)."""
    return {
        item: [*chain.from_iterable(read_json_texts(answer_lists))]
        for item, answer_lists in history.answer_json_texts_by_item_ref.items()
    }


def expect_past(
    desk: Desk, learner: int, time_zones: TimeZones, log: list[LoggedAnswer], now: datetime
) -> None:
    past = desk.read(load_history, learner, now)
    expected = log_fold.past_of(log, time_zones)
    recent = {
        item: sorted((at, number, bool(clean)) for at, number, clean in answers)
        for item, answers in answers_by_item_ref(past).items()
    }
    assert (recent, past.first_clean_at_by_item_ref) == (expected.recent, expected.since)
    assert (+Counter(past.clean_count_by_item_ref), +Counter(past.right_later_count_by_item_ref)) == (
        +expected.clean,
        +expected.later,
    )


def expect_item_practices(history: History, now: datetime) -> None:
    """What stands below a question is what is known of everything."""
    for number, item in enumerate(ITEMS):
        skill = (
            COURSE.practised_skills[COURSE.skill_credit_by_item_id[item].skill_id]
            if item in COURSE.skill_credit_by_item_id
            else None
        )
        caller = history.who(number)
        below = history.desk.read(item_practice.load_item_practice, caller, COURSE, now, item)
        learner = history.desk.read(learners.find_learner_id, caller)
        whole = history.desk.read(item_practice.item_practice_from_all, learner, COURSE, now, skill)
        assert below.score == whole.score
        if below.skill_state is None or whole.skill_state is None or whole.skill_state.mastery == "new":
            assert below.skill_state == whole.skill_state
            continue
        assert state_reason(below.skill_state) == state_reason(whole.skill_state)
        assert below.skill_state.practice == whole.skill_state.practice


def expect_notebook(
    desk: Desk, learner: int, time_zones: TimeZones, log: list[LoggedAnswer], now: datetime
) -> None:
    kinds = log_fold.kinds_of(COURSE, log, time_zones)
    for kind_id, most in (("dcg", 50), ("", 3)):
        entries = desk.read(notebook.notebook_of_learner, learner, COURSE, now, kind_id).notebook
        assert [entry.kind for entry in entries.entries] == list(kinds)
        for entry, kind in zip(entries.entries, kinds.values(), strict=True):
            assert list(entry.wrong_responses)[:most] == kind.wrongs[:most]
            assert (entry.mistake_count, entry.remaining_count) == (len(kind.wrongs), kind.remaining_count)
    misconceptions = log_fold.misconceptions_of(COURSE, log, time_zones)
    for misconception in entries.misconceptions:
        if set(misconception.mistake_count_by_source) == {"questions"}:
            assert (misconception.mistake_count, misconception.last_day) == misconceptions[misconception.id][
                :2
            ]
            assert (
                misconception.clean_count == misconceptions[misconception.id][2]
                or misconception.may_have_more_clean
            )


@pytest.fixture
def history(desk: Desk) -> History:
    return begun(desk)


STREAK_IN_TWO_ZONES = {
    "at home": (("Asia/Shanghai", 12), ("Asia/Shanghai", 36)),
    "west, the same evening again": (("Asia/Shanghai", 12), ("America/New_York", 24)),
    "west, in the morning before": (("Asia/Shanghai", 2), ("America/New_York", 8)),
    "east, from evenings about a beginning of its days": (("Europe/Berlin", 19), ("Asia/Shanghai", 36)),
    "east": (("America/New_York", 24), ("Asia/Shanghai", 36)),
    "there and back": (("America/New_York", 14), ("Asia/Shanghai", 15), ("America/New_York", 38)),
}
"""Zones, and hours after the midnight (UTC) of the last of five days in a row."""


@pytest.mark.parametrize("journey", STREAK_IN_TWO_ZONES)
def test_a_day_that_counted_goes_on_counting_in_another_time_zone(history: History, journey: str) -> None:
    (home, first_hour), *legs = STREAK_IN_TWO_ZONES[journey]
    xu = history.who(1)
    midnight = NOW.replace(hour=0, minute=0)
    history.desk.write(decks.change_deck_settings, xu, DeckSettings(), home, NOW)
    for days_before in range(4, -1, -1):
        two_hours_later = 2 * (days_before % 2)
        history.room.now = (
            midnight + timedelta(hours=first_hour + two_hours_later) - timedelta(days=days_before)
        )
        history.practise(1)
    streaks = [streak_of(history, 1)]
    for zone, hour in legs:
        history.room.now = midnight + timedelta(hours=hour)
        history.desk.write(decks.change_deck_settings, xu, DeckSettings(), zone, history.now)
        streaks.append(streak_of(history, 1))
        history.practise(1)
        streaks.append(streak_of(history, 1))
        expect_equal(history)
    history.desk.write(decks.change_deck_settings, xu, DeckSettings(), "nowhere", history.now)
    assert streaks == sorted(streaks)
    assert streaks[0] == 5
    expect_equal(history)


def streak_of(history: History, number: int) -> int:
    learner = history.desk.read(learners.find_learner_id, history.who(number))
    assert learner
    zone = history.desk.read(learners.time_zone_of, learner)
    return history.desk.read(learning_days.days_in_a_row_until, learner, day_of(history.now, zone))


def test_a_zone_in_which_nothing_was_learnt_leaves_no_trace(history: History) -> None:
    history.practise(1)
    for number in range(6):
        history.room.now += timedelta(minutes=1)
        history.move_house(3 * number + 1)
    [zones] = history.desk.rows("SELECT time_zone, past_zones FROM learner WHERE id = 3")
    assert zones[1].count(",") == 0
    expect_equal(history)


def test_a_guest_s_days_are_those_of_the_account_after_a_merge(history: History) -> None:
    """The account says where its person is; what it has learnt itself keeps its day."""
    account, guest = history.who(0), history.who(2)
    for hours in (0, 24, 48):
        history.room.now = NOW + timedelta(hours=hours)
        history.practise(0)
    history.desk.write(decks.change_deck_settings, account, DeckSettings(), "America/New_York", history.now)
    history.room.now += timedelta(hours=36)  # in Auckland two dates later
    history.practise(2)
    history.desk.write(decks.change_deck_settings, guest, DeckSettings(), "Pacific/Auckland", history.now)
    browser = Browser("here", "home")
    history.desk.write(signing_in.sign_in, guest, Credentials("小糖", "hash"), browser, WORDS, history.now)
    assert streak_of(history, 0) == 4
    expect_equal(history)


def test_where_the_clock_goes_back_the_moment_is_put_in_its_place(history: History) -> None:
    for minutes in (0, 8, 4, -6 * 24 * 60, 8):
        history.room.now = NOW + timedelta(minutes=minutes)
        history.practise(1)
    newest = history.desk.read(learning_days.newest_day_totals, 3)
    assert newest
    assert (newest.day_count, newest.learnt_microseconds) == (2, 8 * 60 * 10**6)
    expect_equal(history)


def test_results_are_known_when_they_are_out_and_again_unknown_when_work_goes_on(history: History) -> None:
    history.assign(1)
    history.do_work(3)
    tang = history.desk.read(learners.find_learner_id, Caller("xu"))
    assert tang

    def answered() -> int:
        past = history.desk.read(load_history, tang, history.now)
        practice = history.desk.read(overview.load_practice, Caller("xu"), COURSE, history.now)
        count = sum(len(answers) for answers in answers_by_item_ref(past).values())
        assert (
            sum(skill_state.practice.tried_count for skill_state in practice.skill_state_by_skill_id.values())
            == count
        )
        return count

    assert answered() == 0
    history.room.now += timedelta(hours=31)
    assert answered() == 2
    history.room.now -= timedelta(hours=2)
    assert answered() == 0, "the clock went back"
    history.teach(2)
    assert answered() == 2, "closed"
    history.teach(1)
    assert answered() == 0, "opened again"
    expect_equal(history)


@pytest.mark.parametrize(
    ("damage", "learners"),
    [
        ("UPDATE item_sum SET wrong = wrong + 1 WHERE learner_id = 3", 1),
        ("DELETE FROM learning_day", 2),
        ("UPDATE first_try_count SET tried = tried + 1 WHERE learner_id = 3", 1),
        ("DELETE FROM first_try_count", 2),
    ],
)
def test_a_sum_that_went_wrong_is_made_again(history: History, damage: str, learners: int) -> None:
    history.practise(1)
    history.practise(2)
    assert history.desk.write(rebuild_all_sums) == 0
    with history.desk.other_program() as connection:
        connection.execute(damage)
    assert history.desk.write(rebuild_all_sums) == learners
    assert history.desk.write(rebuild_all_sums) == 0
    expect_equal(history)
