"""Reviewing: which card comes; one review written down, and taken back."""

from datetime import date, datetime, timedelta

from sqlalchemy import Float, bindparam, extract, func, or_, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days, row_limits
from app.records.cards import decks, own_cards, review_log
from app.records.cards.card_statuses import past_of_card, status_after
from app.records.cards.review_days import (
    IS_ACTIVE,
    IS_IN_LEARNING,
    IS_NEW,
    IS_OF_DAY,
    IS_TO_REVIEW,
    load_day_data,
)
from app.records.cards.rows import IS_IN_DECK, IS_IN_LOG, IS_NOT_UNDONE, MEMORY, REVIEW
from app.records.cards.scheduling import (
    next_memory,
    pack_memory,
    scheduler_parameters,
    unpack_memory_and_status,
)
from app.records.cards.tables import ReviewLog, SchedulerVersion
from app.records.cards.values import (
    NO_DAY_COUNTS,
    CardRating,
    CardRow,
    DayCounts,
    ReviewData,
    ReviewResult,
    ReviewRow,
)
from app.records.db.days import day_of
from app.records.db.errors import Stale
from app.records.db.session import VerbSession
from app.records.db.statements import (
    PreparedStatement,
    prepared_insert,
    prepared_insert_once,
    prepared_update,
)

LEARNING_AHEAD = timedelta(minutes=20)  # so early a card that is being learnt comes, with nothing else left
MOST_CANDIDATES = 30  # among so many the next card is picked, so that relatives are kept apart
LONGEST_LOOK_SECONDS = 120.0  # who looks longer has gone away

NEXT_DUE_AT = PreparedStatement(
    select(func.min(MEMORY.due_at)).where(
        IS_IN_DECK, IS_ACTIVE, or_(IS_IN_LEARNING, MEMORY.due_at >= bindparam("until"))
    )
)


def load_review(
    session: VerbSession,
    caller: Caller,
    now: datetime,
    card_ref: str | None = None,
    review_number: int | None = None,
) -> ReviewData:
    """The card that comes, changing nothing. `card_ref` asks for a certain one, if that review is to come; a
    page that has it already names the review, and gets it also where the card was put aside since."""
    deck_owner = decks.find_deck_owner(session, caller)
    if deck_owner is None:
        return ReviewData()
    learner_id = deck_owner.learner_id
    day_data = load_day_data(session, deck_owner, now)
    last_review = review_log.last_review(session, learner_id)
    next_card_ref = past_review = None
    if card_ref:
        next_card_ref = requested_card_ref(session, learner_id, card_ref, review_number)
    if card_ref and review_number:
        past_review = review_log.find_review(session, learner_id, card_ref, review_number)
    next_card_ref = next_card_ref or pick_card_ref(session, day_data, now)
    if next_card_ref is None:
        [(next_due_at,)] = session.all(NEXT_DUE_AT, learner=learner_id, until=day_data.day_ends_at)
        return day_data._replace(last_review=last_review, past_review=past_review, next_due_at=next_due_at)
    card_row, next_review_number = decks.card_and_review_number(session, learner_id, next_card_ref)
    return day_data._replace(
        last_review=last_review,
        past_review=past_review,
        card=card_row,
        card_past=past_of_card(session, learner_id, card_row),
        review_number=next_review_number,
        own_card=own_cards.find_own_card(session, learner_id, next_card_ref),
    )


def load_day_and_review(
    session: VerbSession, caller: Caller, now: datetime, review_id: int
) -> tuple[ReviewData, ReviewRow]:
    """How the day stands since a review, and the review. NotFound for anybody else's."""
    review_data = load_review(session, caller, now)
    return review_data, review_log.own_review(session, review_data.learner_id, review_id)


def load_day_and_deck_refs(
    session: VerbSession, caller: Caller, now: datetime
) -> tuple[ReviewData, frozenset[str]]:
    """How the day stands, and the refs of the cards in the deck."""
    review_data = load_review(session, caller, now)
    if review_data.learner_id is None:
        return review_data, frozenset()
    return review_data, decks.refs_in_deck(session, review_data.learner_id)


def load_day_counts(session: VerbSession, caller: Caller, now: datetime) -> DayCounts:
    """How many cards come today, within its limits, and what was done."""
    deck_owner = decks.find_deck_owner(session, caller)
    if deck_owner is None:
        return NO_DAY_COUNTS
    return load_day_data(session, deck_owner, now).counts


def requested_card_ref(
    session: VerbSession, learner_id: int, card_ref: str, review_number: int | None
) -> str | None:
    """The card that was asked for; None when it does not come, or that review is already written."""
    card_row = decks.find_card(session, learner_id, card_ref)
    if card_row is None:
        return None
    if review_number is None:
        may_come = card_row.status == "active"
    else:
        may_come = review_number == review_log.next_review_number(session, learner_id, card_ref)
    return card_ref if may_come else None


FAMILIES_OF_DAY = PreparedStatement(
    select(MEMORY.family, func.max(REVIEW.id))
    .where(IS_IN_LOG, IS_NOT_UNDONE, IS_OF_DAY, IS_IN_DECK, MEMORY.card_ref == REVIEW.card_ref)
    .group_by(MEMORY.family)
)


def pick_card_ref(session: VerbSession, review_data: ReviewData, now: datetime) -> str | None:
    """The first candidate that had no relative today; else the one whose relative came longest ago."""
    refs_and_families = candidate_refs_and_families(session, review_data, now)
    if not refs_and_families:
        return None
    family_rows = session.all(FAMILIES_OF_DAY, learner=review_data.learner_id, day=review_data.day)
    last_review_id_by_family: dict[str, int] = dict(family_rows)

    def last_review_id_of(ref_and_family: tuple[str, str]) -> int:
        _, family = ref_and_family
        return last_review_id_by_family.get(family, 0)

    card_ref, _ = min(refs_and_families, key=last_review_id_of)
    return card_ref


CARD_CANDIDATES_QUERY = (
    select(MEMORY.card_ref, MEMORY.family).where(IS_IN_DECK, IS_ACTIVE).limit(MOST_CANDIDATES)
)
CARDS_IN_LEARNING = PreparedStatement(
    CARD_CANDIDATES_QUERY.where(IS_IN_LEARNING, MEMORY.due_at <= bindparam("until")).order_by(
        MEMORY.due_at, MEMORY.id
    )
)
FORGETTING_ORDER = (bindparam("at", type_=Float) - extract("epoch", MEMORY.last_review_at)) / MEMORY.stability
"""By FSRS retrievability depends on this ratio alone, and falls while it grows."""
DUE_CARDS = PreparedStatement(CARD_CANDIDATES_QUERY.where(IS_TO_REVIEW).order_by(FORGETTING_ORDER, MEMORY.id))
NEW_CANDIDATES = PreparedStatement(CARD_CANDIDATES_QUERY.where(IS_NEW).order_by(MEMORY.due_at, MEMORY.id))
"""In the order in which they were added: none has a date yet, and by date and id the index has them."""


def candidate_refs_and_families(
    session: VerbSession, review_data: ReviewData, now: datetime
) -> list[tuple[str, str]]:
    """What is being learnt, then what is due, then what is new; a little early what is being learnt.

    Each with its family. Of what is due, the best known first: of a backlog that keeps most.
    """
    learner_id = review_data.learner_id
    candidate_rows = session.all(CARDS_IN_LEARNING, learner=learner_id, until=now)
    if not candidate_rows and review_data.counts.due_count:
        candidate_rows = session.all(
            DUE_CARDS, learner=learner_id, until=review_data.day_ends_at, at=now.timestamp()
        )
    if not candidate_rows and review_data.counts.new_count:
        candidate_rows = session.all(NEW_CANDIDATES, learner=learner_id)
    if not candidate_rows:
        candidate_rows = session.all(CARDS_IN_LEARNING, learner=learner_id, until=now + LEARNING_AHEAD)
    return [(card_ref, family) for card_ref, family in candidate_rows]


CARD_ON_DAY = PreparedStatement(
    select(REVIEW.id)
    .where(IS_IN_LOG, IS_NOT_UNDONE, IS_OF_DAY, REVIEW.card_ref == bindparam("card"))
    .limit(1)
)


@learners.changes_own_rows
def review_card(session: VerbSession, caller: Caller, card_rating: CardRating, now: datetime) -> ReviewResult:
    """Write a review down. One that is already there, or that comes from an old page, changes nothing."""
    deck_owner, token = decks.ensure_deck_owner_and_token(session, caller, now)
    learner_id, time_zone, deck_settings = deck_owner
    # What is needed later is asked for now: a server tells all of it at once.
    review_day = day_of(now, time_zone)
    pending_rows_of_day = session.send(
        CARD_ON_DAY, learner=learner_id, card=card_rating.card_ref, day=review_day
    )
    pending_zone_and_day_rows = session.send(learning_days.ZONES_AND_NEWEST_DAY, learner=learner_id)
    card_row, next_review_number = decks.card_and_review_number(session, learner_id, card_rating.card_ref)
    if card_rating.review_number != next_review_number:
        return ReviewResult(token, is_accepted=False)
    memory_after = next_memory(
        card_row.memory, card_rating.rating, card_row.card_ref, now, deck_settings.retention
    )
    card_past = past_of_card(session, learner_id, card_row, card_rating.rating)
    card_status = status_after(card_row, card_past, card_rating.rating, memory_after)
    parameters_hash = save_scheduler(session, now)
    review_id = add_review(
        session,
        learner_id,
        card_row,
        card_rating,
        retention=deck_settings.retention,
        scheduler_hash=parameters_hash,
        packed_after=pack_memory(memory_after, card_status),
        reviewed_at=now,
        day=review_day,
        is_first_of_day=not pending_rows_of_day.fetch(),
    )
    zone_and_day_rows = pending_zone_and_day_rows.fetch()
    learning_days.record_activity_after(session, learner_id, now, zone_and_day_rows, caller=caller)
    decks.save_memory(session, learner_id, card_row.card_ref, memory_after, card_status, parameters_hash)
    return ReviewResult(token, True, card_row.card_ref, review_id, card_status)


ADD_REVIEW = prepared_insert(ReviewLog)


def add_review(
    session: VerbSession,
    learner_id: int,
    card_row: CardRow,
    card_rating: CardRating,
    *,
    retention: float,
    scheduler_hash: str,
    packed_after: str,
    reviewed_at: datetime,
    day: date,
    is_first_of_day: bool,
) -> int:
    """A review of a card as it was before, into the log; its id."""
    thinking_seconds = plausible_seconds(card_rating.seconds)
    rating_columns = card_rating._replace(seconds=thinking_seconds)._asdict()
    [(review_id,)] = session.all(
        ADD_REVIEW,
        learner_id=learner_id,
        state_before=card_row.memory.state,
        interval_days=card_row.memory.interval_days,
        packed_before=pack_memory(card_row.memory, card_row.status),
        undone_at=None,
        retention=retention,
        scheduler_hash=scheduler_hash,
        packed_after=packed_after,
        reviewed_at=reviewed_at,
        day=day,
        is_first_of_day=is_first_of_day,
        **rating_columns,
    )
    return int(review_id)


def plausible_seconds(review_seconds: float | None) -> float | None:
    """A time that somebody can have looked at one card; None where it is not known."""
    if review_seconds is None:
        return None
    return min(max(0.0, review_seconds), LONGEST_LOOK_SECONDS)


ADD_VERSION = prepared_insert_once(SchedulerVersion)


def save_scheduler(session: VerbSession, now: datetime) -> str:
    """Keep what makes the dates, once. Returns its hash."""
    present_parameters = scheduler_parameters()
    session.run(ADD_VERSION, **present_parameters._asdict(), created_at=now)
    return present_parameters.hash


SET_UNDONE = prepared_update(ReviewLog, IS_IN_LOG & (REVIEW.id == bindparam("log")), ["undone_at"])


@learners.changes_own_rows
def undo_review(session: VerbSession, caller: Caller, review_id: int, now: datetime) -> ReviewResult:
    """Take the last review back: by the log everything is as it was before, but what was put aside since
    stays aside. Any other one changes nothing. Stale for whoever was signed out meanwhile."""
    token = caller.token or ""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        raise Stale
    last_review = review_log.last_review(session, learner_id)
    if last_review is None or last_review.id != review_id:
        return ReviewResult(token, is_accepted=False)
    _, card_status = unpack_memory_and_status(last_review.packed_before)
    _, status_after_review = unpack_memory_and_status(last_review.packed_after)
    present_status = decks.card_in_deck(session, learner_id, last_review.card_ref).status
    if present_status != status_after_review:
        card_status = present_status
    row_limits.count_rows(session, caller, learner_id, "undone", now)
    session.run(SET_UNDONE, learner=learner_id, log=review_id, undone_at=now)
    time_zones = learners.time_zones_of(session, learner_id)
    learning_days.change_moments(session, learner_id, time_zones, [], [last_review.reviewed_at])
    memory, parameters_hash = review_log.memory_and_parameters_hash(
        session, learner_id, last_review.card_ref, card_status
    )
    decks.save_memory(session, learner_id, last_review.card_ref, memory, card_status, parameters_hash)
    return ReviewResult(token, True, last_review.card_ref, review_id, card_status)
