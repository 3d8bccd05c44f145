"""An answer is written down, with the body of its item, and everything that is counted of it."""

import json
from datetime import datetime

from sqlalchemy import insert

from app.course.practice.item_mistakes import MOST_WRONGS
from app.records.activity import learning_days
from app.records.db.metadata import table
from app.records.db.session import Prepared, VerbSession, adding_once, stored
from app.records.learning import first_tries, item_sums
from app.records.learning.tables import ItemVersion, Response
from app.records.learning.values import FAR_FUTURE, Answer, ItemLog, MarkedAnswer, Marker, ResponseRow

RESPONSES = table(Response)
RESPONSE_COLUMNS = tuple(column.name for column in RESPONSES.c if column.name != "id")
ADD_RESPONSE = Prepared(
    insert(RESPONSES).returning(first_tries.IS_RIGHT_AT_ONCE, *item_sums.COUNTED_COLUMNS), RESPONSE_COLUMNS
)
"""It gives back what the answer counts as, so that this is said in one place."""


def add_response(
    session: VerbSession, log: ItemLog, answer: Answer, mark: MarkedAnswer, course: Marker, now: datetime
) -> ItemLog:
    """Write down an answer with its mark, and the item as it is now. Returns the log with it."""
    assert log.learner_id is not None
    version = freeze(session, course, answer.item, log.seed, now)
    open_hints = log.hints.get(answer.item, 0)
    row = ResponseRow(
        answer.item,
        answer.try_number,
        answer.raw,
        mark.value,
        mark.verdict,
        mark.score,
        mark.misconception,
        hints=open_hints,
        seconds=answer.seconds,
        item_version=version,
        created_at=now,
    )
    columns = row._asdict()
    columns["raw"] = json.dumps(answer.raw, ensure_ascii=False)
    owners = {"attempt_id": log.attempt_id, "learner_id": log.learner_id}
    # What the answer is added to is asked for before it is written: a server tells all of it at once.
    first_try = None
    if answer.try_number == 1:
        first_try = first_tries.FirstTry(session, log, answer.item)
    item_sum = None
    if log.shown_from is None or log.shown_from < FAR_FUTURE:
        item_sum = AnswerToSum(session, log, answer.item)
    newest_day = session.later(learning_days.NEWEST_AND_ZONE, learner=log.learner_id)
    [(right_at_once, *counted_columns)] = session.all(ADD_RESPONSE, **columns, **owners)
    if first_try:
        first_try.count(bool(right_at_once), now)
    if item_sum:
        item_sum.add(item_sums.SummedAnswer(*counted_columns))
    learning_days.record_after(session, log.learner_id, now, newest_day())
    responses = (*log.responses, row)
    return log._replace(responses=responses)


SUM_OF_ITEM = Prepared(item_sums.STORED_SUMS.where(item_sums.IS_SUM_OF_ITEM))


class AnswerToSum:
    """An answer that is about to be written, and the sum of its item."""

    def __init__(self, session: VerbSession, log: ItemLog, item_ref: str) -> None:
        self._session = session
        self._log = log
        self._item = item_ref
        self._sums = session.later(SUM_OF_ITEM, learner=log.learner_id, name=item_ref)

    def add(self, answer: item_sums.SummedAnswer) -> None:
        """Add it to the sum, now that it is written."""
        sums = self._sums()
        totals = item_sums.ItemTotals()
        earlier_wrongs = ""
        if sums:
            [columns] = sums
            stored_sum = item_sums.StoredSum(*columns)
            earlier_wrongs = stored_sum.wrongs
            # The wrongs are many, and only get one more before them.
            totals = stored_sum._replace(wrongs="").totals
        is_practice = self._log.source == "practice"
        shown_from = None
        if self._log.shown_from:
            shown_from = stored(self._log.shown_from)
        totals.add(answer, is_practice, shown_from)
        values = totals.columns()
        wrongs = [text for text in (values["wrongs"], earlier_wrongs) if text]
        lines = "\n".join(wrongs).split("\n", MOST_WRONGS)
        values["wrongs"] = "\n".join(lines[:MOST_WRONGS])
        learner_id = self._log.learner_id
        if sums:
            self._session.run(item_sums.SET_SUM, learner=learner_id, name=self._item, **values)
        else:
            self._session.run(item_sums.ADD_SUM, learner_id=learner_id, item=self._item, **values)


ADD_VERSION = adding_once(ItemVersion)


def freeze(session: VerbSession, course: Marker, item_ref: str, seed: int, now: datetime) -> str:
    """Keep the body of an item as this learner sees it today, once. Returns its hash."""
    digest, body = course.version(item_ref, seed)
    session.run(ADD_VERSION, hash=digest, item=item_ref, body=body, created_at=now)
    return digest
