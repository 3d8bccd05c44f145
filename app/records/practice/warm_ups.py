"""What was learnt on the last day before today, and the three questions that look back at it."""

from datetime import date, datetime

from sqlalchemy import bindparam, func, select

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.days import beginning_of, day_of, end_of
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.learning import attempts, lesson_pages
from app.records.learning.rows import ATTEMPT, OUTCOME, RESPONSE
from app.records.learning.values import WarmUpData


def load_warm_up(
    session: VerbSession, caller: Caller, warm_up_ref: str, now: datetime, warm_up_day: date | None = None
) -> WarmUpData:
    """The warm-up of a day (None: today) in the learner's calendar, and what it looks back at.

    `warm_up_ref` is what its attempts are called before the day: `content:warm-up`. Nothing is recorded.
    """
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return WarmUpData(day=warm_up_day)
    time_zone = learners.time_zone_of(session, learner_id)
    today = day_of(now, time_zone)
    warm_up_day = warm_up_day or today
    capped_day = min(warm_up_day, today)
    refs_with_verdicts = lesson_refs_with_verdicts(session, learner_id, capped_day, time_zone)
    page_data = WarmUpData(learner_id=learner_id, day=warm_up_day, refs_with_verdicts=refs_with_verdicts)
    attempt_ref = f"{warm_up_ref}-{warm_up_day}"
    attempt = attempts.attempt_of_round(session, learner_id, "practice", attempt_ref, 1)
    return lesson_pages.with_answers_of_attempt(session, page_data, attempt)


IS_RESPONSE_OF_LEARNER = (RESPONSE.attempt_id == ATTEMPT.id, ATTEMPT.learner_id == bindparam("learner"))
IS_ANSWER_IN_LESSON = (ATTEMPT.source == "lesson", RESPONSE.created_at < bindparam("before"))
LAST_ANSWER_AT = select(func.max(RESPONSE.created_at))
LAST_LEARNT_AT = PreparedStatement(LAST_ANSWER_AT.where(*IS_RESPONSE_OF_LEARNER, *IS_ANSWER_IN_LESSON))
OUTCOMES_QUERY = select(RESPONSE.item_ref, OUTCOME)
LESSON_ANSWERS = OUTCOMES_QUERY.where(*IS_RESPONSE_OF_LEARNER, *IS_ANSWER_IN_LESSON)
RECENT_LESSON_ANSWERS = LESSON_ANSWERS.where(RESPONSE.created_at >= bindparam("since"))
ANSWERS_SINCE = PreparedStatement(RECENT_LESSON_ANSWERS.order_by(RESPONSE.id))


def lesson_refs_with_verdicts(
    session: VerbSession, learner_id: int, warm_up_day: date, time_zone: str
) -> tuple[tuple[str, str], ...]:
    """Item and verdict of every answer in lessons on the last day of learning before this one."""
    day_begins_at = beginning_of(warm_up_day, time_zone)
    [(last_learnt_at,)] = session.all(LAST_LEARNT_AT, learner=learner_id, before=day_begins_at)
    if last_learnt_at is None:
        return ()
    last_day = day_of(last_learnt_at, time_zone)
    window_start, window_end = beginning_of(last_day, time_zone), end_of(last_day, time_zone)
    answer_rows = session.all(ANSWERS_SINCE, learner=learner_id, since=window_start, before=window_end)
    return tuple((item_ref, verdict) for item_ref, verdict in answer_rows)
