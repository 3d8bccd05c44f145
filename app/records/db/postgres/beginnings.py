"""How a transaction on a server begins: which moment it sees, and for which others it waits.

What begins it is only sent: it is answered with the first rows that its verb reads.
"""

from collections.abc import Callable

from app.records.db.errors import Busy
from app.records.db.postgres.address import WRITE_LOCK
from app.records.db.postgres.pipeline import Pipeline
from app.records.db.postgres.repeats import NotSignedInYet

MOST_SECONDS_LATE = 5
"""What a replica is behind at most, or its primary is asked instead."""
SECONDS_LATE = """CASE WHEN pg_last_wal_receive_lsn() = pg_last_wal_replay_lsn() THEN 0
    ELSE extract(epoch FROM clock_timestamp() - pg_last_xact_replay_timestamp())::float8 END"""
IS_REPLICA = "EXISTS (SELECT 1 FROM pg_stat_wal_receiver)"
LATENESS = f"SELECT {IS_REPLICA}, {SECONDS_LATE}"
BEGIN_READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
BEGIN_WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED"
TAKE_WRITE_LOCK = f"SELECT pg_advisory_xact_lock({WRITE_LOCK.site}, {WRITE_LOCK.purpose})"
SHARE_WRITE_LOCK = f"SELECT pg_advisory_xact_lock_shared({WRITE_LOCK.site}, {WRITE_LOCK.purpose})"
TAKE_LEARNER_LOCK = """SELECT pg_advisory_xact_lock(learner_id) FROM sign_in
WHERE ended_at IS NULL AND token_hash IN (%(first)s, %(last)s) ORDER BY learner_id"""

Begin = Callable[[Pipeline], None]


class Behind(Busy):
    """A replica has not yet what happened some seconds ago."""


def begin_read(pipeline: Pipeline) -> None:
    """One moment of the database, seen until the end."""
    pipeline.execute(BEGIN_READ)


def begin_late(pipeline: Pipeline) -> None:
    """One moment of a replica, seen until the end. `Behind` where it follows nobody, or too slowly."""
    pipeline.execute(BEGIN_READ)
    [(is_following, seconds_late)] = pipeline.execute(LATENESS)
    if not is_following or seconds_late is None or seconds_late > MOST_SECONDS_LATE:
        raise Behind


def begin_alone(pipeline: Pipeline) -> None:
    """While this verb writes, no other one does."""
    pipeline.execute(BEGIN_WRITE)
    pipeline.execute(TAKE_WRITE_LOCK)


def begin_without_writing(pipeline: Pipeline) -> None:
    """For a verb that writes nothing: no other one waits for it."""
    pipeline.execute(BEGIN_WRITE)
    pipeline.execute(SHARE_WRITE_LOCK)


def begin_beside_others(pipeline: Pipeline, token_hashes: tuple[str, ...]) -> None:
    """Verbs of other learners write meanwhile, none of this learner: found by the hashes of their tokens.

    `NotSignedInYet`, told with the first rows that the verb reads, where none of them is signed in.
    """
    begin_without_writing(pipeline)
    lock_statement = pipeline.execute(TAKE_LEARNER_LOCK, {"first": token_hashes[0], "last": token_hashes[-1]})
    lock_statement.error_without_rows = NotSignedInYet()


READING_BEGINS: frozenset[Begin] = frozenset({begin_read, begin_late})
"""What begins a verb that writes nothing and locks nothing."""
