"""Columns of the tables of this room, and conditions on their rows: for its queries and those above it."""

from sqlalchemy import bindparam

from app.records.cards.tables import CardMemory, ReviewLog
from app.records.db.metadata import table

CARD_MEMORY_TABLE = table(CardMemory)
MEMORY = CARD_MEMORY_TABLE.c
IS_IN_DECK = MEMORY.learner_id == bindparam("learner")
IS_OF_CARD = MEMORY.card_ref == bindparam("card")

REVIEW_LOG_TABLE = table(ReviewLog)
REVIEW = REVIEW_LOG_TABLE.c
IS_IN_LOG = REVIEW.learner_id == bindparam("learner")
IS_REVIEW_OF_CARD = REVIEW.card_ref == bindparam("card")
IS_NOT_UNDONE = REVIEW.undone_at.is_(None)
