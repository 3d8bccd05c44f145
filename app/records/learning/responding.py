"""A learner answers: the answer is marked and written down, with the body of its item and all that is counted
of it; or a hint is opened, or the solution.
"""

import json
from datetime import datetime

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.activity import learning_days, row_limits
from app.records.db.days import TimeZones
from app.records.db.session import VerbSession
from app.records.db.statements import prepared_insert, prepared_insert_once, without_id
from app.records.learning import first_tries, item_logs, item_sums
from app.records.learning.tables import Attempt, Hint, ItemVersion, Response
from app.records.learning.values import (
    FAR_FUTURE,
    Answer,
    AnswerMark,
    AttemptKey,
    AttemptRow,
    ItemLog,
    ItemMarker,
    ResponseRow,
    ShownSolution,
)


@learners.changes_own_rows
def respond(
    session: VerbSession,
    caller: Caller,
    attempt_key: AttemptKey,
    answer: Answer,
    course: ItemMarker,
    now: datetime,
    family_refs: tuple[str, ...] = (),
) -> ItemLog:
    """Mark an answer and write it down. The first one for a try stands; a solved item takes no more.

    `family_refs`: twins whose responses the log brings along. What cannot be read raises; nothing is written.
    """
    item_log = ensure_item_log(
        session, caller, attempt_key, answer.item_ref, answer.try_number, now, family_refs
    )
    if not item_log.accepts_try(answer.try_number, now):
        return item_log
    return record_answer(session, item_log, answer, course, now, caller)


def is_taken(item_log: ItemLog, answer: Answer) -> bool:
    """Whether this answer stands in a log: written down by now, or before, for a form may be sent twice."""
    responses = item_log.responses_to_item(answer.item_ref)
    return (answer.try_number, answer.raw) in [(response.try_number, response.raw) for response in responses]


def record_answer(
    session: VerbSession,
    item_log: ItemLog,
    answer: Answer,
    course: ItemMarker,
    now: datetime,
    caller: Caller | None = None,
) -> ItemLog:
    """Mark the answer to the next try of a log, and write it down. `caller`: see `record_activity_after`."""
    previous_answer = item_log.last_answer_to(answer.item_ref)
    answer_mark = course.mark(answer.item_ref, item_log.seed, answer.raw, answer.try_number, previous_answer)
    return add_response(session, item_log, answer, answer_mark, course, now, caller)


@learners.changes_own_rows
def show_solution(
    session: VerbSession,
    caller: Caller,
    attempt_key: AttemptKey,
    item_ref: str,
    try_number: int,
    course: ItemMarker,
    now: datetime,
    family_refs: tuple[str, ...] = (),
) -> ItemLog:
    """算给我看: the solution is shown. That is a try with score 0, and ends the item."""
    item_log = ensure_item_log(session, caller, attempt_key, item_ref, try_number, now, family_refs)
    if not item_log.is_next_try(try_number):
        return item_log
    shown_answer = Answer(item_ref, try_number, ())
    return add_response(session, item_log, shown_answer, ShownSolution(), course, now, caller)


@learners.changes_own_rows
def open_next_hint(
    session: VerbSession,
    caller: Caller,
    attempt_key: AttemptKey,
    item_ref: str,
    hint_number: int,
    now: datetime,
    family_refs: tuple[str, ...] = (),
) -> ItemLog:
    """Open the next hint of an item. Any other number changes nothing."""
    item_log = ensure_item_log(session, caller, attempt_key, item_ref, hint_number, now, family_refs)
    hinted_log = open_hint(session, item_log, hint_number, now)
    if hinted_log is not item_log:
        assert item_log.learner_id is not None
        row_limits.count_rows(session, caller, item_log.learner_id, "hints", now)
    return hinted_log


ADD_HINT = prepared_insert(Hint)


def open_hint(session: VerbSession, item_log: ItemLog, hint_number: int, now: datetime) -> ItemLog:
    """Open the next hint of the item of a log. Any other number changes nothing."""
    open_hint_count = item_log.hint_count_by_item_ref.get(item_log.item_ref, 0)
    if hint_number != open_hint_count + 1:
        return item_log
    session.run(
        ADD_HINT,
        attempt_id=item_log.attempt_id,
        item_ref=item_log.item_ref,
        position=hint_number,
        created_at=now,
    )
    return item_log._replace(
        hint_count_by_item_ref={**item_log.hint_count_by_item_ref, item_log.item_ref: hint_number}
    )


ADD_ATTEMPT = prepared_insert(Attempt)


def ensure_item_log(
    session: VerbSession,
    caller: Caller,
    attempt_key: AttemptKey,
    item_ref: str,
    try_or_hint_number: int,
    now: datetime,
    family_refs: tuple[str, ...],
) -> ItemLog:
    """The log of an item; the learner and the attempt are made if they are not there yet.

    `try_or_hint_number`: of the try or the hint that is sent. An attempt begins with the first one; else
    none is made.
    """
    token = caller.token or ""
    item_log = item_logs.item_log_of_token(session, token, attempt_key, item_ref, family_refs)
    if item_log is None:
        known_learner = learners.find_or_add_learner(session, caller, now)
        item_log = item_logs.item_log_of_token(
            session, known_learner.token, attempt_key, item_ref, family_refs
        )
    assert item_log
    if item_log.attempt_id or try_or_hint_number != 1:
        return item_log
    attempt = AttemptRow(0, attempt_key.source, attempt_key.ref, item_log.round_number, attempt_key.seed, now)
    [(attempt_id,)] = session.all(ADD_ATTEMPT, learner_id=item_log.learner_id, **without_id(attempt))
    return item_log._replace(attempt_id=attempt_id, ref=attempt_key.ref, source=attempt_key.source)


ADD_RESPONSE = prepared_insert(Response, first_tries.IS_RIGHT_AT_ONCE, *item_sums.COUNTED_COLUMNS)
"""It gives back what the answer counts as, so that this is said in one place."""


def add_response(
    session: VerbSession,
    item_log: ItemLog,
    answer: Answer,
    answer_mark: AnswerMark,
    course: ItemMarker,
    now: datetime,
    caller: Caller | None,
    is_own_activity: bool = True,
) -> ItemLog:
    """Write down an answer with its mark, and the item as it is now. Returns the log with it.

    `is_own_activity`: whether its moment is added to the days of its learner here; of many answers at once
    whoever writes them adds all moments together.
    """
    assert item_log.learner_id is not None
    version_hash = freeze_item(session, course, answer.item_ref, item_log.seed, now)
    response = ResponseRow(
        answer.item_ref,
        answer.try_number,
        answer.raw,
        answer_mark.understood_answer,
        answer_mark.verdict,
        answer_mark.score,
        answer_mark.misconception_code,
        hint_count=item_log.hint_count_by_item_ref.get(answer.item_ref, 0),
        seconds=answer.seconds_spent,
        item_version_hash=version_hash,
        created_at=now,
    )
    response_columns = response._asdict()
    response_columns["raw"] = json.dumps(answer.raw, ensure_ascii=False)
    owner_columns = {"attempt_id": item_log.attempt_id, "learner_id": item_log.learner_id}
    # What the answer is added to is asked for before it is written: a server tells all of it at once.
    first_try_counter = None
    if answer.try_number == 1:
        first_try_counter = first_tries.FirstTryCounter(session, item_log, answer.item_ref)
    item_sum_update = None
    if item_log.shown_from is None or item_log.shown_from < FAR_FUTURE:
        item_sum_update = item_sums.ItemSumUpdate(session, item_log, answer.item_ref)
    pending_zone_and_day_rows = session.send(learning_days.ZONES_AND_NEWEST_DAY, learner=item_log.learner_id)
    [(is_right_at_once, *counted_columns)] = session.all(ADD_RESPONSE, **response_columns, **owner_columns)
    if first_try_counter:
        first_try_counter.add_to_count(bool(is_right_at_once), now)
    zone_and_day_rows = pending_zone_and_day_rows.fetch()
    if item_sum_update:
        [(present_zone, past_zones_text, *_)] = zone_and_day_rows
        day_of_moment = TimeZones(present_zone, past_zones_text).day_of_moment
        item_sum_update.add_answer(item_sums.AnswerToAdd(*counted_columns), day_of_moment)
    if is_own_activity:
        learning_days.record_activity_after(
            session, item_log.learner_id, now, zone_and_day_rows, caller=caller
        )
    return item_log._replace(responses=(*item_log.responses, response))


ADD_VERSION = prepared_insert_once(ItemVersion)


def freeze_item(session: VerbSession, course: ItemMarker, item_ref: str, seed: int, now: datetime) -> str:
    """Keep the body of an item as this learner sees it today, once. Returns its hash."""
    version_hash, item_body = course.version_hash_and_body(item_ref, seed)
    session.run(ADD_VERSION, hash=version_hash, item_ref=item_ref, body=item_body, created_at=now)
    return version_hash
