"""The log of one item, found in one statement, since every answer begins with it.

Six statements → one: the token, the present round, the attempt, its answers and its hints, of which an answer
needs those to an item and its twin alone, whatever else is in the attempt.
"""

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from sqlalchemy import ColumnElement, and_, bindparam, func, literal, or_, select

from app.records.accounts import learners
from app.records.accounts.learners import SIGN_IN
from app.records.accounts.tables import SignIn
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row, columns_of
from app.records.learning import attempts
from app.records.learning.rows import ATTEMPT, HINT, IS_ATTEMPT, LESSON_PLACE, RESPONSE, REVEAL
from app.records.learning.tables import Attempt, Response
from app.records.learning.values import AnswerSource, AttemptKey, AttemptRow, ItemLog, Responses

ATTEMPT_COLUMNS = columns_of(Attempt, AttemptRow)
IS_ANSWER_TO_ITEM = RESPONSE.item_ref == bindparam("item")
IS_ANSWER_TO_TWIN = RESPONSE.item_ref == bindparam("twin")
IS_ANSWER_IN_ATTEMPT = and_(RESPONSE.attempt_id == ATTEMPT.id, or_(IS_ANSWER_TO_ITEM, IS_ANSWER_TO_TWIN))


def item_statement(
    is_attempt_meant: ColumnElement[bool], present_round_expression: ColumnElement[int]
) -> PreparedStatement:
    """Learner, round, hints, attempt, answer: a row for each answer, one with nulls where there is none."""
    hint_count_columns = []
    for parameter_name in ("item", "twin"):
        hint_conditions = (HINT.attempt_id == ATTEMPT.id, HINT.item_ref == bindparam(parameter_name))
        hint_count_query = select(func.count()).where(*hint_conditions)
        hint_count_columns.append(hint_count_query.scalar_subquery())
    is_attempt_of_caller = and_(ATTEMPT.learner_id == SIGN_IN.learner_id, is_attempt_meant)
    sign_ins_with_attempt = table(SignIn).outerjoin(table(Attempt), is_attempt_of_caller)
    sign_ins_with_answers = sign_ins_with_attempt.outerjoin(table(Response), IS_ANSWER_IN_ATTEMPT)
    log_columns = (
        SIGN_IN.learner_id,
        present_round_expression,
        *hint_count_columns,
        *ATTEMPT_COLUMNS,
        *attempts.RESPONSE_COLUMNS,
    )
    answers_query = select(*log_columns).select_from(sign_ins_with_answers)
    answers_of_caller_query = answers_query.where(learners.IS_SIGNED_IN_STILL)
    return PreparedStatement(answers_of_caller_query.order_by(RESPONSE.id))


def item_statement_of_round(
    answer_source: AnswerSource, progress: Any, ref_column: ColumnElement[str]
) -> PreparedStatement:
    """In the present round of a lesson or of an example: the highest one of its places."""
    progress_conditions = (
        progress.learner_id == SIGN_IN.learner_id,
        ref_column == bindparam("ref"),
    )
    highest_round_query = select(func.max(progress.round)).where(*progress_conditions)
    present_round_expression = func.coalesce(highest_round_query.scalar_subquery(), 1)
    is_in_present_round = and_(ATTEMPT.ref == bindparam("ref"), ATTEMPT.round == present_round_expression)
    is_attempt_meant = and_(ATTEMPT.source == answer_source, is_in_present_round)
    return item_statement(is_attempt_meant, present_round_expression)


ITEM_IN_ATTEMPT = item_statement(IS_ATTEMPT, literal(1))
ITEM_IN_ROUND_BY_SOURCE: Mapping[AnswerSource, PreparedStatement] = {
    "lesson": item_statement_of_round("lesson", LESSON_PLACE, LESSON_PLACE.stage_ref),
    "practice": item_statement_of_round("practice", REVEAL, REVEAL.ref),
}


def item_log_of_token(
    session: VerbSession, token: str, attempt_key: AttemptKey, item_ref: str, family_refs: tuple[str, ...]
) -> ItemLog | None:
    """The log of an item and its family in the attempt that is meant; None for a token that is nobody's.

    NotFound for the id of an attempt that is not this learner's.
    """
    twin_refs = [twin_ref for twin_ref in family_refs if twin_ref != item_ref]
    assert len(twin_refs) < 2, "an item has one twin"
    twin_ref = twin_refs[0] if twin_refs else item_ref
    token_hash = learners.token_hash(token)
    item_parameters = {"hash": token_hash, "item": item_ref, "twin": twin_ref}
    if attempt_key.attempt_id is None:
        round_statement = ITEM_IN_ROUND_BY_SOURCE[attempt_key.source]
        log_rows = session.all(round_statement, ref=attempt_key.ref, **item_parameters)
    else:
        log_rows = session.all(ITEM_IN_ATTEMPT, attempt=attempt_key.attempt_id, **item_parameters)
    if not log_rows:
        return None
    learner_id, present_round_number, item_hint_count, twin_hint_count, *_ = log_rows[0]
    attempt = attempt_of_row(log_rows[0])
    if attempt is None:
        if attempt_key.attempt_id is not None:
            raise NotFound
        return ItemLog(token, 0, attempt_key.seed, present_round_number, item_ref, learner_id=learner_id)
    if attempt_key.attempt_id is not None and attempt.source == "assignment":
        raise NotFound("作业里的题，请在“我的作业”里答。")  # by rules and on pages of its own
    item_log = log_without_answers(token, learner_id, attempt, item_ref)
    hint_count_by_item_ref = {}
    if twin_hint_count:
        hint_count_by_item_ref[twin_ref] = twin_hint_count
    if item_hint_count:
        hint_count_by_item_ref[item_ref] = item_hint_count
    return item_log._replace(
        responses=responses_of_rows(log_rows), hint_count_by_item_ref=hint_count_by_item_ref
    )


def attempt_of_row(log_row: Row) -> AttemptRow | None:
    """The attempt in a row of `item_statement`; None where it was not begun."""
    _, _, _, _, *attempt_and_answer = log_row
    attempt_columns = attempt_and_answer[: len(ATTEMPT_COLUMNS)]
    if attempt_columns[0] is None:
        return None
    return AttemptRow(*attempt_columns)


def responses_of_rows(log_rows: Sequence[Row]) -> Responses:
    """The answers in rows of `item_statement`, oldest first."""
    responses = []
    for log_row in log_rows:
        response_columns = log_row[-len(attempts.RESPONSE_COLUMNS) :]
        if response_columns[0] is not None:
            responses.append(attempts.response_of_row(response_columns))
    return tuple(responses)


def log_without_answers(token: str, learner_id: int | None, attempt: AttemptRow, item_ref: str) -> ItemLog:
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


def load_item_log(
    session: VerbSession,
    caller: Caller,
    attempt_key: AttemptKey,
    item_ref: str,
    family_refs: tuple[str, ...] = (),
) -> ItemLog:
    """The log of an item, changing nothing: `attempt_id` is 0 while there is no attempt."""
    token = caller.token or ""
    item_log = item_log_of_token(session, token, attempt_key, item_ref, family_refs)
    if item_log is None:
        return ItemLog(token, 0, attempt_key.seed, 1, item_ref)
    return item_log


def load_log_of_items(
    session: VerbSession, caller: Caller, attempt_key: AttemptKey, item_refs: tuple[str, ...]
) -> ItemLog:
    """The log of many items of an attempt; the first one stands for all."""
    first_item_ref, *_ = item_refs
    item_log = load_item_log(session, caller, attempt_key, first_item_ref)
    if not item_log.attempt_id:
        return item_log
    return with_answers_to_items(session, item_log, item_refs)


def log_in_attempt(
    session: VerbSession, learner_id: int, attempt_id: int, item_ref: str, family_refs: Sequence[str] = ()
) -> ItemLog:
    """The log of an item and its family in an attempt of a learner; NotFound for one of anybody else."""
    attempt = attempts.attempt_of_learner(session, learner_id, attempt_id)
    item_log = log_without_answers("", learner_id, attempt, item_ref)
    return with_answers_to_items(session, item_log, {item_ref, *family_refs})


def with_answers_to_items(session: VerbSession, item_log: ItemLog, item_refs: Collection[str]) -> ItemLog:
    """A log with the answers to these items in its attempt, and their hints."""
    responses = attempts.responses_of(session, item_log.attempt_id)
    hint_count_by_item_ref_of_attempt = attempts.hint_count_by_item_ref_of(session, item_log.attempt_id)
    responses_to_items = [response for response in responses if response.item_ref in item_refs]
    hint_count_by_item_ref = {
        item_ref: hint_count
        for item_ref, hint_count in hint_count_by_item_ref_of_attempt.items()
        if item_ref in item_refs
    }
    return item_log._replace(
        responses=tuple(responses_to_items), hint_count_by_item_ref=hint_count_by_item_ref
    )
