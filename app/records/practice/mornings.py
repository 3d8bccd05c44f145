"""How the day of a learner began: what they had answered until then, and where that left them.

What is planned for a day goes by it, so that nothing of the day changes the plan.
"""

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import bindparam, select

from app.course.practice.mastery import WINDOW_LENGTH
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement, Row
from app.records.db.stored_times import stored_time
from app.records.learning.answer_history import AnswerHistory
from app.records.learning.item_sums import COUNTED_ANSWERS, ItemTotals, fold_answers, pack_json
from app.records.learning.past_answers import history_of
from app.records.learning.rows import ARE_RESULTS_OUT, ATTEMPT, RESPONSE
from app.records.practice.overview import IS_ANSWER_OF_DAY

MOST_EARLIER_ANSWERS = 400
"""A sum keeps the last answers to an item. Those that the day has pushed out of it are looked for among so
many before the day."""
ITEMS_OF_DAY = PreparedStatement(select(RESPONSE.item).distinct().where(IS_ANSWER_OF_DAY))
EARLIER_RESPONSE_IDS = (
    select(RESPONSE.id)
    .where(RESPONSE.learner_id == bindparam("learner"), RESPONSE.created_at < bindparam("day_began_at"))
    .order_by(RESPONSE.created_at.desc())
    .limit(MOST_EARLIER_ANSWERS)
)
EARLIER_ANSWERS = PreparedStatement(
    COUNTED_ANSWERS.where(
        RESPONSE.attempt_id == ATTEMPT.id, RESPONSE.id.in_(EARLIER_RESPONSE_IDS), ARE_RESULTS_OUT
    )
)


def load_morning_history(
    session: VerbSession, learner_id: int, mastery_sums: Sequence[Row], day_began_at: datetime
) -> AnswerHistory:
    """What a learner had answered when the day began, as far as they knew then how it went.

    `mastery_sums`: those of now, in the columns of `past_answers.MASTERY_SUMS`.
    """
    item_rows = session.all(ITEMS_OF_DAY, learner=learner_id, day_began_at=day_began_at)
    item_refs_of_day = frozenset(item_ref for (item_ref,) in item_rows)
    if item_refs_of_day:
        answer_rows = session.all(
            EARLIER_ANSWERS, learner=learner_id, day_began_at=day_began_at, now=day_began_at
        )
        earlier_totals_by_item = fold_answers(row for row in answer_rows if row[0] in item_refs_of_day)
        mastery_sums = list(
            earlier_sums(mastery_sums, item_refs_of_day, earlier_totals_by_item, stored_time(day_began_at))
        )
    return history_of(session, learner_id, mastery_sums, day_began_at)


def earlier_sums(
    mastery_sums: Sequence[Row],
    item_refs_of_day: Collection[str],
    earlier_totals_by_item: Mapping[str, ItemTotals],
    day_began_at: str,
) -> Iterator[Row]:
    """The sums without the answers of the day; none of an item that was first answered today."""
    for row in mastery_sums:
        item_ref, sealed_until, first_answers, first_clean_at, *counts = row
        if item_ref not in item_refs_of_day:
            yield row
            continue
        item_totals = earlier_totals_by_item.get(item_ref, ItemTotals())
        earlier_answers = answers_before(day_began_at, json.loads(first_answers), item_totals.first_answers)
        if first_clean_at and first_clean_at >= day_began_at:
            first_clean_at = None
        if earlier_answers or first_clean_at or item_ref in earlier_totals_by_item:
            yield item_ref, sealed_until, pack_json(earlier_answers), first_clean_at, *counts


def answers_before(
    day_began_at: str, first_answers: Iterable[list[Any]], earlier_answers: Iterable[list[Any]]
) -> list[list[Any]]:
    """The last first answers to an item before the day, the newest first."""
    answer_by_response_id = {answer[0]: answer for answer in earlier_answers}
    for answer in first_answers:
        response_id, _, answered_at = answer
        if answered_at < day_began_at:
            answer_by_response_id[response_id] = answer
    newest_response_ids = sorted(answer_by_response_id, reverse=True)[:WINDOW_LENGTH]
    return [answer_by_response_id[response_id] for response_id in newest_response_ids]
