"""An answer is written down, with the body of its item, and everything that is counted of it."""

import json
from datetime import datetime

from app.course.practice.item_mistakes import MOST_WRONG_RESPONSES
from app.records.activity import learning_days
from app.records.db.session import Prepared, VerbSession, prepared_insert, prepared_insert_once, stored_time
from app.records.learning import first_tries, item_sums
from app.records.learning.tables import ItemVersion, Response
from app.records.learning.values import FAR_FUTURE, Answer, AnswerMark, ItemLog, Marker, ResponseRow

ADD_RESPONSE = prepared_insert(Response, first_tries.IS_RIGHT_AT_ONCE, *item_sums.COUNTED_COLUMNS)
"""It gives back what the answer counts as, so that this is said in one place."""


def add_response(
    session: VerbSession, log: ItemLog, answer: Answer, mark: AnswerMark, course: Marker, now: datetime
) -> ItemLog:
    """Write down an answer with its mark, and the item as it is now. Returns the log with it."""
    assert log.learner_id is not None
    version_hash = freeze_item(session, course, answer.item_ref, log.seed, now)
    open_hints = log.hint_counts.get(answer.item_ref, 0)
    row = ResponseRow(
        answer.item_ref,
        answer.try_number,
        answer.raw,
        mark.understood_answer,
        mark.verdict,
        mark.score,
        mark.misconception,
        hint_count=open_hints,
        seconds=answer.seconds,
        item_version_hash=version_hash,
        created_at=now,
    )
    fields = row._asdict()
    fields["raw"] = json.dumps(answer.raw, ensure_ascii=False)
    owners = {"attempt_id": log.attempt_id, "learner_id": log.learner_id}
    # What the answer is added to is asked for before it is written: a server tells all of it at once.
    first_try = None
    if answer.try_number == 1:
        first_try = first_tries.FirstTry(session, log, answer.item_ref)
    item_sum = None
    if log.shown_from is None or log.shown_from < FAR_FUTURE:
        item_sum = SumOfItem(session, log, answer.item_ref)
    newest_day = session.later(learning_days.NEWEST_AND_ZONE, learner=log.learner_id)
    [(right_at_once, *counted_columns)] = session.all(ADD_RESPONSE, **fields, **owners)
    if first_try:
        first_try.count(bool(right_at_once), now)
    if item_sum:
        item_sum.add(item_sums.SummedAnswer(*counted_columns))
    learning_days.record_after(session, log.learner_id, now, newest_day())
    responses = (*log.responses, row)
    return log._replace(responses=responses)


SUM_OF_ITEM = Prepared(item_sums.STORED_SUMS.where(item_sums.IS_SUM_OF_ITEM))


class SumOfItem:
    """An answer that is about to be written, and the sum of its item."""

    def __init__(self, session: VerbSession, log: ItemLog, item_ref: str) -> None:
        self._session = session
        self._log = log
        self._item_ref = item_ref
        self._fetch_sums = session.later(SUM_OF_ITEM, learner=log.learner_id, item=item_ref)

    def add(self, answer: item_sums.SummedAnswer) -> None:
        """Add it to the sum, now that it is written."""
        sums = self._fetch_sums()
        totals = item_sums.ItemTotals()
        earlier_wrong_answers = ""
        if sums:
            [columns] = sums
            stored_sum = item_sums.StoredSum(*columns)
            earlier_wrong_answers = stored_sum.wrong_answers
            # The wrong answers are many, and only get one more before them.
            totals = stored_sum._replace(wrong_answers="").totals
        is_practice = self._log.source == "practice"
        shown_from = None
        if self._log.shown_from:
            shown_from = stored_time(self._log.shown_from)
        totals.add(answer, is_practice, shown_from)
        fields = totals.fields_to_store()
        wrong_answer_texts = [text for text in (fields["wrong_answers"], earlier_wrong_answers) if text]
        lines = "\n".join(wrong_answer_texts).split("\n", MOST_WRONG_RESPONSES)
        fields["wrong_answers"] = "\n".join(lines[:MOST_WRONG_RESPONSES])
        learner_id = self._log.learner_id
        if sums:
            self._session.run(item_sums.SET_SUM, learner=learner_id, item=self._item_ref, **fields)
        else:
            self._session.run(item_sums.ADD_SUM, learner_id=learner_id, item_ref=self._item_ref, **fields)


ADD_VERSION = prepared_insert_once(ItemVersion)


def freeze_item(session: VerbSession, course: Marker, item_ref: str, seed: int, now: datetime) -> str:
    """Keep the body of an item as this learner sees it today, once. Returns its hash."""
    digest, body = course.version(item_ref, seed)
    session.run(ADD_VERSION, hash=digest, item_ref=item_ref, body=body, created_at=now)
    return digest
