"""What a rating makes of the status of a card: put aside, retired, or as it was. The button says the same."""

from sqlalchemy import bindparam, func, select

from app.records.cards.rows import IS_IN_LOG, IS_NOT_UNDONE, IS_REVIEW_OF_CARD, REVIEW
from app.records.cards.scheduling import Memory, Rating
from app.records.cards.values import CardPast, CardRow, Status
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

RETIRING_STREAK = 3  # so many reviews in a row without a slip retire a card of a mistake
MISTAKE_PREFIX = "content:mistake-"
LEECH_LAPSES = 6  # so often forgotten, a card is put aside; and again after every third further time
LAPSES_BETWEEN_LEECHES = 3

REVIEWS_OF_CARD = select(func.count()).where(IS_IN_LOG, IS_REVIEW_OF_CARD, IS_NOT_UNDONE)
LAST_NUMBER_OF_CARD = select(func.max(REVIEW.review_number)).where(
    IS_IN_LOG, IS_REVIEW_OF_CARD, IS_NOT_UNDONE
)
LAST_RETURN_NUMBER = LAST_NUMBER_OF_CARD.where(REVIEW.state_before == "review").scalar_subquery()
MISSES_WHILE_LEARNT = PreparedStatement(
    REVIEWS_OF_CARD.where(
        REVIEW.rating == int(Rating.AGAIN), REVIEW.review_number > func.coalesce(LAST_RETURN_NUMBER, 0)
    )
)
LAST_RETIRED_NUMBER = PreparedStatement(
    LAST_NUMBER_OF_CARD.where(REVIEW.packed_after.like(bindparam("retired_pattern")))
)
PACKED_RETIRED_PATTERN = '%"retired"]'
"""How the memory ends, packed, that a review leaves of a card which it retires."""
REVIEWS_SINCE = PreparedStatement(REVIEWS_OF_CARD.where(REVIEW.review_number > bindparam("since")))


def past_of_card(
    session: VerbSession, learner_id: int, card_row: CardRow, rating: Rating | None = None
) -> CardPast:
    """What the log has of a card beside its memory, as far as `status_after` goes by it: for every rating, or
    for one."""
    card_parameters = {"learner": learner_id, "card": card_row.card_ref}
    miss_count = 0
    review_count_since_retired = None
    may_be_missed = rating in (Rating.AGAIN, None)
    if may_be_missed and card_row.memory.state in ("learning", "relearning"):
        [(miss_count,)] = session.all(MISSES_WHILE_LEARNT, **card_parameters)
    if is_of_mistake(card_row) and is_overcome(card_row.memory):
        [(retired_review_number,)] = session.all(
            LAST_RETIRED_NUMBER, **card_parameters, retired_pattern=PACKED_RETIRED_PATTERN
        )
        if retired_review_number is not None:
            [(review_count_since_retired,)] = session.all(
                REVIEWS_SINCE, **card_parameters, since=retired_review_number
            )
    return CardPast(miss_count, review_count_since_retired)


def status_after(card_row: CardRow, card_past: CardPast, rating: Rating, memory: Memory) -> Status:
    """The status of a card with the memory after a rating.

    A card that is forgotten too often is a leech: while it is known, as Anki counts its lapses; while it is
    learnt, or learnt again, by every miss since it came back last, or it would be asked for ever. A mistake
    that is overcome retires; one that came back from there stays for as many reviews more.

    >>> from datetime import datetime
    >>> from app.records.cards.scheduling import NEW_MEMORY
    >>> mistake = CardRow("content:mistake-natural_log", "dcg", datetime(2026, 9, 1), "active", NEW_MEMORY)
    >>> status_after(mistake, CardPast(), Rating.GOOD, NEW_MEMORY._replace(state="review", streak=3))
    'retired'
    >>> status_after(mistake, CardPast(miss_count=5), Rating.AGAIN, NEW_MEMORY)
    'leech'
    """
    if rating is Rating.AGAIN:
        earlier_miss_count = card_past.miss_count
        if card_row.memory.state == "review":
            earlier_miss_count = card_row.memory.lapse_count
        if is_leech_count(earlier_miss_count + 1):
            return "leech"
    if is_of_mistake(card_row) and is_overcome(memory):
        review_count_since_retired = card_past.review_count_since_retired
        if review_count_since_retired is None or review_count_since_retired + 1 >= RETIRING_STREAK:
            return "retired"
    return card_row.status


def is_leech_count(miss_count: int) -> bool:
    """Whether a card is put aside at this miss; one that was taken back has some more.

    >>> [miss_count for miss_count in range(14) if is_leech_count(miss_count)]
    [6, 9, 12]
    """
    further_miss_count = miss_count - LEECH_LAPSES
    return further_miss_count >= 0 and further_miss_count % LAPSES_BETWEEN_LEECHES == 0


def is_of_mistake(card_row: CardRow) -> bool:
    return card_row.card_ref.startswith(MISTAKE_PREFIX)


def is_overcome(memory: Memory) -> bool:
    """Whether a card was known often enough in a row."""
    return memory.streak >= RETIRING_STREAK and memory.state == "review"
