"""The log of one item, found in one statement, since every answer begins with it.

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
from app.records.learning.rows import ATTEMPT, HINT, PLACE, RESPONSE, REVEAL
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import AttemptRow, ItemLog, ResponseRow, Source, Target, Texts

SIGN_IN = table(SignIn)
ATTEMPT_COLUMNS = columns_of(Attempt, AttemptRow)
RESPONSE_COLUMNS = columns_of(Response, ResponseRow)
IS_ANSWER_TO_ITEM = RESPONSE.item == bindparam("item")
IS_ANSWER_TO_TWIN = RESPONSE.item == bindparam("twin")
IS_OF_ATTEMPT = RESPONSE.attempt_id == ATTEMPT.id
IS_ANSWER = and_(IS_OF_ATTEMPT, or_(IS_ANSWER_TO_ITEM, IS_ANSWER_TO_TWIN))
IS_ATTEMPT_OF_LEARNER = ATTEMPT.learner_id == SIGN_IN.c.learner_id


def item_query(is_attempt_meant: ColumnElement[bool], current_round: ColumnElement[int]) -> Prepared:
    """Learner, round, hints, attempt, answer: a row for each answer, one with nulls where there is none."""
    hints = []
    for parameter_name in ("item", "twin"):
        is_of_item = (HINT.attempt_id == ATTEMPT.id, HINT.item == bindparam(parameter_name))
        count = select(func.count()).where(*is_of_item)
        hints.append(count.scalar_subquery())
    is_of_learner = and_(IS_ATTEMPT_OF_LEARNER, is_attempt_meant)
    with_attempt = SIGN_IN.outerjoin(table(Attempt), is_of_learner)
    with_answers = with_attempt.outerjoin(table(Response), IS_ANSWER)
    columns = (SIGN_IN.c.learner_id, current_round, *hints, *ATTEMPT_COLUMNS, *RESPONSE_COLUMNS)
    rows = select(*columns).select_from(with_answers)
    rows_of_caller = rows.where(learners.IS_SIGNED_IN_STILL)
    return Prepared(rows_of_caller.order_by(RESPONSE.id))


def item_query_of_round(source: Source, progress_table: Any, ref: ColumnElement[str]) -> Prepared:
    """In the present round of a lesson or of an example: the highest one of its places."""
    is_of_learner = (progress_table.learner_id == SIGN_IN.c.learner_id, ref == bindparam("ref"))
    highest_round = func.max(progress_table.round)
    rounds = select(highest_round).where(*is_of_learner)
    current_round = func.coalesce(rounds.scalar_subquery(), 1)
    is_current = and_(ATTEMPT.ref == bindparam("ref"), ATTEMPT.round == current_round)
    is_attempt_meant = and_(ATTEMPT.source == source, is_current)
    return item_query(is_attempt_meant, current_round)


IS_ATTEMPT = ATTEMPT.id == bindparam("attempt")
ITEM_IN_ATTEMPT = item_query(IS_ATTEMPT, literal(1))
ITEM_IN_ROUND: Mapping[Source, Prepared] = {
    "lesson": item_query_of_round("lesson", PLACE, PLACE.stage),
    "practice": item_query_of_round("practice", REVEAL, REVEAL.ref),
}


def find(
    session: VerbSession, token: str, target: Target, item_ref: str, family_refs: Texts
) -> ItemLog | None:
    """The log of an item and its family in the attempt that is meant; None for a token that is nobody's.

    NotFound for the id of an attempt that is not this learner's.
    """
    twins = [twin_ref for twin_ref in family_refs if twin_ref != item_ref]
    assert len(twins) < 2, "an item has one twin"
    twin_ref = item_ref
    if twins:
        [twin_ref] = twins
    token_hash = learners.token_hash(token)
    item_of_caller = {"hash": token_hash, "item": item_ref, "twin": twin_ref}
    if target.attempt_id is None:
        item_statement = ITEM_IN_ROUND[target.source]
        rows = session.all(item_statement, ref=target.ref, **item_of_caller)
    else:
        rows = session.all(ITEM_IN_ATTEMPT, attempt=target.attempt_id, **item_of_caller)
    if not rows:
        return None
    learner_id, current_round, item_hint_count, twin_hint_count, *columns = rows[0]
    attempt_id, *_ = columns
    if attempt_id is None:
        if target.attempt_id is not None:
            raise NotFound
        return ItemLog(token, 0, target.seed, current_round, item_ref, learner_id=learner_id)
    attempt = AttemptRow(*columns[: len(ATTEMPT_COLUMNS)])
    if target.attempt_id is not None and attempt.source == "assignment":
        raise NotFound("作业里的题，请在“我的作业”里答。")  # by rules and on pages of its own
    log = begun_log(token, learner_id, attempt, item_ref)
    answers = [row[-len(RESPONSE_COLUMNS) :] for row in rows]
    responses = [response_row(answer) for answer in answers if answer[0] is not None]
    hint_counts = {twin_ref: twin_hint_count, item_ref: item_hint_count}
    hints = {ref_with_hints: count for ref_with_hints, count in hint_counts.items() if count}
    return log._replace(responses=tuple(responses), hint_counts=hints)


def begun_log(token: str, learner_id: int | None, attempt: AttemptRow, item_ref: str) -> ItemLog:
    """The log of an item in an attempt, still without its answers and hints."""
    return ItemLog(
        token,
        attempt.id,
        attempt.seed,
        attempt.round,
        item_ref,
        learner_id=learner_id,
        ref=attempt.ref,
        source=attempt.source,
        shown_from=attempt.shown_from,
    )


def response_row(columns: Sequence[Any]) -> ResponseRow:
    """A row of the table, its answer read from JSON."""
    item_ref, try_number, raw, *other_columns = columns
    return ResponseRow(item_ref, try_number, answer_texts(raw), *other_columns)


@lru_cache(4096)
def answer_texts(raw: str) -> Texts:
    """An answer as it came, from its JSON. Most answers are the same few choices."""
    return tuple(json.loads(raw))
