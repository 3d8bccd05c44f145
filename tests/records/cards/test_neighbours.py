"""Decks beside each other: the same cards, and each with reviews, words and settings of its own."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, own_cards, reviews, stats
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, DeckSettings
from tests.records.cast import NOW, Desk
from tests.records.long_histories import large_desk as lonely_desk
from tests.records.neighbours import expect_apart

__all__ = ["lonely_desk"]

GAIN, IDCG, DISCOUNT = "content:gain", "content:idcg", "content:discount"
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


def keep_deck(
    desk: Desk,
    caller: Caller,
    ratings: Sequence[Rating],
    time_zone: str,
    settings: DeckSettings,
    begun_at: datetime,
) -> None:
    """Three cards of the course and three more: reviewed, taken back, reworded, put aside, taken out."""
    desk.write(decks.change_deck_settings, caller, settings, "Asia/Tokyo", NOW)
    refs = (GAIN, IDCG, DISCOUNT)
    desk.write(decks.collect_cards, caller, [(ref, ref.partition(":")[2]) for ref in refs], NOW)
    typed_cards = [("问一", "答", "", ""), ("问二", "答", "", ""), ("问三", "答", "", "书")]
    written = desk.write(own_cards.write_cards, caller, typed_cards, NOW)
    last_ref = written.last_card_ref
    first_ref = f"own:{int(last_ref.removeprefix('own:')) - 2}"
    for number, rating in enumerate(ratings, 1):
        # Between two and eight in Greenwich it is the day before in New York, and not in Berlin.
        moment = begun_at + number * 25 * HOUR
        # None of one's own: how long a card rests goes by its name, which has the number of the row.
        desk.write(reviews.review_card, caller, CardRating(GAIN, number, rating, 4.0), moment)
        undone = desk.write(reviews.review_card, caller, CardRating(IDCG, number, rating, 9.0), moment)
        assert undone.review_id
        if number > 1:
            desk.write(reviews.undo_review, caller, undone.review_id, moment)
    desk.write(decks.set_status, caller, DISCOUNT, "suspended", NOW)
    desk.write(own_cards.edit_card, caller, last_ref, ("新问", "新答", "", ""), NOW)
    desk.write(own_cards.delete_card, caller, first_ref, NOW)
    desk.write(decks.change_deck_settings, caller, settings, time_zone, NOW + 3 * DAY)
    desk.write(decks.halve_today, caller, settings.button_count == 4, NOW + 3 * DAY)


def keep_one_deck(desk: Desk, caller: Caller) -> None:
    keep_deck(
        desk, caller, [Rating.GOOD, Rating.GOOD], "America/New_York", DeckSettings(new_cards_a_day=7), NOW
    )


def keep_another_deck(desk: Desk, caller: Caller) -> None:
    ratings = [Rating.AGAIN, Rating.HARD, Rating.EASY, Rating.AGAIN]
    keep_deck(desk, caller, ratings, "Europe/Berlin", DeckSettings(0.95, 3, 5, 4), NOW + 25 * HOUR)
    desk.write(decks.set_status, caller, DISCOUNT, "active", NOW)
    desk.write(decks.remove_card, caller, GAIN, NOW + 4 * DAY)


def read_deck(desk: Desk, caller: Caller) -> list[object]:
    page_data: list[object] = [desk.read(deck_pages.load_deck_and_reviews, caller)]
    page_data += [desk.read(deck_pages.load_card, caller, card) for card in (GAIN, IDCG, DISCOUNT)]
    for days in (2, 3, 30):
        moment = NOW + days * DAY
        review_data, deck_refs = desk.read(reviews.load_day_and_deck_refs, caller, moment)
        page_data += [review_data, sorted(deck_refs)]
        page_data.append(desk.read(reviews.load_day_counts, caller, moment))
        page_data.append(desk.read(reviews.load_review, caller, moment, IDCG))
        page_data.append(desk.read(stats.load_stats, caller, moment))
    return page_data


def test_each_deck_is_read_and_changed_by_its_learner_alone(desk: Desk, lonely_desk: Desk) -> None:
    expect_apart(desk, lonely_desk, keep_one_deck, keep_another_deck, read_deck)
