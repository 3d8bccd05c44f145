"""What a learner has done, as one verb of the caller's."""

from collections.abc import Collection, Mapping
from types import MappingProxyType

from app.records.accounts import learners
from app.records.accounts.values import Caller
from app.records.db.session import VerbSession
from app.records.learning.lesson_progress import reached_places_of_learner
from app.records.learning.progress import progress_of_learner
from app.records.learning.values import ProgressData

NO_TWINS: Mapping[str, str] = MappingProxyType({})


def load_progress(
    session: VerbSession,
    caller: Caller,
    original_ref_by_twin_ref: Mapping[str, str] = NO_TWINS,
    unscored_refs: Collection[str] = (),
) -> ProgressData:
    """Empty for who is no learner."""
    learner_id = learners.find_learner_id(session, caller)
    if learner_id is None:
        return ProgressData()
    reached_places = reached_places_of_learner(session, learner_id)
    return progress_of_learner(session, learner_id, original_ref_by_twin_ref, unscored_refs, reached_places)
