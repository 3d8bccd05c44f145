"""Columns of the tables of what learners do, and conditions on answers: for the queries of this room and of
those above it."""

from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, case, or_

from app.course.items.marks import WHOLE_SCORE
from app.records.db.metadata import table
from app.records.learning.tables import Attempt, Hint, ItemVersion, LessonPlace, Response, Reveal

ATTEMPT = table(Attempt).c
HINT = table(Hint).c
LESSON_PLACE = table(LessonPlace).c
RESPONSE = table(Response).c
REVEAL = table(Reveal).c
ITEM_VERSION = table(ItemVersion).c

ARE_RESULTS_OUT = or_(ATTEMPT.shown_from.is_(None), ATTEMPT.shown_from <= bindparam("now"))
"""Whether its learner may know how an attempt went: results of an assignment may be held back."""


def is_right_alone(answer: Any) -> ColumnElement[bool]:
    """Right, and no step of it was left to the tutor."""
    is_whole = or_(answer.score <= 0, answer.score >= WHOLE_SCORE)
    return and_(answer.verdict == "right", is_whole)


def is_judged(answer: Any) -> ColumnElement[bool]:
    """Not words that nobody marks, or has marked yet: these are right and worth nothing."""
    return or_(answer.verdict != "right", answer.score > 0)


IS_ATTEMPT = ATTEMPT.id == bindparam("attempt")
IS_PRACTICE = ATTEMPT.source == "practice"
IS_ANSWER_SINCE = RESPONSE.created_at >= bindparam("since", type_=RESPONSE.created_at.type)
IS_RIGHT = RESPONSE.verdict == "right"
IS_WRONG = RESPONSE.verdict == "wrong"
IS_FIRST_UNAIDED = and_(RESPONSE.try_number == 1, RESPONSE.hint_count == 0)
IS_CLEAN = and_(IS_FIRST_UNAIDED, RESPONSE.score >= WHOLE_SCORE, IS_RIGHT)
OUTCOME = case(
    (is_right_alone(RESPONSE), "right"),
    (IS_RIGHT, "corrected"),
    else_=RESPONSE.verdict,
)
"""The verdict on an answer; what was reached together is no more than 改对了."""
