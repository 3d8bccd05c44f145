"""What a learner has done so far, derived from the logs."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from datetime import timedelta
from itertools import groupby
from operator import itemgetter

from sqlalchemy import BindParameter, and_, bindparam, select, union_all

from app.records.activity import learning_days
from app.records.cards.rows import REVIEW
from app.records.db.metadata import table
from app.records.db.session import VerbSession
from app.records.db.statements import PreparedStatement
from app.records.db.stored_times import time_of
from app.records.games.plays import GAME_MOVE
from app.records.learning.lesson_progress import LessonPlaces
from app.records.learning.rows import ATTEMPT, LESSON_PLACE, OUTCOME, RESPONSE, REVEAL
from app.records.learning.tables import LessonVisit
from app.records.learning.values import ProgressData, StageTally

LESSON_VISIT = table(LessonVisit).c


LEARNER: BindParameter[int] = bindparam("learner")
IS_RESPONSE_OF_LEARNER = and_(RESPONSE.attempt_id == ATTEMPT.id, ATTEMPT.learner_id == LEARNER)
OUTCOMES_IN_LESSONS = PreparedStatement(
    select(ATTEMPT.ref, RESPONSE.item_ref, OUTCOME)
    .where(IS_RESPONSE_OF_LEARNER, ATTEMPT.source == "lesson")
    .order_by(ATTEMPT.ref, RESPONSE.id)
)
"""In every round: 重学 takes nothing away."""
MOMENTS_OF_LEARNING = PreparedStatement(
    union_all(
        select(RESPONSE.created_at).where(IS_RESPONSE_OF_LEARNER),
        select(REVEAL.created_at).where(REVEAL.learner_id == LEARNER),
        select(LESSON_PLACE.updated_at).where(LESSON_PLACE.learner_id == LEARNER),
        select(LESSON_VISIT.visited_at).where(LESSON_VISIT.learner_id == LEARNER),
        select(GAME_MOVE.created_at).where(GAME_MOVE.learner_id == LEARNER),
        select(REVIEW.reviewed_at).where(REVIEW.learner_id == LEARNER, REVIEW.undone_at.is_(None)),
    )
)


def progress_of_learner(
    session: VerbSession,
    learner_id: int,
    original_ref_by_twin_ref: Mapping[str, str],
    unscored_refs: Collection[str],
    reached_places: LessonPlaces,
) -> ProgressData:
    """What one learner has done; whoever asks was allowed to.

    `original_ref_by_twin_ref`: an answer to a twin counts as a further try of the item that it stands for.
    `unscored_refs`: items that count for nothing (those asked before anything was taught). `reached_places`:
    see `ProgressData`.
    """
    outcome_rows = session.all(OUTCOMES_IN_LESSONS, learner=learner_id)
    stage_tallies = stage_tallies_of(outcome_rows, original_ref_by_twin_ref, unscored_refs)
    progress_data = ProgressData(learner_id, reached_places, stage_tallies)
    newest_day_totals = learning_days.newest_day_totals(session, learner_id)
    if newest_day_totals is None:
        return progress_data
    learning_time = timedelta(microseconds=newest_day_totals.learnt_microseconds)
    return progress_data._replace(day_count=newest_day_totals.day_count, learning_time=learning_time)


def make_days_from_logs(session: VerbSession, learner_id: int) -> None:
    """The days of learning from the logs."""
    moment_rows = session.stream(MOMENTS_OF_LEARNING, learner=learner_id)
    moments = [time_of(stored_moment) for (stored_moment,) in moment_rows]
    learning_days.make_days_anew(session, learner_id, moments)


def stage_tallies_of(
    outcome_rows: Iterable[tuple[str, ...]],
    original_ref_by_twin_ref: Mapping[str, str],
    unscored_refs: Collection[str],
) -> tuple[StageTally, ...]:
    """Rows (stage, item, outcome) in the order of stages and of time, counted.

    >>> stage_tallies_of([("s", "a", "wrong"), ("s", "a2", "right"), ("s", "b", "right")], {"a2": "a"}, ())
    (StageTally(stage_ref='s', right_count=1, corrected_count=1, wrong_count=0),)
    """
    stage_tallies: list[StageTally] = []
    for stage_ref, stage_rows in groupby(outcome_rows, key=itemgetter(0)):
        outcomes_by_item_ref = defaultdict[str, list[str]](list)
        for _, item_ref, outcome in stage_rows:
            original_ref = original_ref_by_twin_ref.get(item_ref, item_ref)
            if original_ref not in unscored_refs:
                outcomes_by_item_ref[original_ref].append(outcome)
        stage_tally = tally_of_stage(stage_ref, outcomes_by_item_ref.values())
        stage_tallies.append(stage_tally)
    return tuple(stage_tallies)


def tally_of_stage(stage_ref: str, outcomes_of_items: Collection[list[str]]) -> StageTally:
    """The items of a stage, by the outcomes of their tries."""
    right_count = corrected_count = 0
    for try_outcomes in outcomes_of_items:
        if try_outcomes[0] == "right":
            right_count += 1
        elif "right" in try_outcomes or "corrected" in try_outcomes:
            corrected_count += 1
    wrong_count = len(outcomes_of_items) - right_count - corrected_count
    return StageTally(stage_ref, right_count, corrected_count, wrong_count)
