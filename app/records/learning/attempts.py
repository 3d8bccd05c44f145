"""Attempts as they stand: found by their number or their round, with the answers and the hints in them."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import bindparam, func, or_, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, RowQuery, columns_of
from app.records.learning.rows import ATTEMPT, HINT, IS_ATTEMPT, ITEM_VERSION, RESPONSE
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import (
    AnswerSource,
    AttemptData,
    AttemptRow,
    PractisedItems,
    RawAnswer,
    ResponseRow,
    Responses,
)

IS_ATTEMPT_OF_LEARNER = ATTEMPT.learner_id == bindparam("learner")
RESPONSE_COLUMNS = columns_of(Response, ResponseRow)
IS_RESPONSE_OF_ATTEMPT = RESPONSE.attempt_id == bindparam("attempt")


def load_own_attempt(session: VerbSession, caller: Caller, attempt_id: int, now: datetime) -> AttemptData:
    """An attempt of the caller, as it was. NotFound to anybody else, and before its result is published."""
    learner_id = learners.find_learner_id(session, caller)
    attempt_data = attempt_data_of(session, learner_id, attempt_id)
    if attempt_data.attempt.is_sealed(now):
        raise NotFound("这份作业的结果还没有公布，公布了在“我的作业”里看。")
    return attempt_data


ATTEMPTS_QUERY = select(*columns_of(Attempt, AttemptRow)).where(IS_ATTEMPT_OF_LEARNER)
ATTEMPT_BY_ID = RowQuery(AttemptRow, ATTEMPTS_QUERY.where(IS_ATTEMPT))
BODIES_OF_ATTEMPT = PreparedStatement(
    select(ITEM_VERSION.hash, ITEM_VERSION.body)
    .where(RESPONSE.item_version_hash == ITEM_VERSION.hash, IS_RESPONSE_OF_ATTEMPT)
    .distinct()
)


def attempt_of_learner(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptRow:
    """An attempt of a learner. The lookup is the permission check: NotFound for one of anybody else."""
    attempt = session.first(ATTEMPT_BY_ID, attempt=attempt_id, learner=learner_id)
    if attempt is None:
        raise NotFound
    return attempt


def attempt_data_of(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptData:
    """An attempt of a learner, with the items as they were; NotFound for one of anybody else."""
    attempt = attempt_of_learner(session, learner_id, attempt_id)
    responses = responses_of(session, attempt_id)
    hint_count_by_item_ref = hint_count_by_item_ref_of(session, attempt_id)
    body_by_hash: dict[str, str] = dict(session.all(BODIES_OF_ATTEMPT, attempt=attempt_id))
    return AttemptData(attempt, responses, hint_count_by_item_ref, body_by_hash)


IS_ANSWER_OF_LEARNER = (RESPONSE.attempt_id == ATTEMPT.id, IS_ATTEMPT_OF_LEARNER)
VERDICTS_OF_LEARNER = select(RESPONSE.item_ref, RESPONSE.verdict).where(*IS_ANSWER_OF_LEARNER)
PRACTISED_ANSWERS = PreparedStatement(
    VERDICTS_OF_LEARNER.where(
        ATTEMPT.source == "practice",
        or_(
            ATTEMPT.ref.between(bindparam("first_ref"), bindparam("last_ref")),
            ATTEMPT.ref.between(bindparam("first_drawn_ref"), bindparam("last_drawn_ref")),
        ),
    ).order_by(RESPONSE.id)
)
AFTER_ANY_ID = "z" * 10


def load_practised_items(session: VerbSession, caller: Caller, ref_prefix: str) -> PractisedItems:
    """The verdicts on every answer outside the lessons, by item, to those whose refs begin with `ref_prefix`:
    under that name, or drawn with a seed.
    """
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return PractisedItems()
    drawn_prefix = ref_prefix.replace(":", ":item-")
    answer_rows = session.all(
        PRACTISED_ANSWERS,
        learner=learner_id,
        first_ref=ref_prefix,
        last_ref=ref_prefix + AFTER_ANY_ID,
        first_drawn_ref=drawn_prefix,
        last_drawn_ref=drawn_prefix + AFTER_ANY_ID,
    )
    verdicts_by_item_ref: dict[str, tuple[str, ...]] = {}
    for item_ref, verdict in answer_rows:
        earlier_verdicts = verdicts_by_item_ref.get(item_ref, ())
        verdicts_by_item_ref[item_ref] = (*earlier_verdicts, verdict)
    return PractisedItems(learner_id, verdicts_by_item_ref)


ANSWERS_TO_VARIANT = PreparedStatement(
    select(ATTEMPT.ref, *RESPONSE_COLUMNS)
    .where(*IS_ANSWER_OF_LEARNER, ATTEMPT.seed == bindparam("seed"), RESPONSE.item_ref == bindparam("item"))
    .order_by(RESPONSE.id)
)


def load_responses_by_attempt_ref(
    session: VerbSession, caller: Caller, item_ref: str, seed: int
) -> Mapping[str, list[ResponseRow]]:
    """The answers of the caller to one variant of an item, by the ref of the attempt."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return {}
    responses_by_attempt_ref = defaultdict[str, list[ResponseRow]](list)
    answer_rows = session.all(ANSWERS_TO_VARIANT, learner=learner_id, item=item_ref, seed=seed)
    for attempt_ref, *response_columns in answer_rows:
        responses_by_attempt_ref[attempt_ref].append(response_of_row(response_columns))
    return responses_by_attempt_ref


ATTEMPT_OF_ROUND = RowQuery(
    AttemptRow,
    ATTEMPTS_QUERY.where(
        ATTEMPT.source == bindparam("source"),
        ATTEMPT.ref == bindparam("ref"),
        ATTEMPT.round == bindparam("round"),
    ),
)


def attempt_of_round(
    session: VerbSession, learner_id: int, answer_source: AnswerSource, source_ref: str, round_number: int
) -> AttemptRow | None:
    """The attempt of a learner in one round, if it was begun."""
    return session.first(
        ATTEMPT_OF_ROUND, learner=learner_id, source=answer_source, ref=source_ref, round=round_number
    )


RESPONSES_OF_ATTEMPT = PreparedStatement(
    select(*RESPONSE_COLUMNS).where(IS_RESPONSE_OF_ATTEMPT).order_by(RESPONSE.id)
)


def responses_of(session: VerbSession, attempt_id: int) -> Responses:
    """The answers of an attempt, oldest first."""
    answer_rows = session.all(RESPONSES_OF_ATTEMPT, attempt=attempt_id)
    return tuple(map(response_of_row, answer_rows))


HINTS_OF_ATTEMPT = PreparedStatement(
    select(HINT.item_ref, func.count()).where(HINT.attempt_id == bindparam("attempt")).group_by(HINT.item_ref)
)


def hint_count_by_item_ref_of(session: VerbSession, attempt_id: int) -> Mapping[str, int]:
    """How many hints of each item are open."""
    return dict(session.all(HINTS_OF_ATTEMPT, attempt=attempt_id))


def response_of_row(response_columns: Sequence[Any]) -> ResponseRow:
    """A row of the table, its answer read from JSON."""
    item_ref, try_number, raw_json, *other_columns = response_columns
    return ResponseRow(item_ref, try_number, answer_texts(raw_json), *other_columns)


@lru_cache(4096)
def answer_texts(raw_json: str) -> RawAnswer:
    """An answer as it came, from its JSON. Most answers are the same few choices."""
    return tuple(json.loads(raw_json))


def is_blank_answer(raw_answer: Sequence[str]) -> bool:
    """Whether nothing stands in any field of an answer: blank is no answer.

    >>> is_blank_answer(["", " "]), is_blank_answer(["", "0.5"]), is_blank_answer([])
    (True, False, True)
    """
    return not any(typed_text.strip() for typed_text in raw_answer)
