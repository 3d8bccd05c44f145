"""A guest's deck and plays move into an account: as if one person had done it all."""

from datetime import timedelta
from pathlib import Path
from shutil import copyfile
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, own_cards, rebuilding, reviews
from app.records.cards.scheduling import Rating, unpack_memory_and_status
from app.records.cards.values import CardRating, DeckSettings, Status
from app.records.games import plays
from app.records.people import signing_in
from tests.records.cast import COURSE, NOW, Desk, newcomer
from tests.records.people import merging
from tests.records.people.merging import HIDDEN, PLAY, play, signed_up

GUEST, STUDENT, HOME = Caller("guest", "guest"), Caller("student", "student"), Caller("home of guest")
GAIN, IDCG, DISCOUNT = "content:gain", "content:idcg", "content:discount"
MISTAKE = "content:mistake-natural_log"
SET = ((GAIN, "gain"), (IDCG, "idcg"), (DISCOUNT, "discount"))


def sign_in(desk: Desk, guest: str = "guest") -> None:
    """After three months, when all that was reviewed lies behind."""
    merging.sign_in(desk, Caller(proposed_token=guest), f"home of {guest}", days=90)


def rate(desk: Desk, caller: Caller, card: str, rating: Rating, days: float) -> None:
    card_page = desk.read(deck_pages.load_card, caller, card)
    rated = CardRating(card, len(card_page.reviews) + 1, rating, 4.0)
    assert desk.write(reviews.review_card, caller, rated, NOW + timedelta(days=days)).is_accepted


def undo(desk: Desk, caller: Caller, days: float) -> None:
    last = desk.read(reviews.load_review, caller, NOW + timedelta(days=days)).last_review
    if last:
        desk.write(reviews.undo_review, caller, last.id, NOW + timedelta(days=days))


DECK = (
    "SELECT card, status, state, stability, difficulty, due_at, reps, lapses, streak FROM card_memory"
    " ORDER BY card"
)
LOG = (
    "SELECT card, number, rating, reviewed_at, state, interval_days, first, before, after FROM review_log"
    " WHERE undone_at IS NULL ORDER BY id"
)

histories = some.lists(
    some.tuples(
        some.booleans(),
        some.sampled_from([GAIN, IDCG]),
        some.sampled_from([*Rating, None]),
        some.floats(0, 9),
    ),
    max_size=16,
)


def lived(
    migrated: Path, folder: Path, history: list[tuple[bool, str, Rating | None, float]], two: bool
) -> Desk:
    """The same days, by a guest and an account, or by the account alone."""
    desk = Desk(copyfile(migrated, folder / f"{two}.db"))
    signed_up(desk)
    for caller in (GUEST, STUDENT):
        desk.write(decks.collect_cards, caller if two else STUDENT, SET, NOW)
    days = 0.0
    for by_guest, card, rating, later in history:
        days += later
        if rating is not None:
            rate(desk, GUEST if by_guest and two else STUDENT, card, rating, days)
    sign_in(desk)
    return desk


@given(history=histories)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_two_decks_become_the_one_they_would_have_been(
    migrated: Path, history: list[tuple[bool, str, Rating | None, float]]
) -> None:
    with TemporaryDirectory() as folder:
        merged, alone = (lived(migrated, Path(folder), history, two) for two in (True, False))
        try:
            assert merged.rows(DECK) == alone.rows(DECK)
            assert [row[:7] for row in merged.rows(LOG)] == [row[:7] for row in alone.rows(LOG)]
            [(account_id,)] = merged.rows("SELECT learner_id FROM account")
            assert merged.write(rebuilding.rebuild_memories, account_id) == 0
        finally:
            merged.close()
            alone.close()


def test_reviews_of_today_lie_on_the_day_of_the_account(desk: Desk) -> None:
    """The account lives in New York, where it is still the evening before: today's limits count them."""
    signed_up(desk)
    for caller, time_zone in ((STUDENT, "America/New_York"), (GUEST, "Asia/Shanghai")):
        desk.write(decks.change_deck_settings, caller, DeckSettings(), time_zone, NOW)
    desk.write(decks.collect_cards, GUEST, SET, NOW)
    rate(desk, GUEST, GAIN, Rating.GOOD, 0)
    assert desk.rows("SELECT day FROM review_log") == [("2026-09-01",)]
    desk.write(signing_in.sign_in, GUEST, *newcomer("小糖", "home of guest", HIDDEN), COURSE, NOW)
    assert desk.rows("SELECT day FROM review_log") == [("2026-08-31",)]


DUE_AND_AFTER = "SELECT before, after FROM review_log ORDER BY id"


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("guest_rating", "days_of_account"),
    [(Rating.EASY, 1), (Rating.EASY, 30), (Rating.AGAIN, 1), (Rating.HARD, 0.01)],
)
def test_a_card_that_counted_for_an_assignment_counts_after_the_merge(
    desk: Desk, guest_rating: Rating, days_of_account: float
) -> None:
    """The account's first look at it: it came as a new card, and went away for days. The guest knew it."""
    signed_up(desk)
    for caller in (STUDENT, GUEST):
        desk.write(decks.collect_cards, caller, SET, NOW)
    rate(desk, GUEST, GAIN, guest_rating, 0)
    rate(desk, STUDENT, GAIN, Rating.EASY, days_of_account)
    [(_, packed_after)] = desk.rows(DUE_AND_AFTER)[1:]
    sign_in(desk)
    [(packed_before, packed_after_merge)] = desk.rows(DUE_AND_AFTER)[1:]
    memory_before, _ = unpack_memory_and_status(packed_before)
    assert memory_before.due_at
    assert memory_before.due_at <= NOW + timedelta(days=days_of_account)
    due_at_after_merge = unpack_memory_and_status(packed_after_merge)[0].due_at
    due_at = unpack_memory_and_status(packed_after)[0].due_at
    assert due_at
    assert due_at_after_merge
    assert due_at_after_merge >= due_at


def test_after_the_merge_the_last_review_can_still_be_undone(desk: Desk) -> None:
    signed_up(desk)
    for caller in (STUDENT, GUEST):
        desk.write(decks.collect_cards, caller, SET, NOW)
    rate(desk, STUDENT, GAIN, Rating.GOOD, 0)
    rate(desk, GUEST, GAIN, Rating.AGAIN, 1)
    undo(desk, GUEST, 1)
    rate(desk, GUEST, GAIN, Rating.EASY, 2)
    sign_in(desk)
    undo(desk, HOME, 91)
    assert desk.rows("SELECT reps, lapses FROM card_memory WHERE card = ?", GAIN) == [(1, 0)]
    assert desk.rows("SELECT number, rating FROM review_log ORDER BY id") == [(1, 3), (2, 1), (3, 4)]


@pytest.mark.both_databases
@pytest.mark.parametrize("account_status", ["retired", "suspended", "leech"])
@pytest.mark.parametrize("guest_status", ["active", "suspended"])
def test_a_mistake_that_the_guest_made_again_comes_back(
    desk: Desk, account_status: Status, guest_status: Status
) -> None:
    """Only one that had retired: what the account itself put aside stays there."""
    signed_up(desk)
    for caller, card_status in ((STUDENT, account_status), (GUEST, guest_status)):
        desk.write(decks.collect_cards, caller, [(MISTAKE, "dcg")], NOW)
        rate(desk, caller, MISTAKE, Rating.AGAIN, 0)
        desk.write(decks.set_status, caller, MISTAKE, card_status, NOW)
    sign_in(desk)
    has_come_back = account_status == "retired" and guest_status == "active"
    expected_status = "active" if has_come_back else account_status
    assert desk.rows("SELECT status, reps FROM card_memory") == [(expected_status, 2)]


def test_settings_of_the_account_stand_those_of_a_guest_fill_a_gap(desk: Desk) -> None:
    signed_up(desk)
    desk.write(decks.change_deck_settings, GUEST, DeckSettings(new_cards_a_day=3), "Asia/Shanghai", NOW)
    sign_in(desk)
    assert desk.rows("SELECT new_a_day FROM deck") == [(3,)]
    desk.write(
        decks.change_deck_settings,
        Caller("other", "other"),
        DeckSettings(new_cards_a_day=7),
        "Asia/Shanghai",
        NOW,
    )
    sign_in(desk, "other")
    assert desk.rows("SELECT new_a_day FROM deck") == [(3,)]


def test_own_cards_come_along_and_twins_become_one(desk: Desk) -> None:
    signed_up(desk)
    desk.write(own_cards.write_cards, STUDENT, [("折损？", "除以对数", "", "")], NOW)
    written = [("折损？", "除以对数", "", ""), ("增益？", "甜度", "糖", "")]
    desk.write(own_cards.write_cards, GUEST, written, NOW)
    rate(desk, GUEST, "own:2", Rating.EASY, 1)
    sign_in(desk)
    deck = desk.read(deck_pages.load_deck, HOME)
    assert [(own.id, own.front) for own in deck.own_cards] == [(1, "折损？"), (3, "增益？")]
    assert desk.rows("SELECT card, reps FROM card_memory ORDER BY card") == [("own:1", 1), ("own:3", 0)]
    assert desk.rows("SELECT card FROM review_log") == [("own:1",)]


def test_a_card_under_another_name_has_the_history_of_that_name(desk: Desk) -> None:
    """By its name the days between two reviews are scattered: what is undone is what the log gives."""
    account_id = signed_up(desk)
    words = ("折损？", "除以对数", "", "")
    other_cards = [(f"{number}？", "除以对数", "", "") for number in range(7)]
    desk.write(own_cards.write_cards, STUDENT, [*other_cards, words], NOW)
    desk.write(own_cards.write_cards, GUEST, [words], NOW)
    for days in (0, 1, 3, 15, 62):
        rate(desk, GUEST, "own:9", Rating.GOOD, days)
    sign_in(desk)
    for _ in range(4):
        undo(desk, HOME, 91)
        assert desk.write(rebuilding.rebuild_memories, account_id) == 0
    assert desk.rows("SELECT card, reps FROM card_memory WHERE reps > 0") == [("own:8", 1)]


def test_a_guest_whose_own_cards_became_equal_signs_in_with_both(desk: Desk) -> None:
    """Editing makes one card read like another. One of the two is the account's; both keep their reviews."""
    signed_up(desk)
    desk.write(own_cards.write_cards, STUDENT, [("折损？", "除以对数", "", "")], NOW)
    desk.write(
        own_cards.write_cards, GUEST, [("折损？", "除以对数", "", ""), ("增益？", "甜度", "", "")], NOW
    )
    for card_ref, days in (("own:2", 1), ("own:3", 2)):
        rate(desk, GUEST, card_ref, Rating.EASY, days)
    desk.write(own_cards.edit_card, GUEST, "own:3", ("折损？", "除以对数", "", ""), NOW)
    sign_in(desk)
    assert desk.rows("SELECT card, reps FROM card_memory ORDER BY card") == [("own:1", 1), ("own:3", 1)]
    assert desk.rows("SELECT card FROM review_log ORDER BY id") == [("own:1",), ("own:3",)]
    own_ids = [own_card.id for own_card in desk.read(deck_pages.load_deck, HOME).own_cards]
    assert own_ids == [1, 3]


def test_of_a_play_that_both_began_the_longer_one_is_shown_and_nothing_lost(desk: Desk) -> None:
    signed_up(desk)
    for moves, caller in ((2, STUDENT), (5, GUEST), (3, Caller("third", "third"))):
        play(moves)(desk, caller)
    sign_in(desk)
    assert len(desk.read(plays.load_play, HOME, PLAY, NOW).moves) == 5
    sign_in(desk, "third")
    assert len(desk.read(plays.load_play, HOME, PLAY, NOW).moves) == 5
    assert len(desk.read(plays.load_recent_plays, HOME, NOW).plays) == 1
    assert desk.count("game_move") == 10


def test_other_plays_come_along(desk: Desk) -> None:
    signed_up(desk)
    play(4)(desk, GUEST)
    sign_in(desk)
    assert len(desk.read(plays.load_play, HOME, PLAY, NOW).moves) == 4
