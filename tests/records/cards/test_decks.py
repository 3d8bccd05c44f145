"""The cards of a deck: put aside and taken back, written and reworded by their learner, brought by a file."""

import pytest

from app.records.accounts.values import Caller
from app.records.cards import deck_pages, decks, own_cards, reviews
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRating
from app.records.db.errors import NotFound, Refused
from tests.records.cast import NOW, XIAOTANG, XIAOXU, Desk

ME = Caller("proposal-of-xiaotang")
GAIN, IDCG = "content:gain", "content:idcg"
WRITTEN = ("问", "答", "糖", "书")
STATUSES = "SELECT card, status FROM card_memory ORDER BY card"
WORDS = "SELECT front, back, tags, source FROM own_card ORDER BY id"


def test_a_card_is_put_aside_and_taken_back(desk: Desk) -> None:
    desk.write(decks.collect_cards, XIAOTANG, [(GAIN, "gain"), (IDCG, "idcg")], NOW)
    desk.write(decks.set_status, XIAOTANG, GAIN, "suspended", NOW)
    assert desk.rows(STATUSES) == [(GAIN, "suspended"), (IDCG, "active")]
    desk.write(decks.set_status, XIAOTANG, GAIN, "active", NOW)
    assert desk.rows(STATUSES) == [(GAIN, "active"), (IDCG, "active")]


def test_a_card_of_somebody_else_is_not_put_aside(desk: Desk) -> None:
    desk.write(decks.collect_cards, XIAOTANG, [(GAIN, "gain")], NOW)
    with pytest.raises(NotFound):
        desk.write(decks.set_status, XIAOXU, GAIN, "suspended", NOW)
    assert desk.rows(STATUSES) == [(GAIN, "active")]


def test_other_words_for_a_card_keep_its_source_and_what_is_remembered(desk: Desk) -> None:
    written = desk.write(own_cards.write_cards, XIAOTANG, [WRITTEN], NOW)
    desk.write(reviews.review_card, XIAOTANG, CardRating(written.last_card_ref, 1, Rating.GOOD, 4.0), NOW)
    remembered = desk.read(deck_pages.load_card, ME, written.last_card_ref).card
    desk.write(own_cards.edit_card, XIAOTANG, written.last_card_ref, ("新问", "新答", "", "别处"), NOW)
    assert desk.rows(WORDS) == [("新问", "新答", "", "书")]
    assert desk.read(deck_pages.load_card, ME, written.last_card_ref).card == remembered
    with pytest.raises(NotFound):
        desk.write(own_cards.edit_card, XIAOXU, written.last_card_ref, WRITTEN, NOW)


def test_a_table_of_cards_is_brought_once(desk: Desk) -> None:
    table = ([WRITTEN, ("另一问", "另一答", "", "")], [(GAIN, "gain")])
    assert desk.write(own_cards.write_and_collect, XIAOTANG, *table, NOW).added_count == 3
    assert desk.write(own_cards.write_and_collect, XIAOTANG, *table, NOW).added_count == 0
    assert len(desk.rows(WORDS)) == 2
    assert [card for card, _ in desk.rows(STATUSES)] == [GAIN, "own:1", "own:2"]


def test_a_table_of_the_course_alone_says_what_came_back(desk: Desk) -> None:
    desk.write(decks.collect_cards, XIAOTANG, [(GAIN, "gain")], NOW)
    desk.write(decks.set_status, XIAOTANG, GAIN, "retired", NOW)
    result = desk.write(own_cards.write_and_collect, XIAOTANG, [], [(GAIN, "gain")], NOW)
    assert (result.added_count, result.returned_count, result.last_card_ref) == (0, 1, GAIN)


def test_a_card_that_is_deleted_by_another_spelling_leaves_the_deck(desk: Desk) -> None:
    desk.write(own_cards.write_cards, XIAOTANG, [WRITTEN], NOW)
    desk.write(own_cards.delete_card, XIAOTANG, "own:01", NOW)
    assert desk.rows(STATUSES) == []


def test_a_learner_has_so_many_cards_of_their_own(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_cards, "MOST_OWN_CARDS", 2)
    first, second, third = [(f"问{number}", "答", "", "") for number in range(3)]
    with pytest.raises(Refused, match="最多2张"):
        desk.write(own_cards.write_cards, XIAOTANG, [first, second, third], NOW)
    assert desk.rows(WORDS) == []
    written = desk.write(own_cards.write_cards, XIAOTANG, [first, second, first], NOW)
    assert written.added_count == 2
    desk.write(
        own_cards.edit_card, XIAOTANG, written.last_card_ref, second, NOW
    )  # two of the same words are two
    with pytest.raises(Refused):
        desk.write(own_cards.write_cards, XIAOTANG, [third], NOW)
    assert desk.write(own_cards.write_cards, XIAOTANG, [second], NOW).added_count == 0
    assert desk.write(own_cards.write_cards, XIAOXU, [third], NOW).added_count == 1
    desk.write(own_cards.delete_card, XIAOTANG, written.last_card_ref, NOW)
    assert desk.write(own_cards.write_cards, XIAOTANG, [third], NOW).added_count == 1
