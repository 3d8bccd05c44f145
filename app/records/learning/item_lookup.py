"""The log of one item, found in one statement: it comes before every answer.

Six statements → one: the token, the present round, the attempt, its answers and its hints, of which an answer
needs those to an item and its twin alone, whatever else is in the attempt.
"""

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, literal, or_, select

from app.records.accounts import learners
from app.records.accounts.tables import SignIn
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, columns_of
from app.records.learning.tables import Attempt, Hint, LessonPlace, Response, Reveal
from app.records.learning.values import AttemptRow, ItemLog, ResponseRow, Source, Target, Texts

SIGN_IN = table(SignIn)
ATTEMPT, RESPONSE, HINT = table(Attempt).c, table(Response).c, table(Hint).c
ATTEMPT_COLUMNS, RESPONSE_COLUMNS = columns_of(Attempt, AttemptRow), columns_of(Response, ResponseRow)
ITEM_OR_TWIN = or_(RESPONSE.item == bindparam("item"), RESPONSE.item == bindparam("twin"))
OF_LEARNER = ATTEMPT.learner_id == SIGN_IN.c.learner_id


def query(matches: ColumnElement[bool], current: ColumnElement[int]) -> Prepared:
    """Learner, round, hints, attempt, answer: a row for each answer, one with nulls where there is none."""
    hints = []
    for name in ("item", "twin"):
        opened = (HINT.attempt_id == ATTEMPT.id, HINT.item == bindparam(name))
        hints.append(select(func.count()).where(*opened).scalar_subquery())
    with_attempt = SIGN_IN.outerjoin(table(Attempt), and_(OF_LEARNER, matches))
    with_answers = with_attempt.outerjoin(
        table(Response), and_(RESPONSE.attempt_id == ATTEMPT.id, ITEM_OR_TWIN)
    )
    columns = (SIGN_IN.c.learner_id, current, *hints, *ATTEMPT_COLUMNS, *RESPONSE_COLUMNS)
    rows = select(*columns).select_from(with_answers).where(learners.STILL_SIGNED_IN)
    return Prepared(rows.order_by(RESPONSE.id))


def query_of_round(source: Source, place: Any, ref: ColumnElement[str]) -> Prepared:
    """In the present round of a lesson or of an example: the highest one of its places."""
    rounds = select(func.max(place.round)).where(
        place.learner_id == SIGN_IN.c.learner_id, ref == bindparam("ref")
    )
    current = func.coalesce(rounds.scalar_subquery(), 1)
    in_round = (ATTEMPT.source == source, ATTEMPT.ref == bindparam("ref"), ATTEMPT.round == current)
    return query(and_(*in_round), current)


PLACE, REVEAL = table(LessonPlace).c, table(Reveal).c
IN_ATTEMPT = query(ATTEMPT.id == bindparam("attempt"), literal(1))
IN_ROUND: Mapping[Source, Prepared] = {
    "lesson": query_of_round("lesson", PLACE, PLACE.stage),
    "practice": query_of_round("practice", REVEAL, REVEAL.ref),
}


def find(session: VerbSession, token: str, target: Target, item: str, family: Texts) -> ItemLog | None:
    """The log of an item and its family in the attempt that is meant; None for a token that is nobody's.

    NotFound for the id of an attempt that is not this learner's.
    """
    twins = [name for name in family if name != item]
    assert len(twins) < 2, "an item has one twin"
    names = {"item": item, "twin": (twins or [item])[0]}
    key = {"hash": learners.token_hash(token), **names}
    if target.attempt_id is None:
        rows = session.all(IN_ROUND[target.source], ref=target.ref, **key)
    else:
        rows = session.all(IN_ATTEMPT, attempt=target.attempt_id, **key)
    if not rows:
        return None
    learner_id, current, of_item, of_twin, *columns = rows[0]
    attempt_id, *_ = columns
    if attempt_id is None:
        if target.attempt_id is not None:
            raise NotFound
        return ItemLog(token, 0, target.seed, current, item, learner_id=learner_id)
    attempt = AttemptRow(*columns[: len(ATTEMPT_COLUMNS)])
    if target.attempt_id is not None and attempt.source == "assignment":
        raise NotFound("作业里的题，请在“我的作业”里答。")  # by rules and on pages of its own
    answers = [row[-len(RESPONSE_COLUMNS) :] for row in rows]
    hints = {names["twin"]: of_twin, item: of_item}
    return ItemLog(
        token=token,
        learner_id=learner_id,
        attempt_id=attempt.id,
        seed=attempt.seed,
        round=attempt.round,
        item=item,
        ref=attempt.ref,
        source=attempt.source,
        shown_from=attempt.shown_from,
        responses=tuple([response_row(answer) for answer in answers if answer[0] is not None]),
        hints={name: opened for name, opened in hints.items() if opened},
    )


def response_row(columns: Sequence[Any]) -> ResponseRow:
    """A row of the table, its answer read from JSON."""
    item, try_number, raw, *marked = columns
    return ResponseRow(item, try_number, typed(raw), *marked)


@lru_cache(4096)
def typed(raw: str) -> Texts:
    """An answer as it came, from its JSON. Most answers are the same few choices."""
    return tuple(json.loads(raw))
