"""Decks: which cards a learner reviews, what the log says of them, and how many come on a day."""

from collections.abc import Iterable
from datetime import datetime
from typing import Literal, NamedTuple
from zoneinfo import available_timezones

from sqlalchemy import bindparam, delete, func, select

from app.records.accounts import learners
from app.records.accounts.learners import LEARNER, SIGN_IN
from app.records.accounts.tables import Learner, SignIn
from app.records.accounts.values import Caller, KnownLearner
from app.records.activity import learning_days
from app.records.cards import review_log
from app.records.cards.rows import CARD_MEMORY_TABLE, IS_IN_DECK, IS_IN_LOG, IS_OF_CARD, MEMORY, REVIEW
from app.records.cards.scheduling import HIGHEST_RETENTION, LOWEST_RETENTION, Memory
from app.records.cards.tables import CardMemory, Deck
from app.records.cards.values import USUAL_SETTINGS, CardRow, CollectResult, DeckSettings, Status
from app.records.db.days import day_of
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    Row,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)

MOST_CARDS_A_DAY = 999
CollectOutcome = Literal["new", "returned", "present"]
"""How a card came into a deck: it was not there, had retired, or was there."""
MEMORY_COLUMNS = columns_of(CardMemory, Memory)
CARD_ROWS_QUERY = select(
    MEMORY.card_ref, MEMORY.family, MEMORY.added_at, MEMORY.status, *MEMORY_COLUMNS
).where(IS_IN_DECK)


def card_of_row(selected_row: Row) -> CardRow:
    """The card in a row of `CARD_ROWS_QUERY`."""
    card_ref, family, added_at, card_status, *memory_fields = selected_row
    return CardRow(card_ref, family, added_at, card_status, Memory(*memory_fields))


CARDS_OF_LEARNER = PreparedStatement(CARD_ROWS_QUERY.order_by(MEMORY.id))


def cards_of(session: VerbSession, learner_id: int) -> list[CardRow]:
    """The whole deck, in the order in which it was collected."""
    return [card_of_row(selected_row) for selected_row in session.all(CARDS_OF_LEARNER, learner=learner_id)]


REFS_IN_DECK = PreparedStatement(select(MEMORY.card_ref).where(IS_IN_DECK))


def refs_in_deck(session: VerbSession, learner_id: int) -> frozenset[str]:
    """The refs of all cards of a deck."""
    return frozenset(card_ref for (card_ref,) in session.all(REFS_IN_DECK, learner=learner_id))


CARD_IN_DECK = PreparedStatement(CARD_ROWS_QUERY.where(IS_OF_CARD))


def find_card(session: VerbSession, learner_id: int, card_ref: str) -> CardRow | None:
    """A card of this deck; None for one that is not in it."""
    selected_row = session.first(CARD_IN_DECK, learner=learner_id, card=card_ref)
    return card_of_row(selected_row) if selected_row else None


def card_in_deck(session: VerbSession, learner_id: int, card_ref: str) -> CardRow:
    """A card of this deck; NotFound for one that is not in it. The lookup is the permission check."""
    card = find_card(session, learner_id, card_ref)
    if card is None:
        raise NotFound("这张卡片不在你的闪卡里。")
    return card


def refs_in_deck_among(session: VerbSession, learner_id: int, card_refs: Iterable[str]) -> frozenset[str]:
    """Which of these cards are in the deck."""
    return frozenset(
        card_ref for card_ref in card_refs if session.first(CARD_IN_DECK, learner=learner_id, card=card_ref)
    )


def collect_cards(
    session: VerbSession, caller: Caller, refs_and_families: Iterable[tuple[str, str]], now: datetime
) -> CollectResult:
    """Put cards (ref, family) into the deck. One that is there stays; one that was there knows its past."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    collect_outcomes = []
    card_ref = ""
    for card_ref, family in refs_and_families:
        collect_outcomes.append(put_card(session, known_learner.learner_id, card_ref, family, now))
    return CollectResult(
        known_learner.token, collect_outcomes.count("new"), card_ref, collect_outcomes.count("returned")
    )


CHANGE_STATUS = prepared_update(CardMemory, IS_IN_DECK & IS_OF_CARD, ["status"])


def put_card(
    session: VerbSession, learner_id: int, card_ref: str, family: str, now: datetime
) -> CollectOutcome:
    """A card into the deck. A mistake that was overcome and is made again comes back, at once."""
    card = find_card(session, learner_id, card_ref)
    if card is None:
        add_card(session, learner_id, card_ref, family, "active", now)
        return "new"
    if card.status != "retired":
        return "present"
    return_card(session, learner_id, card_ref, "active")
    return "returned"


def return_card(session: VerbSession, learner_id: int, card_ref: str, card_status: Status) -> None:
    """A card that has retired is reviewed again: now, or once it is aside no more."""
    memory, parameters_hash = review_log.memory_and_parameters_hash(
        session, learner_id, card_ref, card_status
    )
    save_memory(session, learner_id, card_ref, memory, card_status, parameters_hash)


ADD_CARD = prepared_insert(CardMemory)


def add_card(
    session: VerbSession, learner_id: int, card_ref: str, family: str, card_status: str, added_at: datetime
) -> None:
    """A card that is not in the deck, with what the log knows of it."""
    memory, parameters_hash = review_log.memory_and_parameters_hash(
        session, learner_id, card_ref, card_status
    )
    deck_columns = {
        "card_ref": card_ref,
        "family": family,
        "added_at": added_at,
        "status": card_status,
        "scheduler_hash": parameters_hash,
    }
    session.run(ADD_CARD, learner_id=learner_id, **deck_columns, **memory._asdict())


def set_status(
    session: VerbSession, caller: Caller, card_ref: str, card_status: Status, now: datetime
) -> KnownLearner:
    """Put a card aside, or take it back. NotFound for one that is not in the deck."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    card = card_in_deck(session, known_learner.learner_id, card_ref)
    if card.status == "retired":
        return_card(session, known_learner.learner_id, card_ref, card_status)
    else:
        session.run(CHANGE_STATUS, learner=known_learner.learner_id, card=card_ref, status=card_status)
    return known_learner


MEMORY_FIELDS = ("status", "scheduler_hash", *Memory._fields)
CHANGE_MEMORY = prepared_update(CardMemory, IS_IN_DECK & IS_OF_CARD, MEMORY_FIELDS)


def save_memory(
    session: VerbSession,
    learner_id: int,
    card_ref: str,
    memory: Memory,
    card_status: str,
    parameters_hash: str | None,
) -> None:
    """How well a card sits from now on, and by which parameters, as their hash."""
    memory_columns = memory._asdict()
    session.run(
        CHANGE_MEMORY,
        learner=learner_id,
        card=card_ref,
        status=card_status,
        scheduler_hash=parameters_hash,
        **memory_columns,
    )


REMOVE_CARD = PreparedStatement(delete(CARD_MEMORY_TABLE).where(IS_IN_DECK, IS_OF_CARD))


def remove_card(session: VerbSession, caller: Caller, card_ref: str, now: datetime) -> KnownLearner:
    """Take a card out of the deck; the log keeps its past."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    session.run(REMOVE_CARD, learner=known_learner.learner_id, card=card_ref)
    return known_learner


DECK = table(Deck).c


class DeckOwner(NamedTuple):
    """Who asks, where their day ends, and how they want to review."""

    learner_id: int
    time_zone: str
    deck_settings: DeckSettings


DECK_OWNER = PreparedStatement(
    select(SIGN_IN.learner_id, LEARNER.time_zone, *columns_of(Deck, DeckSettings))
    .select_from(table(SignIn))
    .join(table(Learner), LEARNER.id == SIGN_IN.learner_id)
    .outerjoin(table(Deck), DECK.learner_id == SIGN_IN.learner_id)
    .where(learners.IS_SIGNED_IN_STILL)
)


def find_deck_owner(session: VerbSession, caller: Caller) -> DeckOwner | None:
    """The learner of the cookie with their settings; None for a reader who is not known."""
    deck_owner_row = session.first(DECK_OWNER, hash=learners.caller_token_hash(caller))
    if deck_owner_row is None:
        return None
    learner_id, time_zone, *setting_fields = deck_owner_row
    deck_settings = USUAL_SETTINGS
    if setting_fields[0] is not None:
        deck_settings = DeckSettings(*setting_fields)
    return DeckOwner(learner_id, time_zone, deck_settings)


def ensure_deck_owner_and_token(session: VerbSession, caller: Caller, now: datetime) -> tuple[DeckOwner, str]:
    """The learner of the cookie, else the one of the proposed token; and the token that is theirs."""
    deck_owner = find_deck_owner(session, caller)
    if deck_owner:
        return deck_owner, caller.token or ""
    token = learners.find_or_add_learner(session, caller, now).token
    deck_owner = find_deck_owner(session, Caller(token))
    assert deck_owner
    return deck_owner, token


LAST_REVIEW_NUMBER = select(func.max(REVIEW.review_number)).where(
    IS_IN_LOG, REVIEW.card_ref == MEMORY.card_ref
)
CARD_WITH_LAST_NUMBER = PreparedStatement(
    CARD_ROWS_QUERY.add_columns(LAST_REVIEW_NUMBER.scalar_subquery()).where(IS_OF_CARD)
)


def card_and_review_number(session: VerbSession, learner_id: int, card_ref: str) -> tuple[CardRow, int]:
    """A card of this deck, and the number of its review to come; NotFound for one that is not in it."""
    selected_row = session.first(CARD_WITH_LAST_NUMBER, learner=learner_id, card=card_ref)
    if selected_row is None:
        raise NotFound("这张卡片不在你的闪卡里。")
    *card_columns, last_review_number = selected_row
    return card_of_row(tuple(card_columns)), (last_review_number or 0) + 1


IS_DECK_OF_LEARNER = DECK.learner_id == bindparam("learner")
SETTINGS_OF_LEARNER = RowQuery(
    DeckSettings, select(*columns_of(Deck, DeckSettings)).where(IS_DECK_OF_LEARNER)
)


def deck_settings_of(session: VerbSession, learner_id: int) -> DeckSettings:
    """The settings of a learner; the usual ones until something is changed."""
    return session.first(SETTINGS_OF_LEARNER, learner=learner_id) or USUAL_SETTINGS


def change_deck_settings(
    session: VerbSession, caller: Caller, deck_settings: DeckSettings, time_zone: str, now: datetime
) -> KnownLearner:
    """How to review from now on; a halved day stays so. Figures out of range are put to the nearest end."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    former_time_zone = learners.time_zone_of(session, known_learner.learner_id)
    halved_day = deck_settings_of(session, known_learner.learner_id).less_on
    if time_zone != former_time_zone and time_zone in available_timezones():
        learning_days.change_time_zone(session, known_learner.learner_id, time_zone, now)
        review_log.move_reviews_to_zone(session, known_learner.learner_id, time_zone, now)
        if halved_day == day_of(now, former_time_zone):
            halved_day = day_of(now, time_zone)
    new_settings = clamp_settings(deck_settings._replace(less_on=halved_day))
    save_settings(session, known_learner.learner_id, new_settings)
    return known_learner


def halve_today(session: VerbSession, caller: Caller, is_halved: bool, now: datetime) -> KnownLearner:
    """今天少一点: half of everything until the day ends; or the whole again."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    halved_day = None
    if is_halved:
        time_zone = learners.time_zone_of(session, known_learner.learner_id)
        halved_day = day_of(now, time_zone)
    deck_settings = deck_settings_of(session, known_learner.learner_id)
    save_settings(session, known_learner.learner_id, deck_settings._replace(less_on=halved_day))
    return known_learner


def clamp_settings(deck_settings: DeckSettings) -> DeckSettings:
    """Settings of a deck within their limits: what is beyond one becomes it, and there are 2 buttons or 4.

    >>> clamp_settings(DeckSettings(retention=0.5, new_cards_a_day=5000, button_count=3))[:4]
    (0.8, 999, 60, 2)
    """
    button_count = 2
    if deck_settings.button_count == 4:
        button_count = 4
    retention = min(max(LOWEST_RETENTION, deck_settings.retention), HIGHEST_RETENTION)
    new_cards_a_day = min(max(0, deck_settings.new_cards_a_day), MOST_CARDS_A_DAY)
    due_cards_a_day = min(max(1, deck_settings.due_cards_a_day), MOST_CARDS_A_DAY)
    return DeckSettings(retention, new_cards_a_day, due_cards_a_day, button_count, deck_settings.less_on)


ADD_DECK = prepared_insert(Deck)
CHANGE_DECK = prepared_update(Deck, IS_DECK_OF_LEARNER, DeckSettings._fields)


def save_settings(session: VerbSession, learner_id: int, deck_settings: DeckSettings) -> None:
    setting_columns = deck_settings._asdict()
    if session.first(SETTINGS_OF_LEARNER, learner=learner_id) is None:
        session.run(ADD_DECK, learner_id=learner_id, **setting_columns)
    else:
        session.run(CHANGE_DECK, learner=learner_id, **setting_columns)
