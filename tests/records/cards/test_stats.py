"""Figures of a deck: what comes on which day, what was remembered, and of which age a card counts."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from app.records.accounts.values import Caller
from app.records.cards import decks, reviews, stats
from app.records.cards.scheduling import Rating
from app.records.cards.stats import FORECAST_DAYS, DeckStatsData, RememberedCounts
from app.records.cards.tables import CardMemory, ReviewLog
from app.records.cards.values import CardRating
from app.records.db.days import beginning_of, day_of
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from tests.records.cast import NOW, XIAOTANG, Desk
from tests.tables import each

GAIN = "content:gain"
ME = Caller("proposal-of-xiaotang")
TIME_ZONE = "Asia/Shanghai"
DAY, SECOND = timedelta(days=1), timedelta(seconds=1)
TODAY = day_of(NOW, TIME_ZONE)


@pytest.fixture
def deck(desk: Desk) -> Desk:
    """小糖 has one card, which she has just learnt."""
    desk.is_summed = False  # rows are changed by hand
    desk.write(decks.collect_cards, XIAOTANG, [(GAIN, "gain")], NOW)
    assert desk.write(reviews.review_card, ME, CardRating(GAIN, 1, Rating.GOOD, 4.0), NOW).is_accepted
    return desk


def change_rows(session: VerbSession, table_class: type[Any], values_by_column: Mapping[str, Any]) -> None:
    session.execute(update(table(table_class)).values(values_by_column))


def deck_stats(desk: Desk) -> DeckStatsData:
    return desk.read(stats.load_stats, ME, NOW)


def beginning(days_ahead: int) -> datetime:
    return beginning_of(TODAY + days_ahead * DAY, TIME_ZONE)


@each(
    ("due_at", "overdue_count", "due_days"),
    [
        (beginning(-3), 1, []),
        (beginning(0) - SECOND, 1, []),
        (beginning(0), 0, [0]),
        (beginning(1) - SECOND, 0, [0]),
        (beginning(1), 0, [1]),
        (beginning(FORECAST_DAYS) - SECOND, 0, [FORECAST_DAYS - 1]),
        (beginning(FORECAST_DAYS), 0, []),
    ],
)
def test_a_card_comes_on_the_day_on_which_it_is_due(
    deck: Desk, due_at: datetime, overdue_count: int, due_days: list[int]
) -> None:
    deck.write(change_rows, CardMemory, {"state": "review", "due_at": due_at})
    deck_stats_data = deck_stats(deck)
    assert deck_stats_data.overdue_count == overdue_count
    assert len(deck_stats_data.due_counts) == FORECAST_DAYS
    assert [day for day, due_count in enumerate(deck_stats_data.due_counts) if due_count] == due_days


@each("values_by_column", [{"status": "suspended"}, {"status": "retired"}, {"state": "new"}])
def test_what_will_not_come_is_not_forecast(deck: Desk, values_by_column: dict[str, Any]) -> None:
    due_columns: dict[str, Any] = {"status": "active", "state": "review", "due_at": NOW + DAY}
    deck.write(change_rows, CardMemory, due_columns)
    assert sum(deck_stats(deck).due_counts) == 1
    deck.write(change_rows, CardMemory, due_columns | values_by_column)
    assert sum(deck_stats(deck).due_counts) == 0


REMEMBERED_ROW: dict[str, Any] = {
    "state_before": "review",
    "is_first_of_day": True,
    "interval_days": 21,
    "rating": 3,
    "seconds": 4.0,
    "day": TODAY,
    "undone_at": None,
}


@each(
    ("values_by_column", "remembered_counts_by_age"),
    [
        ({}, {"mature": RememberedCounts(1, 1)}),
        ({"interval_days": 20}, {"young": RememberedCounts(1, 1)}),
        ({"rating": 2}, {"mature": RememberedCounts(1, 1)}),
        ({"rating": 1}, {"mature": RememberedCounts(0, 1)}),
        ({"is_first_of_day": False}, {}),
        ({"state_before": "relearning"}, {}),
        ({"undone_at": NOW}, {}),
        ({"day": TODAY - 29 * DAY}, {"mature": RememberedCounts(1, 1)}),
        ({"day": TODAY - 30 * DAY}, {}),
    ],
)
def test_the_first_review_of_a_day_of_a_card_that_came_back_counts(
    deck: Desk,
    values_by_column: dict[str, Any],
    remembered_counts_by_age: Mapping[str, RememberedCounts],
) -> None:
    deck.write(change_rows, ReviewLog, REMEMBERED_ROW | values_by_column)
    assert deck_stats(deck).remembered_counts_by_age == remembered_counts_by_age


@each(
    ("values_by_column", "day_rows"),
    [
        ({}, [(TODAY, 1, 1, 4.0)]),
        ({"rating": 1}, [(TODAY, 1, 0, 4.0)]),
        ({"seconds": None}, [(TODAY, 1, 1, 0.0)]),
        ({"undone_at": NOW}, []),
        ({"day": TODAY - 125 * DAY}, [(TODAY - 125 * DAY, 1, 1, 4.0)]),
        ({"day": TODAY - 126 * DAY}, []),
    ],
)
def test_each_day_of_eighteen_weeks_has_its_reviews(
    deck: Desk, values_by_column: dict[str, Any], day_rows: list[tuple[Any, ...]]
) -> None:
    deck.write(change_rows, ReviewLog, REMEMBERED_ROW | values_by_column)
    assert deck_stats(deck).day_rows == day_rows


def test_the_cards_of_a_deck_are_counted_by_status_and_state(deck: Desk) -> None:
    assert deck_stats(deck).state_rows == [("active", "learning", 1)]
    deck.write(change_rows, CardMemory, {"status": "suspended", "state": "review"})
    assert deck_stats(deck).state_rows == [("suspended", "review", 1)]
