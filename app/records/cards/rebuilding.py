"""Decks made again from the log: memories that differ from it, and cards that only it knows."""

from collections.abc import Callable

from app.records.accounts import learners
from app.records.cards import decks, own_cards, review_log
from app.records.cards.scheduling import unpack_memory_and_status
from app.records.cards.values import ReviewRow
from app.records.db.session import VerbSession

FamilyOf = Callable[[str], str | None]
"""The family of a card of the course; None for one that it has no more."""


def rebuild_memories(session: VerbSession, learner_id: int) -> int:
    """Every memory of a deck made again from the log; how many were different."""
    changed_count = 0
    for card_row in decks.cards_of(session, learner_id):
        memory, parameters_hash = review_log.memory_and_parameters_hash(
            session, learner_id, card_row.card_ref, card_row.status
        )
        if memory != card_row.memory:
            decks.save_memory(
                session, learner_id, card_row.card_ref, memory, card_row.status, parameters_hash
            )
            changed_count += 1
    return changed_count


def bring_back_cards(session: VerbSession, learner_id: int, family_of: FamilyOf) -> int:
    """Cards that the log knows and the deck does not, put back as the log left them; how many.

    The log cannot tell a card that was lost from one that was taken out, nor one that was put aside: all come
    back, and none to a learner who was deleted.
    """
    if not learners.is_reachable(session, learner_id):
        return 0
    refs_in_deck = decks.refs_in_deck(session, learner_id)
    last_review_by_card_ref: dict[str, ReviewRow] = {}
    for review in review_log.load_review_log(session, learner_id):
        if review.undone_at is None and review.card_ref not in refs_in_deck:
            last_review_by_card_ref[review.card_ref] = review
    restored_count = 0
    for card_ref, review in last_review_by_card_ref.items():
        family = family_of(card_ref)
        if own_cards.find_own_card(session, learner_id, card_ref):
            family = card_ref  # an own card is its own family
        if family:
            _, card_status = unpack_memory_and_status(review.packed_after)
            decks.add_card(session, learner_id, card_ref, family, card_status, review.reviewed_at)
            restored_count += 1
    return restored_count
