"""Leeches: a card that is forgotten again and again is put aside, also one that was never learnt."""

from datetime import timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, CardRow
from tests.records.cast import NOW, XIAOTANG, Desk

ME = Caller("proposal-of-xiaotang")
DRILL = "content:practice-dcg-1"
AGAIN, HARD, GOOD, EASY = Rating


class Sitter:
    """小糖 with one card, which she rates day after day."""

    def __init__(self, desk: Desk) -> None:
        self.desk = desk
        self.now = NOW
        desk.write(decks.collect_cards, XIAOTANG, [(DRILL, "dcg")], NOW)

    def card(self) -> CardRow:
        card = self.desk.read(deck_pages.load_card, ME, DRILL).card
        assert card
        return card

    def rate(self, *ratings: Rating) -> list[str]:
        """What each rating makes of the card's status."""
        statuses: list[str] = []
        for rating in ratings:
            review_data = self.desk.read(reviews.load_review, ME, self.now, DRILL)
            card_rating = CardRating(DRILL, review_data.review_number, rating, 4.0)
            if self.card().status == "leech":
                self.desk.write(decks.set_status, ME, DRILL, "active", self.now)
                review_data = self.desk.read(reviews.load_review, ME, self.now, DRILL)
                card_rating = card_rating._replace(review_number=review_data.review_number)
            assert self.desk.write(reviews.review_card, ME, card_rating, self.now).is_accepted
            statuses.append(self.card().status)
            self.now += timedelta(days=1)
        return statuses


@pytest.fixture
def sitter(desk: Desk) -> Sitter:
    return Sitter(desk)


def test_a_card_that_is_never_learnt_is_put_aside_after_six_misses(sitter: Sitter) -> None:
    assert sitter.rate(*[AGAIN] * 6) == ["active"] * 5 + ["leech"]
    assert sitter.card().memory.lapse_count == 0, "a lapse is what Anki calls one: of a card that was known"


def test_once_right_between_two_misses_does_not_hide_them(sitter: Sitter) -> None:
    assert sitter.rate(*[AGAIN, GOOD] * 6)[-2:] == ["leech", "active"]


def test_a_card_that_was_taken_back_has_three_misses_more(sitter: Sitter) -> None:
    statuses = sitter.rate(*[AGAIN] * 12)
    assert [number for number, status in enumerate(statuses, 1) if status == "leech"] == [6, 9, 12]


def test_misses_of_the_beginning_are_forgiven_once_the_card_came_back(sitter: Sitter) -> None:
    assert set(sitter.rate(*[AGAIN] * 5, GOOD, GOOD)) == {"active"}
    assert sitter.card().memory.state == "review"
    assert set(sitter.rate(GOOD, AGAIN, *[AGAIN] * 5)) == {"active"}
    assert sitter.rate(AGAIN) == ["leech"], "learnt anew it was missed six times"
    assert sitter.card().memory.lapse_count == 1


def test_a_miss_that_was_taken_back_does_not_count(sitter: Sitter) -> None:
    sitter.rate(*[AGAIN] * 5)
    last_review = sitter.desk.read(reviews.load_review, ME, sitter.now).last_review
    assert last_review
    assert sitter.desk.write(reviews.undo_review, ME, last_review.id, sitter.now).is_accepted
    assert sitter.rate(AGAIN, AGAIN) == ["active", "leech"]


def test_misses_of_another_card_do_not_count(sitter: Sitter) -> None:
    sitter.desk.write(decks.collect_cards, ME, [("content:gain", "gain")], NOW)
    for number in range(1, 6):
        sitter.desk.write(reviews.review_card, ME, CardRating("content:gain", number, AGAIN), NOW)
    assert sitter.rate(AGAIN) == ["active"]
