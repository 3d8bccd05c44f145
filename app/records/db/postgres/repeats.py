"""After which errors a verb is begun anew, and what its caller hears when that was of no use."""

from app.records.db.errors import Busy
from app.records.db.postgres.refusals import READ_ONLY_SENTENCE, ConnectionLost, is_duplicate_key

MOST_TRIES = 20
MOST_LASTING_TRIES = 3
"""How often a unique key may be in the way, or the server away. Who took the key is found by the next try."""


class TryAgain(Busy):
    """What was begun is undone, and may be begun anew."""

    is_lasting = False
    """Whether it will hardly be otherwise at the twentieth time."""

    def __init__(self, cause: Exception | None) -> None:
        super().__init__()
        self.__cause__ = cause

    def final_error(self) -> BaseException:
        """What the caller hears in the end."""
        return Busy()


class WrittenMeanwhile(TryAgain):
    """What the verb was about to write was written by another one, or two waited for each other."""

    def __init__(self, cause: Exception) -> None:
        super().__init__(cause)
        self.is_lasting = is_duplicate_key(cause)

    def final_error(self) -> BaseException:
        """Of a key that stays in the way, the database's own words: that is a fault of the verb."""
        if self.is_lasting and self.__cause__:
            return self.__cause__
        return Busy()


class NotSignedInYet(TryAgain):
    """Who is not signed in has no lock of their own, and is counted with others of an address: alone."""

    def __init__(self) -> None:
        super().__init__(None)


class ConnectionGone(TryAgain):
    """The connection was lost before anything was committed."""

    is_lasting = True

    def final_error(self) -> BaseException:
        """In words; the next verb connects anew."""
        return ConnectionLost()


class NothingWritable(TryAgain):
    """The server takes no writes on this connection. It may on another one: that a database is read-only is
    kept from when a connection began, and the primary may be another server by now.
    """

    is_lasting = True

    def final_error(self) -> BaseException:
        """In words; the next verb connects anew."""
        return Busy(READ_ONLY_SENTENCE)
