"""What the pages of a deck show: all its cards, one card, everything to be taken home."""

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.cards import decks, own_cards, review_log
from app.records.cards.values import CardData, DeckData, ReviewRow
from app.records.db.session import VerbSession


def load_deck(session: VerbSession, caller: Caller) -> DeckData:
    """The whole deck."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return DeckData()
    deck_settings = decks.deck_settings_of(session, learner_id)
    time_zone = learners.time_zone_of(session, learner_id)
    card_rows = decks.cards_of(session, learner_id)
    own_card_rows = own_cards.own_cards_of(session, learner_id)
    return DeckData(learner_id, deck_settings, time_zone, card_rows, own_card_rows)


def load_deck_and_reviews(session: VerbSession, caller: Caller) -> tuple[DeckData, list[ReviewRow]]:
    """The whole deck with the whole log, to be taken home."""
    deck_data = load_deck(session, caller)
    if deck_data.learner_id is None:
        return deck_data, []
    return deck_data, review_log.load_review_log(session, deck_data.learner_id)


def load_card(session: VerbSession, caller: Caller, card_ref: str) -> CardData:
    """One card with its history. NotFound for an own card that is not this learner's."""
    learner_id = learners.find_learner_id(session, caller)
    own_card_row = None
    if own_cards.is_own_card(card_ref):
        own_card_row = own_cards.own_card(session, learner_id, card_ref)
    if learner_id is None:
        return CardData()
    time_zone = learners.time_zone_of(session, learner_id)
    card_row = decks.find_card(session, learner_id, card_ref)
    card_reviews = review_log.log_of_card(session, learner_id, card_ref)
    return CardData(learner_id, time_zone, card_row, own_card_row, card_reviews)
