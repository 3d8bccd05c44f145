"""An answer is written down, with the body of its item, and everything that is counted of it."""

import json
from dataclasses import replace
from datetime import datetime

from sqlalchemy import bindparam, exists, insert, select

from app.course.practice.notebook import MOST_WRONGS
from app.records.activity import learning_days
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, stored
from app.records.learning import first_tries, item_sums
from app.records.learning.tables import ItemVersion, Response
from app.records.learning.values import FAR, Answer, ItemLog, MarkedAnswer, Marker, ResponseRow

VERSION = table(ItemVersion).c
ADD_RESPONSE = Prepared(
    insert(table(Response)).returning(first_tries.RIGHT_AT_ONCE, *item_sums.COUNTED),
    tuple(column.name for column in table(Response).c if column.name != "id"),
)
"""It gives back what the answer counts as, so that this is said in one place."""


def add_response(
    session: VerbSession, log: ItemLog, answer: Answer, mark: MarkedAnswer, course: Marker, now: datetime
) -> ItemLog:
    """Write down an answer with its mark, and the item as it is now. Returns the log with it."""
    assert log.learner_id is not None
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
    raw = json.dumps(answer.raw, ensure_ascii=False)
    columns = row._asdict() | {"raw": raw, "attempt_id": log.attempt_id, "learner_id": log.learner_id}
    [(right_at_once, *counted)] = session.all(ADD_RESPONSE, **columns)
    if answer.try_number == 1:
        first_tries.count(session, log, answer.item, bool(right_at_once), now)
    add_to_sum(session, log, answer.item, item_sums.SummedAnswer(*counted))
    learning_days.note(session, log.learner_id, now)
    return replace(log, responses=(*log.responses, row))


SUM_OF_ITEM = Prepared(select(*item_sums.COLUMNS).where(item_sums.OF_ITEM))


def add_to_sum(session: VerbSession, log: ItemLog, item: str, answer: item_sums.SummedAnswer) -> None:
    """Add an answer that was just written to the sum of its item."""
    shown_from = None
    if log.shown_from:
        if log.shown_from >= FAR:
            return
        shown_from = stored(log.shown_from)
    row = session.first(SUM_OF_ITEM, learner=log.learner_id, name=item)
    totals = item_sums.ItemTotals()
    earlier_wrongs = ""
    if row:
        *columns, earlier_wrongs = row
        totals = item_sums.unpacked((*columns, ""))  # they are many, and only get one more before them
    totals.add(*answer, log.source == "practice", shown_from)
    values = totals.columns()
    wrongs = [text for text in (values["wrongs"], earlier_wrongs) if text]
    values["wrongs"] = "\n".join("\n".join(wrongs).split("\n", MOST_WRONGS)[:MOST_WRONGS])
    if row:
        session.run(item_sums.SET, learner=log.learner_id, name=item, **values)
    else:
        session.run(item_sums.ADD, learner_id=log.learner_id, item=item, **values)


NEW_VERSION = {column.name: bindparam(column.name, type_=column.type) for column in VERSION}
IS_KEPT = exists(select(VERSION.hash).where(VERSION.hash == bindparam("hash")))
ADD_VERSION = Prepared(
    insert(table(ItemVersion)).from_select(list(NEW_VERSION), select(*NEW_VERSION.values()).where(~IS_KEPT))
)


def freeze(session: VerbSession, course: Marker, item: str, seed: int, now: datetime) -> str:
    """Keep the body of an item as this learner sees it today, once. Returns its hash."""
    digest, body = course.version(item, seed)
    session.run(ADD_VERSION, hash=digest, item=item, body=body, created_at=now)
    return digest
