"""Answers: one attempt of a learner at the items of a lesson, of an example, or of practice."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from datetime import datetime

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.session import Prepared, RowQuery, VerbSession, columns_of, prepared_insert, without_id
from app.records.learning import item_lookup, lesson_progress, recording, reveals
from app.records.learning.rows import ATTEMPT, HINT, RESPONSE, VERSION
from app.records.learning.tables import Attempt, Hint, Response
from app.records.learning.values import (
    Answer,
    AttemptData,
    AttemptRow,
    ItemLog,
    Marker,
    PractisedItems,
    ResponseRow,
    Responses,
    ShownSolution,
    Source,
    Target,
    Texts,
)

IS_ATTEMPT_OF_LEARNER = ATTEMPT.learner_id == bindparam("learner")
RESPONSE_COLUMNS = columns_of(Response, ResponseRow)
IS_OF_ATTEMPT = RESPONSE.attempt_id == bindparam("attempt")


@learners.changes_own_rows
def respond(
    session: VerbSession,
    caller: Caller,
    target: Target,
    answer: Answer,
    course: Marker,
    now: datetime,
    family_refs: Texts = (),
) -> ItemLog:
    """Mark an answer and write it down. The first one for a try stands; a solved item takes no more.

    `family_refs`: twins whose responses the log brings along. What cannot be read raises; nothing is written.
    """
    log = open_item_log(session, caller, target, answer.item_ref, now, family_refs)
    if not log.accepts_try(answer.try_number, now):
        return log
    return record_answer(session, log, answer, course, now)


def record_answer(
    session: VerbSession, log: ItemLog, answer: Answer, course: Marker, now: datetime
) -> ItemLog:
    """Mark the answer to the next try of a log, and write it down."""
    previous_answer = log.last_answer_to(answer.item_ref)
    mark = course.mark(answer.item_ref, log.seed, answer.raw, answer.try_number, previous_answer)
    return recording.add_response(session, log, answer, mark, course, now)


@learners.changes_own_rows
def show_solution(
    session: VerbSession,
    caller: Caller,
    target: Target,
    item_ref: str,
    try_number: int,
    course: Marker,
    now: datetime,
    family_refs: Texts = (),
) -> ItemLog:
    """你算一下: the solution is shown. That is a try with score 0, and ends the item."""
    log = open_item_log(session, caller, target, item_ref, now, family_refs)
    if not log.is_next_try(try_number):
        return log
    shown_answer = Answer(item_ref, try_number, ())
    return recording.add_response(session, log, shown_answer, ShownSolution(), course, now)


@learners.changes_own_rows
def open_next_hint(
    session: VerbSession,
    caller: Caller,
    target: Target,
    item_ref: str,
    position: int,
    now: datetime,
    family_refs: Texts = (),
) -> ItemLog:
    """Open the next hint of an item. Any other position changes nothing."""
    log = open_item_log(session, caller, target, item_ref, now, family_refs)
    return open_hint(session, log, position, now)


ADD_HINT = prepared_insert(Hint)


def open_hint(session: VerbSession, log: ItemLog, position: int, now: datetime) -> ItemLog:
    """Open the next hint of the item of a log. Any other position changes nothing."""
    hint_counts_of_attempt = log.hint_counts.get(log.item_ref, 0)
    if position != hint_counts_of_attempt + 1:
        return log
    session.run(ADD_HINT, attempt_id=log.attempt_id, item_ref=log.item_ref, position=position, created_at=now)
    hints = {**log.hint_counts, log.item_ref: position}
    return log._replace(hint_counts=hints)


def load_own(session: VerbSession, caller: Caller, attempt_id: int, now: datetime) -> AttemptData:
    """An attempt of the caller, as it was. NotFound to anybody else, and before its result is published."""
    learner_id = learners.find_learner_id(session, caller)
    attempt = of_learner(session, learner_id, attempt_id)
    if attempt.attempt.is_sealed(now):
        raise NotFound("这份作业的结果还没有公布，公布了在“我的作业”里看。")
    return attempt


BODIES_OF_ATTEMPT = Prepared(
    select(VERSION.hash, VERSION.body).where(RESPONSE.item_version == VERSION.hash, IS_OF_ATTEMPT).distinct()
)


def of_learner(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptData:
    """An attempt of a learner, with the items as they were. NotFound if it is not of this learner."""
    attempt = attempt_by_id(session, learner_id, attempt_id)
    responses = responses_of(session, attempt_id)
    hints = hints_of(session, attempt_id)
    rows = session.all(BODIES_OF_ATTEMPT, attempt=attempt_id)
    versions: dict[str, str] = dict(rows)
    return AttemptData(attempt, responses, hints, versions)


IS_ANSWER_OF_LEARNER = (RESPONSE.attempt_id == ATTEMPT.id, IS_ATTEMPT_OF_LEARNER)
VERDICTS_OF_LEARNER = select(RESPONSE.item, RESPONSE.verdict).where(*IS_ANSWER_OF_LEARNER)
PRACTISED_ANSWERS = Prepared(VERDICTS_OF_LEARNER.where(ATTEMPT.source == "practice").order_by(RESPONSE.id))


def load_practised(session: VerbSession, caller: Caller) -> PractisedItems:
    """The verdicts on every answer outside the lessons, by item."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return PractisedItems()
    verdicts: dict[str, Texts] = {}
    rows = session.all(PRACTISED_ANSWERS, learner=learner_id)
    for item_ref, verdict in rows:
        earlier_verdicts = verdicts.get(item_ref, ())
        verdicts[item_ref] = (*earlier_verdicts, verdict)
    return PractisedItems(learner_id, verdicts)


ANSWERS_TO_VARIANT = Prepared(
    select(ATTEMPT.ref, *RESPONSE_COLUMNS)
    .where(*IS_ANSWER_OF_LEARNER, ATTEMPT.seed == bindparam("seed"), RESPONSE.item == bindparam("item"))
    .order_by(RESPONSE.id)
)


def answers_to_variant(
    session: VerbSession, caller: Caller, item_ref: str, seed: int
) -> Mapping[str, list[ResponseRow]]:
    """The answers of the caller to one variant of an item, by the ref of the attempt."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return {}
    responses = defaultdict[str, list[ResponseRow]](list)
    rows = session.all(ANSWERS_TO_VARIANT, learner=learner_id, item=item_ref, seed=seed)
    for ref, *columns in rows:
        response = item_lookup.response_row(columns)
        responses[ref].append(response)
    return responses


def load_item_log(
    session: VerbSession, caller: Caller, target: Target, item_ref: str, family_refs: Texts = ()
) -> ItemLog:
    """The log of an item, changing nothing: `attempt_id` is 0 while there is no attempt."""
    token = caller.token or ""
    log = item_lookup.find(session, token, target, item_ref, family_refs)
    if log is None:
        return ItemLog(token, 0, target.seed, 1, item_ref)
    return log


def load_log_of_items(session: VerbSession, caller: Caller, target: Target, items: Texts) -> ItemLog:
    """The log of many items of an attempt; the first one stands for all."""
    first_item_ref, *_ = items
    log = load_item_log(session, caller, target, first_item_ref)
    if not log.attempt_id:
        return log
    return with_answers_to(session, log, items)


ADD_ATTEMPT = prepared_insert(Attempt)


def open_item_log(
    session: VerbSession, caller: Caller, target: Target, item_ref: str, now: datetime, family_refs: Texts
) -> ItemLog:
    """The log of an item; the learner and the attempt are made if they are not there yet."""
    token = caller.token or ""
    log = item_lookup.find(session, token, target, item_ref, family_refs)
    if log is None:
        arrival = learners.arrive(session, caller, now)
        log = item_lookup.find(session, arrival.token, target, item_ref, family_refs)
    assert log
    if log.attempt_id:
        return log
    attempt = AttemptRow(0, target.source, target.ref, log.round, target.seed, now)
    [(attempt_id,)] = session.all(ADD_ATTEMPT, learner_id=log.learner_id, **without_id(attempt))
    return log._replace(attempt_id=attempt_id, ref=target.ref, source=target.source)


def log_of(
    session: VerbSession,
    token: str,
    learner_id: int | None,
    attempt: AttemptRow,
    item_ref: str,
    family_refs: Texts,
) -> ItemLog:
    """The log of an item and its family in an attempt."""
    log = item_lookup.begun_log(token, learner_id, attempt, item_ref)
    return with_answers_to(session, log, {item_ref, *family_refs})


def with_answers_to(session: VerbSession, log: ItemLog, items: Collection[str]) -> ItemLog:
    """A log with the answers to these items in its attempt, and their hints."""
    responses = responses_of(session, log.attempt_id)
    hint_counts_of_attempt = hints_of(session, log.attempt_id)
    responses_to_items = [row for row in responses if row.item_ref in items]
    hints = {item_ref: count for item_ref, count in hint_counts_of_attempt.items() if item_ref in items}
    return log._replace(responses=tuple(responses_to_items), hint_counts=hints)


ATTEMPTS = select(*columns_of(Attempt, AttemptRow)).where(IS_ATTEMPT_OF_LEARNER)
ATTEMPT_BY_ID = RowQuery(AttemptRow, ATTEMPTS.where(ATTEMPT.id == bindparam("attempt")))


def attempt_by_id(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptRow:
    """An attempt of a learner. The lookup is the permission check: NotFound for one of anybody else."""
    attempt = session.first(ATTEMPT_BY_ID, attempt=attempt_id, learner=learner_id)
    if attempt is None:
        raise NotFound
    return attempt


ATTEMPT_OF_ROUND = RowQuery(
    AttemptRow,
    ATTEMPTS.where(
        ATTEMPT.source == bindparam("source"),
        ATTEMPT.ref == bindparam("ref"),
        ATTEMPT.round == bindparam("round"),
    ),
)


def of_round(
    session: VerbSession, learner_id: int, source: Source, ref: str, round_number: int
) -> AttemptRow | None:
    """The attempt of a learner in one round, if it was begun."""
    return session.first(ATTEMPT_OF_ROUND, learner=learner_id, source=source, ref=ref, round=round_number)


def round_of(session: VerbSession, learner_id: int, source: Source, ref: str) -> int:
    """The present round of the lesson or the example that an attempt is at."""
    if source == "lesson":
        return lesson_progress.round_of(session, learner_id, ref)
    return reveals.round_of(session, learner_id, ref)


RESPONSES_OF_ATTEMPT = Prepared(select(*RESPONSE_COLUMNS).where(IS_OF_ATTEMPT).order_by(RESPONSE.id))


def responses_of(session: VerbSession, attempt_id: int) -> Responses:
    """The answers of an attempt, oldest first."""
    rows = session.all(RESPONSES_OF_ATTEMPT, attempt=attempt_id)
    return tuple(map(item_lookup.response_row, rows))


HINTS_OF_ATTEMPT = Prepared(
    select(HINT.item, func.count()).where(HINT.attempt_id == bindparam("attempt")).group_by(HINT.item)
)


def hints_of(session: VerbSession, attempt_id: int) -> Mapping[str, int]:
    """How many hints of each item are open."""
    rows = session.all(HINTS_OF_ATTEMPT, attempt=attempt_id)
    return dict(rows)
