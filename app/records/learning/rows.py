"""Columns of the tables of what learners do, for the queries of this room and of those above it."""

from app.records.db.metadata import table
from app.records.learning.tables import Attempt, Hint, ItemVersion, LessonPlace, Response, Reveal

ATTEMPT = table(Attempt).c
HINT = table(Hint).c
PLACE = table(LessonPlace).c
RESPONSE = table(Response).c
REVEAL = table(Reveal).c
VERSION = table(ItemVersion).c
