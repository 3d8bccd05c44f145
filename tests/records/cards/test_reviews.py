"""Reviews: the dates are those of the library, undo is exact, the log makes everything again."""

import random
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, timedelta

import pytest
from fsrs import Card, Scheduler, State
from fsrs import Rating as FsrsRating
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as some
from sqlalchemy import text

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, own_cards, rebuilding, reviews
from app.records.cards.scheduling import (
    NEW_MEMORY,
    Memory,
    Rating,
    jittered_interval,
    memory_by_rating,
    next_memory,
)
from app.records.cards.values import CardRating, DeckSettings, ReviewData
from app.records.db.days import beginning_of, calendar, day_of, end_of
from app.records.db.errors import NotFound, Stale
from tests.records.cast import NOW, XIAOTANG, XIAOXU, Desk
from tests.records.own_progress import load_progress

GAIN, IDCG, DISCOUNT, MISTAKE = (
    "content:gain",
    "content:idcg",
    "content:discount",
    "content:mistake-natural_log",
)
SET = ((GAIN, "gain"), (IDCG, "idcg"), (DISCOUNT, "discount"))
AGAIN, HARD, GOOD, EASY = Rating
ME = Caller("proposal-of-xiaotang")


@pytest.fixture
def deck(desk: Desk) -> Desk:
    """小糖 has three cards."""
    desk.write(decks.collect_cards, XIAOTANG, SET, NOW)
    return desk


def rate(desk: Desk, rating: Rating, at: datetime, card: str = GAIN, number: int | None = None) -> bool:
    number = number or review_data(desk, at, card).review_number
    return desk.write(reviews.review_card, ME, CardRating(card, number, rating, 4.0), at).is_accepted


def review_data(desk: Desk, at: datetime, card: str | None = None) -> ReviewData:
    return desk.read(reviews.load_review, ME, at, card)


def memory(desk: Desk, card: str = GAIN) -> Memory:
    row = desk.read(deck_pages.load_card, ME, card).card
    assert row
    return row.memory


def everything(desk: Desk) -> list[tuple[object, ...]]:
    return desk.rows("SELECT * FROM card_memory ORDER BY id")


HISTORIES: Sequence[tuple[Sequence[Rating], Sequence[int]]] = [
    ((GOOD, GOOD, GOOD, GOOD), (0, 2, 11, 47)),
    ((EASY, GOOD), (7, 40)),
    ((AGAIN, GOOD, GOOD, GOOD), (0, 0, 1, 2)),
    ((GOOD, GOOD, GOOD, AGAIN, GOOD, GOOD), (0, 2, 11, 0, 2, 4)),
    ((HARD, HARD, HARD), (0, 0, 0)),
]
"""Ratings, each given when the card is due; and the days that come out."""


@pytest.mark.parametrize(("ratings", "days"), HISTORIES)
def test_known_histories(ratings: Sequence[Rating], days: Sequence[int]) -> None:
    now, memory_now, card = NOW, NEW_MEMORY, "content:gain"
    intervals = []
    for rating in ratings:
        memory_now = next_memory(memory_now, rating, card, now)
        assert memory_now.due_at
        intervals.append(memory_now.interval_days)
        now = memory_now.due_at
    assert intervals == list(days)


@pytest.mark.parametrize("ratings", [ratings for ratings, _ in HISTORIES])
def test_without_the_jitter_it_is_what_the_library_says(ratings: Sequence[Rating]) -> None:
    library = Scheduler(enable_fuzzing=False, maximum_interval=3650)
    now, ours, theirs = NOW, NEW_MEMORY, Card(card_id=1, state=State.Learning)
    for rating in ratings:
        ours = next_memory(ours, rating, "content:gain", now)
        theirs, _ = library.review_card(theirs, FsrsRating(int(rating)), now)
        assert (ours.stability, ours.difficulty) == (theirs.stability, theirs.difficulty)
        assert ours.due_at == now + jittered_interval(theirs.due - now, "content:gain", ours.review_count - 1)
        now += timedelta(days=3)


def test_a_memory_in_a_state_that_is_none_is_not_passed_off_as_relearnt() -> None:
    with pytest.raises(KeyError, match="relearnt"):
        next_memory(NEW_MEMORY._replace(state="relearnt"), AGAIN, GAIN, NOW)


@pytest.mark.parametrize("retention", [0.8, 0.95])
def test_a_memory_changes_by_days_and_retention_at_any_moment(retention: float) -> None:
    learnt = next_memory(NEW_MEMORY, EASY, GAIN, NOW)
    library = Scheduler(desired_retention=retention, enable_fuzzing=False, maximum_interval=3650)
    card, _ = library.review_card(Card(card_id=1), FsrsRating.Easy, NOW)
    for elapsed in (timedelta(0), timedelta(hours=30), timedelta(days=1), timedelta(days=40, hours=7)):
        now = NOW + elapsed
        for rating in Rating:
            memory_then = next_memory(learnt, rating, GAIN, now, retention)
            reviewed_card, _ = library.review_card(card, FsrsRating(int(rating)), now)
            assert (memory_then.stability, memory_then.state) == (
                reviewed_card.stability,
                reviewed_card.state.name.lower(),
            )
            assert memory_then.due_at == now + jittered_interval(reviewed_card.due - now, GAIN, 1)


def test_the_button_says_what_will_happen(deck: Desk) -> None:
    for days in (0, 0.01, 3, 9):
        now = NOW + timedelta(days=days)
        row = review_data(deck, now, GAIN).card
        assert row
        good_outcome = memory_by_rating(row.memory, GAIN, now)[GOOD]
        assert rate(deck, GOOD, now)
        assert memory(deck) == good_outcome


def test_a_reload_moves_nothing(deck: Desk) -> None:
    rate(deck, EASY, NOW)
    row = review_data(deck, NOW + timedelta(days=8), GAIN).card
    assert row
    previews = [memory_by_rating(row.memory, GAIN, NOW + timedelta(days=8)) for _ in range(3)]
    assert previews[0] == previews[1] == previews[2]


def test_a_double_click_and_a_stale_tab_change_nothing(deck: Desk) -> None:
    assert rate(deck, GOOD, NOW, number=1)
    before = everything(deck)
    assert not rate(deck, GOOD, NOW, number=1)
    assert not rate(deck, AGAIN, NOW + timedelta(hours=1), number=1)
    assert not rate(deck, AGAIN, NOW + timedelta(hours=1), number=3)
    assert everything(deck) == before
    assert deck.count("review_log") == 1


def test_two_clicks_in_one_batch_are_one_review(deck: Desk) -> None:
    def click(session: object) -> bool:
        return reviews.review_card(session, ME, CardRating(GAIN, 1, GOOD), NOW).is_accepted  # type: ignore[arg-type]

    assert sorted(deck.write_together(click, click)) == [False, True]


def test_undo_takes_the_review_itself_back(deck: Desk) -> None:
    before = everything(deck)
    rate(deck, AGAIN, NOW)
    last = review_data(deck, NOW).last_review
    assert last
    assert last.card_ref == GAIN
    assert deck.write(reviews.undo_review, ME, last.id, NOW).is_accepted
    assert everything(deck) == before
    assert not deck.write(reviews.undo_review, ME, last.id, NOW).is_accepted
    assert deck.rows("SELECT undone_at IS NULL FROM review_log") == [(0,)]


def test_a_card_that_was_put_aside_since_stays_aside(deck: Desk) -> None:
    deck.write(reviews.review_card, ME, CardRating(GAIN, 1, Rating.GOOD), NOW)
    deck.write(decks.set_status, ME, GAIN, "suspended", NOW)
    result = deck.write(reviews.undo_review, ME, 1, NOW)
    assert (result.is_accepted, result.new_status) == (True, "suspended")
    card = deck.read(deck_pages.load_card, ME, GAIN).card
    assert card
    assert (card.status, card.memory) == ("suspended", NEW_MEMORY)


def test_a_card_that_was_put_aside_before_its_review_stays_aside(deck: Desk) -> None:
    """By an open page it may be reviewed still; and its learner is told that it does not come again."""
    deck.write(decks.set_status, ME, GAIN, "suspended", NOW)
    deck.write(reviews.review_card, ME, CardRating(GAIN, 1, Rating.GOOD), NOW)
    result = deck.write(reviews.undo_review, ME, 1, NOW)
    assert (result.is_accepted, result.new_status) == (True, "suspended")
    card = deck.read(deck_pages.load_card, ME, GAIN).card
    assert card
    assert (card.status, card.memory) == ("suspended", NEW_MEMORY)


def test_an_undone_review_is_not_repeated_by_a_stale_tab(deck: Desk) -> None:
    rate(deck, AGAIN, NOW, number=1)
    deck.write(reviews.undo_review, ME, 1, NOW)
    assert not rate(deck, AGAIN, NOW, number=1)
    assert rate(deck, GOOD, NOW, number=2)
    assert memory(deck).lapse_count == 0


moves = some.lists(
    some.tuples(some.integers(0, 2), some.sampled_from([*Rating, None]), some.floats(0, 40)), max_size=24
)


@given(history=moves)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_undo_restores_and_the_log_makes_everything_again(
    migrated_copy: Callable[[], Desk], history: list[tuple[int, Rating | None, float]]
) -> None:
    desk = migrated_copy()
    desk.write(decks.collect_cards, XIAOTANG, SET, NOW)
    now, past = NOW, [everything(desk)]
    for place, rating, days in history:
        now += timedelta(days=days)
        if rating is not None:
            assert desk.write(
                reviews.review_card, ME, next_one(desk, SET[place][0], rating, now), now
            ).is_accepted
            past.append(everything(desk))
        elif len(past) > 1:
            last = review_data(desk, now).last_review
            assert last
            assert desk.write(reviews.undo_review, ME, last.id, now).is_accepted
            past.pop()
        assert everything(desk) == past[-1]
    desk.write(lambda session: session.run(decks.CHANGE_MEMORY, **blank(GAIN)))
    desk.write(rebuilding.rebuild_memories, 1)
    assert [row[6:] for row in everything(desk)] == [row[6:] for row in past[-1]]
    desk.close()


def test_a_lost_deck_comes_back_from_the_log(deck: Desk) -> None:
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    for days in (0, 1, 3):
        rate(deck, EASY, NOW + timedelta(days=days), MISTAKE)
    rate(deck, GOOD, NOW)
    deck.write(own_cards.write_cards, ME, [("问", "答", "", "")], NOW)
    rate(deck, EASY, NOW, "own:1")
    deck.write(own_cards.write_cards, ME, [("删", "了", "", "")], NOW)
    rate(deck, EASY, NOW, "own:2")
    deck.write(own_cards.delete_card, ME, "own:2", NOW)
    memory_sql = (
        "SELECT card, family, status, state, stability, due_at, reps FROM card_memory {} ORDER BY card"
    )
    before = deck.rows(memory_sql.format("WHERE reps > 0"))
    deck.write(lambda session: session.execute(text("DELETE FROM card_memory")))
    assert deck.write(rebuilding.rebuild_memories, 1) == 0
    families = {GAIN: "gain", MISTAKE: "dcg"}
    assert deck.write(rebuilding.bring_back_cards, 1, families.get) == 3
    assert deck.rows(memory_sql.format("")) == before
    assert "retired" in {row[2] for row in before}
    assert deck.write(rebuilding.bring_back_cards, 1, families.get) == 0


def next_one(desk: Desk, card: str, rating: Rating, now: datetime) -> CardRating:
    card_page = desk.read(deck_pages.load_card, ME, card)
    return CardRating(card, len(card_page.reviews) + 1, rating)


def blank(card: str) -> dict[str, object]:
    """A memory that somebody has damaged."""
    return {"learner": 1, "card": card, "status": "active", "scheduler_hash": None, **NEW_MEMORY._asdict()}


@pytest.fixture
def migrated_copy(migrated, tmp_path_factory) -> Callable[[], Desk]:  # type: ignore[no-untyped-def]
    """A fresh desk whenever it is called."""

    def fresh() -> Desk:
        file = tmp_path_factory.mktemp("deck") / "tangxu.db"
        file.write_bytes(migrated.read_bytes())
        return Desk(file)

    return fresh


def test_a_day_ends_at_four_where_the_learner_lives() -> None:
    late = datetime(2026, 9, 1, 19, 59, tzinfo=UTC)  # 3:59 in Shanghai
    assert day_of(late, "Asia/Shanghai") == date(2026, 9, 1)
    assert day_of(late + timedelta(minutes=1), "Asia/Shanghai") == date(2026, 9, 2)
    assert day_of(late, "Europe/Berlin") == date(2026, 9, 1)


@pytest.mark.parametrize("day", [date(2026, 3, 29), date(2026, 10, 25)])
def test_days_follow_each_other_when_the_clock_changes(day: date) -> None:
    for zone in ("Europe/Berlin", "America/New_York", "Asia/Shanghai"):
        end = end_of(day, zone)
        assert day_of(end - timedelta(seconds=1), zone) == day
        assert day_of(end, zone) == day + timedelta(days=1)
        assert beginning_of(day + timedelta(days=1), zone) == end


def test_a_calendar_tells_the_same_days_at_every_hour_of_two_years() -> None:
    """Also where clocks change, on Lord Howe by half an hour."""
    for zone in ("Asia/Shanghai", "Europe/Berlin", "America/New_York", "Australia/Lord_Howe"):
        days = calendar(zone)
        begin = datetime(2011, 1, 1, 0, 29, 59, tzinfo=UTC)
        for moment in (begin + timedelta(minutes=30 * number) for number in range(2 * 366 * 48)):
            assert days(moment) == day_of(moment, zone), (moment, zone)


def test_a_new_time_zone_loses_nothing(deck: Desk) -> None:
    rate(deck, EASY, NOW)
    due = memory(deck).due_at
    deck.write(decks.change_deck_settings, ME, DeckSettings(), "America/Los_Angeles", NOW)
    assert memory(deck).due_at == due
    assert due
    assert review_data(deck, due - timedelta(days=2)).counts.due_count == 0
    assert review_data(deck, due).counts.due_count == 1
    deck.write(decks.change_deck_settings, ME, DeckSettings(), "Mars/Olympus", NOW)
    assert review_data(deck, NOW).time_zone == "America/Los_Angeles"


def test_what_was_done_today_is_of_today_in_another_time_zone(deck: Desk) -> None:
    """In Los Angeles it is still the day before; and when that is over, its cards were not done today."""
    now = NOW + timedelta(days=1)
    deck.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=2), "Asia/Shanghai", now)
    for card in (GAIN, IDCG):
        rate(deck, EASY, now, card)
    deck.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=2), "America/Los_Angeles", now)
    for moment, counts_of_day in ((now, (0, 2)), (now + timedelta(hours=14), (1, 0))):
        counts = review_data(deck, moment).counts
        assert (counts.new_count, counts.done_today.card_count) == counts_of_day
    deck.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=2), "Asia/Shanghai", now)
    assert review_data(deck, now).counts.done_today.card_count == 2


def test_a_card_is_first_once_a_day_in_another_time_zone_too(deck: Desk) -> None:
    """What was done on two days of the one zone lies on one day of the other, and the other way round."""
    first_of_day = "SELECT first FROM review_log ORDER BY id"
    early = NOW.replace(hour=19) + timedelta(days=1)  # in Shanghai the night goes on until 4, in UTC too
    late = early + timedelta(hours=3)
    deck.write(decks.change_deck_settings, ME, DeckSettings(), "Asia/Shanghai", early)
    rate(deck, GOOD, early)
    rate(deck, GOOD, late)
    assert deck.rows(first_of_day) == [(1,), (1,)]
    deck.write(decks.change_deck_settings, ME, DeckSettings(), "UTC", late)
    assert deck.rows(first_of_day) == [(1,), (0,)]
    deck.write(decks.change_deck_settings, ME, DeckSettings(), "Asia/Shanghai", late)
    assert deck.rows(first_of_day) == [(1,), (1,)]


def test_a_clock_that_goes_back_breaks_nothing(deck: Desk) -> None:
    rate(deck, EASY, NOW)
    assert rate(deck, GOOD, NOW - timedelta(hours=30))
    assert memory(deck).due_at


def test_new_cards_wait_for_tomorrow(deck: Desk) -> None:
    deck.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=2), "Asia/Shanghai", NOW)
    assert review_data(deck, NOW).counts.new_count == 2
    rate(deck, EASY, NOW, GAIN)
    rate(deck, EASY, NOW, IDCG)
    deck_state = review_data(deck, NOW)
    assert (deck_state.counts.new_count, deck_state.counts.deck_counts.new_count, deck_state.card) == (
        0,
        1,
        None,
    )
    assert review_data(deck, NOW + timedelta(days=1)).counts.new_count == 1


def test_less_today_is_half_and_only_today(deck: Desk) -> None:
    deck.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=2), "Asia/Shanghai", NOW)
    deck.write(decks.halve_today, ME, True, NOW)
    assert review_data(deck, NOW).counts.new_count == 1
    assert review_data(deck, NOW + timedelta(days=1)).counts.new_count == 2
    deck.write(decks.halve_today, ME, False, NOW)
    assert review_data(deck, NOW).counts.new_count == 2


def test_less_than_one_card_is_still_one(deck: Desk) -> None:
    """Half of the least that one can ask for: a backlog stays one card a day, and the page says so."""
    for _ in range(2):
        rate(deck, EASY, NOW, GAIN)
        rate(deck, EASY, NOW, IDCG)
    later = NOW + timedelta(days=90)
    deck.write(decks.change_deck_settings, ME, DeckSettings(due_cards_a_day=1), "Asia/Shanghai", later)
    deck.write(decks.halve_today, ME, True, later)
    counts = review_data(deck, later).counts
    assert (counts.due_count, counts.waiting_count) == (1, 1)


def test_less_today_is_of_today_in_another_time_zone(deck: Desk) -> None:
    """In Los Angeles it is still the day before."""
    two_new = DeckSettings(new_cards_a_day=2)
    deck.write(decks.change_deck_settings, ME, two_new, "Asia/Shanghai", NOW)
    deck.write(decks.halve_today, ME, True, NOW)
    deck.write(decks.change_deck_settings, ME, two_new, "America/Los_Angeles", NOW)
    assert review_data(deck, NOW).counts.new_count == 1
    next_day = NOW + timedelta(days=1)
    deck.write(decks.change_deck_settings, ME, two_new, "Asia/Shanghai", next_day)
    assert review_data(deck, next_day).counts.new_count == 2, "what is over stays over"


def test_a_backlog_is_met_within_the_limit_and_without_new_cards(desk: Desk) -> None:
    desk.write(decks.collect_cards, XIAOTANG, [(f"content:card-{n}", f"f{n}") for n in range(40)], NOW)
    for n in range(30):
        rate(desk, EASY, NOW, f"content:card-{n}")
    later = NOW + timedelta(days=60)
    desk.write(decks.change_deck_settings, ME, DeckSettings(due_cards_a_day=12), "Asia/Shanghai", later)
    counts = review_data(desk, later).counts
    assert (counts.due_count, counts.waiting_count, counts.new_count) == (12, 18, 0)
    rate(desk, GOOD, later, "content:card-0")
    assert (review_data(desk, later).counts.due_count, review_data(desk, later).counts.waiting_count) == (
        11,
        18,
    )


def test_no_new_card_comes_in_a_whole_sitting_with_a_backlog(desk: Desk) -> None:
    later = backlog(desk, 17)
    desk.write(decks.collect_cards, ME, [(f"content:fresh-{n}", f"g{n}") for n in range(5)], later)
    desk.write(decks.change_deck_settings, ME, DeckSettings(due_cards_a_day=12), "Asia/Shanghai", later)
    for done in range(12):
        deck_state = review_data(desk, later)
        assert deck_state.card
        assert (deck_state.card.memory.state, deck_state.counts.new_count) == ("review", 0), done
        rate(desk, EASY, later, deck_state.card.card_ref)
    deck_state = review_data(desk, later)
    assert (deck_state.card, deck_state.counts.new_count, deck_state.counts.waiting_count) == (None, 0, 5)


def test_of_a_backlog_what_is_known_best_comes_first(desk: Desk) -> None:
    """It keeps most: what is nearly gone loses little by waiting."""
    strong, weak = "content:strong", "content:weak"
    desk.write(decks.collect_cards, XIAOTANG, [(weak, "weak"), (strong, "strong")], NOW)
    rate(desk, HARD, NOW, weak)
    for minutes in (30, 60):
        rate(desk, GOOD, NOW + timedelta(minutes=minutes), weak)
    rate(desk, EASY, NOW, strong)
    later = NOW + timedelta(days=20)
    assert memory(desk, weak).due_at < memory(desk, strong).due_at < later  # type: ignore[operator]
    card = review_data(desk, later).card
    assert card
    assert card.card_ref == strong


def backlog(desk: Desk, cards: int) -> datetime:
    """So many cards, each of a family of its own; and when all of them are due."""
    desk.write(decks.collect_cards, XIAOTANG, [(f"content:card-{n}", f"f{n}") for n in range(cards)], NOW)
    for n in range(cards):
        rate(desk, EASY, NOW, f"content:card-{n}")
    return NOW + timedelta(days=60)


def test_relatives_wait_until_the_others_have_been(desk: Desk) -> None:
    cards = [
        (f"content:{family}-{n}", family) for n in range(3) for family in ("gain", "gain", "idcg", "dcg")
    ]
    cards = [(f"{name}-{place}", family) for place, (name, family) in enumerate(cards)]
    desk.write(decks.collect_cards, XIAOTANG, cards, NOW)
    desk.write(decks.change_deck_settings, ME, DeckSettings(new_cards_a_day=99), "Asia/Shanghai", NOW)
    families = []
    for _ in range(9):
        card = review_data(desk, NOW).card
        assert card
        families.append(card.family)
        rate(desk, EASY, NOW, card.card_ref)
    assert families == ["gain", "idcg", "dcg"] * 3


def test_what_was_taken_out_is_not_taken_back(deck: Desk) -> None:
    rate(deck, GOOD, NOW)
    deck.write(decks.remove_card, ME, GAIN, NOW)
    assert review_data(deck, NOW).last_review is None


def test_a_card_twice_in_a_day_is_one_card(deck: Desk) -> None:
    rate(deck, AGAIN, NOW)
    rate(deck, GOOD, NOW + timedelta(minutes=2))
    rate(deck, GOOD, NOW, IDCG)
    counts = review_data(deck, NOW).counts
    assert (
        counts.done_today.card_count,
        counts.done_today.review_count,
        counts.done_today.remembered_count,
    ) == (2, 3, 2)


def test_relatives_are_kept_apart(desk: Desk) -> None:
    cards = [("content:gain-a", "gain"), ("content:gain-b", "gain"), ("content:idcg-a", "idcg")]
    desk.write(decks.collect_cards, XIAOTANG, cards, NOW)
    rate(desk, EASY, NOW, "content:gain-a")
    card = review_data(desk, NOW).card
    assert card
    assert card.card_ref == "content:idcg-a"


def test_what_is_learnt_comes_back_within_the_sitting(deck: Desk) -> None:
    for card, _ in SET:
        rate(deck, AGAIN, NOW, card)
    deck_state = review_data(deck, NOW + timedelta(seconds=5))
    assert deck_state.card, "nothing else is left: the card comes a little early"
    assert deck_state.counts.deck_counts.learning_count == 3


def test_a_card_forgotten_six_times_is_put_aside(deck: Desk) -> None:
    now = NOW
    for times in range(1, 7):
        while memory(deck).state != "review":
            rate(deck, EASY, now)
        now += timedelta(days=400)
        rate(deck, AGAIN, now)
        assert memory(deck).lapse_count == times
    assert deck.rows("SELECT status FROM card_memory WHERE card = ?", GAIN) == [("leech",)]
    assert review_data(deck, now).counts.deck_counts.leech_count == 1
    last = review_data(deck, now).last_review
    assert last
    deck.write(reviews.undo_review, ME, last.id, now)
    assert review_data(deck, now).counts.deck_counts.leech_count == 0


def test_a_mistake_that_is_overcome_retires(deck: Desk) -> None:
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    for rating, days in ((AGAIN, 0), (GOOD, 1), (GOOD, 3), (GOOD, 9)):
        assert rate(deck, rating, NOW + timedelta(days=days), MISTAKE)
    assert deck.rows("SELECT status FROM card_memory WHERE card = ?", MISTAKE) == [("retired",)]
    assert rate(deck, GOOD, NOW, GAIN)
    assert deck.rows("SELECT status FROM card_memory WHERE card = ?", GAIN) == [("active",)]


def test_a_mistake_made_again_comes_back_for_three_more(deck: Desk) -> None:
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    for rating, days in ((AGAIN, 0), (GOOD, 1), (GOOD, 3), (GOOD, 9)):
        rate(deck, rating, NOW + timedelta(days=days), MISTAKE)
    done = deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg"), (GAIN, "gain")], NOW + timedelta(days=20))
    assert (done.added_count, done.returned_count) == (0, 1)
    for days, status in ((21, "active"), (60, "active"), (200, "retired")):
        rate(deck, GOOD, NOW + timedelta(days=days), MISTAKE)
        assert deck.rows("SELECT status FROM card_memory WHERE card = ?", MISTAKE) == [(status,)]


@pytest.mark.both_databases
def test_a_mistake_made_again_comes_at_once(deck: Desk) -> None:
    """Not after the months that it would have stayed away; and the log makes it again."""
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    for days in (0, 8, 80):
        rate(deck, EASY, NOW + timedelta(days=days), MISTAKE)
    made_again_at = NOW + timedelta(days=90)
    assert memory(deck, MISTAKE).due_at > made_again_at  # type: ignore[operator]
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], made_again_at)
    assert review_data(deck, made_again_at).counts.due_count == 1
    assert deck.write(rebuilding.rebuild_memories, 1) == 0
    rate(deck, GOOD, made_again_at, MISTAKE)
    back_for = memory(deck, MISTAKE).due_at - made_again_at  # type: ignore[operator]
    assert back_for > timedelta(days=30), "it is as well known as before"
    last = review_data(deck, made_again_at).last_review
    assert last
    deck.write(reviews.undo_review, ME, last.id, made_again_at)
    assert review_data(deck, made_again_at).counts.due_count == 1
    assert deck.write(rebuilding.rebuild_memories, 1) == 0


@pytest.mark.both_databases
def test_a_mistake_that_was_overcome_comes_at_once_also_by_way_of_aside(deck: Desk) -> None:
    """It is due as it is when it is taken back straight; the log makes the same of it."""
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    for days in (0, 8, 80):
        rate(deck, EASY, NOW + timedelta(days=days), MISTAKE)
    taken_back_at = NOW + timedelta(days=90)
    for status in ("suspended", "active"):
        deck.write(decks.set_status, ME, MISTAKE, status, taken_back_at)
        assert deck.rows("SELECT status FROM card_memory WHERE card = ?", MISTAKE) == [(status,)]
        assert memory(deck, MISTAKE).due_at == NOW + timedelta(days=80)
        assert deck.write(rebuilding.rebuild_memories, 1) == 0


@pytest.mark.both_databases
def test_three_more_are_counted_from_the_last_time_that_it_retired(deck: Desk) -> None:
    """At first it was 困难 twice while it was learnt, so that it retired with the fourth review."""
    deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], NOW)
    statuses = []
    for number, rating in enumerate((HARD, HARD, GOOD, GOOD, GOOD, GOOD, GOOD, GOOD, GOOD, GOOD)):
        reviewed_at = NOW + timedelta(days=30 * number)
        deck.write(decks.collect_cards, ME, [(MISTAKE, "dcg")], reviewed_at)
        rate(deck, rating, reviewed_at, MISTAKE)
        statuses += deck.rows("SELECT status FROM card_memory WHERE card = ?", MISTAKE)
    retired_at = [number for number, status in enumerate(statuses, 1) if status == ("retired",)]
    assert retired_at == [4, 7, 10]


def test_a_card_that_was_taken_out_remembers_its_past(deck: Desk) -> None:
    rate(deck, EASY, NOW)
    before = memory(deck)
    deck.write(decks.remove_card, ME, GAIN, NOW)
    deck.write(decks.collect_cards, ME, SET, NOW)
    assert memory(deck) == before


def test_nobody_reviews_for_somebody_else(deck: Desk) -> None:
    rate(deck, GOOD, NOW)
    with pytest.raises(NotFound):
        deck.write(reviews.review_card, XIAOXU, CardRating(GAIN, 1, GOOD), NOW)
    with pytest.raises(NotFound):
        deck.read(reviews.load_day_and_review, XIAOXU, NOW, 1)
    learner_count = deck.count("learner")
    with pytest.raises(Stale):
        deck.write(reviews.undo_review, XIAOXU, 1, NOW)
    assert deck.count("learner") == learner_count, "taking back makes nobody known"


def test_jitter_stays_near_and_spreads() -> None:
    jittered_days = [jittered_interval(timedelta(days=30), f"content:{n}", 3).days for n in range(200)]
    assert 25 <= min(jittered_days) < max(jittered_days) <= 35
    assert len(set(jittered_days)) > 4


def test_time_is_counted_within_reason(deck: Desk) -> None:
    source = random.Random(1)
    for card, _ in SET:
        number = review_data(deck, NOW, card).review_number
        seconds = 3600.0 * source.random() + 500
        deck.write(reviews.review_card, ME, CardRating(card, number, GOOD, seconds), NOW)
    assert review_data(deck, NOW).counts.done_today.seconds == 360.0


def test_a_day_with_cards_only_is_a_day_of_learning(deck: Desk) -> None:
    rate(deck, GOOD, NOW)
    rate(deck, GOOD, NOW + timedelta(minutes=2), card=IDCG)
    progress_data = deck.read(load_progress, ME)
    assert (progress_data.day_count, progress_data.learning_time) == (1, timedelta(minutes=2))


def test_a_review_that_was_taken_back_makes_no_day(deck: Desk) -> None:
    rate(deck, GOOD, NOW)
    deck.write(reviews.undo_review, ME, 1, NOW)
    assert deck.read(load_progress, ME).day_count == 0
