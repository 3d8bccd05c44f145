"""The sums of everybody, made again in one go: they are few, and nobody waits."""

from app.records.db.session import VerbSession
from app.records.people import sums


def rebuild_all_sums(session: VerbSession) -> int:
    """How many learners had other sums than the log."""
    learner_ids = sums.learner_ids_with_sums(session)
    return sum(sums.rebuild_sums(session, learner_id) for learner_id in learner_ids)
