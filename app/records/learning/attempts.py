"""Answers: one pass of a learner through the items of a lesson or an example."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import lru_cache

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.errors import NotFound
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding
from app.records.learning import lesson_progress, reveals
from app.records.learning.tables import Attempt, Hint, ItemVersion, Response
from app.records.learning.values import (
    Answer,
    AttemptData,
    AttemptRow,
    ItemLog,
    Marker,
    PractisedItems,
    ResponseRow,
    Source,
    Target,
)

attempts, responses, opened = table(Attempt).c, table(Response).c, table(Hint).c
versions = table(ItemVersion).c
mine = attempts.learner_id == bindparam("learner")
columns = [attempts[name] for name in AttemptRow._fields]

BY_ID = Prepared(select(*columns).where(attempts.id == bindparam("attempt"), mine))
OF_ROUND = Prepared(
    select(*columns).where(
        mine,
        attempts.source == bindparam("source"),
        attempts.ref == bindparam("ref"),
        attempts.round == bindparam("round"),
    )
)
RESPONSES = Prepared(
    select(*[responses[name] for name in ResponseRow._fields])
    .where(responses.attempt_id == bindparam("attempt"))
    .order_by(responses.id)
)
HINTS = Prepared(
    select(opened.item, func.count()).where(opened.attempt_id == bindparam("attempt")).group_by(opened.item)
)
VERSION = Prepared(select(versions.hash).where(versions.hash == bindparam("hash")))
VERSIONS = Prepared(
    select(versions.hash, versions.body)
    .distinct()
    .where(responses.item_version == versions.hash, responses.attempt_id == bindparam("attempt"))
)
PRACTISED = Prepared(
    select(responses.item, responses.verdict)
    .where(responses.attempt_id == attempts.id, mine, attempts.source == "practice")
    .order_by(responses.id)
)
ANSWERS = Prepared(
    select(attempts.ref, *[responses[name] for name in ResponseRow._fields])
    .where(
        responses.attempt_id == attempts.id,
        mine,
        attempts.seed == bindparam("seed"),
        responses.item == bindparam("item"),
    )
    .order_by(responses.id)
)
ADD, ADD_VERSION = adding(Attempt), adding(ItemVersion)
ADD_RESPONSE, ADD_HINT = adding(Response), adding(Hint)


def respond(
    session: VerbSession,
    who: Caller,
    target: Target,
    answer: Answer,
    course: Marker,
    now: datetime,
    family: tuple[str, ...] = (),
) -> ItemLog:
    """Mark an answer and write it down. The first one for a try stands; a solved item takes no more.

    `family`: other items (twins) whose responses the log shall bring along. An answer that the course cannot
    read raises what the course raises, and nothing is written.
    """
    log = item_log(session, who, target, answer.item, now, family)
    return take(session, log, answer, course, now) if log.takes(answer.try_number) else log


def take(session: VerbSession, log: ItemLog, answer: Answer, course: Marker, now: datetime) -> ItemLog:
    """Mark an answer that is to be taken, and write it down."""
    mark = course.mark(answer.item, log.seed, answer.raw, answer.try_number, log.last(answer.item))
    row = ResponseRow(
        item=answer.item,
        try_number=answer.try_number,
        raw=answer.raw,
        value=mark.value,
        verdict=mark.verdict,
        score=mark.score,
        misconception=mark.misconception,
        hints=log.hints.get(answer.item, 0),
        seconds=answer.seconds,
        item_version=freeze(session, course, answer.item, log.seed, now),
        created_at=now,
    )
    return add_response(session, log, row)


def show(
    session: VerbSession,
    who: Caller,
    target: Target,
    item: str,
    try_number: int,
    course: Marker,
    now: datetime,
    family: tuple[str, ...] = (),
) -> ItemLog:
    """你算一下: the answer is shown. That is a try with score 0, and ends the item."""
    log = item_log(session, who, target, item, now, family)
    if not log.takes(try_number):
        return log
    row = ResponseRow(
        item=item,
        try_number=try_number,
        raw=(),
        value=None,
        verdict="shown",
        score=0.0,
        misconception=None,
        hints=log.hints.get(item, 0),
        seconds=None,
        item_version=freeze(session, course, item, log.seed, now),
        created_at=now,
    )
    return add_response(session, log, row)


def hint(
    session: VerbSession,
    who: Caller,
    target: Target,
    item: str,
    position: int,
    now: datetime,
    family: tuple[str, ...] = (),
) -> ItemLog:
    """Open the next hint of an item. Any other position changes nothing."""
    return open_hint(session, item_log(session, who, target, item, now, family), position, now)


def open_hint(session: VerbSession, log: ItemLog, position: int, now: datetime) -> ItemLog:
    """The next hint of the item of this log; any other position changes nothing."""
    if position != log.hints.get(log.item, 0) + 1:
        return log
    session.run(ADD_HINT, attempt_id=log.attempt_id, item=log.item, position=position, created_at=now)
    return replace(log, hints={**log.hints, log.item: position})


def own(session: VerbSession, who: Caller, attempt_id: int, now: datetime) -> AttemptData:
    """An attempt of this learner, with the items as they were. NotFound to anybody else.

    NotFound also while it is sealed: how an assignment went is not told before its time.
    """
    found = of_learner(session, learners.load_visitor(session, who), attempt_id)
    if found.attempt.is_sealed(now):
        raise NotFound("这份作业的结果还没有公布，公布了在“我的作业”里看。")
    return found


def of_learner(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptData:
    """The same for one who may look at it for another reason."""
    attempt = by_id(session, learner_id, attempt_id)
    return AttemptData(
        attempt=attempt,
        responses=responses_of(session, attempt_id),
        hints=hints_of(session, attempt_id),
        versions=dict(session.all(VERSIONS, attempt=attempt_id)),
    )


def practised(session: VerbSession, who: Caller) -> PractisedItems:
    """The verdicts on every answer outside the lessons, by item."""
    learner_id = learners.load_visitor(session, who)
    verdicts: dict[str, tuple[str, ...]] = {}
    for item, verdict in session.all(PRACTISED, learner=learner_id) if learner_id is not None else ():
        verdicts[item] = (*verdicts.get(item, ()), verdict)
    return PractisedItems(learner_id, verdicts)


def answers(session: VerbSession, who: Caller, item: str, seed: int) -> Mapping[str, Sequence[ResponseRow]]:
    """All that this learner answered to one variant of an item, by the ref of the attempt."""
    learner_id, found = learners.load_visitor(session, who), dict[str, list[ResponseRow]]()
    rows = session.all(ANSWERS, learner=learner_id, item=item, seed=seed) if learner_id is not None else ()
    for ref, name, number, raw, *rest in rows:
        found.setdefault(ref, []).append(ResponseRow(name, number, typed(raw), *rest))
    return found


def load_item_log(
    session: VerbSession, who: Caller, target: Target, item: str, family: tuple[str, ...] = ()
) -> ItemLog:
    """What is known of an item, changing nothing: `attempt_id` 0 while there is no attempt."""
    learner_id = learners.load_visitor(session, who)
    attempt = None if learner_id is None else find(session, learner_id, target)
    if attempt is None:
        return ItemLog(who.token or "", 0, target.seed, 1, item, learner_id=learner_id)
    return log_of(session, who.token or "", learner_id, attempt, item, family)


def item_log(
    session: VerbSession, who: Caller, target: Target, item: str, now: datetime, family: tuple[str, ...]
) -> ItemLog:
    """What is known of an item now; the learner and the attempt are made if they are not there yet."""
    arrival = learners.arrive(session, who, now)
    attempt = find(session, arrival.learner_id, target) or begin(session, arrival.learner_id, target, now)
    return log_of(session, arrival.token, arrival.learner_id, attempt, item, family)


def log_of(
    session: VerbSession,
    token: str,
    learner_id: int | None,
    attempt: AttemptRow,
    item: str,
    family: tuple[str, ...],
) -> ItemLog:
    wanted = {item, *family}
    return ItemLog(
        token=token,
        learner_id=learner_id,
        attempt_id=attempt.id,
        seed=attempt.seed,
        round=attempt.round,
        item=item,
        ref=attempt.ref,
        responses=tuple(row for row in responses_of(session, attempt.id) if row.item in wanted),
        hints={name: count for name, count in hints_of(session, attempt.id).items() if name in wanted},
    )


def find(session: VerbSession, learner_id: int, target: Target) -> AttemptRow | None:
    """The attempt that is meant; NotFound for the id of one that is not this learner's."""
    if target.attempt_id is not None:
        return expect_free(by_id(session, learner_id, target.attempt_id))
    current = round_of(session, learner_id, target.source, target.ref)
    return of_round(session, learner_id, target.source, target.ref, current)


def expect_free(attempt: AttemptRow) -> AttemptRow:
    """An assignment has rules of its own: it is answered on its own pages alone."""
    if attempt.source == "assignment":
        raise NotFound("作业里的题，请在“我的作业”里答。")
    return attempt


def begin(session: VerbSession, learner_id: int, target: Target, now: datetime) -> AttemptRow:
    """A new attempt in the present round."""
    current = round_of(session, learner_id, target.source, target.ref)
    attempt = AttemptRow(0, target.source, target.ref, current, target.seed, now)
    values = attempt._asdict()
    del values["id"]
    [(new_id,)] = session.all(ADD, learner_id=learner_id, **values)
    return attempt._replace(id=new_id)


def by_id(session: VerbSession, learner_id: int | None, attempt_id: int) -> AttemptRow:
    """The lookup is the permission check."""
    row = session.first(BY_ID, attempt=attempt_id, learner=learner_id)
    if row is None:
        raise NotFound
    return AttemptRow(*row)


def of_round(
    session: VerbSession, learner_id: int, source: Source, ref: str, current: int
) -> AttemptRow | None:
    row = session.first(OF_ROUND, learner=learner_id, source=source, ref=ref, round=current)
    return AttemptRow(*row) if row else None


def round_of(session: VerbSession, learner_id: int, source: Source, ref: str) -> int:
    """An attempt belongs to the round its lesson or its example is in."""
    if source == "lesson":
        return lesson_progress.round_of(session, learner_id, ref)
    return reveals.round_of(session, learner_id, ref)


def responses_of(session: VerbSession, attempt_id: int) -> tuple[ResponseRow, ...]:
    rows = session.all(RESPONSES, attempt=attempt_id)
    return tuple([ResponseRow(item, number, typed(raw), *rest) for item, number, raw, *rest in rows])


@lru_cache(4096)
def typed(raw: str) -> tuple[str, ...]:
    """What was sent, from how it is kept. Most answers are the same few choices."""
    return tuple(json.loads(raw))


def hints_of(session: VerbSession, attempt_id: int) -> Mapping[str, int]:
    return dict(session.all(HINTS, attempt=attempt_id))


def freeze(session: VerbSession, course: Marker, item: str, seed: int, now: datetime) -> str:
    """Keep the body of an item as this learner sees it today, once. Returns its hash."""
    digest, body = course.version(item, seed)
    if session.first(VERSION, hash=digest) is None:
        session.run(ADD_VERSION, hash=digest, item=item, body=body, created_at=now)
    return digest


def add_response(session: VerbSession, log: ItemLog, row: ResponseRow) -> ItemLog:
    values = row._asdict() | {"raw": json.dumps(row.raw, ensure_ascii=False)}
    session.run(ADD_RESPONSE, attempt_id=log.attempt_id, **values)
    return replace(log, responses=(*log.responses, row))
