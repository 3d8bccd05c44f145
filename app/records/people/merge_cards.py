"""A guest's deck moves into the deck of an account: every review counts once, in the order of time.

A card that both have reviewed, or that gets another name, gets one history. Ratings and times are what
happened and stay; what stood in the log as the memory before and after follows from them, and is made again.
When the card was due stays: by that an assignment counts it.
"""

from datetime import date
from typing import Any

from sqlalchemy import Table, and_, func, select

from app.records.cards import decks, review_log
from app.records.cards.decks import DECK
from app.records.cards.own_cards import EMPTY_CARD_COLUMNS, OWN_CARD
from app.records.cards.rows import (
    CARD_MEMORY_TABLE,
    IS_REVIEW_OF_CARD,
    MEMORY,
    REVIEW,
    REVIEW_LOG_TABLE,
)
from app.records.cards.scheduling import (
    NEW_MEMORY,
    Memory,
    Rating,
    next_memory,
    pack_memory,
    unpack_memory_and_status,
)
from app.records.cards.tables import Deck, OwnCard
from app.records.cards.values import ReviewRow, own_card_ref
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import RowQuery
from app.records.people.bulk_changes import change_rows, remove_rows

OWN_CARD_TABLE = table(OwnCard)
DECK_TABLE = table(Deck)


def merge_cards(session: VerbSession, guest_id: int, account_id: int) -> None:
    """All cards and reviews of the guest, and its settings where the account has none."""
    renamed_refs = join_equal_cards(session, guest_id, account_id)
    reviewed_refs = card_refs_in_table(session, REVIEW_LOG_TABLE, guest_id)
    remembered_refs = card_refs_in_table(session, CARD_MEMORY_TABLE, guest_id)
    touched_refs = reviewed_refs | remembered_refs
    refs_reviewed_by_both = reviewed_refs & card_refs_in_table(session, REVIEW_LOG_TABLE, account_id)
    # By its name the days between the reviews of a card are scattered: another name, another history.
    for card_ref in sorted(refs_reviewed_by_both | renamed_refs):
        join_review_histories(session, guest_id, account_id, card_ref)
    return_cards_of_guest(session, guest_id, account_id)
    remove_guest_doubles(session, guest_id, account_id)
    for owned_table in (CARD_MEMORY_TABLE, REVIEW_LOG_TABLE, OWN_CARD_TABLE, DECK_TABLE):
        is_of_guest = owned_table.c.learner_id == guest_id
        change_rows(session, owned_table, is_of_guest, learner_id=account_id)
    for card_ref in sorted(touched_refs):
        deck_card = decks.find_card(session, account_id, card_ref)
        if deck_card:
            memory, parameters_hash = review_log.memory_and_parameters_hash(
                session, account_id, card_ref, deck_card.status
            )
            decks.save_memory(session, account_id, card_ref, memory, deck_card.status, parameters_hash)


def return_cards_of_guest(session: VerbSession, guest_id: int, account_id: int) -> None:
    """A mistake that the account had overcome and the guest made again comes back, as by `decks.put_card`."""
    guest_refs_query = select(MEMORY.card_ref).where(MEMORY.learner_id == guest_id, MEMORY.status == "active")
    has_retired = and_(MEMORY.learner_id == account_id, MEMORY.status == "retired")
    is_returning = and_(has_retired, MEMORY.card_ref.in_(guest_refs_query))
    change_rows(session, CARD_MEMORY_TABLE, is_returning, status="active")


def remove_guest_doubles(session: VerbSession, guest_id: int, account_id: int) -> None:
    """What the account has already: memories of the same cards, and settings."""
    is_of_account = MEMORY.learner_id == account_id
    refs_in_deck_query = select(MEMORY.card_ref).where(is_of_account)
    is_in_deck = MEMORY.card_ref.in_(refs_in_deck_query)
    is_double = and_(MEMORY.learner_id == guest_id, is_in_deck)
    remove_rows(session, CARD_MEMORY_TABLE, is_double)
    is_settings_of_account = DECK.learner_id == account_id
    settings_query = select(DECK.learner_id).where(is_settings_of_account)
    if session.execute(settings_query).first():
        remove_rows(session, DECK_TABLE, DECK.learner_id == guest_id)


def card_refs_in_table(session: VerbSession, owned_table: Table, learner_id: int) -> set[str]:
    is_of_learner = owned_table.c.learner_id == learner_id
    card_refs_query = select(owned_table.c.card_ref).where(is_of_learner)
    return set(session.execute(card_refs_query).scalars())


def join_equal_cards(session: VerbSession, guest_id: int, account_id: int) -> set[str]:
    """A card that both wrote, word for word, is one card, called as the account's; returns these refs. The
    empty row stays: its id names no other one.

    Of cards of the guest that read alike, the first: a card of the account takes one history.
    """
    guest_card_table = OWN_CARD_TABLE.alias()
    account_card_table = OWN_CARD_TABLE.alias()
    have_these_owners = and_(
        guest_card_table.c.learner_id == guest_id, account_card_table.c.learner_id == account_id
    )
    are_kept = and_(guest_card_table.c.deleted_at.is_(None), account_card_table.c.deleted_at.is_(None))
    have_same_words = and_(
        guest_card_table.c.front == account_card_table.c.front,
        guest_card_table.c.back == account_card_table.c.back,
    )
    first_guest_card_id = func.min(guest_card_table.c.id).label("guest_card_id")
    cards_query = select(first_guest_card_id, account_card_table.c.id.label("account_card_id")).group_by(
        account_card_table.c.id
    )
    card_ids_query = cards_query.where(have_these_owners, are_kept, have_same_words)
    renamed_refs = set()
    for card_id_pair in session.execute(card_ids_query).all():
        new_ref = own_card_ref(card_id_pair.account_card_id)
        rename_card(session, guest_id, own_card_ref(card_id_pair.guest_card_id), new_ref)
        renamed_refs.add(new_ref)
        is_equal_card = OWN_CARD.id == card_id_pair.guest_card_id
        change_rows(
            session, OWN_CARD_TABLE, is_equal_card, **EMPTY_CARD_COLUMNS, deleted_at=OWN_CARD.updated_at
        )
    return renamed_refs


def rename_card(session: VerbSession, learner_id: int, card_ref: str, new_ref: str) -> None:
    """What a learner remembers of an own card, and its reviews, go under another name."""
    is_memory = and_(MEMORY.learner_id == learner_id, MEMORY.card_ref == card_ref)
    change_rows(session, CARD_MEMORY_TABLE, is_memory, card_ref=new_ref, family=new_ref)
    is_review = and_(REVIEW.learner_id == learner_id, REVIEW.card_ref == card_ref)
    change_rows(session, REVIEW_LOG_TABLE, is_review, card_ref=new_ref)


REVIEWS_OF_CARD = review_log.REVIEW_LOG_QUERY.where(IS_REVIEW_OF_CARD)
HISTORY_OF_CARD = RowQuery(ReviewRow, REVIEWS_OF_CARD.order_by(REVIEW.id))


def join_review_histories(session: VerbSession, guest_id: int, account_id: int, card_ref: str) -> None:
    """One history of a card; ids grow with time, so they give the order."""
    learner_ids = [guest_id, account_id]
    is_owned = REVIEW.learner_id.in_(learner_ids)
    is_review_of_card = and_(is_owned, REVIEW.card_ref == card_ref)
    # Numbers are unique for a card of a learner: below 0 until each has its own.
    change_rows(session, REVIEW_LOG_TABLE, is_review_of_card, learner_id=account_id, review_number=-REVIEW.id)
    parameters_json_by_hash = review_log.parameters_json_by_hash(session)
    memory = NEW_MEMORY
    reviewed_days: set[date] = set()
    reviews = session.all(HISTORY_OF_CARD, learner=account_id, card=card_ref)
    for review_number, review in enumerate(reviews, start=1):
        changed_columns: dict[str, Any] = {"review_number": review_number}
        if review.undone_at is None:
            rating = Rating(review.rating)
            fsrs_parameters_json = parameters_json_by_hash[review.scheduler_hash]
            memory_after = next_memory(
                memory, rating, card_ref, review.reviewed_at, review.retention, fsrs_parameters_json
            )
            changed_columns |= log_columns_of_replay(review, memory, memory_after)
            changed_columns["is_first_of_day"] = review.day not in reviewed_days
            memory = memory_after
            reviewed_days.add(review.day)
        is_this_review = REVIEW.id == review.id
        change_rows(session, REVIEW_LOG_TABLE, is_this_review, **changed_columns)


def log_columns_of_replay(review: ReviewRow, memory_before: Memory, memory_after: Memory) -> dict[str, Any]:
    """What the log says of a review that others now stand before. The card came no later, and stays away no
    shorter, than its learner saw: if it counted for an assignment, it counts still."""
    own_memory_before, status_before = unpack_memory_and_status(review.packed_before)
    own_memory_after, status_after = unpack_memory_and_status(review.packed_after)
    came_at = own_memory_before.due_at or review.reviewed_at
    replay_columns = {"state_before": memory_before.state, "interval_days": memory_before.interval_days}
    if memory_before.due_at is not None:
        memory_before = memory_before._replace(due_at=min(memory_before.due_at, came_at))
    if own_memory_after.due_at is not None and memory_after.due_at is not None:
        memory_after = memory_after._replace(due_at=max(memory_after.due_at, own_memory_after.due_at))
    return {
        **replay_columns,
        "packed_before": pack_memory(memory_before, status_before),
        "packed_after": pack_memory(memory_after, status_after),
    }
