"""What a review reads and writes does not grow with the deck, nor with the reviews behind it."""

from datetime import timedelta

import pytest

from app.records.accounts.values import Caller
from app.records.cards import decks, own_cards, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating, DeckSettings
from app.records.db.session import VerbSession
from tests.records.cast import NOW, Desk
from tests.records.long_histories import Reads, counted, large_desk

__all__ = ["large_desk"]
TANG = Caller("tang", "tang")
SMALL, LARGE = 40, 400
STATEMENTS = 16
"""8 with a review: who it is, the card, the dates' numbers, the day, the log, two of the day, the card. And 8
for the card that comes."""


def begin(desk: Desk, cards: int, days: int) -> None:
    """A deck, and a few days of it."""
    desk.write(
        decks.collect_cards, TANG, [(f"content:card-{number}", f"{number}") for number in range(cards)], NOW
    )
    for day in range(days):
        for _ in range(3):
            rate(desk, day)


def rate(desk: Desk, day: int) -> None:
    now = NOW + timedelta(days=day)
    card = desk.read(reviews.load_review, TANG, now)
    assert card.card
    rated = CardRating(card.card.card_ref, card.review_number, Rating.GOOD, 4.0)
    assert desk.write(reviews.review_card, TANG, rated, now).is_accepted


def reads_of(desk: Desk, day: int) -> Reads:
    with counted() as reads:
        rate(desk, day)
    return reads


def test_a_review_reads_and_writes_no_more_in_a_larger_deck(desk: Desk, large_desk: Desk) -> None:
    desk.verb_runs = 1
    begin(desk, SMALL, 1)
    begin(large_desk, LARGE, 10)
    small, large = reads_of(desk, 1), reads_of(large_desk, 11)
    assert large.statements <= small.statements <= STATEMENTS
    assert large.rows <= 1.1 * small.rows


def plan_of_new_candidates(session: VerbSession) -> str:
    """How SQLite finds the new cards that may come next."""
    statement = reviews.NEW_CANDIDATES
    sql_text = str(statement._statement.compile(dialect=session.connection.dialect))
    values = {"learner": 1, "status_1": "active", "state_1": "new", "param_1": 30, "param_2": 0}
    return str(session.driver.execute(f"EXPLAIN QUERY PLAN {sql_text}", values).fetchall())


@pytest.mark.one_file
def test_new_cards_are_read_in_the_order_of_an_index(desk: Desk) -> None:
    """Thirty of them; sorted by hand, each of 5,000 was read for every card that came."""
    plan = desk.read(plan_of_new_candidates)
    assert "USING INDEX" in plan
    assert "B-TREE" not in plan


def statements_of_move(desk: Desk, days: int) -> int:
    """So many are run when a learner who learnt on so many days moves to another time zone."""
    desk.verb_runs = 1
    begin(desk, SMALL, days)
    with counted() as reads:
        desk.write(decks.change_deck_settings, TANG, DeckSettings(), "America/Los_Angeles", NOW)
    return reads.statements


def test_another_time_zone_is_as_many_statements_after_many_days(desk: Desk, large_desk: Desk) -> None:
    assert statements_of_move(large_desk, 10) == statements_of_move(desk, 2)


def test_the_words_of_many_cards_are_looked_up_at_once(desk: Desk) -> None:
    """One by one, each card of a table was held against all that its learner had."""
    desk.verb_runs = 1
    cards = [(f"问{number}", "答", "", "") for number in range(LARGE)]
    desk.write(own_cards.write_cards, TANG, cards, NOW)
    with counted() as reads:
        assert desk.write(own_cards.write_cards, TANG, cards, NOW).added_count == 0
    assert reads.statements <= LARGE + STATEMENTS
