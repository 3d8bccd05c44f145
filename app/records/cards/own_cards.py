"""Cards that learners write: found, made, edited, deleted, many at once, up to `MOST_OWN_CARDS`."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller, KnownLearner
from app.records.activity import row_limits
from app.records.cards import decks
from app.records.cards.tables import OwnCard
from app.records.cards.values import OWN_PREFIX, CollectResult, OwnCardRow, own_card_ref
from app.records.db.codes import fingerprint
from app.records.db.errors import NotFound, Refused
from app.records.db.metadata import table
from app.records.db.row_ids import row_id
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    RowQuery,
    columns_of,
    prepared_insert,
    prepared_update,
)

MOST_OWN_CARDS = 5000
"""Cards that one learner may have written: whoever visits may write some, and nobody may fill the disk."""
CHANGED_ELSEWHERE_SENTENCE = (
    "这张卡片刚才在别处改过：上面是现在记着的，下面是你写的。要照你的，再记一次；要把两边合起来，就在下面改。"
)
EMPTY_CARD_COLUMNS = {"front": "", "back": "", "tags": "", "source": ""}
"""The texts of a card, in order: what a deleted one is left with."""
TypedCard = tuple[str, str, str, str]
"""Front, back, tags, source."""
OWN_CARD = table(OwnCard).c
IS_OF_LEARNER = OWN_CARD.learner_id == bindparam("learner")
IS_NOT_DELETED = OWN_CARD.deleted_at.is_(None)
IS_KEPT_WITH_ID = IS_OF_LEARNER & IS_NOT_DELETED & (OWN_CARD.id == bindparam("own"))
OWN_COLUMNS = columns_of(OwnCard, OwnCardRow)

OWN_CARDS_OF_LEARNER = RowQuery(
    OwnCardRow, select(*OWN_COLUMNS).where(IS_OF_LEARNER, IS_NOT_DELETED).order_by(OWN_CARD.id)
)


def own_cards_of(session: VerbSession, learner_id: int) -> list[OwnCardRow]:
    """The cards that a learner wrote, in the order in which they were written."""
    return session.all(OWN_CARDS_OF_LEARNER, learner=learner_id)


OWN_CARD_WITH_ID = RowQuery(OwnCardRow, select(*OWN_COLUMNS).where(IS_KEPT_WITH_ID))


def find_own_card(session: VerbSession, learner_id: int | None, card_ref: str) -> OwnCardRow | None:
    """The card `own:<id>` that this learner wrote; None for any other, and for a deleted one."""
    if not is_own_card(card_ref):
        return None
    own_card_id = row_id(card_ref.removeprefix(OWN_PREFIX))
    if own_card_id is None:
        return None
    return session.first(OWN_CARD_WITH_ID, own=own_card_id, learner=learner_id)


def is_own_card(card_ref: str) -> bool:
    """Whether a card is named as one that a learner wrote."""
    return card_ref.startswith(OWN_PREFIX)


def own_card(session: VerbSession, learner_id: int | None, card_ref: str) -> OwnCardRow:
    """A card that this learner wrote; NotFound for any other."""
    own_card_row = find_own_card(session, learner_id, card_ref)
    if own_card_row is None:
        raise NotFound("没有这张卡片，或者它不是你的。")
    return own_card_row


HAS_ONE_OF_FRONTS = OWN_CARD.front.in_(bindparam("fronts", expanding=True))
CARDS_WITH_FRONTS = (
    select(OWN_CARD.id, OWN_CARD.front, OWN_CARD.back)
    .where(IS_OF_LEARNER, IS_NOT_DELETED, HAS_ONE_OF_FRONTS)
    .order_by(OWN_CARD.id)
)
"""Asked once for a whole table: one by one, a table of a thousand would be held against thousands each."""
CARD_COUNT = PreparedStatement(select(func.count()).where(IS_OF_LEARNER, IS_NOT_DELETED))


def write_cards(
    session: VerbSession, caller: Caller, typed_cards: Sequence[TypedCard], now: datetime
) -> CollectResult:
    """Put cards into the deck. One with the same words on both sides is not made twice. Refused,
    and none is kept, where these are more than a learner may have."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    fronts = [typed_card[0] for typed_card in typed_cards]
    side_rows = session.execute(CARDS_WITH_FRONTS, {"learner": known_learner.learner_id, "fronts": fronts})
    own_card_id_by_sides = {(side_row.front, side_row.back): side_row.id for side_row in side_rows}
    [(earlier_card_count,)] = session.all(CARD_COUNT, learner=known_learner.learner_id)
    added_count = 0
    card_ref = ""
    for typed_card in typed_cards:
        own_card_id = own_card_id_by_sides.get(typed_card[:2])
        if own_card_id is None:
            if earlier_card_count + added_count >= MOST_OWN_CARDS:
                raise Refused(f"自己写的卡片最多{MOST_OWN_CARDS}张。先删掉几张用不着的。")
            own_card_id = add_own_card(session, known_learner.learner_id, typed_card, now)
            own_card_id_by_sides[typed_card[:2]] = own_card_id
            added_count += 1
        card_ref = own_card_ref(own_card_id)
        decks.put_card(session, known_learner.learner_id, card_ref, card_ref, now)
    if added_count:
        row_limits.count_rows(session, caller, known_learner.learner_id, "own-cards", now, added_count)
    return CollectResult(known_learner.token, added_count, card_ref)


ADD_CARD = prepared_insert(OwnCard)


def add_own_card(session: VerbSession, learner_id: int, typed_card: TypedCard, now: datetime) -> int:
    """A new card; its id."""
    text_columns = dict(zip(EMPTY_CARD_COLUMNS, typed_card, strict=True))
    time_columns = {"created_at": now, "updated_at": now, "deleted_at": None}
    [(own_card_id,)] = session.all(ADD_CARD, learner_id=learner_id, **text_columns, **time_columns)
    return int(own_card_id)


def write_and_collect(
    session: VerbSession,
    caller: Caller,
    typed_cards: Sequence[TypedCard],
    course_card_refs_and_families: Sequence[tuple[str, str]],
    now: datetime,
) -> CollectResult:
    """A table of cards: what a learner wrote is kept, what the course has (name, family) is collected."""
    collect_result = decks.collect_cards(session, caller, course_card_refs_and_families, now)
    write_result = write_cards(session, caller, typed_cards, now)
    return write_result._replace(
        added_count=write_result.added_count + collect_result.added_count,
        last_card_ref=write_result.last_card_ref or collect_result.last_card_ref,
        returned_count=collect_result.returned_count,
    )


def words_digest(front_back_and_tags: tuple[str, str, str]) -> str:
    """What the form of a card carries to say which words it was opened with: front, back, tags."""
    return fingerprint(repr(front_back_and_tags))


CHANGE_WORDS = prepared_update(OwnCard, IS_KEPT_WITH_ID, ["front", "back", "tags", "updated_at"])


def edit_card(
    session: VerbSession,
    caller: Caller,
    card_ref: str,
    typed_card: TypedCard,
    now: datetime,
    seen_digest: str = "",
) -> KnownLearner:
    """Other words for the same card: its source stays, and what is remembered of it.

    `seen_digest`: of the words that the form was opened with, empty where nobody knows. Refused where others
    have been kept since.
    """
    known_learner = learners.find_or_add_learner(session, caller, now)
    own_card_row = own_card(session, known_learner.learner_id, card_ref)
    front, back, tags, _ = typed_card
    stored_texts = (own_card_row.front, own_card_row.back, own_card_row.tags)
    is_kept_already = stored_texts == (front, back, tags)  # a double click
    if not is_kept_already and seen_digest not in ("", words_digest(stored_texts)):
        raise Refused(CHANGED_ELSEWHERE_SENTENCE)
    session.run(
        CHANGE_WORDS,
        learner=known_learner.learner_id,
        own=own_card_row.id,
        front=front,
        back=back,
        tags=tags,
        updated_at=now,
    )
    return known_learner


IS_DELETED_WITH_ID = IS_OF_LEARNER & OWN_CARD.deleted_at.is_not(None) & (OWN_CARD.id == bindparam("own"))
DELETED_CARD = PreparedStatement(select(OWN_CARD.id).where(IS_DELETED_WITH_ID))


def is_deleted(session: VerbSession, learner_id: int, card_ref: str) -> bool:
    """Whether a card is one that this learner wrote and deleted."""
    own_card_id = row_id(card_ref.removeprefix(OWN_PREFIX))
    if not is_own_card(card_ref) or own_card_id is None:
        return False
    return session.first(DELETED_CARD, own=own_card_id, learner=learner_id) is not None


WIPE_CARD = prepared_update(OwnCard, IS_KEPT_WITH_ID, [*EMPTY_CARD_COLUMNS, "updated_at", "deleted_at"])


def delete_card(session: VerbSession, caller: Caller, card_ref: str, now: datetime) -> KnownLearner:
    """The words go, and the card leaves the deck; that it was reviewed stays in the log."""
    known_learner = learners.find_or_add_learner(session, caller, now)
    if is_deleted(session, known_learner.learner_id, card_ref):  # a double click
        return known_learner
    own_card_row = own_card(session, known_learner.learner_id, card_ref)
    session.run(
        WIPE_CARD,
        learner=known_learner.learner_id,
        own=own_card_row.id,
        updated_at=now,
        deleted_at=now,
        **EMPTY_CARD_COLUMNS,
    )
    return decks.remove_card(session, caller, own_card_row.card_ref, now)
