"""Leeches: cards that were forgotten so often that they need another look, and are put aside."""

from sqlalchemy import bindparam, func, select

from app.records.cards.review_log import IS_IN_LOG, IS_NOT_UNDONE, IS_REVIEW_OF_CARD, REVIEW
from app.records.cards.scheduling import Rating
from app.records.cards.values import CardRow
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement

LEECH_LAPSES = 6  # so often forgotten, a card is put aside; and again after every third further time
LAPSES_BETWEEN_LEECHES = 3

LAST_RETURN_NUMBER = select(func.coalesce(func.max(REVIEW.number), 0)).where(
    IS_IN_LOG, IS_REVIEW_OF_CARD, IS_NOT_UNDONE, REVIEW.state == "review"
)
MISSES_WHILE_LEARNT = PreparedStatement(
    select(func.count()).where(
        IS_IN_LOG,
        IS_REVIEW_OF_CARD,
        IS_NOT_UNDONE,
        REVIEW.rating == bindparam("rating"),
        REVIEW.number > LAST_RETURN_NUMBER.scalar_subquery(),
    )
)


def becomes_leech(session: VerbSession, learner_id: int, card_row: CardRow, rating: Rating) -> bool:
    """Whether a rating, not yet in the log, makes a leech of a card.

    A card that is known is forgotten by its lapses, as Anki counts them. One that is learnt, or learnt again,
    has none: there every miss counts since it came back last, or it would be asked for ever.
    """
    if rating is not Rating.AGAIN:
        return False
    if card_row.memory.state == "review":
        return is_leech_count(card_row.memory.lapse_count + 1)
    review_parameters = {"learner": learner_id, "card": card_row.card_ref, "rating": int(rating)}
    [(earlier_misses,)] = session.all(MISSES_WHILE_LEARNT, **review_parameters)
    return is_leech_count(earlier_misses + 1)


def is_leech_count(miss_count: int) -> bool:
    """Whether a card is put aside at this miss; one that was taken back has some more.

    >>> [miss_count for miss_count in range(14) if is_leech_count(miss_count)]
    [6, 9, 12]
    """
    further_misses = miss_count - LEECH_LAPSES
    return further_misses >= 0 and further_misses % LAPSES_BETWEEN_LEECHES == 0
